; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__clusterDimIsSpecified()
declare void @__cluster_barrier_arrive()
declare void @__cluster_barrier_arrive_relaxed()
declare i32 @__cluster_query_shared_rank(ptr)
declare <2 x float> @__f2AtomicAdd(ptr, <2 x float>)
declare <4 x float> @__f4AtomicAdd_system(ptr, <4 x float>)
declare i32 @__isClusterShared(ptr)
declare void @__nv_atomic_add.double(ptr, double, i32, i32)
declare void @__nv_atomic_and.u32(ptr, i32, i32, i32)
declare void @__nv_atomic_exchange.float(ptr, ptr, ptr, i32, i32)
declare void @__nv_atomic_exchange.s128(ptr, ptr, ptr, i32, i32)
declare i128 @__nv_atomic_exchange_16(ptr, i128, i32, i32)
declare i32 @__nv_atomic_exchange_4(ptr, i32, i32, i32)
declare i128 @__nv_atomic_exchange_n.s128(ptr, i128, i32, i32)
declare i128 @__nv_atomic_exchange_n.u128(ptr, i128, i32, i32)
declare i32 @__nv_atomic_fetch_add.int(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_add_4_s(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_and.int(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_and.s64(ptr, i64, i32, i32)
declare i64 @__nv_atomic_fetch_max.u64(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_s(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_u(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_max_8_u(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_min.int(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_min.u64(ptr, i64, i32, i32)
declare i64 @__nv_atomic_fetch_min_8_s(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_or_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_xor_4(ptr, i32, i32, i32)
declare i128 @__nv_atomic_load_16(ptr, i32, i32)
declare i16 @__nv_atomic_load_2(ptr, i32, i32)
declare void @__nv_atomic_max.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_min.u64(ptr, i64, i32, i32)
declare void @__nv_atomic_store.s64(ptr, ptr, i32, i32)
declare void @__nv_atomic_store.s8(ptr, ptr, i32, i32)
declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
declare void @__nv_atomic_store_2(ptr, i16, i32, i32)
declare void @__nv_atomic_store_8(ptr, i64, i32, i32)
declare void @__nv_atomic_store_n.u32(ptr, i32, i32, i32)
declare void @__nv_atomic_sub.float(ptr, float, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)
declare void @__nv_atomic_xor.s64(ptr, i64, i32, i32)
declare void @__nv_cluster_barrier_arrive_impl()
declare void @__nv_cluster_barrier_arrive_relaxed_impl()
declare void @__nv_cluster_barrier_wait_impl()
declare void @__nv_threadfence_cluster_impl()
declare void @__nvvm_atom_add_gen_f4(ptr, ptr, ptr)
declare void @__nvvm_atom_cta_add_gen_f2(ptr, ptr, ptr)
declare void @__nvvm_atom_cta_cas_gen_128(ptr, ptr, ptr, ptr)
declare void @__nvvm_atom_cta_xchg_gen_128(ptr, ptr, ptr)
declare void @__nvvm_atom_sys_add_gen_f2(ptr, ptr, ptr)
declare void @__nvvm_atom_xchg_gen_128(ptr, ptr, ptr)
declare void @__u128AtomicCAS(ptr, ptr, ptr, ptr)
declare void @__u128AtomicExch_block(ptr, ptr, ptr)
declare void @__u128AtomicExch_system(ptr, ptr, ptr)
declare i128 @atomicCAS_block.u128(ptr, i128, i128)
declare i128 @atomicExch.u128(ptr, i128)

; want mov %is_explicit_cluster
define ptx_kernel void @fn8613(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__clusterDimIsSpecified()
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want barrier.cluster.arrive
define ptx_kernel void @fn8597(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__cluster_barrier_arrive()
  ret void
}

; want barrier.cluster.arrive.relaxed
define ptx_kernel void @fn8599(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__cluster_barrier_arrive_relaxed()
  ret void
}

; want getctarank.u64 w32, w64
define i32 @fn8694(ptr %s) noinline {
  %x1 = call i32 @__cluster_query_shared_rank(ptr %s)
  ret i32 %x1
}

; want atom.global.add.v2.f32 {w32,w32}, [reg], {w32,w32}
define ptx_kernel void @fn8517(ptr addrspace(1) %g, <2 x float> %v, <2 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call <2 x float> @__f2AtomicAdd(ptr %p, <2 x float> %v)
  ret void
}

; want atom.global.sys.add.v4.f32 {w32,w32,w32,w32}, [reg], {w32,w32,w32,w32}
define ptx_kernel void @fn8523(ptr addrspace(1) %g, <4 x float> %v, <4 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call <4 x float> @__f4AtomicAdd_system(ptr %p, <4 x float> %v)
  store <4 x float> %x1, ptr addrspace(1) %o
  ret void
}

; want isspacep.shared::cluster p, w64
define i32 @fn8699(ptr %s) noinline {
  %x1 = call i32 @__isClusterShared(ptr %s)
  ret i32 %x1
}

; want fence.sc.cluster ; atom.add.acquire.cluster.f64 w64, [reg], w64
define ptx_kernel void @fn5075(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_add.double(ptr %p, double %v, i32 5, i32 2)
  ret void
}

; want fence.sc.cluster ; atom.and.acquire.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn2296(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_and.u32(ptr %p, i32 %v, i32 5, i32 2)
  ret void
}

; want atom.exch.acq_rel.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn4606(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca float
  store float %v, ptr %va
  %r = alloca float
  call void @__nv_atomic_exchange.float(ptr %p, ptr %va, ptr %r, i32 4, i32 2)
  %m = load float, ptr %r
  store float %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.exch.acquire.sys.b128 w128, [reg], w128
define ptx_kernel void @fn3782(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__nv_atomic_exchange.s128(ptr %p, ptr %va, ptr %r, i32 5, i32 4)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.exch.acquire.cta.b128 w128, [reg], w128
define ptx_kernel void @fn4009(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_n.u128(ptr %p, i128 %v, i32 2, i32 1)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.exch.relaxed.gpu.b128 w128, [reg], w128
define ptx_kernel void @fn3379(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_n.s128(ptr %p, i128 %v, i32 0, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.gpu ; atom.exch.acquire.gpu.b128 w128, [reg], w128
define ptx_kernel void @fn4306(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_n.u128(ptr %p, i128 %v, i32 5, i32 3)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.cluster ; atom.add.acquire.cluster.s32 w32, [reg], w32
define ptx_kernel void @fn1839(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add.int(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.acq_rel.cluster.b64 w64, [reg], w64
define ptx_kernel void @fn2729(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_and.s64(ptr %p, i64 %v, i32 4, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.and.acquire.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn1845(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and.int(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.acquire.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn3055(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max.u64(ptr %p, i64 %v, i32 2, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.min.acquire.cluster.s32 w32, [reg], w32
define ptx_kernel void @fn1857(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_min.int(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.min.acquire.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn3260(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min.u64(ptr %p, i64 %v, i32 5, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn2928(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_max.u64(ptr %p, i64 %v, i32 0, i32 2)
  ret void
}

; want fence.sc.cluster ; atom.min.acquire.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn3262(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_min.u64(ptr %p, i64 %v, i32 5, i32 2)
  ret void
}

; want st.release.cluster.b8 [reg], w32
define ptx_kernel void @fn181(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i8
  store i8 %v, ptr %va
  call void @__nv_atomic_store.s8(ptr %p, ptr %va, i32 3, i32 2)
  ret void
}

; want st.release.cluster.b64 [reg], w64
define ptx_kernel void @fn2652(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i64
  store i64 %v, ptr %va
  call void @__nv_atomic_store.s64(ptr %p, ptr %va, i32 3, i32 2)
  ret void
}

; want fence.sc.cluster ; st.relaxed.cluster.b32 [reg], w32
define ptx_kernel void @fn2308(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_n.u32(ptr %p, i32 %v, i32 5, i32 2)
  ret void
}

; want atom.add.relaxed.cluster.f32 w32, [reg], w32:0-x
define ptx_kernel void @fn4364(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_sub.float(ptr %p, float %v, i32 0, i32 2)
  ret void
}

; want fence.sc.cluster ; atom.add.acquire.cluster.f32 w32, [reg], w32:0-x
define ptx_kernel void @fn4670(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_sub.float(ptr %p, float %v, i32 5, i32 2)
  ret void
}

; want fence.sc.cluster
define ptx_kernel void @fn6659() {
  call void @__nv_atomic_thread_fence(i32 0, i32 2)
  ret void
}

; want atom.xor.acq_rel.cluster.b64 w64, [reg], w64
define ptx_kernel void @fn2737(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_xor.s64(ptr %p, i64 %v, i32 4, i32 2)
  ret void
}

; want barrier.cluster.arrive
define ptx_kernel void @fn8601(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_arrive_impl()
  ret void
}

; want barrier.cluster.arrive.relaxed
define ptx_kernel void @fn8603(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_arrive_relaxed_impl()
  ret void
}

; want barrier.cluster.wait
define ptx_kernel void @fn8605(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_cluster_barrier_wait_impl()
  ret void
}

; want fence.sc.cluster
define ptx_kernel void @fn8595(i32 %v, i32 %w, ptr addrspace(1) %o) {
  call void @__nv_threadfence_cluster_impl()
  ret void
}

; want atom.add.v4.f32 {w32,w32,w32,w32}, [reg], {w32,w32,w32,w32}
define <4 x float> @fn7322(ptr %p, <4 x float> %v, <4 x float> %e) noinline {
  %va = alloca <4 x float>
  store <4 x float> %v, ptr %va
  %r = alloca <4 x float>
  call void @__nvvm_atom_add_gen_f4(ptr %p, ptr %va, ptr %r)
  %m = load <4 x float>, ptr %r
  ret <4 x float> %m
}

; want atom.global.add.v4.f32 {w32,w32,w32,w32}, [reg], {w32,w32,w32,w32}
define ptx_kernel void @fn7318(ptr addrspace(1) %g, <4 x float> %v, <4 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca <4 x float>
  store <4 x float> %v, ptr %va
  %r = alloca <4 x float>
  call void @__nvvm_atom_add_gen_f4(ptr %p, ptr %va, ptr %r)
  %m = load <4 x float>, ptr %r
  store <4 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.cta.add.v2.f32 {w32,w32}, [reg], {w32,w32}
define <2 x float> @fn7433(ptr %p, <2 x float> %v, <2 x float> %e) noinline {
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_cta_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  ret <2 x float> %m
}

; want atom.global.cta.add.v2.f32 {w32,w32}, [reg], {w32,w32}
define ptx_kernel void @fn7429(ptr addrspace(1) %g, <2 x float> %v, <2 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_cta_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  store <2 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.global.cta.cas.b128 w128, [reg], w128, w128
define ptx_kernel void @fn7498(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i128, align 16
  store i128 %e, ptr %ea, align 16
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__nvvm_atom_cta_cas_gen_128(ptr %p, ptr %ea, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.cta.exch.b128 w128, [reg], w128
define ptx_kernel void @fn7496(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__nvvm_atom_cta_xchg_gen_128(ptr %p, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.sys.add.v2.f32 {w32,w32}, [reg], {w32,w32}
define <2 x float> @fn7522(ptr %p, <2 x float> %v, <2 x float> %e) noinline {
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_sys_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  ret <2 x float> %m
}

; want atom.global.sys.add.v2.f32 {w32,w32}, [reg], {w32,w32}
define ptx_kernel void @fn7518(ptr addrspace(1) %g, <2 x float> %v, <2 x float> %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca <2 x float>
  store <2 x float> %v, ptr %va
  %r = alloca <2 x float>
  call void @__nvvm_atom_sys_add_gen_f2(ptr %p, ptr %va, ptr %r)
  %m = load <2 x float>, ptr %r
  store <2 x float> %m, ptr addrspace(1) %o
  ret void
}

; want atom.global.exch.b128 w128, [reg], w128
define ptx_kernel void @fn7409(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__nvvm_atom_xchg_gen_128(ptr %p, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.cas.b128 w128, [reg], w128, w128
define ptx_kernel void @fn8519(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i128, align 16
  store i128 %e, ptr %ea, align 16
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__u128AtomicCAS(ptr %p, ptr %ea, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.cta.exch.b128 w128, [reg], w128
define ptx_kernel void @fn8521(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__u128AtomicExch_block(ptr %p, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.sys.exch.b128 w128, [reg], w128
define ptx_kernel void @fn8527(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %va = alloca i128, align 16
  store i128 %v, ptr %va, align 16
  %r = alloca i128, align 16
  call void @__u128AtomicExch_system(ptr %p, ptr %va, ptr %r)
  %m = load i128, ptr %r, align 16
  store i128 %m, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.cta.cas.b128 w128, [reg], w128, w128
define ptx_kernel void @fn8437(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @atomicCAS_block.u128(ptr %p, i128 %e, i128 %v)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want atom.global.exch.b128 w128, [reg], w128
define ptx_kernel void @fn8029(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @atomicExch.u128(ptr %p, i128 %v)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.cta ; atom.exch.acquire.cta.b128 w128, [reg], w128
define ptx_kernel void @fn7184(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_exchange_16(ptr %p, i128 %v, i32 5, i32 0)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.cluster ; atom.exch.acquire.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn7146(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_exchange_4(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.add.acquire.cluster.s32 w32, [reg], w32
define ptx_kernel void @fn6739(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_add_4_s(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.cluster.s32 w32, [reg], w32
define ptx_kernel void @fn6841(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_s(ptr %p, i32 %v, i32 0, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.max.acquire.cluster.u32 w32, [reg], w32
define ptx_kernel void @fn6835(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_u(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn6873(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max_8_u(ptr %p, i64 %v, i32 0, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.max.acquire.cluster.u64 w64, [reg], w64
define ptx_kernel void @fn6883(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max_8_u(ptr %p, i64 %v, i32 5, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.cluster.s64 w64, [reg], w64
define ptx_kernel void @fn6937(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_min_8_s(ptr %p, i64 %v, i32 0, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.or.relaxed.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn7001(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_or_4(ptr %p, i32 %v, i32 0, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.or.acquire.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn7011(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_or_4(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cluster ; atom.xor.acquire.cluster.b32 w32, [reg], w32
define ptx_kernel void @fn7027(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor_4(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cluster.b128 w128, [reg]
define ptx_kernel void @fn7081(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_16(ptr %p, i32 0, i32 2)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.cluster ; ld.acquire.cluster.b16 w16, [reg]
define ptx_kernel void @fn7059(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i16 @__nv_atomic_load_2(ptr %p, i32 5, i32 2)
  store i16 %x1, ptr addrspace(1) %o
  ret void
}

; want st.relaxed.cluster.b8 [reg], w32
define ptx_kernel void @fn7097(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_1(ptr %p, i8 %v, i32 0, i32 2)
  ret void
}

; want st.relaxed.cluster.b16 [reg], w16
define ptx_kernel void @fn7110(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_2(ptr %p, i16 %v, i32 0, i32 2)
  ret void
}

; want fence.sc.cluster ; st.relaxed.cluster.b16 [reg], w16
define ptx_kernel void @fn7117(ptr addrspace(1) %g, i16 %v, i16 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_2(ptr %p, i16 %v, i32 5, i32 2)
  ret void
}

; want st.relaxed.cluster.b64 [reg], w64
define ptx_kernel void @fn7123(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_8(ptr %p, i64 %v, i32 0, i32 2)
  ret void
}
