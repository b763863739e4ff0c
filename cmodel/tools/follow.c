// SPDX-License-Identifier: Apache-2.0
#include "follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sm/replay.h"
#include "file.h"

static bool skip(const char *line)
{
	return *line == '#' || *line == '\n' || *line == '\r' || !*line;
}

/* Follows the order log; the first impossible line ends the run. */
bool follow_log(struct job *job, const struct wl_config *config, const char *path)
{
	size_t size;
	char why[200] = "";
	unsigned line = 1;
	unsigned char *log = file_read(path, &size, job->error, sizeof job->error);
	if (!log)
		return false;
	struct wl_replay *r = wl_replay_create(job->gpu, config);
	const char *p = (const char *)log;
	bool ok = r && strncmp(p, WL_ORDER_SIGNATURE, strlen(WL_ORDER_SIGNATURE)) == 0;
	if (!ok)
		snprintf(why, sizeof why, r ? "expected the first line of an order log, '%.16s'" : "no memory",
		         WL_ORDER_SIGNATURE);
	while (ok && (p = strchr(p, '\n')) && *++p) {
		struct wl_order event;
		line++;
		ok = skip(p) ||
		     (wl_order_parse(p, &event, why, sizeof why) && wl_replay_event(r, &event, why, sizeof why));
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

bool follow_turns(struct job *job, const struct turns *turns)
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
