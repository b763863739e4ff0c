// SPDX-License-Identifier: Apache-2.0
/* flow_test.c -- wlcc_flow_test [COUNT [SEED]]: random graphs of branches that lanes take differently, among them what
 * no `if` and no loop makes: blocks that several branches share (cases of a switch that fall through), ways out of the
 * middle. A block multiplies the thread's number and goes on by a bit of it to one of two later blocks; a third of the
 * graphs stand in a loop, with further ways back and out. The host walks the same graph, thread by thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "run_ptx.h"

enum { MOST = 14, THREADS = 64, TEXT = 20000, TURNS = 3 };

struct graph {
	unsigned n; /* block n is the end */
	struct block {
		unsigned to[2], bit, add;
		bool back; /* to[1] is the head while the thread has turns left */
	} b[MOST];
};

static struct graph make(uint64_t seed)
{
	struct rng r = rng_seed(seed, 5);
	struct graph g = {.n = 4 + rng_below(&r, MOST - 3)};
	const bool loop = rng_below(&r, 3) == 0;
	for (unsigned i = 0; i < g.n; i++) {
		struct block *b = &g.b[i];
		const unsigned left = g.n - i; /* later blocks, the end among them; often near ones */
		for (unsigned k = 0; k < 2; k++)
			b->to[k] = i + 1 + rng_below(&r, rng_below(&r, 3) ? (left < 4 ? left : 4) : left);
		b->bit = rng_below(&r, 32);
		b->add = rng_next(&r) & 0xffff;
		b->back = loop && (i == g.n - 1 || rng_below(&r, 5) == 0);
	}
	return g;
}

static uint32_t step(uint32_t v, const struct block *b, unsigned at)
{
	v = v * 1664525u + b->add + at;
	return v ^ v >> 13;
}

static uint32_t walk(const struct graph *g, uint32_t thread)
{
	uint32_t v = thread * 2654435761u, turns = TURNS;
	for (unsigned at = 0; at < g->n;) {
		const struct block *b = &g->b[at];
		const bool bit = (v = step(v, b, at)) >> b->bit & 1;
		at = bit && b->back ? (turns-- ? 0 : g->n) : b->to[bit];
	}
	return v;
}

static void print(const struct graph *g, char *text)
{
	char *p =
	        text + sprintf(text, "%s",
	                       ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
	                       ".reg .u32 %r<9>;\n.reg .u64 %d<4>;\n.reg .pred %p<3>;\nld.param.u64 %d1, [out];\n"
	                       "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\n"
	                       "mul.lo.u32 %r2, %r1, 2654435761;\nmov.u32 %r6, 3;\n");
	for (unsigned i = 0; i < g->n; i++) {
		const struct block *b = &g->b[i];
		p += sprintf(p,
		             "B%u:\nmad.lo.u32 %%r2, %%r2, 1664525, %u;\nshr.u32 %%r3, %%r2, 13;\n"
		             "xor.b32 %%r2, %%r2, %%r3;\nand.b32 %%r4, %%r2, %u;\nsetp.ne.u32 %%p1, %%r4, 0;\n",
		             i, b->add + i, 1u << b->bit);
		if (b->back)
			p += sprintf(
			        p,
			        "@!%%p1 bra B%u;\nsetp.eq.u32 %%p2, %%r6, 0;\n@%%p2 bra B%u;\nadd.u32 %%r6, %%r6, -1;\n"
			        "bra B0;\n",
			        b->to[0], g->n);
		else
			p += sprintf(p, "@%%p1 bra B%u;\nbra B%u;\n", b->to[1], b->to[0]);
	}
	sprintf(p, "B%u:\nst.global.u32 [%%d1], %%r2;\nret;\n}\n", g->n);
}

static uint64_t first = 1, count = 150;

static void test_graphs(void **state)
{
	(void)state;
	static char text[TEXT], why[2000];
	for (uint64_t seed = first; seed < first + count; seed++) {
		const struct graph g = make(seed);
		print(&g, text);
		for (unsigned way = 0; way < 4; way++) {
			uint32_t out[THREADS] = {0};
			struct run_setup s = {.ptx = text,
			                      .arch = way & 1 ? WL_SM90 : WL_SM75,
			                      .opt = way & 2 ? 2 : 0,
			                      .grid = 1,
			                      .block = THREADS,
			                      .nbufs = 1,
			                      .buf = {{out, sizeof out}}};
			if (!run_ptx(&s, why, sizeof why))
				fail_msg("seed %llu, sm_%d, -O%d: %s\n%s", (unsigned long long)seed, (int)s.arch, s.opt,
				         why, text);
			for (uint32_t t = 0; t < THREADS; t++)
				if (out[t] != walk(&g, t))
					fail_msg("seed %llu, sm_%d, -O%d: thread %u 0x%08x, expected 0x%08x\n%s",
					         (unsigned long long)seed, (int)s.arch, s.opt, t, out[t], walk(&g, t),
					         text);
		}
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_graphs)};
	count = argc > 1 ? strtoull(argv[1], NULL, 0) : count;
	first = argc > 2 ? strtoull(argv[2], NULL, 0) : first;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
