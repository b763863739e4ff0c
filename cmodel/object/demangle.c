// SPDX-License-Identifier: Apache-2.0
/* demangle.c -- the qualified name of a function, at the front of a mangled name, or of a variable.
 *
 * Source: Itanium C++ ABI, "External Names (a.k.a. Mangling)". */
#include "demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 32, DEEPEST = 200 };

struct reader {
	const char *at;
	unsigned depth;
	unsigned n;
	char part[PARTS][80];
	bool bad;
};

static bool take(struct reader *r, char c)
{
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static size_t number(struct reader *r)
{
	size_t v = 0;
	while (isdigit((unsigned char)*r->at) && v < 100000)
		v = 10 * v + (size_t)(*r->at++ - '0');
	return v;
}

/* "7lock_it"; NULL and bad where the text is shorter. */
static const char *source_name(struct reader *r, size_t *length)
{
	*length = number(r);
	const char *s = r->at;
	if (!*length || strlen(s) < *length) {
		r->bad = true;
		return NULL;
	}
	r->at += *length;
	return s;
}

static void add(struct reader *r, const char *s, size_t length)
{
	static const char internal[] = "_INTERNAL_", unnamed[] = "_GLOBAL__N_";
	if ((length > sizeof internal && !strncmp(s, internal, sizeof internal - 1)) ||
	    (length > sizeof unnamed - 1 && !strncmp(s, unnamed, sizeof unnamed - 1)) || r->n == PARTS)
		return; /* the part for the file */
	snprintf(r->part[r->n++], sizeof r->part[0], "%.*s", (int)(length > 79 ? 79 : length), s);
}

static void skip_list(struct reader *r);

/* "S_", "S0_", "St" and the like; true: a name of the standard library follows ("St"). */
static bool substitution(struct reader *r)
{
	if (take(r, 't'))
		return true;
	if (islower((unsigned char)*r->at)) {
		r->at++;
		return false;
	}
	while (isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at))
		r->at++;
	r->bad |= !take(r, '_');
	return false;
}

static void skip_parameter(struct reader *r) /* behind the 'T' */
{
	while (isdigit((unsigned char)*r->at))
		r->at++;
	r->bad |= !take(r, '_');
}

/* A literal behind the 'L': "j32E", "b1E", "NS_5scopeE2E", "_Z4nameE". */
static void skip_literal(struct reader *r)
{
	size_t length;
	if (take(r, '_'))
		r->bad |= !take(r, 'Z');
	if (take(r, 'N'))
		skip_list(r);
	else if (isdigit((unsigned char)*r->at))
		source_name(r, &length);
	else if (take(r, 'S'))
		substitution(r);
	else if (*r->at)
		r->at++; /* a built-in type */
	while (*r->at && *r->at != 'E')
		r->at++;
	r->bad |= !take(r, 'E');
}

/* An item of a type, a name or an argument: enough to find the item's end. */
static void skip_item(struct reader *r)
{
	const char c = *r->at;
	size_t length;
	if (isdigit((unsigned char)c)) {
		source_name(r, &length);
		return;
	}
	r->at += c != 0;
	if (!c || c == 'X')
		r->bad = true; /* an expression */
	else if (c == 'L')
		skip_literal(r);
	else if (c == 'N' || c == 'I' || c == 'J' || c == 'F')
		skip_list(r);
	else if (c == 'S')
		substitution(r);
	else if (c == 'T')
		skip_parameter(r);
	else if (c == 'A') {
		number(r);
		r->bad |= !take(r, '_');
	} else if (c == 'D') {
		r->bad |= *r->at == 't' || *r->at == 'T' || !*r->at;
		r->at += *r->at != 0;
	}
}

/* Up to the 'E' of the open list. */
static void skip_list(struct reader *r)
{
	if (++r->depth > DEEPEST)
		r->bad = true;
	while (!r->bad && *r->at != 'E')
		skip_item(r);
	r->depth--;
	r->bad |= !take(r, 'E');
}

/* The sign of an operator; for operators missing in the list, the two letters. */
static const char *operator_sign(const char letters[3])
{
	static const char signs[][2][4] = {{"cl", "()"}, {"ix", "[]"}, {"aS", "="},  {"pl", "+"},  {"mi", "-"},
	                                   {"ml", "*"},  {"dv", "/"},  {"eq", "=="}, {"ne", "!="}, {"lt", "<"},
	                                   {"gt", ">"},  {"le", "<="}, {"ge", ">="}, {"pL", "+="}, {"mI", "-="},
	                                   {"pp", "++"}, {"mm", "--"}, {"pt", "->"}, {"de", "*"}};
	for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++)
		if (!strcmp(signs[i][0], letters))
			return signs[i][1];
	return letters;
}

/* Operators and constructors; a constructor repeats the name of the type. */
static void special_name(struct reader *r)
{
	char text[16];
	if (*r->at == 'C' || *r->at == 'D') {
		char last[80] = "";
		if (r->n)
			snprintf(last, sizeof last, "%s", r->part[r->n - 1]);
		if (r->n < PARTS && *last)
			snprintf(r->part[r->n++], sizeof r->part[0], "%s%.78s", *r->at == 'D' ? "~" : "", last);
		r->bad |= !r->at[1];
		r->at += r->at[1] ? 2 : 1;
		return;
	}
	if (!islower((unsigned char)r->at[0]) || !isalpha((unsigned char)r->at[1]) ||
	    (r->at[0] == 'c' && r->at[1] == 'v')) {
		r->bad = true;
		return;
	}
	const char letters[3] = {r->at[0], r->at[1], 0};
	const char *sign = operator_sign(letters);
	snprintf(text, sizeof text, "operator%s%s", isalpha((unsigned char)*sign) ? " " : "", sign);
	add(r, text, strlen(text));
	r->at += 2;
}

static void name_part(struct reader *r)
{
	size_t length;
	take(r, 'L'); /* of internal linkage */
	if (isdigit((unsigned char)*r->at)) {
		const char *s = source_name(r, &length);
		if (s)
			add(r, s, length);
	} else if (take(r, 'S')) {
		if (substitution(r))
			add(r, "std", 3);
	} else if (take(r, 'I')) {
		skip_list(r);
	} else {
		special_name(r);
	}
}

static void nested(struct reader *r)
{
	while (*r->at && strchr("rVKRO", *r->at))
		r->at++;
	while (!r->bad && *r->at && *r->at != 'E')
		name_part(r);
	r->bad |= !take(r, 'E');
}

/* A name of a namespace, of a class, or of a file, with its template arguments. */
static void whole_name(struct reader *r)
{
	if (take(r, 'N')) {
		nested(r);
		return;
	}
	if (take(r, 'S') && substitution(r))
		add(r, "std", 3);
	name_part(r);
	if (take(r, 'I'))
		skip_list(r);
}

/* The parts with '::' between, or the name where it was not read. */
static void put_parts(const struct reader *r, const char *name, const char *before, char *out, size_t n)
{
	size_t length = 0;
	if (r->bad || !r->n) {
		snprintf(out, n, "%s", name);
		return;
	}
	for (unsigned i = 0; i < r->n && length < n; i++)
		length += (size_t)snprintf(out + length, n - length, "%s%s", i ? "::" : before, r->part[i]);
}

void demangle(const char *name, char *out, size_t n)
{
	struct reader r = {.at = name};
	bool local = false;
	if (!take(&r, '_') || !take(&r, 'Z')) {
		r.bad = true;
	} else if (take(&r, 'Z')) { /* within a function; the function's arguments are not read */
		local = true;
		whole_name(&r);
		r.bad |= !strstr(r.at, "Ul");
	} else {
		whole_name(&r);
	}
	put_parts(&r, name, local ? "lambda of " : "", out, n);
}

/* "_0", "__12_": one of several of the name. */
static void skip_discriminator(struct reader *r)
{
	while (take(r, '_'))
		number(r);
}

void demangle_variable(const char *name, char *out, size_t n)
{
	struct reader r = {.at = name};
	r.bad = !take(&r, '_') || !take(&r, 'Z') || strstr(name, "Ul"); /* a lambda has no name */
	if (!r.bad && take(&r, 'Z')) {
		whole_name(&r);
		skip_list(&r); /* the function's arguments */
	}
	if (!r.bad)
		whole_name(&r);
	skip_discriminator(&r);
	r.bad |= *r.at != 0;
	put_parts(&r, name, "", out, n);
}
