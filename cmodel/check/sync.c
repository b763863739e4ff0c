// SPDX-License-Identifier: Apache-2.0
/* sync.c -- --check=sync: events; named barriers, masks, clusters, and findings of the run itself. */
#include "sync_state.h"

#include <stdlib.h>
#include <string.h>

void sync_found(struct sync *s, enum wl_check_reason reason, const struct wl_check_site *before,
                const struct wl_check_site *here, uint32_t owner, uint64_t addr, uint32_t bytes)
{
	struct wl_check_finding f = {.reason = reason,
	                             .here = *here,
	                             .space = WL_CHECK_SHARED,
	                             .owner = owner,
	                             .addr = addr,
	                             .bytes = bytes};
	if (before)
		f.before = *before;
	checker_found(&s->c, &f);
}

/* ---- named barriers: phases known to a warp as complete ---- */

void sync_learn(struct sync *s, const struct wl_seen *e)
{
	struct warp_of_sync *w = sync_warp(s, e);
	w->met = s->now;
	memcpy(w->know, sync_cta(s, e)->done, sizeof w->know);
}

static struct warp_of_sync *warp_in_cta(const struct sync *s, const struct wl_seen *e, unsigned k)
{
	return &s->warp[e->sm * WL_MAX_WARPS + e->slot * s->c.shape.warps_per_cta + k];
}

/* The arrival may fall into the phase before as well, if nothing orders the arrival behind that phase. */
static void bar_arrive(struct sync *s, const struct wl_seen *e)
{
	struct cta_of_sync *c = sync_cta(s, e);
	const struct warp_of_sync *w = sync_warp(s, e);
	const struct wl_check_site here = check_site(e, e->lanes, "arrival");
	if (e->id >= SYNC_BARS)
		return;
	if (c->done[e->id] > w->know[e->id]) {
		const struct wl_check_finding f = {.reason = WL_CHECK_BARRIER_SHARED,
		                                   .before = c->last[e->id],
		                                   .here = here,
		                                   .space = WL_CHECK_BARRIER,
		                                   .owner = e->cta,
		                                   .addr = e->id};
		checker_found(&s->c, &f);
	}
	c->arrived[e->id] |= UINT64_C(1) << e->warp;
	c->newest[e->id] = here;
}

/* Warps leaving the barrier know all phases known to the arrivals. */
static void bar_release(struct sync *s, const struct wl_seen *e)
{
	struct cta_of_sync *c = sync_cta(s, e);
	uint32_t know[SYNC_BARS] = {0};
	if (e->id >= SYNC_BARS)
		return;
	c->done[e->id]++;
	c->last[e->id] = c->newest[e->id];
	for (uint64_t m = c->arrived[e->id]; m; m &= m - 1)
		for (unsigned id = 0; id < SYNC_BARS; id++) {
			const uint32_t k = warp_in_cta(s, e, (unsigned)__builtin_ctzll(m))->know[id];
			know[id] = k > know[id] ? k : know[id];
		}
	know[e->id] = c->done[e->id];
	c->arrived[e->id] = 0;
	mbar_met(s, e->sm, e->warps);
	for (uint64_t m = e->warps; m; m &= m - 1) {
		struct warp_of_sync *w = &s->warp[e->sm * WL_MAX_WARPS + (unsigned)__builtin_ctzll(m)];
		w->met = s->now;
		for (unsigned id = 0; id < SYNC_BARS; id++)
			w->know[id] = know[id] > w->know[id] ? know[id] : w->know[id];
	}
}

static void cluster_release(struct sync *s, const struct wl_seen *e)
{
	mbar_met(s, e->sm, e->warps);
	for (uint64_t m = e->warps; m; m &= m - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(m), slot = warp / s->c.shape.warps_per_cta;
		struct warp_of_sync *w = &s->warp[e->sm * WL_MAX_WARPS + warp];
		struct cta_of_sync *c = &s->cta[e->sm * WL_MAX_CTAS + slot];
		w->met = s->now;
		memcpy(w->know, c->done, sizeof w->know);
		c->remote.lanes = 0;
	}
}

/* ---- masks ---- */

static void note_masks(struct sync *s, const struct wl_seen *e)
{
	struct warp_of_sync *w = sync_warp(s, e);
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = check_lowest(m);
		w->mask[lane] = (uint32_t)e->addr[lane];
		w->mask_pc[lane] = e->pc + 1;
	}
}

/* The mask of all lanes means all live lanes. */
static void masks(struct sync *s, const struct wl_seen *e)
{
	const uint32_t exited = check_begun(&s->c, e->warp) & ~e->live;
	note_masks(s, e);
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = check_lowest(m);
		struct wl_check_finding f = {.reason = WL_CHECK_MASK_EXITED};
		if (!(e->addr[lane] & exited) || (uint32_t)e->addr[lane] == UINT32_MAX)
			continue;
		f.before = check_site(e, (uint32_t)e->addr[lane] & exited, "exited lanes of the mask");
		f.here = check_site(e, e->lanes, "meeting");
		checker_found(&s->c, &f);
		return;
	}
}

/* The mask of the lane's shuffle; all lanes, where nothing tells. */
static uint32_t mask_of_shuffle(const struct sync *s, const struct wl_seen *e, unsigned lane)
{
	const struct warp_of_sync *w = sync_warp(s, e);
	const uint32_t from = s->mask_from[e->pc];
	return from && w->mask_pc[lane] == from ? w->mask[lane] : UINT32_MAX;
}

static void shuffle_found(struct sync *s, const struct wl_seen *e, enum wl_check_reason reason, uint32_t lanes,
                          uint32_t read)
{
	struct wl_check_finding f = {.reason = reason};
	if (!lanes)
		return;
	f.before = check_site(e, read, "lanes to read");
	f.here = check_site(e, lanes, "shuffle");
	checker_found(&s->c, &f);
}

/* A lane whose choice is out of range reads itself. */
static void shuffles(struct sync *s, const struct wl_seen *e)
{
	uint32_t absent = 0, outside = 0, read_absent = 0, read_outside = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = check_lowest(m);
		const uint32_t from = 1u << (e->addr[lane] & 31);
		if (!(e->lanes & from)) {
			absent |= 1u << lane;
			read_absent |= from;
		} else if (!(mask_of_shuffle(s, e, lane) & from)) {
			outside |= 1u << lane;
			read_outside |= from;
		}
	}
	shuffle_found(s, e, WL_CHECK_SHUFFLE_ABSENT, absent, read_absent);
	shuffle_found(s, e, WL_CHECK_SHUFFLE_MASK, outside, read_outside);
}

/* ---- clusters ---- */

/* An access to the shared memory of another CTA. */
static void remote(struct sync *s, const struct wl_seen *e, unsigned lane, const char *does)
{
	const uint32_t owner = e->owner[lane];
	const uint64_t in = check_shared_index(&s->c, e->at[lane]);
	const unsigned sm = (unsigned)(in / s->c.shape.shared_bytes);
	const struct wl_check_site here = check_site(e, 1u << lane, does);
	if (owner == e->cta || owner >= s->c.shape.ctas)
		return;
	if (s->left[owner].lanes)
		sync_found(s, WL_CHECK_CTA_LEAVES, &s->left[owner], &here, owner, e->addr[lane], e->size);
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++) {
		struct cta_of_sync *c = &s->cta[sm * WL_MAX_CTAS + slot];
		if (c->warps_left && c->number == owner) {
			c->remote = here;
			c->remote_addr = e->addr[lane];
		}
	}
}

static void cta_ends(struct sync *s, const struct wl_seen *e, struct cta_of_sync *c)
{
	const struct wl_check_site end = check_site(e, e->lanes, "end of the CTA");
	if (c->remote.lanes)
		sync_found(s, WL_CHECK_CTA_LEAVES, &c->remote, &end, c->number, c->remote_addr, 0);
	s->left[e->cta] = end;
	copies_cta_ends(s, e);
}

static void lanes_exit(struct sync *s, const struct wl_seen *e)
{
	struct cta_of_sync *c = sync_cta(s, e);
	if (e->live & ~e->lanes)
		return;
	copies_exit(s, e);
	if (c->warps_left && !--c->warps_left)
		cta_ends(s, e, c);
}

/* ---- findings of the run itself ---- */

static enum wl_check_reason reason_of_misuse(uint32_t kind)
{
	static const enum wl_check_reason reasons[WL_MISUSE_COUNT] = {
#define MISUSE(name, option, by_default, fault, sentence) WL_CHECK_MISUSE_##name,
#include "warplock/misuse.def"
	};
	return reasons[kind];
}

static struct wl_check_site site_of_misuse(const struct wl_misuse_place *p, const char *does)
{
	return (struct wl_check_site){p->cta, p->warp, p->lanes, p->pc / 16, does};
}

static void misuse(struct sync *s, const struct wl_seen *e)
{
	const struct wl_misuse_found *m = e->found;
	struct wl_check_finding f = {.reason = reason_of_misuse(e->id),
	                             .before = site_of_misuse(&m->there, "the other place"),
	                             .here = site_of_misuse(&m->here, "misuse"),
	                             .space = m->has_addr && m->kind == WL_MISUSE_LOCAL_ATOMIC ? WL_CHECK_LOCAL
	                                      : m->has_addr                                    ? WL_CHECK_SHARED
	                                                                                       : WL_CHECK_BARRIER,
	                             .owner = m->here.cta,
	                             .addr = m->has_addr ? m->addr : m->id};
	if (m->kind == WL_MISUSE_MASK_SELF)
		f.space = WL_CHECK_NOWHERE;
	checker_found(&s->c, &f);
}

/* The misuse behind the fault is a finding already. */
static bool is_told(const struct sync *s, uint32_t pc)
{
	for (unsigned i = 0; i < s->c.nfindings; i++)
		if (s->c.finding[i].here.pc == pc && strcmp(s->c.finding[i].here.does, "misuse") == 0)
			return true;
	return false;
}

static void fault(struct sync *s, const struct wl_seen *e)
{
	static const struct {
		enum wl_fault fault;
		enum wl_check_reason reason;
	} rows[] = {
#define FAULT_ROW(name) {WL_FAULT_##name, WL_CHECK_FAULT_##name}
	        FAULT_ROW(BAR_BAD_ID),         FAULT_ROW(BAR_BAD_COUNT),       FAULT_ROW(BAR_COUNT_MISMATCH),
	        FAULT_ROW(BAR_MODE_MISMATCH),  FAULT_ROW(BAR_DOUBLE_ARRIVE),   FAULT_ROW(BAR_NOT_CONVERGED),
	        FAULT_ROW(CBAR_DOUBLE_ARRIVE), FAULT_ROW(CBAR_WAIT_NO_ARRIVE), FAULT_ROW(CLUSTER_TARGET),
	        FAULT_ROW(CLUSTER_RANK),       FAULT_ROW(WARP_MASK_SELF),      FAULT_ROW(WARP_MASK_MISMATCH),
	        FAULT_ROW(MBAR_UNINIT),        FAULT_ROW(MBAR_COUNT_RANGE),    FAULT_ROW(MBAR_UNDERFLOW),
	        FAULT_ROW(MBAR_OVERFLOW),      FAULT_ROW(MBAR_TX_RANGE),       FAULT_ROW(MBAR_NOCOMPLETE),
	        FAULT_ROW(MBAR_DROP_RANGE),    FAULT_ROW(MBAR_DRAINED),        FAULT_ROW(MBAR_BAD_PARITY),
#undef FAULT_ROW
	};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wl_check_finding f = {.reason = rows[i].reason,
		                             .here = check_site(e, e->lanes, "fault"),
		                             .owner = e->cta,
		                             .addr = e->addr[0]};
		if (rows[i].fault != (enum wl_fault)e->id || is_told(s, e->pc))
			continue;
		f.space = e->has_addr ? WL_CHECK_SHARED : WL_CHECK_NOWHERE;
		checker_found(&s->c, &f);
	}
}

/* ---- events ---- */

/* Does the access acquire? Then the warp may know all: a miss is better than a false alarm. */
static bool may_acquire(const struct wl_seen *e)
{
	return e->reads && (e->atomic || e->inst->order == WL_MEM_STRONG || e->inst->order == WL_MEM_MMIO);
}

static void access(struct sync *s, const struct wl_seen *e)
{
	for (uint32_t m = e->lanes & e->shared; m; m &= m - 1) {
		mbar_touched(s, e, check_lowest(m));
		copies_touched(s, e, check_lowest(m));
		remote(s, e, check_lowest(m), check_deed(e));
	}
	if (may_acquire(e))
		sync_learn(s, e);
}

static void start(struct sync *s, const struct wl_seen *e)
{
	struct cta_of_sync *c = sync_cta(s, e);
	*c = (struct cta_of_sync){.number = e->cta, .cluster = e->id, .bytes = e->bytes};
	c->base = check_shared_index(&s->c, e->at[0]);
	c->warps_left = s->c.shape.warps_per_cta;
	for (unsigned k = 0; k < s->c.shape.warps_per_cta; k++)
		*warp_in_cta(s, e, k) = (struct warp_of_sync){0};
	mbar_forget(s, c->base, c->bytes);
}

static void arrivals(struct sync *s, const struct wl_seen *e)
{
	for (uint32_t m = e->lanes; m; m &= m - 1)
		remote(s, e, check_lowest(m), "arrival");
	mbar_event(s, e);
}

static void passed(struct sync *s, const struct wl_seen *e)
{
	mbar_event(s, e);
	sync_learn(s, e);
	sync_cta(s, e)->remote.lanes = 0;
	for (uint32_t m = e->lanes; m; m &= m - 1)
		copies_passed(s, e->at[check_lowest(m)]);
}

static void event(void *self, const struct wl_seen *e)
{
	struct sync *s = self;
	s->now++;
	switch (e->kind) {
	case WL_SEEN_CTA_START:
		start(s, e);
		break;
	case WL_SEEN_EXIT:
		lanes_exit(s, e);
		break;
	case WL_SEEN_ACCESS:
		access(s, e);
		break;
	case WL_SEEN_BAR_ARRIVE:
		bar_arrive(s, e);
		break;
	case WL_SEEN_BAR_RELEASE:
		bar_release(s, e);
		break;
	case WL_SEEN_CLUSTER_RELEASE:
		cluster_release(s, e);
		break;
	case WL_SEEN_CLUSTER_WAIT:
		if (!e->waits) {
			sync_learn(s, e);
			sync_cta(s, e)->remote.lanes = 0;
		}
		break;
	case WL_SEEN_MASKS:
		masks(s, e);
		break;
	case WL_SEEN_SHUFFLE:
		shuffles(s, e);
		break;
	case WL_SEEN_MBAR_ARRIVE:
		arrivals(s, e);
		break;
	case WL_SEEN_MBAR_PASSED:
		passed(s, e);
		break;
	case WL_SEEN_MBAR_INIT:
	case WL_SEEN_MBAR_ASKED:
		mbar_event(s, e);
		break;
	case WL_SEEN_FENCE:
	case WL_SEEN_PROXY:
	case WL_SEEN_LANES:
		mbar_fenced(s, e);
		break;
	case WL_SEEN_COPY:
	case WL_SEEN_COPY_TOLD:
	case WL_SEEN_COMMIT:
	case WL_SEEN_COPIES_DONE:
		copies_event(s, e);
		break;
	case WL_SEEN_MISUSE:
		misuse(s, e);
		break;
	case WL_SEEN_FAULT:
		fault(s, e);
		break;
	default:
		break;
	}
}

static void close_sync(struct wl_checker *c)
{
	struct sync *s = (struct sync *)c;
	if (s->object)
		mbar_forget(s, 0, UINT32_MAX);
	free(s->warp);
	free(s->cta);
	free(s->left);
	free(s->object);
	free(s->is_object);
	free(s->copied);
	free(s->copy);
	free(s->serial);
	free(s->mask_from);
}

void wl_sync_hide_fences(struct wl_checker *sync)
{
	((struct sync *)sync)->hidden_fence = true;
}

void wl_sync_hint_mask(struct wl_checker *sync, uint32_t pc, uint32_t warpsync)
{
	((struct sync *)sync)->mask_from[pc] = warpsync + 1;
}

struct wl_checker *wl_sync_create(const struct wl_seen_shape *shape)
{
	struct sync *s = calloc(1, sizeof *s);
	const uint64_t words = shape->sms * shape->shared_bytes / 4 + 1;
	if (!s)
		return NULL;
	checker_open(&s->c, "sync", shape, event, close_sync);
	s->warp = calloc((size_t)shape->sms * WL_MAX_WARPS, sizeof *s->warp);
	s->cta = calloc((size_t)shape->sms * WL_MAX_CTAS, sizeof *s->cta);
	s->left = calloc(shape->ctas, sizeof *s->left);
	s->object = calloc(OBJECTS, sizeof *s->object);
	s->is_object = calloc(words, 1);
	s->copied = calloc(words, sizeof *s->copied);
	s->serial = calloc(shape->sms, sizeof *s->serial);
	s->mask_from = calloc(shape->program->ninst + 1u, sizeof *s->mask_from);
	if (s->warp && s->cta && s->left && s->object && s->is_object && s->copied && s->serial && s->mask_from)
		return &s->c;
	wl_checker_free(&s->c);
	return NULL;
}
