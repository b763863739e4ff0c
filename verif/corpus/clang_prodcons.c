// SPDX-License-Identifier: Apache-2.0
// clang-format off
// clang_prodcons: Even blocks produce, odd blocks consume through a one-slot mailbox: membar on both sides of relaxed flag accesses (clang 19 has no acquire load for this target).
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// made by  clang 19 --target=nvptx64-nvidia-cuda -march=ARCH -O2 -S -ffreestanding
// outcome  pass
// arg      mail           buffer u32  x 128   initially zero                   expected file:clang_prodcons.mail.bin
// arg      full           buffer u32  x 2     initially zero                   expected file:clang_prodcons.full.bin
// arg      got            buffer u32  x 128   initially zero                   expected file:clang_prodcons.got.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in clang_prodcons.expected.c):
//  uint32_t mail[128], full[2] = {12, 12}, got[128] = {0};
//  for (uint32_t p = 0; p < 2; p++) for (uint32_t t = 0; t < 64; t++) for (uint32_t k = 0; k < 6; k++)
//    got[p * 64 + t] = got[p * 64 + t] * 3 + (mail[p * 64 + t] = t * 100 + k * 7 + p);
//  EXPECT("mail", mail, sizeof mail); EXPECT("full", full, sizeof full); EXPECT("got", got, sizeof got);
#define KERNEL __attribute__((nvptx_kernel))
KERNEL void clang_prodcons(unsigned *mail, unsigned *full, unsigned *got) {
  unsigned t = __nvvm_read_ptx_sreg_tid_x(), pair = __nvvm_read_ptx_sreg_ctaid_x() >> 1;
  unsigned producer = (__nvvm_read_ptx_sreg_ctaid_x() & 1) == 0;
  unsigned *box = mail + pair * 64, sum = 0;
  for (unsigned turn = 0; turn < 6; turn++) {
    if (t == 0) {
      while (__atomic_load_n(&full[pair], __ATOMIC_RELAXED) != turn * 2 + !producer) ;
      __nvvm_membar_gl();
    }
    __nvvm_bar_sync(0);
    if (producer) box[t] = t * 100 + turn * 7 + pair;
    else sum = sum * 3 + box[t];
    __nvvm_bar_sync(0);
    if (t == 0) {
      __nvvm_membar_gl();
      if (producer) __atomic_store_n(&full[pair], turn * 2 + 1, __ATOMIC_RELAXED);
      else __atomic_exchange_n(&full[pair], turn * 2 + 2, __ATOMIC_RELAXED);
    }
  }
  if (!producer) got[pair * 64 + t] = sum;
}
