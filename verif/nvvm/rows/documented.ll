; SPDX-License-Identifier: Apache-2.0
; Written by hand from the published description of the compiler: fences on both sides, no signed add, no address space.
; arch sm_80 sm_90
; options --builtins=documented
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

; want fence.sc.gpu ; atom.add.acq_rel.gpu.u32 w32, [reg], w32 ; fence.sc.gpu
define ptx_kernel void @fn1(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want ld.acquire.sys.b32 w32, [reg] ; fence.sc.sys
define ptx_kernel void @fn2(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nv_atomic_load_n.int(ptr %p, i32 5, i32 4)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; st.release.cta.b32 [reg], w32
define ptx_kernel void @fn3(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_n.int(ptr %p, i32 %v, i32 5, i32 1)
  ret void
}

; want atom.add.relaxed.gpu.u32 w32, [reg], w32-
define ptx_kernel void @fn4(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 %v, i32 0, i32 3)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.f32 w32, [reg], w32:fneg
define ptx_kernel void @fn5(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call float @__nv_atomic_fetch_sub.float(ptr %p, float %f, i32 0, i32 3)
  store float %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; fence.acq_rel.sys
define ptx_kernel void @fn6(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_thread_fence(i32 3, i32 3)
  call void @__nv_atomic_thread_fence(i32 4, i32 4)
  ret void
}

; want atom.add.u32 w32, [reg], w32
define ptx_kernel void @fn7(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nvvm_atom_add_gen_i(ptr %p, i32 %v)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want atom.acquire.cta.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn8(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nvvm_atom_cta_cas_gen_i(ptr %p, i32 %v, i32 %v)
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want bar.sync #3 ; cp.async.commit_group ; bar.sync #0
define ptx_kernel void @fn9(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nvvm_bar_sync_all(i32 3)
  call void @__nv_threadfence_cluster_impl()
  call void @__nvvm_barrier0()
  ret void
}

; want ld.relaxed.sys.global.b32 w32, [reg] ; fence.acq_rel.sys
define ptx_kernel void @fn10(ptr addrspace(1) %g, ptr addrspace(1) %o) {
  %x = load atomic i16, ptr addrspace(1) %g acquire, align 2
  store i16 %x, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.sys.global.b32 w32, [reg] ; atom.relaxed.sys.global.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn11(ptr addrspace(1) %g, i32 %v, ptr addrspace(1) %o) {
  %x = atomicrmw sub ptr addrspace(1) %g, i32 %v monotonic
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.sys.global.b32 w32, [reg] ; atom.relaxed.sys.global.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn12(ptr addrspace(1) %g, i16 %v, i16 %w, ptr addrspace(1) %o) {
  %c = cmpxchg ptr addrspace(1) %g, i16 %v, i16 %w monotonic monotonic
  %x = extractvalue { i16, i1 } %c, 0
  store i16 %x, ptr addrspace(1) %o
  ret void
}
