// SPDX-License-Identifier: Apache-2.0
/* wlas -- text to words, and hand-written kernels to objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmodel/tools/exit_code.h"
#include "../cmodel/tools/file.h"
#include "../cmodel/tools/output.h"
#include "../cmodel/tools/option.h"
#include "../cmodel/tools/tool.h"
#include "asm_source.h"
#include "warplock/isa.h"
#include "warplock/spa50.h"

static const char usage[] =
        "usage: wlas [-arch=sm_N] [-o out.wlo] in.s\n"
        "       wlas [-arch=sm_N] --words [file]\n"
        "  in.s         .entry NAME, .param BYTES, .shared BYTES, .local BYTES, LABEL:, // comments,\n"
        "               one instruction a line\n"
        "  -o FILE      the object (default: in.wlo)\n"
        "  --words      read an instruction per line (default: standard input), print the word at address 0 as 32 hex\n"
        "               digits; for a refused line print an empty line, and the reason on standard error\n"
        "  Lines may have the suffix of wlobjdump --raw: ATOMS.ADD RZ, [R3], R4 {raw: 105:125=0xf1}\n"
        "  -arch=sm_N   chip (" WL_DEFAULT_CHIP_RULE "; text names none). One of\n"
        "               " WL_CHIP_NAMES "\n"
        "  -arch=spa50  ATOMS as SPA 5.0 text, for sm_75 words; other instructions as for sm_75\n"
        "Options may have one dash or two; a value follows = or is the next word.\n"
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

static int assemble_object(unsigned chip, bool spa50, const char *file, const char *out)
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
	if (file_same(out, file)) {
		fprintf(stderr, "wlas: the output %s is the input\n", out);
		free(text);
		return EXIT_MISUSE;
	}
	bool ok = file_can_write(out, err, sizeof err);
	if (!ok)
		fprintf(stderr, "wlas: cannot write %s\n", err);
	ok = ok && asm_source_assemble(chip, spa50, file, (const char *)text, &object, &osize);
	if (ok && !file_write(out, object, osize, err, sizeof err)) {
		fprintf(stderr, "wlas: cannot write %s\n", err);
		ok = false;
	}
	free(text);
	free(object);
	return !ok;
}

struct arguments {
	unsigned chip;
	bool spa50; /* chip is then WL_SM75 */
	bool words;
	const char *file, *out;
};

static int misuse(const char *what, const char *word)
{
	fprintf(stderr, "wlas: %s%s%s%s; wlas --help tells the usage\n", what, word ? " '" : "", word ? word : "",
	        word ? "'" : "");
	return EXIT_MISUSE;
}

static int take_arch(struct arguments *a, const char *value)
{
	a->spa50 = !strcmp(value, "spa50");
	a->chip = a->spa50 ? WL_SM75 : wl_chip_parse(value, NULL);
	return a->chip ? EXIT_GOOD : misuse("option '-arch': expected one of " WL_CHIP_NAMES ", spa50, found", value);
}

/* Reads one word of the command line. */
static int take(struct arguments *a, char **argv, int *i)
{
	const char *word = argv[*i], *value;
	if (option_takes(argv, i, "arch", &value))
		return value ? take_arch(a, value) : misuse("option needs a value:", word);
	if (!strcmp(word, "-o")) {
		a->out = argv[*i + 1] ? argv[++*i] : NULL;
		return a->out ? EXIT_GOOD : misuse("option needs a value:", word);
	}
	if (option_is(word, "words"))
		a->words = true;
	else if (word[0] == '-' && word[1])
		return misuse("unknown option", word);
	else if (a->file)
		return misuse("one file expected, found also", word);
	else
		a->file = word;
	return EXIT_GOOD;
}

/* 0, or the exit status (3 = help or the version, already printed). */
static int read_arguments(int argc, char **argv, struct arguments *a)
{
	for (int i = 1; i < argc; i++) {
		int status;
		if (option_is(argv[i], "help") || !strcmp(argv[i], "-h")) {
			fputs(usage, stdout);
			return 3;
		}
		if (option_is(argv[i], "version")) {
			puts("wlas (Warplock) " WL_VERSION);
			return 3;
		}
		status = take(a, argv, &i);
		if (status != EXIT_GOOD)
			return status;
	}
	if (a->words && a->out)
		return misuse("--words prints words and writes no object, found also -o", a->out);
	return a->words || a->file ? EXIT_GOOD : misuse("a file or --words expected", NULL);
}

int main(int argc, char **argv)
{
	struct arguments a = {.chip = WL_DEFAULT_CHIP};
	output_guard("wlas");
	int status = read_arguments(argc, argv, &a);
	if (status)
		return status == 3 ? EXIT_GOOD : status;
	if (!a.words)
		return assemble_object(a.chip, a.spa50, a.file, a.out);
	struct words words = {.arch = wl_arch_of_chip(a.chip), .spa50 = a.spa50};
	return tool_each_line("wlas", a.file, assemble_word, &words) ? words.status : 1;
}
