// SPDX-License-Identifier: Apache-2.0
/* mon_test.c -- the order monitor on streams of events made by hand: legal ones pass, illegal ones are named. */
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

static struct bench start(unsigned lanes)
{
	const struct mon_unit *const units[] = {&mon_atoms_pipe};
	struct bench b = {mon_new(lanes, 0, units, 1), lanes};
	assert_non_null(b.m);
	for (unsigned s = 0; s < WL_MAX_CTAS; s++)
		mon_window(b.m, s, WINDOW, s != 15, 3);
	return b;
}

/* A request of `size` bytes at lane addresses base + stride * lane. */
static struct wl_req request(enum wl_uop uop, unsigned size, unsigned warp, unsigned n, uint32_t mask, uint32_t base,
                             uint32_t stride)
{
	struct wl_req q = {.tag = {.slot = (uint16_t)(warp % 16), .warp = warp, .n = n}, .mask = mask};
	q.inst = (struct wl_inst){
	        .uop = (uint16_t)uop, .size = (uint8_t)size, .ra = 4, .ur = 255, .rd = 8, .rb = 12, .rc = 16};
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		q.ra[l] = base + stride * l;
	return q;
}

static void commit(struct bench *b, const struct wl_req *q, uint32_t lanes)
{
	const struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q->tag, .lanes = lanes};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static void fault(struct bench *b, const struct wl_req *q, uint32_t lanes, enum wl_fault code)
{
	const struct wl_event e = {
	        .kind = WL_EV_FAULT, .unit = WL_UNIT_atoms_pipe, .tag = q->tag, .lanes = lanes, .fault = code};
	mon_event(b->m, &e);
}

static void retire(struct bench *b, const struct wl_req *q)
{
	const struct wl_event e = {.kind = WL_EV_RETIRE, .unit = WL_UNIT_atoms_pipe, .tag = q->tag};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static void expect(struct bench *b, char rule)
{
	assert_int_equal(mon_complaint(b->m)->rule, rule);
	mon_free(b->m);
}

#define TEST(name) static void name(void **state)
#define BEGIN(n)                                                                                                       \
	struct bench b = start(n);                                                                                     \
	(void)state

TEST(one_pass_is_legal)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, UINT32_MAX);
	retire(&b, &q);
	mon_end(b.m);
	expect(&b, 0);
}

TEST(beats_and_partial_masks_are_legal)
{
	BEGIN(4);
	struct wl_req q = request(WL_UOP_STS, 4, 3, 0, 0x80000013, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x3);
	commit(&b, &q, 0x10);
	commit(&b, &q, 0x80000000);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_missing_lane)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, UINT32_MAX ^ 0x400);
	retire(&b, &q);
	assert_int_equal(mon_complaint(b.m)->lanes, 0x400);
	expect(&b, 'a');
}

TEST(a_lane_twice)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0xffff);
	commit(&b, &q, 0xffff8000);
	assert_int_equal(mon_complaint(b.m)->lanes, 0x8000);
	expect(&b, 'a');
}

TEST(an_inactive_lane)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xff, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x1ff);
	expect(&b, 'a');
}

TEST(a_commit_after_retire)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	retire(&b, &q);
	commit(&b, &q, 1);
	expect(&b, 'a');
}

TEST(two_retires)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	retire(&b, &q);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(an_event_of_nobody)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4), other = q;
	mon_accept(b.m, &q);
	other.tag.n = 1;
	commit(&b, &other, 1);
	expect(&b, 'a');
}

/* ---- faults ---- */

TEST(faulting_lanes_do_not_commit)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4); /* lanes 2 and 3 are outside */
	mon_accept(b.m, &q);
	fault(&b, &q, 0xc, WL_FAULT_SHARED_OUT_OF_RANGE);
	commit(&b, &q, 0x3);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_faulting_lane_commits)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x7);
	expect(&b, 'a');
}

TEST(a_fault_is_missing)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, 2, 4);
	mon_accept(b.m, &q);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(a_lane_faults_and_must_not)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, 0, 4);
	mon_accept(b.m, &q);
	fault(&b, &q, 0x8, WL_FAULT_MISALIGNED_ADDRESS);
	commit(&b, &q, 0x7);
	retire(&b, &q);
	expect(&b, 'a');
}

TEST(a_fault_comes_late)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0xf, WINDOW - 8, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 0x3);
	fault(&b, &q, 0xc, WL_FAULT_SHARED_OUT_OF_RANGE);
	expect(&b, 'a');
}

TEST(a_fault_of_the_next_beat_is_in_time)
{
	BEGIN(4);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x1f, WINDOW - 16, 4); /* lane 4 is outside */
	mon_accept(b.m, &q);
	commit(&b, &q, 0xf);
	fault(&b, &q, 0x10, WL_FAULT_SHARED_OUT_OF_RANGE);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_closed_window_faults_all)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 15, 0, 0xf, 0, 4);
	mon_accept(b.m, &q);
	fault(&b, &q, 0xf, WL_FAULT_SHARED_OUT_OF_RANGE);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(an_absolute_address_is_not_sign_extended)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 0);
	q.inst.ra = WL_RZ;
	q.inst.off = -4; /* 0xfffffc: outside, but not near 2^32 */
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	expect(&b, 'a');
}

TEST(a_scaled_register_and_a_negative_offset)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_STS, 4, 3, 0, 3, 1, 1); /* 1 << 2 - 4 = 0, 2 << 2 - 4 = 4 */
	q.inst.xn = 2;
	q.inst.off = -4;
	mon_accept(b.m, &q);
	commit(&b, &q, 3);
	retire(&b, &q);
	expect(&b, 0);
}

/* ---- lane order ---- */

TEST(lanes_on_one_word_in_order)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x7, 64, 0);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	commit(&b, &q, 2);
	commit(&b, &q, 4);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(lanes_on_one_word_out_of_order)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x7, 64, 0);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	commit(&b, &q, 4);
	expect(&b, 'b');
}

TEST(stores_to_one_word_together)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_STS, 4, 3, 0, 0x3, 64, 0);
	mon_accept(b.m, &q);
	commit(&b, &q, 3);
	expect(&b, 'b');
}

TEST(loads_of_one_word_together)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, UINT32_MAX, 64, 0);
	mon_accept(b.m, &q);
	commit(&b, &q, UINT32_MAX);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(different_words_in_any_order)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x3, 64, 128);
	mon_accept(b.m, &q);
	commit(&b, &q, 2);
	commit(&b, &q, 1);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(many_words_in_one_hash_bucket)
{
	/* pairs of lanes on one word, 16 words: every pair must be kept in order whatever collides */
	for (uint32_t stride = 4; stride <= 256; stride *= 2)
		for (unsigned late = 0; late < 16; late++) {
			struct bench b = start(32);
			(void)state;
			struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, UINT32_MAX, 0, 0);
			for (unsigned l = 0; l < 32; l++)
				q.ra[l] = stride * (l & 15);
			mon_accept(b.m, &q);
			commit(&b, &q, 0xffff & ~(1u << late));
			commit(&b, &q, 0x10000u << late);
			expect(&b, 'b');
		}
}

TEST(spin_losers_have_no_order)
{
	BEGIN(4);
	struct wl_req q = request(WL_UOP_ATOMS_CAST, 4, 3, 0, 0x7, 64, 0);
	q.inst.flags = WL_F_SPIN;
	q.ra[0] = 0; /* lanes 1 and 2 are on one word; 2 loses */
	mon_accept(b.m, &q);
	commit(&b, &q, 0x5);
	commit(&b, &q, 0x2);
	retire(&b, &q);
	expect(&b, 0);
}

/* ---- program order ---- */

TEST(program_order_of_a_warp)
{
	BEGIN(32);
	struct wl_req first = request(WL_UOP_STS, 4, 3, 0, 1, 64, 0), second = request(WL_UOP_LDS, 4, 3, 1, 1, 64, 0);
	mon_accept(b.m, &first);
	mon_accept(b.m, &second);
	commit(&b, &first, 1);
	commit(&b, &second, 1);
	retire(&b, &second);
	retire(&b, &first);
	expect(&b, 0);
}

TEST(an_overtaking_request)
{
	BEGIN(32);
	struct wl_req first = request(WL_UOP_STS, 4, 3, 0, 1, 64, 0), second = request(WL_UOP_LDS, 4, 3, 1, 1, 64, 0);
	mon_accept(b.m, &first);
	mon_accept(b.m, &second);
	commit(&b, &second, 1);
	expect(&b, 'c');
}

TEST(an_overtaking_request_of_another_width)
{
	BEGIN(32);
	struct wl_req first = request(WL_UOP_STS, 1, 3, 0, 1, 71, 0), second = request(WL_UOP_LDS, 8, 3, 1, 1, 64, 0);
	mon_accept(b.m, &first);
	mon_accept(b.m, &second);
	commit(&b, &second, 1);
	expect(&b, 'c');
}

TEST(overtaking_on_other_words_or_by_other_warps)
{
	BEGIN(32);
	struct wl_req first = request(WL_UOP_STS, 4, 3, 0, 1, 64, 0), second = request(WL_UOP_LDS, 4, 3, 1, 1, 68, 0);
	struct wl_req other = request(WL_UOP_LDS, 4, 19, 0, 1, 64, 0);
	mon_accept(b.m, &first);
	mon_accept(b.m, &second);
	mon_accept(b.m, &other);
	commit(&b, &second, 1);
	commit(&b, &other, 1);
	commit(&b, &first, 1);
	retire(&b, &second);
	retire(&b, &first);
	retire(&b, &other);
	mon_end(b.m);
	expect(&b, 0);
}

/* ---- the bound ---- */

static void wait_cycles(struct bench *b, unsigned n, bool stalled)
{
	for (unsigned i = 0; i < n; i++)
		mon_cycle(b->m, stalled);
}

TEST(late_is_too_late)
{
	BEGIN(32); /* one in flight: 64 x 2 x 1 cycles */
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 127, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 1, false);
	retire(&b, &q);
	expect(&b, 'f');
}

TEST(a_lean_form_may_take_longer)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_lean(b.m, true);
	mon_memory(b.m, 10); /* a read and a write of it for each lane */
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 2 * (24576 + 640) - 1, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 1, false);
	retire(&b, &q);
	expect(&b, 'f');
}

/* Three in flight, two of them leave, and a fourth comes: of the first one three counts, of the fourth two. The first
 * is `age` cycles old when it retires, or the fourth is. */
static void crowd(unsigned age, bool of_first, char rule)
{
	struct bench b = start(32);
	struct wl_req q[4];
	for (unsigned i = 0; i < 4; i++)
		q[i] = request(WL_UOP_LDS, 4, 3 * i, 0, 1, 0, 4);
	for (unsigned i = 0; i < 3; i++)
		mon_accept(b.m, &q[i]);
	for (unsigned i = 0; i < 3; i++)
		commit(&b, &q[i], 1);
	retire(&b, &q[1]);
	retire(&b, &q[2]); /* five cycles so far */
	mon_accept(b.m, &q[3]);
	commit(&b, &q[3], 1);
	if (of_first)
		retire(&b, &q[3]);
	wait_cycles(&b, of_first ? age - 7 : age - 1, false);
	retire(&b, &q[of_first ? 0 : 3]);
	expect(&b, rule);
}

TEST(the_bound_is_that_of_most_in_flight_since)
{
	(void)state;
	crowd(64 * 4, true, 0);
	crowd(64 * 4 + 1, true, 'f');
	crowd(64 * 3, false, 0);
	crowd(64 * 3 + 1, false, 'f');
}

/* With the number that mon_accept has given, and with a wrong one. */
TEST(a_commit_by_number)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 3, 0, 4), other = request(WL_UOP_LDS, 4, 6, 0, 1, 0, 4);
	const unsigned number = mon_accept(b.m, &q), wrong = mon_accept(b.m, &other);
	assert_int_not_equal(number, wrong);
	struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q.tag, .lanes = 1};
	mon_commit(b.m, number, &e);
	e.lanes = 2;
	mon_commit(b.m, wrong, &e);
	retire(&b, &q);
	commit(&b, &other, 1);
	retire(&b, &other);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	mon_commit(b.m, number, &e); /* it has retired */
	assert_string_equal(mon_complaint(b.m)->text, "event of a request that is not in flight");
	expect(&b, 'a');
}

TEST(a_commit_by_number_of_lanes_that_have_committed)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 3, 0, 4);
	const unsigned number = mon_accept(b.m, &q);
	const struct wl_event e = {.kind = WL_EV_COMMIT, .unit = WL_UNIT_atoms_pipe, .tag = q.tag, .lanes = 1};
	mon_commit(b.m, number, &e);
	mon_commit(b.m, number, &e);
	assert_int_equal(mon_complaint(b.m)->lanes, 1);
	expect(&b, 'a');
}

TEST(a_request_that_never_retires)
{
	BEGIN(4); /* 64 x 2 x 8 cycles */
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	wait_cycles(&b, 1024, false);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	wait_cycles(&b, 64, false);
	expect(&b, 'f');
}

TEST(stalled_cycles_do_not_count)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, 1);
	wait_cycles(&b, 100000, true);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_request_left_at_the_end)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	mon_end(b.m);
	expect(&b, 'f');
}

TEST(events_of_units_that_do_not_exist)
{
	BEGIN(32);
	const struct wl_event release = {.kind = WL_EV_RELEASE, .unit = WL_UNIT_barrier_file};
	mon_event(b.m, &release);
	expect(&b, 'd');
	b = start(32);
	const struct wl_event choice = {.kind = WL_EV_CHOICE, .unit = WL_UNIT_mbarrier_engine};
	mon_event(b.m, &choice);
	expect(&b, 'e');
}

/* A generic store to shared memory, then a load of atoms_pipe of the same warp. */
static struct bench generic_then_plain(uint32_t at, struct wl_req *store, struct wl_req *load)
{
	const struct mon_unit *const units[] = {&mon_atoms_pipe, &mon_atom_unit};
	struct bench b = {mon_new(32, 0, units, 2), 32};
	mon_window(b.m, 3, WINDOW, true, 3);
	*store = request(WL_UOP_ST, 4, 3, 0, 0xff, 0, 4);
	store->inst.flags = WL_F_E64;
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		store->ra[l] |= UINT64_C(1) << 32;
	*load = request(WL_UOP_LDS, 4, 3, 1, 1, at, 4);
	mon_accept(b.m, store);
	mon_accept(b.m, load);
	return b;
}

TEST(an_overtaking_request_of_another_unit)
{
	struct wl_req store, load;
	(void)state;
	struct bench b = generic_then_plain(8, &store, &load);
	commit(&b, &load, 1);
	expect(&b, 'c');
	b = generic_then_plain(8, &store, &load);
	commit(&b, &store, 0xff);
	commit(&b, &load, 1);
	expect(&b, 0);
	b = generic_then_plain(64, &store, &load);
	commit(&b, &load, 1);
	commit(&b, &store, 0xff);
	expect(&b, 0);
}

/* ---- waits: a unit made for the test, whose requests wait and give up after ten cycles ---- */

static void toy_accept(struct mon *m, struct mon_item *it, const struct wl_req *req)
{
	(void)m, (void)it, (void)req;
}

static enum wl_unit toy_waits(struct mon *m, struct mon_item *it)
{
	(void)m;
	return it->mask == 1 ? (enum wl_unit)MON_NO_WAIT : WL_UNIT_barrier_file;
}

static void toy_release(struct mon *m, const struct wl_event *ev)
{
	if (ev->id != 5)
		mon_complain(m, 'd', &ev->tag, 0, "nobody waits for %u", ev->id);
}

static void toy_gave_up(struct mon *m, const struct mon_item *it)
{
	if (mon_now(m) < it->settled + 10)
		mon_complain(m, 'e', &it->tag, 0, "too early");
}

static const struct mon_unit toy = {.unit = WL_UNIT_barrier_file,
                                    .accept = toy_accept,
                                    .waits = toy_waits,
                                    .release = toy_release,
                                    .gave_up = toy_gave_up};

/* A request of warp 3 that has committed all its lanes. */
static struct wl_req begin_wait(struct bench *b, uint32_t mask)
{
	const struct mon_unit *const units[] = {&toy};
	struct wl_req q = request(WL_UOP_BAR, 4, 3, 0, mask, 0, 4);
	*b = (struct bench){mon_new(32, 0, units, 1), 32};
	assert_non_null(b->m);
	mon_accept(b->m, &q);
	commit(b, &q, mask);
	return q;
}

static void release(struct bench *b, const struct wl_req *q, uint16_t id, uint64_t warps)
{
	const struct wl_event e = {
	        .kind = WL_EV_RELEASE, .unit = WL_UNIT_barrier_file, .tag.slot = q->tag.slot, .id = id, .warps = warps};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

static void give_up(struct bench *b, const struct wl_req *q)
{
	const struct wl_event e = {.kind = WL_EV_CHOICE, .unit = WL_UNIT_barrier_file, .tag = q->tag};
	mon_event(b->m, &e);
	mon_cycle(b->m, false);
}

TEST(a_wait_takes_its_time_and_is_released)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	wait_cycles(&b, 100000, false);
	release(&b, &q, 5, 1 << 3);
	mon_end(b.m);
	expect(&b, 0);
}

TEST(a_request_of_a_waiting_unit_may_be_answered_at_once)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 1);
	(void)state;
	retire(&b, &q);
	expect(&b, 0);
}

TEST(a_release_of_somebody_who_does_not_wait)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	release(&b, &q, 5, 1 << 3 | 1 << 4);
	expect(&b, 'd');
}

TEST(a_release_for_the_second_time)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	release(&b, &q, 5, 1 << 3);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	release(&b, &q, 5, 1 << 3);
	expect(&b, 'd');
}

TEST(a_release_that_the_units_part_does_not_count)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	release(&b, &q, 6, 1 << 3);
	expect(&b, 'd');
}

TEST(a_response_to_a_wait)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	retire(&b, &q);
	expect(&b, 'd');
}

TEST(a_wait_gives_up_in_time)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	wait_cycles(&b, 10, false);
	give_up(&b, &q);
	expect(&b, 0);
}

TEST(a_wait_gives_up_too_early)
{
	struct bench b;
	struct wl_req q = begin_wait(&b, 0xff);
	(void)state;
	wait_cycles(&b, 3, false);
	give_up(&b, &q);
	expect(&b, 'e');
}

TEST(what_the_harness_owes_does_not_count)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_LDS, 4, 3, 0, 1, 0, 4);
	mon_accept(b.m, &q);
	for (unsigned i = 0; i < 100000; i++) {
		mon_owed(b.m, &q.tag);
		mon_cycle(b.m, false);
	}
	commit(&b, &q, 1);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(silent_rules)
{
	BEGIN(32);
	struct wl_req q = request(WL_UOP_ATOMS, 4, 3, 0, 0x7, 64, 0);
	mon_rules(b.m, "acf");
	mon_accept(b.m, &q);
	commit(&b, &q, 4);
	assert_int_equal(mon_complaint(b.m)->rule, 0);
	commit(&b, &q, 4);
	expect(&b, 'a');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_pass_is_legal),
	        cmocka_unit_test(beats_and_partial_masks_are_legal),
	        cmocka_unit_test(a_missing_lane),
	        cmocka_unit_test(a_lane_twice),
	        cmocka_unit_test(an_inactive_lane),
	        cmocka_unit_test(a_commit_after_retire),
	        cmocka_unit_test(two_retires),
	        cmocka_unit_test(an_event_of_nobody),
	        cmocka_unit_test(faulting_lanes_do_not_commit),
	        cmocka_unit_test(a_faulting_lane_commits),
	        cmocka_unit_test(a_fault_is_missing),
	        cmocka_unit_test(a_lane_faults_and_must_not),
	        cmocka_unit_test(a_fault_comes_late),
	        cmocka_unit_test(a_fault_of_the_next_beat_is_in_time),
	        cmocka_unit_test(a_closed_window_faults_all),
	        cmocka_unit_test(an_absolute_address_is_not_sign_extended),
	        cmocka_unit_test(a_scaled_register_and_a_negative_offset),
	        cmocka_unit_test(lanes_on_one_word_in_order),
	        cmocka_unit_test(lanes_on_one_word_out_of_order),
	        cmocka_unit_test(stores_to_one_word_together),
	        cmocka_unit_test(loads_of_one_word_together),
	        cmocka_unit_test(different_words_in_any_order),
	        cmocka_unit_test(many_words_in_one_hash_bucket),
	        cmocka_unit_test(spin_losers_have_no_order),
	        cmocka_unit_test(program_order_of_a_warp),
	        cmocka_unit_test(an_overtaking_request),
	        cmocka_unit_test(an_overtaking_request_of_another_width),
	        cmocka_unit_test(overtaking_on_other_words_or_by_other_warps),
	        cmocka_unit_test(an_overtaking_request_of_another_unit),
	        cmocka_unit_test(late_is_too_late),
	        cmocka_unit_test(a_lean_form_may_take_longer),
	        cmocka_unit_test(the_bound_is_that_of_most_in_flight_since),
	        cmocka_unit_test(a_commit_by_number),
	        cmocka_unit_test(a_commit_by_number_of_lanes_that_have_committed),
	        cmocka_unit_test(a_request_that_never_retires),
	        cmocka_unit_test(stalled_cycles_do_not_count),
	        cmocka_unit_test(a_request_left_at_the_end),
	        cmocka_unit_test(events_of_units_that_do_not_exist),
	        cmocka_unit_test(a_wait_takes_its_time_and_is_released),
	        cmocka_unit_test(a_request_of_a_waiting_unit_may_be_answered_at_once),
	        cmocka_unit_test(a_release_of_somebody_who_does_not_wait),
	        cmocka_unit_test(a_release_for_the_second_time),
	        cmocka_unit_test(a_release_that_the_units_part_does_not_count),
	        cmocka_unit_test(a_response_to_a_wait),
	        cmocka_unit_test(a_wait_gives_up_in_time),
	        cmocka_unit_test(a_wait_gives_up_too_early),
	        cmocka_unit_test(what_the_harness_owes_does_not_count),
	        cmocka_unit_test(silent_rules),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
