// block_reduce_barred: Predicate reductions through the barrier itself (bar.red popc/and/or), next to a tree sum.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      x          buffer s32  x 256   initially random:2:0:100         expected (not checked)
// arg      out        buffer u32  x 8     initially zero                   expected file:block_reduce_barred.out.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in block_reduce_barred.expected.c):
//  uint32_t out[8];
//  for (int b = 0; b < 2; b++) {
//    uint32_t c = 0, all = 1, any = 0, s = 0;
//    for (int t = 0; t < 128; t++) {
//      int v = rnd(2, 0, 100, b * 128 + t);
//      c += v > 50; all &= v <= 100; any |= v == 77; s += v;
//    }
//    out[b * 4] = c; out[b * 4 + 1] = all; out[b * 4 + 2] = any; out[b * 4 + 3] = s;
//  }
//  EXPECT("out", out, sizeof out);

extern "C" __global__ void block_reduce_barred(const int *x, unsigned *out) {
  __shared__ int tree[128];
  int v = x[blockIdx.x * 128 + threadIdx.x];
  int above = __syncthreads_count(v > 50);
  int all = __syncthreads_and(v <= 100);
  int any = __syncthreads_or(v == 77);
  tree[threadIdx.x] = v;
  __syncthreads();
  for (int half = 64; half > 0; half >>= 1) {
    if (threadIdx.x < half) tree[threadIdx.x] += tree[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    unsigned *o = out + blockIdx.x * 4;
    o[0] = above; o[1] = all != 0; o[2] = any != 0; o[3] = tree[0];
  }
}
