// SPDX-License-Identifier: Apache-2.0
/* soc_host.c -- the host of the LiteX system: asks for windows, compares the two hashes of each, and has a window with a
 * difference replayed record by record.
 *
 *   soc_host sim:BOARD.so|TTY SEED WINDOWS REQUESTS CLOCK_MHZ BAUD [NOISE]     NOISE: the simulated line damages one byte in so many
 *
 * The rate is of the board's own clock, counted on the board. Exit status: 0 all hashes agree, 1 not, 2 misuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../verif/cosim/link/board_sim.h"
#include "line.h"

enum { WORK_MS = 600000, ASK_MS = 5000, ASKS = 60, TRIES = 20 };
enum { FRAME = 10, BITS = 10 }; /* of the UART link: bytes of a frame beside the payload, bits of a byte on the line */

struct window {
	bool known, differs;
	unsigned long ref, dut, clocks, commands, bytes, waits;
};

struct run {
	struct line line;
	unsigned long seed, windows, requests, clock_mhz, baud;
	unsigned long asked; /* number of the window */
	struct window window;
	bool found; /* a record with a difference */
	unsigned long agreed, clocks, link_bytes, waits;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The firmware may still send answers to an earlier host: ask until the right answer comes. */
static bool greet(struct run *r)
{
	for (unsigned i = 0; i < ASKS; i++) {
		if (!line_say(&r->line, "") || !line_say(&r->line, "id"))
			return false;
		for (enum heard heard; (heard = line_hear(&r->line, ASK_MS)) != HEARD_NOTHING;) {
			if (heard == HEARD_DAMAGED)
				continue;
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

/* Sends a command and gives each line of the answer to `each`. False: the answer is not whole. */
static bool command(struct run *r, const char *text, void (*each)(struct run *r))
{
	unsigned ms = ASK_MS; /* until the firmware says `go` */
	bool whole = true;
	enum heard heard;
	if (!line_say(&r->line, text))
		return false;
	while ((heard = line_hear(&r->line, ms)) != HEARD_NOTHING) {
		if (heard == HEARD_DAMAGED || strcmp(r->line.text, "what") == 0) {
			whole = false; /* and perhaps this was the last line */
			ms = ASK_MS;
		} else if (strcmp(r->line.text, "go") == 0) {
			ms = WORK_MS;
		} else if (strcmp(r->line.text, "end") == 0) {
			return whole;
		} else {
			each(r);
		}
	}
	return false;
}

static void take_window(struct run *r)
{
	unsigned long seed, number, requests;
	struct window w = {.known = true};
	if (begins(r->line.text, "silent")) {
		printf("window      %lu: %s\n", r->asked, r->line.text);
		r->window.differs = r->window.known = true;
	}
	if (sscanf(r->line.text, "window %lu %lu %lu ref %lx dut %lx clocks %lu commands %lu bytes %lu waits %lu",
	           &seed, &number, &requests, &w.ref, &w.dut, &w.clocks, &w.commands, &w.bytes, &w.waits) != 9 ||
	    seed != r->seed || number != r->asked || requests != r->requests)
		return;
	w.differs = w.ref != w.dut;
	r->window = w;
}

static void take_replay(struct run *r)
{
	printf("%s\n", r->line.text);
	r->found = r->found || begins(r->line.text, "MISMATCH");
}

static void replay(struct run *r)
{
	char text[80];
	snprintf(text, sizeof text, "replay %lu %lu %lu", r->seed, r->asked, r->requests);
	for (unsigned tries = 0; tries < TRIES && !r->found; tries++) {
		printf("replay      window %lu\n", r->asked);
		if (command(r, text, take_replay) && !r->found) {
			printf("the difference did not come again\n");
			return;
		}
	}
}

/* False: the line lets no answer through. */
static bool ask(struct run *r)
{
	char text[80];
	snprintf(text, sizeof text, "run %lu %lu 1 %lu", r->seed, r->asked, r->requests);
	r->window = (struct window){0};
	for (unsigned tries = 0; tries < TRIES && !r->window.known; tries++)
		command(r, text, take_window);
	return r->window.known;
}

static bool windows(struct run *r)
{
	for (r->asked = 0; r->asked < r->windows; r->asked++) {
		const struct window *w = &r->window;
		if (!ask(r)) {
			printf("window      %lu: no whole answer in %d tries\n", r->asked, TRIES);
			return false;
		}
		if (w->clocks)
			printf("window      %lu: ref %08lx, dut %08lx, %lu clocks\n", r->asked, w->ref, w->dut,
			       w->clocks);
		if (w->differs) {
			replay(r);
			return false;
		}
		r->agreed++;
		r->clocks += w->clocks;
		r->waits += w->waits;
		r->link_bytes += w->bytes + 2 * FRAME * w->commands;
	}
	return true;
}

static void say_rate(const struct run *r)
{
	const double checked = (double)r->agreed * (double)r->requests, clocks = (double)r->clocks;
	const double seconds = clocks / ((double)r->clock_mhz * 1e6);
	printf("checked     %.0f warp instructions in %.0f clocks: %.0f clocks each; %lu have waited for a release\n",
	       checked, clocks, clocks / checked, r->waits);
	printf("rate        %.0f checked warp instructions a second at %lu MHz\n", checked / seconds, r->clock_mhz);
	const double link = (double)r->link_bytes / checked;
	printf("UART link   %.0f at most, at %lu baud: the same commands are %.0f bytes each\n",
	       (double)r->baud / BITS / link, r->baud, link);
	printf("line        %lu bytes to the board, %lu from the board, %u lines damaged; %.1f bytes a warp "
	       "instruction\n",
	       r->line.bytes_out, r->line.bytes_in, r->line.damaged,
	       (double)(r->line.bytes_out + r->line.bytes_in) / checked);
}

int main(int argc, char **argv)
{
	static struct run r;
	struct board_sim sim = {0};
	char why[400];
	if (argc == 7 || argc == 8) {
		r.seed = strtoul(argv[2], NULL, 0);
		r.windows = strtoul(argv[3], NULL, 0);
		r.requests = strtoul(argv[4], NULL, 0);
		r.clock_mhz = strtoul(argv[5], NULL, 0);
		r.baud = strtoul(argv[6], NULL, 0);
	}
	const bool simulated = argc >= 7 && begins(argv[1], "sim:");
	if (!r.windows || !r.requests || !r.clock_mhz || !link_has_speed((unsigned)r.baud)) {
		fprintf(stderr, "usage: soc_host sim:BOARD.so|TTY SEED WINDOWS REQUESTS CLOCK_MHZ BAUD [NOISE]\n");
		return 2;
	}
	if (simulated && !board_sim_start(&sim, argv[1] + 4, argc == 8 ? (unsigned)strtoul(argv[7], NULL, 0) : 0,
	                                  r.seed, why, sizeof why)) {
		fprintf(stderr, "soc_host: %s\n", why);
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	bool ok = line_open(&r.line, simulated ? sim.tty : argv[1], simulated ? 0 : (unsigned)r.baud);
	if (!ok)
		fprintf(stderr, "soc_host: %s\n", r.line.link.why);
	ok = ok && greet(&r) && windows(&r);
	if (r.agreed)
		say_rate(&r);
	printf("%lu passed, %lu failed\n", r.agreed, ok ? 0ul : 1ul);
	board_sim_stop(&sim);
	return ok ? 0 : 1;
}
