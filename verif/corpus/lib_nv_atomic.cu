// lib_nv_atomic: The compiler's __nv_atomic builtins: every operation, widths from 1 to 8 bytes, float and double, load/store/exchange/compare-exchange, all orders, scopes from block to system.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (64,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90, sm_100
// made by  nvcc 13.0 -O3 -std=c++17 -arch=ARCH -ptx
// outcome  pass
// arg      u              buffer u32  x 12    initially zero                   expected file:lib_nv_atomic.u.bin
// arg      s              buffer s32  x 4     initially zero                   expected file:lib_nv_atomic.s.bin
// arg      w              buffer u64  x 6     initially zero                   expected file:lib_nv_atomic.w.bin
// arg      f              buffer f32  x 2     initially zero                   expected file:lib_nv_atomic.f.bin
// arg      b              buffer u8   x 8     initially zero                   expected file:lib_nv_atomic.b.bin
// arg      turn           buffer u32  x 2     initially zero                   expected file:lib_nv_atomic.turn.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in lib_nv_atomic.expected.c):
//  uint32_t u[12] = {0}, turn[2] = {1, 77}; int32_t s[4] = {-100, 27, 0, 0}; uint64_t w[6] = {0}, x; float f[2] = {4032, 0}; double d = 16;
//  uint8_t b[8] = {0, 1, 2, 3}; uint16_t h[4] = {160, 160, 160, 160};
//  for (uint32_t i = 0; i < 128; i++) {
//    u[0] += i; u[1] -= i; u[4] ^= i * i; u[6 + i / 64] += i % 64; w[0] += (uint64_t)i << 32;
//  }
//  u[3] = 0xffffffffu; u[5] = 127; w[1] = 67; w[2] = ~0ull; memcpy(&w[3], &d, 8);
//  for (uint64_t i = x = 0; i < 128; i++) x ^= i << 40;
//  w[4] = x + 128 * 3; /* the low part never reaches bit 40 */
//  memcpy(u + 8, h, 8); u[10] = 77; u[11] = 9;
//  EXPECT("u", u, sizeof u); EXPECT("s", s, sizeof s); EXPECT("w", w, sizeof w); EXPECT("f", f, sizeof f); EXPECT("b", b, sizeof b); EXPECT("turn", turn, sizeof turn);

#define BLK __NV_THREAD_SCOPE_BLOCK
#define DEV __NV_THREAD_SCOPE_DEVICE
#define SYS __NV_THREAD_SCOPE_SYSTEM
typedef unsigned long long u64;

extern "C" __global__ void lib_nv_atomic(unsigned *u, int *s, u64 *w, float *f, unsigned char *b, unsigned *turn) {
  unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  __nv_atomic_fetch_add(&u[0], i, __NV_ATOMIC_RELAXED, DEV);
  __nv_atomic_fetch_sub(&u[1], i, __NV_ATOMIC_ACQUIRE, DEV);
  __nv_atomic_fetch_and(&u[2], ~i, __NV_ATOMIC_RELEASE, SYS);
  __nv_atomic_fetch_or(&u[3], 1u << (i & 31), __NV_ATOMIC_ACQ_REL, DEV);
  __nv_atomic_fetch_xor(&u[4], i * i, __NV_ATOMIC_SEQ_CST, DEV);
  __nv_atomic_fetch_max(&u[5], i * 7 % 128, __NV_ATOMIC_RELAXED, SYS);
  __nv_atomic_add(&u[6 + blockIdx.x], t, __NV_ATOMIC_RELAXED, BLK);
  __nv_atomic_fetch_min(&s[0], (int)i - 100, __NV_ATOMIC_ACQUIRE, DEV);
  __nv_atomic_fetch_max(&s[1], (int)i - 100, __NV_ATOMIC_SEQ_CST, SYS);
  __nv_atomic_fetch_add(&w[0], (u64)i << 32, __NV_ATOMIC_RELAXED, DEV);
  __nv_atomic_fetch_max((long long *)&w[1], (long long)i - 60, __NV_ATOMIC_ACQ_REL, DEV);
  __nv_atomic_fetch_or(&w[2], 1ull << (i & 63), __NV_ATOMIC_RELEASE, DEV);
  __nv_atomic_fetch_add((double *)&w[3], 0.125, __NV_ATOMIC_RELAXED, DEV);
  __nv_atomic_fetch_add(&f[0], (float)t, __NV_ATOMIC_ACQ_REL, DEV);
  u64 box = __nv_atomic_load_n(&w[4], __NV_ATOMIC_RELAXED, DEV), next;
  do { next = (box ^ (u64)i << 40) + 3; } while (!__nv_atomic_compare_exchange_n(&w[4], &box, next, true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE, DEV));
  unsigned short *h = (unsigned short *)&u[8], old = __nv_atomic_load_n(&h[i & 3], __NV_ATOMIC_RELAXED, DEV);
  while (!__nv_atomic_compare_exchange_n(&h[i & 3], &old, (unsigned short)(old + 5), false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, DEV)) ;
  __nv_atomic_store_n(&b[i & 3], (unsigned char)(i & 3), __NV_ATOMIC_RELEASE, DEV);
  if (t == 0) {                       // block 1 waits for block 0 to leave something
    if (blockIdx.x == 0) {
      turn[1] = 77;
      __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, DEV);
      __nv_atomic_exchange_n(&turn[0], 1u, __NV_ATOMIC_RELAXED, DEV);
    } else {
      while (__nv_atomic_load_n(&turn[0], __NV_ATOMIC_ACQUIRE, DEV) == 0) ;
      u[10] = turn[1];
    }
  }
  if (i == 5) __nv_atomic_store_n(&u[11], 9u, __NV_ATOMIC_SEQ_CST, SYS);
}
