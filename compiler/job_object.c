// SPDX-License-Identifier: Apache-2.0
/* job_object.c -- PTX to an object for the configuration of a job. */
#include "job_object.h"

bool job_object(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                size_t size, unsigned char **object, size_t *object_size, wlcc_diag_fn diag)
{
	struct wlcc_options options = {.arch = config->arch,
	                               .chip = config->chip,
	                               .suffix = 'a', /* a machine is the chip itself */
	                               .opt = 1,
	                               .file = path,
	                               .native_shared = config->native != 0,
	                               .silicon_words = true,
	                               .diag = diag,
	                               .diag_self = job};
	struct wlcc_bytes out;
	const bool good = wlcc_compile_ptx((const char *)text, size, &options, false, &out);
	*object = out.data;
	*object_size = out.size;
	if (!good && !job->error[0])
		snprintf(job->error, sizeof job->error, "%s: cannot be compiled", path);
	return good;
}
