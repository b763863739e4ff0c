// grid_barrier: Grid-wide barrier from a wrapping atomicInc and a generation word; four stencil sweeps between two buffers (all blocks must be resident).
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      a          buffer u32  x 256   initially random:11:0:1000       expected file:grid_barrier.a.bin
// arg      b          buffer u32  x 256   initially zero                   expected file:grid_barrier.b.bin
// arg      arrived    buffer u32  x 1     initially zero                   expected file:grid_barrier.arrived.bin
// arg      gen        buffer u32  x 1     initially zero                   expected file:grid_barrier.gen.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in grid_barrier.expected.c):
//  uint32_t x[2][256], z = 0, g = 4;
//  for (int i = 0; i < 256; i++) { x[0][i] = rnd(11, 0, 1000, i); x[1][i] = 0; }
//  for (int s = 0; s < 4; s++) for (int i = 0; i < 256; i++)
//    x[(s + 1) & 1][i] = x[s & 1][(i + 255) % 256] + 2 * x[s & 1][i] + x[s & 1][(i + 1) % 256];
//  EXPECT("a", x[0], 1024); EXPECT("b", x[1], 1024); EXPECT("arrived", &z, 4); EXPECT("gen", &g, 4);

__device__ static void grid_wait(unsigned *arrived, unsigned *gen) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned g = __nv_atomic_load_n(gen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __threadfence();
    if (atomicInc(arrived, gridDim.x - 1u) == gridDim.x - 1u) {
      __threadfence();
      atomicAdd(gen, 1u);
    } else {
      while (__nv_atomic_load_n(gen, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == g) __nanosleep(40);
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void grid_barrier(unsigned *a, unsigned *b, unsigned *arrived, unsigned *gen) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned *src = a, *dst = b;
  for (int s = 0; s < 4; s++) {
    dst[i] = __ldcg(&src[(i + n - 1u) % n]) + 2u * __ldcg(&src[i]) + __ldcg(&src[(i + 1u) % n]);
    grid_wait(arrived, gen);
    unsigned *t = src; src = dst; dst = t;
  }
}
