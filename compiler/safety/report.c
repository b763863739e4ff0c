// SPDX-License-Identifier: Apache-2.0
/* report.c -- warnings, with the places of the causes. */
#include "analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "safety.h"

enum { MAX_TEXT = 700, MAX_STEPS = 10000, MAX_TOLD = 24 };

static const char *file_named(const struct ptx_module *m, uint32_t number)
{
	for (uint32_t k = 0; k < m->nfiles; k++)
		if (m->files[k].number == number)
			return m->files[k].name;
	return NULL;
}

static void put(struct report *r, enum wlcc_severity severity, const struct analysis *a, uint32_t instr,
                const char *text)
{
	const struct ptx_instr *i = &a->fn->instrs[instr];
	const struct wlcc_options *o = r->m->o;
	const struct ptx_loc *loc = i->loc < a->fn->nlocs ? &a->fn->locs[i->loc] : NULL;
	const char *file = loc && loc->line ? file_named(r->m->m, loc->file) : NULL;
	const char *base = file ? strrchr(file, '/') : NULL;
	char whole[MAX_TEXT + 400];
	int n = snprintf(whole, sizeof whole, "%s", text);
	if (file)
		n += snprintf(whole + n, sizeof whole - (size_t)n, " (%.120s:%u)", base ? base + 1 : file, loc->line);
	if (severity == WLCC_WARNING)
		snprintf(whole + n, sizeof whole - (size_t)n, " [-W%s]", r->option);
	o->diag(o->diag_self, &(struct wlcc_message){.severity = severity,
	                                             .file = o->file,
	                                             .line = i->pos.line,
	                                             .column = i->pos.col,
	                                             .text = whole});
}

void report_warning(struct report *r, const struct analysis *a, uint32_t instr, const char *fmt, ...)
{
	char text[MAX_TEXT];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	r->m->warnings++;
	put(r, r->m->o->warnings_are_errors ? WLCC_ERROR : WLCC_WARNING, a, instr, text);
}

void report_note(struct report *r, const struct analysis *a, uint32_t instr, const char *fmt, ...)
{
	char text[MAX_TEXT];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	put(r, WLCC_INFO, a, instr, text);
}

/* ---- the way back to the source ---- */

struct step {
	const struct analysis *a;
	struct cause cause;
	unsigned kind; /* the difference to follow: index of cause[] */
	uint32_t instr;
};

static unsigned followed(const struct vary *v)
{
	for (unsigned c = 0; c < CAUSES; c++)
		if (v->bits >> c & 1)
			return c;
	return CAUSES;
}

/* Follows a kind of difference as long as the value has this kind, else the first kind of the value. */
static bool take(struct step *s, const struct vary *v)
{
	unsigned kind = s->kind < CAUSES && (v->bits >> s->kind & 1) ? s->kind : followed(v);
	if (kind == CAUSES)
		return false;
	s->kind = kind;
	s->cause = v->cause[kind];
	return true;
}

struct name {
	char *to;
	const struct step *s;
};

static void leaf_name(void *self, const struct ptx_operand *o)
{
	struct name *n = self;
	const struct vary v = operand_vary(n->s->a, o, n->s->instr);
	static const char *const comps[] = {".x", ".y", ".z", ".w"};
	if (o->kind == PTX_O_SREG && !n->to[0] && (v.bits >> n->s->kind & 1))
		snprintf(n->to, 64, "%%%s%s", ptx_sreg_name((enum ptx_sreg)o->sreg), o->comp < 4 ? comps[o->comp] : "");
}

static void name_source(struct report *r, struct step *s, bool print)
{
	const struct ptx_instr *i = &s->a->fn->instrs[s->instr];
	char text[64] = "";
	struct name n = {text, s};
	for (unsigned k = 0; k < i->nops; k++)
		visit_leaves(&i->ops[k], &n, leaf_name);
	if (!print)
		return;
	if (text[0])
		report_note(r, s->a, s->instr, "%s is read here", text);
	else
		report_note(r, s->a, s->instr, "'%s' gives each thread its own result here",
		            ptx_op_name((enum ptx_op)i->op));
}

static bool step_value(struct report *r, struct step *s, uint32_t value, bool print)
{
	const struct value *v = &s->a->values[value];
	char reg[64];
	if (!take(s, &v->vary))
		return false;
	if (v->instr == PTX_NONE)
		return true; /* a join: the report names the branch or the definition behind */
	s->instr = v->instr;
	if (print && s->cause.kind != CAUSE_SOURCE)
		report_note(r, s->a, v->instr, "%s comes from '%s'", ptx_reg_name(s->a->fn, v->reg, reg, sizeof reg),
		            ptx_op_name((enum ptx_op)s->a->fn->instrs[v->instr].op));
	return true;
}

static bool step_branch(struct report *r, struct step *s, uint32_t block, bool print)
{
	s->instr = s->a->s.last[block] - 1;
	if (print)
		report_note(r, s->a, s->instr, "which value counts depends on this branch");
	return take(s, &s->a->branches[block]);
}

static bool step_call(struct report *r, struct step *s, const struct cause *c, bool print)
{
	const struct ptx_operand *args;
	const struct ptx_instr *i;
	const struct analysis *callee = s->a;
	s->a = c->caller;
	s->instr = c->from;
	i = &s->a->fn->instrs[s->instr];
	args = &i->ops[2];
	if (print)
		report_note(r, s->a, s->instr, "argument of the call of '%.200s'", callee->fn->name);
	for (unsigned k = 0; k < args->count; k++) {
		const struct ptx_operand *o = &args->list[k];
		struct vary v = operand_vary(s->a, o, s->instr);
		for (uint32_t n = 0; o->kind == PTX_O_SYMBOL && n < s->a->fn->nvars; n++)
			if (o->sym->kind == PTX_SYM_VAR && s->a->fn->vars[n] == o->sym->var)
				v = s->a->vars[n];
		if (v.bits >> s->kind & 1)
			return take(s, &v);
	}
	return false;
}

struct origin report_chain(struct report *r, const struct analysis *a, uint32_t branch_instr, bool tell)
{
	const uint32_t guard = a->fn->instrs[branch_instr].guard;
	const struct vary v = register_vary(a, guard, branch_instr);
	struct step s = {.a = a, .kind = CAUSES, .instr = branch_instr};
	bool good = take(&s, &v);
	for (unsigned n = 0; good && n < MAX_STEPS; n++) {
		const struct cause c = s.cause;
		const bool print = tell && (n < MAX_TOLD || c.kind == CAUSE_SOURCE);
		switch (c.kind) {
		case CAUSE_VALUE:
			good = step_value(r, &s, c.from, print);
			break;
		case CAUSE_BRANCH:
			good = step_branch(r, &s, c.from, print);
			break;
		case CAUSE_PARAM:
			good = take(&s, &s.a->params[c.from]);
			break;
		case CAUSE_VAR:
			good = take(&s, &s.a->vars[c.from]);
			break;
		case CAUSE_CALL:
			good = step_call(r, &s, &c, print);
			break;
		case CAUSE_SOURCE:
			name_source(r, &s, print);
			return (struct origin){s.a, s.instr};
		default:
			good = false;
		}
	}
	return (struct origin){a, PTX_NONE};
}

const char *wlcc_warning_name(unsigned i)
{
	static const char *const names[] = {"divergent-barrier", "mbarrier"}; /* bit i of WLCC_WARN_... */
	return i < sizeof names / sizeof *names ? names[i] : NULL;
}

bool safety_check(struct ptx_module *m, const struct wlcc_options *o)
{
	struct module_analysis all = {.m = m, .o = o};
	if (!o->warnings)
		return true;
	all.fns = arena_zalloc(&all.arena, (m->nfunctions + 1) * sizeof *all.fns);
	analysis_vary(&all);
	if (o->warnings & WLCC_WARN_DIVERGENT_BARRIER)
		check_divergent(&all);
	if (o->warnings & WLCC_WARN_MBARRIER)
		check_mbarriers(&all);
	arena_free(&all.arena);
	arena_free(&all.walk);
	arena_free(&all.path);
	return !(all.warnings && o->warnings_are_errors);
}
