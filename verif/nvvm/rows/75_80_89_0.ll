; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
declare i64 @__nv_atomic_exchange_8(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_and_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_max_4_u(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_max_8_u(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_sub_4_s(ptr, i32, i32, i32)
declare i64 @__nv_atomic_fetch_sub_8_u(ptr, i64, i32, i32)
declare i32 @__nv_atomic_fetch_xor_4(ptr, i32, i32, i32)
declare i8 @__nv_atomic_load_1(ptr, i32, i32)
declare i128 @__nv_atomic_load_16(ptr, i32, i32)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)
declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
declare void @__nv_atomic_store_8(ptr, i64, i32, i32)

; want fence.sc.gpu ; atom.cas.acquire.gpu.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7230(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_4(ptr %p, ptr %ea, i32 %v, i1 false, i32 5, i32 5, i32 2)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %q
  %m = load i32, ptr %ea
  store i32 %m, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.exch.acquire.gpu.b64 w64, [reg], w64
define ptx_kernel void @fn7161(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_exchange_8(ptr %p, i64 %v, i32 5, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.and.relaxed.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn6968(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_and_4(ptr %p, i32 %v, i32 0, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.gpu.u32 w32, [reg], w32
define ptx_kernel void @fn6824(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_max_4_u(ptr %p, i32 %v, i32 0, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.max.acquire.gpu.u64 w64, [reg], w64
define ptx_kernel void @fn6882(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_max_8_u(ptr %p, i64 %v, i32 5, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.s32 w32, [reg], w32-
define ptx_kernel void @fn6786(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_sub_4_s(ptr %p, i32 %v, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.gpu.u64 w64, [reg], w64-
define ptx_kernel void @fn6792(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_u(ptr %p, i64 %v, i32 0, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.u64 w64, [reg], w64-
define ptx_kernel void @fn6802(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_u(ptr %p, i64 %v, i32 5, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.xor.relaxed.gpu.b32 w32, [reg], w32
define ptx_kernel void @fn7016(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_fetch_xor_4(ptr %p, i32 %v, i32 0, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b8 w32, [reg]
define ptx_kernel void @fn7042(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i8 @__nv_atomic_load_1(ptr %p, i32 5, i32 2)
  store i8 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b128 w128, [reg]
define ptx_kernel void @fn7090(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i128 @__nv_atomic_load_16(ptr %p, i32 5, i32 2)
  store i128 %x1, ptr addrspace(1) %o, align 16
  ret void
}

; want fence.sc.gpu ; ld.acquire.gpu.b32 w32, [reg]
define ptx_kernel void @fn7074(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_4(ptr %p, i32 5, i32 2)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; st.relaxed.gpu.b8 [reg], w32
define ptx_kernel void @fn7103(ptr addrspace(1) %g, i8 %v, i8 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_1(ptr %p, i8 %v, i32 5, i32 2)
  ret void
}

; want st.relaxed.gpu.b64 [reg], w64
define ptx_kernel void @fn7122(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_8(ptr %p, i64 %v, i32 0, i32 2)
  ret void
}
