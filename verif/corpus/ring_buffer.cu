// ring_buffer: Single-producer single-consumer ring between two blocks: release publishes the tail, acquire reads it; capacity 16.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (32,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 256   initially random:37:0:100000     expected (not checked)
// arg      slots      buffer u32  x 16    initially zero                   expected file:ring_buffer.slots.bin
// arg      tail       buffer u32  x 1     initially zero                   expected file:ring_buffer.tail.bin
// arg      head       buffer u32  x 1     initially zero                   expected file:ring_buffer.head.bin
// arg      out        buffer u32  x 256   initially zero                   expected file:ring_buffer.out.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in ring_buffer.expected.c):
//  uint32_t s[16], o[256], n = 256;
//  for (uint32_t i = 0; i < 256; i++) { s[i & 15] = rnd(37, 0, 100000, i) ^ 0x5a5a; o[i] = s[i & 15] + i; }
//  EXPECT("slots", s, sizeof s); EXPECT("tail", &n, 4); EXPECT("head", &n, 4); EXPECT("out", o, sizeof o);

extern "C" __global__ void ring_buffer(const unsigned *in, unsigned *slots, unsigned *tail, unsigned *head, unsigned *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (unsigned i = 0; i < 256u; i++) {
      while (i - __nv_atomic_load_n(head, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) >= 16u) __nanosleep(20);
      slots[i & 15u] = in[i] ^ 0x5a5au;
      __nv_atomic_store_n(tail, i + 1u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
  } else {
    for (unsigned i = 0; i < 256u; i++) {
      while (__nv_atomic_load_n(tail, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == i) __nanosleep(20);
      out[i] = slots[i & 15u] + i;
      __nv_atomic_store_n(head, i + 1u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
  }
}
