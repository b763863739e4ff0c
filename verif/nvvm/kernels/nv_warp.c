// SPDX-License-Identifier: Apache-2.0
// nv_warp: votes, shuffles, matches and warp barriers of the CUDA headers.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

KERNEL nv_warp(const u32 *in, u32 *out)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x(), lane = t % 32, v = in[t], all = 0xffffffffu;
	u32 *o = out + 8 * t;
	o[0] = (u32)__ballot_sync((int)all, (int)(v & 1));
	o[1] = (u32)(__any_sync((int)all, v > 250) | __all_sync((int)all, v < 256) << 1 |
	             __uni_sync((int)all, v < 128) << 2);
	o[2] = __shfl_sync(all, v, (int)(lane * 7 % 32));
	o[3] = __shfl_up_sync(all, v, 3) + __shfl_down_sync(all, v, 5, 16);
	o[4] = __shfl_xor_sync(all, v, 9);
	__syncwarp();
	o[5] = __match_any_sync(all, v % 5);
	u64 wide = (u64)v << 33 | lane;
	wide = __shfl_xor_sync(all, wide, 1);
	o[6] = (u32)(wide >> 33);
	o[7] = (u32)__cuda_reduxsync_u32_add((int)v, (int)all) +
	       (u32)__cuda_reduxsync_s32_min((int)(v - 100), (int)all);
}
