/* SPDX-License-Identifier: Apache-2.0
 * collective_ref.h -- results of warp collectives, lane by lane, in wide signed numbers, for the bench of
 * warp_collective. Source: docs/spec/warp.md, "Shuffle"; docs/spec/warp.md, "Reduction". */
#ifndef COLLECTIVE_REF_H
#define COLLECTIVE_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_LANES = 32 };
/* The order of the kinds in rtl/gen/wl_units.vh. */
enum ref_kind { REF_VOTE, REF_VOTEU, REF_SHFL, REF_MATCH, REF_REDUX, REF_ELECT, REF_FREDUX, REF_KINDS };
enum ref_vote { REF_ALL, REF_ANY, REF_EQ };
enum ref_shfl { REF_IDX, REF_UP, REF_DOWN, REF_BFLY };
enum ref_match { REF_MATCH_ALL, REF_MATCH_ANY };
enum ref_redux { REF_AND, REF_OR, REF_XOR, REF_SUM, REF_MIN, REF_MAX };
enum ref_fredux { REF_FMAX, REF_FMAXABS, REF_FMIN, REF_FMINABS };

struct ref_req {
	enum ref_kind kind;
	unsigned op;
	bool sgn;                       /* REF_MIN, REF_MAX */
	bool wide;                      /* REF_MATCH of 64 bits */
	bool nan;                       /* REF_FREDUX: a single NaN gives NaN */
	bool ra_used, rb_used, rc_used; /* a register, not RZ; b and c of REF_SHFL else come from the word */
	uint32_t imm_b, imm_c;
	bool to_rd, to_urd, to_pd;
	uint32_t tag, mask, pred;
	uint64_t ra[REF_LANES];
	uint32_t rb[REF_LANES], rc[REF_LANES];
};

struct ref_rsp {
	uint32_t tag;
	uint32_t written; /* lanes with a result word */
	uint32_t preds;   /* of lanes with a predicate, else 0 */
	uint32_t word[REF_LANES];
};

void ref_run(const struct ref_req *r, struct ref_rsp *out);
/* The lane named by lane `lane`, -1 .. -31 and above 31 included; *in_range: whether the named lane is in range. */
int ref_choice(enum ref_shfl op, int lane, uint32_t b, uint32_t c, bool *in_range);

#endif
