// SPDX-License-Identifier: Apache-2.0
/* cunits_memory_test.c -- smem_banks, device memory, the configuration check, the names of states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../../atoms_pipe/bench/cunits_oracle.h"
#include "warplock/config_check.h"
#include "warplock/sm.h"

static _Alignas(16) uint8_t memory[65536];

static void words_are_little_endian(void **state)
{
	struct wl_config c = wl_config_default();
	struct wl_smem s;
	(void)state;
	memset(memory, 0xee, sizeof memory);
	wl_smem_init(&s, &c, memory);
	assert_int_equal(s.bytes, 65536);
	assert_int_equal(s.lanes, 32);
	assert_int_equal(s.banks, 32);
	wl_smem_write(&s, 65532, 0x01020304);
	assert_int_equal(wl_smem_read(&s, 65532), 0x01020304);
	assert_memory_equal(memory + 65528, "\xee\xee\xee\xee\4\3\2\1", 8);
	for (unsigned slot = 0; slot < WL_MAX_CTAS; slot++)
		assert_false(s.window[slot].valid);
}

static void opening_fills_just_the_window(void **state)
{
	struct wl_config c = wl_config_default();
	struct wl_smem s;
	(void)state;
	memset(memory, 0xee, sizeof memory);
	wl_smem_init(&s, &c, memory);
	wl_smem_open(&s, 15, 16, 48, 77, 5);
	assert_true(s.window[15].valid);
	assert_int_equal(s.window[15].base, 16);
	assert_int_equal(s.window[15].size, 48);
	for (uint32_t at = 0; at < 48; at += 4)
		assert_int_equal(wl_smem_read(&s, 16 + at), wl_fill_word(77, 5, at));
	assert_int_equal(wl_smem_read(&s, 12), 0xeeeeeeee);
	assert_int_equal(wl_smem_read(&s, 64), 0xeeeeeeee);
	wl_smem_close(&s, 15);
	assert_false(s.window[15].valid);
	assert_int_equal(wl_smem_read(&s, 16), wl_fill_word(77, 5, 0)); /* closing clears nothing */
}

/* The start content depends on all of seed, CTA and address, and looks random: each bit is set about half the time,
 * also in the difference of neighbours. */
static void fill_words_differ(void **state)
{
	enum { N = 64 };
	unsigned ones[32] = {0}, flips[32] = {0}, total = 0;
	(void)state;
	for (uint32_t seed = 0; seed < N; seed++)
		for (uint32_t cta = 0; cta < N; cta++)
			for (uint32_t word = 0; word < N; word++, total++) {
				uint32_t v = wl_fill_word(seed, cta, word * 4);
				uint32_t near[] = {wl_fill_word(seed + 1, cta, word * 4),
				                   wl_fill_word(seed, cta + 1, word * 4),
				                   wl_fill_word(seed, cta, word * 4 + 4)};
				for (unsigned bit = 0; bit < 32; bit++) {
					ones[bit] += v >> bit & 1;
					flips[bit] += (v ^ near[total % 3]) >> bit & 1;
				}
			}
	for (unsigned bit = 0; bit < 32; bit++) { /* 262144 trials: 2 % are 20 standard deviations */
		assert_in_range(ones[bit], total * 49 / 100, total * 51 / 100);
		assert_in_range(flips[bit], total * 49 / 100, total * 51 / 100);
	}
	assert_int_not_equal(wl_fill_word(UINT64_C(1) << 40, 0, 0),
	                     wl_fill_word(0, 0, 0)); /* all 64 bits of the seed */
}

/* Known answers, from another implementation of the hash: a seed means the same start content for ever. */
static void fill_words_are_these(void **state)
{
	static const struct {
		uint64_t seed;
		uint32_t cta, addr, word;
	} rows[] = {
	        {0, 0, 0x0, 0xa706dd2f},        {1, 0, 0x0, 0x5e41ab08},
	        {0, 1, 0x0, 0x46b73e79},        {0, 0, 0x4, 0xc9b5ae10},
	        {12345, 67, 0xffc, 0x4d2f04b5}, {UINT64_MAX, UINT32_MAX, 0xfffffffc, 0x7948e093},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_int_equal(wl_fill_word(rows[i].seed, rows[i].cta, rows[i].addr), rows[i].word);
}

static void buffers_and_gaps(void **state)
{
	static struct wl_gmem g = {.mem = memory, .bytes = 4096};
	static const uint64_t sizes[] = {1, 256, 257, 1000};
	uint64_t addr[4];
	(void)state;
	g.nbuf = 0;
	memset(memory, 0xee, sizeof memory);
	assert_null(wl_gmem_at(&g, WL_GLOBAL_BASE, 1));
	for (unsigned i = 0; i < 4; i++) {
		addr[i] = wl_gmem_add(&g, sizes[i]);
		assert_true(addr[i] >= WL_GLOBAL_BASE && addr[i] % 256 == 0);
	}
	for (unsigned i = 0; i < 4; i++) {
		uint64_t room = (sizes[i] + 15) / 16 * 16, end = addr[i] + room;
		uint8_t *first = wl_gmem_at(&g, addr[i], 1);
		assert_non_null(first);
		assert_ptr_equal(wl_gmem_at(&g, end - 1, 1), first + room - 1);
		assert_ptr_equal(wl_gmem_at(&g, addr[i], (uint32_t)sizes[i]), first);
		assert_null(wl_gmem_at(&g, addr[i], (uint32_t)room + 1));
		for (uint64_t pad = sizes[i]; pad < room; pad++)
			assert_int_equal(first[pad], 0);
		assert_null(wl_gmem_at(&g, addr[i] - 1, 1));
		assert_null(wl_gmem_at(&g, addr[i] - 1, 2));
		assert_null(wl_gmem_at(&g, end, 1));
		assert_null(wl_gmem_at(&g, end - 1, 2));
		assert_true(first >= memory && first + room <= memory + g.bytes);
		for (unsigned k = 0; k < i; k++) { /* no byte belongs to two buffers, and a gap lies between any two */
			uint8_t *other = wl_gmem_at(&g, addr[k], 1);
			assert_true(first >= other + (sizes[k] + 15) / 16 * 16);
			assert_true(addr[i] > addr[k] + sizes[k] + 255);
		}
	}
	assert_null(wl_gmem_at(&g, 0, 1));
	assert_null(wl_gmem_at(&g, UINT64_MAX, 16));
}

static void buffers_that_do_not_fit(void **state)
{
	static struct wl_gmem g = {.mem = memory, .bytes = 512};
	(void)state;
	g.nbuf = 0;
	assert_true(wl_gmem_add(&g, 513) == 0);
	assert_true(wl_gmem_add(&g, UINT64_MAX) == 0);
	assert_int_equal(g.nbuf, 0);
	assert_true(wl_gmem_add(&g, 257) != 0);
	assert_true(wl_gmem_add(&g, 1) == 0); /* the next begins at byte 512 */
	assert_int_equal(g.nbuf, 1);
	g.nbuf = 0;
	g.bytes = sizeof memory; /* just 256 buffers of 256 bytes */
	while (g.nbuf < 256)
		assert_true(wl_gmem_add(&g, 1) != 0);
	assert_true(wl_gmem_add(&g, 1) == 0);
	assert_non_null(wl_gmem_at(&g, g.buf[255].addr, 1));
}

static void config_ranges(void **state)
{
	const struct wl_config good = wl_config_default();
	struct wl_config c;
	char why[160];
	(void)state;
#define REFUSED(field, value, status)                                                                                  \
	c = good;                                                                                                      \
	c.field = value;                                                                                               \
	why[0] = 0;                                                                                                    \
	assert_int_equal(wl_config_check(&c, why, sizeof why), status);                                                \
	assert_non_null(strstr(why, #field));
#define TAKEN(field, value)                                                                                            \
	c = good;                                                                                                      \
	c.field = value;                                                                                               \
	assert_int_equal(wl_config_check(&c, why, sizeof why), WL_OK);
	for (unsigned n = 0; n < 70; n++) {
		bool ways = n == 4 || n == 8 || n == 16 || n == 32;
		if (ways) {
			TAKEN(lanes, n)
			TAKEN(banks, n)
		} else {
			REFUSED(lanes, n, WL_ERR_CONFIG)
			REFUSED(banks, n, WL_ERR_CONFIG)
		}
		if (n == 1 || n == 2 || n == 4) {
			TAKEN(ports, n)
		} else {
			REFUSED(ports, n, WL_ERR_CONFIG)
		}
	}
	TAKEN(shared_bytes, 4096)
	TAKEN(shared_bytes, 65536)
	REFUSED(shared_bytes, 2048, WL_ERR_CONFIG)
	REFUSED(shared_bytes, 131072, WL_ERR_CONFIG)
	REFUSED(shared_bytes, 5000, WL_ERR_CONFIG)
	REFUSED(shared_bytes, 0, WL_ERR_CONFIG)
	TAKEN(ctas_per_sm, 1)
	REFUSED(ctas_per_sm, 0, WL_ERR_CONFIG)
	REFUSED(ctas_per_sm, 17, WL_ERR_CONFIG)
	TAKEN(warps_per_sm, 1)
	REFUSED(warps_per_sm, 0, WL_ERR_CONFIG)
	REFUSED(warps_per_sm, 49, WL_ERR_CONFIG)
	TAKEN(sms, 7)
	REFUSED(sms, 0, WL_ERR_CONFIG)
	TAKEN(combine, 1)
	TAKEN(combine, 2)
	REFUSED(combine, 3, WL_ERR_CONFIG)
	TAKEN(arch, WL_SM80)
	TAKEN(arch, WL_SM90)
	TAKEN(arch, WL_SM100)
	TAKEN(arch, WL_SM120)
	REFUSED(arch, (enum wl_arch)86, WL_ERR_UNSUPPORTED)
#undef REFUSED
#undef TAKEN
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(wl_fault_name(WL_FAULT_NONE), "NONE");
	assert_string_equal(wl_fault_name(WL_FAULT_MISALIGNED_ADDRESS), "MISALIGNED_ADDRESS");
	assert_string_equal(wl_fault_name(WL_FAULT_LOCAL_OUT_OF_RANGE), "LOCAL_OUT_OF_RANGE");
	assert_string_equal(wl_fault_name((enum wl_fault)99), "UNKNOWN_FAULT");
	assert_string_equal(wl_fault_text(WL_FAULT_SHARED_OUT_OF_RANGE), "shared address outside the CTA's window");
	assert_string_equal(wl_fault_text((enum wl_fault)99), "unknown fault");
	assert_string_equal(wl_outcome_name(WL_DEADLOCK), "deadlock");
	assert_string_equal(wl_outcome_name(WL_FAULTED), "fault");
	assert_string_equal(wl_outcome_name(WL_LIMIT), "limit");
	assert_string_equal(wl_status_name(WL_OK), "ok");
	assert_string_equal(wl_status_name(WL_ERR_UNSUPPORTED), "not supported yet");
	assert_string_equal(wl_status_name((enum wl_status)11), wl_status_name(WL_ERR_CONFIG));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_are_little_endian), cmocka_unit_test(opening_fills_just_the_window),
	        cmocka_unit_test(fill_words_differ),       cmocka_unit_test(fill_words_are_these),
	        cmocka_unit_test(buffers_and_gaps),        cmocka_unit_test(buffers_that_do_not_fit),
	        cmocka_unit_test(config_ranges),           cmocka_unit_test(names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
