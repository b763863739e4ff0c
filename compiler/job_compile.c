// SPDX-License-Identifier: Apache-2.0
/* job_compile.c -- how a job (wlrun, wlcosim) gets an object from PTX. */
#include <string.h>

#include "job_object.h"

/* Prints messages in the form known to PTX users, and keeps the first error for the report. */
static void diagnose(void *self, const struct wlcc_message *m)
{
	struct job *job = self;
	char buf[JOB_ERROR];
	const char *kind = m->severity == WLCC_ERROR ? "error  " : "warning";
	if (m->line)
		snprintf(buf, sizeof buf, "%s, line %u; %s : %s", m->file, m->line, kind, m->text);
	else
		snprintf(buf, sizeof buf, "%s; %s : %s", m->file, kind, m->text);
	fprintf(stderr, "%s\n", buf);
	if (m->severity == WLCC_ERROR && !job->error[0]) {
		memcpy(job->error, buf, sizeof buf);
		job->told = true;
	}
}

bool job_compile(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                 size_t size, unsigned char **object, size_t *object_size)
{
	return job_object(job, config, path, text, size, object, object_size, diagnose);
}
