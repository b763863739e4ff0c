// SPDX-License-Identifier: Apache-2.0
#include "warplock/program.h"

#include <stdlib.h>
#include <string.h>

void wl_program_free(struct wl_program *p)
{
	free(p->words);
	free(p->insts);
	free(p->lines);
	free(p->source);
	for (uint32_t i = 0; i < p->nsources; i++)
		free(p->sources[i]);
	free(p->sources);
	free(p->source_of);
	free(p->params);
	for (unsigned i = 0; i < 8; i++)
		free(p->cbank[i]);
	free(p->data);
	for (uint32_t i = 0; i < p->nfunctions; i++)
		free(p->functions[i].name);
	free(p->functions);
	free(p->loose);
	for (uint32_t i = 0; i < p->nglobals; i++)
		free(p->globals[i].name);
	free(p->globals);
	for (uint32_t i = 0; i < p->nshared; i++)
		free(p->shared[i].name);
	free(p->shared);
	memset(p, 0, sizeof *p);
}

bool wl_program_line(const struct wl_program *p, uint32_t i, const char **file, unsigned *line)
{
	if (i >= p->ninst || !p->lines || !p->lines[i])
		return false;
	*file = p->source_of ? p->sources[p->source_of[i]] : p->source ? p->source : "source";
	*line = p->lines[i];
	return true;
}

const struct wl_function *wl_program_function(const struct wl_program *p, uint32_t i)
{
	const struct wl_function *found = NULL;
	for (uint32_t k = 0; k < p->nfunctions; k++) /* a function within another's section comes behind it */
		if (i >= p->functions[k].first && i - p->functions[k].first < p->functions[k].count)
			found = &p->functions[k];
	return found;
}
