// SPDX-License-Identifier: Apache-2.0
/* link_pace.c -- how long a silence may be before a command goes out again: half as long again as nineteen of twenty
 * silences took, in proportion to the bytes on their way. A damaged frame costs this wait. A wait that was too short
 * costs the time of one frame: the board does nothing twice. A mean with deviations would follow single late answers of
 * a busy machine. */
#include "link.h"

enum { SHORTEST_MS = 4, FIRST_ANSWERS = 4, CHUNK = 256, BEFORE_DOUBLING = 3 };
static const double above = 0.95, step = 0.25;

void link_pace_answered(struct link_pace *p, unsigned bytes, double ms)
{
	const double each = ms / (bytes + CHUNK);
	if (p->answers++ < FIRST_ANSWERS)
		p->most = each > p->most ? each : p->most;
	else if (each > p->most)
		p->most *= 1 + step * above;
	else
		p->most *= 1 - step * (1 - above);
}

void link_pace_hurried(struct link_pace *p)
{
	p->most *= 1 + step;
}

unsigned link_pace_wait(const struct link_pace *p, unsigned bytes, unsigned tries, unsigned most_ms)
{
	double ms = p->most * (bytes + CHUNK) * 1.5 + 1;
	if (p->answers < FIRST_ANSWERS)
		return most_ms;
	ms = ms < SHORTEST_MS ? SHORTEST_MS : ms;
	for (unsigned i = BEFORE_DOUBLING; i < tries && ms < most_ms; i++) /* a silent board gets longer each time */
		ms *= 2;
	return ms < most_ms ? (unsigned)ms : most_ms;
}
