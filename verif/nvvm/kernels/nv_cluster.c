// SPDX-License-Identifier: Apache-2.0
// nv_cluster: each block writes its shared memory and, after arrive and wait, reads the shared memory of the neighbour
// in the cluster.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

static SHARED u32 mine[64];

KERNEL nv_cluster(u32 *out)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x(), block = __nvvm_read_ptx_sreg_ctaid_x();
	u32 rank = (u32)__clusterRelativeBlockRank(), blocks = (u32)__clusterSizeInBlocks();
	mine[t] = block * 1000 + t;
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
	u32 *theirs = __cluster_map_shared_rank((u32 *)&mine[t], (int)((rank + 1) % blocks));
	out[block * 64 + t] = *theirs;
	__cluster_barrier_arrive_relaxed();
	__cluster_barrier_wait();
}
