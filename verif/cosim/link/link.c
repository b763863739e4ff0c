// SPDX-License-Identifier: Apache-2.0
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 40, FIRST_TRIES = 8 };

static bool fail(struct link *l, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(l->why, sizeof l->why, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- the tty ---- */

static bool open_tty(struct link *l, unsigned baud)
{
	struct termios t;
	l->fd = open(l->name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (l->fd < 0)
		return fail(l, "cannot open %s: %s", l->name, strerror(errno));
	if (tcgetattr(l->fd, &t) != 0)
		return fail(l, "%s is not a serial line: %s", l->name, strerror(errno));
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	if (tcsetattr(l->fd, TCSANOW, &t) != 0)
		return fail(l, "%s: cannot set it up: %s", l->name, strerror(errno));
	return link_set_speed(l, baud);
}

static bool gone(struct link *l, const char *what)
{
	l->gone = true;
	return fail(l, "%s: the line is gone (%s: %s)", l->name, what, errno ? strerror(errno) : "end of file");
}

/* Waits until the tty can be read or written; 0 after `ms` without either. */
static int wait_for(struct link *l, short events, unsigned ms)
{
	struct pollfd p = {.fd = l->fd, .events = events};
	int n;
	do
		n = poll(&p, 1, (int)ms);
	while (n < 0 && errno == EINTR);
	if (n > 0 && !(p.revents & events)) {
		errno = 0;
		return -1;
	}
	return n;
}

static bool send_bytes(struct link *l, const uint8_t *p, size_t n)
{
	while (n) {
		const ssize_t done = write(l->fd, p, n);
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			return gone(l, "write");
		if (done > 0) {
			p += done;
			n -= (size_t)done;
			l->bytes_out += (uint64_t)done;
		} else {
			const int ready = wait_for(l, POLLOUT, l->quiet_ms * TRIES);
			if (ready < 0)
				return gone(l, "write");
			if (ready == 0)
				return fail(l, "%s takes no bytes", l->name);
		}
	}
	return true;
}

/* ---- commands ---- */

enum heard { HEARD, SILENCE, GONE };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* A whole frame has come: true when the frame answers `seq`. */
static bool answers(struct link *l, uint8_t seq)
{
	const bool answer = l->answer.type & LINK_ANSWER;
	if (!answer)
		l->echoed = true;
	else if (l->answer.seq == (uint8_t)(seq - 1))
		link_pace_hurried(&l->pace);
	return answer && l->answer.seq == seq;
}

/* Reads until the answer to `seq`, a frame of `sent` bytes, has come, or a silence is too long. */
static enum heard listen_for(struct link *l, uint8_t seq, unsigned sent, unsigned tries)
{
	const unsigned most = l->quiet_ms * (l->patient ? tries + 1 : 1);
	uint8_t bytes[256];
	for (bool begun = false;; begun = true) {
		const double from = now_ms();
		const int ready = wait_for(l, POLLIN, link_pace_wait(&l->pace, begun ? 0 : sent, tries, most));
		if (ready == 0)
			return SILENCE;
		if (!begun && tries == 0)
			link_pace_answered(&l->pace, sent, now_ms() - from);
		errno = 0;
		const ssize_t n = ready > 0 ? read(l->fd, bytes, sizeof bytes) : -1;
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			return gone(l, "read"), GONE;
		l->bytes_in += (uint64_t)n;
		bool mine = false;
		for (ssize_t i = 0; i < n; i++)
			if (!mine && frame_feed(&l->reader, bytes[i], &l->answer))
				mine = answers(l, seq);
		if (mine)
			return HEARD;
	}
}

bool link_command(struct link *l, enum link_type type, const uint8_t *payload, unsigned n)
{
	struct frame f = {.seq = ++l->seq, .type = (uint8_t)type, .n = n};
	uint8_t wire[FRAME_WIRE];
	memcpy(f.payload, payload, n);
	const size_t bytes = frame_encode(&f, wire);
	l->frames++;
	const double began = now_ms();
	for (unsigned tries = 0; tries < l->tries; tries++) {
		const double sent = now_ms();
		l->repeats += tries > 0;
		if (!send_bytes(l, wire, bytes))
			return false;
		const enum heard heard = listen_for(l, f.seq, (unsigned)bytes, tries);
		if (heard == GONE)
			return false;
		if (heard == SILENCE)
			continue;
		l->lost_ms += sent - began;
		if (l->answer.type == (LINK_REFUSED | LINK_ANSWER))
			return fail(l, "%s refuses command %u of %u bytes", l->name, (unsigned)type, n);
		if (l->answer.n < 1 || l->answer.type != (type | LINK_ANSWER))
			return fail(l, "%s answers %u bytes of type %u to command %u", l->name, l->answer.n,
			            l->answer.type, (unsigned)type);
		return true;
	}
	l->unanswered = true;
	return fail(l, "%s does not answer (%u tries; %llu bytes came, %llu frames among them were damaged)", l->name,
	            l->tries, (unsigned long long)l->bytes_in, (unsigned long long)l->reader.bad);
}

/* ---- the board's identity ---- */

static bool identify(struct link *l)
{
	static const uint8_t magic[4] = {'W', 'L', 'N', 'K'};
	const uint8_t *p = l->answer.payload + 1;
	if (!link_command(l, LINK_IDENTIFY, magic, 0))
		return false;
	if (l->answer.n < 6 || memcmp(p, magic, sizeof magic) != 0)
		return fail(l, "%s answers, but it is no Warplock board", l->name);
	if (p[LINK_INFO_VERSION] != LINK_VERSION || l->answer.n != 1 + LINK_INFO_BYTES)
		return fail(l, "%s speaks version %u of the link, expected %u", l->name, p[LINK_INFO_VERSION],
		            LINK_VERSION);
	const uint8_t *revision = p + LINK_INFO_REVISION;
	const unsigned memory_bits = p[LINK_INFO_MEMORY_BITS];
	l->info = (struct link_info){.lanes = p[LINK_INFO_LANES],
	                             .banks = p[LINK_INFO_BANKS],
	                             .smem_bytes = 1u << (p[LINK_INFO_SMEM_BITS] & 31),
	                             .units = p[LINK_INFO_UNITS] | (unsigned)p[LINK_INFO_UNITS + 1] << 8,
	                             .arch = p[LINK_INFO_ARCH],
	                             .warps = p[LINK_INFO_WARPS],
	                             .slots = p[LINK_INFO_SLOTS],
	                             .releases = p[LINK_INFO_RELEASES],
	                             .events = 1u << (p[LINK_INFO_EVENT_BITS] & 15),
	                             .memory_bytes = memory_bits ? 1u << (memory_bits & 31) : 0,
	                             .revision = revision[0] | (uint32_t)revision[1] << 8 |
	                                         (uint32_t)revision[2] << 16 | (uint32_t)revision[3] << 24};
	return true;
}

bool link_open(struct link *l, const char *tty, unsigned baud, unsigned quiet_ms)
{
	memset(l, 0, sizeof *l);
	snprintf(l->name, sizeof l->name, "%s", tty);
	l->quiet_ms = quiet_ms;
	l->patient = baud == 0;
	l->tries = baud ? FIRST_TRIES : TRIES;
	l->seq = (uint8_t)(time(NULL) ^ getpid()); /* most likely different from the last host's */
	if (open_tty(l, baud) && identify(l)) {
		l->tries = TRIES;
		return true;
	}
	if (l->unanswered)
		link_find(l);
	link_close(l);
	return false;
}

void link_close(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
