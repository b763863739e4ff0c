// SPDX-License-Identifier: Apache-2.0
/* checker.c -- findings of the checkers sync, init and mem, each pair of places once; text of findings. */
#include "checker_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/misuse.h"

enum { TEXT = 400, MOST = 1000 /* findings kept */ };

/* option NULL: a misuse. misuse.def has the name and the sentence. */
static const struct {
	const char *option, *why, *mend;
	enum wl_misuse misuse;
} reasons[WL_CHECK_REASONS] = {
#define REASON(CHECK, NAME, option, why, mend) {option, why, mend, 0},
#define MISUSED(kind, mend)                    {NULL, NULL, mend, WL_MISUSE_##kind},
#include "warplock/check_reasons.def"
};

const char *wl_check_option(enum wl_check_reason r)
{
	return reasons[r].option ? reasons[r].option : wl_misuse_name(reasons[r].misuse);
}

const char *wl_check_why(enum wl_check_reason r)
{
	return reasons[r].option ? reasons[r].why : wl_misuse_sentence(reasons[r].misuse);
}

const char *wl_check_mend(enum wl_check_reason r)
{
	return reasons[r].mend;
}

/* ---- findings ---- */

void checker_open(struct wl_checker *c, const char *name, const struct wl_seen_shape *shape,
                  void (*event)(void *self, const struct wl_seen *e), void (*close)(struct wl_checker *c))
{
	c->observer = (struct wl_observer){c, event, false};
	c->name = name;
	c->shape = *shape;
	c->close = close;
}

void wl_checker_free(struct wl_checker *c)
{
	if (!c)
		return;
	c->close(c);
	free(c->finding);
	free(c);
}

static bool same_pair(const struct wl_check_finding *a, const struct wl_check_finding *b)
{
	return a->reason == b->reason && a->here.pc == b->here.pc && !a->before.lanes == !b->before.lanes &&
	       (!a->before.lanes || a->before.pc == b->before.pc);
}

void checker_found(struct wl_checker *c, const struct wl_check_finding *f)
{
	for (unsigned i = 0; i < c->nfindings; i++)
		if (same_pair(&c->finding[i], f)) {
			c->finding[i].count++;
			return;
		}
	if (c->nfindings == MOST) {
		checker_doubt(c, "more than 1000 pairs of places");
		return;
	}
	if (c->nfindings == c->room) {
		c->room = c->room ? 2 * c->room : 16;
		c->finding = realloc(c->finding, c->room * sizeof *c->finding);
		if (!c->finding)
			abort();
	}
	c->finding[c->nfindings] = *f;
	c->finding[c->nfindings++].count = 1;
}

void checker_doubt(struct wl_checker *c, const char *why)
{
	if (!c->doubt[0])
		snprintf(c->doubt, sizeof c->doubt, "%s", why);
}

const struct wl_observer *wl_checker_observer(const struct wl_checker *c)
{
	return &c->observer;
}

const char *wl_checker_name(const struct wl_checker *c)
{
	return c->name;
}

unsigned wl_checker_findings(const struct wl_checker *c)
{
	return c->nfindings;
}

const struct wl_check_finding *wl_checker_finding(const struct wl_checker *c, unsigned i)
{
	return &c->finding[i];
}

const char *wl_checker_cannot_tell(const struct wl_checker *c)
{
	return c->doubt[0] ? c->doubt : NULL;
}

/* ---- places ---- */

struct wl_check_site check_site(const struct wl_seen *e, uint32_t lanes, const char *does)
{
	return (struct wl_check_site){e->cta, e->warp, lanes, e->pc, does};
}

void check_place(const struct wl_seen *e, unsigned lane, uint32_t bytes, struct wl_check_finding *f)
{
	f->space = e->shared >> lane & 1 ? WL_CHECK_SHARED : WL_CHECK_GLOBAL;
	f->owner = e->owner[lane];
	f->addr = e->addr[lane];
	f->bytes = bytes;
}

const char *check_deed(const struct wl_seen *e)
{
	return e->atomic ? "atomic" : e->writes ? "write" : "read";
}

uint32_t check_begun(const struct wl_checker *c, uint32_t warp)
{
	const unsigned left = c->shape.threads - warp * WL_WARP_LANES;
	return left < WL_WARP_LANES ? (1u << left) - 1 : UINT32_MAX;
}

/* ---- text ---- */

static bool name_shared(const struct wl_seen_shape *s, const struct wl_check_finding *f, char *buf, size_t n)
{
	for (uint32_t i = 0; i < s->program->nshared; i++) {
		const struct wl_shared_var *v = &s->program->shared[i];
		if (f->addr < v->at || f->addr - v->at >= v->size)
			continue;
		snprintf(buf, n, "shared variable %s+%llu of CTA %u", v->shown, (unsigned long long)(f->addr - v->at),
		         f->owner);
		return true;
	}
	char object[120];
	if (!wl_program_shared_object(s->program, s->cta_shared, f->addr, object, sizeof object))
		return false;
	snprintf(buf, n, "%s of CTA %u", object, f->owner);
	return true;
}

static bool name_global(const struct wl_checker *c, const struct wl_check_finding *f, char *buf, size_t n)
{
	const struct wl_program *p = c->shape.program;
	const struct wl_buf *b = wl_gmem_find(c->shape.gmem, f->addr);
	for (uint32_t i = 0; i < p->nglobals; i++) {
		const struct wl_global_var *v = &p->globals[i];
		if (f->addr < v->at || f->addr - v->at >= v->size)
			continue;
		snprintf(buf, n, "variable %s+%llu", v->shown, (unsigned long long)(f->addr - v->at));
		return true;
	}
	if (!b || !b->name)
		return false;
	snprintf(buf, n, "buffer %s+%llu", b->name, (unsigned long long)(f->addr - b->addr));
	return true;
}

void wl_checker_variable(const struct wl_checker *c, const struct wl_check_finding *f, char *buf, size_t n)
{
	const unsigned long long addr = f->addr;
	switch (f->space) {
	case WL_CHECK_SHARED:
		if (!name_shared(&c->shape, f, buf, n))
			snprintf(buf, n, "shared memory 0x%llx of CTA %u", addr, f->owner);
		break;
	case WL_CHECK_GLOBAL:
		if (!name_global(c, f, buf, n))
			snprintf(buf, n, "global memory 0x%llx", addr);
		break;
	case WL_CHECK_LOCAL:
		snprintf(buf, n, "local memory 0x%llx", addr);
		break;
	case WL_CHECK_BARRIER:
		snprintf(buf, n, "barrier %llu of CTA %u", addr, f->owner);
		break;
	default:
		snprintf(buf, n, "CTA %u", f->here.cta);
	}
}

static void tell_site(const struct wl_checker *c, const struct wl_check_site *s, const char *which, char *buf, size_t n)
{
	const struct wl_program *p = c->shape.program;
	char inst[160] = "an unknown word", place[WL_WHERE];
	if (s->pc < p->ninst && wl_print(p->arch, p->words[s->pc], 16 * (uint64_t)s->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "an unknown word");
	wl_program_where(p, s->pc, place, sizeof place);
	snprintf(buf, n, "  %s: %s by CTA %u, warp %u, lanes 0x%08x at pc 0x%x `%s`%s", which, s->does, s->cta, s->warp,
	         s->lanes, 16 * s->pc, inst, place);
}

void wl_checker_tell(const struct wl_checker *c, const struct wl_check_finding *f,
                     void (*line)(void *self, const char *text), void *self)
{
	char text[2 * TEXT + WL_WHERE], what[TEXT], bytes[40] = "";
	wl_checker_variable(c, f, what, sizeof what);
	if (f->bytes)
		snprintf(bytes, sizeof bytes, ", %u byte%s", f->bytes, f->bytes == 1 ? "" : "s");
	snprintf(text, sizeof text, "%s: %s at %s%s; %llu time%s", c->name, wl_check_option(f->reason), what, bytes,
	         (unsigned long long)f->count, f->count == 1 ? "" : "s");
	line(self, text);
	if (f->before.lanes) {
		tell_site(c, &f->before, "first", text, sizeof text);
		line(self, text);
	}
	tell_site(c, &f->here, f->before.lanes ? "then" : "at", text, sizeof text);
	line(self, text);
	snprintf(text, sizeof text, "  why: %s", wl_check_why(f->reason));
	line(self, text);
	snprintf(text, sizeof text, "  mend: %s", wl_check_mend(f->reason));
	line(self, text);
}
