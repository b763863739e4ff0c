// SPDX-License-Identifier: Apache-2.0
// A capture over two streams becomes a graph, launched three times; a node's parameters change between two launches.
// prints: graph: cudaSuccess, 5 nodes, 0 wrong
#include <cstdio>

__global__ void add(int *x, int by)
{
	x[threadIdx.x] += by;
}

int main()
{
	constexpr int N = 64;
	int *a, *b, *host, wrong = 0;
	cudaStream_t s, side;
	cudaEvent_t fork, join;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamCreate(&s);
	cudaStreamCreate(&side);
	cudaEventCreate(&fork);
	cudaEventCreate(&join);
	cudaMalloc(&a, N * sizeof *a);
	cudaMalloc(&b, N * sizeof *b);
	cudaMallocHost(&host, 2 * N * sizeof *host);
	cudaMemset(a, 0, N * sizeof *a);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMemsetAsync(b, 0, N * sizeof *b, s);
	cudaEventRecord(fork, s);
	cudaStreamWaitEvent(side, fork, 0);
	add<<<1, N, 0, side>>>(b, 7);
	cudaEventRecord(join, side);
	add<<<1, N, 0, s>>>(a, 1);
	cudaStreamWaitEvent(s, join, 0);
	cudaMemcpyAsync(host, a, N * sizeof *a, cudaMemcpyDeviceToHost, s);
	cudaMemcpyAsync(host + N, b, N * sizeof *b, cudaMemcpyDeviceToHost, s);
	cudaError_t r = cudaStreamEndCapture(s, &graph);
	size_t nodes = 0;
	cudaGraphGetNodes(graph, nullptr, &nodes);
	r = r ? r : cudaGraphInstantiate(&exec, graph, 0);
	for (int i = 0; i < 3 && !r; i++)
		r = cudaGraphLaunch(exec, s);
	r = r ? r : cudaStreamSynchronize(s);
	for (int i = 0; i < N; i++)
		wrong += (host[i] != 3) + (host[N + i] != 7);
	cudaGraphNode_t list[8];
	cudaGraphGetNodes(graph, list, &nodes);
	for (size_t i = 0; i < nodes; i++) {
		cudaGraphNodeType type;
		cudaGraphNodeGetType(list[i], &type);
		if (type != cudaGraphNodeTypeKernel)
			continue;
		int by = 10;
		void *args[] = {&a, &by};
		cudaKernelNodeParams p = {};
		p.func = (void *)add;
		p.gridDim = 1;
		p.blockDim = N;
		p.kernelParams = args;
		r = r ? r : cudaGraphExecKernelNodeSetParams(exec, list[i], &p);
	}
	r = r ? r : cudaGraphLaunch(exec, s);
	r = r ? r : cudaStreamSynchronize(s);
	for (int i = 0; i < N; i++)
		wrong += host[i] != 23;
	printf("graph: %s, %zu nodes, %d wrong\n", cudaGetErrorName(r), nodes, wrong);
	return r || wrong || nodes != 5 || cudaGraphExecDestroy(exec) || cudaGraphDestroy(graph);
}
