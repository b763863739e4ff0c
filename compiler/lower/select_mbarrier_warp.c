// SPDX-License-Identifier: Apache-2.0
/* select_mbarrier_warp.c -- arrivals and transactions of sm_107, made once for all lanes at one object (USYNCS), lane
 * by lane at one address (SYNCSU), or at the objects of several CTAs (.MULTICAST).
 *
 * Code for older models (struct wlcc_options, silicon_words) has SYNCS of each lane, with the same effect. Only
 * .MULTICAST has no replacement. */
#include "mbarrier.h"
#include "uniform_operands.h"

#include <stdio.h>

/* Places of the uniform operands: the value stands behind the address. */
enum { AT = 0, VALUE = 1, MASK = 2, SPARE = 4 };
enum { ANY = 1 };

struct arrival {
	unsigned object;                 /* number of the operand */
	const struct ptx_operand *value; /* NULL: each lane counts 1 */
	const struct ptx_operand *mask;  /* NULL: one object */
	const char *what;                /* of the value: ART0, A0TR, A0TX; empty: expected bytes, and one arrival */
	bool red, drop, sink;
};

static bool is_multicast(const struct ptx_instr *i)
{
	return ptx_has(i, PTX_M_multicast__cluster__32b);
}

/* False: another instruction, or no form for the warp. */
static bool read_arrival(const struct select *s, struct arrival *a)
{
	const struct ptx_instr *i = s->i;
	const bool multicast = is_multicast(i);
	unsigned rest;
	*a = (struct arrival){.object = 1, .what = ".ART0", .red = true, .sink = true};
	switch (i->op) {
	case PTX_OP_mbarrier_arrive_drop:
	case PTX_OP_mbarrier_arrive_drop_expect_tx:
		a->drop = true;
		break;
	case PTX_OP_mbarrier_arrive:
	case PTX_OP_mbarrier_arrive_expect_tx:
		break;
	case PTX_OP_mbarrier_expect_tx:
	case PTX_OP_mbarrier_complete_tx:
		a->object = 0;
		a->what = i->op == PTX_OP_mbarrier_expect_tx ? ".A0TR" : ".A0TX";
		break;
	default:
		return false;
	}
	if (i->op == PTX_OP_mbarrier_arrive_expect_tx || i->op == PTX_OP_mbarrier_arrive_drop_expect_tx) {
		if (!multicast)
			return false;
		a->what = "";
	}
	if (ptx_has(i, PTX_M_noComplete))
		return false;
	if (a->object == 1 && !multicast) {
		a->red = i->ops[0].kind == PTX_O_SINK && mbarrier_is_remote(i);
		a->sink = select_unread(s, &i->ops[0]);
	}
	rest = i->nops - a->object - 1u - multicast;
	a->value = rest ? &i->ops[a->object + 1] : NULL;
	a->mask = multicast ? &i->ops[i->nops - 1] : NULL;
	return true;
}

static bool counts_one(const struct select *s, const struct arrival *a)
{
	int64_t n;
	return !a->value || (a->what[1] == 'A' && a->what[2] == 'R' && select_literal(s, a->value, &n) && n == 1);
}

/* UP0: some lane has the guard. */
static void any_lane(struct select *s, ref guard, bool negated)
{
	struct minst in = minst_make(WL_UOP_VOTEU, s->line);
	in.w.op = ANY;
	in.form = VOTE_UP0;
	in.ps[0] = guard;
	in.w.ps[0] = negated ? NOT_P : 0;
	in.keep = true;
	select_emit(s, &in);
}

static ref from_uniform(struct select *s, unsigned k)
{
	struct minst in = minst_make(WL_UOP_MOV, s->line);
	in.rd = select_tmp(s, 1);
	in.w.src[1] = WL_SRC_UREG;
	in.w.ur = UNIFORM_AT(k);
	in.keep = true; /* the uniform register gets another value later */
	select_emit(s, &in);
	return in.rd;
}

/* The sum of the value over the lanes of the guard (REF_NONE: all active lanes). */
static ref sum_of_lanes(struct select *s, struct val v, ref guard, bool negated)
{
	struct minst in = minst_make(WL_UOP_REDUX, s->line);
	in.w.op = WL_REDUX_SUM;
	in.w.src[0] = WL_SRC_REG;
	in.ra = select_in_reg(s, v, 32);
	in.w.urd = UNIFORM_AT(SPARE);
	in.keep = true;
	in.guard = guard;
	if (guard != REF_NONE)
		in.w.guard = negated ? NOT_P : 0;
	select_emit(s, &in);
	return from_uniform(s, SPARE);
}

/* The value times the number of active lanes. */
static ref product_of_lanes(struct select *s, struct val v)
{
	struct minst in;
	ref n;
	select_text(s, "VOTEU.ANY UR%u, UPT, PT", UNIFORM_AT(SPARE));
	select_text(s, "UPOPC UR%u, UR%u", UNIFORM_AT(SPARE), UNIFORM_AT(SPARE));
	n = from_uniform(s, SPARE);
	in = select_alu(s, WL_UOP_IMAD, select_tmp(s, 1), val_reg(n), v, VAL_ZERO);
	select_emit(s, &in);
	return in.rd;
}

static void put_token(struct select *s)
{
	ref t = select_tmp(s, 2);
	for (unsigned w = 0; w < 2; w++)
		select_mov(s, t + w, val_reg(from_uniform(s, SPARE + w)));
	select_mov64(s, select_dst(s, 0), val_reg(t));
}

static void once(struct select *s, const struct arrival *a, const char *prefix, const char *what)
{
	char token[16] = "URZ";
	if (!a->sink)
		snprintf(token, sizeof token, "UR%u", UNIFORM_AT(SPARE));
	select_text(s, "%sUSYNCS.ARRIVE.TRANS64%s%s%s %s, [UR%u], UR%u", prefix, a->red ? ".RED" : "",
	            a->drop ? ".OPTOUT" : "", what, token, UNIFORM_AT(AT), UNIFORM_AT(VALUE));
	if (!a->sink)
		put_token(s);
}

static void read_object(struct select *s, const struct arrival *a)
{
	struct address at = mbarrier_object(s, a->object);
	uniform_read(s, select_shared_register(s, &at), AT, REF_NONE);
}

/* All active lanes have the guard. */
static void together(struct select *s, const struct arrival *a)
{
	struct val v;
	if (!counts_one(s, a)) {
		v = select_operand(s, a->value, 32);
		uniform_read(s, select_same(s, a->value) ? product_of_lanes(s, v) : sum_of_lanes(s, v, REF_NONE, false),
		             VALUE, REF_NONE);
	}
	mbarrier_release(s);
	read_object(s, a);
	once(s, a, "", counts_one(s, a) ? ".ACT0" : a->what);
}

/* Each lane has a guard of its own. */
static void guarded(struct select *s, const struct arrival *a)
{
	const ref guard = s->guard;
	const bool negated = s->guard_negated, one = counts_one(s, a);
	char token[16] = "URZ";
	ref sum = REF_NONE;
	s->guard = REF_NONE;
	any_lane(s, guard, negated);
	if (!one) {
		sum = sum_of_lanes(s, select_operand(s, a->value, 32), guard, negated);
		any_lane(s, guard, negated);
		uniform_read(s, sum, VALUE, REF_NONE);
	}
	read_object(s, a);
	s->guard = guard;
	mbarrier_release(s);
	if (one && !a->sink)
		snprintf(token, sizeof token, "UR%u", UNIFORM_AT(SPARE));
	if (one)
		select_text(s, "SYNCSU.ARRIVE.TRANS64%s%s.A1T0 %s, [UR%u]", a->red ? ".RED" : "",
		            a->drop ? ".OPTOUT" : "", token, UNIFORM_AT(AT));
	if (one && !a->sink)
		put_token(s);
	s->guard = one ? guard : REF_NONE;
	if (!one)
		once(s, a, "@UP0 ", a->what);
	s->guard = guard;
}

/* ---- objects of several CTAs ---- */

static bool all_same(const struct select *s, const struct arrival *a)
{
	return s->together && select_same(s, &s->i->ops[a->object]) && select_same(s, a->mask) &&
	       (!a->value || select_same(s, a->value));
}

static void multicast_once(struct select *s, const struct arrival *a)
{
	const bool both = a->value && !a->what[0];
	const char *drop = a->drop ? ".OPTOUT" : "";
	if (a->value)
		uniform_read(s, product_of_lanes(s, select_operand(s, a->value, 32)), VALUE, REF_NONE);
	uniform_read(s, select_in_reg(s, select_operand(s, a->mask, 32), 32), MASK, REF_NONE);
	mbarrier_release(s);
	read_object(s, a);
	if (a->value)
		select_text(s, "USYNCS.ARRIVE.TRANS64.RED%s%s.MULTICAST [UR%u], UR%u, UR%u", both ? "" : drop,
		            both ? ".A0TR" : a->what, UNIFORM_AT(AT), UNIFORM_AT(VALUE), UNIFORM_AT(MASK));
	if (both || !a->value)
		select_text(s, "USYNCS.ARRIVE.TRANS64.RED%s.ACT0.MULTICAST [UR%u], UR%u, UR%u", drop, UNIFORM_AT(AT),
		            UNIFORM_AT(VALUE), UNIFORM_AT(MASK));
}

static void multicast(struct select *s, const struct arrival *a)
{
	const struct ptx_instr *i = s->i;
	const bool fences = i->scope == PTX_M_cluster && i->order != PTX_M_relaxed && a->object == 1;
	struct uniform_operands u = UNIFORM_NONE;
	struct address at;
	if (all_same(s, a)) {
		multicast_once(s, a);
		return;
	}
	at = mbarrier_object(s, a->object);
	u.r[AT] = select_shared_register(s, &at);
	u.r[MASK] = select_in_reg(s, select_operand(s, a->mask, 32), 32);
	if (a->value)
		u.r[VALUE] = select_in_reg(s, select_operand(s, a->value, 32), 32);
	uniform_each_lane(s, &u, "%sUSYNCS.ARRIVE.TRANS64.RED%s%s.MULTICAST [UR%u], UR%u, UR%u",
	                  fences ? "MEMBAR.ALL.CTA|MEMBAR.ALL.GPU|ERRBAR|CGAERRBAR|" : "", a->drop ? ".OPTOUT" : "",
	                  a->value ? a->what : ".A1T0", UNIFORM_AT(AT), UNIFORM_AT(VALUE), UNIFORM_AT(MASK));
}

bool mbarrier_for_warp(struct select *s)
{
	struct arrival a;
	struct mblock *behind;
	bool apart;
	if (s->f->arch != WL_SM107 || !read_arrival(s, &a))
		return false;
	apart = s->guard != REF_NONE && !s->guard_same;
	if (!a.mask && (!s->f->silicon_words || !select_same(s, &s->i->ops[a.object]) ||
	                (apart && a.value && select_same(s, a.value))))
		return false;
	if (!a.mask && apart) {
		guarded(s, &a);
		return true;
	}
	behind = select_guard_around(s);
	if (a.mask)
		multicast(s, &a);
	else
		together(s, &a);
	if (behind)
		select_fall(s, behind);
	return true;
}
