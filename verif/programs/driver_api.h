// SPDX-License-Identifier: Apache-2.0
/* driver_api.h -- calls of the driver in the tests, with the tests' argument types, and a kernel. */
#ifndef WARPLOCK_PROGRAMS_DRIVER_API_H
#define WARPLOCK_PROGRAMS_DRIVER_API_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef uint64_t CUdeviceptr;
CUresult cuInit(unsigned);
CUresult cuGetErrorName(CUresult, const char **);
CUresult cuDevicePrimaryCtxRetain(void **, int);
CUresult cuDevicePrimaryCtxReset_v2(int);
CUresult cuCtxCreate_v2(void **, unsigned, int);
CUresult cuCtxDestroy_v2(void *);
CUresult cuCtxSetCurrent(void *);
CUresult cuCtxPushCurrent_v2(void *);
CUresult cuCtxPopCurrent_v2(void **);
CUresult cuCtxSynchronize(void);
CUresult cuModuleLoadData(void **, const void *);
CUresult cuModuleUnload(void *);
CUresult cuModuleGetFunction(void **, void *, const char *);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, void *, const char *);
CUresult cuFuncGetAttribute(int *, int, void *);
CUresult cuFuncSetAttribute(void *, int, int);
CUresult cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t);
CUresult cuMemAllocManaged(CUdeviceptr *, size_t, unsigned);
CUresult cuMemHostAlloc(void **, size_t, unsigned);
CUresult cuMemFreeHost(void *);
CUresult cuMemFree_v2(CUdeviceptr);
CUresult cuMemGetInfo_v2(size_t *, size_t *);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
CUresult cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, void *);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, void *);
CUresult cuMemsetD2D8_v2(CUdeviceptr, size_t, unsigned char, size_t, size_t);
CUresult cuMemAdvise(CUdeviceptr, size_t, int, int);
CUresult cuMemPrefetchAsync(CUdeviceptr, size_t, int, void *);
CUresult cuMemRangeGetAttribute(void *, size_t, int, CUdeviceptr, size_t);
CUresult cuThreadExchangeStreamCaptureMode(int *);
CUresult cuMemGetAddressRange_v2(CUdeviceptr *, size_t *, CUdeviceptr);
CUresult cuPointerGetAttribute(void *, int, CUdeviceptr);
CUresult cuStreamCreate(void **, unsigned);
CUresult cuStreamDestroy_v2(void *);
CUresult cuStreamSynchronize(void *);
CUresult cuStreamBeginCapture_v2(void *, int);
CUresult cuStreamEndCapture(void *, void **);
CUresult cuStreamWaitEvent(void *, void *, unsigned);
CUresult cuEventCreate(void **, unsigned);
CUresult cuEventDestroy_v2(void *);
CUresult cuEventRecord(void *, void *);
CUresult cuEventElapsedTime(float *, void *, void *);
CUresult cuGraphCreate(void **, unsigned);
CUresult cuGraphDestroy(void *);
CUresult cuGraphClone(void **, void *);
CUresult cuGraphAddEmptyNode(void **, void *, void *const *, size_t);
CUresult cuGraphAddChildGraphNode(void **, void *, void *const *, size_t, void *);
CUresult cuGraphInstantiateWithFlags(void **, void *, uint64_t);
CUresult cuGraphLaunch(void *, void *);
CUresult cuGraphExecDestroy(void *);
CUresult cuDeviceGetCount(int *);
CUresult cuDeviceGet(int *, int);
CUresult cuDeviceGetAttribute(int *, int, int);
CUresult cuDeviceGetUuid_v2(unsigned char *, int);
CUresult cuDeviceGetPCIBusId(char *, int, int);
CUresult cuDeviceGetByPCIBusId(int *, const char *);
CUresult cuDeviceTotalMem_v2(size_t *, int);
CUresult cuDeviceCanAccessPeer(int *, int, int);
CUresult cuDeviceGetP2PAttribute(int *, int, int, int);
CUresult cuDeviceGetDefaultMemPool(void **, int);
CUresult cuDevicePrimaryCtxRelease_v2(int);
CUresult cuDevicePrimaryCtxGetState(int, unsigned *, int *);
CUresult cuCtxGetDevice(int *);
CUresult cuCtxGetCurrent(void **);
CUresult cuCtxEnablePeerAccess(void *, unsigned);
CUresult cuCtxDisablePeerAccess(void *);
CUresult cuLibraryLoadData(void **, const void *, const int *, void **, unsigned, const int *, void **, unsigned);
CUresult cuLibraryUnload(void *);
CUresult cuLibraryGetKernel(void **, void *, const char *);
CUresult cuLibraryGetGlobal(CUdeviceptr *, size_t *, void *, const char *);
CUresult cuLaunchCooperativeKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                                   void **);
CUresult cuMemcpyPeer(CUdeviceptr, void *, CUdeviceptr, void *, size_t);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, void *);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *, size_t, void *, void *);
CUresult cuMemAllocAsync(CUdeviceptr *, size_t, void *);
CUresult cuMemFreeAsync(CUdeviceptr, void *);
CUresult cuMemPoolSetAccess(void *, const void *, size_t);
CUresult cuMemPoolGetAccess(int *, void *, const void *);
CUresult cuStreamGetDevice(void *, int *);
CUresult cuEventQuery(void *);
CUresult cuEventSynchronize(void *);
CUresult cuTensorMapEncodeTiled(void *, unsigned, uint32_t, void *, const uint64_t *, const uint64_t *,
                                const uint32_t *, const uint32_t *, unsigned, unsigned, unsigned, unsigned);
CUresult cuTensorMapEncodeIm2col(void *, unsigned, uint32_t, void *, const uint64_t *, const uint64_t *, const int *,
                                 const int *, uint32_t, uint32_t, const uint32_t *, unsigned, unsigned, unsigned,
                                 unsigned);
CUresult cuTensorMapEncodeIm2colWide(void *, unsigned, uint32_t, void *, const uint64_t *, const uint64_t *, int, int,
                                     uint32_t, uint32_t, const uint32_t *, unsigned, unsigned, unsigned, unsigned,
                                     unsigned);
CUresult cuTensorMapReplaceAddress(void *, void *);

/* CUDA_ARRAY3D_DESCRIPTOR and CUDA_MEMCPY3D. */
struct array_shape {
	size_t width, height, depth;
	int format;
	unsigned channels, flags;
};
CUresult cuArray3DCreate_v2(void **, const struct array_shape *);
CUresult cuArray3DGetDescriptor_v2(struct array_shape *, void *);
CUresult cuArrayDestroy(void *);
CUresult cuMemcpyHtoA_v2(void *, size_t, const void *, size_t);
CUresult cuMemcpyAtoH_v2(void *, void *, size_t, size_t);
CUresult cuMemcpyAtoA_v2(void *, size_t, void *, size_t, size_t);
CUresult cuMemcpy3D_v2(const void *);

/* A kernel: adds one to a number and to a variable of the module. */
static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .u32 total;\n"
                          ".visible .entry count(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
                          "ld.param.u64 %rd1, [p];\nred.global.add.u32 [%rd1], 1;\nmov.u64 %rd2, total;\n"
                          "red.global.add.u32 [%rd2], 1;\nret;\n}\n";

#endif
