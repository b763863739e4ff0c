; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89 sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nv_atomic_load_n.int(ptr, i32, i32, i32)

; want ld.relaxed.gpu.b32 w32, [reg]
define ptx_kernel void @fn6722(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_n.int(ptr %p, i32 0, i32 3, i32 0)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}
