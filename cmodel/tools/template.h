// SPDX-License-Identifier: Apache-2.0
/* template.h -- wlrun --launch-template: a launch file for a kernel's parameters. */
#ifndef WARPLOCK_TEMPLATE_H
#define WARPLOCK_TEMPLATE_H

#include <stdio.h>

#include "job.h"

/* A parameter as declared in PTX. Objects hold sizes alone. */
struct template_param {
	char name[LAUNCH_NAME];
	char type[8]; /* element type of a scalar; "" = not known */
	bool pointer; /* stated in the PTX (.ptr) */
};

/* Parameters of a kernel in PTX text, n of them at most; entry NULL = the only kernel. Returns the number of
 * parameters, 0 where the text does not say. The compiler supplies the function (compiler/job_params.c), as
 * job_compile. */
unsigned job_ptx_params(const char *text, size_t size, const char *entry, struct template_param *out, unsigned n);

/* Prints a launch file for the kernel of `program`. False with the reason in job->error, unless `told`. *job is
 * overwritten; call job_free in any case. */
bool template_print(struct job *job, const struct wl_config *config, const char *program, const char *entry, FILE *to);

#endif
