// SPDX-License-Identifier: Apache-2.0
/* check.c -- checks an instruction by the form tables: qualifiers, then types, then operands, then the rules and
 * gates of its family. Each finding is a message. Consequences of a finding get no message. */
#include <stdio.h>
#include <string.h>

#include "check.h"

struct check {
	struct ptx_parser *p;
	struct ptx_instr *i;
	const struct ptx_op_forms *op;
	const char *name; /* as in messages */
	bool signatures;
	const struct ptx_form *signature; /* the one that fits */
};

static struct ptx_pos at(const struct check *c)
{
	return c->i->pos;
}

/* ---- qualifiers ------------------------------------------------------------------------------------------- */

/* The set of the bag without types. */
static struct ptx_set bag_of(const struct ptx_instr *i)
{
	struct ptx_set s = {{0}};
	for (unsigned n = 0; n < i->nmods; n++)
		if (!(i->mods[n] & 0x8000))
			ptx_set_add(&s, ptx_set_bit(i->mods[n]));
	return s;
}

static bool any_space(const struct ptx_set *s)
{
	return s->w[PTX_SET_SPACES / 64] != 0;
}

/* May the word stand on any instruction with signatures, without a meaning? */
static bool is_idle(unsigned q)
{
	return ptx_set_has(&ptx_forms_of(PTX_OP_foreign)->allowed, ptx_set_bit(q));
}

static bool is_signature(const struct ptx_form *f)
{
	return ptx_form_rows[f->row].signature;
}

/* A signature of the toolkit. */
static bool is_known_signature(const struct check *c, const struct ptx_form *f)
{
	const unsigned toolkit = ptx_form_rows[f->row].version;
	return is_signature(f) && (!toolkit || toolkit == c->p->toolkit);
}

bool ptx_has_signatures(const struct ptx_op_forms *op)
{
	for (unsigned k = 0; k < op->nforms; k++)
		if (is_signature(&op->form[k]))
			return true;
	return false;
}

/* Reports a word outside all forms of the instruction. */
static void illegal_word(struct check *c, unsigned word)
{
	struct ptx_parser *p = c->p;
	struct ptx_pos where = p->word_at[word];
	unsigned q = c->i->mods[word];
	if (q & 0x4000) {
		if (any_space(&c->op->allowed))
			ptx_error(p, where, "State space incorrect for instruction '%s'", c->name);
		else
			ptx_error(p, where, "No state space qualifier expected for instruction '%s'", c->name);
		return;
	}
	enum ptx_mod m = (enum ptx_mod)q;
	if (strncmp(ptx_mod_name(m), "L1::", 4) == 0 || strncmp(ptx_mod_name(m), "L2::evict", 9) == 0) {
		ptx_error(p, where, "Illegal modifier '.level::eviction_priority' for instruction '%s'", c->name);
		ptx_error(p, where, "Illegal modifier '.%s' for instruction '%s'", ptx_mod_name(m) + 4, c->name);
		return;
	}
	if (m == PTX_M_b1024) {
		ptx_error(p, where, "Unexpected instruction types specified for '%s'", c->name);
		return;
	}
	switch (ptx_mod_kind(m)) {
	case PTX_MOD_VECTOR:
		if (ptx_has_signatures(c->op)) {
			ptx_error(p, where, "Illegal modifier '.%s' for instruction '%s'", ptx_mod_name(m), c->name);
			break;
		}
		ptx_error(p, where, "Vector qualifier is not allowed for instruction '%s'", c->name);
		break;
	case PTX_MOD_COMPARE:
	case PTX_MOD_HALF:
		ptx_error(p, where, "Comparison qualifier is not allowed for instruction '%s'", c->name);
		break;
	case PTX_MOD_ROUND:
		if (m != PTX_M_approx && m != PTX_M_full) {
			ptx_error(p, where, "Illegal rounding modifier '.%s' for instruction '%s'", ptx_mod_name(m),
			          c->name);
			break;
		}
		/* fall through */
	default:
		ptx_error(p, where, "Illegal modifier '.%s' for instruction '%s'", ptx_mod_name(m), c->name);
	}
}

static void words_legal(struct check *c)
{
	for (unsigned n = 0; n < c->i->nmods; n++) {
		unsigned q = c->i->mods[n];
		if (!(q & 0x8000) && !ptx_set_has(&c->op->allowed, ptx_set_bit(q)) && !(c->signatures && is_idle(q)))
			illegal_word(c, n);
	}
}

static bool types_fit(const struct ptx_form *f, const struct ptx_instr *i)
{
	if (f->ntypes != i->ntypes)
		return false;
	for (unsigned n = 0; n < f->ntypes; n++)
		if (!(f->types[n] >> i->type[n] & 1))
			return false;
	return true;
}

static bool overlap(const struct ptx_set *a, const struct ptx_set *b)
{
	uint64_t any = 0;
	for (unsigned k = 0; k < PTX_SET_WORDS; k++)
		any |= a->w[k] & b->w[k];
	return any != 0;
}

/* The first group of the form without a word in the bag, or NULL. */
static const struct ptx_group *missing_group(const struct ptx_form *f, const struct ptx_set *bag)
{
	for (unsigned g = 0; g < f->ngroups; g++)
		if (!f->group[g].optional && !overlap(&f->group[g].words, bag))
			return &f->group[g];
	return NULL;
}

/* Index of the first word of the bag that is missing in the form, or belongs to an already used group. Without such a
 * word: the number of words. */
static unsigned extra_word(const struct check *c, const struct ptx_form *f)
{
	const struct ptx_instr *i = c->i;
	uint32_t used = 0; /* groups already used */
	for (unsigned n = 0; n < i->nmods; n++) {
		unsigned q = i->mods[n], bit, g = 0;
		if (q & 0x8000)
			continue;
		bit = ptx_set_bit(q);
		while (g < f->ngroups &&
		       !(ptx_set_has(&f->group[g].words, bit) && !(used >> g & 1 && q != PTX_M_sync && q != PTX_M_NaN)))
			g++; /* .sync and .NaN may come twice */
		if (g == f->ngroups && c->signatures && is_idle(q))
			continue;
		if (g == f->ngroups)
			return n;
		used |= 1u << g;
	}
	return i->nmods;
}

/* `'.a', '.b' or '.c'` */
static void list_words(const struct ptx_set *s, char *to, size_t n)
{
	const char *names[24];
	unsigned count = 0;
	size_t used = 0;
	for (unsigned bit = 1; bit < 64 * PTX_SET_WORDS && count < 24; bit++)
		if (ptx_set_has(s, bit))
			names[count++] = bit < PTX_SET_SPACES ? ptx_mod_name((enum ptx_mod)bit)
			                                      : ptx_space_name((enum ptx_space)(bit - PTX_SET_SPACES));
	for (unsigned k = 0; k < count && used < n; k++)
		used += (size_t)snprintf(to + used, n - used, "%s'.%s'",
		                         k == 0           ? ""
		                         : k + 1 == count ? " or "
		                                          : ", ",
		                         names[k]);
}

static void missing_word(struct check *c, const struct ptx_group *g)
{
	char words[512];
	unsigned first = 1;
	while (!ptx_set_has(&g->words, first))
		first++;
	enum ptx_mod_kind kind = first < PTX_SET_SPACES ? ptx_mod_kind((enum ptx_mod)first) : PTX_MOD_SPECIAL;
	list_words(&g->words, words, sizeof words);
	if (kind == PTX_MOD_ROUND)
		ptx_error(c->p, at(c), "Rounding modifier required for instruction '%s': %s", c->name, words);
	else if (kind == PTX_MOD_COMPARE)
		ptx_error(c->p, at(c), "Comparison modifier required for instruction '%s': %s", c->name, words);
	else
		ptx_error(c->p, at(c), "%s modifier required for instruction '%s'", words, c->name);
}

static void types_legal(struct check *c)
{
	for (unsigned k = 0; k < c->op->nforms; k++)
		if (!is_signature(&c->op->form[k]) && types_fit(&c->op->form[k], c->i))
			return;
	ptx_error(c->p, at(c), "Unexpected instruction types specified for '%s'", c->name);
}

/* Marks the forms that match bag and types of the instruction. Without a match, reports the obstacle unless a rule
 * has already reported an error. */
static unsigned matching_forms(struct check *c, const struct ptx_form **match, unsigned max, bool told)
{
	struct ptx_set bag = bag_of(c->i);
	unsigned n = 0;
	const struct ptx_group *missing = NULL;
	unsigned extra = 0, farthest = 0;
	for (unsigned k = 0; k < c->op->nforms; k++) {
		const struct ptx_form *f = &c->op->form[k];
		if (is_signature(f) || !types_fit(f, c->i))
			continue;
		const struct ptx_group *g = missing_group(f, &bag);
		unsigned at_word = extra_word(c, f);
		bool all_known = at_word == c->i->nmods;
		if (g == NULL && all_known && n < max) {
			match[n++] = f;
		} else if (all_known && missing == NULL) {
			missing = g;
		} else if (!all_known && (extra == 0 || at_word > farthest)) {
			extra = c->i->mods[at_word]; /* the form with the longest match is probably meant */
			farthest = at_word;
		}
	}
	if (n || told)
		return n;
	if (missing != NULL)
		missing_word(c, missing);
	else if (extra & 0x4000)
		ptx_error(c->p, c->p->word_at[farthest], "State space incorrect for instruction '%s'", c->name);
	else if (c->i->ntypes)
		ptx_error(c->p, c->p->word_at[farthest],
		          "Modifier '.%s' does not apply to '.%s' type of instruction '%s'",
		          ptx_mod_name((enum ptx_mod)extra), ptx_types[c->i->type[0]].name, c->name);
	else
		ptx_error(c->p, c->p->word_at[farthest], "Illegal modifier '.%s' for instruction '%s'",
		          ptx_mod_name((enum ptx_mod)extra), c->name);
	return 0;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

enum { MOST_MATCHES = 24 };

/* The instruction with its first n words; the others and the types count for nothing. */
static struct ptx_instr first_words(const struct ptx_instr *i, unsigned n)
{
	struct ptx_instr part = *i;
	part.nmods = (uint16_t)n;
	part.ntypes = 0;
	part.nspaces = 0;
	for (unsigned k = 0; k < n; k++)
		part.nspaces += (i->mods[k] & 0xc000) == 0x4000;
	return part;
}

bool ptx_check_words(struct ptx_parser *p, const struct ptx_instr *i)
{
	const struct ptx_op_forms *op = ptx_forms_of(i->op), *any = ptx_forms_of(PTX_OP_foreign);
	const uint32_t errors = p->m->nerrors;
	for (unsigned n = 1; n <= i->nmods && ptx_has_signatures(op); n++) {
		const struct ptx_instr part = first_words(i, n);
		ptx_check_rules(p, &part, any, PHASE_WORD);
		if (p->m->nerrors != errors)
			return false;
	}
	return true;
}

/* Checks the words which no form has; the others stand as none in the list, each word keeps its place. */
static void foreign_words(struct check *c, enum ptx_phase phase)
{
	uint16_t mods[MAX_QUALIFIERS];
	struct ptx_instr part = *c->i;
	for (unsigned n = 0; n < part.nmods; n++) {
		const unsigned q = c->i->mods[n];
		const bool foreign = !(q & 0x8000) && !ptx_set_has(&c->op->allowed, ptx_set_bit(q));
		mods[n] = foreign ? (uint16_t)q : PTX_M_none;
	}
	part.mods = mods;
	ptx_check_rules(c->p, &part, ptx_forms_of(PTX_OP_foreign), phase);
}

/* The words, then types and operands against the signatures. False, with a message: no signature fits. */
static bool signature_fits(struct check *c)
{
	const struct ptx_form *match[MOST_MATCHES];
	unsigned n = 0;
	if (!c->signatures)
		return true;
	for (unsigned k = 0; k < c->op->nforms; k++) {
		const struct ptx_form *f = &c->op->form[k];
		if (is_known_signature(c, f) && types_fit(f, c->i) && n < MOST_MATCHES)
			match[n++] = f;
	}
	const uint32_t errors = c->p->m->nerrors;
	if (!ptx_check_words(c->p, c->i) || !ptx_check_elements(c->p, c->i, c->op))
		return false;
	ptx_check_rules(c->p, c->i, c->op, PHASE_WORD);
	if (c->p->m->nerrors == errors)
		foreign_words(c, PHASE_EARLY);
	if (c->p->m->nerrors == errors)
		ptx_check_rules(c->p, c->i, c->op, PHASE_EARLY);
	if (c->p->m->nerrors != errors)
		return false;
	if (n)
		return (c->signature = ptx_check_signature(c->p, c->i, c->name, match, n)) != NULL;
	ptx_error(c->p, at(c), "Unexpected instruction types specified for '%s'", c->name);
	return false;
}

/* The addresses of an instruction with signatures. */
static void addresses_valid(struct check *c)
{
	for (unsigned n = 0; c->signature != NULL && n < c->i->nops; n++) {
		const struct ptx_operand *o = &c->i->ops[n];
		const enum ptx_role role = (enum ptx_role)c->signature->arg[n].role;
		if (role != ROLE_MEM && role != ROLE_PLACE)
			continue;
		if (o->kind == PTX_O_ADDR)
			ptx_check_address(c->p, c->i, c->name, o, n);
		else if (o->kind == PTX_O_SYMBOL)
			ptx_check_space(c->p, c->i, c->name, o, ptx_space_of(c->i, n));
	}
}

static void version_gate(struct check *c, const struct ptx_form *f)
{
	ptx_gate(c->p, at(c), f->version, f->target, "Instruction '%s'", c->name);
}

void ptx_check_instr(struct ptx_parser *p, struct ptx_instr *i, bool clean)
{
	struct check c = {.p = p, .i = i, .op = ptx_forms_of(i->op)};
	const struct ptx_form *match[MOST_MATCHES], *fits = NULL;
	uint32_t errors = p->m->nerrors;
	char wide[96];
	c.name = ptx_op_name((enum ptx_op)i->op);
	const char *tail = i->half == PTX_M_wide ? ".wide" : "";
	/* of tcgen05.fence::before_thread_sync the part in front of the colons */
	snprintf(wide, sizeof wide, "%.64s%s", c.name, tail);
	wide[strcspn(wide, ":")] = 0;
	c.name = wide;
	c.signatures = ptx_has_signatures(c.op);
	if (clean && !signature_fits(&c))
		return;
	/* independent findings, reported separately */
	if (!c.signatures) {
		ptx_check_rules(p, i, ptx_forms_of(PTX_OP_none), PHASE_RULE);
		words_legal(&c);
	}
	ptx_check_rules(p, i, c.op, PHASE_RULE);
	if (c.signatures) {
		foreign_words(&c, PHASE_RULE);
		ptx_check_rules(p, i, c.op, PHASE_LATE);
		addresses_valid(&c);
		foreign_words(&c, PHASE_LATE);
		if (p->m->nerrors == errors)
			words_legal(&c);
		ptx_check_rules(p, i, ptx_forms_of(PTX_OP_none), PHASE_RULE);
	}
	if (clean)
		types_legal(&c);
	if (!clean || (c.signatures && p->m->nerrors != errors))
		return;
	/* operands are checked beside rules and gates */
	unsigned n = matching_forms(&c, match, sizeof match / sizeof *match, p->m->nerrors != errors);
	if (n == 0)
		return;
	if (i->op == PTX_OP_call && !ptx_check_call(p, i))
		return;
	fits = ptx_check_operands(p, i, c.name, match, n);
	if (fits == NULL || p->m->nerrors != errors)
		return;
	i->form = fits->row;
	version_gate(&c, fits);
	if (p->o->makes_code && p->m->nerrors == errors)
		ptx_check_compiled(p, i, ptx_forms_of(PTX_OP_none));
	if (p->o->makes_code && p->m->nerrors == errors)
		ptx_check_compiled(p, i, c.op);
}
