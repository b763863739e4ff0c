// SPDX-License-Identifier: Apache-2.0
/* board_memory_test.c -- the window of memory on a board against docs/ports.md ("Global memory") and docs/fpga-link.md
 * ("Memory on the board"). Ids read, write and write conditionally, at sectors in the window and beyond. Halves are
 * missing. In between a host reads, writes and answers for the rest. Windows move, resets come.
 *
 *   board_memory_test MODEL.so [SEED [CYCLES [expect-failure]]] */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../../common/rng.h"
#include "../../bench_main.h"
#include "pins/board_memory.h"

enum { IDS = 16, MOST_SECTORS = 512, NEAR = 12 /* sectors of most accesses */ };
#define ADDRESSES ((UINT64_C(1) << 43) - 1)

struct sector {
	uint8_t data[32];
	uint32_t known; /* bytes with a known value, by a store */
	unsigned halves;
	bool placed; /* `halves` is known */
};

/* The sector last told to an id, and writes since. */
struct told {
	bool valid, changed, others; /* changed: this sector, by the host; others: any sector, by the host */
	unsigned sector;
};

struct answer {
	bool due, must_succeed, must_fail, write, cond;
	unsigned id, sector, halves;
	uint32_t known;
	uint8_t data[32];
};

/* Where both outcomes are legal, the DUT's next answer decides the effect of the write. So the bench puts the write off
 * until the answer. */
struct pending {
	bool valid;
	unsigned sector, id;
	uint32_t mask;
	uint8_t data[32];
};

struct bench {
	struct model model;
	PINS_MEMBERS(board_memory);
	struct rng rng;
	unsigned sectors, near; /* near: the first sector of most accesses */
	uint64_t base;
	bool open;
	struct sector mem[MOST_SECTORS];
	struct told told[IDS];
	/* the request standing at the port, the waiting answer of the host, and the required outputs of the next
	 * cycle */
	bool standing, inside, waiting, read_due;
	unsigned id, sector, waited;
	struct answer answer;
	struct pending pending;
	uint8_t read[32];
	uint32_t read_known;
	uint64_t cycle;
	struct {
		uint64_t reads, stores, succeeded, failed, needless, beyond, closed, half, none, waits, together, loads,
		        resets, moves, touched;
	} n;
	unsigned errors;
};

static void error(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void error(struct bench *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (b->errors++ < 8) {
		printf("cycle %llu: ", (unsigned long long)b->cycle);
		vprintf(format, args);
		putchar('\n');
	}
	va_end(args);
}

/* Forgets the contents of the window, for example after power-up or a move of the buffers. */
static void forget(struct bench *b)
{
	for (unsigned i = 0; i < b->sectors; i++)
		b->mem[i].known = b->mem[i].placed = 0;
	for (unsigned i = 0; i < IDS; i++)
		b->told[i].valid = false;
}

static void set_addr(uint8_t *pin, uint64_t sector)
{
	pin_set(pin, 0, 32, (uint32_t)sector);
	pin_set(pin, 32, 11, (uint32_t)(sector >> 32));
}

/* ---- inputs ---- */

static unsigned some_sector(struct bench *b)
{
	return rng_one_in(&b->rng, 8) ? rng_below(&b->rng, b->sectors)
	                              : (b->near + rng_below(&b->rng, NEAR)) % b->sectors;
}

/* No other id works on the sector. */
static bool is_free(const struct bench *b, unsigned sector, unsigned id)
{
	for (unsigned i = 0; i < IDS; i++)
		if (i != id && b->told[i].valid && b->told[i].sector == sector)
			return false;
	return true;
}

/* A request: for an id with a told sector mostly the conditional write; else for a free sector. */
static void draw_request(struct bench *b)
{
	const unsigned id = rng_below(&b->rng, IDS);
	struct told *t = &b->told[id];
	const bool cond = t->valid && rng_below(&b->rng, 4);
	unsigned sector = cond ? t->sector : some_sector(b);
	uint64_t addr = b->base + sector;
	if (!is_free(b, sector, id) || !b->mem[sector].placed)
		return;
	b->inside = b->open;
	if (b->open && !cond && rng_one_in(&b->rng, 4)) { /* a single address bit off */
		addr ^= UINT64_C(1) << (__builtin_ctz(b->sectors) +
		                        (int)rng_below(&b->rng, 43 - (unsigned)__builtin_ctz(b->sectors)));
		b->inside = false;
	}
	b->standing = true;
	b->id = id;
	b->sector = sector;
	*b->req_id_i = (uint8_t)id;
	*b->req_write_i = cond || rng_one_in(&b->rng, 2);
	*b->req_cond_i = cond;
	set_addr(b->req_addr_i, addr & ADDRESSES);
	pin_noise(b->req_data_i, 256, &b->rng);
	/* a failing compare writes nothing */
	pin_set(b->req_mask_i, 0, 32, cond && rng_one_in(&b->rng, 4) ? 0 : rng_u32(&b->rng) & rng_u32(&b->rng));
	for (unsigned h = 0; cond && h < 2; h++) /* a conditional write has no bytes of a missing half */
		if (!(b->mem[sector].halves >> h & 1))
			pin_set(b->req_mask_i, h * 16, 16, 0);
	if (!*b->req_write_i)
		pin_noise(b->req_mask_i, 32, &b->rng);
}

static void drive(struct bench *b)
{
	*b->place_valid_i = 0;
	pin_noise(b->place_addr_i, 43, &b->rng);
	if (!b->standing && rng_below(&b->rng, 3))
		draw_request(b);
	*b->req_valid_i = b->standing;
	if (!b->standing) {
		*b->req_id_i = (uint8_t)rng_below(&b->rng, IDS);
		*b->req_write_i = rng_one_in(&b->rng, 2);
		*b->req_cond_i = rng_one_in(&b->rng, 2);
		set_addr(b->req_addr_i, (b->base + some_sector(b)) & ADDRESSES);
		pin_noise(b->req_mask_i, 32, &b->rng);
	}
	if (!b->waiting) {
		b->waiting = rng_one_in(&b->rng, 5);
		b->waited = 0;
		*b->host_rsp_id_i = (uint8_t)rng_below(&b->rng, IDS);
		*b->host_rsp_ok_i = rng_one_in(&b->rng, 2);
		*b->host_rsp_halves_i = (uint8_t)rng_below(&b->rng, 4);
		pin_noise(b->host_rsp_data_i, 256, &b->rng);
	}
	*b->host_rsp_valid_i = b->waiting;
	*b->host_valid_i = rng_one_in(&b->rng, 4);
	*b->host_write_i = rng_one_in(&b->rng, 2);
	pin_set(b->host_sector_i, 0, (unsigned)__builtin_ctz(b->sectors), some_sector(b));
	*b->host_halves_i = (uint8_t)(rng_one_in(&b->rng, 3) ? rng_below(&b->rng, 4) : 3);
	pin_set(b->host_mask_i, 0, 32,
	        rng_one_in(&b->rng, 3)   ? 0
	        : rng_one_in(&b->rng, 2) ? UINT32_MAX
	                                 : rng_u32(&b->rng));
	pin_noise(b->host_data_i, 256, &b->rng);
}

/* ---- required outputs ---- */

static void same_bytes(struct bench *b, const char *what, const uint8_t *got, const uint8_t *want, uint32_t known)
{
	for (unsigned i = 0; i < 32; i++)
		if (known >> i & 1 && got[i] != want[i]) {
			error(b, "%s: byte %u is 0x%02x, expected 0x%02x", what, i, got[i], want[i]);
			return;
		}
}

static void check_answer(struct bench *b)
{
	const struct answer *a = &b->answer;
	if (*b->host_rsp_ready_o == a->due)
		error(b, "host_rsp_ready_o is %u", *b->host_rsp_ready_o);
	if (*b->rsp_mine_o != a->due || *b->rsp_valid_o != (a->due || b->waiting)) {
		error(b, "an answer: %u, from here: %u; expected %u and %u", *b->rsp_valid_o, *b->rsp_mine_o,
		      a->due || b->waiting, a->due);
	} else if (a->due) {
		const bool ok = *b->rsp_ok_o;
		if (*b->rsp_id_o != a->id || *b->rsp_halves_o != a->halves || (ok ? a->must_fail : a->must_succeed))
			error(b, "id %u: ok %u, halves %u; expected of id %u %s, halves %u", *b->rsp_id_o, ok,
			      *b->rsp_halves_o, a->id,
			      a->must_fail      ? "no"
			      : a->must_succeed ? "yes"
			                        : "either",
			      a->halves);
		const uint32_t there = (a->halves & 1 ? 0xffffu : 0) | (a->halves & 2 ? 0xffff0000u : 0);
		if (!a->write || !ok)
			same_bytes(b, "the answer", b->rsp_data_o, a->data, a->known & there);
	} else if (b->waiting) {
		if (*b->rsp_id_o != *b->host_rsp_id_i || *b->rsp_ok_o != *b->host_rsp_ok_i ||
		    *b->rsp_halves_o != *b->host_rsp_halves_i || memcmp(b->rsp_data_o, b->host_rsp_data_i, 32) != 0)
			error(b, "the host's answer does not come through");
		b->waiting = false;
	}
	if (b->waiting && ++b->waited > 2)
		error(b, "the host's answer waits for %u cycles", b->waited);
	b->n.waits += b->waiting;
}

static void write_bytes(struct sector *s, uint32_t mask, const uint8_t *data)
{
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1) {
			s->data[i] = data[i];
			s->known = s->halves >> i / 16 & 1 ? s->known | 1u << i : s->known & ~(1u << i);
		}
}

static void take_request(struct bench *b)
{
	struct pending *p = &b->pending;
	struct told *t = &b->told[b->id];
	struct sector *s = &b->mem[b->sector];
	const bool write = *b->req_write_i, cond = *b->req_cond_i && write;
	struct answer a = {.due = true,
	                   .write = write,
	                   .cond = cond,
	                   .id = b->id,
	                   .sector = b->sector,
	                   .halves = s->halves,
	                   .known = s->known};
	memcpy(a.data, s->data, sizeof a.data);
	a.must_fail = cond && t->changed;
	a.must_succeed = !cond || !t->others;
	if (write && !a.must_fail) {
		*p = (struct pending){
		        .valid = true, .sector = b->sector, .id = b->id, .mask = pin_get(b->req_mask_i, 0, 32)};
		memcpy(p->data, b->req_data_i, 32);
	}
	b->n.half += s->halves == 1 || s->halves == 2;
	b->n.none += s->halves == 0;
	b->n.reads += !write;
	b->n.stores += write && !cond;
	/* told anew by a read or a failing write; any other write ends the validity */
	*t = (struct told){.valid = !write || a.must_fail, .sector = b->sector};
	b->answer = a;
}

static void take_host(struct bench *b)
{
	const unsigned at = pin_get(b->host_sector_i, 0, (unsigned)__builtin_ctz(b->sectors));
	struct sector *s = &b->mem[at];
	if (!*b->host_write_i) {
		b->read_due = true;
		b->read_known = s->known;
		memcpy(b->read, s->data, sizeof b->read);
		b->n.loads++;
		return;
	}
	const uint32_t mask = pin_get(b->host_mask_i, 0, 32);
	s->halves = *b->host_halves_i;
	s->placed = true;
	for (unsigned i = 0; i < 32; i++)
		if (mask >> i & 1) {
			s->data[i] = b->host_data_i[i];
			s->known |= 1u << i;
		}
	b->n.touched += mask == 0;
	for (unsigned i = 0; i < IDS; i++) {
		b->told[i].others = true;
		b->told[i].changed |= b->told[i].sector == at;
	}
}

static void cycle(struct bench *b)
{
	struct pending *p = &b->pending;
	drive(b);
	b->model.eval(b->model.self);
	const bool due = b->answer.due, ok = *b->rsp_ok_o;
	check_answer(b);
	if (b->read_due)
		same_bytes(b, "what the host reads", b->host_rdata_o, b->read, b->read_known);
	b->read_due = false;
	b->answer.due = false;
	if (due && b->answer.write && p->valid) { /* where both outcomes are legal, the DUT's answer decides */
		if (ok) {
			write_bytes(&b->mem[p->sector], p->mask, p->data);
		} else {
			b->told[p->id] = (struct told){.valid = true, .sector = p->sector};
			b->n.needless++;
		}
		b->n.succeeded += ok && b->answer.cond;
		p->valid = false;
	} else if (due && b->answer.write) {
		b->n.failed++;
	}
	if (b->standing && *b->req_inside_o != b->inside)
		error(b, "a sector %s the window is said to be %s", b->inside ? "in" : "beyond",
		      *b->req_inside_o ? "inside" : "outside");
	/* taken at once, except beside the host */
	const bool host = *b->host_valid_i, ready = *b->req_ready_o;
	if (ready != !(host || *b->host_rsp_valid_i))
		error(b, "req_ready_o is %u", ready);
	b->n.together += host && b->standing;
	if (host)
		take_host(b);
	if (b->standing && (!b->inside || ready)) {
		b->n.beyond += b->open && !b->inside;
		b->n.closed += !b->open;
		if (b->inside)
			take_request(b);
		b->standing = false;
	}
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->cycle++;
}

/* A cycle without further inputs: an answer due is not looked at. In reset a request goes on standing, and is not
 * taken. */
static void quiet(struct bench *b)
{
	struct pending *p = &b->pending;
	if (p->valid && b->answer.must_succeed)
		write_bytes(&b->mem[p->sector], p->mask, p->data);
	else if (p->valid)
		b->mem[p->sector].known &= ~p->mask;
	p->valid = false;
	*b->req_valid_i = b->standing && *b->rst_i;
	*b->host_valid_i = *b->host_rsp_valid_i = 0;
	b->standing = b->waiting = b->answer.due = b->read_due = false;
	b->model.eval(b->model.self);
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->model.eval(b->model.self);
}

/* The window closes, the contents stay, and no id may write conditionally. An answer due does not come. */
static void reset(struct bench *b)
{
	*b->rst_i = 1;
	*b->place_valid_i = 0;
	quiet(b);
	*b->rst_i = *b->req_valid_i = 0;
	b->model.eval(b->model.self);
	if (*b->rsp_valid_o)
		error(b, "an answer after reset");
	for (unsigned i = 0; i < IDS; i++)
		b->told[i] = (struct told){
		        .valid = rng_one_in(&b->rng, 2), .sector = some_sector(b), .changed = true, .others = true};
	for (unsigned i = 0; i < IDS; i++)
		b->told[i].valid &= is_free(b, b->told[i].sector, i);
	b->open = false;
	b->n.resets++;
}

static void place(struct bench *b, bool open)
{
	*b->place_valid_i = 1;
	*b->place_open_i = open;
	b->base = (uint64_t)rng_next(&b->rng) & ADDRESSES & ~(uint64_t)(b->sectors - 1);
	set_addr(b->place_addr_i, b->base + rng_below(&b->rng, b->sectors));
	quiet(b);
	*b->place_valid_i = 0;
	b->open = open;
	b->near = rng_below(&b->rng, b->sectors);
	b->n.moves++;
}

static void floors(struct bench *b)
{
	const struct {
		const char *what;
		uint64_t n;
	} rows[] = {{"reads", b->n.reads},
	            {"stores", b->n.stores},
	            {"conditional writes that succeed", b->n.succeeded},
	            {"conditional writes that fail", b->n.failed},
	            {"those that fail without need", b->n.needless},
	            {"sectors beyond the window", b->n.beyond},
	            {"requests while it is closed", b->n.closed},
	            {"sectors with one half", b->n.half},
	            {"sectors with none", b->n.none},
	            {"answers of the host that wait", b->n.waits},
	            {"requests and accesses of the host together", b->n.together},
	            {"sectors that the host reads", b->n.loads},
	            {"stores of the host of no bytes", b->n.touched}};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].n * 300 < b->cycle)
			error(b, "%s: %llu in %llu cycles", rows[i].what, (unsigned long long)rows[i].n,
			      (unsigned long long)b->cycle);
	if (!b->errors)
		printf("      %llu reads, %llu stores, %llu conditional writes that succeed, %llu that fail, %llu "
		       "more "
		       "without need\n",
		       (unsigned long long)b->n.reads, (unsigned long long)b->n.stores,
		       (unsigned long long)b->n.succeeded, (unsigned long long)b->n.failed,
		       (unsigned long long)b->n.needless);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	b.model = a->model;
	PINS_FIND(board_memory, &b, &b.model);
	b.sectors = model_param(&b.model, "Bytes", 4096) / 32;
	b.rng = rng_seed(a->seed, 0);
	*b.clk_i = 0;
	reset(&b);
	forget(&b);
	while (b.cycle < a->count && b.errors < 8) {
		if (rng_one_in(&b.rng, 3)) {
			reset(&b);
			for (unsigned i = 0; i < 20; i++)
				cycle(&b);
		}
		place(&b, rng_below(&b.rng, 5));
		for (unsigned i = 0; i < 2000 && b.errors < 8; i++)
			cycle(&b);
	}
	floors(&b);
	const bool good = (b.errors > 0) == bench_has(a, "expect-failure");
	printf("%s  reads, writes and who may write\n", good ? "ok  " : "FAIL");
	return bench_good(good);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {
	        .words = "MODEL.so [SEED [CYCLES [expect-failure]]]", .usual = 200000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
