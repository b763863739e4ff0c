; SPDX-License-Identifier: Apache-2.0
; Barriers in LLVM IR, compiled with -O0. The comment above each function: how many are dead, how many stay.
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [64 x i32] undef, align 4
@c = internal addrspace(1) constant [2 x i32] [i32 3, i32 4], align 4
@pointer = global ptr null

declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.n(i32)
declare void @llvm.nvvm.barrier(i32, i32)
declare void @llvm.nvvm.bar.sync(i32)
declare void @llvm.nvvm.barrier.sync(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.ctpop.i32(i32)
declare i32 @quiet(i32) memory(none) nounwind

; dead 7 stays 1
define ptx_kernel void @spellings(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.barrier.n(i32 0)
  call void @llvm.nvvm.bar.sync(i32 0)
  call void @llvm.nvvm.barrier.sync(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  call void asm sideeffect "bar.sync $0;", "n,~{memory}"(i32 0)
  call void @llvm.nvvm.barrier0()
  store i32 1, ptr addrspace(1) %p
  ret void
}

; dead 0 stays 1
define ptx_kernel void @other_number(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier.n(i32 1)
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.barrier.cta.sync.count(i32 2, i32 64)
  ret void
}

; dead 0 stays 1
define ptx_kernel void @count(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier(i32 0, i32 64)
  call void @llvm.nvvm.barrier0()
  ret void
}

; dead 0 stays 1
define ptx_kernel void @arrive(ptr addrspace(1) %p) {
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 0, i32 64)
  ret void
}

; dead 0 stays 2
define ptx_kernel void @result(ptr addrspace(1) %p, i32 %n) {
  store i32 1, ptr addrspace(1) %p
  %r = call i32 @llvm.nvvm.barrier0.popc(i32 %n)
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; dead 0 stays 3
define ptx_kernel void @atomics(ptr addrspace(1) %p, i32 %n) {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  call void @llvm.nvvm.barrier0()
  %b = load atomic i32, ptr addrspace(1) %p acquire, align 4
  call void @llvm.nvvm.barrier0()
  fence syncscope("agent") seq_cst
  ret void
}

; dead 1 stays 2
define ptx_kernel void @volatile_accesses(ptr addrspace(1) %p) {
  %own = alloca i32, align 4
  %a = load volatile i32, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  store volatile i32 %a, ptr %own
  call void @llvm.nvvm.barrier0()
  %b = load volatile i32, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  ret void
}

; dead 0 stays 2
define ptx_kernel void @cluster(ptr addrspace(1) %p) {
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  call void @llvm.nvvm.barrier0()
  ret void
}

; dead 0 stays 2
define ptx_kernel void @mbarrier(ptr addrspace(1) %p) {
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @s, i32 64)
  call void @llvm.nvvm.barrier0()
  call void asm sideeffect "mbarrier.arrive.shared.b64 _, [$0];", "r,~{memory}"(ptr addrspace(3) @s)
  ret void
}

; dead 0 stays 2
define ptx_kernel void @asynchronous(ptr addrspace(1) %p) {
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l,~{memory}"(ptr addrspace(3) @s, ptr addrspace(1) %p)
  call void @llvm.nvvm.barrier0()
  call void asm sideeffect "cp.async.wait_all;", "~{memory}"()
  call void @llvm.nvvm.barrier0()
  ret void
}

; dead 3 stays 1
define ptx_kernel void @unseen(ptr addrspace(1) %p, ptr byval(i32) %q, i1 %w) {
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  store i32 1, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier0()
  %x = select i1 %w, ptr %a, ptr %b
  store i32 1, ptr %x
  %y = load i32, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 4, i1 false)
  call void @llvm.nvvm.barrier0()
  %z = load i32, ptr addrspace(1) @c
  %v = load i32, ptr addrspace(1) %p, !invariant.load !0
  %k = call i32 @quiet(i32 %z)
  %d = call i32 @llvm.ctpop.i32(i32 %k)
  call void @llvm.nvvm.barrier0()
  %sum = add i32 %d, %v
  call void @llvm.nvvm.barrier0()
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; dead 0 stays 1
define ptx_kernel void @maybe_seen(ptr %p, i1 %w) {
  %a = alloca i32, align 4
  %x = select i1 %w, ptr %a, ptr %p
  store i32 1, ptr %x
  call void @llvm.nvvm.barrier0()
  %y = load i32, ptr %p
  ret void
}

; dead 0 stays 1
define ptx_kernel void @copies(ptr %p, ptr %q) {
  %a = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 4, i1 false)
  call void @llvm.nvvm.barrier0()
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %a, i64 4, i1 false)
  ret void
}

; dead 0 stays 1
define ptx_kernel void @through_a_pointer(ptr %f) {
  call void @llvm.nvvm.barrier0()
  call void %f()
  ret void
}

define weak void @replaced() noinline {
  ret void
}

; dead 0 stays 1
define ptx_kernel void @may_be_replaced() {
  call void @llvm.nvvm.barrier0()
  call void @replaced()
  ret void
}

; dead 0 stays 1
define internal void @by_address() noinline {
  call void @llvm.nvvm.barrier0()
  ret void
}

define void @takes_address() {
  store ptr @by_address, ptr @pointer
  ret void
}

; dead 2 stays 0
define ptx_kernel void @ways_for_all(ptr addrspace(1) %p, i32 %n) {
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %m = add i32 %size, %n
  switch i32 %m, label %other [i32 0, label %none
                               i32 1, label %one]
none:
  call void @llvm.nvvm.barrier0()
  br label %end
one:
  store i32 1, ptr addrspace(1) %p
  br label %end
other:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

; dead 0 stays 3
define ptx_kernel void @ways_of_warps(ptr addrspace(1) %p, i32 %n) {
  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  switch i32 %w, label %other [i32 0, label %none
                               i32 1, label %one]
none:
  call void @llvm.nvvm.barrier0()
  br label %end
one:
  call void @llvm.nvvm.barrier0()
  br label %end
other:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

; The number of rounds differs between threads, and a value of the last round leads on.
; dead 0 stays 1
define ptx_kernel void @value_of_rounds(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [0, %0], [%next, %loop]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %behind
behind:
  %odd = icmp ugt i32 %next, 31
  br i1 %odd, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

; A thread may stay in the loop for ever.
; dead 0 stays 1
define ptx_kernel void @endless(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %loop, label %wait
loop:
  br label %loop
wait:
  call void @llvm.nvvm.barrier0()
  ret void
}

; dead 0 stays 1
define ptx_kernel void @no_value(ptr addrspace(1) %p) {
  br i1 undef, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

; dead 0 stays 1
define internal i32 @recursive(ptr addrspace(1) %p, i32 %n) noinline {
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %again
again:
  %m = sub i32 %n, 1
  %r = call i32 @recursive(ptr addrspace(1) %p, i32 %m)
  call void @llvm.nvvm.barrier0()
  store i32 %r, ptr addrspace(1) %p
  br label %end
end:
  ret i32 %n
}

; dead 1 stays 0
define ptx_kernel void @calls_recursive(ptr addrspace(1) %p, i32 %n) {
  call void @llvm.nvvm.barrier0()
  %r = call i32 @recursive(ptr addrspace(1) %p, i32 %n)
  ret void
}

; A result that differs between threads.
define internal i32 @rank(i32 %n) noinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = add i32 %t, %n
  ret i32 %r
}

define internal i32 @twice(i32 %n) noinline {
  %r = add i32 %n, %n
  ret i32 %r
}

; dead 0 stays 1
define ptx_kernel void @by_rank(i32 %n) {
  %r = call i32 @rank(i32 %n)
  %w = icmp ult i32 %r, 32
  br i1 %w, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

; dead 1 stays 0
define ptx_kernel void @by_result(i32 %n) {
  %r = call i32 @twice(i32 %n)
  %w = icmp ult i32 %r, 32
  br i1 %w, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

!0 = !{}
