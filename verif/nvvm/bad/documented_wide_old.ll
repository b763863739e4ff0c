; SPDX-License-Identifier: Apache-2.0
; arch sm_60
; error #3766
; options --builtins=documented
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i128 @__nv_atomic_load_16(ptr, i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n) {
  %x = call i128 @__nv_atomic_load_16(ptr %p, i32 0, i32 3)
  ret void
}
