// SPDX-License-Identifier: Apache-2.0
/* rtl_coverage.h -- C++, for shims: at the end of a verilated model the model's counts go to a new file in the folder
 * WL_COVERAGE. Models count only if built with WL_COVERAGE set. */
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
