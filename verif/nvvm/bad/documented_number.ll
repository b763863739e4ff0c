; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error #3748: __nv_atomic_fetch_add: atomic operations and, or, xor, add, sub, min and max are valid only on objects of size 4, or 8.
; options --builtins=documented
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i16 @__nv_atomic_fetch_add.short(ptr, i16, i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n) {
  %x = call i16 @__nv_atomic_fetch_add.short(ptr %p, i16 1, i32 0, i32 3)
  ret void
}
