// SPDX-License-Identifier: Apache-2.0
/* line.h -- lines of the firmware over a tty, each with a checksum. */
#ifndef WARPLOCK_SOC_LINE_H
#define WARPLOCK_SOC_LINE_H

#include <stdbool.h>

#include "../../../verif/cosim/link/link.h"

enum { LINE_TEXT = 200 };

struct line {
	struct link link; /* fd, name and speed of the tty */
	char text[LINE_TEXT];
	unsigned n;
	unsigned long bytes_in, bytes_out;
	unsigned damaged; /* lines */
};

/* Opens the tty; baud 0 leaves the speed. False, with the reason in line->link.why. */
bool line_open(struct line *line, const char *tty, unsigned baud);
bool line_say(struct line *line, const char *text); /* with checksum and newline */
/* The next line, without the checksum, in line->text. NOTHING: none came within the time. */
enum heard { HEARD_NOTHING, HEARD_LINE, HEARD_DAMAGED };
enum heard line_hear(struct line *line, unsigned ms);

#endif
