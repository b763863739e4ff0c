// SPDX-License-Identifier: Apache-2.0
/* register_changes.c -- setmaxnreg: no thread gives back registers that the thread cannot have. PTX ISA, "setmaxnreg".
 * ptxas 13.0 was asked for the limit: the largest .inc of the kernel, or the kernel's own limit without any .inc. */
#include <stdio.h>

#include "register_limit.h"
#include "warplock/isa.h"

enum { LEAST = 24 }; /* registers of a thread, in a kernel with setmaxnreg */

struct changes {
	uint32_t inc;     /* the largest .inc; 0: no .inc */
	uint32_t dec, at; /* the largest .dec, with the line */
};

static bool ends(const struct ptx_instr *i)
{
	return i->guard == PTX_NONE && (i->op == PTX_OP_bra || i->op == PTX_OP_brx_idx || i->op == PTX_OP_ret ||
	                                i->op == PTX_OP_exit || i->op == PTX_OP_trap);
}

static bool has_label(const struct ptx_function *f, uint32_t instr)
{
	for (uint32_t i = 0; i < f->nlabels; i++)
		if (f->labels[i].instr == instr)
			return true;
	return false;
}

static void add(const struct ptx_instr *i, struct changes *c)
{
	const uint32_t n = i->ops[0].imm < WL_NUM_REGS ? (uint32_t)i->ops[0].imm : WL_NUM_REGS;
	if (i->op == PTX_OP_setmaxnreg_inc && n > c->inc)
		c->inc = n;
	if (i->op == PTX_OP_setmaxnreg_dec && n > c->dec) {
		c->dec = n;
		c->at = i->pos.line;
	}
}

/* Changes in reachable instructions. True: the function has a call. */
static bool find(const struct ptx_function *f, struct changes *c)
{
	bool calls = false, dead = false;
	for (uint32_t k = 0; k < f->ninstrs; k++) {
		const struct ptx_instr *i = &f->instrs[k];
		const bool change = i->op == PTX_OP_setmaxnreg_inc || i->op == PTX_OP_setmaxnreg_dec;
		dead = dead && !has_label(f, k);
		if (change && !dead)
			add(i, c);
		calls |= i->op == PTX_OP_call;
		dead |= ends(i);
	}
	return calls;
}

/* .maxnreg, -maxrregcount, or a number of CTAs with a size. ptxas 13.0 ignores setmaxnreg in other kernels (C7508). */
static bool is_bounded(const struct ptx_function *k, unsigned limit)
{
	const bool sized = k->reqntid[0] || k->maxntid[0];
	return (k->maxnreg && k->maxnreg <= WL_NUM_REGS) || (sized ? k->minnctapersm != 0 : limit < WL_NUM_REGS);
}

unsigned register_entry(const struct ptx_function *k, unsigned limit, unsigned *least)
{
	unsigned most = 0;
	*least = WL_NUM_REGS;
	for (uint32_t i = 0; i < k->ninstrs; i++) {
		const struct ptx_instr *in = &k->instrs[i];
		const unsigned n = in->nops ? (unsigned)in->ops[0].imm : 0;
		if (in->op != PTX_OP_setmaxnreg_inc && in->op != PTX_OP_setmaxnreg_dec)
			continue;
		most = in->op == PTX_OP_setmaxnreg_inc && n > most ? n : most;
		*least = n < *least ? n : *least;
	}
	if (*least == WL_NUM_REGS || !is_bounded(k, limit))
		return 0;
	return !k->maxnreg && most && most < limit ? most : limit;
}

static struct changes changes_of(const struct ptx_module *ptx, const struct ptx_function *kernel)
{
	struct changes c = {0, 0, 0};
	if (find(kernel, &c))
		for (uint32_t i = 0; i < ptx->nfunctions; i++)
			if (!ptx->functions[i]->is_entry)
				find(ptx->functions[i], &c);
	return c;
}

bool register_changes_fit(const struct ptx_module *ptx, const struct wlcc_options *o)
{
	struct wlcc_options of_target = *o;
	bool good = true;
	char text[160];
	if (!o->chip && !o->arch)
		of_target.chip = ptx->target;
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		const struct ptx_function *k = ptx->functions[i];
		if (!k->is_entry || !k->has_body)
			continue;
		const struct changes c = changes_of(ptx, k);
		if (!c.dec)
			continue;
		const unsigned own = register_limit_quiet(k, &of_target);
		const unsigned most = c.inc ? c.inc : own > LEAST ? own : LEAST;
		if (c.dec <= most)
			continue;
		snprintf(text, sizeof text,
		         "setmaxnreg.dec has register count (%u) which is larger than the largest temporal register "
		         "count in the program (%u)",
		         c.dec, most);
		o->diag(o->diag_self,
		        &(struct wlcc_message){.severity = WLCC_ERROR, .file = o->file, .line = c.at, .text = text});
		good = false;
	}
	return good;
}
