// SPDX-License-Identifier: Apache-2.0
/* atoms_pipe_exec.c -- atoms_pipe for wlrun: the whole instruction at once on the warp's registers, without plan and
 * record. Addresses of all lanes come first, then the lanes' turns, lowest lane first.
 *
 * Nearly all accesses are 32 bits wide, by a full warp without a fault. Loops with the operation known at compile time
 * run these accesses. Accesses to 32 words in a row run as vectors: no two lanes meet. */
#include <assert.h>
#include <string.h>

#include "atoms_pipe_inline.h"
#include "atoms_pipe_matrix.h"
#include "lane_row.h"

static const uint32_t zeros[WL_WARP_LANES];

struct exec {
	const struct wl_inst *in;
	uint8_t *mem;                 /* first byte of the window */
	uint32_t addr[WL_WARP_LANES]; /* of all lanes; addresses of lanes without a part mean nothing */
	uint32_t ok;
	bool row;       /* full mask, the lanes access consecutive words of 32 bits or more */
	uint32_t preds; /* CAST with a predicate result: lanes with a store */
};

/* Register n as an operand: registers from RZ on read as zero, also as the upper part of a wide operand. */
static const uint32_t *operand(uint32_t (*regs)[WL_WARP_LANES], unsigned n)
{
	return n < WL_RZ ? regs[n] : zeros;
}

/* Operand B of a 32-bit instruction. */
static const uint32_t *operand_b(uint32_t (*regs)[WL_WARP_LANES], const struct wl_inst *in)
{
	static const uint32_t ones[WL_WARP_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	                                             1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	return in->flags & WL_F_ONE ? ones : operand(regs, in->rb);
}

INLINE void exec_addresses(struct exec *x, const uint32_t *ra, uint32_t addend)
{
	const unsigned xn = x->in->xn;
	const uint32_t first = (ra[0] << xn) + addend, size = x->in->size;
	uint32_t strays = 0;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		uint32_t addr = (ra[lane] << xn) + addend;
		x->addr[lane] = addr;
		strays |= addr ^ (first + lane * size);
	}
	x->row = strays == 0 && x->ok == UINT32_MAX && size >= 4;
}

/* Whether some lane of all 32 has a fault; `last` is the highest address in range. */
INLINE bool any_fault(const struct exec *x, uint32_t last)
{
	const uint32_t low = x->in->size - 1u;
	uint32_t bad = 0;
	if (x->row)
		return (x->addr[0] & low) || x->addr[0] > last || x->addr[31] > last;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		bad |= (x->addr[lane] & low) | (x->addr[lane] > last);
	return bad != 0;
}

/* Takes the faulting lanes out of x->ok. Returns the faulting lanes. */
INLINE uint32_t exec_faults(struct exec *x, const struct wl_window *w, bool illegal, uint8_t fault[WL_WARP_LANES])
{
	if (!illegal && w->valid && w->size >= x->in->size && !any_fault(x, w->size - x->in->size))
		return 0;
	uint32_t faulted = 0;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		enum wl_fault f =
		        illegal ? WL_FAULT_ILLEGAL_INSTRUCTION : atoms_lane_fault(w, x->addr[lane], x->in->size);
		if (f != WL_FAULT_NONE) {
			fault[lane] = (uint8_t)f;
			faulted |= UINT32_C(1) << lane;
		}
	}
	x->ok &= ~faulted;
	x->row = x->row && !faulted;
	return faulted;
}

/* ---- 32-bit accesses: loops for each operation ---- */

struct operands {
	const uint32_t *b, *c;
	uint32_t *d; /* NULL: no destination */
};

/* Known to the loop of an operation at compile time. */
struct known {
	enum wl_uop uop;
	enum wl_atom_op op;
	bool sgn, keep;
};

INLINE uint32_t turn32(struct known k, uint32_t old, uint32_t b, uint32_t c)
{
	switch (k.uop) {
	case WL_UOP_STS:
		return b;
	case WL_UOP_ATOMS:
		return atomic_alu32(k.op, k.sgn, old, b);
	case WL_UOP_ATOMS_CAS:
		return old == b ? c : old;
	default:
		return old;
	}
}

INLINE void lane32(uint8_t *at, struct operands v, struct known k, unsigned lane)
{
	uint32_t old, now;
	memcpy(&old, at, 4);
	now = turn32(k, old, v.b[lane], v.c[lane]);
	if (k.uop != WL_UOP_LDS)
		memcpy(at, &now, 4);
	if (k.keep)
		v.d[lane] = old;
}

/* 32 words in a row: every lane has a word of its own. The order of lanes does not matter, and the lanes may run as
 * vectors. */
INLINE void row32(uint8_t *at, struct operands v, struct known k)
{
	FOR_OWN_LANES (lane)
		lane32(at + 4 * lane, v, k, lane);
}

INLINE void loop32(const struct exec *x, struct operands v, struct known k)
{
	uint8_t *const mem = x->mem; /* a local: no store through `mem` can change `mem` */
	if (x->row) {
		row32(mem + x->addr[0], v, k);
		return;
	}
	if (x->ok == UINT32_MAX) {
#pragma GCC unroll 4
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			lane32(mem + x->addr[lane], v, k, lane);
		return;
	}
	for (uint32_t left = x->ok; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		lane32(mem + x->addr[lane], v, k, lane);
	}
}

INLINE void atoms32(const struct exec *x, struct operands v, bool keep)
{
	const bool sgn = x->in->flags & WL_F_SIGNED;
	switch (x->in->op) {
#define LOOP(OP, SGN) loop32(x, v, (struct known){WL_UOP_ATOMS, WL_ATOM_##OP, SGN, keep})
#define ROW(OP)                                                                                                        \
	case WL_ATOM_##OP:                                                                                             \
		LOOP(OP, false);                                                                                       \
		return;
#define ROW_SIGNED(OP)                                                                                                 \
	case WL_ATOM_##OP:                                                                                             \
		if (sgn)                                                                                               \
			LOOP(OP, true);                                                                                \
		else                                                                                                   \
			LOOP(OP, false);                                                                               \
		return;
		ROW(ADD)
		ROW_SIGNED(MIN)
		ROW_SIGNED(MAX)
		ROW(INC)
		ROW(DEC)
		ROW(AND)
		ROW(OR)
		ROW(XOR)
		ROW(EXCH)
#undef ROW_SIGNED
#undef ROW
#undef LOOP
	}
	assert(!"an atomic operation of the table");
}

INLINE void exec32(const struct exec *x, uint32_t (*regs)[WL_WARP_LANES])
{
	const struct wl_inst *in = x->in;
	const bool keep = in->uop != WL_UOP_STS && in->rd < WL_RZ;
	const struct operands v = {operand_b(regs, in), operand(regs, in->rc), keep ? regs[in->rd] : NULL};
	switch (in->uop) {
	case WL_UOP_LDS:
		if (keep)
			loop32(x, v, (struct known){WL_UOP_LDS, WL_ATOM_ADD, false, true});
		return;
	case WL_UOP_STS:
		loop32(x, v, (struct known){WL_UOP_STS, WL_ATOM_ADD, false, false});
		return;
	case WL_UOP_ATOMS:
		if (keep)
			atoms32(x, v, true);
		else
			atoms32(x, v, false);
		return;
	default:
		if (keep)
			loop32(x, v, (struct known){WL_UOP_ATOMS_CAS, WL_ATOM_ADD, false, true});
		else
			loop32(x, v, (struct known){WL_UOP_ATOMS_CAS, WL_ATOM_ADD, false, false});
	}
}

/* ---- the other sizes, and CAST ---- */

/* The registers of a wide operand, lowest first. */
struct wide {
	const uint32_t *reg[4];
};

INLINE struct wide wide_operand(uint32_t (*regs)[WL_WARP_LANES], unsigned first, unsigned words)
{
	struct wide o;
	for (unsigned i = 0; i < words; i++)
		o.reg[i] = operand(regs, first + i);
	return o;
}

INLINE struct wl_lane gather(const struct wide *o, unsigned words, unsigned lane)
{
	struct wl_lane v = {{0}};
	for (unsigned i = 0; i < words; i++)
		v.w[i] = o->reg[i][lane];
	return v;
}

/* Registers written by the instruction: none above the last. */
static unsigned result_registers(const struct wl_inst *in)
{
	unsigned n = in->uop == WL_UOP_STS || in->uop == WL_UOP_ATOMS_CAST_P ? 0 : (in->size + 3u) / 4;
	unsigned room = in->rd < WL_RZ ? (unsigned)(WL_RZ - in->rd) : 0;
	return n < room ? n : room;
}

/* Whether the lane's turn writes memory. */
INLINE bool stores(const struct wl_inst *in, uint32_t size, const struct wl_lane *old, const struct wl_lane *b,
                   bool loser)
{
	const bool compares = in->uop == WL_UOP_ATOMS_CAS || atoms_is_cast(in);
	return in->uop != WL_UOP_LDS && !loser && (!compares || memcmp(old, b, size) == 0);
}

/* Operand B: 1 for an operation with an implied 1 (WL_F_ONE), else Rb. */
INLINE struct wl_lane operand_of(const struct wl_inst *in, const struct wide *b, unsigned words, unsigned lane)
{
	return in->flags & WL_F_ONE ? (struct wl_lane){{1}} : gather(b, words, lane);
}

/* `s` is NULL if the access cannot meet a word of an mbarrier. */
INLINE void exec_size(struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t losers, uint32_t size,
                      struct wl_smem *s)
{
	const struct wl_inst *in = x->in;
	const unsigned words = (size + 3) / 4, results = result_registers(in);
	const struct wide b = wide_operand(regs, in->rb, words), c = wide_operand(regs, in->rc, words);
	uint8_t *const mem = x->mem;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		unsigned lane = (unsigned)__builtin_ctz(left);
		uint8_t *at = mem + x->addr[lane];
		struct wl_lane vb = operand_of(in, &b, words, lane), vc = gather(&c, words, lane), result;
		struct wl_lane old = atoms_load(at, size);
		struct wl_lane now = atoms_lane_turn(in, size, &old, &vb, &vc, losers >> lane & 1, &result);
		memcpy(at, &now, size);
		if (s && stores(in, size, &old, &vb, losers >> lane & 1))
			wl_smem_wrote(s, (uint32_t)(at - s->mem), size, in->uop == WL_UOP_STS);
		for (unsigned i = 0; i < words && i < results; i++)
			regs[in->rd + i][lane] = result.w[i];
		if (in->uop == WL_UOP_ATOMS_CAST_P)
			x->preds |= (result.w[0] & 1) << lane;
	}
}

/* LDS, and no other operation. */
INLINE void load_size(const struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t size)
{
	const unsigned words = (size + 3) / 4, results = result_registers(x->in);
	const bool sgn = x->in->flags & WL_F_SIGNED;
	const uint8_t *const mem = x->mem;
	if (!results)
		return;
	uint32_t *const d = regs[x->in->rd];
	for (uint32_t left = x->ok; left; left &= left - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		const struct wl_lane v = atoms_extend(sgn, atoms_load(mem + x->addr[lane], size), size);
		for (unsigned i = 0; i < words && i < results; i++)
			d[i * WL_WARP_LANES + lane] = v.w[i];
	}
}

/* STS that cannot meet a word of an mbarrier. */
INLINE void store_size(const struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t size)
{
	const unsigned words = (size + 3) / 4;
	const struct wide b = wide_operand(regs, x->in->rb, words);
	uint8_t *const mem = x->mem;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(left);
		const struct wl_lane v = gather(&b, words, lane);
		memcpy(mem + x->addr[lane], &v, size);
	}
}

INLINE void any_size(struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t losers, uint32_t size, struct wl_smem *s)
{
	if (x->in->uop == WL_UOP_LDS)
		load_size(x, regs, size);
	else if (x->in->uop == WL_UOP_STS && !s)
		store_size(x, regs, size);
	else
		exec_size(x, regs, losers, size, s);
}

static void exec_any(struct exec *x, uint32_t (*regs)[WL_WARP_LANES], uint32_t losers, struct wl_smem *s)
{
	switch (x->in->size) {
	case 1:
		any_size(x, regs, losers, 1, s);
		return;
	case 2:
		any_size(x, regs, losers, 2, s);
		return;
	case 4:
		any_size(x, regs, losers, 4, s);
		return;
	case 8:
		any_size(x, regs, losers, 8, s);
		return;
	case 16:
		any_size(x, regs, losers, 16, s);
		return;
	}
	assert(!"an access size");
}

/* Whether the access may change marks of mbarriers. Such an access is rare, so the cost does not matter. */
static bool meets_marks(const struct wl_smem *s, const struct exec *x, uint32_t base)
{
	const struct wl_inst *in = x->in;
	if (in->uop == WL_UOP_LDS)
		return false;
	if (s->store_marks && in->uop == WL_UOP_STS && in->size == 8)
		return true;
	if (!s->nmarks)
		return false;
	for (uint32_t left = x->ok; left; left &= left - 1) {
		const uint32_t at = base + x->addr[__builtin_ctz(left)];
		if (wl_smem_marked(s, at) || (in->size == 16 && wl_smem_marked(s, at + 8)))
			return true;
	}
	return false;
}

INLINE uint32_t run(struct wl_smem *s, unsigned slot, const struct wl_inst *in, uint32_t (*regs)[WL_WARP_LANES],
                    uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES], unsigned *passes, uint32_t *preds)
{
	const struct wl_window *w = &s->window[slot];
	struct exec x;
	if (__builtin_expect(wl_atoms_is_matrix(in), 0)) {
		*preds = 0;
		return matrix_exec(s, slot, in, regs, mask, ur, fault, passes);
	}
	x.in = in;
	x.preds = 0;
	x.mem = s->mem + w->base;
	x.ok = mask;
	exec_addresses(&x, operand(regs, in->ra), wl_shared_addend(in, ur) - wl_shared_origin(in, w->origin));
	uint32_t faulted = exec_faults(&x, w, atoms_illegal(s, in), fault);
	if (passes)
		*passes = 0;
	if (!x.ok) {
		*preds = 0;
		return faulted;
	}
	uint32_t losers = atoms_spin_losers(in, x.addr, x.ok);
	if (__builtin_expect(s->nmarks || s->store_marks, 0) && meets_marks(s, &x, w->base))
		exec_any(&x, regs, losers, s);
	else if (in->size == 4 && !atoms_is_cast(in) && in->uop != WL_UOP_ATOMSN)
		exec32(&x, regs);
	else
		exec_any(&x, regs, losers, NULL);
	if (passes)
		*passes = atoms_passes(s, in, w->base, x.addr, x.ok, x.row, losers);
	*preds = x.preds;
	return faulted;
}

uint32_t wl_atoms_exec_preds(struct wl_smem *s, unsigned slot, const struct wl_inst *in,
                             uint32_t (*regs)[WL_WARP_LANES], uint32_t mask, uint32_t ur, uint8_t fault[WL_WARP_LANES],
                             unsigned *passes, uint32_t *preds)
{
	return run(s, slot, in, regs, mask, ur, fault, passes, preds);
}

LANE_LOOP uint32_t wl_atoms_exec(struct wl_smem *s, unsigned slot, const struct wl_inst *in,
                                 uint32_t (*regs)[WL_WARP_LANES], uint32_t mask, uint32_t ur,
                                 uint8_t fault[WL_WARP_LANES], unsigned *passes)
{
	uint32_t preds;
	return run(s, slot, in, regs, mask, ur, fault, passes, &preds);
}
