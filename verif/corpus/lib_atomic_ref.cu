// lib_atomic_ref: cuda::atomic_ref over plain buffers with several types, orders and scopes, a compare-exchange loop, and wait/notify between blocks.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (3,1,1)  block (96,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90, sm_100
// made by  nvcc 13.0 -O3 -std=c++17 -arch=ARCH -ptx
// outcome  pass
// arg      x              buffer u32  x 288   initially random:131:0:1000      expected (not checked)
// arg      u              buffer u32  x 4     initially zero                   expected file:lib_atomic_ref.u.bin
// arg      w              buffer u64  x 3     initially zero                   expected file:lib_atomic_ref.w.bin
// arg      f              buffer f32  x 2     initially zero                   expected file:lib_atomic_ref.f.bin
// arg      flag           buffer u32  x 2     initially zero                   expected file:lib_atomic_ref.flag.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lib_atomic_ref.expected.c):
//  uint32_t u[4] = {0}, flag[2] = {3, 0}; uint64_t w[3] = {0}; float f[2] = {144, 0}; double s = 0;
//  for (int i = 0; i < 288; i++) {
//    uint32_t v = rnd(131, 0, 1000, i);
//    u[0] += v; if (v > u[1]) u[1] = v;
//    u[2] ^= v; w[0] += (uint64_t)v << 30; w[1] += v % 10 * 0x100000001ull; s += v;
//    if (v * 0.25f > f[1]) f[1] = v * 0.25f;
//  }
//  u[3] = flag[1] = u[0]; memcpy(&w[2], &s, 8);
//  EXPECT("u", u, sizeof u); EXPECT("w", w, sizeof w); EXPECT("f", f, sizeof f); EXPECT("flag", flag, sizeof flag);

#include <cuda/atomic>

extern "C" __global__ void lib_atomic_ref(const unsigned *x, unsigned *u, unsigned long long *w, float *f, unsigned *flag) {
  __shared__ unsigned local;
  unsigned v = x[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> l(local);
  l.fetch_add(v, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> u0(u[0]), u1(u[1]);
  u0.fetch_add(v, cuda::memory_order_acq_rel);
  u1.fetch_max(v, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_system> u2(u[2]);
  u2.fetch_xor(v);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> w0(w[0]);
  w0.fetch_add((unsigned long long)v << 30, cuda::memory_order_release);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> w1(w[1]);
  unsigned long long seen = w1.load(cuda::memory_order_acquire), want;
  do { want = seen + v % 10u * 0x100000001ull; } while (!w1.compare_exchange_weak(seen, want, cuda::memory_order_acq_rel, cuda::memory_order_acquire));
  cuda::atomic_ref<double, cuda::thread_scope_device> w2(*reinterpret_cast<double *>(&w[2]));
  w2.fetch_add((double)v, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device> f0(f[0]), f1(f[1]);
  f0.fetch_add(0.5f, cuda::memory_order_seq_cst);
  f1.fetch_max((float)v * 0.25f, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> go(flag[0]), sum(flag[1]);
    sum.fetch_add(l.load(cuda::memory_order_relaxed), cuda::memory_order_relaxed);
    if (go.fetch_add(1, cuda::memory_order_release) == gridDim.x - 1) go.notify_all();
    for (unsigned g = go.load(cuda::memory_order_acquire); g < gridDim.x; g = go.load(cuda::memory_order_acquire)) go.wait(g, cuda::memory_order_acquire);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    u[3] = sum.load(cuda::memory_order_relaxed);
  }
}
