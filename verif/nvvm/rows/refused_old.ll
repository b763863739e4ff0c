; SPDX-License-Identifier: Apache-2.0
; Written by hand from the published description: targets below sm_70 have .volatile and membar instead of order and scope.
; arch sm_60 sm_62
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub.int(ptr, i32, i32, i32)
declare float @__nv_atomic_fetch_sub.float(ptr, float, i32, i32)
declare i32 @__nv_atomic_load_n.int(ptr, i32, i32)
declare void @__nv_atomic_store_n.int(ptr, i32, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)
declare i32 @__nvvm_atom_add_gen_i(ptr, i32)
declare i32 @__nvvm_atom_cta_cas_gen_i(ptr, i32, i32)
declare void @__nvvm_bar_sync_all(i32)
declare void @__nv_threadfence_cluster_impl()
declare void @__nvvm_barrier0()

; want atom.add.volatile.s32 w32, [reg], w32
define ptx_kernel void @fn50(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want ld.volatile.b32 w32, [reg]
define ptx_kernel void @fn51(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nv_atomic_load_n.int(ptr %p, i32 2, i32 4)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want membar.cta ; membar.gl ; membar.sys
define ptx_kernel void @fn52(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_thread_fence(i32 5, i32 1)
  call void @__nv_atomic_thread_fence(i32 4, i32 2)
  call void @__nv_atomic_thread_fence(i32 5, i32 4)
  ret void
}
