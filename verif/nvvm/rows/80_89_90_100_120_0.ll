; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_80 sm_89 sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_memcpy_async_shared_global_16_impl(ptr, ptr, i32)
declare void @__nv_memcpy_async_shared_global_4(ptr, ptr, i32)
declare void @__nv_memcpy_async_shared_global_4_impl(ptr, ptr, i32)
declare void @__nv_memcpy_async_shared_global_8_impl(ptr, ptr, i32)
@sm16 = external addrspace(3) global [0 x <4 x i32>], align 16

; want cp.async.ca.shared.global [reg], [reg], #16, w32
define ptx_kernel void @fn8712(ptr addrspace(1) %gp, i32 %n, i32 %v) {
  %nx = sext i32 %v to i64
  %sp = getelementptr <4 x i32>, ptr addrspace(3) @sm16, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %g = addrspacecast ptr addrspace(1) %gp to ptr
  call void @__nv_memcpy_async_shared_global_16_impl(ptr %s, ptr %g, i32 %n)
  ret void
}

; want cp.async.ca.shared.global [reg], [reg], #4
define ptx_kernel void @fn8706(ptr addrspace(1) %gp, i32 %n, i32 %v) {
  %nx = sext i32 %v to i64
  %sp = getelementptr <4 x i32>, ptr addrspace(3) @sm16, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %g = addrspacecast ptr addrspace(1) %gp to ptr
  call void @__nv_memcpy_async_shared_global_4(ptr %s, ptr %g, i32 4)
  ret void
}

; want cp.async.ca.shared.global [reg], [reg], #4
define ptx_kernel void @fn8708(ptr addrspace(1) %gp, i32 %n, i32 %v) {
  %nx = sext i32 %v to i64
  %sp = getelementptr <4 x i32>, ptr addrspace(3) @sm16, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %g = addrspacecast ptr addrspace(1) %gp to ptr
  call void @__nv_memcpy_async_shared_global_4_impl(ptr %s, ptr %g, i32 4)
  ret void
}

; want cp.async.ca.shared.global [reg], [reg], #8
define ptx_kernel void @fn8710(ptr addrspace(1) %gp, i32 %n, i32 %v) {
  %nx = sext i32 %v to i64
  %sp = getelementptr <4 x i32>, ptr addrspace(3) @sm16, i64 %nx
  %s = addrspacecast ptr addrspace(3) %sp to ptr
  %g = addrspacecast ptr addrspace(1) %gp to ptr
  call void @__nv_memcpy_async_shared_global_8_impl(ptr %s, ptr %g, i32 8)
  ret void
}
