; SPDX-License-Identifier: Apache-2.0
; arch sm_89
; error 128-bit atomic exchange or compare-and-exchange is supported on architecture sm_90 or above.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i128 @__nv_atomic_exchange_n.u128(ptr, i128, i32, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  %x = call i128 @__nv_atomic_exchange_n.u128(ptr %p, i128 1, i32 0, i32 3)
  ret void
}
