// mbar_cuda_barrier: Split arrive/wait on a cuda::barrier: independent work sits between the arrival and the wait.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 256   initially random:13:0:1000       expected (not checked)
// arg      out        buffer u32  x 256   initially zero                   expected file:mbar_cuda_barrier.out.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in mbar_cuda_barrier.expected.c):
//  uint32_t out[256];
//  for (int b = 0; b < 2; b++) for (int t = 0; t < 128; t++) {
//    uint32_t a = 0;
//    for (int r = 0; r < 4; r++) a += rnd(13, 0, 1000, b * 128 + t) * (r + 1) + rnd(13, 0, 1000, b * 128 + ((t + 17 * (r + 1)) & 127)) + r;
//    out[b * 128 + t] = a;
//  }
//  EXPECT("out", out, sizeof out);

#include <cuda/barrier>
extern "C" __global__ void mbar_cuda_barrier(const unsigned *in, unsigned *out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ unsigned cell[128];
  unsigned t = threadIdx.x, base = blockIdx.x * 128;
  if (t == 0) init(&bar, 128);
  __syncthreads();
  unsigned acc = 0;
  for (int r = 0; r < 4; r++) {
    cell[t] = in[base + t] + r;
    auto token = bar.arrive();
    unsigned mine = in[base + t] * (r + 1u);           // work that needs nobody else
    bar.wait(cuda::std::move(token));
    acc += mine + cell[(t + 17 * (r + 1)) & 127];
    bar.arrive_and_wait();                             // nobody may overwrite before all have read
  }
  out[base + t] = acc;
}
