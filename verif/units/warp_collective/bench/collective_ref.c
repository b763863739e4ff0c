// SPDX-License-Identifier: Apache-2.0
#include "collective_ref.h"

#include <math.h>
#include <string.h>

static bool active(const struct ref_req *r, int lane)
{
	return r->mask >> lane & 1;
}

static bool says_yes(const struct ref_req *r, int lane)
{
	return r->pred >> lane & 1;
}

static uint64_t value(const struct ref_req *r, int lane)
{
	uint64_t v = r->ra_used ? r->ra[lane] : 0;
	return r->wide ? v : v & UINT32_MAX;
}

/* ---- vote ---- */

static void vote(const struct ref_req *r, struct ref_rsp *out, bool *verdict)
{
	int yes = 0, no = 0;
	uint32_t ballot = 0;
	for (int l = 0; l < REF_LANES; l++) {
		if (active(r, l)) {
			yes += says_yes(r, l);
			no += !says_yes(r, l);
			ballot |= (uint32_t)says_yes(r, l) << l;
		}
	}
	*verdict = r->op == REF_ALL ? no == 0 : r->op == REF_ANY ? yes > 0 : yes == 0 || no == 0;
	for (int l = 0; l < REF_LANES; l++) {
		out->word[l] = ballot;
	}
}

/* ---- shfl ---- */

int ref_choice(enum ref_shfl op, int lane, uint32_t b, uint32_t c, bool *in_range)
{
	const int bval = (int)(b & 31), cval = (int)(c & 31), seg = (int)(c >> 8 & 31), not_seg = 31 - seg;
	const int least = lane & seg, most = least | (cval & not_seg);
	int j = 0;
	switch (op) {
	case REF_UP:
		j = lane - bval;
		*in_range = j >= most;
		return j;
	case REF_DOWN:
		j = lane + bval;
		break;
	case REF_BFLY:
		j = lane ^ bval;
		break;
	case REF_IDX:
		j = least | (bval & not_seg);
		break;
	}
	*in_range = j <= most;
	return j;
}

static void shuffle(const struct ref_req *r, struct ref_rsp *out)
{
	for (int l = 0; l < REF_LANES; l++) {
		const uint32_t b = r->rb_used ? r->rb[l] : r->imm_b, c = r->rc_used ? r->rc[l] : r->imm_c;
		bool in_range;
		int j = ref_choice((enum ref_shfl)r->op, l, b, c, &in_range);
		if (!in_range) {
			j = l;
		}
		out->word[l] = active(r, j) ? (uint32_t)value(r, j) : 0;
		out->preds |= (uint32_t)in_range << l;
	}
}

/* ---- match ---- */

static void match(const struct ref_req *r, struct ref_rsp *out)
{
	bool all_equal = true;
	for (int l = 0; l < REF_LANES; l++) {
		out->word[l] = 0;
		for (int k = 0; k < REF_LANES; k++) {
			if (active(r, k) && value(r, k) == value(r, l)) {
				out->word[l] |= UINT32_C(1) << k;
			}
			if (active(r, k) && active(r, l) && value(r, k) != value(r, l)) {
				all_equal = false;
			}
		}
	}
	for (int l = 0; l < REF_LANES && r->op == REF_MATCH_ALL; l++) {
		out->word[l] = all_equal ? r->mask : 0;
	}
	out->preds = all_equal ? UINT32_MAX : 0;
}

/* ---- redux ---- */

static int64_t number(const struct ref_req *r, int lane)
{
	const int64_t v = (int64_t)value(r, lane);
	return r->sgn && v >= INT64_C(0x80000000) ? v - INT64_C(0x100000000) : v;
}

static uint32_t reduce(const struct ref_req *r)
{
	int64_t sum = 0, least = INT64_MAX, most = INT64_MIN;
	uint32_t and = UINT32_MAX, or = 0, odd = 0;
	for (int l = 0; l < REF_LANES; l++) {
		if (!active(r, l)) {
			continue;
		}
		sum += (int64_t)value(r, l);
		least = number(r, l) < least ? number(r, l) : least;
		most = number(r, l) > most ? number(r, l) : most;
		and &= (uint32_t)value(r, l);
		or |= (uint32_t)value(r, l);
		odd ^= (uint32_t)value(r, l);
	}
	switch ((enum ref_redux)r->op) {
	case REF_AND:
		return and;
	case REF_OR:
		return or ;
	case REF_XOR:
		return odd;
	case REF_SUM:
		return (uint32_t)sum;
	case REF_MIN:
		return (uint32_t)least;
	case REF_MAX:
		break;
	}
	return (uint32_t)most;
}

/* ---- redux of floats ---- */

/* Whether x is above y, where +0 is above -0. */
static bool above(float x, float y)
{
	return x > y || (x == y && !signbit(x) && signbit(y));
}

/* NaNs are ignored; if all are NaN, the result is the canonical NaN; with .NaN one NaN is enough.
 * Source: docs/spec/warp.md, "Reduction". */
static uint32_t reduce_floats(const struct ref_req *r)
{
	const bool absolute = r->op == REF_FMAXABS || r->op == REF_FMINABS;
	const bool least = r->op == REF_FMIN || r->op == REF_FMINABS;
	unsigned numbers = 0, nans = 0;
	float best = 0;
	uint32_t bits;
	for (int l = 0; l < REF_LANES; l++) {
		const uint32_t word = (uint32_t)value(r, l);
		float x;
		memcpy(&x, &word, sizeof x);
		x = absolute ? fabsf(x) : x;
		if (!active(r, l)) {
			continue;
		}
		if (isnan(x)) {
			nans++;
		} else if (numbers++ == 0 || (least ? above(best, x) : above(x, best))) {
			best = x;
		}
	}
	memcpy(&bits, &best, sizeof bits);
	return numbers == 0 || (nans && r->nan) ? UINT32_C(0x7fffffff) : bits;
}

/* ---- all kinds ---- */

static bool elect(const struct ref_req *r, struct ref_rsp *out)
{
	int leader = 0;
	while (leader < REF_LANES && !(active(r, leader) && says_yes(r, leader))) {
		leader++;
	}
	for (int l = 0; l < REF_LANES; l++) {
		out->word[l] = (uint32_t)leader;
	}
	out->preds = leader < REF_LANES ? UINT32_C(1) << leader : 0;
	return leader < REF_LANES;
}

void ref_run(const struct ref_req *r, struct ref_rsp *out)
{
	bool verdict = false, writes = r->to_rd || r->to_urd;
	memset(out, 0, sizeof *out);
	out->tag = r->tag;
	switch (r->kind) {
	case REF_VOTE:
	case REF_VOTEU:
		vote(r, out, &verdict);
		out->preds = verdict ? UINT32_MAX : 0;
		break;
	case REF_SHFL:
		shuffle(r, out);
		break;
	case REF_MATCH:
		match(r, out);
		break;
	case REF_REDUX:
		for (int l = 0; l < REF_LANES; l++) {
			out->word[l] = reduce(r);
		}
		break;
	case REF_FREDUX:
		for (int l = 0; l < REF_LANES; l++) {
			out->word[l] = reduce_floats(r);
		}
		break;
	case REF_ELECT:
		writes &= elect(r, out);
		break;
	case REF_KINDS:
		break;
	}
	out->written = writes ? r->mask : 0;
	out->preds &= r->to_pd ? r->mask : 0;
	for (int l = 0; l < REF_LANES; l++) {
		out->word[l] = out->written >> l & 1 ? out->word[l] : 0;
	}
}
