// SPDX-License-Identifier: Apache-2.0
// Threads of the host that begin together: the module is loaded once, and all threads see the same variables.
// prints: threads: cudaSuccess, total 28800 of 28800, 0 wrong
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__device__ unsigned total;
__device__ unsigned large[2 << 20]; // a module that takes a while to load
__global__ void add(unsigned v)
{
	large[v] = v;
	atomicAdd(&total, v);
}

int main()
{
	constexpr unsigned Threads = 8, Rounds = 25;
	std::atomic<unsigned> ready(0), wrong(0);
	std::vector<std::thread> threads;
	unsigned got = 0, expected = 0;
	for (unsigned t = 0; t < Threads; t++) {
		expected += Rounds * 32 * (t + 1);
		threads.emplace_back([&, t] {
			ready++;
			while (ready < Threads)
				std::this_thread::yield();
			for (unsigned i = 0; i < Rounds; i++)
				add<<<1, 32>>>(t + 1);
			wrong += cudaDeviceSynchronize() != cudaSuccess;
		});
	}
	for (auto &t : threads)
		t.join();
	cudaError_t r = cudaMemcpyFromSymbol(&got, total, sizeof got);
	printf("threads: %s, total %u of %u, %u wrong\n", cudaGetErrorName(r), got, expected, wrong.load());
	return r || got != expected || wrong;
}
