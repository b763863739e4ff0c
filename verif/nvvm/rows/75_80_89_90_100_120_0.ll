; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89 sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__barrier_sync(i32)
declare void @__barrier_sync_count(i32, i32)
declare double @__dAtomicAdd(ptr, double)
declare double @__dAtomicAdd_block(ptr, double)
declare double @__dAtomicAdd_system(ptr, double)
declare float @__fAtomicAdd(ptr, float)
declare float @__fAtomicExch(ptr, float)
declare float @__fAtomicExch_block(ptr, float)
declare i32 @__iAtomicAdd(ptr, i32)
declare i32 @__iAtomicAdd_block(ptr, i32)
declare i32 @__iAtomicAnd(ptr, i32)
declare i32 @__iAtomicAnd_block(ptr, i32)
declare i32 @__iAtomicCAS_block(ptr, i32, i32)
declare i32 @__iAtomicCAS_system(ptr, i32, i32)
declare i32 @__iAtomicExch_system(ptr, i32)
declare i32 @__iAtomicMax(ptr, i32)
declare i32 @__iAtomicMax_block(ptr, i32)
declare i32 @__iAtomicMin(ptr, i32)
declare i32 @__iAtomicMin_block(ptr, i32)
declare i32 @__iAtomicOr_system(ptr, i32)
declare i32 @__iAtomicXor(ptr, i32)
declare i32 @__iAtomicXor_block(ptr, i32)
declare i32 @__iAtomicXor_system(ptr, i32)
declare i64 @__illAtomicMax(ptr, i64)
declare i64 @__illAtomicMax_block(ptr, i64)
declare i64 @__illAtomicMax_system(ptr, i64)
declare i64 @__illAtomicMin(ptr, i64)
declare i64 @__llAtomicAnd(ptr, i64)
declare i64 @__llAtomicAnd_block(ptr, i64)
declare i64 @__llAtomicOr(ptr, i64)
declare i64 @__llAtomicOr_block(ptr, i64)
declare i64 @__llAtomicOr_system(ptr, i64)
declare i64 @__llAtomicXor(ptr, i64)
declare i64 @__llAtomicXor_block(ptr, i64)
declare void @__nv_atomic_add.double(ptr, double, i32, i32)
declare void @__nv_atomic_add.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_and.s64(ptr, i64, i32, i32)
declare void @__nv_atomic_and.u32(ptr, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange.__half(ptr, ptr, ptr, i1, i32, i32, i32)
declare i1 @__nv_atomic_compare_exchange.float(ptr, ptr, ptr, i1, i32, i32, i32)
declare void @__nv_atomic_exchange.double(ptr, ptr, ptr, i32, i32)
declare void @__nv_atomic_exchange.int(ptr, ptr, ptr, i32, i32)
declare i32 @__nv_atomic_exchange_4(ptr, i32, i32, i32)
declare i64 @__nv_atomic_exchange_8(ptr, i64, i32, i32)
declare i32 @__nv_atomic_exchange_n.int(ptr, i32, i32)
declare i64 @__nv_atomic_exchange_n.s64(ptr, i64, i32, i32)
declare float @__nv_atomic_fetch_add.float(ptr, float, i32, i32)
declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_add.u64(ptr, i64, i32, i32)
declare float @__nv_atomic_fetch_add_4_f(ptr, float, i32, i32)
declare i32 @__nv_atomic_fetch_add_4_s(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_and.en32(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_and_4(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_and_8(ptr, i64, i32, i32)
declare ptr @__nv_atomic_fetch_max.ptr32(ptr, ptr, i32, i32)
declare i64 @__nv_atomic_fetch_max.s64(ptr, i64, i32, i32)
declare i64 @__nv_atomic_fetch_max.u64(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_s(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_u(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_max_8_u(ptr, i64, i32, i32)
declare i64 @__nv_atomic_fetch_min.u64(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_min_4_s(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_min_4_u(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_min_8_s(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_or.en32(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_or.u64(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_or_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub_4_s(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_sub_8_u(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_xor.int(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_xor.long(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_xor.u32(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_xor_4(ptr, i32, i32, i32)
declare void @__nv_atomic_load.s8b(ptr, ptr, i32, i32)
declare void @__nv_atomic_load.u8(ptr, ptr, i32, i32)
declare i8 @__nv_atomic_load_1(ptr, i32, i32)
declare i128 @__nv_atomic_load_16(ptr, i32, i32)
declare i16 @__nv_atomic_load_2(ptr, i32, i32)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)
declare i32 @__nv_atomic_load_n.int(ptr, i32)
declare i128 @__nv_atomic_load_n.s128(ptr, i32, i32)
declare i128 @__nv_atomic_load_n.u128(ptr, i32, i32)
declare i64 @__nv_atomic_load_n.u64(ptr, i32, i32)
declare void @__nv_atomic_max.int(ptr, i32, i32, i32)
declare void @__nv_atomic_max.s64(ptr, i64, i32, i32)
declare void @__nv_atomic_max.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_min.u32(ptr, i32, i32, i32)
declare void @__nv_atomic_min.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_or.int(ptr, i32, i32, i32)
declare void @__nv_atomic_or.u32(ptr, i32, i32, i32)
declare void @__nv_atomic_or.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_store.s4(ptr, ptr, i32, i32)
declare void @__nv_atomic_store.u64(ptr, ptr, i32, i32)
declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
declare void @__nv_atomic_store_2(ptr, i16, i32, i32)
declare void @__nv_atomic_store_8(ptr, i64, i32, i32)
declare void @__nv_atomic_store_n.int(ptr, i32, i32, i32)
declare void @__nv_atomic_sub.double(ptr, double, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)
declare void @__nv_atomic_xor.int(ptr, i32, i32, i32)
declare void @__nv_atomic_xor.s64(ptr, i64, i32, i32)
declare void @__nv_atomic_xor.u64(ptr, i64, i32, i32)
declare void @__nvvm_atom_add_gen_f4(ptr, ptr, ptr)
declare i64 @__nvvm_atom_add_gen_ll(ptr, i64)
declare i64 @__nvvm_atom_and_gen_ll(ptr, i64)
declare i16 @__nvvm_atom_cas_gen_us(ptr, i16, i16)
declare double @__nvvm_atom_cta_add_gen_d(ptr, double)
declare void @__nvvm_atom_cta_add_gen_f2(ptr, ptr, ptr)
declare i32 @__nvvm_atom_cta_add_gen_i(ptr, i32)
declare i64 @__nvvm_atom_cta_add_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_cta_and_gen_i(ptr, i32)
declare i64 @__nvvm_atom_cta_and_gen_ll(ptr, i64)
declare i64 @__nvvm_atom_cta_cas_gen_ll(ptr, i64, i64)
declare i32 @__nvvm_atom_cta_dec_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_cta_max_gen_ll(ptr, i64)
declare i64 @__nvvm_atom_cta_min_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_cta_min_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_cta_or_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_cta_xor_gen_i(ptr, i32)
declare i64 @__nvvm_atom_cta_xor_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_inc_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_max_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_max_gen_ull(ptr, i64)
declare i64 @__nvvm_atom_min_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_min_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_min_gen_ull(ptr, i64)
declare double @__nvvm_atom_sys_add_gen_d(ptr, double)
declare float @__nvvm_atom_sys_add_gen_f(ptr, float)
declare void @__nvvm_atom_sys_add_gen_f2(ptr, ptr, ptr)
declare i32 @__nvvm_atom_sys_add_gen_i(ptr, i32)
declare i32 @__nvvm_atom_sys_and_gen_i(ptr, i32)
declare i64 @__nvvm_atom_sys_and_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_sys_cas_gen_i(ptr, i32, i32)
declare i64 @__nvvm_atom_sys_cas_gen_ll(ptr, i64, i64)
declare i32 @__nvvm_atom_sys_dec_gen_ui(ptr, i32)
declare i64 @__nvvm_atom_sys_min_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_sys_min_gen_ui(ptr, i32)
declare i32 @__nvvm_atom_sys_or_gen_i(ptr, i32)
declare i64 @__nvvm_atom_sys_or_gen_ll(ptr, i64)
declare i64 @__nvvm_atom_sys_xchg_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_sys_xor_gen_i(ptr, i32)
declare i64 @__nvvm_atom_xchg_gen_ll(ptr, i64)
declare i32 @__nvvm_atom_xor_gen_i(ptr, i32)
declare void @__nvvm_bar0()
declare i32 @__nvvm_bar0_and(i32)
declare i32 @__nvvm_bar0_or(i32)
declare i32 @__nvvm_bar0_popc(i32)
declare void @__nvvm_bar_sync_all(i32)
declare void @__nvvm_bar_sync_all_cnt(i32, i32)
declare void @__nvvm_bar_warp_sync(i32)
declare void @__nvvm_barrier_sync(i32)
declare void @__nvvm_barrier_sync_cnt(i32, i32)
declare void @__nvvm_membar_gl()
declare void @__nvvm_membar_sys()
declare void @__syncthreads()
declare i32 @__syncthreads_or(i32)
declare void @__syncwarp(i32)
declare void @__threadfence()
declare void @__threadfence_system()
declare void @__trap()
declare i32 @__uAtomicAdd(ptr, i32)
declare i32 @__uAtomicAdd_block(ptr, i32)
declare i32 @__uAtomicAdd_system(ptr, i32)
declare i32 @__uAtomicAnd(ptr, i32)
declare i32 @__uAtomicAnd_system(ptr, i32)
declare i32 @__uAtomicCAS_block(ptr, i32, i32)
declare i32 @__uAtomicCAS_system(ptr, i32, i32)
declare i32 @__uAtomicDec_system(ptr, i32)
declare i32 @__uAtomicExch(ptr, i32)
declare i32 @__uAtomicInc(ptr, i32)
declare i32 @__uAtomicInc_block(ptr, i32)
declare i32 @__uAtomicInc_system(ptr, i32)
declare i32 @__uAtomicMax(ptr, i32)
declare i32 @__uAtomicMax_block(ptr, i32)
declare i32 @__uAtomicMax_system(ptr, i32)
declare i32 @__uAtomicMin(ptr, i32)
declare i32 @__uAtomicMin_block(ptr, i32)
declare i32 @__uAtomicOr(ptr, i32)
declare i32 @__uAtomicOr_block(ptr, i32)
declare i32 @__uAtomicOr_system(ptr, i32)
declare i32 @__uAtomicXor(ptr, i32)
declare i64 @__ullAtomicExch(ptr, i64)
declare i64 @__ullAtomicExch_block(ptr, i64)
declare i64 @__ullAtomicExch_system(ptr, i64)
declare i64 @__ullAtomicMax(ptr, i64)
declare i64 @__ullAtomicMax_block(ptr, i64)
declare i64 @__ullAtomicMax_system(ptr, i64)
declare i64 @__ullAtomicMin(ptr, i64)
declare i64 @__ullAtomicMin_system(ptr, i64)
declare i64 @__ullAtomicOr(ptr, i64)
declare i64 @__ullAtomicOr_system(ptr, i64)
declare i64 @__ullAtomicXor(ptr, i64)
declare i64 @__ullAtomicXor_block(ptr, i64)
declare i64 @__ullAtomicXor_system(ptr, i64)
declare float @atomicAdd.float(ptr, float)
declare i32 @atomicAdd.u32(ptr, i32)
declare float @atomicAdd_block.float(ptr, float)
declare i32 @atomicAdd_block.int(ptr, i32)
declare i32 @atomicAdd_block.u32(ptr, i32)
declare float @atomicAdd_system.float(ptr, float)
declare i32 @atomicAdd_system.u32(ptr, i32)
declare i64 @atomicAdd_system.u64(ptr, i64)
declare i32 @atomicAnd.int(ptr, i32)
declare i64 @atomicAnd_block.s64(ptr, i64)
declare i32 @atomicAnd_block.u32(ptr, i32)
declare i64 @atomicAnd_block.u64(ptr, i64)
declare i32 @atomicAnd_system.int(ptr, i32)
declare i32 @atomicAnd_system.u32(ptr, i32)
declare i32 @atomicCAS_block.u32(ptr, i32, i32)
declare i64 @atomicCAS_block.u64(ptr, i64, i64)
declare i32 @atomicDec.u32(ptr, i32)
declare i32 @atomicExch.int(ptr, i32)
declare i32 @atomicExch.u32(ptr, i32)
declare i64 @atomicExch.u64(ptr, i64)
declare float @atomicExch_block.float(ptr, float)
declare i32 @atomicExch_block.int(ptr, i32)
declare i64 @atomicExch_block.u64(ptr, i64)
declare float @atomicExch_system.float(ptr, float)
declare i32 @atomicExch_system.int(ptr, i32)
declare i32 @atomicInc.u32(ptr, i32)
declare i32 @atomicInc_system.u32(ptr, i32)
declare i32 @atomicMax.int(ptr, i32)
declare i64 @atomicMax.s64(ptr, i64)
declare i32 @atomicMax.u32(ptr, i32)
declare i32 @atomicMax_block.int(ptr, i32)
declare i64 @atomicMax_block.u64(ptr, i64)
declare i32 @atomicMax_system.int(ptr, i32)
declare i32 @atomicMax_system.u32(ptr, i32)
declare i32 @atomicMin.int(ptr, i32)
declare i32 @atomicMin.u32(ptr, i32)
declare i32 @atomicMin_block.int(ptr, i32)
declare i32 @atomicMin_block.u32(ptr, i32)
declare i32 @atomicMin_system.int(ptr, i32)
declare i32 @atomicMin_system.u32(ptr, i32)
declare i32 @atomicOr.int(ptr, i32)
declare i64 @atomicOr.u64(ptr, i64)
declare i32 @atomicOr_block.int(ptr, i32)
declare i64 @atomicOr_block.u64(ptr, i64)
declare i32 @atomicOr_system.u32(ptr, i32)
declare i64 @atomicOr_system.u64(ptr, i64)
declare i32 @atomicSub.int(ptr, i32)
declare i32 @atomicSub.u32(ptr, i32)
declare i32 @atomicSub_block.int(ptr, i32)
declare i32 @atomicSub_system.int(ptr, i32)
declare i32 @atomicSub_system.u32(ptr, i32)
declare i32 @atomicXor.int(ptr, i32)
declare i32 @atomicXor_block.int(ptr, i32)
declare i32 @atomicXor_block.u32(ptr, i32)
declare i64 @atomicXor_block.u64(ptr, i64)
declare i32 @atomicXor_system.int(ptr, i32)
declare i32 @atomicXor_system.u32(ptr, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@sm = external addrspace(3) global [0 x i8], align 16

; want barrier.sync #15
define ptx_kernel void @fn8577(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__barrier_sync(i32 15)
  ret void
}

; want barrier.sync #0
define ptx_kernel void @fn8576(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__barrier_sync(i32 0)
  ret void
}

; want barrier.sync #1, #64
define ptx_kernel void @fn8578(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__barrier_sync_count(i32 1, i32 64)
  ret void
}

; want barrier.sync w32, w32
define ptx_kernel void @fn8582(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__barrier_sync_count(i32 %v, i32 %w)
  ret void
}

; want atom.global.add.f64 w64, [reg], w64
define ptx_kernel void @fn7773(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__dAtomicAdd(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.add.f64 w64, [reg], w64
define ptx_kernel void @fn7776(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__dAtomicAdd_block(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.add.f64 w64, [reg], w64
define ptx_kernel void @fn7779(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__dAtomicAdd_system(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.f32 w32, [reg], w32
define float @fn7766(ptr %p, float %v, float %e) noinline {
  %x1 = call float @__fAtomicAdd(ptr %p, float %v)
  ret float %x1
}

; want atom.global.exch.b32 w32, [reg], w32
define ptx_kernel void @fn7767(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__fAtomicExch(ptr %p, float %v)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.exch.b32 w32, [reg], w32
define ptx_kernel void @fn7770(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__fAtomicExch_block(ptr %p, float %v)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.u32 w32, [reg], w32
define i32 @fn7598(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicAdd(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.cta.add.u32 w32, [reg], w32
define i32 @fn7601(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicAdd_block(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.and.b32 w32, [reg], w32
define i32 @fn7619(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicAnd(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.cta.and.b32 w32, [reg], w32
define ptx_kernel void @fn7620(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicAnd_block(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.cas.b32 w32, [reg], w32, w32
define i32 @fn7784(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicCAS_block(ptr %p, i32 %e, i32 %v)
  ret i32 %x1
}

; want atom.sys.cas.b32 w32, [reg], w32, w32
define i32 @fn7787(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicCAS_system(ptr %p, i32 %e, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.exch.b32 w32, [reg], w32
define ptx_kernel void @fn7603(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicExch_system(ptr %p, i32 %v)
  ret void
}

; want atom.global.max.s32 w32, [reg], w32
define ptx_kernel void @fn7611(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicMax(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.max.s32 w32, [reg], w32
define ptx_kernel void @fn7614(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicMax_block(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.min.s32 w32, [reg], w32
define ptx_kernel void @fn7605(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicMin(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.min.s32 w32, [reg], w32
define i32 @fn7610(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__iAtomicMin_block(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.or.b32 w32, [reg], w32
define ptx_kernel void @fn7623(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicOr_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7627(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicXor(ptr %p, i32 %v)
  ret void
}

; want atom.global.cta.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7630(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicXor_block(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7632(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__iAtomicXor_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.s64 w64, [reg], w64
define i64 @fn7757(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__illAtomicMax(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.cta.max.s64 w64, [reg], w64
define ptx_kernel void @fn7758(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__illAtomicMax_block(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.max.s64 w64, [reg], w64
define i64 @fn7763(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__illAtomicMax_system(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.min.s64 w64, [reg], w64
define ptx_kernel void @fn7753(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__illAtomicMin(ptr %p, i64 %v)
  ret void
}

; want atom.global.and.b64 w64, [reg], w64
define ptx_kernel void @fn7731(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__llAtomicAnd(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.and.b64 w64, [reg], w64
define i64 @fn7736(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__llAtomicAnd_block(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.or.b64 w64, [reg], w64
define i64 @fn7739(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__llAtomicOr(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.cta.or.b64 w64, [reg], w64
define i64 @fn7742(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__llAtomicOr_block(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.or.b64 w64, [reg], w64
define ptx_kernel void @fn7743(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__llAtomicOr_system(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7747(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__llAtomicXor(ptr %p, i64 %v)
  ret void
}

; want atom.global.cta.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7749(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__llAtomicXor_block(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.acq_rel.sys.f64 w64, [reg], w64
define ptx_kernel void @fn5028(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_add.double(ptr %p, double %v, i32 4, i32 4)
  ret void
}

; want atom.add.relaxed.gpu.u64 w64, [reg], w64
define ptx_kernel void @fn2944(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_add.u64(ptr %p, i64 %v, i32 0, i32 3)
  ret void
}

; want fence.sc.cta ; atom.add.acquire.cta.f64 w64, [reg], w64
define ptx_kernel void @fn5043(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_add.double(ptr %p, double %v, i32 5, i32 0)
  ret void
}

; want atom.and.relaxed.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn1967(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_and.u32(ptr %p, i32 %v, i32 0, i32 3)
  ret void
}

; want atom.and.relaxed.sys.b64 w64, [reg], w64
define ptx_kernel void @fn2461(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_and.s64(ptr %p, i64 %v, i32 0, i32 4)
  ret void
}

; want fence.sc.cta ; atom.and.acquire.cta.b32 w32, [reg], w32
define ptx_kernel void @fn2272(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_and.u32(ptr %p, i32 %v, i32 5, i32 0)
  ret void
}

; want atom.cas.release.sys.b32 w32, [reg], w32, w32
define ptx_kernel void @fn4561(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca float
  store float %e, ptr %ea
  %va = alloca float
  store float %v, ptr %va
  %x1 = call i1 @__nv_atomic_compare_exchange.float(ptr %p, ptr %ea, ptr %va, i1 false, i32 3, i32 0, i32 4)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load float, ptr %ea
  store float %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.cas.acquire.gpu.b16 w16, [reg], w16, w16
define ptx_kernel void @fn5170(ptr addrspace(1) %g, half %v, half %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca half
  store half %e, ptr %ea
  %va = alloca half
  store half %v, ptr %va
  %x1 = call i1 @__nv_atomic_compare_exchange.__half(ptr %p, ptr %ea, ptr %va, i1 false, i32 5, i32 5, i32 3)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load half, ptr %ea
  store half %m, ptr addrspace(1) %o
  ret void
}

; want atom.exch.acq_rel.cta.b32 w32, [reg], w32
define ptx_kernel void @fn1733(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i32
  store i32 %v, ptr %va
  %r = alloca i32
  call void @__nv_atomic_exchange.int(ptr %p, ptr %va, ptr %r, i32 4, i32 0)
  %m = load i32, ptr %r
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.exch.acquire.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn5105(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca double
  store double %v, ptr %va
  %r = alloca double
  call void @__nv_atomic_exchange.double(ptr %p, ptr %va, ptr %r, i32 5, i32 3)
  %m = load double, ptr %r
  store double %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.exch.acquire.sys.b64 w64, [reg], w64
define ptx_kernel void @fn2881(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_exchange_n.s64(ptr %p, i64 %v, i32 5, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.acquire.cta.u64 w64, [reg], w64
define ptx_kernel void @fn2989(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_add.u64(ptr %p, i64 %v, i32 1, i32 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.release.gpu.f32 w32, [reg], w32
define ptx_kernel void @fn4544(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_add.float(ptr %p, float %v, i32 3, i32 3)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn1872(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.relaxed.gpu.b32 w32, [reg], w32
define i32 @fn5681(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nv_atomic_fetch_and.en32(ptr %p, i32 %v, i32 0, i32 3)
  ret i32 %x1
}

; want fence.sc.cta ; atom.and.acquire.cta.b32 w32, [reg], w32
define ptx_kernel void @fn5706(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and.en32(ptr %p, i32 %v, i32 5, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.release.cta.s64 w64, [reg], w64
define ptx_kernel void @fn2630(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max.s64(ptr %p, i64 %v, i32 3, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.max.acquire.gpu.u64 w64, [reg], w64
define ptx_kernel void @fn5653(ptr addrspace(1) %g, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call ptr @__nv_atomic_fetch_max.ptr32(ptr %p, ptr %v, i32 5, i32 3)
  store ptr %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.u64 w64, [reg], w64
define ptx_kernel void @fn3235(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max.u64(ptr %p, i64 %v, i32 5, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.cta.u64 w64, [reg], w64
define ptx_kernel void @fn2907(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min.u64(ptr %p, i64 %v, i32 0, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.or.acquire.sys.b64 w64, [reg], w64
define ptx_kernel void @fn3074(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_or.u64(ptr %p, i64 %v, i32 2, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.or.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn3217(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_or.u64(ptr %p, i64 %v, i32 5, i32 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.or.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn5720(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_or.en32(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.release.sys.s32 w32, [reg], w32-
define ptx_kernel void @fn1710(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 %v, i32 3, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.add.acquire.sys.s32 w32, [reg], w32-
define ptx_kernel void @fn1892(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.s32 w32, [reg], w32-
define ptx_kernel void @fn1874(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub.int(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.xor.acquire.cta.b32 w32, [reg], w32
define ptx_kernel void @fn1531(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor.int(ptr %p, i32 %v, i32 1, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.xor.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn1580(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor.int(ptr %p, i32 %v, i32 1, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.xor.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn2319(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor.u32(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.xor.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn5496(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_xor.long(ptr %p, i64 %v, i32 5, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cta.b64 w64, [reg]
define ptx_kernel void @fn5849(ptr addrspace(1) %g, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %r = alloca [8 x i8], align 8
  call void @__nv_atomic_load.s8b(ptr %p, ptr %r, i32 0, i32 1)
  %m = load [8 x i8], ptr %r, align 1
  store [8 x i8] %m, ptr addrspace(1) %o, align 1
  ret void
}

; want fence.sc.sys ; ld.acquire.sys.b8 w32, [reg]
define ptx_kernel void @fn655(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %r = alloca i8
  call void @__nv_atomic_load.u8(ptr %p, ptr %r, i32 5, i32 4)
  %m = load i8, ptr %r
  store i8 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b8 w32, [reg]
define ptx_kernel void @fn642(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %r = alloca i8
  call void @__nv_atomic_load.u8(ptr %p, ptr %r, i32 5, i32 3)
  %m = load i8, ptr %r
  store i8 %m, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.gpu.b128 w128, [reg]
define ptx_kernel void @fn3863(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_n.u128(ptr %p, i32 0, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want ld.acquire.sys.b128 w128, [reg]
define ptx_kernel void @fn3531(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_n.s128(ptr %p, i32 2, i32 4)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.sys ; ld.acquire.sys.b64 w64, [reg]
define ptx_kernel void @fn3294(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_load_n.u64(ptr %p, i32 5, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b128 w128, [reg]
define ptx_kernel void @fn4302(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_n.u128(ptr %p, i32 5, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.max.acq_rel.sys.s32 w32, [reg], w32
define ptx_kernel void @fn1796(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_max.int(ptr %p, i32 %v, i32 4, i32 4)
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.s64 w64, [reg], w64
define ptx_kernel void @fn2813(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_max.s64(ptr %p, i64 %v, i32 5, i32 1)
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.u64 w64, [reg], w64
define ptx_kernel void @fn3222(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_max.u64(ptr %p, i64 %v, i32 5, i32 0)
  ret void
}

; want atom.min.relaxed.cta.u64 w64, [reg], w64
define ptx_kernel void @fn2908(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_min.u64(ptr %p, i64 %v, i32 0, i32 1)
  ret void
}

; want atom.min.relaxed.cta.u32 w32, [reg], w32
define ptx_kernel void @fn1914(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_min.u32(ptr %p, i32 %v, i32 0, i32 0)
  ret void
}

; want fence.sc.cta ; atom.min.acquire.cta.u64 w64, [reg], w64
define ptx_kernel void @fn3224(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_min.u64(ptr %p, i64 %v, i32 5, i32 0)
  ret void
}

; want atom.or.relaxed.cta.b32 w32, [reg], w32
define ptx_kernel void @fn1911(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_or.u32(ptr %p, i32 %v, i32 0, i32 0)
  ret void
}

; want atom.or.acq_rel.sys.b64 w64, [reg], w64
define ptx_kernel void @fn3204(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_or.u64(ptr %p, i64 %v, i32 4, i32 4)
  ret void
}

; want fence.sc.gpu ; atom.or.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn1877(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_or.int(ptr %p, i32 %v, i32 5, i32 3)
  ret void
}

; want fence.sc.cta ; atom.or.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn3218(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_or.u64(ptr %p, i64 %v, i32 5, i32 0)
  ret void
}

; want fence.sc.gpu ; st.relaxed.gpu.b32 [reg], w32
define ptx_kernel void @fn5840(ptr addrspace(1) %g, ptr %v, ptr %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store.s4(ptr %p, ptr %v, i32 5, i32 3)
  ret void
}

; want fence.sc.gpu ; st.relaxed.gpu.b64 [reg], w64
define ptx_kernel void @fn3281(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i64
  store i64 %v, ptr %va
  call void @__nv_atomic_store.u64(ptr %p, ptr %va, i32 5, i32 3)
  ret void
}

; want st.release.cta.b32 [reg], w32
define ptx_kernel void @fn1662(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_n.int(ptr %p, i32 %v, i32 3, i32 0)
  ret void
}

; want atom.add.acq_rel.sys.f64 w64, [reg], w64:0-x
define ptx_kernel void @fn5029(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_sub.double(ptr %p, double %v, i32 4, i32 4)
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.f64 w64, [reg], w64:0-x
define ptx_kernel void @fn5094(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_sub.double(ptr %p, double %v, i32 5, i32 3)
  ret void
}

; want fence.sc.cta
define ptx_kernel void @fn6662() {
  call void @__nv_atomic_thread_fence(i32 1, i32 0)
  ret void
}

; want fence.sc.gpu
define ptx_kernel void @fn6690() {
  call void @__nv_atomic_thread_fence(i32 5, i32 3)
  ret void
}

; want fence.sc.sys
define ptx_kernel void @fn6691() {
  call void @__nv_atomic_thread_fence(i32 5, i32 4)
  ret void
}

; want atom.xor.acq_rel.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn1781(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_xor.int(ptr %p, i32 %v, i32 4, i32 3)
  ret void
}

; want fence.sc.gpu ; atom.xor.acquire.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn3275(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_xor.u64(ptr %p, i64 %v, i32 5, i32 3)
  ret void
}

; want fence.sc.cta ; atom.xor.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn2811(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_xor.s64(ptr %p, i64 %v, i32 5, i32 1)
  ret void
}

; want trap
define ptx_kernel void @fn7323(i32 %n, <4 x float> %v, <4 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr <4 x float>, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %va = alloca <4 x float>
  store <4 x float> %v, ptr %va
  %r = alloca <4 x float>
  call void @__nvvm_atom_add_gen_f4(ptr %p, ptr %va, ptr %r)
  %m = load <4 x float>, ptr %r
  store <4 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.add.u64 w64, [reg], w64
define void @fn7292(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_add_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.add.u64 w64, [reg], w64
define ptx_kernel void @fn7287(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_add_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.add.u64 w64, [reg], w64
define ptx_kernel void @fn7289(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_add_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.b64 w64, [reg], w64
define i64 @fn7370(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_and_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.and.b64 w64, [reg], w64
define ptx_kernel void @fn7366(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_and_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.and.b64 w64, [reg], w64
define ptx_kernel void @fn7369(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_and_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.cas.b16 w16, [reg], w16, w16
define i16 @fn7406(ptr %p, i16 %v, i16 %e) noinline {
  %x1 = call i16 @__nvvm_atom_cas_gen_us(ptr %p, i16 %e, i16 %v)
  ret i16 %x1
}

; want atom.global.cas.b16 w16, [reg], w16, w16
define ptx_kernel void @fn7402(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i16 @__nvvm_atom_cas_gen_us(ptr %p, i16 %e, i16 %v)
  store i16 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cas.b16 w16, [reg], w16, w16
define ptx_kernel void @fn7405(i32 %n, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i16, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i16 @__nvvm_atom_cas_gen_us(ptr %p, i16 %e, i16 %v)
  ret void
}

; want atom.cta.add.f64 w64, [reg], w64
define double @fn7426(ptr %p, double %v, double %e) noinline {
  %x1 = call double @__nvvm_atom_cta_add_gen_d(ptr %p, double %v)
  ret double %x1
}

; want atom.global.cta.add.f64 w64, [reg], w64
define ptx_kernel void @fn7422(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nvvm_atom_cta_add_gen_d(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.add.f64 w64, [reg], w64
define ptx_kernel void @fn7424(i32 %n, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr double, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call double @__nvvm_atom_cta_add_gen_d(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want trap
define ptx_kernel void @fn7434(i32 %n, <2 x float> %v, <2 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr <2 x float>, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_cta_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  store <2 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.cta.add.u32 w32, [reg], w32
define void @fn7415(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cta_add_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.global.cta.add.u32 w32, [reg], w32
define ptx_kernel void @fn7411(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cta_add_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.add.u32 w32, [reg], w32
define ptx_kernel void @fn7413(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cta_add_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.cta.add.u64 w64, [reg], w64
define i64 @fn7420(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_add_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.cta.add.u64 w64, [reg], w64
define ptx_kernel void @fn7416(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_add_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.add.u64 w64, [reg], w64
define ptx_kernel void @fn7419(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_add_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.cta.and.b32 w32, [reg], w32
define void @fn7464(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cta_and_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.global.cta.and.b32 w32, [reg], w32
define ptx_kernel void @fn7460(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cta_and_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.and.b32 w32, [reg], w32
define ptx_kernel void @fn7462(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cta_and_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.cta.and.b64 w64, [reg], w64
define void @fn7470(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_and_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.cta.and.b64 w64, [reg], w64
define ptx_kernel void @fn7465(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_and_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.and.b64 w64, [reg], w64
define ptx_kernel void @fn7467(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_and_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.cas.b64 w64, [reg], w64, w64
define void @fn7494(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret void
}

; want atom.global.cta.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7490(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret void
}

; want atom.shared.cta.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7492(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret void
}

; want atom.cta.dec.u32 w32, [reg], w32
define i32 @fn7457(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cta_dec_gen_ui(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.cta.dec.u32 w32, [reg], w32
define ptx_kernel void @fn7453(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cta_dec_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.dec.u32 w32, [reg], w32
define ptx_kernel void @fn7455(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cta_dec_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.max.s64 w64, [reg], w64
define void @fn7452(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_max_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.cta.max.s64 w64, [reg], w64
define ptx_kernel void @fn7447(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_max_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.max.s64 w64, [reg], w64
define ptx_kernel void @fn7449(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_max_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.min.s64 w64, [reg], w64
define void @fn7440(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_min_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.cta.min.s64 w64, [reg], w64
define ptx_kernel void @fn7435(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_min_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.min.s64 w64, [reg], w64
define ptx_kernel void @fn7438(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_min_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.cta.min.u32 w32, [reg], w32
define void @fn7446(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cta_min_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.global.cta.min.u32 w32, [reg], w32
define ptx_kernel void @fn7441(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cta_min_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.min.u32 w32, [reg], w32
define ptx_kernel void @fn7444(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cta_min_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.cta.or.b64 w64, [reg], w64
define i64 @fn7475(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_or_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.cta.or.b64 w64, [reg], w64
define ptx_kernel void @fn7472(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_or_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.shared.cta.or.b64 w64, [reg], w64
define ptx_kernel void @fn7473(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_or_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.xor.b32 w32, [reg], w32
define i32 @fn7481(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_cta_xor_gen_i(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.cta.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7478(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_cta_xor_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7479(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_cta_xor_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.xor.b64 w64, [reg], w64
define i64 @fn7487(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_cta_xor_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.cta.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7484(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_cta_xor_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.shared.cta.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7486(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_cta_xor_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.inc.u32 w32, [reg], w32
define i32 @fn7364(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_inc_gen_ui(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.inc.u32 w32, [reg], w32
define ptx_kernel void @fn7360(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_inc_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.inc.u32 w32, [reg], w32
define ptx_kernel void @fn7363(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_inc_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.max.u32 w32, [reg], w32
define void @fn7353(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_max_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.global.max.u32 w32, [reg], w32
define ptx_kernel void @fn7349(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_max_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.shared.max.u32 w32, [reg], w32
define ptx_kernel void @fn7350(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_max_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.u64 w64, [reg], w64
define void @fn7359(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_max_gen_ull(ptr %p, i64 %v)
  ret void
}

; want atom.global.max.u64 w64, [reg], w64
define ptx_kernel void @fn7355(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_max_gen_ull(ptr %p, i64 %v)
  ret void
}

; want atom.shared.max.u64 w64, [reg], w64
define ptx_kernel void @fn7357(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_max_gen_ull(ptr %p, i64 %v)
  ret void
}

; want atom.min.s64 w64, [reg], w64
define void @fn7335(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_min_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.min.s64 w64, [reg], w64
define ptx_kernel void @fn7330(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_min_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.min.s64 w64, [reg], w64
define ptx_kernel void @fn7332(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_min_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.u32 w32, [reg], w32
define i32 @fn7340(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_min_gen_ui(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.min.u32 w32, [reg], w32
define ptx_kernel void @fn7336(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_min_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.min.u32 w32, [reg], w32
define ptx_kernel void @fn7339(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_min_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.min.u64 w64, [reg], w64
define i64 @fn7346(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_min_gen_ull(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.min.u64 w64, [reg], w64
define ptx_kernel void @fn7343(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_min_gen_ull(ptr %p, i64 %v)
  ret void
}

; want atom.shared.min.u64 w64, [reg], w64
define ptx_kernel void @fn7344(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_min_gen_ull(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.add.f64 w64, [reg], w64
define void @fn7516(ptr %p, double %v, double %e) noinline {
  %x1 = call double @__nvvm_atom_sys_add_gen_d(ptr %p, double %v)
  ret void
}

; want atom.global.sys.add.f64 w64, [reg], w64
define ptx_kernel void @fn7511(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nvvm_atom_sys_add_gen_d(ptr %p, double %v)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.add.f64 w64, [reg], w64
define ptx_kernel void @fn7514(i32 %n, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr double, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call double @__nvvm_atom_sys_add_gen_d(ptr %p, double %v)
  ret void
}

; want atom.sys.add.f32 w32, [reg], w32
define void @fn7510(ptr %p, float %v, float %e) noinline {
  %x1 = call float @__nvvm_atom_sys_add_gen_f(ptr %p, float %v)
  ret void
}

; want atom.global.sys.add.f32 w32, [reg], w32
define ptx_kernel void @fn7505(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nvvm_atom_sys_add_gen_f(ptr %p, float %v)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.add.f32 w32, [reg], w32
define ptx_kernel void @fn7507(i32 %n, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr float, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call float @__nvvm_atom_sys_add_gen_f(ptr %p, float %v)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want trap
define ptx_kernel void @fn7523(i32 %n, <2 x float> %v, <2 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr <2 x float>, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_sys_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  store <2 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.sys.add.u32 w32, [reg], w32
define i32 @fn7503(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_add_gen_i(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.add.u32 w32, [reg], w32
define ptx_kernel void @fn7500(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_add_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.shared.sys.add.u32 w32, [reg], w32
define ptx_kernel void @fn7502(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_add_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.sys.and.b32 w32, [reg], w32
define i32 @fn7552(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_and_gen_i(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.and.b32 w32, [reg], w32
define ptx_kernel void @fn7549(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_and_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.shared.sys.and.b32 w32, [reg], w32
define ptx_kernel void @fn7551(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_and_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.sys.and.b64 w64, [reg], w64
define void @fn7559(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_sys_and_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.sys.and.b64 w64, [reg], w64
define ptx_kernel void @fn7554(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_sys_and_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.and.b64 w64, [reg], w64
define ptx_kernel void @fn7556(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_sys_and_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.cas.b32 w32, [reg], w32, w32
define i32 @fn7582(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_cas_gen_i(ptr %p, i32 %e, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7578(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_cas_gen_i(ptr %p, i32 %e, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7580(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_cas_gen_i(ptr %p, i32 %e, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.cas.b64 w64, [reg], w64, w64
define i64 @fn7588(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_sys_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7585(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_sys_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  ret void
}

; want atom.shared.sys.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn7586(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_sys_cas_gen_ll(ptr %p, i64 %e, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.dec.u32 w32, [reg], w32
define void @fn7547(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_dec_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.dec.u32 w32, [reg], w32
define ptx_kernel void @fn7543(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_dec_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.shared.sys.dec.u32 w32, [reg], w32
define ptx_kernel void @fn7544(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_dec_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.min.s64 w64, [reg], w64
define i64 @fn7534(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_sys_min_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.min.s64 w64, [reg], w64
define ptx_kernel void @fn7530(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_sys_min_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.min.s64 w64, [reg], w64
define ptx_kernel void @fn7532(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_sys_min_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.min.u32 w32, [reg], w32
define i32 @fn7540(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_min_gen_ui(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.min.u32 w32, [reg], w32
define ptx_kernel void @fn7536(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_min_gen_ui(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.min.u32 w32, [reg], w32
define ptx_kernel void @fn7539(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_min_gen_ui(ptr %p, i32 %v)
  ret void
}

; want atom.sys.or.b32 w32, [reg], w32
define i32 @fn7564(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_or_gen_i(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.or.b32 w32, [reg], w32
define ptx_kernel void @fn7560(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_or_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.or.b32 w32, [reg], w32
define ptx_kernel void @fn7562(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_or_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.or.b64 w64, [reg], w64
define void @fn7571(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_sys_or_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.sys.or.b64 w64, [reg], w64
define ptx_kernel void @fn7566(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_sys_or_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.or.b64 w64, [reg], w64
define ptx_kernel void @fn7569(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_sys_or_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.sys.exch.b64 w64, [reg], w64
define i64 @fn7528(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_sys_xchg_gen_ll(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7525(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_sys_xchg_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.shared.sys.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7527(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_sys_xchg_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.sys.xor.b32 w32, [reg], w32
define void @fn7577(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_sys_xor_gen_i(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7572(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_sys_xor_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7574(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_sys_xor_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.b64 w64, [reg], w64
define void @fn7329(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__nvvm_atom_xchg_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.global.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7325(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nvvm_atom_xchg_gen_ll(ptr %p, i64 %v)
  ret void
}

; want atom.shared.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7326(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @__nvvm_atom_xchg_gen_ll(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.xor.b32 w32, [reg], w32
define i32 @fn7376(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__nvvm_atom_xor_gen_i(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7372(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nvvm_atom_xor_gen_i(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7375(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @__nvvm_atom_xor_gen_i(ptr %p, i32 %v)
  ret void
}

; want bar.sync #0
define ptx_kernel void @fn8572(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_bar0()
  ret void
}

; want bar.red.and.pred p, #0, p
define ptx_kernel void @fn8610(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_bar0_and(i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want bar.red.or.pred p, #0, p
define ptx_kernel void @fn8611(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_bar0_or(i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want bar.red.popc.u32 w32, #0, p
define ptx_kernel void @fn8609(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__nvvm_bar0_popc(i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want barrier.sync #1
define ptx_kernel void @fn8586(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_bar_sync_all(i32 1)
  ret void
}

; want barrier.sync w32, w32
define ptx_kernel void @fn8588(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_bar_sync_all_cnt(i32 %v, i32 %w)
  ret void
}

; want barrier.sync #1, #64
define ptx_kernel void @fn8587(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_bar_sync_all_cnt(i32 1, i32 64)
  ret void
}

; want bar.warp.sync w32
define ptx_kernel void @fn8575(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_bar_warp_sync(i32 %v)
  ret void
}

; want barrier.sync w32
define ptx_kernel void @fn8584(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_barrier_sync(i32 %v)
  ret void
}

; want barrier.sync #1
define ptx_kernel void @fn8583(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_barrier_sync(i32 1)
  ret void
}

; want barrier.sync w32, w32
define ptx_kernel void @fn8585(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_barrier_sync_cnt(i32 %v, i32 %w)
  ret void
}

; want membar.gl
define ptx_kernel void @fn8590(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_membar_gl()
  ret void
}

; want membar.sys
define ptx_kernel void @fn8591(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nvvm_membar_sys()
  ret void
}

; want bar.sync #0
define ptx_kernel void @fn8607(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %a, label %z
a:
  call void @__syncthreads()
  br label %z
z:
  ret void
}

; want bar.red.or.pred p, #0, p
define ptx_kernel void @fn8608(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__syncthreads_or(i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want bar.warp.sync #255
define ptx_kernel void @fn8574(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__syncwarp(i32 255)
  ret void
}

; want membar.gl
define ptx_kernel void @fn8592(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__threadfence()
  ret void
}

; want membar.sys
define ptx_kernel void @fn8593(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__threadfence_system()
  ret void
}

; want trap
define ptx_kernel void @fn8606(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__trap()
  ret void
}

; want atom.global.add.u32 w32, [reg], w32
define ptx_kernel void @fn7635(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicAdd(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.add.u32 w32, [reg], w32
define ptx_kernel void @fn7639(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicAdd_block(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.add.u32 w32, [reg], w32
define ptx_kernel void @fn7641(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicAdd_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.and.b32 w32, [reg], w32
define ptx_kernel void @fn7663(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicAnd(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.and.b32 w32, [reg], w32
define ptx_kernel void @fn7665(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicAnd_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.cas.b32 w32, [reg], w32, w32
define i32 @fn7790(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__uAtomicCAS_block(ptr %p, i32 %e, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7791(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicCAS_system(ptr %p, i32 %e, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.dec.u32 w32, [reg], w32
define ptx_kernel void @fn7690(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicDec_system(ptr %p, i32 %v)
  ret void
}

; want atom.global.exch.b32 w32, [reg], w32
define ptx_kernel void @fn7645(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicExch(ptr %p, i32 %v)
  ret void
}

; want atom.global.inc.u32 w32, [reg], w32
define ptx_kernel void @fn7680(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicInc(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.inc.u32 w32, [reg], w32
define i32 @fn7685(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__uAtomicInc_block(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.inc.u32 w32, [reg], w32
define ptx_kernel void @fn7686(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicInc_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.max.u32 w32, [reg], w32
define ptx_kernel void @fn7653(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicMax(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.max.u32 w32, [reg], w32
define i32 @fn7658(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__uAtomicMax_block(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.max.u32 w32, [reg], w32
define ptx_kernel void @fn7660(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicMax_system(ptr %p, i32 %v)
  ret void
}

; want atom.min.u32 w32, [reg], w32
define i32 @fn7649(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @__uAtomicMin(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.cta.min.u32 w32, [reg], w32
define ptx_kernel void @fn7651(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicMin_block(ptr %p, i32 %v)
  ret void
}

; want atom.global.or.b32 w32, [reg], w32
define ptx_kernel void @fn7669(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicOr(ptr %p, i32 %v)
  ret void
}

; want atom.global.cta.or.b32 w32, [reg], w32
define ptx_kernel void @fn7672(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicOr_block(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.or.b32 w32, [reg], w32
define ptx_kernel void @fn7674(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicOr_system(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.xor.b32 w32, [reg], w32
define ptx_kernel void @fn7678(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__uAtomicXor(ptr %p, i32 %v)
  ret void
}

; want atom.global.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7692(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicExch(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.exch.b64 w64, [reg], w64
define i64 @fn7697(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__ullAtomicExch_block(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.exch.b64 w64, [reg], w64
define ptx_kernel void @fn7699(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicExch_system(ptr %p, i64 %v)
  ret void
}

; want atom.global.max.u64 w64, [reg], w64
define ptx_kernel void @fn7707(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicMax(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.max.u64 w64, [reg], w64
define ptx_kernel void @fn7711(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicMax_block(ptr %p, i64 %v)
  ret void
}

; want atom.sys.max.u64 w64, [reg], w64
define i64 @fn7715(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__ullAtomicMax_system(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.min.u64 w64, [reg], w64
define ptx_kernel void @fn7702(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicMin(ptr %p, i64 %v)
  ret void
}

; want atom.global.sys.min.u64 w64, [reg], w64
define ptx_kernel void @fn7705(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicMin_system(ptr %p, i64 %v)
  ret void
}

; want atom.or.b64 w64, [reg], w64
define i64 @fn7718(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__ullAtomicOr(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.global.sys.or.b64 w64, [reg], w64
define ptx_kernel void @fn7719(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicOr_system(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7723(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicXor(ptr %p, i64 %v)
  ret void
}

; want atom.global.cta.xor.b64 w64, [reg], w64
define ptx_kernel void @fn7726(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__ullAtomicXor_block(ptr %p, i64 %v)
  ret void
}

; want atom.sys.xor.b64 w64, [reg], w64
define i64 @fn7730(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @__ullAtomicXor_system(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.shared.add.u32 w32, [reg], w32
define ptx_kernel void @fn7818(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAdd.u32(ptr %p, i32 %v)
  ret void
}

; want atom.cta.add.f32 w32, [reg], w32
define float @fn7837(ptr %p, float %v, float %e) noinline {
  %x1 = call float @atomicAdd_block.float(ptr %p, float %v)
  ret float %x1
}

; want atom.shared.cta.add.u32 w32, [reg], w32
define ptx_kernel void @fn7811(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAdd_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.add.u32 w32, [reg], w32
define ptx_kernel void @fn7830(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAdd_system.u32(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.add.f32 w32, [reg], w32
define ptx_kernel void @fn7840(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @atomicAdd_system.float(ptr %p, float %v)
  ret void
}

; want atom.shared.and.b32 w32, [reg], w32
define ptx_kernel void @fn8223(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd.int(ptr %p, i32 %v)
  ret void
}

; want atom.shared.and.b32 w32, [reg], w32
define ptx_kernel void @fn8222(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.and.b64 w64, [reg], w64
define i64 @fn8242(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicAnd_block.u64(ptr %p, i64 %v)
  ret i64 %x1
}

; want atom.cta.and.b64 w64, [reg], w64
define void @fn8261(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicAnd_block.s64(ptr %p, i64 %v)
  ret void
}

; want atom.global.sys.and.b32 w32, [reg], w32
define ptx_kernel void @fn8226(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicAnd_system.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.and.b32 w32, [reg], w32
define ptx_kernel void @fn8228(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd_system.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.cas.b64 w64, [reg], w64, w64
define ptx_kernel void @fn8420(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicCAS_block.u64(ptr %p, i64 %e, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.dec.u32 w32, [reg], w32
define void @fn8213(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicDec.u32(ptr %p, i32 %v)
  ret void
}

; want atom.shared.dec.u32 w32, [reg], w32
define ptx_kernel void @fn8210(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicDec.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.b32 w32, [reg], w32
define i32 @fn7978(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicExch.int(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.cta.exch.b32 w32, [reg], w32
define void @fn8009(ptr %p, float %v, float %e) noinline {
  %x1 = call float @atomicExch_block.float(ptr %p, float %v)
  ret void
}

; want atom.cta.exch.b32 w32, [reg], w32
define float @fn8008(ptr %p, float %v, float %e) noinline {
  %x1 = call float @atomicExch_block.float(ptr %p, float %v)
  ret float %x1
}

; want atom.shared.sys.exch.b32 w32, [reg], w32
define ptx_kernel void @fn8013(i32 %n, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr float, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call float @atomicExch_system.float(ptr %p, float %v)
  ret void
}

; want atom.global.sys.exch.b32 w32, [reg], w32
define ptx_kernel void @fn8011(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @atomicExch_system.float(ptr %p, float %v)
  ret void
}

; want atom.inc.u32 w32, [reg], w32
define void @fn8171(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicInc.u32(ptr %p, i32 %v)
  ret void
}

; want atom.shared.inc.u32 w32, [reg], w32
define ptx_kernel void @fn8168(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicInc.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.inc.u32 w32, [reg], w32
define ptx_kernel void @fn8172(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicInc_system.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.inc.u32 w32, [reg], w32
define ptx_kernel void @fn8174(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicInc_system.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.max.s64 w64, [reg], w64
define ptx_kernel void @fn8136(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicMax.s64(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.max.s64 w64, [reg], w64
define ptx_kernel void @fn8138(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicMax.s64(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.max.u64 w64, [reg], w64
define ptx_kernel void @fn8149(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicMax_block.u64(ptr %p, i64 %v)
  ret void
}

; want atom.shared.cta.max.s32 w32, [reg], w32
define ptx_kernel void @fn8114(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMax_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.max.u32 w32, [reg], w32
define ptx_kernel void @fn8132(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMax_system.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.max.s32 w32, [reg], w32
define ptx_kernel void @fn8118(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMax_system.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.u32 w32, [reg], w32
define i32 @fn8080(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicMin.u32(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.min.s32 w32, [reg], w32
define ptx_kernel void @fn8059(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMin.int(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.min.u32 w32, [reg], w32
define ptx_kernel void @fn8084(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMin_block.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.min.s32 w32, [reg], w32
define ptx_kernel void @fn8066(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMin_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.min.u32 w32, [reg], w32
define ptx_kernel void @fn8089(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMin_system.u32(ptr %p, i32 %v)
  ret void
}

; want atom.shared.sys.min.s32 w32, [reg], w32
define ptx_kernel void @fn8072(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicMin_system.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.or.b32 w32, [reg], w32
define i32 @fn8266(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicOr.int(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.or.b32 w32, [reg], w32
define ptx_kernel void @fn8263(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicOr.int(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.or.b64 w64, [reg], w64
define ptx_kernel void @fn8294(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicOr_block.u64(ptr %p, i64 %v)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.or.b32 w32, [reg], w32
define ptx_kernel void @fn8268(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicOr_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.or.b32 w32, [reg], w32
define i32 @fn8290(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicOr_system.u32(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.global.sys.or.b64 w64, [reg], w64
define ptx_kernel void @fn8299(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicOr_system.u64(ptr %p, i64 %v)
  ret void
}

; want atom.add.u32 w32, [reg], w32-
define i32 @fn7936(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicSub.int(ptr %p, i32 %v)
  ret i32 %x1
}

; want atom.shared.add.u32 w32, [reg], w32-
define ptx_kernel void @fn7953(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicSub.u32(ptr %p, i32 %v)
  ret void
}

; want atom.shared.cta.add.u32 w32, [reg], w32-
define ptx_kernel void @fn7940(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicSub_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.add.u32 w32, [reg], w32-
define ptx_kernel void @fn7938(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicSub_block.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.add.u32 w32, [reg], w32-
define ptx_kernel void @fn7964(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicSub_system.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.add.u32 w32, [reg], w32-
define ptx_kernel void @fn7947(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicSub_system.int(ptr %p, i32 %v)
  ret void
}

; want atom.global.xor.b32 w32, [reg], w32
define ptx_kernel void @fn8317(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicXor.int(ptr %p, i32 %v)
  ret void
}

; want atom.shared.xor.b32 w32, [reg], w32
define ptx_kernel void @fn8318(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicXor.int(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.xor.b32 w32, [reg], w32
define ptx_kernel void @fn8336(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicXor_block.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.xor.b32 w32, [reg], w32
define ptx_kernel void @fn8323(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicXor_block.int(ptr %p, i32 %v)
  ret void
}

; want atom.sys.xor.b32 w32, [reg], w32
define void @fn8333(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicXor_system.int(ptr %p, i32 %v)
  ret void
}

; want atom.global.sys.xor.b32 w32, [reg], w32
define ptx_kernel void @fn8340(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicXor_system.u32(ptr %p, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.relaxed.sys.b32 w32, [reg], w32
define ptx_kernel void @fn6699(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_exchange_n.int(ptr %p, i32 %v, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.acquire.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn6694(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 2, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.sys.b32 w32, [reg]
define ptx_kernel void @fn6698(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_n.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.gpu.b32 w32, [reg]
define ptx_kernel void @fn6723(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_4(ptr %p, i32 0, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.add.u32 w32, [reg], #0
define i32 @fn8756(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicAdd_block.u32(ptr %p, i32 0)
  ret i32 %x1
}

; want atom.shared.cta.add.u32 w32, [reg], #0
define ptx_kernel void @fn8755(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAdd_block.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.add.u64 w64, [reg], #0
define i64 @fn8870(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicAdd_system.u64(ptr %p, i64 0)
  ret i64 %x1
}

; want atom.global.sys.add.u64 w64, [reg], #0
define ptx_kernel void @fn8868(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicAdd_system.u64(ptr %p, i64 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.and.b64 w64, [reg], #-1
define i64 @fn8861(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicAnd_block.u64(ptr %p, i64 -1)
  ret i64 %x1
}

; want atom.shared.cta.and.b32 w32, [reg], #-1
define ptx_kernel void @fn8764(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd_block.u32(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.and.b32 w32, [reg], #-1
define ptx_kernel void @fn8779(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicAnd_system.u32(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.and.b32 w32, [reg], #-1
define i32 @fn8780(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicAnd_system.u32(ptr %p, i32 -1)
  ret i32 %x1
}

; want atom.global.cta.cas.b64 w64, [reg], #1, #1
define ptx_kernel void @fn8865(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicCAS_block.u64(ptr %p, i64 1, i64 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.cas.b32 w32, [reg], #1, #1
define i32 @fn8768(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicCAS_block.u32(ptr %p, i32 1, i32 1)
  ret i32 %x1
}

; want atom.global.exch.b32 w32, [reg], #0
define ptx_kernel void @fn8745(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicExch.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.b32 w32, [reg], #0
define i32 @fn8747(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicExch.u32(ptr %p, i32 0)
  ret i32 %x1
}

; want atom.global.cta.exch.b32 w32, [reg], #0
define ptx_kernel void @fn8817(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicExch_block.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.exch.b64 w64, [reg], #0
define i64 @fn8864(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicExch_block.u64(ptr %p, i64 0)
  ret i64 %x1
}

; want atom.sys.exch.b32 w32, [reg], #0
define i32 @fn8828(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicExch_system.int(ptr %p, i32 0)
  ret i32 %x1
}

; want atom.shared.sys.exch.b32 w32, [reg], #0
define ptx_kernel void @fn8827(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicExch_system.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.max.s32 w32, [reg], #0
define ptx_kernel void @fn8802(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMax.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.max.s32 w32, [reg], #0
define ptx_kernel void @fn8823(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMax_system.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.sys.max.s32 w32, [reg], #0
define i32 @fn8825(ptr %p, i32 %v, i32 %e) noinline {
  %x1 = call i32 @atomicMax_system.int(ptr %p, i32 0)
  ret i32 %x1
}

; want atom.or.b64 w64, [reg], #0
define i64 @fn8831(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicOr.u64(ptr %p, i64 0)
  ret i64 %x1
}

; want atom.global.or.b64 w64, [reg], #0
define ptx_kernel void @fn8829(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicOr.u64(ptr %p, i64 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.cta.or.b64 w64, [reg], #0
define i64 @fn8855(ptr %p, i64 %v, i64 %e) noinline {
  %x1 = call i64 @atomicOr_block.u64(ptr %p, i64 0)
  ret i64 %x1
}

; want atom.shared.cta.or.b32 w32, [reg], #0
define ptx_kernel void @fn8815(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicOr_block.int(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.or.b64 w64, [reg], #0
define ptx_kernel void @fn8872(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicOr_system.u64(ptr %p, i64 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.or.b32 w32, [reg], #0
define ptx_kernel void @fn8773(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicOr_system.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.xor.b64 w64, [reg], #0
define ptx_kernel void @fn8856(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicXor_block.u64(ptr %p, i64 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.cta.xor.b32 w32, [reg], #0
define ptx_kernel void @fn8761(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicXor_block.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.sys.xor.b32 w32, [reg], #0
define ptx_kernel void @fn8775(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicXor_system.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.sys.xor.b32 w32, [reg], #0
define ptx_kernel void @fn8776(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicXor_system.u32(ptr %p, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.add.f32 w32, [reg], #0f3F800000
define ptx_kernel void @fn8550(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @atomicAdd.float(ptr %p, float 1.0)
  ret void
}

; want atom.global.add.u32 w32, [reg], #1
define ptx_kernel void @fn8528(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicAdd.u32(ptr %p, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.shared.exch.b64 w64, [reg], #0
define ptx_kernel void @fn8539(i32 %n, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i64, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i64 @atomicExch.u64(ptr %p, i64 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.exch.b64 w64, [reg], #0
define ptx_kernel void @fn8538(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @atomicExch.u64(ptr %p, i64 0)
  ret void
}

; want atom.global.inc.u32 w32, [reg], #-1
define ptx_kernel void @fn8558(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicInc.u32(ptr %p, i32 -1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.inc.u32 w32, [reg], #-1
define ptx_kernel void @fn8559(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicInc.u32(ptr %p, i32 -1)
  ret void
}

; want atom.global.max.u32 w32, [reg], #5
define ptx_kernel void @fn8562(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMax.u32(ptr %p, i32 5)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.global.max.u32 w32, [reg], #5
define ptx_kernel void @fn8563(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicMax.u32(ptr %p, i32 5)
  ret void
}

; want atom.global.add.u32 w32, [reg], #-1
define ptx_kernel void @fn8532(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @atomicSub.u32(ptr %p, i32 1)
  ret void
}

; want atom.shared.add.u32 w32, [reg], #-1
define ptx_kernel void @fn8533(i32 %n, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr i32, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call i32 @atomicSub.u32(ptr %p, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn7139(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_exchange_4(ptr %p, i32 %v, i32 1, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.acq_rel.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn7142(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_exchange_4(ptr %p, i32 %v, i32 4, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.exch.acquire.cta.b32 w32, [reg], w32
define ptx_kernel void @fn7143(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_exchange_4(ptr %p, i32 %v, i32 5, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.relaxed.cta.b64 w64, [reg], w64
define ptx_kernel void @fn7149(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_exchange_8(ptr %p, i64 %v, i32 0, i32 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.exch.relaxed.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn7153(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_exchange_8(ptr %p, i64 %v, i32 0, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.exch.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn7160(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_exchange_8(ptr %p, i64 %v, i32 5, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.cta.f32 w32, [reg], w32
define ptx_kernel void @fn6743(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_add_4_f(ptr %p, float %v, i32 0, i32 1)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.release.gpu.f32 w32, [reg], w32
define ptx_kernel void @fn6750(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_add_4_f(ptr %p, float %v, i32 3, i32 3)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.add.acquire.cta.f32 w32, [reg], w32
define ptx_kernel void @fn6753(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_add_4_f(ptr %p, float %v, i32 5, i32 1)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.f32 w32, [reg], w32
define ptx_kernel void @fn6756(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_add_4_f(ptr %p, float %v, i32 5, i32 3)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.acquire.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn6732(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add_4_s(ptr %p, i32 %v, i32 1, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.sys.s32 w32, [reg], w32
define ptx_kernel void @fn6731(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add_4_s(ptr %p, i32 %v, i32 0, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.add.acquire.sys.s32 w32, [reg], w32
define ptx_kernel void @fn6741(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add_4_s(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.relaxed.cta.b32 w32, [reg], w32
define ptx_kernel void @fn6966(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and_4(ptr %p, i32 %v, i32 0, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.and.acquire.sys.b32 w32, [reg], w32
define ptx_kernel void @fn6981(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and_4(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.and.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn6980(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and_4(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.acquire.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn6988(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_and_8(ptr %p, i64 %v, i32 1, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.release.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn6990(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_and_8(ptr %p, i64 %v, i32 3, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.and.acquire.cta.b64 w64, [reg], w64
define ptx_kernel void @fn6993(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_and_8(ptr %p, i64 %v, i32 5, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.and.acquire.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn6996(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_and_8(ptr %p, i64 %v, i32 5, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.cta.s32 w32, [reg], w32
define ptx_kernel void @fn6839(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_s(ptr %p, i32 %v, i32 0, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.s32 w32, [reg], w32
define ptx_kernel void @fn6848(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_s(ptr %p, i32 %v, i32 5, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.max.acquire.sys.s32 w32, [reg], w32
define ptx_kernel void @fn6853(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_s(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.sys.u32 w32, [reg], w32
define ptx_kernel void @fn6827(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_u(ptr %p, i32 %v, i32 0, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.u32 w32, [reg], w32
define ptx_kernel void @fn6832(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_u(ptr %p, i32 %v, i32 5, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.release.gpu.u64 w64, [reg], w64
define ptx_kernel void @fn6878(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max_8_u(ptr %p, i64 %v, i32 3, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.cta.s32 w32, [reg], w32
define ptx_kernel void @fn6918(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_s(ptr %p, i32 %v, i32 0, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.acquire.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn6925(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_s(ptr %p, i32 %v, i32 2, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.min.acquire.cta.s32 w32, [reg], w32
define ptx_kernel void @fn6928(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_s(ptr %p, i32 %v, i32 5, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.min.acquire.gpu.s32 w32, [reg], w32
define ptx_kernel void @fn6932(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_s(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.release.gpu.u32 w32, [reg], w32
define ptx_kernel void @fn6910(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_u(ptr %p, i32 %v, i32 3, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.cta.u32 w32, [reg], w32
define ptx_kernel void @fn6903(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_u(ptr %p, i32 %v, i32 0, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.min.acquire.sys.u32 w32, [reg], w32
define ptx_kernel void @fn6917(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_u(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.min.acquire.gpu.u32 w32, [reg], w32
define ptx_kernel void @fn6916(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min_4_u(ptr %p, i32 %v, i32 5, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.gpu.s64 w64, [reg], w64
define ptx_kernel void @fn6938(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min_8_s(ptr %p, i64 %v, i32 0, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.min.acquire.sys.s64 w64, [reg], w64
define ptx_kernel void @fn6949(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min_8_s(ptr %p, i64 %v, i32 5, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.min.acquire.cta.s64 w64, [reg], w64
define ptx_kernel void @fn6945(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min_8_s(ptr %p, i64 %v, i32 5, i32 1)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.or.acquire.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn7005(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_or_4(ptr %p, i32 %v, i32 2, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.or.acquire.sys.b32 w32, [reg], w32
define ptx_kernel void @fn7013(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_or_4(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.cta.s32 w32, [reg], w32-
define ptx_kernel void @fn6775(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub_4_s(ptr %p, i32 %v, i32 0, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.acquire.gpu.s32 w32, [reg], w32-
define ptx_kernel void @fn6781(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub_4_s(ptr %p, i32 %v, i32 2, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.add.acquire.sys.s32 w32, [reg], w32-
define ptx_kernel void @fn6789(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub_4_s(ptr %p, i32 %v, i32 5, i32 4)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.sys.u64 w64, [reg], w64-
define ptx_kernel void @fn6795(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_u(ptr %p, i64 %v, i32 0, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.add.acquire.sys.u64 w64, [reg], w64-
define ptx_kernel void @fn6805(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_u(ptr %p, i64 %v, i32 5, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.xor.acq_rel.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn7023(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor_4(ptr %p, i32 %v, i32 4, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.xor.acquire.cta.b32 w32, [reg], w32
define ptx_kernel void @fn7024(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor_4(ptr %p, i32 %v, i32 5, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cta.b8 w32, [reg]
define ptx_kernel void @fn7030(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i8 @__nv_atomic_load_1(ptr %p, i32 0, i32 0)
  store i8 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.acquire.gpu.b8 w32, [reg]
define ptx_kernel void @fn7037(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i8 @__nv_atomic_load_1(ptr %p, i32 2, i32 3)
  store i8 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; ld.acquire.cta.b8 w32, [reg]
define ptx_kernel void @fn7040(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i8 @__nv_atomic_load_1(ptr %p, i32 5, i32 0)
  store i8 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.acquire.gpu.b128 w128, [reg]
define ptx_kernel void @fn7085(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_16(ptr %p, i32 2, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b128 w128, [reg]
define ptx_kernel void @fn7092(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_16(ptr %p, i32 5, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want ld.relaxed.gpu.b16 w16, [reg]
define ptx_kernel void @fn7050(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i16 @__nv_atomic_load_2(ptr %p, i32 0, i32 3)
  store i16 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.acquire.gpu.b16 w16, [reg]
define ptx_kernel void @fn7053(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i16 @__nv_atomic_load_2(ptr %p, i32 2, i32 3)
  store i16 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; ld.acquire.sys.b16 w16, [reg]
define ptx_kernel void @fn7061(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i16 @__nv_atomic_load_2(ptr %p, i32 5, i32 4)
  store i16 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cta.b32 w32, [reg]
define ptx_kernel void @fn7063(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_4(ptr %p, i32 0, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; ld.acquire.cta.b32 w32, [reg]
define ptx_kernel void @fn7073(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_4(ptr %p, i32 5, i32 1)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want st.relaxed.cta.b8 [reg], w32
define ptx_kernel void @fn7094(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_1(ptr %p, i8 %v, i32 0, i32 0)
  ret void
}

; want fence.sc.cta ; st.relaxed.cta.b8 [reg], w32
define ptx_kernel void @fn7101(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_1(ptr %p, i8 %v, i32 5, i32 0)
  ret void
}

; want st.relaxed.cta.b16 [reg], w16
define ptx_kernel void @fn7107(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_2(ptr %p, i16 %v, i32 0, i32 0)
  ret void
}

; want fence.sc.gpu ; st.relaxed.gpu.b16 [reg], w16
define ptx_kernel void @fn7118(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_2(ptr %p, i16 %v, i32 5, i32 3)
  ret void
}

; want fence.sc.cta ; st.relaxed.cta.b64 [reg], w64
define ptx_kernel void @fn7128(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_8(ptr %p, i64 %v, i32 5, i32 1)
  ret void
}

; want fence.sc.sys ; st.relaxed.sys.b64 [reg], w64
define ptx_kernel void @fn7132(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_8(ptr %p, i64 %v, i32 5, i32 4)
  ret void
}
