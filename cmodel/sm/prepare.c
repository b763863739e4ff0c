// SPDX-License-Identifier: Apache-2.0
/* prepare.c -- instructions to struct op, once for each launch: place and modifiers of each source, and targets of
 * branches. Immediates and constants become rows shared by all warps, since constant banks do not change. */
#include <stdio.h>
#include <string.h>

#include "constants.h"
#include "prepare.h"

enum { ZERO_ROWS = 4, ROWS_PER_SOURCE = 2 };

/* The higher of max and a register; RZ does not count. */
static uint32_t highest(uint32_t max, uint8_t reg)
{
	return reg != WL_RZ && reg > max ? reg : max;
}

static bool has(const struct wl_inst *in, uint64_t traits)
{
	return wl_uop_has(in->uop, traits);
}

uint32_t prepare_reg_rows(const struct wl_program *p)
{
	uint32_t max = p->regs ? p->regs - 1 : 0;
	for (uint32_t i = 0; i < p->ninst; i++) {
		const struct wl_inst *in = &p->insts[i];
		if (wl_uop_traits(in->uop)->uniform_sources) /* the fields name uniform registers */
			continue;
		max = highest(highest(highest(highest(max, in->rd), in->ra), in->rb), in->rc);
	}
	return max + 1 + ROW_PAD;
}

uint64_t prepare_shared_rows(const struct wl_program *p)
{
	return ZERO_ROWS + (uint64_t)p->ninst * 3 * ROWS_PER_SOURCE;
}

/* Format of the source of a conversion. */
static unsigned source_format(const struct wl_inst *in)
{
	return in->uop == WL_UOP_F2F ? in->bop : in->xn;
}

/* MUFU takes the high word of a float64 alone. */
static bool is_double(const struct wl_inst *in)
{
	bool whole = has(in, WL_TRAIT(CONVERTS)) && in->uop != WL_UOP_MUFU;
	return has(in, WL_TRAIT(F64)) || (whole && source_format(in) == WL_FMT_F64);
}

static bool is_half_conversion(const struct wl_inst *in)
{
	unsigned from = source_format(in);
	return has(in, WL_TRAIT(CONVERTS)) && (from == WL_FMT_F16 || from == WL_FMT_BF16 || in->flags & WL_F_BF16);
}

/* Parts of a register have separate signs. */
static bool is_packed(const struct wl_inst *in)
{
	return (in->uop == WL_UOP_VIADD || in->uop == WL_UOP_VIADDMNMX) && (in->xn || in->flags & WL_F_SAT);
}

/* float64, halves and packed integers: the instruction's own function applies the signs. Uniform sources are no
 * rows. */
bool prepare_own_signs(const struct wl_inst *in)
{
	return is_double(in) || is_packed(in) || has(in, WL_TRAIT(HALF2) | WL_TRAIT(FLOAT2)) ||
	       is_half_conversion(in) || wl_uop_traits(in->uop)->uniform_sources ||
	       (in->uop == WL_UOP_FMNMX && in->flags & WL_F_XORSIGN);
}

/* Sources with a row of high words: pairs of registers, whatever the size. */
static uint8_t wide_sources(const struct wl_inst *in)
{
	const struct wl_uop_traits *t = wl_uop_traits(in->uop);
	uint8_t wide = is_double(in) || has(in, WL_TRAIT(FLOAT2)) || in->flags & WL_F_PAIR ? 7 : 0;
	for (unsigned i = 0; i < 3; i++)
		if (t->by_kind >> i & 1 && t->width[WL_REG_RA + i] == WL_WIDTH_TWO)
			wide |= (uint8_t)(1u << i);
	return wide;
}

/* The second immediate belongs to the last source. */
static uint32_t immediate(const struct wl_inst *in, unsigned i)
{
	bool second = (has(in, WL_TRAIT(IMM2_B)) && i == 1) || (has(in, WL_TRAIT(IMM2_C)) && i == 2);
	if (has(in, WL_TRAIT(HALF2))) /* the high half first */
		return in->imm2 << 16 | in->imm;
	return second ? in->imm2 : in->imm;
}

/* 64 bits of a constant bank at byte offset off; false: the low word lies outside of the bank. */
static bool constant(const struct wl_gpu *gpu, unsigned bank, int64_t off, uint32_t v[2])
{
	const struct wl_program *p = gpu->program;
	const uint8_t *image = bank == 0 ? block_at(gpu, gpu->at_cbank0) : bank < 8 ? p->cbank[bank] : NULL;
	uint64_t size = bank == 0 ? constants_bytes(p) : bank < 8 && image ? p->cbank_bytes[bank] : 0;
	v[0] = v[1] = 0;
	if (off < 0 || (uint64_t)off + 4 > size)
		return false;
	memcpy(v, image + off, (uint64_t)off + 8 <= size ? 8 : 4);
	return true;
}

static void fill_row(lane_row *row, uint32_t v)
{
	FOR_LANES (i)
		(*row)[i] = v;
}

static void prepare_source(struct wl_gpu *gpu, struct op *op, const struct wl_inst *in, unsigned i, uint32_t shared)
{
	lane_row *rows = block_at(gpu, gpu->at_rows);
	const uint8_t regs[3] = {in->ra, in->rb, in->rc};
	uint32_t v[2] = {0, 0};
	op->row[i] = SHARED_ROW; /* the zero rows */
	switch (in->src[i]) {
	case WL_SRC_REG:
		if (regs[i] != WL_RZ)
			op->row[i] = regs[i];
		return;
	case WL_SRC_UREG:
		op->slow |= 1u << i;
		return;
	case WL_SRC_IMM:
		v[0] = immediate(in, i);
		if (is_double(in)) { /* the high word of a float64 */
			v[1] = v[0];
			v[0] = 0;
		} else if (in->flags & WL_F_PAIR) {
			v[1] = has(in, WL_TRAIT(WHOLE_IMM)) ? in->imm2 : (uint32_t)((int32_t)v[0] >> 31);
		}
		break;
	case WL_SRC_CONST:
		if (!constant(gpu, in->cbank, constants_offset((uint32_t)in->coff), v))
			op->bad = BAD_CONSTANT;
		break;
	default:
		return;
	}
	op->row[i] = SHARED_ROW | shared;
	fill_row(&rows[shared], v[0]);
	fill_row(&rows[shared + 1], v[1]);
}

/* Under .X a negated source is complemented: the added 1 comes with the carry. IADD3 without .X does the same and adds
 * the 1s itself. So the carries are the carries of the subtraction (no borrow = carry). */
static void prepare_signs(struct op *op, const struct wl_inst *in)
{
	op->neg = in->neg;
	op->abs = in->abs;
	op->inv = in->inv;
	if (prepare_own_signs(in)) {
		op->neg = op->abs = op->inv = 0;
		return;
	}
	if (has(in, WL_TRAIT(COMPLEMENTS)) || in->flags & WL_F_X) {
		op->inv ^= op->neg;
		op->plus = in->flags & WL_F_X ? 0 : (uint8_t)__builtin_popcount(op->neg);
		op->neg = 0;
	}
	for (unsigned i = 0; i < 3; i++)
		if ((op->neg | op->abs | op->inv) >> i & 1 && in->src[i] != WL_SRC_NONE)
			op->slow |= 1u << i;
}

static bool names_float32(const struct wl_inst *in)
{
	return in->sel[0] == WL_HALF_F32 || in->sel[1] == WL_HALF_F32 || in->sel[2] == WL_HALF_F32;
}

/* Memory instructions name their data registers without a source kind; special cases of meaning that are not built. */
static enum bad_op judge(const struct wl_inst *in)
{
	if (in->uop == WL_UOP_UNMODELLED)
		return BAD_UNMODELLED;
	const enum wl_unit unit = wl_uop_unit(in->uop);
	if (in->flags & WL_F_ILLEGAL && unit != WL_UNIT_atoms_pipe && unit != WL_UNIT_mbarrier_engine)
		return BAD_ILLEGAL; /* both units raise the fault themselves */
	switch (in->uop) {
	case WL_UOP_HADD2: /* float32 sources are known from HADD2 as a conversion alone */
		return in->flags & WL_F_F32 && names_float32(in) ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_HMUL2:
	case WL_UOP_HFMA2:
		return names_float32(in) ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_FMNMX:
		return in->flags & WL_F_XORSIGN && in->neg ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_HMNMX2:
		return names_float32(in) || (in->flags & WL_F_XORSIGN && in->neg) ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_F2FP: /* the effect of C on one half is not known: ptxas gives RZ */
		return in->op == WL_F2FP_ONE && in->src[2] && (in->src[2] != WL_SRC_REG || in->rc != WL_RZ)
		               ? BAD_OPERAND
		               : BAD_NONE;
	case WL_UOP_UF2FP: /* as F2FP */
		return in->op == WL_F2FP_ONE && (in->src[2] == WL_SRC_IMM || in->rc != WL_RZ) ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_LEA:
		return in->flags & WL_F_HI && (in->neg | in->inv) & 1 ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_IMAD_WIDE:
	case WL_UOP_IMAD_HI:
		return (in->neg | in->inv) & 3 ? BAD_OPERAND : BAD_NONE;
	case WL_UOP_VABSDIFF: /* the meaning of pd0 is not known: ptxas drops pd0 */
		return in->pd[0] != WL_PT ? BAD_OPERAND : BAD_NONE;
	default:
		return BAD_NONE;
	}
}

static uint32_t branch_target(uint32_t pc, int64_t bytes)
{
	int64_t at = (int64_t)pc + 1 + bytes / 16;
	return bytes % 16 || at < 0 || at > 0x0fffffff ? 0x0fffffff : (uint32_t)at;
}

/* The instruction changes neither the running lanes nor the next pc of lanes, and touches neither copies nor memory. */
static bool is_plain(const struct op *op, const struct wl_inst *in)
{
	const uint64_t acts = WL_TRAITS_EFFECT | WL_TRAIT(READS_MEMORY) | WL_TRAIT(EXITS) | WL_TRAIT(DEPBAR);
	return op->unit == WL_UNIT_FRONT && !op->bad && !has(in, acts) && wl_inst_sync_class(in) == WL_SYNC_None &&
	       !op->guard_uniform && op->guard == WL_PT && !op->guard_inv;
}

static void prepare_runs(struct op *ops, const struct wl_program *p)
{
	for (uint32_t pc = p->ninst; pc-- > 0;) {
		const unsigned behind = pc + 1 < p->ninst ? ops[pc + 1].run : 0;
		ops[pc].run = is_plain(&ops[pc], &p->insts[pc]) ? (uint8_t)(behind < 255 ? behind + 1 : 255) : 0;
	}
}

void prepare_ops(struct wl_gpu *gpu)
{
	const struct wl_program *p = gpu->program;
	struct op *ops = gpu_ops(gpu);
	for (uint32_t pc = 0; pc < p->ninst; pc++) {
		const struct wl_inst *in = &p->insts[pc];
		struct op *op = &ops[pc];
		*op = (struct op){.uop = in->uop, .unit = (uint8_t)wl_uop_unit(in->uop)};
		op->guard = in->guard & 7;
		op->guard_inv = in->guard & 8 ? ALL_LANES : 0;
		op->guard_uniform = in->guard_uniform;
		if (in->guard_uniform)
			op->guard = (uint8_t)(op->guard + UPRED);
		if (in->uop == WL_UOP_BRA_DIV || in->uop == WL_UOP_BRA_LIVE) { /* the function asks for the guard */
			op->guard = WL_PT;
			op->guard_inv = 0;
		}
		op->is_float = has(in, WL_TRAIT(FLOAT_SOURCES));
		op->wide = wide_sources(in);
		op->target = branch_target(pc, in->target);
		prepare_signs(op, in);
		for (unsigned i = 0; i < 3; i++)
			prepare_source(gpu, op, in, i, ZERO_ROWS + (pc * 3 + i) * ROWS_PER_SOURCE);
		if (!op->bad)
			op->bad = (uint8_t)judge(in);
		if (op->bad)
			op->uop = WL_UOP_UNMODELLED;
	}
	prepare_runs(ops, p);
}
