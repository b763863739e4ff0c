// SPDX-License-Identifier: Apache-2.0
/* link_line_test.c -- commands over a line with every fifth frame lost or damaged: each command is answered, nothing is
 * done twice, and a damaged frame costs milliseconds. The board is a thread at the other end of a pseudo terminal. */
#define _GNU_SOURCE /* posix_openpt, ptsname_r */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "link/link.h"

enum { COMMANDS = 400, ONE_IN = 5, QUIET_MS = 150, MOST_MS = 60 };

struct board {
	int pty;
	unsigned frames, done; /* whole frames received, and new commands among the frames */
	bool clean;
};

static void put_answer(struct board *b, const struct frame *command)
{
	static const uint8_t who[21] = {0, 'W', 'L', 'N', 'K', LINK_VERSION, 4, 4, 12};
	struct frame f = {.seq = command->seq, .type = command->type | LINK_ANSWER, .n = sizeof who};
	uint8_t wire[FRAME_WIRE];
	memcpy(f.payload, who, sizeof who);
	const size_t n = frame_encode(&f, wire);
	if (!b->clean && b->frames % ONE_IN == 3)
		wire[n / 2] ^= 1;
	assert_int_equal(write(b->pty, wire, n), n);
}

/* Of five frames the board misses one, and answers another with a damaged answer. */
static void *serve(void *board)
{
	struct board *b = board;
	struct frame_reader reader = {0};
	struct frame f;
	uint8_t byte;
	int last = -1;
	while (read(b->pty, &byte, 1) == 1) {
		if (!frame_feed(&reader, byte, &f) || (b->frames++, !b->clean && b->frames % ONE_IN == 1))
			continue;
		b->done += f.seq != last;
		last = f.seq;
		put_answer(b, &f);
	}
	return NULL;
}

static double run(bool clean, struct link *l)
{
	struct board b = {.pty = posix_openpt(O_RDWR | O_NOCTTY), .clean = true};
	static const uint8_t payload[8] = {1, 2, 3};
	char tty[64];
	pthread_t thread;
	assert_true(b.pty >= 0 && grantpt(b.pty) == 0 && unlockpt(b.pty) == 0);
	assert_int_equal(ptsname_r(b.pty, tty, sizeof tty), 0);
	const int slave = open(tty, O_RDWR | O_NOCTTY);
	struct termios t;
	assert_true(slave >= 0 && tcgetattr(slave, &t) == 0);
	cfmakeraw(&t);
	assert_int_equal(tcsetattr(slave, TCSANOW, &t), 0);
	assert_int_equal(pthread_create(&thread, NULL, serve, &b), 0);
	assert_true(link_open(l, tty, 1000000, QUIET_MS));
	for (unsigned i = 0; i < 8; i++)
		assert_true(link_command(l, LINK_POLL, payload, sizeof payload));
	b.clean = clean;
	for (unsigned i = 0; i < COMMANDS; i++)
		assert_true(link_command(l, LINK_POLL, payload, sizeof payload));
	assert_int_equal(b.done, COMMANDS + 9);
	link_close(l);
	close(slave);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close(b.pty);
	return l->repeats ? l->lost_ms / (double)l->repeats : 0;
}

static void damage_costs_milliseconds(void **state)
{
	struct link l;
	(void)state;
	const double ms = run(false, &l);
	assert_true(l.repeats >= COMMANDS / ONE_IN);
	printf("%llu of %llu frames went out again: %.1f ms each, at most %d\n", (unsigned long long)l.repeats,
	       (unsigned long long)l.frames, ms, MOST_MS);
	assert_true(ms < MOST_MS);
}

/* A line without damage: a frame goes out again only where the machine kept the board from answering. */
static void no_damage_no_repeats(void **state)
{
	struct link l;
	(void)state;
	run(true, &l);
	assert_true(l.repeats < COMMANDS / 4);
	assert_int_equal(l.reader.bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(damage_costs_milliseconds),
	                                   cmocka_unit_test(no_damage_no_repeats)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
