// SPDX-License-Identifier: Apache-2.0
/* Bench of sector_pass: sectors in a row, cycle by cycle: the lanes of each pass, the ALU's result for the sector, the
 * result of each lane, the time when the next sector is taken. The effect of a pass comes from the reference of
 * atom_unit (atom_unit_ref.c). Without `Combine`, FpStages 1.
 *
 *   sector_pass_test MODEL.so [SEED [CYCLES]] */
#include <stdio.h>
#include <string.h>

#include "atom_unit_ref.h"
#include "../../floors.h"
#include "../../bench_main.h"
#include "pins/sector_pass.h"

enum { FLOATS_A_PASS = 4, MOST_SLOTS = 4 };

struct job { /* a sector */
	struct atom_req req;
	struct atom_outcome out;
	uint32_t lanes, left; /* left: not yet in P */
	unsigned id, slot;
	bool again, begun; /* begun: in X */
	uint8_t sector[32];
	uint32_t written;
};

static struct {
	struct model model;
	PINS_MEMBERS(sector_pass);
	struct rng rng;
	unsigned lanes, warp, slot_bits, id_bits;
	uint32_t b[MOST_SLOTS][32][4], c[MOST_SLOTS][32][4];
	unsigned filled[MOST_SLOTS]; /* beats present, a bit each */
	struct job offered, job[2];  /* in P, in X: the same sector, or the sector before */
	bool offers, in_p, in_x;
	uint32_t p_lanes, x_lanes;
	bool x_last;
	unsigned x_at, p_at; /* of job[] */
	unsigned long cycle, errors, passes, sectors, stores, many, equal, unequal, resets, follow, floats, agains;
} b;

static void error(const char *what)
{
	if (b.errors++ < 8)
		printf("cycle %lu: %s\n", b.cycle, what);
}

/* Bytes of a group of words: lanes of the same pass do not share a group. */
static unsigned group_of(const struct atom_req *r)
{
	return r->size < 2 ? 4 : 1u << r->size;
}

/* The lanes of the next pass: the lowest lane of each group. */
static uint32_t next_pass(const struct job *j)
{
	uint32_t goes = 0;
	unsigned count = 0;
	if (atom_is_load(j->req.kind))
		return j->left;
	for (unsigned at = 0; at < 32; at += group_of(&j->req))
		for (unsigned l = 0; l < b.warp; l++)
			if (j->left >> l & 1 && j->out.addr[l] / group_of(&j->req) * group_of(&j->req) == at) {
				if (j->req.type == TYPE_INT || count < FLOATS_A_PASS)
					goes |= UINT32_C(1) << l;
				count++;
				break;
			}
	return goes;
}

/* ---- inputs ---- */

static void draw(struct job *j)
{
	static const enum atom_kind kinds[] = {ATOM_LDG,   ATOM_STG,       ATOM_ATOMG,
	                                       ATOM_ATOMG, ATOM_ATOMG_CAS, ATOM_ATOM_CAST};
	memset(j, 0, sizeof *j);
	struct atom_req *r = &j->req;
	do {
		r->kind = kinds[rng_below(&b.rng, 6)];
		r->op = (enum atom_op)rng_below(&b.rng, OP_EXCH + 1);
		r->type = rng_one_in(&b.rng, 2) ? TYPE_INT : (enum atom_type)rng_below(&b.rng, TYPES);
		r->size = rng_below(&b.rng, 5);
	} while (!atom_legal(r->kind, r->op, r->type, r->size));
	r->is_signed = rng_one_in(&b.rng, 2);
	j->slot = rng_below(&b.rng, 1u << b.slot_bits);
	j->id = rng_below(&b.rng, 1u << b.id_bits);
	j->again = rng_one_in(&b.rng, 4);
	const uint32_t all = b.warp == 32 ? UINT32_MAX : (UINT32_C(1) << b.warp) - 1;
	j->lanes = rng_one_in(&b.rng, 4)   ? all
	           : rng_one_in(&b.rng, 4) ? UINT32_C(1) << rng_below(&b.rng, b.warp)
	                                   : rng_u32(&b.rng) & all;
	j->lanes |= !j->lanes;
	j->left = j->lanes;
	const unsigned few = rng_one_in(&b.rng, 3) ? rng_below(&b.rng, 32) : 32; /* all in a group, or anywhere */
	for (unsigned l = 0; l < 32; l++)
		j->out.addr[l] = (few < 32 && !rng_one_in(&b.rng, 4)
		                          ? few / group_of(r) * group_of(r) + rng_below(&b.rng, group_of(r))
		                          : rng_below(&b.rng, 32)) &
		                 ~((1u << r->size) - 1);
}

static void drive_run(void)
{
	if (!b.offers && rng_one_in(&b.rng, 3) == 0) {
		draw(&b.offered);
		b.offers = b.filled[b.offered.slot] == (1u << b.warp / b.lanes) - 1;
	}
	*b.run_valid_i = b.offers;
	if (!b.offers) {
		pin_noise(b.run_id_i, b.id_bits, &b.rng);
		pin_noise(b.run_slot_i, b.slot_bits, &b.rng);
		pin_noise(b.run_lanes_i, b.warp, &b.rng);
		pin_noise(b.run_again_i, 1, &b.rng);
		pin_noise(b.run_ctl_i, 15, &b.rng);
		pin_noise(b.run_offset_i, 5 * b.warp, &b.rng);
		return;
	}
	const struct job *j = &b.offered;
	const struct atom_req *r = &j->req;
	pin_set(b.run_id_i, 0, b.id_bits, j->id);
	pin_set(b.run_slot_i, 0, b.slot_bits, j->slot);
	pin_set(b.run_lanes_i, 0, b.warp, j->lanes);
	*b.run_again_i = j->again;
	pin_set(b.run_ctl_i, 0, 15,
	        (uint32_t)r->op | (uint32_t)r->type << 4 | r->size << 7 | (uint32_t)r->is_signed << 10 |
	                (uint32_t)(r->kind == ATOM_ATOM_CAST) << 11 | (uint32_t)atom_is_cas(r->kind) << 12 |
	                (uint32_t)atom_is_store(r->kind) << 13 | (uint32_t)atom_is_load(r->kind) << 14);
	for (unsigned k = 0; k < 5; k++)
		for (unsigned l = 0; l < b.warp; l++)
			pin_set(b.run_offset_i, k * b.warp + l, 1, j->out.addr[l] >> k & 1);
}

/* Operands come for any slot but the slot being taken. */
static void drive_beat(void)
{
	const unsigned slot = rng_below(&b.rng, 1u << b.slot_bits), index = rng_below(&b.rng, b.warp / b.lanes);
	*b.beat_we_i = rng_one_in(&b.rng, 2) && !(b.offers && slot == b.offered.slot);
	pin_set(b.beat_slot_i, 0, b.slot_bits, slot);
	pin_set(b.beat_index_i, 0, 3, index);
	for (unsigned l = 0; l < b.lanes; l++)
		for (unsigned k = 0; k < 4; k++) {
			pin_set(b.beat_b_i, l * 128 + k * 32, 32, rng_u32(&b.rng) >> (rng_one_in(&b.rng, 4) ? 28 : 0));
			pin_set(b.beat_c_i, l * 128 + k * 32, 32, rng_u32(&b.rng));
		}
}

static void keep_beat(void)
{
	if (!*b.beat_we_i)
		return;
	const unsigned slot = pin_get(b.beat_slot_i, 0, b.slot_bits), index = pin_get(b.beat_index_i, 0, 3);
	memcpy(b.b[slot][index * b.lanes], b.beat_b_i, 16 * b.lanes);
	memcpy(b.c[slot][index * b.lanes], b.beat_c_i, 16 * b.lanes);
	b.filled[slot] |= 1u << index;
}

/* Memory's answer for the sector with the first pass in X; else random bytes. */
static void drive_old(void)
{
	uint8_t old[32];
	for (unsigned i = 0; i < 32; i++)
		old[i] = (uint8_t)rng_next(&b.rng);
	struct job *j = &b.job[b.x_at];
	if (b.in_x && !j->begun) {
		for (unsigned l = 0; l < b.warp; l++) /* compares succeed, except for some with a wrong bit */
			if (j->lanes >> l & 1 && j->req.size >= 2 && rng_one_in(&b.rng, 2)) {
				memcpy(old + j->out.addr[l], j->req.rb[l], 1u << j->req.size);
				if (rng_one_in(&b.rng, 4))
					old[j->out.addr[l] + rng_below(&b.rng, 1u << j->req.size)] ^=
					        (uint8_t)(1u << rng_below(&b.rng, 8));
			}
		memcpy(j->sector, old, 32);
	}
	memcpy(b.old_i, old, 32);
}

/* ---- outputs ---- */

static void check_x(void)
{
	if (!b.in_x) {
		if (*b.pass_o || *b.last_o || pin_get(b.result_we_o, 0, b.warp))
			error("a pass of nothing");
		return;
	}
	struct job *j = &b.job[b.x_at];
	const uint32_t written = atom_apply(&j->req, &j->out, b.x_lanes, 3, j->sector),
	               we = atom_is_store(j->req.kind) ? 0 : b.x_lanes;
	j->begun = true;
	j->written |= written;
	if (*b.pass_o == j->again || pin_get(b.slot_o, 0, b.slot_bits) != j->slot ||
	    pin_get(b.id_o, 0, b.id_bits) != j->id)
		error("a pass that counts, its slot or id");
	if (*b.last_o != b.x_last)
		error("last pass");
	if (pin_get(b.result_we_o, 0, b.warp) != we)
		error("lanes with results");
	for (unsigned l = 0; l < b.warp; l++)
		if (we >> l & 1 && memcmp(b.result_o + 16 * l, j->out.data[l], 16) != 0)
			error("a lane gets something else");
	b.passes++;
	b.equal += atom_is_cas(j->req.kind) && written;
	b.unequal += atom_is_cas(j->req.kind) && !written;
	if (!b.x_last)
		return;
	if (pin_get(b.mask_o, 0, 32) != j->written)
		error("bytes that are written");
	for (unsigned i = 0; i < 32; i++)
		if (j->written >> i & 1 && b.new_o[i] != j->sector[i]) {
			error("the sector becomes something else");
			break;
		}
	b.sectors++;
	b.stores += atom_is_store(j->req.kind);
	b.floats += j->req.type != TYPE_INT;
	b.agains += j->again;
}

static void cycle(void)
{
	const bool reset = rng_one_in(&b.rng, 200);
	*b.rst_i = reset;
	drive_run();
	drive_beat();
	drive_old();
	b.p_lanes = b.in_p ? next_pass(&b.job[b.p_at]) : 0;
	const bool p_last = b.in_p && b.p_lanes == b.job[b.p_at].left, ready = !b.in_p || p_last;
	b.model.eval(b.model.self);
	if (*b.run_ready_o != ready || *b.idle_o != !(b.in_p || b.in_x))
		error("ready or idle");
	check_x();
	const bool start = b.offers && ready && !reset;
	/* the clock */
	b.in_x = b.in_p;
	b.x_at = b.p_at;
	b.x_lanes = b.p_lanes;
	b.x_last = p_last;
	if (b.in_p)
		b.job[b.p_at].left &= ~b.p_lanes;
	b.many += b.in_p && !p_last;
	b.follow += b.in_p && start;
	b.in_p = start || (b.in_p && !p_last);
	if (start) {
		b.p_at = !b.p_at;
		b.job[b.p_at] = b.offered;
		memcpy(b.job[b.p_at].req.rb, b.b[b.offered.slot], sizeof b.b[0]);
		memcpy(b.job[b.p_at].req.rc, b.c[b.offered.slot], sizeof b.c[0]);
		b.offers = false;
	}
	if (reset) {
		b.in_p = b.in_x = b.offers = false;
		b.resets++;
	}
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	keep_beat();
	*b.clk_i = 0;
	b.cycle++;
}

static struct bench_end run_bench(const struct bench_args *a)
{
	b.model = a->model;
	PINS_FIND(sector_pass, &b, &b.model);
	b.lanes = model_param(&b.model, "Lanes", 32);
	b.warp = model_param(&b.model, "Warp", 32);
	b.slot_bits = model_param(&b.model, "SlotBits", 2);
	b.id_bits = model_param(&b.model, "IdBits", 3);
	b.rng = rng_seed(a->seed, 0);
	*b.rst_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 1;
	b.model.eval(b.model.self);
	*b.clk_i = 0;
	while (b.cycle < a->count && b.errors < (b.model.changed ? 1u : 10u))
		cycle();
	const struct floor floors[] = {{"sectors of stores", b.stores},
	                               {"sectors of floats", b.floats},
	                               {"sectors again", b.agains},
	                               {"passes that are not the last", b.many},
	                               {"compares that store", b.equal},
	                               {"compares that do not", b.unequal},
	                               {"sectors that follow at once", b.follow},
	                               {"resets", b.resets}};
	b.errors += !b.errors && floors_missed(floors, sizeof floors / sizeof floors[0], 10);
	printf("%lu cycles, %lu sectors\n", b.cycle, b.sectors);
	return (struct bench_end){b.passes - (b.passes && b.errors), b.errors};
}

int main(int argc, char **argv)
{
	static const struct bench_form form = {.words = "MODEL.so [SEED [CYCLES]]", .usual = 20000, .run = run_bench};
	return bench_main(argc, argv, &form);
}
