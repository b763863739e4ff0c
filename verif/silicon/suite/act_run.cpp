// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
int main(int c, char **v)
{ // actrun FILE COUNT LANES
	unsigned long long h[33];
	CUdevice d;
	CUcontext x;
	CUmodule m;
	CUfunction f;
	CUdeviceptr p;
	const char *n;
	unsigned count = atoi(v[2]), lanes = atoi(v[3]);
#define K(e)                                                                                                           \
	do {                                                                                                           \
		CUresult r = (e);                                                                                      \
		if (r) {                                                                                               \
			cuGetErrorName(r, &n);                                                                         \
			printf("%s\t%u\t%u\terror\t%s\t%s\n", v[1], count, lanes, n, #e);                              \
			return 3;                                                                                      \
		}                                                                                                      \
	} while (0)
	K(cuInit(0));
	K(cuDeviceGet(&d, 0));
	K(cuDevicePrimaryCtxRetain(&x, d));
	K(cuCtxSetCurrent(x));
	K(cuModuleLoad(&m, v[1]));
	K(cuModuleGetFunction(&f, m, "act"));
	K(cuMemAlloc(&p, 264));
	K(cuMemsetD8(p, 0, 264));
	void *a[] = {&p, &count, &lanes};
	K(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, a, 0));
	K(cuCtxSynchronize());
	K(cuMemcpyDtoH(h, p, 264));
	printf("%s\t%u\t%u\tok\t%llx\t", v[1], count, lanes, h[32]);
	for (unsigned i = 0; i < 32; i++)
		printf("%s%llx", i ? "," : "", h[i]);
	puts("");
}
