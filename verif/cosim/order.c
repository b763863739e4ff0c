// SPDX-License-Identifier: Apache-2.0
#include "order.h"

#include <errno.h>

#include "../../cmodel/sm/orderlog.h"
#include "../../cmodel/tools/unfinished.h"

bool order_open(struct order_log *log, const char *path, const struct origin *origin)
{
	char text[ORIGIN_TEXT];
	*log = (struct order_log){.path = path};
	if (!path)
		return true;
	const char *temp = unfinished_begin(path);
	log->file = temp ? fopen(temp, "w") : NULL;
	if (!log->file)
		return false;
	origin_text(origin, true, text, sizeof text);
	fputs(WL_ORDER_SIGNATURE, log->file);
	fputs(text, log->file);
	return true;
}

bool order_close(struct order_log *log)
{
	if (!log->file)
		return true;
	const bool bad = ferror(log->file) != 0;
	const bool good = fclose(log->file) == 0 && !bad;
	const int why = errno;
	const bool there = unfinished_end(log->path, good);
	if (!good)
		errno = why;
	return good && there;
}

void order_drop(struct order_log *log)
{
	if (!log->file)
		return;
	fclose(log->file);
	unfinished_end(log->path, false);
	log->file = NULL;
}

static void put(struct order_log *log, const struct wl_order *o)
{
	char line[128];
	if (!log->file)
		return;
	wl_order_format(o, line, sizeof line);
	fputs(line, log->file);
}

void order_units(struct order_log *log, uint32_t units)
{
	const struct wl_order o = {.kind = WL_ORDER_UNITS, .lanes = units};
	put(log, &o);
}

/* A request is named by a lane of the request's group: at acceptance the warp may hold several groups. */
static void station(void *self, const struct lockstep_seen *seen)
{
	const struct wl_req *q = seen->req;
	if (seen->at != LOCKSTEP_ACCEPTED)
		return;
	const struct wl_order o = {
	        .kind = WL_ORDER_ACCEPT, .sm = q->tag.sm, .warp = q->tag.warp, .n = q->tag.n, .lane = q->lane};
	put(self, &o);
}

static void happened(void *self, const struct wl_event *e)
{
	static const enum wl_order_kind kind[WL_EV_COUNT] = {
	        [WL_EV_FAULT] = WL_ORDER_FAULT,   [WL_EV_EXIT] = WL_ORDER_EXIT,       [WL_EV_COMMIT] = WL_ORDER_COMMIT,
	        [WL_EV_LAND] = WL_ORDER_LAND,     [WL_EV_RELEASE] = WL_ORDER_RELEASE, [WL_EV_CHOICE] = WL_ORDER_CHOICE,
	        [WL_EV_RETIRE] = WL_ORDER_RETIRE,
	};
	const struct wl_order o = {.kind = kind[e->kind],
	                           .sm = e->tag.sm,
	                           .slot = e->tag.slot,
	                           .warp = e->tag.warp,
	                           .n = e->tag.n,
	                           .lanes = e->lanes,
	                           .code = e->kind == WL_EV_LAND ? e->land : e->fault,
	                           .unit = e->unit,
	                           .id = e->kind == WL_EV_LAND ? e->value : e->id,
	                           .phase = e->phase,
	                           .warps = e->warps,
	                           .addr = e->addr,
	                           .bytes = e->bytes};
	put(self, &o);
}

struct lockstep_tap order_tap(struct order_log *log)
{
	return (struct lockstep_tap){.self = log, .event = happened, .station = station};
}

void order_cta(struct order_log *log, bool starts, unsigned sm, unsigned slot, uint32_t cta)
{
	const struct wl_order o = {.kind = starts ? WL_ORDER_CTA : WL_ORDER_END, .sm = sm, .slot = slot, .cta = cta};
	put(log, &o);
}

void order_step(struct order_log *log, unsigned sm, unsigned warp, unsigned lane, unsigned count)
{
	const struct wl_order o = {.kind = WL_ORDER_STEP, .sm = sm, .warp = warp, .lane = lane, .count = count};
	put(log, &o);
}
