// SPDX-License-Identifier: Apache-2.0
#include "barrier_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void bench_error(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (b->errors++ < 10) {
		printf("cycle %lu, port %u: %s is %" PRIx64 ", expected %" PRIx64 "\n", b->cycle, port, what, got,
		       want);
	}
}

void bench_expect(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want)
{
	if (got != want) {
		bench_error(b, what, port, got, want);
	}
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

static void edge(struct barrier_bench *b)
{
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->model.eval(b->model.self);
	b->cycle++;
}

void bench_cycle(struct barrier_bench *b)
{
	struct answer before[MAX_PORTS];
	bool asked = b->status_asked;
	unsigned slot = b->status_slot, id = b->status_id;
	for (unsigned p = 0; p < b->ports; p++) {
		drive_head(b, p);
		b->rsp_open[p] = !stall_now(&b->rsp_stall[p]);
		pin_set(b->rsp_ready_i, p, 1, b->rsp_open[p]);
		before[p] = b->port[p].answer;
	}
	ask_status(b);
	b->model.eval(b->model.self);
	if (b->lean) {
		lean_step(b);
	}
	check_idle(b, asked);
	check_status(b, asked, slot, id);
	check_judgements(b);
	check_pending(b);
	check_answers(b, before);
	bench_expect(b, "status_ready_o", 0, *b->status_ready_o, status_ready(b));
	b->status_asked = *b->status_ready_o && *b->status_valid_i;
	check_takes(b);
	if (b->lean) {
		lean_begin(b);
	}
	count_waiting_ctas(b);
	edge(b);
}

void bench_reset(struct barrier_bench *b)
{
	*b->rst_i = 1;
	*b->cta_valid_i = 0;
	/* during reset no request is taken; after reset a request may stand or not */
	pin_set(b->head_valid_i, 0, b->ports, below(b, 1u << b->ports));
	*b->status_valid_i = below(b, 2) != 0;
	b->model.eval(b->model.self);
	bench_expect(b, "head_ready_o in reset", 0, pin_get(b->head_ready_o, 0, b->ports), 0);
	bench_expect(b, "status_ready_o in reset", 0, *b->status_ready_o, 0);
	edge(b);
	*b->rst_i = 0;
	*b->head_valid_i = *b->status_valid_i = 0;
	memset(&b->ref, 0, sizeof b->ref);
	b->ref.barriers = b->barriers;
	memset(b->cta, 0, sizeof b->cta);
	memset(b->state, 0, sizeof b->state);
	memset(b->alive, 0, sizeof b->alive);
	memset(b->closed, 0, sizeof b->closed);
	memset(b->port, 0, sizeof b->port);
	memset(b->pending, 0, sizeof b->pending);
	memset(b->ended, 0, sizeof b->ended);
	b->status_asked = b->walk.busy = false;
}

void bench_stalls(struct barrier_bench *b, enum stall_kind head, enum stall_kind rsp)
{
	for (unsigned p = 0; p < b->ports; p++) {
		b->head_stall[p] = (struct stall){.kind = head, .rng = rng_seed(rng_next(&b->rng), p)};
		b->rsp_stall[p] = (struct stall){.kind = rsp, .rng = rng_seed(rng_next(&b->rng), p)};
	}
}

bool bench_busy(const struct barrier_bench *b)
{
	for (unsigned slot = 0; slot < b->slots; slot++) {
		if (b->alive[slot]) {
			return true;
		}
	}
	return false;
}

void bench_random_cycle(struct barrier_bench *b, bool launches)
{
	b->mixed = true;
	come_and_go(b, launches);
	write_scripts(b);
	bench_cycle(b);
}

static unsigned bits(unsigned values)
{
	unsigned n = 0;
	while (1u << n < values) {
		n++;
	}
	return n;
}

void bench_open(struct barrier_bench *b, const struct bench_args *a)
{
	b->model = a->model;
	b->rng = rng_seed(a->seed, 0);
	b->lean = strstr(a->path, "barrier_file_lean") != NULL;
	b->ports = model_param(&b->model, "Ports", 1);
	b->warps = model_param(&b->model, "Warps", 48);
	b->slots = model_param(&b->model, "Slots", 16);
	b->barriers = model_param(&b->model, "Barriers", 16);
	b->warp_bits = bits(b->warps);
	b->slot_bits = bits(b->slots);
	b->id_bits = bits(b->barriers);
	PINS_FIND(barrier_file, b, &b->model);
}
