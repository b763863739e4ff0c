// SPDX-License-Identifier: Apache-2.0
#include "sync_report.h"

#include <string.h>

#include "lower/abi.h"
#include "lower/select.h"
#include "ocg/internal_names.h"
#include "wlcc.h"

enum counted { NOTHING, MERGED, BARRIERS, FENCES, MBARRIERS, MEETINGS, KEPT, TOGETHER, WAITS };

static const struct {
	unsigned number;
	const char *name, *pass;
	enum counted counted;
	const char *words;
} passes[] = {
#define SYNC_PASS(number, name, pass, counts, words) {number, name, pass, counts, words},
#include "lower/sync_passes.def"
#undef SYNC_PASS
};
enum { PASSES = sizeof passes / sizeof *passes };

static unsigned count_mbarriers(const struct ptx_function *fn)
{
	unsigned n = 0;
	for (uint32_t i = 0; i < fn->ninstrs; i++)
		n += fn->instrs[i].op >= PTX_OP_mbarrier_init && fn->instrs[i].op <= PTX_OP_mbarrier_complete_tx;
	return n;
}

/* The variable with its address in the register, for all values of the register; NULL: no single variable. */
static const char *variable_in(const struct ptx_function *fn, uint32_t reg)
{
	const char *name = NULL;
	for (uint32_t k = 0; k < fn->ninstrs; k++) {
		const struct ptx_instr *i = &fn->instrs[k];
		if (!i->nops || i->ops[0].kind != PTX_O_REG || i->ops[0].reg != reg)
			continue;
		if (name || i->op != PTX_OP_mov || i->nops != 2 || i->ops[1].kind != PTX_O_SYMBOL)
			return NULL;
		name = i->ops[1].sym->name;
	}
	return name;
}

/* The variable at the address; NULL: unknown. */
static const char *object_of(const struct ptx_function *fn, const struct ptx_instr *i)
{
	for (unsigned n = 0; n < i->nops; n++) {
		const struct ptx_operand *o = &i->ops[n];
		if (o->kind == PTX_O_ADDR)
			return o->base_kind == PTX_BASE_SYMBOL ? o->sym->name
			       : o->base_kind == PTX_BASE_REG  ? variable_in(fn, o->reg)
			                                       : NULL;
	}
	return NULL;
}

/* Lists mbarriers by the symbols of the document, with the class of each operation. */
static void list_mbarriers(const struct ptx_function *fn, FILE *to)
{
	for (uint32_t k = 0; k < fn->ninstrs; k++) {
		const struct ptx_instr *i = &fn->instrs[k];
		const int type = select_mbarrier_op(i);
		bool trivial = false;
		const char *suffix = type < 0 ? NULL : internal_mbarrier((unsigned)type, &trivial);
		const char *object = object_of(fn, i);
		if (suffix)
			fprintf(to, "        line %u: %%mbarrier_%s_%s, type %d, %s\n", i->pos.line,
			        object ? object : "(register)", suffix, type, trivial ? "trivial" : "not trivial");
	}
}

static unsigned count_meetings(const struct mfunc *f)
{
	unsigned n = 0;
	for (uint32_t b = 0; b < f->norder; b++) {
		const struct mblock *m = f->blocks[f->order[b]];
		for (uint32_t i = 0; i < m->n; i++)
			n += m->ins[i].w.uop == WL_UOP_BSSY || m->ins[i].w.uop == WL_UOP_BSYNC ||
			     m->ins[i].w.uop == WL_UOP_WARPSYNC;
	}
	return n;
}

/* Counts the barriers of a function from ABI_FIRST_KEPT_CBAR on: the caller owns their values. */
static unsigned count_kept(const struct mfunc *f)
{
	unsigned n = 0;
	for (unsigned b = ABI_FIRST_KEPT_CBAR; b < WL_NUM_CBARS && !f->src->is_entry; b++)
		n += f->cbars >> b & 1;
	return n;
}

static unsigned count_waits(const struct kernel_code *c)
{
	enum { WAIT_AT = 52, WAIT_MASK = 63 }; /* bits 121:116 of the word */
	unsigned n = 0;
	for (uint32_t i = 0; i < c->n; i++)
		n += (c->words[i].hi >> WAIT_AT & WAIT_MASK) != 0;
	return n;
}

static unsigned count(const struct mfunc *f, const struct kernel_code *c, enum counted what)
{
	switch (what) {
	case MERGED:
		return f->removed.merged;
	case BARRIERS:
		return f->removed.barriers;
	case FENCES:
		return f->removed.fences;
	case MBARRIERS:
		return count_mbarriers(f->src);
	case MEETINGS:
		return count_meetings(f);
	case KEPT:
		return count_kept(f);
	case TOGETHER:
		return f->removed.waits;
	case WAITS:
		return count_waits(c);
	default:
		return 0;
	}
}

void sync_report(const struct mfunc *f, const struct kernel_code *c, FILE *to)
{
	fprintf(to, "kernel %s\n", f->src->name);
	fprintf(to, "      %-27s %u loops unrolled\n", "unroll", f->removed.loops);
	fprintf(to, "      %-27s %u calls of internal functions\n", "select", f->removed.internal);
	for (unsigned k = 0; k < PASSES; k++) {
		fprintf(to, "  %3u %-27s ", passes[k].number, passes[k].name);
		if (passes[k].counted != NOTHING)
			fprintf(to, "%u ", count(f, c, passes[k].counted));
		fprintf(to, "%s\n", passes[k].words);
		if (passes[k].counted == MBARRIERS)
			list_mbarriers(f->src, to);
	}
}

bool wlcc_sync_pass(const char *name, const char **pass)
{
	char number[8];
	for (unsigned k = 0; k < PASSES; k++) {
		snprintf(number, sizeof number, "%u", passes[k].number);
		if (strcmp(name, passes[k].name) != 0 && strcmp(name, number) != 0)
			continue;
		*pass = passes[k].pass;
		return true;
	}
	return false;
}
