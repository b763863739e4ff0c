// SPDX-License-Identifier: Apache-2.0
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../checksum.h"

bool line_open(struct line *line, const char *tty, unsigned baud)
{
	struct termios t;
	memset(line, 0, sizeof *line);
	snprintf(line->link.name, sizeof line->link.name, "%s", tty);
	line->link.fd = open(tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (line->link.fd < 0 || tcgetattr(line->link.fd, &t) != 0) {
		snprintf(line->link.why, sizeof line->link.why, "%s: %s", tty, strerror(errno));
		return false;
	}
	cfmakeraw(&t);
	tcsetattr(line->link.fd, TCSANOW, &t);
	return link_set_speed(&line->link, baud);
}

static bool put(struct line *line, const char *p, size_t n)
{
	while (n) {
		const ssize_t k = write(line->link.fd, p, n);
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
		line->bytes_out += (unsigned long)k;
	}
	return true;
}

bool line_say(struct line *line, const char *text)
{
	char sum[CHECKSUM + 1];
	checksum(text, sum);
	return put(line, text, strlen(text)) && put(line, sum, CHECKSUM) && put(line, "\n", 1);
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

enum heard line_hear(struct line *line, unsigned ms)
{
	const double until = now_ms() + ms;
	for (line->n = 0;;) {
		const double left = until - now_ms();
		struct pollfd p = {.fd = line->link.fd, .events = POLLIN};
		char c;
		if (left <= 0 || poll(&p, 1, (int)left + 1) <= 0 || read(line->link.fd, &c, 1) != 1)
			return HEARD_NOTHING;
		line->bytes_in++;
		if (c != '\n') {
			if (line->n < sizeof line->text - 1)
				line->text[line->n++] = c;
			continue;
		}
		line->text[line->n] = 0;
		if (checksum_whole(line->text))
			return HEARD_LINE;
		line->damaged++;
		return HEARD_DAMAGED;
	}
}
