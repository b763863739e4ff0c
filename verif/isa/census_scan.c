// SPDX-License-Identifier: Apache-2.0
/* census_scan.c -- the distinct instructions of objects: opcode, form and modifiers, without numbers.
 *
 *   census_scan FILE.cubin ...      (- : names on standard input, one a line)
 *
 * A line for each instruction: architecture, count, verdict of the tables (unknown, unmodelled, illegal, or the
 * micro-operation), the first word, the shape (for an unknown instruction the opcode), the first file. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/isa.h"
#include "warplock/object.h"

#include "word_verdict.h"

enum { SHAPES = 1 << 17, SHAPE_BYTES = 200 };

struct shape {
	char text[SHAPE_BYTES], file[100];
	const char *verdict;
	struct wl_word word;
	unsigned long count;
	enum wl_arch arch;
};

static struct shape *shapes[SHAPES];
static unsigned long words;

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Registers lose their number (the names of zero and true registers suffice), numbers become #. */
static void shape_of(const char *text, char *out, size_t n)
{
	size_t k = 0;
	bool guard = *text == '@';
	while (guard && *text && *text != ' ')
		text++;
	while (*text == ' ')
		text++;
	while (*text && *text != ' ' && k + 2 < n) /* the mnemonic stays */
		out[k++] = *text++;
	while (*text && k + 4 < n) {
		size_t len = 0, keep = 0;
		if (!is_name(*text)) {
			if (*text != '+' || text[1] != 'I') /* +INF and -INF are numbers, too */
				out[k++] = *text;
			text++;
			continue;
		}
		while (is_name(text[len]))
			len++;
		while (keep < len && isalpha((unsigned char)text[keep]))
			keep++;
		if (isdigit((unsigned char)*text) || !strncmp(text, "INF", 3) || !strncmp(text, "QNAN", 4)) {
			out[k++] = '#';
		} else {
			for (size_t i = 0; i < keep && k + 4 < n; i++)
				out[k++] = text[i];
			while (keep < len && isdigit((unsigned char)text[keep]))
				keep++;
			for (; keep < len && k + 4 < n; keep++) /* .H0_H0, .reuse and the like */
				out[k++] = text[keep];
		}
		text += len;
	}
	out[k] = 0;
	for (char *at; (at = strstr(out, ".reuse"));)
		memmove(at, at + 6, strlen(at + 6) + 1);
}

static void take(enum wl_arch arch, struct wl_word w, const char *file)
{
	char text[256], shape[SHAPE_BYTES];
	const char *verdict = verdict_of(arch, w);
	unsigned at = arch;
	words++;
	if (wl_print(arch, w, 0, text, sizeof text) < 0)
		snprintf(shape, sizeof shape, "%04x", (unsigned)((w.lo & 0xfff) | (w.hi >> 27 & 1) << 12));
	else
		shape_of(text, shape, sizeof shape);
	if (!strcmp(verdict, "unknown")) { /* any bit outside the numbers may be the unknown part: keep each */
		char hex[33];
		struct wl_word kept = w;
		kept.hi &= (UINT64_C(1) << 41) - 1;
		wl_word_format(kept, hex);
		snprintf(shape, sizeof shape, "%04x %.16s", (unsigned)((w.lo & 0xfff) | (w.hi >> 27 & 1) << 12), hex);
	}
	for (const char *c = shape; *c; c++)
		at = at * 31 + (unsigned char)*c;
	for (at %= SHAPES; shapes[at]; at = (at + 1) % SHAPES)
		if (shapes[at]->arch == arch && !strcmp(shapes[at]->text, shape) && shapes[at]->verdict == verdict) {
			shapes[at]->count++;
			return;
		}
	shapes[at] = calloc(1, sizeof *shapes[at]);
	strcpy(shapes[at]->text, shape);
	snprintf(shapes[at]->file, sizeof shapes[at]->file, "%s", file);
	shapes[at]->verdict = verdict;
	shapes[at]->word = w;
	shapes[at]->count = 1;
	shapes[at]->arch = arch;
}

static bool scan(const char *path)
{
	FILE *f = fopen(path, "rb");
	unsigned char *data = NULL;
	size_t size = 0, n = 0;
	struct wl_object *o;
	struct wl_code c;
	char why[256] = "cannot read";
	if (!f) {
		fprintf(stderr, "census_scan: %s: cannot read\n", path);
		return false;
	}
	do {
		size += n;
		data = realloc(data, size + 65536);
		n = fread(data + size, 1, 65536, f);
	} while (n);
	fclose(f);
	bool good = wl_object_open(data, size, &o, why, sizeof why) == WL_OK;
	if (!good)
		fprintf(stderr, "census_scan: %s: %s\n", path, why);
	for (uint32_t i = 0; good && wl_object_code(o, i, &c); i++)
		for (uint32_t k = 0; k < c.nwords; k++) {
			struct wl_word w;
			memcpy(&w, c.bytes + 16 * (size_t)k, 16);
			take(wl_object_arch(o), w, strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
		}
	if (good)
		wl_object_close(o);
	free(data);
	return good;
}

int main(int argc, char **argv)
{
	bool good = argc > 1;
	char line[1024], hex[33];
	unsigned distinct = 0;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "-"))
			good &= scan(argv[i]);
	while (argc > 1 && !strcmp(argv[argc - 1], "-") && fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		good &= scan(line);
	}
	for (unsigned i = 0; i < SHAPES; i++)
		if (shapes[i]) {
			wl_word_format(shapes[i]->word, hex);
			printf("%d\t%lu\t%s\t%s\t%s\t%s\n", (int)shapes[i]->arch, shapes[i]->count, shapes[i]->verdict,
			       hex, shapes[i]->text, shapes[i]->file);
			free(shapes[i]);
			distinct++;
		}
	fprintf(stderr, "census_scan: %lu words, %u distinct\n", words, distinct);
	return !good;
}
