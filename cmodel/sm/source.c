// SPDX-License-Identifier: Apache-2.0
/* source.c -- FRONT as the SOURCE of lockstep: offers the unit instructions of SM 0 as requests and writes their
 * results back when they retire. The other SMs, if there are any, run on the C units in between.
 *
 * A warp has at most one request that returns something in flight, and then stands still (HOLD_RESULT); of posted ones
 * up to WL_MAX_POSTED. Of what SOURCE is told only results count, never the time. */
#include <stdio.h>
#include <string.h>

#include "exec.h"

static bool is_posted(const struct wl_inst *in)
{
	return in->uop == WL_UOP_STS || in->rd == WL_RZ;
}

/* `words` registers from reg on, of every lane. */
static void gather(const lane_row *r, uint8_t reg, unsigned words, struct wl_lane *to)
{
	if (reg == WL_RZ)
		return;
	for (unsigned k = 0; k < words; k++)
		FOR_LANES (i)
			to[i].w[k] = r[reg + k][i];
}

static unsigned words_of(const struct wl_inst *in)
{
	return in->size > 4 ? in->size / 4 : 1;
}

/* The request at which x's current group stands, with lanes `mask`. */
static void build(const struct exec *x, uint32_t mask, struct wl_req *req)
{
	uint32_t pc = x->g->pc;
	const struct wl_inst *in = &x->gpu->program->insts[pc];
	memset(req, 0, sizeof *req);
	req->tag = (struct wl_tag){(uint16_t)x->sm_index, x->w->slot, x->w->cta, x->warp_index, x->w->n};
	req->pc = pc * 16;
	req->word = x->gpu->program->words[pc];
	req->inst = *in;
	req->mask = mask;
	req->ur = read_ur(x, in->ur);
	req->posted = is_posted(in);
	if (in->ra != WL_RZ)
		FOR_LANES (i)
			req->ra[i] = x->r[in->ra][i];
	if (in->uop != WL_UOP_LDS) /* POPC.INC has none: the unit adds 1 */
		gather((const lane_row *)x->r, in->rb, words_of(in), req->rb);
	if (in->uop == WL_UOP_ATOMS_CAS || in->uop == WL_UOP_ATOMS_CAST)
		gather((const lane_row *)x->r, in->rc, words_of(in), req->rc);
}

static bool busy(const struct wl_gpu *g)
{
	return g->inflight || g->offered;
}

static enum wl_offer nothing(const struct wl_gpu *g)
{
	return g->outcome == WL_RUNNING || busy(g) ? WL_OFFER_WAIT : WL_OFFER_DONE;
}

static bool any_not_stuck(const struct wl_gpu *g)
{
	for (unsigned sm = 0; sm < g->config.sms; sm++)
		if (sm_not_stuck(gpu_sm(g, sm)))
			return true;
	return false;
}

enum wl_outcome wl_gpu_settle(struct wl_gpu *g)
{
	if (g->outcome != WL_RUNNING || busy(g))
		return g->outcome;
	if (g->done_ctas == g->ctas)
		g->outcome = WL_ENDED;
	else if (!any_not_stuck(g) && !g->refill)
		stop_deadlock(g);
	return g->outcome;
}

/* A turn of `warp`; true when it now stands at a request, which is in *req. */
static bool turn(struct wl_gpu *g, unsigned warp, struct wl_req *req)
{
	unsigned n = step_turn(g, warp);
	if (!n) {
		g->outcome = WL_LIMIT;
		return false;
	}
	if (spin_turn(g, 0, warp, n) != STEP_REQUEST)
		return false;
	if (!wl_gpu_request(g, 0, warp, req)) { /* too many posted ones are on their way */
		gpu_warp(g, 0, warp)->hold = HOLD_SLOT;
		warp_set_ready(g, 0, warp);
		return false;
	}
	gpu_warp(g, 0, warp)->hold = HOLD_OFFERED;
	g->offered++;
	warp_set_ready(g, 0, warp);
	return true;
}

static uint64_t port_warps(const struct wl_gpu *g, unsigned port)
{
	static const uint64_t every[WL_MAX_PORTS + 1] = {0, ~UINT64_C(0), UINT64_C(0x5555555555555555), 0,
	                                                 UINT64_C(0x1111111111111111)};
	return every[g->config.ports] << port;
}

/* Each ready warp of the port gets one turn, until one stands at a request. */
static bool sweep(struct wl_gpu *g, unsigned port, struct wl_req *req, bool *any)
{
	struct sm *s = gpu_sm(g, 0);
	uint64_t left = port_warps(g, port);
	if (sm_time(s) >= s->next_wake)
		sleep_end(g, 0);
	int w;
	while (g->outcome == WL_RUNNING && (w = step_next_warp(s->ready & left, s->last_of_port[port])) >= 0) {
		s->last_of_port[port] = (uint32_t)w;
		left &= ~(UINT64_C(1) << w);
		*any = true;
		if (turn(g, (unsigned)w, req))
			return true;
	}
	return false;
}

static enum wl_offer next(void *self, unsigned port, struct wl_req *req)
{
	struct wl_gpu *g = self;
	gpu_set_pointers(g);
	for (;;) {
		bool any = false;
		if (g->outcome != WL_RUNNING)
			return nothing(g);
		if (!spin_source(g))
			return nothing(g);
		if (g->refill)
			grid_fill(g);
		if (sweep(g, port, req, &any))
			return WL_OFFER_REQ;
		for (unsigned sm = 1; sm < g->config.sms && g->outcome == WL_RUNNING; sm++)
			any |= g->watch ? spin_step_sm(g, sm) : step_sm(g, sm);
		if (g->config.sms > 1)
			sleep_idle(g);
		if (!busy(g) && !any && !g->refill && sleep_jump(g))
			continue;
		if (busy(g) || (!any && !g->refill)) {
			wl_gpu_settle(g);
			return nothing(g);
		}
	}
}

static void accept(void *self, const struct wl_req *req)
{
	struct wl_gpu *g = self;
	struct warp *w = gpu_warp(g, req->tag.sm, req->tag.warp);
	if (w->hold == HOLD_OFFERED)
		g->offered--;
	g->inflight++;
	g->issued++;
	g->executed[wl_uop_unit(req->inst.uop)]++;
	gpu_sm(g, req->tag.sm)->issued++;
	w->time++;
	w->ran_at = sm_time(gpu_sm(g, req->tag.sm));
	w->g[w->cur].pc++;
	w->g[w->cur].ran++;
	w->hold = req->posted ? HOLD_NONE : HOLD_RESULT;
	w->hold_n = w->n;
	if (req->posted) {
		struct posted *p = &w->post[w->n % WL_MAX_POSTED];
		p->n = w->n;
		p->ur = req->ur;
		FOR_LANES (i)
			p->ra[i] = (uint32_t)req->ra[i];
		w->posted++;
	}
	w->n++;
	warp_set_ready(g, req->tag.sm, req->tag.warp);
}

/* Results of the written lanes into the destination registers. */
static void write_back(struct wl_gpu *g, const struct wl_record *rec)
{
	const struct wl_inst *in = &g->program->insts[rec->pc / 16];
	lane_row *r = gpu_regs(g, rec->tag.sm, rec->tag.warp);
	unsigned words = words_of(in);
	unsigned spare = in->size < 4 && in->flags & WL_F_SIGNED ? 32 - 8u * in->size : 0;
	for (uint32_t m = in->rd == WL_RZ ? 0 : rec->written; m; m &= m - 1) {
		unsigned lane = lowest(m);
		for (unsigned k = 0; k < words && in->rd + k != WL_RZ; k++)
			r[in->rd + k][lane] = (uint32_t)((int32_t)(rec->result[lane].w[k] << spare) >> spare);
	}
}

/* Address operands of a request that faulted: registers of a warp that stood still, or those noted. */
static void report_fault(struct wl_gpu *g, const struct wl_record *rec, bool posted)
{
	const struct warp *w = gpu_warp(g, rec->tag.sm, rec->tag.warp);
	const struct wl_inst *in = &g->program->insts[rec->pc / 16];
	static const lane_row zero;
	const uint32_t *ra = in->ra == WL_RZ ? zero : gpu_regs(g, rec->tag.sm, rec->tag.warp)[in->ra];
	uint32_t ur = in->ur >= URZ_SLOT ? 0 : w->uni[w->g[w->cur].uni][in->ur];
	if (posted) {
		ra = w->post[rec->tag.n % WL_MAX_POSTED].ra;
		ur = w->post[rec->tag.n % WL_MAX_POSTED].ur;
	}
	stop_atoms_fault(g, rec->tag.sm, rec->tag.warp, rec->pc, rec->faulted, rec->fault, ra, ur);
}

static void retire(void *self, const struct wl_record *rec)
{
	struct wl_gpu *g = self;
	struct warp *w = gpu_warp(g, rec->tag.sm, rec->tag.warp);
	bool posted = !(w->hold == HOLD_RESULT && w->hold_n == rec->tag.n);
	g->inflight--;
	g->conflicts[rec->passes]++;
	spin_note_record(g, rec);
	if (posted) {
		w->posted--;
		if ((w->hold == HOLD_DRAIN && !w->posted) || w->hold == HOLD_SLOT)
			w->hold = HOLD_NONE;
	} else {
		write_back(g, rec);
		w->hold = HOLD_NONE;
	}
	if (rec->faulted && g->outcome == WL_RUNNING)
		report_fault(g, rec, posted);
	warp_set_ready(g, rec->tag.sm, rec->tag.warp);
}

struct wl_source wl_gpu_source(struct wl_gpu *g, const struct wl_host *host)
{
	g->source = true;
	if (host)
		g->host = *host;
	return (struct wl_source){.self = g, .next = next, .accept = accept, .retire = retire};
}

/* --- replay ------------------------------------------------------------------------------------------------ */

static enum wl_status impossible(char *why, size_t whyn, const char *text)
{
	snprintf(why, whyn, "%s", text);
	return WL_ERR_RANGE;
}

enum wl_status wl_gpu_launch_cta(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn)
{
	gpu_set_pointers(g);
	if (sm >= g->config.sms || slot >= g->cta_slots)
		return impossible(why, whyn, "there is no such SM or CTA slot");
	if (gpu_sm(g, sm)->cta[slot].state != CTA_FREE)
		return impossible(why, whyn, "the CTA slot is not free");
	if (cta != g->next_cta || cta >= g->ctas)
		return impossible(why, whyn, "it is not this CTA's turn");
	grid_launch(g, sm, slot);
	g->refill = false;
	return WL_OK;
}

enum wl_status wl_gpu_end_cta(struct wl_gpu *g, unsigned sm, unsigned slot, uint32_t cta, char *why, size_t whyn)
{
	gpu_set_pointers(g);
	if (sm >= g->config.sms || slot >= g->cta_slots)
		return impossible(why, whyn, "there is no such SM or CTA slot");
	const struct cta *c = &gpu_sm(g, sm)->cta[slot];
	if (c->state != CTA_ENDED || c->number != cta)
		return impossible(why, whyn, "this CTA has not ended in this slot");
	grid_retire(g, sm, slot);
	return WL_OK;
}

enum wl_status wl_gpu_step(struct wl_gpu *g, unsigned sm, unsigned warp, unsigned lane, unsigned count, char *why,
                           size_t whyn)
{
	gpu_set_pointers(g);
	if (g->outcome != WL_RUNNING)
		return impossible(why, whyn, "the run is over");
	if (sm >= g->config.sms || warp >= g->config.warps_per_sm || lane >= WL_WARP_LANES)
		return impossible(why, whyn, "there is no such SM, warp or lane");
	struct warp *w = gpu_warp(g, sm, warp);
	if (!(w->live >> lane & 1) || !groups_select(w, lane))
		return impossible(why, whyn, "the lane is not live");
	if (w->hold == HOLD_DRAIN && !w->posted)
		w->hold = HOLD_NONE;
	if (w->g[w->cur].state != GROUP_READY || w->hold != HOLD_NONE)
		return impossible(why, whyn, "the lane waits");
	if (gpu_sm(g, sm)->asleep >> warp & 1) /* it went on because time had jumped */
		sleep_until(g, sm, w->wake);
	struct exec x;
	unsigned done = 0;
	exec_init(&x, g, sm, warp);
	groups_merge_here(&x);
	x.follow = 1u << lane;
	if (count)
		step_turned(&x, step_group(&x, count, &done), done);
	step_count(&x, done);
	warp_set_ready(g, sm, warp);
	return done == count ? WL_OK : impossible(why, whyn, "the group cannot execute so many instructions");
}

bool wl_gpu_request(struct wl_gpu *g, unsigned sm, unsigned warp, struct wl_req *req)
{
	struct exec x;
	if (sm >= g->config.sms || warp >= g->config.warps_per_sm)
		return false;
	const struct warp *w = gpu_warp(g, sm, warp);
	if (!w->live || w->hold != HOLD_NONE)
		return false;
	exec_init(&x, g, sm, warp);
	if (x.g->state != GROUP_READY || x.g->pc >= g->program->ninst)
		return false;
	const struct op *op = &gpu_ops(g)[x.g->pc];
	const uint32_t p = op->guard_uniform ? x.uni[op->guard] : w->preds[op->guard];
	uint32_t mask = x.g->mask & (p ^ op->guard_inv);
	if (op->unit != WL_UNIT_atoms_pipe || !mask)
		return false;
	if (is_posted(&g->program->insts[x.g->pc]) && w->posted == WL_MAX_POSTED)
		return false;
	build(&x, mask, req);
	return true;
}
