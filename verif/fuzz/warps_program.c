// SPDX-License-Identifier: Apache-2.0
/* warps_program.c -- makes, prints and interprets. One statement is run for all threads before the next one. */
#include "warps_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "float_rows.h"

enum kind { Assign, If, Loop, Load, Store, Own, Common, Shuffle, Vote, Match, Redux, Exchange, KIND_COUNT };
enum { MOST_STATEMENTS = 400, DEEPEST = 3 };

struct expr {
	const struct row *row; /* NULL: variable or literal */
	bool is_float, literal;
	char type; /* w d h p */
	uint64_t value;
	unsigned var;
	struct expr *arg[4];
};

struct stmt {
	enum kind kind;
	unsigned number;
	bool on;
	struct stmt *next, *body, *other;
	bool gathers; /* an If or Loop that keeps the mask of the lanes in it */
	int guard;    /* predicate variable of an Assign, -1 = none */
	bool negated;
	char type;
	unsigned var; /* that is written */
	struct expr *a, *b;
	unsigned op, space, bytes, offset, amount;
	bool wide_sign, generic;
};

struct program {
	struct rng rng;
	struct stmt *body, *by_number[MOST_STATEMENTS];
	unsigned count, npieces;
	bool sm80;
	void *pieces[1 << 15];
};

static unsigned below(struct program *p, unsigned n)
{
	return rng_below(&p->rng, n);
}

static void *piece(struct program *p, size_t size)
{
	if (p->npieces == sizeof p->pieces / sizeof *p->pieces)
		abort();
	return p->pieces[p->npieces++] = calloc(1, size);
}

/* ---- making ---- */

static char plain(char kind)
{
	return kind == 'p' ? 'p' : kind_bits(kind) == 64 ? 'd' : kind_bits(kind) == 16 ? 'h' : 'w';
}

static unsigned variables(char type)
{
	return type == 'w' ? NUM_W : type == 'd' ? NUM_D : type == 'h' ? NUM_H : NUM_P;
}

static uint64_t literal(struct program *p, char type, bool is_float)
{
	static const uint64_t usual[] = {0,  1,   2,    3,      4,      7,          8,          31,        32,
	                                 63, 255, 0x80, 0x8000, 0xffff, 0x80000000, 0xffffffff, 0x7fffffff};
	static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb,
	                                  0x4f000000, 0x7f800000, 1,          0x00800000, 0x4b000000};
	static const uint64_t doubles[] = {
	        0, UINT64_C(0x3ff0000000000000), UINT64_C(0xc008000000000000), UINT64_C(0x41e0000000000000),
	        1, UINT64_C(0x7ff0000000000000)};
	if (is_float && type == 'w')
		return floats[below(p, sizeof floats / sizeof *floats)];
	if (is_float && type == 'd')
		return doubles[below(p, sizeof doubles / sizeof *doubles)];
	return kind_cut(type, below(p, 2) ? usual[below(p, sizeof usual / sizeof *usual)]
	                                  : rng_next(&p->rng) >> below(p, 60));
}

static const struct row *pick_row(struct program *p, char type, bool *is_float)
{
	for (;;) {
		*is_float = below(p, 5) < 2;
		const struct row *r = *is_float ? &float_rows[below(p, num_float_rows)] : &rows[below(p, nrows)];
		/* ptxas takes no more than six bits of positions and lengths of 64-bit fields (docs/real-code.md) */
		const bool field = !strncmp(r->text, "bfi.b64", 7) || (!strncmp(r->text, "bfe", 3) && r->result == 'd');
		if (plain(r->result) == type && !field)
			return r;
	}
}

static struct expr *make_expr(struct program *p, char kind, unsigned depth, bool for_float)
{
	struct expr *e = piece(p, sizeof *e);
	const char type = plain(kind);
	const bool not_zero = kind == 'z' || kind == 'y' || kind == 'x';
	e->type = type;
	if (not_zero || (type != 'p' && type != 'h' && below(p, 4) == 0)) {
		e->literal = true;
		e->value = literal(p, type, for_float);
		if (not_zero && !e->value)
			e->value = 5;
		return e;
	}
	if (!depth || below(p, 3) == 0) {
		e->var = below(p, variables(type));
		return e;
	}
	e->row = pick_row(p, type, &e->is_float);
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		e->arg[i] = make_expr(p, e->row->arg[i], depth - 1, e->is_float);
	/* of an immediate amount for 16 bits ptxas looks at few bits (docs/real-code.md) */
	if (!strncmp(e->row->text, "sh", 2) && e->type == 'h' && e->arg[1]->literal)
		e->arg[1]->value &= 31;
	return e;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool gathered, bool in_loop);

static struct stmt *make_stmt(struct program *p, unsigned depth, bool gathered, bool in_loop)
{
	static const char types[] = "wwwddhp";
	struct stmt *s = piece(p, sizeof *s);
	const unsigned r = below(p, 100);
	s->kind = r < 50   ? Assign
	          : r < 58 ? If
	          : r < 62 ? Loop
	          : r < 69 ? Load
	          : r < 76 ? Store
	          : r < 82 ? Own
	          : r < 87 ? Common
	          : r < 92 ? Shuffle
	          : r < 95 ? Vote
	          : r < 97 ? Match
	          : r < 98 ? Redux
	                   : Exchange;
	if (depth >= DEEPEST && (s->kind == If || s->kind == Loop))
		s->kind = Assign;
	if (!gathered && (s->kind == Shuffle || s->kind == Vote || s->kind == Match || s->kind == Redux))
		s->kind = Assign;
	if (s->kind == Exchange && depth)
		s->kind = Store;
	s->number = p->count;
	s->on = true;
	p->by_number[p->count++] = s;
	s->guard = -1;
	s->type = types[below(p, sizeof types - 1)];
	switch (s->kind) {
	case Assign:
		if (below(p, 6) == 0) {
			s->guard = (int)below(p, NUM_P);
			s->negated = below(p, 2);
		}
		s->a = make_expr(p, s->type, 1 + below(p, 3), false);
		break;
	case If:
		s->gathers = gathered && below(p, 3);
		s->a = make_expr(p, 'p', 2, false);
		s->body = make_body(p, 1 + below(p, 4), depth + 1, s->gathers, in_loop);
		s->other = below(p, 2) ? make_body(p, 1 + below(p, 3), depth + 1, s->gathers, in_loop) : NULL;
		break;
	case Loop:
		s->gathers = gathered && below(p, 3);
		s->a = make_expr(p, 'w', 1, false);
		s->amount = 1 + below(p, 3);
		s->body = make_body(p, 1 + below(p, 4), depth + 1, s->gathers, true);
		break;
	case Load:
	case Store:
		s->space = below(p, 3);
		s->bytes = 1u << below(p, 4);
		s->offset = below(p, OWN_BYTES / s->bytes) * s->bytes;
		s->wide_sign = below(p, 2);
		s->generic = s->space < 2 && below(p, 3) == 0;
		s->type = s->bytes == 8 ? 'd' : "wd"[below(p, 2)];
		if (s->kind == Store)
			s->a = make_expr(p, s->type, 1, false);
		break;
	case Own:
		s->space = below(p, 2);
		s->bytes = 4u << below(p, 2);
		s->offset = below(p, OWN_BYTES / s->bytes) * s->bytes;
		s->type = s->bytes == 8 ? 'd' : 'w';
		s->op = below(p, s->bytes == 8 ? 10 : 12);
		s->generic = below(p, 3) == 0;
		s->a = make_expr(p, s->type, 1, false);
		s->b = make_expr(p, s->type, 0, false);
		break;
	case Common:
		s->space = below(p, 2);
		s->op = below(p, COMMON_CELLS);
		s->generic = below(p, 3) == 0;
		s->type = s->op < 8 ? 'w' : 'd';
		s->a = make_expr(p, s->type, 1, false);
		break;
	case Shuffle:
		s->op = below(p, 4);
		s->type = 'w';
		s->a = make_expr(p, 'w', 1, false);
		s->b = below(p, 2) ? make_expr(p, 'w', 0, false) : NULL;
		s->amount = 1 + below(p, 31);
		break;
	case Vote:
		s->op = below(p, 4);
		s->type = s->op == 3 ? 'w' : 'p';
		s->a = make_expr(p, 'p', 1, false);
		break;
	case Match:
		s->type = 'w';
		s->op = below(p, 2);
		s->a = make_expr(p, s->op ? 'd' : 'w', 1, false);
		s->amount = 1 + below(p, 7);
		break;
	case Redux:
		s->type = 'w';
		s->op = below(p, 8);
		s->a = make_expr(p, 'w', 1, false);
		p->sm80 = true;
		break;
	default:
		s->type = "wd"[below(p, 2)];
		s->a = make_expr(p, s->type, 1, false);
		s->amount = 1 + below(p, THREADS - 1);
		break;
	}
	s->var = below(p, variables(s->type));
	return s;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool gathered, bool in_loop)
{
	struct stmt *first = NULL, **end = &first;
	while (n-- && p->count < MOST_STATEMENTS) {
		*end = make_stmt(p, depth, gathered, in_loop);
		end = &(*end)->next;
	}
	return first;
}

struct program *program_new(uint64_t seed)
{
	struct program *p = calloc(1, sizeof *p);
	p->rng = rng_seed(seed, 16);
	p->body = make_body(p, 6 + below(p, 22), 0, true, false);
	return p;
}

void program_free(struct program *p)
{
	for (unsigned i = 0; i < p->npieces; i++)
		free(p->pieces[i]);
	free(p);
}

static bool any_redux(const struct stmt *s)
{
	for (; s; s = s->next)
		if (s->on && (s->kind == Redux || any_redux(s->body) || any_redux(s->other)))
			return true;
	return false;
}

bool program_needs_sm80(const struct program *p)
{
	return p->sm80 && any_redux(p->body);
}

unsigned program_statements(const struct program *p)
{
	return p->count;
}

void program_switch(struct program *p, unsigned statement, bool on)
{
	p->by_number[statement]->on = on;
}

bool program_is_on(const struct program *p, unsigned statement)
{
	return p->by_number[statement]->on;
}

/* ---- printing ---- */

struct text {
	char *to;
	size_t n, at;
	unsigned temps, labels;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int k = vsnprintf(t->to + t->at, t->n - t->at, format, args);
	va_end(args);
	t->at += k > 0 ? (size_t)k : 0;
	if (t->at >= t->n)
		abort();
}

static const char *const reg_type[128] = {['w'] = "b32", ['d'] = "b64", ['h'] = "b16", ['p'] = "pred"};

struct name {
	char text[40];
};

static struct name temp(struct text *t, char type)
{
	struct name n;
	snprintf(n.text, sizeof n.text, "%%t%c%u", type, t->temps++);
	return n;
}

static struct name number(char type, uint64_t v, bool as_float)
{
	struct name n;
	if (as_float && type == 'w')
		snprintf(n.text, sizeof n.text, "0f%08X", (unsigned)v);
	else if (as_float && type == 'd')
		snprintf(n.text, sizeof n.text, "0d%016llX", (unsigned long long)v);
	else
		snprintf(n.text, sizeof n.text, "%llu%s", (unsigned long long)v, type == 'd' && v >> 63 ? "U" : "");
	return n;
}

/* Is the source a float for the assembler, so that a literal must be one? */
static bool float_source(const struct row *r, bool is_float)
{
	const char *last = strrchr(r->text, '.');
	return is_float && last && last[1] == 'f';
}

static void print_one_nan(struct text *t, char format, const char *name)
{
	struct name p = temp(t, 'p');
	if (format == 'e') {
		say(t, "\tsetp.nan.f16 %s, %s, %s;\n\tselp.b16 %s, 32767, %s, %s;\n", p.text, name, name, name, name,
		    p.text);
		return;
	}
	say(t, "\ttestp.notanumber.%s %s, %s;\n\tselp.%s %s, %s, %s, %s;\n", format == 'f' ? "f32" : "f64", p.text,
	    name, format == 'f' ? "b32" : "b64", name, format == 'f' ? "0x7fffffff" : "0x7fffffffffffffff", name,
	    p.text);
}

static struct name print_expr(struct text *t, const struct expr *e, bool as_float)
{
	struct name n, args[4];
	if (e->literal)
		return number(e->type, e->value, as_float);
	if (!e->row) {
		snprintf(n.text, sizeof n.text, "%%%c%u", e->type, e->var);
		return n;
	}
	const char *bar = strchr(e->row->text, '|');
	const unsigned nargs = row_nargs(e->row);
	for (unsigned i = 0; i < nargs; i++) {
		args[i] = print_expr(t, e->arg[i], float_source(e->row, e->is_float) && e->row->arg[i] != 'p');
		/* positions and lengths that are constants must be below 256 */
		const bool position =
		        (!strncmp(e->row->text, "bfe", 3) && i > 0) || (!strncmp(e->row->text, "bfi", 3) && i > 1);
		if (position && e->arg[i]->literal && e->arg[i]->value > 255) {
			struct name v = temp(t, 'w');
			say(t, "\tld.shared.b32 %s, [big+%u];\n", v.text, 0u);
			say(t, "\tadd.u32 %s, %s, %u;\n", v.text, v.text, (unsigned)e->arg[i]->value);
			args[i] = v;
		}
	}
	n = temp(t, plain(e->row->result));
	say(t, "\t%.*s %s", (int)(bar ? bar - e->row->text : (ptrdiff_t)strlen(e->row->text)), e->row->text, n.text);
	for (unsigned i = 0; i < nargs; i++)
		say(t, ", %s", args[i].text);
	say(t, "%s%s;\n", bar ? ", " : "", bar ? bar + 1 : "");
	if (e->is_float && float_result(e->row))
		print_one_nan(t, float_result(e->row), n.text);
	return n;
}

/* The same, in a register. */
static struct name print_source(struct text *t, const struct expr *e)
{
	struct name n = print_expr(t, e, false);
	if (!e->literal)
		return n;
	struct name r = temp(t, e->type);
	say(t, "\tmov.%s %s, %s;\n", reg_type[(unsigned char)e->type], r.text, n.text);
	return r;
}

static const char *const space_name[] = {"shared", "global", "local"};
static const char *const own_base[] = {"%ownshared", "%ownglobal", "%ownlocal"}, *const own_generic[] = {"%genshared",
                                                                                                         "%ownglobal"};
static const char *const common_base[] = {"%comshared", "%comglobal"}, *const common_generic[] = {"%gencom",
                                                                                                  "%comglobal"};

static const struct {
	const char *op, *type;
} own_ops[] = {{"add", "u"}, {"min", "u"}, {"max", "u"},  {"min", "s"}, {"max", "s"}, {"and", "b"},
               {"or", "b"},  {"xor", "b"}, {"exch", "b"}, {"cas", "b"}, {"inc", "u"}, {"dec", "u"}};
static const struct {
	const char *op, *type;
} common_ops[] = {{"add", "u32"}, {"xor", "b32"}, {"min", "u32"}, {"max", "u32"}, {"or", "b32"},
                  {"and", "b32"}, {"min", "s32"}, {"max", "s32"}, {"add", "u64"}, {"max", "u64"}};
static const char *const shuffles[] = {"idx", "up", "down", "bfly"}, *const votes[] = {"all.pred", "any.pred",
                                                                                       "uni.pred", "ballot.b32"};
static const struct {
	const char *op, *type;
} reduxes[] = {{"add", "u32"}, {"min", "u32"}, {"max", "u32"}, {"min", "s32"},
               {"max", "s32"}, {"and", "b32"}, {"or", "b32"},  {"xor", "b32"}};

static void print_body(struct text *t, const struct stmt *s, unsigned mask);

static void print_if(struct text *t, const struct stmt *s, unsigned mask)
{
	const unsigned label = t->labels++, inner = s->gathers ? t->temps++ : mask;
	struct name p = print_expr(t, s->a, false);
	if (s->gathers)
		say(t, "\tvote.sync.ballot.b32 %%m%u, %s, %%m%u;\n", inner, p.text, mask);
	say(t, "\t@!%s bra ELSE%u;\n", p.text, label);
	print_body(t, s->body, inner);
	say(t, "\tbra DONE%u;\nELSE%u:\n", label, label);
	if (s->gathers)
		say(t, "\tnot.b32 %%m%u, %%m%u;\n\tand.b32 %%m%u, %%m%u, %%m%u;\n", inner, inner, inner, inner, mask);
	print_body(t, s->other, inner);
	say(t, "DONE%u:\n", label);
}

static void print_loop(struct text *t, const struct stmt *s, unsigned mask)
{
	const unsigned label = t->labels++, inner = s->gathers ? t->temps++ : mask;
	struct name n = print_source(t, s->a), count = temp(t, 'w'), p = temp(t, 'p');
	say(t, "\tand.b32 %s, %s, 3;\n\tadd.u32 %s, %s, %u;\n", count.text, n.text, count.text, count.text, s->amount);
	if (s->gathers)
		say(t, "\tmov.b32 %%m%u, %%m%u;\n", inner, mask);
	say(t, "LOOP%u:\n\tsetp.ne.u32 %s, %s, 0;\n", label, p.text, count.text);
	if (s->gathers)
		say(t, "\tvote.sync.ballot.b32 %%m%u, %s, %%m%u;\n", inner, p.text, inner);
	say(t, "\t@!%s bra OUT%u;\n\tsub.u32 %s, %s, 1;\n", p.text, label, count.text, count.text);
	print_body(t, s->body, inner);
	say(t, "\tbra LOOP%u;\nOUT%u:\n", label, label);
}

static void print_shuffle(struct text *t, const struct stmt *s, unsigned mask)
{
	struct name v = print_source(t, s->a), got = temp(t, 'w'), there = temp(t, 'p'), from = temp(t, 'w'),
	            p = temp(t, 'p');
	struct name b = s->b ? print_source(t, s->b) : number('w', s->amount, false), in = temp(t, 'w');
	/* which lane it comes from, so that a lane that is not there may be told: its value is anything */
	say(t, "\tand.b32 %s, %s, 31;\n", in.text, b.text);
	say(t, "\tshfl.sync.%s.b32 %s|%s, %s, %s, %s, %%m%u;\n", shuffles[s->op], got.text, there.text, v.text, in.text,
	    s->op == 1 ? "0" : "31", mask);
	say(t, "\t%s %s, %s;\n",
	    s->op == 0   ? "mov.b32"
	    : s->op == 1 ? "sub.u32"
	    : s->op == 2 ? "add.u32"
	                 : "xor.b32",
	    from.text, s->op == 0 ? in.text : "%lane");
	if (s->op) {
		t->at -= 2;
		say(t, ", %s;\n", in.text);
	}
	say(t, "\t@!%s mov.b32 %s, %%lane;\n\tshr.u32 %s, %%m%u, %s;\n\tand.b32 %s, %s, 1;\n\tsetp.ne.u32 %s, %s, 0;\n",
	    there.text, from.text, from.text, mask, from.text, from.text, from.text, p.text, from.text);
	say(t, "\tselp.b32 %%w%u, %s, %s, %s;\n", s->var, got.text, v.text, p.text);
}

static void print_stmt(struct text *t, const struct stmt *s, unsigned mask)
{
	const char *sized = s->bytes == 1 ? "8" : s->bytes == 2 ? "16" : s->bytes == 4 ? "32" : "64";
	struct name a, b;
	switch (s->kind) {
	case Assign:
		a = print_expr(t, s->a, false);
		say(t, "\t");
		if (s->guard >= 0)
			say(t, "@%s%%p%d ", s->negated ? "!" : "", s->guard);
		say(t, "mov.%s %%%c%u, %s;\n", reg_type[(unsigned char)s->type], s->type, s->var, a.text);
		break;
	case If:
		print_if(t, s, mask);
		break;
	case Loop:
		print_loop(t, s, mask);
		break;
	case Load:
		say(t, "\tld%s%s.%c%s %%%c%u, [%s+%u];\n", s->generic ? "" : ".",
		    s->generic ? "" : space_name[s->space],
		    s->bytes == (s->type == 'd' ? 8 : 4) ? 'b'
		    : s->wide_sign                       ? 's'
		                                         : 'u',
		    sized, s->type, s->var, s->generic ? own_generic[s->space] : own_base[s->space], s->offset);
		break;
	case Store:
		a = print_source(t, s->a);
		say(t, "\tst%s%s.b%s [%s+%u], %s;\n", s->generic ? "" : ".", s->generic ? "" : space_name[s->space],
		    sized, s->generic ? own_generic[s->space] : own_base[s->space], s->offset, a.text);
		break;
	case Own:
		a = print_source(t, s->a);
		b = print_source(t, s->b);
		say(t, "\tatom%s%s.%s.%s%s %%%c%u, [%s+%u], %s%s%s;\n", s->generic ? "" : ".",
		    s->generic ? "" : space_name[s->space], own_ops[s->op].op, own_ops[s->op].type, sized, s->type,
		    s->var, s->generic ? own_generic[s->space] : own_base[s->space], s->offset, a.text,
		    s->op == 9 ? ", " : "", s->op == 9 ? b.text : "");
		break;
	case Common:
		a = print_source(t, s->a);
		say(t, "\tred%s%s.%s.%s [%s+%u], %s;\n", s->generic ? "" : ".", s->generic ? "" : space_name[s->space],
		    common_ops[s->op].op, common_ops[s->op].type,
		    s->generic ? common_generic[s->space] : common_base[s->space], 8 * s->op, a.text);
		break;
	case Shuffle:
		print_shuffle(t, s, mask);
		break;
	case Vote:
		a = print_expr(t, s->a, false);
		say(t, "\tvote.sync.%s %%%c%u, %s, %%m%u;\n", votes[s->op], s->type, s->var, a.text, mask);
		break;
	case Match:
		a = print_source(t, s->a);
		b = temp(t, s->op ? 'd' : 'w');
		say(t, "\tand.b%s %s, %s, %u;\n\tmatch.any.sync.b%s %%w%u, %s, %%m%u;\n", s->op ? "64" : "32", b.text,
		    a.text, s->amount, s->op ? "64" : "32", s->var, b.text, mask);
		break;
	case Redux:
		a = print_source(t, s->a);
		say(t, "\tredux.sync.%s.%s %%w%u, %s, %%m%u;\n", reduxes[s->op].op, reduxes[s->op].type, s->var, a.text,
		    mask);
		break;
	default:
		a = print_source(t, s->a);
		b = temp(t, 'w');
		say(t, "\tst.shared.%s [%%swap], %s;\n\tbar.sync 0;\n", reg_type[(unsigned char)s->type], a.text);
		say(t,
		    "\tadd.u32 %s, %%me, %u;\n\tand.b32 %s, %s, %u;\n\tmul.lo.u32 %s, %s, 8;\n\tadd.u32 %s, %s, "
		    "%%swaps;\n",
		    b.text, s->amount, b.text, b.text, THREADS - 1, b.text, b.text, b.text, b.text);
		say(t, "\tld.shared.%s %%%c%u, [%s];\n\tbar.sync 0;\n", reg_type[(unsigned char)s->type], s->type,
		    s->var, b.text);
		break;
	}
}

static void print_body(struct text *t, const struct stmt *s, unsigned mask)
{
	for (; s; s = s->next)
		if (s->on)
			print_stmt(t, s, mask);
}

static const char types[] = "dwhp";

void program_print(const struct program *p, char *text, size_t n)
{
	struct text t = {.to = malloc(n), .n = n, .temps = 1}, head = {.to = text, .n = n};
	unsigned word = 0;
	/* the body first: then the number of registers is known */
	say(&t,
	    "\tld.param.u64 %%inp, [in]; ld.param.u64 %%outp, [out]; ld.param.u64 %%ownglobal, [own]; ld.param.u64 "
	    "%%comglobal, [common];\n"
	    "\tcvta.to.global.u64 %%ownglobal, %%ownglobal;\n\tmov.u32 %%me, %%tid.x;\n\tand.b32 %%lane, %%me, 31;\n");
	say(&t, "\tmad.wide.u32 %%inp, %%me, %u, %%inp;\n\tmad.wide.u32 %%outp, %%me, %u, %%outp;\n", 8 * OUT_WORDS,
	    8 * OUT_WORDS);
	say(&t,
	    "\tmad.wide.u32 %%ownglobal, %%me, %u, %%ownglobal;\n\tmov.u32 %%ownshared, slots;\n\tmad.lo.u32 "
	    "%%ownshared, %%me, %u, %%ownshared;\n",
	    OWN_BYTES, OWN_BYTES);
	say(&t, "\tcvt.u64.u32 %%genshared, %%ownshared;\n\tcvta.shared.u64 %%genshared, %%genshared;\n\tmov.u32 "
	        "%%comshared, cells;\n"
	        "\tcvt.u64.u32 %%gencom, %%comshared;\n\tcvta.shared.u64 %%gencom, %%gencom;\n\tmov.u64 %%ownlocal, "
	        "stack;\n"
	        "\tmov.u32 %%swaps, swap;\n\tmad.lo.u32 %%swap, %%me, 8, %%swaps;\n\tmov.b32 %%m0, 0xffffffff;\n");
	say(&t, "\tmov.b32 %%zero, 0;\n\tmov.b64 %%zeros, 0;\n\tst.shared.b32 [big], %%zero;\n");
	for (unsigned i = 0; i < OWN_BYTES; i += 8)
		say(&t, "\tst.shared.b64 [%%ownshared+%u], %%zeros;\n\tst.local.b64 [%%ownlocal+%u], %%zeros;\n", i, i);
	say(&t, "\tsetp.ne.u32 %%first, %%me, 0;\n\t@%%first bra READY;\n");
	for (unsigned i = 0; i < COMMON_CELLS; i++)
		say(&t, "\tst.shared.b64 [%%comshared+%u], %%zeros;\n", 8 * i);
	say(&t, "READY:\n\tbar.sync 0;\n");
	for (const char *type = types; *type; type++)
		for (unsigned i = 0; i < variables(*type); i++, word++) {
			if (*type == 'p')
				say(&t, "\tld.global.b32 %%zero, [%%inp+%u];\n\tsetp.ne.u32 %%p%u, %%zero, 0;\n",
				    8 * word, i);
			else
				say(&t, "\tld.global.%s %%%c%u, [%%inp+%u];\n", reg_type[(unsigned char)*type], *type,
				    i, 8 * word);
		}
	print_body(&t, p->body, 0);
	say(&t, "\tbar.sync 0;\n");
	word = 0;
	for (const char *type = types; *type; type++)
		for (unsigned i = 0; i < variables(*type); i++, word++) {
			if (*type == 'p')
				say(&t, "\tselp.b64 %%zeros, 1, 0, %%p%u;\n", i);
			else if (*type == 'd')
				say(&t, "\tmov.b64 %%zeros, %%d%u;\n", i);
			else
				say(&t, "\tcvt.u64.u%s %%zeros, %%%c%u;\n", *type == 'w' ? "32" : "16", *type, i);
			say(&t, "\tst.global.b64 [%%outp+%u], %%zeros;\n", 8 * word);
		}
	for (unsigned space = 0; space < 2; space++)
		for (unsigned i = 0; i < OWN_BYTES; i += 8, word++)
			say(&t, "\tld.%s.b64 %%zeros, [%s+%u];\n\tst.global.b64 [%%outp+%u], %%zeros;\n",
			    space_name[space], own_base[space], i, 8 * word);
	say(&t, "\t@%%first bra END;\n");
	for (unsigned i = 0; i < COMMON_CELLS; i++)
		say(&t, "\tld.shared.b64 %%zeros, [%%comshared+%u];\n\tst.global.b64 [%%comglobal+%u], %%zeros;\n",
		    8 * i, 8 * (i + COMMON_CELLS));
	say(&t, "END:\n\tret;\n}\n");
	say(&head,
	    ".version 7.8\n.target sm_%s\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param "
	    ".u64 own, .param .u64 common)\n{\n",
	    program_needs_sm80(p) ? "80" : "75");
	for (const char *type = types; *type; type++)
		say(&head, "\t.reg .%s %%%c<%u>, %%t%c<%u>;\n", reg_type[(unsigned char)*type], *type, variables(*type),
		    *type, t.temps + 1);
	say(&head,
	    "\t.reg .b32 %%m<%u>, %%me, %%lane, %%ownshared, %%comshared, %%swap, %%swaps, %%zero;\n\t.reg .pred "
	    "%%first;\n",
	    t.temps + 1);
	say(&head,
	    "\t.reg .b64 %%inp, %%outp, %%ownglobal, %%comglobal, %%genshared, %%gencom, %%ownlocal, %%zeros;\n");
	say(&head,
	    "\t.shared .align 8 .b8 slots[%u];\n\t.shared .align 8 .b8 cells[%u];\n\t.shared .align 8 .b8 "
	    "swap[%u];\n\t.shared .b32 big;\n",
	    THREADS * OWN_BYTES, 8 * COMMON_CELLS, 8 * THREADS);
	say(&head, "\t.local .align 8 .b8 stack[%u];\n%s", OWN_BYTES, t.to);
	free(t.to);
}

void program_describe(const struct program *p, unsigned statement, char *text, size_t n)
{
	struct text t = {.to = text, .n = n, .temps = 1};
	struct stmt s = *p->by_number[statement];
	s.body = s.other = NULL;
	print_stmt(&t, &s, 0);
}

/* ---- the meaning ---- */

struct block {
	uint64_t w[NUM_W][THREADS], d[NUM_D][THREADS], h[NUM_H][THREADS], p[NUM_P][THREADS];
	uint8_t own[3][THREADS][OWN_BYTES];
	uint64_t common[2][COMMON_CELLS];
};

static uint64_t *variable(struct block *b, char type, unsigned var)
{
	return type == 'w' ? b->w[var] : type == 'd' ? b->d[var] : type == 'h' ? b->h[var] : b->p[var];
}

static uint64_t value(struct block *b, const struct expr *e, unsigned t)
{
	uint64_t v[4] = {0};
	if (e->literal)
		return e->value;
	if (!e->row)
		return variable(b, e->type, e->var)[t];
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		v[i] = value(b, e->arg[i], t);
	uint64_t r = e->is_float ? float_value(e->row, v[0], v[1], v[2]) : e->row->value(v[0], v[1], v[2], v[3]);
	r = kind_cut(plain(e->row->result), r);
	return e->is_float ? kind_cut(plain(e->row->result), one_nan(float_result(e->row), r)) : r;
}

static uint64_t combined(const char *op, char type, unsigned bits, uint64_t old, uint64_t a, uint64_t b)
{
	const uint64_t all = bits == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff);
	const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old, sa = bits == 64 ? (int64_t)a : (int32_t)a;
	const bool less = type == 's' ? sa < so : a < old;
	if (!strcmp(op, "add"))
		return (old + a) & all;
	if (!strcmp(op, "min"))
		return less ? a : old;
	if (!strcmp(op, "max"))
		return less ? old : a;
	if (!strcmp(op, "inc"))
		return old >= a ? 0 : old + 1;
	if (!strcmp(op, "dec"))
		return old == 0 || old > a ? a : old - 1;
	if (!strcmp(op, "cas"))
		return old == a ? b : old;
	return !strcmp(op, "and") ? old & a : !strcmp(op, "or") ? old | a : !strcmp(op, "xor") ? old ^ a : a; /* exch */
}

static void run_body(struct block *b, const struct stmt *s, const bool *in);

static uint32_t lanes(const bool *in, unsigned warp)
{
	uint32_t m = 0;
	for (unsigned l = 0; l < 32; l++)
		m |= (uint32_t)in[32 * warp + l] << l;
	return m;
}

/* One value of every thread, before anything is written. */
static void values(struct block *b, const struct expr *e, const bool *in, uint64_t v[THREADS])
{
	for (unsigned t = 0; t < THREADS; t++)
		v[t] = in[t] && e ? value(b, e, t) : 0;
}

static void run_collective(struct block *b, const struct stmt *s, const bool *in)
{
	uint64_t a[THREADS], c[THREADS], *to = variable(b, s->type, s->var);
	values(b, s->a, in, a);
	values(b, s->b, in, c);
	for (unsigned t = 0; t < THREADS; t++) {
		const unsigned lane = t % 32, first = t - lane, step = s->b ? c[t] & 31 : s->amount;
		const uint32_t here = lanes(in, t / 32);
		uint32_t yes = 0, got = 0;
		bool started = false;
		if (!in[t])
			continue;
		if (s->kind == Shuffle) {
			unsigned from = s->op == 0   ? step
			                : s->op == 1 ? lane - step
			                : s->op == 2 ? lane + step
			                             : lane ^ step;
			if (from > 31)
				from = lane;
			to[t] = here >> from & 1 ? a[first + from] : a[t];
			continue;
		}
		for (unsigned l = 0; l < 32; l++) {
			const uint32_t v = (uint32_t)a[first + l];
			if (!(here >> l & 1))
				continue;
			if (s->kind == Vote)
				yes |= (uint32_t)(a[first + l] != 0) << l;
			else if (s->kind == Match)
				yes |= (uint32_t)((a[first + l] & s->amount) == (a[t] & s->amount)) << l;
			else
				got = !started ? v
				               : (uint32_t)combined(reduxes[s->op].op, reduxes[s->op].type[0], 32, got,
				                                    v, 0);
			started = true;
		}
		if (s->kind == Vote)
			to[t] = s->op == 0   ? yes == here
			        : s->op == 1 ? yes != 0
			        : s->op == 2 ? !yes || yes == here
			                     : yes;
		else
			to[t] = s->kind == Match ? yes : got;
	}
}

static void run_memory(struct block *b, const struct stmt *s, unsigned t)
{
	uint64_t v = 0, a, c;
	uint8_t *at = b->own[s->space][t] + s->offset;
	memcpy(&v, at, s->bytes);
	if (s->kind == Load) {
		if (s->wide_sign && s->bytes < (s->type == 'd' ? 8u : 4u) && v >> (8 * s->bytes - 1) & 1)
			v |= ~UINT64_C(0) << (8 * s->bytes);
		variable(b, s->type, s->var)[t] = kind_cut(s->type, v);
		return;
	}
	a = value(b, s->a, t);
	if (s->kind == Own) {
		c = value(b, s->b, t);
		variable(b, s->type, s->var)[t] = v;
		a = combined(own_ops[s->op].op, own_ops[s->op].type[0], 8 * s->bytes, v, a, c);
	}
	memcpy(at, &a, s->bytes);
}

static void run_stmt(struct block *b, const struct stmt *s, const bool *in)
{
	bool some[THREADS], others[THREADS], any = true;
	uint64_t v[THREADS];
	switch (s->kind) {
	case If:
		for (unsigned t = 0; t < THREADS; t++) {
			some[t] = in[t] && value(b, s->a, t);
			others[t] = in[t] && !some[t];
		}
		run_body(b, s->body, some);
		run_body(b, s->other, others);
		break;
	case Loop:
		for (unsigned t = 0; t < THREADS; t++)
			v[t] = in[t] ? (value(b, s->a, t) & 3) + s->amount : 0;
		while (any) {
			any = false;
			for (unsigned t = 0; t < THREADS; t++)
				any |= some[t] = v[t] && v[t]--;
			if (any)
				run_body(b, s->body, some);
		}
		break;
	case Shuffle:
	case Vote:
	case Match:
	case Redux:
		run_collective(b, s, in);
		break;
	case Exchange:
		values(b, s->a, in, v);
		for (unsigned t = 0; t < THREADS; t++)
			variable(b, s->type, s->var)[t] = v[(t + s->amount) % THREADS];
		break;
	default:
		for (unsigned t = 0; t < THREADS; t++) {
			if (!in[t])
				continue;
			if (s->kind == Common) {
				uint64_t *cell = &b->common[s->space][s->op];
				const uint64_t low = s->op < 8 ? UINT64_C(0xffffffff) : ~UINT64_C(0);
				const uint64_t now = combined(common_ops[s->op].op, common_ops[s->op].type[0],
				                              s->op < 8 ? 32 : 64, *cell & low, value(b, s->a, t), 0);
				*cell = (*cell & ~low) | (now & low);
			} else if (s->kind != Assign) {
				run_memory(b, s, t);
			} else if (s->guard < 0 || (b->p[s->guard][t] != 0) != s->negated) {
				variable(b, s->type, s->var)[t] = value(b, s->a, t);
			}
		}
	}
}

static void run_body(struct block *b, const struct stmt *s, const bool *in)
{
	for (; s; s = s->next)
		if (s->on)
			run_stmt(b, s, in);
}

void program_run(const struct program *p, const uint64_t in[THREADS][OUT_WORDS], struct block_out *out)
{
	static struct block b;
	bool all[THREADS];
	memset(&b, 0, sizeof b);
	memset(out, 0, sizeof *out);
	for (unsigned i = 0; i < COMMON_CELLS; i++)
		b.common[1][i] = COMMON_START;
	for (unsigned pass = 0; pass < 2; pass++) {
		unsigned word = 0;
		for (const char *type = types; *type; type++)
			for (unsigned i = 0; i < variables(*type); i++, word++)
				for (unsigned t = 0; t < THREADS; t++) {
					uint64_t *v = &variable(&b, *type, i)[t];
					if (pass)
						out->thread[t][word] = *v;
					else
						*v = *type == 'p' ? (uint32_t)in[t][word] != 0
						                  : kind_cut(*type, in[t][word]);
				}
		for (unsigned t = 0; pass && t < THREADS; t++)
			for (unsigned space = 0; space < 2; space++)
				memcpy(&out->thread[t][word + space * OWN_BYTES / 8], b.own[space][t], OWN_BYTES);
		memset(all, 1, sizeof all);
		if (!pass)
			run_body(&b, p->body, all);
	}
	memcpy(out->common, b.common[1], sizeof b.common[1]);
	memcpy(out->common + COMMON_CELLS, b.common[0], sizeof b.common[0]);
}
