// SPDX-License-Identifier: Apache-2.0
#include "launch_json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elem.h"

bool launch_fail(const struct reader *r, const char *format, ...)
{
	va_list ap;
	int len = snprintf(r->err, r->errn, "%s: %s", r->l->path, r->where);
	if (len < 0 || (size_t)len >= r->errn)
		return false;
	va_start(ap, format);
	vsnprintf(r->err + len, r->errn - (size_t)len, format, ap);
	va_end(ap);
	return false;
}

/* A value as in the file, shortened. */
static const char *found(const json_t *v, char buf[64])
{
	if (!v)
		return "nothing";
	char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY);
	snprintf(buf, 64, "%.60s", text ? text : "?");
	free(text);
	return buf;
}

bool launch_wrong(const struct reader *r, const char *field, const json_t *v, const char *expected)
{
	char buf[64];
	return launch_fail(r, "field '%s' is %s, expected %s", field, found(v, buf), expected);
}

const json_t *launch_get(const json_t *o, const char *field)
{
	const json_t *v = json_object_get(o, field);
	return json_is_null(v) ? NULL : v;
}

void launch_note_unknown(const struct reader *r, const json_t *o, const char *const *known)
{
	const char *field;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)o, field, value)
	{
		unsigned i = 0;
		while (known[i] && strcmp(known[i], field) != 0)
			i++;
		size_t len = strlen(r->l->ignored);
		if (!known[i])
			snprintf(r->l->ignored + len, sizeof r->l->ignored - len, "%s%s%s", len ? ", " : "", r->where,
			         field);
	}
}

/* A number from 2^63 to 2^64 - 1: the reader has made a text of the digits. */
static bool large(const char *s, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = *s >= '1' && *s <= '9' ? strtoull(s, &end, 10) : 0;
	return *out > INT64_MAX && !*end && !errno;
}

static bool bit_pattern(const char *s, unsigned bytes, uint64_t *out)
{
	char *end;
	errno = 0;
	if (strncmp(s, "0x", 2) != 0 || strspn(s + 2, "0123456789abcdefABCDEF") != strlen(s + 2) || !s[2])
		return false;
	*out = strtoull(s, &end, 16);
	return !errno && (bytes == 8 || *out >> 8 * bytes == 0);
}

/* Infinities and the quiet NaN of a float type. */
static bool special(const char *s, const struct elem_type *t, uint64_t *out)
{
	const bool negative = *s == '-';
	const unsigned fraction = t->kind == ELEM_HALF ? 10 : t->kind == ELEM_BFLOAT ? 7 : t->bytes == 4 ? 23 : 52;
	const unsigned bits = 8 * t->bytes;
	const uint64_t sign = UINT64_C(1) << (bits - 1), inf = (sign - 1) >> fraction << fraction;
	if (strcmp(s + negative, "inf") == 0)
		*out = inf | (negative ? sign : 0);
	else if (strcmp(s, "nan") == 0)
		*out = inf | UINT64_C(1) << (fraction - 1);
	else
		return false;
	return true;
}

bool launch_value(const json_t *v, const struct elem_type *t, uint64_t *out)
{
	const bool real = elem_is_real(t);
	const char *s = json_string_value(v);
	if (s)
		return (t->kind == ELEM_UNSIGNED && t->bytes == 8 && large(s, out)) || bit_pattern(s, t->bytes, out) ||
		       (real && special(s, t, out));
	if (json_is_integer(v) && elem_fits(t, json_integer_value(v))) {
		*out = elem_from_int(t, json_integer_value(v));
		return true;
	}
	if (!real || !json_is_real(v) || !elem_real_fits(t, json_real_value(v)))
		return false;
	*out = elem_from_real(t, json_real_value(v));
	return true;
}
