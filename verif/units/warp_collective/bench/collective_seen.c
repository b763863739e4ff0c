// SPDX-License-Identifier: Apache-2.0
#include "collective_seen.h"

#include "collective_draw.h"
#include "../../floors.h"

enum { LEAST = 20 };

static void count_shuffle(struct collective_seen *s, const struct ref_req *r)
{
	s->forms[r->rb_used * 2 + r->rc_used]++;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		const int l = __builtin_ctz(m);
		bool in_range;
		const int j = ref_choice((enum ref_shfl)r->op, l, r->rb_used ? r->rb[l] : r->imm_b,
		                         r->rc_used ? r->rc[l] : r->imm_c, &in_range);
		s->out_of_range += !in_range;
		s->inactive_source += in_range && !(r->mask >> j & 1);
	}
}

static bool is_nan(uint64_t bits)
{
	return (bits & 0x7fffffff) > 0x7f800000;
}

static void count_floats(struct collective_seen *s, const struct ref_req *r)
{
	unsigned nans = 0, lanes = 0;
	uint32_t zeros = 0;
	for (uint32_t m = r->mask; m; m &= m - 1) {
		const uint32_t bits = (uint32_t)r->ra[__builtin_ctz(m)];
		nans += is_nan(bits);
		zeros |= bits == 0 ? 1 : bits == 0x80000000 ? 2 : 0;
		lanes++;
	}
	s->all_nan += nans == lanes;
	s->some_nan[r->nan] += nans && nans < lanes;
	s->both_zeros += zeros == 3;
}

void collective_count(struct collective_seen *s, const struct ref_req *r, const struct ref_rsp *rsp)
{
	s->seen[r->kind][r->op]++;
	s->partial += r->mask != UINT32_MAX;
	s->lonely += !(r->mask & (r->mask - 1));
	s->dropped += !rsp->written && !r->to_pd;
	if (r->kind == REF_SHFL) {
		count_shuffle(s, r);
	}
	if (r->kind == REF_MATCH && r->op == REF_MATCH_ALL && r->to_rd) {
		*(rsp->word[__builtin_ctz(r->mask)] ? &s->all_equal : &s->not_equal) += 1;
	}
	if (r->kind == REF_MATCH && r->wide && r->ra_used) {
		for (unsigned l = 1; l < REF_LANES; l++) {
			s->high_differs += (uint32_t)r->ra[l] == (uint32_t)r->ra[0] && r->ra[l] != r->ra[0];
		}
	}
	s->unelected += r->kind == REF_ELECT && !(r->mask & r->pred);
	if (r->kind == REF_FREDUX && r->to_urd && r->ra_used) {
		count_floats(s, r);
	}
}

static bool met_operations(const struct collective_seen *s)
{
	static const char *const names[REF_KINDS] = {"VOTE", "VOTEU", "SHFL", "MATCH", "REDUX", "ELECT", "FREDUX"};
	bool met = true;
	for (unsigned k = 0; k < REF_KINDS; k++)
		for (unsigned op = 0; op < collective_ops[k]; op++) {
			if (s->seen[k][op] >= LEAST)
				continue;
			printf("%s of operation %u: %lu, at least %u expected\n", names[k], op, s->seen[k][op], LEAST);
			met = false;
		}
	return met;
}

bool collective_met(const struct collective_seen *s, unsigned long refused)
{
	const struct floor rows[] = {
	        {"shuffles with b and c in the word", s->forms[0]},
	        {"shuffles with c in a register", s->forms[1]},
	        {"shuffles with b in a register", s->forms[2]},
	        {"shuffles with both in registers", s->forms[3]},
	        {"partial masks", s->partial},
	        {"masks of one lane", s->lonely},
	        {"reads of lanes that do not execute", s->inactive_source},
	        {"choices out of range", s->out_of_range},
	        {"MATCH.ALL of equal values", s->all_equal},
	        {"MATCH.ALL of others", s->not_equal},
	        {"values of 64 bits that differ above only", s->high_differs},
	        {"elections without a candidate", s->unelected},
	        {"reductions of NaNs alone", s->all_nan},
	        {"reductions of NaNs and others", s->some_nan[0]},
	        {"of these, with one that is enough", s->some_nan[1]},
	        {"reductions of both zeros", s->both_zeros},
	        {"requests that hand back nothing", s->dropped},
	        {"cycles in which a request had no room", refused},
	};
	const bool missed = floors_missed(rows, sizeof rows / sizeof rows[0], LEAST);
	return met_operations(s) && !missed;
}
