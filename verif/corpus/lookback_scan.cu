// lookback_scan: Single-pass scan with decoupled look-back: dynamic tile ids, 64-bit status words (flag:value), acquire/release.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (8,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1024  initially random:24:0:50         expected (not checked)
// arg      out        buffer u32  x 1024  initially zero                   expected file:lookback_scan.out.bin
// arg      status     buffer u64  x 8     initially zero                   expected file:lookback_scan.status.bin
// arg      ticket     buffer u32  x 1     initially zero                   expected file:lookback_scan.ticket.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lookback_scan.expected.c):
//  uint32_t out[1024], s = 0, t = 8; uint64_t st[8];
//  for (int i = 0; i < 1024; i++) { out[i] = s += rnd(24, 0, 50, i); if (i % 128 == 127) st[i / 128] = 2ull << 32 | s; }
//  EXPECT("out", out, sizeof out); EXPECT("status", st, sizeof st); EXPECT("ticket", &t, 4);

extern "C" __global__ void lookback_scan(const unsigned *in, unsigned *out, unsigned long long *status, unsigned *ticket) {
  __shared__ unsigned tile_s, before_s, warp_sum[4];
  if (threadIdx.x == 0) tile_s = atomicAdd(ticket, 1u);
  __syncthreads();
  unsigned tile = tile_s, lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
  unsigned v = in[tile * 128u + threadIdx.x];
  for (unsigned d = 1; d < 32; d <<= 1) {
    unsigned u = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warp_sum[warp] = v;
  __syncthreads();
  for (unsigned w = 0; w < warp; w++) v += warp_sum[w];
  if (threadIdx.x == 127) {                             // v is the tile total here
    unsigned long long flag = tile == 0 ? 2ull : 1ull;
    __nv_atomic_store_n(&status[tile], flag << 32 | v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    unsigned before = 0;
    for (int t = (int)tile - 1; t >= 0;) {
      unsigned long long s = __nv_atomic_load_n(&status[t], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
      unsigned f = (unsigned)(s >> 32);
      if (f == 0) { __nanosleep(20); continue; }
      before += (unsigned)s;
      if (f == 2) break;
      t--;
    }
    if (tile) __nv_atomic_store_n(&status[tile], 2ull << 32 | (before + v), __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    before_s = before;
  }
  __syncthreads();
  out[tile * 128u + threadIdx.x] = v + before_s;
}
