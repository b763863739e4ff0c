// hash_insert: Open-addressing hash table: claim a slot with CAS, then count with atomicAdd.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      in         buffer u32  x 1024  initially random:9:1:300         expected (not checked)
// arg      n          scalar u32  = 1024
// arg      keys       buffer u32  x 1024  initially const:4294967295       expected rule:hash_keys_once
// arg      vals       buffer u32  x 1024  initially zero                   expected rule:hash_counts
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in hash_insert.expected.c):
//  uint32_t cnt[301] = {0}, *k, *v, seen[301] = {0};
//  for (int i = 0; i < 1024; i++) cnt[rnd(9, 1, 300, i)]++;
//  k = ACTUAL("keys", 4096); v = ACTUAL("vals", 4096);
//  if (k && v) {
//    for (int i = 0; i < 1024; i++) {
//      if (k[i] == 0xffffffffu) { FAILIF(v[i], "count in an empty slot"); continue; }
//      FAILIF(k[i] < 1 || k[i] > 300, "foreign key"); FAILIF(seen[k[i]]++, "key stored twice");
//      FAILIF(v[i] != cnt[k[i]], "wrong count");
//    }
//    for (int i = 1; i <= 300; i++) FAILIF(cnt[i] && !seen[i], "key missing");
//  }

extern "C" __global__ void hash_insert(const unsigned *in, unsigned n, unsigned *keys, unsigned *vals) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned k = in[i], slot = (k * 2654435761u) >> 22;
    for (;;) {
      unsigned prev = atomicCAS(&keys[slot], 0xffffffffu, k);
      if (prev == 0xffffffffu || prev == k) break;
      slot = (slot + 1u) & 1023u;
    }
    atomicAdd(&vals[slot], 1u);
  }
}
