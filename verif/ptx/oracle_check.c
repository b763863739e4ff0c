// SPDX-License-Identifier: Apache-2.0
/* oracle_check.c -- judges PTX forms and compares with the real assembler's verdicts.
 *
 *   oracle_check [--ptxas 13.0] [--known FILE] [--every N] [--show N] [--family F] [--list] < rows.tsv
 *
 * A row has the columns of the header line: version, target, chip (where the column arch exists), declarations,
 * instruction, verdict (accept, reject; other rows are left out) and error texts joined by ` | `. --ptxas names the
 * toolkit of the verdicts (13.0). A rejection agrees in content if our messages contain all names of the first real
 * message (quoted words, a required version, a target). Prints agreement by family and the totals.
 * FILE names the rows known to differ, a line `verdict|message TAB version TAB target TAB declarations TAB instruction`
 * each. Any other difference fails; a row of FILE in agreement fails, too. --list prints the differences as lines of
 * FILE. */
#include <stdlib.h>
#include <string.h>

#include "../../compiler/ptx/ptx.h"

enum { MAX_COLUMNS = 32, MAX_FAMILIES = 64, MAX_TEXT = 1 << 16, MAX_KNOWN = 4096 };

struct family {
	char name[32];
	unsigned rows, agreed, asked, told, wrong;
};

struct messages {
	char text[MAX_TEXT];
	size_t n;
};

static void collect(void *self, const struct wlcc_message *one)
{
	struct messages *m = self;
	if (one->severity == WLCC_ERROR && m->n + strlen(one->text) + 32 < sizeof m->text)
		m->n += (size_t)sprintf(m->text + m->n, "line %u: %s\n", one->line, one->text);
}

static void lower(char *s)
{
	for (; *s; s++)
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s + 32);
}

static bool holds(const char *ours, const char *from, size_t n)
{
	char word[256];
	if (n == 0 || n >= sizeof word)
		return true;
	memcpy(word, from, n);
	word[n] = 0;
	lower(word);
	return strstr(ours, word) != NULL;
}

static size_t span(const char *s, const char *of)
{
	return strspn(s, of);
}

/* Does `ours` (in lower case) contain all names of the first real message? */
static bool names_all(const char *ours, const char *real)
{
	const char *end = strstr(real, " | ");
	if (end == NULL)
		end = real + strlen(real);
	for (const char *s = real; s < end; s++) {
		if (*s == '\'') {
			const char *close = memchr(s + 1, '\'', (size_t)(end - s - 1));
			if (close == NULL)
				continue;
			if (!holds(ours, s + 1, (size_t)(close - s - 1)))
				return false;
			s = close;
		} else if (strncmp(s, "sm_", 3) == 0) {
			size_t n = 3 + span(s + 3, "0123456789");
			if (s[n] == 'a' || s[n] == 'f')
				n++;
			if (!holds(ours, s, n))
				return false;
		} else if (strncmp(s, "version ", 8) == 0) {
			if (!holds(ours, s + 8, span(s + 8, "0123456789.")))
				return false;
		}
	}
	return true;
}

static unsigned split(char *line, char **column)
{
	unsigned n = 0;
	line[strcspn(line, "\n")] = 0;
	for (char *s = line; n < MAX_COLUMNS; s++) {
		column[n++] = s;
		s = strchr(s, '\t');
		if (s == NULL)
			break;
		*s = 0;
	}
	return n;
}

static unsigned column_named(char **column, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(column[i], name) == 0)
			return i;
	fprintf(stderr, "oracle_check: no column %s\n", name);
	exit(2);
}

/* The module of the row's verdict. Variables of module spaces go in front of the kernel. */
static size_t module_text(char *to, size_t n, const char *version, const char *target, const char *decls,
                          const char *instruction)
{
	static char body[MAX_TEXT];
	size_t used = (size_t)snprintf(to, n, ".version %s\n.target %s\n.address_size 64\n", version, target),
	       in_body = 0;
	while (*decls) {
		decls += span(decls, " ;");
		size_t len = strcspn(decls, ";");
		bool top = strncmp(decls, ".global", 7) == 0 || strncmp(decls, ".const", 6) == 0 ||
		           strncmp(decls, ".visible", 8) == 0 || strncmp(decls, ".extern", 7) == 0;
		if (len && top)
			used += (size_t)snprintf(to + used, n - used, "%.*s;\n", (int)len, decls);
		else if (len)
			in_body += (size_t)snprintf(body + in_body, sizeof body - in_body, "%.*s;\n", (int)len, decls);
		decls += len;
	}
	body[in_body] = 0;
	used += (size_t)snprintf(to + used, n - used, ".visible .entry k()\n{\n%s%s\nret;\n}\n", body, instruction);
	return used;
}

static struct family *family_of(struct family *families, const char *name)
{
	unsigned i = 0;
	while (families[i].name[0] && strcmp(families[i].name, name) != 0 && i + 1 < MAX_FAMILIES)
		i++;
	snprintf(families[i].name, sizeof families[i].name, "%s", name);
	return &families[i];
}

/* ---- rows known to differ ---- */

static struct known {
	unsigned n;
	char *row[MAX_KNOWN];
	bool met[MAX_KNOWN];
} known;

static void read_known(const char *path)
{
	static char line[MAX_TEXT];
	FILE *f = fopen(path, "r");
	if (f == NULL)
		exit((fprintf(stderr, "oracle_check: cannot read %s\n", path), 2));
	while (fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || line[0] == 0)
			continue;
		if (known.n == MAX_KNOWN)
			exit((fprintf(stderr, "oracle_check: more than %d known rows\n", MAX_KNOWN), 2));
		known.row[known.n++] = strdup(line);
	}
	fclose(f);
}

static bool is_known(const char *row)
{
	for (unsigned i = 0; i < known.n; i++)
		if (strcmp(known.row[i], row) == 0)
			return known.met[i] = true;
	return false;
}

/* A row's outcome, in the form of the file of known rows; true if as expected. */
static bool judge_row(const char *kind, bool same, const char *row, bool list)
{
	static char text[MAX_TEXT * 2];
	snprintf(text, sizeof text, "%s\t%s", kind, row);
	if (!same && list)
		puts(text);
	bool listed = is_known(text);
	if (same && listed)
		printf("  no longer differs, take it off the list: %s\n", text);
	return same != listed;
}

/* "13.5" to 135. */
static unsigned toolkit_of(const char *name)
{
	unsigned major = 0, minor = 0;
	if (sscanf(name, "%u.%u", &major, &minor) != 2 || !ptx_toolkit_known(10 * major + minor))
		exit((fprintf(stderr, "oracle_check: no toolkit %s\n", name), 2));
	return 10 * major + minor;
}

int main(int argc, char **argv)
{
	static char line[1 << 20], text[MAX_TEXT * 2];
	static struct messages messages;
	static struct family families[MAX_FAMILIES];
	unsigned ptxas = 130, arch = MAX_COLUMNS;
	unsigned long every = 1, show = 20, number = 0, shown = 0, wrong = 0, families_seen = 0;
	bool list = false;
	const char *only = NULL;
	char *column[MAX_COLUMNS];
	if (argc > 1 && strcmp(argv[argc - 1], "--list") == 0) {
		list = true;
		argc--;
	}
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--known") == 0)
			read_known(argv[i + 1]);
		else if (strcmp(argv[i], "--every") == 0)
			every = strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--show") == 0)
			show = strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--ptxas") == 0)
			ptxas = toolkit_of(argv[i + 1]);
		else if (strcmp(argv[i], "--family") == 0)
			only = argv[i + 1];
		else
			return fprintf(stderr, "oracle_check: unknown option %s\n", argv[i]), 2;
	}
	if (fgets(line, sizeof line, stdin) == NULL)
		return fprintf(stderr, "oracle_check: no rows\n"), 2;
	unsigned n = split(line, column);
	unsigned family = column_named(column, n, "family"), version = column_named(column, n, "ptx_version"),
	         target = column_named(column, n, "target"), decls = column_named(column, n, "decls"),
	         instruction = column_named(column, n, "instruction"), verdict = column_named(column, n, "verdict"),
	         error = column_named(column, n, "error");
	for (unsigned i = 0; i < n; i++)
		if (strcmp(column[i], "arch") == 0)
			arch = i;
	while (fgets(line, sizeof line, stdin) != NULL) {
		if (split(line, column) < n - 1)
			continue;
		bool want = strcmp(column[verdict], "accept") == 0;
		if (!want && strcmp(column[verdict], "reject") != 0)
			continue;
		if ((only != NULL && strcmp(only, column[family]) != 0) || number++ % every)
			continue;
		size_t size = module_text(text, sizeof text, column[version], column[target], column[decls],
		                          column[instruction]);
		struct ptx_options o = {.file = "row.ptx",
		                        .diag = collect,
		                        .diag_self = &messages,
		                        .strict_version = true,
		                        .ptxas = ptxas};
		if (arch < n && !ptx_arch_named(column[arch], &o.arch, &o.suffix))
			return fprintf(stderr, "oracle_check: no chip %s\n", column[arch]), 2;
		messages.n = 0;
		messages.text[0] = 0;
		bool got = ptx_check(text, size, &o);
		struct family *f = family_of(families, column[family]);
		f->rows++;
		f->agreed += got == want;
		static char row[MAX_TEXT];
		snprintf(row, sizeof row, "%s\t%s\t%s\t%s", column[version], column[target], column[decls],
		         column[instruction]);
		bool good = judge_row("verdict", got == want, row, list);
		if (got != want) {
			if (!good && shown++ < show)
				printf("  %s %s %s -> %s, real %s: %s | %.200s\n", column[version], column[target],
				       column[instruction], got ? "accept" : "reject", column[verdict], column[error],
				       messages.text);
		} else if (!want) {
			lower(messages.text);
			f->asked++;
			bool told = names_all(messages.text, column[error]);
			f->told += told;
			good &= judge_row("message", told, row, list);
			if (!good && shown++ < show)
				printf("  message: %s %s %s -> %.200s      real: %s\n", column[version], column[target],
				       column[instruction], messages.text, column[error]);
		}
		f->wrong += !good;
		wrong += !good;
	}
	struct family sum = {.name = "all"};
	for (unsigned i = 0; i < MAX_FAMILIES && families[i].name[0]; i++) {
		struct family *f = &families[i];
		printf("%-16s verdicts %6u of %6u  %6.2f %%   messages %6u of %6u  %6.2f %%\n", f->name, f->agreed,
		       f->rows, 100.0 * f->agreed / f->rows, f->told, f->asked,
		       f->asked ? 100.0 * f->told / f->asked : 100.0);
		sum.rows += f->rows;
		sum.agreed += f->agreed;
		sum.told += f->told;
		sum.asked += f->asked;
		sum.wrong += f->wrong != 0;
		families_seen++;
	}
	if (sum.rows == 0)
		return fprintf(stderr, "oracle_check: no rows\n"), 2;
	double verdicts = 100.0 * sum.agreed / sum.rows, content = sum.asked ? 100.0 * sum.told / sum.asked : 100.0;
	printf("agreement %.3f %% of %u rows, messages %.2f %% of %u\n", verdicts, sum.rows, content, sum.asked);
	unsigned met = 0;
	for (unsigned i = 0; i < known.n; i++)
		met += known.met[i];
	printf("known to differ: %u of %u in these rows; otherwise: %lu\n", met, known.n, wrong);
	printf("%lu passed, %u failed\n", families_seen - sum.wrong, sum.wrong); /* families */
	return wrong != 0;
}
