// SPDX-License-Identifier: Apache-2.0
#include "follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sm/replay.h"
#include "file.h"
#include "warplock/observe.h"

static bool run_turns(struct job *job, const struct turns *turns)
{
	static const struct wl_guide_turn none = {0, 0, 0};
	struct wl_guide guide = {.turn = turns->n ? turns->turn : &none, .turns = turns->n};
	if (!wl_gpu_guide(job->gpu, &guide)) {
		snprintf(job->error, sizeof job->error, "no memory for the turns");
		return false;
	}
	wl_gpu_run(job->gpu);
	wl_guide_done(&guide);
	return true;
}

static bool follow_line(const char *line, struct wl_replay *r, const struct origin *origin, char *why, size_t whyn)
{
	struct wl_order event;
	return origin_passes(line) ||
	       (origin_has(line) ? origin_fits(origin, line, why, whyn)
	                         : wl_order_parse(line, &event, why, whyn) && wl_replay_event(r, &event, why, whyn));
}

bool follow_is_log(const char *path)
{
	return file_begins(path, "warplock order");
}

/* Follows the order log; the first impossible line ends the run. */
bool follow_log(struct job *job, const struct wl_config *config, const char *path)
{
	size_t size;
	char why[2 * ORIGIN_LINE + 100] = "";
	struct origin origin;
	unsigned line = 1;
	unsigned char *log = file_read(path, &size, job->error, sizeof job->error);
	if (!log)
		return false;
	origin_take(&origin, job, config);
	struct wl_replay *r = wl_replay_create(job->gpu, config);
	const char *p = (const char *)log;
	bool ok = r && strncmp(p, WL_ORDER_SIGNATURE, strlen(WL_ORDER_SIGNATURE)) == 0;
	if (!ok)
		snprintf(why, sizeof why, r ? "expected the first line of an order log, '%.16s'" : "no memory",
		         WL_ORDER_SIGNATURE);
	while (ok && (p = strchr(p, '\n')) && *++p) {
		line++;
		ok = follow_line(p, r, &origin, why, sizeof why);
	}
	if (ok && wl_gpu_settle(job->gpu) == WL_RUNNING) {
		ok = false;
		snprintf(why, sizeof why, "the log ends here, the kernel does not");
	}
	if (!ok)
		snprintf(job->error, sizeof job->error, "%s, line %u: %s", path, line, why);
	wl_replay_free(r);
	free(log);
	return ok;
}

bool follow_turns(struct job *job, const struct wl_config *config, const char *path)
{
	struct turns turns;
	struct turns_launch of = {.seed = config->seed};
	struct wl_seen_shape shape;
	wl_gpu_shape(job->gpu, &shape);
	origin_take(&of.origin, job, config);
	of.ctas = shape.ctas;
	of.warps = shape.warps_per_cta;
	const bool ok = turns_read(path, &of, &turns, job->error, sizeof job->error) && run_turns(job, &turns);
	turns_free(&turns);
	return ok;
}

bool follow_seed(const char *path, uint64_t *seed)
{
	size_t size;
	char err[300];
	unsigned char *log = file_read(path, &size, err, sizeof err);
	const bool tells = log && origin_seed((const char *)log, seed);
	free(log);
	return tells;
}
