// bfs_frontier: Breadth-first search with a shared-memory frontier queue pair; CAS claims a vertex, atomicAdd appends it.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (1,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      adj        buffer u32  x 1024  initially random:31:0:255        expected (not checked)
// arg      dist       buffer s32  x 256   initially const:-1               expected file:bfs_frontier.dist.bin
// arg      levels     buffer u32  x 1     initially zero                   expected file:bfs_frontier.levels.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in bfs_frontier.expected.c):
//  int32_t d[256]; uint32_t q[256], h = 0, t = 0, lv;
//  for (int i = 0; i < 256; i++) d[i] = -1;
//  d[0] = 0; q[t++] = 0;
//  while (h < t) { uint32_t v = q[h++]; for (int k = 0; k < 4; k++) { uint32_t w = rnd(31, 0, 255, v * 4 + k); if (d[w] < 0) { d[w] = d[v] + 1; q[t++] = w; } } }
//  lv = d[q[t - 1]] + 1;
//  EXPECT("dist", d, sizeof d); EXPECT("levels", &lv, 4);

extern "C" __global__ void bfs_frontier(const unsigned *adj, int *dist, unsigned *levels) {
  __shared__ unsigned queue[2][256], len[2];
  if (threadIdx.x == 0) { queue[0][0] = 0; len[0] = 1; len[1] = 0; dist[0] = 0; }
  __syncthreads();
  int cur = 0, level = 0;
  while (len[cur] != 0) {
    unsigned n = len[cur];
    for (unsigned i = threadIdx.x; i < n * 4u; i += blockDim.x) {
      unsigned w = adj[queue[cur][i >> 2] * 4u + (i & 3u)];
      if (atomicCAS(&dist[w], -1, level + 1) == -1) queue[cur ^ 1][atomicAdd(&len[cur ^ 1], 1u)] = w;
    }
    __syncthreads();
    if (threadIdx.x == 0) len[cur] = 0;
    cur ^= 1;
    level++;
    __syncthreads();
  }
  if (threadIdx.x == 0) *levels = (unsigned)level;
}
