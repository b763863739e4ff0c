// SPDX-License-Identifier: Apache-2.0
/* explain.c -- `wlcc --explain-ocg NAME`: words, modifier word, verdict, instruction. */
#include <string.h>

#include "code.h"
#include "internal_names.h"
#include "wlcc.h"

enum { Columns = 10 };

static void print_words(const struct ocg_call *c, FILE *to)
{
	if (c->nwords)
		fputs("words (measured class; number and meaning in the document):\n", to);
	for (unsigned i = 0; i < c->nwords; i++) {
		int number = -1;
		const char *meaning = c->base->words ? NULL : ocg_document_meaning(c->words[i], &number);
		fprintf(to, "  %-*s", Columns, c->words[i]);
		if (meaning)
			fprintf(to, "%-14s", ocg_word_class(c->words[i]));
		else
			fprintf(to, "position %u", i);
		if (meaning && number >= 0)
			fprintf(to, "token %d: %s", number, meaning[0] ? meaning : "the same");
		else if (meaning)
			fputs("not in the document", to);
		fputc('\n', to);
	}
}

/* The fields of the document's modifier word. */
static void print_modifiers(const struct ocg_call *c, FILE *to)
{
	static const struct {
		const char *name;
		unsigned high, low;
	} fields[] = {{"marker", 31, 28},         {"type: 0 u32, 1 s32, 2 64 bits", 14, 13},
	              {"operation", 12, 10},      {"mmio", 8, 8},
	              {"order: 4 release", 7, 5}, {"scope: 5 gpu, 6 sys", 4, 2},
	              {"data of type u32", 1, 1}, {"address of 32 bits", 0, 0}};
	unsigned word;
	if (!ocg_modifiers(c, &word))
		return;
	fprintf(to, "modifier word of the document, by the measured meanings: 0x%08x\n", word);
	for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
		const unsigned width = fields[i].high - fields[i].low + 1;
		fprintf(to, "  bits %2u:%-2u = %-3u %s\n", fields[i].high, fields[i].low,
		        word >> fields[i].low & ((1u << width) - 1), fields[i].name);
	}
}

/* ---- operands accepted by the name ----------------------------------------------------------------------------- */

/* Checks the name with `n` operands: wide operands in the bits of `wide`, the last `ndata` operands of type `data`. */
static bool tries(struct ocg_call *c, unsigned n, unsigned wide, enum ocg_type data, unsigned ndata)
{
	const char *name = c->name;
	const unsigned chip = c->chip;
	*c = (struct ocg_call){.name = name, .chip = chip, .noperands = n};
	for (unsigned i = 0; i < n; i++) {
		c->operands[i].type = i + ndata >= n ? data : wide >> i & 1 ? OCG_U64 : OCG_U32;
		c->operands[i].constant = i == 1;
	}
	ocg_judge(c);
	return !c->error[0];
}

/* Looks for operands accepted by the name. Without any, c holds the verdict on the last operands tried. */
static bool find_operands(struct ocg_call *c)
{
	static const enum ocg_type types[] = {OCG_U32, OCG_S32, OCG_U64};
	for (unsigned n = 0; n <= 6; n++)
		for (unsigned wide = 0; wide < 2; wide++)
			for (unsigned t = 0; t < 3; t++)
				for (unsigned ndata = 0; ndata <= n && ndata <= 4; ndata++)
					if (tries(c, n, wide, types[t], ndata))
						return true;
	return false;
}

/* The verdict of a name refused with any operands: the error that remains with the right number of operands. */
static void find_verdict(struct ocg_call *c)
{
	for (unsigned n = 0; n <= 6; n++)
		if (!tries(c, n, 1, OCG_U32, n ? n - 1 : 0) && c->phase && strncmp(c->phase, "2 ", 2) != 0 &&
		    strcmp(c->phase, "operands") != 0)
			return;
}

static void print_operands(const struct ocg_call *c, FILE *to)
{
	static const char *const names[] = {[OCG_U32] = "u32", [OCG_U64] = "u64", [OCG_S32] = "s32"};
	fputs("operands that fit:", to);
	for (unsigned i = 0; i < c->noperands; i++)
		fprintf(to, "%s %s", i ? "," : "", names[c->operands[i].type]);
	fputs(c->noperands ? "\n" : " none\n", to);
}

/* ---- the instruction ---------------------------------------------------------------------------------------- */

/* red_async of shared memory: REDAS, with the operation and the type. */
static void print_redas(const struct ocg_call *c, FILE *to)
{
	static const char *const names[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"};
	static const char *const types[] = {"", ".S32", ".64", ""};
	unsigned word = 0;
	ocg_modifiers(c, &word);
	fprintf(to, "instruction: sm_90 and later: REDAS.%s%s [Ra.64], Rd\n", names[word >> 10 & 7],
	        types[word >> 13 & 3]);
}

/* PTX of the call, with $0, $1, .. as operands. A base with a result is tried with one. */
static void print_code(const struct ocg_call *c, FILE *to)
{
	struct ocg_call with = *c;
	struct ocg_code t = {.guard = ""};
	for (with.nresults = 0; with.nresults < 2; with.nresults++) {
		t = (struct ocg_code){.guard = ""};
		if (ocg_code(&with, &t))
			break;
	}
	if (t.missing[0]) {
		fprintf(to, "no code: %s\n", t.missing);
		return;
	}
	fputs("PTX in its place:", to);
	for (const char *at = t.text; *at; at++)
		if (strncmp(at, OCG_REGISTER, sizeof OCG_REGISTER - 1) == 0) {
			at += sizeof OCG_REGISTER - 2;
			fputc('$', to);
		} else {
			if (at == t.text)
				fputc(' ', to);
			fputc(*at, to);
		}
	fputc('\n', to);
}

static void print_instruction(const struct ocg_call *c, FILE *to)
{
	const bool red = strcmp(c->base->name, "red_async") == 0;
	bool shared = false;
	for (unsigned i = 0; i < c->nwords; i++)
		shared = strcmp(c->words[i], "shared") == 0 || (shared && strcmp(c->words[i], "global") != 0);
	if (red && shared) {
		print_redas(c, to);
	} else if (red) {
		fputs("instruction: sm_100: UREDGR; sm_120: REDG, with release or mmio only; sm_90: none, the "
		      "operation is "
		      "lost\n",
		      to);
	} else {
		fprintf(to, "stands for: %s\n", c->base->does);
	}
	print_code(c, to);
}

bool wlcc_explain_ocg(const char *name, unsigned chip, FILE *to)
{
	char whole[OCG_MAX_TEXT];
	struct ocg_call c = {.name = whole, .chip = chip};
	if (internal_is_name(name))
		return internal_explain(name, chip, to);
	const bool prefixed = strncmp(name, OCG_PREFIX, sizeof OCG_PREFIX - 1) == 0;
	snprintf(whole, sizeof whole, "%s%.900s", prefixed ? "" : OCG_PREFIX, name);
	const bool known = ocg_read_name(&c);
	const bool fits = known && find_operands(&c);
	if (known && !fits)
		find_verdict(&c);
	fprintf(to, "%s\n", whole);
	if (c.base)
		fprintf(to, "base %s: %s\n", c.base->name, c.base->does);
	print_words(&c, to);
	if (known)
		print_modifiers(&c, to);
	if (c.warning[0])
		fprintf(to, "warning: %s\n", c.warning);
	if (fits) {
		print_operands(&c, to);
		print_instruction(&c, to);
	} else {
		fprintf(to, "refused in phase '%s': %s\n", c.phase, c.error);
	}
	return fits;
}
