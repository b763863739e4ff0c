// SPDX-License-Identifier: Apache-2.0
/* monitor.c -- monitor.h over mon.h: tags of the bench's choice, instructions as text, answers in words. */
#include "monitor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mon_unit.h"
#include "warplock/config_check.h"
#include "warplock/unit.h"

#define COSIM_UNIT(name) extern const struct mon_unit mon_##name;
#include "cosim_units.inc"
#undef COSIM_UNIT
static const struct mon_unit *const parts[] = {
#define COSIM_UNIT(name) &mon_##name,
#include "cosim_units.inc"
#undef COSIM_UNIT
};
enum { PARTS = sizeof parts / sizeof parts[0] };

struct open_tag {
	bool used;
	uint32_t tag;
	struct wl_tag at;
};

struct wl_monitor {
	struct mon *mon;
	struct wl_config config;
	uint64_t warps[WL_MAX_CTAS]; /* of each CTA; 0: no CTA */
	uint32_t issued[WL_MAX_WARPS];
	struct open_tag open[MON_LIVE];
	struct wl_req next;
	char why[400];
};

static _Thread_local char open_error[400];

const char *wl_monitor_open_error(void)
{
	return open_error;
}

const char *wl_monitor_why(const struct wl_monitor *m)
{
	return m->why;
}

char wl_monitor_rule(const struct wl_monitor *m)
{
	return mon_complaint(m->mon)->rule;
}

/* ---- parameters ---- */

struct parameters {
	struct wl_config config;
	unsigned latency, lean;
	char rules[sizeof MON_RULES];
};

static bool refuse(const char *key, const char *value, const char *expected)
{
	snprintf(open_error, sizeof open_error, "parameter %.40s=%.60s: expected %s", key, value, expected);
	return false;
}

static bool number(const char *key, const char *value, unsigned most, unsigned *to)
{
	char *end, expected[40];
	const unsigned long v = strtoul(value, &end, 0);
	snprintf(expected, sizeof expected, "a number from 0 to %u", most);
	if (*value < '0' || *value > '9' || *end || v > most)
		return refuse(key, value, expected);
	*to = (unsigned)v;
	return true;
}

static bool set(struct parameters *p, char *text)
{
	struct wl_config *c = &p->config;
	const struct {
		const char *key;
		unsigned most, *to;
	} numbers[] = {{"lanes", 32, &c->lanes},
	               {"combine", 2, &c->combine},
	               {"native", 1, &c->native},
	               {"latency", 1000000, &p->latency},
	               {"lean", 1, &p->lean}};
	char *value = strchr(text, '=');
	if (value)
		*value++ = 0;
	for (unsigned i = 0; value && i < sizeof numbers / sizeof numbers[0]; i++)
		if (!strcmp(text, numbers[i].key))
			return number(text, value, numbers[i].most, numbers[i].to);
	if (value && !strcmp(text, "arch")) {
		c->arch = wl_arch_parse(value, NULL);
		c->chip = wl_chip_parse(value, NULL);
		return c->arch || refuse(text, value, "one of " WL_CHIP_NAMES);
	}
	if (value && !strcmp(text, "rules")) {
		if (!*value || strspn(value, MON_RULES) != strlen(value) || strlen(value) > strlen(MON_RULES))
			return refuse(text, value, "letters of " MON_RULES);
		snprintf(p->rules, sizeof p->rules, "%s", value);
		return true;
	}
	snprintf(open_error, sizeof open_error,
	         "parameter '%.60s' is unknown; there are arch=, lanes=, combine=, native=, latency=, lean=, rules=",
	         text);
	return false;
}

static bool read_parameters(struct parameters *p, const char *text)
{
	char copy[400], *save = NULL;
	*p = (struct parameters){.config = wl_config_default(), .rules = MON_RULES};
	if (snprintf(copy, sizeof copy, "%s", text ? text : "") >= (int)sizeof copy) {
		snprintf(open_error, sizeof open_error, "parameters: at most %zu characters", sizeof copy - 1);
		return false;
	}
	for (char *word = strtok_r(copy, " ,", &save); word; word = strtok_r(NULL, " ,", &save))
		if (!set(p, word))
			return false;
	return wl_config_check(&p->config, open_error, sizeof open_error) == WL_OK;
}

struct wl_monitor *wl_monitor_open(const char *parameters)
{
	struct parameters p;
	if (!read_parameters(&p, parameters))
		return NULL;
	struct wl_monitor *m = calloc(1, sizeof *m);
	if (m)
		m->mon = mon_new(p.config.lanes, p.config.combine, parts, PARTS);
	if (!m || !m->mon) {
		snprintf(open_error, sizeof open_error, "no memory for a monitor");
		free(m);
		return NULL;
	}
	m->config = p.config;
	mon_native(m->mon, p.config.native);
	mon_lean(m->mon, p.lean);
	mon_reports(m->mon, m->config.arch == WL_SM107);
	mon_memory(m->mon, p.latency);
	mon_rules(m->mon, p.rules);
	return m;
}

void wl_monitor_close(struct wl_monitor *m)
{
	if (m)
		mon_free(m->mon);
	free(m);
}

/* ---- answers ---- */

/* After every call about the hardware: the first breach, if any. */
static int answer(struct wl_monitor *m)
{
	const struct mon_complaint *c = mon_complaint(m->mon);
	m->why[0] = 0;
	if (!c->rule)
		return WL_MONITOR_LEGAL;
	size_t n = (size_t)snprintf(m->why, sizeof m->why, "rule %c: slot %u, warp %u, n=%u: %s", c->rule, c->tag.slot,
	                            c->tag.warp, c->tag.n, c->text);
	if (c->lanes && n < sizeof m->why)
		snprintf(m->why + n, sizeof m->why - n, " (lanes 0x%08x)", c->lanes);
	return WL_MONITOR_ILLEGAL;
}

static int misuse(struct wl_monitor *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int misuse(struct wl_monitor *m, const char *format, ...)
{
	if (mon_complaint(m->mon)->rule)
		return answer(m); /* the breach stays */
	va_list ap;
	va_start(ap, format);
	vsnprintf(m->why, sizeof m->why, format, ap);
	va_end(ap);
	return WL_MONITOR_MISUSE;
}

/* misuse has given the reason, or the first breach. */
static int refused(const struct wl_monitor *m)
{
	return mon_complaint(m->mon)->rule ? WL_MONITOR_ILLEGAL : WL_MONITOR_MISUSE;
}

/* ---- CTAs ---- */

static bool slot_is_bad(struct wl_monitor *m, uint32_t slot, bool taken)
{
	if (slot >= WL_MAX_CTAS)
		misuse(m, "slot %u: expected 0..%u", slot, WL_MAX_CTAS - 1);
	else if (!m->warps[slot] == taken)
		misuse(m, "slot %u has %s CTA", slot, taken ? "no" : "a");
	else
		return false;
	return true;
}

int wl_monitor_cluster(struct wl_monitor *m, uint32_t slot, uint32_t cluster, uint32_t rank)
{
	if (slot_is_bad(m, slot, false))
		return refused(m);
	if (cluster >= WL_MAX_CTAS || rank >= WL_MAX_CLUSTER)
		return misuse(m, "cluster %u, rank %u: expected 0..15 of each", cluster, rank);
	mon_cluster(m->mon, slot, cluster, rank);
	return answer(m);
}

int wl_monitor_start_cta(struct wl_monitor *m, uint32_t slot, uint32_t first_warp, uint32_t warps, uint32_t lanes,
                         uint32_t base, uint32_t bytes)
{
	if (slot_is_bad(m, slot, false))
		return refused(m);
	if (!warps || first_warp >= WL_MAX_WARPS || warps > WL_MAX_WARPS - first_warp)
		return misuse(m, "warps %u from %u on: expected some of 0..%u", warps, first_warp, WL_MAX_WARPS - 1);
	if (!lanes || lanes > WL_WARP_LANES)
		return misuse(m, "lanes of the last warp: expected 1..32, found %u", lanes);
	const uint64_t set = (~UINT64_C(0) >> (64 - warps)) << first_warp;
	for (unsigned s = 0; s < WL_MAX_CTAS; s++)
		if (m->warps[s] & set)
			return misuse(m, "slot %u has some of the warps %u..%u", s, first_warp, first_warp + warps - 1);
	m->warps[slot] = set;
	memset(&m->issued[first_warp], 0, warps * sizeof *m->issued);
	mon_launch(m->mon, slot, first_warp, lanes);
	mon_window(m->mon, slot, bytes, true, warps);
	mon_base(m->mon, slot, base);
	return answer(m);
}

int wl_monitor_end_cta(struct wl_monitor *m, uint32_t slot)
{
	if (slot_is_bad(m, slot, true))
		return refused(m);
	for (unsigned i = 0; i < MON_LIVE; i++)
		if (m->open[i].used && m->open[i].at.slot == slot)
			return misuse(m, "slot %u: tag %u is open", slot, m->open[i].tag);
	m->warps[slot] = 0;
	mon_window(m->mon, slot, 0, false, 0);
	return answer(m);
}

/* ---- requests ---- */

static struct open_tag *find(struct wl_monitor *m, uint32_t tag)
{
	for (unsigned i = 0; i < MON_LIVE; i++)
		if (m->open[i].used && m->open[i].tag == tag)
			return &m->open[i];
	misuse(m, "tag %u: no open request has this tag", tag);
	return NULL;
}

int wl_monitor_operand(struct wl_monitor *m, uint32_t source, uint32_t lane, uint32_t word, uint32_t value)
{
	if (source > 3 || lane >= WL_WARP_LANES || word >= (source == 0 || source == 3 ? 2u : 4u))
		return misuse(m, "operand: source %u, lane %u, word %u: expected source 0..3, lane 0..31, a word of it",
		              source, lane, word);
	struct wl_req *req = &m->next;
	uint64_t *wide = source == 3 ? &req->ur : &req->ra[lane];
	if (source == 1 || source == 2)
		(source == 1 ? req->rb : req->rc)[lane].w[word] = value;
	else
		*wide = (*wide & ~(UINT64_C(0xffffffff) << 32 * word)) | (uint64_t)value << 32 * word;
	return WL_MONITOR_LEGAL;
}

static int read_instruction(struct wl_monitor *m, struct wl_req *req, const char *text, uint32_t preds)
{
	char why[sizeof m->why / 2];
	if (wl_assemble(m->config.arch, text, 0, &req->word, why, sizeof why) != WL_OK)
		return misuse(m, "instruction '%.100s': %s", text, why);
	if (wl_decode(m->config.arch, req->word, &req->inst) != WL_OK || wl_req_unit(req) == WL_UNIT_FRONT)
		return misuse(m, "instruction '%.100s' is for none of the units", text);
	if ((req->inst.guard & 7) != WL_PT)
		return misuse(m, "instruction '%.100s' has a guard: expected the mask alone to name the lanes", text);
	req->posted = req->inst.uop == WL_UOP_EXIT || wl_inst_posted(&req->inst);
	req->header = wl_req_unit(req) == WL_UNIT_barrier_file;
	req->pred = (req->inst.ps[0] & 7) != WL_PT ? preds : req->inst.ps[0] & 8 ? 0 : UINT32_MAX;
	return WL_MONITOR_LEGAL;
}

int wl_monitor_request(struct wl_monitor *m, uint32_t tag, uint32_t slot, uint32_t warp, const char *instruction,
                       uint32_t mask, uint32_t preds)
{
	struct wl_req *req = &m->next;
	struct open_tag *o = m->open;
	if (slot_is_bad(m, slot, true))
		return refused(m);
	if (warp >= WL_MAX_WARPS || !(m->warps[slot] >> warp & 1))
		return misuse(m, "warp %u does not belong to the CTA of slot %u", warp, slot);
	if (!mask)
		return misuse(m, "mask 0: expected an active lane");
	if (find(m, tag))
		return misuse(m, "tag %u: a request with this tag is open", tag);
	while (o < m->open + MON_LIVE && o->used)
		o++;
	if (o == m->open + MON_LIVE)
		return misuse(m, "%u requests are open, which are as many as there can be", MON_LIVE);
	if (read_instruction(m, req, instruction, preds) != WL_MONITOR_LEGAL)
		return refused(m);
	req->tag = (struct wl_tag){.slot = (uint16_t)slot, .warp = warp, .n = m->issued[warp]++};
	req->mask = mask;
	if (req->header) {
		req->ra[0] = req->ra[__builtin_ctz(mask)];
		req->rb[0] = req->rb[__builtin_ctz(mask)];
	}
	*o = (struct open_tag){true, tag, req->tag};
	mon_accept(m->mon, req);
	memset(req, 0, sizeof *req);
	return answer(m);
}

/* ---- events ---- */

static int tell(struct wl_monitor *m, uint32_t tag, enum wl_event_kind kind, uint32_t lanes, uint32_t fault)
{
	struct open_tag *o = find(m, tag);
	if (!o)
		return refused(m);
	mon_event(m->mon,
	          &(struct wl_event){.kind = kind, .tag = o->at, .lanes = lanes, .fault = (enum wl_fault)fault});
	if (kind == WL_EV_RETIRE || kind == WL_EV_CHOICE)
		o->used = false;
	return answer(m);
}

int wl_monitor_commit(struct wl_monitor *m, uint32_t tag, uint32_t lanes)
{
	return tell(m, tag, WL_EV_COMMIT, lanes, 0);
}

int wl_monitor_fault(struct wl_monitor *m, uint32_t tag, uint32_t lanes, uint32_t fault)
{
	if (!fault || fault >= WL_FAULT_COUNT)
		return misuse(m, "fault %u: expected a number of units.def", fault);
	return tell(m, tag, WL_EV_FAULT, lanes, fault);
}

int wl_monitor_exit(struct wl_monitor *m, uint32_t tag)
{
	return tell(m, tag, WL_EV_EXIT, 0, 0);
}

int wl_monitor_retire(struct wl_monitor *m, uint32_t tag)
{
	return tell(m, tag, WL_EV_RETIRE, 0, 0);
}

int wl_monitor_give_up(struct wl_monitor *m, uint32_t tag)
{
	return tell(m, tag, WL_EV_CHOICE, 0, 0);
}

/* The youngest request of a warp is the waiting request. */
static void free_youngest(struct wl_monitor *m, unsigned warp)
{
	struct open_tag *last = NULL;
	for (struct open_tag *o = m->open; o < m->open + MON_LIVE; o++)
		if (o->used && o->at.warp == warp && (!last || o->at.n > last->at.n))
			last = o;
	if (last)
		last->used = false;
}

int wl_monitor_release(struct wl_monitor *m, const char *unit, uint32_t slot, uint32_t id, uint64_t warps)
{
	if (slot_is_bad(m, slot, true))
		return refused(m);
	if (warps >> WL_MAX_WARPS || id > UINT16_MAX)
		return misuse(m, "release: warps 0x%llx, id %u: expected 48 bits and 16 bits",
		              (unsigned long long)warps, id);
	for (unsigned i = 0; i < PARTS; i++) {
		if (strcmp(unit, wl_unit_name(parts[i]->unit)))
			continue;
		mon_event(m->mon, &(struct wl_event){.kind = WL_EV_RELEASE,
		                                     .unit = parts[i]->unit,
		                                     .tag = {.slot = (uint16_t)slot},
		                                     .id = (uint16_t)id,
		                                     .warps = warps});
		for (uint64_t left = warps; left; left &= left - 1)
			free_youngest(m, (unsigned)__builtin_ctzll(left));
		return answer(m);
	}
	return misuse(m, "unit '%.60s' is unknown", unit);
}

int wl_monitor_owed(struct wl_monitor *m, uint32_t tag)
{
	const struct open_tag *o = find(m, tag);
	if (!o)
		return refused(m);
	mon_owed(m->mon, &o->at);
	return answer(m);
}

int wl_monitor_cycle(struct wl_monitor *m, int stalled)
{
	mon_cycle(m->mon, stalled != 0);
	return answer(m);
}

int wl_monitor_end(struct wl_monitor *m)
{
	mon_end(m->mon);
	return answer(m);
}
