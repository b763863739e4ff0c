/* SPDX-License-Identifier: Apache-2.0 */
/* asmtext.c -- the six phases: version path, operands and mnemonic, order, scope, type suffix, string. */
#include "asmtext.h"

#include <stdio.h>
#include <string.h>

#define SIZE_MASK      0x10116u /* bits 1, 2, 4, 8 and 16: the existing sizes in bytes */
#define FIRST_MODEL_SM 70       /* below: .volatile instead of order and scope */

const char *nv_text_message(enum nv_text_status s)
{
	static const char *const text[] = {"", "unexpected memory order.", "unexpected atomic operation scope.",
	                                   "unexpected size1", "unexpected atomic builtin function"};
	return text[s];
}

const char *nv_scope_name(int scope, unsigned sm)
{
	switch (scope) {
	case NV_THREAD:
	case NV_BLOCK:
		return "cta";
	case NV_CLUSTER:
		return sm >= 90 ? "cluster" : "gpu";
	case NV_DEVICE:
		return "gpu";
	case NV_SYSTEM:
		return "sys";
	default:
		return NULL;
	}
}

const char *nv_membar_of_scope(int scope)
{
	static const char *const text[] = {"membar.cta;", "membar.cta;", "membar.gl;", "membar.gl;", "membar.sys;"};
	return scope >= 0 && scope <= 4 ? text[scope] : NULL;
}

const char *nv_membar_of_operand(unsigned value)
{
	/* The PTX instruction for device scope is spelled membar.gl. */
	static const char *const text[] = {"membar.gl;", "membar.cta;", "membar.sys;", NULL, "fence.sc.cluster;"};
	return value < sizeof text / sizeof *text ? text[value] : NULL;
}

char nv_register_class(char letter, unsigned bytes)
{
	if (letter == 'f')
		return bytes == 8 ? 'd' : 'f';
	return bytes >= 8 ? 'l' : bytes == 2 ? 'h' : 'r';
}

static const char *mnemonic(enum nv_op op)
{
	switch (op) {
	case NV_LOAD:
		return "ld";
	case NV_STORE:
		return "st";
	case NV_ADD:
	case NV_SUB:
		return "add";
	case NV_AND:
		return "and";
	case NV_OR:
		return "or";
	case NV_XOR:
		return "xor";
	case NV_MAX:
		return "max";
	case NV_MIN:
		return "min";
	case NV_INC:
		return "inc";
	case NV_DEC:
		return "dec";
	case NV_EXCH:
		return "exch";
	case NV_CAS:
		return "cas";
	default:
		return NULL;
	}
}

static char type_letter(const struct nv_request *q)
{
	switch (q->op) {
	case NV_ADD:
	case NV_SUB:
		if (q->type.cls == NV_C_FLOAT)
			return 'f';
		return q->type.is_signed && (q->diffs & NV_D_ADD_SIGN) ? 's' : 'u';
	case NV_MAX:
	case NV_MIN:
		return q->type.cls == NV_C_FLOAT ? 'f' : q->type.is_signed ? 's' : 'u';
	case NV_INC:
	case NV_DEC:
		return 'u';
	default:
		return 'b';
	}
}

/* The order qualifier of the operation itself, and the sc fences before and after. */
static const char *order_name(const struct nv_request *q, bool *before, bool *after)
{
	static const char *const plain[] = {"relaxed", "acquire", "acquire", "release", "acq_rel"};
	int o = q->order;
	*before = *after = false;
	if (o < 0 || o > NV_SEQ_CST)
		return NULL;
	if (q->op == NV_STORE && o != NV_RELAXED && o != NV_RELEASE && o != NV_SEQ_CST)
		return NULL;
	if (q->op == NV_LOAD && (o == NV_RELEASE || o == NV_ACQ_REL) && !(q->diffs & NV_D_LOAD_ORDER))
		return NULL;
	if (o < NV_SEQ_CST)
		return plain[o];
	if (q->op == NV_LOAD) {
		bool measured = q->diffs & NV_D_LOAD_SC;
		*before = measured;
		*after = !measured;
		return "acquire";
	}
	*before = true;
	if (q->op == NV_STORE) {
		if (q->type.bytes == 16 && q->form != NV_GENERIC && (q->diffs & NV_D_STORE16_SC))
			return "acquire";
		return q->diffs & (NV_D_STORE_SC | NV_D_STORE16_SC) ? "relaxed" : "release";
	}
	*after = !(q->diffs & NV_D_RMW_SC);
	return *after ? "acq_rel" : "acquire";
}

enum nv_text_status nv_fence_text(int order, int scope, unsigned sm, unsigned diffs, char *out, size_t outn)
{
	if (sm < FIRST_MODEL_SM) {
		const char *t = nv_membar_of_scope(scope);
		if (!t)
			return NV_TEXT_SCOPE;
		snprintf(out, outn, "%s", t);
		return NV_TEXT_OK;
	}
	const char *s = nv_scope_name(scope, sm);
	if (order < 0 || order > NV_SEQ_CST || (order < NV_RELEASE && !(diffs & NV_D_FENCE_ORDER)))
		return NV_TEXT_ORDER;
	if (!s)
		return NV_TEXT_SCOPE;
	snprintf(out, outn, "fence.%s.%s;", order == NV_ACQ_REL ? "acq_rel" : "sc", s);
	return NV_TEXT_OK;
}

/* "{ .reg .b128 ...": a 128-bit operand is two 64-bit operands, joined before the operation and split after. */
static void wide_text(const struct nv_request *q, const char *head, struct nv_text *t)
{
	switch (q->op) {
	case NV_LOAD:
		snprintf(t->op, sizeof t->op, "{ .reg .b128 %%wl_d; %s %%wl_d, [$2]; mov.b128 {$0, $1}, %%wl_d; }",
		         head);
		strcpy(t->constraints, "=l,=l,l");
		break;
	case NV_STORE:
		snprintf(t->op, sizeof t->op, "{ .reg .b128 %%wl_v; mov.b128 %%wl_v, {$1, $2}; %s [$0], %%wl_v; }",
		         head);
		strcpy(t->constraints, "l,l,l");
		break;
	case NV_CAS:
		snprintf(t->op, sizeof t->op,
		         "{ .reg .b128 %%wl_d, %%wl_c, %%wl_v; mov.b128 %%wl_c, {$3, $4}; mov.b128 %%wl_v, {$5, $6}; "
		         "%s %%wl_d,[$2],%%wl_c,%%wl_v; mov.b128 {$0, $1}, %%wl_d; }",
		         head);
		strcpy(t->constraints, "=l,=l,l,l,l,l,l");
		break;
	default:
		snprintf(t->op, sizeof t->op,
		         "{ .reg .b128 %%wl_d, %%wl_v; mov.b128 %%wl_v, {$3, $4}; %s %%wl_d,[$2],%%wl_v; mov.b128 {$0, "
		         "$1}, %%wl_d; }",
		         head);
		strcpy(t->constraints, "=l,=l,l,l,l");
	}
}

enum nv_text_status nv_atomic_text(const struct nv_request *q, struct nv_text *t)
{
	bool model = q->sm >= FIRST_MODEL_SM, before, after;
	char head[96];
	const char *op = mnemonic(q->op), *order = order_name(q, &before, &after),
	           *scope = nv_scope_name(q->scope, q->sm);
	unsigned n = q->type.bytes;
	memset(t, 0, sizeof *t);
	if (!op)
		return NV_TEXT_OP;
	if (!order)
		return NV_TEXT_ORDER;
	if (!scope)
		return NV_TEXT_SCOPE;
	if (n > 16 || !(1u << n & SIZE_MASK))
		return NV_TEXT_SIZE;

	char letter = type_letter(q), reg = nv_register_class(letter, n);
	const char *atom = q->op == NV_LOAD || q->op == NV_STORE ? "" : "atom";
	if (model && q->space && q->space[0]) /* LLVM's own atomics: the order of the PTX manual, space included */
		snprintf(head, sizeof head, "%s.%s.%s%s%s%s.%c%u", *atom ? atom : op, order, scope, q->space,
		         *atom ? "." : "", *atom ? op : "", letter, n * 8);
	else if (model)
		snprintf(head, sizeof head, "%s%s%s.%s.%s.%c%u", atom, *atom ? "." : "", op, order, scope, letter,
		         n * 8);
	else
		snprintf(head, sizeof head, "%s%s%s.volatile.%c%u", atom, *atom ? "." : "", op, letter, n * 8);
	if (model && before)
		snprintf(t->before, sizeof t->before, "fence.sc.%s;", scope);
	if (model && after)
		snprintf(t->after, sizeof t->after, "fence.sc.%s;", scope);

	if (n == 16) {
		wide_text(q, head, t);
	} else if (q->op == NV_LOAD) {
		snprintf(t->op, sizeof t->op, "%s $0, [$1];", head);
		snprintf(t->constraints, sizeof t->constraints, "=%c,l", reg);
	} else if (q->op == NV_STORE) {
		snprintf(t->op, sizeof t->op, "%s [$0], $1;", head);
		snprintf(t->constraints, sizeof t->constraints, "l,%c", reg);
	} else if (q->op == NV_CAS) {
		snprintf(t->op, sizeof t->op, "%s $0,[$1],$2,$3;", head);
		snprintf(t->constraints, sizeof t->constraints, "=%c,l,%c,%c", reg, reg, reg);
	} else {
		snprintf(t->op, sizeof t->op, "%s $0,[$1],$2;", head);
		snprintf(t->constraints, sizeof t->constraints, "=%c,l,%c", reg, reg);
	}
	strcat(t->constraints, ",~{memory}");
	return NV_TEXT_OK;
}

/* ---- legacy emission ------------------------------------------------------------------------------------------ */

static const struct nv_emission emission[] = {
        {0x00, "exch", 'b'}, {0x01, "add", 'u'}, {0x03, "and", 'b'}, {0x05, "or", 'b'},  {0x06, "xor", 'b'},
        {0x07, "max", 's'},  {0x08, "min", 's'}, {0x09, "max", 'u'}, {0x0a, "min", 'u'}, {0x0b, "add", 'f'},
        {0x0c, "inc", 'u'},  {0x0d, "dec", 'u'}, {0x0e, "cas", 'b'},
};

const struct nv_emission *nv_emission_find(unsigned code)
{
	for (size_t i = 0; i < sizeof emission / sizeof *emission; i++)
		if (emission[i].code == code)
			return &emission[i];
	return NULL;
}

unsigned nv_emission_code(enum nv_op op, const struct nv_type *type)
{
	const char *name = mnemonic(op);
	char letter = 'b';
	if (op == NV_ADD || op == NV_SUB)
		letter = type->cls == NV_C_FLOAT ? 'f' : 'u';
	else if (op == NV_MAX || op == NV_MIN)
		letter = type->is_signed ? 's' : 'u';
	else if (op == NV_INC || op == NV_DEC)
		letter = 'u';
	for (size_t i = 0; i < sizeof emission / sizeof *emission; i++)
		if (name && !strcmp(emission[i].op, name) && emission[i].letter == letter)
			return emission[i].code;
	return 0xff;
}

bool nv_emit_atom(unsigned word, unsigned flags, unsigned bits, const char *order, const char *space, char *out,
                  size_t outn)
{
	static const char *const scopes[] = {"", ".cta", ".sys"};
	unsigned scope = word >> 4 & 0xf;
	const struct nv_emission *e = nv_emission_find(word >> 16 & 0xff);
	if (!e || scope > 2)
		return false;
	snprintf(out, outn, "atom%s%s%s.%s%s.%c%u", order, space, scopes[scope], e->op,
	         flags & NV_EMIT_L2 ? ".L2::cache_hint" : "", e->letter, bits);
	return true;
}
