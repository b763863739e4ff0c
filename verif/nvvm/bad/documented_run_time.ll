; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error #852: __nv_atomic_fetch_add_4_u: atomic operation's memory order argument is not an integer literal.
; options --builtins=documented
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n) {
  %x = call i32 @__nv_atomic_fetch_add_4_u(ptr %p, i32 %v, i32 %n, i32 3)
  ret void
}
