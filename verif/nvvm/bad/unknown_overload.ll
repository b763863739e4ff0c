; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error no instance of overloaded function "atomicSub" matches the argument list
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i64 @atomicSub.u64(ptr, i64)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  %x = call i64 @atomicSub.u64(ptr %p, i64 1)
  ret void
}
