; SPDX-License-Identifier: Apache-2.0
; arch sm_80
; error vector atomics not supported on this architecture!
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nvvm_atom_add_gen_f2(ptr, ptr, ptr)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  call void @__nvvm_atom_add_gen_f2(ptr %p, ptr %q, ptr %q)
  ret void
}
