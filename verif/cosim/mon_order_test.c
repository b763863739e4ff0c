// SPDX-License-Identifier: Apache-2.0
/* mon_order_test.c -- rules b and c of the order monitor: the order of lanes on a word, and of requests of a warp. */
#include "mon_bench.h"

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
	/* pairs of lanes on a word, 16 words: every pair must be kept in order whatever collides */
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
	q.ra[0] = 0; /* lanes 1 and 2 are on the same word; 2 loses */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
