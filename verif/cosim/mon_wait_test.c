// SPDX-License-Identifier: Apache-2.0
/* mon_wait_test.c -- rules d and e of the order monitor. A unit made for the test has requests that wait and give up
 * after ten cycles. */
#include "mon_bench.h"

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

/* A request of warp 3 with all lanes committed. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_wait_takes_its_time_and_is_released),
	        cmocka_unit_test(a_request_of_a_waiting_unit_may_be_answered_at_once),
	        cmocka_unit_test(a_release_of_somebody_who_does_not_wait),
	        cmocka_unit_test(a_release_for_the_second_time),
	        cmocka_unit_test(a_release_that_the_units_part_does_not_count),
	        cmocka_unit_test(a_response_to_a_wait),
	        cmocka_unit_test(a_wait_gives_up_in_time),
	        cmocka_unit_test(a_wait_gives_up_too_early),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
