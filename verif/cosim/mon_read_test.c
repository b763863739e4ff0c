// SPDX-License-Identifier: Apache-2.0
/* mon_read_test.c -- rule g of the order monitor: lanes of a load on the same word see the same value. */
#include "mon_bench.h"

extern const struct mon_unit mon_mbarrier_engine;

enum { READER = 3, WRITER = 19 /* of the same slot */, LOW = 0xf, HIGH = 0xf0, WORD = 64 };
#define HIGH_HALF (UINT64_C(1) << 32) /* generic addresses of shared memory */

static struct bench start_all(void)
{
	const struct mon_unit *const units[] = {&mon_atoms_pipe, &mon_atom_unit, &mon_mbarrier_engine};
	struct bench b = {mon_new(4, 0, units, 3), 4};
	assert_non_null(b.m);
	for (unsigned s = 0; s < WL_MAX_CTAS; s++) {
		mon_cluster(b.m, s, s, 0); /* each CTA is alone */
		mon_base(b.m, s, s * WINDOW);
		mon_window(b.m, s, WINDOW, true, 3);
	}
	return b;
}

/* Eight lanes on a word, in two beats; the first beat has committed. */
static struct wl_req half_read(struct bench *b, enum wl_uop uop, unsigned size, uint32_t addr)
{
	struct wl_req q = request(uop, size, READER, 0, LOW | HIGH, addr, 0);
	if (uop == WL_UOP_LD)
		for (unsigned l = 0; l < WL_WARP_LANES; l++)
			q.ra[l] |= HIGH_HALF;
	if (uop == WL_UOP_LD)
		q.inst.flags = WL_F_E64;
	mon_accept(b->m, &q);
	commit(b, &q, LOW);
	return q;
}

static void finish(struct bench *b, const struct wl_req *q, char rule)
{
	commit(b, q, HIGH);
	retire(b, q);
	expect(b, rule);
}

/* Another warp's request, a single lane. */
static void other(struct bench *b, enum wl_uop uop, unsigned size, unsigned warp, uint32_t addr)
{
	struct wl_req q = request(uop, size, warp, 0, 1, addr, 0);
	if (uop == WL_UOP_ST || uop == WL_UOP_LD) {
		q.ra[0] |= HIGH_HALF;
		q.inst.flags = WL_F_E64;
	}
	mon_accept(b->m, &q);
	commit(b, &q, 1);
}

static void lands(struct bench *b, unsigned kind, unsigned slot, uint32_t addr, unsigned bytes)
{
	const struct wl_event e = {.kind = WL_EV_LAND,
	                           .unit = WL_UNIT_sync_core,
	                           .tag = {.slot = (uint16_t)slot},
	                           .land = (uint8_t)kind,
	                           .addr = slot * WINDOW + addr,
	                           .bytes = bytes};
	mon_event(b->m, &e);
}

#define HALF(uop, size)                                                                                                \
	(void)state;                                                                                                   \
	struct bench b = start_all();                                                                                  \
	const struct wl_req q = half_read(&b, uop, size, WORD)

TEST(nobody_writes)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_LDS, 4, WRITER, WORD);
	finish(&b, &q, 0);
}

TEST(a_store_between_two_beats)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_STS, 4, WRITER, WORD);
	finish(&b, &q, 'g');
}

TEST(a_narrow_store_to_a_byte_of_the_word)
{
	HALF(WL_UOP_LDS, 8);
	other(&b, WL_UOP_STS, 1, WRITER, WORD + 7);
	finish(&b, &q, 'g');
}

TEST(an_atomic_between_two_beats)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_ATOMS, 4, WRITER, WORD);
	finish(&b, &q, 'g');
}

TEST(a_generic_store_between_two_beats)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_ST, 4, WRITER, WORD);
	finish(&b, &q, 'g');
}

TEST(a_store_beside_the_word)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_STS, 4, WRITER, WORD + 4);
	other(&b, WL_UOP_STS, 4, WRITER + 16, WORD - 4);
	finish(&b, &q, 0);
}

TEST(a_store_of_another_cta)
{
	HALF(WL_UOP_LDS, 4);
	other(&b, WL_UOP_STS, 4, READER + 1, WORD);
	finish(&b, &q, 0);
}

TEST(a_store_before_and_behind)
{
	(void)state;
	struct bench b = start_all();
	other(&b, WL_UOP_STS, 4, WRITER, WORD);
	const struct wl_req q = half_read(&b, WL_UOP_LDS, 4, WORD);
	commit(&b, &q, HIGH);
	other(&b, WL_UOP_STS, 4, WRITER + 16, WORD);
	retire(&b, &q);
	expect(&b, 0);
}

/* Beats without a common word. */
TEST(a_store_between_beats_of_different_words)
{
	(void)state;
	struct bench b = start_all();
	struct wl_req q = request(WL_UOP_LDS, 4, READER, 0, LOW | HIGH, WORD, 4);
	mon_accept(b.m, &q);
	commit(&b, &q, LOW);
	other(&b, WL_UOP_STS, 4, WRITER, WORD + 4 * 6);
	finish(&b, &q, 0);
}

/* Lanes 0 and 4 on the same word are through; another word is still to be read. */
TEST(a_store_to_a_word_that_is_read)
{
	(void)state;
	struct bench b = start_all();
	struct wl_req q = request(WL_UOP_LDS, 4, READER, 0, LOW | HIGH, WORD, 4);
	q.ra[4] = q.ra[0];
	mon_accept(b.m, &q);
	commit(&b, &q, LOW | 0x10);
	other(&b, WL_UOP_STS, 4, WRITER, WORD);
	commit(&b, &q, HIGH & ~0x10u);
	retire(&b, &q);
	expect(&b, 0);
}

TEST(two_stores_of_one_warp)
{
	(void)state;
	struct bench b = start_all();
	struct wl_req first = request(WL_UOP_STS, 4, READER, 0, 0x11, WORD, 0);
	mon_accept(b.m, &first);
	commit(&b, &first, 1);
	other(&b, WL_UOP_STS, 4, WRITER, WORD); /* stores of two warps may take turns */
	commit(&b, &first, 0x10);
	retire(&b, &first);
	expect(&b, 0);
}

TEST(a_generic_load)
{
	HALF(WL_UOP_LD, 4);
	other(&b, WL_UOP_STS, 4, WRITER, WORD);
	finish(&b, &q, 'g');
}

TEST(a_generic_load_and_a_store_beside)
{
	HALF(WL_UOP_LD, 4);
	other(&b, WL_UOP_STS, 4, WRITER, WORD + 4);
	finish(&b, &q, 0);
}

TEST(a_piece_between_two_beats)
{
	HALF(WL_UOP_LDS, 4);
	lands(&b, LANDS_WRITE, READER, WORD - 16, 32);
	finish(&b, &q, 'g');
}

TEST(a_piece_that_reduces)
{
	HALF(WL_UOP_LDS, 4);
	lands(&b, LANDS_REDUCE, READER, WORD, 16);
	finish(&b, &q, 'g');
}

TEST(a_piece_that_tells_an_mbarrier)
{
	HALF(WL_UOP_LDS, 4);
	lands(&b, LANDS_ARRIVE, READER, WORD, 1);
	finish(&b, &q, 'g');
}

TEST(pieces_elsewhere_and_pieces_that_read)
{
	HALF(WL_UOP_LDS, 4);
	lands(&b, LANDS_WRITE, READER, WORD + 16, 16);
	lands(&b, LANDS_WRITE, READER, WORD - 16, 16);
	lands(&b, LANDS_WRITE, READER + 1, WORD, 16);
	lands(&b, LANDS_READ, READER, WORD, 16);
	finish(&b, &q, 0);
}

/* A look at an mbarrier reads the whole object. */
static struct wl_req half_look(struct bench *b)
{
	struct wl_req q = request(WL_UOP_SYNCS_PHASECHK, 8, READER, 0, LOW | HIGH, WORD, 0);
	mon_accept(b->m, &q);
	commit(b, &q, LOW);
	return q;
}

TEST(a_look_at_an_mbarrier)
{
	(void)state;
	struct bench b = start_all();
	const struct wl_req q = half_look(&b);
	lands(&b, LANDS_TX, READER, WORD, 16);
	finish(&b, &q, 'g');
}

TEST(an_arrival_between_two_beats_of_a_look)
{
	(void)state;
	struct bench b = start_all();
	const struct wl_req q = half_look(&b);
	other(&b, WL_UOP_SYNCS_ARRIVE, 8, WRITER, WORD);
	finish(&b, &q, 'g');
}

TEST(a_look_and_another_mbarrier)
{
	(void)state;
	struct bench b = start_all();
	const struct wl_req q = half_look(&b);
	lands(&b, LANDS_TX, READER, WORD + 8, 16);
	other(&b, WL_UOP_SYNCS_ARRIVE, 8, WRITER, WORD - 8);
	finish(&b, &q, 0);
}

TEST(rows_of_matrices)
{
	(void)state;
	struct bench b = start_all();
	struct wl_req q = request(WL_UOP_LDSM, 16, READER, 0, UINT32_MAX, 0, 16);
	q.inst.lut = 3; /* two matrices: lanes 0 to 15 name rows */
	q.ra[8] = q.ra[0];
	mon_accept(b.m, &q);
	for (unsigned beat = 0; beat < 2; beat++)
		commit(&b, &q, LOW << beat * 4);
	other(&b, WL_UOP_STS, 4, WRITER, 12);
	for (unsigned beat = 2; beat < 8; beat++)
		commit(&b, &q, (uint32_t)LOW << beat * 4);
	retire(&b, &q);
	expect(&b, 'g');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nobody_writes),
	        cmocka_unit_test(a_store_between_two_beats),
	        cmocka_unit_test(a_narrow_store_to_a_byte_of_the_word),
	        cmocka_unit_test(an_atomic_between_two_beats),
	        cmocka_unit_test(a_generic_store_between_two_beats),
	        cmocka_unit_test(a_store_beside_the_word),
	        cmocka_unit_test(a_store_of_another_cta),
	        cmocka_unit_test(a_store_before_and_behind),
	        cmocka_unit_test(a_store_between_beats_of_different_words),
	        cmocka_unit_test(a_store_to_a_word_that_is_read),
	        cmocka_unit_test(two_stores_of_one_warp),
	        cmocka_unit_test(a_generic_load),
	        cmocka_unit_test(a_generic_load_and_a_store_beside),
	        cmocka_unit_test(a_piece_between_two_beats),
	        cmocka_unit_test(a_piece_that_reduces),
	        cmocka_unit_test(a_piece_that_tells_an_mbarrier),
	        cmocka_unit_test(pieces_elsewhere_and_pieces_that_read),
	        cmocka_unit_test(a_look_at_an_mbarrier),
	        cmocka_unit_test(an_arrival_between_two_beats_of_a_look),
	        cmocka_unit_test(a_look_and_another_mbarrier),
	        cmocka_unit_test(rows_of_matrices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
