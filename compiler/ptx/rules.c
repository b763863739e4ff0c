// SPDX-License-Identifier: Apache-2.0
/* rules.c -- conditions of rules and gates, and the texts to print. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { KIND_PRED = 14, KIND_BASE = 15, KIND_REAL = 16, KIND_BOTH = 17, KIND_HALF = 18 };

/* Of an operand `d|p` the first part counts. */
static bool is_real(const struct ptx_parser *p, const struct ptx_operand *o)
{
	if (o->kind == PTX_O_PAIR)
		o = &o->list[0];
	return o->kind == PTX_O_REG && ptx_types[p->fn->regs[o->reg].type].cls == PTX_CLASS_FLOAT;
}

uint64_t ptx_operand_kinds(const struct ptx_parser *p, const struct ptx_operand *o)
{
	uint64_t bits = UINT64_C(1) << o->kind;
	if (o->kind == PTX_O_REG && p->fn->regs[o->reg].type == PTX_T_pred)
		bits |= UINT64_C(1) << KIND_PRED;
	if (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_REG)
		bits |= UINT64_C(1) << KIND_BASE;
	if (o->kind == PTX_O_PAIR && o->list[1].kind != PTX_O_SINK)
		bits |= UINT64_C(1) << KIND_BOTH;
	const bool in_reg = o->kind == PTX_O_REG || (o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_REG);
	if (in_reg && ptx_types[p->fn->regs[o->reg].type].bits == 16)
		bits |= UINT64_C(1) << KIND_HALF;
	if (is_real(p, o))
		bits |= UINT64_C(1) << KIND_REAL;
	return bits;
}

/* Bits in the order of has_kinds in gen/ready.c. */
static uint64_t has_bits(const struct ptx_instr *i)
{
	bool has[] = {i->order != 0,  i->scope != 0, i->nspaces != 0, i->operation != 0, i->vec != 1,
	              i->ntypes != 0, i->cmp != 0,   i->round != 0,   i->cache != 0,     i->mode != 0};
	uint64_t bits = 0;
	for (unsigned n = 0; n < sizeof has / sizeof *has; n++)
		bits |= (uint64_t)has[n] << n;
	return bits;
}

static bool word_term(const struct ptx_term *t, const struct ptx_instr *i, unsigned *word)
{
	for (unsigned n = 0; n < i->nmods; n++)
		if (!(i->mods[n] & 0x8000) && ptx_set_has(&t->set, ptx_set_bit(i->mods[n]))) {
			if (*word == 0)
				*word = i->mods[n];
			return true;
		}
	return false;
}

static bool many_term(const struct ptx_term *t, const struct ptx_instr *i, unsigned *word)
{
	unsigned count = 0;
	for (unsigned n = 0; n < i->nmods; n++)
		if (!(i->mods[n] & 0x8000) && ptx_set_has(&t->set, ptx_set_bit(i->mods[n])) && ++count == 2)
			*word = i->mods[n];
	return count > 1;
}

/* Does the second word stand in front of the first? */
static bool swapped_term(const struct ptx_term *t, const struct ptx_instr *i)
{
	for (unsigned n = 0; n < i->nmods; n++)
		if (i->mods[n] == (t->bits & 0xffff) || i->mods[n] == t->bits >> 16)
			return i->mods[n] == t->bits >> 16;
	return false;
}

/* Does the word come more than once? */
static bool twice_term(const struct ptx_term *t, const struct ptx_instr *i)
{
	unsigned count = 0;
	for (unsigned n = 0; n < i->nmods; n++)
		count += i->mods[n] == t->bits;
	return count > 1;
}

/* Does a word of the set come again? */
static bool again_term(const struct ptx_term *t, const struct ptx_instr *i, unsigned *word)
{
	for (unsigned n = 1; n < i->nmods; n++)
		for (unsigned k = 0; k < n; k++)
			if (i->mods[k] == i->mods[n] && !(i->mods[n] & 0x8000) &&
			    ptx_set_has(&t->set, ptx_set_bit(i->mods[n]))) {
				*word = i->mods[n];
				return true;
			}
	return false;
}

/* The integer constant of operand n, in the bits used by the term. */
static bool number_of(const struct ptx_term *t, const struct ptx_instr *i, unsigned n, uint64_t *v)
{
	if (i->nops <= n || i->ops[n].kind != PTX_O_INT)
		return false;
	*v = t->low ? (uint32_t)i->ops[n].imm : (uint64_t)i->ops[n].imm;
	return true;
}

/* Elements of a vector, or of the vector in [a, vector]. */
static unsigned length_of(const struct ptx_operand *o)
{
	if (o->kind == PTX_O_PARTS)
		o = &o->list[1];
	return o->kind == PTX_O_VECTOR ? o->count : 0;
}

/* As binary32: above 0, at most 1. */
static bool fraction(const struct ptx_operand *o)
{
	float v = (float)o->f64;
	return v > 0 && v <= 1;
}

static bool holds(const struct ptx_parser *p, const struct ptx_term *t, const struct ptx_instr *i, unsigned *word)
{
	uint64_t v, next;
	switch ((enum ptx_term_kind)t->kind) {
	case TERM_WORD:
		return word_term(t, i, word);
	case TERM_TYPE:
		return i->ntypes > t->index && i->ntypes <= 4 && (t->bits >> i->type[t->index] & 1);
	case TERM_SPACE:
		return t->bits >> i->space[t->index] & 1;
	case TERM_ARGS:
		return t->bits >> i->nops & 1;
	case TERM_ARG:
		return i->nops > t->index && (t->bits & ptx_operand_kinds(p, &i->ops[t->index]));
	case TERM_HAS:
		return t->bits & has_bits(i);
	case TERM_VALUE:
		return number_of(t, i, t->index, &v) && v < 64 && (t->bits >> v & 1);
	case TERM_OCTETS:
		return number_of(t, i, t->index, &v) && v / 8 < 64 && (t->bits >> v / 8 & 1);
	case TERM_MULTIPLE:
		return number_of(t, i, t->index, &v) && (int64_t)v % (int64_t)t->bits == 0;
	case TERM_POSITIVE:
		return number_of(t, i, t->index, &v) && (int64_t)v > 0;
	case TERM_POWER:
		return number_of(t, i, t->index, &v) && v && !(v & (v - 1)) && (t->bits >> __builtin_ctzll(v) & 1);
	case TERM_MOST:
		return number_of(t, i, t->index, &v) && v <= t->bits;
	case TERM_ORDERED:
		return number_of(t, i, t->index, &v) && number_of(t, i, t->index + 1u, &next) && v <= next;
	case TERM_FRACTION:
		return i->nops > t->index && i->ops[t->index].kind == PTX_O_FLOAT && fraction(&i->ops[t->index]);
	case TERM_EQUAL:
		return number_of(t, i, t->index, &v) && v == t->bits;
	case TERM_TWICE:
		return twice_term(t, i);
	case TERM_LENGTH:
		return i->nops > t->index && length_of(&i->ops[t->index]) == t->bits;
	case TERM_SWAPPED:
		return swapped_term(t, i);
	case TERM_AGAIN:
		return again_term(t, i, word);
	case TERM_MANY:
		return many_term(t, i, word);
	case TERM_VERSION:
		return p->m->version_written >= t->bits; /* also of versions read as the newest known version */
	case TERM_TARGET:
		return p->m->target >= t->bits;
	case TERM_CHIP:
		return ptx_set_has(&t->set, p->m->target);
	case TERM_SUFFIX:
		return p->m->target_suffix && (t->bits >> (p->m->target_suffix - 'a') & 1);
	case TERM_TOOLKIT:
		return p->toolkit >= t->bits;
	case TERM_TYPES:
		return t->bits >> (i->ntypes & 63) & 1;
	case TERM_SPACES:
		return t->bits >> (i->nspaces & 63) & 1;
	}
	return false;
}

static bool applies(const struct ptx_parser *p, const struct ptx_rule *r, const struct ptx_instr *i, unsigned *word)
{
	*word = 0;
	for (unsigned n = 0; n < r->nterms; n++)
		if (holds(p, &r->term[n], i, word) == r->term[n].not_)
			return false;
	return true;
}

static const char *word_name(unsigned q)
{
	return q & 0x4000 ? ptx_space_name((enum ptx_space)(q & 0xff)) : ptx_mod_name((enum ptx_mod)q);
}

static int64_t constant(const struct ptx_instr *i, int n)
{
	return n < i->nops && i->ops[n].kind == PTX_O_INT ? i->ops[n].imm : 0;
}

static float binary32(const struct ptx_instr *i, int n)
{
	return n < i->nops && i->ops[n].kind == PTX_O_FLOAT ? (float)i->ops[n].f64 : 0;
}

/* The text with its % letters filled in; forms.h lists them. */
static void expand(const struct ptx_parser *p, const char *text, const struct ptx_instr *i, unsigned word, char *to,
                   size_t n)
{
	size_t used = 0;
	for (const char *s = text; *s && used + 1 < n; s++) {
		if (*s != '%') {
			to[used++] = *s;
			continue;
		}
		const char *part = "";
		char number[64];
		switch (*++s) {
		case 'i':
			part = ptx_op_name((enum ptx_op)i->op);
			break;
		case 't':
			part = i->ntypes ? ptx_types[i->type[0]].name : "";
			break;
		case 's':
			part = ptx_space_name((enum ptx_space)i->space[0]);
			break;
		case 'S':
			to[used] = '.';
			used += i->nspaces != 0 && used + 1 < n;
			part = i->nspaces ? ptx_space_name((enum ptx_space)i->space[0]) : " with generic state space";
			break;
		case 'e':
			part = word_name(word);
			part = strchr(part, ':') ? strrchr(part, ':') + 1 : part;
			break;
		case 'o':
			part = ptx_mod_name((enum ptx_mod)i->order);
			break;
		case 'c':
			part = ptx_mod_name((enum ptx_mod)i->scope);
			break;
		case 'p':
			part = ptx_mod_name((enum ptx_mod)i->operation);
			break;
		case 'k':
			part = ptx_mod_name((enum ptx_mod)i->cache);
			break;
		case 'v':
			part = i->vec == 2 ? "v2" : i->vec == 4 ? "v4" : "v8";
			break;
		case 'm':
			part = word_name(word);
			break;
		case 'u':
			snprintf(number, sizeof number, "%" PRIu64, (uint64_t)constant(i, *++s - '0'));
			part = number;
			break;
		case 'w':
			snprintf(number, sizeof number, "%" PRId32, (int32_t)constant(i, *++s - '0'));
			part = number;
			break;
		case 'l':
			snprintf(number, sizeof number, "%" PRIu32, (uint32_t)constant(i, *++s - '0'));
			part = number;
			break;
		case 'f':
			snprintf(number, sizeof number, "%f", (double)binary32(i, *++s - '0'));
			part = number;
			break;
		case 'T':
			snprintf(number, sizeof number, "sm_%u%.1s", p->m->target, &p->m->target_suffix);
			part = number;
			break;
		case 'n':
			snprintf(number, sizeof number, "%u", i->nops);
			part = number;
			break;
		default:
			snprintf(number, sizeof number, "%" PRId64, constant(i, *s - '0'));
			part = number;
		}
		for (; *part && used + 1 < n; part++)
			to[used++] = *part;
	}
	to[used] = 0;
}

/* Position of the word or operand behind a message, if the condition names either. */
static struct ptx_pos culprit(const struct ptx_parser *p, const struct ptx_rule *r, const struct ptx_instr *i,
                              unsigned word)
{
	for (unsigned n = 0; word && n < i->nmods; n++)
		if (i->mods[n] == word)
			return p->word_at[n];
	for (unsigned n = 0; n < r->nterms; n++) {
		const struct ptx_term *t = &r->term[n];
		bool operand = t->kind == TERM_ARG || t->kind == TERM_VALUE || t->kind == TERM_OCTETS ||
		               t->kind == TERM_MULTIPLE || t->kind == TERM_POSITIVE || t->kind == TERM_EQUAL ||
		               t->kind == TERM_POWER || t->kind == TERM_MOST || t->kind == TERM_FRACTION ||
		               t->kind == TERM_ORDERED || t->kind == TERM_LENGTH;
		if (operand && t->index < i->nops)
			return ptx_word_pos(i, i->ops[t->index].pos);
	}
	return i->pos;
}

/* A rule limited to older versions or lower targets names a sufficient version or target. */
static void refuse(struct ptx_parser *p, struct ptx_pos at, const struct ptx_rule *r, const char *text)
{
	struct ptx_about about = {.version = 0};
	for (unsigned n = 0; n < r->nterms; n++) {
		if (r->term[n].not_ && r->term[n].kind == TERM_VERSION)
			about.version = (unsigned)r->term[n].bits;
		if (r->term[n].not_ && r->term[n].kind == TERM_TARGET)
			about.target = (unsigned)r->term[n].bits;
	}
	ptx_error_about(p, at, &about, "%s", text);
}

/* Does the rule hold, with the marks of the words? */
static bool violated(const struct ptx_parser *p, const struct ptx_rule *r, const struct ptx_instr *i, uint64_t words,
                     unsigned *word)
{
	const uint64_t type = i->ntypes ? UINT64_C(1) << i->type[0] : 0;
	if ((r->types && !(r->types & type)) || (r->words && !(r->words & words)))
		return false;
	const bool gate = r->version != 0;
	if (gate && p->m->version >= r->version && p->m->target >= r->target)
		return false;
	return applies(p, r, i, word);
}

static void tell(struct ptx_parser *p, const struct ptx_rule *r, const struct ptx_instr *i, unsigned word)
{
	char text[512];
	expand(p, r->row->text, i, word, text, sizeof text);
	struct ptx_pos at = culprit(p, r, i, word);
	if (r->version)
		ptx_gate(p, at, r->version, r->target, "%s", text);
	else
		refuse(p, at, r, text);
}

static uint64_t word_marks(const struct ptx_instr *i)
{
	uint64_t words = 0;
	for (unsigned n = 0; n < i->nmods; n++)
		if (!(i->mods[n] & 0x8000))
			words |= ptx_word_mark(ptx_set_bit(i->mods[n]));
	return words;
}

void ptx_check_rules(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op,
                     enum ptx_phase phase)
{
	const uint64_t words = word_marks(i);
	for (unsigned n = 0; n < op->nrules; n++) {
		const struct ptx_rule *r = &op->rule[n];
		unsigned word;
		if (r->row->phase != phase || !violated(p, r, i, words, &word))
			continue;
		tell(p, r, i, word);
		if (phase < PHASE_RULE)
			return;
	}
}

void ptx_check_gates(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op)
{
	const uint64_t words = word_marks(i);
	for (unsigned n = 0; n < op->nrules; n++) {
		unsigned word;
		if (op->rule[n].version && violated(p, &op->rule[n], i, words, &word))
			tell(p, &op->rule[n], i, word);
	}
}

void ptx_check_compiled(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_op_forms *op)
{
	for (unsigned n = 0; n < op->nrules; n++) {
		const struct ptx_rule *r = &op->rule[n];
		unsigned word;
		if (r->row->phase != PHASE_JUDGED || !applies(p, r, i, &word))
			continue;
		const char *name = ptx_op_name((enum ptx_op)i->op);
		if (word)
			ptx_error(p, culprit(p, r, i, word), "Instruction '%s' with '.%s' is judged, not compiled yet",
			          name, word_name(word));
		else
			ptx_error(p, i->pos, "Instruction '%s' is judged, not compiled yet", name);
		return;
	}
}
