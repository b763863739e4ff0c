// scan_shfl: Inclusive block scan: shuffles inside each warp, one shared word per warp, a second warp-level pass.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (256,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 512   initially random:16:0:100        expected (not checked)
// arg      out        buffer u32  x 512   initially zero                   expected file:scan_shfl.out.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in scan_shfl.expected.c):
//  uint32_t out[512];
//  for (int b = 0; b < 2; b++) { uint32_t s = 0; for (int t = 0; t < 256; t++) out[b * 256 + t] = s += rnd(16, 0, 100, b * 256 + t); }
//  EXPECT("out", out, sizeof out);

extern "C" __global__ void scan_shfl(const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[8];
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned v = in[gid];
  for (int d = 1; d < 32; d <<= 1) {
    unsigned u = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0 && lane < 8) {
    unsigned s = sums[lane];
    for (int d = 1; d < 8; d <<= 1) {
      unsigned u = __shfl_up_sync(0xffu, s, d, 8);
      if (lane >= d) s += u;
    }
    sums[lane] = s;
  }
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  out[gid] = v;
}
