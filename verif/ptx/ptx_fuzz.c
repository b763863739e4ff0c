// SPDX-License-Identifier: Apache-2.0
/* ptx_fuzz.c -- the PTX front end on texts without a meaning.
 *
 * Two programs in one file. With libFuzzer (clang -fsanitize=fuzzer) libFuzzer calls LLVMFuzzerTestOneInput. Without
 * libFuzzer, ptx_fuzz SECONDS SEED FILE...   mutates the files and parses the result, until the time is over. A parsed
 * tree is printed and parsed again: the second parse must succeed, and the second print must be the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/rng.h"
#include "../../compiler/ptx/ptx.h"

static void ignore(void *self, const struct wlcc_message *m)
{
	(void)self, (void)m;
}

static void last_message(void *self, const struct wlcc_message *m)
{
	snprintf(self, 256, "line %u: %.200s", m->line, m->text);
}

static char *printed(const struct ptx_module *m, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);
	if (f == NULL || !ptx_print(m, f) || fclose(f) != 0)
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[256] = "";
	struct ptx_options o = {.file = "fuzz.ptx", .diag = ignore},
	                   again = {.file = "printed.ptx", .diag = last_message, .diag_self = why};
	struct ptx_module *m = ptx_parse((const char *)data, size, &o);
	if (m == NULL)
		return 0;
	size_t n1, n2;
	char *once = printed(m, &n1);
	ptx_module_free(m);
	m = ptx_parse(once, n1, &again);
	if (m == NULL) {
		fprintf(stderr, "the printed text is refused: %s\n%s", why, once);
		abort();
	}
	char *twice = printed(m, &n2);
	if (n1 != n2 || memcmp(once, twice, n1) != 0) {
		fprintf(stderr, "printing is not stable:\n%s\n----\n%s", once, twice);
		abort();
	}
	ptx_module_free(m);
	free(once);
	free(twice);
	return 0;
}

#ifndef PTX_LIBFUZZER
enum { MAX_SEEDS = 256, MAX_SIZE = 1 << 16 };

static struct rng rng;

static uint32_t rnd(uint64_t below)
{
	return below ? rng_below(&rng, (uint32_t)below) : 0;
}

struct seed {
	char *text;
	size_t size;
};

static struct seed read_seed(const char *name)
{
	struct seed s = {malloc(MAX_SIZE), 0};
	FILE *f = fopen(name, "rb");
	if (f == NULL || s.text == NULL)
		return perror(name), exit(2), s;
	s.size = fread(s.text, 1, MAX_SIZE, f);
	fclose(f);
	return s;
}

/* The word or mark at a random place of a seed. */
static size_t piece(const struct seed *s, const char **from)
{
	size_t at = rnd(s->size), end = at;
	while (at > 0 && strchr(" \t\n,;", s->text[at - 1]) == NULL)
		at--;
	while (end < s->size && strchr(" \t\n,;", s->text[end]) == NULL)
		end++;
	*from = s->text + at;
	return end - at > 64 ? 64 : end - at;
}

static size_t replace(char *text, size_t size, size_t at, size_t cut, const char *with, size_t n)
{
	if (at > size)
		at = size;
	if (cut > size - at)
		cut = size - at;
	if (size - cut + n > 2 * MAX_SIZE)
		return size;
	memmove(text + at + n, text + at + cut, size - at - cut);
	memcpy(text + at, with, n);
	return size - cut + n;
}

/* One change: a word of a seed in place of a word here, a cut, a doubled piece, a changed byte. */
static size_t mutate(char *text, size_t size, const struct seed *seeds, unsigned nseeds)
{
	struct seed here = {text, size};
	const char *from, *old;
	char copy[64], byte;
	size_t n, cut;
	if (size == 0)
		return 0;
	switch (rnd(6)) {
	case 0:
	case 1:
	case 2:
		n = piece(&seeds[rnd(nseeds)], &from);
		memcpy(copy, from, n);
		cut = piece(&here, &old);
		return replace(text, size, (size_t)(old - text), cut, copy, n);
	case 3:
		return replace(text, size, rnd(size), rnd(40), "", 0);
	case 4:
		n = piece(&here, &from);
		memcpy(copy, from, n);
		return replace(text, size, rnd(size), 0, copy, n);
	default:
		byte = ";{}[]()<>.,:%@!_|-+*/\"09\n\r \377"[rnd(27)];
		return replace(text, size, rnd(size), 1, &byte, 1);
	}
}

int main(int argc, char **argv)
{
	static struct seed seeds[MAX_SEEDS];
	unsigned nseeds = 0;
	unsigned long rounds = 0;
	if (argc < 4)
		return fprintf(stderr, "usage: ptx_fuzz SECONDS SEED FILE...\n"), 2;
	time_t end = time(NULL) + atoi(argv[1]);
	rng = rng_seed(strtoull(argv[2], NULL, 0), 0);
	for (int i = 3; i < argc && nseeds < MAX_SEEDS; i++) {
		seeds[nseeds++] = read_seed(argv[i]);
		LLVMFuzzerTestOneInput((const uint8_t *)seeds[nseeds - 1].text, seeds[nseeds - 1].size);
	}
	char *work = malloc(3 * MAX_SIZE);
	for (; time(NULL) < end; rounds++) {
		const struct seed *s = &seeds[rnd(nseeds)];
		size_t size = s->size;
		memcpy(work, s->text, size);
		for (uint64_t k = 1 + rnd(4); k > 0; k--)
			size = mutate(work, size, seeds, nseeds);
		char *exact = malloc(size ? size : 1); /* shows a read behind the end to a sanitizer */
		memcpy(exact, work, size);
		LLVMFuzzerTestOneInput((const uint8_t *)exact, size);
		free(exact);
	}
	free(work);
	for (unsigned i = 0; i < nseeds; i++)
		free(seeds[i].text);
	printf("%lu texts, seed %s\n1 passed, 0 failed\n", rounds, argv[2]);
	return 0;
}
#endif
