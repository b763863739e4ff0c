// SPDX-License-Identifier: Apache-2.0
/* cunits_collective_cases_test.c -- every case of a few lanes (collective_cases.h), behind the interface of
 * warp_collective, against the reference of the RTL's bench. */
#include <inttypes.h>
#include <stdio.h>

#include "collective_cases.h"
#include "warplock/units.h"

static struct wl_req request_of(const struct ref_req *r)
{
	static const enum wl_uop uops[REF_KINDS] = {WL_UOP_VOTE,  WL_UOP_VOTEU, WL_UOP_SHFL,  WL_UOP_MATCH,
	                                            WL_UOP_REDUX, WL_UOP_ELECT, WL_UOP_FREDUX};
	struct wl_req req = {.mask = r->mask, .pred = r->pred};
	struct wl_inst *in = &req.inst;
	in->uop = (uint16_t)uops[r->kind];
	in->op = (uint8_t)r->op;
	in->rd = r->to_rd ? 8 : WL_RZ;
	in->urd = r->to_urd ? 5 : 255;
	in->pd[0] = r->to_pd ? 1 : WL_PT;
	in->pd[1] = WL_PT;
	in->size = r->wide ? 8 : 4;
	in->flags = (r->sgn ? WL_F_SIGNED : 0) | (r->nan ? WL_F_NAN : 0);
	in->src[0] = WL_SRC_REG;
	in->src[1] = r->rb_used ? WL_SRC_REG : WL_SRC_IMM;
	in->src[2] = r->rc_used ? WL_SRC_REG : WL_SRC_IMM;
	in->imm = r->imm_b;
	in->imm2 = r->imm_c;
	for (unsigned l = 0; l < REF_LANES; l++) {
		req.ra[l] = r->ra[l];
		req.rb[l].w[0] = r->rb[l];
		req.rc[l].w[0] = r->rc[l];
	}
	return req;
}

static bool right(const struct ref_req *r)
{
	static struct wl_units u;
	const struct wl_unit_ops *ops = wl_unit_ops(WL_UNIT_warp_collective);
	const struct wl_req req = request_of(r);
	const struct wl_event commit = {.kind = WL_EV_COMMIT, .lanes = req.mask};
	struct wl_plan plan;
	struct wl_record rec;
	struct ref_rsp want;
	ref_run(r, &want);
	ops->plan(&u, &req, &plan, &rec);
	bool good = plan.ok == req.mask && plan.passes == 1 && ops->apply(&u, &req, &plan, &commit, &rec) == 0;
	ops->finish(&u, &req, &plan, &rec);
	good = good && rec.committed == req.mask && rec.written == want.written && rec.preds == want.preds &&
	       rec.pred_written == (r->to_pd ? r->mask : 0);
	for (unsigned l = 0; l < REF_LANES; l++) {
		good = good && rec.result[l].w[0] == want.word[l];
	}
	if (!good) {
		printf("kind %u, operation %u, mask %" PRIx32 ", votes %" PRIx32 ": written %" PRIx32
		       ", predicates %" PRIx32 ", expected %" PRIx32 ", %" PRIx32 "\n",
		       r->kind, r->op, r->mask, r->pred, rec.written, rec.preds, want.written, want.preds);
	}
	return good;
}

int main(void)
{
	unsigned passed = 0, failed = 0;
	for (unsigned base = 0; base < REF_LANES && !failed; base += CASE_LANES) {
		struct cases cases = {.base = base, .rng = rng_seed(7, base)};
		struct ref_req r;
		bool good = true;
		while (good && cases_next(&cases, &r)) {
			good = right(&r);
		}
		good = good && cases.made == cases_count(&cases);
		printf("lanes %u to %u: %lu requests: %s\n", base, base + CASE_LANES - 1, cases.made,
		       good ? "right" : "WRONG");
		*(good ? &passed : &failed) += 1;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
