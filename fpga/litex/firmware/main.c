// SPDX-License-Identifier: Apache-2.0
/* main.c -- commands of the host, each line with a checksum: `id`, `run SEED FIRST WINDOWS REQUESTS`,
 * `replay SEED WINDOW REQUESTS`. Answers: lines, the last line `end`; `what` to anything else. */
#include <string.h>

#include "../checksum.h"
#include "core.h"
#include "window.h"

/* The next decimal number; 0 without a number. */
static unsigned long number(const char **p)
{
	unsigned long v = 0;
	while (**p == ' ')
		++*p;
	for (; **p >= '0' && **p <= '9'; ++*p)
		v = v * 10 + (unsigned long)(**p - '0');
	return v;
}

static void do_line(char *line)
{
	unsigned long v[4];
	size_t word = 0;
	if (!checksum_whole(line)) {
		line_say("what");
		return;
	}
	while (line[word] && line[word] != ' ')
		word++;
	const char *p = line + word;
	for (unsigned i = 0; i < 4; i++)
		v[i] = number(&p);
	if (word == 2 && !strncmp(line, "id", 2)) {
		window_identify();
	} else if (word == 3 && !strncmp(line, "run", 3)) {
		line_say("go");
		for (unsigned long w = v[1]; w < v[1] + v[2]; w++)
			window_run((uint32_t)v[0], (uint32_t)w, (uint32_t)v[3], false);
		line_say("end");
	} else if (word == 6 && !strncmp(line, "replay", 6)) {
		line_say("go");
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
