// SPDX-License-Identifier: Apache-2.0
/* mon_barrier_test.c -- rule d of the order monitor at named barriers: a CTA of three warps, events made by hand; legal
 * events pass, illegal events are named. */
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include "mon_unit.h"

enum { SLOT = 2, WARPS = 3, FIRST = 8 /* the CTA's warps are 8, 9, 10 */, LANES = 0xff };

extern const struct mon_unit mon_atoms_pipe, mon_barrier_file, mon_sync_core;

struct bench {
	struct mon *m;
	unsigned n[64]; /* number of each warp's next request */
};

static struct bench start(void)
{
	const struct mon_unit *const units[] = {&mon_atoms_pipe, &mon_barrier_file, &mon_sync_core};
	struct bench b = {.m = mon_new(32, 0, units, 3)};
	assert_non_null(b.m);
	mon_window(b.m, SLOT, 4096, true, WARPS);
	mon_window(b.m, SLOT + 1, 4096, true, WARPS);
	return b;
}

static struct wl_req take(struct bench *b, struct wl_req q)
{
	q.tag.n = b->n[q.tag.warp]++;
	q.mask = LANES;
	q.header = true;
	mon_accept(b->m, &q);
	return q;
}

static struct wl_req take_bar(struct bench *b, unsigned warp, enum wl_bar op, uint32_t id, uint32_t threads)
{
	return take(b, (struct wl_req){.tag = {.slot = SLOT, .warp = FIRST + warp},
	                               .inst = {.uop = WL_UOP_BAR,
	                                        .op = (uint8_t)op,
	                                        .src = {WL_SRC_IMM, WL_SRC_IMM},
	                                        .imm = id,
	                                        .imm2 = threads}});
}

static void event(struct bench *b, enum wl_event_kind kind, const struct wl_req *q, enum wl_fault fault)
{
	const struct wl_event e = {.kind = kind,
	                           .unit = WL_UNIT_barrier_file,
	                           .tag = q->tag,
	                           .lanes = kind == WL_EV_EXIT ? 0 : q->mask,
	                           .fault = fault};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static struct wl_req commit(struct bench *b, struct wl_req q)
{
	event(b, WL_EV_COMMIT, &q, WL_FAULT_NONE);
	return q;
}

/* Arrives and is counted; an arrival without a wait is answered. */
static void arrive(struct bench *b, unsigned warp, enum wl_bar op, uint32_t id, uint32_t threads)
{
	struct wl_req q = commit(b, take_bar(b, warp, op, id, threads));
	if (op == WL_BAR_ARV)
		event(b, WL_EV_RETIRE, &q, WL_FAULT_NONE);
}

static void faults(struct bench *b, unsigned warp, enum wl_bar op, uint32_t id, uint32_t threads, enum wl_fault code)
{
	struct wl_req q = take_bar(b, warp, op, id, threads);
	event(b, WL_EV_FAULT, &q, code);
	event(b, WL_EV_RETIRE, &q, WL_FAULT_NONE);
}

static void leave(struct bench *b, unsigned warp)
{
	struct wl_req q = take(
	        b,
	        (struct wl_req){.tag = {.slot = SLOT, .warp = FIRST + warp}, .inst.uop = WL_UOP_EXIT, .posted = true});
	event(b, WL_EV_EXIT, &q, WL_FAULT_NONE);
	event(b, WL_EV_RETIRE, &q, WL_FAULT_NONE);
}

/* RELEASE of warps 0..2 of the CTA, as a mask. */
static void release(struct bench *b, unsigned id, uint64_t warps)
{
	const struct wl_event e = {.kind = WL_EV_RELEASE,
	                           .unit = WL_UNIT_barrier_file,
	                           .tag.slot = SLOT,
	                           .id = (uint16_t)id,
	                           .warps = warps << FIRST};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static void wait_cycles(struct bench *b, unsigned n)
{
	while (n--)
		mon_cycle(b->m, false);
}

static void expect(struct bench *b, char rule)
{
	assert_int_equal(mon_complaint(b->m)->rule, rule);
	mon_free(b->m);
}

#define TEST(name) static void name(void **state)
#define BEGIN                                                                                                          \
	struct bench b = start();                                                                                      \
	(void)state

TEST(all_arrive_and_are_released)
{
	BEGIN;
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned w = 0; w < WARPS; w++)
			arrive(&b, w, WL_BAR_SYNC, 4, round == 1 ? 32 * WARPS : 0);
		release(&b, 4, 7);
	}
	mon_end(b.m);
	expect(&b, 0);
}

TEST(who_only_arrives_is_not_released)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_ARV, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 4, 2);
	expect(&b, 0);
}

TEST(a_release_before_the_last_arrival)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 0);
	arrive(&b, 1, WL_BAR_SYNC, 4, 0);
	release(&b, 4, 3);
	expect(&b, 'd');
}

TEST(a_release_that_comes_too_late)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	wait_cycles(&b, 8);
	expect(&b, 'd');
}

TEST(a_release_of_a_lean_form_may_come_later)
{
	BEGIN;
	mon_lean(b.m, true);
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	wait_cycles(&b, 15);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 1);
	expect(&b, 'd');
}

TEST(a_release_without_one_of_the_warps)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 4, 1);
	expect(&b, 'd');
}

TEST(a_release_at_another_barrier)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 5, 3);
	expect(&b, 'd');
}

TEST(a_release_at_no_barrier)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 20, 3);
	expect(&b, 'd');
}

TEST(a_release_of_a_warp_that_arrived_only)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_ARV, 4, 64);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 4, 3);
	expect(&b, 'd');
}

TEST(an_exit_ends_a_phase_that_shrinks)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 0);
	arrive(&b, 2, WL_BAR_SYNC, 4, 0);
	leave(&b, 1);
	release(&b, 4, 5);
	expect(&b, 0);
}

TEST(an_exit_that_is_not_counted)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 0);
	arrive(&b, 2, WL_BAR_SYNC, 4, 0);
	leave(&b, 1);
	wait_cycles(&b, 8);
	expect(&b, 'd');
}

TEST(an_exit_does_not_end_a_phase_with_a_count)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 96);
	arrive(&b, 2, WL_BAR_SYNC, 4, 0);
	leave(&b, 1);
	release(&b, 4, 5);
	expect(&b, 'd');
}

TEST(a_ctas_exits_end_with_it)
{
	BEGIN;
	leave(&b, 1);
	mon_window(b.m, SLOT, 4096, true, WARPS);
	arrive(&b, 0, WL_BAR_SYNC, 4, 0);
	arrive(&b, 2, WL_BAR_SYNC, 4, 0);
	release(&b, 4, 5);
	expect(&b, 'd');
}

TEST(misuses_fault)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_ARV, 4, 64);
	faults(&b, 1, WL_BAR_SYNC, 4, 96, WL_FAULT_BAR_COUNT_MISMATCH);
	faults(&b, 1, WL_BAR_RED, 4, 64, WL_FAULT_BAR_MODE_MISMATCH);
	faults(&b, 0, WL_BAR_SYNC, 4, 64, WL_FAULT_BAR_DOUBLE_ARRIVE);
	faults(&b, 1, WL_BAR_SYNC, 16, 0, WL_FAULT_BAR_BAD_ID);
	faults(&b, 1, WL_BAR_SYNC, 3, 33, WL_FAULT_BAR_BAD_COUNT);
	faults(&b, 1, WL_BAR_SYNC, 3, 128, WL_FAULT_BAR_BAD_COUNT);
	faults(&b, 1, WL_BAR_ARV, 3, 0, WL_FAULT_BAR_BAD_COUNT);
	arrive(&b, 1, WL_BAR_SYNC, 4, 64);
	release(&b, 4, 2);
	expect(&b, 0);
}

/* Static misuses and misuses by state: none may count. */
TEST(a_misuse_that_counts)
{
	static const struct {
		enum wl_bar op;
		uint32_t id, threads;
		unsigned warp;
		char rule;
	} misuse[] = {
	        {WL_BAR_SYNC, 16, 0, 1, 'a'}, {WL_BAR_SYNC, 4, 33, 1, 'a'}, {WL_BAR_SYNC, 4, 128, 1, 'a'},
	        {WL_BAR_ARV, 4, 0, 1, 'a'},   {WL_BAR_SYNC, 4, 96, 1, 'd'}, {WL_BAR_RED, 4, 64, 1, 'd'},
	        {WL_BAR_SYNC, 4, 64, 0, 'd'},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof misuse / sizeof misuse[0]; i++) {
		struct bench b = start();
		arrive(&b, 0, WL_BAR_ARV, 4, 64);
		commit(&b, take_bar(&b, misuse[i].warp, misuse[i].op, misuse[i].id, misuse[i].threads));
		expect(&b, misuse[i].rule);
	}
}

TEST(a_good_arrival_that_faults)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_ARV, 4, 64);
	faults(&b, 1, WL_BAR_SYNC, 4, 64, WL_FAULT_BAR_DOUBLE_ARRIVE);
	expect(&b, 'd');
}

TEST(a_misuse_with_the_code_of_another)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_ARV, 4, 64);
	faults(&b, 0, WL_BAR_SYNC, 4, 96, WL_FAULT_BAR_DOUBLE_ARRIVE);
	expect(&b, 'd');
}

TEST(a_part_of_a_warp)
{
	BEGIN;
	struct wl_req q = take_bar(&b, 0, WL_BAR_SYNC, 4, 0);
	q.mask = 1;
	commit(&b, q);
	expect(&b, 'a');
}

TEST(ctas_do_not_meet)
{
	BEGIN;
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	struct wl_req q = take_bar(&b, 1, WL_BAR_SYNC, 4, 64);
	(void)q;
	struct wl_req other = take(
	        &b,
	        (struct wl_req){.tag = {.slot = SLOT + 1, .warp = 20},
	                        .inst = {.uop = WL_UOP_BAR, .src = {WL_SRC_IMM, WL_SRC_IMM}, .imm = 4, .imm2 = 64}});
	commit(&b, other);
	release(&b, 4, 1);
	expect(&b, 'd');
}

/* Rule c: earlier accesses of the warp must have happened. */
TEST(an_arrival_before_an_older_access)
{
	BEGIN;
	struct wl_req store = {
	        .tag = {.slot = SLOT, .warp = FIRST},
	        .inst = {.uop = WL_UOP_STS, .size = 4, .ra = 4, .ur = 255, .rd = 255, .rb = 12, .rc = 255}};
	store = take(&b, store);
	arrive(&b, 0, WL_BAR_SYNC, 4, 64);
	expect(&b, 'c');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_arrive_and_are_released),
	        cmocka_unit_test(who_only_arrives_is_not_released),
	        cmocka_unit_test(a_release_before_the_last_arrival),
	        cmocka_unit_test(a_release_that_comes_too_late),
	        cmocka_unit_test(a_release_of_a_lean_form_may_come_later),
	        cmocka_unit_test(a_release_without_one_of_the_warps),
	        cmocka_unit_test(a_release_at_another_barrier),
	        cmocka_unit_test(a_release_at_no_barrier),
	        cmocka_unit_test(a_release_of_a_warp_that_arrived_only),
	        cmocka_unit_test(an_exit_ends_a_phase_that_shrinks),
	        cmocka_unit_test(an_exit_that_is_not_counted),
	        cmocka_unit_test(an_exit_does_not_end_a_phase_with_a_count),
	        cmocka_unit_test(a_ctas_exits_end_with_it),
	        cmocka_unit_test(misuses_fault),
	        cmocka_unit_test(a_misuse_that_counts),
	        cmocka_unit_test(a_good_arrival_that_faults),
	        cmocka_unit_test(a_misuse_with_the_code_of_another),
	        cmocka_unit_test(a_part_of_a_warp),
	        cmocka_unit_test(ctas_do_not_meet),
	        cmocka_unit_test(an_arrival_before_an_older_access),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
