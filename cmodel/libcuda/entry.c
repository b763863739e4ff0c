// SPDX-License-Identifier: Apache-2.0
/* entry.c -- cuGetProcAddress, export tables, the profiler. */
#include <stdio.h>
#include <string.h>

#include "driver.h"

API CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status)
{
	bool too_old;
	CHECK(name && out && flags <= 3, INVALID_VALUE);
	*out = call_find(name, version, flags & 2, &too_old); /* 2: the default stream of the thread */
	if (status)
		*status = *out ? 0 : too_old ? 2 : 1;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
API CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

/* NVIDIA's own runtime asks for tables without a public description. docs/programs.md says where the static runtime
 * stops. A single line for a process. */
API CUresult cuGetExportTable(const void **table, const unsigned char *id)
{
	static bool told;
	char text[40];
	CHECK(table && id, INVALID_VALUE);
	*table = NULL;
	if (told)
		return CUDA_ERROR_NOT_FOUND;
	told = true;
	for (unsigned i = 0, n = 0; i < 16; i++)
		n += (unsigned)snprintf(text + n, sizeof text - n, "%s%02x",
		                        i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
	say("cuGetExportTable: NVIDIA's runtime asks for table %s, and no such table is built: link the program with "
	    "nvcc -cudart shared (the default is static), and let the program find our libcudart first "
	    "(LD_LIBRARY_PATH)",
	    text);
	return CUDA_ERROR_NOT_FOUND;
}

API CUresult cuProfilerStart(void)
{
	GUARD(NEED_CONTEXT);
	return CUDA_SUCCESS;
}
API CUresult cuProfilerStop(void)
{
	GUARD(NEED_CONTEXT);
	return CUDA_SUCCESS;
}
