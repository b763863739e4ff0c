// SPDX-License-Identifier: Apache-2.0
#include "atom_unit_ref.h"

#include <string.h>

#include "../../float_ref.h"

enum { FLOATS_A_PASS = 4 };

bool atom_legal(enum atom_kind kind, enum atom_op op, enum atom_type type, unsigned size)
{
	if (atom_is_load(kind) || atom_is_store(kind))
		return op == OP_ADD && type == TYPE_INT;
	if (atom_is_cas(kind))
		return op == OP_ADD && type == TYPE_INT && size >= 2;
	if (type != TYPE_INT)
		return size >= 2 && (type != TYPE_F64 || size == 3) &&
		       (op == OP_ADD ||
		        ((type == TYPE_F16X2 || type == TYPE_BF16X2) && (op == OP_MIN || op == OP_MAX)));
	return size >= 2 && !(size == 3 && (op == OP_INC || op == OP_DEC)) && (size < 4 || op == OP_EXCH) &&
	       !(kind == ATOM_RED && op == OP_EXCH);
}

static bool is_generic(enum atom_kind k)
{
	return k == ATOM_LD || k == ATOM_ST || k == ATOM_ATOM || k == ATOM_ATOM_CAS || k == ATOM_ATOM_CAST;
}

bool atom_is_native(const struct atom_req *r)
{
	return atom_is_load(r->kind) || atom_is_store(r->kind) || atom_is_cas(r->kind) || r->op == OP_EXCH ||
	       (r->type == TYPE_INT && r->size == 2);
}

/* Shared memory of other CTAs of the cluster also serves 64-bit integers and sums of pairs. */
static bool is_served(const struct atom_hw *hw, const struct atom_req *r, uint64_t addr)
{
	const bool pairs = (r->type == TYPE_F16X2 || r->type == TYPE_BF16X2) && r->size == 2 && r->op == OP_ADD;
	if (atom_is_native(r))
		return true;
	return hw->cluster && r->several && r->kind == ATOM_ATOM && (uint32_t)addr >> 24 != r->rank &&
	       (pairs || (r->type == TYPE_INT && r->size == 3));
}

/* Local memory, and operations not served by shared memory, are left to the code behind the predicate. Plain accesses
 * have no predicate. */
static bool is_refused(const struct atom_hw *hw, const struct atom_req *r, uint64_t addr)
{
	const bool atomic = is_generic(r->kind) && r->kind != ATOM_LD && r->kind != ATOM_ST;
	if (!atomic || !r->pd_used)
		return false;
	return addr >> 32 == hw->local_high || (addr >> 32 == hw->shared_high && !is_served(hw, r, addr));
}

/* True if lanes on the same word combine. */
static bool is_foldable(const struct atom_req *r)
{
	static const bool ops[] = {[OP_ADD] = true, [OP_MIN] = true, [OP_MAX] = true, [OP_AND] = true,
	                           [OP_OR] = true,  [OP_XOR] = true, [OP_EXCH] = true};
	return atom_is_store(r->kind) ||
	       (!atom_is_cas(r->kind) && r->type == TYPE_INT && (r->size == 2 || r->size == 3) && ops[r->op]);
}

/* Places lane after lane, pass by pass; the lanes below are already placed. */
static unsigned combined_passes(const struct atom_req *r, const struct atom_outcome *o, unsigned combine,
                                uint32_t lanes)
{
	const unsigned bytes = r->size > 2 ? 1u << r->size : 4;
	unsigned passes = 0;
	while (lanes) {
		unsigned leader[8], leaders = 0; /* of this pass, lowest first */
		uint32_t goes = 0;
		for (unsigned i = 0; i < 32; i++) {
			unsigned k = 0;
			if (!(lanes >> i & 1))
				continue;
			while (k < leaders && o->addr[leader[k]] / bytes != o->addr[i] / bytes)
				k++;
			if (k == leaders)
				leader[leaders++] = i;
			else if (k >= combine || o->addr[leader[k]] != o->addr[i])
				continue;
			goes |= UINT32_C(1) << i;
		}
		lanes &= ~goes;
		passes++;
	}
	return passes;
}

/* Passes over the banks of a sector: each pass takes the lowest lane of each word (64 and 128 bits: of each group of
 * words); of floats at most four lanes. Loads share. */
static unsigned passes_of(const struct atom_req *r, const struct atom_outcome *o, unsigned combine, uint32_t lanes)
{
	const unsigned words = r->size > 2 ? 1u << (r->size - 2) : 1;
	const bool floats = r->type != TYPE_INT;
	unsigned waiting[8] = {0}, passes = 0, left = 0;
	if (atom_is_load(r->kind))
		return lanes != 0;
	if (combine && is_foldable(r))
		return combined_passes(r, o, combine, lanes);
	for (unsigned i = 0; i < 32; i++)
		if (lanes >> i & 1) {
			waiting[o->addr[i] % 32 / 4 / words]++;
			left++;
		}
	for (; left; passes++)
		for (unsigned w = 0, served = 0; w < 8; w++)
			if (waiting[w] && !(floats && served == FLOATS_A_PASS)) {
				waiting[w]--;
				left--;
				served++;
			}
	return passes;
}

void atom_judge(const struct atom_hw *hw, const struct atom_req *r, struct atom_outcome *o)
{
	memset(o, 0, sizeof *o);
	for (unsigned i = 0; i < 32; i++) {
		const uint64_t ra = !r->ra_used ? 0 : r->wide && !r->narrow ? r->ra[i] : (uint32_t)r->ra[i];
		o->addr[i] = ra + r->base;
		if (!(r->mask >> i & 1) || r->illegal)
			continue;
		const uint32_t bit = UINT32_C(1) << i;
		const bool generic = is_generic(r->kind), shared = generic && o->addr[i] >> 32 == hw->shared_high,
		           remote = generic && o->addr[i] >> 32 == hw->local_high;
		if (is_refused(hw, r, o->addr[i]))
			o->refused |= bit;
		else if (o->addr[i] % (1u << r->size))
			o->misaligned |= bit;
		else if (remote || (shared && !is_served(hw, r, o->addr[i])))
			o->bad_space |= bit;
		else if (shared)
			o->shared |= bit;
		else
			o->todo |= bit;
	}
	uint64_t sector;
	for (uint32_t left = o->todo, lanes; left; left &= ~lanes) {
		lanes = atom_sector(o, left, &sector);
		o->passes += passes_of(r, o, hw->combine, lanes);
	}
}

uint32_t atom_sector(const struct atom_outcome *o, uint32_t lanes, uint64_t *sector)
{
	uint32_t mine = 0;
	*sector = o->addr[__builtin_ctz(lanes)] / 32;
	for (unsigned i = 0; i < 32; i++)
		if (lanes >> i & 1 && o->addr[i] / 32 == *sector)
			mine |= UINT32_C(1) << i;
	return mine;
}

/* A word of 32 or 64 bits. */
static uint64_t integer(const struct atom_req *r, uint64_t old, uint64_t b)
{
	const bool wide = r->size == 3;
	const uint64_t all = wide ? UINT64_MAX : UINT32_MAX;
	bool less = old < b;
	if (r->is_signed)
		less = wide ? (int64_t)old < (int64_t)b : (int32_t)(uint32_t)old < (int32_t)(uint32_t)b;
	switch (r->op) {
	case OP_ADD:
		return (old + b) & all;
	case OP_MIN:
		return less ? old : b;
	case OP_MAX:
		return less ? b : old;
	case OP_INC:
		return old >= b ? 0 : old + 1;
	case OP_DEC:
		return old == 0 || old > b ? b : old - 1;
	case OP_AND:
		return old & b;
	case OP_OR:
		return old | b;
	case OP_XOR:
		return old ^ b;
	default:
		return b;
	}
}

/* A NaN loses against a number; two NaNs are the canonical NaN; -0 is below +0. */
static uint64_t minmax(const struct float_format *f, bool max, uint64_t a, uint64_t b)
{
	if (float_is_nan(f, a) || float_is_nan(f, b))
		return !float_is_nan(f, a) ? a : !float_is_nan(f, b) ? b : f->nan;
	const double x = float_to_double(f, a), y = float_to_double(f, b);
	const bool less = x < y || (x == y && signbit(x) && !signbit(y));
	return less != max ? a : b;
}

/* Fills all bytes of the word with numbers of a format. */
static void floats(const struct atom_req *r, const uint32_t operand[4], uint8_t *word)
{
	static const struct float_format *const format[TYPES] = {NULL,       &float_f32, &float_f16,
	                                                         &float_f64, &float_f32, &float_bf16};
	const struct float_format *f = format[r->type];
	const unsigned bytes = (1 + f->exp + f->man) / 8;
	for (unsigned at = 0; at < 1u << r->size; at += bytes) {
		uint64_t old = 0, b = 0, now;
		memcpy(&old, word + at, bytes);
		memcpy(&b, (const uint8_t *)operand + at, bytes);
		now = r->op == OP_ADD ? float_sum(f, r->type == TYPE_F32_FTZ, old, b)
		                      : minmax(f, r->op == OP_MAX, old, b);
		memcpy(word + at, &now, bytes);
	}
}

static void load_result(const struct atom_req *r, const uint8_t *at, uint32_t data[4])
{
	const unsigned bytes = 1u << r->size;
	memset(data, 0, 16);
	memcpy(data, at, bytes);
	if (bytes < 4 && r->is_signed && at[bytes - 1] & 0x80)
		memset((uint8_t *)data + bytes, 0xff, 4 - bytes);
}

uint32_t atom_apply(const struct atom_req *r, struct atom_outcome *o, uint32_t lanes, unsigned halves,
                    uint8_t memory[32])
{
	const unsigned bytes = 1u << r->size;
	uint32_t written = 0;
	o->todo &= ~lanes;
	for (unsigned i = 0; i < 32; i++) {
		if (!(lanes >> i & 1))
			continue;
		const unsigned at = o->addr[i] % 32;
		if (!(halves >> at / 16 & 1)) {
			o->range |= UINT32_C(1) << i;
			continue;
		}
		uint8_t *word = memory + at;
		const uint32_t mine = (uint32_t)((UINT64_C(1) << bytes) - 1) << at;
		if (!atom_is_store(r->kind))
			load_result(r, word, o->data[i]);
		if (atom_is_load(r->kind))
			continue;
		if (atom_is_store(r->kind) || (!atom_is_cas(r->kind) && r->op == OP_EXCH)) {
			memcpy(word, r->rb[i], bytes);
			written |= mine;
		} else if (atom_is_cas(r->kind)) {
			const bool equal = memcmp(word, r->rb[i], bytes) == 0;
			if (equal) {
				memcpy(word, r->rc[i], bytes);
				written |= mine;
			}
			if (r->kind == ATOM_ATOM_CAST) {
				memset(o->data[i], 0, 16);
				o->data[i][0] = equal;
			}
		} else if (r->type != TYPE_INT) {
			floats(r, r->rb[i], word);
			written |= mine;
		} else {
			uint64_t old = 0, b = 0, now;
			memcpy(&old, word, bytes);
			memcpy(&b, r->rb[i], bytes);
			now = integer(r, old, b);
			memcpy(word, &now, bytes);
			written |= mine;
		}
	}
	return written;
}

unsigned atom_fault(const struct atom_req *r, const struct atom_outcome *o, unsigned lane)
{
	if (!(r->mask >> lane & 1))
		return FAULT_NONE;
	return r->illegal                  ? FAULT_ILLEGAL
	       : o->misaligned >> lane & 1 ? FAULT_MISALIGNED
	       : o->bad_space >> lane & 1  ? FAULT_BAD_SPACE
	       : o->range >> lane & 1      ? FAULT_GLOBAL
	       : o->absent >> lane & 1     ? FAULT_CLUSTER_RANK
	       : o->ended >> lane & 1      ? FAULT_CLUSTER_TARGET
	       : o->outside >> lane & 1    ? FAULT_SHARED
	                                   : FAULT_NONE;
}

bool atom_served(const struct atom_req *r, const struct atom_outcome *o, unsigned lane)
{
	return (r->mask >> lane & 1) && !atom_fault(r, o, lane) && !(o->refused >> lane & 1);
}
