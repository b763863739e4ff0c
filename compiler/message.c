// SPDX-License-Identifier: Apache-2.0
#include "message.h"

#include <stdlib.h>
#include <string.h>

enum {
	TAB_STOP = 8,
	MAX_SHOWN = 100, /* columns of a source line shown */
	Before = 60,     /* most columns before the caret, of a line cut to fit */
	MAX_WALK = 400   /* most bytes read on either side of the caret, in a line of any length */
};

bool message_format_named(const char *name, enum message_format *out)
{
	static const char *const names[] = {"ptxas", "human", "json"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0) {
			*out = (enum message_format)i;
			return true;
		}
	return false;
}

static const char *severity_name(const struct wlcc_message *m)
{
	return m->severity == WLCC_INFO      ? "info"
	       : m->severity == WLCC_WARNING ? "warning"
	       : m->fatal                    ? "fatal"
	                                     : "error";
}

static void print_ptxas(FILE *to, const struct wlcc_message *m)
{
	if (m->line)
		fprintf(to, "%s, line %u; %-8s: %s\n", m->file, m->line, severity_name(m), m->text);
	else
		fprintf(to, "%s; %-8s: %s\n", m->file, severity_name(m), m->text);
}

/* ---- for people ------------------------------------------------------------------------------------------- */

/* False: the text has no line of this number, or memory is exhausted. */
static bool find_line(struct message_printer *p, unsigned line, const char **from, size_t *n)
{
	const char *end;
	if (!p->text || !line)
		return false;
	if (!p->starts) {
		size_t count = 1, at = 1;
		for (size_t i = 0; i < p->size; i++)
			count += p->text[i] == '\n';
		if (!(p->starts = malloc(count * sizeof *p->starts)))
			return false;
		p->starts[0] = 0;
		for (size_t i = 0; i < p->size; i++)
			if (p->text[i] == '\n')
				p->starts[at++] = i + 1;
		p->nlines = count;
	}
	if (line > p->nlines)
		return false;
	*from = p->text + p->starts[line - 1];
	end = p->text + (line < p->nlines ? p->starts[line] - 1 : p->size);
	if (end > *from && end[-1] == '\r')
		end--;
	*n = (size_t)(end - *from);
	return true;
}

/* Length in bytes of the UTF-8 character at s; 0: the bytes are no character. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
	size_t len = s[0] < 0x80                   ? 1
	             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
	             : (s[0] & 0xf0) == 0xe0       ? 3
	             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
	                                           : 0;

	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong form, half of a surrogate pair, beyond the last character */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* Walks over the line as a terminal shows the line: tabs as blanks, bytes without text as `?`. Prints the columns
 * [first, end) to `to`, unless `to` is NULL. Returns the number of columns of the first n bytes, of `all` bytes. */
static size_t columns(FILE *to, const char *line, size_t n, size_t all, size_t first, size_t end)
{
	size_t column = 0;
	for (size_t i = 0; i < n;) {
		const unsigned char *s = (const unsigned char *)line + i;
		size_t len = utf8_length(s, all - i), width = 1;
		if (*s == '\t')
			width = TAB_STOP - column % TAB_STOP;
		for (size_t k = 0; to && k < width; k++) {
			if (column + k < first || column + k >= end)
				continue;
			if (*s == '\t')
				fputc(' ', to);
			else if (len == 0 || *s < 32 || *s == 127)
				fputc('?', to);
			else
				fwrite(s, 1, len, to);
		}
		column += width;
		i += len ? len : 1;
	}
	return column;
}

/* Prints the source line, with the caret below. A long line is cut on both sides. */
static void print_source(struct message_printer *p, const struct wlcc_message *m)
{
	const char *line;
	size_t n, at, all, caret, first = 0, end;
	bool left = false, right = false; /* was text cut off on the left, on the right? */

	if (!find_line(p, m->line, &line, &n))
		return;
	at = !m->column ? 0 : m->column - 1 < n ? m->column - 1 : n;
	if (at > MAX_WALK) {
		line += at - MAX_WALK;
		n -= at - MAX_WALK;
		at = MAX_WALK;
		left = true;
	}
	if (n - at > MAX_WALK) {
		n = at + MAX_WALK;
		right = true;
	}
	all = columns(NULL, line, n, n, 0, 0);
	caret = columns(NULL, line, at, n, 0, 0);
	if (all > MAX_SHOWN && caret > Before)
		first = caret - Before;
	if (first && all - first < MAX_SHOWN)
		first = all - MAX_SHOWN;
	end = all - first > MAX_SHOWN ? first + MAX_SHOWN : all;
	left |= first != 0;
	right |= end < all;
	fprintf(p->to, "%5u | %s", m->line, left ? "..." : "");
	columns(p->to, line, n, n, first, end);
	fputs(right ? "...\n" : "\n", p->to);
	if (m->column)
		fprintf(p->to, "      | %*s^\n", (int)(caret - first + (left ? 3 : 0)), "");
}

static void print_human(struct message_printer *p, const struct wlcc_message *m)
{
	fputs(m->file, p->to);
	if (m->line)
		fprintf(p->to, ":%u", m->line);
	if (m->line && m->column)
		fprintf(p->to, ":%u", m->column);
	fprintf(p->to, ": %s: %s\n", severity_name(m), m->text);
	print_source(p, m);
	if (m->found)
		fprintf(p->to, "note: found %s%s%s\n", m->found, m->expected ? ", expected " : "",
		        m->expected ? m->expected : "");
	else if (m->expected)
		fprintf(p->to, "note: expected %s\n", m->expected);
	if (m->hint)
		fprintf(p->to, "note: %s\n", m->hint);
}

/* ---- for programs ----------------------------------------------------------------------------------------- */

static void print_string(FILE *to, const char *text)
{
	size_t n;
	if (!text) {
		fputs("null", to);
		return;
	}
	n = strlen(text);
	fputc('"', to);
	for (size_t i = 0; i < n;) {
		const unsigned char *s = (const unsigned char *)text + i;
		size_t len = utf8_length(s, n - i);
		if (len == 0)
			fputs("\\ufffd", to);
		else if (*s < 32 || *s == 127)
			fprintf(to, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else
			fwrite(s, 1, len, to);
		i += len ? len : 1;
	}
	fputc('"', to);
}

/* One object on one line. */
static void print_json(FILE *to, const struct wlcc_message *m)
{
	fputs("{\"file\": ", to);
	print_string(to, m->file);
	fprintf(to, ", \"line\": %u, \"column\": %u, \"severity\": \"%s\", \"text\": ", m->line, m->column,
	        severity_name(m));
	print_string(to, m->text);
	fputs(", \"found\": ", to);
	print_string(to, m->found);
	fputs(", \"expected\": ", to);
	print_string(to, m->expected);
	fputs(", \"hint\": ", to);
	print_string(to, m->hint);
	fputs("}\n", to);
}

void message_print(void *printer, const struct wlcc_message *m)
{
	struct message_printer *p = printer;
	if (p->format == MESSAGE_JSON)
		print_json(p->to, m);
	else if (p->format == MESSAGE_HUMAN)
		print_human(p, m);
	else
		print_ptxas(p->to, m);
}

void message_printer_free(struct message_printer *p)
{
	free(p->starts);
	p->starts = NULL;
}
