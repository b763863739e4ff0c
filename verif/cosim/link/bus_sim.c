// SPDX-License-Identifier: Apache-2.0
/* bus_sim.c -- a command of the host: the payload into the request buffer, COMMAND, STATUS until done, ANSWER, the
 * words of the answer. Wrong accesses go in between; each must end in an error of the bus and in ERROR, and change
 * nothing else. */
#include "bus_sim.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "../../common/rng.h"
#include "frame.h"

enum {
	COMMAND = 0x08,
	STATUS = 0x0c,
	ANSWER = 0x10,
	ERRORS = 0x14,
	ERROR_ADDRESS = 0x18,
	REQUESTS = 0x800,
	ANSWERS = 0x1000
};
enum { BUSY = 1, DONE = 2, WRONG_ONE_IN = 16, SPLIT_ONE_IN = 8 };

struct cpu {
	const struct board_api *api;
	void *board;
	struct rng rng;
	const char *why; /* the bus is broken */
	char text[160];
};

static enum bus_answer ask(struct cpu *c, struct bus_access *a)
{
	const char *why = "";
	const enum bus_answer got = c->api->access(c->board, a, rng_u32(&c->rng), &why);
	if (got == BUS_BROKEN && !c->why) {
		snprintf(c->text, sizeof c->text, "%s at offset 0x%x: %s", a->write ? "write" : "read", a->offset, why);
		c->why = c->text;
	}
	return got;
}

static void wants(struct cpu *c, bool holds, const struct bus_access *a, const char *what)
{
	if (holds || c->why)
		return;
	snprintf(c->text, sizeof c->text, "%s at offset 0x%x: found 0x%x, expected %s", a->write ? "write" : "read",
	         a->offset, a->data, what);
	c->why = c->text;
}

static void put(struct cpu *c, uint32_t offset, uint32_t data, uint8_t strobe)
{
	struct bus_access a = {.offset = offset, .data = data, .write = 1, .strobe = strobe};
	wants(c, ask(c, &a) == BUS_OKAY, &a, "no error");
}

static uint32_t get(struct cpu *c, uint32_t offset)
{
	struct bus_access a = {.offset = offset, .strobe = 15};
	wants(c, ask(c, &a) == BUS_OKAY, &a, "no error");
	return a.data;
}

/* An access that must fail, and the bit of ERROR with the reason. */
static const struct wrong {
	struct bus_access a;
	uint32_t bit;
} wrongs[] = {
        {{.offset = 0x28, .strobe = 15}, 0},
        {{.offset = 0x7fc, .data = 1, .write = 1, .strobe = 15}, 0},
        {{.offset = 0x1ffc, .strobe = 15}, 0},
        {{.offset = 0x1c, .data = 3, .write = 1, .strobe = 7}, 1},
        {{.offset = COMMAND, .data = 2, .write = 1, .strobe = 1}, 1},
        {{.offset = 0x00, .data = 9, .write = 1, .strobe = 15}, 2},
        {{.offset = ANSWERS + 8, .data = 9, .write = 1, .strobe = 15}, 2},
        {{.offset = REQUESTS + 4, .strobe = 15}, 3},
        {{.offset = COMMAND, .data = 2041u << 16 | 2, .write = 1, .strobe = 15}, 5},
};

static void err_once(struct cpu *c)
{
	const struct wrong *w = &wrongs[rng_below(&c->rng, sizeof wrongs / sizeof *wrongs)];
	struct bus_access a = w->a;
	wants(c, ask(c, &a) == BUS_ERROR, &a, "an error of the bus");
	a = (struct bus_access){.offset = ERRORS};
	ask(c, &a);
	wants(c, a.data == 1u << w->bit, &a, "the one cause");
	a = (struct bus_access){.offset = ERROR_ADDRESS};
	ask(c, &a);
	wants(c, a.data == w->a.offset, &a, "the offset of the wrong access");
	put(c, ERRORS, 1u << w->bit, 15);
}

/* A word of the payload, one time in eight in two accesses; bytes without a strobe are random. */
static void put_payload(struct cpu *c, uint32_t offset, uint32_t word, uint8_t strobe)
{
	const uint8_t first = rng_one_in(&c->rng, SPLIT_ONE_IN) ? (uint8_t)(strobe & rng_below(&c->rng, 16)) : strobe;
	const uint8_t parts[2] = {first, (uint8_t)(strobe & ~first)};
	for (unsigned i = 0; i < 2; i++) {
		uint32_t data = rng_u32(&c->rng);
		for (unsigned b = 0; b < 4; b++)
			if (parts[i] >> b & 1)
				data = (data & ~(0xffu << 8 * b)) | (word & 0xffu << 8 * b);
		if (i == 0 || parts[i])
			put(c, offset, data, parts[i]);
	}
}

/* Of the last word only the bytes of the payload are written. */
static void do_command(struct cpu *c, const struct frame *f, struct frame *answer)
{
	for (unsigned at = 0; at < f->n && !c->why; at += 4) {
		uint32_t word = 0;
		uint8_t strobe = 0;
		for (unsigned b = 0; b < 4 && at + b < f->n; b++) {
			word |= (uint32_t)f->payload[at + b] << 8 * b;
			strobe |= (uint8_t)(1u << b);
		}
		put_payload(c, REQUESTS + at, word, strobe);
		if (rng_one_in(&c->rng, WRONG_ONE_IN))
			err_once(c);
	}
	put(c, COMMAND, (uint32_t)f->n << 16 | f->type, 15);
	uint32_t status = BUSY;
	while (!c->why && status & BUSY)
		status = get(c, STATUS);
	const uint32_t head = get(c, ANSWER);
	if (!c->why && !(status & DONE))
		c->why = "STATUS: neither busy nor done";
	*answer = (struct frame){.seq = f->seq, .type = (uint8_t)head, .n = head >> 16};
	if (!c->why && answer->n > FRAME_PAYLOAD)
		c->why = "ANSWER: longer than its buffer";
	for (unsigned at = 0; at < answer->n && !c->why; at += 4) {
		const uint32_t word = get(c, ANSWERS + at);
		for (unsigned b = 0; b < 4 && at + b < answer->n; b++)
			answer->payload[at + b] = (uint8_t)(word >> 8 * b);
		if (rng_one_in(&c->rng, WRONG_ONE_IN))
			err_once(c);
	}
}

static bool send_answer(int pty, const struct frame *f)
{
	uint8_t wire[FRAME_WIRE];
	const size_t n = frame_encode(f, wire);
	for (size_t at = 0; at < n;) {
		const ssize_t some = write(pty, wire + at, n - at);
		if (some <= 0)
			return false;
		at += (size_t)some;
	}
	return true;
}

void bus_sim_run(const struct board_api *api, void *board, int pty, uint64_t seed)
{
	struct cpu c = {.api = api, .board = board, .rng = rng_seed(seed, 901)};
	struct frame_reader reader = {.n = 0};
	struct frame f, answer = {.n = 0};
	uint8_t bytes[4096];
	bool any = false;
	ssize_t n;
	while ((n = read(pty, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++) {
			if (!frame_feed(&reader, bytes[i], &f))
				continue;
			/* the same frame again: the answer was on the way */
			if (!any || f.seq != answer.seq)
				do_command(&c, &f, &answer);
			any = true;
			if (c.why) {
				fprintf(stderr, "bus: %s\n", c.why);
				return;
			}
			if (!send_answer(pty, &answer))
				return;
		}
}
