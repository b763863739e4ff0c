// SPDX-License-Identifier: Apache-2.0
/* select_tensor.c -- copies of boxes of tensors, between global memory and shared memory (cp.async.bulk.tensor).
 * Nothing here executes the words: a run ends by their names. */
#include "address.h"
#include "bulk_words.h"
#include "select.h"
#include "uniform_operands.h"

#include <stdio.h>

/* Places of the operands. Shared memory, the mbarrier of a load and the coordinates stand in a row, from a multiple of
 * four registers on. */
enum { MAP = 0, BOX = 2, MASK = 9, POLICY = 10 };

/* The coordinates behind the map, from place `at` on; returns the number of coordinates. */
static unsigned read_map(struct select *s, const struct ptx_operand *parts, struct uniform_operands *u, unsigned at)
{
	static const enum ptx_mod words[] = {PTX_M_n1d, PTX_M_n2d, PTX_M_n3d, PTX_M_n4d, PTX_M_n5d};
	const struct ptx_operand *coordinates = &parts->list[1];
	unsigned dimensions = 0;
	struct address a;
	ref map = select_tmp(s, 2);
	if (parts->list[0].kind != PTX_O_ADDR) {
		u->r[MAP] = select_in_reg(s, select_operand(s, &parts->list[0], 64), 64);
	} else {
		if (select_address(s, &parts->list[0], PTX_SP_none, &a))
			select_add64(s, map, val_reg(a.base), val_imm((uint64_t)a.off), false);
		u->r[MAP] = map;
	}
	u->r[MAP + 1] = u->r[MAP] + 1;
	while (dimensions < 5 && !ptx_has(s->i, words[dimensions]))
		dimensions++;
	if (coordinates->kind != PTX_O_VECTOR || coordinates->count != ++dimensions)
		select_error(s, "%u coordinates for a copy of a tensor of %u dimensions",
		             coordinates->kind == PTX_O_VECTOR ? coordinates->count : 1u, dimensions);
	for (unsigned k = 0; k < dimensions && k < coordinates->count; k++)
		u->r[at + k] = select_in_reg(s, select_operand(s, &coordinates->list[k], 32), 32);
	return dimensions;
}

static ref shared_at(struct select *s, unsigned n)
{
	struct address a;
	return select_address(s, &s->i->ops[n], PTX_SP_shared, &a) ? select_shared_register(s, &a) : select_tmp(s, 1);
}

static const char *read_policy(struct select *s, unsigned n, struct uniform_operands *u, char *text, size_t size)
{
	if (!ptx_has(s->i, PTX_M_L2__cache_hint))
		return "";
	u->r[POLICY] = select_in_reg(s, select_src(s, n, 64), 64);
	u->r[POLICY + 1] = u->r[POLICY] + 1;
	snprintf(text, size, ", desc[UR%u]", UNIFORM_AT(POLICY));
	return text;
}

static void load(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const enum multicast multicast = bulk_multicast(i);
	struct uniform_operands u = UNIFORM_NONE;
	char policy[32], mask[16] = "";
	const char *hint = read_policy(s, multicast == TO_ONE ? 3 : 4, &u, policy, sizeof policy);
	const unsigned dimensions = read_map(s, &i->ops[1], &u, BOX + 2);
	u.r[BOX] = shared_at(s, 0);
	u.r[BOX + 1] = shared_at(s, 2);
	if (multicast == TO_MASK32)
		u.r[MASK] = select_in_reg(s, select_src(s, 3, 32), 32);
	if (multicast == TO_MASK16) { /* in the high half */
		u.r[MASK] = select_tmp(s, 1);
		select_shift(s, u.r[MASK], true, false, select_src(s, 3, 16), val_imm(16));
	}
	if (multicast != TO_ONE)
		snprintf(mask, sizeof mask, ", UR%u", UNIFORM_AT(MASK));
	uniform_each_lane(s, &u, "UTMALDG.%uD%s%s%s [UR%u], [UR%u]%s%s", dimensions, bulk_multicast_name(multicast),
	                  ptx_has(i, PTX_M_cta_group__2) ? ".2CTA" : "", bulk_validity(i), UNIFORM_AT(BOX),
	                  UNIFORM_AT(MAP), mask, hint);
}

static void store(struct select *s)
{
	struct uniform_operands u = UNIFORM_NONE;
	char policy[32], word[96];
	const char *hint = read_policy(s, 2, &u, policy, sizeof policy);
	const unsigned dimensions = read_map(s, &s->i->ops[0], &u, BOX + 1);
	u.r[BOX] = shared_at(s, 1);
	snprintf(word, sizeof word, "UTMASTG.%uD [UR%u], [UR%u]%s", dimensions, UNIFORM_AT(BOX), UNIFORM_AT(MAP), hint);
	uniform_each_value(s, &u, "%s", word);
}

bool select_tensor(struct select *s)
{
	struct mblock *behind = select_guard_around(s);
	s->i->ops[0].kind == PTX_O_PARTS ? store(s) : load(s);
	if (behind)
		select_fall(s, behind);
	return true;
}
