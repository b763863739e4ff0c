// SPDX-License-Identifier: Apache-2.0
/* wlobjdump -- words and objects to text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"
#include "file.h"
#include "hazards.h"
#include "image_chip.h"
#include "listing.h"
#include "option.h"
#include "orders.h"
#include "output.h"
#include "progress.h"
#include "ptx_chip.h"
#include "tool.h"
#include "warplock/spa50.h"
#include "warplock/object.h"

static const char usage[] =
        "usage: wlobjdump [--entry NAME] [--raw] [--no-lines] [--sync-classes] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump --check-hazards [--entry NAME] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump --check-orders --ptx FILE.ptx [--entry NAME] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump [-arch=sm_N] [--raw] [--sync-classes] --words [file]\n"
        "  file         print kernels and functions: resources, attributes (.nv.info), code, relocations, source "
        "lines;\n"
        "               then variables and constants. Of a fat binary or a host file, the cubin for -arch\n"
        "  --entry NAME print this kernel or function alone\n"
        "  --raw        add hidden bits to the text: {raw: 105:125=0xf1} are bits 105 to 125 of the word (scheduling,\n"
        "               ignored bits); wlas makes the same word of the text\n"
        "  --no-lines   leave source lines out\n"
        "  --sync-classes  behind each instruction that synchronises, print its class and its mask of resources\n"
        "               (docs/sync-layer.md)\n"
        "  --check-hazards  prove for every path that stall counts and scoreboards separate instructions on the same\n"
        "               register (docs/hazards.md); a line for each finding, status 1\n"
        "  --check-orders   prove for every path that the code keeps the memory orders of the PTX (--ptx): strength,\n"
        "               scope, fences (docs/orders.md); a line for each finding, status 1\n"
        "  --words      read a 32-digit hex word per line (default: standard input), print the text at address 0;\n"
        "               for an unknown word print an empty line, and the reason on standard error\n"
        "  --quiet      no line about how long the work lasts (a terminal alone shows the line, after 3 seconds)\n"
        "  -arch=sm_N   chip (" WL_DEFAULT_CHIP_RULE ";\n"
        "               a fat binary names the first with the kernel, words name none). One of\n"
        "               " WL_CHIP_NAMES "\n"
        "  -arch=spa50  of words: print ATOMS as SPA 5.0 text, refuse other words\n"
        "Options may have one dash or two; a value follows = or is the next word.\n"
        "Exit status: 0 done, 1 something was refused, 2 misuse.\n";

/* The word of a line, with blanks around it and an optional 0x. */
static bool line_word(char *line, struct wl_word *w)
{
	line += strspn(line, " \t");
	line[strcspn(line, " \t\r\n")] = 0;
	if (!strncmp(line, "0x", 2))
		line += 2;
	return wl_word_parse(line, w);
}

struct words {
	enum wl_arch arch;
	bool spa50, raw, classes;
	int status;
};

static void print_word(void *self, const char *name, unsigned no, char *line)
{
	struct words *words = self;
	struct wl_word w;
	char text[512] = "", class[64] = "", why[200];
	if (!line_word(line, &w)) {
		fprintf(stderr, "%s:%u: \"%.40s\" is no word (expected 32 hex digits)\n", name, no, line);
		words->status = EXIT_BAD;
	} else if (words->spa50) {
		if (wl_spa50_print(w, text, sizeof text, why, sizeof why) < 0) {
			fprintf(stderr, "%s:%u: %016llx%016llx: %s\n", name, no, (unsigned long long)w.hi,
			        (unsigned long long)w.lo, why);
			words->status = EXIT_BAD;
		}
	} else if ((words->raw ? wl_print_raw : wl_print)(words->arch, w, 0, text, sizeof text) < 0) {
		fprintf(stderr, "%s:%u: %016llx%016llx is no instruction of sm_%d\n", name, no,
		        (unsigned long long)w.hi, (unsigned long long)w.lo, (int)words->arch);
		words->status = EXIT_BAD;
	} else if (words->classes) {
		listing_class(words->arch, w, class, sizeof class);
	}
	printf("%s%s\n", text, class);
}

/* A line on standard error, and the exit status. */
static int refuse(const char *file, const char *why)
{
	fprintf(stderr, "wlobjdump: %s: %s\n", file, why);
	return EXIT_BAD;
}

/* The words of the image belong to another architecture than the chip of -arch. */
static bool is_of_other_chip(const struct wl_image *image, const char *entry, unsigned chip, char *why, size_t n)
{
	const unsigned is = image_chip(image->data, image->size, entry);
	const bool other = image->kind == WL_IMAGE_CUBIN && is && wl_arch_of_chip(is) != wl_arch_of_chip(chip);
	if (other)
		snprintf(why, n, "the program is for sm_%u, expected sm_%u (-arch)", is, chip);
	return other;
}

static int list_object(const struct listing *l, unsigned chip, bool hazards, const char *ptx)
{
	char why[256];
	size_t size;
	unsigned char *data = file_read(l->file, &size, why, sizeof why);
	struct wl_image image;
	int status;
	if (!data) {
		fprintf(stderr, "wlobjdump: cannot read %s\n", why);
		return EXIT_BAD;
	}
	if (!chip)
		chip = image_chip(data, size, l->entry);
	if (!chip)
		chip = WL_DEFAULT_CHIP;
	if (wl_image_find(data, size, chip, l->entry, &image, why, sizeof why) != WL_OK)
		status = refuse(l->file, why);
	else if (is_of_other_chip(&image, l->entry, chip, why, sizeof why))
		status = refuse(l->file, why);
	else if (image.kind == WL_IMAGE_PTX)
		status = refuse(l->file, "fat binary holds PTX for this architecture, but no cubin");
	else if (hazards)
		status = !hazards_check(l->file, image.data, image.size, l->entry);
	else if (ptx)
		status = !check_orders(l->file, image.data, image.size, l->entry, ptx);
	else
		status = !listing_print(l, image.data, image.size);
	wl_image_free(&image);
	free(data);
	return status;
}

struct arguments {
	struct listing l;
	unsigned chip; /* 0: not given */
	bool words, spa50, hazards, orders, quiet;
	const char *ptx;
};

static int misuse(const char *what, const char *word)
{
	fprintf(stderr, "wlobjdump: %s%s%s%s; wlobjdump --help tells the usage\n", what, word ? " '" : "",
	        word ? word : "", word ? "'" : "");
	return EXIT_MISUSE;
}

static int take_arch(struct arguments *a, const char *value)
{
	a->spa50 = !strcmp(value, "spa50");
	a->chip = a->spa50 ? WL_SM75 : wl_chip_parse(value, NULL);
	return a->chip ? EXIT_GOOD : misuse("option '-arch': expected one of " WL_CHIP_NAMES ", spa50, found", value);
}

/* A word of the command line. */
static int take(struct arguments *a, char **argv, int *i)
{
	const char *word = argv[*i], *value = "";
	if (option_takes(argv, i, "arch", &value))
		return value ? take_arch(a, value) : misuse("option needs a value:", word);
	if (option_takes(argv, i, "entry", &value))
		a->l.entry = value;
	else if (option_takes(argv, i, "ptx", &value))
		a->ptx = value;
	else if (option_is(word, "raw"))
		a->l.raw = true;
	else if (option_is(word, "no-lines"))
		a->l.lines = false;
	else if (option_is(word, "sync-classes"))
		a->l.classes = true;
	else if (option_is(word, "check-hazards"))
		a->hazards = true;
	else if (option_is(word, "check-orders"))
		a->orders = true;
	else if (option_is(word, "words"))
		a->words = true;
	else if (option_is(word, "quiet"))
		a->quiet = true;
	else if (word[0] == '-' && word[1])
		return misuse("unknown option", word);
	else if (a->l.file)
		return misuse("one file expected, found also", word);
	else
		a->l.file = word;
	return value ? EXIT_GOOD : misuse("option needs a value:", word);
}

static int check(const struct arguments *a)
{
	if (!a->words && !a->l.file)
		return misuse("a file or --words expected", NULL);
	if (a->spa50 && (!a->words || a->l.raw || a->l.classes))
		return misuse("-arch=spa50 goes with --words only, without --raw and --sync-classes", NULL);
	if (a->words && (a->l.entry || !a->l.lines || a->hazards))
		return misuse("--entry, --no-lines and --check-hazards are for objects, found --words", NULL);
	if ((a->hazards || a->orders) && (a->l.raw || !a->l.lines || a->l.classes))
		return misuse("--check-hazards and --check-orders print no list: no --raw, --no-lines, --sync-classes",
		              NULL);
	if (a->orders != (a->ptx != NULL) || (a->orders && (a->words || a->hazards)))
		return misuse("--check-orders goes with --ptx FILE.ptx, and with no other check", NULL);
	return EXIT_GOOD;
}

int main(int argc, char **argv)
{
	struct arguments a = {.l = {.lines = true}};
	int status;
	output_guard("wlobjdump");
	for (int i = 1; i < argc; i++) {
		if (option_is(argv[i], "help") || !strcmp(argv[i], "-h")) {
			fputs(usage, stdout);
			return EXIT_GOOD;
		}
		if (option_is(argv[i], "version")) {
			puts("wlobjdump (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		}
		status = take(&a, argv, &i);
		if (status != EXIT_GOOD)
			return status;
	}
	if (check(&a) != EXIT_GOOD)
		return EXIT_MISUSE;
	if (!a.words) {
		struct progress line;
		const bool lists = isatty(STDOUT_FILENO) && !a.hazards && !a.orders; /* the list shows how far */
		progress_start(&line, a.l.file, NULL, a.quiet || lists);
		progress_watch(&line, NULL, NULL);
		status = list_object(&a.l, a.chip, a.hazards, a.ptx);
		progress_end(&line);
		return status;
	}
	struct words all = {.arch = a.chip ? wl_arch_of_chip(a.chip) : (enum wl_arch)WL_DEFAULT_CHIP,
	                    .spa50 = a.spa50,
	                    .raw = a.l.raw,
	                    .classes = a.l.classes};
	return tool_each_line("wlobjdump", a.l.file, print_word, &all) ? all.status : 1;
}
