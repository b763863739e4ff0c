// SPDX-License-Identifier: Apache-2.0
/* flow_test.c -- wlcc_flow_test [COUNT [SEED]]: random graphs of branches with diverging lanes. Some graphs cannot
 * come from `if` and loops: blocks shared by several branches (cases of a switch with fall-through), ways out of the
 * middle. A block multiplies the thread's number and goes on, by a bit of the product, to one of two later blocks. A
 * third of the graphs are inside a loop, with further ways back and out. Another third has loops from any block on
 * all ways: nested loops, and ways back around the meeting place of the head's ways. The host walks the same graph,
 * thread by thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "run_ptx.h"

enum { MOST = 14, THREADS = 64, TEXT = 20000, TURNS = 3, STEPS = 400 };

struct graph {
	unsigned n; /* block n is the end */
	struct block {
		unsigned to[2], bit, add;
		unsigned head;                       /* of `back` */
		enum { On, BackByTurns, Back } back; /* to[1] is the head: while the thread has turns left; always */
	} b[MOST];
};

/* Adds ends of loops, back to heads on all ways, so that each loop has a single entry. */
static void add_loops(struct graph *g, struct rng *r)
{
	unsigned heads[MOST], nheads = 0, reach = 0;
	for (unsigned i = 0; i < g->n; i++) {
		if (i == reach)
			heads[nheads++] = i;
		for (unsigned k = 0; k < 2; k++)
			reach = g->b[i].to[k] > reach && g->b[i].to[k] < g->n ? g->b[i].to[k] : reach;
		if (rng_below(r, 3) == 0) {
			g->b[i].back = rng_below(r, 4) ? Back : BackByTurns;
			g->b[i].head = heads[rng_below(r, nheads)];
		}
	}
}

static struct graph make(uint64_t seed)
{
	struct rng r = rng_seed(seed, 5);
	struct graph g = {.n = 4 + rng_below(&r, MOST - 3)};
	const unsigned loops = rng_below(&r, 3);
	for (unsigned i = 0; i < g.n; i++) {
		struct block *b = &g.b[i];
		const unsigned left = g.n - i; /* later blocks including the end; often near blocks */
		for (unsigned k = 0; k < 2; k++)
			b->to[k] = i + 1 + rng_below(&r, rng_below(&r, 3) ? (left < 4 ? left : 4) : left);
		b->bit = rng_below(&r, 32);
		b->add = rng_next(&r) & 0xffff;
		b->back = loops == 0 && (i == g.n - 1 || rng_below(&r, 5) == 0) ? BackByTurns : On;
	}
	if (loops == 1)
		add_loops(&g, &r);
	return g;
}

/* A way back to the head around block 1, the meeting place of the head's ways. */
static struct graph around_the_meeting_place(void)
{
	return (struct graph){.n = 3,
	                      .b = {{.to = {1, 2}, .bit = 7, .add = 12345},
	                            {.to = {2, 3}, .bit = 13, .add = 777},
	                            {.to = {0, 0}, .bit = 5, .add = 31}}};
}

static uint32_t step(uint32_t v, const struct block *b, unsigned at)
{
	v = v * 1664525u + b->add + at;
	return v ^ v >> 13;
}

static bool walk(const struct graph *g, uint32_t thread, uint32_t *v)
{
	uint32_t turns = TURNS, steps = 0;
	*v = thread * 2654435761u;
	for (unsigned at = 0; at < g->n && steps < STEPS; steps++) {
		const struct block *b = &g->b[at];
		const bool bit = (*v = step(*v, b, at)) >> b->bit & 1;
		at = !bit || !b->back ? b->to[bit] : b->back == Back || turns-- ? b->head : g->n;
	}
	return steps < STEPS;
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
		if (b->back == Back)
			p += sprintf(p, "@%%p1 bra B%u;\nbra B%u;\n", b->head, b->to[0]);
		else if (b->back)
			p += sprintf(
			        p,
			        "@!%%p1 bra B%u;\nsetp.eq.u32 %%p2, %%r6, 0;\n@%%p2 bra B%u;\nadd.u32 %%r6, %%r6, -1;\n"
			        "bra B%u;\n",
			        b->to[0], g->n, b->head);
		else
			p += sprintf(p, "@%%p1 bra B%u;\nbra B%u;\n", b->to[1], b->to[0]);
	}
	sprintf(p, "B%u:\nst.global.u32 [%%d1], %%r2;\nret;\n}\n", g->n);
}

static uint64_t first = 0, count = 500;

static void test_graphs(void **state)
{
	(void)state;
	static char text[TEXT], why[2000];
	for (uint64_t seed = first; seed < first + count; seed++) {
		const struct graph g = seed ? make(seed) : around_the_meeting_place();
		uint32_t expected[THREADS];
		bool ends = true;
		for (uint32_t t = 0; t < THREADS && ends; t++)
			ends = walk(&g, t, &expected[t]);
		assert_true(ends || seed);
		if (!ends)
			continue;
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
				if (out[t] != expected[t])
					fail_msg("seed %llu, sm_%d, -O%d: thread %u 0x%08x, expected 0x%08x\n%s",
					         (unsigned long long)seed, (int)s.arch, s.opt, t, out[t], expected[t],
					         text);
		}
	}
}

/* Nested loops, each with a value needed behind all inner loops: more values than live.c keeps. */
static void test_far_lives(void **state)
{
	(void)state;
	enum { DEPTH = 1600, LINE = 160 };
	static char text[DEPTH * LINE + 1000], why[2000];
	for (unsigned way = 0; way < 2; way++) {
		uint32_t out[THREADS] = {0};
		char *p = text + sprintf(text,
		                         ".version 8.0\n.target sm_75\n.address_size 64\n"
		                         ".visible .entry k(.param .u64 out)\n{\n.reg .u32 %%r<%d>, %%a, %%t;\n"
		                         ".reg .u64 %%d<3>;\n.reg .pred %%p;\nld.param.u64 %%d1, [out];\n"
		                         "mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%d2, %%t, 4;\n"
		                         "add.u64 %%d1, %%d1, %%d2;\nmov.u32 %%a, %%t;\n",
		                         DEPTH);
		struct run_setup s = {.ptx = text,
		                      .arch = WL_SM75,
		                      .opt = way ? 2 : 0,
		                      .grid = 1,
		                      .block = THREADS,
		                      .nbufs = 1,
		                      .buf = {{out, sizeof out}}};
		for (unsigned i = 0; i < DEPTH; i++)
			p += sprintf(p, "add.u32 %%r%u, %%t, %u;\nL%u:\nmad.lo.u32 %%a, %%a, 5, %%r%u;\n", i, i, i, i);
		for (unsigned i = DEPTH; i-- > 0;)
			p += sprintf(p, "xor.b32 %%a, %%a, %%r%u;\nsetp.gt.u32 %%p, %%r%u, 99999;\n@%%p bra L%u;\n", i,
			             i, i);
		sprintf(p, "st.global.u32 [%%d1], %%a;\nret;\n}\n");
		if (!run_ptx(&s, why, sizeof why))
			fail_msg("%s", why);
		for (uint32_t t = 0; t < THREADS; t++) {
			uint32_t a = t;
			for (uint32_t i = 0; i < DEPTH; i++)
				a = a * 5 + t + i;
			for (uint32_t i = DEPTH; i-- > 0;)
				a ^= t + i;
			assert_int_equal(out[t], a);
		}
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_graphs), cmocka_unit_test(test_far_lives)};
	count = argc > 1 ? strtoull(argv[1], NULL, 0) : count;
	first = argc > 2 ? strtoull(argv[2], NULL, 0) : first;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
