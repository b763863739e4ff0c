// SPDX-License-Identifier: Apache-2.0
/* source_test.c -- FRONT as SOURCE, before a unit of our own. The unit takes requests from several ports, applies lanes
 * pass by pass in a random order of the requests in flight, and retires late. The order log is replayed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "../../cmodel/sm/replay.h"
#include "kernel.h"

enum { MOST = 24, LOG = 1 << 22 };

/* A request on its way. */
struct flight {
	struct wl_req req;
	struct wl_atoms_plan plan;
	struct wl_record rec;
	unsigned passes; /* passes applied */
};

struct unit {
	struct kernel *k;
	struct wl_source source;
	struct flight in[MOST];
	unsigned n, limit, most;
	struct rng rng;
	uint64_t served;
	unsigned outstanding[WL_MAX_WARPS], blocking[WL_MAX_WARPS]; /* by warp slot: requests posted, and waited for */
	char *log;
	size_t log_len;
};

static uint32_t rnd(struct unit *u)
{
	return rng_u32(&u->rng);
}

static void write_log(struct unit *u, struct wl_order o)
{
	assert_true(u->log_len + 100 < LOG);
	u->log_len += (size_t)wl_order_format(&o, u->log + u->log_len, LOG - u->log_len);
}

static void on_launch(void *self, unsigned sm, unsigned slot, uint32_t cta, uint32_t base, uint32_t size)
{
	struct unit *u = self;
	const struct wl_window *w = &wl_gpu_smem(u->k->gpu, sm)->window[slot];
	assert_true(w->valid && w->base == base && w->size == size && base % 16 == 0 && size % 16 == 0);
	write_log(u, (struct wl_order){.kind = WL_ORDER_CTA, .sm = sm, .slot = slot, .cta = cta});
}
static void on_exit_cta(void *self, unsigned sm, unsigned slot, uint32_t cta)
{
	struct unit *u = self;
	for (unsigned i = 0; i < u->n; i++) /* before a CTA's exit all its requests retire */
		assert_true(u->in[i].req.tag.slot != slot);
	write_log(u, (struct wl_order){.kind = WL_ORDER_END, .sm = sm, .slot = slot, .cta = cta});
}
static void on_step(void *self, unsigned sm, unsigned warp, unsigned lane, unsigned count)
{
	struct unit *u = self;
	assert_int_equal(u->blocking[warp], 0); /* a warp waiting for a result stands still */
	write_log(u, (struct wl_order){.kind = WL_ORDER_STEP, .sm = sm, .warp = warp, .lane = lane, .count = count});
}

static void take(struct unit *u, unsigned port)
{
	struct flight *f = &u->in[u->n];
	if (u->n == u->limit || u->source.next(u->source.self, port, &f->req) != WL_OFFER_REQ)
		return;
	const struct wl_tag *t = &f->req.tag;
	unsigned warp = t->warp;
	assert_int_equal(warp % u->k->config.ports, port);
	assert_true(f->req.mask && f->req.pc / 16 < u->k->prog.ninst);
	assert_memory_equal(&f->req.word, &u->k->prog.words[f->req.pc / 16], sizeof f->req.word);
	assert_int_equal(u->blocking[warp], 0);
	u->blocking[warp] = !f->req.posted;
	u->outstanding[warp] += f->req.posted;
	assert_true(u->outstanding[warp] <= WL_MAX_POSTED);
	write_log(u, (struct wl_order){.kind = WL_ORDER_ACCEPT,
	                               .warp = warp,
	                               .n = t->n,
	                               .lane = (unsigned)__builtin_ctz(f->req.mask)});
	u->source.accept(u->source.self, &f->req);
	wl_atoms_plan(wl_gpu_smem(u->k->gpu, 0), &f->req, &f->plan);
	wl_atoms_start(&f->req, &f->plan, &f->rec);
	f->passes = 0;
	u->n++;
	u->most = u->n > u->most ? u->n : u->most;
}

static void retire(struct unit *u, unsigned i)
{
	struct flight f = u->in[i];
	memmove(&u->in[i], &u->in[i + 1], (--u->n - i) * sizeof f);
	wl_atoms_finish(&f.req, &f.plan, &f.rec);
	write_log(u, (struct wl_order){.kind = WL_ORDER_RETIRE, .warp = f.req.tag.warp, .n = f.req.tag.n});
	if (f.req.posted)
		u->outstanding[f.req.tag.warp]--;
	else
		u->blocking[f.req.tag.warp] = 0;
	u->served++;
	u->source.retire(u->source.self, &f.rec);
}

/* One pass of a request. The requests of a warp go in order. */
static void advance(struct unit *u)
{
	unsigned i = rnd(u) % u->n;
	for (unsigned k = 0; k < i; k++)
		if (u->in[k].req.tag.warp == u->in[i].req.tag.warp)
			i = k;
	struct flight *f = &u->in[i];
	if (f->passes == f->plan.common.passes) {
		retire(u, i);
		return;
	}
	uint32_t lanes = f->plan.common.pass_lanes[f->passes++];
	wl_atoms_apply(wl_gpu_smem(u->k->gpu, 0), &f->req, &f->plan, lanes, &f->rec);
	write_log(u, (struct wl_order){
	                     .kind = WL_ORDER_COMMIT, .warp = f->req.tag.warp, .n = f->req.tag.n, .lanes = lanes});
}

/* The whole run of k in lockstep with the unit. */
static enum wl_outcome drive(struct unit *u, struct kernel *k, unsigned limit, uint64_t seed)
{
	memset(u, 0, sizeof *u);
	u->k = k;
	u->limit = limit;
	u->rng = rng_seed(seed, 0);
	u->log = malloc(LOG);
	assert_non_null(u->log);
	u->log_len = (size_t)sprintf(u->log, WL_ORDER_SIGNATURE);
	kernel_start(k);
	const struct wl_host host = {u, on_launch, on_exit_cta, on_step, NULL};
	u->source = wl_gpu_source(k->gpu, 1u << WL_UNIT_atoms_pipe, &host);
	for (uint64_t idle = 0; idle < 1000000; idle++) {
		struct wl_req probe;
		if (!u->n && wl_gpu_settle(k->gpu) != WL_RUNNING) {
			for (unsigned p = 0; p < k->config.ports; p++)
				assert_int_equal(u->source.next(u->source.self, p, &probe), WL_OFFER_DONE);
			break;
		}
		take(u, rnd(u) % k->config.ports);
		if (u->n && rnd(u) % 4) {
			advance(u);
			idle = 0;
		}
	}
	wl_gpu_detail(k->gpu, k->detail, sizeof k->detail);
	return wl_gpu_outcome(k->gpu);
}

/* Follows the log on a fresh machine. */
static enum wl_outcome replay(struct kernel *k, char *log, char *why, size_t whyn)
{
	kernel_start(k);
	struct wl_replay *r = wl_replay_create(k->gpu, &k->config);
	assert_non_null(r);
	char *line = strtok(log, "\n");
	assert_string_equal(line, "warplock order 2");
	while ((line = strtok(NULL, "\n"))) {
		struct wl_order o;
		if (!wl_order_parse(line, &o, why, whyn) || !wl_replay_event(r, &o, why, whyn)) {
			wl_replay_free(r);
			return WL_ERROR;
		}
	}
	wl_replay_free(r);
	return wl_gpu_settle(k->gpu);
}

/* Shared counters with conflicts, a lock inside the warps, posted stores, shuffles, barriers, global memory; every CTA
 * stores its tickets. R8 of the last step depends on the order. */
static const char work[] =
        "S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nIMAD R5, R1, c[0x0][0x0], R0\nMOV R4, 0x4\nIMAD.WIDE.U32 R2, R5, R4, "
        "c[0x0][0x160]\n"
        "ISETP.LT.U32.AND P2, PT, R0, 0x20, PT\n@P2 STS [R0.X4], RZ\n@P2 STS [R0.X4+0x80], RZ\n@P2 STS [R0.X4+0x100], "
        "RZ\n"
        "@P2 STS [R0.X4+0x180], RZ\n@P2 STS.64 [R0.X8+0x200], RZ\nBAR.SYNC 0x0\n"
        "LOP3.LUT R6, R0, 0x7, RZ, 0xc0, !PT\nMOV R10, RZ\nMOV R11, 0x1\nMOV R13, 0x3\n"
        "count:\nATOMS.ADD R8, [R6.X4+0x80], R11\nATOMS.ADD RZ, [R6.X4+0x100], R0\nATOMS.MAX RZ, [RZ], R8\n"
        "IADD3 R13, R13, -0x1, RZ\nISETP.GT.AND P0, PT, R13, RZ, PT\n@P0 BRA {count}\n"
        "again:\nATOMS.CAS R9, [0x40], R10, R11\nISETP.NE.AND P0, PT, R9, RZ, PT\n@P0 BRA {again}\n"
        "LDS.U R12, [0x44]\nIADD3 R12, R12, 0x1, RZ\nSTS [0x44], R12\nATOMS.EXCH RZ, [0x40], RZ\n"
        "WARPSYNC 0xffffffff\nBAR.SYNC 0x0\nLDS.U R12, [0x44]\nLDS.U R14, [R6.X4+0x80]\nIMAD R14, R14, 0x3e8, "
        "R12\nSTG.E.SYS [R2], R14\n"
        "LDG.E.SYS R15, [R2]\nIADD3 R15, R15, R8, RZ\nIMAD.WIDE.U32 R2, R5, R4, c[0x0][0x168]\nSTG.E.SYS [R2], "
        "R15\nEXIT\n";

static void start_work(struct kernel *k, uint32_t **fixed, uint32_t **order, unsigned ports)
{
	kernel_init(k, work);
	k->prog.shared_bytes = 1000;
	k->config.ports = ports;
	k->config.ctas_per_sm = 3;
	k->launch.block[0] = 88;
	k->launch.grid[0] = 7;
	*fixed = kernel_words(k, 0, 88 * 7, 0);
	*order = kernel_words(k, 1, 88 * 7, 0);
}

static void test_against_own_unit(void **x)
{
	(void)x;
	for (unsigned trial = 0; trial < 12; trial++) {
		struct kernel k, again;
		uint32_t *fixed, *order, *fixed2, *order2;
		char why[200] = "";
		struct unit u;
		start_work(&k, &fixed, &order, 1u << trial % 3);
		enum wl_outcome o = drive(&u, &k, 1 + trial * 2, trial + 1);
		if (o != WL_ENDED)
			fail_msg("%s", k.detail);
		for (unsigned i = 0; i < 88 * 7;
		     i++) /* 11 threads count three times in each of 8 words; 88 take the lock */
			assert_int_equal(fixed[i], 33 * 1000 + 88);
		assert_int_equal(u.served, wl_gpu_executed(k.gpu, WL_UNIT_atoms_pipe));
		if (trial > 6)
			assert_true(u.most >= 8);
		start_work(&again, &fixed2, &order2, 1u << trial % 3);
		if (replay(&again, u.log, why, sizeof why) != WL_ENDED)
			fail_msg("replay: %s", why);
		assert_memory_equal(fixed, fixed2, 4 * 88 * 7);
		assert_memory_equal(order, order2, 4 * 88 * 7);
		assert_int_equal(wl_gpu_warp_instructions(k.gpu), wl_gpu_warp_instructions(again.gpu));
		for (unsigned d = 0; d <= 32; d++)
			assert_int_equal(wl_gpu_conflicts(k.gpu, d), wl_gpu_conflicts(again.gpu, d));
		free(u.log);
		kernel_free(&k);
		kernel_free(&again);
	}
}

/* The log steers: impossible lines are refused. */
static void test_impossible_lines(void **x)
{
	(void)x;
	static const struct {
		const char *log, *why;
	} bad[] = {
	        {"cta 0 0 1", "turn"},
	        {"cta 0 99 0", "slot"},
	        {"cta 0 0 0\nstep 0 0 0 100000", "cannot execute"},
	        {"cta 0 0 0\nstep 0 40 0 1", "not live"},
	        {"cta 0 0 0\nstep 0 0 0 1\nretire 0 0 0", "no such request"},
	        {"cta 0 0 0\naccept 0 0 0 0", "does not stand at a request"},
	        {"cta 0 0 0\ncta 0 0 1", "not free"},
	        {"cta 0 0 0\nend 0 0 0", "has not ended"},
	        {"cta 0 0 0\nstep 0 0 0 6\naccept 0 0 1 0", "another request"},
	        {"cta 0 0 0\nstep 0 0 0 6\naccept 0 0 0 0\nretire 0 0 0", "not all lanes"},
	        {"cta 0 0 0\nstep 0 0 0 6\naccept 0 0 0 0\ncommit 0 0 0 0xffffffff\ncommit 0 0 0 0x1",
	         "took effect before"},
	        {"cta 0 0 0\nstep 0 0 0 6\naccept 0 0 0 0\nfault 0 0 0 1 0x1", "do not have this fault"},
	        {"launch 0 0 0", "expected cta, end"},
	        {"cta 0 0", "expected a number"},
	        {"cta 0 0 0 0", "end of the line"},
	        {"cta 0 0 -1", "expected a number"},
	        {"cta 0 0 99999999999", "expected a number"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct kernel k;
		uint32_t *fixed, *order;
		char log[300], why[200] = "";
		start_work(&k, &fixed, &order, 1);
		snprintf(log, sizeof log, "%s%s", WL_ORDER_SIGNATURE, bad[i].log);
		assert_int_equal(replay(&k, log, why, sizeof why), WL_ERROR);
		if (!strstr(why, bad[i].why))
			fail_msg("%s: '%s', expected '%s'", bad[i].log, why, bad[i].why);
		kernel_free(&k);
	}
}

/* A posted store faults: no further request is offered, and requests in flight retire. The reported address is the
 * store's, although the store's register has changed since. */
static void test_posted_fault(void **x)
{
	(void)x;
	struct kernel k;
	struct unit u;
	kernel_init(&k, "S2R R0, SR_TID.X\nIADD3 R1, R0, 0x1, RZ\nSHF.L.U32 R1, R1, 0x4, RZ\nSTS [R1], R0\nMOV R1, "
	                "RZ\nSTS [R1], R0\n"
	                "again:\nLDS R2, [RZ]\nBRA {again}\n");
	k.prog.shared_bytes = 0x100;
	assert_int_equal(drive(&u, &k, 8, 5), WL_FAULTED);
	if (!strstr(k.detail, "SHARED_OUT_OF_RANGE") || !strstr(k.detail, "address 0x100;") ||
	    !strstr(k.detail, "lanes 0xffff8000") || !strstr(k.detail, "`STS [R1], R0`"))
		fail_msg("%s", k.detail);
	free(u.log);
	kernel_free(&k);
}

static bool offered(struct wl_source *s, struct wl_req *req)
{
	for (unsigned i = 0; i < 100; i++)
		if (s->next(s->self, 0, req) == WL_OFFER_REQ)
			return true;
	return false;
}

static void retire_at_once(struct kernel *k, struct wl_source *s, const struct wl_req *req)
{
	struct wl_atoms_plan plan;
	struct wl_record rec;
	wl_atoms_plan(wl_gpu_smem(k->gpu, 0), req, &plan);
	wl_atoms_start(req, &plan, &rec);
	for (unsigned p = 0; p < plan.common.passes; p++)
		wl_atoms_apply(wl_gpu_smem(k->gpu, 0), req, &plan, plan.common.pass_lanes[p], &rec);
	wl_atoms_finish(req, &plan, &rec);
	s->retire(s->self, &rec);
}

/* Two warps fault. The first fault in event order is reported, although the other record comes back first. */
static void test_first_fault(void **x)
{
	(void)x;
	for (unsigned first = 0; first < 2; first++) {
		struct kernel k;
		struct wl_req req[2], none;
		char name[20];
		kernel_init(&k, "STS [0x1], R0\nagain:\nBRA {again}\n");
		k.prog.shared_bytes = 64;
		k.launch.block[0] = 64;
		kernel_start(&k);
		struct wl_source s = wl_gpu_source(k.gpu, 1u << WL_UNIT_atoms_pipe, NULL);
		for (unsigned w = 0; w < 2; w++) {
			assert_true(offered(&s, &req[w]) && req[w].tag.warp == w);
			s.accept(s.self, &req[w]);
		}
		s.fault(s.self, &req[first].tag);
		s.fault(s.self, &req[!first].tag);
		assert_false(offered(&s, &none));
		retire_at_once(&k, &s, &req[!first]);
		assert_int_equal(wl_gpu_outcome(k.gpu), WL_RUNNING);
		retire_at_once(&k, &s, &req[first]);
		assert_int_equal(wl_gpu_outcome(k.gpu), WL_FAULTED);
		assert_int_equal(s.next(s.self, 0, &none), WL_OFFER_DONE);
		wl_gpu_detail(k.gpu, k.detail, sizeof k.detail);
		snprintf(name, sizeof name, "warp %u,", first);
		assert_non_null(strstr(k.detail, name));
		kernel_free(&k);
	}
}

static void test_other_ends(void **x)
{
	(void)x;
	struct kernel k;
	struct unit u;
	kernel_init(&k, "STS [RZ], R0\nS2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, 0x20, PT\n@P0 BAR.SYNC 0x1, "
	                "0x40\n@!P0 BAR.SYNC 0x2, 0x40\nEXIT\n");
	k.prog.shared_bytes = 16;
	k.launch.block[0] = 64;
	assert_int_equal(drive(&u, &k, 8, 1), WL_DEADLOCK);
	free(u.log);
	kernel_free(&k);
	kernel_init(&k, "again:\nATOMS.ADD R0, [RZ], R1\nBRA {again}\n");
	k.prog.shared_bytes = 16;
	k.launch.limit = 1000;
	assert_int_equal(drive(&u, &k, 8, 1), WL_LIMIT);
	assert_true(wl_gpu_warp_instructions(k.gpu) >= 1000 && wl_gpu_warp_instructions(k.gpu) < 1100);
	free(u.log);
	kernel_free(&k);
}

/* Sub-word loads: the record carries the bits of memory, the register holds the value. */
static void test_sub_word_results(void **x)
{
	(void)x;
	struct kernel k;
	struct unit u;
	kernel_init(&k,
	            "S2R R0, SR_LANEID\nIADD3 R1, R0, -0x10, RZ\nSTS.U8 [R0], R1\nLDS.S8 R8, [R0]\nLDS.U8 R9, [R0]\n"
	            "MOV R4, 0x8\nIMAD.WIDE.U32 R2, R0, R4, c[0x0][0x160]\nSTG.E.64.SYS [R2], R8\nEXIT\n");
	k.prog.shared_bytes = 32;
	const uint32_t *out = kernel_words(&k, 0, 64, 0);
	assert_int_equal(drive(&u, &k, 8, 1), WL_ENDED);
	for (uint32_t i = 0; i < 32; i++) {
		assert_int_equal(out[2 * i], i - 16);
		assert_int_equal(out[2 * i + 1], (i - 16) & 0xff);
	}
	free(u.log);
	kernel_free(&k);
}

/* ---- fences: a posted store in flight ---- */

/* Is the store after `between` offered before the first store retires? Checks: the store is offered afterwards. */
static bool overtakes(enum wl_arch arch, const char *between)
{
	char text[200];
	struct kernel k;
	struct wl_req first, second;
	snprintf(text, sizeof text, "MOV R0, 0x7\nSTS [RZ], R0\n%s\nSTS [0x10], R0\nEXIT\n", between);
	kernel_init_for(&k, arch, text);
	k.prog.shared_bytes = 64;
	kernel_start(&k);
	struct wl_source s = wl_gpu_source(k.gpu, 1u << WL_UNIT_atoms_pipe, NULL);
	assert_true(offered(&s, &first) && first.pc == 16);
	s.accept(s.self, &first);
	bool early = offered(&s, &second);
	retire_at_once(&k, &s, &first);
	assert_true((early || offered(&s, &second)) && second.pc == 48);
	s.accept(s.self, &second);
	retire_at_once(&k, &s, &second);
	struct wl_req none;
	assert_false(offered(&s, &none));
	assert_int_equal(wl_gpu_settle(k.gpu), WL_ENDED);
	assert_int_equal(wl_gpu_warp_instructions(k.gpu), 5);
	kernel_free(&k);
	return early;
}

static void test_fences(void **x)
{
	(void)x;
	static const char *const fences[] = {"MEMBAR.SC.CTA", "MEMBAR.SC.GPU", "MEMBAR.SC.SYS",
	                                     "MEMBAR.SC.VC",  "ERRBAR",        "CCTL.IVALL"};
	static const enum wl_arch archs[] = {WL_SM75, WL_SM90};
	for (unsigned a = 0; a < 2; a++) {
		assert_true(overtakes(archs[a], "NOP"));
		assert_true(overtakes(archs[a], "@!PT MEMBAR.SC.GPU"));
		for (unsigned i = 0; i < sizeof fences / sizeof fences[0]; i++)
			if (overtakes(archs[a], fences[i]))
				fail_msg("sm_%d: a store overtakes %s", (int)archs[a], fences[i]);
	}
}

static void test_coverage(void **x)
{
	(void)x;
	assert_int_equal(kernel_covers("source_test"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_against_own_unit), cmocka_unit_test(test_impossible_lines),
	        cmocka_unit_test(test_first_fault),      cmocka_unit_test(test_posted_fault),
	        cmocka_unit_test(test_other_ends),       cmocka_unit_test(test_sub_word_results),
	        cmocka_unit_test(test_fences),           cmocka_unit_test(test_coverage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
