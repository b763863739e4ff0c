// SPDX-License-Identifier: Apache-2.0
// Results of calls that a program gets wrong, and what the runtime remembers: launches, last errors, capture, hints,
// pools.
// prints: rules: cudaSuccess, 0 wrong
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

static int wrong;

static void expect_at(int line, const char *what, cudaError_t got, cudaError_t expected)
{
	if (got == expected)
		return;
	printf("line %d: %s: found %s, expected %s\n", line, what, cudaGetErrorName(got), cudaGetErrorName(expected));
	wrong++;
}
#define EXPECT(result, call) expect_at(__LINE__, #call, call, cudaError##result)
#define GOOD(call)           expect_at(__LINE__, #call, call, cudaSuccess)
#define SAME(a, b)                                                                                                     \
	do {                                                                                                           \
		const long long a_ = (long long)(a), b_ = (long long)(b);                                              \
		if (a_ != b_)                                                                                          \
			printf("line %d: %s: found %lld, expected %lld\n", __LINE__, #a, a_, b_), wrong++;             \
	} while (0)

__global__ void add(int *p, int v)
{
	atomicAdd(p, v);
}
__global__ void __launch_bounds__(128) bounded(int *p)
{
	p[0] = 1;
}
__global__ void fill(char *p, size_t pitch, int height)
{
	for (int y = 0; y < height; y++)
		p[y * pitch + threadIdx.x] = char(y * 16 + threadIdx.x);
}
__constant__ int constant[4];

static int *memory;

static void launches()
{
	add<<<0, 1>>>(memory, 1);
	EXPECT(InvalidConfiguration, cudaGetLastError());
	add<<<1, 2048>>>(memory, 1);
	EXPECT(InvalidConfiguration, cudaPeekAtLastError());
	EXPECT(InvalidConfiguration, cudaGetLastError());
	GOOD(cudaGetLastError());
	add<<<1, 1, 50000>>>(memory, 1); // the kernel has not asked for more than 48 KiB
	EXPECT(InvalidValue, cudaGetLastError());
	const char *name = cudaGetErrorName(cudaErrorECCUncorrectable);
	SAME(strcmp(name, "cudaErrorECCUncorrectable"), 0);
	name = cudaGetErrorName((cudaError_t)12345);
	SAME(strcmp(name, "unrecognized error code"), 0);
	EXPECT(InvalidDeviceFunction, cudaLaunchKernel((void *)launches, dim3(1), dim3(1), nullptr, 0, 0));
	EXPECT(InvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)0x1234));
	EXPECT(InvalidResourceHandle, cudaGetLastError());
}

static void end_broken(cudaStream_t s)
{
	cudaGraph_t graph = (cudaGraph_t)1;
	EXPECT(StreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	SAME((size_t)graph, 0);
	EXPECT(StreamCaptureInvalidated, cudaGetLastError());
}

static void captures()
{
	int host = 0;
	cudaStream_t s, t;
	cudaEvent_t e;
	cudaGraph_t graph;
	cudaStreamCaptureStatus status;
	GOOD(cudaStreamCreate(&s));
	GOOD(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	GOOD(cudaEventCreate(&e));
	GOOD(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	EXPECT(StreamCaptureImplicit, cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
	add<<<1, 1, 0, s>>>(memory, 1);
	EXPECT(StreamCaptureInvalidated, cudaGetLastError());
	end_broken(s);
	GOOD(cudaStreamBeginCapture(t, cudaStreamCaptureModeRelaxed)); // does not wait for the legacy stream
	GOOD(cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
	GOOD(cudaStreamEndCapture(t, &graph));
	GOOD(cudaGraphDestroy(graph));
	GOOD(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
	EXPECT(StreamCaptureUnsupported, cudaMalloc(&memory, 4));
	end_broken(t);
	GOOD(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
	EXPECT(StreamCaptureUnsupported, cudaDeviceSynchronize());
	GOOD(cudaStreamIsCapturing(t, &status));
	SAME(status, cudaStreamCaptureStatusInvalidated);
	end_broken(t);
	GOOD(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
	GOOD(cudaEventRecord(e, t));
	EXPECT(CapturedEvent, cudaEventQuery(e));
	end_broken(t);
	EXPECT(CapturedEvent, cudaEventSynchronize(e));
	GOOD(cudaEventRecord(e, t));
	GOOD(cudaEventSynchronize(e));
	GOOD(cudaEventDestroy(e));
	GOOD(cudaStreamDestroy(s));
	GOOD(cudaStreamDestroy(t));
	cudaGetLastError();
}

static void hints()
{
	const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
	const size_t bytes = 1 << 20;
	char *p;
	int v = 7, at[2] = {7, 7};
	GOOD(cudaMallocManaged(&p, bytes));
	GOOD(cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, device));
	GOOD(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, p, bytes));
	SAME(v, 1);
	GOOD(cudaMemAdvise(p + bytes / 2, bytes / 4, cudaMemAdviseUnsetReadMostly, device));
	GOOD(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, p, bytes));
	SAME(v, 0);
	GOOD(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, p + 3 * (bytes / 4), bytes / 4));
	SAME(v, 1);
	GOOD(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, host));
	GOOD(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributePreferredLocation, p, bytes));
	SAME(v, cudaCpuDeviceId);
	GOOD(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, device));
	GOOD(cudaMemRangeGetAttribute(at, sizeof at, cudaMemRangeAttributeAccessedBy, p, bytes));
	SAME(at[0], 0);
	SAME(at[1], cudaInvalidDeviceId);
	GOOD(cudaMemPrefetchAsync(p, bytes, device, 0, 0));
	GOOD(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeLastPrefetchLocation, p, bytes));
	SAME(v, 0);
	EXPECT(InvalidValue, cudaMemAdvise(memory, 4, cudaMemAdviseSetReadMostly, device));
	EXPECT(InvalidValue, cudaMemPrefetchAsync(memory, 4, device, 0, 0));
	GOOD(cudaFree(p));
	cudaGetLastError();
}

static void pools()
{
	unsigned long long v = 0;
	void *p;
	cudaMemPool_t pool;
	cudaStream_t s;
	GOOD(cudaStreamCreate(&s));
	GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
	GOOD(cudaMallocAsync(&p, 1 << 20, s));
	GOOD(cudaFreeAsync(p, s));
	EXPECT(InvalidValue, cudaFreeAsync(p, s));
	GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
	SAME(v, 1 << 20);
	GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &v));
	SAME(v, 0);
	GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
	GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
	SAME(v, 0);
	v = 1;
	EXPECT(InvalidValue, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &v));
	GOOD(cudaStreamDestroy(s));
	cudaGetLastError();
}

static void shapes()
{
	char *p, host[4][8], *mapped, *seen;
	size_t pitch;
	int v[4] = {1, 2, 3, 4}, back = 0;
	GOOD(cudaMallocPitch(&p, &pitch, 16, 4));
	fill<<<1, 16>>>(p, pitch, 4);
	GOOD(cudaMemcpy2D(host, 8, p + 4, pitch, 8, 4, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 32; i++)
		SAME(host[i / 8][i % 8], i / 8 * 16 + i % 8 + 4);
	EXPECT(InvalidPitchValue, cudaMemcpy2D(host, 4, p, pitch, 8, 4, cudaMemcpyDeviceToHost));
	EXPECT(InvalidMemcpyDirection, cudaMemcpy(host, p, 4, (cudaMemcpyKind)9));
	GOOD(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped));
	GOOD(cudaHostGetDevicePointer(&seen, mapped, 0));
	fill<<<1, 16>>>(seen, 16, 4);
	GOOD(cudaDeviceSynchronize());
	SAME(mapped[33], 33);
	GOOD(cudaFreeHost(mapped));
	GOOD(cudaMemcpyToSymbol(constant, v, sizeof v));
	GOOD(cudaMemcpyFromSymbol(&back, constant, 4, 8));
	SAME(back, 3);
	EXPECT(InvalidValue, cudaMemcpyToSymbol(constant, v, 4, sizeof v));
	EXPECT(InvalidSymbol, cudaMemcpyToSymbol(host, v, 4));
	EXPECT(HostMemoryNotRegistered, cudaHostUnregister(host));
	EXPECT(InvalidValue, cudaEventCreateWithFlags((cudaEvent_t *)&seen, cudaEventInterprocess));
	GOOD(cudaFree(p));
	EXPECT(InvalidValue, cudaFree(p));
	cudaGetLastError();
}

static void graphs()
{
	int v = 5, got[2] = {0, 0}, one = 1, two = 2;
	unsigned on = 7;
	size_t n = 4;
	unsigned long long flags = 9;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node[4], found[4];
	void *of_one[] = {&memory, &one}, *of_two[] = {&memory, &two};
	cudaKernelNodeParams p = {(void *)add, dim3(1), dim3(1), 0, of_one, nullptr};
	cudaGraphInstantiateParams how = {};
	GOOD(cudaMemset(memory, 0, 4));
	GOOD(cudaGraphCreate(&graph, 0));
	GOOD(cudaGraphAddMemcpyNodeToSymbol(&node[0], graph, nullptr, 0, constant, &v, 4, 12, cudaMemcpyHostToDevice));
	GOOD(cudaGraphAddMemcpyNodeFromSymbol(&node[1], graph, node, 1, got, constant, 4, 12, cudaMemcpyDeviceToHost));
	EXPECT(InvalidValue, cudaGraphAddMemcpyNodeToSymbol(&node[2], graph, nullptr, 0, constant, &v, 8, 12,
	                                                    cudaMemcpyHostToDevice));
	GOOD(cudaGraphAddKernelNode(&node[2], graph, &node[1], 1, &p));
	p.kernelParams = of_two;
	GOOD(cudaGraphKernelNodeSetParams(node[2], &p));
	GOOD(cudaGraphAddMemcpyNode1D(&node[3], graph, &node[2], 1, &got[1], memory, 4, cudaMemcpyDeviceToHost));
	GOOD(cudaGraphNodeGetDependencies(node[3], found, nullptr, &n));
	SAME(n, 1);
	SAME(found[0] == node[2], true);
	EXPECT(InvalidValue, cudaGraphAddDependencies(graph, &node[2], &node[3], nullptr, 1)); // the edge is there
	GOOD(cudaGraphInstantiateWithParams(&exec, graph, &how));
	SAME(how.result_out, cudaGraphInstantiateSuccess);
	GOOD(cudaGraphExecGetFlags(exec, &flags));
	SAME(flags, 0);
	GOOD(cudaGraphLaunch(exec, 0));
	GOOD(cudaDeviceSynchronize());
	SAME(got[0], 5);
	SAME(got[1], 2);
	GOOD(cudaGraphNodeSetEnabled(exec, node[2], 0));
	GOOD(cudaGraphNodeGetEnabled(exec, node[2], &on));
	SAME(on, 0);
	GOOD(cudaGraphLaunch(exec, 0));
	GOOD(cudaDeviceSynchronize());
	SAME(got[1], 2);
	GOOD(cudaGraphExecDestroy(exec));
	GOOD(cudaGraphDestroy(graph));
	cudaGetLastError();
}

int main()
{
	GOOD(cudaMalloc(&memory, 4));
	GOOD(cudaMemset(memory, 0, 4));
	launches();
	captures();
	hints();
	pools();
	shapes();
	graphs();
	bounded<<<1, 128>>>(memory);
	printf("rules: %s, %d wrong\n", cudaGetErrorName(cudaDeviceSynchronize()), wrong);
	return wrong != 0;
}
