/* SPDX-License-Identifier: Apache-2.0
 *
 * ocg.h -- intrinsics called by name in PTX, `__nv_ptx_builtin_ocg_...`: from a name and its operands to the verdict of
 * the assembler. docs/sync-layer.md describes the names and the order of the checks. */
#ifndef WLCC_OCG_H
#define WLCC_OCG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OCG_PREFIX   "__nv_ptx_builtin_ocg_"
#define OCG_REGISTER "%__ocg_" /* prefix of register names in the code of an intrinsic */

struct ocg_edits;
struct ptx_module;
struct wlcc_options;

/* Classes of declared types, as far as the checks need: b32 is U32, b64 is U64. SMALL: u8 s8 u16 s16 and predicates. */
enum ocg_type {
	OCG_NONE,
	OCG_U32,
	OCG_U64,
	OCG_S32,
	OCG_S64,
	OCG_F32,
	OCG_F64,
	OCG_B8,
	OCG_B16,
	OCG_B128,
	OCG_SMALL,
	OCG_OTHER
};

enum { OCG_MAX_WORDS = 32, OCG_MAX_WORD = 16, OCG_MAX_OPERANDS = 32, OCG_MAX_TEXT = 1024 };

struct ocg_operand {
	enum ocg_type type;
	bool constant; /* the operand is a number */
};

struct ocg_base;
struct ocg_code;

/* A call, as far as known. */
struct ocg_call {
	const char *name; /* whole, with the prefix */
	unsigned chip;    /* 90 of sm_90 */
	const struct ocg_base *base;
	unsigned nwords, noperands;
	unsigned nresults; /* number of results: the first operands */
	char words[OCG_MAX_WORDS][OCG_MAX_WORD];
	struct ocg_operand operands[OCG_MAX_OPERANDS];
	bool small_param, small_return;
	/* the verdict */
	char error[OCG_MAX_TEXT]; /* empty: accepted */
	char warning[OCG_MAX_TEXT];
	const char *phase; /* of the error */
};

struct ocg_base {
	const char *name;
	void (*judge)(struct ocg_call *c);
	void (*code)(const struct ocg_call *c, struct ocg_code *t);
	unsigned since; /* the first chip with code */
	const char *words;
	const char *does;
};

/* Fills base, words and the verdict. Operands are already present: a declared result, then the parameters. */
void ocg_judge(struct ocg_call *c);
/* The name reader of ocg_judge. False: the name is refused. */
bool ocg_read_name(struct ocg_call *c);

/* An error of the chain: `code` 0 = none in the text. */
void ocg_refuse(struct ocg_call *c, unsigned code, const char *phase, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
bool ocg_has(const struct ocg_call *c, const char *word);

/* The modifier word of the document, filled by the measured meanings. False: the base has no modifier word. */
bool ocg_modifiers(const struct ocg_call *c, unsigned *word);
const char *ocg_document_meaning(const char *word, int *number);
const char *ocg_word_class(const char *word);

#define OCG_BASE(text, judge, code, since, words, does) void ocg_judge_##judge(struct ocg_call *c);
#include "bases.def"

/* Checks each call of a function without a body. False: an error was reported. code: NULL, or receives the PTX of the
 * intrinsics. */
bool ocg_calls_fit(const struct ptx_module *m, const struct wlcc_options *o, struct ocg_edits *code);

#endif
