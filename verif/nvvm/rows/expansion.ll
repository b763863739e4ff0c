; SPDX-License-Identifier: Apache-2.0
; Written by hand: LLVM's own atomics. A native operation carries its order; a loop is relaxed, its fences stand around it.
; arch sm_75 sm_89
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"


; want atom.acq_rel.sys.global.add.u32 w32, [reg], w32
define ptx_kernel void @fn20(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw add ptr addrspace(1) %g, i32 %v acq_rel
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want atom.relaxed.gpu.global.add.u64 w64, [reg], w64-
define ptx_kernel void @fn21(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw sub ptr addrspace(1) %g, i64 %w syncscope("device") monotonic
  store i64 %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.acquire.sys.global.exch.b32 w32, [reg], w32
define ptx_kernel void @fn22(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw xchg ptr addrspace(1) %g, i32 %v seq_cst
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; ld.relaxed.sys.global.b32 w32, [reg] ; atom.relaxed.sys.global.cas.b32 w32, [reg], w32, w32 ; fence.acq_rel.sys
define ptx_kernel void @fn23(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw nand ptr addrspace(1) %g, i32 %v seq_cst
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; want ld.relaxed.cta.global.b32 w32, [reg] ; atom.relaxed.cta.global.cas.b32 w32, [reg], w32, w32 ; fence.acq_rel.cta
define ptx_kernel void @fn24(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw fmax ptr addrspace(1) %g, float %f syncscope("block") acquire
  store float %x, ptr addrspace(1) %o
  ret void
}

; want fence.acq_rel.sys ; ld.relaxed.sys.global.b32 w32, [reg] ; atom.relaxed.sys.global.cas.b32 w32, [reg], w32, w32
define ptx_kernel void @fn25(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %t = trunc i32 %v to i8
  %x = atomicrmw add ptr addrspace(1) %g, i8 %t release
  store i8 %x, ptr addrspace(1) %o
  ret void
}

; want atom.relaxed.sys.global.add.f32 w32, [reg], w32
define ptx_kernel void @fn26(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw fadd ptr addrspace(1) %g, float %f monotonic
  store float %x, ptr addrspace(1) %o
  ret void
}

; want atom.acq_rel.sys.global.cas.b64 w64, [reg], w64=1, w64
define ptx_kernel void @fn27(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %c = cmpxchg ptr addrspace(1) %g, i64 1, i64 %w acq_rel monotonic
  %x = extractvalue {i64, i1} %c, 0
  store i64 %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; ld.acquire.sys.global.b16 w16, [reg]
define ptx_kernel void @fn28(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = load atomic i16, ptr addrspace(1) %g seq_cst, align 2
  store i16 %x, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; st.relaxed.sys.global.b32 [reg], w32 ; st.release.gpu.global.b64 [reg], w64
define ptx_kernel void @fn29(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  store atomic i32 %v, ptr addrspace(1) %g seq_cst, align 4
  store atomic i64 %w, ptr addrspace(1) %g syncscope("agent") release, align 8
  ret void
}

; want fence.acq_rel.sys ; fence.acq_rel.cta ; fence.sc.gpu
define ptx_kernel void @fn30(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  fence acquire
  fence syncscope("block") acq_rel
  fence syncscope("singlethread") seq_cst
  fence syncscope("device") seq_cst
  ret void
}

; want atom.relaxed.sys.global.inc.u32 w32, [reg], w32 ; atom.acquire.sys.global.max.s32 w32, [reg], w32 ; atom.release.sys.global.min.u64 w64, [reg], w64
define ptx_kernel void @fn31(ptr addrspace(1) %g, i32 %v, i64 %w, float %f, ptr addrspace(1) %o) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x = atomicrmw uinc_wrap ptr addrspace(1) %g, i32 %v monotonic
  %y = atomicrmw max ptr addrspace(1) %g, i32 %v acquire
  %z = atomicrmw umin ptr addrspace(1) %g, i64 %w release
  ret void
}
