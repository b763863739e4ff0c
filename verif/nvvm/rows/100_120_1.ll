; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i1 @__nv_atomic_compare_exchange_n.int(ptr, ptr, i32, i1, i32, i32)

; want atom.cas.relaxed.sys.b32 w32, [reg], w32, w32
define ptx_kernel void @fn6701(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %ea = alloca i32
  store i32 %e, ptr %ea
  %x1 = call i1 @__nv_atomic_compare_exchange_n.int(ptr %p, ptr %ea, i32 %v, i1 false, i32 0, i32 0)
  %z = zext i1 %x1 to i32
  store i32 %z, ptr addrspace(1) %o
  ret void
}
