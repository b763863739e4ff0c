// SPDX-License-Identifier: Apache-2.0
/* body.c -- the inside of a function: scopes, labels, directives, statements. */
#include <string.h>

#include "parse.h"

static int name_len(const struct ptx_token *t)
{
	return (int)(t->len > 200 ? 200 : t->len);
}

/* ---- labels ----------------------------------------------------------------------------------------------- */

/* The scope of a label is the scope of the branch or a scope around. The definition may come after the use. So a use
 * makes an entry in the innermost scope. At the end of a scope an undefined label moves one scope out. If the outer
 * scope already has an entry, the label becomes an alias: its name is NULL, and `scope` holds the number of the outer
 * entry until the body ends. */
static struct sym *label_here(struct ptx_parser *p, const char *name, size_t len, struct ptx_pos pos)
{
	struct sym *s = symtab_find_at(&p->syms, p->syms.depth, SYM_LABEL, name, len);
	if (s != NULL)
		return s;
	s = symtab_add(&p->syms, p->syms.depth, SYM_LABEL, name, len);
	s->index = p->fn->nlabels;
	struct ptx_label *l = ptx_push(p, &p->fn->labels, &p->fn->nlabels, &p->cap_labels, sizeof *l);
	l->name = s->name;
	l->instr = PTX_NONE;
	l->scope = p->scope;
	l->pos = pos;
	return s;
}

uint32_t ptx_label_ref(struct ptx_parser *p, const char *name, size_t len, struct ptx_pos pos)
{
	return label_here(p, name, len, pos)->index;
}

static void define_label(struct ptx_parser *p, const struct ptx_token *name)
{
	struct ptx_pos at = {name->line, name->col};
	uint32_t index = label_here(p, name->text, name->len, at)->index; /* may move labels[] */
	struct ptx_label *l = &p->fn->labels[index];
	if (l->instr != PTX_NONE) {
		ptx_error(p, at, "Duplicate definition of label '%.*s'", name_len(name), name->text);
		return;
	}
	l->instr = p->fn->ninstrs;
	l->pos = at;
}

static void labels_out(struct ptx_parser *p, struct sym *labels, uint32_t outer)
{
	for (struct sym *s = labels; s != NULL; s = s->local) {
		struct ptx_label *l = &p->fn->labels[s->index];
		if (l->instr != PTX_NONE)
			continue;
		if (p->syms.depth == 0) {
			ptx_error(p, l->pos, "Unknown symbol '%.200s'", l->name);
			continue;
		}
		struct sym *there = symtab_find_at(&p->syms, p->syms.depth, SYM_LABEL, s->name, s->len);
		if (there == NULL) {
			l->scope = outer;
			symtab_add(&p->syms, p->syms.depth, SYM_LABEL, s->name, s->len)->index = s->index;
		} else {
			l->scope = there->index;
			l->name = NULL;
		}
	}
}

/* Replaces aliases by the aliased entries and closes the gaps. */
static void settle_labels(struct ptx_parser *p)
{
	struct ptx_function *f = p->fn;
	uint32_t *to = arena_alloc(p->arena, (f->nlabels + 1) * sizeof *to), n = 0;
	bool any = false;
	for (uint32_t i = 0; i < f->nlabels; i++) {
		any |= f->labels[i].name == NULL;
		to[i] = f->labels[i].name == NULL ? PTX_NONE : n++;
	}
	if (!any)
		return;
	for (uint32_t i = 0; i < f->nlabels; i++) {
		uint32_t at = i;
		while (f->labels[at].name == NULL) /* at most one step for each level of braces */
			at = f->labels[at].scope;
		to[i] = to[at];
	}
	for (uint32_t i = 0; i < f->ninstrs; i++)
		for (unsigned k = 0; k < f->instrs[i].nops; k++)
			if (f->instrs[i].ops[k].kind == PTX_O_LABEL)
				f->instrs[i].ops[k].label = to[f->instrs[i].ops[k].label];
	for (uint32_t i = 0; i < f->ntables; i++)
		if (f->tables[i]->kind == PTX_TABLE_BRANCH)
			for (uint32_t k = 0; k < f->tables[i]->count; k++)
				f->tables[i]->labels[k] = to[f->tables[i]->labels[k]];
	n = 0;
	for (uint32_t i = 0; i < f->nlabels; i++)
		if (f->labels[i].name != NULL)
			f->labels[n++] = f->labels[i];
	f->nlabels = n;
}

/* ---- directives ------------------------------------------------------------------------------------------- */

static bool is_word(const struct ptx_parser *p, const char *word)
{
	return p->tok.kind == TOK_IDENT && p->tok.len == strlen(word) && memcmp(p->tok.text, word, p->tok.len) == 0;
}

/* Reads the rest of the line: takes the words needed for the line table, and leaves all else. */
static const char *inlined(struct ptx_parser *p, struct ptx_loc *l)
{
	const char *from = p->tok.text, *to = from;
	uint32_t *numbers[4] = {NULL}, **next = numbers;
	bool name = false;
	for (; p->tok.kind != TOK_END && p->tok.line == l->ptx_line; ptx_next(p)) {
		to = p->tok.text + p->tok.len;
		if (p->tok.kind == TOK_INT && *next && p->tok.value <= UINT32_MAX) {
			**next++ = (uint32_t)p->tok.value;
		} else if (p->tok.kind == TOK_IDENT && name) {
			l->function = arena_strndup(p->arena, p->tok.text, p->tok.len);
			name = false;
			numbers[0] = &l->function_offset;
			numbers[1] = NULL;
			next = numbers;
		} else if (is_word(p, "function_name")) {
			name = true;
		} else if (is_word(p, "inlined_at")) {
			numbers[0] = &l->caller_file;
			numbers[1] = &l->caller_line;
			numbers[2] = &l->caller_col;
			next = numbers;
		}
	}
	return arena_strndup(p->arena, from, (size_t)(to - from));
}

/* .loc FILE LINE COLUMN [, function_name LABEL, inlined_at FILE LINE COLUMN]: no `;`: the end of the line ends it. */
static bool loc_directive(struct ptx_parser *p)
{
	uint32_t at_line = p->tok.line, v[3];
	ptx_next(p);
	for (unsigned i = 0; i < 3; i++) {
		if (p->tok.kind != TOK_INT || p->tok.value > UINT32_MAX)
			return ptx_syntax_error(p);
		v[i] = (uint32_t)p->tok.value;
		ptx_next(p);
	}
	struct ptx_loc *l = ptx_push(p, &p->fn->locs, &p->fn->nlocs, &p->cap_locs, sizeof *l);
	*l = (struct ptx_loc){.file = v[0], .line = v[1], .col = v[2], .instr = p->fn->ninstrs, .ptx_line = at_line};
	if (ptx_is(p, ','))
		l->rest = inlined(p, l);
	p->loc = p->fn->nlocs - 1;
	return true;
}

static struct ptx_table *new_table(struct ptx_parser *p, const struct ptx_token *name, enum ptx_table_kind kind)
{
	struct ptx_pos at = {name->line, name->col};
	struct ptx_table *t = arena_zalloc(p->arena, sizeof *t);
	t->name = arena_strndup(p->arena, name->text, name->len);
	t->kind = kind;
	t->scope = p->scope;
	t->instr = p->fn->ninstrs;
	t->pos = at;
	if (symtab_find_at(&p->syms, p->syms.depth, SYM_TABLE, name->text, name->len) != NULL)
		ptx_error(p, at, "Duplicate definition of label '%.*s'", name_len(name), name->text);
	else
		symtab_add(&p->syms, p->syms.depth, SYM_TABLE, name->text, name->len)->table = t;
	struct ptx_table **slot = ptx_push(p, &p->fn->tables, &p->fn->ntables, &p->cap_tables, sizeof *slot);
	*slot = t;
	return t;
}

/* `name: .branchtargets L1, L2;` and the like */
static bool table_directive(struct ptx_parser *p, const struct ptx_token *name)
{
	uint32_t cap = 0;
	if (ptx_is_dot(p, "callprototype")) {
		struct ptx_table *t = new_table(p, name, PTX_TABLE_PROTOTYPE);
		struct ptx_function *f = arena_zalloc(p->arena, sizeof *f);
		ptx_next(p);
		t->prototype = f;
		return ptx_prototype(p, f);
	}
	bool branch = ptx_is_dot(p, "branchtargets");
	struct ptx_table *t = new_table(p, name, branch ? PTX_TABLE_BRANCH : PTX_TABLE_CALL);
	ptx_next(p);
	do {
		struct ptx_pos at = ptx_here(p);
		if (p->tok.kind != TOK_IDENT || p->tok.len > MAX_NAME)
			return ptx_syntax_error(p);
		if (branch) {
			uint32_t *slot = ptx_push(p, &t->labels, &t->count, &cap, sizeof *slot);
			*slot = ptx_label_ref(p, p->tok.text, p->tok.len, at);
		} else {
			struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, p->tok.text, p->tok.len);
			if (s == NULL || s->kind != SYM_SYMBOL || s->symbol->kind != PTX_SYM_FUNCTION) {
				ptx_error(p, at, "Unknown symbol '%.*s'", name_len(&p->tok), p->tok.text);
			} else {
				const struct ptx_symbol **slot =
				        ptx_push(p, &t->functions, &t->count, &cap, sizeof *slot);
				*slot = s->symbol;
			}
		}
		ptx_next(p);
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ';');
}

static bool label_stands_here(const struct ptx_parser *p)
{
	for (uint32_t i = p->fn->nlabels; i-- > 0;)
		if (p->fn->labels[i].instr == p->fn->ninstrs)
			return true;
	return false;
}

static bool body_pragma(struct ptx_parser *p)
{
	ptx_next(p);
	do {
		if (p->tok.kind != TOK_STRING)
			return ptx_syntax_error(p);
		struct ptx_pragma *slot = ptx_push(p, &p->fn->pragmas, &p->fn->npragmas, &p->cap_pragmas, sizeof *slot);
		slot->text = ptx_text(p, &p->tok);
		slot->instr = p->fn->ninstrs;
		slot->behind_label = label_stands_here(p);
		ptx_next(p);
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ';');
}

static bool directive(struct ptx_parser *p)
{
	if (ptx_is_dot(p, "reg"))
		return ptx_reg_decl(p);
	if (ptx_is_dot(p, "loc"))
		return loc_directive(p);
	if (ptx_is_dot(p, "pragma"))
		return body_pragma(p);
	return ptx_var_decl(p, PTX_LINK_LOCAL);
}

/* ---- statements ------------------------------------------------------------------------------------------- */

static bool guarded(struct ptx_parser *p)
{
	struct ptx_pos at;
	bool negated;
	ptx_next(p);
	negated = ptx_accept(p, '!');
	at = ptx_here(p);
	if (p->tok.kind != TOK_IDENT)
		return ptx_syntax_expected(p, "a predicate register");
	struct ptx_token name = p->tok;
	uint32_t reg = ptx_find_reg(p, name.text, name.len);
	ptx_next(p);
	if (reg == PTX_NONE) {
		struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, name.text, name.len);
		ptx_error(p, at, s ? "Predicate expression expected" : "Unknown symbol '%.*s'", name_len(&name),
		          name.text);
	} else if (p->fn->regs[reg].type != PTX_T_pred) {
		ptx_error(p, at, "Predicate expression expected");
		reg = PTX_NONE;
	}
	if (p->tok.kind != TOK_IDENT)
		return ptx_syntax_expected(p, "an instruction");
	return ptx_instruction(p, reg, negated);
}

static bool open_scope(struct ptx_parser *p)
{
	if (p->syms.depth >= MAX_DEPTH) {
		ptx_error(p, ptx_here(p), "braces are nested more than %d deep", MAX_DEPTH);
		p->syntax_errors = MAX_SYNTAX_ERRORS;
		return false;
	}
	ptx_next(p);
	symtab_open(&p->syms);
	struct ptx_scope *s = ptx_push(p, &p->fn->scopes, &p->fn->nscopes, &p->cap_scopes, sizeof *s);
	s->parent = p->scope;
	s->first = p->fn->ninstrs;
	p->scope = p->fn->nscopes - 1;
	return true;
}

static void close_scope(struct ptx_parser *p)
{
	uint32_t outer = p->fn->scopes[p->scope].parent;
	p->fn->scopes[p->scope].end = p->fn->ninstrs;
	labels_out(p, symtab_close(&p->syms), outer);
	p->scope = outer;
}

static bool statement(struct ptx_parser *p)
{
	if (p->tok.kind == TOK_IDENT) {
		const struct ptx_token *next = ptx_peek(p);
		if (next->kind != TOK_PUNCT || next->ch != ':')
			return ptx_instruction(p, PTX_NONE, false);
		struct ptx_token name = p->tok;
		ptx_next(p);
		ptx_next(p);
		if (name.len > MAX_NAME)
			return ptx_syntax_error(p);
		if (ptx_is_dot(p, "branchtargets") || ptx_is_dot(p, "calltargets") || ptx_is_dot(p, "callprototype"))
			return table_directive(p, &name);
		define_label(p, &name);
		return true;
	}
	if (ptx_is(p, '@'))
		return guarded(p);
	if (ptx_is(p, '{'))
		return open_scope(p);
	if (p->tok.kind == TOK_DOT)
		return directive(p);
	return ptx_expect(p, ';');
}

/* After an error: stops behind the next `;`, or at a brace. */
static void recover(struct ptx_parser *p)
{
	while (p->tok.kind != TOK_END && !ptx_is(p, '}') && !ptx_is(p, '{'))
		if (ptx_is(p, ';')) {
			ptx_next(p);
			return;
		} else {
			ptx_next(p);
		}
	if (ptx_is(p, '{')) { /* of a vector operand or a real scope: skips balanced braces */
		unsigned depth = 0;
		for (; p->tok.kind != TOK_END; ptx_next(p)) {
			depth += ptx_is(p, '{');
			if (ptx_is(p, '}') && --depth == 0) {
				ptx_next(p);
				break;
			}
		}
	}
}

bool ptx_body(struct ptx_parser *p)
{
	uint32_t base = p->syms.depth;
	for (;;) {
		if (p->tok.kind == TOK_END || p->syntax_errors >= MAX_SYNTAX_ERRORS) {
			if (p->syntax_errors < MAX_SYNTAX_ERRORS)
				ptx_syntax_expected(p, "'}'");
			while (p->syms.depth > base)
				close_scope(p);
			return true;
		}
		if (ptx_is(p, '}')) {
			if (p->syms.depth == base)
				break;
			ptx_next(p);
			close_scope(p);
			continue;
		}
		uint32_t errors = p->m->nerrors;
		const char *at = p->tok.text;
		if (!statement(p)) {
			recover(p);
			/* each round reads some text or ends, for any text */
			if (p->tok.text == at && p->m->nerrors == errors)
				ptx_next(p);
		}
	}
	p->fn->end_line = p->tok.line;
	p->fn->scopes[0].end = p->fn->ninstrs;
	ptx_next(p);
	return true;
}

void ptx_body_end(struct ptx_parser *p)
{
	labels_out(p, symtab_close(&p->syms), PTX_NONE);
	settle_labels(p);
}
