// SPDX-License-Identifier: Apache-2.0
/* link_test.c -- frames of the host link: a frame comes out as sent, whatever stood before; damage never passes for a
 * frame. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "../common/rng.h"
#include "link/frame.h"

static struct frame random_frame(struct rng *r, unsigned most)
{
	struct frame f = {.seq = (uint8_t)rng_u32(r), .type = (uint8_t)rng_u32(r), .n = rng_below(r, most + 1)};
	for (unsigned i = 0; i < f.n; i++) /* many bytes in need of an escape */
		f.payload[i] = rng_one_in(r, 3) ? (uint8_t)(0x7d + rng_below(r, 2)) : (uint8_t)rng_u32(r);
	return f;
}

static void same(const struct frame *a, const struct frame *b)
{
	assert_int_equal(a->seq, b->seq);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->payload, b->payload, a->n);
}

/* Bytes written by hand: length 2, sequence 1, type 4, payload 7e 7d. The CRC was computed with zlib's crc32. */
static void known_bytes(void **state)
{
	(void)state;
	static const uint8_t want[] = {0x7e, 0x02, 0x00, 0x01, 0x04, 0x7d, 0x5e,
	                               0x7d, 0x5d, 0xe8, 0x96, 0xb7, 0xdc, 0x7e};
	const struct frame f = {.seq = 1, .type = 4, .n = 2, .payload = {0x7e, 0x7d}};
	uint8_t wire[FRAME_WIRE];
	const size_t n = frame_encode(&f, wire);
	assert_int_equal(n, sizeof want);
	assert_memory_equal(wire, want, n);
}

static void round_trips(void **state)
{
	struct rng r = rng_seed(1, 1);
	struct frame_reader reader = {0};
	uint8_t wire[FRAME_WIRE];
	(void)state;
	for (unsigned t = 0; t < 2000; t++) {
		const struct frame f = random_frame(&r, t % 50 ? 60 : FRAME_PAYLOAD);
		struct frame got;
		for (unsigned i = rng_below(&r, 8); i; i--) /* noise before the frame */
			frame_feed(&reader, (uint8_t)rng_u32(&r), &got);
		const size_t n = frame_encode(&f, wire);
		assert_true(n <= FRAME_WIRE);
		for (size_t i = 0; i + 1 < n; i++)
			assert_false(frame_feed(&reader, wire[i], &got));
		assert_true(frame_feed(&reader, wire[n - 1], &got));
		same(&f, &got);
	}
	assert_int_equal(reader.good, 2000);
}

/* A byte flipped, dropped or doubled: neither this frame nor another comes out, but the next frame is found. */
static void damage(void **state)
{
	struct rng r = rng_seed(2, 1);
	struct frame_reader reader = {0};
	uint8_t wire[FRAME_WIRE];
	unsigned dropped = 0;
	(void)state;
	for (unsigned t = 0; t < 20000; t++) {
		const struct frame f = random_frame(&r, 40);
		struct frame got;
		const size_t n = frame_encode(&f, wire), at = 1 + rng_below(&r, (uint32_t)n - 2);
		const unsigned how = rng_below(&r, 3);
		bool passed = false;
		for (size_t i = 0; i < n; i++)
			for (unsigned k = i != at || how == 0 ? 1 : how == 1 ? 0 : 2; k; k--)
				passed |= frame_feed(&reader,
				                     i == at && how == 0 ? wire[i] ^ (uint8_t)(1u << rng_below(&r, 8))
				                                         : wire[i],
				                     &got);
		assert_false(passed);
		dropped++;
		bool found = false;
		const size_t m = frame_encode(&f, wire);
		for (size_t i = 0; i < m; i++)
			found |= frame_feed(&reader, wire[i], &got);
		assert_true(found);
		same(&f, &got);
	}
	assert_int_equal(dropped, 20000);
}

/* Longer than any frame, and never a flag: nothing is written past the buffer, and the next frame is found. */
static void too_long(void **state)
{
	struct frame_reader reader = {0};
	struct frame got;
	uint8_t wire[FRAME_WIRE];
	const struct frame f = {.seq = 9, .type = 1};
	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		assert_false(frame_feed(&reader, 0x55, &got));
	const size_t n = frame_encode(&f, wire);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= frame_feed(&reader, wire[i], &got);
	assert_true(found);
	same(&f, &got);
	assert_int_equal(reader.bad, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(known_bytes), cmocka_unit_test(round_trips),
	                                   cmocka_unit_test(damage), cmocka_unit_test(too_long)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
