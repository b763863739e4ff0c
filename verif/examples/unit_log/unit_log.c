// SPDX-License-Identifier: Apache-2.0
/* unit_log.c -- a log of any hardware against one unit of the C model: unit_log UNIT PARAMETERS <log.
 * A line is a call of warplock/unit_ref.h without wl_unit_, with the numbers of the call; texts stand last:
 *   start_cta 0 0 0 2 0 256        request TAG SLOT WARP MASK PREDS INSTRUCTION        land SLOT AT AMOUNT FAULT KIND
 *   a FIRST [STEP]                 operand A of each lane; b and c likewise; ur VALUE: the uniform register
 *   explain SLOT                   prints the state of the reference        # comment */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/unit_ref.h"

typedef unsigned long long number;
enum { NUMBERS = 7, NO_LINE = -1 };

/* A source register of all lanes, 64 bits. */
static int operands(struct wl_unit_ref *u, uint32_t source, number first, number step)
{
	int v = WL_UNIT_AGREES;
	for (uint32_t lane = 0; lane < 32 && !v; lane++) {
		const number value = first + step * lane;
		v = wl_unit_operand(u, source, lane, 0, (uint32_t)value);
		v = v ? v : wl_unit_operand(u, source, lane, 1, (uint32_t)(value >> 32));
	}
	return v;
}

static int explain(struct wl_unit_ref *u, number slot)
{
	return printf("%s", wl_unit_explain(u, (uint32_t)slot)) < 0;
}

#define N(i) ((uint32_t)n[i])
#define CALL(name, ...)                                                                                                \
	if (!strcmp(word, #name))                                                                                      \
		return wl_unit_##name(u, __VA_ARGS__);

static int tell(struct wl_unit_ref *u, const char *word, const number n[NUMBERS], const char *text)
{
	CALL(start_cta, N(0), N(1), N(2), N(3), N(4), N(5))
	CALL(cluster, N(0), N(1), N(2))
	CALL(request, N(0), N(1), N(2), text, N(3), N(4))
	CALL(commit, N(0), N(1))
	CALL(fault, N(0), N(1), N(2))
	CALL(release, N(0), N(1), n[2], N(3))
	CALL(retire, N(0))
	CALL(exit, N(0), N(1))
	CALL(give_up, N(0))
	CALL(land, N(0), N(1), text, N(2), N(3))
	CALL(result, N(0), N(1), N(2), N(3))
	CALL(predicates, N(0), N(1), N(2))
	CALL(compare, N(0), N(1), n[2], n[3])
	CALL(write, N(0), N(1), N(2))
	CALL(global, n[0], N(1))
	CALL(write_global, n[0], N(1))
	CALL(compare_global, n[0], N(1))
	if (strlen(word) == 1 && *word >= 'a' && *word <= 'c')
		return operands(u, (uint32_t)(*word - 'a'), n[0], n[1]);
	if (!strcmp(word, "ur"))
		return operands(u, 3, n[0], 0);
	return strcmp(word, "explain") ? NO_LINE : explain(u, n[0]);
}

static int read_line(struct wl_unit_ref *u, const char *line)
{
	char word[40];
	number n[NUMBERS] = {0};
	int at = 0;
	if (sscanf(line, " %39s %n", word, &at) != 1 || *word == '#')
		return WL_UNIT_AGREES;
	const char *rest = line + at;
	for (unsigned i = 0; i < NUMBERS; i++) {
		char *end;
		n[i] = strtoull(rest, &end, 0);
		if (end == rest)
			break;
		rest = end + strspn(end, " ");
	}
	return tell(u, word, n, rest);
}

int main(int argc, char **argv)
{
	char line[400];
	unsigned lines = 0;
	int v = WL_UNIT_AGREES;
	struct wl_unit_ref *u = wl_unit_open(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
	if (!u)
		return fprintf(stderr, "unit_log: %s\n", wl_unit_open_error()), 2;
	while (!v && fgets(line, sizeof line, stdin)) {
		lines++;
		line[strcspn(line, "\n")] = 0;
		v = read_line(u, line);
	}
	if (!v)
		v = wl_unit_idle(u);
	printf("%u lines; line %u: %s\n", lines, lines,
	       v == NO_LINE ? "not a line of a log"
	       : v          ? wl_unit_why(u)
	                    : "the unit agrees");
	wl_unit_close(u);
	return v == NO_LINE ? 2 : v;
}
