// SPDX-License-Identifier: Apache-2.0
/* lex.h -- PTX text to tokens, one at a time. The lexer never allocates and never fails: text that is no token comes
 * back as TOK_BAD with the reason. */
#ifndef WLCC_PTX_LEX_H
#define WLCC_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
	TOK_END,    /* of the text; a NUL byte is not the end but TOK_BAD */
	TOK_IDENT,  /* name, $name, %name, _name */
	TOK_SINK,   /* _ */
	TOK_DOT,    /* .word, .word::word, .2d; text starts after the dot */
	TOK_INT,    /* value; is_unsigned with U or above INT64_MAX */
	TOK_FLOAT,  /* f64; 0f and 0d forms and decimals */
	TOK_STRING, /* text without the quotes */
	TOK_BAD,    /* why tells */
	/* two-character operators; all others are their own character, below 256 */
	TOK_SHL,
	TOK_SHR,
	TOK_EQ,
	TOK_NE,
	TOK_LE,
	TOK_GE,
	TOK_ANDAND,
	TOK_OROR,
	TOK_PUNCT /* see `ch` */
};

struct ptx_token {
	enum ptx_token_kind kind;
	char ch;            /* of TOK_PUNCT */
	bool is_unsigned;   /* of TOK_INT */
	bool is_f32;        /* of TOK_FLOAT: 0f form */
	bool is_exact;      /* of TOK_FLOAT: 0f or 0d form */
	bool first_on_line; /* nothing but white space before it */
	const char *text;
	size_t len;
	uint32_t line, col;
	uint32_t f32_bits;
	union {
		uint64_t value;
		double f64;
		const char *why;
	};
};

struct ptx_lexer {
	const char *at, *end, *line_start;
	uint32_t line;
	bool fresh_line;
};

void ptx_lex_init(struct ptx_lexer *l, const char *text, size_t size);
void ptx_lex_next(struct ptx_lexer *l, struct ptx_token *t);
/* Moves to the end of the current line. */
void ptx_lex_skip_line(struct ptx_lexer *l);

#endif
