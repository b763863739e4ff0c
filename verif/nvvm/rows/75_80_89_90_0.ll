; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89 sm_90
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__ballot_sync(i32, i32)
declare i32 @__match_any_sync.int(i32, i32)
declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_8(ptr, ptr, i64, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.int(ptr, ptr, i32, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange_n.u64(ptr, ptr, i64, i1, i32, i32, i32)
declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_or.en32(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub.int(ptr, i32, i32, i32)
declare void @__nv_atomic_load.s16b(ptr, ptr, i32, i32)
declare i32 @__nv_atomic_load_n.int(ptr, i32, i32)
declare double @__nvvm_atom_add_gen_d(ptr, double)
declare float @__nvvm_atom_add_gen_f(ptr, float)
declare i32 @__nvvm_atom_cas_gen_i(ptr, i32, i32)
declare i64 @__nvvm_atom_cas_gen_ll(ptr, i64, i64)
declare i32 @__nvvm_vote_any_sync(i32, i32)
declare i32 @__nvvm_vote_uni_sync(i32, i32)
declare i32 @__shfl_down_sync.int(i32, i32, i32, i32)
declare i32 @__shfl_up_sync.int(i32, i32, i32, i32)
declare i64 @__ullAtomicCAS(ptr, i64, i64)
declare i32 @atomicAdd.int(ptr, i32)
declare i32 @atomicAnd.int(ptr, i32)
declare i32 @atomicAnd.u32(ptr, i32)
declare i32 @atomicCAS.int(ptr, i32, i32)
declare i32 @atomicCAS.u32(ptr, i32, i32)
declare i64 @atomicCAS.u64(ptr, i64, i64)
declare i32 @atomicMax.u32(ptr, i32)
declare i32 @atomicOr.u32(ptr, i32)
@sm = external addrspace(3) global [0 x i8], align 16

; want vote.sync.ballot.b32 w32, p, #-1
define ptx_kernel void @fn8617(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__ballot_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want match.any.sync.b32 w32, w32, #-1
define ptx_kernel void @fn8628(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__match_any_sync.int(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cas.acquire.gpu.b64 w64, [reg], w64, w64
define ptx_kernel void @fn6536(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.u64(ptr %p, ptr %ea, i64 %v, i1 false, i32 1, i32 0, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}

; want atom.or.relaxed.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn5683(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nv_atomic_fetch_or.en32(ptr %p, i32 %v, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cta.b128 w128, [reg]
define ptx_kernel void @fn5963(ptr addrspace(1) %g, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %r = alloca [16 x i8], align 16
  call void @__nv_atomic_load.s16b(ptr %p, ptr %r, i32 0, i32 1)
  %m = load [16 x i8], ptr %r, align 1
  store [16 x i8] %m, ptr addrspace(1) %o, align 1
  ret void
}

; want atom.add.f64 w64, [reg], w64
define double @fn7313(ptr %p, double %v, double %e) noinline {
  %x1 = call double @__nvvm_atom_add_gen_d(ptr %p, double %v)
  ret double %x1
}

; want atom.global.add.f64 w64, [reg], w64
define ptx_kernel void @fn7305(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nvvm_atom_add_gen_d(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.add.f64 w64, [reg], w64
define ptx_kernel void @fn7311(i32 %n, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr double, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call double @__nvvm_atom_add_gen_d(ptr %p, double %v)
  ret void
}

; want atom.add.f32 w32, [reg], w32
define void @fn7303(ptr %p, float %v, float %e) noinline {
  %x1 = call float @__nvvm_atom_add_gen_f(ptr %p, float %v)
  ret void
}

; want atom.global.add.f32 w32, [reg], w32
define ptx_kernel void @fn7295(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nvvm_atom_add_gen_f(ptr %p, float %v)
  ret void
}

; want atom.shared.add.f32 w32, [reg], w32
define ptx_kernel void @fn7299(i32 %n, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr float, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call float @__nvvm_atom_add_gen_f(ptr %p, float %v)
  ret void
}

; want atom.global.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7378(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cas_gen_i(ptr %p, i32 %e, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7384(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cas_gen_i(ptr %p, i32 %e, i32 %v)
  ret void
}

; want atom.cas.b64 w64, [reg], w64, w64
define i64 @fn7398(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret i64 %x1
}

; want atom.global.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7390(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7394(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want vote.sync.any.pred p, p, #-1
define ptx_kernel void @fn8654(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_vote_any_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want vote.sync.uni.pred p, p, #-1
define ptx_kernel void @fn8656(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_vote_uni_sync(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.down.b32 w32|p, w32, #16, #31, #-1
define ptx_kernel void @fn8624(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_down_sync.int(i32 -1, i32 %v, i32 16, i32 32)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want shfl.sync.up.b32 w32|p, w32, #1, #0, #-1
define ptx_kernel void @fn8622(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__shfl_up_sync.int(i32 -1, i32 %v, i32 1, i32 32)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7796(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicCAS(ptr %p, i64 %e, i64 %v)
  ret void
}

; want atom.cas.acquire.gpu.b32 w32, [reg], w32=0, w32=1
define ptx_kernel void @fn6717(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 0, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.int(ptr %p, ptr %ea, i32 1, i1 false, i32 2, i32 0, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.gpu.b32 w32, [reg], w32, w32
define ptx_kernel void @fn6702(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
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
define ptx_kernel void @fn6713(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 0, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.s32 w32, [reg], w32=-1
define ptx_kernel void @fn6715(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 1, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.gpu.b32 w32, [reg]
define ptx_kernel void @fn6724(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_n.int(ptr null, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.add.u32 w32, [reg], #0
define ptx_kernel void @fn8781(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicAdd.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.b32 w32, [reg], #-1
define i32 @fn8800(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicAnd.int(ptr %p, i32 -1)
  ret i32 %x1
}

; want atom.shared.and.b32 w32, [reg], #-1
define ptx_kernel void @fn8798(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd.int(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cas.b32 w32, [reg], w32=1, w32=1
define ptx_kernel void @fn8808(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicCAS.int(ptr %p, i32 1, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cas.b32 w32, [reg], w32=1, w32=1
define i32 @fn8752(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicCAS.u32(ptr %p, i32 1, i32 1)
  ret i32 %x1
}

; want atom.shared.max.u32 w32, [reg], #0
define ptx_kernel void @fn8741(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMax.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.and.b32 w32, [reg], #0
define ptx_kernel void @fn8566(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicAnd.u32(ptr %p, i32 0)
  ret void
}

; want atom.global.cas.b64 w64, [reg], w64=0, w64=1
define ptx_kernel void @fn8545(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicCAS.u64(ptr %p, i64 0, i64 1)
  ret void
}

; want atom.shared.cas.b64 w64, [reg], w64=0, w64=1
define ptx_kernel void @fn8547(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicCAS.u64(ptr %p, i64 0, i64 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.or.b32 w32, [reg], #-1
define ptx_kernel void @fn8568(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicOr.u32(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.cta.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7209(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %ea, i32 %v, i1 false, i32 0, i32 0, i32 1)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i32, ptr %ea
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want atom.cas.release.gpu.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7222(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %ea, i32 %v, i1 false, i32 3, i32 3, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i32, ptr %ea
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want atom.cas.relaxed.gpu.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7244(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_8(ptr %p, ptr %ea, i64 %v, i1 false, i32 0, i32 0, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.cas.acquire.cta.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7256(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i64
  store i64 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_8(ptr %p, ptr %ea, i64 %v, i1 false, i32 5, i32 5, i32 0)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i64, ptr %ea
  store i64 %m, ptr addrspace(1) %o
  ret void
}
