// SPDX-License-Identifier: Apache-2.0
/* warp_collective.c -- votes, shuffles, matches, reductions and elections among the executing lanes.
 * Source: docs/spec/warp.md, "Vote"; docs/spec/warp.md, "Match"; docs/spec/warp.md, "Shuffle"; docs/spec/warp.md,
 * "Reduction". */
#include "warplock/warp_collective.h"

#include <assert.h>
#include <stddef.h>

#include "lane_row.h"
#include "warplock/units.h"

#define INLINE static inline __attribute__((always_inline))

/* The lane read by lane i, if in range. */
INLINE uint32_t shuffle_source(enum wl_shfl op, uint32_t i, uint32_t b, uint32_t segment)
{
	b &= 31;
	switch (op) {
	case WL_SHFL_UP:
		return i - b;
	case WL_SHFL_DOWN:
		return i + b;
	case WL_SHFL_BFLY:
		return i ^ b;
	default:
		return (i & segment) | (b & ~segment);
	}
}

/* All sources as vectors. */
INLINE uint32_t shuffle_sources(enum wl_shfl op, const uint32_t *b, const uint32_t *c, uint32_t *from)
{
	_Alignas(16) uint32_t ranged[WL_WARP_LANES];
	for (uint32_t i = 0; i < WL_WARP_LANES; i++) {
		const uint32_t segment = c[i] >> 8 & 31, limit = (i & segment) | (c[i] & 31 & ~segment);
		const uint32_t j = shuffle_source(op, i, b[i], segment);
		const bool in_range = op == WL_SHFL_UP ? (int32_t)j >= (int32_t)limit : (int32_t)j <= (int32_t)limit;
		ranged[i] = in_range ? UINT32_MAX : 0;
		from[i] = in_range ? j & 31 : i;
	}
	return row_mask(ranged);
}

uint32_t wl_shfl_sources(enum wl_shfl op, const uint32_t b[WL_WARP_LANES], const uint32_t c[WL_WARP_LANES],
                         uint32_t from[WL_WARP_LANES])
{
	return shuffle_sources(op, b, c, from);
}

/* A single direction, a constant: first all sources, then the values. */
INLINE uint32_t shuffle(enum wl_shfl op, uint32_t members, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                        uint32_t *d)
{
	_Alignas(16) uint32_t from[WL_WARP_LANES];
	const uint32_t ranged = shuffle_sources(op, b, c, from);
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		d[i] = a[from[i]];
	for (unsigned i = 0; i < WL_WARP_LANES && members != UINT32_MAX; i++)
		d[i] = members >> from[i] & 1 ? d[i] : 0;
	return ranged;
}

LANE_LOOP uint32_t wl_shfl(enum wl_shfl op, uint32_t members, const uint32_t a[WL_WARP_LANES],
                           const uint32_t b[WL_WARP_LANES], const uint32_t c[WL_WARP_LANES], uint32_t d[WL_WARP_LANES])
{
	switch (op) {
	case WL_SHFL_UP:
		return shuffle(WL_SHFL_UP, members, a, b, c, d);
	case WL_SHFL_DOWN:
		return shuffle(WL_SHFL_DOWN, members, a, b, c, d);
	case WL_SHFL_BFLY:
		return shuffle(WL_SHFL_BFLY, members, a, b, c, d);
	default:
		return shuffle(WL_SHFL_IDX, members, a, b, c, d);
	}
}

bool wl_match(bool all, uint32_t members, const uint32_t lo[WL_WARP_LANES], const uint32_t *hi,
              uint32_t d[WL_WARP_LANES])
{
	bool equal = false;
	for (uint32_t left = members; left;) { /* a round for each value */
		const unsigned first = wl_lowest(left);
		uint32_t same = 0;
		for (uint32_t m = left; m; m &= m - 1) {
			const unsigned i = wl_lowest(m);
			same |= (uint32_t)(lo[i] == lo[first] && (!hi || hi[i] == hi[first])) << i;
		}
		equal = same == members;
		for (uint32_t m = same; m; m &= m - 1)
			d[wl_lowest(m)] = !all || equal ? same : 0;
		left &= ~same;
	}
	return equal;
}

static uint32_t redux2(enum wl_redux op, bool sgn, uint32_t a, uint32_t b)
{
	const bool less = sgn ? (int32_t)b < (int32_t)a : b < a;
	switch (op) {
	case WL_REDUX_AND:
		return a & b;
	case WL_REDUX_OR:
		return a | b;
	case WL_REDUX_XOR:
		return a ^ b;
	case WL_REDUX_SUM:
		return a + b;
	case WL_REDUX_MIN:
		return less ? b : a;
	case WL_REDUX_MAX:
		break;
	}
	return less ? a : b;
}

uint32_t wl_redux(enum wl_redux op, bool sgn, uint32_t members, const uint32_t a[WL_WARP_LANES])
{
	uint32_t v = a[wl_lowest(members)];
	for (uint32_t m = members & (members - 1); m; m &= m - 1)
		v = redux2(op, sgn, v, a[wl_lowest(m)]);
	return v;
}

/* Sign and magnitude as a number of two's complement: -0 comes before +0. */
static int32_t place_of(uint32_t bits)
{
	return (int32_t)(bits >> 31 ? bits ^ 0x7fffffff : bits);
}

uint32_t wl_fredux(unsigned op, bool nan, uint32_t members, const uint32_t a[WL_WARP_LANES])
{
	const uint32_t infinity = 0x7f800000, canonical_nan = 0x7fffffff;
	const bool absolute = op & 1, least = op & 2;
	uint32_t best = canonical_nan;
	bool any = false;
	for (uint32_t m = members; m; m &= m - 1) {
		const uint32_t v = a[wl_lowest(m)] & (absolute ? 0x7fffffff : UINT32_MAX);
		if ((v & 0x7fffffff) > infinity) {
			if (nan)
				return canonical_nan;
			continue;
		}
		if (!any || (least ? place_of(v) < place_of(best) : place_of(v) > place_of(best)))
			best = v;
		any = true;
	}
	return best;
}

/* ---- behind the interface ---- */

/* The operand rows of a request. */
struct rows {
	uint32_t a[WL_WARP_LANES], hi[WL_WARP_LANES], b[WL_WARP_LANES], c[WL_WARP_LANES];
};

static void read_rows(const struct wl_req *req, struct rows *r)
{
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		const uint64_t a = wl_req_source(req, 0, i);
		r->a[i] = (uint32_t)a;
		r->hi[i] = (uint32_t)(a >> 32);
		r->b[i] = (uint32_t)wl_req_source(req, 1, i);
		r->c[i] = (uint32_t)wl_req_source(req, 2, i);
	}
}

static void answer(const struct wl_req *req, struct wl_record *rec, bool has_register, const uint32_t d[WL_WARP_LANES],
                   uint32_t preds)
{
	rec->written = has_register ? req->mask : 0;
	for (uint32_t m = rec->written; m; m &= m - 1)
		rec->result[wl_lowest(m)].w[0] = d[wl_lowest(m)];
	rec->pred_written = req->inst.pd[0] == WL_PT ? 0 : req->mask;
	rec->preds = preds & rec->pred_written;
}

static void answer_one(const struct wl_req *req, struct wl_record *rec, bool has_register, uint32_t value,
                       uint32_t preds)
{
	uint32_t d[WL_WARP_LANES];
	for (unsigned i = 0; i < WL_WARP_LANES; i++)
		d[i] = value;
	answer(req, rec, has_register, d, preds);
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	const bool rd = in->rd != WL_RZ, urd = in->urd != WL_RZ;
	const uint32_t yes = req->mask & req->pred;
	uint32_t d[WL_WARP_LANES], preds;
	struct rows r;
	(void)u, (void)p;
	assert(ev->lanes == req->mask && "the lanes of a collective come together");
	read_rows(req, &r);
	rec->committed |= ev->lanes;
	switch (in->uop) {
	case WL_UOP_VOTE:
	case WL_UOP_VOTEU:
		preds = wl_vote((enum wl_vote)in->op, yes, req->mask) ? req->mask : 0;
		answer_one(req, rec, in->uop == WL_UOP_VOTE ? rd : urd, yes, preds);
		break;
	case WL_UOP_SHFL:
		preds = wl_shfl((enum wl_shfl)in->op, req->mask, r.a, r.b, r.c, d);
		answer(req, rec, rd, d, preds);
		break;
	case WL_UOP_MATCH:
		preds = wl_match(!in->op, req->mask, r.a, in->size == 8 ? r.hi : NULL, d) ? req->mask : 0;
		answer(req, rec, rd, d, preds);
		break;
	case WL_UOP_REDUX:
		answer_one(req, rec, urd, wl_redux((enum wl_redux)in->op, in->flags & WL_F_SIGNED, req->mask, r.a), 0);
		break;
	case WL_UOP_FREDUX:
		answer_one(req, rec, urd, wl_fredux(in->op, in->flags & WL_F_NAN, req->mask, r.a), 0);
		break;
	case WL_UOP_ELECT:
		preds = wl_elect(yes);
		answer_one(req, rec, urd && yes, yes ? wl_lowest(yes) : 0, preds);
		break;
	default:
		assert(!"a micro-operation of warp_collective");
	}
	return 0;
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	(void)u;
	wl_plan_all(req, p, rec);
}

const struct wl_unit_ops wl_warp_collective_ops = {
        .plan_bytes = sizeof(struct wl_plan), .plan = plan, .apply = apply, .finish = wl_finish_plain};
