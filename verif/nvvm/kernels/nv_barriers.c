// SPDX-License-Identifier: Apache-2.0
// nv_barriers: named barriers with counts between two halves of a block, and the counting barriers of the whole block.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

static SHARED u32 box[64];

KERNEL nv_barriers(u32 *out)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x(), sum = 0;
	for (u32 round = 0; round < 4; round++) {
		if (t < 64) { /* producers fill the box, then wait for the readers */
			box[t] = t * 3 + round;
			__threadfence_block();
			__cuda_sm70_barrier_arrive_1_cnt(128);
			__barrier_sync_count(2, 128);
		} else {
			__barrier_sync_count(1, 128);
			sum += box[127 - t] * (round + 1);
			__cuda_sm70_barrier_arrive_2_cnt(128);
		}
	}
	__syncthreads();
	u32 odd = (u32)__syncthreads_count((int)(t % 3 == 1)), any = (u32)__syncthreads_or(t == 77),
	    every = (u32)__syncthreads_and(t < 127);
	out[t] = sum + odd * 1000000 + any * 200000 + every * 10;
}
