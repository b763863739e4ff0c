// SPDX-License-Identifier: Apache-2.0
/* entry.c -- cuGetProcAddress, export tables, the profiler. */
#include <string.h>

#include "driver.h"

API CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status)
{
	bool too_old;
	CHECK(name && out && flags <= 3, INVALID_VALUE);
	*out = call_find(name, version, &too_old);
	if (status)
		*status = *out ? 0 : too_old ? 2 : 1;
	return *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
API CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
	return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

/* Tables without a public description: a program must do without one. */
API CUresult cuGetExportTable(const void **table, const void *id)
{
	CHECK(table && id, INVALID_VALUE);
	*table = NULL;
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
