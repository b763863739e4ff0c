// SPDX-License-Identifier: Apache-2.0
/* rtl_coverage.h -- C++, for shims: what a verilated model has counted goes to a file of its own in the folder that
 * WL_COVERAGE names, when the model is put away. Models count only when they were built with that variable set. */
#ifndef WARPLOCK_RTL_COVERAGE_H
#define WARPLOCK_RTL_COVERAGE_H

#include <verilated.h>

#if VM_COVERAGE
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <verilated_cov.h>

inline void keep_coverage(VerilatedContext *context)
{
	static unsigned n;
	char path[4096];
	const char *folder = std::getenv("WL_COVERAGE");
	if (!folder || std::snprintf(path, sizeof path, "%s/%d-%u.dat", folder, (int)getpid(), n++) >= (int)sizeof path)
		return;
	context->coveragep()->write(path);
}
#else
inline void keep_coverage(VerilatedContext *)
{
}
#endif

#endif
