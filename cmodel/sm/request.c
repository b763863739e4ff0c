// SPDX-License-Identifier: Apache-2.0
/* request.c -- requests for any unit: builds a request from the operands of an instruction, and writes results to the
 * named destinations. Source: docs/spec/lockstep.md, "Requests"; docs/spec/lockstep.md, "Header-only requests". */
#include "exec.h"
#include "misuse.h"
#include "request.h"
#include "usyncs.h"

bool request_has_address(const struct wl_inst *in)
{
	const enum wl_unit unit = wl_uop_unit(in->uop);
	return unit == WL_UNIT_atoms_pipe || unit == WL_UNIT_atom_unit || unit == WL_UNIT_mbarrier_engine;
}

/* A source of several possible kinds has been fetched; a register of an access is named without a kind. */
static const lane_row *rows_of(const struct exec *x, unsigned i)
{
	static const lane_row zeros[4];
	const uint32_t *fetched[3] = {x->a, x->b, x->c};
	const uint8_t regs[3] = {x->in->ra, x->in->rb, x->in->rc};
	if (x->in->src[i] != WL_SRC_NONE)
		return (const void *)fetched[i];
	return regs[i] == WL_RZ ? zeros : (const void *)&x->r[regs[i]];
}

static bool names(const struct wl_inst *in, unsigned i)
{
	const uint8_t regs[3] = {in->ra, in->rb, in->rc};
	return in->src[i] != WL_SRC_NONE || regs[i] != WL_RZ;
}

/* Registers of source i; an immediate, constant or uniform register is a single word. */
static unsigned words_of(const struct wl_inst *in, unsigned i)
{
	static const enum wl_reg regs[3] = {WL_REG_RA, WL_REG_RB, WL_REG_RC};
	const bool is_register = in->src[i] == WL_SRC_NONE || in->src[i] == WL_SRC_REG;
	return is_register ? wl_inst_words(in, regs[i]) : 1;
}

static void gather_ra(const struct exec *x, struct wl_req *req)
{
	const lane_row *r = rows_of(x, 0);
	const bool pair = words_of(x->in, 0) > 1;
	FOR_LANES (i)
		req->ra[i] = r[0][i] | (pair ? (uint64_t)r[1][i] << 32 : 0);
}

/* A pair of uniform registers as the source of a unit: every lane gets the pair. */
static void gather_uniform(const struct exec *x, uint8_t ur, struct wl_lane *to)
{
	FOR_LANES (lane)
		to[lane] = (struct wl_lane){{read_ur(x, ur), read_ur_hi(x, ur)}};
}

static void gather(const struct exec *x, unsigned i, struct wl_lane *to)
{
	const uint8_t regs[3] = {x->in->ra, x->in->rb, x->in->rc};
	if (wl_uop_traits((enum wl_uop)x->in->uop)->uniform_sources >> i & 1) {
		gather_uniform(x, regs[i], to);
		return;
	}
	const lane_row *r = rows_of(x, i);
	for (unsigned k = 0; k < words_of(x->in, i); k++)
		FOR_LANES (lane)
			to[lane].w[k] = r[k][lane];
}

/* Lane 0 holds the operands of a header-only request: the operands of the lowest executing lane. */
static void to_lane0(const struct exec *x, struct wl_req *req)
{
	const unsigned lane = lowest(x->mask);
	req->ra[0] = req->ra[lane];
	req->rb[0] = req->rb[lane];
	req->rc[0] = req->rc[lane];
}

static bool header_only(const struct wl_inst *in)
{
	switch (wl_uop_unit(in->uop)) {
	case WL_UNIT_barrier_file:
	case WL_UNIT_fence_unit:
	case WL_UNIT_cluster_barrier:
		return true;
	case WL_UNIT_convergence:
		return wl_uop_traits((enum wl_uop)in->uop)->traits & WL_TRAIT(HEADER_ONLY);
	default:
		return in->uop == WL_UOP_EXIT;
	}
}

/* x has fetched the instruction at x->pc. */
void request_build(const struct exec *x, uint32_t mask, struct wl_req *req)
{
	const struct wl_inst *in = x->in;
	memset(req, 0, sizeof *req);
	req->tag = (struct wl_tag){(uint16_t)x->sm_index, x->w->slot, x->w->cta, x->warp_index, x->w->n};
	req->pc = x->pc * 16;
	req->word = usyncs_is_made(x) ? usyncs_word(x) : x->gpu->program->words[x->pc];
	req->inst = *in;
	req->mask = mask;
	req->lane = (uint8_t)lowest(usyncs_is_made(x) ? x->made_for : mask);
	req->pred = read_pred(x, in->ps[0]);
	/* a word has either: a part of the address, or a policy of the L2 */
	const uint8_t ur = in->desc == WL_NO_DESC ? in->ur : (uint8_t)in->desc;
	req->ur = read_ur(x, ur) | (uint64_t)read_ur_hi(x, ur) << 32;
	req->posted = wl_inst_posted(in);
	if (names(in, 0))
		gather_ra(x, req);
	if (names(in, 1))
		gather(x, 1, req->rb);
	if (names(in, 2))
		gather(x, 2, req->rc);
	req->header = header_only(in);
	if (req->header)
		to_lane0(x, req);
}

static void write_register(lane_row *r, const struct wl_inst *in, const struct wl_record *rec)
{
	const unsigned words = wl_inst_words(in, WL_REG_RD);
	const bool sub_word = request_has_address(in) && in->size < 4 && in->flags & WL_F_SIGNED;
	const unsigned spare = sub_word ? 32 - 8u * in->size : 0;
	for (uint32_t m = rec->written; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		for (unsigned k = 0; k < words && in->rd + k < WL_RZ; k++)
			r[in->rd + k][lane] = (uint32_t)((int32_t)(rec->result[lane].w[k] << spare) >> spare);
	}
}

/* SYNCS.ARRIVE without .TMASK and .RED: the high register alone is written. All lanes on an object get the high word
 * found by the lowest lane on the object. */
static void write_tokens(lane_row *r, const struct wl_inst *in, const struct wl_record *rec)
{
	for (uint32_t m = in->rd + 1 < WL_RZ ? rec->written : 0; m; m &= m - 1) {
		unsigned first = lowest(rec->written);
		while (rec->addr[first] != rec->addr[lowest(m)])
			first++;
		r[in->rd + 1][lowest(m)] = rec->result[first].w[1];
	}
}

/* SYNCS.PHASECHK.PRIMARY: bit 0 of the result is the report's predicate. */
static void write_reports(const struct wl_inst *in, const struct wl_record *rec, struct warp *w, uint32_t *uni)
{
	const uint8_t pd = in->pd[1];
	uint32_t failed = 0;
	for (uint32_t m = rec->written; m; m &= m - 1)
		failed |= (rec->result[lowest(m)].w[0] & 1) << lowest(m);
	if (pd == WL_PT || !rec->written)
		return;
	if (in->uop == WL_UOP_USYNCS_PHASECHK)
		uni[UPRED + pd] = failed ? ALL_LANES : 0;
	else
		w->preds[pd] = (w->preds[pd] & ~rec->written) | failed;
}

/* A uniform register takes the value of the lowest lane. `uni` is the file of the asking group. */
void request_write_back(struct wl_gpu *gpu, const struct wl_record *rec, struct warp *w, uint32_t *uni)
{
	const struct wl_inst *in = &gpu->program->insts[rec->pc / 16];
	const uint8_t pd = in->pd[0];
	lane_row *r = gpu_regs(gpu, rec->tag.sm, rec->tag.warp);
	if (in->uop == WL_UOP_SYNCS_ARRIVE && in->type == WL_MBAR_OLD)
		write_tokens(r, in, rec);
	else if (in->rd != WL_RZ)
		write_register(r, in, rec);
	for (unsigned k = 0; rec->written && k < wl_inst_words(in, WL_REG_URD) && in->urd + k < URZ_SLOT; k++)
		uni[in->urd + k] = rec->result[lowest(rec->written)].w[k];
	if (usyncs_asks(in->uop) && in->type == WL_MBAR_PRIMARY) {
		write_reports(in, rec, w, uni);
		misuse_report(gpu, &rec->tag, rec->pc, rec->pred_written & ~rec->preds);
	}
	if (pd == WL_PT || !rec->pred_written)
		return;
	if (wl_uop_traits((enum wl_uop)in->uop)->uniform_preds & 1) /* pd0 of the row is a uniform predicate */
		uni[UPRED + pd] = rec->preds ? ALL_LANES : 0;
	else
		w->preds[pd] = (w->preds[pd] & ~rec->pred_written) | (rec->preds & rec->pred_written);
}
