/* SPDX-License-Identifier: Apache-2.0
 * barrier_parts.h -- private: shared declarations of the files of barrier_bench. */
#ifndef BARRIER_PARTS_H
#define BARRIER_PARTS_H

#include "barrier_bench.h"

/* Counts an error, and prints the first ten. */
void bench_error(struct barrier_bench *b, const char *what, unsigned port, uint64_t got, uint64_t want);

static inline uint64_t get_warps(const struct barrier_bench *b, const uint8_t *pin, unsigned at)
{
	uint64_t v = pin_get(pin, at, b->warps < 32 ? b->warps : 32);
	return b->warps > 32 ? v | (uint64_t)pin_get(pin, at + 32, b->warps - 32) << 32 : v;
}

static inline unsigned below(struct barrier_bench *b, unsigned n)
{
	return rng_below(&b->rng, n);
}

static inline bool same_barrier(const struct bar_request *a, const struct bar_request *q)
{
	return a->slot == q->slot && ref_index(a) == ref_index(q);
}

static inline bool is_arrival(const struct bar_request *q)
{
	return q->kind < BAR_RESULT;
}

/* ---- barrier_drive.c: inputs ---- */
void drive_head(struct barrier_bench *b, unsigned p);
void come_and_go(struct barrier_bench *b, bool launches);
void write_scripts(struct barrier_bench *b);
void ask_status(struct barrier_bench *b);

/* ---- barrier_judge.c ---- */
void check_judgements(struct barrier_bench *b);

/* ---- barrier_checks.c ---- */
void check_pending(struct barrier_bench *b);
void check_answers(struct barrier_bench *b, const struct answer before[MAX_PORTS]);
void check_takes(struct barrier_bench *b);
void check_status(struct barrier_bench *b, bool asked, unsigned slot, unsigned id);
void count_waiting_ctas(struct barrier_bench *b);
void check_idle(struct barrier_bench *b, bool asked);

/* ---- barrier_lean.c ---- */
void lean_step(struct barrier_bench *b);
void lean_begin(struct barrier_bench *b);
bool status_ready(const struct barrier_bench *b);

#endif
