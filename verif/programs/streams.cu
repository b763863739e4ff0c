// SPDX-License-Identifier: Apache-2.0
// A producer and a consumer on two streams: events order the steps, copies are asynchronous, a host function counts.
// prints: streams: cudaSuccess, 5 rounds, sum 2723200 of 2723200
#include <cstdio>

constexpr int N = 256, Rounds = 5;

__global__ void produce(int *buffer, int round)
{
	buffer[threadIdx.x] = round * 1000 + threadIdx.x;
}

__global__ void consume(const int *buffer, int *sums)
{
	atomicAdd(sums, buffer[threadIdx.x]);
}

static void count(void *self)
{
	++*static_cast<int *>(self);
}

int main()
{
	int *buffer, *sums, *host, rounds = 0;
	long expected = 0;
	cudaStream_t producer, consumer;
	cudaEvent_t full, empty, end;
	cudaStreamCreate(&producer);
	cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&full, cudaEventDisableTiming);
	cudaEventCreateWithFlags(&empty, cudaEventDisableTiming);
	cudaEventCreate(&end);
	cudaMallocAsync(&buffer, N * sizeof *buffer, producer);
	cudaMalloc(&sums, sizeof *sums);
	cudaHostAlloc(&host, sizeof *host, cudaHostAllocDefault);
	cudaMemsetAsync(sums, 0, sizeof *sums, consumer);
	for (int i = 0; i < Rounds; i++) {
		cudaStreamWaitEvent(producer, empty, 0);
		produce<<<1, N, 0, producer>>>(buffer, i);
		cudaEventRecord(full, producer);
		cudaStreamWaitEvent(consumer, full, 0);
		consume<<<1, N, 0, consumer>>>(buffer, sums);
		cudaLaunchHostFunc(consumer, count, &rounds);
		cudaEventRecord(empty, consumer);
		expected += i * 1000L * N + N * (N - 1L) / 2;
	}
	cudaMemcpyAsync(host, sums, sizeof *host, cudaMemcpyDeviceToHost, consumer);
	cudaEventRecord(end, consumer);
	cudaError_t r = cudaEventSynchronize(end);
	cudaFreeAsync(buffer, producer);
	printf("streams: %s, %d rounds, sum %d of %ld\n", cudaGetErrorName(r), rounds, *host, expected);
	return r || *host != expected || rounds != Rounds;
}
