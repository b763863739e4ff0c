// SPDX-License-Identifier: Apache-2.0
/* compile.c -- PTX text to object: parse, then each kernel through the passes, then the object writer. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower/emit_words.h"
#include "lower/internal.h"
#include "lower/library.h"
#include "lower/register_limit.h"
#include "lower/select.h"
#include "object/object.h"
#include "ocg/expand.h"
#include "safety/safety.h"
#include "stacks.h"
#include "sync_report.h"

enum { CONSTANT_BANK_BYTES = 65536 };

/* The passes on the machine IR before registers have numbers. `from`: the lowest -O that runs the pass. */
static const struct {
	const char *name;
	void (*run)(struct mfunc *f);
	int from;
} passes[] = {
        {"cfg", lower_cfg, 0},
        {"unroll", lower_unroll, 2},
        {"StageAndFence", lower_stage_and_fence, 1},
        {"OriRemoveRedundantBarriers", lower_remove_barriers, 1},
        {"OptimizeSyncInstructions", lower_optimize_sync, 1},
        {"shortcut", lower_shortcut, 1},
        {"webs", lower_webs, 1},
        {"fold", lower_fold, 1},
        {"number", lower_number, 1},
        {"fold-copies", lower_fold, 1},
        {"dead", lower_dead, 0},
        {"expand", lower_expand, 0},
        {"fold-words", lower_fold, 1},
        {"dead-words", lower_dead, 1},
        {"combine", lower_combine, 1},
        {"fold-combined", lower_fold, 1},
        {"dead-combined", lower_dead, 1},
        {"predicate", lower_predicate, 1},
        {"choose", lower_choose, 1},
        {"coalesce", lower_coalesce, 1},
        {"converge", lower_converge, 0},
        {"cfg-converged", lower_cfg, 0},
        {"presched", lower_presched, 1},
};
static const char *const later[] = {"regalloc", "frame", "100", "layout", "sched", "114"};

enum { PASSES = sizeof passes / sizeof *passes, LATER = sizeof later / sizeof *later };

const char *wlcc_pass_name(unsigned i)
{
	if (i == 0)
		return "select";
	return i <= PASSES ? passes[i - 1].name : i <= PASSES + LATER ? later[i - 1 - PASSES] : NULL;
}

static void dump(const struct mfunc *f, const struct wlcc_options *o, const char *pass)
{
	if (o->dump_after && strcmp(o->dump_after, pass) == 0)
		lower_print(f, pass, o->dump_to);
}

/* A kernel with setmaxnreg starts with more registers than the code names. */
static uint32_t entry_registers(struct mfunc *f)
{
	static const char ignored[] =
	        "(C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register "
	        "count at entry.";
	unsigned least = WL_NUM_REGS;
	const unsigned start = f->src->is_entry ? register_entry(f->src, f->max_regs, &least) : 0;
	if (!start && least < WL_NUM_REGS)
		f->diag(f->diag_self, &(struct wlcc_message){.severity = WLCC_INFO, .file = f->file, .text = ignored});
	if (start && f->regs > least)
		lower_warn(f, f->src->pos.line,
		           "setmaxnreg leaves %u registers, and the code of '%s' names %u: models run the code, "
		           "silicon does not",
		           least, f->src->name, f->regs);
	return start > f->regs ? start : f->regs;
}

static bool compile_function(struct mfunc *f, const struct ptx_module *ptx, const struct wlcc_options *o,
                             uint32_t dynamic, const struct module_vars *vars, struct kernel_code *c)
{
	struct lower_module m = {.shared_dynamic = dynamic,
	                         .clusters = vars->clusters,
	                         .relocatable = o->relocatable,
	                         .constant_bytes = o->relocatable ? CONSTANT_BANK_BYTES : vars->constant_bytes,
	                         .inner = vars->inner,
	                         .ninner = vars->ninner};
	lower_place(&m, ptx, f->src, f);
	f->frame = m.local_bytes;
	if (!lower_select(f, &m))
		return false;
	dump(f, o, "select");
	for (unsigned i = 0; i < PASSES; i++)
		if (f->opt >= passes[i].from) {
			passes[i].run(f);
			dump(f, o, passes[i].name);
		}
	if (!lower_regalloc(f))
		return false;
	dump(f, o, "regalloc");
	lower_frame(f);
	dump(f, o, "frame");
	lower_drop_warpsyncs(f);
	dump(f, o, "100");
	lower_layout(f);
	dump(f, o, "layout");
	if (!lower_encode(f, c) || !lower_sched(f))
		return false;
	dump(f, o, "sched");
	lower_fix_boards(f);
	dump(f, o, "114");
	lower_put_sched(f, c);
	if (o->print_passes)
		sync_report(f, c, o->print_passes);
	c->src = f->src;
	c->calls = f->calls;
	c->system_shared = f->system_shared;
	c->notes = f->notes;
	c->stored = f->stored;
	c->loaded = f->loaded;
	c->regs = entry_registers(f);
	c->frame = f->frame;
	c->shared = m.shared_static;
	if (!o->relocatable) /* else symbols, each with its own place */
		lower_name_shared(&m, f, c);
	c->max_regs = f->max_regs;
	c->param_base = m.param_base;
	c->param_bytes = (uint32_t)f->src->param_size;
	return true;
}

struct sass {
	FILE *to;
	enum wl_arch arch;
	const char **line; /* start of each line of the PTX, from 1, and one entry more; NULL: no explanations */
	uint32_t nlines;
	struct code_note **why; /* notes of the kernel by line, the oldest first */
};

static void find_lines(struct sass *s, struct arena *a, const char *text, size_t size)
{
	const char *end = text + size;
	uint32_t n = 1;
	for (const char *p = text; p < end; p++)
		n += *p == '\n';
	s->line = arena_alloc(a, (n + 2) * sizeof *s->line);
	s->why = arena_alloc(a, (n + 2) * sizeof *s->why);
	s->line[1] = text;
	s->nlines = 1;
	for (const char *p = text; p < end; p++)
		if (*p == '\n')
			s->line[++s->nlines] = p + 1;
	s->line[s->nlines + 1] = end;
}

static void find_notes(struct sass *s, const struct kernel_code *c)
{
	memset(s->why, 0, (s->nlines + 2) * sizeof *s->why);
	for (struct code_note *n = c->notes; n; n = n->older)
		if (n->line <= s->nlines) {
			n->next = s->why[n->line];
			s->why[n->line] = n;
		}
}

/* Prints the line without blanks at both ends, then its notes. */
static void explain(const struct sass *s, uint32_t line)
{
	const char *from = s->line[line], *to = s->line[line + 1];
	while (from < to && (unsigned char)*from <= ' ')
		from++;
	while (to > from && (unsigned char)to[-1] <= ' ')
		to--;
	fprintf(s->to, "// line %u: %.*s\n", line, (int)(to - from), from);
	for (const struct code_note *n = s->why[line]; n; n = n->next)
		fprintf(s->to, "//   %s\n", n->text);
}

static void print_sass(struct sass *s, const struct kernel_code *c)
{
	char text[256];
	FILE *to = s->to;
	fprintf(to, "%s %s\n", c->src->is_entry ? ".entry" : ".func", c->src->name);
	if (s->line)
		find_notes(s, c);
	for (uint32_t i = 0; i < c->n; i++) {
		if (s->line && c->lines[i] && c->lines[i] <= s->nlines && (i == 0 || c->lines[i] != c->lines[i - 1]))
			explain(s, c->lines[i]);
		if (wl_print(s->arch, c->words[i], 16 * (uint64_t)i, text, sizeof text) < 0)
			snprintf(text, sizeof text, "(no text)");
		fprintf(to, "%s\n", text);
	}
}

static void print_usage(FILE *to, const struct kernel_code *c)
{
	if (!c->src->is_entry)
		return;
	fprintf(to,
	        "wlcc: kernel %s: %u registers, %u barriers, %u bytes of frame, %u bytes of spill stores, %u bytes of "
	        "spill loads, %u bytes of shared memory, %u bytes of parameters, %u instructions",
	        c->src->name, c->regs, c->barriers, c->frame, c->stored, c->loaded, c->shared, c->param_bytes, c->n);
	if (c->stack == UNKNOWN_STACK)
		fputs(", stack as deep as its calls go\n", to);
	else
		fprintf(to, ", %u bytes of stack\n", c->stack);
}

/* .pragma "nounroll" in front of the function, or anywhere at module level. Selection reads the pragma of a loop. */
static bool keeps_loops(const struct ptx_module *ptx, const struct ptx_function *fn)
{
	for (uint32_t i = 0; i < ptx->nitems; i++)
		if (ptx->items[i].kind == PTX_ITEM_PRAGMA && strstr(ptx->items[i].text, "\"nounroll\""))
			return true;
	for (uint32_t i = 0; i < fn->npragmas; i++)
		if (fn->pragmas[i].instr == PTX_NONE && strcmp(fn->pragmas[i].text, "nounroll") == 0)
			return true;
	return false;
}

static struct mfunc make_function(struct ptx_module *ptx, struct arena *scratch, const struct wlcc_options *o,
                                  const struct ptx_function *fn, unsigned of_functions)
{
	return (struct mfunc){
	        .arena = scratch,
	        .keep = &ptx->arena,
	        .src = fn,
	        .file = o->file,
	        .diag = o->diag,
	        .diag_self = o->diag_self,
	        .arch = o->arch,
	        .chip = o->chip ? o->chip : o->arch,
	        .target = lower_target(o->arch),
	        .opt = o->opt,
	        .compat = o->ptxas_compat,
	        .knobs = {.mode = (enum sync_mode)o->sync_mode,
	                  .no_errbars = o->no_errbars,
	                  .stage = !o->no_stage,
	                  .no_paths = o->no_barrier_paths,
	                  .no_internals = o->no_internals,
	                  .unroll = keeps_loops(ptx, fn) ? 0 : o->unroll},
	        .silicon_words = o->silicon_words,
	        .ptxas = o->ptxas ? o->ptxas : UINT_MAX,
	        .masks_apart = o->masks_apart,
	        .print_overlaps = o->print_overlaps,
	        .native_shared = o->native_shared,
	        .max_regs = fn->is_entry && fn->has_body ? register_limit(fn, o) : of_functions,
	};
}

/* Kernels with calls count the needs of all functions. A call by address may reach any function, so the compiler does
 * not look for the callees of a kernel. */
static void count_callees(struct kernel_code *codes, uint32_t n)
{
	enum { DRIVER_REGS = 24 }; /* of driver functions such as vprintf */
	uint32_t most = DRIVER_REGS;
	uint32_t barriers = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!codes[i].src->is_entry && codes[i].regs > most)
			most = codes[i].regs;
	for (uint32_t i = 0; i < n; i++)
		if (!codes[i].src->is_entry && codes[i].barriers > barriers)
			barriers = codes[i].barriers;
	for (uint32_t i = 0; i < n; i++)
		if (codes[i].src->is_entry && codes[i].calls) {
			codes[i].regs = codes[i].regs < most ? most : codes[i].regs;
			codes[i].barriers = codes[i].barriers < barriers ? barriers : codes[i].barriers;
		}
}

static bool can_be_linked(const struct wlcc_options *o)
{
	static const char text[] = "option -c: objects of sm_100 and later hold the code a second time, in sections "
	                           "'.nv.merc' whose form is not public; only up to sm_90 is built";
	if (o->arch < WL_SM100)
		return true;
	o->diag(o->diag_self, &(struct wlcc_message){.severity = WLCC_ERROR, .file = o->file, .text = text});
	return false;
}

/* In a module for the linker: the shared variables visible to other modules. */
static uint32_t visible_shared(const struct ptx_module *ptx, const struct ptx_var **list)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < ptx->nvars; i++) {
		const struct ptx_var *v = ptx->vars[i];
		if ((v->space == PTX_SP_shared || v->space == PTX_SP_shared_cta) && v->linkage != PTX_LINK_LOCAL &&
		    v->linkage != PTX_LINK_EXTERN && !v->unsized)
			list[n++] = v;
	}
	return n;
}

struct functions {
	struct ptx_module *ptx;
	const struct wlcc_options *o;
	struct module_vars vars;
	struct library *library;
	struct internals internals;
	uint32_t dynamic;
	uint32_t n, own;   /* own: without the internal functions */
	unsigned max_regs; /* of functions */
	struct kernel_code *codes;
};

static bool add_function(struct functions *m, struct arena *scratch, const struct ptx_function *fn, bool is_internal)
{
	struct mfunc f = make_function(m->ptx, scratch, m->o, fn, m->max_regs);
	bool good;
	f.library = &m->library;
	f.internals = &m->internals;
	f.is_internal = is_internal;
	good = compile_function(&f, m->ptx, m->o, m->dynamic, &m->vars, &m->codes[m->n]);
	m->n += good;
	arena_reset(scratch);
	return good;
}

/* Compiles the functions of the module, then the internal functions called by the module. */
static bool compile_functions(struct functions *m)
{
	struct arena scratch = {0};
	struct kernel_code *own;
	bool good = true;
	m->codes = arena_alloc(&m->ptx->arena, (m->ptx->nfunctions + 1) * sizeof *m->codes);
	for (uint32_t i = 0; i < m->ptx->nfunctions; i++)
		if (m->ptx->functions[i]->has_body)
			good &= add_function(m, &scratch, m->ptx->functions[i], false);
	own = m->codes;
	m->own = m->n;
	m->codes = arena_grow(&m->ptx->arena, own, m->n * sizeof *own, (m->n + m->internals.n + 1) * sizeof *own);
	for (const struct internal *x = m->internals.first; x && good; x = x->next)
		good &= add_function(m, &scratch, x->module->functions[0], true);
	arena_free(&scratch);
	library_free(&m->library);
	return good;
}

static void write_module(const struct functions *m, const char *text, size_t size, struct wlcc_bytes *out)
{
	struct ptx_module *ptx = m->ptx;
	const struct wlcc_options *o = m->o;
	const struct ptx_var **shared = arena_alloc(&ptx->arena, (ptx->nvars + 1) * sizeof *shared);
	struct sass sass = {.to = o->emit_sass, .arch = o->arch};
	struct kernel_code *codes = m->codes;
	const uint32_t n = m->n;
	count_callees(codes, n);
	stacks_measure(&ptx->arena, codes, n);
	if (o->emit_sass && o->explain)
		find_lines(&sass, &ptx->arena, text, size);
	for (uint32_t i = m->own; i < n && o->emit_sass; i++) /* the listing has internal functions before callers */
		print_sass(&sass, &codes[i]);
	for (uint32_t i = 0; i < m->own && o->emit_sass; i++)
		print_sass(&sass, &codes[i]);
	for (uint32_t i = 0; i < n && o->usage; i++)
		print_usage(o->usage, &codes[i]);
	object_write(&(struct object_input){.arch = o->arch,
	                                    .chip = o->chip ? o->chip : o->arch,
	                                    .relocatable = o->relocatable,
	                                    .nkernels = n,
	                                    .kernels = codes,
	                                    .nvars = m->vars.n,
	                                    .vars = m->vars.list,
	                                    .constant_bytes = m->vars.constant_bytes,
	                                    .nshared = o->relocatable ? visible_shared(ptx, shared) : 0,
	                                    .shared = shared,
	                                    .source = o->source_name ? o->source_name : o->file,
	                                    .files = ptx->files,
	                                    .nfiles = ptx->nfiles,
	                                    .items = ptx->items,
	                                    .nitems = ptx->nitems,
	                                    .text = o->debug || ptx->nfiles ? text : NULL,
	                                    .text_size = size},
	             out);
}

static bool compile_module(struct ptx_module *ptx, const struct wlcc_options *o, const char *text, size_t size,
                           struct wlcc_bytes *out)
{
	struct functions m = {.ptx = ptx, .o = o, .max_regs = register_limit_of_functions(ptx, o)};
	bool good = lower_place_module(ptx, o, &m.vars, &m.dynamic) && (!o->relocatable || can_be_linked(o));
	if (!good)
		return false;
	good = compile_functions(&m);
	if (good)
		write_module(&m, text, size, out);
	internals_free(&m.internals);
	return good;
}

/* The first reading has already reported the warnings. */
static void tell_errors(void *options, const struct wlcc_message *m)
{
	const struct wlcc_options *o = options;
	if (m->severity == WLCC_ERROR)
		o->diag(o->diag_self, m);
}

static struct ptx_module *parse_expanded(const char *text, size_t size, const struct wlcc_options *o,
                                         struct ptx_options po)
{
	struct wlcc_options told = *o;
	po.diag = tell_errors;
	po.diag_self = &told;
	return ptx_parse(text, size, &po);
}

/* Parses the module. To generate code, instructions replace intrinsics, and the new text is parsed. NULL: an error
 * was reported. */
static struct ptx_module *parse(const char *text, size_t size, const struct ptx_options *po,
                                const struct wlcc_options *o, bool check_only)
{
	struct ptx_module *m = ptx_parse(text, size, po);
	struct ocg_edits *edits = check_only ? NULL : ocg_edits_open(text, size);
	const bool good = m && ocg_calls_fit(m, o, edits);
	char *expanded = good && edits ? ocg_edits_apply(edits, &size) : NULL;
	if (m && (!good || expanded)) {
		ptx_module_free(m);
		m = expanded ? parse_expanded(expanded, size, o, *po) : NULL;
	}
	if (edits)
		ocg_edits_close(edits);
	free(expanded);
	return m;
}

static bool compile_ptx(const char *text, size_t size, const struct wlcc_options *o, bool check_only,
                        struct wlcc_bytes *out)
{
	struct ptx_options po = {.file = o->file,
	                         .diag = o->diag,
	                         .diag_self = o->diag_self,
	                         .strict_version = o->strict_version,
	                         .ptxas = o->ptxas,
	                         .makes_code = !check_only,
	                         .arch = o->chip ? o->chip : o->arch,
	                         .suffix = o->suffix};
	struct ptx_module *ptx;
	bool good;

	if (out)
		*out = (struct wlcc_bytes){NULL, 0};
	if (!check_only && !lower_target(o->arch)) {
		char why[80];
		snprintf(why, sizeof why, "code generation for sm_%u is not built yet", (unsigned)o->arch);
		o->diag(o->diag_self, &(struct wlcc_message){.severity = WLCC_ERROR, .file = o->file, .text = why});
		return false;
	}
	ptx = parse(text, size, &po, o, check_only);
	if (!ptx)
		return false;
	good = register_changes_fit(ptx, o) && safety_check(ptx, o) &&
	       (check_only || compile_module(ptx, o, text, size, out));
	ptx_module_free(ptx);
	return good;
}

bool wlcc_compile_ptx(const char *text, size_t size, const struct wlcc_options *o, bool check_only,
                      struct wlcc_bytes *out)
{
	const struct wlcc_options with = ptx_options_with_names(o);
	return compile_ptx(text, size, &with, check_only, out);
}

bool wlcc_judges(const char *name, unsigned *chip, char *suffix)
{
	return ptx_arch_named(name, chip, suffix);
}

bool wlcc_knows_toolkit(unsigned toolkit)
{
	return ptx_toolkit_known(toolkit);
}

const char *wlcc_judged(unsigned i)
{
	return ptx_arch_name(i);
}
