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

enum { TRIES = 40 };

static bool fail(struct link *l, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(l->why, sizeof l->why, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- the tty ---- */

static const struct {
	unsigned baud;
	speed_t speed;
} speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},   {921600, B921600},
              {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}};

static bool set_speed(struct link *l, struct termios *t, unsigned baud)
{
	for (size_t i = 0; baud && i < sizeof speeds / sizeof *speeds; i++)
		if (speeds[i].baud == baud)
			return cfsetispeed(t, speeds[i].speed) == 0 && cfsetospeed(t, speeds[i].speed) == 0;
	return baud ? fail(l, "%s: a speed of %u baud cannot be set", l->name, baud) : true;
}

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
	if (!set_speed(l, &t, baud))
		return false;
	if (tcsetattr(l->fd, TCSANOW, &t) != 0)
		return fail(l, "%s: cannot set it up: %s", l->name, strerror(errno));
	tcflush(l->fd, TCIOFLUSH);
	return true;
}

static bool gone(struct link *l, const char *what)
{
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

/* Reads until the answer to `seq` is there, or nothing has come for so many times `quiet_ms`. */
static enum heard listen_for(struct link *l, uint8_t seq, unsigned times)
{
	uint8_t bytes[256];
	for (;;) {
		const int ready = wait_for(l, POLLIN, l->quiet_ms * times);
		if (ready == 0)
			return SILENCE;
		errno = 0;
		const ssize_t n = ready > 0 ? read(l->fd, bytes, sizeof bytes) : -1;
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			return gone(l, "read"), GONE;
		l->bytes_in += (uint64_t)n;
		bool mine = false;
		for (ssize_t i = 0; i < n; i++)
			if (frame_feed(&l->reader, bytes[i], &l->answer) && l->answer.seq == seq &&
			    l->answer.type & LINK_ANSWER)
				mine = true;
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
	for (unsigned tries = 0; tries < TRIES; tries++) {
		l->repeats += tries > 0;
		if (!send_bytes(l, wire, bytes))
			return false;
		const enum heard heard = listen_for(l, f.seq, l->patient ? tries + 1 : 1);
		if (heard == GONE)
			return false;
		if (heard == SILENCE)
			continue;
		if (l->answer.type == (LINK_REFUSED | LINK_ANSWER))
			return fail(l, "%s refuses command %u of %u bytes", l->name, (unsigned)type, n);
		if (l->answer.n < 1 || l->answer.type != (type | LINK_ANSWER))
			return fail(l, "%s answers %u bytes of type %u to command %u", l->name, l->answer.n,
			            l->answer.type, (unsigned)type);
		return true;
	}
	return fail(l, "%s does not answer (%u tries; %llu bytes came, %llu frames among them were damaged)", l->name,
	            TRIES, (unsigned long long)l->bytes_in, (unsigned long long)l->reader.bad);
}

/* ---- who is there ---- */

static bool identify(struct link *l)
{
	static const uint8_t magic[4] = {'W', 'L', 'N', 'K'};
	const uint8_t *p = l->answer.payload + 1;
	if (!link_command(l, LINK_IDENTIFY, magic, 0))
		return false;
	if (l->answer.n < 6 || memcmp(p, magic, sizeof magic) != 0)
		return fail(l, "%s answers, but it is no Warplock board", l->name);
	if (p[4] != LINK_VERSION || l->answer.n != 21)
		return fail(l, "%s speaks version %u of the link, expected %u", l->name, p[4], LINK_VERSION);
	l->info = (struct link_info){.lanes = p[5],
	                             .banks = p[6],
	                             .smem_bytes = 1u << (p[7] & 31),
	                             .units = p[8] | (unsigned)p[9] << 8,
	                             .arch = p[10],
	                             .warps = p[11],
	                             .slots = p[17],
	                             .releases = p[18],
	                             .events = 1u << (p[12] & 15),
	                             .memory_bytes = p[19] ? 1u << (p[19] & 31) : 0,
	                             .revision = p[13] | (uint32_t)p[14] << 8 | (uint32_t)p[15] << 16 |
	                                         (uint32_t)p[16] << 24};
	return true;
}

void link_window_payload(uint8_t p[LINK_WINDOW_BYTES], const struct link_window *w)
{
	const uint8_t bytes[LINK_WINDOW_BYTES] = {w->slot,
	                                          w->open,
	                                          (uint8_t)w->base,
	                                          (uint8_t)(w->base >> 8),
	                                          (uint8_t)(w->base >> 16),
	                                          (uint8_t)w->size,
	                                          (uint8_t)(w->size >> 8),
	                                          (uint8_t)(w->size >> 16),
	                                          w->warps,
	                                          w->first,
	                                          w->lanes,
	                                          w->cluster,
	                                          w->rank};
	memcpy(p, bytes, sizeof bytes);
}

bool link_open(struct link *l, const char *tty, unsigned baud, unsigned quiet_ms)
{
	memset(l, 0, sizeof *l);
	snprintf(l->name, sizeof l->name, "%s", tty);
	l->quiet_ms = quiet_ms;
	l->patient = baud == 0;
	l->seq = (uint8_t)(time(NULL) ^ getpid()); /* another one than that of the last host, most likely */
	if (open_tty(l, baud) && identify(l))
		return true;
	link_close(l);
	return false;
}

void link_close(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}
