// SPDX-License-Identifier: Apache-2.0
/* orderlog.c -- lines of the order log, read and written from a single table of forms. */
#include "orderlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The members of each kind in the order of the line. */
static const struct form {
	const char *word;
	/* s sm, o slot, c cta, w warp, n, l lane, k count, f code, i id, p phase, a addr, b bytes; u unit, M
	 * lanes, W warps */
	const char *fields;
} forms[] = {
        [WL_ORDER_CTA] = {"cta", "soc"},
        [WL_ORDER_END] = {"end", "soc"},
        [WL_ORDER_STEP] = {"step", "swlk"},
        [WL_ORDER_ACCEPT] = {"accept", "swnl"},
        [WL_ORDER_FAULT] = {"fault", "swnfM"},
        [WL_ORDER_COMMIT] = {"commit", "swnM"},
        [WL_ORDER_RETIRE] = {"retire", "swn"},
        [WL_ORDER_EXIT] = {"exit", "swn"},
        [WL_ORDER_RELEASE] = {"release", "suoipW"},
        [WL_ORDER_CHOICE] = {"choice", "swn"},
        [WL_ORDER_LAND] = {"land", "suoifab"},
        [WL_ORDER_UNITS] = {"units", "M"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static uint32_t *field(struct wl_order *o, char letter)
{
	switch (letter) {
	case 's':
		return &o->sm;
	case 'o':
		return &o->slot;
	case 'c':
		return &o->cta;
	case 'w':
		return &o->warp;
	case 'n':
		return &o->n;
	case 'l':
		return &o->lane;
	case 'k':
		return &o->count;
	case 'f':
		return &o->code;
	case 'i':
		return &o->id;
	case 'p':
		return &o->phase;
	case 'a':
		return &o->addr;
	case 'b':
		return &o->bytes;
	case 'u':
		return &o->unit;
	default:
		return &o->lanes;
	}
}

static int put_field(struct wl_order *o, char letter, char *buf, size_t n)
{
	if (letter == 'u')
		return snprintf(buf, n, " %s", wl_unit_name((enum wl_unit)o->unit));
	if (letter == 'W')
		return snprintf(buf, n, " 0x%012llx", (unsigned long long)o->warps);
	return snprintf(buf, n, letter == 'M' ? " 0x%08x" : " %u", *field(o, letter));
}

int wl_order_format(const struct wl_order *o, char *buf, size_t n)
{
	const struct form *form = &forms[o->kind];
	struct wl_order copy = *o;
	int len = snprintf(buf, n, "%s", form->word);
	for (const char *f = form->fields; *f; f++)
		len += put_field(&copy, *f, buf + len, n - (size_t)len);
	return len + snprintf(buf + len, n - (size_t)len, "\n");
}

static bool fail(char *why, size_t whyn, const char *expected, const char *found)
{
	snprintf(why, whyn, "expected %s, found '%.*s'", expected, (int)strcspn(found, "\r\n"), found);
	return false;
}

static const char *take_unit(const char *p, struct wl_order *o)
{
	const size_t n = *p == ' ' ? strcspn(p + 1, " \r\n") : 0;
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++) {
		const char *name = wl_unit_name((enum wl_unit)u);
		if (n && strlen(name) == n && strncmp(p + 1, name, n) == 0) {
			o->unit = u;
			return p + 1 + n;
		}
	}
	return NULL;
}

/* A field at p; returns the end of the field, NULL: no field. */
static const char *take_field(const char *p, char letter, struct wl_order *o)
{
	if (letter == 'u')
		return take_unit(p, o);
	if (p[0] != ' ' || p[1] < '0' || p[1] > '9')
		return NULL;
	const bool mask = letter == 'M' || letter == 'W';
	char *end;
	const unsigned long long v = strtoull(p + 1, &end, mask ? 16 : 10);
	if (letter == 'W')
		o->warps = v;
	else if (v > UINT32_MAX)
		return NULL;
	else
		*field(o, letter) = (uint32_t)v;
	return end;
}

static const char *kind_of_field(char letter)
{
	return letter == 'u' ? "a unit" : letter == 'M' ? "a mask" : letter == 'W' ? "a warp mask" : "a number";
}

bool wl_order_parse(const char *line, struct wl_order *o, char *why, size_t whyn)
{
	size_t word = strcspn(line, " \r\n");
	unsigned kind = 0;
	while (kind < FORMS && (strlen(forms[kind].word) != word || strncmp(forms[kind].word, line, word) != 0))
		kind++;
	if (kind == FORMS)
		return fail(why, whyn,
		            "cta, end, step, accept, fault, commit, retire, exit, release, choice, land or units",
		            line);
	*o = (struct wl_order){.kind = (enum wl_order_kind)kind};
	const char *p = line + word;
	for (const char *f = forms[kind].fields; *f; f++) {
		const char *end = take_field(p, *f, o);
		if (!end)
			return fail(why, whyn, kind_of_field(*f), p);
		p = end;
	}
	return strcspn(p, "\r\n") ? fail(why, whyn, "the end of the line", p) : true;
}
