// SPDX-License-Identifier: Apache-2.0
/* run_launch.c -- wlcosim --launch: a kernel in lockstep. */
#include <stdio.h>

#include "options.h"

int run_launch(const struct options *o)
{
	fprintf(stderr, "wlcosim: %s: kernels are not built yet\n", o->launch ? o->launch : o->program);
	return EXIT_BAD;
}
