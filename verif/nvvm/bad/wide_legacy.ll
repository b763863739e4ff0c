; SPDX-License-Identifier: Apache-2.0
; arch sm_89
; error unsupported operation
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nvvm_atom_xchg_gen_128(ptr, ptr, ptr)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  call void @__nvvm_atom_xchg_gen_128(ptr %p, ptr %q, ptr %q)
  ret void
}
