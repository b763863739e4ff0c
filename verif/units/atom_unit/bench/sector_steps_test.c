// SPDX-License-Identifier: Apache-2.0
/* Bench of sector_steps: operands word by word, then runs over sectors. Checked against the reference of atom_unit
 * (atom_unit_ref.c): result of each lane, bytes of the sector, counted passes and number of cycles. Resets in the
 * middle of a run.
 *
 *   sector_steps_test MODEL.so [SEED [SECTORS]] */
#include <stdio.h>
#include <string.h>

#include "atom_unit_ref.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/sector_steps.h"

enum { PATIENCE = 10000, WARP = 32 };

static struct {
	struct model model;
	PINS_MEMBERS(sector_steps);
	struct rng rng;
	unsigned lanes;
	struct atom_req req; /* the sector: addresses 0 to 31 */
	bool again;
	/* outputs of the run */
	uint8_t result[WARP][16];
	unsigned passes;
	bool last;
	unsigned long cycle, errors, sectors, stores, floats, agains, sixteens, cut, equal, unequal, resets, many;
} b;

static void error(const char *what)
{
	if (b.errors++ < 8)
		printf("cycle %lu, kind %u op %u type %u size %u lanes %08x: %s\n", b.cycle, b.req.kind, b.req.op,
		       b.req.type, 1u << b.req.size, b.req.mask, what);
}

/* A cycle; the place of the lane named by lane_o comes after the cycle. */
static void tick(void)
{
	b.model.eval(b.model.self);
	const unsigned lane = pin_get(b.lane_o, 0, 5);
	if (*b.result_we_o) {
		const unsigned at = pin_get(b.result_at_o, 0, 6);
		memcpy(b.result[at / 2] + 8 * (at & 1), b.result_o, 8);
	}
	b.passes += *b.pass_o;
	b.last = *b.last_o;
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	pin_set(b.place_i, 0, 5, (uint32_t)b.req.ra[lane]);
	b.cycle++;
}

static void drive_nothing(void)
{
	*b.run_valid_i = *b.put_valid_i = 0;
	pin_noise(b.put_lane_i, 5, &b.rng);
	pin_noise(b.put_word_i, 2, &b.rng);
	pin_noise(b.run_lanes_i, WARP, &b.rng);
	pin_noise(b.run_again_i, 1, &b.rng);
	pin_noise(b.run_ctl_i, 15, &b.rng);
	pin_noise(b.old_i, 256, &b.rng);
}

static void draw(void)
{
	static const enum atom_kind kinds[] = {ATOM_LDG,   ATOM_STG,       ATOM_ATOMG,
	                                       ATOM_ATOMG, ATOM_ATOMG_CAS, ATOM_ATOM_CAST};
	struct atom_req *r = &b.req;
	memset(r, 0, sizeof *r);
	do {
		r->kind = kinds[rng_below(&b.rng, 6)];
		r->op = (enum atom_op)rng_below(&b.rng, OP_EXCH + 1);
		r->type = rng_one_in(&b.rng, 2) ? TYPE_INT : (enum atom_type)rng_below(&b.rng, TYPES);
		r->size = rng_below(&b.rng, 5);
	} while (!atom_legal(r->kind, r->op, r->type, r->size));
	r->is_signed = rng_one_in(&b.rng, 2);
	r->wide = r->ra_used = true;
	r->mask = rng_one_in(&b.rng, 4)   ? UINT32_MAX
	          : rng_one_in(&b.rng, 4) ? UINT32_C(1) << rng_below(&b.rng, WARP)
	                                  : rng_u32(&b.rng);
	r->mask |= !r->mask;
	b.again = rng_one_in(&b.rng, 4);
	const unsigned group = r->size < 2 ? 4 : 1u << r->size,
	               few = rng_one_in(&b.rng, 3) ? rng_below(&b.rng, 32) : 32; /* all in the same word, or anywhere */
	for (unsigned l = 0; l < WARP; l++) {
		r->ra[l] = (few < 32 && !rng_one_in(&b.rng, 4) ? few / group * group + rng_below(&b.rng, group)
		                                               : rng_below(&b.rng, 32)) &
		           ~((1u << r->size) - 1);
		for (unsigned k = 0; k < 4; k++) {
			r->rb[l][k] = rng_u32(&b.rng) >> (rng_one_in(&b.rng, 4) ? 28 : 0);
			r->rc[l][k] = rng_u32(&b.rng);
		}
		if (atom_is_cas(r->kind) && l && rng_one_in(&b.rng, 2)) /* often the value left by an earlier lane */
			memcpy(r->rb[l], r->rc[l - 1], 16);
	}
}

/* Operands of the request, beat by beat, 8 bytes of a lane in a cycle: all needed words and some others. Other lanes
 * have random bits. The lower half of Rc takes the place of the upper half of Rb; beat_c_i has only upper halves. */
static void put_operands(void)
{
	for (unsigned beat = 0; beat < WARP / b.lanes; beat++)
		for (unsigned l = 0; l < b.lanes; l++)
			for (unsigned word = 0; word < 4; word++) {
				const unsigned lane = beat * b.lanes + l;
				const bool upper = word & 2, third = word & 1,
				           needed = (!upper || b.req.size == 4) &&
				                    (!third || atom_is_cas(b.req.kind)) && !atom_is_load(b.req.kind);
				if (!needed && rng_below(&b.rng, 4))
					continue;
				drive_nothing();
				pin_noise(b.beat_b_i, b.lanes * 128, &b.rng);
				pin_noise(b.beat_c_i, b.lanes * 64, &b.rng);
				*b.put_valid_i = 1;
				pin_set(b.put_lane_i, 0, 5, lane);
				pin_set(b.put_word_i, 0, 2, word);
				memcpy(word == 3 ? b.beat_c_i + 8 * l : b.beat_b_i + 16 * l + (word ? 8 : 0),
				       (third ? b.req.rc : b.req.rb)[lane] + (upper ? 2 : 0), 8);
				tick();
			}
	drive_nothing();
	pin_noise(b.beat_b_i, b.lanes * 128, &b.rng);
	pin_noise(b.beat_c_i, b.lanes * 64, &b.rng);
}

/* The sector before: compares succeed, except for some with a wrong bit. */
static void draw_old(uint8_t old[32])
{
	const struct atom_req *r = &b.req;
	for (unsigned i = 0; i < 32; i++)
		old[i] = (uint8_t)rng_next(&b.rng);
	for (unsigned l = 0; l < WARP; l++)
		if (r->mask >> l & 1 && r->size >= 2 && rng_one_in(&b.rng, 2)) {
			memcpy(old + r->ra[l], r->rb[l], 1u << r->size);
			if (rng_one_in(&b.rng, 4))
				old[r->ra[l] + rng_below(&b.rng, 1u << r->size)] ^=
				        (uint8_t)(1u << rng_below(&b.rng, 8));
		}
}

/* Up to the end of the run, or `cycles` cycles. */
static void run(const uint8_t old[32], unsigned long cycles)
{
	const struct atom_req *r = &b.req;
	*b.run_valid_i = 1;
	*b.run_again_i = b.again;
	pin_set(b.run_lanes_i, 0, WARP, r->mask);
	pin_set(b.run_ctl_i, 0, 15,
	        (uint32_t)r->op | (uint32_t)r->type << 4 | r->size << 7 | (uint32_t)r->is_signed << 10 |
	                (uint32_t)(r->kind == ATOM_ATOM_CAST) << 11 | (uint32_t)atom_is_cas(r->kind) << 12 |
	                (uint32_t)atom_is_store(r->kind) << 13 | (uint32_t)atom_is_load(r->kind) << 14);
	memcpy(b.old_i, old, 32);
	b.passes = 0;
	do
		tick();
	while (!b.last && --cycles);
}

/* Cycles from the first cycle of the run to the cycle of `last_o`. */
static unsigned long cycles_of(unsigned passes)
{
	const struct atom_req *r = &b.req;
	const bool cas = atom_is_cas(r->kind), load = atom_is_load(r->kind);
	const unsigned bytes = r->size > 3 ? 8 : 1u << r->size,
	               visits = r->size < 4 ? 1
	                        : cas       ? 3
	                                    : 2,
	               number = r->type == TYPE_F64                              ? 8
	                        : r->type == TYPE_F32 || r->type == TYPE_F32_FTZ ? 4
	                                                                         : 2,
	               own = r->type == TYPE_INT ? 2 : 35 * (bytes / number),
	               lanes = (unsigned)__builtin_popcount(r->mask);
	return 9 + lanes * (3 + visits * (5 + own)) + (load || b.again ? 0 : 8 * (passes + 1)) + 2;
}

static void check(void)
{
	const struct atom_hw hw = {.shared_high = 1, .local_high = 2};
	struct atom_req *r = &b.req;
	struct atom_outcome o;
	uint8_t old[32], now[32];
	draw_old(old);
	memcpy(now, old, 32);
	atom_judge(&hw, r, &o);
	const unsigned passes = o.passes;
	const uint32_t written = atom_apply(r, &o, r->mask, 3, now);
	const unsigned long start = b.cycle;
	run(old, PATIENCE);
	if (!b.last) {
		error("it does not end");
		return;
	}
	if (b.cycle - start != cycles_of(passes))
		error("its number of cycles");
	if (b.passes != (b.again ? 0 : passes))
		error("passes that count");
	for (unsigned n = rng_below(&b.rng, 3); n; n--) { /* outputs of the run stay */
		drive_nothing();
		tick();
		if (*b.pass_o || *b.last_o || *b.result_we_o)
			error("something without a run");
	}
	if (pin_get(b.mask_o, 0, 32) != written)
		error("bytes that are written");
	for (unsigned i = 0; i < 32; i++)
		if (written >> i & 1 && b.new_o[i] != now[i]) {
			error("the sector becomes something else");
			break;
		}
	for (unsigned l = 0; l < WARP; l++)
		if (r->mask >> l & 1 && !atom_is_store(r->kind) && memcmp(b.result[l], o.data[l], 16) != 0) {
			error("a lane gets something else");
			break;
		}
	b.sectors++;
	b.stores += atom_is_store(r->kind);
	b.floats += r->type != TYPE_INT;
	b.agains += b.again;
	b.sixteens += r->size == 4;
	b.many += passes > 1;
	b.equal += atom_is_cas(r->kind) && written;
	b.unequal += atom_is_cas(r->kind) && !written;
	const unsigned lanes = (unsigned)__builtin_popcount(r->mask);
	b.cut += r->type != TYPE_INT && lanes > 4 &&
	         passes > (lanes + 3) / 4; /* more passes than the adders alone would cause */
}

static void reset(void)
{
	*b.rst_i = 1;
	drive_nothing();
	tick();
	*b.rst_i = 0;
	b.resets++;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	PINS_FIND(sector_steps, &b, &b.model);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.rng = rng_seed(a->seed, 0);
	reset();
	while (b.sectors < a->count && b.errors < (b.model.changed ? 1u : 10u)) {
		draw();
		put_operands();
		if (rng_one_in(&b.rng, 10)) { /* aborted by a reset */
			uint8_t old[32];
			draw_old(old);
			run(old, 1 + rng_below(&b.rng, 300));
			reset();
		}
		check();
	}
	const struct floor floors[] = {{"sectors of stores", b.stores},
	                               {"sectors of floats", b.floats},
	                               {"sectors again", b.agains},
	                               {"sectors of 16 bytes a lane", b.sixteens},
	                               {"sectors of several passes", b.many},
	                               {"sectors of floats that several lanes share", b.cut},
	                               {"compares that store", b.equal},
	                               {"compares that do not", b.unequal},
	                               {"resets", b.resets}};
	b.errors += !b.errors && floors_missed(floors, sizeof floors / sizeof floors[0], 10);
	printf("%lu cycles\n", b.cycle);
	return (struct bench_end){b.sectors - (b.sectors && b.errors), b.errors};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [SECTORS]]", .usual = 1000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
