; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i64 @__nv_atomic_fetch_add_8_s(ptr, i64, i32, i32)
declare double @__nv_atomic_fetch_min_8_f(ptr, double, i32, i32)
declare void @__nv_cluster_barrier_arrive_impl()
declare void @__nv_cluster_barrier_arrive_relaxed_impl()
declare void @__nv_cluster_barrier_wait_impl()
declare ptr @__nv_cluster_map_shared_rank_impl(ptr, i32)
declare void @__nv_threadfence_cluster_impl()
@smi = external addrspace(3) global [0 x i32], align 4

; want barrier.cluster.arrive
define ptx_kernel void @fn8600(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_arrive_impl()
  ret void
}

; want barrier.cluster.arrive.relaxed
define ptx_kernel void @fn8602(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_arrive_relaxed_impl()
  ret void
}

; want barrier.cluster.wait
define ptx_kernel void @fn8604(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_wait_impl()
  ret void
}

; want mapa.u64 w64, w64, w32
define ptx_kernel void @fn8700(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %nx = sext i32 %v to i64
  %sp = getelementptr i32, ptr addrspace(3) @smi, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call ptr @__nv_cluster_map_shared_rank_impl(ptr %s, i32 %w)
  %ld = load i32, ptr %x1
  store i32 %ld, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster
define ptx_kernel void @fn8594(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_threadfence_cluster_impl()
  ret void
}

; want atom.exch.relaxed.cta.b128 w128, [reg], w128
define ptx_kernel void @fn7167(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %v, i32 0, i32 1)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.exch.relaxed.sys.b128 w128, [reg], w128
define ptx_kernel void @fn7173(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %v, i32 0, i32 4)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.cta ; atom.exch.acquire.cta.b128 w128, [reg], w128
define ptx_kernel void @fn7185(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %v, i32 5, i32 1)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.add.relaxed.gpu.s64 w64, [reg], w64
define ptx_kernel void @fn6760(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_add_8_s(ptr %p, i64 %v, i32 0, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.min.acquire.gpu.f64 w64, [reg], w64
define ptx_kernel void @fn6962(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_min_8_f(ptr %p, double %v, i32 5, i32 2)
  store double %x1, ptr addrspace(1) %o
  ret void
}
