// SPDX-License-Identifier: Apache-2.0
#include "run_ptx.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched_check.h"
#include "warplock/hazard.h"

struct messages {
	char *text;
	size_t n;
};

static void note(void *self, const struct wlcc_message *one)
{
	struct messages *m = self;
	size_t at = strlen(m->text);
	if (one->severity == WLCC_ERROR && at + 1 < m->n)
		snprintf(m->text + at, m->n - at, "%s, line %u: %s\n", one->file, one->line, one->text);
}

const enum wl_arch all_archs[NUM_ARCHS] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM120};

enum { SECONDS = 20 }; /* for one kernel: a compilation takes milliseconds */

static const char *compiled; /* the PTX of the current compilation */

static void too_long(int sig)
{
	static const char says[] = "FAILED: its compilation does not end:\n";
	(void)sig;
	if (write(2, says, sizeof says - 1) < 0 || write(2, compiled, strlen(compiled)) < 0)
		_exit(2);
	_exit(1);
}

static bool compile(const char *ptx, const struct wlcc_options *o, struct wlcc_bytes *object)
{
	bool good;
	compiled = ptx;
	signal(SIGALRM, too_long);
	alarm(SECONDS);
	good = wlcc_compile_ptx(ptx, strlen(ptx), o, false, object);
	alarm(0);
	return good;
}

bool build_ptx(const char *ptx, enum wl_arch arch, int opt, struct wl_program *p, char *why, size_t whyn)
{
	struct messages m = {why, whyn};
	struct wlcc_options o = {.arch = arch ? arch : WL_SM75,
	                         .suffix = 'a',
	                         .opt = opt,
	                         .file = "test.ptx",
	                         .diag = note,
	                         .diag_self = &m};
	struct wlcc_bytes object;
	bool good;

	why[0] = 0;
	if (!compile(ptx, &o, &object))
		return false;
	good = wl_object_load(object.data, object.size, NULL, p, why, whyn) == WL_OK;
	free(object.data);
	return good;
}

static bool launch(const struct run_setup *s, const struct wl_program *p, char *why, size_t whyn)
{
	struct wl_config config = wl_config_default();
	struct wl_gmem g = {.bytes = 1 << 22};
	uint8_t params[80] = {0};
	struct wl_launch l = {.grid = {s->grid, 1, 1},
	                      .block = {s->block, 1, 1},
	                      .dynamic_shared = s->dynamic_shared,
	                      .params = params,
	                      .limit = 20000000};
	struct wl_gpu *gpu;
	enum wl_outcome outcome;

	config.arch = p->arch;
	g.mem = calloc(1, g.bytes);
	for (unsigned i = 0; i < s->nbufs; i++) {
		uint64_t at = wl_gmem_add(&g, s->buf[i].size);
		memcpy(params + 8 * (size_t)i, &at, 8);
		memcpy(wl_gmem_at(&g, at, (uint32_t)s->buf[i].size), s->buf[i].data, s->buf[i].size);
	}
	memcpy(params + 8 * (size_t)s->nbufs, &s->word, 4);
	wl_gmem_add_module(&g, p->data, p->data_bytes);
	wl_gmem_add_constants(&g, p->cbank[3], p->cbank_bytes[3]);
	wl_gmem_add_parameters(&g, p->param_base, params, p->param_bytes);
	if (wl_gpu_create(&config, p, &g, &l, &gpu, why, whyn) != WL_OK) {
		free(g.mem);
		return false;
	}
	outcome = wl_gpu_run(gpu);
	if (outcome != WL_ENDED)
		wl_gpu_detail(gpu, why, whyn);
	for (unsigned i = 0; i < s->nbufs; i++) {
		uint64_t at;
		memcpy(&at, params + 8 * (size_t)i, 8);
		memcpy(s->buf[i].data, wl_gmem_at(&g, at, (uint32_t)s->buf[i].size), s->buf[i].size);
	}
	wl_gpu_free(gpu);
	free(g.mem);
	return outcome == WL_ENDED;
}

struct first {
	char *why;
	size_t whyn;
	bool told;
};

static void note_hazard(void *self, const struct wl_hazard *h)
{
	struct first *f = self;
	char what[128];
	if (f->told)
		return;
	f->told = true;
	wl_hazard_text(h, what, sizeof what);
	snprintf(f->why, f->whyn, "hazard at 0x%x: %s; result of 0x%x", 16 * h->consumer, what, 16 * h->producer);
}

/* Checks with the measured latencies. sched_check knows no tables, and asks for less. */
static bool no_hazards(const struct wl_program *p, char *why, size_t whyn)
{
	struct first f = {why, whyn, false};
	return wl_hazard_check(p->arch, (const unsigned char *)p->words, p->ninst, NULL, 0, note_hazard, &f) == 0;
}

bool run_ptx(const struct run_setup *s, char *why, size_t whyn)
{
	struct wl_program p;
	bool good;
	if (!build_ptx(s->ptx, s->arch, s->opt, &p, why, whyn))
		return false;
	good = sched_check(&p, why, whyn) && no_hazards(&p, why, whyn) && launch(s, &p, why, whyn);
	wl_program_free(&p);
	return good;
}
