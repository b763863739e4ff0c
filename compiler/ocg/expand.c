// SPDX-License-Identifier: Apache-2.0
/* expand.c -- PTX with instructions in place of calls of intrinsics. Each call is replaced in the text, on its own
 * lines, so that every later reader of the PTX sees instructions only. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../ptx/ptx.h"
#include "code.h"
#include "expand.h"

enum { MAX_STATEMENT = 4096, MAX_REPLACED = 8192 };

struct edit {
	size_t begin, end;
	char *text;
};

struct ocg_edits {
	const char *text;
	size_t size;
	size_t *lines; /* offset of line k at k - 1; NULL: not searched yet */
	size_t nlines, n, space;
	struct edit *list;
};

static void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

static void find_lines(struct ocg_edits *e)
{
	e->nlines = 1;
	for (size_t i = 0; i < e->size; i++)
		e->nlines += e->text[i] == '\n';
	e->lines = checked(malloc(e->nlines * sizeof *e->lines));
	e->lines[0] = 0;
	for (size_t i = 0, k = 1; i < e->size; i++)
		if (e->text[i] == '\n')
			e->lines[k++] = i + 1;
}

struct ocg_edits *ocg_edits_open(const char *text, size_t size)
{
	struct ocg_edits *e = checked(calloc(1, sizeof *e));
	e->text = text;
	e->size = size;
	return e;
}

void ocg_edits_close(struct ocg_edits *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->list[i].text);
	free(e->list);
	free(e->lines);
	free(e);
}

/* ---- the statement ---- */

/* Copies the text from `at` up to the semicolon without comments. Returns the offset behind the semicolon; 0: no
 * semicolon. */
static size_t statement(const struct ocg_edits *e, size_t at, char *to)
{
	size_t n = 0;
	for (; at < e->size && n + 1 < MAX_STATEMENT; at++) {
		const char *c = e->text + at;
		const size_t left = e->size - at;
		if (left > 1 && c[0] == '/' && c[1] == '/') {
			while (at + 1 < e->size && e->text[at + 1] != '\n')
				at++;
		} else if (left > 1 && c[0] == '/' && c[1] == '*') {
			at += 2;
			while (at + 1 < e->size && !(e->text[at] == '*' && e->text[at + 1] == '/'))
				at++;
			at++;
		} else if (*c == ';') {
			to[n] = 0;
			return at + 1;
		} else {
			to[n++] = *c == '\n' ? ' ' : *c;
		}
	}
	return 0;
}

struct piece {
	const char *at;
	size_t n;
};

/* Reads the list in the next parentheses of *at, separated by commas. Returns the number of pieces. */
static unsigned read_list(const char **at, struct piece *list, unsigned most)
{
	unsigned n = 0;
	int depth = 0;
	const char *c = strchr(*at, '('), *first;
	if (!c)
		return 0;
	for (first = ++c; *c; c++) {
		if ((*c == ',' || *c == ')') && depth == 0) {
			if (n < most)
				list[n++] = (struct piece){first, (size_t)(c - first)};
			first = c + 1;
			if (*c == ')')
				break;
		} else {
			depth += (*c == '(' || *c == '{') - (*c == ')' || *c == '}');
		}
	}
	*at = *c ? c + 1 : c;
	return n;
}

/* Start of the guard of the name at `at`. */
static size_t guard_begin(const struct ocg_edits *e, size_t at)
{
	while (at > 0 && e->text[at - 1] != '@' && e->text[at - 1] != ';')
		at--;
	return at > 0 && e->text[at - 1] == '@' ? at - 1 : at;
}

/* ---- the replacement ---- */

struct out {
	char text[MAX_REPLACED];
	size_t n;
	bool full;
};

static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	const int n = vsnprintf(o->text + o->n, sizeof o->text - o->n, format, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof o->text - o->n)
		o->full = true;
	else
		o->n += (size_t)n;
}

static bool is_param(const struct ptx_operand *o)
{
	return o->kind == PTX_O_SYMBOL && o->sym->kind == PTX_SYM_VAR &&
	       (o->sym->var->space == PTX_SP_param || o->sym->var->space == PTX_SP_param_func);
}

static void declare(struct out *o, const struct ocg_call *c, const struct ocg_code *t)
{
	for (unsigned k = c->nresults; k < c->noperands; k++)
		put(o, ".reg .b%u %s%u; ", ocg_bits(c->operands[k].type), OCG_REGISTER, k - c->nresults);
	for (unsigned k = 0; k < c->noperands; k++) {
		if (t->low >> k & 1)
			put(o, ".reg .b32 %ss%u; ", OCG_REGISTER, k);
		if (t->long_ >> k & 1)
			put(o, ".reg .b64 %sg%u; ", OCG_REGISTER, k);
	}
	if (t->wide)
		put(o, ".reg .b64 %sw; ", OCG_REGISTER);
	if (c->nresults)
		put(o, ".reg .b%u %sr; ", ocg_bits(c->operands[0].type), OCG_REGISTER);
}

static void convert(struct out *o, const struct ocg_code *t, char form, unsigned k, unsigned from, unsigned to)
{
	put(o, "%s", t->guard);
	if (from == to)
		put(o, "mov.b%u", to);
	else
		put(o, "cvt.u%u.u%u", to, from);
	put(o, " %s%c%u, %s%u; ", OCG_REGISTER, form, k, OCG_REGISTER, k);
}

static void take_operands(struct out *o, const struct ocg_call *c, const struct ocg_code *t, const struct ptx_instr *i,
                          const struct piece *list)
{
	for (unsigned k = 0; k + c->nresults < c->noperands; k++) {
		const unsigned bits = ocg_bits(c->operands[k + c->nresults].type);
		const bool param = is_param(&i->ops[2].list[k]);
		put(o, "%s%s.b%u %s%u, %s%.*s%s; ", t->guard, param ? "ld.param" : "mov", bits, OCG_REGISTER, k,
		    param ? "[" : "", (int)list[k].n, list[k].at, param ? "]" : "");
		if (t->low >> k & 1)
			convert(o, t, 's', k, bits, 32);
		if (t->long_ >> k & 1)
			convert(o, t, 'g', k, bits, 64);
	}
}

static void give_result(struct out *o, const struct ocg_call *c, const struct ocg_code *t, const struct ptx_instr *i,
                        const struct piece *result)
{
	const unsigned bits = ocg_bits(c->operands[0].type);
	if (is_param(&i->ops[0].list[0]))
		put(o, "%sst.param.b%u [%.*s], %sr; ", t->guard, bits, (int)result->n, result->at, OCG_REGISTER);
	else
		put(o, "%smov.b%u %.*s, %sr; ", t->guard, bits, (int)result->n, result->at, OCG_REGISTER);
}

static void add_edit(struct ocg_edits *e, size_t begin, size_t end, struct out *o)
{
	for (size_t i = begin; i < end; i++) /* lines keep their numbers */
		if (e->text[i] == '\n')
			put(o, "\n");
	if (e->n == e->space) {
		e->space = e->space ? 2 * e->space : 16;
		e->list = checked(realloc(e->list, e->space * sizeof *e->list));
	}
	e->list[e->n++] = (struct edit){begin, end, checked(strdup(o->text))};
}

static bool operands_can_be_moved(const struct ocg_call *c, const char **why)
{
	for (unsigned k = 0; k < c->noperands; k++)
		if (ocg_bits(c->operands[k].type) != 32 && ocg_bits(c->operands[k].type) != 64) {
			*why = "code exists for operands of 32 and 64 bits";
			return false;
		}
	return true;
}

bool ocg_edits_add(struct ocg_edits *e, const struct ocg_call *c, const struct ptx_function *in,
                   const struct ptx_instr *i, char *why, size_t size)
{
	char words[MAX_STATEMENT], guard[640] = "", name[512];
	struct piece results[4], list[OCG_MAX_OPERANDS];
	const char *at = words, *text = "";
	struct ocg_code t = {.guard = guard};
	struct out o = {.n = 0};
	if (i->guard != PTX_NONE)
		snprintf(guard, sizeof guard, "@%s%s ", i->guard_negated ? "!" : "",
		         ptx_reg_name(in, i->guard, name, sizeof name));
	if (!operands_can_be_moved(c, &text) || !ocg_code(c, &t)) {
		snprintf(why, size, "%s", t.missing[0] ? t.missing : text);
		return false;
	}
	if (!e->lines)
		find_lines(e);
	size_t begin = e->lines[i->pos.line - 1] + i->pos.col - 1;
	const size_t end = statement(e, begin, words);
	if (i->ops[0].count)
		read_list(&at, results, 4);
	const unsigned n = i->ops[2].count ? read_list(&at, list, OCG_MAX_OPERANDS) : 0;
	if (i->guard != PTX_NONE)
		begin = guard_begin(e, begin);
	put(&o, "{ ");
	declare(&o, c, &t);
	if (end && n + c->nresults == c->noperands) {
		take_operands(&o, c, &t, i, list);
		put(&o, "%s", t.text);
		if (c->nresults)
			give_result(&o, c, &t, i, results);
		put(&o, "}");
		add_edit(e, begin, end, &o);
	}
	if (!end || n + c->nresults != c->noperands || o.full)
		snprintf(why, size, "the call is too long, or has another number of operands than the declaration");
	return end && n + c->nresults == c->noperands && !o.full;
}

static int by_place(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

char *ocg_edits_apply(struct ocg_edits *e, size_t *size)
{
	size_t n = e->size + 1, at = 0;
	if (!e->n)
		return NULL;
	for (size_t i = 0; i < e->n; i++)
		n += strlen(e->list[i].text);
	char *to = checked(malloc(n));
	n = 0;
	qsort(e->list, e->n, sizeof *e->list, by_place);
	for (size_t i = 0; i < e->n; i++) {
		const struct edit *d = &e->list[i];
		memcpy(to + n, e->text + at, d->begin - at);
		n += d->begin - at;
		memcpy(to + n, d->text, strlen(d->text));
		n += strlen(d->text);
		at = d->end;
	}
	memcpy(to + n, e->text + at, e->size - at);
	n += e->size - at;
	to[n] = 0;
	*size = n;
	return to;
}
