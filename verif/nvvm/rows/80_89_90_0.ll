; SPDX-License-Identifier: Apache-2.0
; Recorded: what cicc of CUDA 13.0 emits for these calls (atomic, fence, barrier and warp lines, registers as classes).
; arch sm_80 sm_89 sm_90
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @__reduce_add_sync.u32(i32, i32)
declare i32 @__reduce_and_sync.u32(i32, i32)
declare i32 @__reduce_min_sync.int(i32, i32)
declare i32 @__reduce_or_sync.u32(i32, i32)
declare i32 @__reduce_xor_sync.u32(i32, i32)

; want redux.sync.add.u32 w32, w32, #-1
define ptx_kernel void @fn8634(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_add_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.and.b32 w32, w32, #-1
define ptx_kernel void @fn8646(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_and_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.min.s32 w32, w32, #-1
define ptx_kernel void @fn8637(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_min_sync.int(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.or.b32 w32, w32, #-1
define ptx_kernel void @fn8649(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_or_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}

; want redux.sync.xor.b32 w32, w32, #-1
define ptx_kernel void @fn8652(i32 %v, i32 %w, ptr addrspace(1) %o) {
  %x1 = call i32 @__reduce_xor_sync.u32(i32 -1, i32 %v)
  store i32 %x1, ptr addrspace(1) %o
  ret void
}
