// SPDX-License-Identifier: Apache-2.0
/* cunits_stim.c -- random instructions of atoms_pipe, with operands for many conflicts. */
#include <string.h>

#include "cunits_oracle.h"

/* Few values, so that a compare meets the value left by another lane. */
static uint32_t small_value(struct rng *r)
{
	static const uint32_t values[] = {0,          0,          1,          1,          2,          3,
	                                  0x7f,       0x80,       0x8000,     0x7fffffff, 0x80000000, 0xffffffff,
	                                  0x3f803f80, 0x33803c00, 0x7f800000, 0xff80fc00, 0x7fc57e01, 0x00800400};
	return rng_one_in(r, 8) ? rng_u32(r) : values[rng_below(r, sizeof values / sizeof values[0])];
}

void smem_for_test(struct wl_smem *s, const struct wl_config *c, uint8_t *mem, struct rng *r)
{
	wl_smem_init(s, c, mem);
	wl_smem_open(s, 0, 0, 1024, c->seed, 0);
	wl_smem_open(s, 1, 1040, 272, c->seed, 1);
	wl_smem_open(s, 2, 1312, 16, c->seed, 2);
	wl_smem_open(s, 3, 1424, c->shared_bytes - 1424, c->seed, 3);
	wl_smem_open(s, 4, c->shared_bytes, 0, c->seed, 4);
	wl_smem_open(s, 5, 512, 256, c->seed, 5);
	wl_smem_close(s, 5);
	for (uint32_t at = 0; at < c->shared_bytes; at += 4) {
		uint32_t v = small_value(r);
		memcpy(mem + at, &v, 4);
	}
}

static void choose_native(struct rng *r, struct wl_inst *in)
{
	static const uint8_t ops[] = {WL_ATOM_ADD, WL_ATOM_MIN, WL_ATOM_MAX, WL_ATOM_AND, WL_ATOM_OR, WL_ATOM_XOR};
	static const uint8_t types[] = {WL_AT_INT, WL_AT_INT, WL_AT_F32, WL_AT_F64, WL_AT_F16X2, WL_AT_BF16X2};
	in->type = types[rng_below(r, sizeof types)];
	in->op = in->type == WL_AT_INT ? ops[rng_below(r, sizeof ops)] : (uint8_t)WL_ATOM_ADD;
	in->size = in->type == WL_AT_INT || in->type == WL_AT_F64 ? 8 : 4;
	if ((in->op == WL_ATOM_MIN || in->op == WL_ATOM_MAX) && rng_one_in(r, 2))
		in->flags |= WL_F_SIGNED;
}

static void choose_instruction(struct rng *r, enum mix mix, struct wl_inst *in)
{
	static const uint8_t sizes[] = {1, 2, 4, 4, 4, 8, 16};
	static const uint16_t uops[] = {WL_UOP_LDS,    WL_UOP_STS,   WL_UOP_ATOMS,     WL_UOP_ATOMS,
	                                WL_UOP_ATOMS,  WL_UOP_ATOMS, WL_UOP_ATOMS_CAS, WL_UOP_ATOMS_CAST,
	                                WL_UOP_ATOMSN, WL_UOP_ATOMSN};
	memset(in, 0, sizeof *in);
	in->row = 0xffff;
	in->guard = WL_PT;
	in->uop = mix == MIX_SPIN ? (uint16_t)WL_UOP_ATOMS_CAST : uops[rng_below(r, sizeof uops / sizeof uops[0])];
	in->rd = in->rb = in->rc = WL_RZ;
	in->size = 4;
	switch (in->uop) {
	case WL_UOP_LDS:
	case WL_UOP_STS:
		in->size = sizes[rng_below(r, sizeof sizes)];
		if (in->size < 4 && in->uop == WL_UOP_LDS && rng_one_in(r, 2))
			in->flags |= WL_F_SIGNED;
		break;
	case WL_UOP_ATOMS:
		in->op = (uint8_t)rng_below(r, WL_ATOM_EXCH + 1);
		if (in->op == WL_ATOM_EXCH && rng_one_in(r, 2))
			in->size = 8;
		if ((in->op == WL_ATOM_MIN || in->op == WL_ATOM_MAX) && rng_one_in(r, 2))
			in->flags |= WL_F_SIGNED;
		break;
	case WL_UOP_ATOMSN:
		choose_native(r, in);
		break;
	default:
		in->size = rng_one_in(r, 2) ? 8 : 4;
		if (in->uop == WL_UOP_ATOMS_CAST && (mix == MIX_SPIN || rng_one_in(r, 2)))
			in->flags |= WL_F_SPIN;
	}
	if (mix == MIX_ANY && rng_one_in(r, 64))
		in->flags |= WL_F_ILLEGAL;
}

/* Registers of an operand of `size` bytes: aligned as by the real assembler; sometimes RZ. Few registers, so that
 * operands overlap. */
static uint8_t choose_register(struct rng *r, unsigned size, unsigned one_in_rz)
{
	if (rng_one_in(r, one_in_rz))
		return WL_RZ;
	unsigned words = size < 4 ? 1 : size / 4;
	return (uint8_t)(rng_below(r, 24 / words) * words);
}

/* Window-relative byte addresses of the lanes. */
static void choose_addresses(struct rng *r, enum mix mix, const struct wl_smem *s, const struct stim *t,
                             uint32_t addr[WL_WARP_LANES])
{
	const struct wl_window *w = &s->window[t->slot];
	const uint32_t size = t->inst.size, words = w->size / size ? w->size / size : 1;
	const uint32_t start = rng_below(r, words), stride = 1 + rng_below(r, 40), hot = 1 + rng_below(r, 6);
	const unsigned pattern = rng_below(r, 6);
	/* sometimes the whole warp at the end of the window, or where addresses wrap around, aligned or not */
	const bool edge = mix == MIX_ANY && rng_one_in(r, 12);
	const uint32_t edge_at = (rng_one_in(r, 2) ? w->size : 0) - rng_below(r, 40) * (rng_one_in(r, 4) ? 1 : 4);
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		uint32_t word = start;
		switch (pattern) {
		case 0: /* consecutive */
			word += lane;
			break;
		case 1: /* strided: conflicts of every degree */
			word += lane * stride;
			break;
		case 2: /* anywhere */
			word = rng_below(r, words);
			break;
		case 3: /* few words */
			word += rng_below(r, hot);
			break;
		case 4: /* the same bank, or few banks */
			word += rng_below(r, 32) * (128 / size) + rng_below(r, hot);
			break;
		default: /* the same word */
			break;
		}
		addr[lane] = edge ? edge_at + lane * size : word % words * size;
		if (mix == MIX_ANY && !edge && rng_one_in(r, 48)) /* a lane that may fault */
			addr[lane] = rng_one_in(r, 2) ? w->size - 20 + rng_below(r, 40) : rng_u32(r);
	}
}

void stim_random(struct rng *r, enum mix mix, const struct wl_smem *s, struct stim *t)
{
	struct wl_inst *in = &t->inst;
	uint32_t addr[WL_WARP_LANES];
	choose_instruction(r, mix, in);
	t->slot = mix == MIX_ANY ? rng_below(r, rng_one_in(r, 8) ? 7 : 4) : rng_below(r, 2) * 3;
	t->mask = rng_one_in(r, 2) ? UINT32_MAX : rng_u32(r) & (rng_one_in(r, 2) ? rng_u32(r) : UINT32_MAX);
	if (!t->mask)
		t->mask = UINT32_C(1) << rng_below(r, 32);
	choose_addresses(r, mix, s, t, addr);

	in->rb = in->uop == WL_UOP_LDS ? WL_RZ : choose_register(r, in->size, 8);
	in->rc = in->uop == WL_UOP_ATOMS_CAS || in->uop == WL_UOP_ATOMS_CAST ? choose_register(r, in->size, 8) : WL_RZ;
	in->rd = in->uop == WL_UOP_STS ? WL_RZ : choose_register(r, in->size, 3);
	for (unsigned reg = 0; reg < 24; reg++)
		for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
			t->regs[reg][lane] = small_value(r);

	/* Split the address over Ra << xn, UR and the offset; all three wrap around freely. */
	static const uint8_t scales[] = {0, 0, 2, 3, 4};
	in->ra = (uint8_t)rng_below(r, 24);
	in->ur = 255;
	t->ur = 0;
	if (rng_one_in(r, 3)) {
		in->ur = (uint8_t)rng_below(r, 63);
		t->ur = rng_one_in(r, 2) ? rng_u32(r) & ~15u : rng_below(r, 64) * 16;
	}
	in->off = rng_one_in(r, 2) ? 0 : (int32_t)(rng_u32(r) & 0xfffff0) - 0x800000;
	in->xn = scales[rng_below(r, sizeof scales)];
	if (rng_one_in(r, 16)) { /* no Ra: all lanes at the same address, without UR up to 2^24 - 1 */
		in->ra = WL_RZ;
		if (in->ur == 255)
			in->off = (int32_t)(addr[0] << 8) >> 8;
		else
			t->ur = addr[0] - (uint32_t)in->off;
		return;
	}
	/* a scaled register reaches only multiples: the addresses move down to multiples */
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++)
		t->regs[in->ra][lane] =
		        (addr[lane] - t->ur - (uint32_t)in->off) >> in->xn | (in->xn ? rng_u32(r) << (32 - in->xn) : 0);
}

static struct wl_lane lane_registers(const struct stim *t, unsigned first, unsigned lane)
{
	struct wl_lane v = {{0}};
	for (unsigned i = 0; i < 4 && first + i < WL_RZ; i++)
		v.w[i] = t->regs[first + i][lane];
	return v;
}

void stim_request(const struct stim *t, struct wl_req *req)
{
	memset(req, 0, sizeof *req);
	req->tag.slot = (uint16_t)t->slot;
	req->tag.warp = 7;
	req->tag.n = 3;
	req->pc = 0x40;
	req->word = (struct wl_word){1, 2};
	req->inst = t->inst;
	req->mask = t->mask;
	req->ur = t->ur;
	req->posted = t->inst.rd == WL_RZ;
	for (unsigned lane = 0; lane < WL_WARP_LANES; lane++) {
		req->ra[lane] = UINT64_C(0xdead0000) << 32 | lane_registers(t, t->inst.ra, lane).w[0];
		req->rb[lane] = lane_registers(t, t->inst.rb, lane);
		req->rc[lane] = lane_registers(t, t->inst.rc, lane);
	}
}
