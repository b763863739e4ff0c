// SPDX-License-Identifier: Apache-2.0
/* expr.c -- constant expressions: C's operators and precedence on 64-bit integers and on doubles.
 * Source: PTX ISA, "Constant Expressions". An operation is unsigned when one side is; shifts take the sign of the
 * left side. */
#include <string.h>

#include "parse.h"

static bool ternary(struct ptx_parser *p, struct ptx_const *out, unsigned depth);

static struct ptx_const int_const(uint64_t u, bool is_unsigned)
{
	return (struct ptx_const){.u = u, .is_unsigned = is_unsigned};
}

static struct ptx_const float_const(double f)
{
	return (struct ptx_const){.is_float = true, .f = f};
}

static bool truth(const struct ptx_const *c)
{
	return c->is_float ? c->f != 0 : c->u != 0;
}

/* A cast `(.s64)` or `(.u64)`. */
static bool cast(struct ptx_parser *p, bool *to_unsigned)
{
	const struct ptx_token *t = ptx_peek(p);
	if (!ptx_is(p, '(') || t->kind != TOK_DOT || t->len != 3 || memcmp(t->text + 1, "64", 2) != 0 ||
	    (t->text[0] != 's' && t->text[0] != 'u'))
		return false;
	*to_unsigned = t->text[0] == 'u';
	ptx_next(p);
	ptx_next(p);
	return true;
}

static bool unary(struct ptx_parser *p, struct ptx_const *out, unsigned depth)
{
	bool to_unsigned;
	if (depth > MAX_DEPTH) {
		ptx_error(p, ptx_here(p), "expression is nested too deep");
		return false;
	}
	if (p->tok.kind == TOK_INT) {
		*out = int_const(p->tok.value, p->tok.is_unsigned);
		ptx_next(p);
		return true;
	}
	if (p->tok.kind == TOK_FLOAT) {
		*out = float_const(p->tok.f64);
		out->is_f32 = p->tok.is_f32;
		out->f32_bits = p->tok.f32_bits;
		ptx_next(p);
		return true;
	}
	if (p->tok.kind == TOK_IDENT && p->tok.len == 7 && memcmp(p->tok.text, "WARP_SZ", 7) == 0) {
		*out = int_const(32, false);
		ptx_next(p);
		return true;
	}
	if (cast(p, &to_unsigned)) {
		if (!ptx_expect(p, ')') || !unary(p, out, depth + 1))
			return false;
		if (out->is_float)
			*out = int_const(0, to_unsigned);
		out->is_unsigned = to_unsigned;
		return true;
	}
	if (ptx_accept(p, '('))
		return ternary(p, out, depth + 1) && ptx_expect(p, ')');
	if (p->tok.kind != TOK_PUNCT || strchr("+-~!", p->tok.ch) == NULL)
		return ptx_syntax_expected(p, "an operand or a constant");
	struct ptx_pos at = ptx_here(p);
	char op = p->tok.ch;
	ptx_next(p);
	if (!unary(p, out, depth + 1))
		return false;
	if (op == '!') {
		*out = int_const(!truth(out), false);
	} else if (out->is_float) {
		if (op == '~') {
			ptx_error(p, at, "operator '~' needs an integer");
			return false;
		}
		if (op == '-') {
			out->f = -out->f;
			out->f32_bits ^= 0x80000000u;
		}
	} else if (op == '-') {
		out->u = 0 - out->u;
	} else if (op == '~') {
		out->u = ~out->u;
	}
	return true;
}

/* Levels of precedence, loosest first. */
static const struct {
	enum ptx_token_kind kind;
	char ch;
	unsigned char level;
} operators[] = {
        {TOK_OROR, 0, 0},    {TOK_ANDAND, 0, 1},  {TOK_PUNCT, '|', 2}, {TOK_PUNCT, '^', 3}, {TOK_PUNCT, '&', 4},
        {TOK_EQ, 0, 5},      {TOK_NE, 0, 5},      {TOK_PUNCT, '<', 6}, {TOK_PUNCT, '>', 6}, {TOK_LE, 0, 6},
        {TOK_GE, 0, 6},      {TOK_SHL, 0, 7},     {TOK_SHR, 0, 7},     {TOK_PUNCT, '+', 8}, {TOK_PUNCT, '-', 8},
        {TOK_PUNCT, '*', 9}, {TOK_PUNCT, '/', 9}, {TOK_PUNCT, '%', 9},
};
enum { TIGHTEST_LEVEL = 9 };

static int level_of(const struct ptx_token *t)
{
	for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
		if (operators[i].kind == t->kind && (t->kind != TOK_PUNCT || operators[i].ch == t->ch))
			return operators[i].level;
	return -1;
}

static int compare(const struct ptx_const *a, const struct ptx_const *b)
{
	if (a->is_float || b->is_float) {
		double x = a->is_float ? a->f : (double)(int64_t)a->u, y = b->is_float ? b->f : (double)(int64_t)b->u;
		return (x > y) - (x < y);
	}
	if (a->is_unsigned || b->is_unsigned)
		return (a->u > b->u) - (a->u < b->u);
	return ((int64_t)a->u > (int64_t)b->u) - ((int64_t)a->u < (int64_t)b->u);
}

static uint64_t shift_right(const struct ptx_const *a, unsigned n)
{
	if (a->is_unsigned || !(a->u >> 63))
		return a->u >> n;
	return ~(~a->u >> n);
}

static bool divide(struct ptx_parser *p, struct ptx_pos at, char op, struct ptx_const *a, const struct ptx_const *b)
{
	bool is_unsigned = a->is_unsigned || b->is_unsigned;
	if (b->u == 0) {
		ptx_error(p, at, "division by zero in a constant expression");
		return false;
	}
	if (is_unsigned)
		a->u = op == '/' ? a->u / b->u : a->u % b->u;
	else if ((int64_t)b->u == -1) /* INT64_MIN / -1 wraps */
		a->u = op == '/' ? 0 - a->u : 0;
	else
		a->u = (uint64_t)(op == '/' ? (int64_t)a->u / (int64_t)b->u : (int64_t)a->u % (int64_t)b->u);
	a->is_unsigned = is_unsigned;
	return true;
}

static bool apply(struct ptx_parser *p, const struct ptx_token *op, struct ptx_const *a, const struct ptx_const *b)
{
	struct ptx_pos at = {op->line, op->col};
	switch (op->kind) {
	case TOK_OROR:
		*a = int_const(truth(a) || truth(b), false);
		return true;
	case TOK_ANDAND:
		*a = int_const(truth(a) && truth(b), false);
		return true;
	case TOK_EQ:
		*a = int_const(compare(a, b) == 0, false);
		return true;
	case TOK_NE:
		*a = int_const(compare(a, b) != 0, false);
		return true;
	case TOK_LE:
		*a = int_const(compare(a, b) <= 0, false);
		return true;
	case TOK_GE:
		*a = int_const(compare(a, b) >= 0, false);
		return true;
	default:
		break;
	}
	if (op->kind == TOK_PUNCT && (op->ch == '<' || op->ch == '>')) {
		*a = int_const(op->ch == '<' ? compare(a, b) < 0 : compare(a, b) > 0, false);
		return true;
	}
	if (a->is_float || b->is_float) {
		double x = a->is_float ? a->f : (double)(int64_t)a->u, y = b->is_float ? b->f : (double)(int64_t)b->u;
		if (op->kind != TOK_PUNCT || strchr("+-*/", op->ch) == NULL) {
			ptx_error(p, at, "operator '%.*s' needs integers", (int)op->len, op->text);
			return false;
		}
		*a = float_const(op->ch == '+' ? x + y : op->ch == '-' ? x - y : op->ch == '*' ? x * y : x / y);
		return true;
	}
	if (op->kind == TOK_SHL || op->kind == TOK_SHR) {
		unsigned n = b->u > 63 ? 63 : (unsigned)b->u;
		if (op->kind == TOK_SHL)
			a->u = b->u > 63 ? 0 : a->u << n;
		else
			a->u = b->u > 63 && (a->is_unsigned || !(a->u >> 63)) ? 0 : shift_right(a, n);
		return true;
	}
	bool is_unsigned = a->is_unsigned || b->is_unsigned;
	switch (op->ch) {
	case '+':
		a->u += b->u;
		break;
	case '-':
		a->u -= b->u;
		break;
	case '*':
		a->u *= b->u;
		break;
	case '&':
		a->u &= b->u;
		break;
	case '|':
		a->u |= b->u;
		break;
	case '^':
		a->u ^= b->u;
		break;
	default:
		return divide(p, at, op->ch, a, b);
	}
	a->is_unsigned = is_unsigned;
	return true;
}

static bool binary(struct ptx_parser *p, struct ptx_const *out, int level, unsigned depth)
{
	if (!unary(p, out, depth))
		return false;
	/* precedence climbing: an operator of tighter binding takes its left side first */
	for (int l; (l = level_of(&p->tok)) >= level;) {
		struct ptx_token op = p->tok;
		struct ptx_const right;
		ptx_next(p);
		if (l < TIGHTEST_LEVEL ? !binary(p, &right, l + 1, depth) : !unary(p, &right, depth))
			return false;
		if (!apply(p, &op, out, &right))
			return false;
	}
	return true;
}

static bool ternary(struct ptx_parser *p, struct ptx_const *out, unsigned depth)
{
	struct ptx_const no;
	if (!binary(p, out, 0, depth))
		return false;
	if (!ptx_is(p, '?'))
		return true;
	if (depth > MAX_DEPTH) {
		ptx_error(p, ptx_here(p), "expression is nested too deep");
		return false;
	}
	bool yes = truth(out);
	ptx_next(p);
	if (!ternary(p, out, depth + 1) || !ptx_expect(p, ':') || !ternary(p, &no, depth + 1))
		return false;
	if (!yes)
		*out = no;
	return true;
}

bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out)
{
	return ternary(p, out, 0);
}

bool ptx_const_int(struct ptx_parser *p, struct ptx_const *out)
{
	struct ptx_pos at = ptx_here(p);
	if (!ternary(p, out, 0))
		return false;
	if (out->is_float) {
		ptx_error(p, at, "an integer is expected here");
		return false;
	}
	return true;
}
