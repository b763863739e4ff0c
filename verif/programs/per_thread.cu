// SPDX-License-Identifier: Apache-2.0
// Default streams of threads: two threads capture at the same time, each in its default stream.
// nvcc: -arch=sm_90 --default-stream per-thread
// prints: per_thread: cudaSuccess, 0 wrong
#include <atomic>
#include <cstdio>
#include <thread>

#include <cuda_runtime.h>

static std::atomic<int> wrong, arrived;

static void expect(bool good, const char *what)
{
	if (!good)
		printf("%s\n", what), wrong++;
}

__global__ void add(int *p, int v)
{
	atomicAdd(p, v);
}

// Both threads have begun, or have recorded.
static void meet(int n)
{
	for (arrived++; arrived < n;)
		std::this_thread::yield();
}

static void capture(int self)
{
	int *p, got = 0;
	size_t nodes = 0;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCaptureStatus status;
	expect(!cudaMalloc(&p, sizeof *p) && !cudaMemset(p, 0, sizeof *p), "memory");
	meet(2);
	expect(!cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal), "begin");
	meet(4);
	for (int i = 0; i <= self; i++)
		add<<<1, 1>>>(p, 10 + self);
	expect(!cudaStreamIsCapturing(cudaStreamPerThread, &status) && status == cudaStreamCaptureStatusActive, "status");
	expect(!cudaStreamIsCapturing(cudaStreamLegacy, &status) && status == cudaStreamCaptureStatusNone, "legacy");
	meet(6);
	expect(!cudaStreamEndCapture(0, &graph), "end");
	expect(!cudaGraphGetNodes(graph, nullptr, &nodes) && nodes == size_t(self + 1), "nodes");
	expect(!cudaGraphInstantiate(&exec, graph, 0) && !cudaGraphLaunch(exec, 0), "launch");
	expect(!cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost) && got == (self + 1) * (10 + self), "sum");
	expect(!cudaGraphExecDestroy(exec) && !cudaGraphDestroy(graph) && !cudaFree(p), "end of memory");
}

int main()
{
	unsigned long long usual, legacy, own, other = 0;
	cudaSetDevice(0);
	std::thread a(capture, 0), b(capture, 1);
	a.join();
	b.join();
	cudaStreamGetId(0, &usual);
	cudaStreamGetId(cudaStreamLegacy, &legacy);
	cudaStreamGetId(cudaStreamPerThread, &own);
	std::thread([&] { cudaStreamGetId(0, &other); }).join();
	expect(usual == own && own != legacy && other != own && other != legacy, "ids");
	printf("per_thread: %s, %d wrong\n", cudaGetErrorName(cudaDeviceSynchronize()), int(wrong));
	return wrong != 0;
}
