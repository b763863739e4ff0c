// SPDX-License-Identifier: Apache-2.0
/* word_scan.c -- verdict of the tables on single words.
 *
 *   word_scan < LINES     arch TAB word, more behind another TAB is not read
 *
 * A line for each: "unknown", "unmodelled", "illegal" or the micro-operation, TAB, our text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/isa.h"

#include "word_verdict.h"

int main(void)
{
	char line[1024], text[256];
	struct wl_word w;
	while (fgets(line, sizeof line, stdin)) {
		char *save, *arch = strtok_r(line, "\t\n", &save), *hex = strtok_r(NULL, "\t\n", &save);
		if (!arch || *arch == '#')
			continue;
		if (!hex || !wl_word_parse(hex, &w)) {
			fprintf(stderr, "word_scan: a line without a word: %s\n", line);
			return 2;
		}
		if (wl_print((enum wl_arch)atoi(arch), w, 0, text, sizeof text) < 0)
			*text = 0;
		printf("%s\t%s\n", verdict_of((enum wl_arch)atoi(arch), w), text);
	}
	return 0;
}
