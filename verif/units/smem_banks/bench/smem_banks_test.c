// SPDX-License-Identifier: Apache-2.0
/* Bench of smem_banks against an array: random reads and writes of all banks in every cycle on few rows, so that reads
 * meet writes of the same cycle.
 *
 *   smem_banks_test MODEL.so [SEED [CYCLES]] */
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../bench_main.h"
#include "pins/smem_banks.h"

struct banks {
	struct model model;
	PINS_MEMBERS(smem_banks);
	unsigned banks, row_bits;
	struct rng rng;
	uint32_t mem[65536 / 4]; /* word w lies in bank w mod banks, row w / banks */
	unsigned long reads, forwards, writes, errors;
};

static uint32_t below(struct banks *s, uint32_t n)
{
	return rng_below(&s->rng, n);
}

static void error(struct banks *s, const char *what, unsigned bank, uint32_t got, uint32_t want)
{
	if (s->errors++ < 10) {
		printf("%s, bank %u: %08x, expected %08x\n", what, bank, got, want);
	}
}

/* Expected results of the reads of a cycle, due in the next cycle. */
struct expected {
	uint32_t enabled, forwarded, data[32];
};

static void compare(struct banks *s, const struct expected *e)
{
	for (unsigned b = 0; b < s->banks; b++) {
		if (!(e->enabled >> b & 1)) {
			continue;
		}
		uint32_t got = pin_get(s->rd_data_o, b * 32, 32), fwd = pin_get(s->rd_fwd_o, b, 1);
		if (got != e->data[b]) {
			error(s, "read", b, got, e->data[b]);
		}
		if (fwd != (e->forwarded >> b & 1)) {
			error(s, "rd_fwd_o", b, fwd, e->forwarded >> b & 1);
		}
		s->reads++;
		s->forwards += fwd;
	}
}

/* A cycle of passes: reads see the memory after the writes of the same cycle. */
static void pass_cycle(struct banks *s, struct expected *e, uint32_t rows)
{
	uint32_t written[32], wrote = 0;
	for (unsigned b = 0; b < s->banks; b++) {
		uint32_t row = below(s, rows), value = below(s, UINT32_MAX), on = below(s, 3) != 0;
		pin_set(s->wr_en_i, b, 1, on);
		pin_set(s->wr_row_i, b * s->row_bits, s->row_bits, row);
		pin_set(s->wr_data_i, b * 32, 32, value);
		if (on) {
			s->mem[row * s->banks + b] = value;
			written[b] = row;
			wrote |= UINT32_C(1) << b;
			s->writes++;
		}
	}
	for (unsigned b = 0; b < s->banks; b++) {
		uint32_t row = below(s, rows), on = below(s, 3) != 0;
		pin_set(s->rd_en_i, b, 1, on);
		pin_set(s->rd_row_i, b * s->row_bits, s->row_bits, row);
		e->enabled |= on << b;
		e->data[b] = s->mem[row * s->banks + b];
		e->forwarded |= (uint32_t)((wrote >> b & 1) && written[b] == row) << b;
	}
}

static void tick(struct banks *s)
{
	*s->clk_i = 1;
	s->model.eval(s->model.self);
	*s->clk_i = 0;
	s->model.eval(s->model.self);
}

static void run(struct banks *s, unsigned long cycles)
{
	uint32_t words = 1u << s->row_bits;
	for (unsigned long i = 0; i < cycles; i++) {
		struct expected e = {0};
		uint32_t rows = i % 1024 < 900 ? 3 : words;
		pass_cycle(s, &e, rows);
		tick(s);
		compare(s, &e);
	}
}

/* Every word once, so that no unknown value is ever read. */
static void fill(struct banks *s)
{
	memset(s->rd_en_i, 0, (s->banks + 7) / 8);
	memset(s->wr_en_i, 0, (s->banks + 7) / 8);
	s->model.eval(s->model.self); /* with the clock low: a clock that begins high has no edge */
	for (uint32_t w = 0; w < s->banks << s->row_bits; w++) {
		uint32_t bank = w % s->banks;
		s->mem[w] = below(s, UINT32_MAX);
		pin_set(s->wr_en_i, bank, 1, 1);
		pin_set(s->wr_row_i, bank * s->row_bits, s->row_bits, w / s->banks);
		pin_set(s->wr_data_i, bank * 32, 32, s->mem[w]);
		tick(s);
		pin_set(s->wr_en_i, bank, 1, 0);
	}
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct banks s;
	s.model = a->model;
	s.rng = rng_seed(a->seed, 0);
	s.banks = model_param(&s.model, "Banks", 32);
	for (uint32_t rows = model_param(&s.model, "SmemBytes", 65536) / 4 / s.banks; rows > 1; rows /= 2) {
		s.row_bits++;
	}
	PINS_FIND(smem_banks, &s, &s.model);
	fill(&s);
	run(&s, a->count);
	printf("smem_banks: %u banks, %lu reads, %lu of them forwarded, %lu writes, %lu errors\n", s.banks, s.reads,
	       s.forwards, s.writes, s.errors);
	bool busy = s.forwards > s.reads / 10;
	if (!busy) {
		printf("too few forwarded reads\n");
	}
	return bench_good(s.errors == 0 && busy);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [CYCLES]]", .usual = 100000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
