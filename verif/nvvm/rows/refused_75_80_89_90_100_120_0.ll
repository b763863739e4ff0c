; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_75 sm_80 sm_89 sm_90 sm_100 sm_120
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i64 @__nv_atomic_fetch_add_8_s(ptr, i64, i32, i32)
declare float @__nv_atomic_fetch_max_4_f(ptr, float, i32, i32)
declare double @__nv_atomic_fetch_max_8_f(ptr, double, i32, i32)
declare double @__nv_atomic_fetch_min_8_f(ptr, double, i32, i32)
declare i64 @__nv_atomic_fetch_sub_8_s(ptr, i64, i32, i32)
declare i32 @__nv_atomic_load_4(ptr, i32, i32)

; want atom.add.relaxed.gpu.s64 w64, [reg], w64
define ptx_kernel void @fn6762(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_add_8_s(ptr %p, i64 %v, i32 0, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.add.acquire.sys.s64 w64, [reg], w64
define ptx_kernel void @fn6773(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_add_8_s(ptr %p, i64 %v, i32 5, i32 4)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.s64 w64, [reg], w64
define ptx_kernel void @fn6772(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_add_8_s(ptr %p, i64 %v, i32 5, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.release.gpu.f32 w32, [reg], w32
define ptx_kernel void @fn6862(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_max_4_f(ptr %p, float %v, i32 3, i32 3)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.relaxed.cta.f32 w32, [reg], w32
define ptx_kernel void @fn6854(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_max_4_f(ptr %p, float %v, i32 0, i32 0)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.max.acquire.sys.f32 w32, [reg], w32
define ptx_kernel void @fn6869(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_max_4_f(ptr %p, float %v, i32 5, i32 4)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.max.acquire.gpu.f32 w32, [reg], w32
define ptx_kernel void @fn6868(ptr addrspace(1) %g, float %v, float %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call float @__nv_atomic_fetch_max_4_f(ptr %p, float %v, i32 5, i32 3)
  store float %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.acquire.gpu.f64 w64, [reg], w64
define ptx_kernel void @fn6893(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_max_8_f(ptr %p, double %v, i32 2, i32 3)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.max.release.gpu.f64 w64, [reg], w64
define ptx_kernel void @fn6894(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_max_8_f(ptr %p, double %v, i32 3, i32 3)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.max.acquire.cta.f64 w64, [reg], w64
define ptx_kernel void @fn6896(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_max_8_f(ptr %p, double %v, i32 5, i32 0)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.sys ; atom.max.acquire.sys.f64 w64, [reg], w64
define ptx_kernel void @fn6901(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_max_8_f(ptr %p, double %v, i32 5, i32 4)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.relaxed.cta.f64 w64, [reg], w64
define ptx_kernel void @fn6951(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_min_8_f(ptr %p, double %v, i32 0, i32 1)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.min.acquire.gpu.f64 w64, [reg], w64
define ptx_kernel void @fn6957(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_min_8_f(ptr %p, double %v, i32 2, i32 3)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.min.acquire.cta.f64 w64, [reg], w64
define ptx_kernel void @fn6960(ptr addrspace(1) %g, double %v, double %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call double @__nv_atomic_fetch_min_8_f(ptr %p, double %v, i32 5, i32 0)
  store double %x1, ptr addrspace(1) %o
  ret void
}

; want atom.add.relaxed.cta.s64 w64, [reg], w64-
define ptx_kernel void @fn6806(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_s(ptr %p, i64 %v, i32 0, i32 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.cta ; atom.add.acquire.cta.s64 w64, [reg], w64-
define ptx_kernel void @fn6816(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_s(ptr %p, i64 %v, i32 5, i32 0)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want fence.sc.gpu ; atom.add.acquire.gpu.s64 w64, [reg], w64-
define ptx_kernel void @fn6820(ptr addrspace(1) %g, i64 %v, i64 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i64 @__nv_atomic_fetch_sub_8_s(ptr %p, i64 %v, i32 5, i32 3)
  store i64 %x1, ptr addrspace(1) %o
  ret void
}

; want ld.release.gpu.b32 w32, [reg]
define ptx_kernel void @fn7070(ptr addrspace(1) %g, i32 %v, i32 %e, ptr addrspace(1) %o, ptr addrspace(1) %q, i32 %n) {
  %p = addrspacecast ptr addrspace(1) %g to ptr
  %x1 = call i32 @__nv_atomic_load_4(ptr %p, i32 3, i32 3)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}
