// SPDX-License-Identifier: Apache-2.0
/* decl.c -- declarations of registers, variables and parameters. */
#include <stdlib.h>
#include <string.h>

#include "parse.h"

enum { MAX_RANGE = 1 << 24 }; /* registers of a single `%r<N>` */

static int name_len(const struct ptx_token *t)
{
	return (int)(t->len > 200 ? 200 : t->len);
}

/* ---- registers -------------------------------------------------------------------------------------------- */

uint32_t ptx_new_reg(struct ptx_parser *p, uint32_t range, uint32_t number)
{
	struct ptx_function *f = p->fn;
	struct ptx_reg *r = ptx_push(p, &f->regs, &f->nregs, &p->cap_regs, sizeof *r);
	r->type = f->ranges[range].type;
	r->vec = f->ranges[range].vec;
	r->range = range;
	r->number = number;
	return f->nregs - 1;
}

/* `%r12` may belong to `%r<13>` or, less often, to `%r1<3>`. The search tries each split of the trailing digits. */
static uint32_t find_in_ranges(struct ptx_parser *p, const char *name, size_t len, uint32_t *depth)
{
	size_t first = len;
	while (first > 1 && name[first - 1] >= '0' && name[first - 1] <= '9' && len - first < 9)
		first--;
	for (size_t split = first; split < len; split++) {
		if (name[split] == '0' && split + 1 != len)
			continue;
		struct sym *s = symtab_find(&p->syms, SYM_RANGE, name, split);
		uint32_t number = 0;
		for (size_t i = split; i < len; i++)
			number = number * 10 + (uint32_t)(name[i] - '0');
		if (s == NULL || number >= p->fn->ranges[s->index].count)
			continue;
		*depth = s->depth;
		struct sym *made = symtab_find_at(&p->syms, s->depth, SYM_REG, name, len);
		if (made != NULL)
			return made->kind == SYM_REG ? made->index : PTX_NONE;
		struct sym *reg = symtab_add(&p->syms, s->depth, SYM_REG, name, len);
		reg->index = ptx_new_reg(p, s->index, number);
		return reg->index;
	}
	return PTX_NONE;
}

uint32_t ptx_find_reg(struct ptx_parser *p, const char *name, size_t len)
{
	uint32_t depth = 0;
	struct sym *s = symtab_find(&p->syms, SYM_REG, name, len);
	if (s != NULL && p->syms.inner_ranges == 0)
		return s->kind == SYM_REG ? s->index : PTX_NONE;
	uint32_t reg = find_in_ranges(p, name, len, &depth);
	if (s != NULL && (reg == PTX_NONE || s->depth >= depth))
		return s->kind == SYM_REG ? s->index : PTX_NONE;
	return reg;
}

/* Takes one word of a type, `.v2` and `.v4` included. False: the token is no type word, or a second word of the same
 * kind. */
static bool type_word(struct ptx_parser *p, uint8_t *type, uint8_t *vec)
{
	if (p->tok.kind != TOK_DOT)
		return false;
	unsigned q = ptx_words_find(PTX_WORD_QUALIFIER, p->tok.text, p->tok.len);
	if ((q & 0x8000) && *type == PTX_T_none && ptx_types[q & 0xff].var != PTX_VAR_NEVER)
		*type = (uint8_t)(q & 0xff);
	else if ((q == PTX_M_v2 || q == PTX_M_v4) && *vec == 1)
		*vec = q == PTX_M_v2 ? 2 : 4;
	else
		return false;
	ptx_next(p);
	return true;
}

/* Does the name belong to a range of this scope, as `%r1` to `%r<9>`? */
static bool in_range(struct ptx_parser *p, const char *name, size_t len)
{
	for (size_t split = len; split > 1 && len - split < 9 && name[split - 1] >= '0' && name[split - 1] <= '9';) {
		const struct sym *s = symtab_find_at(&p->syms, p->syms.depth, SYM_RANGE, name, --split);
		if (s != NULL && strtoul(name + split, NULL, 10) < p->fn->ranges[s->index].count)
			return true;
	}
	return false;
}

/* Conflicting name: a range of this scope with the same name, or a single register inside the new range. */
static const char *range_taken(struct ptx_parser *p, const char *name, size_t len, uint32_t count)
{
	if (symtab_find_at(&p->syms, p->syms.depth, SYM_RANGE, name, len) != NULL)
		return "";
	for (const struct sym *s = p->syms.local[p->syms.depth]; s != NULL; s = s->local) {
		if (s->kind != SYM_REG || s->len <= len || s->len - len > 9 || memcmp(s->name, name, len) != 0 ||
		    p->fn->ranges[p->fn->regs[s->index].range].count)
			continue;
		char *end;
		const unsigned long number = strtoul(s->name + len, &end, 10);
		if (s->name[len] >= '0' && s->name[len] <= '9' && !*end && number < count)
			return s->name;
	}
	return NULL;
}

static bool duplicate(struct ptx_parser *p, const char *name, size_t len)
{
	if (symtab_find_at(&p->syms, p->syms.depth, SYM_SYMBOL, name, len) == NULL)
		return false;
	ptx_error(p, ptx_here(p), "Duplicate definition of variable '%.*s'", name_len(&p->tok), name);
	return true;
}

static bool one_register(struct ptx_parser *p, uint8_t type, uint8_t vec)
{
	struct ptx_token name = p->tok;
	if (name.kind != TOK_IDENT || name.len > MAX_NAME)
		return ptx_syntax_expected(p, "the name of a register");
	uint32_t index = p->fn->nranges, count = 0;
	if (duplicate(p, name.text, name.len)) {
		ptx_next(p);
		if (ptx_accept(p, '<') && (!ptx_expect_int(p, MAX_RANGE, &count) || !ptx_expect(p, '>')))
			return false;
		return true;
	}
	ptx_next(p);
	if (!ptx_is(p, '<') && in_range(p, name.text, name.len)) {
		ptx_error(p, (struct ptx_pos){name.line, name.col}, "Duplicate definition of variable '%.*s'",
		          name_len(&name), name.text);
		return true;
	}
	if (ptx_accept(p, '<')) {
		struct ptx_const c;
		struct ptx_pos at = ptx_here(p);
		/* no expression: `>` ends the number */
		if (p->tok.kind != TOK_INT)
			return ptx_syntax_expected(p, "how many registers there are");
		c.u = p->tok.value;
		ptx_next(p);
		if (!ptx_expect(p, '>'))
			return false;
		if (c.u == 0 || c.u > MAX_RANGE) {
			ptx_error(p, at, "number of registers '%llu' out of range, expected to be in range [1..%d]",
			          (unsigned long long)c.u, MAX_RANGE);
			return true;
		}
		count = (uint32_t)c.u;
		const char *taken = range_taken(p, name.text, name.len, count);
		if (taken != NULL) {
			*taken ? ptx_error(p, at, "Duplicate definition of variable '%.200s'", taken)
			       : ptx_error(p, at, "Duplicate definition of variable '%.*s<'", name_len(&name),
			                   name.text);
			return true;
		}
	}
	struct ptx_reg_range *r = ptx_push(p, &p->fn->ranges, &p->fn->nranges, &p->cap_ranges, sizeof *r);
	r->name = arena_strndup(p->arena, name.text, name.len);
	const struct ptx_var v = {
	        .name = r->name, .space = PTX_SP_reg, .type = type, .vec = vec, .pos = {name.line, name.col}};
	ptx_check_variable_type(p, &v, PTX_OF_BODY);
	r->type = type;
	r->vec = vec;
	r->count = count;
	r->scope = p->scope;
	r->pos = (struct ptx_pos){name.line, name.col};
	struct sym *s = symtab_add(&p->syms, p->syms.depth, count ? SYM_RANGE : SYM_REG, name.text, name.len);
	s->index = count ? index : ptx_new_reg(p, index, 0);
	return true;
}

bool ptx_reg_decl(struct ptx_parser *p)
{
	uint8_t type = PTX_T_none, vec = 1;
	ptx_next(p);
	while (type_word(p, &type, &vec))
		;
	if (type == PTX_T_none)
		return ptx_syntax_expected(p, "a type such as .b32");
	if (type == PTX_T_b128)
		ptx_gate(p, ptx_here(p), 83, 70, "Feature 'Type .b128'");
	if (type == PTX_T_f16x2)
		ptx_gate(p, ptx_here(p), 42, 53, "Feature '.f16x2 packed data-type'");
	do {
		if (!one_register(p, type, vec))
			return false;
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ';');
}

/* ---- variables -------------------------------------------------------------------------------------------- */

static bool attribute_words(struct ptx_parser *p, struct ptx_var *v)
{
	if (!ptx_expect(p, '('))
		return false;
	do {
		if (ptx_is_dot(p, "managed")) {
			v->managed = true;
			ptx_next(p);
		} else if (ptx_is_dot(p, "unified")) {
			ptx_next(p);
			if (ptx_accept(p, '(')) {
				for (unsigned i = 0; i < 2; i++) {
					struct ptx_const c;
					if ((i && !ptx_expect(p, ',')) || !ptx_const_int(p, &c))
						return false;
					v->unified[i] = c.u;
				}
				v->has_unified = true;
				if (!ptx_expect(p, ')'))
					return false;
			}
		} else {
			return ptx_syntax_error(p);
		}
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ')');
}

static bool align_word(struct ptx_parser *p, uint32_t *align)
{
	struct ptx_pos at;
	ptx_next(p);
	at = ptx_here(p);
	if (!ptx_expect_int(p, INT32_MAX, align))
		return false;
	if (*align == 0 || (*align & (*align - 1))) {
		ptx_error(p, at, "Alignment must be a power of two");
		*align = 1;
	}
	return true;
}

/* Reads the words before the name: `.align 8 .attribute(...) .v2 .b8`. */
static bool var_head(struct ptx_parser *p, struct ptx_var *v)
{
	while (p->tok.kind == TOK_DOT) {
		if (ptx_is_dot(p, "align")) {
			v->has_align |= !v->ptr;
			if (!align_word(p, v->ptr ? &v->ptr_align : &v->align))
				return false;
		} else if (ptx_is_dot(p, "attribute")) {
			ptx_next(p);
			if (!attribute_words(p, v))
				return false;
		} else if (ptx_is_dot(p, "ptr") && v->space == PTX_SP_param) {
			v->ptr = true;
			ptx_next(p);
			unsigned q = 0;
			if (p->tok.kind == TOK_DOT)
				q = ptx_words_find(PTX_WORD_QUALIFIER, p->tok.text, p->tok.len);
			if (!(q & 0x8000) && (q & 0x4000)) {
				v->ptr_space = (uint8_t)(q & 0xff);
				ptx_next(p);
			}
		} else if (!type_word(p, &v->type, &v->vec)) {
			return ptx_syntax_error(p);
		}
	}
	return v->type != PTX_T_none || ptx_syntax_expected(p, "a type such as .b32");
}

/* `[N][M]` after the name; the first pair may be empty. */
static bool dimensions(struct ptx_parser *p, struct ptx_var *v)
{
	uint64_t dim[8];
	struct ptx_pos at = ptx_here(p);
	while (ptx_accept(p, '[')) {
		struct ptx_const c = {.u = 0};
		if (v->ndims == sizeof dim / sizeof *dim) {
			ptx_error(p, at, "more than 8 dimensions");
			return false;
		}
		if (!ptx_is(p, ']')) {
			if (!ptx_const_int(p, &c))
				return false;
			if ((int64_t)c.u < 0) {
				ptx_error(p, at, "Array dimension must not be negative");
				c.u = 1;
			}
		} else if (v->ndims == 0) {
			v->unsized = true;
		} else {
			return ptx_syntax_error(p);
		}
		if (!ptx_expect(p, ']'))
			return false;
		dim[v->ndims++] = c.u;
		v->is_array = true;
	}
	if (v->ndims) {
		uint64_t *copy = arena_alloc(p->arena, v->ndims * sizeof *copy);
		memcpy(copy, dim, v->ndims * sizeof *copy);
		v->dims = copy;
	}
	return true;
}

/* Size and alignment from type, vector and dimensions. */
static void layout(struct ptx_parser *p, struct ptx_var *v)
{
	uint64_t element = (ptx_types[v->type].bits + 7u) / 8u * (uint64_t)v->vec, size = element;
	for (uint32_t i = 0; i < v->ndims; i++) {
		if (v->dims[i] && size > (UINT64_C(1) << 40) / v->dims[i]) {
			ptx_error(p, v->pos, "'%.200s' is too large", v->name);
			size = 0;
			break;
		}
		size *= v->dims[i];
	}
	v->size = size;
	if (!v->has_align)
		v->align = element ? (uint32_t)element : 1;
}

/* Reads the name and the rest of the declarator, after the head. For a name declared before, completes the old
 * variable. */
static struct ptx_var *var_name(struct ptx_parser *p, const struct ptx_var *head)
{
	struct ptx_token name = p->tok;
	if (name.kind != TOK_IDENT || name.len > MAX_NAME) {
		ptx_syntax_expected(p, "the name of a variable");
		return NULL;
	}
	struct ptx_var *v = arena_alloc(p->arena, sizeof *v);
	*v = *head;
	v->name = arena_strndup(p->arena, name.text, name.len);
	v->pos = ptx_here(p);
	ptx_next(p);
	if (!dimensions(p, v))
		return NULL;
	layout(p, v);
	return v;
}

static struct ptx_symbol *new_symbol(struct ptx_parser *p, struct ptx_var *v, uint32_t depth)
{
	struct ptx_symbol *sym = arena_zalloc(p->arena, sizeof *sym);
	sym->name = v->name;
	sym->kind = PTX_SYM_VAR;
	sym->var = v;
	v->sym = sym;
	symtab_add(&p->syms, depth, SYM_SYMBOL, v->name, strlen(v->name))->symbol = sym;
	return sym;
}

/* Registers the variable. At module level an `.extern` declaration and a definition of the same name are a single
 * variable. */
static bool declare(struct ptx_parser *p, struct ptx_var *v)
{
	struct sym *old = symtab_find_at(&p->syms, p->syms.depth, SYM_SYMBOL, v->name, strlen(v->name));
	const struct ptx_symbol *was = old != NULL && old->kind == SYM_SYMBOL ? old->symbol : NULL;
	bool mergeable = was != NULL && was->kind == PTX_SYM_VAR && p->fn == NULL && was->var->space == v->space &&
	                 (was->var->linkage == PTX_LINK_EXTERN || v->linkage == PTX_LINK_EXTERN ||
	                  v->linkage == PTX_LINK_COMMON);
	if ((old != NULL && !mergeable) || (p->fn != NULL && in_range(p, v->name, strlen(v->name)))) {
		ptx_error(p, v->pos, "Duplicate definition of variable '%.200s'", v->name);
		return false;
	}
	if (mergeable) {
		struct ptx_var *first = was->var;
		if (first->linkage == PTX_LINK_EXTERN && v->linkage != PTX_LINK_EXTERN) {
			v->sym = was;
			for (uint32_t i = 0; i < p->m->nvars; i++)
				if (p->m->vars[i] == first)
					p->m->vars[i] = v;
			old->symbol->var = v;
		} else {
			v->sym = was;
		}
	} else {
		struct ptx_var **slot;
		new_symbol(p, v, p->syms.depth);
		if (p->fn != NULL)
			slot = ptx_push(p, &p->fn->vars, &p->fn->nvars, &p->cap_vars, sizeof *slot);
		else
			slot = ptx_push(p, &p->m->vars, &p->m->nvars, &p->cap_mvars, sizeof *slot);
		*slot = v;
	}
	if (p->fn == NULL) {
		struct ptx_item *i = ptx_push(p, &p->m->items, &p->m->nitems, &p->cap_items, sizeof *i);
		i->kind = PTX_ITEM_VAR;
		i->var = v;
		i->pos = v->pos;
	}
	return true;
}

static bool may_initialise(const struct ptx_var *v)
{
	return (v->space == PTX_SP_global || v->space == PTX_SP_const) && v->linkage != PTX_LINK_EXTERN;
}

bool ptx_var_decl(struct ptx_parser *p, enum ptx_linkage linkage)
{
	static const uint8_t spaces[] = {PTX_SP_global, PTX_SP_const, PTX_SP_shared, PTX_SP_local, PTX_SP_param};
	struct ptx_var head = {.vec = 1, .linkage = (uint8_t)linkage, .index = PTX_NONE, .reg = PTX_NONE};
	head.scope = p->fn != NULL ? p->scope : PTX_NONE;
	for (unsigned i = 0; i < sizeof spaces; i++)
		if (ptx_is_dot(p, ptx_space_name(spaces[i])))
			head.space = spaces[i];
	if (head.space == PTX_SP_none)
		return ptx_syntax_error(p);
	ptx_next(p);
	if (head.space == PTX_SP_const && ptx_is(p, '[')) /* old .const[bank] */
		return ptx_syntax_error(p);
	if (!var_head(p, &head))
		return false;
	do {
		struct ptx_var *v = var_name(p, &head);
		if (v == NULL)
			return false;
		ptx_check_variable_type(p, v, p->fn != NULL ? PTX_OF_BODY : PTX_OF_MODULE);
		bool declared = declare(p, v);
		if (ptx_is(p, '=')) {
			struct ptx_pos at = ptx_here(p);
			if (!may_initialise(v))
				ptx_error(p, at, "No initial value is allowed for '%.200s' in this state space",
				          v->name);
			ptx_next(p);
			if (!ptx_initialiser(p, v))
				return false;
		} else if (declared && v->unsized && linkage != PTX_LINK_EXTERN && v->space != PTX_SP_param) {
			ptx_error(p, v->pos, "Size of array '%.200s' is not known", v->name);
		}
	} while (ptx_accept(p, ','));
	return ptx_expect(p, ';');
}

struct ptx_var *ptx_param_decl(struct ptx_parser *p)
{
	struct ptx_var head = {.vec = 1, .space = PTX_SP_param, .index = PTX_NONE, .reg = PTX_NONE};
	bool is_reg = ptx_is_dot(p, "reg");
	head.scope = 0;
	if (!is_reg && !ptx_is_dot(p, "param")) {
		ptx_syntax_error(p);
		return NULL;
	}
	ptx_next(p);
	if (is_reg)
		head.space = PTX_SP_reg;
	if (!var_head(p, &head))
		return NULL;
	struct ptx_var *v;
	if (p->tok.kind == TOK_SINK) { /* parameters of prototypes are often called `_` */
		v = arena_alloc(p->arena, sizeof *v);
		*v = head;
		v->name = "_";
		v->pos = ptx_here(p);
		ptx_next(p);
		if (!dimensions(p, v))
			return NULL;
		layout(p, v);
		ptx_check_variable_type(p, v, PTX_OF_PROTOTYPE);
		return v;
	}
	v = var_name(p, &head);
	if (v == NULL)
		return NULL;
	const bool entry = p->fn->is_entry;
	ptx_check_variable_type(p, v, p->syms.depth == 0 ? PTX_OF_PROTOTYPE : entry ? PTX_OF_ENTRY : PTX_OF_FUNCTION);
	if (p->syms.depth == 0)
		return v; /* in a prototype, names have no meaning */
	if (symtab_find_at(&p->syms, p->syms.depth, SYM_SYMBOL, v->name, strlen(v->name)) != NULL) {
		ptx_error(p, v->pos, "Duplicate definition of variable '%.200s'", v->name);
		return v;
	}
	if (is_reg) {
		struct ptx_reg_range *r = ptx_push(p, &p->fn->ranges, &p->fn->nranges, &p->cap_ranges, sizeof *r);
		r->name = v->name;
		r->type = v->type;
		r->vec = v->vec;
		r->pos = v->pos;
		v->reg = ptx_new_reg(p, p->fn->nranges - 1, 0);
		symtab_add(&p->syms, p->syms.depth, SYM_REG, v->name, strlen(v->name))->index = v->reg;
	} else {
		new_symbol(p, v, p->syms.depth);
	}
	return v;
}
