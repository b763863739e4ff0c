// SPDX-License-Identifier: Apache-2.0
/* orderlog.c -- lines of the order log, both ways, from one table of forms. */
#include "orderlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The members of each kind in the order of the line; an upper-case letter is a mask. */
enum { MAX_FIELDS = 5 };
static const struct form {
	const char *word;
	const char *fields; /* s sm, o slot, c cta, w warp, n, l lane, k count, f code, M lanes */
} forms[] = {
        [WL_ORDER_CTA] = {"cta", "soc"},       [WL_ORDER_END] = {"end", "soc"},
        [WL_ORDER_STEP] = {"step", "swlk"},    [WL_ORDER_ACCEPT] = {"accept", "swnl"},
        [WL_ORDER_FAULT] = {"fault", "swnfM"}, [WL_ORDER_COMMIT] = {"commit", "swnM"},
        [WL_ORDER_RETIRE] = {"retire", "swn"},
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
	default:
		return &o->lanes;
	}
}

int wl_order_format(const struct wl_order *o, char *buf, size_t n)
{
	const struct form *form = &forms[o->kind];
	struct wl_order copy = *o;
	int len = snprintf(buf, n, "%s", form->word);
	for (const char *f = form->fields; *f; f++)
		len += snprintf(buf + len, n - (size_t)len, *f == 'M' ? " 0x%08x" : " %u", *field(&copy, *f));
	return len + snprintf(buf + len, n - (size_t)len, "\n");
}

static bool fail(char *why, size_t whyn, const char *expected, const char *found)
{
	snprintf(why, whyn, "expected %s, found '%.*s'", expected, (int)strcspn(found, "\r\n"), found);
	return false;
}

bool wl_order_parse(const char *line, struct wl_order *o, char *why, size_t whyn)
{
	size_t word = strcspn(line, " \r\n");
	unsigned kind = 0;
	while (kind < FORMS && (strlen(forms[kind].word) != word || strncmp(forms[kind].word, line, word) != 0))
		kind++;
	if (kind == FORMS)
		return fail(why, whyn, "cta, end, step, accept, fault, commit or retire", line);
	*o = (struct wl_order){.kind = (enum wl_order_kind)kind};
	const char *p = line + word;
	for (const char *f = forms[kind].fields; *f; f++) {
		char *end;
		bool digit = p[0] == ' ' && p[1] >= '0' && p[1] <= '9';
		unsigned long long v = digit ? strtoull(p + 1, &end, *f == 'M' ? 16 : 10) : 0;
		if (!digit || v > UINT32_MAX)
			return fail(why, whyn, *f == 'M' ? "a lane mask" : "a number", p);
		*field(o, *f) = (uint32_t)v;
		p = end;
	}
	return strcspn(p, "\r\n") ? fail(why, whyn, "the end of the line", p) : true;
}
