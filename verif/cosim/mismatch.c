// SPDX-License-Identifier: Apache-2.0
/* mismatch.c -- the report of a mismatch. A '*' marks lines with two different sides. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "warplock/alu.h"
#include "warplock/sm.h"

static void field(const char *name, const char *fmt, uint32_t ref, uint32_t dut)
{
	char a[16], b[16];
	snprintf(a, sizeof a, fmt[0] == 'x' ? "0x%08x" : "%u", ref);
	snprintf(b, sizeof b, fmt[0] == 'x' ? "0x%08x" : "%u", dut);
	printf(" %c %-12s %-36s %-36s\n", ref != dut ? '*' : ' ', name, a, b);
}

/* A set of lanes, shown by the DUT beat by beat. REF stands at the event; all or some of the DUT's results may be known
 * already. `known` are the lanes complete on both sides. */
static void shown_field(const char *name, uint32_t ref, uint32_t dut, uint32_t known)
{
	char a[32], b[32];
	snprintf(a, sizeof a, "0x%08x%s", ref, known == UINT32_MAX ? "" : " so far");
	snprintf(b, sizeof b, "0x%08x%s", dut, known == UINT32_MAX ? "" : " so far");
	printf(" %c %-12s %-36s %-36s\n", (ref ^ dut) & known ? '*' : ' ', name, a, b);
}

/* Inactive lanes are known on both sides from the start. */
static uint32_t known_lanes(const struct complaint *c)
{
	return (c->dut_shown & (c->ref.committed | c->ref.faulted)) | ~c->ref.mask;
}

static void passes_field(const struct complaint *c)
{
	if (c->dut_shown == UINT32_MAX)
		field("passes", "u", c->ref.passes, c->dut.passes);
	else
		printf("   %-12s %-36u %u so far\n", "passes", c->ref.passes, c->dut.passes);
}

/* The words of an access, most significant first, then the numbers of a float format. */
static void words(const struct wl_inst *in, const struct wl_lane *v, unsigned size, char *buf, size_t n)
{
	const unsigned count = size > 4 ? size / 4 : 1;
	char numbers[WL_NUMBERS_TEXT];
	size_t at = (size_t)snprintf(buf, n, "0x");
	for (unsigned k = count; k-- > 0;)
		at += (size_t)snprintf(buf + at, n - at, "%08x", v->w[k]);
	if (wl_atomic_numbers(in, v->w, size, numbers, sizeof numbers))
		snprintf(buf + at, n - at, " %s", numbers);
}

static void lane_field(const struct complaint *c, const char *name, unsigned lane, const struct wl_lane *ref,
                       const struct wl_lane *dut, bool has_dut)
{
	char label[20], a[WL_NUMBERS_TEXT + 40], b[WL_NUMBERS_TEXT + 40] = "-";
	snprintf(label, sizeof label, "%s[%u]", name, lane);
	words(&c->req.inst, ref, c->ref.size, a, sizeof a);
	if (has_dut)
		words(&c->req.inst, dut, c->ref.size, b, sizeof b);
	printf(" %c %-12s %-36s %-36s\n", has_dut && strcmp(a, b) ? '*' : ' ', label, a, b);
}

/* Codes by name. The DUT's code of a lane is known once the DUT's record has come. */
static void fault_field(unsigned lane, unsigned ref, unsigned dut, bool has_dut)
{
	char label[20];
	snprintf(label, sizeof label, "fault[%u]", lane);
	printf(" %c %-12s %-36s %-36s\n", has_dut && ref != dut ? '*' : ' ', label, wl_fault_name((enum wl_fault)ref),
	       has_dut ? wl_fault_name((enum wl_fault)dut) : "-");
}

/* Banks hold 32-bit words. REF's value of a narrower access stands in the low bits, not at the bytes of the access. */
static bool comparable(const struct wl_record *r)
{
	return r->size >= 4;
}

static void lanes(const struct complaint *c)
{
	const struct wl_record *ref = &c->ref, *dut = &c->dut;
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t bit = UINT32_C(1) << l;
		if (!(ref->mask & bit))
			continue;
		if (ref->fault[l] || dut->fault[l])
			fault_field(l, ref->fault[l], dut->fault[l], (c->dut_shown & bit) != 0);
		if (!(ref->committed & bit))
			continue;
		printf("   lane %-2u      address 0x%04llx\n", l, (unsigned long long)ref->addr[l]);
		const bool stored = c->dut_stored & bit && comparable(ref);
		lane_field(c, "old", l, &ref->old[l], &dut->old[l], stored);
		lane_field(c, "new", l, &ref->now[l], &dut->now[l], stored);
		if ((ref->written | dut->written) & bit)
			lane_field(c, "result", l, &ref->result[l], &dut->result[l], (c->dut_shown & bit) != 0);
	}
}

void print_mismatch(const struct complaint *c, const struct options *o, const struct wl_program *program)
{
	printf("MISMATCH    %s, cycle %llu: %s\n", check_name(c->kind), (unsigned long long)c->cycle, c->text);
	if (c->has_req) {
		char text[WL_WHERE], hex[33];
		const struct wl_req *q = &c->req;
		if (wl_print(o->hw.arch, q->word, q->pc, text, sizeof text) < 0)
			snprintf(text, sizeof text, "?");
		wl_word_format(q->word, hex);
		printf("instruction %s   word %s\n", text, hex);
		const char *file;
		unsigned line;
		if (program && wl_program_line(program, q->pc / 16, &file, &line))
			printf("source      %s, line %u\n", file, line);
		const struct wl_place *at = program ? wl_program_place(program, q->pc / 16) : NULL;
		if (at && at->caller) {
			wl_place_chain(program->places, at, text, sizeof text);
			printf("inlined     %s\n", text);
		}
		printf("request     SM %u, CTA %u (slot %u), warp %u, n=%u, pc 0x%x, UR 0x%llx\n", q->tag.sm,
		       q->tag.cta, q->tag.slot, q->tag.warp, q->tag.n, q->pc, (unsigned long long)q->ur);
		printf("   %-12s %-36s %-36s\n", "", "REF (C model)", "DUT (RTL)");
		field("mask", "x", c->ref.mask, c->dut.mask);
		field("committed", "x", c->ref.committed, c->dut.committed);
		shown_field("written", c->ref.written, c->dut.written, known_lanes(c));
		shown_field("predicates", c->ref.preds, c->dut.preds, known_lanes(c));
		shown_field("faulted", c->ref.faulted, c->dut.faulted, known_lanes(c));
		passes_field(c);
		lanes(c);
	}
	printf("seed        %llu\nrepeat      %s\n", (unsigned long long)o->hw.seed, o->repeat);
}
