// SPDX-License-Identifier: Apache-2.0
/* memory_test.c -- the memory agent against a DUT played by hand: data and masks, success of conditional writes (by
 * counting the writes of each sector), missing halves, latency, order, back-pressure, and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "memory_agent.h"

enum { BYTES = 4096, SECTORS = BYTES / 32, SHORT = 208 /* ends in the middle of a sector */ };

struct bench {
	struct wl_gmem gmem; /* REF's */
	uint8_t mem[BYTES];
	uint64_t base;
	struct memory_agent *agent;
	struct shim_in in;
	struct shim_out out;
	uint8_t data[32];
	uint32_t words[8];
};

static void start(struct bench *b, unsigned latency, bool stall, unsigned intrude, uint64_t seed)
{
	memset(b, 0, sizeof *b);
	b->gmem = (struct wl_gmem){.mem = b->mem, .bytes = BYTES};
	b->base = wl_gmem_add(&b->gmem, SHORT);
	for (unsigned i = 0; i < BYTES; i++)
		b->mem[i] = (uint8_t)(i * 7 + (i >> 8));
	b->agent = memory_new(&(struct memory_config){
	        .gmem = &b->gmem, .seed = seed, .latency = latency, .stall = stall, .intrude = intrude});
	assert_non_null(b->agent);
}

static void ask(struct bench *b, unsigned id, bool write, bool cond, uint64_t addr, uint32_t mask)
{
	memcpy(b->words, b->data, sizeof b->words);
	b->out.mem.valid = 1;
	b->out.mem.id = (uint8_t)id;
	b->out.mem.write = write;
	b->out.mem.cond = cond;
	b->out.mem.addr = addr;
	b->out.mem.mask = mask;
	b->out.mem.data = b->words;
}

/* A cycle; returns the error of the request, if any. A taken request goes. */
static const char *cycle(struct bench *b)
{
	memory_drive(b->agent, &b->in);
	const char *wrong = memory_take(b->agent, &b->out);
	if (b->in.mem.req_ready)
		b->out.mem.valid = 0;
	return wrong;
}

/* Cycles until the answer to the only request. */
static unsigned answer(struct bench *b)
{
	unsigned n = 0;
	do {
		assert_null(cycle(b));
		assert_true(++n < 1000);
	} while (!b->in.mem.rsp_valid);
	return n;
}

static void test_directed(void **x)
{
	(void)x;
	static struct bench b;
	uint8_t sector[32];
	start(&b, 10, false, 0, 1);
	ask(&b, 3, false, false, b.base + 32, 0);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_id, 3);
	assert_int_equal(b.in.mem.rsp_ok, 1);
	assert_int_equal(b.in.mem.rsp_halves, 3);
	assert_memory_equal(b.in.mem.rsp_data, b.mem + 32, 32);
	uint64_t policy;
	assert_false(memory_policy(b.agent, &policy));
	/* then a conditional write of some bytes */
	b.out.mem.has_policy = 1;
	b.out.mem.policy = UINT64_C(0x1470000000000001);
	memset(b.data, 0xaa, 32);
	ask(&b, 3, true, true, b.base + 32, 0x0000ff01);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_ok, 1);
	assert_true(memory_policy(b.agent, &policy));
	assert_true(policy == UINT64_C(0x1470000000000001));
	assert_int_equal(memory_sector(b.agent, b.base + 32, sector), 3);
	for (unsigned i = 0; i < 32; i++)
		assert_int_equal(sector[i], 0x0000ff01 >> i & 1 ? 0xaa : b.mem[32 + i]);
	/* REF has not written: the images differ at this place, and nowhere before */
	uint64_t at;
	uint8_t dut, ref;
	assert_true(memory_differs(b.agent, &at, &dut, &ref));
	assert_int_equal(at, b.base + 32);
	assert_int_equal(dut, 0xaa);
	assert_int_equal(ref, b.mem[32]);
	/* the last half of the buffer's last sector does not exist */
	ask(&b, 0, false, false, b.base + SHORT - 16, 0);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_halves, 1);
	assert_memory_equal(b.in.mem.rsp_data, b.mem + SHORT - 16, 16);
	/* a plain store to both halves: the existing half is written */
	memset(b.data, 0x55, 32);
	ask(&b, 1, true, false, b.base + SHORT - 16, 0xffffffff);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_halves, 1);
	assert_int_equal(memory_sector(b.agent, b.base + SHORT - 16, sector), 1);
	assert_int_equal(sector[15], 0x55);
	assert_int_equal(sector[16], 0);
	ask(&b, 2, false, false, UINT64_C(0x7ffffffe0), 0);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_halves, 0);
	memory_free(b.agent);
}

/* Each way for somebody else to write, and cases without a write. */
static void test_conditions(void **x)
{
	(void)x;
	static struct bench b;
	enum how { NOBODY, FRONT, FRONT_ELSEWHERE, OTHER_ID, OTHER_READS, SAME_VALUE, HOWS };
	for (unsigned how = 0; how < HOWS; how++) {
		start(&b, 0, false, 0, how);
		ask(&b, 5, false, false, b.base + 64, 0);
		answer(&b);
		if (how == FRONT || how == SAME_VALUE) {
			b.mem[64 + 31] = (uint8_t)(b.mem[64 + 31] + (how == FRONT));
			memory_store(b.agent, 64 + 31, 1);
		} else if (how == FRONT_ELSEWHERE) {
			memory_store(b.agent, 96, 4);
			memory_store(b.agent, 60, 4);
		} else if (how == OTHER_ID) {
			ask(&b, 6, true, false, b.base + 64, 0x80);
			answer(&b);
		} else if (how == OTHER_READS) {
			ask(&b, 6, false, false, b.base + 64, 0);
			answer(&b);
		}
		const bool fails = how == FRONT || how == OTHER_ID || how == SAME_VALUE;
		uint8_t before[32];
		memory_sector(b.agent, b.base + 64, before);
		memset(b.data, 0x11, 32);
		ask(&b, 5, true, true, b.base + 64, 0xf);
		answer(&b);
		assert_int_equal(b.in.mem.rsp_ok, !fails);
		if (!fails)
			continue;
		assert_memory_equal(b.in.mem.rsp_data, before, 32); /* the present content */
		ask(&b, 5, true, true, b.base + 64, 0);             /* a question */
		answer(&b);
		assert_int_equal(b.in.mem.rsp_ok, 1);
		memory_free(b.agent);
	}
}

/* A store over two sectors makes both old. */
static void test_wide_store(void **x)
{
	(void)x;
	static struct bench b;
	start(&b, 0, false, 0, 1);
	for (unsigned id = 0; id < 2; id++) {
		ask(&b, id, false, false, b.base + 32 * id, 0);
		answer(&b);
	}
	memory_store(b.agent, 24, 16);
	for (unsigned id = 0; id < 2; id++) {
		ask(&b, id, true, true, b.base + 32 * id, 1);
		answer(&b);
		assert_int_equal(b.in.mem.rsp_ok, 0);
	}
	memory_free(b.agent);
}

static void test_refusals(void **x)
{
	(void)x;
	static struct bench b;
	static const struct {
		bool write, cond;
		uint32_t at, mask;
		const char *text;
	} rows[] = {
	        {true, true, 0, 1, "has not read it"},
	        {true, false, 0, 0, "writes nothing"},
	        {true, true, 192, 0x10000, "that is not there"},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		start(&b, 0, false, 0, 1);
		if (i == 2) {
			ask(&b, 0, false, false, b.base + 192, 0);
			answer(&b);
		}
		ask(&b, 0, rows[i].write, rows[i].cond, b.base + rows[i].at, rows[i].mask);
		const char *wrong = cycle(&b);
		assert_non_null(wrong);
		assert_non_null(strstr(wrong, rows[i].text));
		memory_free(b.agent);
	}
	/* two requests of the same id, two ids at the same sector, a request that changes while held back */
	for (unsigned i = 0; i < 2; i++) {
		start(&b, 1000, false, 0, 3);
		ask(&b, 0, false, false, b.base, 0);
		assert_null(cycle(&b));
		while (b.in.mem.rsp_valid)
			cycle(&b);
		ask(&b, i, false, false, b.base, 0);
		const char *wrong = cycle(&b);
		assert_non_null(wrong);
		assert_non_null(strstr(wrong, i ? "another id" : "no answer"));
		memory_free(b.agent);
	}
	start(&b, 0, true, 0, 1);
	bool heard = false;
	for (unsigned i = 0; i < 20000 && !heard; i++) {
		ask(&b, i % 16, true, false, b.base, 1u << i % 32); /* another request each time, taken or not */
		heard = cycle(&b) != NULL;
	}
	assert_true(heard);
	memory_free(b.agent);
}

/* The test's knowledge of each id: the sector read, and the number of writes to the sector until then. */
struct known {
	bool busy, write, cond, has;
	uint64_t sector, asked;
	uint32_t mask;
	uint8_t data[32];
	uint32_t writes;
};

struct play {
	struct bench b;
	struct known id[16];
	uint32_t writes[SHORT / 32 + 1]; /* of each sector, by anybody */
	uint8_t image[SHORT];
	uint64_t cycles, longest, out_of_order, failed, succeeded;
};

static bool sector_free(const struct play *p, uint64_t sector)
{
	for (unsigned i = 0; i < 16; i++)
		if (p->id[i].busy && p->id[i].sector == sector)
			return false;
	return true;
}

static void offer(struct play *p, struct rng *r)
{
	const unsigned id = rng_below(r, 16);
	struct known *k = &p->id[id];
	const uint64_t sector = k->has && rng_below(r, 4) ? k->sector : rng_below(r, SHORT / 32 + 1);
	if (k->busy || !sector_free(p, sector))
		return;
	const bool cond = k->has && k->sector == sector && rng_below(r, 4);
	k->write = cond || rng_one_in(r, 4);
	k->cond = cond;
	k->mask = k->write ? rng_u32(r) & rng_u32(r) : 0;
	if (cond && sector == SHORT / 32)
		k->mask &= 0xffff;
	if (k->write && !cond)
		k->mask |= 1;
	k->sector = sector;
	for (unsigned i = 0; i < 32; i++)
		k->data[i] = (uint8_t)rng_u32(r);
	memcpy(p->b.data, k->data, 32);
	ask(&p->b, id, k->write, cond, p->b.base + 32 * sector, k->mask);
}

static void see_answer(struct play *p)
{
	struct known *k = &p->id[p->b.in.mem.rsp_id];
	const unsigned bytes = k->sector == SHORT / 32 ? 16 : 32;
	assert_true(k->busy);
	const bool ok = !k->cond || k->writes == p->writes[k->sector];
	assert_int_equal(p->b.in.mem.rsp_ok, ok);
	assert_int_equal(p->b.in.mem.rsp_halves, bytes == 32 ? 3 : 1);
	if (k->write && ok) {
		for (unsigned i = 0; i < bytes; i++)
			if (k->mask >> i & 1)
				p->image[32 * k->sector + i] = k->data[i];
		p->writes[k->sector] += k->mask != 0;
	} else {
		assert_memory_equal(p->b.in.mem.rsp_data, p->image + 32 * k->sector, bytes);
	}
	p->failed += !ok;
	p->succeeded += k->cond && ok;
	k->has = !k->write || !ok;
	k->writes = p->writes[k->sector];
	k->busy = false;
	const uint64_t age = p->cycles - k->asked;
	p->longest = age > p->longest ? age : p->longest;
	for (unsigned i = 0; i < 16; i++)
		p->out_of_order += p->id[i].busy && p->id[i].asked < k->asked;
}

static void play(uint64_t seed, unsigned latency)
{
	static struct play p;
	struct rng r = rng_seed(seed, 0);
	memset(&p, 0, sizeof p);
	start(&p.b, latency, true, 0, seed);
	memcpy(p.image, p.b.mem, SHORT);
	for (p.cycles = 0; p.cycles < 60000; p.cycles++) {
		if (!p.b.out.mem.valid)
			offer(&p, &r);
		if (rng_one_in(&r, 10)) { /* the front end */
			const unsigned at = 4 * rng_below(&r, SHORT / 4);
			for (unsigned i = 0; i < 4; i++)
				p.image[at + i] = p.b.mem[at + i] = (uint8_t)rng_u32(&r);
			p.writes[at / 32]++;
			memory_store(p.b.agent, at, 4);
		}
		memory_drive(p.b.agent, &p.b.in);
		if (p.b.in.mem.rsp_valid)
			see_answer(&p);
		assert_null(memory_take(p.b.agent, &p.b.out));
		if (p.b.out.mem.valid && p.b.in.mem.req_ready) {
			p.id[p.b.out.mem.id].busy = true;
			p.id[p.b.out.mem.id].asked = p.cycles;
			p.b.out.mem.valid = 0;
		}
		/* the test is exact after every cycle */
		for (unsigned s = 0; s <= SHORT / 32; s++) {
			uint8_t sector[32];
			memory_sector(p.b.agent, p.b.base + 32 * s, sector);
			assert_memory_equal(sector, p.image + 32 * s, s == SHORT / 32 ? 16 : 32);
		}
	}
	const struct memory_stats *s = memory_statistics(p.b.agent);
	assert_int_equal(s->retries, p.failed);
	assert_int_equal(s->overtaken, p.out_of_order);
	assert_true(p.failed > 300 && p.succeeded > 300 && s->held > 5000);
	assert_true(p.longest <= latency + 40u); /* one answer a cycle: sixteen may be due at once */
	if (latency)
		assert_true(p.longest >= latency - 2u && p.out_of_order > 1000);
	memory_free(p.b.agent);
}

static void test_play(void **x)
{
	(void)x;
	play(1, 0);
	play(2, 20);
	play(3, 200);
}

/* Somebody else writes to both images alike. */
static void test_intruder(void **x)
{
	(void)x;
	static struct bench b;
	uint8_t before[SHORT];
	uint64_t at;
	uint8_t dut, ref;
	start(&b, 0, false, 10, 4);
	memcpy(before, b.mem, SHORT);
	ask(&b, 0, false, false, b.base + 32, 0);
	answer(&b);
	for (unsigned i = 0; i < 5000; i++)
		cycle(&b);
	assert_memory_not_equal(b.mem + 32, before + 32, 32);
	assert_memory_equal(b.mem, before, 32);
	assert_false(memory_differs(b.agent, &at, &dut, &ref));
	ask(&b, 0, true, true, b.base + 32, 1);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_ok, 0);
	memory_free(b.agent);
}

/* Somebody writes back the present content: the conditional write fails, nothing changes. */
static void test_rewrite(void **x)
{
	(void)x;
	static struct bench b;
	uint64_t at;
	uint8_t dut, ref;
	start(&b, 0, false, 0, 5);
	memory_free(b.agent);
	b.agent = memory_new(&(struct memory_config){.gmem = &b.gmem, .seed = 5, .rewrite = 4});
	assert_non_null(b.agent);
	ask(&b, 2, false, false, b.base + 32, 0);
	answer(&b);
	for (unsigned i = 0; i < 500; i++)
		cycle(&b);
	assert_false(memory_differs(b.agent, &at, &dut, &ref));
	ask(&b, 2, true, true, b.base + 32, 1);
	answer(&b);
	assert_int_equal(b.in.mem.rsp_ok, 0);
	assert_memory_equal(b.in.mem.rsp_data, b.mem + 32, 32);
	assert_true(memory_statistics(b.agent)->retries == 1);
	memory_free(b.agent);
}

/* Id 3 reads and writes a sector, and goes on with a further write: right only for a DUT that keeps sectors, and only
 * until another id asks for the sector. */
static void test_goes_on(void **x)
{
	(void)x;
	static struct bench b;
	for (unsigned keeps = 0; keeps < 2; keeps++)
		for (unsigned other = 0; other < 2; other++) {
			start(&b, 0, false, 0, 1);
			memory_free(b.agent);
			b.agent = memory_new(&(struct memory_config){.gmem = &b.gmem, .seed = 1, .keeps = keeps});
			assert_non_null(b.agent);
			ask(&b, 3, false, false, b.base + 32, 0);
			answer(&b);
			ask(&b, 3, true, true, b.base + 32, 2);
			answer(&b);
			assert_int_equal(b.in.mem.rsp_ok, 1);
			if (other) {
				ask(&b, 4, false, false, b.base + 32, 0);
				answer(&b);
			}
			ask(&b, 3, true, true, b.base + 32, 4);
			const char *wrong = cycle(&b);
			assert_int_equal(wrong == NULL, keeps && !other);
			if (!keeps || other)
				assert_non_null(strstr(wrong, "has not read it"));
			memory_free(b.agent);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_directed), cmocka_unit_test(test_conditions), cmocka_unit_test(test_wide_store),
	        cmocka_unit_test(test_refusals), cmocka_unit_test(test_play),       cmocka_unit_test(test_intruder),
	        cmocka_unit_test(test_rewrite),  cmocka_unit_test(test_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
