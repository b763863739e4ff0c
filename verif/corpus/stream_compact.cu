// stream_compact: Stream compaction: ballot ranks inside warps, a block prefix, one atomicAdd per block reserves the output range.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (8,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1024  initially random:26:0:9999       expected (not checked)
// arg      out        buffer u32  x 1024  initially const:4294967295       expected rule:multiset_prefix
// arg      count      buffer u32  x 1     initially zero                   expected file:stream_compact.count.bin
// arg      start      buffer u32  x 8     initially zero                   expected rule:block_ranges
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in stream_compact.expected.c):
//  uint32_t n = 0, want[1024], *o, *st;
//  for (int i = 0; i < 1024; i++) { uint32_t v = rnd(26, 0, 9999, i); if ((v & 3) == 1) want[n++] = v; }
//  EXPECT("count", &n, 4);
//  o = ACTUAL("out", 4096); st = ACTUAL("start", 32);
//  if (o && st) {
//    FAILIF(!same_multiset(o, want, n), "kept values differ");
//    for (int i = n; i < 1024; i++) FAILIF(o[i] != 0xffffffffu, "wrote past the kept values");
//    for (int b = 0; b < 8; b++) { uint32_t p = st[b];
//      for (int t = 0; t < 128; t++) { uint32_t v = rnd(26, 0, 9999, b * 128 + t); if ((v & 3) == 1) { FAILIF(p >= n || o[p] != v, "a block's range is out of order"); p++; } } }
//  }

extern "C" __global__ void stream_compact(const unsigned *in, unsigned *out, unsigned *count, unsigned *start) {
  __shared__ unsigned warp_n[4], base;
  unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
  bool keep = (v & 3u) == 1u;
  unsigned ballot = __ballot_sync(0xffffffffu, keep);
  unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
  unsigned rank = __popc(ballot & ((1u << lane) - 1u));
  if (lane == 0) warp_n[warp] = __popc(ballot);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int w = 0; w < 4; w++) { unsigned n = warp_n[w]; warp_n[w] = sum; sum += n; }
    base = atomicAdd(count, sum);
    start[blockIdx.x] = base;
  }
  __syncthreads();
  if (keep) out[base + warp_n[warp] + rank] = v;
}
