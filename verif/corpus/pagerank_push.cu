// pagerank_push: Push-style PageRank in 32.32 fixed point (64-bit atomicAdd), three sweeps, out-degree four everywhere.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      adj        buffer u32  x 512   initially random:35:0:127        expected (not checked)
// arg      rank       buffer u64  x 128   initially zero                   expected file:pagerank_push.rank.bin
// arg      next       buffer u64  x 128   initially zero                   expected file:pagerank_push.next.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in pagerank_push.expected.c):
//  static uint64_t r[128], n[128];
//  for (int i = 0; i < 128; i++) r[i] = 1ull << 32;
//  for (int it = 0; it < 3; it++) {
//    memset(n, 0, sizeof n);
//    for (int v = 0; v < 128; v++) for (int k = 0; k < 4; k++) n[rnd(35, 0, 127, v * 4 + k)] += (r[v] * 7 / 8) / 4;
//    for (int v = 0; v < 128; v++) r[v] = n[v] + (1ull << 29);
//  }
//  EXPECT("rank", r, sizeof r); EXPECT("next", n, sizeof n);

extern "C" __global__ void pagerank_push(const unsigned *adj, unsigned long long *rank, unsigned long long *next) {
  unsigned v = threadIdx.x;
  rank[v] = 1ull << 32;
  __syncthreads();
  for (int it = 0; it < 3; it++) {
    next[v] = 0;
    __syncthreads();
    unsigned long long share = (rank[v] * 7ull / 8ull) / 4ull;
    for (int k = 0; k < 4; k++) atomicAdd(&next[adj[v * 4u + k]], share);
    __syncthreads();
    rank[v] = next[v] + (1ull << 29);
    __syncthreads();
  }
}
