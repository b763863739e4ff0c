// SPDX-License-Identifier: Apache-2.0
/* exec_special.c -- special registers, constants, uniform registers, and instructions without a model. */
#include <stdio.h>

#include "exec.h"
#include "constants.h"
#include "exec_calls.h"
#include "stop.h"

/* Numbers as in the disassembler's names. */
enum {
	SR_LANEID = 0,
	SR_CLOCK = 1,
	SR_VIRTCFG = 2, /* warps of the SM in 15:8 */
	SR_VIRTID = 3,  /* warp in 14:8 */
	SR_TID = 32,    /* x in 15:0, y in 25:16, z in 31:26 */
	SR_TID_X = 33,
	SR_TID_Y,
	SR_TID_Z,
	SR_CTAID_X = 37,
	SR_CTAID_Y,
	SR_CTAID_Z,
	SR_SWINHI = 47,
	SR_SWINLO,
	SR_SMEMSZ = 50,
	SR_LMEMHIOFF = 55, /* lowest legal offset of the stack */
	SR_EQMASK = 56,
	SR_LTMASK,
	SR_LEMASK,
	SR_GTMASK,
	SR_GEMASK,
	SR_VIRTUALSMID = 67,
	SR_CLOCKLO = 80,
	SR_CLOCKHI,
	SR_GLOBALTIMERLO,
	SR_GLOBALTIMERHI,
	SR_CGACTAID = 136, /* rank of the CTA in the cluster */
	SR_CGASIZE = 138,  /* picks the copy of a cluster's constants: WL_CB0_SPECIALS gives the addresses for 0 */
	SRZ = 255,
};

static uint64_t clock_now(const struct exec *x)
{
	observe_clock(x->gpu);
	return sm_time(x->sm) + x->done;
}

/* Value of special register sr in a lane; false: not built. */
static bool special(const struct exec *x, uint32_t sr, unsigned lane, uint32_t *v)
{
	const struct wl_gpu *g = x->gpu;
	const struct cta *cta = &x->sm->cta[x->w->slot];
	uint32_t thread = x->w->thread0 + lane, bit = 1u << lane;
	uint32_t tx = thread % g->block[0], ty = thread / g->block[0] % g->block[1],
	         tz = thread / g->block[0] / g->block[1];
	switch (sr) {
	case SR_LANEID:
		*v = lane;
		return true;
	case SR_TID:
		*v = tx | ty << 16 | tz << 26;
		return true;
	case SR_TID_X:
		*v = tx;
		return true;
	case SR_TID_Y:
		*v = ty;
		return true;
	case SR_TID_Z:
		*v = tz;
		return true;
	case SR_CTAID_X:
		*v = cta->id[0];
		return true;
	case SR_CTAID_Y:
		*v = cta->id[1];
		return true;
	case SR_CTAID_Z:
		*v = cta->id[2];
		return true;
	case SR_EQMASK:
		*v = bit;
		return true;
	case SR_LTMASK:
		*v = bit - 1;
		return true;
	case SR_LEMASK:
		*v = bit | (bit - 1);
		return true;
	case SR_GTMASK:
		*v = ~(bit | (bit - 1));
		return true;
	case SR_GEMASK:
		*v = ~(bit - 1);
		return true;
	case SR_VIRTCFG:
		*v = g->config.warps_per_sm << 8;
		return true;
	case SR_VIRTID:
		*v = x->warp_index << 8;
		return true;
	case SR_SMEMSZ:
		*v = g->shared_per_cta;
		return true;
	case SR_LMEMHIOFF:
		*v = 0;
		return true;
	case SR_VIRTUALSMID:
		*v = x->sm_index;
		return true;
	case SR_CLOCK:
	case SR_CLOCKLO:
	case SR_GLOBALTIMERLO:
		*v = (uint32_t)clock_now(x);
		return true;
	case SR_CLOCKHI:
	case SR_GLOBALTIMERHI:
		*v = (uint32_t)(clock_now(x) >> 32);
		return true;
	case SR_SWINHI:
		*v = (uint32_t)(WL_SHARED_WINDOW >> 32);
		return true;
	case SR_SWINLO:
		*v = (uint32_t)WL_SHARED_WINDOW;
		return true;
	case SR_CGASIZE:
		*v = 0;
		return g->config.arch >= WL_SM100;
	case SR_CGACTAID:
		*v = cta->rank;
		return true;
	case SRZ:
		*v = 0;
		return true;
	default:
		return false;
	}
}

bool special_is_clock(uint32_t sr)
{
	return sr == SR_CLOCK || sr == SR_CLOCKLO || sr == SR_CLOCKHI || sr == SR_GLOBALTIMERLO ||
	       sr == SR_GLOBALTIMERHI;
}

static enum flow unknown_special(struct exec *x)
{
	char text[80];
	snprintf(text, sizeof text, "special register %u is not built yet", (unsigned)x->in->imm);
	return stop_error(x, text);
}

/* SR_TID_X of a block with a single dimension; registers with the same value in all lanes. */
static bool special_row(const struct exec *x, uint32_t sr, uint32_t *d)
{
	uint32_t v = x->w->thread0, step = 1;
	if (sr != SR_TID_X || (x->gpu->block[1] | x->gpu->block[2]) != 1) {
		if ((sr < SR_CTAID_X || sr > SR_SMEMSZ) && sr != SR_CGACTAID)
			return false;
		if (!special(x, sr, 0, &v))
			return false;
		step = 0;
	}
	FOR_LANES (i)
		d[i] = v + step * i;
	return true;
}

enum flow exec_S2R(struct exec *x)
{
	ROW(d);
	if (special_row(x, x->in->imm, d))
		return write_rd(x, d);
	FOR_LANES (i)
		if (!special(x, x->in->imm, i, &d[i]))
			return unknown_special(x);
	return write_rd(x, d);
}

enum flow exec_CS2R(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	uint32_t sr = x->in->imm;
	bool clock = sr == SR_CLOCKLO || sr == SR_GLOBALTIMERLO;
	FOR_LANES (i) {
		hi[i] = 0;
		if (!special(x, sr, i, &lo[i]) || (clock && !special(x, sr + 1, i, &hi[i])))
			return unknown_special(x);
	}
	return x->in->size == 8 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

enum flow exec_S2UR(struct exec *x)
{
	uint32_t v;
	if (!special(x, x->in->imm, lowest(x->mask), &v))
		return unknown_special(x);
	return write_ur(x, x->in->urd, v);
}

/* CS2UR: as S2UR, or both words of a clock. */
enum flow exec_CS2UR(struct exec *x)
{
	uint32_t sr = x->in->imm, lo, hi = 0;
	bool clock = sr == SR_CLOCKLO || sr == SR_GLOBALTIMERLO;
	if (!special(x, sr, lowest(x->mask), &lo) || (clock && !special(x, sr + 1, lowest(x->mask), &hi)))
		return unknown_special(x);
	if (x->in->size == 8 && x->in->urd < URZ_SLOT)
		write_ur(x, (uint8_t)(x->in->urd + 1), hi);
	return write_ur(x, x->in->urd, lo);
}

/* `size` bytes of constant memory, zero-extended; false: not all bytes exist. */
static bool read_constant(const struct exec *x, int64_t at, unsigned size, uint32_t v[2])
{
	const struct wl_program *p = x->gpu->program;
	unsigned bank = x->in->cbank;
	const uint8_t *image = bank == 0 ? block_at(x->gpu, x->gpu->at_cbank0) : bank < 8 ? p->cbank[bank] : NULL;
	uint64_t bytes = bank == 0 ? constants_bytes(p) : image ? p->cbank_bytes[bank] : 0;
	v[0] = v[1] = 0;
	if (at < 0 || (uint64_t)at + size > bytes || size > 8)
		return false;
	memcpy(v, image + at, size);
	return true;
}

static enum flow no_constant(struct exec *x, int64_t at)
{
	char text[100];
	snprintf(text, sizeof text, "constant bank %u has no %u bytes at %s0x%llx", x->in->cbank,
	         x->in->size ? x->in->size : 4u, at < 0 ? "-" : "", (unsigned long long)(at < 0 ? -at : at));
	return stop_error(x, text);
}

enum flow exec_LDC(struct exec *x)
{
	ROW(lo);
	ROW(hi);
	const uint32_t *base = x->in->ra == WL_RZ ? x->shared_rows[0] : x->r[x->in->ra];
	unsigned size = x->in->size, bits = size < 4 ? 8 * size : 32;
	const uint32_t mask = x->in->ra == WL_RZ ? x->mask & (0 - x->mask) : x->mask; /* the same for all: read once */
	FOR_LANES (i) {
		lo[i] = hi[i] = 0;
		if (!(mask >> i & 1))
			continue;
		int64_t at = constants_offset(base[i] + (uint32_t)x->in->off);
		uint32_t v[2];
		if (!read_constant(x, at, size, v))
			return no_constant(x, at);
		lo[i] = x->in->flags & WL_F_SIGNED ? (uint32_t)((int32_t)(v[0] << (32 - bits)) >> (32 - bits)) : v[0];
		hi[i] = v[1];
	}
	if (mask != x->mask) {
		const uint32_t low = lo[lowest(mask)], high = hi[lowest(mask)];
		FOR_LANES (i)
			lo[i] = low;
		FOR_LANES (i)
			hi[i] = high;
	}
	return size == 8 ? write_rd64(x, lo, hi) : write_rd(x, lo);
}

enum flow exec_ULDC(struct exec *x)
{
	const struct wl_inst *in = x->in;
	const uint32_t base = in->ur == 255 ? 0 : read_ur(x, in->ur);
	int64_t at = constants_offset(base + (uint32_t)in->coff);
	unsigned piece = in->size < 8 ? in->size : 8, bits = in->size < 4 ? 8u * in->size : 32;
	uint32_t v[4];
	for (unsigned k = 0; k < in->size; k += 8)
		if (!read_constant(x, at + k, piece, &v[k / 4]))
			return no_constant(x, at);
	if (in->flags & WL_F_SIGNED)
		v[0] = (uint32_t)((int32_t)(v[0] << (32 - bits)) >> (32 - bits));
	for (unsigned k = 0; k * 4 < in->size && in->urd + k < URZ_SLOT; k++)
		write_ur(x, (uint8_t)(in->urd + k), v[k]);
	return FLOW_NEXT;
}

enum flow exec_R2UR(struct exec *x)
{
	uint32_t v = x->a[lowest(x->mask)], other = 0;
	FOR_LANES (i)
		other |= (uint32_t)(x->a[i] != v) << i;
	write_pred(x, x->in->pd[0], x->in->op ? other | read_pred(x, x->in->ps[0]) : other);
	return write_ur(x, x->in->urd, v);
}

enum flow exec_UNMODELLED(struct exec *x)
{
	const struct wl_function *f = wl_program_function(x->gpu->program, x->pc);
	enum flow flow;
	if (f && f->external && runtime_call(x, f->name, &flow))
		return flow;
	if (f && f->external) {
		char text[sizeof x->gpu->trouble.text];
		snprintf(text, sizeof text, "the kernel calls '%.80s', which the model does not have", f->name);
		return stop_error(x, text);
	}
	switch (x->op->bad) {
	case BAD_ILLEGAL:
		return stop_fault(x, WL_FAULT_ILLEGAL_INSTRUCTION, x->mask, false, 0);
	case BAD_CONSTANT:
		return no_constant(x, x->in->coff);
	case BAD_OPERAND:
		return stop_error(x, "this combination of operands is not built yet");
	default:
		return stop_error(x, "this instruction is not built yet");
	}
}
