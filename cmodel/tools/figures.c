// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <stdio.h>

#include "sweep.h"

/* Conflicts by degree: passes of an instruction, and the number of instructions with so many passes. */
static void print_conflicts(const struct wl_gpu *gpu)
{
	enum { WIDTH = 40 };
	static const char bar[WIDTH + 1] = "########################################";
	uint64_t most = 0;
	for (unsigned d = 0; d <= WL_WARP_LANES; d++)
		most = wl_gpu_conflicts(gpu, d) > most ? wl_gpu_conflicts(gpu, d) : most;
	if (!most)
		return;
	printf("shared-memory instructions by passes:\n");
	for (unsigned d = 0; d <= WL_WARP_LANES; d++) {
		uint64_t n = wl_gpu_conflicts(gpu, d);
		if (n)
			printf("  %2u %10llu %.*s\n", d, (unsigned long long)n,
			       (int)((double)n * WIDTH / (double)most + 0.999), bar);
	}
}

void figures_print(const struct job *job, const struct report *r)
{
	printf("%llu warp instructions in %.3f s:", (unsigned long long)r->warp_instructions, r->seconds);
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (r->executed[u])
			printf(" %s %llu", wl_unit_name((enum wl_unit)u), (unsigned long long)r->executed[u]);
	printf("\n");
	if (wl_gpu_schedule(job->gpu) != WL_SCHEDULE_STEADY)
		printf("order of the warps: policy %s\n", schedule_name(wl_gpu_schedule(job->gpu)));
	print_conflicts(job->gpu);
}
