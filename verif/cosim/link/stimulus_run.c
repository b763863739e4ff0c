// SPDX-License-Identifier: Apache-2.0
#include "stimulus_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "link.h"
#include "link_dut.h"
#include "stimulus.h"

enum {
	PATIENCE = 500,      /* questions without a retired request before the board is given up */
	COMMAND_WORDS = 256, /* of WRITE and READ */
	BOARD_BYTES = 4096   /* shared memory of every board of fpga/boards */
};

struct run {
	const struct options *o;
	const struct wl_config *hw;
	struct link *link;
	struct wl_units units;
	uint8_t *mem; /* of the C model */
	struct stimulus stimulus;
	struct stimulus_found expected, found;
	char why[600];
};

/* ---- expected results ---- */

static void predict(struct run *r)
{
	struct wl_req q = {.pc = 0};
	struct wl_atoms_plan plan;
	struct wl_record rec;
	stimulus_expect(&r->expected);
	for (uint64_t i = 0; i < r->o->count; i++) {
		stimulus_next(&r->stimulus, &q);
		wl_atoms_plan(&r->units.smem, &q, &plan);
		wl_atoms_start(&q, &plan, &rec);
		for (unsigned p = 0; p < plan.common.passes; p++)
			wl_atoms_apply(&r->units.smem, &q, &plan, plan.common.pass_lanes[p], &rec);
		wl_atoms_finish(&q, &plan, &rec);
		stimulus_count(&r->expected, r->hw->lanes, &plan.common, &rec);
	}
}

/* ---- the board ---- */

static uint32_t word_at(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool command(struct run *r, enum link_type type, const uint8_t *payload, unsigned n)
{
	if (link_command(r->link, type, payload, n))
		return true;
	snprintf(r->why, sizeof r->why, "%s", r->link->why);
	return false;
}

static bool result(struct run *r, unsigned first, unsigned n, uint32_t *words)
{
	uint8_t p[LINK_RESULT_BYTES];
	link_pack_result(p, &(struct link_result){.first = first, .words = n});
	if (!command(r, LINK_RESULT, p, sizeof p))
		return false;
	if (r->link->answer.n != 1 + 4 * n) {
		snprintf(r->why, sizeof r->why, "%s answers %u bytes instead of %u words", r->link->name,
		         r->link->answer.n - 1, n);
		return false;
	}
	for (unsigned i = 0; i < n; i++)
		words[i] = word_at(r->link->answer.payload + 1 + 4 * i);
	return true;
}

/* Does the board have a stimulus? Nothing else has been asked before, so a refusal says no. */
static bool has_stimulus(struct run *r)
{
	uint32_t running;
	if (result(r, 0, 1, &running))
		return true;
	if (r->link->answer.type == (LINK_REFUSED | LINK_ANSWER))
		snprintf(r->why, sizeof r->why, "%s has no on-chip stimulus", r->o->dut);
	return false;
}

static bool clear_memory(struct run *r)
{
	uint8_t p[LINK_WRITE_BYTES + 4 * COMMAND_WORDS] = {0};
	for (unsigned at = 0; at < r->hw->shared_bytes; at += 4 * COMMAND_WORDS) {
		link_pack_write(p, &(struct link_write){.address = at, .words = COMMAND_WORDS});
		if (!command(r, LINK_WRITE, p, sizeof p))
			return false;
	}
	return true;
}

static bool open_windows(struct run *r)
{
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++) {
		const struct wl_window *w = &r->units.smem.window[slot];
		uint8_t p[LINK_WINDOW_BYTES];
		link_pack_window(p, &(struct link_window){.slot = slot,
		                                          .open = 1,
		                                          .base = w->base,
		                                          .size = w->size,
		                                          .warps = STIMULUS_PER_SLOT,
		                                          .first = slot * STIMULUS_PER_SLOT,
		                                          .lanes = 32});
		if (!command(r, LINK_WINDOW, p, sizeof p))
			return false;
	}
	return true;
}

static bool fill_table(struct run *r)
{
	for (unsigned i = 0; i < STIMULUS_ENTRIES; i++) {
		const struct stimulus_entry *e = &r->stimulus.entry[i];
		uint8_t p[LINK_ENTRY_BYTES];
		link_pack_entry(p, &(struct link_entry){.index = i, .addresses = e->addresses});
		link_put(p + LINK_ENTRY_WORD, e->word.lo, 8);
		link_put(p + LINK_ENTRY_WORD + 8, e->word.hi, 8);
		if (!command(r, LINK_ENTRY, p, sizeof p))
			return false;
	}
	return true;
}

static bool start_board(struct run *r)
{
	uint8_t p[LINK_RUN_BYTES];
	link_pack_run(p,
	              &(struct link_run){.seed = (uint32_t)r->hw->seed, .requests = r->o->count, .arch = r->hw->arch});
	return has_stimulus(r) && command(r, LINK_RESET, NULL, 0) && clear_memory(r) && open_windows(r) &&
	       fill_table(r) && command(r, LINK_RUN, p, sizeof p);
}

/* Until the board has ended. */
static bool wait_for_board(struct run *r)
{
	uint32_t now[3] = {1}, retired = 0;
	for (unsigned quiet = 0; now[0]; quiet++) {
		if (!result(r, 0, 3, now))
			return false;
		if (now[2] != retired)
			quiet = 0;
		retired = now[2];
		if (quiet == PATIENCE) {
			snprintf(r->why, sizeof r->why, "the board stands still: %u requests given, %u retired", now[1],
			         retired);
			return false;
		}
	}
	return true;
}

static bool fetch(struct run *r)
{
	uint32_t w[8];
	if (!result(r, 0, 8, w) || !result(r, 16, STIMULUS_WARPS, r->found.sum))
		return false;
	r->found.given = w[1];
	r->found.retired = w[2];
	r->found.responses = w[3];
	r->found.commits = w[4];
	r->found.committed = w[5];
	r->found.clocks = w[6] | (uint64_t)w[7] << 32;
	return true;
}

/* ---- the comparison ---- */

static bool same(const char *what, uint32_t board, uint32_t model)
{
	if (board == model)
		return true;
	printf("MISMATCH    %s: board 0x%08x, C model 0x%08x\n", what, board, model);
	return false;
}

static bool same_sums(const struct run *r)
{
	unsigned wrong = 0, first = 0;
	for (unsigned w = STIMULUS_WARPS; w-- > 0;)
		if (r->found.sum[w] != r->expected.sum[w]) {
			wrong++;
			first = w;
		}
	if (wrong)
		printf("MISMATCH    sums of %u warps; warp %u: board 0x%08x, C model 0x%08x\n", wrong, first,
		       r->found.sum[first], r->expected.sum[first]);
	return !wrong;
}

/* False with r->why: the board could not be asked. */
static bool same_memory(struct run *r, bool *good)
{
	for (unsigned at = 0; at < r->hw->shared_bytes; at += 4 * COMMAND_WORDS) {
		uint8_t p[LINK_READ_BYTES];
		link_pack_read(p, &(struct link_read){.address = at, .words = COMMAND_WORDS});
		if (!command(r, LINK_READ, p, sizeof p))
			return false;
		for (unsigned i = 0; i < COMMAND_WORDS && *good; i++) {
			char what[40];
			snprintf(what, sizeof what, "shared memory at 0x%04x", at + 4 * i);
			*good = same(what, word_at(r->link->answer.payload + 1 + 4 * i), word_at(r->mem + at + 4 * i));
		}
	}
	return true;
}

static void say(const char *what, const struct stimulus_found *f)
{
	uint32_t sum = 0;
	for (unsigned w = 0; w < STIMULUS_WARPS; w++)
		sum += f->sum[w];
	printf("%-11s CRC of responses 0x%08x, of COMMITs 0x%08x, sum of all warps 0x%08x\n", what, f->responses,
	       f->committed, sum);
}

static int judge(struct run *r)
{
	const struct stimulus_found *f = &r->found, *e = &r->expected;
	printf("stimulus    %s, sm_%d, seed %llu, %u lanes, %u banks: %u requests, %u COMMITs in %llu clocks (%.2f a "
	       "request)\n",
	       r->o->dut, (int)r->hw->arch, (unsigned long long)r->hw->seed, r->hw->lanes, r->hw->banks, f->retired,
	       f->commits, (unsigned long long)f->clocks, (double)f->clocks / f->retired);
	say("found", f);
	bool good = same("requests given", f->given, e->given);
	good &= same("requests retired", f->retired, e->retired);
	good &= same("COMMITs", f->commits, e->commits);
	good &= same("CRC of responses", f->responses, e->responses);
	good &= same("CRC of COMMITs", f->committed, e->committed);
	good &= same_sums(r);
	bool memory = true;
	if (!same_memory(r, &memory)) {
		fprintf(stderr, "wlcosim: %s\n", r->why);
		return EXIT_BAD;
	}
	if (!good || !memory)
		return EXIT_BAD;
	puts("no mismatch");
	return EXIT_GOOD;
}

/* CTA windows as in a random run: equal shares. */
static bool open_model(struct run *r)
{
	const uint32_t share = r->hw->shared_bytes / WL_MAX_CTAS;
	r->mem = calloc(1, r->hw->shared_bytes);
	if (!r->mem)
		return false;
	wl_units_init(&r->units, r->hw, r->mem);
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++)
		wl_units_open(&r->units, &(struct wl_cta_start){.slot = slot,
		                                                .cta = slot,
		                                                .base = slot * share,
		                                                .size = share,
		                                                .first_warp = slot * STIMULUS_PER_SLOT,
		                                                .warps = STIMULUS_PER_SLOT,
		                                                .threads = STIMULUS_PER_SLOT * WL_WARP_LANES});
	memset(r->mem, 0, r->hw->shared_bytes);
	return true;
}

/* Without a board: the results expected of a board. */
static int foretell(struct run *r)
{
	const struct stimulus_found *e = &r->expected;
	int status = EXIT_BAD;
	snprintf(r->why, sizeof r->why, "out of memory");
	if (open_model(r) &&
	    stimulus_start(&r->stimulus, r->hw->arch, r->hw->lanes, (uint32_t)r->hw->seed, r->why, sizeof r->why)) {
		predict(r);
		printf("stimulus    C model, sm_%d, seed %llu, %u lanes, %u banks: %u requests, %u COMMITs\n",
		       (int)r->hw->arch, (unsigned long long)r->hw->seed, r->hw->lanes, r->hw->banks, e->retired,
		       e->commits);
		say("expected", e);
		status = EXIT_GOOD;
	} else {
		fprintf(stderr, "wlcosim: %s\n", r->why);
	}
	free(r->mem);
	return status;
}

int run_stimulus(const struct options *o)
{
	static struct run r; /* large */
	struct options with = *o;
	struct model model;
	int status = EXIT_BAD;
	memset(&r, 0, sizeof r);
	r.o = &with;
	r.hw = &with.hw;
	if (o->count > UINT32_MAX) {
		fprintf(stderr, "wlcosim: a board's stimulus makes 4294967295 requests at most\n");
		return EXIT_MISUSE;
	}
	if (strcmp(o->dut, "model") == 0) {
		with.hw.shared_bytes = BOARD_BYTES;
		return foretell(&r);
	}
	if (!open_dut(&model, &with, &with.hw, 1u << WL_UNIT_atoms_pipe, r.why, sizeof r.why)) {
		fprintf(stderr, "wlcosim: %s\n", r.why);
		return EXIT_BAD;
	}
	r.link = dut_link();
	snprintf(r.why, sizeof r.why, "out of memory");
	if (open_model(&r) &&
	    stimulus_start(&r.stimulus, r.hw->arch, r.hw->lanes, (uint32_t)r.hw->seed, r.why, sizeof r.why) &&
	    start_board(&r)) {
		predict(&r); /* while the board runs */
		if (wait_for_board(&r) && fetch(&r)) {
			*r.why = 0;
			status = judge(&r);
		}
	}
	if (*r.why)
		fprintf(stderr, "wlcosim: %s\n", r.why);
	close_dut(&model, &with);
	free(r.mem);
	return status;
}
