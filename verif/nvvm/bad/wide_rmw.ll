; SPDX-License-Identifier: Apache-2.0
; arch sm_80
; error atomicrmw add of 128 bits is not supported on sm_80
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @f()

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  %x = atomicrmw add ptr %p, i128 1 seq_cst
  ret void
}
