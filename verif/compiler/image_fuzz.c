// SPDX-License-Identifier: Apache-2.0
/* image_fuzz.c -- mutated cubins, fat binaries and host files with fat binaries, through every reader of images. Each
 * mutant is loaded, or refused in one line. Made for a build with sanitizers: a sanitizer sees a read beyond the file.
 *
 *   wlcc_image_fuzz COUNT SEED FILE...     COUNT mutants in all, the files in turn */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "warplock/object.h"

struct file {
	const char *name;
	unsigned char *data;
	size_t size;
};

struct counts {
	unsigned long loaded, refused;
};

/* The current trial: kernels are loaded one by one. */
struct trial {
	const struct wl_image *image;
	struct counts *counts;
	bool good;
};

static bool complain(const char *what, const char *text)
{
	printf("%s: '%s'\n", what, text);
	return false;
}

static bool check_refusal(struct counts *c, const char *why)
{
	c->refused++;
	return (why[0] && !strchr(why, '\n')) || complain("not one line", why);
}

static bool check_program(const struct wl_program *p, const char *kernel)
{
	char text[256];
	if (!p->ninst || p->param_base + (uint64_t)p->param_bytes > WL_CB0_MOST)
		return complain("no sense in the program of", kernel);
	for (uint32_t i = 0; i < p->nparams; i++)
		if ((uint64_t)p->params[i].offset + p->params[i].size > p->param_bytes)
			return complain("a parameter outside", kernel);
	for (uint32_t i = 0; i < p->nfunctions; i++)
		if (p->functions[i].first >= p->ninst || p->functions[i].count > p->ninst - p->functions[i].first)
			return complain("a function outside", kernel);
	for (uint32_t i = 0; i < p->ninst; i++)
		wl_print(p->arch, p->words[i], 16 * (uint64_t)i, text, sizeof text);
	return true;
}

static void try_kernel(void *self, const char *kernel)
{
	struct trial *t = self;
	struct wl_program p;
	char why[200] = "";
	if (wl_object_load(t->image->data, t->image->size, kernel, &p, why, sizeof why) != WL_OK) {
		t->good &= check_refusal(t->counts, why);
		return;
	}
	t->counts->loaded++;
	t->good &= check_program(&p, kernel);
	wl_program_free(&p);
}

static void ignore_text(void *self, const char *text)
{
	*(size_t *)self += strlen(text);
}

static void ignore_relocation(void *self, uint64_t offset, const char *text)
{
	*(size_t *)self += strlen(text) + (offset & 1);
}

static void ignore_section(void *self, uint32_t section, const char *name, uint64_t bytes)
{
	(void)section;
	*(size_t *)self += strlen(name) + (bytes & 1);
}

static void ignore_label(void *self, uint32_t section, uint64_t offset, const char *name)
{
	(void)section;
	*(size_t *)self += strlen(name) + (offset & 1);
}

static volatile size_t listed; /* keeps the compiler from dropping unused parts */

/* The reads of wlobjdump. */
static bool try_listing(const struct wl_image *image)
{
	struct wl_object *o;
	struct wl_lines *lines;
	struct wl_code code;
	struct wl_program p;
	char why[300] = "";
	struct wl_place places[8];
	size_t sum = 0;
	bool good = true;
	if (wl_object_open(image->data, image->size, &o, why, sizeof why) != WL_OK)
		return true; /* already reported */
	lines = wl_lines_open(o);
	wl_object_labels(o, ignore_label, &sum);
	wl_object_sections(o, ignore_section, &sum);
	for (uint32_t i = 0; wl_object_code(o, i, &code); i++) {
		for (uint32_t k = 0; k < code.nwords; k++)
			sum += code.bytes[16 * (size_t)k] +
			       wl_lines_find(lines, code.section, 16 * (uint64_t)k, places, 8);
		wl_object_relocations(o, code.section, ignore_relocation, &sum);
		if (wl_object_resources(o, &code, &p, why, sizeof why) != WL_OK ||
		    wl_object_attributes(o, code.name, ignore_text, &sum, why, sizeof why) != WL_OK)
			good &= (why[0] && !strchr(why, '\n')) || complain("not one line", why);
	}
	wl_object_attributes(o, NULL, ignore_text, &sum, why, sizeof why);
	wl_lines_close(lines);
	wl_object_close(o);
	listed = sum;
	return good;
}

static bool try_bytes(const unsigned char *data, size_t size, enum wl_arch arch, const char *entry, struct counts *c)
{
	struct wl_image image;
	struct trial t = {.image = &image, .counts = c, .good = true};
	char why[200] = "";
	if (wl_image_find(data, size, arch, entry, &image, why, sizeof why) != WL_OK)
		return check_refusal(c, why);
	if (!image.owned && (image.size > size || image.data < data || image.data > data + (size - image.size)))
		return complain("image outside of", "the file");
	if (image.kind == WL_IMAGE_PTX)
		c->loaded++;
	else if (wl_object_kernels(image.data, image.size, try_kernel, &t, why, sizeof why) != WL_OK)
		t.good &= check_refusal(c, why);
	else
		t.good &= try_listing(&image);
	wl_image_free(&image);
	return t.good;
}

/* Picks a place. Heads of containers, images and ELF files come first, section headers last: hit more often. */
static size_t place(struct rng *rng, size_t size)
{
	switch (rng_below(rng, 4)) {
	case 0:
		return rng_below(rng, size < 256 ? size : 256);
	case 1:
		return size - 1 - rng_below(rng, size / 3 + 1);
	default:
		return rng_below(rng, size);
	}
}

/* Replaces a number of 1 to 8 bytes, at a multiple of its size, by a bound, or changes the number a little. */
static void change_number(struct rng *rng, unsigned char *data, size_t size)
{
	size_t bytes = (size_t)1 << rng_below(rng, 4), at = place(rng, size) / bytes * bytes;
	uint64_t v = 0, bounds[] = {0, 1, UINT64_MAX, INT64_MAX, UINT32_MAX, INT32_MAX, size, size - 1, size - at, 64};
	if (at + bytes > size)
		return;
	memcpy(&v, data + at, bytes);
	if (rng_below(rng, 2))
		v += rng_below(rng, 33) - UINT64_C(16);
	else
		v = bounds[rng_below(rng, sizeof bounds / sizeof *bounds)];
	memcpy(data + at, &v, bytes);
}

/* Returns the new size. */
static size_t mutate(struct rng *rng, unsigned char *data, size_t size)
{
	size_t from, to, n;
	switch (rng_below(rng, 8)) {
	case 0:
		return rng_below(rng, size);
	case 1:
		from = rng_below(rng, size);
		to = rng_below(rng, size);
		n = rng_below(rng, size - (from > to ? from : to)) % 256;
		memmove(data + to, data + from, n);
		return size;
	case 2:
	case 3:
		for (n = 1 + rng_below(rng, 4); n; n--)
			data[place(rng, size)] ^= (unsigned char)(1 << rng_below(rng, 8));
		return size;
	default:
		for (n = 1 + rng_below(rng, 3); n; n--)
			change_number(rng, data, size);
		return size;
	}
}

static bool read_file(struct file *f, const char *name)
{
	FILE *in = fopen(name, "rb");
	long size;
	bool ok = in && fseek(in, 0, SEEK_END) == 0 && (size = ftell(in)) > 0 && fseek(in, 0, SEEK_SET) == 0 &&
	          (f->data = malloc(f->size = (size_t)size)) && fread(f->data, 1, f->size, in) == f->size;

	if (in)
		fclose(in);
	f->name = name;
	return ok || complain("cannot read", name);
}

/* A compressed cubin in a fat binary becomes a separate file: mutants behind the compression reach the loader.
 * Returns the number of files added. */
static unsigned unpack(struct file *f, struct file *out)
{
	static const enum wl_arch archs[] = {WL_SM75, WL_SM90};
	unsigned n = 0;
	for (unsigned i = 0; i < 2; i++) {
		struct wl_image image;
		char why[200];
		if (wl_image_find(f->data, f->size, archs[i], NULL, &image, why, sizeof why) != WL_OK)
			continue;
		if (image.owned && image.kind == WL_IMAGE_CUBIN) {
			out[n++] = (struct file){f->name, image.owned, image.size};
			image.owned = NULL;
		}
		wl_image_free(&image);
	}
	return n;
}

/* Uses a buffer of exactly the file's size, so that the sanitizer sees a read behind the end. */
static bool try_mutant(const struct file *f, uint64_t seed, struct counts *c)
{
	static const char *const entries[] = {NULL, "first", "second", "letter_hist", "globals", "far_calls"};
	struct rng rng = rng_seed(seed, 0);
	unsigned char *work = malloc(f->size), *exact;
	size_t size;
	bool good;
	if (!work)
		return complain("no memory for", f->name);
	memcpy(work, f->data, f->size);
	size = mutate(&rng, work, f->size);
	exact = malloc(size ? size : 1);
	if (exact)
		memcpy(exact, work, size);
	good = exact && try_bytes(exact, size, rng_below(&rng, 8) ? WL_SM75 : WL_SM90, entries[rng_below(&rng, 6)], c);
	free(exact);
	free(work);
	return good;
}

int main(int argc, char **argv)
{
	struct counts counts = {0, 0};
	unsigned long count, bad = 0;
	uint64_t seed;
	unsigned nfiles = argc > 3 ? (unsigned)argc - 3 : 0;
	struct file *files = calloc(3 * (size_t)nfiles + 1, sizeof *files);
	if (!nfiles || !files) {
		fputs("usage: wlcc_image_fuzz COUNT SEED FILE...\n", stderr);
		return 2;
	}
	count = strtoul(argv[1], NULL, 0);
	seed = strtoull(argv[2], NULL, 0);
	for (unsigned i = 0; i < nfiles; i++)
		if (!read_file(&files[i], argv[i + 3]))
			return 1;
	for (unsigned i = 0, given = nfiles; i < given; i++)
		nfiles += unpack(&files[i], &files[nfiles]);
	for (unsigned long i = 0; i < count; i++)
		if (!try_mutant(&files[i % nfiles], seed + i, &counts)) {
			printf("mutant %lu of %s\n", i, files[i % nfiles].name);
			bad++;
		}
	printf("kernels and PTX loaded: %lu, refused: %lu\n%lu passed, %lu failed\n", counts.loaded, counts.refused,
	       count - bad, bad);
	for (unsigned i = 0; i < nfiles; i++)
		free(files[i].data);
	free(files);
	/* all mutants refused, or none, would test little */
	return bad || counts.loaded < count / 20 || counts.refused < count / 20;
}
