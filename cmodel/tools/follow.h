// SPDX-License-Identifier: Apache-2.0
/* follow.h -- --schedule of wlrun: a run in the order of a file. False: job->error tells why. */
#ifndef WARPLOCK_FOLLOW_H
#define WARPLOCK_FOLLOW_H

#include "job.h"
#include "turns.h"

bool follow_log(struct job *job, const struct wl_config *config, const char *path); /* an order log */
bool follow_turns(struct job *job, const struct wl_config *config, const char *path);
/* Whether the file is an order log, of any version: by the first line. */
bool follow_is_log(const char *path);
/* The seed told by an order log. False: the log tells none, or cannot be read. */
bool follow_seed(const char *path, uint64_t *seed);

#endif
