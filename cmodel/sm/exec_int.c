// SPDX-License-Identifier: Apache-2.0
/* exec_int.c -- integer, logic and predicate micro-operations, a function each. */
#include "exec.h"
#include "scalar.h"

#define SGN (x->in->flags & WL_F_SIGNED)

enum flow exec_NOP(struct exec *x)
{
	(void)x;
	return FLOW_NEXT;
}

LANE_LOOP enum flow exec_MOV(struct exec *x)
{
	if (x->in->flags & WL_F_PAIR)
		return mov_pair(x);
	return write_rd(x, x->b);
}

/* Sum with two carries: pd0 = the sum reached 2^32, pd1 = the sum reached 2 * 2^32. */
LANE_LOOP static enum flow add3_carry(struct exec *x, uint32_t in0, uint32_t in1)
{
	RESULT(d);
	ROW(c0);
	ROW(c1);
	uint32_t plus = x->op->plus;
	FOR_OWN_LANES (i) {
		uint32_t s = x->a[i] + x->b[i], t = s + x->c[i], more = plus + (in0 >> i & 1) + (in1 >> i & 1);
		uint32_t carries = (uint32_t)(s < x->a[i]) + (uint32_t)(t < s) + (uint32_t)(t + more < t);
		d[i] = t + more;
		c0[i] = carries ? ALL_LANES : 0;
		c1[i] = carries > 1 ? ALL_LANES : 0;
	}
	write_pred(x, x->in->pd[0], row_mask(c0));
	write_pred(x, x->in->pd[1], row_mask(c1));
	return write_result(x, d);
}

LANE_LOOP enum flow exec_IADD3(struct exec *x)
{
	if (x->in->flags & WL_F_X)
		return add3_carry(x, read_pred(x, x->in->ps[0]), read_pred(x, x->in->ps[1]));
	if (x->in->pd[0] != WL_PT || x->in->pd[1] != WL_PT)
		return add3_carry(x, 0, 0);
	RESULT(d);
	uint32_t plus = x->op->plus;
	FOR_OWN_LANES (i)
		d[i] = x->a[i] + x->b[i] + x->c[i] + plus;
	return write_result(x, d);
}

LANE_LOOP enum flow exec_IMAD(struct exec *x)
{
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = x->a[i] * x->b[i] + x->c[i];
	if (x->in->flags & WL_F_X) {
		uint32_t carry = read_pred(x, x->in->ps[0]);
		FOR_OWN_LANES (i)
			d[i] += carry >> i & 1;
	}
	return write_result(x, d);
}

/* A * B + C.64 (.X: + ps0) of each lane; carries go to pd0. */
LANE_LOOP static void wide_sums(struct exec *x, uint32_t *restrict lo, uint32_t *restrict hi)
{
	const uint32_t in = x->in->flags & WL_F_X ? read_pred(x, x->in->ps[0]) : 0, plus = x->op->plus;
	const uint32_t *a = x->a, *b = x->b, *c = x->c, *c_hi = c + WL_WARP_LANES;
	const uint32_t sgn = SGN ? ALL_LANES : 0;
	ROW(out);
	FOR_LANES (i) {
		/* signed: a negative factor counts 2^32 times the other factor too much */
		uint32_t over = ((0 - (a[i] >> 31)) & b[i] & sgn) + ((0 - (b[i] >> 31)) & a[i] & sgn);
		uint64_t p = (uint64_t)a[i] * b[i] - ((uint64_t)over << 32);
		uint64_t s = p + ((uint64_t)c_hi[i] << 32 | c[i]), one = plus + (in >> i & 1), d = s + one;
		lo[i] = (uint32_t)d;
		hi[i] = (uint32_t)(d >> 32);
		out[i] = 0 - (uint32_t)((s < p) | (d < one));
	}
	if (x->in->pd[0] != WL_PT)
		write_pred(x, x->in->pd[0], row_mask(out));
}

enum flow exec_IMAD_WIDE(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	wide_sums(x, lo, hi);
	return write_rd64(x, lo, hi);
}

enum flow exec_IMAD_HI(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	wide_sums(x, lo, hi);
	return write_rd(x, hi);
}

LANE_LOOP enum flow exec_LEA(struct exec *x)
{
	uint32_t carry_in = x->in->flags & WL_F_X ? read_pred(x, x->in->ps[0]) : 0, carry = 0;
	const struct wl_inst in = *x->in; /* locals do not change with the result */
	RESULT(d);
	FOR_OWN_LANES (i) {
		uint32_t scaled = lea_scaled(&in, x->a[i], x->c[i]);
		uint64_t s = (uint64_t)scaled + x->b[i] + (carry_in >> i & 1);
		d[i] = (uint32_t)s;
		carry |= (uint32_t)(s >> 32) << i;
	}
	write_pred(x, x->in->pd[0], carry);
	return write_result(x, d);
}

/* Any table: a choice by A between two choices by B between two choices by C. A choice by x between p (x = 0) and q is
 * p ^ (x & (p ^ q)). */
LANE_LOOP static void lop3_table(uint8_t lut, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *d)
{
	uint32_t p[4], pq[4];
	for (unsigned k = 0; k < 4; k++) { /* bit 4a + 2b + c of the table */
		p[k] = 0 - (uint32_t)(lut >> 2 * k & 1);
		pq[k] = p[k] ^ (0 - (uint32_t)(lut >> (2 * k + 1) & 1));
	}
	FOR_OWN_LANES (i) {
		uint32_t v00 = p[0] ^ (c[i] & pq[0]), v01 = p[1] ^ (c[i] & pq[1]);
		uint32_t v10 = p[2] ^ (c[i] & pq[2]), v11 = p[3] ^ (c[i] & pq[3]);
		uint32_t v0 = v00 ^ (b[i] & (v00 ^ v01)), v1 = v10 ^ (b[i] & (v10 ^ v11));
		d[i] = v0 ^ (a[i] & (v0 ^ v1));
	}
}

LANE_LOOP enum flow exec_LOP3(struct exec *x)
{
	RESULT(d);
	switch (x->in->lut) {
	case 0xc0:
		FOR_OWN_LANES (i)
			d[i] = x->a[i] & x->b[i];
		break;
	case 0xfc:
		FOR_OWN_LANES (i)
			d[i] = x->a[i] | x->b[i];
		break;
	case 0x3c:
		FOR_OWN_LANES (i)
			d[i] = x->a[i] ^ x->b[i];
		break;
	default:
		lop3_table(x->in->lut, x->a, x->b, x->c, d);
	}
	if (x->in->pd[0] != WL_PT) {
		ROW(nonzero);
		FOR_OWN_LANES (i)
			nonzero[i] = d[i] ? ALL_LANES : 0;
		uint32_t some = row_mask(nonzero), other = read_pred(x, x->in->ps[0]);
		write_pred(x, x->in->pd[0], x->in->op ? some & other : some | other);
	}
	return write_result(x, d);
}

LANE_LOOP enum flow exec_SHF(struct exec *x)
{
	const struct wl_inst in = *x->in;
	RESULT(d);
	uint32_t f = x->in->flags & (WL_F_LEFT | WL_F_HI | WL_F_WRAP), s = x->b[0];
	bool one_amount = x->op->row[1] & SHARED_ROW && s < 32;
	if (one_amount && f == WL_F_LEFT) {
		FOR_OWN_LANES (i)
			d[i] = x->a[i] << s;
	} else if (one_amount && f == WL_F_HI && x->in->type == WL_SHF_U32) {
		FOR_OWN_LANES (i)
			d[i] = x->c[i] >> s;
	} else if (one_amount && f == WL_F_HI && x->in->type == WL_SHF_S32) {
		FOR_OWN_LANES (i)
			d[i] = (uint32_t)((int32_t)x->c[i] >> s);
	} else {
		FOR_OWN_LANES (i)
			d[i] = funnel(&in, x->a[i], x->b[i], x->c[i]);
	}
	return write_result(x, d);
}

LANE_LOOP enum flow exec_SEL(struct exec *x)
{
	if (x->in->flags & WL_F_PAIR)
		return sel_pair(x);
	RESULT(d);
	ROW(p);
	mask_row(read_pred(x, x->in->ps[0]), p);
	FOR_OWN_LANES (i)
		d[i] = (x->a[i] & p[i]) | (x->b[i] & ~p[i]);
	return write_result(x, d);
}

#define COMPARE(type, rel)                                                                                             \
	FOR_LANES (i)                                                                                                  \
		t[i] = (type)a[i] rel(type) b[i] ? ALL_LANES : 0;                                                      \
	break

/* Lanes with a op b. */
INLINE uint32_t compare(unsigned op, bool sgn, const uint32_t *a, const uint32_t *b)
{
	ROW(t);
	switch (op | (sgn ? 8u : 0)) {
	case WL_CMP_LT:
		COMPARE(uint32_t, <);
	case WL_CMP_LE:
		COMPARE(uint32_t, <=);
	case WL_CMP_GT:
		COMPARE(uint32_t, >);
	case WL_CMP_GE:
		COMPARE(uint32_t, >=);
	case WL_CMP_LT | 8:
		COMPARE(int32_t, <);
	case WL_CMP_LE | 8:
		COMPARE(int32_t, <=);
	case WL_CMP_GT | 8:
		COMPARE(int32_t, >);
	case WL_CMP_GE | 8:
		COMPARE(int32_t, >=);
	case WL_CMP_EQ:
	case WL_CMP_EQ | 8:
		COMPARE(uint32_t, ==);
	case WL_CMP_NE:
	case WL_CMP_NE | 8:
		COMPARE(uint32_t, !=);
	case WL_CMP_T:
	case WL_CMP_T | 8:
		return ALL_LANES;
	default:
		return 0;
	}
	return row_mask(t);
}

LANE_LOOP enum flow exec_ISETP(struct exec *x)
{
	if (x->in->flags & WL_F_PAIR)
		return isetp_pair(x);
	const struct wl_inst *in = x->in;
	uint32_t c = compare(in->op, SGN, x->a, x->b);
	if (in->flags & WL_F_EX) { /* equal high words: the low words decide */
		uint32_t equal = compare(WL_CMP_EQ, false, x->a, x->b);
		c = (c & ~equal) | (read_pred(x, in->ps[1]) & equal);
	}
	return write_compare(x, c);
}

LANE_LOOP enum flow exec_IMNMX(struct exec *x)
{
	if (x->in->flags & WL_F_PAIR)
		return imnmx_pair(x);
	RESULT(d);
	ROW(a_wins);
	uint32_t a_less = compare(WL_CMP_LT, SGN, x->a, x->b);
	mask_row(a_less ^ ~read_pred(x, x->in->ps[0]), a_wins);
	FOR_OWN_LANES (i)
		d[i] = (x->a[i] & a_wins[i]) | (x->b[i] & ~a_wins[i]);
	return write_result(x, d);
}

LANE_LOOP enum flow exec_VISET(struct exec *x)
{
	ROW(d);
	mask_row(compare(x->in->op, SGN, x->a, x->b), d);
	return write_rd(x, d);
}

enum flow exec_VABSDIFF(struct exec *x)
{
	const bool sgn = SGN;
	RESULT(d);
	FOR_OWN_LANES (i) {
		bool less = sgn ? (int32_t)x->a[i] < (int32_t)x->b[i] : x->a[i] < x->b[i];
		d[i] = (less ? x->b[i] - x->a[i] : x->a[i] - x->b[i]) + x->c[i];
	}
	return write_result(x, d);
}

enum flow exec_SGXT(struct exec *x)
{
	const struct wl_inst in = *x->in;
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = extend(&in, x->a[i], x->b[i]);
	return write_result(x, d);
}

enum flow exec_BMSK(struct exec *x)
{
	const struct wl_inst in = *x->in;
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = bit_mask(&in, x->a[i], x->b[i]);
	return write_result(x, d);
}

enum flow exec_IABS(struct exec *x)
{
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = x->b[i] >> 31 ? 0 - x->b[i] : x->b[i];
	return write_result(x, d);
}

static uint32_t ones(uint32_t v)
{
	return (uint32_t)__builtin_popcount(v);
}

enum flow exec_POPC(struct exec *x)
{
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = ones(x->b[i]);
	return write_result(x, d);
}

enum flow exec_FLO(struct exec *x)
{
	const struct wl_inst in = *x->in;
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = find_leading(&in, x->b[i]);
	return write_result(x, d);
}

enum flow exec_BREV(struct exec *x)
{
	RESULT(d);
	FOR_OWN_LANES (i)
		d[i] = reverse_bits(x->b[i]);
	return write_result(x, d);
}

/* The same selector for all lanes: a loop for each byte of the result. */
LANE_LOOP static void permute_alike(uint32_t select, const uint32_t *a, const uint32_t *c, uint32_t *restrict d)
{
	FOR_LANES (i)
		d[i] = 0;
	for (unsigned k = 0; k < 4; k++) {
		const uint32_t *from = select >> 4 * k & 4 ? c : a;
		const unsigned shift = 8 * (select >> 4 * k & 3);
		const uint32_t sign = 0 - (select >> (4 * k + 3) & 1);
		FOR_LANES (i) {
			const uint32_t byte = from[i] >> shift;
			d[i] |= (((0 - (byte >> 7 & 1)) & sign) | (byte & ~sign)) << 24 >> (24 - 8 * k);
		}
	}
}

enum flow exec_PRMT(struct exec *x)
{
	ROW(d);
	if (!x->in->op && x->op->row[1] & SHARED_ROW && !(x->op->slow & 2)) {
		permute_alike(x->b[0], x->a, x->c, d);
		return write_rd(x, d);
	}
	FOR_LANES (i)
		d[i] = permute_bytes(x->in->op, x->a[i], x->b[i], x->c[i]);
	return write_rd(x, d);
}

/* Table over three predicates of every lane at once: bit 4p0 + 2p1 + p2 of lut. */
static uint32_t pred_table(uint8_t lut, uint32_t p0, uint32_t p1, uint32_t p2)
{
	uint32_t d = 0;
	for (unsigned k = 0; k < 8; k++)
		if (lut >> k & 1)
			d |= (k & 4 ? p0 : ~p0) & (k & 2 ? p1 : ~p1) & (k & 1 ? p2 : ~p2);
	return d;
}

static enum flow write_tables(struct exec *x, uint32_t p0, uint32_t p1, uint32_t p2)
{
	write_pred(x, x->in->pd[0], pred_table(x->in->lut, p0, p1, p2));
	write_pred(x, x->in->pd[1], pred_table(x->in->lut2, p0, p1, p2));
	return FLOW_NEXT;
}

enum flow exec_PLOP3(struct exec *x)
{
	const struct wl_inst *in = x->in;
	uint8_t last = in->ps[2];
	uint32_t p2 = read_pred(x, last);
	if (in->flags & WL_F_U)
		p2 = ((last & 7) == WL_PT ? ALL_LANES : x->uni[UPRED + (last & 7)]) ^ (last & 8 ? ALL_LANES : 0);
	return write_tables(x, read_pred(x, in->ps[0]), read_pred(x, in->ps[1]), p2);
}

static uint32_t signs(const uint32_t *v)
{
	uint32_t s = 0;
	FOR_LANES (i)
		s |= v[i] >> 31 << i;
	return s;
}

enum flow exec_PLOP3_SIGN(struct exec *x)
{
	return write_tables(x, signs(x->a), signs(x->b), signs(x->c));
}

enum flow exec_R2P(struct exec *x)
{
	uint32_t value[WL_PT] = {0}, chosen[WL_PT] = {0};
	FOR_LANES (i) {
		for (unsigned p = 0; p < WL_PT; p++) {
			value[p] |= (x->a[i] >> x->in->shift >> p & 1) << i;
			chosen[p] |= (x->b[i] >> p & 1) << i;
		}
	}
	for (unsigned p = 0; p < WL_PT; p++)
		write_pred(x, (uint8_t)p, (value[p] & chosen[p]) | (x->w->preds[p] & ~chosen[p]));
	return FLOW_NEXT;
}

enum flow exec_P2R(struct exec *x)
{
	ROW(d);
	FOR_LANES (i) {
		uint32_t all = 1u << WL_PT, mask = x->b[i] << x->in->shift;
		for (unsigned p = 0; p < WL_PT; p++)
			all |= (x->w->preds[p] >> i & 1) << p;
		d[i] = (x->a[i] & ~mask) | (all << x->in->shift & mask);
	}
	return write_rd(x, d);
}
