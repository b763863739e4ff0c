// SPDX-License-Identifier: Apache-2.0
/* exec_twin.c -- instructions of the uniform datapath equal to a vector instruction. A single lane executes the vector
 * instruction; the uniform registers and predicates serve as registers and predicates of this lane. */
#include "exec.h"
#include "prepare.h"

static const uint32_t *fill(uint32_t row[2 * WL_WARP_LANES], uint32_t v)
{
	for (unsigned i = 0; i < 2 * WL_WARP_LANES; i++)
		row[i] = v;
	return row;
}

/* Source i, with signs unless the vector instruction applies the signs. */
static uint32_t source(const struct exec *x, const struct wl_inst *vector, unsigned i)
{
	const struct wl_inst *in = x->in;
	const uint8_t regs[3] = {in->ra, in->rb, in->rc};
	uint32_t v = in->src[i] == WL_SRC_IMM ? in->imm : read_ur(x, regs[i]);
	bool neg = in->neg >> i & 1, abs = in->abs >> i & 1;
	if (prepare_own_signs(vector))
		return v;
	if (wl_uop_has(vector->uop, WL_TRAIT(FLOAT_SOURCES)))
		return (abs ? v & 0x7fffffff : v) ^ (uint32_t)neg << 31;
	return neg ? 0 - v : v;
}

static void swap_preds(struct exec *x, uint32_t preds[7])
{
	for (unsigned p = 0; p < 7; p++) {
		uint32_t v = x->w->preds[p];
		x->w->preds[p] = preds[p];
		preds[p] = v;
	}
}

static enum flow as_vector(struct exec *x, enum wl_uop uop, exec_fn *vector)
{
	struct exec y = *x;
	struct wl_inst in = *x->in;
	lane_row result[ROW_PAD] = {{0}};
	uint32_t *up = &x->uni[UPRED], preds[7];
	in.uop = (uint16_t)uop;
	in.rd = 0;
	for (unsigned i = 0; i < 3; i++)
		in.src[i] = in.src[i] == WL_SRC_IMM ? WL_SRC_IMM : WL_SRC_REG;
	y.in = &in;
	y.r = result;
	y.mask = 1;
	y.a = fill(y.tmp[0], source(x, &in, 0));
	y.b = fill(y.tmp[1], source(x, &in, 1));
	y.c = fill(y.tmp[2], source(x, &in, 2));
	memcpy(preds, up, sizeof preds);
	swap_preds(&y, preds);
	enum flow flow = vector(&y);
	swap_preds(&y, preds);
	for (unsigned p = 0; p < 7; p++)
		up[p] = preds[p] & 1 ? ALL_LANES : 0;
	return flow == FLOW_NEXT ? write_ur(x, x->in->urd, result[0][0]) : flow;
}

#define TWIN(uniform, vector)                                                                                          \
	enum flow exec_##uniform(struct exec *x)                                                                       \
	{                                                                                                              \
		return as_vector(x, WL_UOP_##vector, exec_##vector);                                                   \
	}
TWIN(UFADD, FADD)
TWIN(UFMUL, FMUL)
TWIN(UFFMA, FFMA)
TWIN(UFSEL, FSEL)
TWIN(UFMNMX, FMNMX)
TWIN(UFSET, FSET)
TWIN(UFSETP, FSETP)
TWIN(UF2I, F2I)
TWIN(UI2F, I2F)
TWIN(UF2F, F2F)
TWIN(UFRND, FRND)
TWIN(UF2IP, F2IP)
TWIN(UF2FP, F2FP)
TWIN(UI2I, I2I)
TWIN(UI2IP, I2IP)
TWIN(UIABS, IABS)
TWIN(UVIADD, VIADD)
TWIN(UVIMNMX, VIMNMX)
