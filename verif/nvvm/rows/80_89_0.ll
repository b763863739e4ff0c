; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_80 sm_89
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare <2 x bfloat> @atomicAdd.__nv_bfloat162(ptr, <2 x bfloat>)
@sm = external addrspace(3) global [0 x i8], align 16

; want atom.shared.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn7876(i32 %n, <2 x bfloat> %v, <2 x bfloat> %e, ptr addrspace(1) %o, ptr addrspace(1) %q) {
  %nx = sext i32 %n to i64
  %sp = getelementptr <2 x bfloat>, ptr addrspace(3) @sm, i64 %nx
  %p = addrspacecast ptr addrspace(3) %sp to ptr
  %x1 = call <2 x bfloat> @atomicAdd.__nv_bfloat162(ptr %p, <2 x bfloat> %v)
  store <2 x bfloat> %x1, ptr addrspace(1) %o
  ret void
}
