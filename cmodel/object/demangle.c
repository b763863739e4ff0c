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

static void skip_item(struct reader *r);
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

/* "_0", "__12_": one of several of the name. */
static void skip_discriminator(struct reader *r)
{
	while (take(r, '_'))
		number(r);
}

/* A literal behind the 'L': "j32E", "b1E", "PFvvE0E", "NS_5scopeE2E", "_Z4namevE". */
static void skip_literal(struct reader *r)
{
	if (take(r, '_')) {
		r->bad |= !take(r, 'Z');
		skip_list(r);
		return;
	}
	while (*r->at && strchr("PRKV", *r->at))
		r->at++;
	skip_item(r); /* the type */
	while (*r->at && *r->at != 'E')
		r->at++;
	r->bad |= !take(r, 'E');
}

/* An expression behind the 'X': the address of a function or of a variable alone is read. */
static void skip_expression(struct reader *r)
{
	if (!take(r, 'a') || !take(r, 'd') || !take(r, 'L')) {
		r->bad = true;
		return;
	}
	skip_literal(r);
	r->bad |= !take(r, 'E');
}

/* A type of two letters, behind the 'D'. */
static void skip_type(struct reader *r)
{
	if (take(r, 'v')) { /* a vector: "Dv4_f" */
		r->bad |= !number(r) || !take(r, '_');
		return;
	}
	r->bad |= *r->at == 't' || *r->at == 'T' || !*r->at; /* decltype */
	r->at += *r->at != 0;
}

/* Behind the 'U': a lambda "lvE_", a type without a name "t_", or a qualifier. */
static void skip_unnamed(struct reader *r)
{
	if (take(r, 'l'))
		skip_list(r);
	else if (!take(r, 't'))
		return;
	number(r);
	r->bad |= !take(r, '_');
}

/* A name within a function, behind the 'Z': "4mainE5local_0", "4mainEUlvE_". */
static void skip_local(struct reader *r)
{
	skip_list(r);
	if (!take(r, 's'))
		skip_item(r);
	skip_discriminator(r);
}

/* Behind the first letter. */
static void skip_rest(struct reader *r, char letter)
{
	switch (letter) {
	case 'X':
		skip_expression(r);
		break;
	case 'L':
		skip_literal(r);
		break;
	case 'N':
	case 'I':
	case 'J':
	case 'F':
		skip_list(r);
		break;
	case 'S':
		substitution(r);
		break;
	case 'T':
		skip_parameter(r);
		break;
	case 'A':
		number(r);
		r->bad |= !take(r, '_');
		break;
	case 'D':
		skip_type(r);
		break;
	case 'U':
		skip_unnamed(r);
		break;
	case 'Z':
		skip_local(r);
		break;
	default: /* a built-in type, a qualifier, or a letter of an operator */
		break;
	}
}

/* An item of a type, a name or an argument: enough to find the item's end. */
static void skip_item(struct reader *r)
{
	size_t length;
	r->bad |= ++r->depth > DEEPEST || !*r->at;
	if (isdigit((unsigned char)*r->at)) {
		source_name(r, &length);
	} else if (!r->bad) {
		const char letter = *r->at++;
		skip_rest(r, letter);
	}
	r->depth--;
}

/* Up to the 'E' of the open list. */
static void skip_list(struct reader *r)
{
	while (!r->bad && *r->at != 'E')
		skip_item(r);
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

static void skip_qualifiers(struct reader *r)
{
	while (*r->at && strchr("rVKRO", *r->at))
		r->at++;
}

static void nested(struct reader *r)
{
	skip_qualifiers(r);
	while (!r->bad && *r->at && *r->at != 'E')
		name_part(r);
	r->bad |= !take(r, 'E');
}

/* A name of a namespace, of a class, or of a file. Template arguments may follow. */
static void whole_name(struct reader *r)
{
	if (take(r, 'N')) {
		nested(r);
		return;
	}
	if (take(r, 'S') && substitution(r))
		add(r, "std", 3);
	name_part(r);
}

static void skip_template_arguments(struct reader *r)
{
	if (take(r, 'I'))
		skip_list(r);
}

/* Whether a lambda follows, behind a function's name with arguments. */
static bool lambda_follows(struct reader r)
{
	skip_template_arguments(&r);
	skip_list(&r);
	if (r.bad)
		return strstr(r.at, "Ul"); /* arguments that are not read: any lambda in the rest */
	if (take(&r, 'N'))
		skip_qualifiers(&r);
	return !strncmp(r.at, "Ul", 2);
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
	} else {
		local = take(&r, 'Z');
		whole_name(&r);
		r.bad |= local && !lambda_follows(r);
	}
	put_parts(&r, name, local ? "lambda of " : "", out, n);
}

void demangle_variable(const char *name, char *out, size_t n)
{
	struct reader r = {.at = name};
	r.bad = !take(&r, '_') || !take(&r, 'Z');
	if (!r.bad && take(&r, 'Z')) {
		whole_name(&r);
		skip_template_arguments(&r);
		skip_list(&r); /* the function's arguments */
	}
	if (!r.bad) {
		whole_name(&r);
		skip_template_arguments(&r);
	}
	skip_discriminator(&r);
	r.bad |= *r.at != 0;
	put_parts(&r, name, "", out, n);
}
