// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* posix_openpt, ptsname_r */
#include "board_sim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../../common/rng.h"
#include "board_shim.h"
#include "bus_sim.h"

enum { IDLE_CLOCKS = 20000, LOOK_EVERY = 64, SENT = 256 };

struct sim {
	const struct board_api *api;
	void *board;
	int pty;
	unsigned noise;
	struct rng rng;
	/* host to board */
	uint8_t in[4096];
	size_t in_at, in_n;
	unsigned in_bit, in_tick; /* 0 = between bytes; 1 start bit ... 10 stop bit */
	int rx;
	/* board to host */
	unsigned out_bit, out_tick;
	uint8_t out_byte;
	uint8_t out[SENT];
	size_t out_n;
	unsigned quiet; /* clocks without movement */
};

/* A byte at the end of a bad line: 0, 1 or 2 bytes. */
static unsigned damage(struct sim *s, uint8_t byte, uint8_t out[2])
{
	out[0] = out[1] = byte;
	if (!s->noise || !rng_one_in(&s->rng, s->noise))
		return 1;
	switch (rng_below(&s->rng, 3)) {
	case 0:
		out[0] ^= (uint8_t)(1u << rng_below(&s->rng, 8));
		return 1;
	case 1:
		return 0;
	default:
		return 2;
	}
}

/* All waiting bytes of the host. False when the host has gone. */
static bool look(struct sim *s)
{
	if (s->in_at != s->in_n)
		return true;
	struct pollfd p = {.fd = s->pty, .events = POLLIN};
	const bool sleepy = s->quiet > IDLE_CLOCKS && !s->api->awake;
	if (poll(&p, 1, sleepy ? -1 : 0) <= 0)
		return true;
	uint8_t raw[sizeof s->in / 2];
	const ssize_t n = read(s->pty, raw, sizeof raw);
	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	s->in_at = s->in_n = 0;
	for (ssize_t i = 0; i < n; i++) {
		uint8_t two[2];
		const unsigned k = damage(s, raw[i], two);
		memcpy(s->in + s->in_n, two, k);
		s->in_n += k;
	}
	return true;
}

static bool hand_over(struct sim *s)
{
	for (size_t at = 0; at < s->out_n;) {
		const ssize_t n = write(s->pty, s->out + at, s->out_n - at);
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	s->out_n = 0;
	return true;
}

/* The wire to the board in this clock. */
static void drive_bit(struct sim *s)
{
	if (s->in_tick) {
		s->in_tick--;
		return;
	}
	if (s->in_bit == 0 || s->in_bit == 10) {
		s->in_at += s->in_bit == 10;
		s->in_bit = s->in_at < s->in_n;
		s->rx = !s->in_bit;
	} else {
		s->in_bit++;
		s->rx = s->in_bit == 10 || (s->in[s->in_at] >> (s->in_bit - 2) & 1);
	}
	if (s->in_bit)
		s->in_tick = s->api->clocks_per_bit - 1;
}

/* The wire from the board after this clock. */
static void sample_bit(struct sim *s, int tx)
{
	if (s->out_bit == 0) {
		if (!tx) {
			s->out_bit = 1;
			s->out_tick = s->api->clocks_per_bit + s->api->clocks_per_bit / 2 - 1;
		}
		return;
	}
	if (s->out_tick) {
		s->out_tick--;
		return;
	}
	s->out_tick = s->api->clocks_per_bit - 1;
	if (s->out_bit <= 8) {
		s->out_byte = (uint8_t)(s->out_byte >> 1 | (tx ? 0x80 : 0));
		s->out_bit++;
		return;
	}
	uint8_t two[2];
	const unsigned k = tx ? damage(s, s->out_byte, two) : 0;
	memcpy(s->out + s->out_n, two, k);
	s->out_n += k;
	s->out_bit = 0;
}

static void run(struct sim *s)
{
	for (unsigned clock = 0;; clock++) {
		if (clock % LOOK_EVERY == 0 && !look(s))
			return;
		drive_bit(s);
		sample_bit(s, s->api->clock(s->board, s->rx));
		s->quiet = s->in_bit || s->out_bit || s->in_at != s->in_n ? 0 : s->quiet + 1;
		if (s->out_n && (s->out_n >= SENT - 2 || s->quiet == 64) && !hand_over(s))
			return;
	}
}

/* The process of the board. */
static void live(int pty, const char *library, unsigned noise, uint64_t seed)
{
	struct sim s = {.pty = pty, .noise = noise, .rng = rng_seed(seed, 900), .rx = 1};
	const struct board_api *(*entry)(void) = NULL;
	void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (lib)
		*(void **)&entry = dlsym(lib, "wl_board");
	if (!entry)
		_exit(1);
	s.api = entry();
	s.board = s.api->create();
	if (s.api->access)
		bus_sim_run(s.api, s.board, pty, seed);
	else
		run(&s);
	_exit(0);
}

bool board_sim_start(struct board_sim *b, const char *library, unsigned noise, uint64_t seed, char *why, size_t whyn)
{
	struct termios t;
	const int pty = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (pty < 0 || grantpt(pty) != 0 || unlockpt(pty) != 0 || ptsname_r(pty, b->tty, sizeof b->tty) != 0) {
		snprintf(why, whyn, "no pseudo terminal for the simulated board: %s", strerror(errno));
		if (pty >= 0)
			close(pty);
		return false;
	}
	/* held open by the board's process, so the line is up before the host comes */
	const int slave = open(b->tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave >= 0 && tcgetattr(slave, &t) == 0) {
		cfmakeraw(&t);
		tcsetattr(slave, TCSANOW, &t);
	}
	const pid_t parent = getpid();
	b->pid = fork();
	if (b->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(0);
		live(pty, library, noise, seed);
	}
	close(pty);
	if (slave >= 0)
		close(slave);
	if (b->pid > 0)
		return true;
	snprintf(why, whyn, "cannot start the simulated board: %s", strerror(errno));
	return false;
}

void board_sim_stop(struct board_sim *b)
{
	if (b->pid <= 0)
		return;
	kill(b->pid, SIGTERM);
	waitpid(b->pid, NULL, 0);
	b->pid = 0;
}
