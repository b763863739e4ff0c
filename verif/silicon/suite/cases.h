// SPDX-License-Identifier: Apache-2.0
// Runs cases, each in a process of its own under a time limit, since a hang or a fault is a result, too.
#pragma once
#include "sil.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static FILE *g_f;

// With an argument behind OUTDIR: run(case) alone. Otherwise all of `cases`; NAME.tsv in OUTDIR gets the rows.
template <size_t N>
static int run_cases(int argc, char **argv, const char *name, const char *const (&cases)[N], int seconds,
                     void (*run)(const char *))
{
	if (argc > 1)
		g_outdir = argv[1];
	char path[1024];
	snprintf(path, sizeof path, "%s/%s.tsv", g_outdir, name);
	g_f = fopen(path, "a");
	if (!g_f) {
		printf("cannot write %s\n", path);
		return 2;
	}
	if (argc > 2) {
		run(argv[2]);
		return 0;
	}
	for (const char *c : cases) {
		const pid_t p = fork();
		if (!p) {
			execl("/proc/self/exe", argv[0], g_outdir, c, (char *)0);
			_exit(127);
		}
		int st = 0;
		const time_t t0 = time(0);
		bool late = false;
		while (!waitpid(p, &st, WNOHANG)) {
			if (time(0) - t0 > seconds) {
				late = true;
				kill(p, SIGKILL);
				waitpid(p, &st, 0);
				break;
			}
			usleep(10000);
		}
		if (late)
			fprintf(g_f, "%s\t-\thang\tseconds=%d\n", c, seconds);
		else if (!WIFEXITED(st) || WEXITSTATUS(st))
			fprintf(g_f, "%s\t-\t%s\trc=%d\n", c, WIFEXITED(st) && WEXITSTATUS(st) == 3 ? "fault" : "rc",
			        WIFEXITED(st) ? WEXITSTATUS(st) : -WTERMSIG(st));
		fflush(g_f);
	}
	return 0;
}
