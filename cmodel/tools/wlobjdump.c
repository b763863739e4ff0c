// SPDX-License-Identifier: Apache-2.0
/* wlobjdump -- words and objects to text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "tool.h"
#include "warplock/spa50.h"
#include "wlcc.h"

static const char usage[] =
        "usage: wlobjdump [--entry NAME] file.{wlo,cubin,fatbin}\n"
        "       wlobjdump [-arch=sm_75] --words [file]\n"
        "  file         kernels of an object: resources and code; of a fat binary, or a host file that carries\n"
        "               some, those of the cubin for -arch\n"
        "  --entry NAME that kernel alone\n"
        "  --words      read one 32-digit hex word per line (standard input without a file), print its text at address "
        "0;\n"
        "               an empty line for a word that no encoding matches, the reason on standard error\n"
        "  -arch=sm_N   of words and fat binaries: sm_75 (default), sm_80, sm_90, sm_100, sm_120\n"
        "  -arch=spa50  of words: sm_75 words of ATOMS as text of the SPA 5.0 dialect, others refused\n"
        "Exit: 0 done, 1 something was refused, 2 misuse.\n";

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
	bool spa50;
	int status;
};

static void print_word(void *self, const char *name, unsigned no, char *line)
{
	struct words *words = self;
	struct wl_word w;
	char text[256] = "", why[200];
	if (!line_word(line, &w)) {
		fprintf(stderr, "%s:%u: \"%.40s\" is no word (expected 32 hex digits)\n", name, no, line);
		words->status = 1;
	} else if (words->spa50) {
		if (wl_spa50_print(w, text, sizeof text, why, sizeof why) < 0) {
			fprintf(stderr, "%s:%u: %016llx%016llx: %s\n", name, no, (unsigned long long)w.hi,
			        (unsigned long long)w.lo, why);
			words->status = 1;
		}
	} else if (wl_print(words->arch, w, 0, text, sizeof text) < 0) {
		fprintf(stderr, "%s:%u: %016llx%016llx is no instruction of sm_%d\n", name, no,
		        (unsigned long long)w.hi, (unsigned long long)w.lo, (int)words->arch);
		words->status = 1;
	}
	puts(text);
}

struct listing {
	const unsigned char *elf;
	size_t size;
	const char *file;
	const char *entry; /* NULL = all of them */
	bool listed;
	int status;
};

static void list_kernel(void *self, const char *kernel)
{
	struct listing *l = self;
	struct wl_program p;
	char why[256], text[256], hex[33];
	if (l->entry && strcmp(l->entry, kernel))
		return;
	l->listed = true;
	if (wl_object_load(l->elf, l->size, kernel, &p, why, sizeof why) != WL_OK) {
		fprintf(stderr, "wlobjdump: %s: %s: %s\n", l->file, kernel, why);
		l->status = 1;
		return;
	}
	printf(".entry %s\n// sm_%d, %u instructions, %u registers, %u bytes of shared memory, %u of frame, %u of "
	       "parameters at c[0x0][0x%x]\n",
	       p.name, (int)p.arch, p.ninst, p.regs, p.shared_bytes, p.local_bytes, p.param_bytes, p.param_base);
	for (uint32_t i = 0; i < p.ninst; i++) {
		bool known = wl_print(p.arch, p.words[i], 16 * (uint64_t)i, text, sizeof text) >= 0;
		wl_word_format(p.words[i], hex);
		printf("        /*%04x*/  %-56s /* %s */\n", 16 * i, known ? text : "(no instruction)", hex);
		l->status |= !known;
	}
	wl_program_free(&p);
}

/* A line on standard error, and the exit status. */
static int refuse(const char *file, const char *why)
{
	fprintf(stderr, "wlobjdump: %s: %s\n", file, why);
	return 1;
}

static int list_image(struct listing *l, const unsigned char *data, size_t size, enum wl_arch arch)
{
	char why[256];
	struct wl_image image;
	if (wl_image_find(data, size, arch, l->entry, &image, why, sizeof why) != WL_OK)
		return refuse(l->file, why);
	if (image.kind == WL_IMAGE_PTX) {
		wl_image_free(&image);
		return refuse(l->file, "fat binary holds PTX for this architecture, but no cubin");
	}
	l->elf = image.data;
	l->size = image.size;
	enum wl_status s = wl_object_kernels(l->elf, l->size, list_kernel, l, why, sizeof why);
	wl_image_free(&image);
	if (s != WL_OK)
		return refuse(l->file, why);
	if (l->entry && !l->listed) {
		snprintf(why, sizeof why, "object holds no kernel '%s'", l->entry);
		return refuse(l->file, why);
	}
	return l->status;
}

static int list_object(const char *file, enum wl_arch arch, const char *entry)
{
	char err[256];
	size_t size;
	struct listing l = {.file = file, .entry = entry};
	unsigned char *elf = file_read(file, &size, err, sizeof err);
	int status;
	if (!elf) {
		fprintf(stderr, "wlobjdump: cannot read %s\n", err);
		return 1;
	}
	status = list_image(&l, elf, size, arch);
	free(elf);
	return status;
}

int main(int argc, char **argv)
{
	enum wl_arch arch = WL_SM75;
	bool words = false, spa50 = false;
	const char *file = NULL, *entry = NULL;
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
			fputs(usage, stdout);
			return 0;
		} else if (!strncmp(a, "-arch=", 6)) {
			spa50 = !strcmp(a + 6, "spa50");
			arch = spa50 ? WL_SM75 : tool_parse_arch(a + 6);
			if (!arch) {
				fprintf(stderr,
				        "wlobjdump: architecture \"%s\" (expected sm_75, sm_80, sm_90, sm_100, "
				        "sm_120 or spa50)\n",
				        a + 6);
				return 2;
			}
		} else if (!strcmp(a, "--entry") && i + 1 < argc) {
			entry = argv[++i];
		} else if (!strcmp(a, "--words")) {
			words = true;
		} else if (a[0] == '-' && a[1]) {
			fprintf(stderr, "wlobjdump: unknown option \"%s\"\n%s", a, usage);
			return 2;
		} else if (file) {
			fprintf(stderr, "wlobjdump: one file expected\n%s", usage);
			return 2;
		} else {
			file = a;
		}
	}
	if (!words && !file) {
		fprintf(stderr, "wlobjdump: a file or --words expected\n%s", usage);
		return 2;
	}
	if (spa50 && !words) {
		fputs("wlobjdump: -arch=spa50 goes with --words only\n", stderr);
		return 2;
	}
	if (!words)
		return list_object(file, arch, entry);
	struct words all = {.arch = arch, .spa50 = spa50};
	return tool_each_line("wlobjdump", file, print_word, &all) ? all.status : 1;
}
