; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error generic nv atomic functions are valid only on objects of size 1, 2, 4, 8 and 16 bytes.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_atomic_load.s3(ptr, ptr, i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  call void @__nv_atomic_load.s3(ptr %p, ptr %q, i32 0, i32 3)
  ret void
}
