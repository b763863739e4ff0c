// SPDX-License-Identifier: Apache-2.0
/* wlas -- text to words, and hand-written kernels to objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmodel/tools/exit_code.h"
#include "../cmodel/tools/file.h"
#include "../cmodel/tools/tool.h"
#include "asm_source.h"
#include "warplock/isa.h"
#include "warplock/spa50.h"

static const char usage[] =
        "usage: wlas [-arch=sm_75] [-o out.wlo] in.s\n"
        "       wlas [-arch=sm_75] --words [file]\n"
        "  in.s         .entry NAME, .param BYTES, .shared BYTES, .local BYTES, LABEL:, one "
        "instruction a line, // comments\n"
        "  -o FILE      the object; without it in.wlo\n"
        "  --words      read one instruction per line (standard input without a file), print its "
        "word at address 0 as 32 hex\n"
        "               digits; an empty line for what is refused, the reason on standard error\n"
        "  Lines of in.s and of --words may have the suffix of wlobjdump --raw: ATOMS.ADD RZ, [R3], R4 {raw: "
        "105:125=0xf1}\n"
        "  -arch=sm_N   one of " WL_ARCH_NAMES "; the first by default\n"
        "  -arch=spa50  the SPA 5.0 text of ATOMS, as sm_75 words; other instructions of in.s as for "
        "sm_75\n"
        "Exit status: 0 done, 1 something was refused, 2 misuse.\n";

struct words {
	enum wl_arch arch;
	bool spa50;
	int status;
};

static void assemble_word(void *self, const char *name, unsigned no, char *line)
{
	struct words *words = self;
	struct wl_word w;
	char hex[33] = "", err[200];
	if ((words->spa50 ? wl_spa50_assemble(line, &w, err, sizeof err)
	                  : wl_assemble_raw(words->arch, line, 0, &w, err, sizeof err)) == WL_OK) {
		wl_word_format(w, hex);
	} else {
		fprintf(stderr, "%s:%u: %s\n", name, no, err);
		words->status = EXIT_BAD;
	}
	puts(hex);
}

static int assemble_object(enum wl_arch arch, bool spa50, const char *file, const char *out)
{
	char name[4096], err[256];
	size_t size, osize = 0;
	unsigned char *text = file_read(file, &size, err, sizeof err), *object = NULL;
	if (!text) {
		fprintf(stderr, "wlas: cannot read %s\n", err);
		return EXIT_BAD;
	}
	if (!out) {
		size_t len = strlen(file);
		bool dot = len > 2 && !strcmp(file + len - 2, ".s");
		snprintf(name, sizeof name, "%.*s.wlo", (int)(dot ? len - 2 : len), file);
		out = name;
	}
	bool ok = asm_source_assemble(arch, spa50, file, (const char *)text, &object, &osize);
	if (ok && !file_write(out, object, osize, err, sizeof err)) {
		fprintf(stderr, "wlas: cannot write %s\n", err);
		ok = false;
	}
	free(text);
	free(object);
	return !ok;
}

struct arguments {
	enum wl_arch arch;
	bool spa50; /* arch is WL_SM75 then */
	bool words;
	const char *file, *out;
};

/* 0, or what to exit with (3 = help or the version was asked for and printed). */
static int read_arguments(int argc, char **argv, struct arguments *a)
{
	for (int i = 1; i < argc; i++) {
		const char *w = argv[i];
		if (!strcmp(w, "--help") || !strcmp(w, "-h")) {
			fputs(usage, stdout);
			return 3;
		} else if (!strcmp(w, "--version")) {
			puts("wlas (Warplock) " WL_VERSION);
			return 3;
		} else if (!strncmp(w, "-arch=", 6)) {
			a->spa50 = !strcmp(w + 6, "spa50");
			a->arch = a->spa50 ? WL_SM75 : wl_arch_parse(w + 6, NULL);
			if (!a->arch) {
				fprintf(stderr,
				        "wlas: architecture \"%s\" (expected one of " WL_ARCH_NAMES ", spa50)\n",
				        w + 6);
				return EXIT_MISUSE;
			}
		} else if (!strcmp(w, "--words")) {
			a->words = true;
		} else if (!strcmp(w, "-o") && i + 1 < argc) {
			a->out = argv[++i];
		} else if (w[0] == '-' && w[1]) {
			fprintf(stderr, "wlas: unknown option \"%s\"\n%s", w, usage);
			return EXIT_MISUSE;
		} else if (a->file) {
			fprintf(stderr, "wlas: one file expected\n%s", usage);
			return EXIT_MISUSE;
		} else {
			a->file = w;
		}
	}
	if (!a->words && !a->file) {
		fprintf(stderr, "wlas: a file or --words expected\n%s", usage);
		return EXIT_MISUSE;
	}
	return EXIT_GOOD;
}

int main(int argc, char **argv)
{
	struct arguments a = {.arch = WL_SM75};
	int status = read_arguments(argc, argv, &a);
	if (status)
		return status == 3 ? EXIT_GOOD : status;
	if (!a.words)
		return assemble_object(a.arch, a.spa50, a.file, a.out);
	struct words words = {.arch = a.arch, .spa50 = a.spa50};
	return tool_each_line("wlas", a.file, assemble_word, &words) ? words.status : 1;
}
