// SPDX-License-Identifier: Apache-2.0
/* main.c -- words of the host: `id`, `run SEED FIRST WINDOWS REQUESTS`, `replay SEED WINDOW REQUESTS`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "window.h"

static void do_line(char *line)
{
	unsigned long v[4] = {0};
	char *p = line + strcspn(line, " ");
	const size_t word = (size_t)(p - line);
	for (unsigned i = 0; i < 4; i++)
		v[i] = strtoul(p, &p, 0);
	if (word == 2 && !strncmp(line, "id", 2)) {
		window_identify();
	} else if (word == 3 && !strncmp(line, "run", 3)) {
		for (unsigned long w = v[1]; w < v[1] + v[2]; w++)
			window_run((uint32_t)v[0], (uint32_t)w, (uint32_t)v[3], false);
		line_say("end");
	} else if (word == 6 && !strncmp(line, "replay", 6)) {
		window_run((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], true);
		line_say("end");
	} else {
		line_say("what");
	}
}

int main(void)
{
	static char line[80];
	unsigned n = 0;
	line_say("ready");
	for (;;) {
		const int c = line_get();
		if (c < 0)
			continue;
		if (c == '\n') {
			line[n] = 0;
			do_line(line);
			n = 0;
		} else if (n < sizeof line - 1) {
			line[n++] = (char)c;
		}
	}
}
