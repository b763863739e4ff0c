// SPDX-License-Identifier: Apache-2.0
/* isa_raw_test -- word -> text with raw bits -> word is the identity.
 *
 *   isa_raw_test WORDS|- COUNT     lines of WORDS: arch TAB word TAB text
 *                                  COUNT random words of every row and architecture
 *
 * Every word of the file makes the round trip, with the file's scheduling and with random scheduling. The text before
 * the suffix equals the file's text (where COUNT is not 0). Random words have random bits wherever the row leaves bits
 * open, mostly invisible in texts. Then suffixes that must be refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "isa_table.h"

static const enum wl_arch archs[] = {WL_ARCH_LIST};
static unsigned long passed, failed;

static void check(bool good, const char *format, const char *a, const char *b)
{
	passed += good;
	if (!good && failed++ < 20) {
		printf(format, a, b);
		putchar('\n');
	}
}

/* False if the word prints no text. */
static bool there_and_back(enum wl_arch arch, struct wl_word w, uint64_t addr, char text[512])
{
	char hex[33], err[200], line[800];
	struct wl_word back;
	const int len = wl_print_raw(arch, w, addr, text, 512);
	if (len < 0)
		return false;
	check((size_t)len == strlen(text), "%s: its length is not what is said%s", text, "");
	enum wl_status s = wl_assemble_raw(arch, text, addr, &back, err, sizeof err);
	wl_word_format(w, hex);
	snprintf(line, sizeof line, "sm_%d %s %.400s", (int)arch, hex, text);
	wl_word_format(back, hex);
	check(s == WL_OK && back.lo == w.lo && back.hi == w.hi, "%s comes back as %s", line, s == WL_OK ? hex : err);
	return true;
}

/* nvdisasm leaves no space between the operands of some forms. */
static bool same_text(const char *a, const char *b)
{
	while (*a && *b) {
		if (*a == ' ' || *b == ' ') {
			a += *a == ' ';
			b += *b == ' ';
			continue;
		}
		if (*a++ != *b++)
			return false;
	}
	return a[strspn(a, " ")] == 0 && b[strspn(b, " ")] == 0;
}

static void file_word(enum wl_arch arch, const char *hex, const char *expected, bool compare, struct rng *rng)
{
	char text[512], *suffix;
	struct wl_word w;
	if (!wl_word_parse(hex, &w)) {
		check(false, "%s is no word%s", hex, "");
		return;
	}
	check(there_and_back(arch, w, 0, text), "%s prints no text, expected %s", hex, expected);
	suffix = strstr(text, " {raw:");
	if (suffix)
		*suffix = 0;
	if (compare)
		check(same_text(text, expected), "prints %s, expected %s", text, expected);
	there_and_back(arch, isa_set_bits(w, 105, 21, rng_next(rng)), 16 * (rng_next(rng) % 1000), text);
}

static void read_words(FILE *f, bool compare, struct rng *rng)
{
	char line[1024];
	while (fgets(line, sizeof line, f)) {
		char *save, *arch = strtok_r(line, "\t\n", &save), *hex = strtok_r(NULL, "\t\n", &save),
		            *text = strtok_r(NULL, "\t\n", &save);
		if (text && arch[0] != '#' && atoi(arch) >= 75)
			file_word((enum wl_arch)atoi(arch), hex, text, compare, rng);
	}
}

static void random_words(unsigned count, struct rng *rng)
{
	char text[512];
	unsigned long printed = 0, tried = 0;
	for (unsigned a = 0; a < WL_ARCH_COUNT; a++)
		for (unsigned op = 0; op < 8192; op++)
			for (unsigned k = 0; k < isa.first[a][op].n; k++) {
				const struct isa_match *m = isa.matches + isa.first[a][op].at + k;
				for (unsigned i = 0; i < count; i++) {
					struct wl_word w = {rng_next(rng), rng_next(rng)};
					if (i % 2) { /* near the usual word, for pieces with few legal values */
						const uint64_t *usual = isa.rows[m->row].base;
						w.lo = usual[0] ^ (w.lo & rng_next(rng) & rng_next(rng));
						w.hi = usual[1] ^ (w.hi & rng_next(rng) & rng_next(rng));
					}
					w.lo = (w.lo & ~m->mask[0]) | m->value[0];
					w.hi = (w.hi & ~m->mask[1]) | m->value[1];
					tried++;
					printed += there_and_back(archs[a], w, 0, text);
				}
			}
	printf("random words: %lu of %lu print\n", printed, tried);
	if (count)
		check(printed > tried / 10, "few random words print%s%s", "", "");
}

static void refusals(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
	        {"NOP {raw: }", "expected LO:HI=0xVALUE"},
	        {"NOP {raw: 3:2=0x1}", "\"3:2=0x1}\""},
	        {"NOP {raw: 120:128=0x1}", "\"120:128"},
	        {"NOP {raw: 32:33=0x4}", "\"32:33=0x4}\""},
	        {"NOP {raw: 32:35=4}", "\"32:35=4}\""},
	        {"NOP {raw: 0:64=0x0}", "\"0:64=0x0}\""},
	        {"NOP {raw: 32:35=0x4, 35:36=0x0}", "\"35:36=0x0}\""},
	        {"NOP {raw: 32:35=0x4", "expected LO:HI"},
	        {"NOP {raw: 32:35=0x4} R1", "\"R1\""},
	        {"NOP {raw: 0:11=0x947}", "the raw bits make it read \"BRA P0, 0x10"},
	        {"IADD3 R1, R2, R3, R4 {raw: 16:23=0x5}", "the raw bits make it read \"IADD3 R5, R2, R3, R4\""},
	        {"MOV R1, R2 {raw: 0:11=0xfff}", "the raw bits make it read \"no instruction\""},
	        {"FROB R1 {raw: 32:35=0x4}", "instruction \"FROB\" is not known"},
	};
	struct wl_word w;
	char err[300], hex[33];
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		enum wl_status s = wl_assemble_raw(WL_SM75, bad[i].text, 0, &w, err, sizeof err);
		check(s != WL_OK && strstr(err, bad[i].says), bad[i].text, "", "");
		if (s == WL_OK || !strstr(err, bad[i].says))
			printf("    says: %s\n", s == WL_OK ? "nothing" : err);
	}
	/* bits invisible in texts, stated by hand: 105:125 of the word */
	check(wl_assemble_raw(WL_SM75, "  NOP ; {raw: 105:125=0x7e0} ;", 0, &w, err, sizeof err) == WL_OK, "%s%s", err,
	      "");
	wl_word_format(w, hex);
	check(!strcmp(hex, "000fc000000000000000000000007918"), "%s expected %s", hex,
	      "000fc000000000000000000000007918");
}

/* Bits above the scheduling form a separate run. */
static void behind_scheduling(void)
{
	struct wl_word w;
	char text[512], err[200];
	check(wl_assemble(WL_SM75, "NOP", 0, &w, err, sizeof err) == WL_OK, "%s%s", err, "");
	wl_print_raw(WL_SM75, isa_set_bits(w, 126, 1, 1), 0, text, sizeof text);
	check(!strcmp(text, "NOP {raw: 126:126=0x1}"), "prints %s, expected %s", text, "NOP {raw: 126:126=0x1}");
}

int main(int argc, char **argv)
{
	struct rng rng = rng_seed(1, 0);
	FILE *f;
	if (argc != 3) {
		fputs("usage: isa_raw_test WORDS|- COUNT\n", stderr);
		return 2;
	}
	f = strcmp(argv[1], "-") ? fopen(argv[1], "r") : stdin;
	if (!f) {
		printf("isa_raw_test: cannot read %s\n", argv[1]);
		return 2;
	}
	read_words(f, atoi(argv[2]) > 0, &rng);
	if (f != stdin)
		fclose(f);
	random_words((unsigned)atoi(argv[2]), &rng);
	refusals();
	behind_scheduling();
	printf("%lu passed, %lu failed\n", passed, failed);
	return failed || passed < 1000;
}
