// SPDX-License-Identifier: Apache-2.0
/* operand.c -- operands of instructions. This file resolves names; check.c decides whether an operand fits. */
#include <string.h>

#include "parse.h"

enum { MAX_LIST = 256 };

static struct ptx_pos pos_of(const struct ptx_token *t)
{
	return (struct ptx_pos){t->line, t->col};
}

static int name_len(const struct ptx_token *t)
{
	return (int)(t->len > 200 ? 200 : t->len);
}

/* `.x` and the like after a register */
static uint8_t component(struct ptx_parser *p)
{
	static const char letters[] = "xyzwrgba";
	if (p->tok.kind != TOK_DOT || p->tok.len != 1)
		return PTX_COMP_ALL;
	const char *at = strchr(letters, *p->tok.text);
	if (at == NULL)
		return PTX_COMP_ALL;
	ptx_next(p);
	return (uint8_t)((at - letters) & 3);
}

static bool special_register(struct ptx_parser *p, const struct ptx_token *name, struct ptx_operand *out)
{
	if (name->len < 2 || name->text[0] != '%')
		return false;
	unsigned s = ptx_words_find(PTX_WORD_SREG, name->text + 1, name->len - 1);
	const struct ptx_sreg_info *info = ptx_sreg_info((enum ptx_sreg)s);
	if (s == 0 || info->since > p->toolkit)
		return false;
	out->kind = PTX_O_SREG;
	out->sreg = s;
	out->comp = info->vec ? component(p) : PTX_COMP_ALL;
	if (p->tok.kind == TOK_DOT) {
		ptx_error(p, pos_of(&p->tok), info->vec ? "Unknown vector selector: '%.*s'" : "Unknown field '.%.*s'",
		          name_len(&p->tok), p->tok.text);
		ptx_next(p);
	}
	ptx_gate(p, out->pos, info->version, info->target, "Feature '%%%s'", info->name);
	return true;
}

static void constant_operand(struct ptx_operand *out, const struct ptx_const *c)
{
	if (c->is_float) {
		float f = (float)c->f;
		out->kind = PTX_O_FLOAT;
		out->f64 = c->f;
		out->is_f32 = c->is_f32;
		if (c->is_f32)
			out->f32_bits = c->f32_bits;
		else
			memcpy(&out->f32_bits, &f, sizeof f);
	} else {
		out->kind = PTX_O_INT;
		out->imm = (int64_t)c->u;
		out->is_unsigned = c->is_unsigned;
	}
}

/* `name + 4`, `name[3]`: offsets after the name of a variable */
static bool symbol_offset(struct ptx_parser *p, struct ptx_operand *out, bool in_address)
{
	struct ptx_const c;
	if (ptx_is(p, '+') || (!in_address && ptx_is(p, '-'))) {
		bool minus = ptx_is(p, '-');
		ptx_next(p);
		if (!ptx_const_int(p, &c))
			return false;
		out->off = (int64_t)(minus ? 0 - c.u : c.u);
	} else if (!in_address && ptx_is(p, '[') && out->sym->kind == PTX_SYM_VAR) {
		const struct ptx_var *v = out->sym->var;
		struct ptx_pos at = ptx_here(p);
		uint64_t size = (uint64_t)ptx_types[v->type].bytes * v->vec;
		ptx_next(p);
		if (!ptx_const_int(p, &c) || !ptx_expect(p, ']'))
			return false;
		if (!v->is_array)
			ptx_error(p, at, "Array indexing on non-array");
		for (uint32_t i = 1; i < v->ndims; i++)
			size *= v->dims[i];
		out->off = (int64_t)(c.u * size);
		out->indexed = true;
	} else if (!in_address && ptx_is(p, '[')) {
		return ptx_syntax_error(p);
	}
	return true;
}

/* A name other than a register: special register, variable, function, table, or (in a branch) label. */
static bool named_operand(struct ptx_parser *p, struct ptx_instr *i, const struct ptx_token *name,
                          struct ptx_operand *out)
{
	bool branch = i->op == PTX_OP_bra;
	struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, name->text, name->len);
	if (s != NULL && s->kind == SYM_SYMBOL && !branch) {
		out->kind = PTX_O_SYMBOL;
		out->sym = s->symbol;
		return symbol_offset(p, out, false);
	}
	if (s != NULL && s->kind == SYM_TABLE) {
		out->kind = PTX_O_TABLE;
		out->table = s->table;
		return true;
	}
	if (special_register(p, name, out))
		return true;
	if (branch && name->len <= MAX_NAME) {
		out->kind = PTX_O_LABEL;
		out->label = ptx_label_ref(p, name->text, name->len, out->pos);
		return true;
	}
	if (p->tok.kind == TOK_DOT) { /* reported before the name */
		ptx_error(p, pos_of(&p->tok), "Unknown field '.%.*s'", name_len(&p->tok), p->tok.text);
		ptx_next(p);
	}
	ptx_error(p, out->pos, "Unknown symbol '%.*s'", name_len(name), name->text);
	return true; /* kind stays PTX_O_NONE, ignored by the checks */
}

static bool indexed_register(struct ptx_parser *p)
{
	if (!ptx_is(p, '['))
		return true;
	ptx_error(p, ptx_here(p), "Array indexing on non-array");
	return false;
}

static bool all_digits(const char *s, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (s[k] < '0' || s[k] > '9')
			return false;
	return true;
}

static bool identifier(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out)
{
	struct ptx_token name = p->tok;
	uint32_t reg = name.len <= MAX_NAME ? ptx_find_reg(p, name.text, name.len) : PTX_NONE;
	ptx_next(p);
	if (reg == PTX_NONE)
		return named_operand(p, i, &name, out);
	out->kind = PTX_O_REG;
	out->reg = reg;
	bool video = i->op >= PTX_OP_vadd && i->op <= PTX_OP_vset4;
	if (video && p->tok.kind == TOK_DOT && p->tok.len >= 2 && p->tok.len <= 5 &&
	    strchr("bh", *p->tok.text) != NULL && all_digits(p->tok.text + 1, p->tok.len - 1)) {
		out->selector = ptx_text(p, &p->tok);
		ptx_next(p);
	}
	const struct ptx_token dot = p->tok;
	out->comp = component(p);
	if (out->comp != PTX_COMP_ALL && p->fn->regs[reg].vec == 1)
		ptx_error(p, pos_of(&dot), "Unknown video selector: '.%.*s'", name_len(&dot), dot.text);
	return indexed_register(p);
}

/* The rest of [a, b]; *out is the address a. */
static bool second_part(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out)
{
	struct ptx_operand *two = arena_zalloc(p->arena, 2 * sizeof *two);
	two[0] = *out;
	memset(out, 0, sizeof *out);
	out->kind = PTX_O_PARTS;
	out->comp = PTX_COMP_ALL;
	out->pos = two[0].pos;
	out->list = two;
	out->count = 2;
	ptx_next(p);
	return ptx_operand(p, i, &two[1], 1) && ptx_expect(p, ']');
}

/* [base], [base + constant] */
static bool address(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out)
{
	struct ptx_operand base = {.pos = ptx_here(p), .comp = PTX_COMP_ALL};
	struct ptx_const c;
	ptx_next(p);
	bool wide = p->tok.kind == TOK_IDENT && p->tok.len == 7 && memcmp(p->tok.text, "WARP_SZ", 7) == 0;
	if (p->tok.kind == TOK_IDENT && !wide) {
		struct ptx_token name = p->tok;
		uint32_t reg = name.len <= MAX_NAME ? ptx_find_reg(p, name.text, name.len) : PTX_NONE;
		struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, name.text, name.len);
		base.pos = pos_of(&name);
		ptx_next(p);
		out->kind = PTX_O_ADDR;
		if (reg != PTX_NONE) {
			out->base_kind = PTX_BASE_REG;
			out->reg = reg;
			out->comp = component(p);
		} else if (s != NULL && s->kind == SYM_SYMBOL) {
			out->base_kind = PTX_BASE_SYMBOL;
			out->sym = s->symbol;
		} else {
			if (special_register(p, &name, &base))
				ptx_error(p, base.pos, "Special register argument not allowed for instruction '%s'",
				          ptx_op_name((enum ptx_op)i->op));
			else
				ptx_error(p, base.pos, "Unknown symbol '%.*s'", name_len(&name), name.text);
			out->kind = PTX_O_NONE;
			out->base_kind = PTX_BASE_SYMBOL;
		}
		if (ptx_accept(p, '+')) {
			if (!ptx_const_int(p, &c))
				return false;
			out->off = (int64_t)c.u;
		}
	} else {
		if (!ptx_const_int(p, &c))
			return false;
		out->kind = PTX_O_ADDR;
		out->base_kind = PTX_BASE_IMM;
		out->imm = (int64_t)c.u;
	}
	return ptx_is(p, ',') ? second_part(p, i, out) : ptx_expect(p, ']');
}

static bool is_warp_size(const struct ptx_token *t)
{
	return t->kind == TOK_IDENT && t->len == 7 && memcmp(t->text, "WARP_SZ", 7) == 0;
}

/* A list of a call holds names and constants, no sums of a name, parts, vectors or addresses. */
static bool plain_list(struct ptx_parser *p)
{
	const struct ptx_token next = *ptx_peek(p);
	if (ptx_is(p, '{') || ptx_is(p, '['))
		return ptx_syntax_error(p);
	if ((ptx_is(p, '!') || ptx_is(p, '-')) && next.kind == TOK_IDENT) {
		ptx_next(p);
		return ptx_syntax_error(p);
	}
	const bool name = p->tok.kind == TOK_IDENT || p->tok.kind == TOK_SINK;
	const bool ends = next.kind == TOK_PUNCT && (next.ch == ',' || next.ch == ')');
	const bool sum = name && !is_warp_size(&p->tok) && !ends;
	if (sum) {
		ptx_next(p);
		return ptx_syntax_error(p);
	}
	return true;
}

/* Operands up to `close`; takes `close`, too. */
static bool list(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out, char close, unsigned depth)
{
	struct ptx_operand *items = NULL;
	uint32_t n = 0, cap = 0;
	if (depth > 4) {
		ptx_error(p, ptx_here(p), "operands are nested too deep");
		return false;
	}
	ptx_next(p);
	if (close == ')' && ptx_accept(p, ')'))
		return true;
	do {
		if (n == MAX_LIST) {
			ptx_error(p, ptx_here(p), "more than %d operands in a list", MAX_LIST);
			return false;
		}
		struct ptx_operand *item = ptx_push(p, &items, &n, &cap, sizeof *item);
		if ((i->op == PTX_OP_call && !plain_list(p)) || !ptx_operand(p, i, item, depth + 1))
			return false;
	} while (ptx_accept(p, ','));
	out->list = items;
	out->count = (uint16_t)n;
	return ptx_expect(p, close);
}

static bool second_of_pair(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out)
{
	struct ptx_operand *two = arena_zalloc(p->arena, 2 * sizeof *two);
	two[0] = *out;
	memset(out, 0, sizeof *out);
	out->kind = PTX_O_PAIR;
	out->comp = PTX_COMP_ALL;
	out->pos = two[0].pos;
	out->list = two;
	out->count = 2;
	ptx_next(p);
	two[1].pos = ptx_here(p);
	two[1].comp = PTX_COMP_ALL;
	if (p->tok.kind == TOK_SINK && two[0].kind == PTX_O_SINK)
		return ptx_syntax_error(p);
	if (p->tok.kind == TOK_SINK) {
		two[1].kind = PTX_O_SINK;
		ptx_next(p);
		return true;
	}
	if (p->tok.kind != TOK_IDENT)
		return ptx_syntax_expected(p, "a predicate register or _");
	return identifier(p, i, &two[1]);
}

bool ptx_operand(struct ptx_parser *p, struct ptx_instr *i, struct ptx_operand *out, unsigned depth)
{
	memset(out, 0, sizeof *out);
	out->pos = ptx_here(p);
	out->comp = PTX_COMP_ALL;
	if (p->tok.kind == TOK_SINK) {
		out->kind = PTX_O_SINK;
		ptx_next(p);
		return !ptx_is(p, '|') || second_of_pair(p, i, out);
	}
	if (ptx_is(p, '{')) {
		out->kind = PTX_O_VECTOR;
		if (!list(p, i, out, '}', depth))
			return false;
		bool memory = i->op == PTX_OP_ld || i->op == PTX_OP_st;
		if (out->count == 1 && memory && out->list[0].kind != PTX_O_SINK) {
			struct ptx_operand only = out->list[0]; /* Triton writes scalars in braces */
			*out = only;
		}
		return true;
	}
	if (ptx_is(p, '['))
		return address(p, i, out);
	bool minus = ptx_is(p, '-') && ptx_peek(p)->kind == TOK_IDENT;
	bool not = ptx_is(p, '!') && ptx_peek(p)->kind == TOK_IDENT;
	if (minus || not ) {
		ptx_next(p);
		out->negated = true;
	}
	if (p->tok.kind == TOK_IDENT && !(is_warp_size(&p->tok) && !out->negated)) {
		if (!identifier(p, i, out))
			return false;
		if (out->negated && out->kind == PTX_O_REG) {
			bool pred = p->fn->regs[out->reg].type == PTX_T_pred;
			if (not &&!pred)
				ptx_error(p, out->pos, "Illegal argument to predicate negation");
			if (minus)
				ptx_error(p, out->pos, "Operand negation not allowed for instruction '%s'",
				          ptx_op_name((enum ptx_op)i->op));
		}
		bool first = i->nops == 0 && depth == 0 && !out->negated;
		if (out->negated && out->kind == PTX_O_SYMBOL)
			ptx_error(p, out->pos,
			          minus ? "Illegal argument to unary minus" : "Illegal argument to predicate negation");
		return !ptx_is(p, '|') || !first || second_of_pair(p, i, out);
	}
	struct ptx_const c;
	if (!ptx_const_expr(p, &c))
		return false;
	constant_operand(out, &c);
	return true;
}

/* call (results), callee, (arguments), targets; -- everything but the callee is optional. */
bool ptx_call_operands(struct ptx_parser *p, struct ptx_instr *i)
{
	struct ptx_operand *ops = arena_zalloc(p->arena, 4 * sizeof *ops);
	ops[0] = ops[2] = (struct ptx_operand){.kind = PTX_O_LIST, .comp = PTX_COMP_ALL, .pos = ptx_here(p)};
	i->ops = ops;
	i->nops = 3;
	if (ptx_is(p, '(') && (!list(p, i, &ops[0], ')', 1) || !ptx_expect(p, ',')))
		return false;
	if (p->tok.kind != TOK_IDENT)
		return ptx_syntax_error(p);
	const struct ptx_token name = p->tok;
	if (ptx_peek(p)->kind == TOK_DOT) {
		ptx_next(p);
		return ptx_syntax_error(p);
	}
	if (!ptx_operand(p, i, &ops[1], 1))
		return false;
	if (ops[1].kind == PTX_O_NONE)
		ops[1].selector = ptx_text(p, &name);
	if (!ptx_accept(p, ','))
		return true;
	ops[2].pos = ptx_here(p);
	if (ptx_is(p, '(')) {
		if (!list(p, i, &ops[2], ')', 1))
			return false;
		if (!ptx_accept(p, ','))
			return true;
	}
	i->nops = 4;
	if (p->tok.kind != TOK_IDENT)
		return ptx_syntax_error(p);
	p->holding = false; /* a wrong table is reported before all else */
	bool read = ptx_operand(p, i, &ops[3], 1);
	p->holding = true;
	return read;
}
