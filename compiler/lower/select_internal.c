// SPDX-License-Identifier: Apache-2.0
/* select_internal.c -- collectives of a warp as calls of internal functions, on sm_75 and sm_80.
 *
 * Lanes at two places of the code with one mask do the operation together: PTX ISA, "shfl.sync". A function of the
 * kernel is the common place behind both calls. From sm_90 on ptxas 13.0 puts the operation at each place. Bodies are
 * PTX. A body calls no function: the operation stands in the body. */
#include "internal.h"
#include "only_place.h"
#include "select.h"

#include <stdio.h>

struct call_parts {
	char name[64], text[512];
	struct ptx_operand rets[2], args[4];
	unsigned nrets, nargs;
};

static void add_arg(struct call_parts *c, const struct ptx_operand *o)
{
	c->args[c->nargs++] = *o;
}

/* The destination: one register, or d|p. True: a pair. */
static bool add_rets(struct call_parts *c, const struct ptx_operand *o)
{
	const bool pair = o->kind == PTX_O_PAIR;
	c->rets[c->nrets++] = pair ? o->list[0] : *o;
	if (pair)
		c->rets[c->nrets++] = o->list[1];
	return pair;
}

static void shuffle(const struct ptx_instr *i, struct call_parts *c)
{
	const char *mode = ptx_mod_name(i->mode);
	const bool pair = add_rets(c, &i->ops[0]);
	for (unsigned n = 1; n < 5; n++)
		add_arg(c, &i->ops[n]);
	snprintf(c->name, sizeof c->name, "__cuda_sm70_shflsync_%s%s", mode, pair ? "_p" : "");
	snprintf(c->text, sizeof c->text,
	         ".func (.reg .b32 d%s) %s(.reg .b32 a, .reg .b32 b, .reg .b32 c, .reg .b32 m)\n"
	         "{\nshfl.sync.%s.b32 d%s, a, b, c, m;\nret;\n}\n",
	         pair ? ", .reg .pred p" : "", c->name, mode, pair ? "|p" : "");
}

static void vote(const struct ptx_instr *i, struct call_parts *c)
{
	const bool ballot = i->mode == PTX_M_ballot;
	const char *mode = i->mode == PTX_M_all || i->mode == PTX_M_any || ballot ? ptx_mod_name(i->mode) : "uni";
	const char *type = ballot ? "b32" : "pred";
	add_rets(c, &i->ops[0]);
	add_arg(c, &i->ops[1]);
	add_arg(c, &i->ops[2]);
	snprintf(c->name, sizeof c->name, "__cuda_sm70_votesync_%s", mode);
	snprintf(c->text, sizeof c->text,
	         ".func (.reg .%s d) %s(.reg .pred q, .reg .b32 m)\n{\nvote.sync.%s.%s d, q, m;\nret;\n}\n", type,
	         c->name, mode, type);
}

static void match(const struct ptx_instr *i, struct call_parts *c)
{
	const char *mode = ptx_mod_name(i->mode);
	const unsigned bits = type_bits(i->type[0]);
	const bool pair = add_rets(c, &i->ops[0]);
	add_arg(c, &i->ops[1]);
	add_arg(c, &i->ops[2]);
	snprintf(c->name, sizeof c->name, "__cuda_sm70_matchsync_%s_b%u%s", mode, bits, pair ? "_p" : "");
	snprintf(c->text, sizeof c->text,
	         ".func (.reg .b32 d%s) %s(.reg .b%u a, .reg .b32 m)\n"
	         "{\nmatch.%s.sync.b%u d%s, a, m;\nret;\n}\n",
	         pair ? ", .reg .pred p" : "", c->name, bits, mode, bits, pair ? "|p" : "");
}

static void reduce(const struct ptx_instr *i, struct call_parts *c)
{
	const char *op = ptx_mod_name(i->operation), *type = ptx_types[i->type[0]].name;
	add_rets(c, &i->ops[0]);
	add_arg(c, &i->ops[1]);
	add_arg(c, &i->ops[2]);
	snprintf(c->name, sizeof c->name, "__cuda_reduxsync_%s_%s", type, op);
	snprintf(c->text, sizeof c->text,
	         ".func (.reg .b32 d) %s(.reg .b32 a, .reg .b32 m)\n{\nredux.sync.%s.%s d, a, m;\nret;\n}\n", c->name,
	         op, type);
}

static void meet(const struct ptx_instr *i, struct call_parts *c)
{
	add_arg(c, &i->ops[0]);
	snprintf(c->name, sizeof c->name, "__cuda_sm70_warpsync");
	snprintf(c->text, sizeof c->text, ".func %s(.reg .b32 m)\n{\nbar.warp.sync m;\nret;\n}\n", c->name);
}

/* ---- barriers: all lanes of the warp meet in the function; a known number is a part of the body ---- */

static bool is_arrival(const struct ptx_instr *i)
{
	return i->op == PTX_OP_barrier_arrive || i->op == PTX_OP_barrier_cta_arrive;
}

static bool is_reduction(const struct ptx_instr *i)
{
	return i->op == PTX_OP_barrier_red || i->op == PTX_OP_barrier_cta_red;
}

static bool barrier(const struct select *s, struct call_parts *c)
{
	const struct ptx_instr *i = s->i;
	const bool red = is_reduction(i), counted = i->nops == (red ? 4u : 2u);
	const bool popc = i->operation == PTX_M_popc;
	const unsigned first = red;
	const char *form = red ? "red" : is_arrival(i) ? "arrive" : "sync";
	const char *operation = red ? ptx_mod_name(i->operation) : "";
	char number[24] = "", given[16] = "n", params[96];
	int64_t literal;
	const bool known = select_literal(s, &i->ops[first], &literal);
	if (known && (literal < 0 || literal > 15))
		return false; /* the barrier's own selection has the error */
	if (known)
		snprintf(given, sizeof given, "%d", (int)literal);
	if (known && !red)
		snprintf(number, sizeof number, "_%d", (int)literal);
	if (red)
		add_rets(c, &i->ops[0]);
	if (!known)
		add_arg(c, &i->ops[first]);
	if (counted)
		add_arg(c, &i->ops[first + 1]);
	if (red)
		add_arg(c, &i->ops[i->nops - 1]);
	snprintf(params, sizeof params, "%s%s%s%s%s", known ? "" : ".reg .b32 n", !known && counted ? ", " : "",
	         counted ? ".reg .b32 c" : "", red && (!known || counted) ? ", " : "", red ? ".reg .pred q" : "");
	snprintf(c->name, sizeof c->name, "__cuda_sm70_barrier_%s%s%s%s%s", form, red ? "_" : "", operation, number,
	         counted ? "_count" : "");
	snprintf(c->text, sizeof c->text,
	         ".func %s%s(%s)\n{\nbar.warp.sync 0xffffffff;\nbarrier.%s%s%s%s %s%s%s%s;\nret;\n}\n",
	         !red   ? ""
	         : popc ? "(.reg .b32 d) "
	                : "(.reg .pred d) ",
	         c->name, params, form, red ? "." : "", operation,
	         !red   ? ""
	         : popc ? ".u32"
	                : ".pred",
	         red ? "d, " : "", given, counted ? ", c" : "", red ? ", q" : "");
	return true;
}

/* ---- the choice ---- */

/* Collectives where lanes may come apart, and to several places. On sm_80 ptxas also calls where the mask differs
 * between lanes at the same instruction; the operation in place has the same results. */
static bool needs_one_place(const struct select *s)
{
	return (!s->together && !s->only_place) ||
	       (s->f->compat && s->f->arch == WL_SM80 && !select_same(s, &s->i->ops[s->i->nops - 1]));
}

static bool describe(struct select *s, struct call_parts *c)
{
	const struct ptx_instr *i = s->i;
	if (!lower_is_collective(i))
		return s->f->compat && !s->together && !select_is_aligned(i) && barrier(s, c);
	if (!needs_one_place(s))
		return false;
	switch (i->op) {
	case PTX_OP_shfl:
		if (i->nops != 5)
			return false;
		shuffle(i, c);
		break;
	case PTX_OP_vote:
		if (i->nops != 3)
			return false;
		vote(i, c);
		break;
	case PTX_OP_match:
		match(i, c);
		break;
	case PTX_OP_redux:
		if (type_float(i->type[0]) || s->f->arch < WL_SM80)
			return false;
		reduce(i, c);
		break;
	default:
		meet(i, c);
		break;
	}
	select_tell_overlap(s, &i->ops[i->nops - 1]);
	return true;
}

static bool may_call(const struct select *s)
{
	enum { LEAST = ABI_RETURN_REG + 4 }; /* registers for a call */
	return s->f->arch <= WL_SM80 && !s->f->is_internal && s->f->internals && !s->f->knobs.no_internals &&
	       s->f->max_regs >= LEAST;
}

bool select_internal(struct select *s)
{
	struct call_parts c = {.nrets = 0};
	struct ptx_instr call = {.op = PTX_OP_call, .guard = PTX_NONE};
	struct ptx_operand ops[3] = {{.kind = PTX_O_LIST}, {.kind = PTX_O_SYMBOL}, {.kind = PTX_O_LIST}};
	const struct ptx_function *fn;
	struct mblock *behind;
	if (!may_call(s) || !describe(s, &c))
		return false;
	fn = internals_find(s->f->internals, c.name, c.text);
	if (!fn) {
		select_error(s, "internal error: no function '%s'", c.name);
		return true;
	}
	ops[0].list = c.rets;
	ops[0].count = (uint16_t)c.nrets;
	ops[1].sym = fn->sym;
	ops[2].list = c.args;
	ops[2].count = (uint16_t)c.nargs;
	call.ops = ops;
	call.nops = 3;
	mfunc_note(s->f, s->line, "call of %s: lanes that come from other places meet there", c.name);
	s->f->calls = true;
	s->f->removed.internal++;
	behind = select_guard_around(s);
	select_call_of(s, &call, fn);
	if (behind)
		select_fall(s, behind);
	return true;
}
