// SPDX-License-Identifier: Apache-2.0
/* func.c -- .entry and .func: parameters, performance directives, body. */
#include <string.h>

#include "parse.h"

/* `( .param ..., .param ... )` after its `(`. */
static bool param_list(struct ptx_parser *p, struct ptx_var ***list, uint32_t *n)
{
	uint32_t cap = 0;
	if (ptx_accept(p, ')'))
		return true;
	do {
		struct ptx_var *v = ptx_param_decl(p);
		if (v == NULL)
			return false;
		v->index = *n;
		struct ptx_var **slot = ptx_push(p, list, n, &cap, sizeof *slot);
		*slot = v;
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ')');
}

static void place_params(struct ptx_function *f)
{
	uint64_t at = 0;
	for (uint32_t i = 0; i < f->nparams; i++) {
		struct ptx_var *v = f->params[i];
		uint64_t align = v->align ? v->align : 1;
		at = (at + align - 1) / align * align;
		v->offset = at;
		at += v->size;
	}
	f->param_size = at;
}

/* Limits the bytes of parameters of a kernel, with the count and the text of ptxas. */
static void hold_param_limit(struct ptx_parser *p, const struct ptx_function *f, struct ptx_pos at)
{
	enum { SMALL = 0x1100, LARGE = 0x7ffc }; /* LARGE: from .version 8.1 on */
	const unsigned most = p->m->version >= 81 ? LARGE : SMALL;
	if (!f->is_entry || f->param_size <= SMALL)
		return;
	if (f->param_size > most)
		ptx_error(p, at, "Entry function '%.200s' uses too much parameter space (0x%llx bytes, 0x%x max).",
		          f->name, (unsigned long long)f->param_size, most);
	ptx_gate(p, at, 10, 70, "Feature 'Kernel parameter size larger than 4352 bytes'");
	ptx_gate(p, at, 81, 10, "Feature 'Kernel parameter size larger than 4352 bytes'");
}

static bool three_ints(struct ptx_parser *p, uint32_t out[3])
{
	out[1] = out[2] = 1;
	for (unsigned i = 0; i < 3; i++) {
		if (i && !ptx_accept(p, ','))
			break;
		if (!ptx_expect_int(p, INT32_MAX, &out[i]))
			return false;
	}
	return true;
}

/* Refuses 0 as a count of a directive. */
static bool positive(struct ptx_parser *p, struct ptx_pos at, const char *name, const uint32_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!v[i]) {
			ptx_error(p, at, "Positive non-zero value expected for %s", name);
			break;
		}
	return true;
}

/* Reports conflicting directives, and directives without a required partner, at the end of the function, like ptxas. */
static void hold_together(struct ptx_parser *p, const struct ptx_function *f, struct ptx_pos at)
{
	if (f->reqnctapercluster[0] && f->maxclusterrank)
		ptx_error(p, at,
		          "Conflicting directives: .reqnctapercluster and .maxclusterrank cannot both be specified");
	if (f->maxntid[0] && f->reqntid[0])
		ptx_error(p, at, "Conflicting directives: .maxntid and .reqntid cannot both be specified");
	if (f->blocksareclusters && (!f->reqntid[0] || !f->reqnctapercluster[0]))
		ptx_error(p, at,
		          ".reqntid and .reqnctapercluster directive(s) required for directive '.blocksareclusters'");
}

static void feature(struct ptx_parser *p, struct ptx_pos at, const char *name, unsigned version, unsigned target)
{
	ptx_gate(p, at, version, target, "Feature '.%s'", name);
}

static bool pragma(struct ptx_parser *p, struct ptx_function *f)
{
	do {
		if (p->tok.kind != TOK_STRING)
			return ptx_syntax_error(p);
		struct ptx_pragma *slot = ptx_push(p, &f->pragmas, &f->npragmas, &p->cap_pragmas, sizeof *slot);
		slot->text = ptx_text(p, &p->tok);
		slot->instr = PTX_NONE;
		ptx_next(p);
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ';');
}

static bool word_is(const struct ptx_token *t, const char *text)
{
	return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

/* Is the word a directive of kernels at a function, or a directive of functions at a kernel? */
static bool misplaced(const struct ptx_token *t, bool is_entry)
{
	static const char *const of_kernels[] = {"maxntid",         "reqntid",        "minnctapersm",
	                                         "maxnctapersm",    "maxnreg",        "reqnctapercluster",
	                                         "explicitcluster", "maxclusterrank", "blocksareclusters"},
	                         *const of_functions[] = {"noreturn", "abi_preserve", "abi_preserve_control"};
	if (is_entry) {
		for (unsigned i = 0; i < sizeof of_functions / sizeof *of_functions; i++)
			if (word_is(t, of_functions[i]))
				return true;
		return false;
	}
	for (unsigned i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++)
		if (word_is(t, of_kernels[i]))
			return true;
	return false;
}

/* The words between the parameters and the body. */
static bool directives(struct ptx_parser *p, struct ptx_function *f)
{
	uint32_t ignored;
	while (p->tok.kind == TOK_DOT) {
		struct ptx_token word = p->tok;
		struct ptx_pos at = ptx_here(p);
		bool ok = true;
		if (ptx_is_dot(p, "attribute")) { /* .unified(..): an identity for linking, without meaning here */
			struct ptx_const c;
			ptx_next(p);
			ok = ptx_expect(p, '(');
			if (ok && !ptx_is_dot(p, "unified"))
				ok = ptx_syntax_error(p);
			if (ok) {
				ptx_next(p);
				ok = ptx_expect(p, '(') && ptx_const_int(p, &c) && ptx_expect(p, ',') &&
				     ptx_const_int(p, &c) && ptx_expect(p, ')') && ptx_expect(p, ')');
			}
			if (!ok)
				return false;
			continue;
		}
		if (misplaced(&word, f->is_entry))
			return ptx_syntax_expected(p, f->is_entry ? "a directive of a kernel"
			                                          : "a directive of a function");
		ptx_next(p);
		if (word_is(&word, "maxntid")) {
			ok = three_ints(p, f->maxntid) && positive(p, at, "maxntid", f->maxntid, 3);
		} else if (word_is(&word, "reqntid")) {
			ok = three_ints(p, f->reqntid) && positive(p, at, "reqntid", f->reqntid, 3);
		} else if (word_is(&word, "minnctapersm")) {
			ok = ptx_expect_int(p, INT32_MAX, &f->minnctapersm) &&
			     positive(p, at, "minnctapersm", &f->minnctapersm, 1);
		} else if (word_is(&word, "maxnctapersm")) {
			if (p->m->version >= 21)
				ptx_error(p, at,
				          "Deprecated feature: '.maxnctapersm directive' not supported as of PTX "
				          "version 2.1");
			ok = ptx_expect_int(p, INT32_MAX, &f->maxnctapersm);
		} else if (word_is(&word, "maxnreg")) {
			ok = ptx_expect_int(p, INT32_MAX, &f->maxnreg) && positive(p, at, "maxnreg", &f->maxnreg, 1);
		} else if (word_is(&word, "reqnctapercluster")) {
			feature(p, at, "reqnctapercluster", 78, 90);
			ok = three_ints(p, f->reqnctapercluster);
		} else if (word_is(&word, "maxclusterrank")) {
			feature(p, at, "maxclusterrank", 78, 90);
			ok = ptx_expect_int(p, INT32_MAX, &f->maxclusterrank);
		} else if (word_is(&word, "explicitcluster")) {
			feature(p, at, "explicitcluster", 78, 90);
			f->explicitcluster = true;
		} else if (word_is(&word, "blocksareclusters")) {
			feature(p, at, "blocksareclusters", 90, 90);
			f->blocksareclusters = true;
		} else if (word_is(&word, "noreturn")) {
			feature(p, at, "noreturn", 64, 30);
			if (f->nrets)
				ptx_error(p, at, "Invalid directive '.noreturn' for function '%.200s'", f->name);
			f->noreturn = true;
		} else if (word_is(&word, "abi_preserve")) {
			feature(p, at, "abi_preserve", 90, 80);
			ok = ptx_expect_int(p, INT32_MAX, &ignored);
		} else if (word_is(&word, "abi_preserve_control")) {
			feature(p, at, "abi_preserve_control", 90, 80);
			ok = ptx_expect_int(p, INT32_MAX, &ignored);
		} else if (word_is(&word, "pragma")) {
			ok = pragma(p, f);
		} else {
			ptx_error(p, at, "Parsing error near '.%.*s': syntax error: not a directive of a function",
			          (int)(word.len > 100 ? 100 : word.len), word.text);
			p->syntax_errors++;
			return false;
		}
		if (!ok)
			return false;
	}
	return true;
}

/* Two declarations of a function must agree in number and size of parameters and results. */
static bool same_params(struct ptx_var *const *a, uint32_t na, struct ptx_var *const *b, uint32_t nb)
{
	if (na != nb)
		return false;
	for (uint32_t i = 0; i < na; i++)
		if (a[i]->size != b[i]->size)
			return false;
	return true;
}

static bool enter(struct ptx_parser *p, struct ptx_function *f)
{
	struct sym *old = symtab_find_at(&p->syms, 0, SYM_SYMBOL, f->name, strlen(f->name));
	if (old == NULL) {
		struct ptx_symbol *sym = arena_zalloc(p->arena, sizeof *sym);
		sym->name = f->name;
		sym->kind = PTX_SYM_FUNCTION;
		sym->function = f;
		f->sym = sym;
		symtab_add(&p->syms, 0, SYM_SYMBOL, f->name, strlen(f->name))->symbol = sym;
		struct ptx_function **slot =
		        ptx_push(p, &p->m->functions, &p->m->nfunctions, &p->cap_mfuncs, sizeof *slot);
		*slot = f;
		return true;
	}
	struct ptx_function *was = old->symbol->kind == PTX_SYM_FUNCTION ? old->symbol->function : NULL;
	if (was == NULL || (was->has_body && f->has_body)) {
		ptx_error(p, f->pos, "Duplicate definition of %s '%.200s'", was ? "function" : "variable", f->name);
		return false;
	}
	if (was->is_entry != f->is_entry || !same_params(was->params, was->nparams, f->params, f->nparams) ||
	    !same_params(was->rets, was->nrets, f->rets, f->nrets)) {
		ptx_error(p, f->pos, "Declaration of '%.200s' differs from the one on line %u", f->name, was->pos.line);
		return false;
	}
	f->sym = old->symbol;
	if (!f->has_body)
		return true;
	for (uint32_t i = 0; i < p->m->nfunctions; i++)
		if (p->m->functions[i] == was)
			p->m->functions[i] = f;
	f->noreturn |= was->noreturn;
	old->symbol->function = f;
	return true;
}

static void begin(struct ptx_parser *p, struct ptx_function *f)
{
	p->fn = f;
	p->cap_regs = p->cap_ranges = p->cap_vars = 0;
	f->instrs = p->room;
	p->cap_instrs = p->cap_room;
	p->cap_labels = p->cap_scopes = p->cap_locs = p->cap_tables = p->cap_pragmas = 0;
	p->scope = 0;
	p->loc = PTX_NONE;
	struct ptx_scope *s = ptx_push(p, &f->scopes, &f->nscopes, &p->cap_scopes, sizeof *s);
	s->parent = PTX_NONE;
}

/* A long function keeps the room: less to copy. */
static void leave_room(struct ptx_parser *p, struct ptx_function *f)
{
	enum { Long = 1024 };
	const bool keeps = f->ninstrs >= Long;
	p->room = keeps ? NULL : f->instrs;
	p->cap_room = keeps ? 0 : p->cap_instrs;
	if (!keeps)
		f->instrs =
		        arena_grow(p->arena, f->instrs, f->ninstrs * sizeof *f->instrs, f->ninstrs * sizeof *f->instrs);
}

/* After a failure inside a header: skips to the end of the body or the declaration. */
static void skip_function(struct ptx_parser *p)
{
	unsigned depth = 0;
	for (; p->tok.kind != TOK_END; ptx_next(p)) {
		if (ptx_is(p, '{')) {
			depth++;
		} else if (ptx_is(p, '}') && depth > 0 && --depth == 0) {
			ptx_next(p);
			return;
		} else if (ptx_is(p, ';') && depth == 0) {
			ptx_next(p);
			return;
		}
	}
}

static bool header(struct ptx_parser *p, struct ptx_function *f)
{
	if (ptx_accept(p, '(')) {
		if (f->is_entry)
			return ptx_syntax_error(p);
		if (!param_list(p, &f->rets, &f->nrets))
			return false;
	}
	if (p->tok.kind != TOK_IDENT || p->tok.len > MAX_NAME)
		return ptx_syntax_error(p);
	f->name = ptx_text(p, &p->tok);
	f->pos = ptx_here(p);
	ptx_next(p);
	if (ptx_accept(p, '(') && !param_list(p, &f->params, &f->nparams))
		return false;
	for (uint32_t i = 0; f->is_entry && i < f->nparams; i++)
		if (f->params[i]->reg != PTX_NONE)
			ptx_error(p, f->params[i]->pos, "Entry parameter '%.200s' must have .param state space",
			          f->params[i]->name);
	for (uint32_t i = 0; f->nrets > 1 && i < f->nrets; i++)
		if (f->rets[i]->reg == PTX_NONE) {
			ptx_error(p, f->pos, "Multiple return parameters require .register state space");
			break;
		}
	place_params(f);
	return directives(p, f);
}

bool ptx_function_decl(struct ptx_parser *p, enum ptx_linkage linkage, bool is_entry)
{
	struct ptx_function *f = arena_zalloc(p->arena, sizeof *f);
	bool ok;
	f->is_entry = is_entry;
	f->linkage = (uint8_t)linkage;
	f->pos = ptx_here(p);
	begin(p, f);
	symtab_open(&p->syms);
	if (!header(p, f)) {
		skip_function(p);
		ok = true; /* skipped the rest of the function: the module goes on behind */
	} else if (ptx_is(p, '{')) {
		f->has_body = true;
		ptx_next(p);
		enter(p, f);
		ok = ptx_body(p);
		hold_param_limit(p, f, (struct ptx_pos){.line = f->end_line});
		hold_together(p, f, (struct ptx_pos){.line = f->end_line});
	} else {
		enter(p, f);
		ok = ptx_expect(p, ';');
	}
	if (f->name != NULL) {
		struct ptx_item *i = ptx_push(p, &p->m->items, &p->m->nitems, &p->cap_items, sizeof *i);
		i->kind = PTX_ITEM_FUNCTION;
		i->function = f;
		i->pos = f->pos;
	}
	ptx_body_end(p);
	leave_room(p, f);
	p->fn = NULL;
	return ok;
}

/* `(results) _ (parameters) ;` of a .callprototype */
bool ptx_prototype(struct ptx_parser *p, struct ptx_function *f)
{
	uint32_t depth = p->syms.depth;
	bool ok = true;
	/* names in a prototype have no meaning, and are not declared */
	p->syms.depth = 0;
	f->pos = ptx_here(p);
	if (ptx_accept(p, '('))
		ok = param_list(p, &f->rets, &f->nrets);
	if (ok && p->tok.kind != TOK_SINK && p->tok.kind != TOK_IDENT)
		ok = ptx_syntax_error(p);
	if (ok) {
		f->name = ptx_text(p, &p->tok);
		ptx_next(p);
		if (ptx_accept(p, '('))
			ok = param_list(p, &f->params, &f->nparams);
	}
	place_params(f);
	if (ok)
		ok = directives(p, f);
	p->syms.depth = depth;
	return ok && ptx_expect(p, ';');
}
