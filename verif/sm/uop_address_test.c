// SPDX-License-Identifier: Apache-2.0
/* uop_address_test.c -- forms of addresses of global, generic and shared memory: .E and 32 bits, .U32 and .64 beside a
 * uniform register, scales beside a register, and the space of an address. Every lane has 16 bytes of its own; the test
 * computes the effect of an access on these bytes. */
#include <string.h>

#include "../../cmodel/sm/gpu.h"
#include "kernel_test.h"

enum { LANES = 32, LANE_WORDS = 4 };

static const struct arch {
	enum wl_arch arch;
	const char *param, *uniform; /* address of the first parameter; its load to UR4:5 */
	const char *plain, *atomic;  /* suffixes always present on sm_75 */
	const char *red;
} archs[] = {{WL_SM75, "0x160", "ULDC.64 UR4, c[0x0][0x160]", ".SYS", ".STRONG.GPU", "RED"},
             {WL_SM80, "0x160", "ULDC.64 UR4, c[0x0][0x160]", "", "", "RED"},
             {WL_SM90, "0x210", "ULDC.64 UR4, c[0x0][0x210]", "", "", "REDG"},
             {WL_SM100, "0x380", "LDCU.64 UR4, c[0x0][0x380]", "", "", "REDG"},
             {WL_SM120, "0x380", "LDCU.64 UR4, c[0x0][0x380]", "", "", "REDG"}};
enum { ARCHS = sizeof archs / sizeof archs[0] };

static uint32_t value(unsigned lane, unsigned word)
{
	return 0x01030507u * (lane + 1) + 0x11 * word;
}
static uint32_t operand(unsigned lane)
{
	return lane * 3 + 7;
}

/* R0 lane; R2:R3 the lane's 16 bytes; UR4:5 the bytes of all lanes, UR8:9 the number 16. R10 the offset of the lane's
 * bytes from UR4, R11 a wrong high half. R6 an operand, R7 zero, R12 the lane's second word. */
static uint32_t *begin(struct kernel *k, const struct arch *a, const char *instruction)
{
	char text[1500];
	snprintf(text, sizeof text,
	         "%s\nUMOV UR8, 0x10\nUMOV UR9, URZ\nS2R R0, SR_LANEID\nSHF.L.U32 R10, R0, 0x4, RZ\nMOV R11, 0x7\n"
	         "MOV R13, 0x1\nLDC.64 R2, c[0x0][%s]\nIMAD.WIDE.U32 R2, R10, R13, R2\nMOV R13, 0x3\nMOV R14, 0x7\n"
	         "IMAD R6, R0, R13, R14\nMOV R7, RZ\nLDG.E%s R12, [R2+0x4]\nMOV R8, 0x55555555\n%s\nEXIT\n",
	         a->uniform, a->param, a->plain, instruction);
	kernel_init_for(k, a->arch, text);
	uint32_t *words = kernel_words(k, 0, LANES * LANE_WORDS, 0);
	for (unsigned i = 0; i < LANES * LANE_WORDS; i++)
		words[i] = value(i / LANE_WORDS, i % LANE_WORDS);
	return words;
}

/* Effect on the word; R8 gets the old value, or nothing. */
enum effect { LOADS, STORES, ADDS, CASES, CASTS, REDUCES };
static const struct access {
	const char *before,
	        *after; /* text before and after the address; %s: .E, then the suffix of a plain access or atomic */
	enum effect effect;
	bool beside; /* with forms for a uniform register */
} accesses[] = {{"LDG%s%s R8, ", "", LOADS, true},
                {"LD%s%s R8, ", "", LOADS, true},
                {"STG%s%s ", ", R6", STORES, true},
                {"ST%s%s ", ", R6", STORES, true},
                {"ATOM%s.ADD%s PT, R8, ", ", R6", ADDS, true},
                {"ATOM%s.CAS%s PT, R8, ", ", R12, R6", CASES, false},
                {"ATOM%s.CAST.SPIN%s PT, R8, ", ", R12, R6", CASTS, false},
                {"ATOMG%s.CAS%s PT, R8, ", ", R12, R6", CASES, false},
                {"RED%s.ADD%s ", ", R6", REDUCES, true}};
enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

static void text_of(char *text, size_t n, const struct arch *a, const struct access *s, const char *e,
                    const char *address)
{
	char before[60];
	const bool plain = s->effect == LOADS || s->effect == STORES;
	snprintf(before, sizeof before, s->before, e, plain ? a->plain : a->atomic);
	if (s->effect == REDUCES)
		snprintf(text, n, "%s%s%s%s", a->red, before + strlen("RED"), address, s->after);
	else
		snprintf(text, n, "%s%s%s", before, address, s->after);
}

static void check(const struct arch *a, const struct access *s, const char *address)
{
	char text[100];
	struct kernel k;
	text_of(text, sizeof text, a, s, ".E", address);
	uint32_t *words = begin(&k, a, text);
	if (kernel_run(&k) != WL_ENDED)
		fail_msg("sm_%d: %s: %s", (int)a->arch, text, k.detail);
	const lane_row *r = gpu_regs(k.gpu, 0, 0);
	for (unsigned i = 0; i < LANES; i++) {
		const uint32_t was = value(i, 1), b = operand(i);
		const bool adds = s->effect == ADDS || s->effect == REDUCES;
		const uint32_t r8 = s->effect == STORES || s->effect == REDUCES ? 0x55555555
		                    : s->effect == CASTS                        ? 1 /* stored */
		                                                                : was;
		if (r[8][i] != r8)
			fail_msg("sm_%d: %s: lane %u: R8 0x%x, expected 0x%x", (int)a->arch, text, i, r[8][i], r8);
		for (unsigned w = 0; w < LANE_WORDS; w++) {
			uint32_t want = value(i, w);
			if (w == 1 && s->effect != LOADS)
				want = adds ? was + b : b;
			if (words[i * LANE_WORDS + w] != want)
				fail_msg("sm_%d: %s: lane %u: word %u 0x%x, expected 0x%x", (int)a->arch, text, i, w,
				         words[i * LANE_WORDS + w], want);
		}
	}
	kernel_free(&k);
}

static void test_pairs(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARCHS * ACCESSES; i++) {
		const struct arch *a = &archs[i % ARCHS];
		const struct access *s = &accesses[i / ARCHS];
		check(a, s, "[R2+0x4]");
		if (!s->beside)
			continue;
		check(a, s, "[R2.64+UR8+-0xc]");
		check(a, s, "[R10.U32+UR4+0x4]");
	}
}

/* Without .E the address is one register, and the high half is zero: an address below 4 GiB, with no memory there. */
static void test_32_bits(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ARCHS * ACCESSES; i++) {
		const struct arch *a = &archs[i % ARCHS];
		char text[100], address[40];
		struct kernel k;
		text_of(text, sizeof text, a, &accesses[i / ARCHS], "", "[R2+0x4]");
		begin(&k, a, text);
		if (kernel_run(&k) != WL_FAULTED)
			fail_msg("sm_%d: %s: ended", (int)a->arch, text);
		snprintf(address, sizeof address, "address 0x%x", (uint32_t)k.param[0] + 4);
		if (!strstr(k.detail, "GLOBAL_OUT_OF_RANGE") || !strstr(k.detail, address))
			fail_msg("sm_%d: %s: %s; expected GLOBAL_OUT_OF_RANGE, %s", (int)a->arch, text, k.detail,
			         address);
		kernel_free(&k);
	}
}

/* By generic address in shared memory. Of the lanes on one bank a single lane wins a CAST.SPIN; without .SPIN all lanes
 * win. A losing lane leaves the word. */
static void test_spinning(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2 * ARCHS; i++) {
		const struct arch *a = &archs[i / 2];
		const bool spins = i % 2;
		char text[300];
		struct kernel k;
		snprintf(
		        text, sizeof text,
		        "SHF.L.U32 R4, R0, 0x7, RZ\nMOV R5, 0x1\nSTS [R4], R12\nATOM.E.CAST%s%s PT, R8, [R4], R12, R6\n"
		        "LDS R16, [R4]",
		        spins ? ".SPIN" : "", a->atomic);
		begin(&k, a, text);
		k.prog.shared_bytes = LANES * 0x80;
		if (kernel_run(&k) != WL_ENDED)
			fail_msg("sm_%d: %s: %s", (int)a->arch, text, k.detail);
		unsigned won = 0;
		for (unsigned lane = 0; lane < LANES; lane++) {
			const uint32_t did = gpu_regs(k.gpu, 0, 0)[8][lane], is = gpu_regs(k.gpu, 0, 0)[16][lane];
			won += did == 1;
			if (did > 1 || is != (did ? operand(lane) : value(lane, 1)))
				fail_msg("sm_%d: %s: lane %u: R8 %u, the word is 0x%x", (int)a->arch, text, lane, did,
				         is);
		}
		assert_int_equal(won, spins ? 1 : LANES);
		kernel_free(&k);
	}
}

/* R4:5 in shared, R16:17 in local, R2:3 in global memory. R8: the lane in the address's space, else 0x77. */
static void test_spaces(void **state)
{
	(void)state;
	static const char *const names = "GLSD";
	static const struct {
		const char *text, *is; /* spaces of the address */
	} places[] = {{"QSPC.E.%c P2, RZ, [R4]", "SD"},
	              {"QSPC.E.%c P2, RZ, [R16]", "L"},
	              {"QSPC.E.%c P2, RZ, [R2]", "G"},
	              {"QSPC.E.%c P2, RZ, [R4.64+UR8]", "SD"},
	              {"QSPC.E.%c P2, RZ, [R10.U32+UR4]", "G"},
	              {"QSPC.E.%c P2, RZ, [R10.U32+UR10]", "SD"},
	              {"QSPC.%c P2, RZ, [R4]", "G"}, /* 32 bits: R5 is ignored */
	              {"QSPC.%c P2, RZ, [R16]", "G"}};
	for (unsigned i = 0; i < ARCHS; i++)
		for (unsigned p = 0; p < sizeof places / sizeof places[0]; p++)
			for (unsigned s = 0; s < 4; s++) {
				char text[300];
				struct kernel k;
				if (archs[i].arch < WL_SM90 && s == 3)
					continue;
				snprintf(text, sizeof text,
				         "UMOV UR10, 0x0\nUMOV UR11, 0x1\nMOV R4, R10\nMOV R5, 0x1\nMOV R16, 0x8\n"
				         "MOV R17, 0x2\n");
				snprintf(text + strlen(text), sizeof text - strlen(text), places[p].text, names[s]);
				snprintf(text + strlen(text), sizeof text - strlen(text), "\nSEL R8, R0, 0x77, P2");
				begin(&k, &archs[i], text);
				k.prog.shared_bytes = 1024;
				if (kernel_run(&k) != WL_ENDED)
					fail_msg("sm_%d: %s: %s", (int)archs[i].arch, text, k.detail);
				for (unsigned lane = 0; lane < LANES; lane++) {
					const uint32_t found = gpu_regs(k.gpu, 0, 0)[8][lane];
					if (found != (strchr(places[p].is, names[s]) ? lane : 0x77))
						fail_msg("sm_%d: %s of space %c: R8 0x%x", (int)archs[i].arch,
						         places[p].text, names[s], found);
				}
				kernel_free(&k);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_32_bits),
	                                   cmocka_unit_test(test_spinning), cmocka_unit_test(test_spaces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
