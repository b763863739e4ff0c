// SPDX-License-Identifier: Apache-2.0
/* scale_test.c -- large kernels of nine shapes, and the same eight times as large: time and memory of a compilation
 * grow with the size, not with its square. Each compilation runs in a separate process, and the system reports the
 * usage. The least of up to Tries runs counts: other work on the machine can only add.
 *
 *   wlcc_scale_test [LINES]     lines of the smaller kernel (default 8000) */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/rng.h"
#include "wlcc.h"

enum { Times = 8, Tries = 4 };

struct text {
	char *s;
	size_t n, cap;
};

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *fmt, ...)
{
	va_list ap;
	if (t->cap - t->n < 1024) {
		t->cap = t->cap ? 2 * t->cap : 65536;
		t->s = realloc(t->s, t->cap);
	}
	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->s + t->n, t->cap - t->n, fmt, ap);
	va_end(ap);
}

/* Two nested loops with two tests each: convergence regions one behind the other, as in a sorting network. */
static void sorts(struct text *t, unsigned lines)
{
	for (unsigned i = 0; i < lines / 22 + 1; i++) {
		put(t, "mov.u32 %%a, 2;\nO%u:\nshr.u32 %%b, %%a, 1;\nI%u:\nxor.b32 %%c, %%t, %%b;\n", i, i);
		put(t, "setp.le.u32 %%p, %%c, %%t;\n@%%p bra N%u;\nshl.b32 %%c, %%c, 2;\nadd.s32 %%c, %%c, %%m;\n", i);
		put(t, "ld.shared.u32 %%x, [%%m];\nld.shared.u32 %%y, [%%c];\nsetp.le.u32 %%p, %%x, %%y;\n");
		put(t, "@%%p bra N%u;\nst.shared.u32 [%%m], %%y;\nst.shared.u32 [%%c], %%x;\nN%u:\nbar.sync 0;\n", i,
		    i);
		put(t, "shr.u32 %%b, %%b, 1;\nsetp.ne.s32 %%p, %%b, 0;\n@%%p bra I%u;\nshl.b32 %%a, %%a, 1;\n", i);
		put(t, "setp.lt.u32 %%p, %%a, 64;\n@%%p bra O%u;\n", i);
	}
}

static void one_block(struct text *t, unsigned lines)
{
	for (unsigned i = 0; i < lines; i++)
		put(t, "mad.lo.s32 %%%c, %%%c, %%%c, %u;\n", "abcxy"[i % 5], "abcxy"[(i + 2) % 5], "abcxy"[(i + 4) % 5],
		    i);
}

static void labels(struct text *t, unsigned lines)
{
	for (unsigned i = 0; i < lines / 2; i++)
		put(t, "L%u:\nadd.s32 %%a, %%a, %u;\n", i, i);
}

static void exits(struct text *t, unsigned lines)
{
	for (unsigned i = 0; i < lines / 2; i++)
		put(t, "setp.eq.s32 %%p, %%t, %u;\n@%%p bra X;\n", i);
	put(t, "X:\n");
}

/* Each test inside the previous test; the ways meet in a single place, or each in a separate place. */
static void nest(struct text *t, unsigned depth, bool work_behind)
{
	for (unsigned i = 0; i < depth; i++)
		put(t, "setp.gt.s32 %%p, %%t, %u;\n@%%p bra E%u;\nadd.s32 %%a, %%a, %u;\n", i, i, i);
	for (unsigned i = depth; i-- > 0;) {
		if (work_behind)
			put(t, "xor.b32 %%a, %%a, %u;\n", i);
		put(t, "E%u:\n", i);
	}
}

static void nest_to_one_place(struct text *t, unsigned lines)
{
	nest(t, lines / 4, false);
}

static void nest_to_many_places(struct text *t, unsigned lines)
{
	nest(t, lines / 5, true);
}

/* Nested loops; with values: each loop has a register needed behind all inner loops. */
static void loops(struct text *t, unsigned depth, bool values)
{
	if (values)
		put(t, ".reg .b32 %%r<%u>;\n", depth);
	for (unsigned i = 0; i < depth; i++) {
		if (values)
			put(t, "add.s32 %%r%u, %%t, %u;\n", i, i);
		put(t, "L%u:\nadd.s32 %%a, %%a, %u;\n", i, i);
	}
	for (unsigned i = depth; i-- > 0;)
		if (values)
			put(t, "sub.s32 %%r%u, %%r%u, 1;\nsetp.ne.s32 %%p, %%r%u, 0;\n@%%p bra L%u;\n", i, i, i, i);
		else
			put(t, "mad.lo.s32 %%b, %%b, %%a, %u;\nsetp.gt.s32 %%p, %%b, %%t;\n@%%p bra L%u;\n", i, i);
}

static void loops_in_loops(struct text *t, unsigned lines)
{
	loops(t, lines / 5, false);
}

static void loops_with_values(struct text *t, unsigned lines)
{
	loops(t, lines / 6, true);
}

static void branches_anywhere(struct text *t, unsigned lines)
{
	struct rng r = rng_seed(lines, 1);
	for (unsigned i = 0; i < lines / 4; i++)
		put(t, "L%u:\nmad.lo.s32 %%a, %%a, %%t, %u;\nsetp.gt.s32 %%p, %%a, %u;\n@%%p bra L%u;\n", i, i,
		    rng_below(&r, 1000), rng_below(&r, lines / 4));
}

static const struct shape {
	const char *name;
	void (*write)(struct text *t, unsigned lines);
} shapes[] = {{"sorts one behind the other", sorts},
              {"one block", one_block},
              {"a label a line", labels},
              {"many ways to one end", exits},
              {"nested tests to one end", nest_to_one_place},
              {"nested tests", nest_to_many_places},
              {"loops in loops", loops_in_loops},
              {"loops in loops with values", loops_with_values},
              {"branches anywhere", branches_anywhere}};

static void complain(void *self, const struct wlcc_message *m)
{
	(void)self;
	if (m->severity == WLCC_ERROR)
		fprintf(stderr, "line %u: %s\n", m->line, m->text);
}

static int compile(const struct shape *shape, unsigned lines)
{
	struct text t = {0};
	struct wlcc_options o = {.arch = WL_SM75, .opt = 2, .file = shape->name, .diag = complain};
	struct wlcc_bytes object = {NULL, 0};
	bool good;
	put(&t,
	    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %%p;\n"
	    ".reg .b32 %%a, %%b, %%c, %%m, %%t, %%x, %%y;\n.reg .b64 %%o;\n.shared .align 16 .b8 s[4096];\n"
	    "ld.param.u64 %%o, [out];\nmov.u32 %%t, %%tid.x;\nmov.u32 %%m, s;\nmad.lo.s32 %%m, %%t, 4, %%m;\n"
	    "mov.u32 %%a, 0;\nmov.u32 %%b, 1;\nmov.u32 %%c, 2;\nmov.u32 %%x, 3;\nmov.u32 %%y, 4;\n");
	shape->write(&t, lines);
	put(&t, "add.s32 %%a, %%a, %%b;\nadd.s32 %%a, %%a, %%c;\nst.global.u32 [%%o], %%a;\nret;\n}\n");
	good = wlcc_compile_ptx(t.s, t.n, &o, false, &object);
	free(object.data);
	free(t.s);
	return !good;
}

struct usage {
	double seconds; /* in all: the split between user and kernel is only a guess by ticks */
	double megabytes;
};

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static bool measure(const struct shape *shape, unsigned lines, struct usage *u)
{
	struct rusage r;
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(compile(shape, lines));
	if (child < 0 || wait4(child, &status, 0, &r) != child)
		return false;
	u->seconds = seconds_of(r.ru_utime) + seconds_of(r.ru_stime);
	u->megabytes = (double)r.ru_maxrss / 1024;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Leaves room for a cache that holds only the small kernel, and for the base cost of a process. */
static bool in_proportion(const struct usage *small, const struct usage *large)
{
	const double room = 2.5, seconds = 0.2, megabytes = 16;
	return large->seconds <= room * Times * small->seconds + seconds &&
	       large->megabytes <= room * Times * small->megabytes + megabytes;
}

static void keep_less(struct usage *u, const struct usage *again)
{
	if (again->seconds < u->seconds)
		u->seconds = again->seconds;
}

int main(int argc, char **argv)
{
	unsigned lines = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 8000, failed = 0, n = 0;

	for (; n < sizeof shapes / sizeof *shapes; n++) {
		struct usage small, large, again;
		bool good = measure(&shapes[n], lines, &small) && measure(&shapes[n], Times * lines, &large);
		for (unsigned k = 1; good && k < Tries && !in_proportion(&small, &large); k++) {
			good = measure(&shapes[n], Times * lines, &again);
			keep_less(&large, &again);
		}
		if (!good) {
			printf("FAILED %s: does not compile\n", shapes[n].name);
			failed++;
			continue;
		}
		good = in_proportion(&small, &large);
		printf("%s %-27s %6u lines %.2f s %4.0f MB; %6u lines %.2f s %4.0f MB\n", good ? "passed" : "FAILED",
		       shapes[n].name, lines, small.seconds, small.megabytes, Times * lines, large.seconds,
		       large.megabytes);
		failed += !good;
	}
	printf("%u passed, %u failed\n", n - failed, failed);
	return failed != 0;
}
