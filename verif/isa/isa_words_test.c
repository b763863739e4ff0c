// SPDX-License-Identifier: Apache-2.0
/* isa_words_test -- words and texts of NVIDIA's disassembler against ours, both ways.
 *
 *   isa_words_test FILE|-     lines: arch TAB word TAB text [TAB emitted]
 * Passed: word -> text equal, text -> word -> text equal, and for emitted words text -> the very word (except
 * scheduling bits and registers hidden in the text), for every word. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/isa.h"

struct score {
	unsigned words, text, round, emitted, same;
};

/* Texts are compared without ".reuse" (a scheduling hint) and without the rest after their end. */
static void clean(const char *in, char *out, bool keep_reuse)
{
	size_t n = 0;
	while (*in && n < 250) {
		if (!keep_reuse && !strncmp(in, ".reuse", 6)) {
			in += 6;
			continue;
		}
		out[n++] = *in++;
	}
	while (n && (out[n - 1] == ' ' || out[n - 1] == ';' || out[n - 1] == '\n'))
		n--;
	out[n] = 0;
}

/* Bits missing in the text: scheduling; on sm_80 the uniform register of an unprinted descriptor. */
static bool same_word(int arch, const char *text, struct wl_word a, struct wl_word b)
{
	uint64_t hi = (a.hi ^ b.hi) & ~(((UINT64_C(1) << 21) - 1) << 41), lo = a.lo ^ b.lo;
	if (arch == 80 && strstr(text, ".64]") && !strstr(text, "UR")) {
		hi &= ~UINT64_C(0x3f);
		lo &= ~(UINT64_C(0x3f) << 32);
	}
	return !hi && !lo;
}

static void check(int arch, const char *hex, const char *text, bool emitted, struct score *s)
{
	char ours[256], theirs[256], plain[256], back[256], err[160];
	struct wl_word w, made;
	s->words++;
	clean(text, theirs, true);
	clean(text, plain, false);
	if (!wl_word_parse(hex, &w) || wl_print((enum wl_arch)arch, w, 0, ours, sizeof ours) < 0)
		strcpy(ours, "(no instruction)");
	if (!strcmp(ours, theirs))
		s->text++;
	else if (s->words - s->text <= 5)
		printf("sm_%d %s text: expected %s, printed %s\n", arch, hex, theirs, ours);
	bool assembled = wl_assemble((enum wl_arch)arch, plain, 0, &made, err, sizeof err) == WL_OK;
	if (!assembled || wl_print((enum wl_arch)arch, made, 0, back, sizeof back) < 0)
		snprintf(back, sizeof back, "(refused: %.150s)", err);
	if (!strcmp(back, plain))
		s->round++;
	else if (s->words - s->round <= 5)
		printf("sm_%d %s round: expected %s, came back %s\n", arch, hex, plain, back);
	s->emitted += emitted;
	if (emitted && assembled && same_word(arch, text, w, made)) {
		s->same++;
	} else if (emitted && s->emitted - s->same <= 5) {
		wl_word_format(made, back);
		printf("sm_%d %s word: %s assembles to %s\n", arch, hex, plain, back);
	}
}

int main(int argc, char **argv)
{
	static const enum wl_arch archs[] = {WL_ARCH_LIST};
	struct score scores[121];
	memset(scores, 0, sizeof scores);
	FILE *f = argc < 2 || !strcmp(argv[1], "-") ? stdin : fopen(argv[1], "r");
	if (!f) {
		printf("isa_words_test: cannot read %s\n", argv[1]);
		return 2;
	}
	char line[1024];
	while (fgets(line, sizeof line, f)) {
		char *save, *arch = strtok_r(line, "\t\n", &save), *hex = strtok_r(NULL, "\t\n", &save),
		            *text = strtok_r(NULL, "\t\n", &save);
		char *kind = strtok_r(NULL, "\t\n", &save);
		int a = arch ? atoi(arch) : 0;
		if (!text || arch[0] == '#' || a < 75 || a > 120)
			continue;
		check(a, hex, text, kind && !strcmp(kind, "emitted"), &scores[a]);
	}
	if (f != stdin)
		fclose(f);
	unsigned pass = 0, fail = 0;
	for (unsigned i = 0; i < WL_ARCH_COUNT; i++) {
		const struct score *s = &scores[archs[i]];
		if (!s->words)
			continue;
		printf("sm_%d: %u words, text %.3f %%, round %.3f %%, emitted %u, word %.3f %%\n", archs[i], s->words,
		       100.0 * s->text / s->words, 100.0 * s->round / s->words, s->emitted,
		       s->emitted ? 100.0 * s->same / s->emitted : 100.0);
		bool ok = s->text == s->words && s->round == s->words && s->same == s->emitted;
		pass += ok;
		fail += !ok;
	}
	printf("%u passed, %u failed\n", pass, fail);
	return fail || !pass;
}
