; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@sm = external addrspace(3) global [0 x i8], align 16
declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare void @__nv_atomic_load.s16b(ptr, ptr, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.u64(ptr, ptr, i64, i1, i32, i32, i32)
declare i32 @__nvvm_atom_cas_gen_i(ptr, i32, i32)
declare i32 @__shfl_sync.int(i32, i32, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)
declare void @__barrier_sync_count(i32, i32)
declare <2 x bfloat> @atomicAdd.__nv_bfloat162(ptr, <2 x bfloat>)
declare i32 @__cuda_reduxsync_s32_max(i32, i32)
declare void @__nv_memcpy_async_shared_global_8_impl(ptr, ptr, i32)

define ptx_kernel void @k(ptr addrspace(1) %g, i32 %v, i32 %n, <2 x bfloat> %b) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %a = alloca i64
  store i64 7, ptr %a
  %w = alloca [16 x i8], align 16
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 5, i32 3)
  call void @__nv_atomic_load.s16b(ptr %p, ptr %w, i32 2, i32 4)
  %x2 = call i1 @__nv_atomic_compare_exchange_n.u64(ptr %p, ptr %a, i64 9, i1 false, i32 4, i32 2, i32 1)
  %x3 = call i32 @__nvvm_atom_cas_gen_i(ptr %s, i32 0, i32 %x1)
  %x4 = call i32 @__shfl_sync.int(i32 -1, i32 %x3, i32 3, i32 16)
  call void @__nv_atomic_thread_fence(i32 4, i32 3)
  call void @__barrier_sync_count(i32 1, i32 64)
  %x5 = call <2 x bfloat> @atomicAdd.__nv_bfloat162(ptr %s, <2 x bfloat> %b)
  %x6 = call i32 @__cuda_reduxsync_s32_max(i32 %x4, i32 -1)
  call void @__nv_memcpy_async_shared_global_8_impl(ptr %s, ptr %p, i32 8)
  %q = getelementptr i32, ptr addrspace(1) %g, i64 4
  store i32 %x6, ptr addrspace(1) %q
  ret void
}
