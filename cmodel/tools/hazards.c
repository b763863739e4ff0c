// SPDX-License-Identifier: Apache-2.0
/* hazards.c -- wlobjdump --check-hazards: the findings of wl_hazard_check as lines. */
#include "hazards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/hazard.h"
#include "warplock/object.h"

enum { WORD_BYTES = 16 };

struct section {
	const char *file;
	enum wl_arch arch;
	struct wl_code code;
};

static void print_text(const struct section *s, uint32_t pc)
{
	struct wl_word w;
	char text[256];
	memcpy(&w, s->code.bytes + WORD_BYTES * (size_t)pc, sizeof w);
	if (wl_print(s->arch, w, WORD_BYTES * (uint64_t)pc, text, sizeof text) < 0)
		snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
	printf("`%s` at 0x%04x", text, WORD_BYTES * pc);
}

static void print_finding(void *self, const struct wl_hazard *h)
{
	const struct section *s = self;
	char what[128];
	wl_hazard_text(h, what, sizeof what);
	printf("%s: %s: ", s->file, s->code.name);
	print_text(s, h->consumer);
	printf(": %s", what);
	if (h->producer != h->consumer) {
		printf("; result of ");
		print_text(s, h->producer);
	}
	puts("");
}

bool hazards_check(const char *file, const unsigned char *elf, size_t size, const char *entry)
{
	struct section s = {.file = file};
	struct wl_object *o;
	char why[256];
	int findings = 0, sections = 0;
	uint64_t words = 0;
	if (wl_object_open(elf, size, &o, why, sizeof why) != WL_OK) {
		fprintf(stderr, "wlobjdump: %s: %s\n", file, why);
		return false;
	}
	s.arch = wl_object_arch(o);
	for (uint32_t i = 0; findings >= 0 && wl_object_code(o, i, &s.code); i++) {
		int n;
		if (entry && strcmp(entry, s.code.name) != 0)
			continue;
		uint32_t nways;
		struct wl_way *ways = wl_object_ways(o, s.code.name, &nways);

		n = wl_hazard_check(wl_object_chip(o), s.code.bytes, s.code.nwords, ways, nways, print_finding, &s);
		free(ways);
		findings = n < 0 ? n : findings + n;
		sections++;
		words += s.code.nwords;
	}
	wl_object_close(o);
	if (findings < 0 || (entry && !sections)) {
		fprintf(stderr, "wlobjdump: %s: %s\n", file, findings < 0 ? "out of memory" : "no code of that name");
		return false;
	}
	printf("%s: %d kernels and functions, %llu words, %d findings\n", file, sections, (unsigned long long)words,
	       findings);
	return findings == 0;
}
