// SPDX-License-Identifier: Apache-2.0
/* ocg_check.c -- judges calls of functions without a body and compares with the real assembler's verdicts.
 *
 *   ocg_check < rows.tsv
 *
 * Columns: arch, name (without the prefix of the intrinsics, unless the name begins with `__`), return and params
 * (declared types apart by commas, `-` = none), verdict, messages (`kind: text`, joined by ` | `, `-` = none).
 * Messages must equal the real messages word for word. Prints each difference and the totals. */
#include <stdlib.h>
#include <string.h>

#include "wlcc.h"

enum { MAX_LINE = 1 << 14, COLUMNS = 6, MAX_SHOWN = 10 };

struct text {
	char s[MAX_LINE];
	size_t n;
};

static void add(struct text *t, const char *a, const char *b, const char *c)
{
	const size_t room = sizeof t->s - t->n;
	const int n = snprintf(t->s + t->n, room, "%s%s%s", a, b, c);
	t->n += n > 0 && (size_t)n < room ? (size_t)n : 0;
}

static void collect(void *self, const struct wlcc_message *m)
{
	struct text *t = self;
	const char *kind = m->severity == WLCC_WARNING ? "warning: " : m->fatal ? "fatal: " : "error: ";
	add(t, t->n ? " | " : "", kind, m->text);
}

/* `.param TYPE NAME0, ...` or `.reg TYPE %NAME0;` for each type of the list. */
static unsigned declare(struct text *t, const char *types, const char *open, const char *name, const char *close)
{
	unsigned n = 0;
	char one[64];
	if (strcmp(types, "-") == 0)
		return 0;
	while (*types) {
		const size_t len = strcspn(types, ",");
		add(t, n && close[0] != ';' ? ", " : "", open, "");
		snprintf(one, sizeof one, "%.*s %s%u", (int)len, types, name, n);
		add(t, one, close[0] == ';' ? close : "", "");
		types += len + (types[len] == ',');
		n++;
	}
	return n;
}

static void list(struct text *t, unsigned n, const char *name)
{
	char one[32];
	for (unsigned i = 0; i < n; i++) {
		snprintf(one, sizeof one, "%s%s%u", i ? ", " : "", name, i);
		add(t, one, "", "");
	}
}

/* One call with registers of the declared types as operands. */
static void module_text(struct text *t, char **column)
{
	const char *name = column[1],
	           *prefix = strncmp(name, "__", 2) == 0 && name[2] != 0 ? "" : "__nv_ptx_builtin_ocg_";
	const bool result = strcmp(column[2], "-") != 0;
	unsigned nr, na;
	t->n = 0;
	add(t, ".version 9.0\n.target ", column[0], "\n.address_size 64\n.extern .func ");
	add(t, result ? "(" : "", "", "");
	declare(t, column[2], ".param ", "r", "");
	add(t, result ? ") " : "", prefix, name);
	add(t, " (", "", "");
	declare(t, column[3], ".param ", "a", "");
	add(t, ");\n.visible .entry k(.param .u64 p)\n{\n", "", "");
	nr = declare(t, column[2], ".reg ", "%r", ";\n");
	na = declare(t, column[3], ".reg ", "%a", ";\n");
	add(t, "call ", result ? "(" : "", "");
	list(t, nr, "%r");
	add(t, result ? "), " : "", prefix, name);
	add(t, na ? ", (" : "", "", "");
	list(t, na, "%a");
	add(t, na ? ");\n" : ";\n", "ret;\n}\n", "");
}

static bool agrees(char **column, unsigned *shown)
{
	static struct text module, messages;
	struct wlcc_options o = {.file = "row.ptx", .diag = collect, .diag_self = &messages};
	unsigned chip;
	messages.n = 0;
	messages.s[0] = 0;
	module_text(&module, column);
	if (!wlcc_judges(column[0], &chip, &o.suffix))
		return false;
	o.chip = chip;
	const bool good = wlcc_compile_ptx(module.s, module.n, &o, true, NULL);
	const char *said = messages.n ? messages.s : "-";
	if (good == (strcmp(column[4], "accept") == 0) && strcmp(said, column[5]) == 0)
		return true;
	if ((*shown)++ < MAX_SHOWN)
		printf("%s %s (%s) (%s): ours %s, real %s %s\n", column[0], column[1], column[2], column[3], said,
		       column[4], column[5]);
	return false;
}

int main(void)
{
	static char line[MAX_LINE];
	unsigned passed = 0, failed = 0;
	while (fgets(line, sizeof line, stdin)) {
		char *column[COLUMNS];
		unsigned n = 0;
		line[strcspn(line, "\n")] = 0;
		for (char *s = line; s && n < COLUMNS; n++) {
			column[n] = s;
			if ((s = strchr(s, '\t')))
				*s++ = 0;
		}
		if (n != COLUMNS) {
			fprintf(stderr, "ocg_check: %u columns, expected %d\n", n, COLUMNS);
			return 2;
		}
		if (strcmp(column[0], "arch") == 0)
			continue;
		if (agrees(column, &failed))
			passed++;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
