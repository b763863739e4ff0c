// SPDX-License-Identifier: Apache-2.0
/* link_find.c -- the speed of a serial line, and why nobody answers on the line: looped back, another speed, or silent.
 * A board asked at another speed receives no whole frame and says nothing, so every other speed is tried. */
#include <stdio.h>
#include <string.h>
#include <termios.h>

#include "link.h"

enum { TRIES_A_SPEED = 2 };

static const struct {
	unsigned baud;
	speed_t speed;
} speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},   {921600, B921600},
              {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

bool link_has_speed(unsigned baud)
{
	for (size_t i = 0; i < SPEEDS; i++)
		if (speeds[i].baud == baud)
			return true;
	return false;
}

void link_put_speeds(FILE *to)
{
	for (size_t i = 0; i < SPEEDS; i++)
		fprintf(to, "%s %u", i ? "," : "", speeds[i].baud);
}

bool link_set_speed(struct link *l, unsigned baud)
{
	struct termios t;
	size_t i = 0;
	l->baud = baud;
	while (baud && i < SPEEDS && speeds[i].baud != baud)
		i++;
	if (i == SPEEDS || (baud && (tcgetattr(l->fd, &t) != 0 || cfsetispeed(&t, speeds[i].speed) != 0 ||
	                             cfsetospeed(&t, speeds[i].speed) != 0 || tcsetattr(l->fd, TCSANOW, &t) != 0))) {
		snprintf(l->why, sizeof l->why, "%s: a speed of %u baud cannot be set", l->name, baud);
		return false;
	}
	tcflush(l->fd, TCIOFLUSH);
	memset(&l->reader, 0, sizeof l->reader);
	return true;
}

/* A speed other than `asked`, with an answer of a board; 0: none. */
static unsigned other_speed(struct link *l, unsigned asked)
{
	static const uint8_t nothing[1] = {0};
	l->tries = TRIES_A_SPEED;
	for (size_t i = 0; i < SPEEDS; i++)
		if (speeds[i].baud != asked && link_set_speed(l, speeds[i].baud) &&
		    (l->unanswered = false, link_command(l, LINK_IDENTIFY, nothing, 0) || !l->unanswered))
			return speeds[i].baud;
	return 0;
}

void link_find(struct link *l)
{
	const unsigned asked = l->baud;
	const unsigned long long came = l->bytes_in;
	char at[48] = "";
	if (asked)
		snprintf(at, sizeof at, " at %u baud and at other speeds", asked);
	const unsigned found = asked && !l->echoed ? other_speed(l, asked) : 0;
	if (found && l->gone)
		return;
	if (l->echoed)
		snprintf(l->why, sizeof l->why,
		         "%s is looped back: each command comes back as sent, and no answer; look for a bridge from TX "
		         "to RX, or for another port",
		         l->name);
	else if (found)
		snprintf(l->why, sizeof l->why, "%s has another speed: %u baud, found; %u baud, asked: board:%s@%u",
		         l->name, found, asked, l->name, found);
	else if (came)
		snprintf(l->why, sizeof l->why,
		         "%s does not answer, perhaps for another speed: %llu bytes came, and no whole frame%s",
		         l->name, came, at);
	else
		snprintf(l->why, sizeof l->why,
		         "%s does not answer and is silent: no byte came%s; look at power, bitstream, port and wires",
		         l->name, at);
}
