// SPDX-License-Identifier: Apache-2.0
/* bench_isa -- words decoded and printed a second, on one core.
 *
 *   bench_isa [FILE]      lines: arch TAB word ... (verif/isa/words.tsv)
 *                         Words follow the file's order, again and again.
 *
 * Prints `decode_words_per_s VALUE` and `print_words_per_s VALUE`, best of 60 short runs (the machine may have other
 * work). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warplock/isa.h"

enum { MOST_WORDS = 1 << 17, Runs = 60 };

static struct word {
	enum wl_arch arch;
	struct wl_word w;
} words[MOST_WORDS];

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned decode_all(unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++) {
		struct wl_inst in;
		sum += wl_decode(words[i].arch, words[i].w, &in) == WL_OK ? in.uop : 0;
	}
	return sum;
}

static unsigned print_all(unsigned n)
{
	unsigned sum = 0;
	char text[256];
	for (unsigned i = 0; i < n; i++)
		sum += (unsigned)wl_print(words[i].arch, words[i].w, 0, text, sizeof text);
	return sum;
}

static double best_rate(unsigned (*all)(unsigned), unsigned n, unsigned *sum)
{
	unsigned turns = 1 + 30000 / n;
	double best = 0;
	for (unsigned run = 0; run < Runs; run++) {
		double start = now();
		for (unsigned i = 0; i < turns; i++)
			*sum += all(n);
		double rate = (double)turns * n / (now() - start);
		best = rate > best ? rate : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	const char *file = argc > 1 ? argv[1] : "verif/isa/words.tsv";
	FILE *f = fopen(file, "r");
	char line[1024], text[256];
	unsigned n = 0, sum = 0;
	if (argc > 2 || !f) {
		fprintf(stderr, "usage: bench_isa [FILE]; cannot read %s\n", file);
		return 2;
	}
	while (n < MOST_WORDS && fgets(line, sizeof line, f)) {
		char *hex = strchr(line, '\t');
		if (line[0] == '#' || !hex)
			continue;
		*hex++ = 0;
		hex[strcspn(hex, "\t\n")] = 0;
		words[n].arch = (enum wl_arch)atoi(line);
		if (wl_word_parse(hex, &words[n].w) && wl_print(words[n].arch, words[n].w, 0, text, sizeof text) >= 0)
			n++;
	}
	fclose(f);
	if (!n) {
		fprintf(stderr, "bench_isa: no words in %s\n", file);
		return 1;
	}
	printf("decode_words_per_s %.0f\n", best_rate(decode_all, n, &sum));
	printf("print_words_per_s %.0f\n", best_rate(print_all, n, &sum));
	printf("best of %d, %u distinct words of %s (%u)\n", Runs, n, file, sum);
	return 0;
}
