// SPDX-License-Identifier: Apache-2.0
/* bench_corpus -- warp instructions a second of the C model on real kernels.
 *
 *   bench_corpus [--race] [--seconds S] LIST
 *
 * --race: with the race checker. Prints the checker's memory, too: `shadow_per_byte`, bytes of the checker for a byte
 * with known accesses, over all kernels together; and the same number of the worst kernel.
 * LIST has lines `NAME ARCH LAUNCH PROGRAM`, with paths from LIST's folder. Each kernel runs again and again, with
 * another seed each time, for at least LEAST_RUNS runs and S seconds of CPU time (0.3); loading is not counted. Prints
 * `NAME_per_s VALUE` for each kernel that exists and passes, last `corpus_per_s`, the geometric mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../cmodel/tools/job.h"
#include "warplock/race.h"

enum { LEAST_RUNS = 3 };
static bool with_checker;
static struct {
	double bytes, watched; /* of the last run of each kernel */
} memory;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The kernel from the start, with a seed; false: the end differs from the launch file's. */
static bool again(struct job *job, struct wl_config *config, uint64_t seed, double *n, double *seconds)
{
	char why[300] = "";
	struct job_verdict verdict;
	config->seed = seed;
	wl_gpu_free(job->gpu);
	job->gpu = NULL;
	if (wl_gpu_create(config, &job->program, &job->gmem, &job->start, &job->gpu, why, sizeof why) != WL_OK) {
		fprintf(stderr, "bench_corpus: %s\n", why);
		return false;
	}
	struct wl_seen_shape shape;
	wl_gpu_shape(job->gpu, &shape);
	const double start = now();
	struct wl_race *race = with_checker ? wl_race_create(&shape) : NULL;
	wl_gpu_observe(job->gpu, race ? wl_race_observer(race) : NULL);
	wl_gpu_run(job->gpu);
	*seconds += now() - start;
	if (race) {
		memory.bytes = (double)wl_race_shadow_bytes(race);
		memory.watched = (double)wl_race_watched_bytes(race);
	}
	const double end = now();
	wl_race_free(race);
	*seconds += now() - end;
	*n += (double)wl_gpu_warp_instructions(job->gpu);
	job_judge(job, &verdict, NULL, NULL);
	if (!verdict.as_expected)
		fprintf(stderr, "bench_corpus: seed %llu: %s\n", (unsigned long long)seed, verdict.detail);
	return verdict.as_expected;
}

static bool measure(const char *arch, const char *launch, const char *program, double least, double *n, double *seconds)
{
	static struct job job;
	struct wl_config config = wl_config_default();
	config.arch = wl_arch_parse(arch, NULL);
	bool good = job_load(&job, &config, launch, program, NULL, 0);
	uint8_t *image = good ? malloc(job.gmem.bytes) : NULL;
	if (!image) {
		fprintf(stderr, "bench_corpus: %s on %s: %s\n", launch, arch, job.error);
		job_free(&job);
		return false;
	}
	memcpy(image, job.gmem.mem, job.gmem.bytes);
	for (uint64_t seed = 1; good && (seed <= LEAST_RUNS || *seconds < least); seed++) {
		memcpy(job.gmem.mem, image, job.gmem.bytes);
		good = again(&job, &config, seed, n, seconds);
	}
	free(image);
	job_free(&job);
	return good;
}

int main(int argc, char **argv)
{
	char line[600], name[60], arch[12], file[2][200], path[2][800];
	double least = 0.3, logs = 0, bytes = 0, watched = 0, most = 0;
	unsigned kernels = 0, wrong = 0;
	if (argc > 1 && !strcmp(argv[1], "--race")) {
		with_checker = true;
		argv++;
		argc--;
	}
	if (argc == 4 && !strcmp(argv[1], "--seconds"))
		least = atof(argv[2]);
	FILE *list = argc == 2 || argc == 4 ? fopen(argv[argc - 1], "r") : NULL;
	if (!list) {
		fputs("usage: bench_corpus [--race] [--seconds S] LIST\n", stderr);
		return 2;
	}
	const char *slash = strrchr(argv[argc - 1], '/');
	while (fgets(line, sizeof line, list)) {
		bool there = true;
		if (sscanf(line, " %59[^# ] %11s %199s %199s", name, arch, file[0], file[1]) != 4)
			continue;
		for (unsigned i = 0; i < 2; i++) {
			snprintf(path[i], sizeof path[i], "%.*s%s", slash ? (int)(slash + 1 - argv[argc - 1]) : 0,
			         argv[argc - 1], file[i]);
			FILE *f = fopen(path[i], "r");
			there = there && f;
			if (f)
				fclose(f);
		}
		double n = 0, seconds = 0;
		bool good = there && measure(arch, path[0], path[1], least, &n, &seconds);
		wrong += there && !good;
		if (!good)
			continue;
		printf("%s_per_s %.0f\n", name, n / seconds);
		fflush(stdout);
		logs += log(n / seconds);
		if (with_checker && memory.watched > 0) {
			bytes += memory.bytes;
			watched += memory.watched;
			most = fmax(most, memory.bytes / memory.watched);
			printf("%s_shadow %.2f of %.0f\n", name, memory.bytes / memory.watched, memory.watched);
		}
		kernels++;
	}
	fclose(list);
	if (watched > 0)
		printf("shadow_per_byte %.2f\nshadow_per_byte_most %.2f\n", bytes / watched, most);
	if (kernels)
		printf("corpus_per_s %.0f\n", exp(logs / kernels));
	printf("geometric mean of %u kernels, %u wrong\n", kernels, wrong);
	return wrong != 0 || !kernels;
}
