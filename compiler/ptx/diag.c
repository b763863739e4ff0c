// SPDX-License-Identifier: Apache-2.0
/* diag.c -- the one place where messages are made. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

enum { MaxMessage = 1024 };

/* Bytes that a terminal should not get are shown as \xNN. */
static void report(struct ptx_parser *p, enum wlcc_severity sev, struct ptx_pos at, const char *fmt, va_list ap)
{
	char raw[MaxMessage], text[4 * MaxMessage + 1];
	size_t n = 0;
	vsnprintf(raw, sizeof raw, fmt, ap);
	for (const char *s = raw; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c >= 32 && c != 127)
			text[n++] = *s;
		else
			n += (size_t)snprintf(text + n, 5, "\\x%02x", c);
	}
	text[n] = 0;
	if (p->o->diag != NULL)
		p->o->diag(p->o->diag_self, sev, p->o->file, at.line, text);
}

void ptx_error(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	p->m->nerrors++;
	report(p, WLCC_ERROR, at, fmt, ap);
	va_end(ap);
}

void ptx_warn(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report(p, WLCC_WARNING, at, fmt, ap);
	va_end(ap);
}

bool ptx_syntax_error(struct ptx_parser *p)
{
	const struct ptx_token *t = &p->tok;
	size_t len = t->len > 100 ? 100 : t->len;
	const char *text = t->text;
	const char *quote = t->kind == TOK_STRING ? "\"" : t->kind == TOK_DOT ? "." : "";
	const char *end = t->kind == TOK_STRING ? "\"" : "";
	struct ptx_pos at = ptx_here(p);
	if (t->kind == TOK_BAD && t->why != NULL)
		ptx_error(p, at, "Parsing error near '%.*s': syntax error: %s", (int)len, text, t->why);
	else if (t->kind == TOK_END)
		ptx_error(p, at, "Parsing error near '': syntax error: the text ends too early");
	else
		ptx_error(p, at, "Parsing error near '%s%.*s%s': syntax error", quote, (int)len, text, end);
	if (++p->syntax_errors == MaxSyntaxErrors)
		ptx_error(p, at, "more than %d syntax errors; the rest of the file is not read", MaxSyntaxErrors - 1);
	return false;
}
