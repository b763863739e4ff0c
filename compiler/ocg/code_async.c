// SPDX-License-Identifier: Apache-2.0
/* code_async.c -- PTX of red_async and write_async.
 *
 * ptxas 13.0 forgets order and scope of the shared forms; the fence here keeps both. If ptxas emits no instruction at
 * all, the call is an error. */
#include <string.h>

#include "async.h"
#include "code.h"

static const char *scope(const struct said *s)
{
	return s->of[SCOPE] == SYS ? "sys" : "gpu";
}

/* Names of operation and type in PTX. `inc` and `dec` of s32 have no name. */
static bool reduction(const struct said *s, struct ocg_code *t, const char **op, const char **type)
{
	enum { ADD = 1, MIN, MAX, INC, DEC };
	static const char *const names[] = {"", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
	const bool is_signed = s->of[TYPE] == S32;
	const int o = s->of[OP];
	if (is_signed && (o == INC || o == DEC)) {
		ocg_miss(t, "no PTX instruction has %s with s32", names[o]);
		return false;
	}
	*op = names[o];
	*type = s->of[TYPE] == U64 || s->of[VECTOR] == 2 ? "u64" : o > DEC ? "b32" : is_signed ? "s32" : "u32";
	return true;
}

/* The data as a single operand: two words become the two halves. */
static const char *data(const struct said *s, struct ocg_code *t)
{
	const unsigned first = ocg_async_first(s);
	if (s->of[VECTOR] != 2)
		return first == 2 ? "$2" : "$1";
	ocg_put(t, "mov.b64 $w, {$%u, $%u}", first, first + 1);
	return "$w";
}

/* Words for the order of a global access. An access without `release` has a fence in front. NULL: no code exists. */
static const char *to_global(const struct ocg_call *c, const struct said *s, struct ocg_code *t)
{
	const bool release = s->of[ORDER], mmio = s->of[MMIO];
	if (s->shared)
		ocg_miss(t, "the name says shared and global");
	else if (c->chip < 100 || (!release && !ocg_has_tensor_memory(c->chip)))
		ocg_lost(c, t);
	else if (mmio && !(release && s->of[SCOPE] == SYS))
		ocg_miss(t, "no PTX instruction has mmio without release and sys");
	if (t->missing[0])
		return NULL;
	if (mmio)
		return "async.mmio.release.sys";
	if (release)
		return s->of[SCOPE] == SYS ? "release.sys" : "release.gpu";
	ocg_put(t, "fence.acq_rel.cta");
	return "relaxed.gpu";
}

void ocg_code_red(const struct ocg_call *c, struct ocg_code *t)
{
	const struct said s = ocg_async_words(c);
	const char *op, *type;
	if (!reduction(&s, t, &op, &type))
		return;
	if (s.of[DOMAIN] == GLOBAL) {
		const char *words = to_global(c, &s, t);
		if (words)
			ocg_put(t, "red.%s.global.%s.%s [$g0], %s", words, op, type, data(&s, t));
		return;
	}
	if (s.of[ORDER])
		ocg_put(t, "fence.acq_rel.%s", scope(&s));
	ocg_put(t, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s.%s [$s0], %s, [$s1]", op,
	        type, data(&s, t));
}

/* The last type in the name. */
static const char *type_word(const struct ocg_call *c)
{
	const char *type = "";
	for (unsigned i = 0; i < c->nwords; i++)
		if (strcmp(ocg_word_class(c->words[i]), "type") == 0)
			type = c->words[i];
	return type;
}

static void write_shared(const struct said *s, const char *type, struct ocg_code *t)
{
	const unsigned n = ocg_async_data(s);
	static const char *const lists[] = {"", "$2", "{$2, $3}", "", "{$2, $3, $4, $5}"};
	if (s->of[ORDER])
		ocg_put(t, "fence.acq_rel.%s", scope(s));
	ocg_put(t, "st.async.shared::cluster.mbarrier::complete_tx::bytes%s.%s [$s0], %s, [$s1]",
	        n == 4   ? ".v4"
	        : n == 2 ? ".v2"
	                 : "",
	        type, lists[n]);
}

void ocg_code_write(const struct ocg_call *c, struct ocg_code *t)
{
	const struct said s = ocg_async_words(c);
	const unsigned n = ocg_async_data(&s), bits = s.of[TYPE] == U64 ? 64 : 32;
	const char *type = type_word(c);
	for (unsigned i = ocg_async_first(&s); i < c->noperands; i++)
		if (ocg_bits(c->operands[i].type) != bits)
			ocg_miss(t, "operand %u has %u bits, and the name says %s", i, ocg_bits(c->operands[i].type),
			         type);
	if (n * bits > 128 || (s.of[DOMAIN] == GLOBAL && n * bits > 64))
		ocg_lost(c, t);
	if (t->missing[0])
		return;
	if (s.of[DOMAIN] == SHARED) {
		write_shared(&s, type, t);
		return;
	}
	const char *words = to_global(c, &s, t);
	if (words && s.of[MMIO] && s.of[TYPE] == SMALL)
		ocg_miss(t, "no PTX instruction has mmio with %s", type);
	else if (words)
		ocg_put(t, "st.%s.global.%s [$g0], %s", words, n == 2 ? "b64" : type, data(&s, t));
}
