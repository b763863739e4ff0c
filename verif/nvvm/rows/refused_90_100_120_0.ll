; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i64 @__nv_atomic_fetch_sub_8_s(ptr, i64, i32, i32)
declare void @__nv_atomic_store_n.u128(ptr, i128, i32, i32)

; want fence.sc.cluster ; st.acquire.cluster.b128 [reg], w128
define ptx_kernel void @fn4285(ptr addrspace(1) %g, i128 %v, i128 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  call void @__nv_atomic_store_n.u128(ptr %p, i128 %v, i32 5, i32 2)
  ret void
}

; want atom.add.relaxed.cluster.s64 w64, [reg], w64-
define ptx_kernel void @fn6809(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_s(ptr %p, i64 %v, i32 0, i32 2)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}
