; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_90
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__clusterRelativeBlockRank()
declare i1 @__nv_atomic_compare_exchange.u128(ptr, ptr, ptr, i1, i32, i32, i32)
declare void @__nv_clusterDim_impl(ptr, ptr, ptr)
declare void @__nv_clusterIdx_impl(ptr, ptr, ptr)
declare void @__nv_clusterRelativeBlockIdx_impl(ptr, ptr, ptr)
declare ptr @__nv_cluster_map_shared_rank_impl(ptr, i32)
declare void @atomicCAS.s16b(ptr, ptr, ptr, ptr)
@sm = external addrspace(3) global [0 x i8], align 16
@smi = external addrspace(3) global [0 x i32], align 4

; want mov %cluster_ctarank
define ptx_kernel void @fn8615(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__clusterRelativeBlockRank()
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.cta.b128 w128, [reg], w128, w128
define ptx_kernel void @fn3827(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i128, align 16
  store i128 %e, ptr %ea, align 16
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %x1 = call i1 @__nv_atomic_compare_exchange.u128(ptr %p, ptr %ea, ptr %va, i1 false, i32 0, i32 0, i32 1)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i128, ptr %ea, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.sys ; atom.cas.acquire.sys.b128 w128, [reg], w128, w128
define ptx_kernel void @fn4327(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i128, align 16
  store i128 %e, ptr %ea, align 16
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %x1 = call i1 @__nv_atomic_compare_exchange.u128(ptr %p, ptr %ea, ptr %va, i1 false, i32 5, i32 5, i32 4)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i128, ptr %ea, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want mov %cluster_nctaid.x ; mov %cluster_nctaid.y ; mov %cluster_nctaid.z
define ptx_kernel void @fn8682(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x = alloca i32
  %y = alloca i32
  %z = alloca i32
  call void @__nv_clusterDim_impl(ptr %x, ptr %y, ptr %z)
  %lx = load i32, ptr %x
  %gx = getelementptr i32, ptr addrspace(1) %o, i64 0
  store i32 %lx, ptr addrspace(1) %gx
  %ly = load i32, ptr %y
  %gy = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %ly, ptr addrspace(1) %gy
  %lz = load i32, ptr %z
  %gz = getelementptr i32, ptr addrspace(1) %o, i64 2
  store i32 %lz, ptr addrspace(1) %gz
  ret void
}

; want mov %clusterid.x ; mov %clusterid.y ; mov %clusterid.z
define ptx_kernel void @fn8688(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x = alloca i32
  %y = alloca i32
  %z = alloca i32
  call void @__nv_clusterIdx_impl(ptr %x, ptr %y, ptr %z)
  %lx = load i32, ptr %x
  %gx = getelementptr i32, ptr addrspace(1) %o, i64 0
  store i32 %lx, ptr addrspace(1) %gx
  %ly = load i32, ptr %y
  %gy = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %ly, ptr addrspace(1) %gy
  %lz = load i32, ptr %z
  %gz = getelementptr i32, ptr addrspace(1) %o, i64 2
  store i32 %lz, ptr addrspace(1) %gz
  ret void
}

; want mov %cluster_ctaid.x ; mov %cluster_ctaid.y ; mov %cluster_ctaid.z
define ptx_kernel void @fn8685(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x = alloca i32
  %y = alloca i32
  %z = alloca i32
  call void @__nv_clusterRelativeBlockIdx_impl(ptr %x, ptr %y, ptr %z)
  %lx = load i32, ptr %x
  %gx = getelementptr i32, ptr addrspace(1) %o, i64 0
  store i32 %lx, ptr addrspace(1) %gx
  %ly = load i32, ptr %y
  %gy = getelementptr i32, ptr addrspace(1) %o, i64 1
  store i32 %ly, ptr addrspace(1) %gy
  %lz = load i32, ptr %z
  %gz = getelementptr i32, ptr addrspace(1) %o, i64 2
  store i32 %lz, ptr addrspace(1) %gz
  ret void
}

; want mapa.u64 w64, w64, w32
define ptx_kernel void @fn8701(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %nx = sext i32 %v to i64
  %sp = getelementptr i32, ptr addrspace(3) @smi, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call ptr @__nv_cluster_map_shared_rank_impl(ptr %s, i32 %w)
  %ld = load i32, ptr %x1
  store i32 %ld, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cas.b128 w128, [reg], w128, w128
define ptx_kernel void @fn8476(i32 %n, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr [16 x i8], ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %r = alloca [16 x i8], align 16
  call void @atomicCAS.s16b(ptr %p, ptr %e, ptr %v, ptr %r)
  ret void
}
