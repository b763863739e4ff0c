// SPDX-License-Identifier: Apache-2.0
/* parse.c -- tokens for the other files, and the module level: header, .file, .section, .alias, declarations. */
#include <stdlib.h>
#include <string.h>

#include "header.h"
#include "parse.h"

/* ---- tokens ----------------------------------------------------------------------------------------------- */

/* `#` starts a line of a preprocessor and `@@DWARF` a line of old debug sections. Both have no meaning here. */
static void read_token(struct ptx_parser *p, struct ptx_token *t)
{
	for (;;) {
		ptx_lex_next(&p->lex, t);
		bool hash = t->kind == TOK_BAD && t->len == 1 && *t->text == '#';
		bool dwarf = t->kind == TOK_PUNCT && t->ch == '@' && p->lex.end - t->text > 7 &&
		             memcmp(t->text, "@@DWARF", 7) == 0;
		if (!t->first_on_line || !(hash || dwarf))
			return;
		ptx_lex_skip_line(&p->lex);
	}
}

void ptx_next(struct ptx_parser *p)
{
	if (p->has_ahead) {
		p->tok = p->ahead;
		p->has_ahead = false;
	} else {
		read_token(p, &p->tok);
	}
}

const struct ptx_token *ptx_peek(struct ptx_parser *p)
{
	if (!p->has_ahead) {
		read_token(p, &p->ahead);
		p->has_ahead = true;
	}
	return &p->ahead;
}

bool ptx_is(const struct ptx_parser *p, char punct)
{
	return p->tok.kind == TOK_PUNCT && p->tok.ch == punct;
}

bool ptx_is_dot(const struct ptx_parser *p, const char *word)
{
	size_t n = strlen(word);
	return p->tok.kind == TOK_DOT && p->tok.len == n && memcmp(p->tok.text, word, n) == 0;
}

bool ptx_accept(struct ptx_parser *p, char punct)
{
	if (!ptx_is(p, punct))
		return false;
	ptx_next(p);
	return true;
}

bool ptx_expect(struct ptx_parser *p, char punct)
{
	return ptx_accept(p, punct) || ptx_syntax_expected(p, (char[]){'\'', punct, '\'', 0});
}

bool ptx_expect_int(struct ptx_parser *p, uint64_t max, uint32_t *value)
{
	struct ptx_const c;
	struct ptx_pos at = ptx_here(p);
	if (!ptx_const_int(p, &c))
		return false;
	if (c.u > max) {
		ptx_error(p, at, "value '%lld' out of range, expected to be in range [0..%llu]", (long long)c.u,
		          (unsigned long long)max);
		return false;
	}
	*value = (uint32_t)c.u;
	return true;
}

const char *ptx_text(struct ptx_parser *p, const struct ptx_token *t)
{
	return arena_strndup(p->arena, t->text, t->len);
}

void *ptx_push(struct ptx_parser *p, void *array, uint32_t *n, uint32_t *cap, size_t size)
{
	void *base;
	memcpy(&base, array, sizeof base);
	if (*n == *cap) {
		uint32_t more = *cap ? *cap * 2 : 8;
		base = arena_grow(p->arena, base, *n * size, more * size);
		*cap = more;
		memcpy(array, &base, sizeof base);
	}
	return memset((char *)base + (*n)++ * size, 0, size);
}

/* ---- module level ----------------------------------------------------------------------------------------- */

static struct ptx_item *add_item(struct ptx_parser *p, enum ptx_item_kind kind, struct ptx_pos at)
{
	struct ptx_item *i = ptx_push(p, &p->m->items, &p->m->nitems, &p->cap_items, sizeof *i);
	i->kind = kind;
	i->pos = at;
	return i;
}

/* .file NUMBER "name" [, time, size] */
static bool file_directive(struct ptx_parser *p)
{
	struct ptx_pos at = ptx_here(p);
	const char *from = p->tok.text - 1;
	uint32_t number;
	ptx_next(p);
	if (!ptx_expect_int(p, INT32_MAX, &number))
		return false;
	if (p->tok.kind != TOK_STRING)
		return ptx_syntax_error(p);
	struct ptx_file *f = ptx_push(p, &p->m->files, &p->m->nfiles, &p->cap_files, sizeof *f);
	f->number = number;
	f->name = ptx_text(p, &p->tok);
	const char *to = p->tok.text + p->tok.len + 1;
	ptx_next(p);
	while (ptx_is(p, ',')) {
		struct ptx_const c;
		ptx_next(p);
		to = p->tok.text + p->tok.len;
		if (!ptx_const_int(p, &c))
			return false;
	}
	struct ptx_item *i = add_item(p, PTX_ITEM_FILE, at);
	i->text = arena_strndup(p->arena, from, (size_t)(to - from));
	i->size = (uint32_t)(to - from);
	i->file = number;
	return true;
}

/* .section NAME { ... }: debug data, kept as text. */
static bool section_directive(struct ptx_parser *p)
{
	struct ptx_pos at = ptx_here(p);
	const char *from = p->tok.text - 1, *to;
	ptx_next(p);
	if (p->tok.kind != TOK_DOT && p->tok.kind != TOK_IDENT)
		return ptx_syntax_error(p);
	ptx_next(p);
	if (!ptx_expect(p, '{'))
		return false;
	while (!ptx_is(p, '}')) {
		if (p->tok.kind == TOK_END || p->tok.kind == TOK_BAD || ptx_is(p, '{'))
			return ptx_syntax_error(p);
		ptx_next(p);
	}
	to = p->tok.text + 1;
	ptx_next(p);
	struct ptx_item *i = add_item(p, PTX_ITEM_SECTION, at);
	i->text = arena_strndup(p->arena, from, (size_t)(to - from));
	i->size = (uint32_t)(to - from);
	return true;
}

static const struct ptx_symbol *function_name(struct ptx_parser *p)
{
	if (p->tok.kind != TOK_IDENT) {
		ptx_syntax_error(p);
		return NULL;
	}
	struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, p->tok.text, p->tok.len);
	const struct ptx_symbol *sym = s != NULL && s->kind == SYM_SYMBOL ? s->symbol : NULL;
	if (sym == NULL || sym->kind != PTX_SYM_FUNCTION) {
		ptx_error(p, ptx_here(p), sym == NULL ? "Unknown symbol '%.*s'" : "'%.*s' is not a function",
		          (int)(p->tok.len > 200 ? 200 : p->tok.len), p->tok.text);
		return NULL;
	}
	ptx_next(p);
	return sym;
}

static bool alias_directive(struct ptx_parser *p)
{
	struct ptx_pos at = ptx_here(p);
	const struct ptx_symbol *a, *b;
	ptx_next(p);
	if ((a = function_name(p)) == NULL || !ptx_expect(p, ',') || (b = function_name(p)) == NULL)
		return false;
	struct ptx_item *i = add_item(p, PTX_ITEM_ALIAS, at);
	i->alias = a;
	i->aliasee = b;
	return ptx_expect(p, ';');
}

static bool pragma_directive(struct ptx_parser *p)
{
	struct ptx_pos at = ptx_here(p);
	const char *from = p->tok.text - 1;
	ptx_next(p);
	do {
		if (p->tok.kind != TOK_STRING)
			return ptx_syntax_error(p);
		ptx_next(p);
	} while (ptx_accept(p, ','));
	if (!ptx_is(p, ';'))
		return ptx_syntax_error(p);
	struct ptx_item *i = add_item(p, PTX_ITEM_PRAGMA, at);
	i->size = (uint32_t)(p->tok.text + 1 - from);
	i->text = arena_strndup(p->arena, from, i->size);
	ptx_next(p);
	return true;
}

/* .visible .extern .weak .common in front of a declaration */
static bool linkage_word(struct ptx_parser *p, enum ptx_linkage *linkage)
{
	static const struct {
		const char *word;
		enum ptx_linkage linkage;
	} words[] = {{"visible", PTX_LINK_VISIBLE},
	             {"extern", PTX_LINK_EXTERN},
	             {"weak", PTX_LINK_WEAK},
	             {"common", PTX_LINK_COMMON}};
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		if (ptx_is_dot(p, words[i].word)) {
			*linkage = words[i].linkage;
			ptx_next(p);
			return true;
		}
	return false;
}

static bool declaration(struct ptx_parser *p)
{
	enum ptx_linkage linkage = PTX_LINK_LOCAL;
	while (linkage_word(p, &linkage))
		;
	bool entry = ptx_is_dot(p, "entry");
	if (entry || ptx_is_dot(p, "func")) {
		ptx_next(p);
		return ptx_function_decl(p, linkage, entry);
	}
	if (ptx_is_dot(p, "reg")) {
		ptx_error(p, ptx_here(p), "Register declarations are not allowed at module level");
		return false;
	}
	return ptx_var_decl(p, linkage);
}

static bool starts_declaration(const struct ptx_parser *p)
{
	static const char *const words[] = {"visible", "extern", "weak",  "common", "entry",   "func", "global",
	                                    "const",   "shared", "local", "param",  "section", "file", "alias"};
	if (p->tok.kind != TOK_DOT || !p->tok.first_on_line)
		return false;
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		if (ptx_is_dot(p, words[i]))
			return true;
	return false;
}

/* After an error at module level: continues at the next likely declaration outside braces. */
static void recover(struct ptx_parser *p)
{
	unsigned depth = 0;
	while (p->tok.kind != TOK_END) {
		if (depth == 0 && starts_declaration(p))
			return;
		if (ptx_is(p, '{')) {
			depth++;
		} else if (ptx_is(p, '}') && depth > 0) {
			depth--;
		} else if (ptx_is(p, ';') && depth == 0) {
			ptx_next(p);
			return;
		}
		ptx_next(p);
	}
}

static bool module_item(struct ptx_parser *p)
{
	if (ptx_is_dot(p, "version") || ptx_is_dot(p, "target") || ptx_is_dot(p, "address_size"))
		return ptx_header_directive(p);
	if (ptx_is_dot(p, "file"))
		return file_directive(p);
	if (ptx_is_dot(p, "section"))
		return section_directive(p);
	if (ptx_accept(p, ';'))
		return true;
	if (!ptx_header_complete(p))
		return false;
	if (ptx_is_dot(p, "alias"))
		return alias_directive(p);
	if (ptx_is_dot(p, "pragma"))
		return pragma_directive(p);
	if (p->tok.kind == TOK_DOT)
		return declaration(p);
	return ptx_syntax_error(p);
}

struct ptx_module *ptx_parse(const char *text, size_t size, const struct ptx_options *o)
{
	struct ptx_module *m = calloc(1, sizeof *m);
	struct ptx_parser *p = calloc(1, sizeof *p);
	if (m == NULL || p == NULL)
		abort();
	p->o = o;
	p->toolkit = ptx_toolkit(o);
	p->m = m;
	p->arena = &m->arena;
	m->file = arena_strndup(p->arena, o->file, strlen(o->file));
	m->address_size = 64;
	symtab_init(&p->syms, p->arena);
	ptx_lex_init(&p->lex, text, size);
	ptx_next(p);
	while (p->tok.kind != TOK_END && p->syntax_errors < MAX_SYNTAX_ERRORS)
		if (!module_item(p)) {
			if (!p->have_version)
				break; /* no PTX at all: a single message is enough */
			recover(p);
		}
	ptx_header_complete(p);
	m->nlines = p->lex.line;
	free(p);
	if (m->nerrors == 0)
		return m;
	ptx_module_free(m);
	return NULL;
}

void ptx_module_free(struct ptx_module *m)
{
	if (m == NULL)
		return;
	arena_free(&m->arena);
	free(m);
}

bool ptx_check(const char *text, size_t size, const struct ptx_options *o)
{
	struct ptx_module *m = ptx_parse(text, size, o);
	ptx_module_free(m);
	return m != NULL;
}
