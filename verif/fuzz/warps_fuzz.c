// SPDX-License-Identifier: Apache-2.0
/* warps_fuzz.c -- random PTX kernels on the C model, through wlcc and through ptxas, against their meaning.
 *
 *   warps_fuzz [--seed S] [--count N] [--seconds T] [--by wlcc|ptxas|both|three] [--batch 20] [--print] [--keep DIR]
 *              [--resume FILE]
 *
 * One program for each seed from S on. Each program is compiled for five architectures, without and with optimisation,
 * and run. ptxas runs only where installed, with a batch of programs in one module. `three`: ptxas without
 * optimisation, for one architecture, another for each batch. FILE holds the next seed; FILE is read and written, and
 * FILE.report gets a line for each batch. A program with a difference is reduced: the reducer drops statements as long
 * as a difference remains. The report names seed, compiler, architecture, the first value with a difference, the first
 * remaining statement with a different result, and the PTX in DIR (build/fuzz). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../common/rng.h"
#include "warplock/object.h"
#include "warplock/sm.h"
#include "warps_program.h"
#include "wlcc.h"

enum { TEXT_BYTES = 1 << 21, WHY = 400, MOST_OPTS = 4 };

enum { MOST_BATCH = 64 };

struct way {
	bool ptxas;
	enum wl_arch arch;
	int opt;
};

struct object {
	unsigned char *data; /* NULL: none */
	size_t size;
};

static const char *keep = "build/fuzz";
static uint64_t input[THREADS][OUT_WORDS];

/* ---- compiling ---- */

static void note(void *self, const struct wlcc_message *m)
{
	char *why = self;
	if (m->severity == WLCC_ERROR && !why[0])
		snprintf(why, WHY, "wlcc, line %u: %s", m->line, m->text);
}

static bool by_wlcc(const char *text, const struct way *w, struct wl_program *p, char *why)
{
	struct wlcc_options o = {.arch = w->arch, .opt = w->opt, .file = "fuzz.ptx", .diag = note, .diag_self = why};
	struct wlcc_bytes object;
	why[0] = 0;
	if (!wlcc_compile_ptx(text, strlen(text), &o, false, &object))
		return false;
	bool good = wl_object_load(object.data, object.size, NULL, p, why, WHY) == WL_OK;
	free(object.data);
	return good;
}

static bool read_file(const char *path, unsigned char **data, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	*data = malloc(*size + 1);
	bool good = fread(*data, 1, *size, f) == *size;
	fclose(f);
	return good;
}

static const char ptxas_crashes[] = "ptxas crashes";

/* Assembles a module by ptxas; the caller frees the object. */
static bool assemble(const char *text, const struct way *w, struct object *o, char *why)
{
	char ptx[256], cubin[256], command[1200];
	o->data = NULL;
	snprintf(ptx, sizeof ptx, "%s/%d.ptx", keep, (int)getpid());
	snprintf(cubin, sizeof cubin, "%s/%d.cubin", keep, (int)getpid());
	FILE *f = fopen(ptx, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) {
		snprintf(why, WHY, "%s: cannot write", ptx);
		return false;
	}
	unlink(cubin);
	snprintf(command, sizeof command, "ptxas -w -arch=sm_%d -O%d -o %s %s >%s.log 2>&1", (int)w->arch, w->opt,
	         cubin, ptx, ptx);
	const int status = system(command); /* 128 + n: the shell's word for signal n */
	if (status || !read_file(cubin, &o->data, &o->size)) {
		if (WIFEXITED(status) && WEXITSTATUS(status) > 128)
			snprintf(why, WHY, "%s (signal %d): %s", ptxas_crashes, WEXITSTATUS(status) - 128, ptx);
		else
			snprintf(why, WHY, "ptxas refuses it: %s.log", ptx);
		free(o->data);
		o->data = NULL;
	}
	return o->data;
}

static bool by_ptxas(const char *text, const struct way *w, struct wl_program *p, char *why)
{
	struct object o;
	if (!assemble(text, w, &o, why))
		return false;
	bool good = wl_object_load(o.data, o.size, NULL, p, why, WHY) == WL_OK;
	free(o.data);
	return good;
}

/* ---- running ---- */

static bool launch(const struct wl_program *p, struct block_out *out, char *why)
{
	struct wl_config config = wl_config_default();
	struct wl_gmem g = {.bytes = 1 << 20};
	uint64_t at[4];
	struct wl_launch l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = (uint8_t *)at, .limit = 3000000};
	struct wl_gpu *gpu;
	uint64_t common[2 * COMMON_CELLS] = {0};
	config.arch = p->arch;
	g.mem = calloc(1, g.bytes);
	at[0] = wl_gmem_add(&g, sizeof input);
	at[1] = wl_gmem_add(&g, sizeof out->thread);
	at[2] = wl_gmem_add(&g, THREADS * OWN_BYTES);
	at[3] = wl_gmem_add(&g, sizeof common);
	for (unsigned i = 0; i < COMMON_CELLS; i++)
		common[i] = COMMON_START;
	memcpy(wl_gmem_at(&g, at[0], sizeof input), input, sizeof input);
	memcpy(wl_gmem_at(&g, at[3], sizeof common), common, sizeof common);
	bool good = wl_gpu_create(&config, p, &g, &l, &gpu, why, WHY) == WL_OK;
	if (good) {
		enum wl_outcome outcome = wl_gpu_run(gpu);
		good = outcome == WL_ENDED;
		if (!good)
			wl_gpu_detail(gpu, why, WHY);
		memcpy(out->thread, wl_gmem_at(&g, at[1], sizeof out->thread), sizeof out->thread);
		memcpy(out->common, wl_gmem_at(&g, at[3], sizeof out->common), sizeof out->common);
		wl_gpu_free(gpu);
	}
	free(g.mem);
	return good;
}

static bool same(const struct block_out *found, const struct block_out *expected, char *why)
{
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned i = 0; i < OUT_WORDS; i++)
			if (found->thread[t][i] != expected->thread[t][i]) {
				const char *kind = i < NUM_D                           ? "d"
				                   : i < NUM_D + NUM_W                 ? "w"
				                   : i < NUM_D + NUM_W + NUM_H         ? "h"
				                   : i < NUM_D + NUM_W + NUM_H + NUM_P ? "p"
				                                                       : "memory ";
				unsigned from = i < NUM_D                           ? 0
				                : i < NUM_D + NUM_W                 ? NUM_D
				                : i < NUM_D + NUM_W + NUM_H         ? NUM_D + NUM_W
				                : i < NUM_D + NUM_W + NUM_H + NUM_P ? NUM_D + NUM_W + NUM_H
				                                                    : NUM_D + NUM_W + NUM_H + NUM_P;
				snprintf(why, WHY, "thread %u, %s%u: found 0x%llx, expected 0x%llx", t, kind, i - from,
				         (unsigned long long)found->thread[t][i],
				         (unsigned long long)expected->thread[t][i]);
				return false;
			}
	for (unsigned i = 0; i < 2 * COMMON_CELLS; i++)
		if (found->common[i] != expected->common[i]) {
			snprintf(why, WHY, "common cell %u: found 0x%llx, expected 0x%llx", i,
			         (unsigned long long)found->common[i], (unsigned long long)expected->common[i]);
			return false;
		}
	return true;
}

static bool runs_on(const struct program *p, const struct way *w)
{
	return w->arch >= WL_SM80 || !program_needs_sm80(p);
}

static bool runs_right(const struct program *p, struct wl_program *code, char *why)
{
	static struct block_out found, expected;
	program_run(p, input, &expected);
	bool good = launch(code, &found, why) && same(&found, &expected, why);
	wl_program_free(code);
	return good;
}

static void print_alone(const struct program *p, char *text)
{
	const char *header = program_header(program_needs_sm80(p));
	strcpy(text, header);
	program_print(p, "k", text + strlen(header), TEXT_BYTES - strlen(header));
}

static bool right(const struct program *p, const struct way *w, char *text, char *why)
{
	struct wl_program code;
	if (!runs_on(p, w))
		return true;
	print_alone(p, text);
	return (w->ptxas ? by_ptxas(text, w, &code, why) : by_wlcc(text, w, &code, why)) && runs_right(p, &code, why);
}

/* ---- a failure ---- */

static void reduce(struct program *p, const struct way *w, char *text, char *why)
{
	bool smaller = true;
	char other[WHY];
	while (smaller) {
		smaller = false;
		for (unsigned i = program_statements(p); i-- > 0;) {
			if (!program_is_on(p, i))
				continue;
			program_switch(p, i, false);
			if (right(p, w, text, other)) {
				program_switch(p, i, true);
			} else {
				smaller = true;
				strcpy(why, other);
			}
		}
	}
}

/* The deviation of ptxas behind a failure: the reduced program meets the deviation, and is right when reworded; or
 * ptxas crashes. */
static enum deviation known_deviation(struct program *p, const struct way *w, char *text, const char *why)
{
	char other[WHY];
	enum deviation found = DEVIATION_NONE;
	if (w->ptxas && strncmp(why, ptxas_crashes, strlen(ptxas_crashes)) == 0)
		return DEVIATION_CRASH;
	for (enum deviation d = DEVIATION_NONE + 1; w->ptxas && w->opt == 3 && d < DEVIATION_CRASH && !found; d++) {
		if (!program_meets(p, d))
			continue;
		program_reword(p, d);
		if (right(p, w, text, other))
			found = d;
		program_reword(p, DEVIATION_NONE);
	}
	return found;
}

static unsigned deviations[DEVIATION_COUNT];

/* False: the fault is a known deviation of ptxas. */
static bool report(struct program *p, uint64_t seed, const struct way *w, char *text, char *why)
{
	char path[300], line[4000], first[WHY] = "";
	const char *name = w->ptxas ? "ptxas" : "wlcc";
	printf("seed %llu, %s -O%d, sm_%d: %s\n", (unsigned long long)seed, name, w->opt, (int)w->arch, why);
	reduce(p, w, text, why);
	const enum deviation d = known_deviation(p, w, text, why);
	if (d) {
		printf("  ptxas is known for it: %s\n", deviation_names[d]);
		deviations[d]++;
	}
	/* the first statement that makes the program up to the statement wrong */
	const unsigned n = program_statements(p);
	bool on[n];
	for (unsigned i = 0; i < n; i++) {
		on[i] = program_is_on(p, i);
		program_switch(p, i, false);
	}
	for (unsigned i = 0; i < n; i++) {
		program_switch(p, i, on[i]);
		if (on[i] && !first[0] && !right(p, w, text, first)) {
			program_describe(p, i, line, sizeof line);
			printf("  first statement that differs, %s\n%s", first, line);
		}
	}
	right(p, w, text, why);
	snprintf(path, sizeof path, "%s/%llu.%s.%d.O%d.ptx", keep, (unsigned long long)seed, name, (int)w->arch,
	         w->opt);
	FILE *f = fopen(path, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
	unsigned left = 0;
	for (unsigned i = 0; i < n; i++)
		left += on[i];
	printf("  %u of %u statements left in %s: %s\n", left, n, path, why);
	fflush(stdout);
	return !d;
}

static void fill(uint64_t seed)
{
	static const uint64_t usual[] = {0,
	                                 1,
	                                 2,
	                                 31,
	                                 0x80000000,
	                                 0x7fffffff,
	                                 0xffffffff,
	                                 0x3f800000,
	                                 0xbf000000,
	                                 0x7f800000,
	                                 0x3c00,
	                                 0x7fc00000,
	                                 UINT64_C(0x3ff8000000000000),
	                                 UINT64_C(0xc008000000000000),
	                                 UINT64_C(0x8000000000000000)};
	struct rng r = rng_seed(seed, 99);
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned i = 0; i < OUT_WORDS; i++)
			input[t][i] = i >= NUM_D + NUM_W + NUM_H ? rng_next(&r) & 1
			              : rng_below(&r, 4)         ? rng_next(&r) >> rng_below(&r, 64)
			                                         : usual[rng_below(&r, sizeof usual / sizeof *usual)];
}

/* ---- the campaign ---- */

/* Each call of ptxas costs more than a kernel in the call: one call takes many kernels. */
static void assemble_batch(struct program **p, unsigned n, const struct way *w, struct object *o)
{
	char *text = malloc((size_t)TEXT_BYTES * n), name[16], why[WHY];
	size_t at = strlen(strcpy(text, program_header(w->arch >= WL_SM80)));
	for (unsigned i = 0; i < n; i++)
		if (runs_on(p[i], w)) {
			snprintf(name, sizeof name, "k%u", i);
			at += program_print(p[i], name, text + at, TEXT_BYTES);
		}
	assemble(text, w, o, why);
	free(text);
}

static bool right_in(const struct program *p, unsigned i, const struct object *o, char *why)
{
	struct wl_program code;
	char name[16];
	snprintf(name, sizeof name, "k%u", i);
	return wl_object_load(o->data, o->size, name, &code, why, WHY) == WL_OK && runs_right(p, &code, why);
}

/* n programs by all ways; returns the number of wrong programs. */
static unsigned try_batch(uint64_t seed, unsigned n, const struct way *ways, unsigned nways, bool print, unsigned *runs)
{
	struct program *p[MOST_BATCH];
	struct object objects[5 * 2 * MOST_OPTS] = {{0}};
	char *text = malloc(TEXT_BYTES), why[WHY];
	unsigned wrong = 0;
	for (unsigned i = 0; i < n; i++)
		p[i] = program_new(seed + i);
	for (unsigned k = 0; k < nways; k++)
		if (ways[k].ptxas && n > 1)
			assemble_batch(p, n, &ways[k], &objects[k]);
	for (unsigned i = 0; i < n; i++) {
		fill(seed + i);
		print_alone(p[i], text);
		if (print)
			fputs(text, stdout);
		for (unsigned k = 0; k < nways; k++) {
			if (!runs_on(p[i], &ways[k]))
				continue;
			++*runs;
			/* a failure in a module is checked alone */
			if (objects[k].data ? right_in(p[i], i, &objects[k], why) : right(p[i], &ways[k], text, why))
				continue;
			if (objects[k].data && right(p[i], &ways[k], text, why)) {
				wrong++;
				printf("seed %llu is wrong in a module with seeds from %llu, ptxas -O%d, sm_%d, and "
				       "right "
				       "alone\n",
				       (unsigned long long)(seed + i), (unsigned long long)seed, ways[k].opt,
				       (int)ways[k].arch);
			} else {
				wrong += report(p[i], seed + i, &ways[k], text, why);
			}
			break;
		}
	}
	for (unsigned k = 0; k < nways; k++)
		free(objects[k].data);
	for (unsigned i = 0; i < n; i++)
		program_free(p[i]);
	free(text);
	return wrong;
}

static uint64_t next_seed(const char *path, uint64_t first)
{
	unsigned long long seed = first;
	FILE *f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%llu", &seed) != 1)
			seed = first;
		fclose(f);
	}
	return seed;
}

/* Keeps the next seed, and a line about the batch. */
static void keep_seed(const char *path, uint64_t from, uint64_t next, unsigned runs, unsigned wrong)
{
	char report[300];
	FILE *f = fopen(path, "w");
	if (f) {
		fprintf(f, "%llu\n", (unsigned long long)next);
		fclose(f);
	}
	snprintf(report, sizeof report, "%s.report", path);
	f = fopen(report, "a");
	if (f) {
		fprintf(f, "seeds %llu to %llu: %u runs, %u wrong\n", (unsigned long long)from,
		        (unsigned long long)next - 1, runs, wrong);
		fclose(f);
	}
}

int main(int argc, char **argv)
{
	static const enum wl_arch archs[] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};
	struct way ways[5 * 2 * MOST_OPTS];
	uint64_t seed = 1, count = 100, done = 0;
	double seconds = 0;
	bool print = false, wlcc = true, ptxas = true, three = false;
	const char *resume = NULL;
	unsigned nways = 0, wrong = 0, runs = 0, batch = 20;
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (!strcmp(argv[i], "--print")) {
			print = true;
			continue;
		}
		if (!value)
			return fprintf(stderr, "warps_fuzz: what is '%s'?\n", argv[i]), 2;
		if (!strcmp(argv[i], "--seed"))
			seed = strtoull(value, NULL, 0);
		else if (!strcmp(argv[i], "--count"))
			count = strtoull(value, NULL, 0);
		else if (!strcmp(argv[i], "--seconds"))
			seconds = atof(value);
		else if (!strcmp(argv[i], "--batch"))
			batch = (unsigned)atoi(value);
		else if (!strcmp(argv[i], "--keep"))
			keep = value;
		else if (!strcmp(argv[i], "--resume"))
			resume = value;
		else if (!strcmp(argv[i], "--by")) {
			three = !strcmp(value, "three");
			wlcc = strcmp(value, "ptxas") != 0;
			ptxas = strcmp(value, "wlcc") != 0;
		} else
			return fprintf(stderr, "warps_fuzz: what is '%s'?\n", argv[i]), 2;
		i++;
	}
	if (batch < 1 || batch > MOST_BATCH)
		return fprintf(stderr, "warps_fuzz: --batch is 1 to %d\n", MOST_BATCH), 2;
	mkdir(keep, 0777);
	if (ptxas && system("command -v ptxas >/dev/null")) {
		ptxas = false;
		puts("no ptxas: its code is left out");
	}
	for (unsigned by = 0; by < 2; by++)
		for (unsigned a = 0; a < 5; a++)
			for (unsigned o = 0; o < 2; o++)
				if (by ? ptxas : wlcc)
					ways[nways++] = (struct way){by, archs[a], o == 0 ? 0 : by ? 3 : 2};
	if (resume)
		seed = next_seed(resume, seed);
	const time_t begin = time(NULL), end = begin + (time_t)seconds;
	for (unsigned n; nways && (seconds ? time(NULL) < end : done < count); done += n) {
		const unsigned runs_before = runs, wrong_before = wrong;
		n = seconds || count - done > batch ? batch : (unsigned)(count - done);
		if (three && ptxas)
			ways[10] = (struct way){true, archs[(seed + done) / batch % 5], 0};
		wrong += try_batch(seed + done, n, ways, three && ptxas ? 11 : nways, print, &runs);
		if (resume)
			keep_seed(resume, seed + done, seed + done + n, runs - runs_before, wrong - wrong_before);
		printf("%llu programs, %u runs, %u wrong, %lld s; next seed %llu\n", (unsigned long long)(done + n),
		       runs, wrong, (long long)(time(NULL) - begin), (unsigned long long)(seed + done + n));
		fflush(stdout);
	}
	for (enum deviation d = DEVIATION_NONE + 1; d < DEVIATION_COUNT; d++)
		if (deviations[d])
			printf("%u programs that ptxas makes wrong as it is known to: %s\n", deviations[d],
			       deviation_names[d]);
	printf("seeds %llu to %llu, %u runs\n%llu passed, %u failed\n", (unsigned long long)seed,
	       (unsigned long long)(seed + done) - 1, runs, (unsigned long long)done - wrong, wrong);
	return wrong != 0;
}
