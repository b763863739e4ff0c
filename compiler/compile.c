// SPDX-License-Identifier: Apache-2.0
/* compile.c -- PTX text to object: parse, then each kernel through the passes, then the object writer. */
#include <stdio.h>
#include <stdlib.h>

#include "lower/emit_words.h"
#include "lower/select.h"
#include "object/object.h"

enum { MAX_REGS = WL_NUM_REGS };

/* R1 = the word of the bank at `offset`: the high end of the thread's frame. */
static struct minst load_stack(const struct mfunc *f, uint32_t offset)
{
	struct minst in = minst_make(f->target->bank_operands ? WL_UOP_MOV : WL_UOP_LDC, f->src->pos.line);
	in.rd = f->sp;
	in.w.rd = 1;
	if (f->target->bank_operands) {
		in.w.src[1] = WL_SRC_CONST;
		in.w.coff = (int32_t)offset;
	} else {
		in.w.off = (int32_t)offset;
		in.w.size = 4;
	}
	return in;
}

/* R1 = low end of the thread's frame. */
static void set_up_frame(struct mfunc *f)
{
	struct mblock *entry = f->blocks[f->order[0]];
	struct minst in;
	f->frame = (f->frame + 15) / 16 * 16;
	if (!f->uses_sp)
		return;
	in = load_stack(f, wl_cb0_layout(f->arch)->stack);
	mblock_insert(f, entry, 0, &in);
	in = minst_make(WL_UOP_IADD3, f->src->pos.line);
	in.rd = in.ra = f->sp;
	in.w.rd = in.w.ra = 1;
	in.w.src[0] = in.w.src[2] = WL_SRC_REG;
	in.w.src[1] = WL_SRC_IMM;
	in.w.imm = -f->frame;
	mblock_insert(f, entry, 1, &in);
}

static bool takes_descriptor(unsigned uop)
{
	switch (uop) {
	case WL_UOP_LDG:
	case WL_UOP_STG:
	case WL_UOP_LD:
	case WL_UOP_ST:
	case WL_UOP_RED:
	case WL_UOP_ATOM:
	case WL_UOP_ATOMG: /* compare-and-swap has no room for one */
		return true;
	default:
		return false;
	}
}

/* Accesses of global memory name its descriptor, which the first instruction loads for good: nothing else uses uniform
 * registers. */
static void set_up_descriptor(struct mfunc *f)
{
	struct minst in = minst_make(WL_UOP_ULDC, f->src->pos.line);
	bool any = false;
	for (uint32_t i = 0; i < f->norder && f->target->descriptor != WL_NO_DESC; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++)
			if (takes_descriptor(b->ins[k].w.uop)) {
				b->ins[k].w.desc = f->target->descriptor;
				any = true;
			}
	}
	if (!any)
		return;
	in.w.guard_uniform = true;
	in.w.urd = (uint8_t)f->target->descriptor;
	in.w.size = 8;
	in.w.coff = wl_cb0_layout(f->arch)->descriptor;
	mblock_insert(f, f->blocks[f->order[0]], 0, &in);
}

static bool compile_kernel(struct mfunc *f, const struct ptx_module *ptx, struct kernel_code *c)
{
	struct lower_module m;
	lower_place(&m, ptx, f->src, f);
	f->frame = m.local_bytes;
	if (!lower_select(f, &m))
		return false;
	lower_cfg(f);
	if (f->opt > 0)
		lower_fold(f);
	lower_dead(f);
	lower_expand(f);
	if (f->opt > 0) {
		lower_fold(f);
		lower_dead(f);
	}
	lower_converge(f);
	lower_cfg(f);
	if (!lower_regalloc(f))
		return false;
	set_up_frame(f);
	set_up_descriptor(f);
	lower_layout(f);
	if (!lower_encode(f, c) || !lower_sched(f))
		return false;
	lower_put_sched(f, c);
	c->src = f->src;
	c->regs = f->regs;
	c->frame = f->frame;
	c->shared = m.shared_static;
	c->barriers = f->nbarriers;
	c->param_base = m.param_base;
	c->param_bytes = (uint32_t)f->src->param_size;
	return true;
}

static void print_sass(FILE *to, enum wl_arch arch, const struct kernel_code *c)
{
	char text[256];
	fprintf(to, ".entry %s\n", c->src->name);
	for (uint32_t i = 0; i < c->n; i++) {
		if (wl_print(arch, c->words[i], 16 * (uint64_t)i, text, sizeof text) < 0)
			snprintf(text, sizeof text, "(no text)");
		fprintf(to, "%s\n", text);
	}
}

static bool compile_module(struct ptx_module *ptx, const struct wlcc_options *o, const char *text, size_t size,
                           struct wlcc_bytes *out)
{
	struct kernel_code *codes = arena_alloc(&ptx->arena, (ptx->nfunctions + 1) * sizeof *codes);
	uint32_t n = 0;
	bool good = true;
	for (uint32_t i = 0; i < ptx->nfunctions; i++) {
		const struct ptx_function *fn = ptx->functions[i];
		struct mfunc f = {
		        .arena = &ptx->arena,
		        .src = fn,
		        .file = o->file,
		        .diag = o->diag,
		        .diag_self = o->diag_self,
		        .arch = o->arch,
		        .target = lower_target(o->arch),
		        .opt = o->opt,
		        .max_regs = fn->maxnreg && fn->maxnreg < MAX_REGS ? (fn->maxnreg < 16 ? 16 : fn->maxnreg)
		                                                          : MAX_REGS,
		};

		if (!fn->is_entry || !fn->has_body)
			continue;
		if (compile_kernel(&f, ptx, &codes[n]))
			n++;
		else
			good = false;
	}
	if (!good)
		return false;
	if (o->emit_sass)
		for (uint32_t i = 0; i < n; i++)
			print_sass(o->emit_sass, o->arch, &codes[i]);
	object_write(&(struct object_input){.arch = o->arch,
	                                    .nkernels = n,
	                                    .kernels = codes,
	                                    .source = o->source_name ? o->source_name : o->file,
	                                    .files = ptx->files,
	                                    .nfiles = ptx->nfiles,
	                                    .text = o->debug || ptx->nfiles ? text : NULL,
	                                    .text_size = size},
	             out);
	return true;
}

bool wlcc_compile_ptx(const char *text, size_t size, const struct wlcc_options *o, bool check_only,
                      struct wlcc_bytes *out)
{
	struct ptx_options po = {
	        .file = o->file, .diag = o->diag, .diag_self = o->diag_self, .strict_version = o->strict_version};
	struct ptx_module *ptx;
	bool good;

	if (out)
		*out = (struct wlcc_bytes){NULL, 0};
	if (check_only)
		return ptx_check(text, size, &po);
	po.arch = o->arch;
	if (!lower_target(o->arch)) {
		char why[80];
		snprintf(why, sizeof why, "code generation for sm_%u is not built yet", (unsigned)o->arch);
		o->diag(o->diag_self, &(struct wlcc_message){.severity = WLCC_ERROR, .file = o->file, .text = why});
		return false;
	}
	ptx = ptx_parse(text, size, &po);
	if (!ptx)
		return false;
	good = compile_module(ptx, o, text, size, out);
	ptx_module_free(ptx);
	return good;
}
