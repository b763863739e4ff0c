; SPDX-License-Identifier: Apache-2.0
; arch sm_80
; error identifier "__cluster_barrier_arrive" is undefined for sm_80
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__cluster_barrier_arrive()

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  call void @__cluster_barrier_arrive()
  ret void
}
