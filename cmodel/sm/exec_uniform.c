// SPDX-License-Identifier: Apache-2.0
/* exec_uniform.c -- the uniform datapath: a value for each group of lanes. Sources A, B, C are uniform registers named
 * by ra, rb, rc, or B or C an immediate. */
#include "exec.h"
#include "scalar.h"

#define SGN (x->in->flags & WL_F_SIGNED)

struct sources {
	uint32_t a, b, c;
	uint32_t plus; /* still to add: 1 for each negated source; sources are only complemented, as under .X */
};

static struct sources read_sources(const struct exec *x)
{
	const struct wl_inst *in = x->in;
	uint32_t b = in->src[1] == WL_SRC_IMM ? in->imm : read_ur(x, in->rb);
	uint32_t c = in->src[2] == WL_SRC_IMM ? in->imm : read_ur(x, in->rc);
	struct sources s = {read_ur(x, in->ra), b, c, 0};
	s.a = in->neg & 1 ? ~s.a : s.a;
	s.b = in->neg & 2 ? ~s.b : s.b;
	s.c = in->neg & 4 ? ~s.c : s.c;
	s.plus = in->flags & WL_F_X ? 0 : (uint32_t)__builtin_popcount(in->neg & 7u);
	return s;
}

/* Uniform predicates are words of 0 or all ones. */
static bool read_up(const struct exec *x, uint8_t ps)
{
	return ((ps & 7) == WL_PT || x->uni[UPRED + (ps & 7)]) != (ps >> 3 & 1);
}
static void write_up(struct exec *x, uint8_t pd, bool value)
{
	if (pd != WL_PT)
		x->uni[UPRED + pd] = value ? ALL_LANES : 0;
}
static uint32_t carry_in(const struct exec *x, unsigned i)
{
	return x->in->flags & WL_F_X ? read_up(x, x->in->ps[i]) : 0;
}

/* The high word of a pair; a negated high word is complemented like the low word. */
static uint64_t with_high(const struct exec *x, unsigned i, uint32_t low, uint8_t ur)
{
	uint32_t high = read_ur_hi(x, ur);
	return (uint64_t)(x->in->neg >> i & 1 ? ~high : high) << 32 | low;
}

static uint64_t pair_b(const struct exec *x, uint32_t low)
{
	if (x->in->src[1] == WL_SRC_IMM && wl_uop_has((enum wl_uop)x->in->uop, WL_TRAIT(WHOLE_IMM)))
		return (uint64_t)x->in->imm2 << 32 | low;
	if (x->in->src[1] == WL_SRC_IMM)
		return (uint64_t)(int64_t)(int32_t)low;
	return with_high(x, 1, low, x->in->rb);
}

static enum flow write_ur_pair(struct exec *x, uint64_t d)
{
	if (x->in->urd < URZ_SLOT)
		write_ur(x, (uint8_t)(x->in->urd + 1), (uint32_t)(d >> 32));
	return write_ur(x, x->in->urd, (uint32_t)d);
}

enum flow exec_UMOV(struct exec *x)
{
	if (x->in->flags & WL_F_PAIR)
		return write_ur_pair(x, (uint64_t)x->b[WL_WARP_LANES] << 32 | x->b[0]);
	return write_ur(x, x->in->urd, x->b[0]);
}
enum flow exec_UFLO(struct exec *x)
{
	return write_ur(x, x->in->urd, find_leading(x->in, x->b[0]));
}
enum flow exec_UPOPC(struct exec *x)
{
	return write_ur(x, x->in->urd, (uint32_t)__builtin_popcount(x->b[0]));
}

enum flow exec_UBREV(struct exec *x)
{
	return write_ur(x, x->in->urd, reverse_bits(x->b[0]));
}

enum flow exec_UIADD3(struct exec *x)
{
	struct sources v = read_sources(x);
	uint64_t s = (uint64_t)v.a + v.b + v.c + v.plus + carry_in(x, 0) + carry_in(x, 1);
	write_up(x, x->in->pd[0], s >> 32 != 0);
	write_up(x, x->in->pd[1], s >> 32 > 1);
	return write_ur(x, x->in->urd, (uint32_t)s);
}

/* The warp asks for itself. A request below the present number keeps the present number; a return that leaves more than
 * the present number gives nothing. */
enum flow exec_USETMAXREG(struct exec *x)
{
	struct cta *cta = &x->sm->cta[x->w->slot];
	const uint32_t want = (uint32_t)x->in->imm, have = x->w->regs;
	if (x->in->op ? want > have && want - have <= cta->free_regs : want < have) {
		cta->free_regs += have - want; /* modulo 2^32: less, when the warp takes some */
		x->w->regs = (uint16_t)want;
		observe_change(x->gpu, true);
	}
	x->w->asked = (uint16_t)(x->in->op && x->w->regs < want ? want : 0);
	if (x->in->op)
		write_up(x, x->in->pd[0], x->w->regs >= want);
	return FLOW_NEXT;
}

enum flow exec_UIMAD(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_ur(x, x->in->urd, v.a * v.b + v.c + v.plus + carry_in(x, 0));
}

static uint64_t wide_sum(struct exec *x)
{
	struct sources v = read_sources(x);
	uint32_t high = read_ur_hi(x, x->in->rc);
	uint64_t c = (uint64_t)(x->in->neg & 4 ? ~high : high) << 32 | v.c;
	uint64_t p = product(SGN, v.a, v.b), one = v.plus + carry_in(x, 0), d = p + c + one;
	write_up(x, x->in->pd[0], p + c < p || d < one);
	return d;
}

enum flow exec_UIMAD_WIDE(struct exec *x)
{
	return write_ur_pair(x, wide_sum(x));
}

enum flow exec_UIMAD_HI(struct exec *x)
{
	return write_ur(x, x->in->urd, (uint32_t)(wide_sum(x) >> 32));
}

static bool compare(unsigned op, bool sgn, uint32_t a, uint32_t b)
{
	int64_t l = sgn ? (int64_t)(int32_t)a : (int64_t)a, r = sgn ? (int64_t)(int32_t)b : (int64_t)b;
	unsigned is = l < r ? WL_CMP_LT : l == r ? WL_CMP_EQ : WL_CMP_GT; /* op is a set of these bits */
	return (op & is) != 0;
}

enum flow exec_UISETP(struct exec *x)
{
	const struct wl_inst *in = x->in;
	struct sources v = read_sources(x);
	bool c = compare(in->op, SGN, v.a, v.b), other = read_up(x, in->ps[0]);
	if (in->flags & WL_F_PAIR)
		c = compare_pair(in, with_high(x, 0, v.a, in->ra), pair_b(x, v.b));
	if (in->flags & WL_F_EX && v.a == v.b) /* equal high words: the low words decide */
		c = read_up(x, in->ps[1]);
	write_up(x, in->pd[0], combine(in->bop, c, other) & 1);
	write_up(x, in->pd[1], combine(in->bop, !c, other) & 1);
	return FLOW_NEXT;
}

/* The sign of A applies before the shift. */
enum flow exec_ULEA(struct exec *x)
{
	const struct wl_inst *in = x->in;
	struct sources v = read_sources(x);
	bool exact = !(in->flags & WL_F_X);
	uint32_t a = exact && in->neg & 1 ? v.a + 1 : v.a;
	uint32_t plus = exact && in->neg & 2 ? 1 : 0;
	uint64_t s = (uint64_t)lea_scaled(in, a, v.c) + v.b + plus + carry_in(x, 0);
	write_up(x, in->pd[0], s >> 32 != 0);
	return write_ur(x, in->urd, (uint32_t)s);
}

enum flow exec_ULOP3(struct exec *x)
{
	struct sources v = read_sources(x);
	uint32_t d = 0;
	for (unsigned k = 0; k < 8; k++)
		if (x->in->lut >> k & 1)
			d |= (k & 4 ? v.a : ~v.a) & (k & 2 ? v.b : ~v.b) & (k & 1 ? v.c : ~v.c);
	bool other = read_up(x, x->in->ps[0]);
	write_up(x, x->in->pd[0], x->in->op ? d && other : d || other);
	return write_ur(x, x->in->urd, d);
}

enum flow exec_UPRMT(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_ur(x, x->in->urd, permute_bytes(WL_PRMT_INDEX, v.a, v.b, v.c));
}

enum flow exec_USHF(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_ur(x, x->in->urd, funnel(x->in, v.a, v.b, v.c));
}

/* Pairs of registers; an immediate is sign extended. Negated sources are complemented, as in read_sources. */
enum flow exec_UIADD3_64(struct exec *x)
{
	const struct wl_inst *in = x->in;
	struct sources v = read_sources(x);
	uint32_t high[3] = {read_ur_hi(x, in->ra),
	                    in->src[1] == WL_SRC_IMM ? (uint32_t)((int32_t)in->imm >> 31) : read_ur_hi(x, in->rb),
	                    read_ur_hi(x, in->rc)};
	for (unsigned i = 0; i < 3; i++)
		high[i] = in->neg >> i & 1 ? ~high[i] : high[i];
	uint64_t low = (uint64_t)v.a + v.b + v.c + v.plus + carry_in(x, 0) + carry_in(x, 1);
	uint64_t top = (uint64_t)high[0] + high[1] + high[2] + (low >> 32);
	write_up(x, in->pd[0], top >> 32 != 0);
	write_up(x, in->pd[1], top >> 32 > 1);
	if (in->urd < URZ_SLOT)
		write_ur(x, (uint8_t)(in->urd + 1), (uint32_t)top);
	return write_ur(x, in->urd, (uint32_t)low);
}

enum flow exec_USEL(struct exec *x)
{
	struct sources v = read_sources(x);
	bool first = read_up(x, x->in->ps[0]);
	if (x->in->flags & WL_F_PAIR)
		return write_ur_pair(x, first ? with_high(x, 0, v.a, x->in->ra) : pair_b(x, v.b));
	return write_ur(x, x->in->urd, first ? v.a : v.b);
}

enum flow exec_UIMNMX(struct exec *x)
{
	struct sources v = read_sources(x);
	const bool pair = x->in->flags & WL_F_PAIR;
	uint64_t a = pair ? with_high(x, 0, v.a, x->in->ra) : SGN ? (uint64_t)(int64_t)(int32_t)v.a : v.a;
	uint64_t b = pair ? pair_b(x, v.b) : SGN ? (uint64_t)(int64_t)(int32_t)v.b : v.b;
	bool a_less = SGN ? (int64_t)a < (int64_t)b : a < b;
	uint64_t d = a_less == read_up(x, x->in->ps[0]) ? a : b;
	return pair ? write_ur_pair(x, d) : write_ur(x, x->in->urd, (uint32_t)d);
}

/* Tables of three bits; the first is the high bit of the index. */
static enum flow write_tables(struct exec *x, bool p0, bool p1, bool p2)
{
	const unsigned at = p0 * 4u + p1 * 2u + p2;
	write_up(x, x->in->pd[0], x->in->lut >> at & 1);
	write_up(x, x->in->pd[1], x->in->lut2 >> at & 1);
	return FLOW_NEXT;
}

enum flow exec_UPLOP3(struct exec *x)
{
	const uint8_t *ps = x->in->ps;
	return write_tables(x, read_up(x, ps[0]), read_up(x, ps[1]), read_up(x, ps[2]));
}

enum flow exec_UPLOP3_SIGN(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_tables(x, v.a >> 31, v.b >> 31, v.c >> 31);
}

enum flow exec_USGXT(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_ur(x, x->in->urd, extend(x->in, v.a, v.b));
}

enum flow exec_UBMSK(struct exec *x)
{
	struct sources v = read_sources(x);
	return write_ur(x, x->in->urd, bit_mask(x->in, v.a, v.b));
}

enum flow exec_UP2UR(struct exec *x)
{
	struct sources v = read_sources(x);
	uint32_t all = 1u << WL_PT, mask = v.b << x->in->shift;
	for (unsigned p = 0; p < WL_PT; p++)
		all |= (uint32_t)read_up(x, (uint8_t)p) << p;
	return write_ur(x, x->in->urd, (v.a & ~mask) | (all << x->in->shift & mask));
}

enum flow exec_UR2UP(struct exec *x)
{
	struct sources v = read_sources(x);
	for (unsigned p = 0; p < WL_PT; p++)
		if (v.b >> p & 1)
			write_up(x, (uint8_t)p, v.a >> (x->in->shift + p) & 1);
	return FLOW_NEXT;
}
