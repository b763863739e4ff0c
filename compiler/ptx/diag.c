// SPDX-License-Identifier: Apache-2.0
/* diag.c -- the only file that makes messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parse.h"

enum { MAX_MESSAGE = 1024 };

/* Shows bytes unfit for a terminal as \xNN. */
static void printable(char *to, const char *raw)
{
	size_t n = 0;
	for (const char *s = raw; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c >= 32 && c != 127)
			to[n++] = *s;
		else
			n += (size_t)snprintf(to + n, 5, "\\x%02x", c);
	}
	to[n] = 0;
}

static const char *kept(struct ptx_parser *p, const char *text)
{
	return text == NULL ? NULL : arena_strndup(p->arena, text, strlen(text));
}

static void hold(struct ptx_parser *p, const struct wlcc_message *m)
{
	struct wlcc_message *slot = ptx_push(p, &p->held, &p->nheld, &p->cap_held, sizeof *slot);
	*slot = *m;
	slot->text = kept(p, m->text);
	slot->found = kept(p, m->found);
	slot->expected = kept(p, m->expected);
	slot->hint = kept(p, m->hint);
}

static void report(struct ptx_parser *p, enum wlcc_severity sev, struct ptx_pos at, const struct ptx_about *about,
                   const char *fmt, va_list ap)
{
	char raw[MAX_MESSAGE], text[4 * MAX_MESSAGE + 1], found[4 * MAX_ABOUT + 1], hint[96] = "";
	if (sev == WLCC_ERROR)
		p->m->nerrors++;
	if (p->o->diag == NULL)
		return;
	vsnprintf(raw, sizeof raw, fmt, ap);
	printable(text, raw);
	struct wlcc_message m = {.severity = sev, .file = p->o->file, .line = at.line, .column = at.col, .text = text};
	if (about != NULL && about->found[0]) {
		printable(found, about->found);
		m.found = found;
	}
	if (about != NULL && about->expected[0])
		m.expected = about->expected;
	if (about != NULL && about->version)
		snprintf(hint, sizeof hint, "needs .version %u.%u or newer", about->version / 10, about->version % 10);
	else if (about != NULL && about->target)
		snprintf(hint, sizeof hint, "needs .target sm_%u or newer", about->target);
	if (hint[0])
		m.hint = hint;
	if (p->holding)
		hold(p, &m);
	else
		p->o->diag(p->o->diag_self, &m);
}

void ptx_hold(struct ptx_parser *p)
{
	p->holding = true;
	p->nheld = 0;
}

void ptx_release(struct ptx_parser *p)
{
	p->holding = false;
	for (uint32_t n = 0; n < p->nheld; n++)
		p->o->diag(p->o->diag_self, &p->held[n]);
	p->nheld = 0;
}

/* A syntax error stands alone: the rest of the instruction is unread. */
static void drop_held(struct ptx_parser *p)
{
	for (uint32_t n = 0; n < p->nheld; n++)
		p->m->nerrors -= p->held[n].severity == WLCC_ERROR;
	p->holding = false;
	p->nheld = 0;
}

void ptx_error(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report(p, WLCC_ERROR, at, NULL, fmt, ap);
	va_end(ap);
}

void ptx_error_about(struct ptx_parser *p, struct ptx_pos at, const struct ptx_about *about, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report(p, WLCC_ERROR, at, about, fmt, ap);
	va_end(ap);
}

void ptx_gate(struct ptx_parser *p, struct ptx_pos at, unsigned version, unsigned target, const char *fmt, ...)
{
	char what[MAX_MESSAGE];
	va_list ap;
	if (p->m->version >= version && p->m->target >= target)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	if (p->m->version < version)
		ptx_error_about(p, at, &(struct ptx_about){.version = version},
		                "%s requires PTX ISA .version %u.%u or later", what, version / 10, version % 10);
	if (p->m->target < target)
		ptx_error_about(p, at, &(struct ptx_about){.target = target}, "%s requires .target sm_%u or higher",
		                what, target);
}

void ptx_warn(struct ptx_parser *p, struct ptx_pos at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	report(p, WLCC_WARNING, at, NULL, fmt, ap);
	va_end(ap);
}

bool ptx_syntax_error(struct ptx_parser *p)
{
	return ptx_syntax_expected(p, "");
}

bool ptx_syntax_expected(struct ptx_parser *p, const char *expected)
{
	struct ptx_about about = {.version = 0};
	const struct ptx_token *t = &p->tok;
	size_t len = t->len > 100 ? 100 : t->len;
	const char *text = t->text;
	const char *quote = t->kind == TOK_STRING ? "\"" : t->kind == TOK_DOT ? "." : "";
	const char *end = t->kind == TOK_STRING ? "\"" : "";
	struct ptx_pos at = ptx_here(p);
	drop_held(p);
	snprintf(about.expected, sizeof about.expected, "%s", expected);
	if (t->kind == TOK_END)
		snprintf(about.found, sizeof about.found, "the end of the text");
	else
		snprintf(about.found, sizeof about.found, "'%s%.*s%s'", quote, (int)len, text, end);
	if (t->kind == TOK_BAD && t->why != NULL)
		ptx_error_about(p, at, &about, "Parsing error near '%.*s': syntax error: %s", (int)len, text, t->why);
	else if (t->kind == TOK_END)
		ptx_error_about(p, at, &about, "Parsing error near '': syntax error: the text ends too early");
	else
		ptx_error_about(p, at, &about, "Parsing error near '%s%.*s%s': syntax error", quote, (int)len, text,
		                end);
	if (++p->syntax_errors == MAX_SYNTAX_ERRORS)
		ptx_error(p, at, "more than %d syntax errors; the rest of the file is not read", MAX_SYNTAX_ERRORS - 1);
	return false;
}
