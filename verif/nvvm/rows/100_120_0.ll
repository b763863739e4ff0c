; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__ballot_sync(i32, i32)
declare i32 @__clusterRelativeBlockRank()
declare i32 @__cluster_query_shared_rank(ptr)
declare i32 @__match_any_sync.int(i32, i32)
declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_8(ptr, ptr, i64, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.int(ptr, ptr, i32, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.s128(ptr, ptr, i128, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.s64(ptr, ptr, i64, i1, i32, i32, i32)
declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_min.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub.int(ptr, i32, i32, i32)
declare ptr @__nv_atomic_fetch_sub.ptr32(ptr, ptr, i32, i32)
declare i32 @__nv_atomic_load_n.int(ptr, i32, i32)
declare void @__nv_atomic_store_n.long(ptr, i64, i32, i32)
declare void @__nv_clusterDim_impl(ptr, ptr, ptr)
declare void @__nv_clusterIdx_impl(ptr, ptr, ptr)
declare void @__nv_clusterRelativeBlockIdx_impl(ptr, ptr, ptr)
declare i32 @__nvvm_atom_cas_gen_i(ptr, i32, i32)
declare i32 @__nvvm_vote_any_sync(i32, i32)
declare i32 @__nvvm_vote_uni_sync(i32, i32)
declare i32 @__reduce_add_sync.u32(i32, i32)
declare i32 @__reduce_and_sync.u32(i32, i32)
declare i32 @__reduce_max_sync.int(i32, i32)
declare i32 @__reduce_max_sync.u32(i32, i32)
declare i32 @__reduce_min_sync.int(i32, i32)
declare i32 @__reduce_or_sync.u32(i32, i32)
declare i32 @__reduce_xor_sync.u32(i32, i32)
declare i32 @__shfl_down_sync.int(i32, i32, i32, i32)
declare float @__shfl_sync.float(i32, float, i32, i32)
declare i32 @__shfl_sync.int(i32, i32, i32, i32)
declare i32 @__shfl_up_sync.int(i32, i32, i32, i32)
declare i32 @__shfl_xor_sync.int(i32, i32, i32, i32)
declare i64 @__shfl_xor_sync.u64(i32, i64, i32, i32)
declare i32 @atomicAdd.int(ptr, i32)
declare i32 @atomicAnd.u32(ptr, i32)
declare i32 @atomicCAS.u32(ptr, i32, i32)
declare void @atomicCAS_system.s16b(ptr, ptr, ptr, ptr)
declare i32 @atomicOr.u32(ptr, i32)
declare i32 @atomicXor.int(ptr, i32)
declare i32 @atomicXor.u32(ptr, i32)
@sm = external addrspace(3) global [0 x i8], align 16
@smi = external addrspace(3) global [0 x i32], align 4

; want vote.sync.ballot.b32 w32, p, #-1
define ptx_kernel void @fn8618(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__ballot_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want mov %cluster_ctarank
define ptx_kernel void @fn8616(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__clusterRelativeBlockRank()
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want getctarank.u64 w32, w64
define ptx_kernel void @fn8692(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %nx = sext i32 %v to i64
  %sp = getelementptr i32, ptr addrspace(3) @smi, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__cluster_query_shared_rank(ptr %s)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want match.any.sync.b32 w32, w32, #-1
define ptx_kernel void @fn8629(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__match_any_sync.int(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cas.acquire.cta.b32 w32, [reg], w32, w32
define ptx_kernel void @fn1551(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.int(ptr %p, ptr %ea, i32 %v, i1 false, i32 1, i32 1, i32 1)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i32, ptr %ea
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.cas.acquire.cta.b64 w64, [reg], w64, w64
define ptx_kernel void @fn2820(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.s64(ptr %p, ptr %ea, i64 %v, i1 false, i32 5, i32 5, i32 1)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.cas.acquire.cta.b128 w128, [reg], w128, w128
define ptx_kernel void @fn3699(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i128, align 16
  store i128 %e, ptr %ea, align 16
  %x1 = call i1 @__nv_atomic_compare_exchange_n.s128(ptr %p, ptr %ea, i128 %v, i1 false, i32 5, i32 5, i32 0)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i128, ptr %ea, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.min.relaxed.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn1487(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nv_atomic_fetch_min.int(ptr %p, i32 %v, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.u64 w64, [reg], w64-
define ptx_kernel void @fn5603(i32 %n, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr ptr, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call ptr @__nv_atomic_fetch_sub.ptr32(ptr %p, ptr %v, i32 0, i32 3)
  store ptr %x1, ptr addrspace(1) %o
  ret void
}

; want st.relaxed.gpu.b64 [reg], w64
define ptx_kernel void @fn5479(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  call void @__nv_atomic_store_n.long(ptr %p, i64 %v, i32 0, i32 3)
  ret void
}

; want mov %cluster_nctaid.x ; mov %cluster_nctaid.y ; mov %cluster_nctaid.z
define ptx_kernel void @fn8683(i32 %v, i32 %w, ptr addrspace(1) %o) {
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
define ptx_kernel void @fn8689(i32 %v, i32 %w, ptr addrspace(1) %o) {
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
define ptx_kernel void @fn8686(i32 %v, i32 %w, ptr addrspace(1) %o) {
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

; want atom.relaxed.cas.b32 w32, [reg], w32, w32
define i32 @fn7387(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cas_gen_i(ptr %p, i32 %e, i32 %v)
  ret i32 %x1
}

; want vote.sync.any.pred p, p, #-1
define ptx_kernel void @fn8655(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_vote_any_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want vote.sync.uni.pred p, p, #-1
define ptx_kernel void @fn8657(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_vote_uni_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.add.u32 w32, w32, #-1
define ptx_kernel void @fn8635(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_add_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.and.b32 w32, w32, #-1
define ptx_kernel void @fn8647(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_and_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.max.u32 w32, w32, #-1
define ptx_kernel void @fn8644(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_max_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.max.s32 w32, w32, #-1
define ptx_kernel void @fn8641(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_max_sync.int(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.min.s32 w32, w32, #-1
define ptx_kernel void @fn8638(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_min_sync.int(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.or.b32 w32, w32, #-1
define ptx_kernel void @fn8650(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_or_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.xor.b32 w32, w32, #-1
define ptx_kernel void @fn8653(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_xor_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.down.b32 w32|p, w32, #16, #31, #-1
define ptx_kernel void @fn8625(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_down_sync.int(i32 -1, i32 %v, i32 16, i32 32)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.idx.b32 w32|p, w32, #3, #4127, #-1
define ptx_kernel void @fn8621(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_sync.int(i32 -1, i32 %v, i32 3, i32 16)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.idx.b32 w32|p, w32, w32, #31, #-1
define ptx_kernel void @fn8660(float %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call float @__shfl_sync.float(i32 -1, float %v, i32 %w, i32 32)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.up.b32 w32|p, w32, #1, #0, #-1
define ptx_kernel void @fn8623(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_up_sync.int(i32 -1, i32 %v, i32 1, i32 32)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.bfly.b32 w32|p, w32, #1, #31, #-1 ; shfl.sync.bfly.b32 w32|p, w32, #1, #31, #-1
define ptx_kernel void @fn8664(i64 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i64 @__shfl_xor_sync.u64(i32 -1, i64 %v, i32 1, i32 32)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.bfly.b32 w32|p, w32, #1, #31, #-1
define ptx_kernel void @fn8627(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_xor_sync.int(i32 -1, i32 %v, i32 1, i32 32)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.relaxed.shared.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn8393(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicCAS.u32(ptr %p, i32 %e, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.cas.b128 w128, [reg], w128, w128
define void @fn8498(ptr %p, ptr %v, ptr %e) noinline {
  %r = alloca [16 x i8], align 16
  call void @atomicCAS_system.s16b(ptr %p, ptr %e, ptr %v, ptr %r)
  ret void
}

; want atom.sys.cas.b128 w128, [reg], w128, w128
define void @fn8501(ptr %p, ptr %v, ptr %e) noinline {
  %r = alloca [16 x i8], align 16
  call void @atomicCAS_system.s16b(ptr %p, ptr %e, ptr %v, ptr %r)
  ret void
}

; want atom.cas.acquire.gpu.b32 w32, [reg], w32=0, w32=1
define ptx_kernel void @fn6718(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 0, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.int(ptr %p, ptr %ea, i32 1, i1 false, i32 2, i32 0, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.gpu.b32 w32, [reg], w32, w32
define ptx_kernel void @fn6703(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %wk = icmp ne i32 %n, 0
  %x1 = call i1 @__nv_atomic_compare_exchange_n.int(ptr %p, ptr %ea, i32 %v, i1 %wk, i32 0, i32 0, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.s32 w32, [reg], w32=0
define ptx_kernel void @fn6714(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 0, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.s32 w32, [reg], w32=-1
define ptx_kernel void @fn6716(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 1, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.gpu.b32 w32, [reg]
define ptx_kernel void @fn6725(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_n.int(ptr null, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.or.b32 w32, [reg], #0
define ptx_kernel void @fn8784(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAdd.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.or.b32 w32, [reg], #0
define ptx_kernel void @fn8793(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicXor.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.or.b32 w32, [reg], #0
define ptx_kernel void @fn8734(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicXor.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.exch.b32 w32, [reg], #0
define ptx_kernel void @fn8565(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicAnd.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.exch.b32 w32, [reg], #-1
define ptx_kernel void @fn8569(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicOr.u32(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.cas.acquire.gpu.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7234(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %ea, i32 %v, i1 false, i32 5, i32 5, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i32, ptr %ea
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.cluster.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7243(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_8(ptr %p, ptr %ea, i64 %v, i1 false, i32 0, i32 0, i32 2)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.cas.acquire.gpu.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7264(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_8(ptr %p, ptr %ea, i64 %v, i1 false, i32 5, i32 5, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}
