// SPDX-License-Identifier: Apache-2.0
/* random_program.c -- makes, prints and interprets. */
#include "../common/rng.h"
#include "random_program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum form { Copy, ADD_LITERAL, SHIFT_LEFT, MUL_WIDE, FORM_COUNT };
enum kind { Assign, If, Loop, Break, Load, Store, Atomic, KIND_COUNT };

struct expr {
	const struct row *row; /* NULL: variable or literal */
	char type;             /* w d h p */
	bool literal;
	uint64_t value;
	unsigned var;
	struct expr *arg[4];
};

struct stmt {
	enum kind kind;
	struct stmt *next;
	int guard; /* predicate variable, -1 = none */
	bool negated;
	char type;    /* of the variable written or the value moved: w or d */
	unsigned var; /* variable written, or the loop's number */
	struct expr *e;
	struct stmt *body, *other;
	unsigned bytes, offset, op;
	bool local, wide_sign;
	unsigned rounds; /* a loop runs (w[0] & 3) + rounds times at most */
	struct late *late;
};

/* Code that LLVM makes of a value of the previous round, absent in the first round: `y = f(x)` at the head of the
 * loop, with x written only at the end. y counts from the second round on. */
struct late {
	char type; /* of x and e: w or d */
	unsigned form;
	unsigned var, addend; /* variable written, variable added; d for form MUL_WIDE */
	struct expr *e;
};

struct program {
	struct rng rng;
	struct stmt *body;
	unsigned nloops;
	void **pieces;
	size_t npieces, cap;
};

static uint64_t draw(struct program *p)
{
	return rng_next(&p->rng) >> 8;
}

static unsigned below(struct program *p, unsigned n)
{
	return (unsigned)(draw(p) % n);
}

static void *piece(struct program *p, size_t size)
{
	if (p->npieces == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->pieces = realloc(p->pieces, p->cap * sizeof *p->pieces);
	}
	return p->pieces[p->npieces++] = calloc(1, size);
}

/* ---- making ---- */

static char plain_type(char kind)
{
	return kind == 'p' ? 'p' : kind_bits(kind) == 64 ? 'd' : kind_bits(kind) == 16 ? 'h' : 'w';
}

static struct expr *make_expr(struct program *p, char kind, unsigned depth)
{
	struct expr *e = piece(p, sizeof *e);
	char type = plain_type(kind);
	bool not_zero = kind == 'z' || kind == 'y' || kind == 'x';
	static const uint64_t usual[] = {1, 2, 3, 4, 8, 31, 32, 255, 0x80000000, 0xffffffff, 0x7fffffffffffffff};
	e->type = type;
	if (not_zero || (!depth && type != 'p' && below(p, 3) == 0)) {
		e->literal = true;
		e->value = kind_cut(type, below(p, 2) ? usual[below(p, sizeof usual / sizeof *usual)] : draw(p));
		if (not_zero && !e->value)
			e->value = 5;
		return e;
	}
	if (!depth && type != 'h') {
		e->var = below(p, type == 'w' ? NUM_W : type == 'd' ? NUM_D : NUM_P);
		return e;
	}
	do
		e->row = &rows[below(p, nrows)];
	while (plain_type(e->row->result) != type ||
	       (type == 'h' && !depth && strcmp(e->row->text, "cvt.u16.u32") != 0));
	for (unsigned i = 0; i < row_nargs(e->row); i++) {
		struct expr *arg = make_expr(p, e->row->arg[i], depth ? depth - 1 : 0);
		if (e->row->text[0] == 'v' && arg->literal) { /* ptxas accepts no literals for video instructions */
			arg->literal = false;
			arg->var = below(p, NUM_W);
		}
		e->arg[i] = arg;
	}
	return e;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool in_loop);

static char late_result(const struct late *l)
{
	return l->form == MUL_WIDE ? 'd' : l->type;
}

static struct late *make_late(struct program *p)
{
	struct late *l = piece(p, sizeof *l);
	unsigned n;
	l->form = below(p, FORM_COUNT);
	l->type = l->form == MUL_WIDE || below(p, 2) ? 'w' : 'd';
	n = late_result(l) == 'w' ? NUM_W : NUM_D;
	l->var = below(p, n);
	l->addend = below(p, n);
	l->e = make_expr(p, l->type, below(p, 3));
	return l;
}

static struct stmt *make_stmt(struct program *p, unsigned size, unsigned depth, bool in_loop)
{
	struct stmt *s = piece(p, sizeof *s);
	unsigned r = below(p, 100);
	s->guard = -1;
	s->type = below(p, 2) ? 'w' : 'd';
	s->kind = r < 50   ? Assign
	          : r < 66 ? If
	          : r < 74 ? Loop
	          : r < 79 ? Break
	          : r < 87 ? Load
	          : r < 95 ? Store
	                   : Atomic;
	if ((s->kind == If || s->kind == Loop) && (depth == 0 || size < 2))
		s->kind = Assign;
	if (s->kind == Break && !in_loop)
		s->kind = Assign;
	if (s->kind == Assign && below(p, 4) == 0)
		s->type = 'p';
	if (s->kind != Loop && s->kind != If && below(p, 4) == 0) {
		s->guard = (int)below(p, NUM_P);
		s->negated = below(p, 2);
	}
	s->var = below(p, s->type == 'w' ? NUM_W : s->type == 'd' ? NUM_D : NUM_P);
	switch (s->kind) {
	case Assign:
		s->e = make_expr(p, s->type, below(p, 4));
		break;
	case If:
		s->e = make_expr(p, 'p', below(p, 2));
		s->body = make_body(p, size / 2, depth - 1, in_loop);
		s->other = below(p, 2) ? make_body(p, size / 2, depth - 1, in_loop) : NULL;
		break;
	case Loop:
		s->var = p->nloops++;
		s->rounds = 1 + below(p, 3);
		s->body = make_body(p, size / 2, depth - 1, true);
		s->late = below(p, 2) ? make_late(p) : NULL;
		break;
	case Break:
		s->e = make_expr(p, 'p', 1);
		break;
	case Load:
	case Store:
		s->local = below(p, 3) == 0;
		s->bytes = s->type == 'd' ? 8 : 1u << below(p, 3);
		s->offset = below(p, SLOT_BYTES / s->bytes) * s->bytes;
		s->wide_sign = below(p, 2);
		if (s->kind == Store)
			s->e = make_expr(p, s->type, 1);
		break;
	case Atomic:
		s->bytes = s->type == 'd' ? 8 : 4;
		s->offset = below(p, SLOT_BYTES / s->bytes) * s->bytes;
		s->op = below(p, 9);
		if (s->type == 'd' && (s->op == 3 || s->op == 4)) /* inc, dec: 32 bits only */
			s->op = 0;
		s->e = make_expr(p, s->type, 1);
		break;
	default:
		break;
	}
	return s;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool in_loop)
{
	struct stmt *first = NULL, **link = &first;
	for (unsigned i = 0; i < n; i++) {
		*link = make_stmt(p, n, depth, in_loop);
		link = &(*link)->next;
	}
	return first;
}

struct program *program_new(uint64_t seed, unsigned statements)
{
	struct program *p = calloc(1, sizeof *p);
	p->rng = rng_seed(seed, 0);
	for (unsigned i = 0; i < 4; i++)
		draw(p);
	p->body = make_body(p, statements, 3, false);
	return p;
}

void program_free(struct program *p)
{
	for (size_t i = 0; i < p->npieces; i++)
		free(p->pieces[i]);
	free(p->pieces);
	free(p);
}

/* ---- printing ---- */

struct printer {
	char *text;
	size_t n, at;
	unsigned temp, label;
};

static void put(struct printer *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
#include <stdarg.h>
static void put(struct printer *o, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	o->at += (size_t)vsnprintf(o->text + o->at, o->n - o->at, fmt, ap);
	va_end(ap);
	if (o->at >= o->n) {
		fprintf(stderr, "random_program: text buffer too small\n");
		abort();
	}
}

/* Prints code for e. `name` gets the spelling of the value. */
static void print_expr(struct printer *o, const struct expr *e, char name[32])
{
	char arg[4][32];
	const char *bar;
	unsigned n;
	if (!e->row && e->literal) {
		snprintf(name, 32, e->value >> 63 ? "0x%llx" : "%llu", (unsigned long long)e->value);
		return;
	}
	if (!e->row) {
		snprintf(name, 32, "%%v%c%u", e->type, e->var);
		return;
	}
	n = row_nargs(e->row);
	bar = strchr(e->row->text, '|');
	for (unsigned i = 0; i < n; i++)
		print_expr(o, e->arg[i], arg[i]);
	snprintf(name, 32, "%%t%c%u", e->type, o->temp++);
	put(o, "\t%.*s %s", bar ? (int)(bar - e->row->text) : 99, e->row->text, name);
	for (unsigned i = 0; i < n; i++)
		put(o, ", %s", arg[i]);
	put(o, "%s%s;\n", bar ? ", " : "", bar ? bar + 1 : "");
}

static void print_guard(struct printer *o, const struct stmt *s)
{
	put(o, "\t");
	if (s->guard >= 0)
		put(o, "@%s%%vp%d ", s->negated ? "!" : "", s->guard);
}

static const char *const atomic_names[9] = {"add.u", "min.s", "max.u", "inc.u", "dec.u",
                                            "and.b", "or.b",  "xor.b", "exch.b"};

static void print_body(struct printer *o, const struct stmt *s, int loop);

static void print_access(struct printer *o, const struct stmt *s, const char *value)
{
	const char *space = s->local ? "local" : "shared";
	char address[48];
	if (s->local)
		snprintf(address, sizeof address, "[slot+%u]", s->offset);
	else
		snprintf(address, sizeof address, "[%%mine+%u]", s->offset);
	print_guard(o, s);
	if (s->kind == Load)
		put(o, "ld.%s.%c%u %%v%c%u, %s;\n", space, s->wide_sign ? 's' : 'u', 8 * s->bytes, s->type, s->var,
		    address);
	else
		put(o, "st.%s.b%u %s, %s;\n", space, 8 * s->bytes, address, value);
}

static void print_late_head(struct printer *o, const struct late *l, unsigned loop)
{
	static const char *const ops[FORM_COUNT][2] = {
	        {"mov.b32", "mov.b64"}, {"add.s32", "add.s64"}, {"shl.b32", "shl.b64"}, {"mul.wide.u32", NULL}};
	static const char *const literal[FORM_COUNT] = {"", ", 3", ", 2", ", 5"};

	put(o, "\t%s %%y%c%u, %%x%c%u%s;\n", ops[l->form][l->type == 'd'], late_result(l), loop, l->type, loop,
	    literal[l->form]);
}

static void print_late_end(struct printer *o, const struct late *l, unsigned loop)
{
	char v[32], r = late_result(l);
	int bits = r == 'w' ? 32 : 64;
	print_expr(o, l->e, v);
	put(o, "\tmov.b%d %%x%c%u, %s;\n", l->type == 'w' ? 32 : 64, l->type, loop, v);
	put(o, "\tadd.s%d %%t%c%u, %%v%c%u, %%y%c%u;\n", bits, r, o->temp, r, l->addend, r, loop);
	put(o, "\tsetp.ne.s32 %%again, %%f%u, 0;\n\tselp.b%d %%v%c%u, %%t%c%u, %%v%c%u, %%again;\n", loop, bits, r,
	    l->var, r, o->temp, r, l->var);
	put(o, "\tmov.u32 %%f%u, 1;\n", loop);
	o->temp++;
}

static void print_stmt(struct printer *o, const struct stmt *s, int loop)
{
	char v[32];
	unsigned l;
	switch (s->kind) {
	case Assign:
		print_expr(o, s->e, v);
		print_guard(o, s);
		if (s->type == 'p')
			put(o, "mov.pred %%vp%u, %s;\n", s->var, v);
		else
			put(o, "mov.b%u %%v%c%u, %s;\n", s->type == 'w' ? 32 : 64, s->type, s->var, v);
		break;
	case If:
		l = o->label++;
		print_expr(o, s->e, v);
		put(o, "\t@!%s bra ELSE%u;\n", v, l);
		print_body(o, s->body, loop);
		if (s->other)
			put(o, "\tbra.uni FI%u;\n", l);
		put(o, "ELSE%u:\n", l);
		if (s->other) {
			print_body(o, s->other, loop);
			put(o, "FI%u:\n", l);
		}
		break;
	case Loop:
		put(o, "\tand.b32 %%n%u, %%vw0, 3;\n\tadd.s32 %%n%u, %%n%u, %u;\n", s->var, s->var, s->var, s->rounds);
		if (s->late)
			put(o, "\tmov.u32 %%f%u, 0;\n", s->var);
		put(o, "LOOP%u:\n", s->var);
		if (s->late)
			print_late_head(o, s->late, s->var);
		print_body(o, s->body, (int)s->var);
		if (s->late)
			print_late_end(o, s->late, s->var);
		put(o,
		    "\tadd.s32 %%n%u, %%n%u, -1;\n\tsetp.ne.s32 %%again, %%n%u, 0;\n\t@%%again bra LOOP%u;\nOUT%u:\n",
		    s->var, s->var, s->var, s->var, s->var);
		break;
	case Break:
		print_expr(o, s->e, v);
		if (s->guard >= 0)
			put(o,
			    "\tmov.pred %%again, %s;\n\t%sand.pred %%again, %%again, %%vp%d;\n\t@%%again bra OUT%d;\n",
			    v, s->negated ? "not.pred %vx, %vp0;\n\t" : "", s->guard, loop);
		else
			put(o, "\t@%s bra OUT%d;\n", v, loop);
		break;
	case Load:
		print_access(o, s, "");
		break;
	case Store:
		print_expr(o, s->e, v);
		print_access(o, s, v);
		break;
	case Atomic:
		print_expr(o, s->e, v);
		print_guard(o, s);
		put(o, "atom.shared.%s%u %%v%c%u, [%%mine+%u], %s;\n", atomic_names[s->op], 8 * s->bytes, s->type,
		    s->var, s->offset, v);
		break;
	default:
		break;
	}
}

static void print_body(struct printer *o, const struct stmt *s, int loop)
{
	for (; s; s = s->next)
		print_stmt(o, s, loop);
}

void program_print(const struct program *p, char *text, size_t n)
{
	struct printer o = {text, n, 0, 0, 0};
	static const char *const all = "wdp";
	put(&o,
	    ".version 8.0\n.target sm_75\n.address_size 64\n"
	    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
	    ".reg .b32 %%vw<9>, %%tw<20000>, %%n<2000>, %%mine, %%me, %%cta, %%size;\n"
	    ".reg .b32 %%f<2000>, %%xw<2000>, %%yw<2000>;\n.reg .b64 %%xd<2000>, %%yd<2000>;\n"
	    ".reg .b64 %%vd<9>, %%td<20000>, %%a<4>;\n.reg .b16 %%th<20000>;\n"
	    ".reg .pred %%vp<9>, %%tp<20000>, %%again, %%vx;\n"
	    ".shared .align 16 .b8 all[2048];\n.local .align 16 .b8 slot[32];\n"
	    "\tmov.u32 %%me, %%tid.x;\n\tmov.u32 %%cta, %%ctaid.x;\n\tmov.u32 %%size, %%ntid.x;\n"
	    "\tmad.lo.s32 %%n1999, %%cta, %%size, %%me;\n"
	    "\tld.param.u64 %%a0, [in];\n\tld.param.u64 %%a1, [out];\n"
	    "\tmad.wide.u32 %%a0, %%n1999, %u, %%a0;\n\tmad.wide.u32 %%a1, %%n1999, %u, %%a1;\n"
	    "\tshl.b32 %%mine, %%me, 5;\n\tmov.u32 %%cta, all;\n\tadd.s32 %%mine, %%mine, %%cta;\n",
	    8 * (NUM_W + NUM_D + NUM_P), 8 * (NUM_W + NUM_D + NUM_P));
	for (unsigned i = 0; i < SLOT_BYTES; i += 8)
		put(&o, "\tst.shared.u64 [%%mine+%u], 0;\n\tst.local.u64 [slot+%u], 0;\n", i, i);
	for (unsigned i = 0; i < NUM_W; i++)
		put(&o, "\tld.global.u32 %%vw%u, [%%a0+%u];\n", i, 8 * i);
	for (unsigned i = 0; i < NUM_D; i++)
		put(&o, "\tld.global.u64 %%vd%u, [%%a0+%u];\n", i, 8 * (NUM_W + i));
	for (unsigned i = 0; i < NUM_P; i++)
		put(&o, "\tld.global.u32 %%tw19999, [%%a0+%u];\n\tsetp.ne.s32 %%vp%u, %%tw19999, 0;\n",
		    8 * (NUM_W + NUM_D + i), i);
	print_body(&o, p->body, -1);
	for (unsigned i = 0; i < NUM_W; i++)
		put(&o, "\tst.global.u32 [%%a1+%u], %%v%c%u;\n", 8 * i, all[0], i);
	for (unsigned i = 0; i < NUM_D; i++)
		put(&o, "\tst.global.u64 [%%a1+%u], %%v%c%u;\n", 8 * (NUM_W + i), all[1], i);
	for (unsigned i = 0; i < NUM_P; i++)
		put(&o, "\tselp.u32 %%tw19999, 1, 0, %%v%c%u;\n\tst.global.u32 [%%a1+%u], %%tw19999;\n", all[2], i,
		    8 * (NUM_W + NUM_D + i));
	put(&o, "\tret;\n}\n");
}

/* ---- meaning ---- */

static uint64_t *variable(struct values *v, char type, unsigned n)
{
	return type == 'w' ? &v->w[n] : type == 'd' ? &v->d[n] : &v->p[n];
}

static uint64_t eval(const struct expr *e, struct values *v)
{
	uint64_t x[4] = {0};
	if (!e->row)
		return e->literal ? e->value : *variable(v, e->type, e->var);
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		x[i] = eval(e->arg[i], v);
	return kind_cut(e->row->result, e->row->value(x[0], x[1], x[2], x[3]));
}

static uint64_t atomic(unsigned op, unsigned bytes, uint64_t m, uint64_t b)
{
	unsigned shift = 64 - 8 * bytes;
	int64_t sm = (int64_t)(m << shift), sb = (int64_t)(b << shift);
	switch (op) {
	case 0:
		return m + b;
	case 1:
		return sm < sb ? m : b;
	case 2:
		return m > b ? m : b;
	case 3:
		return m >= b ? 0 : m + 1;
	case 4:
		return m == 0 || m > b ? b : m - 1;
	case 5:
		return m & b;
	case 6:
		return m | b;
	case 7:
		return m ^ b;
	default:
		return b;
	}
}

static uint64_t late_value(const struct late *l, uint64_t x)
{
	switch (l->form) {
	case Copy:
		return x;
	case ADD_LITERAL:
		return x + 3;
	case SHIFT_LEFT:
		return x << 2;
	default:
		return x * 5;
	}
}

enum flow { Next, Left };

static enum flow run_body(const struct stmt *s, struct values *v);

static bool guard_holds(const struct stmt *s, const struct values *v)
{
	return s->guard < 0 || (v->p[s->guard] != 0) != s->negated;
}

static void move_memory(const struct stmt *s, struct values *v)
{
	uint8_t *m = (s->local ? v->local : v->shared) + s->offset;
	uint64_t x = 0;
	unsigned shift = 64 - 8 * s->bytes;
	if (s->kind == Store) {
		x = eval(s->e, v);
		if (guard_holds(s, v))
			memcpy(m, &x, s->bytes);
		return;
	}
	if (!guard_holds(s, v))
		return;
	memcpy(&x, m, s->bytes);
	if (s->wide_sign)
		x = (uint64_t)((int64_t)(x << shift) >> shift);
	*variable(v, s->type, s->var) = kind_cut(s->type, x);
}

static void run_loop(const struct stmt *s, struct values *v)
{
	const struct late *l = s->late;
	uint64_t x = 0, y, n = (v->w[0] & 3) + s->rounds;
	for (uint64_t round = 0; round < n; round++) {
		y = l ? late_value(l, x) : 0;
		if (run_body(s->body, v) == Left)
			return;
		if (!l)
			continue;
		x = eval(l->e, v);
		if (round)
			*variable(v, late_result(l), l->var) =
			        kind_cut(late_result(l), *variable(v, late_result(l), l->addend) + y);
	}
}

static enum flow run_stmt(const struct stmt *s, struct values *v)
{
	uint64_t x, old;
	bool taken;
	switch (s->kind) {
	case Assign:
		x = eval(s->e, v);
		if (guard_holds(s, v))
			*variable(v, s->type, s->var) = x;
		return Next;
	case If:
		return run_body(eval(s->e, v) ? s->body : s->other, v);
	case Loop:
		run_loop(s, v);
		return Next;
	case Break:
		x = eval(s->e, v);
		taken = x && (s->guard < 0 || v->p[s->guard]);
		return taken ? Left : Next;
	case Atomic:
		x = eval(s->e, v);
		if (!guard_holds(s, v))
			return Next;
		old = 0;
		memcpy(&old, v->shared + s->offset, s->bytes);
		x = atomic(s->op, s->bytes, old, x);
		memcpy(v->shared + s->offset, &x, s->bytes);
		*variable(v, s->type, s->var) = old;
		return Next;
	default:
		move_memory(s, v);
		return Next;
	}
}

static enum flow run_body(const struct stmt *s, struct values *v)
{
	for (; s; s = s->next)
		if (run_stmt(s, v) == Left)
			return Left;
	return Next;
}

void program_run(const struct program *p, struct values *v)
{
	run_body(p->body, v);
}
