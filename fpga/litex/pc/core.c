// SPDX-License-Identifier: Apache-2.0
/* core.c -- the firmware without the CPU: windows as a program of this machine, with a verilated link_wb behind core.h.
 *
 *   core BOARD.so SEED WINDOWS REQUESTS     lines as on a board; exit status: 0 all hashes agree, 1 not, 2 misuse */
#include "../firmware/core.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../verif/cosim/link/board_shim.h"
#include "../firmware/window.h"

enum { COMMAND = 0x08, STATUS = 0x0c, ANSWER = 0x10, REQUESTS = 0x800, ANSWERS = 0x1000, PATIENCE = 20000 };

uint32_t core_commands, core_bytes;
bool core_stuck;
static const struct board_api *api;
static void *board;
static uint32_t delays = 1;
static char said[160]; /* the last line */
static bool differs;

static uint32_t bus(uint32_t offset, bool write, uint32_t data)
{
	struct bus_access a = {.offset = offset, .data = data, .write = write, .strobe = 15};
	const char *why = "an error of the bus";
	delays = delays * 1664525u + 1013904223u;
	if (api->access(board, &a, delays, &why) != BUS_OKAY) {
		fprintf(stderr, "core: offset 0x%x: %s\n", offset, why);
		exit(1);
	}
	return a.data;
}

int core_command(unsigned type, const void *payload, unsigned n, void *answer)
{
	const char *from = payload;
	char *to = answer;
	uint32_t word;
	if (core_stuck)
		return -1;
	for (unsigned i = 0; i < n; i += 4) {
		memcpy(&word, from + i, 4);
		bus(REQUESTS + i, true, word);
	}
	bus(COMMAND, true, n << 16 | type);
	core_commands++;
	core_bytes += n;
	for (uint32_t left = PATIENCE; bus(STATUS, false, 0) & 1; left--)
		if (!left) {
			core_stuck = true;
			return -1;
		}
	const uint32_t head = bus(ANSWER, false, 0);
	if ((head & 0xff) == 0xff)
		return -1;
	core_bytes += head >> 16;
	for (unsigned i = 0; i < head >> 16; i += 4) {
		word = bus(ANSWERS + i, false, 0);
		memcpy(to + i, &word, 4);
	}
	return (int)(head >> 16);
}

void core_reset(void)
{
	if (board)
		api->destroy(board);
	board = api->create();
	core_stuck = false;
}

volatile uint32_t *core_global(void)
{
	return api->memory(board);
}

void line_say(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(said, sizeof said, fmt, ap);
	va_end(ap);
	puts(said);
}

/* Whether the line of a window has two different hashes, or the line is missing. */
static bool different(void)
{
	const char *ref = strstr(said, " ref "), *dut = strstr(said, " dut ");
	return !ref || !dut || strncmp(ref + 5, dut + 5, 8) != 0;
}

int main(int argc, char **argv)
{
	const struct board_api *(*entry)(void) = NULL;
	void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (library)
		*(void **)&entry = dlsym(library, "wl_board");
	if (!entry) {
		fprintf(stderr, "usage: core BOARD.so SEED WINDOWS REQUESTS\n");
		return 2;
	}
	const uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 0), windows = (uint32_t)strtoul(argv[3], NULL, 0),
	               requests = (uint32_t)strtoul(argv[4], NULL, 0);
	api = entry();
	core_reset();
	window_identify();
	uint32_t w = 0;
	for (; w < windows && !differs; w++) {
		window_run(seed, w, requests, false);
		differs = different();
		if (differs)
			window_run(seed, w, requests, true);
	}
	printf("%u passed, %u failed\n", (unsigned)(differs ? w - 1 : w), (unsigned)differs);
	return differs ? 1 : 0;
}
