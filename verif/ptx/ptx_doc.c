// SPDX-License-Identifier: Apache-2.0
/* ptx_doc.c -- writes docs/reference/ptx-support.md from the form tables, or with --rows the forms as tab-separated
 * lines, or with --words a dictionary for a fuzzer. */
#include <stdio.h>
#include <string.h>

#include "../../compiler/ptx/forms.h"

static void version(unsigned v)
{
	if (v > 10)
		printf("%u.%u", v / 10, v % 10);
}

/* `|` separates the columns of a table: in a cell `|` is escaped. */
static void cell(const char *s)
{
	for (; *s; s++)
		fprintf(stdout, *s == '|' ? "\\|" : "%c", *s);
}

static void rows(void)
{
	for (unsigned i = 0; i < ptx_form_count; i++) {
		const struct ptx_form_row *r = &ptx_form_rows[i];
		if (r->signature)
			continue;
		printf("%s\t%s\t%s\t%s\t%u\t%u\n", ptx_op_name(r->op), r->bag, r->types, r->operands, r->version,
		       r->target);
	}
}

static void words(void)
{
	for (unsigned i = 1; i < PTX_OP_COUNT; i++)
		printf("\"%s\"\n", ptx_op_name(i));
	for (unsigned i = 1; i < PTX_TYPE_COUNT; i++)
		printf("\".%s\"\n", ptx_types[i].name);
	for (unsigned i = 1; i < PTX_SPACE_COUNT; i++)
		printf("\".%s\"\n", ptx_space_name(i));
	for (unsigned i = 1; i < PTX_MOD_COUNT; i++)
		printf("\".%s\"\n", ptx_mod_name(i));
	for (unsigned i = 1; i < PTX_SREG_COUNT; i++)
		printf("\"%%%s\"\n", ptx_sreg_name(i));
}

static void document(void)
{
	const char *family = "";
	puts("<!-- Made by `make docs/reference/ptx-support.md` from compiler/ptx/forms_*.def; do not edit. -->\n"
	     "# PTX that is understood\n\n"
	     "Every form that the checker accepts. *Qualifiers* may stand in any order: `a|b` one of them, `?` may be "
	     "missing.\n"
	     "*Operands*: `d` destination register, `s` source register or constant, `r` register, `i` constant, `v` "
	     "value (also an\n"
	     "address or special register), `m` address, `a` address or a register alone, `x` two parts in brackets, "
	     "`l` label, `c` list of a call; a "
	     "digit names the type of the "
	     "instruction\n"
	     "that it has, `w` twice its width, `p` predicate, `:type` that type; `_` may be a sink, `*` a vector, `+` "
	     "a vector of any length, `>` "
	     "the register\n"
	     "may be wider, `|` and `&` may be `d|p`, `~` may be `d|_`, `?` may be missing. *From*: least `.version` "
	     "and `.target`; "
	     "further gates\n"
	     "are in the second table of a family, with the condition that they hold for.");
	for (unsigned i = 0; i < ptx_form_count; i++) {
		const struct ptx_form_row *r = &ptx_form_rows[i];
		if (r->signature)
			continue;
		if (strcmp(family, r->family) != 0) {
			family = r->family;
			printf("\n## %s\n\n| instruction | qualifiers | types | operands | from "
			       "|\n|---|---|---|---|---|\n",
			       family);
		}
		printf("| `%s` | ", ptx_op_name(r->op));
		cell(r->bag);
		printf(" | ");
		cell(r->types);
		printf(" | ");
		cell(r->operands);
		printf(" | ");
		version(r->version);
		if (r->target > 10)
			printf(" sm_%u", r->target);
		puts(" |");
	}
	puts("\n## Gates and refusals\n\n| instruction | when | least | message |\n|---|---|---|---|");
	for (unsigned i = 0; i < ptx_rule_count; i++) {
		const struct ptx_rule_row *r = &ptx_rule_rows[i];
		if (r->phase == PHASE_JUDGED)
			continue;
		printf("| %s | ", r->op ? ptx_op_name(r->op) : "any");
		cell(r->when);
		printf(" | ");
		version(r->version);
		if (r->target > 10)
			printf(" sm_%u", r->target);
		printf(" | ");
		cell(r->text);
		puts(" |");
	}
	puts("\n## Judged, not compiled\n\n`--check-only` judges these; compiling stops with one error that names the "
	     "instruction or the word.\n\n| instruction | when |\n|---|---|");
	for (unsigned i = 0; i < ptx_rule_count; i++) {
		const struct ptx_rule_row *r = &ptx_rule_rows[i];
		if (r->phase != PHASE_JUDGED)
			continue;
		printf("| %s | ", r->op ? ptx_op_name(r->op) : "any");
		cell(r->when);
		puts(" |");
	}
	puts("\n## Recognised and refused\n\nThese names are known and not modelled; each gives one clear message:\n");
	for (unsigned i = 1; i < PTX_OP_COUNT; i++)
		if (ptx_op_unmodelled(i))
			printf("- `%s`\n", ptx_op_name(i));
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--rows") == 0)
		rows();
	else if (argc > 1 && strcmp(argv[1], "--words") == 0)
		words();
	else
		document();
	return 0;
}
