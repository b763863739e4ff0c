// SPDX-License-Identifier: Apache-2.0
// clang-format off
// clang_ticket: Ticket lock in C11 atomics that every thread takes twice (needs independent thread progress); relaxed spin, then a fence.
// launch   grid (2,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// made by  clang 19 --target=nvptx64-nvidia-cuda -march=ARCH -O2 -S -ffreestanding
// outcome  pass
// arg      lock           buffer u32  x 2     initially zero                   expected file:clang_ticket.lock.bin
// arg      cell           buffer u32  x 2     initially zero                   expected file:clang_ticket.cell.bin
// arg      order          buffer u32  x 256   initially const:4294967295       expected rule:permutation
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in clang_ticket.expected.c):
//  uint32_t lock[2] = {256, 256}, cell[2] = {127 * 128, 256}, *o; static uint8_t seen[256];
//  EXPECT("lock", lock, sizeof lock); EXPECT("cell", cell, sizeof cell);
//  if ((o = ACTUAL("order", 1024))) for (int i = 0; i < 256; i++) {
//    FAILIF(o[i] > 255, "bad entry in the order"); FAILIF(seen[o[i] & 255]++, "one turn recorded twice");
//  }
#define KERNEL __attribute__((nvptx_kernel))
typedef _Atomic unsigned atomic_u32;
struct ticket_lock { atomic_u32 next, serving; };

static unsigned take(struct ticket_lock *l) {
  unsigned mine = __c11_atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);
  while (__c11_atomic_load(&l->serving, __ATOMIC_RELAXED) != mine)
    __nvvm_membar_cta();
  __nvvm_membar_gl();
  return mine;
}

static void leave(struct ticket_lock *l, unsigned mine) {
  __nvvm_membar_gl();
  __c11_atomic_store(&l->serving, mine + 1, __ATOMIC_RELAXED);
}

KERNEL void clang_ticket(struct ticket_lock *lock, volatile unsigned *cell, unsigned *order) {
  unsigned me = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  for (unsigned round = 0; round < 2; round++) {
    unsigned mine = take(lock);
    cell[0] = cell[0] + me;
    cell[1] = cell[1] + 1;
    order[mine] = me * 2 + round;
    leave(lock, mine);
  }
}
