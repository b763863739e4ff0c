// SPDX-License-Identifier: Apache-2.0
/* code_fixed.c -- PTX of the bases with words at fixed positions or without words. */
#include <string.h>

#include "code.h"

static bool is(const char *word, const char *text)
{
	return strcmp(word, text) == 0;
}

/* ---- bulk copies: destination, [mbarrier,] source, size, policy ---- */

/* The position of the destination among the words, and of the source among the operands behind a head. False: no
 * code. */
static bool bulk(const struct ocg_call *c, struct ocg_code *t, unsigned *head)
{
	*head = is(c->words[0], "mbarrier") || is(c->words[0], "counted");
	const bool from_shared = is(c->words[*head + 1], "shared"), to_shared = is(c->words[*head], "shared");
	if (ocg_bits(c->operands[3 + *head].type) != 64)
		ocg_miss(t, "operand %u is the cache policy, which has 64 bits", 3 + *head);
	else if (from_shared && to_shared)
		ocg_lost(c, t);
	else if (is(c->words[0], "counted") || to_shared != (*head == 1) || ocg_has(c, "bytemask"))
		ocg_miss(t, "no PTX instruction has this kind of completion");
	return !t->missing[0];
}

void ocg_code_bulk(const struct ocg_call *c, struct ocg_code *t)
{
	unsigned head;
	if (!bulk(c, t, &head))
		return;
	if (head)
		ocg_put(t, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [$s0], "
		           "[$g2], $3, "
		           "[$s1], $4");
	else
		ocg_put(t, "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [$g0], [$s1], $2, $3");
}

/* Words of operation and type in PTX; NULL: the reduction does not exist. */
static const char *bulk_type(const char *op, const char *type)
{
	static const struct {
		const char *ops, *type, *ptx;
	} rows[] = {{"add inc dec min max", "u32", "u32"},
	            {"add min max", "s32", "s32"},
	            {"add min max", "u64", "u64"},
	            {"min max", "s64", "s64"},
	            {"add", "s64", "u64"},
	            {"and or xor", "u32", "b32"},
	            {"and or xor", "s32", "b32"},
	            {"and or xor", "u64", "b64"},
	            {"and or xor", "s64", "b64"},
	            {"add", "f32ftz", "f32"},
	            {"add", "f64", "f64"},
	            {"add", "f16", "noftz.f16"},
	            {"min max", "f16", "f16"},
	            {"add", "bf16", "noftz.bf16"},
	            {"min max", "bf16", "bf16"}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (is(rows[i].type, type) && strstr(rows[i].ops, op))
			return rows[i].ptx;
	return NULL;
}

void ocg_code_bulk_red(const struct ocg_call *c, struct ocg_code *t)
{
	unsigned head;
	if (!bulk(c, t, &head))
		return;
	const char *op = c->words[head + 2], *type = bulk_type(op, c->words[head + 3]);
	if (!type)
		ocg_miss(t, "no PTX instruction has %s with %s", op, c->words[head + 3]);
	else if (head)
		ocg_lost(c, t);
	else
		ocg_put(t,
		        "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.%s.%s [$g0], [$s1], $2, $3",
		        op, type);
}

void ocg_code_commit(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	ocg_put(t, "cp.async.commit_group");
}

/* ptxas waits for all groups, for any operand. */
void ocg_code_wait(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	ocg_put(t, "cp.async.wait_group 0");
}

/* ---- fences, grids, works ---- */

void ocg_code_fence(const struct ocg_call *c, struct ocg_code *t)
{
	static const struct {
		const char *word, *space;
	} rows[] = {{"shared", ".shared::cta"}, {"global", ".global"}, {"dshared", ".shared::cluster"}, {"all", ""}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (is(c->words[0], rows[i].word)) {
			ocg_put(t, "fence.proxy.async%s", rows[i].space);
			return;
		}
	ocg_lost(c, t);
}

void ocg_code_acqblk(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	ocg_put(t, "griddepcontrol.wait");
}

void ocg_code_preexit(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	ocg_put(t, "griddepcontrol.launch_dependents");
}

void ocg_code_work(const struct ocg_call *c, struct ocg_code *t)
{
	ocg_put(t, "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes%s.b128 [$s0], [$s1]",
	        ocg_has(c, "broadcast") ? ".multicast::cluster::all" : "");
}

/* The second operand counts words of 64 bits. */
void ocg_code_clear(const struct ocg_call *c, struct ocg_code *t)
{
	(void)c;
	ocg_put(t, "mul.wide.u32 $w, $1, 8");
	ocg_put(t, "st.bulk.weak.shared::cta [$s0], $w, 0");
}

/* Exactly one operation and one type, in any order. */
void ocg_code_multi(const struct ocg_call *c, struct ocg_code *t)
{
	static const struct {
		const char *op, *type, *ptx;
		unsigned bits;
	} rows[] = {{"add", "u32", "add.u32", 32},       {"add", "s32", "add.s32", 32},
	            {"add", "u64", "add.u64", 64},       {"min", "u32", "min.u32", 32},
	            {"min", "s32", "min.s32", 32},       {"min", "u64", "min.u64", 64},
	            {"min", "s64", "min.s64", 64},       {"max", "u32", "max.u32", 32},
	            {"max", "s32", "max.s32", 32},       {"max", "u64", "max.u64", 64},
	            {"max", "s64", "max.s64", 64},       {"and", "u32", "and.b32", 32},
	            {"or", "u32", "or.b32", 32},         {"xor", "u32", "xor.b32", 32},
	            {"and", "u64", "and.b64", 64},       {"or", "u64", "or.b64", 64},
	            {"xor", "u64", "xor.b64", 64},       {"add", "f32", "add.f32", 32},
	            {"add", "f64", "add.f64", 64},       {"add", "f16x2", "add.f16x2", 32},
	            {"add", "bf16x2", "add.bf16x2", 32}, {"min", "f16x2", "min.f16x2", 32},
	            {"max", "f16x2", "max.f16x2", 32},   {"min", "bf16x2", "min.bf16x2", 32},
	            {"max", "bf16x2", "max.bf16x2", 32}};
	for (unsigned i = 0; c->nwords == 2 && i < sizeof rows / sizeof *rows; i++)
		if (ocg_has(c, rows[i].op) && ocg_has(c, rows[i].type)) {
			if (c->nresults != 1 || c->noperands != 2 || ocg_bits(c->operands[0].type) != rows[i].bits)
				ocg_miss(t, "one result of %u bits and one address are expected", rows[i].bits);
			else
				ocg_put(t, "multimem.ld_reduce.relaxed.sys.global.%s $r, [$g0]", rows[i].ptx);
			return;
		}
	ocg_miss(t, "code exists for one operation with one of u32 s32 u64 s64 f32 f64 f16x2 bf16x2 that PTX has, too");
}

/* ---- packed integers ---- */

static bool one_result(const struct ocg_call *c, struct ocg_code *t)
{
	if (c->nresults != 1)
		ocg_miss(t, "one result is expected, the declaration has %u", c->nresults);
	for (unsigned i = 0; i < c->noperands; i++)
		if (ocg_bits(c->operands[i].type) != 32)
			ocg_miss(t, "operands of 32 bits are expected");
	return !t->missing[0];
}

/* vimax, vimax3, viaddmax and the same with min: minimum or maximum of the last operand and the preceding operands. */
void ocg_code_video(const struct ocg_call *c, struct ocg_code *t)
{
	const char *name = c->base->name;
	const char *op = strstr(name, "max") ? "max" : "min", *relu = ocg_has(c, "relu") ? ".relu" : "";
	const char *type = is(c->words[0], "relu") ? "s32" : c->words[0];
	const bool packed = strstr(type, "x2");
	if (!one_result(c, t))
		return;
	if (c->noperands == 3) {
		ocg_put(t, "%s%s.%s $r, $0, $1", op, relu, type);
		return;
	}
	if (strncmp(name, "viadd", 5) == 0)
		ocg_put(t, "add.%s $r, $0, $1", packed ? type : "s32");
	else
		ocg_put(t, "%s.%s $r, $0, $1", op, type);
	ocg_put(t, "%s%s.%s $r, $r, $2", op, relu, type);
}

void ocg_code_viadd(const struct ocg_call *c, struct ocg_code *t)
{
	if (one_result(c, t))
		ocg_put(t, "add.%s $r, $0, $1", is(c->words[0], "32") ? "s32" : "u16x2");
}
