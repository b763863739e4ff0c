/* SPDX-License-Identifier: Apache-2.0
 * mon_bench.h -- streams of events made by hand for the order monitor: common to mon_..._test.c. */
#ifndef COSIM_MON_BENCH_H
#define COSIM_MON_BENCH_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include "mon_unit.h"

enum { WINDOW = 4096 };

struct bench {
	struct mon *m;
	unsigned lanes;
};

extern const struct mon_unit mon_atoms_pipe, mon_atom_unit;

static inline struct bench start(unsigned lanes)
{
	const struct mon_unit *const units[] = {&mon_atoms_pipe};
	struct bench b = {mon_new(lanes, 0, units, 1), lanes};
	assert_non_null(b.m);
	for (unsigned s = 0; s < WL_MAX_CTAS; s++)
		mon_window(b.m, s, WINDOW, s != 15, 3);
	return b;
}

/* A request of `size` bytes at lane addresses base + stride * lane. */
static inline struct wl_req request(enum wl_uop uop, unsigned size, unsigned warp, unsigned n, uint32_t mask,
                                    uint32_t base, uint32_t stride)
{
	struct wl_req q = {.tag = {.slot = (uint16_t)(warp % 16), .warp = warp, .n = n}, .mask = mask};
	q.inst = (struct wl_inst){
	        .uop = (uint16_t)uop, .size = (uint8_t)size, .ra = 4, .ur = 255, .rd = 8, .rb = 12, .rc = 16};
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q.ra[l] = base + stride * l;
	return q;
}

static inline void commit(struct bench *b, const struct wl_req *q, uint32_t lanes)
{
	const struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q->tag, .lanes = lanes};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static inline void fault(struct bench *b, const struct wl_req *q, uint32_t lanes, enum wl_fault code)
{
	const struct wl_event e = {
	        .kind = WL_EV_FAULT, .unit = WL_UNIT_atoms_pipe, .tag = q->tag, .lanes = lanes, .fault = code};
	mon_event(b->m, &e);
}

static inline void retire(struct bench *b, const struct wl_req *q)
{
	const struct wl_event e = {.kind = WL_EV_RETIRE, .unit = WL_UNIT_atoms_pipe, .tag = q->tag};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static inline void expect(struct bench *b, char rule)
{
	assert_int_equal(mon_complaint(b->m)->rule, rule);
	mon_free(b->m);
}

static inline void wait_cycles(struct bench *b, unsigned n, bool stalled)
{
	for (unsigned i = 0; i < n; i++)
		mon_cycle(b->m, stalled);
}

#define TEST(name) static void name(void **state)
#define BEGIN(n)                                                                                                       \
	struct bench b = start(n);                                                                                     \
	(void)state

#endif
