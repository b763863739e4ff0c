// SPDX-License-Identifier: Apache-2.0
/* soc_host.c -- the host of the LiteX system: asks for windows, compares the two hashes of each, and has a window with a
 * difference replayed record by record.
 *
 *   soc_host sim:BOARD.so|TTY@BAUD SEED WINDOWS REQUESTS CLOCK_MHZ
 *
 * The rate is of the board's own clock, counted on the board. Exit status: 0 all hashes agree, 1 not, 2 misuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../verif/cosim/link/board_sim.h"
#include "line.h"

enum { SILENT_MS = 600000, ASK_MS = 2000, ASKS = 60 };

struct run {
	struct line line;
	unsigned long seed, windows, requests, clock_mhz;
	unsigned long agreed, clocks;
	unsigned failed;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The firmware may still send what an earlier host asked for: ask until the answer comes. */
static bool greet(struct run *r)
{
	for (unsigned i = 0; i < ASKS; i++) {
		if (!line_say(&r->line, "") || !line_say(&r->line, "id"))
			return false;
		while (line_hear(&r->line, ASK_MS)) {
			if (begins(r->line.text, "warplock soc 1 ")) {
				printf("board       %s\n", r->line.text);
				return true;
			}
			if (begins(r->line.text, "no core")) {
				printf("the CPU finds no core\n");
				return false;
			}
		}
	}
	printf("%s: no firmware of the LiteX system answers\n", r->line.link.name);
	return false;
}

static void replay(struct run *r, unsigned long window)
{
	char text[80];
	bool found = false;
	snprintf(text, sizeof text, "replay %lu %lu %lu", r->seed, window, r->requests);
	printf("replay      window %lu\n", window);
	line_say(&r->line, text);
	while (line_hear(&r->line, SILENT_MS) && strcmp(r->line.text, "end") != 0) {
		printf("%s\n", r->line.text);
		found = found || begins(r->line.text, "MISMATCH");
	}
	if (!found)
		printf("the difference did not come again\n");
}

/* One window: 1 the hashes agree, 0 not, -1 the line was damaged. */
static int ask(struct run *r, unsigned long window)
{
	char text[80];
	unsigned long number, requests, ref, dut, clocks;
	int got = -1;
	snprintf(text, sizeof text, "run %lu %lu 1 %lu", r->seed, window, r->requests);
	if (!line_say(&r->line, text))
		return -1;
	while (line_hear(&r->line, SILENT_MS)) {
		if (begins(r->line.text, "end"))
			return got;
		if (begins(r->line.text, "what"))
			return -1;
		if (begins(r->line.text, "silent")) {
			printf("window      %lu: the core is %s requests\n", window, r->line.text);
			got = 0;
		}
		if (sscanf(r->line.text, "window %lu %lu ref %lx dut %lx clocks %lu", &number, &requests, &ref, &dut,
		           &clocks) != 5 ||
		    number != window || requests != r->requests)
			continue;
		printf("window      %lu: ref %08lx, dut %08lx, %lu clocks\n", window, ref, dut, clocks);
		got = ref == dut;
		r->clocks += clocks;
	}
	return got;
}

static bool windows(struct run *r)
{
	for (unsigned long w = 0; w < r->windows; w++) {
		int got = -1;
		for (unsigned tries = 0; tries < 3 && got < 0; tries++)
			got = ask(r, w);
		if (got < 0) {
			printf("window      %lu: no whole answer in three tries\n", w);
			return false;
		}
		if (got == 0) {
			replay(r, w);
			return false;
		}
		r->agreed++;
	}
	return true;
}

static void say_rate(const struct run *r)
{
	const double checked = (double)r->agreed * (double)r->requests, clocks = (double)r->clocks;
	const double seconds = clocks / ((double)r->clock_mhz * 1e6);
	printf("checked     %.0f warp instructions in %.0f clocks: %.0f clocks each\n", checked, clocks,
	       clocks / checked);
	printf("rate        %.0f checked warp instructions a second at %lu MHz\n", checked / seconds, r->clock_mhz);
	printf("line        %lu bytes to the board, %lu from the board: %.1f for each warp instruction\n",
	       r->line.bytes_out, r->line.bytes_in, (double)(r->line.bytes_out + r->line.bytes_in) / checked);
}

/* TTY@BAUD */
static bool where(const char *text, char tty[LINK_NAME], unsigned *baud)
{
	const char *at = strrchr(text, '@');
	char *end;
	if (!at || at == text || at - text >= LINK_NAME)
		return false;
	snprintf(tty, LINK_NAME, "%.*s", (int)(at - text), text);
	*baud = (unsigned)strtoul(at + 1, &end, 10);
	return !*end && link_has_speed(*baud);
}

int main(int argc, char **argv)
{
	static struct run r;
	struct board_sim sim = {0};
	char tty[LINK_NAME], why[400];
	unsigned baud = 0;
	if (argc == 6) {
		r.seed = strtoul(argv[2], NULL, 0);
		r.windows = strtoul(argv[3], NULL, 0);
		r.requests = strtoul(argv[4], NULL, 0);
		r.clock_mhz = strtoul(argv[5], NULL, 0);
	}
	const bool simulated = argc == 6 && begins(argv[1], "sim:");
	if (!r.windows || !r.requests || !r.clock_mhz || (!simulated && !where(argv[1], tty, &baud))) {
		fprintf(stderr, "usage: soc_host sim:BOARD.so|TTY@BAUD SEED WINDOWS REQUESTS CLOCK_MHZ\n");
		return 2;
	}
	if (simulated && !board_sim_start(&sim, argv[1] + 4, 0, 1, why, sizeof why)) {
		fprintf(stderr, "soc_host: %s\n", why);
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	bool ok = line_open(&r.line, simulated ? sim.tty : tty, baud);
	if (!ok)
		fprintf(stderr, "soc_host: %s\n", r.line.link.why);
	ok = ok && greet(&r) && windows(&r);
	if (r.agreed)
		say_rate(&r);
	printf("%lu passed, %lu failed\n", r.agreed, ok ? 0ul : 1ul);
	board_sim_stop(&sim);
	return ok ? 0 : 1;
}
