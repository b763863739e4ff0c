// stack_treiber: Lock-free Treiber stack with a version tag in the high word of a 64-bit head: push own node, then pop one.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      head       buffer u64  x 1     initially zero                   expected rule:low_word_zero
// arg      next       buffer u32  x 256   initially zero                   expected (not checked)
// arg      popped     buffer u32  x 256   initially const:4294967295       expected rule:permutation
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in stack_treiber.expected.c):
//  uint64_t *h; uint32_t *p; char seen[256] = {0};
//  if ((h = ACTUAL("head", 8))) { FAILIF((uint32_t)*h != 0, "stack is not empty at the end"); FAILIF(*h >> 32 != 512, "tag is not pushes + pops"); }
//  if ((p = ACTUAL("popped", 1024))) for (int i = 0; i < 256; i++) {
//    FAILIF(p[i] > 255 || seen[p[i] & 255], "node popped twice or never pushed"); seen[p[i] & 255] = 1; }

extern "C" __global__ void stack_treiber(unsigned long long *head, unsigned *next, unsigned *popped) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long old = atomicAdd(head, 0ull), want;
  do {
    want = old;
    __stcg(&next[me], (unsigned)want);
    __threadfence();
    unsigned long long neu = ((want >> 32) + 1ull) << 32 | (me + 1u);
    old = atomicCAS(head, want, neu);
  } while (old != want);
  old = atomicAdd(head, 0ull);
  for (;;) {
    want = old;
    unsigned top = (unsigned)want;
    if (top == 0) { old = atomicAdd(head, 0ull); continue; }
    unsigned after = __ldcg(&next[top - 1u]);
    unsigned long long neu = ((want >> 32) + 1ull) << 32 | after;
    old = atomicCAS(head, want, neu);
    if (old == want) { popped[me] = top - 1u; break; }
  }
}
