// SPDX-License-Identifier: Apache-2.0
/* driver_calls.h -- calls of libcuda.so.1 in the runtime's use: handles are plain pointers. */
#ifndef WARPLOCK_LIBCUDART_DRIVER_CALLS_H
#define WARPLOCK_LIBCUDART_DRIVER_CALLS_H

#include <stddef.h>
#include <stdint.h>

int cuInit(unsigned);
int cuDriverGetVersion(int *);
int cuGetErrorName(int, const char **);
int cuGetErrorString(int, const char **);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);

int cuDeviceGetCount(int *);
int cuDeviceGetAttribute(int *, int, int);
int cuDeviceGetName(char *, int, int);
int cuDeviceGetUuid_v2(void *, int);
int cuDeviceTotalMem_v2(size_t *, int);
int cuDeviceGetPCIBusId(char *, int, int);
int cuDeviceGetByPCIBusId(int *, const char *);
int cuDeviceCanAccessPeer(int *, int, int);
int cuDeviceGetP2PAttribute(int *, int, int, int);
int cuDeviceGetDefaultMemPool(void *, int);
int cuDeviceGetMemPool(void *, int);
int cuDeviceSetMemPool(int, void *);

int cuDevicePrimaryCtxRetain(void *, int);
int cuDevicePrimaryCtxReset_v2(int);
int cuDevicePrimaryCtxSetFlags_v2(int, unsigned);
int cuDevicePrimaryCtxGetState(int, unsigned *, int *);
int cuCtxGetCurrent(void *);
int cuCtxSetCurrent(void *);
int cuCtxGetDevice(int *);
int cuCtxEnablePeerAccess(void *, unsigned);
int cuCtxDisablePeerAccess(void *);
int cuCtxSynchronize(void);
int cuCtxGetLimit(size_t *, int);
int cuCtxSetLimit(int, size_t);
int cuCtxGetStreamPriorityRange(int *, int *);

int cuModuleLoadData(void *, const void *);
int cuModuleUnload(void *);
int cuModuleGetFunction(void *, void *, const char *);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *);
int cuLibraryLoadData(void *, const void *, const int *, void **, unsigned, const int *, void **, unsigned);
int cuLibraryLoadFromFile(void *, const char *, const int *, void **, unsigned, const int *, void **, unsigned);
int cuLibraryUnload(void *);
int cuLibraryGetKernel(void *, void *, const char *);
int cuLibraryGetGlobal(uint64_t *, size_t *, void *, const char *);
int cuLibraryGetManaged(uint64_t *, size_t *, void *, const char *);
int cuLibraryGetKernelCount(unsigned *, void *);
int cuLibraryEnumerateKernels(void *, unsigned, void *);

int cuFuncGetAttribute(int *, int, void *);
int cuFuncSetAttribute(void *, int, int);
int cuFuncGetName(const char **, void *);
int cuFuncGetParamInfo(void *, size_t, size_t *, size_t *);
int cuFuncGetModule(void *, void *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                   void **);
int cuLaunchCooperativeKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                              void **);
int cuLaunchKernelEx(const void *, void *, void **, void **);
int cuLaunchHostFunc(void *, void (*)(void *), void *);
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, void *, int, size_t, unsigned);
int cuOccupancyAvailableDynamicSMemPerBlock(size_t *, void *, int, int);
int cuOccupancyMaxActiveClusters(int *, void *, const void *);
int cuOccupancyMaxPotentialClusterSize(int *, void *, const void *);

int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemAllocPitch_v2(uint64_t *, size_t *, size_t, size_t, unsigned);
int cuMemAllocManaged(uint64_t *, size_t, unsigned);
int cuMemFree_v2(uint64_t);
int cuMemHostAlloc(void **, size_t, unsigned);
int cuMemFreeHost(void *);
int cuMemHostRegister_v2(void *, size_t, unsigned);
int cuMemHostUnregister(void *);
int cuMemHostGetDevicePointer_v2(uint64_t *, void *, unsigned);
int cuMemHostGetFlags(unsigned *, void *);
int cuMemGetInfo_v2(size_t *, size_t *);
int cuMemAdvise(uint64_t, size_t, int, int);
int cuMemPrefetchAsync(uint64_t, size_t, int, void *);
int cuMemRangeGetAttribute(void *, size_t, int, uint64_t, size_t);
int cuMemRangeGetAttributes(void **, const size_t *, const int *, size_t, uint64_t, size_t);
int cuMemAllocAsync(uint64_t *, size_t, void *);
int cuMemAllocFromPoolAsync(uint64_t *, size_t, void *, void *);
int cuMemFreeAsync(uint64_t, void *);
int cuMemPoolCreate(void *, const void *);
int cuMemPoolDestroy(void *);
int cuMemPoolTrimTo(void *, size_t);
int cuMemPoolGetAttribute(void *, int, void *);
int cuMemPoolSetAttribute(void *, int, void *);
int cuMemPoolSetAccess(void *, const void *, size_t);
int cuMemPoolGetAccess(int *, void *, const void *);
int cuPointerGetAttributes(unsigned, const int *, void **, uint64_t);
int cuMemcpyAsync(uint64_t, uint64_t, size_t, void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *);
int cuMemcpy3DAsync_v2(const void *, void *);
int cuMemcpyPeerAsync(uint64_t, void *, uint64_t, void *, size_t, void *);
int cuArray3DCreate_v2(void *, const void *);
int cuArray3DGetDescriptor_v2(void *, void *);
int cuArrayDestroy(void *);
int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *);
int cuMemsetD2D8Async(uint64_t, size_t, unsigned char, size_t, size_t, void *);

int cuStreamCreateWithPriority(void *, unsigned, int);
int cuStreamDestroy_v2(void *);
int cuStreamSynchronize(void *);
int cuStreamQuery(void *);
int cuStreamWaitEvent(void *, void *, unsigned);
int cuStreamGetFlags(void *, unsigned *);
int cuStreamGetPriority(void *, int *);
int cuStreamGetId(void *, uint64_t *);
int cuStreamGetDevice(void *, int *);
int cuStreamAttachMemAsync(void *, uint64_t, size_t, unsigned);
int cuStreamAddCallback(void *, void (*)(void *, int, void *), void *, unsigned);
int cuStreamBeginCapture_v2(void *, int);
int cuStreamEndCapture(void *, void *);
int cuStreamIsCapturing(void *, int *);
int cuStreamGetCaptureInfo_v2(void *, int *, uint64_t *, void *, void *, size_t *);
int cuThreadExchangeStreamCaptureMode(int *);
int cuEventCreate(void *, unsigned);
int cuEventDestroy_v2(void *);
int cuEventRecordWithFlags(void *, void *, unsigned);
int cuEventQuery(void *);
int cuEventSynchronize(void *);
int cuEventElapsedTime_v2(float *, void *, void *);

int cuGraphCreate(void *, unsigned);
int cuGraphDestroy(void *);
int cuGraphClone(void *, void *);
int cuGraphGetNodes(void *, void *, size_t *);
int cuGraphGetRootNodes(void *, void *, size_t *);
int cuGraphGetEdges(void *, void *, void *, size_t *);
int cuGraphNodeGetType(void *, int *);
int cuGraphAddDependencies(void *, const void *, const void *, size_t);
int cuGraphAddKernelNode_v2(void *, void *, const void *, size_t, const void *);
int cuGraphAddMemcpyNode(void *, void *, const void *, size_t, const void *, void *);
int cuGraphAddMemsetNode(void *, void *, const void *, size_t, const void *, void *);
int cuGraphAddHostNode(void *, void *, const void *, size_t, const void *);
int cuGraphAddEmptyNode(void *, void *, const void *, size_t);
int cuGraphAddChildGraphNode(void *, void *, const void *, size_t, void *);
int cuGraphAddEventRecordNode(void *, void *, const void *, size_t, void *);
int cuGraphAddEventWaitNode(void *, void *, const void *, size_t, void *);
int cuGraphInstantiateWithFlags(void *, void *, uint64_t);
int cuGraphExecDestroy(void *);
int cuGraphExecKernelNodeSetParams_v2(void *, void *, const void *);
int cuGraphExecGetFlags(void *, uint64_t *);
int cuGraphInstantiateWithParams(void *, void *, void *);
int cuGraphKernelNodeSetParams_v2(void *, const void *);
int cuGraphNodeGetDependencies(void *, void *, size_t *);
int cuGraphNodeGetEnabled(void *, void *, unsigned *);
int cuGraphNodeSetEnabled(void *, void *, unsigned);
int cuKernelSetAttribute(int, int, void *, int);
int cuCtxResetPersistingL2Cache(void);
int cuGraphUpload(void *, void *);
int cuGraphLaunch(void *, void *);

#endif
