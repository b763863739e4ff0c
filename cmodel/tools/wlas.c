// SPDX-License-Identifier: Apache-2.0
/* wlas -- text to words. */
#include <stdio.h>
#include <string.h>

#include "tool.h"
#include "warplock/isa.h"

static const char usage[] = "usage: wlas -arch=sm_75 --words [file]\n"
                            "  --words      read one instruction per line (standard input without a file), print its "
                            "word at address 0 as 32 hex\n"
                            "               digits; an empty line for what is refused, the reason on standard error\n"
                            "  -arch=sm_N   sm_75 (default), sm_80, sm_90, sm_100, sm_120\n"
                            "Exit: 0 done, 1 something was refused, 2 misuse.\n";

static int assemble_words(enum wl_arch arch, FILE *in, const char *name)
{
	char line[1024], hex[33], err[160];
	int status = 0;
	for (unsigned no = 1; fgets(line, sizeof line, in); no++) {
		struct wl_word w;
		if (wl_assemble(arch, line, 0, &w, err, sizeof err) == WL_OK) {
			wl_word_format(w, hex);
			puts(hex);
		} else {
			fprintf(stderr, "%s:%u: %s\n", name, no, err);
			puts("");
			status = 1;
		}
	}
	return status;
}

int main(int argc, char **argv)
{
	enum wl_arch arch = WL_SM75;
	bool words = false;
	const char *file = NULL;
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
			fputs(usage, stdout);
			return 0;
		} else if (!strncmp(a, "-arch=", 6)) {
			arch = tool_parse_arch(a + 6);
			if (!arch) {
				fprintf(stderr,
				        "wlas: architecture \"%s\" (expected sm_75, sm_80, sm_90, sm_100 or sm_120)\n",
				        a + 6);
				return 2;
			}
		} else if (!strcmp(a, "--words")) {
			words = true;
		} else if (a[0] == '-' && a[1]) {
			fprintf(stderr, "wlas: unknown option \"%s\"\n%s", a, usage);
			return 2;
		} else if (file) {
			fprintf(stderr, "wlas: one file expected\n%s", usage);
			return 2;
		} else {
			file = a;
		}
	}
	if (!words) {
		fprintf(stderr, "wlas: --words expected\n%s", usage);
		return 2;
	}
	FILE *in = file && strcmp(file, "-") ? fopen(file, "r") : stdin;
	if (!in) {
		fprintf(stderr, "wlas: cannot read %s\n", file);
		return 1;
	}
	int status = assemble_words(arch, in, file ? file : "standard input");
	if (in != stdin)
		fclose(in);
	return status;
}
