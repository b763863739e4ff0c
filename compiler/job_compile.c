// SPDX-License-Identifier: Apache-2.0
/* job_compile.c -- how a job (wlrun, wlcosim) gets an object from PTX. */
#include <string.h>

#include "../cmodel/tools/job.h"
#include "wlcc.h"

/* Messages as PTX users know them; the first error is kept for the report. */
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
	struct wlcc_options options = {.arch = config->arch,
	                               .chip = config->chip,
	                               .suffix = 'a', /* a machine is the chip itself */
	                               .opt = 1,
	                               .file = path,
	                               .native_shared = config->native != 0,
	                               .diag = diagnose,
	                               .diag_self = job};
	struct wlcc_bytes out;
	bool good = wlcc_compile_ptx((const char *)text, size, &options, false, &out);
	*object = out.data;
	*object_size = out.size;
	if (!good && !job->error[0])
		snprintf(job->error, sizeof job->error, "%s: cannot be compiled", path);
	return good;
}
