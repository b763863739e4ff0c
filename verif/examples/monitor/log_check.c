// SPDX-License-Identifier: Apache-2.0
/* log_check.c -- order rules over a log of any hardware: log_check PARAMETERS <log. Forms of a line:
 *   cta SLOT FIRST-WARP WARPS BYTES         address FIRST STEP          request TAG SLOT WARP MASK INSTRUCTION
 *   commit TAG LANES                        retire TAG                  exit TAG
 *   release UNIT SLOT ID WARPS              cycle                       # comment */
#include <stdio.h>
#include <string.h>

#include <warplock/monitor.h>

static int address(struct wl_monitor *m, unsigned first, unsigned step)
{
	int v = WL_MONITOR_LEGAL;
	for (unsigned lane = 0; lane < 32 && v == WL_MONITOR_LEGAL; lane++)
		v = wl_monitor_operand(m, 0, lane, 0, first + step * lane);
	return v;
}

/* -1: not a line of a log. */
static int tell(struct wl_monitor *m, const char *line)
{
	unsigned a, b, c, d;
	int at = 0;
	char word[40];
	unsigned long long warps;
	if (sscanf(line, " request %u %u %u %x %n", &a, &b, &c, &d, &at) == 4 && at)
		return wl_monitor_request(m, a, b, c, line + at, d, 0);
	if (sscanf(line, " commit %u %x", &a, &b) == 2)
		return wl_monitor_commit(m, a, b);
	if (sscanf(line, " retire %u", &a) == 1)
		return wl_monitor_retire(m, a);
	if (sscanf(line, " exit %u", &a) == 1)
		return wl_monitor_exit(m, a);
	if (sscanf(line, " release %39s %u %u %llx", word, &a, &b, &warps) == 4)
		return wl_monitor_release(m, word, a, b, warps);
	if (sscanf(line, " cta %u %u %u %u", &a, &b, &c, &d) == 4)
		return wl_monitor_start_cta(m, a, b, c, 32, 0, d);
	if (sscanf(line, " address %u %u", &a, &b) == 2)
		return address(m, a, b);
	if (sscanf(line, " %39s", word) != 1 || *word == '#')
		return WL_MONITOR_LEGAL;
	return strcmp(word, "cycle") ? -1 : wl_monitor_cycle(m, 0);
}

int main(int argc, char **argv)
{
	char line[400];
	unsigned number = 0;
	int v = WL_MONITOR_LEGAL;
	struct wl_monitor *m = wl_monitor_open(argc > 1 ? argv[1] : "");
	if (!m)
		return fprintf(stderr, "log_check: %s\n", wl_monitor_open_error()), 2;
	while (v == WL_MONITOR_LEGAL && fgets(line, sizeof line, stdin)) {
		number++;
		line[strcspn(line, "\n")] = 0;
		v = tell(m, line);
	}
	if (v == WL_MONITOR_LEGAL)
		v = wl_monitor_end(m);
	printf("%u lines; line %u: %s\n", number, number,
	       v == -1 ? "not a line of a log"
	       : v     ? wl_monitor_why(m)
	               : "the order is legal");
	wl_monitor_close(m);
	return v == -1 ? 2 : v;
}
