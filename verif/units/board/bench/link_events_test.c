// SPDX-License-Identifier: Apache-2.0
/* link_events_test.c -- snapshots at the input against the bytes at the output: any set of kept bytes, rows of results
 * present or missing, a host with random readiness; at last a snapshot and a row too many.
 *
 *   link_events_test MODEL.so [SEED [CYCLES]]
 *
 * The first eight bytes of a snapshot name the kept bytes. */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../bench_main.h"
#include "pins/link_events.h"

enum { ROW = 16, MOST_BYTES = 64, MOST_SHOTS = 64 };

struct shot {
	uint8_t data[MOST_BYTES]; /* output form, with rows */
	uint64_t keep;
	unsigned rows; /* rows needed by the snapshot */
};

struct bench {
	struct model model;
	struct rng rng;
	PINS_MEMBERS(link_events);
	unsigned bytes, rows, rows_at, depth;
	struct shot shots[MOST_SHOTS]; /* snapshots inside: pushed, and not yet out */
	unsigned first, n, rows_in;
	unsigned at; /* position in the first snapshot */
	unsigned long wrong, ended, kept, empty_ends, early_ends, together, dense;
};

static unsigned data_bytes(const struct bench *b)
{
	return b->bytes - ROW * b->rows;
}

static void clock_edge(struct bench *b)
{
	b->model.eval(b->model.self);
	/* keep_i is a function of the next snapshot, without delay */
	memcpy(b->keep_i, b->next_o, 8);
	const uint64_t mask = b->bytes < 64 ? (UINT64_C(1) << b->bytes) - 1 : UINT64_MAX;
	uint64_t keep;
	memcpy(&keep, b->keep_i, 8);
	keep &= mask;
	memcpy(b->keep_i, &keep, 8);
	b->model.eval(b->model.self);
}

static void error(struct bench *b, const char *what)
{
	if (b->wrong++ < 10)
		printf("snapshot %lu, byte %u: %s\n", b->ended, b->at, what);
}

/* Checks the outputs of this cycle. */
static void watch(struct bench *b)
{
	struct shot *s = &b->shots[b->first % MOST_SHOTS];
	if (*b->valid_o && *b->ready_i) {
		while (b->at < b->bytes && !(s->keep >> b->at & 1))
			b->at++;
		if (b->n == 0 || b->at >= b->bytes)
			error(b, "a byte too many");
		else if (*b->byte_o != s->data[b->at])
			error(b, "another value than went in");
		b->at++;
		b->kept++;
	}
	if (*b->end_o) {
		if (b->n == 0 || (b->at < 64 && s->keep >> b->at))
			error(b, "ends too early");
		b->ended++;
		b->empty_ends += s->keep == 0;
		b->early_ends += b->at > b->rows_at && b->at < b->rows_at + ROW * b->rows;
		b->rows_in -= s->rows;
		b->first++;
		b->n--;
		b->at = 0;
	}
	if (b->n > 0 && !*b->more_o && !*b->end_o)
		error(b, "forgotten");
}

static void tick(struct bench *b)
{
	clock_edge(b);
	if (!*b->rst_i)
		watch(b);
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	*b->push_i = 0;
	*b->row_push_i = 0;
}

static void new_shot(struct bench *b, struct shot *s)
{
	for (unsigned i = 0; i < MOST_BYTES; i++)
		s->data[i] = (uint8_t)rng_next(&b->rng);
	const uint64_t mask = b->bytes < 64 ? (UINT64_C(1) << b->bytes) - 1 : UINT64_MAX;
	const uint64_t sets[] = {0, rng_next(&b->rng), rng_next(&b->rng) & rng_next(&b->rng) & rng_next(&b->rng),
	                         UINT64_MAX, UINT64_MAX >> rng_below(&b->rng, 64)};
	s->keep = sets[rng_below(&b->rng, 5)] & mask;
	for (unsigned r = 0; r < b->rows; r++)
		if (rng_one_in(&b->rng, 2))
			s->keep &= ~(UINT64_C(0xffff) << (b->rows_at + r * ROW));
	memcpy(s->data, &s->keep, 8);
	s->rows = 0;
	for (unsigned r = 0; r < b->rows; r++)
		s->rows += (s->keep >> (b->rows_at + r * ROW) & 0xffff) != 0;
}

static void put_shot(struct bench *b, const struct shot *s)
{
	memcpy(b->data_i, s->data, b->rows_at);
	memcpy(b->data_i + b->rows_at, s->data + b->rows_at + b->rows * ROW, data_bytes(b) - b->rows_at);
	*b->push_i = 1;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	struct bench b = {0};
	b.model = a->model;
	b.rng = rng_seed(a->seed, 0);
	b.bytes = model_param(&b.model, "Bytes", 60);
	b.rows = model_param(&b.model, "Rows", 2);
	b.rows_at = model_param(&b.model, "RowsAt", 12);
	b.depth = 1u << model_param(&b.model, "DepthBits", 3);
	if (b.bytes > MOST_BYTES || b.depth >= MOST_SHOTS || b.rows_at < 8 || b.rows * 2 > b.depth) {
		bench_refuse("at most %d bytes and %d snapshots", MOST_BYTES, MOST_SHOTS / 2);
	}
	PINS_FIND(link_events, &b, &b.model);
	*b.rst_i = 1;
	tick(&b);
	tick(&b);
	*b.rst_i = 0;

	struct shot s;
	bool busy = false;
	unsigned row = 0, pace = 1;
	for (unsigned long c = 0; c < a->count; c++) {
		if (c % 500 == 0)
			pace = 1 + (unsigned)rng_below(&b.rng, 4);
		*b.ready_i = !rng_one_in(&b.rng, pace + 1);
		if (!busy && rng_one_in(&b.rng, pace)) {
			new_shot(&b, &s);
			busy = true;
			row = 0;
		}
		if (busy && b.n < b.depth && b.rows_in + s.rows <= b.depth) {
			while (row < b.rows && !(s.keep >> (b.rows_at + row * ROW) & 0xffff))
				row++;
			if (row < b.rows) {
				memcpy(b.row_i, s.data + b.rows_at + row++ * ROW, ROW);
				*b.row_push_i = 1;
				while (row < b.rows && !(s.keep >> (b.rows_at + row * ROW) & 0xffff))
					row++;
			}
			if (row == b.rows && (!*b.row_push_i || rng_one_in(&b.rng, 2))) {
				b.together += *b.row_push_i;
				put_shot(&b, &s);
			}
		}
		const bool goes = *b.push_i;
		tick(&b);
		if (goes) { /* seen from the next cycle on */
			b.shots[(b.first + b.n++) % MOST_SHOTS] = s;
			b.rows_in += s.rows;
			b.dense += b.n == b.depth;
			busy = false;
		}
	}
	*b.ready_i = 1;
	for (unsigned i = 0; i < 100 * b.depth; i++)
		tick(&b);
	if (b.n || *b.more_o || *b.lost_o)
		error(&b, "left behind");

	unsigned lost = 0;
	for (unsigned what = 0; what < 2; what++) {
		*b.rst_i = 1;
		tick(&b);
		*b.rst_i = 0;
		*b.ready_i = 0;
		for (unsigned i = 0; i <= b.depth; i++) {
			if (*b.lost_o)
				error(&b, "lost too early");
			memset(b.data_i, 0xff, data_bytes(&b));
			*b.push_i = what == 0;
			*b.row_push_i = what == 1;
			b.n = b.rows_in = b.at = 0;
			b.model.eval(b.model.self);
			memcpy(b.keep_i, b.next_o, 8);
			b.model.eval(b.model.self);
			*b.clk_i = 1;
			b.model.eval(b.model.self);
			*b.clk_i = 0;
			*b.push_i = *b.row_push_i = 0;
		}
		b.model.eval(b.model.self);
		lost += *b.lost_o;
	}
	printf("%lu snapshots, %lu of no byte, %lu that end among their rows, %lu that come with their last row, %lu "
	       "times full; %lu bytes; "
	       "%u of 2 overflows told\n",
	       b.ended, b.empty_ends, b.early_ends, b.together, b.dense, b.kept, lost);
	return bench_good(b.wrong == 0 && lost == 2 && b.empty_ends && b.early_ends && b.together && b.dense);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [CYCLES]]", .usual = 200000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
