; SPDX-License-Identifier: Apache-2.0
; Written by hand: the twin of the emission table with a cache hint; the policy is the last operand.
; arch sm_80 sm_90
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__nvvm_atom_sys_add_gen_i(ptr, i32)

; want atom.global.sys.add.L2::cache_hint.u32 w32, [reg], w32, w64=1368510464
define ptx_kernel void @fn40(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i32 @__nvvm_atom_sys_add_gen_i(ptr %p, i32 %v) #0
  store i32 %x, ptr addrspace(1) %o
  ret void
}

attributes #0 = { "wlcc-l2-policy"="1368510464" }
