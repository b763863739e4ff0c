// SPDX-License-Identifier: Apache-2.0
#include "waits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "source_json.h"

enum { TEXT = 400 };

/* "BAR.SYNC 0x0 (hist.ptx, line 31)" */
static void place(const struct waits_view *v, const struct wl_waiting *g, char *buf, size_t n)
{
	const struct wl_program *p = v->program;
	const uint32_t i = g->pc / 16;
	char inst[160] = "the end of the code";
	if (i < p->ninst && wl_print(p->arch, p->words[i], g->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "an unknown word");
	const char *file;
	unsigned line;
	if (wl_program_line(p, i, &file, &line))
		snprintf(buf, n, "%s (%s, line %u)", inst, file, line);
	else
		snprintf(buf, n, "%s", inst);
}

static void set_number(json_t *o, const char *key, uint64_t v)
{
	json_object_set_new(o, key, json_integer((json_int_t)v));
}

static __attribute__((format(printf, 3, 4))) void set_text(json_t *o, const char *key, const char *format, ...)
{
	char buf[TEXT];
	va_list ap;
	va_start(ap, format);
	vsnprintf(buf, sizeof buf, format, ap);
	va_end(ap);
	json_t *s = json_string(buf);
	json_object_set_new(o, key, s ? s : json_string("?"));
}

/* ---- missing warps ---- */

/* The places of a warp's groups, in a line. */
static void where_is(const struct waits_view *v, const struct wl_waiting *at, unsigned warp, char *buf, size_t n)
{
	size_t len = 0;
	*buf = 0;
	for (unsigned i = 0; i < v->waits.n && len < n; i++) {
		const struct wl_waiting *g = &v->waits.group[i];
		char there[TEXT / 2], what[TEXT / 2];
		if (g->sm != at->sm || g->slot != at->slot || g->warp != warp)
			continue;
		place(v, g, there, sizeof there);
		wl_waiting_text(g, what, sizeof what);
		len += (size_t)snprintf(buf + len, n - len, "%slanes 0x%08x at pc 0x%x %s: %s", len ? "; " : "",
		                        g->lanes, g->pc, there, what);
	}
}

static void add_pc(const struct waits_view *v, uint32_t pc, json_t *o)
{
	const struct wl_program *p = v->program;
	set_text(o, "pc", "0x%x", pc);
	source_json(p, pc / 16, o);
}

static json_t *warps(uint64_t set)
{
	json_t *list = json_array();
	for (; set; set &= set - 1)
		json_array_append_new(list, json_integer(__builtin_ctzll(set)));
	return list;
}

/* The last ended phases, the newest first. */
static json_t *past(const struct wl_waiting *g)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < g->npast; i++)
		json_array_append_new(list, json_pack("{s:i s:o s:b}", "phase", (int)(g->phase - 1 - i), "warps",
		                                      warps(g->past[i]), "attended", (int)g->attended[i]));
	return list;
}

static json_t *missing(const struct waits_view *v, const struct wl_waiting *g)
{
	json_t *list = json_array();
	for (uint64_t left = g->missing; left; left &= left - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(left);
		char where[3 * TEXT];
		json_t *o = json_object();
		set_number(o, "warp", warp);
		where_is(v, g, warp, where, sizeof where);
		json_t *s = json_string(g->exited >> warp & 1 ? "exited" : where);
		json_object_set_new(o, "where", s ? s : json_string("?"));
		if (g->exited >> warp & 1)
			add_pc(v, g->exit_pc[warp], o);
		json_array_append_new(list, o);
	}
	return list;
}

/* ---- rows ---- */

static void add_rtl(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	struct waits_rtl r;
	if (!v->rtl || !v->rtl(v->self, g, &r))
		return;
	json_t *rtl = json_object();
	json_object_set_new(rtl, "waits", json_boolean(r.waits));
	if (g->what == WL_WAIT_BARRIER) { /* the other units' status ports have no counts */
		set_number(rtl, "arrived", r.arrived);
		set_number(rtl, "expected", r.expected);
	}
	json_object_set_new(o, "rtl", rtl);
}

/* Warps of all CTAs of the cluster; no missing warp has exited. */
static json_t *missing_at_cluster(const struct waits_view *v, const struct wl_waiting *g)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < v->waits.n; i++) {
		const struct wl_waiting *x = &v->waits.group[i];
		char where[3 * TEXT];
		bool first = x->cluster == g->cluster && !x->at_cluster;
		for (unsigned k = 0; k < i; k++)
			first &= v->waits.group[k].sm != x->sm || v->waits.group[k].warp_slot != x->warp_slot;
		if (!first)
			continue;
		json_t *o = json_object();
		set_number(o, "cta", x->cta);
		set_number(o, "warp", x->warp);
		where_is(v, x, x->warp, where, sizeof where);
		json_t *s = json_string(where);
		json_object_set_new(o, "where", s ? s : json_string("?"));
		json_array_append_new(list, o);
	}
	return list;
}

static void add_cluster(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	set_number(o, "cluster", g->cluster);
	set_number(o, "phase", g->phase);
	set_number(o, "arrived", g->arrived);
	set_number(o, "expected", g->expected);
	json_object_set_new(o, "missing", missing_at_cluster(v, g));
	add_rtl(v, g, o);
}

static void add_barrier(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	set_number(o, "id", g->id);
	if (g->what != WL_WAIT_BARRIER)
		return;
	set_number(o, "phase", g->phase);
	set_number(o, "arrived", g->arrived);
	set_number(o, "expected", g->expected);
	json_object_set_new(o, "missing", missing(v, g));
	json_object_set_new(o, "past", past(g));
	add_rtl(v, g, o);
}

static void add_registers(const struct wl_waiting *g, json_t *o)
{
	set_number(o, "asked", g->regs_asked);
	set_number(o, "held", g->regs_held);
	set_number(o, "pool", g->regs_free);
	set_number(o, "all", g->regs_all);
}

/* Arrivals in this phase, of each warp of the CTA with an arrival. */
static json_t *arrived_at(const struct wl_waiting *g)
{
	json_t *list = json_array();
	for (unsigned w = 0; w < 64; w++) {
		if (!g->from[w])
			continue;
		json_t *o = json_object();
		set_number(o, "warp", w);
		set_number(o, "arrivals", g->from[w]);
		json_array_append_new(list, o);
	}
	return list;
}

static void add_init(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	json_t *init = json_object();
	set_number(init, "warp", g->made.warp);
	add_pc(v, g->made.pc, init);
	json_object_set_new(o, "init", init);
}

static void add_mbarrier(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	set_text(o, "address", "0x%llx", (unsigned long long)g->addr);
	if (*g->object)
		set_text(o, "symbol", "%s", g->object);
	set_number(o, "phase", g->phase);
	set_number(o, "arrived", g->arrived);
	set_number(o, "expected", g->expected);
	set_number(o, "pending", g->expected - g->arrived);
	json_object_set_new(o, "bytes_outstanding", json_integer(g->tx));
	set_number(o, "copies", g->copies);
	set_number(o, "bytes_under_way", g->flying);
	if (g->asks_known)
		set_number(o, "asks", g->asks);
	if (g->phases_known)
		set_number(o, "phases_ended", g->phases);
	if (g->made.lanes)
		add_init(v, g, o);
	json_object_set_new(o, "last_by", warps(g->last_from));
	json_object_set_new(o, "from", arrived_at(g));
	json_object_set_new(o, "missing", missing(v, g));
	if (g->parked)
		add_rtl(v, g, o);
}

static void add_facts(const struct waits_view *v, const struct wl_waiting *g, json_t *o)
{
	char facts[3 * TEXT] = "";
	if (v->gpu)
		wl_waiting_facts(v->gpu, g, facts, sizeof facts);
	json_t *s = *facts ? json_string(facts + 2) : NULL; /* without the "; " in front */
	if (s)
		json_object_set_new(o, "facts", s);
}

static json_t *one(const struct waits_view *v, const struct wl_waiting *g)
{
	const struct wl_program *p = v->program;
	const uint32_t i = g->pc / 16;
	char inst[160], text[TEXT / 2];
	json_t *o = json_object();
	set_number(o, "sm", g->sm);
	set_number(o, "cta", g->cta);
	set_number(o, "warp", g->warp);
	set_text(o, "lanes", "0x%08x", g->lanes);
	set_text(o, "pc", "0x%x", g->pc);
	if (i < p->ninst && wl_print(p->arch, p->words[i], g->pc, inst, sizeof inst) >= 0)
		set_text(o, "instruction", "%s", inst);
	source_json(p, i, o);
	set_text(o, "what", "%s", wl_wait_name(g->what));
	wl_waiting_text(g, text, sizeof text);
	set_text(o, "text", "%s", text);
	if (g->what == WL_WAIT_BARRIER || g->what == WL_WAIT_LANES)
		add_barrier(v, g, o);
	if (g->what == WL_WAIT_CLUSTER)
		add_cluster(v, g, o);
	if (g->what == WL_WAIT_MBAR)
		add_mbarrier(v, g, o);
	if (g->what == WL_WAIT_REGISTERS)
		add_registers(g, o);
	add_facts(v, g, o);
	if (g->missing_lanes)
		set_text(o, "missing_lanes", "0x%08x", g->missing_lanes);
	if (g->what == WL_WAIT_BSYNC || g->what == WL_WAIT_WARPSYNC)
		add_rtl(v, g, o);
	if (g->what == WL_WAIT_SPIN && g->size) {
		set_text(o, "space", g->shared ? "shared" : "generic");
		set_text(o, "address", "0x%llx", (unsigned long long)g->addr);
		set_text(o, "value", "0x%llx", (unsigned long long)g->value);
		if (*g->numbers)
			set_text(o, "numbers", "%s", g->numbers);
	}
	return o;
}

json_t *waits_json(const struct waits_view *v)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < v->waits.n; i++)
		json_array_append_new(list, one(v, &v->waits.group[i]));
	return list;
}

json_t *waits_circle_json(const struct waits_view *v)
{
	json_t *list = v->waits.ncircle ? json_array() : NULL;
	for (unsigned i = 0; i < v->waits.ncircle; i++)
		json_array_append_new(list, json_integer(v->waits.circle[i]));
	return list;
}

bool waits_circle_text(const struct waits_view *v, char *buf, size_t n)
{
	const struct wl_waits *w = &v->waits;
	size_t len = 0;
	for (unsigned i = 0; i < w->ncircle && len < n; i++) {
		const struct wl_waiting *a = &w->group[w->circle[i]], *b = &w->group[w->circle[(i + 1) % w->ncircle]];
		char text[TEXT / 2];
		wl_waiting_text(a, text, sizeof text);
		len += (size_t)snprintf(buf + len, n - len, "%sCTA %u warp %u (%s) for ",
		                        i ? ", " : "they wait in a circle: ", a->cta, a->warp, text);
		if (len < n && a->cta != b->cta)
			len += (size_t)snprintf(buf + len, n - len, "CTA %u ", b->cta);
		if (len < n)
			len += (size_t)snprintf(buf + len, n - len, "warp %u", b->warp);
	}
	return w->ncircle != 0;
}

/* ---- the drawing ---- */

struct drawing {
	const struct waits_view *v;
	FILE *f;
};

/* At a drawn object. */
static bool at_node(const struct wl_waiting *g)
{
	return g->what == WL_WAIT_BARRIER || g->what == WL_WAIT_MBAR;
}

/* Barriers have lower numbers than mbarriers. */
static unsigned barrier_node(const struct wl_waiting *g)
{
	const unsigned cta = g->sm * WL_MAX_CTAS + g->slot;
	return g->what == WL_WAIT_MBAR ? 1u << 30 | cta << 16 | (unsigned)(g->addr / 8) : cta * WL_NAMED_BARS + g->id;
}

/* Place of the group in the circle, -1 = not in it. */
static int in_circle(const struct wl_waits *w, unsigned i)
{
	for (unsigned k = 0; k < w->ncircle; k++)
		if (w->circle[k] == i)
			return (int)k;
	return -1;
}

static bool red(const struct wl_waits *w, unsigned a, unsigned b)
{
	const int k = in_circle(w, a);
	return k >= 0 && w->circle[((unsigned)k + 1) % w->ncircle] == b;
}

/* Text between the quotes of a label. */
static void put_quoted(FILE *f, const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', f);
		putc(*s, f);
	}
}

static void draw_group(const struct drawing *d, unsigned i)
{
	const struct wl_waiting *g = &d->v->waits.group[i];
	char there[TEXT / 2], text[TEXT / 2];
	place(d->v, g, there, sizeof there);
	wl_waiting_text(g, text, sizeof text);
	fprintf(d->f, "\tg%u [label=\"CTA %u warp %u, lanes 0x%08x\\n", i, g->cta, g->warp, g->lanes);
	put_quoted(d->f, there);
	if (!at_node(g)) {
		fputs("\\n", d->f);
		put_quoted(d->f, text);
	}
	fprintf(d->f, "\"%s];\n", in_circle(&d->v->waits, i) >= 0 ? ", color=red" : "");
}

/* The first group of the groups at the same barrier draws the barrier, and the missing warps. */
static void draw_barrier(const struct drawing *d, unsigned first)
{
	const struct wl_waits *w = &d->v->waits;
	const struct wl_waiting *g = &w->group[first];
	const unsigned node = barrier_node(g);
	for (unsigned i = 0; i < first; i++)
		if (at_node(&w->group[i]) && barrier_node(&w->group[i]) == node)
			return;
	if (g->what == WL_WAIT_MBAR) {
		char text[TEXT / 2];
		wl_waiting_text(g, text, sizeof text);
		fprintf(d->f, "\tb%u [shape=ellipse, label=\"CTA %u: ", node, g->cta);
		put_quoted(d->f, text);
		fputs("\"];\n", d->f);
	} else {
		fprintf(d->f, "\tb%u [shape=ellipse, label=\"barrier %u of CTA %u\\n%u of %u threads", node, g->id,
		        g->cta, g->arrived, g->expected);
		if (g->npast)
			fprintf(d->f, "\\n%u phases ended before", g->phase);
		fputs("\"];\n", d->f);
	}
	for (uint64_t left = g->exited; left; left &= left - 1) {
		const unsigned warp = (unsigned)__builtin_ctzll(left);
		fprintf(d->f, "\tx%u_%u [label=\"warp %u has exited\", style=dashed];\n\tb%u -> x%u_%u;\n", node, warp,
		        warp, node, node, warp);
	}
	for (unsigned i = 0; i < w->n; i++) {
		bool in = false;
		if (!wl_waits_for(w, first, i))
			continue;
		for (unsigned k = 0; k < w->n; k++)
			in |= at_node(&w->group[k]) && barrier_node(&w->group[k]) == node && red(w, k, i);
		fprintf(d->f, "\tb%u -> g%u%s;\n", node, i, in ? " [color=red]" : "");
	}
}

static void draw_edges(const struct drawing *d, unsigned i)
{
	const struct wl_waits *w = &d->v->waits;
	const struct wl_waiting *g = &w->group[i];
	if (at_node(g)) {
		draw_barrier(d, i);
		fprintf(d->f, "\tg%u -> b%u%s;\n", i, barrier_node(g), in_circle(w, i) >= 0 ? " [color=red]" : "");
		return;
	}
	for (unsigned k = 0; k < w->n; k++)
		if (wl_waits_for(w, i, k))
			fprintf(d->f, "\tg%u -> g%u%s;\n", i, k, red(w, i, k) ? " [color=red]" : "");
}

bool waits_write_dot(const char *path, const struct waits_view *v, char *err, size_t errn)
{
	char *text = NULL;
	size_t size = 0;
	struct drawing d = {v, open_memstream(&text, &size)};
	if (!d.f) {
		snprintf(err, errn, "%s: no memory for the drawing", path);
		return false;
	}
	fputs("digraph waiting {\n\tnode [shape=box, fontname=monospace];\n", d.f);
	for (unsigned i = 0; i < v->waits.n; i++)
		draw_group(&d, i);
	for (unsigned i = 0; i < v->waits.n; i++)
		draw_edges(&d, i);
	fputs("}\n", d.f);
	const bool good = fclose(d.f) == 0 && file_write(path, text, size, err, errn);
	free(text);
	return good;
}
