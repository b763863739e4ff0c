// SPDX-License-Identifier: Apache-2.0
/* konata.c -- a row for each request. Commands of a cycle are written when the cycle is over, since the format knows no
 * way back: a life has the stage of this cycle (`now`) and of the next cycle.
 *
 * Source: Konata, docs/kanata-log-format.md. */
#include "konata.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From STAGE_PASS on: the number of the pass. */
enum stage { STAGE_NONE, STAGE_PORT, STAGE_IN, STAGE_ADDRESS, STAGE_BETWEEN, STAGE_WAIT, STAGE_RESPONSE, STAGE_PASS };
static const char *const stage_name[STAGE_PASS] = {"", "Pt", "In", "Ad", "Bk", "Wt", "Rs"};

enum { TEXT = 400 };

struct konata {
	FILE *file;
	const char *path;
	enum wl_arch arch;
	const struct wl_program *program;
	unsigned warps;
	uint64_t cycle, told; /* current; of the last command */
	uint64_t rows, retired;
	bool started;
};

struct konata *konata_begin(const char *path, enum wl_arch arch, const struct wl_program *program, unsigned warps,
                            char *err, size_t errn)
{
	struct konata *k = calloc(1, sizeof *k);
	if (!k) {
		snprintf(err, errn, "no memory for the pipeline log");
		return NULL;
	}
	*k = (struct konata){.path = path, .arch = arch, .program = program, .warps = warps};
	k->file = fopen(path, "w");
	if (!k->file) {
		snprintf(err, errn, "cannot write %s: %s", path, strerror(errno));
		free(k);
		return NULL;
	}
	fputs("Kanata\t0004\n", k->file);
	return k;
}

/* ---- lines ---- */

static __attribute__((format(printf, 2, 3))) void put(struct konata *k, const char *format, ...)
{
	va_list ap;
	if (!k->started)
		fprintf(k->file, "C=\t%llu\n", (unsigned long long)k->cycle);
	else if (k->cycle != k->told)
		fprintf(k->file, "C\t%llu\n", (unsigned long long)(k->cycle - k->told));
	k->started = true;
	k->told = k->cycle;
	va_start(ap, format);
	vfprintf(k->file, format, ap);
	va_end(ap);
}

/* Tabs and ends of lines separate fields. */
static void plain(char *s)
{
	for (; *s; s++)
		if (*s == '\t' || *s == '\n')
			*s = ' ';
}

static void put_row(struct konata *k, const struct life *l)
{
	char inst[TEXT];
	const char *file;
	unsigned line;
	if (wl_print(k->arch, l->word, l->pc, inst, sizeof inst) < 0)
		snprintf(inst, sizeof inst, "?");
	plain(inst);
	put(k, "I\t%llu\t%u\t%u\n", (unsigned long long)l->id, l->tag.n, l->tag.sm * WL_MAX_WARPS + l->tag.warp);
	put(k, "L\t%llu\t0\tSM %u CTA %u warp%s %u: 0x%04x %s\n", (unsigned long long)l->id, l->tag.sm, l->tag.cta,
	    k->warps ? "" : " slot", k->warps ? l->tag.warp % k->warps : l->tag.warp, l->pc, inst);
	put(k, "L\t%llu\t1\t%s, lanes 0x%08x%s\n", (unsigned long long)l->id, wl_unit_name(l->unit), l->mask,
	    l->posted ? ", posted" : "");
	if (k->program && wl_program_line(k->program, l->pc / 16, &file, &line))
		put(k, "L\t%llu\t1\t%s, line %u\n", (unsigned long long)l->id, file ? file : "source", line);
	k->rows++;
}

static unsigned long long span(uint64_t from, uint64_t to)
{
	return from == LIFE_NEVER || to == LIFE_NEVER || to < from ? 0 : to - from;
}

/* The time in each place, and the reason. */
static void put_reasons(struct konata *k, const struct life *l)
{
	const unsigned long long id = l->id;
	put(k, "L\t%llu\t1\tport: %llu cycles until the unit took it; %llu until all beats were sent\n", id,
	    span(l->offered, l->accepted), span(l->accepted, l->sent));
	if (l->passes)
		put(k, "L\t%llu\t1\t%u passes from cycle %llu to %llu; %u cycles behind other requests of the unit\n",
		    id, l->passes, (unsigned long long)l->first, (unsigned long long)l->last, l->others);
	if (l->unit == WL_UNIT_atom_unit && l->passes)
		put(k, "L\t%llu\t1\tglobal memory: first answer %llu cycles after the request\n", id,
		    span(l->sent, l->first));
	if (l->waits != LIFE_NEVER)
		put(k, "L\t%llu\t1\twaited %llu cycles\n", id, span(l->waits, l->ended));
	else if (l->passes)
		put(k, "L\t%llu\t1\tresponse %llu cycles after the last pass\n", id, span(l->last, l->ended));
	if (l->faulted)
		put(k, "L\t%llu\t1\tlanes 0x%08x fault\n", id, l->faulted);
}

/* ---- stages ---- */

static void moved(void *self, struct life *l, enum life_step step, const struct wl_record *rec,
                  const struct life_arrival *from)
{
	struct konata *k = self;
	(void)rec;
	switch (step) {
	case LIFE_OFFERED:
		l->now = l->next = STAGE_PORT;
		break;
	case LIFE_ACCEPTED:
		l->now = l->next = STAGE_IN;
		break;
	case LIFE_SENT:
		l->next = l->passes ? l->next : STAGE_ADDRESS;
		break;
	case LIFE_PASSED:
		l->now = (uint8_t)(STAGE_PASS + l->passes);
		l->next = l->left ? STAGE_BETWEEN : STAGE_RESPONSE;
		break;
	case LIFE_WAITS:
		l->next = STAGE_WAIT;
		break;
	case LIFE_ENDED:
		k->cycle = l->ended;
		if (from)
			put(k, "W\t%llu\t%llu\t0\n", (unsigned long long)l->id, (unsigned long long)from->life);
		break;
	}
}

static void show(struct konata *k, struct life *l)
{
	if (!l->shown)
		put_row(k, l);
	if (l->now == l->shown)
		return;
	if (l->now < STAGE_PASS)
		put(k, "S\t%llu\t0\t%s\n", (unsigned long long)l->id, stage_name[l->now]);
	else
		put(k, "S\t%llu\t0\tP%u\n", (unsigned long long)l->id, l->now - STAGE_PASS);
	l->shown = l->now;
}

/* A stage that begins in the cycle after `at` is written here unless something happens to the life in that cycle. */
static void cycle(void *self, struct life *const *life, unsigned n, uint64_t at, uint64_t upto)
{
	struct konata *k = self;
	k->cycle = at;
	for (unsigned i = 0; i < n; i++)
		show(k, life[i]);
	k->cycle++;
	for (unsigned i = 0; i < n; i++) {
		struct life *l = life[i];
		if (l->over) {
			put_reasons(k, l);
			put(k, "R\t%llu\t%llu\t0\n", (unsigned long long)l->id, (unsigned long long)k->retired++);
			continue;
		}
		l->now = l->next;
		if (upto > at + 1)
			show(k, l);
	}
}

/* Marked as flushed: never answered. */
static void left(void *self, struct life *l, uint64_t at)
{
	struct konata *k = self;
	k->cycle = at > k->cycle ? at : k->cycle;
	put(k, "L\t%llu\t1\ton its way when the run ended\n", (unsigned long long)l->id);
	put(k, "R\t%llu\t%llu\t1\n", (unsigned long long)l->id, (unsigned long long)k->retired);
}

struct life_sink konata_sink(struct konata *k)
{
	return (struct life_sink){.self = k, .moved = moved, .cycle = cycle, .left = left};
}

bool konata_end(struct konata *k, char *err, size_t errn)
{
	const bool bad = ferror(k->file) != 0;
	errno = 0;
	const bool ok = fclose(k->file) == 0 && !bad;
	if (!ok)
		snprintf(err, errn, "cannot write %s: %s", k->path, errno ? strerror(errno) : "write error");
	free(k);
	return ok;
}
