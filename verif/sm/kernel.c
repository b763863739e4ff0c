// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 32, MAX_LINE = 160 };

struct labels {
	unsigned n;
	struct label {
		char name[24];
		uint32_t addr;
	} at[MAX_LABELS];
};

static void die(const char *what, const char *text)
{
	fprintf(stderr, "kernel text: %s: %s\n", what, text);
	exit(1);
}

/* The next line without blanks around it; false at the end of the text. */
static bool next_line(const char **text, char line[MAX_LINE])
{
	const char *p = *text + strspn(*text, " \t\n");
	size_t len = strcspn(p, "\n");
	*text = p + len;
	if (!len)
		return false;
	if (len >= MAX_LINE)
		die("line is too long", p);
	memcpy(line, p, len);
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	line[len] = 0;
	return true;
}

static bool is_label(const char *line)
{
	return line[strlen(line) - 1] == ':';
}

static uint32_t find_labels(const char *text, struct labels *l)
{
	char line[MAX_LINE];
	uint32_t n = 0;
	for (l->n = 0; next_line(&text, line);) {
		if (!is_label(line)) {
			n++;
			continue;
		}
		if (l->n == MAX_LABELS)
			die("too many labels", line);
		snprintf(l->at[l->n].name, sizeof l->at[0].name, "%.*s", (int)strlen(line) - 1, line);
		l->at[l->n++].addr = n * 16;
	}
	return n;
}

/* {NAME} becomes the label's address. */
static void place_labels(const char *line, const struct labels *l, char out[MAX_LINE])
{
	const char *open = strchr(line, '{'), *close = open ? strchr(open, '}') : NULL;
	if (!close) {
		snprintf(out, MAX_LINE, "%s", line);
		return;
	}
	for (unsigned i = 0; i < l->n; i++) {
		size_t len = strlen(l->at[i].name);
		if (len == (size_t)(close - open - 1) && !memcmp(l->at[i].name, open + 1, len)) {
			snprintf(out, MAX_LINE, "%.*s0x%x%s", (int)(open - line), line, l->at[i].addr, close + 1);
			return;
		}
	}
	die("unknown label", line);
}

static bool seen[WL_UOP_COUNT]; /* micro-operations of the kernels so far */

static void assemble(struct wl_program *p, const char *text)
{
	struct labels labels;
	char line[MAX_LINE], placed[MAX_LINE], err[200] = "";
	p->ninst = find_labels(text, &labels);
	p->words = calloc(p->ninst, sizeof *p->words);
	p->insts = calloc(p->ninst, sizeof *p->insts);
	for (uint32_t i = 0; next_line(&text, line);) {
		if (is_label(line))
			continue;
		place_labels(line, &labels, placed);
		if (wl_assemble(p->arch, placed, i * 16, &p->words[i], err, sizeof err) ||
		    wl_decode(p->arch, p->words[i], &p->insts[i]))
			die(placed, err);
		seen[p->insts[i].uop] = true;
		i++;
	}
}

void kernel_init(struct kernel *k, const char *text)
{
	kernel_init_for(k, WL_SM75, text);
}

void kernel_init_for(struct kernel *k, enum wl_arch arch, const char *text)
{
	memset(k, 0, sizeof *k);
	k->config = wl_config_default();
	k->config.arch = arch;
	snprintf(k->prog.name, sizeof k->prog.name, "test");
	k->prog.arch = arch;
	k->prog.regs = 64;
	k->prog.param_base = wl_cb0_layout(arch)->param;
	k->prog.param_bytes = sizeof k->param;
	assemble(&k->prog, text);
	k->mem.bytes = KERNEL_HEAP;
	k->mem.mem = calloc(1, KERNEL_HEAP);
	k->launch = (struct wl_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .limit = 1000000};
}

uint32_t *kernel_words(struct kernel *k, unsigned param, uint32_t n, uint32_t fill)
{
	k->param[param] = wl_gmem_add(&k->mem, 4 * n);
	uint32_t *words = (uint32_t *)(void *)wl_gmem_at(&k->mem, k->param[param], 4 * n);
	if (!words)
		die("heap is full", "");
	for (uint32_t i = 0; i < n; i++)
		words[i] = fill;
	return words;
}

void kernel_start(struct kernel *k)
{
	char why[200];
	k->launch.params = (const uint8_t *)k->param;
	wl_gpu_free(k->gpu);
	if (wl_gpu_create(&k->config, &k->prog, &k->mem, &k->launch, &k->gpu, why, sizeof why))
		die("launch refused", why);
}

enum wl_outcome kernel_run(struct kernel *k)
{
	kernel_start(k);
	enum wl_outcome o = wl_gpu_run(k->gpu);
	wl_gpu_detail(k->gpu, k->detail, sizeof k->detail);
	return o;
}

void kernel_free(struct kernel *k)
{
	wl_gpu_free(k->gpu);
	wl_program_free(&k->prog);
	free(k->mem.mem);
}

bool kernel_refuses(enum wl_arch arch, const char *instruction)
{
	struct kernel k;
	char text[MAX_LINE + 8];
	snprintf(text, sizeof text, "%s\nEXIT\n", instruction);
	kernel_init_for(&k, arch, text);
	const enum wl_outcome outcome = kernel_run(&k);
	const bool refused = outcome == WL_ERROR && strstr(k.detail, "this combination of operands is not built yet");
	if (!refused)
		fprintf(stderr, "%s on sm_%d: expected a refusal, outcome %d: %s\n", instruction, (int)arch,
		        (int)outcome, k.detail);
	kernel_free(&k);
	return refused;
}

static const struct covered {
	enum wl_uop uop;
	const char *test;
} covered[] = {
#define COVERED(name, test) {WL_UOP_##name, #test},
#include "uop_covered.def"
#undef COVERED
};
enum { COVERED_COUNT = sizeof covered / sizeof covered[0] };

int kernel_covers(const char *test)
{
	int missing = 0;
	for (unsigned i = 0; i < COVERED_COUNT; i++)
		if (!strcmp(covered[i].test, test) && !seen[covered[i].uop]) {
			fprintf(stderr, "uop_covered.def says that %s has cases of %s: it has none\n", test,
			        wl_uop_name(covered[i].uop));
			missing = 1;
		}
	return missing;
}

/* Tests of the units with the same name: cunits_* in verif/units. */
static bool has_own_tests(enum wl_uop u)
{
	return wl_uop_unit(u) == WL_UNIT_atoms_pipe || wl_uop_unit(u) == WL_UNIT_mbarrier_engine;
}

int kernel_all_covered(void)
{
	int missing = 0;
	for (unsigned u = 0; u < WL_UOP_COUNT; u++) {
		unsigned n = 0;
		for (unsigned i = 0; i < COVERED_COUNT; i++)
			n += covered[i].uop == u;
		if (n || u == WL_UOP_UNMODELLED || has_own_tests((enum wl_uop)u))
			continue;
		fprintf(stderr, "%s of uops.def has no directed test: uop_covered.def does not name it\n",
		        wl_uop_name((enum wl_uop)u));
		missing = 1;
	}
	return missing;
}
