; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error "unexpected memory order."
; options --builtins=documented
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_atomic_thread_fence(i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n) {
  call void @__nv_atomic_thread_fence(i32 2, i32 3)
  ret void
}
