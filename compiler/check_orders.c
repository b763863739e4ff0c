// SPDX-License-Identifier: Apache-2.0
/* check_orders.c -- wlobjdump --check-orders: the findings of orders_check as lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmodel/tools/file.h"
#include "../cmodel/tools/orders.h"
#include "orders/orders.h"
#include "ptx/ptx.h"
#include "warplock/object.h"

enum { WORD_BYTES = 16 };

struct checked {
	const char *file, *ptx;
	const char *text;
	struct orders_code code;
};

static void complain(void *self, const struct wlcc_message *m)
{
	(void)self;
	if (m->severity == WLCC_ERROR)
		fprintf(stderr, "%s:%u: %s\n", m->file, m->line, m->text);
}

static void print_word(const struct checked *k, uint32_t pc)
{
	struct wl_word w;
	char text[256];
	memcpy(&w, k->code.words + WORD_BYTES * (size_t)pc, sizeof w);
	if (wl_print(k->code.arch, w, WORD_BYTES * (uint64_t)pc, text, sizeof text) < 0)
		snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
	printf("`%s` at 0x%04x", text, WORD_BYTES * pc);
}

/* Prints the line without the text around the instruction. */
static void print_line(const struct checked *k, uint32_t line)
{
	const char *at = k->text, *end;
	for (uint32_t i = 1; at && i < line; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return;
	at += strspn(at, " \t{");
	end = at + strcspn(at, "\r\n");
	while (end > at && strchr(" \t;}", end[-1]))
		end--;
	printf("%s:%u `%.*s`: ", k->ptx, line, (int)(end - at), at);
}

static void print_finding(void *self, const struct orders_finding *f)
{
	const struct checked *k = self;
	printf("%s: %s: ", k->file, k->code.name);
	if (f->demand)
		print_line(k, f->demand->i->pos.line);
	print_word(k, f->pc);
	printf(": %s", f->text);
	if (f->other != NO_DEMAND) {
		printf(": ");
		print_word(k, f->other);
	}
	puts("");
}

/* Words of no table: the checks take such a word as no access. */
static void tell_unknown(const struct checked *k)
{
	uint32_t n = 0, first = 0;
	for (uint32_t pc = k->code.n; pc-- > 0;) {
		struct wl_word w;
		struct wl_inst in;
		memcpy(&w, k->code.words + WORD_BYTES * (size_t)pc, sizeof w);
		if (wl_decode(k->code.arch, w, &in) != WL_OK)
			n++, first = pc;
	}
	if (!n)
		return;
	fprintf(stderr,
	        "wlobjdump: %s: %s: %u of %u words are in no table and count as no access, the first at 0x%04x\n",
	        k->file, k->code.name, n, k->code.n, WORD_BYTES * first);
}

/* Number of findings of a section; -1: something is missing. */
static int check_section(struct checked *k, const struct wl_object *o, const struct wl_code *code, struct demands *d)
{
	uint32_t nways, *lines = wl_object_ptx_lines(o, code);
	struct wl_way *ways;
	int n;
	if (!lines) {
		fprintf(stderr,
		        "wlobjdump: %s: no lines of the PTX (objects of wlcc have them, and those of ptxas "
		        "-lineinfo)\n",
		        k->file);
		return -1;
	}
	ways = wl_object_ways(o, code->name, &nways);
	k->code = (struct orders_code){.arch = wl_object_arch(o),
	                               .name = code->name,
	                               .words = code->bytes,
	                               .n = code->nwords,
	                               .lines = lines,
	                               .ways = ways,
	                               .nways = nways};
	tell_unknown(k);
	n = orders_check(d, &k->code, print_finding, k);
	if (n < 0)
		fprintf(stderr, "wlobjdump: %s: out of memory\n", k->file);
	free(ways);
	free(lines);
	return n;
}

static bool check_object(struct checked *k, const struct wl_object *o, const struct ptx_module *m, const char *entry)
{
	struct demands d;
	struct wl_code code;
	int findings = 0, sections = 0;
	uint64_t words = 0;
	bool good = demands_read(m, &d);
	for (uint32_t i = 0; good && wl_object_code(o, i, &code); i++) {
		int n;
		if (entry && strcmp(entry, code.name) != 0)
			continue;
		n = check_section(k, o, &code, &d);
		good = n >= 0;
		findings += n;
		sections++;
		words += code.nwords;
	}
	demands_free(&d);
	if (good && !sections)
		fprintf(stderr, "wlobjdump: %s: %s\n", k->file,
		        entry ? "no code of that name" : "no kernel and no function");
	if (good && sections)
		printf("%s: %d kernels and functions, %llu words, %u demands, %d findings\n", k->file, sections,
		       (unsigned long long)words, d.n, findings);
	return good && sections && !findings;
}

bool check_orders(const char *file, const unsigned char *elf, size_t size, const char *entry, const char *ptx)
{
	struct ptx_options po = {.file = ptx, .passes_over = true};
	struct ptx_options oldest = {.file = ptx, .diag = complain, .passes_over = true, .ptxas = 130};
	char why[256];
	size_t length;
	unsigned char *text = file_read(ptx, &length, why, sizeof why);
	struct ptx_module *m = text ? ptx_parse((const char *)text, length, &po) : NULL;
	if (text && !m) /* an older toolkit accepted more */
		m = ptx_parse((const char *)text, length, &oldest);
	struct checked k = {.file = file, .ptx = ptx, .text = (const char *)text};
	struct wl_object *o = NULL;
	bool good = false;
	if (!text)
		fprintf(stderr, "wlobjdump: cannot read %s\n", why);
	else if (!m)
		fprintf(stderr, "wlobjdump: %s: not PTX that can be judged\n", ptx);
	else if (wl_object_open(elf, size, &o, why, sizeof why) != WL_OK)
		fprintf(stderr, "wlobjdump: %s: %s\n", file, why);
	else
		good = check_object(&k, o, m, entry);
	wl_object_close(o);
	if (m)
		ptx_module_free(m);
	free(text);
	return good;
}
