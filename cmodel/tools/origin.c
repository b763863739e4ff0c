// SPDX-License-Identifier: Apache-2.0
#include "origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of struct origin. */
static const struct {
	const char *word, *what;
} of[ORIGIN_LINES] = {
        {"of kernel ", "another kernel"},
        {"of launch ", "another launch"},
        {"of code ", "other code of the kernel"},
        {"of inputs ", "other arguments or buffers"},
        {"of seed ", "another seed"},
};
enum { SEED = ORIGIN_LINES - 1 };

/* FNV-1a, of 8 bytes at a time. */
static void mix(uint64_t *h, const void *data, size_t size)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < size; i += 8) {
		uint64_t v = 0;
		memcpy(&v, p + i, size - i < 8 ? size - i : 8);
		*h = (*h ^ v) * UINT64_C(0x100000001b3);
		*h ^= *h >> 32;
	}
	*h = (*h ^ size) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of_code(const struct wl_program *p)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	mix(&h, p->words, p->ninst * sizeof *p->words);
	for (unsigned i = 0; i < sizeof p->cbank / sizeof *p->cbank; i++)
		mix(&h, p->cbank[i], p->cbank_bytes[i]);
	mix(&h, p->data, p->data_bytes);
	return h;
}

static uint64_t hash_of_inputs(const struct job *job)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	mix(&h, job->params, job->program.param_bytes);
	for (unsigned i = 0; i < job->launch.nall; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (a->is_buffer)
			mix(&h, wl_gmem_at(&job->gmem, job->addr[i], 1), a->count * a->type->bytes);
	}
	return h;
}

void origin_take(struct origin *o, const struct job *job, const struct wl_config *config)
{
	const struct wl_launch *l = &job->start;
	const uint32_t *g = l->grid, *b = l->block, *c = l->cluster;
	snprintf(o->line[0], ORIGIN_LINE, "%s%s", of[0].word, job->program.name);
	snprintf(o->line[1], ORIGIN_LINE, "%ssm_%u sms %u grid %u %u %u block %u %u %u cluster %u %u %u shared %u",
	         of[1].word, config->chip, config->sms, g[0], g[1], g[2], b[0], b[1], b[2], c[0], c[1], c[2],
	         l->dynamic_shared);
	snprintf(o->line[2], ORIGIN_LINE, "%s%016" PRIx64, of[2].word, hash_of_code(&job->program));
	snprintf(o->line[3], ORIGIN_LINE, "%s%016" PRIx64, of[3].word, hash_of_inputs(job));
	snprintf(o->line[SEED], ORIGIN_LINE, "%s%" PRIu64, of[SEED].word, config->seed);
}

size_t origin_text(const struct origin *o, bool seed, char *buf, size_t n)
{
	size_t at = 0;
	for (unsigned i = 0; i < (seed ? ORIGIN_LINES : SEED); i++)
		at += (size_t)snprintf(buf + at, n - at, "%s\n", o->line[i]);
	return at;
}

bool origin_passes(const char *line)
{
	return *line == '#' || *line == '\n' || *line == '\r' || !*line;
}

bool origin_has(const char *line)
{
	return strncmp(line, "of ", 3) == 0;
}

bool origin_fits(const struct origin *o, const char *line, char *why, size_t whyn)
{
	const int length = (int)strcspn(line, "\r\n");
	unsigned i = 0;
	while (i < ORIGIN_LINES && strncmp(line, of[i].word, strlen(of[i].word)))
		i++;
	if (i == ORIGIN_LINES)
		snprintf(why, whyn, "expected 'of' and kernel, launch, code, inputs or seed, found '%.*s'", length,
		         line);
	else if (strlen(o->line[i]) == (size_t)length && !strncmp(line, o->line[i], (size_t)length))
		return true;
	else
		snprintf(why, whyn, "the schedule is of %s: found '%.*s', expected '%s'", of[i].what, length, line,
		         o->line[i]);
	return false;
}

bool origin_seed(const char *text, uint64_t *seed)
{
	for (const char *p = text; (p = strchr(p, '\n')) && (origin_passes(++p) || origin_has(p));)
		if (sscanf(p, "of seed %" SCNu64, seed) == 1)
			return true;
	return false;
}
