// SPDX-License-Identifier: Apache-2.0
/* tables.c -- a program of the build: prints the words of PTX as a hash table, and the rows of forms_*.def in the
 * form used by checks. The compiler starts with both tables ready. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ready.h"

static struct ptx_word slot[PTX_WORDS_SIZE];
static unsigned nwords;

static void add(enum ptx_word_kind kind, const char *name, unsigned value)
{
	const size_t len = strlen(name);
	unsigned i = ptx_word_hash(kind, name, len);
	assert(2 * ++nwords <= PTX_WORDS_SIZE);
	while (slot[i].name)
		i = (i + 1) & (PTX_WORDS_SIZE - 1);
	slot[i] = (struct ptx_word){name, (uint8_t)kind, (uint8_t)len, (uint16_t)value};
}

unsigned find_word(enum ptx_word_kind kind, const char *s, size_t n)
{
	return ptx_words_in(slot, kind, s, n);
}

static void make_words(void)
{
	for (unsigned i = 1; i < PTX_OP_COUNT; i++)
		add(PTX_WORD_OP, ptx_op_name((enum ptx_op)i), i);
	for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
		add(PTX_WORD_QUALIFIER, ptx_types[i].name, PTX_Q_TYPE(i));
	for (unsigned i = 1; i < PTX_SPACE_COUNT; i++)
		if (i != PTX_SP_reg && i != PTX_SP_sreg) /* never on an instruction */
			add(PTX_WORD_QUALIFIER, ptx_space_name((enum ptx_space)i), PTX_Q_SPACE(i));
	for (unsigned i = 1; i < PTX_MOD_COUNT; i++)
		add(PTX_WORD_QUALIFIER, ptx_mod_name((enum ptx_mod)i), PTX_Q_MOD(i));
	for (unsigned i = 1; i < PTX_SREG_COUNT; i++)
		add(PTX_WORD_SREG, ptx_sreg_name((enum ptx_sreg)i), i);
}

static void print_words(void)
{
	puts("static const struct ptx_word word_slots[PTX_WORDS_SIZE] = {");
	for (unsigned i = 0; i < PTX_WORDS_SIZE; i++)
		if (slot[i].name)
			printf("[%u] = {\"%s\", %u, %u, %u},\n", i, slot[i].name, slot[i].kind, slot[i].len,
			       slot[i].value);
	puts("};");
}

static void print_set(const struct ptx_set *s)
{
	for (unsigned k = 0; k < PTX_SET_WORDS; k++)
		printf("%s0x%" PRIx64, k ? ", " : "{{", s->w[k]);
	printf("}}");
}

enum { MOST_FORMS = 4096 };
static struct ptx_form form[MOST_FORMS];
static struct ptx_group group[MOST_FORMS][MAX_GROUPS];
static struct ptx_rule rule[MOST_FORMS];
static struct ptx_term term[MOST_FORMS][MAX_TERMS];

/* Prints form i, with its groups from index `groups` on. */
static void print_form(const struct ptx_form *f, unsigned groups)
{
	printf("{%u, %u, %u, %u, %u, %u, %u, {", f->row, f->version, f->target, f->ntypes, f->nargs, f->min_args,
	       f->ngroups);
	for (unsigned k = 0; k < 4; k++)
		printf("0x%" PRIx64 ", ", f->types[k]);
	printf("}, form_groups + %u, {", groups);
	for (unsigned k = 0; k < MAX_ARGS; k++)
		printf("{%u, %u, %u, %u}, ", f->arg[k].role, f->arg[k].from, f->arg[k].type, f->arg[k].flags);
	printf("}, ");
	print_set(&f->allowed);
	puts("},");
}

/* Prints the rows of each operation in order. */
static void print_forms(void)
{
	unsigned groups = 0, terms = 0, forms = 0, rules = 0;
	assert(ptx_form_count <= MOST_FORMS && ptx_rule_count <= MOST_FORMS);
	puts("static const struct ptx_group form_groups[] = {");
	for (unsigned i = 0; i < ptx_form_count; i++) {
		ready_form(&form[i], group[i], &ptx_form_rows[i]);
		for (unsigned k = 0; k < form[i].ngroups; k++) {
			printf("{");
			print_set(&group[i][k].words);
			printf(", %d},\n", group[i][k].optional);
		}
	}
	puts("};\nstatic const struct ptx_term rule_terms[] = {");
	for (unsigned i = 0; i < ptx_rule_count; i++) {
		ready_rule(&rule[i], term[i], &ptx_rule_rows[i]);
		for (unsigned k = 0; k < rule[i].nterms; k++) {
			const struct ptx_term *t = &term[i][k];
			printf("{%u, %u, %d, %d, {.set = ", t->kind, t->index, t->not_, t->low);
			print_set(&t->set); /* `bits` is the first word of the set */
			puts("}},");
		}
	}
	puts("};\nstatic const struct ptx_form forms[] = {");
	static unsigned form_groups[MOST_FORMS], rule_terms[MOST_FORMS];
	for (unsigned i = 0; i < ptx_form_count; groups += form[i++].ngroups)
		form_groups[i] = groups;
	for (unsigned i = 0; i < ptx_rule_count; terms += rule[i++].nterms)
		rule_terms[i] = terms;
	for (unsigned op = 0; op < PTX_OP_COUNT; op++)
		for (unsigned i = 0; i < ptx_form_count; i++)
			if (ptx_form_rows[i].op == op)
				print_form(&form[i], form_groups[i]);
	puts("};\nstatic const struct ptx_rule rules[] = {");
	for (unsigned op = 0; op < PTX_OP_COUNT; op++)
		for (unsigned i = 0; i < ptx_rule_count; i++)
			if (ptx_rule_rows[i].op == op)
				printf("{ptx_rule_rows + %u, %u, %u, %u, 0x%" PRIx64 ", 0x%" PRIx64
				       ", rule_terms + %u},\n",
				       i, rule[i].version, rule[i].target, rule[i].nterms, rule[i].types, rule[i].words,
				       rule_terms[i]);
	puts("};\nstatic const struct ptx_op_forms forms_of[PTX_OP_COUNT] = {");
	for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
		struct ptx_set allowed = {{0}};
		unsigned nforms = 0, nrules = 0;
		for (unsigned i = 0; i < ptx_form_count; i++)
			for (unsigned k = 0; ptx_form_rows[i].op == op && k < PTX_SET_WORDS; k++) {
				nforms += k == 0;
				allowed.w[k] |= form[i].allowed.w[k];
			}
		for (unsigned i = 0; i < ptx_rule_count; i++)
			nrules += ptx_rule_rows[i].op == op;
		printf("{%u, %u, forms + %u, rules + %u, ", nforms, nrules, forms, rules);
		print_set(&allowed);
		puts("},");
		forms += nforms;
		rules += nrules;
	}
	puts("};");
}

int main(int argc, char **argv)
{
	make_words();
	if (argc == 2 && !strcmp(argv[1], "words"))
		print_words();
	else
		print_forms();
	return 0;
}
