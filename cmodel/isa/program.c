// SPDX-License-Identifier: Apache-2.0
#include "warplock/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wl_program_free(struct wl_program *p)
{
	free(p->words);
	free(p->insts);
	free(p->lines);
	free(p->source);
	for (uint32_t i = 0; i < p->ntexts; i++)
		free(p->texts[i]);
	free(p->texts);
	free(p->places);
	free(p->place_of);
	free(p->params);
	for (unsigned i = 0; i < 8; i++)
		free(p->cbank[i]);
	free(p->data);
	for (uint32_t i = 0; i < p->nfunctions; i++)
		free(p->functions[i].name);
	free(p->functions);
	free(p->loose);
	for (uint32_t i = 0; i < p->nglobals; i++)
		free(p->globals[i].name), free(p->globals[i].shown);
	free(p->globals);
	for (uint32_t i = 0; i < p->nshared; i++)
		free(p->shared[i].name), free(p->shared[i].shown);
	free(p->shared);
	memset(p, 0, sizeof *p);
}

bool wl_program_line(const struct wl_program *p, uint32_t i, const char **file, unsigned *line)
{
	const struct wl_place *at = wl_program_place(p, i);
	if (at) {
		while (at->caller)
			at = &p->places[at->caller - 1];
		*file = at->file;
		*line = at->line;
		return true;
	}
	if (i >= p->ninst || !p->lines || !p->lines[i])
		return false;
	*file = p->source ? p->source : "source";
	*line = p->lines[i];
	return true;
}

const struct wl_place *wl_program_place(const struct wl_program *p, uint32_t i)
{
	return i < p->ninst && p->place_of && p->place_of[i] ? &p->places[p->place_of[i] - 1] : NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

void wl_place_chain(const struct wl_place *places, const struct wl_place *place, char *buf, size_t n)
{
	enum { CALLS = 4 };
	size_t length = 0;
	unsigned calls = 0;
	if (n)
		*buf = 0;
	if (!place->caller)
		return;
	length += (size_t)snprintf(buf, n, "%.80s (%.60s, line %u)", place->function ? place->function : "a function",
	                           last_part(place->file), place->line);
	for (; place->caller && length < n; calls++) {
		place = &places[place->caller - 1];
		if (calls < CALLS || !place->caller)
			length +=
			        (size_t)snprintf(buf + length, n - length, "%s inlined at %.60s, line %u%s%.80s",
			                         calls ? "," : "", last_part(place->file), place->line,
			                         place->function ? " of " : "", place->function ? place->function : "");
		else if (calls == CALLS)
			length += (size_t)snprintf(buf + length, n - length, ", ...");
	}
}

void wl_program_where(const struct wl_program *p, uint32_t i, char *buf, size_t n)
{
	const struct wl_place *at = wl_program_place(p, i);
	const char *file;
	unsigned line;
	char chain[WL_WHERE] = "";
	if (n)
		*buf = 0;
	if (!wl_program_line(p, i, &file, &line))
		return;
	if (at)
		wl_place_chain(p->places, at, chain, sizeof chain);
	if (*chain)
		snprintf(buf, n, " (%s, line %u) [%s]", file, line, chain);
	else
		snprintf(buf, n, " (%s, line %u)", file, line);
}

bool wl_program_shared_object(const struct wl_program *p, uint32_t bytes, uint64_t addr, char *buf, size_t n)
{
	enum { GRANULE = 16 }; /* a CTA has whole granules: bytes behind the static bytes may be no dynamic bytes */
	for (uint32_t i = 0; i < p->nshared; i++) {
		const struct wl_shared_var *v = &p->shared[i];
		if (addr < v->at || addr - v->at >= v->size)
			continue;
		if (addr == v->at)
			snprintf(buf, n, "%s", v->shown);
		else
			snprintf(buf, n, "%s+%llu", v->shown, (unsigned long long)(addr - v->at));
		return true;
	}
	if (addr < p->shared_bytes || addr >= bytes || bytes - p->shared_bytes < GRANULE)
		return false;
	snprintf(buf, n, "dynamic shared memory + 0x%llx", (unsigned long long)(addr - p->shared_bytes));
	return true;
}

void wl_program_block(const struct wl_program *p, uint32_t block[3])
{
	if (p->of_tiles && p->required_block[0] && block[0] == 1 && block[1] == 1 && block[2] == 1)
		memcpy(block, p->required_block, sizeof p->required_block);
}

const struct wl_function *wl_program_function(const struct wl_program *p, uint32_t i)
{
	const struct wl_function *found = NULL;
	for (uint32_t k = 0; k < p->nfunctions; k++) /* a function within another function's section comes later */
		if (i >= p->functions[k].first && i - p->functions[k].first < p->functions[k].count)
			found = &p->functions[k];
	return found;
}
