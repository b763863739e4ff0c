// SPDX-License-Identifier: Apache-2.0
// accounts: every thread moves money between accounts, each behind a spin lock in shared memory that lanes of one warp
// fight for, and keeps 64-bit totals that need a compare-and-store loop.
//
// launch: accounts.json; expected balances and totals: expected.c
extern "C" __global__ void accounts(unsigned long long *total, unsigned *balance, unsigned *moves)
{
	__shared__ unsigned lock[8], money[8], done[8];
	__shared__ unsigned long long sum, most;
	unsigned t = threadIdx.x, id = blockIdx.x * blockDim.x + t;
	if (t < 8) {
		lock[t] = 0;
		money[t] = 1000000u;
		done[t] = 0;
	}
	if (t == 0) {
		sum = 0xffffff00ull; // the first carry into the high word comes soon
		most = 0;
	}
	__syncthreads();
	for (unsigned step = 0; step < 4; step++) {
		unsigned amount = id * 37u + step * 11u & 1023u;
		unsigned account = id + step * 5u & 7u;
		for (bool paid = false; !paid;)
			if (atomicCAS(&lock[account], 0u, 1u) == 0u) {
				__threadfence_block();
				money[account] += step & 1u ? amount : 0u - amount; // a plain update: only the lock protects it
				done[account]++;
				__threadfence_block();
				atomicExch(&lock[account], 0u);
				paid = true;
			}
		atomicAdd(&sum, (unsigned long long)amount << 20 | amount);
		atomicMax(&most, (unsigned long long)amount << 33 | id);
	}
	__syncthreads();
	if (t < 8) {
		balance[blockIdx.x * 8 + t] = money[t];
		moves[blockIdx.x * 8 + t] = done[t];
	}
	if (t == 0) {
		total[blockIdx.x * 2] = sum;
		total[blockIdx.x * 2 + 1] = most;
	}
}
