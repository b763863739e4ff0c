// SPDX-License-Identifier: Apache-2.0
/* A piece lands beside a load of several beats, in every cycle around the passes: lanes on a word see the same value.
 * Any model of sync_core of one port with `Units` 9. Source: docs/spec/units.md, "One load, one value".
 *
 *   mbar_landing_test MODEL.so [BUG]
 *
 * All lanes look at the same place: at an object missing one arrival, with TRYWAIT and with a look without a wait, or
 * at words written by a piece. Loads with conflicts keep the pipe busy, so the piece at the landing port grows old. An
 * old piece stops the pipe for a cycle, at last among the passes of the look behind the loads. The piece must land
 * before all passes (32 lanes see the piece) or behind all passes (no lane does; a TRYWAIT waits, and is released). At
 * last the responses stall. The piece lands all the same, for a load begins when the queue has room for all beats. BUG
 * is a planted bug of the model. The test must find the bug: the exit status is then 0 if the test has seen errors. */
#include <stdio.h>
#include <string.h>

#include "mbar_pins.h"
#include "mbar_ref.h"
#include "../../bench_main.h"

enum { BASE = 512, WINDOW = 1536, OBJECT = 64, DATA = 128, WARP = 5, LOADS = 3, BOUND = 600 };
enum { LAND_WRITE = 0, LAND_ARRIVE = 3 };
enum look { TRIES, CHECKS, LOOKS_AT_WORDS, LOOKS };
static const char *const names[LOOKS] = {"TRYWAIT", "look at the phase", "load of words"};

struct bench {
	struct model model;
	unsigned lanes, banks, beats, number, errors;
	unsigned pass; /* cycles from one pass to the next, at most */
	struct mbar_pins pin;
	enum look look;
	uint32_t now; /* value written by the piece; before the piece the words hold this value less 1 */
	/* seen of the look so far */
	uint32_t told; /* lanes that saw the piece */
	unsigned beat;
	bool answered, released, landed;
	unsigned before, behind; /* how often the piece landed before or behind the look */
};

static void complain(struct bench *b, const char *what, unsigned long long got, unsigned long long want)
{
	if (b->errors++ < 10)
		printf("%s %llx, expected %llx\n", what, got, want);
}

static void edge(struct bench *b)
{
	*b->pin.clk_i = 1;
	b->model.eval(b->model.self);
	*b->pin.clk_i = 0;
}

/* Whether lane l of the beat saw the piece: both words, or no word. */
static bool saw(struct bench *b, unsigned l)
{
	if (b->look != LOOKS_AT_WORDS)
		return pin_get(b->pin.rsp_pred_o, l, 1);
	const uint32_t low = pin_get(b->pin.rsp_data_o, l * 128, 32),
	               high = pin_get(b->pin.rsp_data_o, l * 128 + 32, 32);
	if (low != high || (low != b->now && low != b->now - 1))
		complain(b, "words of a lane", (uint64_t)high << 32 | low, b->now);
	return low == b->now;
}

/* A cycle; true: the beat at the request port was taken. */
static bool cycle(struct bench *b)
{
	b->model.eval(b->model.self);
	if (*b->pin.rsp_valid_o && *b->pin.rsp_ready_i && pin_get(b->pin.rsp_tag_o, 16, 6) == WARP) {
		for (unsigned l = 0; l < b->lanes; l++)
			b->told |= (uint32_t)saw(b, l) << (b->beat * b->lanes + l);
		b->beat++;
		b->answered = pin_get(b->pin.rsp_last_o, 0, 1);
	}
	for (unsigned r = 0; r < b->pin.lanes_of_release; r++)
		if (pin_get(b->pin.rel_valid_o, r, 1) && !pin_get(b->pin.rel_gave_up_o, r, 1))
			b->released |= pin_get(b->pin.rel_warps_o, r * 48 + WARP, 1);
	const bool taken = *b->pin.req_valid_i && *b->pin.req_ready_o,
	           lands = *b->pin.land_valid_i && *b->pin.land_ready_o;
	edge(b);
	if (lands)
		*b->pin.land_valid_i = 0;
	b->landed |= lands;
	return taken;
}

static void offer(struct bench *b)
{
	const bool writes = b->look == LOOKS_AT_WORDS;
	pin_set(b->pin.land_kind_i, 0, 3, writes ? LAND_WRITE : LAND_ARRIVE);
	pin_set(b->pin.land_addr_i, 0, 16, BASE + (writes ? DATA : OBJECT));
	pin_set(b->pin.land_words_i, 0, b->banks, 3);
	for (unsigned w = 0; writes && w < 2; w++)
		pin_set(b->pin.land_wdata_i, w * 32, 32, b->now);
	*b->pin.land_valid_i = 1;
}

/* Offers the piece in cycle `at` of the try; `now` counts the cycles. */
static void tick(struct bench *b, unsigned at, unsigned *now, bool *taken)
{
	if ((*now)++ == at)
		offer(b);
	*taken = cycle(b);
}

static struct mbar_req request(struct bench *b, enum mbar_op op, unsigned warp)
{
	struct mbar_req r = {.op = op,
	                     .form = A1T0,
	                     .rd_used = true,
	                     .mask = UINT32_MAX,
	                     .tag = warp << 16 | (b->number++ & 0xffff)};
	for (unsigned i = 0; i < 32; i++)
		r.addr[i] = op != OP_LDS ? OBJECT : warp == WARP ? DATA : i % b->lanes * b->banks * 4 + 256;
	return r;
}

static void send(struct bench *b, const struct mbar_req *r, unsigned at, unsigned *now)
{
	uint32_t word[4];
	mbar_word(r, 90, word);
	memcpy(b->pin.req_word_i, word, 16);
	pin_set(b->pin.req_tag_i, 0, 22, r->tag);
	pin_set(b->pin.req_mask_i, 0, 32, r->mask);
	pin_set(b->pin.req_slot_i, 0, 4, 0);
	pin_set(b->pin.req_ur_i, 0, 32, r->op == OP_EXCH ? r->addr[0] : 0);
	for (unsigned beat = 0; beat < b->beats; beat++) {
		for (unsigned l = 0; l < b->lanes; l++) {
			const uint64_t ra = r->addr[beat * b->lanes + l], rb[2] = {r->b[beat * b->lanes + l], 0};
			memcpy(b->pin.req_ra_i + l * 8, &ra, 8);
			memcpy(b->pin.req_rb_i + l * 16, rb, 16);
		}
		*b->pin.req_valid_i = 1;
		for (bool taken = false; !taken;)
			tick(b, at, now, &taken);
	}
	*b->pin.req_valid_i = 0;
}

static void idle(struct bench *b, unsigned cycles)
{
	bool taken;
	for (unsigned now = 0; now < cycles;)
		tick(b, UINT32_MAX, &now, &taken);
}

/* The object waits for an arrival, or the words hold the value before. */
static void prepare(struct bench *b)
{
	unsigned now = 0;
	if (b->look == LOOKS_AT_WORDS) {
		b->now++; /* the last piece wrote the new value less 1 */
		return;
	}
	struct mbar_req r = request(b, OP_EXCH, 0);
	for (unsigned i = 0; i < 32; i++)
		r.b[i] = mbar_pack(&(struct mbar_object){.expected = 1, .pending = 1}, 20);
	send(b, &r, UINT32_MAX, &now);
	idle(b, 40 * b->pass);
}

/* The piece is offered `at` cycles behind the first load. */
static void try_at(struct bench *b, unsigned at)
{
	static const enum mbar_op ops[LOOKS] = {OP_TRYWAIT, OP_CHECK, OP_LDS};
	struct mbar_req r;
	unsigned now;
	bool taken;
	prepare(b);
	b->answered = b->released = b->landed = false;
	b->told = b->beat = now = 0;
	for (unsigned i = 0; i < LOADS; i++) {
		r = request(b, OP_LDS, 8 + i);
		send(b, &r, at, &now);
	}
	r = request(b, ops[b->look], WARP);
	send(b, &r, at, &now);
	while (now < BOUND * b->pass && !(b->landed && (b->answered || b->released)))
		tick(b, at, &now, &taken);
	idle(b, 40 * b->pass);
	const bool all = b->told == UINT32_MAX, none = b->told == 0 && b->look != TRIES;
	if (b->answered == b->released)
		complain(b, "answers and releases", b->answered + b->released, 1);
	else if (b->answered && ((!all && !none) || b->beat != b->beats))
		complain(b, "lanes that saw the piece", b->told, UINT32_MAX);
	if (!b->landed)
		complain(b, "pieces that landed", 0, 1);
	b->before += b->answered && all;
	b->behind += b->released || none;
}

/* No response is taken: the pipe stands, and a piece lands. */
static void stall(struct bench *b)
{
	const unsigned loads = model_param(&b->model, "RspBeats", 16) / b->beats + 2; /* the queue holds them */
	unsigned now = 0;
	b->look = LOOKS_AT_WORDS;
	prepare(b);
	*b->pin.rsp_ready_i = 0;
	for (unsigned i = 0; i < loads; i++) {
		const struct mbar_req r = request(b, OP_LDS, 8 + i);
		send(b, &r, UINT32_MAX, &now);
	}
	idle(b, BOUND * b->pass);
	b->landed = false;
	offer(b);
	idle(b, BOUND * b->pass);
	if (!b->landed)
		complain(b, "pieces that landed while no response was taken", 0, 1);
	*b->pin.rsp_ready_i = 1;
	idle(b, BOUND * b->pass);
}

static void reset(struct bench *b)
{
	*b->pin.req_valid_i = *b->pin.land_valid_i = *b->pin.cfg_valid_i = *b->pin.host_valid_i = 0;
	*b->pin.rsp_ready_i = 1;
	*b->pin.arch_i = 90;
	*b->pin.rst_i = 1;
	for (unsigned i = 0; i < 4; i++) {
		b->model.eval(b->model.self);
		edge(b);
	}
	*b->pin.rst_i = 0;
	mbar_offer_cta(&b->pin, 0, BASE, WINDOW, 0, 48);
	cycle(b);
	*b->pin.cfg_valid_i = 0;
	b->look = LOOKS_AT_WORDS;
	b->now = 1000;
	offer(b);
	idle(b, 40);
}

static struct bench_end run_bench(const struct bench_args *a)
{
	static struct bench b;
	b.model = a->model;
	mbar_find_pins(&b.model, &b.pin);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.beats = 32 / b.lanes;
	b.banks = model_param(&b.model, "Banks", 32);
	/* of the lean form: a cycle for each bank, ten, one for each lane with a result (docs/units/atoms_pipe.md) */
	b.pass = model_param(&b.model, "Lean", 0) ? b.banks + 11 + b.lanes : 1;
	reset(&b);
	for (b.look = TRIES; b.look < LOOKS; b.look++) {
		b.before = b.behind = 0;
		for (unsigned at = 0; at<(LOADS * b.lanes + 2) * b.beats * b.pass + 20; at += b.pass> 1 ? 5 : 1)
			try_at(&b, at);
		if (b.before < 10 || b.behind < 2)
			complain(&b, "times that the piece came behind", b.behind, 2);
		printf("mbar_landing: %s: the piece came %u times before the %s, %u times behind it\n", b.model.params,
		       b.before, names[b.look], b.behind);
	}
	stall(&b);
	return bench_good(!b.errors);
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [BUG]", .run = run_bench};
	return bench_main(argc, argv, &form);
}
