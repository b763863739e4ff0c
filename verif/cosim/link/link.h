// SPDX-License-Identifier: Apache-2.0
/* link.h -- a board behind a tty: commands and answers, one command at a time. A frame without an answer goes out
 * again. The board does nothing twice, so noise costs time and nothing else. The wait for an answer follows from the
 * answers before (link_pace.c). */
#ifndef WARPLOCK_COSIM_LINK_H
#define WARPLOCK_COSIM_LINK_H

#include <stdio.h>

#include "frame.h"

/* Writes the low n bytes of a number, low byte first. Returns n. */
static inline unsigned link_put(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
	return n;
}

#include "link_commands.inc"

/* First byte of every answer. */
enum { LINK_LOST = 1, LINK_IDLE = 2, LINK_MORE = 4 };

/* A board's description of itself. */
struct link_info {
	unsigned lanes, banks, smem_bytes, units, arch, warps, slots, events,
	        releases;      /* slots: of CTAs; events: snapshots kept, at most; releases: in a snapshot, at most */
	unsigned memory_bytes; /* of global memory, 0: none */
	uint32_t revision;
};

/* How soon a board speaks: milliseconds a byte on the way; nineteen of twenty silences end within this time. Measured
 * on commands sent only once. */
struct link_pace {
	double most;
	unsigned answers;
};

enum { LINK_NAME = 128, LINK_USUAL_BAUD = 500000 };

struct link {
	int fd;
	char name[LINK_NAME];
	unsigned baud;     /* 0: left as found */
	unsigned quiet_ms; /* the longest silence before a frame goes out again */
	unsigned tries;    /* of one command */
	bool patient;      /* a simulated board with perhaps little processor time: longer each time */
	struct link_pace pace;
	uint8_t seq;
	struct frame_reader reader;
	struct frame answer; /* of the last command */
	bool echoed;         /* a command of this host has come back as sent */
	bool unanswered;     /* the last command failed: no answer in all tries */
	bool gone;           /* the line has been closed at the other end */
	struct link_info info;
	uint64_t frames, repeats, bytes_out, bytes_in;
	double lost_ms; /* between the first and the last sending, of commands sent more than once */
	char why[400];  /* after a failure */
};

/* Opens the tty, sets the speed (0: leaves the speed) and asks for the board's identity. False, with the reason in
 * `why`. */
bool link_open(struct link *l, const char *tty, unsigned baud, unsigned quiet_ms);
void link_close(struct link *l);

/* link_pace.c: a silence after so many bytes to the board; 0 bytes: in the middle of an answer. */
void link_pace_answered(struct link_pace *p, unsigned bytes, double ms);
void link_pace_hurried(struct link_pace *p); /* a frame went out again too soon: the answer was on its way */
unsigned link_pace_wait(const struct link_pace *p, unsigned bytes, unsigned tries, unsigned most_ms);

/* link_find.c: after silence or noise, finds the cause among three, for `why`: another speed, looped back, silent. */
bool link_has_speed(unsigned baud);
void link_put_speeds(FILE *to); /* " 115200, 230400" */
bool link_set_speed(struct link *l, unsigned baud);
void link_find(struct link *l);

/* Sends, waits for the answer (l->answer), repeats. False, with the reason in `why`: no answer, or a refusal. */
bool link_command(struct link *l, enum link_type type, const uint8_t *payload, unsigned n);

#endif
