// SPDX-License-Identifier: Apache-2.0
/* isa_spare_test -- bits outside the rows. cmodel/isa/spare_bits.tsv records the verdict of NVIDIA's disassembler on
 * each bit. A bit ignored by the disassembler changes nothing here either. With a refused bit the word leaves the row.
 * Every row has a word in the file, or nvdisasm took no word of the row: the row's spare bits are all 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa_table.h"

static const char *path;

struct line {
	enum wl_arch arch;
	struct wl_word word, ignored, refused;
	char text[256];
};

static bool read_line(FILE *f, struct line *l)
{
	char buf[600], word[33], ignored[33], refused[33];
	int arch;
	do {
		if (!fgets(buf, sizeof buf, f))
			return false;
	} while (*buf == '#');
	if (sscanf(buf, "%d\t%32s\t%255[^\t]\t%32s\t%32s", &arch, word, l->text, ignored, refused) != 5)
		fail_msg("cannot be read: %s", buf);
	l->arch = (enum wl_arch)arch;
	return wl_word_parse(word, &l->word) && wl_word_parse(ignored, &l->ignored) &&
	       wl_word_parse(refused, &l->refused);
}

static struct wl_word flip(struct wl_word w, unsigned bit)
{
	if (bit < 64)
		w.lo ^= UINT64_C(1) << bit;
	else
		w.hi ^= UINT64_C(1) << (bit - 64);
	return w;
}

static bool has(struct wl_word w, unsigned bit)
{
	return (bit < 64 ? w.lo >> bit : w.hi >> (bit - 64)) & 1;
}

static bool prints(enum wl_arch arch, struct wl_word w, const char *text)
{
	char found[256];
	return wl_print(arch, w, 0, found, sizeof found) > 0 && !strcmp(found, text);
}

static void each_spare_bit(void **state)
{
	(void)state;
	FILE *f = fopen(path, "r");
	struct line l;
	static bool seen[2048];
	unsigned lines = 0, ignored = 0, refused = 0, without = 0;
	char own[256];
	assert_non_null(f);
	assert_true(isa.nrows <= 2048);
	while (read_line(f, &l)) {
		int a = wl_arch_index(l.arch);
		const struct isa_row *row = isa_find(a, l.word);
		if (!row)
			fail_msg("sm_%d: no row takes the word of \"%s\"", (int)l.arch, l.text);
		seen[row - isa.rows] = true;
		lines++;
		assert_true(wl_print(l.arch, l.word, 0, own, sizeof own) > 0);
		for (unsigned bit = 0; bit < 128; bit++) {
			struct wl_word w = flip(l.word, bit);
			if (has(l.ignored, bit) && (isa_find(a, w) != row || !prints(l.arch, w, own)))
				fail_msg("sm_%d: bit %u of \"%s\" is ignored, but not here", (int)l.arch, bit, l.text);
			if (has(l.refused, bit) && isa_find(a, w) == row)
				fail_msg("sm_%d: \"%s\" is read alike with bit %u set", (int)l.arch, l.text, bit);
			ignored += has(l.ignored, bit);
			refused += has(l.refused, bit);
		}
	}
	for (unsigned i = 0; i < isa.nrows; i++)
		without += !seen[i] && isa.rows[i].uop != WL_UOP_ATOMSN; /* our own: NVIDIA's tools have no word */
	printf("%u words, %u bits ignored, %u not, %u rows without a word\n", lines, ignored, refused, without);
	assert_true(lines > 2300 && refused > 100);
	assert_true(without <= 7);
	fclose(f);
}

/* Words once read as if the bit were 0. */
static void once_misread(void **state)
{
	(void)state;
	static const struct {
		enum wl_arch arch;
		const char *word, *not ;
	} rows[] = {
	        {WL_SM120, "000fc0000001000080000000d3557236", "VIADD.32 R85, R211, -R0"},
	        {WL_SM100, "000fc000000130a75f26c35c41767419", "SHF.R.S64.HI"},
	        {WL_SM100, "000fc0000f8e100d0000004cff477c25", "IMAD.WIDE.U32 R71, RZ, UR76, R13"},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wl_word w;
		char text[256];
		assert_true(wl_word_parse(rows[i].word, &w));
		if (wl_print(rows[i].arch, w, 0, text, sizeof text) > 0 &&
		    !strncmp(text, rows[i].not, strlen(rows[i].not )))
			fail_msg("%s is read as %s", rows[i].word, text);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_spare_bit), cmocka_unit_test(once_misread)};
	path = argc > 1 ? argv[1] : "cmodel/isa/spare_bits.tsv";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
