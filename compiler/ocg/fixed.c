// SPDX-License-Identifier: Apache-2.0
/* fixed.c -- the bases with words at fixed positions or without words: bulk copies, fences, caches and the others.
 * Each chain of checks is in the measured order. Numbers in messages are the assembler's: some count from 0, some are
 * the count itself. */
#include <string.h>

#include "code.h"

static bool is(const char *word, const char *text)
{
	return strcmp(word, text) == 0;
}

static bool wide_or_word(const struct ocg_operand *o)
{
	return o->type == OCG_U32 || o->type == OCG_U64;
}

static void say(struct ocg_call *c, const char *phase, const char *text)
{
	ocg_refuse(c, 7308, phase, "Instrinsic - \"%s\"", text);
}

static void bad_number(struct ocg_call *c, int told)
{
	ocg_refuse(c, 7301, "operands", "Unexpected instrinsic param number (%d)", told);
}

static void bad_word(struct ocg_call *c, const char *word, unsigned at)
{
	ocg_refuse(c, 7307, "words", "Unexpected instrinsic subop (%s) in position (%u)", word, at);
}

static void bad_position(struct ocg_call *c, int at)
{
	ocg_refuse(c, 7306, "words", "Unexpected instrinsic subop in position (%d)", at);
}

static void bad_type(struct ocg_call *c, unsigned at)
{
	ocg_refuse(c, 7302, "types", "Unexpected instrinsic type (?\?\?) in param (%u)", at);
}

static void internal(struct ocg_call *c)
{
	ocg_refuse(c, 7901, "code", "Internal compiler error.");
}

/* Wants n operands. Else the message names the number of the last operand. */
static void want_operands(struct ocg_call *c, unsigned n)
{
	if (c->noperands != n)
		bad_number(c, (int)c->noperands - 1);
}

/* Wants n operands. Else the message names the number of operands. */
static void want_count(struct ocg_call *c, unsigned n)
{
	if (c->noperands != n)
		bad_number(c, (int)c->noperands);
}

static void want_words(struct ocg_call *c, unsigned n)
{
	if (c->nwords != n)
		ocg_refuse(c, 7304, "words", "Unexpected instrinsic subop number (%u)", c->nwords);
}

static bool is_space(const char *word)
{
	return is(word, "shared") || is(word, "global");
}

/* ---- bulk copies -------------------------------------------------------------------------------------------- */

/* Reports a missing word with the tool's text: "mbarrier" for the second word, else `missing`. */
static void want_space(struct ocg_call *c, unsigned at, const char *missing)
{
	if (at >= c->nwords)
		bad_word(c, at == 1 ? "mbarrier" : missing, at);
	else if (!is_space(c->words[at]))
		bad_word(c, c->words[at], at);
}

/* [head] destination source. Returns the number of words. A head has an extra operand. */
static unsigned bulk_spaces(struct ocg_call *c, const char *missing)
{
	const unsigned head = c->nwords && (is(c->words[0], "mbarrier") || is(c->words[0], "counted"));
	if (c->nwords == 0) { /* the tool has no verdict */
		bad_position(c, -1);
		return 0;
	}
	want_space(c, head, missing);
	if (!c->error[0])
		want_space(c, head + 1, missing);
	if (!c->error[0] && is(c->words[head], "global") && is(c->words[head + 1], "global"))
		bad_word(c, "global", head + 1);
	return head + 2;
}

static void bulk_operands(struct ocg_call *c, unsigned head)
{
	want_operands(c, 4 + head);
	for (unsigned i = 0; i < 2 + head && i < c->noperands; i++)
		if (!wide_or_word(&c->operands[i]))
			bad_type(c, i);
	if (!c->error[0] && c->operands[2 + head].type != OCG_U32)
		ocg_refuse(c, 7303, "types", "Unexpected instrinsic type (?\?\?) instead of (?\?\?) in param (%u)",
		           2 + head);
}

void ocg_judge_bulk(struct ocg_call *c)
{
	unsigned at = bulk_spaces(c, "(null)");
	const bool counted = at > 2 && is(c->words[0], "counted");
	const bool to_global = !c->error[0] && is(c->words[at - 2], "global");
	bool left_over = false;
	const unsigned head = at > 2;
	for (; at < c->nwords && !c->error[0]; at++) {
		const char *word = c->words[at];
		if (is(word, "sequenced"))
			ocg_refuse(c, 7300, "words", "Unexpected instrinsic name (sequenced : Not yet supported)");
		else if (is(word, "multicast") && to_global)
			bad_word(c, word, at);
		else if (is(word, "bytemask") && counted)
			ocg_refuse(c, 7300, "words", "Unexpected instrinsic name (byte mask not allowed with counted)");
		else if (is(word, "bytemask") && !to_global)
			ocg_refuse(c, 7300, "words",
			           "Unexpected instrinsic name (global dst should be specified with bytemask)");
		else
			left_over |= !is(word, "bytemask");
	}
	if (left_over)
		bad_position(c, (int)c->nwords - 1);
	bulk_operands(c, head);
}

void ocg_judge_bulk_red(struct ocg_call *c)
{
	const unsigned at = bulk_spaces(c, "f16");
	if (c->nwords != at + 2)
		bad_position(c, (int)c->nwords - 1);
	bulk_operands(c, at > 2);
}

/* The second and the third word; at most one of the two is global. */
static void group_spaces(struct ocg_call *c)
{
	for (unsigned i = 1; i < 3 && !c->error[0]; i++)
		if (!is_space(c->words[i]))
			bad_word(c, c->words[i], i);
	if (!c->error[0] && is(c->words[1], "global") && is(c->words[2], "global"))
		bad_word(c, "global", 2);
}

void ocg_judge_commit(struct ocg_call *c)
{
	want_words(c, 3);
	want_count(c, 0);
	group_spaces(c);
}

void ocg_judge_wait(struct ocg_call *c)
{
	want_words(c, 4);
	want_count(c, 1);
	group_spaces(c);
	if (!c->error[0] && !is(c->words[3], "read") && !is(c->words[3], "write"))
		bad_word(c, c->words[3], 3);
	if (!c->error[0] && c->operands[0].type != OCG_U32)
		bad_type(c, 0);
}

/* ---- fences, works, memory ---------------------------------------------------------------------------------- */

void ocg_judge_fence(struct ocg_call *c)
{
	want_words(c, 1);
	want_count(c, 0);
	if (ocg_has(c, "tensor") && ocg_has_tensor_memory(c->chip))
		internal(c);
}

void ocg_judge_plain(struct ocg_call *c)
{
	(void)c;
}

void ocg_judge_shminit(struct ocg_call *c)
{
	if (c->chip >= 100)
		internal(c);
}

void ocg_judge_work(struct ocg_call *c)
{
	const bool own = ocg_has(c, "selfcast"), all = ocg_has(c, "broadcast");
	if (!own && !all)
		say(c, "words", "Either the selfcast or the broadcast modifier must be used.");
	if (own && all)
		say(c, "words", "Cannot use both the selfcast and the broadcast modifier.");
	want_operands(c, 2);
	for (unsigned i = 0; i < c->noperands; i++)
		if (c->operands[i].type != OCG_U32)
			bad_type(c, i);
}

/* The last operand is the address. */
void ocg_judge_multi(struct ocg_call *c)
{
	if (c->noperands == 0) /* the tool has no verdict */
		bad_number(c, -1);
	else if (c->operands[c->noperands - 1].type != OCG_U64)
		bad_type(c, c->noperands - 1);
}

void ocg_judge_clear(struct ocg_call *c)
{
	want_operands(c, 2);
	for (unsigned i = 0; i < c->noperands; i++)
		if (c->operands[i].type != OCG_U32)
			bad_type(c, 0);
}

/* The bank is the first parameter and must be a constant. */
void ocg_judge_constant(struct ocg_call *c)
{
	want_count(c, 3);
	if (c->nwords != 1)
		bad_position(c, (int)c->nwords);
	if (c->error[0])
		return;
	if (c->operands[0].type != (is(c->words[0], "u32") ? OCG_U32 : OCG_U64) || c->operands[1].type != OCG_U32 ||
	    c->operands[2].type != OCG_U32)
		ocg_refuse(c, 7301, "types", "Unexpected instrinsic type (?\?\?)");
	if (!c->operands[1].constant)
		say(c, "operands", "LDC requires a constant/immediate bank number");
}

/* ---- caches ------------------------------------------------------------------------------------------------- */

static void exactly_one(struct ocg_call *c, const char *a, const char *b)
{
	if (ocg_has(c, a) == ocg_has(c, b))
		ocg_refuse(c, 7308, "words", "Instrinsic - \"Exactly one of the '%s' or '%s' modifiers must be used.\"",
		           a, b);
}

void ocg_judge_cctl(struct ocg_call *c)
{
	exactly_one(c, "ldc", "ldcu");
	exactly_one(c, "shallow", "deep");
	exactly_one(c, "iv", "ivall");
	if (ocg_has(c, "deep") && ocg_has(c, "ldc"))
		say(c, "words", "Modifier 'deep' cannot be combined with modifier 'ldc'.");
	want_operands(c, ocg_has(c, "iv") ? 1 : 0);
	if (!c->error[0] && c->noperands && c->operands[0].type != OCG_U64)
		bad_type(c, 0);
	if (c->chip >= 100)
		internal(c);
}

/* The assembler accepted no form. */
void ocg_judge_cache(struct ocg_call *c)
{
	if (c->noperands > 1)
		bad_number(c, (int)c->noperands);
	if (c->nwords == 2)
		bad_word(c, c->words[0], 0);
	else
		bad_position(c, (int)c->nwords - 1);
}

/* ---- barrier of tensor work, packed integers ---------------------------------------------------------------- */

void ocg_judge_tcbar(struct ocg_call *c)
{
	static const char *const texts[2][2] = {
	        {"Must have 1 input with a1t0 and no multicast", "Must have 2 inputs with a1t0 and multicast"},
	        {"Must have 2 input with a0tx and no multicast", "Must have 3 inputs with a0tx and multicast"}};
	const bool multicast = ocg_has(c, "multicast");
	bool a0tx = false;
	for (unsigned i = 0; i < c->nwords; i++)
		a0tx = is(c->words[i], "a0tx") || (a0tx && !is(c->words[i], "a1t0"));
	if (ocg_has(c, "flush"))
		say(c, "words", "Flush not yet supported");
	if (c->noperands != 1u + a0tx + multicast)
		say(c, "operands", texts[a0tx][multicast]);
	for (unsigned i = 0; i < c->noperands; i++)
		if (c->operands[i].type != OCG_U32)
			bad_type(c, i);
}

static void same_types(struct ocg_call *c)
{
	if (!c->error[0] && (c->operands[0].type != c->operands[1].type || c->operands[1].type != c->operands[2].type))
		ocg_refuse(c, 7301, "types", "Unexpected instrinsic type (?\?\?)");
}

/* A type, then relu; relu alone is accepted, too. */
static void video(struct ocg_call *c, unsigned operands)
{
	want_count(c, operands);
	if (c->nwords == 0) /* the tool has no verdict */
		bad_position(c, 0);
	if (c->nwords > 2)
		bad_position(c, (int)c->nwords);
	if (c->nwords == 2 && !is(c->words[1], "relu"))
		bad_word(c, c->words[1], 0);
	if (ocg_has(c, "relu") && c->nwords && c->words[0][0] == 'u')
		say(c, "words", ".RELU not allowed with unsigned type");
	same_types(c);
}

void ocg_judge_video4(struct ocg_call *c)
{
	video(c, 4);
}

void ocg_judge_video3(struct ocg_call *c)
{
	video(c, 3);
}

void ocg_judge_viadd(struct ocg_call *c)
{
	want_count(c, 3);
	if (c->nwords != 1) /* without a word the tool has no verdict */
		bad_position(c, c->nwords ? (int)c->nwords - 1 : 0);
	same_types(c);
}
