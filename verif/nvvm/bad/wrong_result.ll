; SPDX-License-Identifier: Apache-2.0
; arch sm_75
; error the builtin has another return type
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i64 @__nvvm_atom_add_gen_i(ptr, i32)

define ptx_kernel void @k(ptr %p, i32 %v, i32 %n, ptr %q) {
  %x = call i64 @__nvvm_atom_add_gen_i(ptr %p, i32 1)
  ret void
}
