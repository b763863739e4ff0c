// SPDX-License-Identifier: Apache-2.0
/* object_test.c -- facts on the kernel in a compiled object; damaged objects are refused in one line. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_ptx.h"
#include "warplock/sm.h"

static const char one[] = ".version 8.0\n" /* line 1 */
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".shared .align 16 .b8 table[48];\n"
                          ".extern .shared .align 8 .b8 rest[];\n"
                          ".visible .entry one(.param .u64 p, .param .u8 q, .param .u32 r)\n"
                          ".maxntid 96, 2, 1\n"
                          "{\n"
                          ".reg .b32 %r<4>; .reg .b64 %a;\n"
                          ".local .align 8 .b8 frame[24];\n"
                          "ld.param.u64 %a, [p];\n" /* line 11 */
                          "ld.param.u8 %r1, [q];\n"
                          "st.local.u32 [frame+4], %r1;\n"
                          "st.shared.u32 [table+44], %r1;\n"
                          "st.shared.u32 [rest], %r1;\n"
                          "st.global.u32 [%a], %r1;\n" /* line 16 */
                          "bar.sync 3;\n"
                          "ret;\n"
                          "}\n";
static const char other[] = ".visible .entry other(.param .u32 x) { ret; }\n";

static void silent(void *self, const struct wlcc_message *m)
{
	(void)self, (void)m;
}

static struct wlcc_bytes compile(const char *text)
{
	struct wlcc_options o = {.arch = WL_SM75, .opt = 2, .file = "one.ptx", .diag = silent};
	struct wlcc_bytes b;
	assert_true(wlcc_compile_ptx(text, strlen(text), &o, false, &b));
	return b;
}

static void test_facts(void **state)
{
	struct wlcc_bytes b = compile(one);
	struct wl_program p;
	char why[200];
	bool store_line = false;
	(void)state;
	assert_int_equal(wl_object_load(b.data, b.size, "one", &p, why, sizeof why), WL_OK);
	assert_string_equal(p.name, "one");
	assert_string_equal(p.source, "one.ptx");
	assert_int_equal(p.arch, WL_SM75);
	assert_int_equal(p.shared_bytes, 48);
	assert_int_equal(p.local_bytes, 32);
	assert_int_equal(p.param_base, 0x160);
	assert_int_equal(p.param_bytes, 16);
	assert_int_equal(p.nparams, 3);
	assert_int_equal(p.params[0].size, 8);
	assert_int_equal(p.params[1].offset, 8);
	assert_int_equal(p.params[1].size, 1);
	assert_int_equal(p.params[2].offset, 12);
	assert_int_equal(p.params[2].size, 4);
	assert_int_equal(p.max_threads, 192);
	assert_int_equal(p.ninst % 8, 0);
	assert_in_range(p.regs, 3, 16);
	for (uint32_t i = 0; i < p.ninst; i++)
		if (p.insts[i].uop == WL_UOP_STG) {
			assert_int_equal(p.lines[i], 16);
			store_line = true;
		}
	assert_true(store_line);
	wl_program_free(&p);
	free(b.data);
}

static void count_name(void *self, const char *name)
{
	unsigned *n = self;
	*n += strcmp(name, "one") == 0 ? 1 : strcmp(name, "other") == 0 ? 10 : 1000;
}

static void test_two_kernels(void **state)
{
	char text[2048], why[200];
	struct wlcc_bytes b;
	struct wl_program p;
	unsigned n = 0;
	(void)state;
	snprintf(text, sizeof text, "%s%s", one, other);
	b = compile(text);
	assert_int_equal(wl_object_kernels(b.data, b.size, count_name, &n, why, sizeof why), WL_OK);
	assert_int_equal(n, 11);
	assert_int_equal(wl_object_load(b.data, b.size, NULL, &p, why, sizeof why), WL_ERR_AMBIGUOUS);
	assert_int_equal(wl_object_load(b.data, b.size, "third", &p, why, sizeof why), WL_ERR_NO_ENTRY);
	assert_non_null(strstr(why, "third"));
	assert_int_equal(wl_object_load(b.data, b.size, "other", &p, why, sizeof why), WL_OK);
	assert_int_equal(p.nparams, 1);
	assert_int_equal(p.local_bytes, 0);
	wl_program_free(&p);
	free(b.data);
}

static enum wl_status load(const unsigned char *data, size_t size, char why[200])
{
	struct wl_program p;
	enum wl_status s;
	why[0] = 0;
	s = wl_object_load(data, size, NULL, &p, why, 200);
	if (s == WL_OK)
		wl_program_free(&p);
	else
		assert_true(why[0] && !strchr(why, '\n'));
	return s;
}

/* Every section possible for a kernel, and all sections without repetition: the headers must still be whole. */
static void test_all_sections(void **state)
{
	static const char with_lines[] = ".version 8.0\n"
	                                 ".target sm_75\n"
	                                 ".address_size 64\n"
	                                 ".file 1 \"k.cu\"\n"
	                                 ".shared .align 4 .b8 table[64];\n"
	                                 ".visible .entry lines(.param .u32 v) {\n"
	                                 ".reg .b32 %r<2>;\n"
	                                 ".loc 1 3 5\n"
	                                 "ld.param.u32 %r1, [v];\n"
	                                 ".loc 1 4 5\n"
	                                 "st.shared.u32 [table], %r1;\n"
	                                 "ret;\n"
	                                 "}\n";
	static const char *const expected[] = {
	        ".text.lines",     ".nv.info.lines",      ".nv.constant0.lines",     ".nv.shared.lines", ".debug_line",
	        ".rel.debug_line", ".nv_debug_line_sass", ".rel.nv_debug_line_sass", ".nv_debug_ptx_txt"};
	struct wlcc_bytes b = compile(with_lines);
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)b.data;
	const Elf64_Shdr *sh = (const Elf64_Shdr *)(const void *)(b.data + h->e_shoff);
	const char *names = (const char *)b.data + sh[h->e_shstrndx].sh_offset;

	(void)state;
	assert_int_equal(sh[0].sh_type, SHT_NULL);
	for (unsigned k = 0; k < sizeof expected / sizeof *expected; k++) {
		unsigned found = 0;
		for (unsigned i = 1; i < h->e_shnum; i++)
			found += !strcmp(names + sh[i].sh_name, expected[k]);
		if (found != 1)
			fail_msg("section %s stands %u times", expected[k], found);
	}
	free(b.data);
}

/* Each cut has a separate buffer: the sanitizer sees a read beyond the end. */
static void test_cut(void **state)
{
	struct wlcc_bytes b = compile(one);
	char why[200];
	(void)state;
	for (size_t n = 0; n < b.size; n++) {
		unsigned char *copy = malloc(n ? n : 1);
		memcpy(copy, b.data, n);
		assert_int_not_equal(load(copy, n, why), WL_OK);
		free(copy);
	}
	free(b.data);
}

static void test_flipped(void **state)
{
	struct wlcc_bytes b = compile(one);
	unsigned char *copy = malloc(b.size);
	char why[200];
	unsigned refused = 0;
	(void)state;
	for (size_t at = 0; at < b.size; at++)
		for (unsigned k = 0; k < 3; k++) {
			memcpy(copy, b.data, b.size);
			copy[at] ^= (unsigned char)(k == 0 ? 0xff : k == 1 ? 0x01 : 0x80);
			refused += load(copy, b.size, why) != WL_OK;
		}
	assert_in_range(refused, 100, 3 * b.size);
	free(copy);
	free(b.data);
}

static void test_foreign(void **state)
{
	struct wlcc_bytes b = compile(one);
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)b.data;
	char why[200];

	(void)state;
	h->e_machine = EM_X86_64;
	assert_int_equal(load(b.data, b.size, why), WL_ERR_OBJECT);
	assert_non_null(strstr(why, "another machine"));
	h->e_machine = 190;
	h->e_flags = 0x6006902; /* sm_105: missing in every table */
	assert_int_equal(load(b.data, b.size, why), WL_ERR_UNSUPPORTED);
	assert_non_null(strstr(why, "sm_105"));
	assert_int_equal(load((const unsigned char *)one, sizeof one, why), WL_ERR_OBJECT);
	free(b.data);
}

/* A caller of the libraries forgets a name, the messages, or the parameters: an answer, and no crash. */
static void test_without_names(void **state)
{
	const struct wlcc_options o = {.arch = WL_SM75, .opt = 2}, unknown = {.opt = 2};
	const struct wl_config config = wl_config_default();
	const struct wl_launch launch = {.grid = {1, 1, 1}, .block = {96, 2, 1}};
	static uint8_t memory[4096];
	struct wl_gmem mem = {.bytes = sizeof memory, .mem = memory};
	struct wlcc_bytes b, no;
	struct wl_program p;
	struct wl_gpu *gpu = NULL;
	char why[200];
	(void)state;
	assert_true(wlcc_compile_ptx(one, strlen(one), &o, false, &b));
	assert_false(wlcc_compile_ptx(one, strlen(one), &unknown, false, &no));
	assert_false(wlcc_compile_ptx(one, strlen(one) - 4, &o, false, &no));
	assert_int_equal(wl_object_load(b.data, b.size, NULL, &p, why, sizeof why), WL_OK);
	assert_string_equal(p.source, "(PTX)");
	free(b.data);
	assert_int_equal(wl_gpu_create(&config, &p, &mem, &launch, &gpu, why, sizeof why), WL_ERR_LAUNCH);
	assert_string_equal(why, "the kernel takes 16 bytes of parameters, params is NULL");
	wl_program_free(&p);
	assert_true(wlcc_print_ptx(one, strlen(one), &o, &b));
	free(b.data);
	assert_false(wlcc_print_ptx(one, strlen(one) - 4, &o, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_facts),         cmocka_unit_test(test_all_sections),
	        cmocka_unit_test(test_two_kernels),   cmocka_unit_test(test_cut),
	        cmocka_unit_test(test_flipped),       cmocka_unit_test(test_foreign),
	        cmocka_unit_test(test_without_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
