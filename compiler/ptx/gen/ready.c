// SPDX-License-Identifier: Apache-2.0
/* ready.c -- reads the rows of forms_*.def. An unreadable row is a mistake in the table: an assert stops the build. */
#include <assert.h>
#include <string.h>

#include "ready.h"

static bool is_one_of(char c, const char *chars)
{
	while (*chars && *chars != c)
		chars++;
	return *chars;
}

/* The next word of *at, up to a space or a character of `stops`. Returns the length, or 0 at the end. */
static size_t word(const char **at, const char *stops)
{
	const char *s = *at;
	size_t n = 0;
	while (s[n] && s[n] != ' ' && !is_one_of(s[n], stops))
		n++;
	return n;
}

static unsigned qualifier(const char *s, size_t n)
{
	unsigned q = find_word(PTX_WORD_QUALIFIER, s, n);
	assert(q != 0 && "a form names a word that mods.def, types.def and spaces.def lack");
	return q;
}

/* `a|b|c?` */
static void ready_group(struct ptx_form *f, struct ptx_group *g, const char **at)
{
	for (;;) {
		size_t n = word(at, "|?");
		unsigned bit = ptx_set_bit(qualifier(*at, n));
		ptx_set_add(&g->words, bit);
		ptx_set_add(&f->allowed, bit);
		*at += n;
		if (**at != '|')
			break;
		++*at;
	}
	g->optional = **at == '?';
	*at += g->optional;
}

static uint64_t type_bits(const char **at)
{
	uint64_t bits = 0;
	for (;;) {
		size_t n = word(at, "|");
		unsigned q = qualifier(*at, n);
		assert(q & 0x8000);
		bits |= UINT64_C(1) << (q & 0xff);
		*at += n;
		if (**at != '|')
			return bits;
		++*at;
	}
}

static void ready_arg(struct ptx_arg *a, const char **at)
{
	static const char roles[] = "dsrivmlcxa";
	const char *role = strchr(roles, **at);
	assert(role != NULL && **at);
	a->role = (uint8_t)(role - roles);
	++*at;
	if (**at >= '0' && **at <= '3') {
		a->from = (uint8_t)(*(*at)++ - '0');
	} else if (**at == 'w') {
		a->from = TYPE_WIDE;
		++*at;
	} else if (**at == 'h') {
		a->from = TYPE_HALF;
		++*at;
	} else if (**at == 'p') {
		a->from = TYPE_FIXED;
		a->type = PTX_T_pred;
		++*at;
	} else if (**at == ':') {
		++*at;
		size_t n = word(at, "_*>|?!&~+");
		a->from = TYPE_FIXED;
		a->type = (uint8_t)(qualifier(*at, n) & 0xff);
		*at += n;
	}
	static const char flags[] = "_*>|?!&~+";
	for (const char *flag; **at && (flag = strchr(flags, **at)) != NULL; ++*at)
		a->flags |= (uint16_t)(1 << (flag - flags));
}

void ready_form(struct ptx_form *f, struct ptx_group group[MAX_GROUPS], const struct ptx_form_row *row)
{
	f->row = (uint32_t)(row - ptx_form_rows);
	f->version = row->version;
	f->target = row->target;
	for (const char *s = row->bag; *s;)
		if (*s == ' ') {
			s++;
		} else {
			assert(f->ngroups < MAX_GROUPS);
			ready_group(f, &group[f->ngroups++], &s);
		}
	for (const char *s = row->types; *s;)
		if (*s == ' ') {
			s++;
		} else {
			assert(f->ntypes < 4);
			f->types[f->ntypes++] = type_bits(&s);
		}
	for (const char *s = row->operands; *s;)
		if (*s == ' ') {
			s++;
		} else {
			assert(f->nargs < MAX_ARGS);
			ready_arg(&f->arg[f->nargs++], &s);
			if (!(f->arg[f->nargs - 1].flags & ARG_OPTIONAL))
				f->min_args = f->nargs;
		}
}

/* ---- conditions ------------------------------------------------------------------------------------------- */

static const char *const arg_kinds[] = {"none", "reg",  "imm",  "float", "sym",  "addr",  "label",
                                        "sreg", "vec",  "pair", "sink",  "list", "table", "parts",
                                        "pred", "base", "real", "both",  "half"};
static const char *const has_kinds[] = {"order", "scope", "space", "op",    "vec",
                                        "type",  "cmp",   "round", "cache", "mode"};

static unsigned index_of(const char *const *names, size_t count, const char *s, size_t n)
{
	for (unsigned i = 0; i < count; i++)
		if (strlen(names[i]) == n && memcmp(names[i], s, n) == 0)
			return i;
	assert(!"unknown word in a condition");
	return 0;
}

static bool prefix(const char **at, const char *text)
{
	size_t n = strlen(text);
	if (strncmp(*at, text, n) != 0)
		return false;
	*at += n;
	return true;
}

static unsigned number(const char **at)
{
	unsigned n = 0;
	while (**at >= '0' && **at <= '9')
		n = n * 10 + (unsigned)(*(*at)++ - '0');
	return n;
}

static void ready_numbers(struct ptx_term *t, const char **at)
{
	for (;;) {
		unsigned n = number(at), last = prefix(at, "..") ? number(at) : n;
		for (; n <= last; n++)
			t->bits |= UINT64_C(1) << n;
		if (**at != '|')
			return;
		++*at;
	}
}

static void ready_names(struct ptx_term *t, const char **at, const char *const *names, size_t count)
{
	for (;;) {
		size_t n = word(at, "|");
		t->bits |= UINT64_C(1) << index_of(names, count, *at, n);
		*at += n;
		if (**at != '|')
			return;
		++*at;
	}
}

/* Terms about an operand: a name, the number of the operand, and for some terms `=` with values. */
static const struct operand_term {
	const char *name;
	uint8_t kind;
	bool low;
} operand_terms[] = {
        {"val", TERM_VALUE, false},     {"lowval", TERM_VALUE, true},  {"oct", TERM_OCTETS, false},
        {"pos", TERM_POSITIVE, false},  {"is", TERM_EQUAL, false},     {"lowis", TERM_EQUAL, true},
        {"log", TERM_POWER, true},      {"top", TERM_MOST, true},      {"size", TERM_MOST, false},
        {"frac", TERM_FRACTION, false}, {"mul", TERM_MULTIPLE, false}, {"up", TERM_ORDERED, true},
        {"arg", TERM_ARG, false},       {"len", TERM_LENGTH, false},
};

/* The term's row, or NULL. */
static const struct operand_term *of_operand(const char *s)
{
	for (size_t k = 0; k < sizeof operand_terms / sizeof *operand_terms; k++) {
		size_t n = strlen(operand_terms[k].name);
		if (strncmp(s, operand_terms[k].name, n) == 0 && s[n] >= '0' && s[n] <= '9')
			return &operand_terms[k];
	}
	return NULL;
}

static void ready_operand_term(struct ptx_term *t, const char **at)
{
	const struct operand_term *row = of_operand(*at);
	*at += strlen(row->name);
	t->kind = row->kind;
	t->low = row->low;
	t->index = (uint8_t)(*(*at)++ - '0');
	bool values = t->kind != TERM_POSITIVE && t->kind != TERM_FRACTION && t->kind != TERM_ORDERED;
	bool equals = prefix(at, "=");
	assert(equals == values && "a term about an operand has values or has none");
	if (t->kind == TERM_ARG)
		ready_names(t, at, arg_kinds, sizeof arg_kinds / sizeof *arg_kinds);
	else if (t->kind == TERM_VALUE || t->kind == TERM_OCTETS || t->kind == TERM_POWER)
		ready_numbers(t, at);
	else if (values)
		t->bits = number(at);
}

/* A term made of words of the bag alone, like most terms: no `=`, and no operand (`pos2`). */
static bool is_words(const char *s)
{
	if (of_operand(s))
		return false;
	while (*s && *s != ' ' && *s != '=')
		s++;
	return *s != '=';
}

/* The next word of the condition. */
static unsigned one_word(const char **at, const char *end)
{
	const size_t n = word(at, end);
	const unsigned q = qualifier(*at, n);
	*at += n;
	return q;
}

static void ready_words(struct ptx_term *t, const char **at, enum ptx_term_kind kind)
{
	t->kind = (uint8_t)kind;
	do
		ptx_set_add(&t->set, ptx_set_bit(one_word(at, "|")));
	while (prefix(at, "|"));
}

static void ready_term(struct ptx_term *t, const char **at)
{
	if (**at == '!') {
		t->not_ = true;
		++*at;
	}
	if (is_words(*at) || prefix(at, "op=")) {
		ready_words(t, at, TERM_WORD);
	} else if (prefix(at, "many=")) {
		ready_words(t, at, TERM_MANY);
	} else if (prefix(at, "swapped=")) {
		t->kind = TERM_SWAPPED;
		t->bits = one_word(at, "|");
		++*at;
		t->bits |= (uint64_t)one_word(at, "|") << 16;
	} else if (prefix(at, "again=")) {
		ready_words(t, at, TERM_AGAIN);
	} else if (prefix(at, "type=") || prefix(at, "type1=")) {
		t->kind = TERM_TYPE;
		t->index = (*at)[-2] == '1';
		t->bits = type_bits(at);
	} else if (prefix(at, "space=") || prefix(at, "space1=")) {
		t->kind = TERM_SPACE;
		t->index = (*at)[-2] == '1';
		for (;;) {
			size_t n = word(at, "|");
			if (n == 7 && memcmp(*at, "generic", 7) == 0)
				t->bits |= 1;
			else
				t->bits |= UINT64_C(1) << (qualifier(*at, n) & 0xff);
			*at += n;
			if (**at != '|')
				break;
			++*at;
		}
	} else if (prefix(at, "args=")) {
		t->kind = TERM_ARGS;
		ready_numbers(t, at);
	} else if (prefix(at, "types=")) {
		t->kind = TERM_TYPES;
		ready_numbers(t, at);
	} else if (prefix(at, "spaces=")) {
		t->kind = TERM_SPACES;
		ready_numbers(t, at);
	} else if (prefix(at, "version=")) {
		t->kind = TERM_VERSION;
		t->bits = number(at);
	} else if (prefix(at, "target=")) {
		t->kind = TERM_TARGET;
		t->bits = number(at);
	} else if (prefix(at, "toolkit=")) {
		t->kind = TERM_TOOLKIT;
		t->bits = number(at);
	} else if (prefix(at, "chip=")) {
		t->kind = TERM_CHIP;
		do
			ptx_set_add(&t->set, number(at));
		while (prefix(at, "|"));
	} else if (prefix(at, "suffix=")) {
		t->kind = TERM_SUFFIX;
		do
			t->bits |= UINT64_C(1) << (*(*at)++ - 'a');
		while (prefix(at, "|"));
	} else if (prefix(at, "twice=")) {
		t->kind = TERM_TWICE;
		t->bits = one_word(at, "");
	} else if (prefix(at, "has=")) {
		t->kind = TERM_HAS;
		ready_names(t, at, has_kinds, sizeof has_kinds / sizeof *has_kinds);
	} else if (of_operand(*at)) {
		ready_operand_term(t, at);
	} else {
		assert(!"unknown term in a condition");
	}
}

static void ready_needs(struct ptx_rule *r, const struct ptx_term *t)
{
	if (t->not_)
		return;
	if (t->kind == TERM_TYPE && t->index == 0 && !r->types)
		r->types = t->bits;
	if ((t->kind == TERM_WORD || t->kind == TERM_MANY || t->kind == TERM_AGAIN) && !r->words)
		for (unsigned bit = 0; bit < 64 * PTX_SET_WORDS; bit++)
			r->words |= ptx_set_has(&t->set, bit) ? ptx_word_mark(bit) : 0;
}

void ready_rule(struct ptx_rule *r, struct ptx_term term[MAX_TERMS], const struct ptx_rule_row *row)
{
	r->row = row;
	r->version = row->version;
	r->target = row->target;
	for (const char *s = row->when; *s;)
		if (*s == ' ') {
			s++;
		} else {
			assert(r->nterms < MAX_TERMS);
			ready_term(&term[r->nterms], &s);
			ready_needs(r, &term[r->nterms++]);
		}
}
