// SPDX-License-Identifier: Apache-2.0
/* job_object.h -- PTX to an object for the configuration of a job (wlrun, wlcosim, the Python module). */
#ifndef WARPLOCK_JOB_OBJECT_H
#define WARPLOCK_JOB_OBJECT_H

#include "../cmodel/tools/job.h"
#include "wlcc.h"

/* As job_compile. `diag` gets the job with each message of the compiler. */
bool job_object(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                size_t size, unsigned char **object, size_t *object_size, wlcc_diag_fn diag);

#endif
