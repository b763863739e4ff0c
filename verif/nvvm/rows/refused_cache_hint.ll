; SPDX-License-Identifier: Apache-2.0
; Written by hand: the twin of the emission table with a cache hint; the assembler refuses the hint on cas.
; arch sm_80 sm_90
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i64 @__nvvm_atom_cas_gen_ll(ptr, i64, i64)

; want atom.global.cas.L2::cache_hint.b64 w64, [reg], w64, w64, w64=1368510464
define ptx_kernel void @fn41(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = call i64 @__nvvm_atom_cas_gen_ll(ptr %p, i64 %w, i64 %w) #0
  store i64 %x, ptr addrspace(1) %o
  ret void
}

attributes #0 = { "wlcc-l2-policy"="1368510464" }
