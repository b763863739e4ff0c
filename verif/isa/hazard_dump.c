// SPDX-License-Identifier: Apache-2.0
/* hazard_dump.c -- the code of objects, one line for each word, for scripts that measure or compare: address,
 * scheduling fields, pipe, registers, text. verif/isa/measure_latency explains the columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/hazard.h"
#include "warplock/object.h"

static void print_operand(const struct wl_operand *o, unsigned word)
{
	char name[8];
	printf(" %c%s%s",
	       o->write   ? 'w'
	       : o->guard ? 'g'
	       : o->late  ? 'l'
	                  : 'r',
	       wl_slot_name(o->slot + word, name), word ? "+" : "");
}

static void print_word(enum wl_arch arch, struct wl_word w, uint32_t at)
{
	struct wl_sched s = wl_word_sched(w);
	struct wl_access a;
	char text[256];
	printf("%x|%u %u %u %u %u|", at, s.stall, s.yield, s.wrbar, s.rdbar, s.wait);
	if (!wl_access_of(arch, w, &a)) {
		puts("?||?");
		return;
	}
	struct wl_timing t = a.timing;
	printf("%s %d %d %d|", wl_pipe_name(t.pipe), t.variable, t.results, t.operands);
	for (unsigned i = 0; i < a.n; i++)
		for (unsigned k = 0; k < a.op[i].words; k++)
			print_operand(&a.op[i], k);
	wl_print(arch, w, at, text, sizeof text);
	printf("|%s\n", text);
}

struct section {
	enum wl_arch arch;
	const unsigned char *bytes;
};

static struct wl_timing describe(const struct section *s, uint32_t pc, char *text, size_t n)
{
	struct wl_word w;
	struct wl_access a;
	memcpy(&w, s->bytes + 16 * (size_t)pc, 16);
	wl_print(s->arch, w, 16 * pc, text, n);
	wl_access_of(s->arch, w, &a);
	return a.timing;
}

static void print_pair(void *self, const struct wl_hazard *h)
{
	static const char *const file[] = {"R", "UR", "P", "UP", "B"}, *const use[] = {"read", "late", "guard",
	                                                                               "write"};
	struct section *s = self;
	char from[256], to[256];
	struct wl_timing a = describe(s, h->producer, from, sizeof from), b = describe(s, h->consumer, to, sizeof to);

	printf("%d %s %s %d %s %s %u\t%s\t%s\n", (int)s->arch, wl_pipe_name(a.pipe), file[wl_slot_file(h->slot)],
	       h->high, use[h->use], wl_pipe_name(b.pipe), h->cycles, from, to);
}

static bool print_object(const unsigned char *data, size_t size, bool pairs, char *why, size_t whyn)
{
	struct wl_object *o;
	struct wl_code c;
	if (wl_object_open(data, size, &o, why, whyn) != WL_OK)
		return false;
	for (uint32_t i = 0; wl_object_code(o, i, &c); i++) {
		if (pairs) {
			struct section s = {wl_object_arch(o), c.bytes};

			uint32_t nways;
			struct wl_way *ways = wl_object_ways(o, c.name, &nways);

			wl_hazard_pairs(wl_object_chip(o), c.bytes, c.nwords, ways, nways, print_pair, &s);
			free(ways);
			continue;
		}
		printf("K %s %d\n", c.name, (int)wl_object_arch(o));
		for (uint32_t k = 0; k < c.nwords; k++) {
			struct wl_word w;
			memcpy(&w, c.bytes + 16 * (size_t)k, 16);
			print_word(wl_object_arch(o), w, 16 * k);
		}
	}
	wl_object_close(o);
	return true;
}

int main(int argc, char **argv)
{
	int status = argc < 2 ? 2 : 0;
	bool pairs = argc > 1 && !strcmp(argv[1], "--pairs");
	for (int i = 1 + pairs; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		unsigned char *data = NULL;
		size_t size = 0, n;
		char why[256] = "cannot read";
		for (; f; size += n) {
			data = realloc(data, size + 65536);
			if (!data || !(n = fread(data + size, 1, 65536, f)))
				break;
		}
		if (!pairs)
			printf("F %s\n", argv[i]);
		if (!f || !print_object(data, size, pairs, why, sizeof why)) {
			fprintf(stderr, "hazard_dump: %s: %s\n", argv[i], why);
			status = 1;
		}
		if (f)
			fclose(f);
		free(data);
	}
	return status;
}
