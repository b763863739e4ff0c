// SPDX-License-Identifier: Apache-2.0
/* wlobjdump -- words and objects to text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "file.h"
#include "hazards.h"
#include "listing.h"
#include "orders.h"
#include "tool.h"
#include "warplock/spa50.h"
#include "warplock/object.h"

static const char usage[] =
        "usage: wlobjdump [--entry NAME] [--raw] [--no-lines] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump --check-hazards [--entry NAME] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump --check-orders --ptx FILE.ptx [--entry NAME] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump [-arch=sm_75] [--raw] --words [file]\n"
        "  file         kernels and functions of an object: resources, attributes (.nv.info), code with relocations "
        "and\n"
        "               source lines, as they stand there; then sections of variables and constants; of a fat binary, "
        "or\n"
        "               a host file that carries some, those of the cubin for -arch\n"
        "  --entry NAME that kernel or function alone\n"
        "  --raw        texts with the bits that they do not show: {raw: 105:125=0xf1} are bits 105 to 125 of the "
        "word\n"
        "               (scheduling, and what the disassembler ignores), so that wlas makes the same word of the text\n"
        "  --no-lines   without source lines\n"
        "  --check-hazards  prove over every path of the code that stall counts and scoreboards keep the instructions\n"
        "               apart that touch one register (docs/hazards.md); a line for each finding, status 1\n"
        "  --check-orders  prove over every path that the code keeps the orders that its PTX (--ptx) asks for: "
        "strength and\n"
        "               scope of accesses, fences before and behind them (docs/orders.md); a line for each finding, "
        "status "
        "1\n"
        "  --words      read one 32-digit hex word per line (standard input without a file), print its text at address "
        "0;\n"
        "               an empty line for a word that no encoding matches, the reason on standard error\n"
        "  -arch=sm_N   of words and fat binaries: one of " WL_ARCH_NAMES "; the first by default\n"
        "  -arch=spa50  of words: sm_75 words of ATOMS as text of the SPA 5.0 dialect, others refused\n"
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
	bool spa50, raw;
	int status;
};

static void print_word(void *self, const char *name, unsigned no, char *line)
{
	struct words *words = self;
	struct wl_word w;
	char text[512] = "", why[200];
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
	}
	puts(text);
}

/* A line on standard error, and the exit status. */
static int refuse(const char *file, const char *why)
{
	fprintf(stderr, "wlobjdump: %s: %s\n", file, why);
	return EXIT_BAD;
}

static int list_object(const struct listing *l, enum wl_arch arch, bool hazards, const char *ptx)
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
	if (wl_image_find(data, size, arch, l->entry, &image, why, sizeof why) != WL_OK)
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

int main(int argc, char **argv)
{
	enum wl_arch arch = WL_SM75;
	bool words = false, spa50 = false, hazards = false, orders = false;
	const char *ptx = NULL;
	struct listing l = {.lines = true};
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
			fputs(usage, stdout);
			return EXIT_GOOD;
		} else if (!strcmp(a, "--version")) {
			puts("wlobjdump (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		} else if (!strncmp(a, "-arch=", 6)) {
			spa50 = !strcmp(a + 6, "spa50");
			arch = spa50 ? WL_SM75 : wl_arch_parse(a + 6, NULL);
			if (!arch) {
				fprintf(stderr,
				        "wlobjdump: architecture \"%s\" (expected one of " WL_ARCH_NAMES ", spa50)\n",
				        a + 6);
				return EXIT_MISUSE;
			}
		} else if (!strcmp(a, "--entry") && i + 1 < argc) {
			l.entry = argv[++i];
		} else if (!strcmp(a, "--raw")) {
			l.raw = true;
		} else if (!strcmp(a, "--no-lines")) {
			l.lines = false;
		} else if (!strcmp(a, "--check-hazards")) {
			hazards = true;
		} else if (!strcmp(a, "--check-orders")) {
			orders = true;
		} else if (!strcmp(a, "--ptx") && i + 1 < argc) {
			ptx = argv[++i];
		} else if (!strcmp(a, "--words")) {
			words = true;
		} else if (a[0] == '-' && a[1]) {
			fprintf(stderr, "wlobjdump: unknown option \"%s\"\n%s", a, usage);
			return EXIT_MISUSE;
		} else if (l.file) {
			fprintf(stderr, "wlobjdump: one file expected\n%s", usage);
			return EXIT_MISUSE;
		} else {
			l.file = a;
		}
	}
	if (!words && !l.file) {
		fprintf(stderr, "wlobjdump: a file or --words expected\n%s", usage);
		return EXIT_MISUSE;
	}
	if (spa50 && (!words || l.raw)) {
		fputs("wlobjdump: -arch=spa50 goes with --words only, without --raw\n", stderr);
		return EXIT_MISUSE;
	}
	if (orders != (ptx != NULL) || (orders && (words || hazards))) {
		fputs("wlobjdump: --check-orders goes with --ptx FILE.ptx, and with no other check\n", stderr);
		return EXIT_MISUSE;
	}
	if (!words)
		return list_object(&l, arch, hazards, ptx);
	struct words all = {.arch = arch, .spa50 = spa50, .raw = l.raw};
	return tool_each_line("wlobjdump", l.file, print_word, &all) ? all.status : 1;
}
