// SPDX-License-Identifier: Apache-2.0
/* warps_print.c -- programs as PTX. */
#include "warps_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *to;
	size_t n, at;
	unsigned temps, labels;
	enum deviation reworded;
	const char *entry; /* of the kernel: prefix of the names of the kernel's functions */
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

/* Is the source a float for the assembler, with a float literal required? */
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

/* The same value, unknown to the compiler: adds a zero from memory. */
static struct name print_opaque(struct text *t, char type, struct name n)
{
	struct name zero = temp(t, type), sum = temp(t, type);
	if (type == 'd') {
		struct name word = temp(t, 'w');
		say(t, "\tld.volatile.shared.b32 %s, [big];\n\tcvt.u64.u32 %s, %s;\n", word.text, zero.text, word.text);
	} else {
		say(t, "\tld.volatile.shared.%s %s, [big];\n", reg_type[(unsigned char)type], zero.text);
	}
	say(t, "\tadd.u%s %s, %s, %s;\n", reg_type[(unsigned char)type] + 1, sum.text, n.text, zero.text);
	return sum;
}

static bool rewords_result(enum deviation d)
{
	return d == DEVIATION_LEAST || d == DEVIATION_CNOT;
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
		/* constant positions and lengths must be below 256 */
		const bool position =
		        (!strncmp(e->row->text, "bfe", 3) && i > 0) || (!strncmp(e->row->text, "bfi", 3) && i > 1);
		if (position && e->arg[i]->literal && e->arg[i]->value > 255) {
			struct name v = temp(t, 'w');
			say(t, "\tld.shared.b32 %s, [big+%u];\n", v.text, 0u);
			say(t, "\tadd.u32 %s, %s, %u;\n", v.text, v.text, (unsigned)e->arg[i]->value);
			args[i] = v;
		}
	}
	const bool reworded = expr_is_about(e, t->reworded);
	for (unsigned i = 0; reworded && !rewords_result(t->reworded) && i < nargs; i++)
		if (t->reworded == DEVIATION_FIELD ? i == 1 : !e->arg[i]->literal)
			args[i] = print_opaque(t, e->arg[i]->type, args[i]);
	n = temp(t, plain(e->row->result));
	say(t, "\t%.*s %s", (int)(bar ? bar - e->row->text : (ptrdiff_t)strlen(e->row->text)), e->row->text, n.text);
	for (unsigned i = 0; i < nargs; i++)
		say(t, ", %s", args[i].text);
	say(t, "%s%s;\n", bar ? ", " : "", bar ? bar + 1 : "");
	if (e->is_float && float_result(e->row))
		print_one_nan(t, float_result(e->row), n.text);
	if (reworded && rewords_result(t->reworded))
		return print_opaque(t, e->type, n);
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

static const char *const shuffles[] = {"idx", "up", "down", "bfly"}, *const votes[] = {"all.pred", "any.pred",
                                                                                       "uni.pred", "ballot.b32"};
static void print_body(struct text *t, const struct stmt *s, unsigned mask);

static void print_registers(struct text *to, unsigned temps)
{
	for (const char *type = TYPES; *type; type++)
		say(to, "\t.reg .%s %%%c<%u>, %%t%c<%u>;\n", reg_type[(unsigned char)*type], *type, variables(*type),
		    *type, temps + 1);
}

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
	/* number of the source lane, to detect a missing lane: the value of a missing lane is arbitrary */
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

static void print_call(struct text *t, const struct stmt *s)
{
	const struct name a = print_source(t, s->a), b = print_source(t, s->b), c = print_source(t, s->c);
	const char *type = reg_type[(unsigned char)s->type];
	say(t,
	    "\t{\n\t.param .b32 pn, pa, pb;\n\t.param .b64 pc;\n\t.param .%s pr;\n\tst.param.b32 [pn], %u;\n"
	    "\tst.param.b32 [pa], %s;\n\tst.param.b32 [pb], %s;\n\tst.param.b64 [pc], %s;\n"
	    "\tcall (pr), %s_f%u, (pn, pa, pb, pc);\n\tld.param.%s %%%c%u, [pr];\n\t}\n",
	    type, s->amount, a.text, b.text, c.text, t->entry, s->op, type, s->type, s->var);
}

/* The temporary is read without a value: where the predicate is false, always, or in the first turn. The result does
 * not depend on the temporary. */
static void print_vague(struct text *t, const struct stmt *s)
{
	const char *type = reg_type[(unsigned char)s->type];
	const struct name p = print_source(t, s->a), b = print_source(t, s->b), c = print_source(t, s->c);
	const struct name v = temp(t, s->type);
	const unsigned label = t->labels++;
	switch (s->op) {
	case 0:
		say(t, "\t@%s mov.%s %s, %s;\n", p.text, type, v.text, b.text);
		break;
	case 1:
		say(t, "\t@!%s bra VAGUE%u;\n\tmov.%s %s, %s;\nVAGUE%u:\n", p.text, label, type, v.text, b.text, label);
		break;
	case 2: {
		const struct name none = temp(t, s->type);
		say(t, "\tand.%s %s, %s, 0;\n\tor.%s %%%c%u, %s, %s;\n", type, none.text, v.text, type, s->type, s->var,
		    none.text, b.text);
		return;
	}
	default: {
		const struct name turn = temp(t, 'w'), first = temp(t, 'p');
		say(t, "\tmov.b32 %s, 0;\nVAGUE%u:\n\tsetp.eq.u32 %s, %s, 0;\n", turn.text, label, first.text,
		    turn.text);
		say(t, "\t@!%s add.u%s %s, %s, %s;\n\t@%s mov.%s %s, %s;\n", first.text, type + 1, v.text, v.text,
		    c.text, first.text, type, v.text, b.text);
		say(t, "\tadd.u32 %s, %s, 1;\n\tsetp.lt.u32 %s, %s, 2;\n\t@%s bra VAGUE%u;\n\tmov.%s %%%c%u, %s;\n",
		    turn.text, turn.text, first.text, turn.text, first.text, label, type, s->type, s->var, v.text);
		return;
	}
	}
	say(t, "\tselp.%s %%%c%u, %s, %s, %s;\n", type, s->type, s->var, v.text, c.text, p.text);
}

static void print_function(struct text *to, const struct program *p, unsigned number)
{
	const struct function *f = &p->function[number];
	const char *type = reg_type[(unsigned char)f->type];
	struct text t = {.to = malloc(to->n), .n = to->n, .temps = 1, .reworded = p->reworded, .entry = to->entry};
	say(&t, "\tld.param.b32 %%n, [fn];\n\tld.param.b32 %%a, [fa];\n\tld.param.b32 %%b, [fb];\n\tld.param.b64 %%c, "
	        "[fc];\n");
	say(&t, "\tmov.u64 %%array, array;\n");
	for (unsigned i = 0; i < 4; i++)
		say(&t, "\tst.local.b64 [%%array+%u], 0;\n", 8 * i);
	say(&t, "\tand.b32 %%i, %%a, 3;\n\tmad.wide.u32 %%at, %%i, 8, %%array;\n\tst.local.b64 [%%at], %%c;\n"
	        "\tand.b32 %%i, %%b, 3;\n\tmad.wide.u32 %%at, %%i, 8, %%array;\n");
	for (unsigned i = 0; i < NUM_W; i++)
		say(&t, "\tadd.u32 %%w%u, %%%c, %u;\n", i, i & 1 ? 'b' : 'a', i);
	for (unsigned i = 0; i < NUM_D; i++)
		if (i == 1)
			say(&t, "\tld.local.b64 %%d1, [%%at];\n");
		else
			say(&t, "\tadd.u64 %%d%u, %%c, %u;\n", i, i);
	for (unsigned i = 0; i < NUM_H; i++)
		say(&t, "\tshr.u32 %%i, %%a, %u;\n\tcvt.u16.u32 %%h%u, %%i;\n", i, i);
	for (unsigned i = 0; i < NUM_P; i++)
		say(&t, "\tand.b32 %%i, %%b, %u;\n\tsetp.ne.u32 %%p%u, %%i, 0;\n", 1u << i, i);
	const struct name cond = print_source(&t, f->p);
	say(&t, "\t@!%s bra NO;\n", cond.text);
	const struct name yes = print_source(&t, f->yes);
	say(&t, "\tmov.%s %%r, %s;\n\tbra BOTH;\nNO:\n", type, yes.text);
	const struct name no = print_source(&t, f->no);
	say(&t, "\tmov.%s %%r, %s;\nBOTH:\n\tsetp.eq.u32 %%end, %%n, 0;\n\t@%%end bra END;\n", type, no.text);
	say(&t, "\tsub.u32 %%n, %%n, 1;\n\t%s %%i, %%r;\n\txor.b32 %%a, %%a, %%i;\n",
	    f->type == 'd' ? "cvt.u32.u64" : "mov.b32");
	say(&t,
	    "\t{\n\t.param .b32 pn, pa, pb;\n\t.param .b64 pc;\n\t.param .%s pr;\n\tst.param.b32 [pn], %%n;\n"
	    "\tst.param.b32 [pa], %%a;\n\tst.param.b32 [pb], %%b;\n\tst.param.b64 [pc], %%c;\n"
	    "\tcall (pr), %s_f%u, (pn, pa, pb, pc);\n\tld.param.%s %%more, [pr];\n\t}\n",
	    type, to->entry, number, type);
	say(&t, "\tmad.lo.u%s %%r, %%more, 3, %%r;\nEND:\n\tst.param.%s [fr], %%r;\n\tret;\n}\n", type + 1, type);
	say(to, ".func (.param .%s fr) %s_f%u(.param .b32 fn, .param .b32 fa, .param .b32 fb, .param .b64 fc)\n{\n",
	    type, to->entry, number);
	print_registers(to, t.temps);
	say(to,
	    "\t.reg .b32 %%n, %%a, %%b, %%i;\n\t.reg .b64 %%c, %%array, %%at;\n\t.reg .%s %%r, %%more;\n\t.reg .pred "
	    "%%end;\n",
	    type);
	say(to, "\t.local .align 8 .b8 array[32];\n%s", t.to);
	free(t.to);
}

/* A predicate of the same value, written by no other statement and unknown to the compiler. */
static struct name print_guard(struct text *t, int guard)
{
	struct name bit = temp(t, 'w'), p = temp(t, 'p');
	say(t, "\tselp.b32 %s, 1, 0, %%p%d;\n", bit.text, guard);
	bit = print_opaque(t, 'w', bit);
	say(t, "\tsetp.ne.u32 %s, %s, 0;\n", p.text, bit.text);
	return p;
}

static void print_stmt(struct text *t, const struct stmt *s, unsigned mask)
{
	const char *sized = s->bytes == 1 ? "8" : s->bytes == 2 ? "16" : s->bytes == 4 ? "32" : "64";
	struct name a, b;
	switch (s->kind) {
	case Assign:
		a = print_expr(t, s->a, false);
		snprintf(b.text, sizeof b.text, "%%p%d", s->guard);
		if (s->guard >= 0 && t->reworded == DEVIATION_GUARD)
			b = print_guard(t, s->guard);
		say(t, "\t");
		if (s->guard >= 0)
			say(t, "@%s%s ", s->negated ? "!" : "", b.text);
		say(t, "mov.%s %%%c%u, %s;\n", reg_type[(unsigned char)s->type], s->type, s->var, a.text);
		break;
	case Call:
		print_call(t, s);
		break;
	case Vague:
		print_vague(t, s);
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

const char *program_header(bool sm80)
{
	return sm80 ? ".version 7.8\n.target sm_80\n.address_size 64\n.shared .b32 big;\n"
	            : ".version 7.8\n.target sm_75\n.address_size 64\n.shared .b32 big;\n";
}

size_t program_print(const struct program *p, const char *entry, char *text, size_t n)
{
	struct text t = {.to = malloc(n), .n = n, .temps = 1, .reworded = p->reworded, .entry = entry},
	            head = {.to = text, .n = n, .entry = entry};
	unsigned word = 0;
	/* the body first: the body gives the number of registers */
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
	for (const char *type = TYPES; *type; type++)
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
	for (const char *type = TYPES; *type; type++)
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
	for (unsigned i = 0; i < FUNCTIONS; i++)
		print_function(&head, p, i);
	say(&head, ".visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 own, .param .u64 common)\n{\n",
	    entry);
	print_registers(&head, t.temps);
	say(&head,
	    "\t.reg .b32 %%m<%u>, %%me, %%lane, %%ownshared, %%comshared, %%swap, %%swaps, %%zero;\n\t.reg .pred "
	    "%%first;\n",
	    t.temps + 1);
	say(&head,
	    "\t.reg .b64 %%inp, %%outp, %%ownglobal, %%comglobal, %%genshared, %%gencom, %%ownlocal, %%zeros;\n");
	say(&head,
	    "\t.shared .align 8 .b8 slots[%u];\n\t.shared .align 8 .b8 cells[%u];\n\t.shared .align 8 .b8 "
	    "swap[%u];\n",
	    THREADS * OWN_BYTES, 8 * COMMON_CELLS, 8 * THREADS);
	say(&head, "\t.local .align 8 .b8 stack[%u];\n%s", OWN_BYTES, t.to);
	free(t.to);
	return head.at;
}

void program_describe(const struct program *p, unsigned statement, char *text, size_t n)
{
	struct text t = {.to = text, .n = n, .temps = 1, .entry = "k"};
	struct stmt s = *p->by_number[statement];
	s.body = s.other = NULL;
	print_stmt(&t, &s, 0);
}
