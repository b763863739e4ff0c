; SPDX-License-Identifier: Apache-2.0
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %g, i32 %v, ptr %p, float %f) {
entry:
  %x1 = atomicrmw nand ptr addrspace(1) %g, i32 %v seq_cst
  %x2 = atomicrmw add ptr %p, i8 3 acq_rel
  %x3 = atomicrmw fmax ptr %p, float %f syncscope("device") monotonic
  %x4 = cmpxchg ptr %p, i8 %x2, i8 5 seq_cst acquire
  %x5 = cmpxchg ptr %p, i64 1, i64 5 acq_rel monotonic
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %y = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %y, ptr addrspace(1) %g release, align 4
  fence syncscope("block") seq_cst
  %c = icmp ult i32 %j, %v
  br i1 %c, label %loop, label %end
end:
  %x6 = atomicrmw uinc_wrap ptr %p, i64 100 monotonic
  %x7 = extractvalue { i64, i1 } %x5, 0
  store i64 %x7, ptr addrspace(1) %g
  ret void
}
