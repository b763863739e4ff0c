// smem_exch_list: Linked lists in shared memory built by exchanging the head (1 to 32 lanes of a warp push on one list at once), then walked after a barrier.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (4,1,1)  block (90,1,1)  dynamic shared memory 0 bytes
// archs    sm_75, sm_90
// outcome  pass
// arg      head       buffer u32  x 768   initially zero                   expected rule:lists
// arg      link       buffer u32  x 2160  initially const:7777             expected rule:lists
// arg      length     buffer u32  x 768   initially zero                   expected file:smem_exch_list.length.bin
// arg      total      buffer u32  x 768   initially zero                   expected file:smem_exch_list.total.bin
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in smem_exch_list.expected.c):
//  static uint32_t len[768], sum[768]; uint32_t *h, *l;
//  for (int b = 0; b < 4; b++) for (int s = 0; s < 6; s++) for (uint32_t t = 0; t < 90; t++) if (s == 5 || (t * 7 + s) % 6) {
//    uint32_t i = b * 192 + s * 32 + (t >> s & 31), p = s * 90 + t; len[i]++; sum[i] += p * p;
//  }
//  EXPECT("length", len, sizeof len); EXPECT("total", sum, sizeof sum);
//  h = ACTUAL("head", 3072); l = ACTUAL("link", 8640);
//  if (h && l) for (int b = 0; b < 4; b++) {
//    char seen[540] = {0};
//    for (int i = 0; i < 192; i++) { uint32_t p = h[b * 192 + i], n = 0;
//      for (; p != 0xffffffffu; p = l[b * 540 + p]) {
//        if (p >= 540 || seen[p] || (p < 450 && (p % 90 * 7 + p / 90) % 6 == 0) || p / 90 * 32 + ((p % 90) >> (p / 90) & 31) != (uint32_t)i) { FAILIF(1, "a list holds a foreign node"); break; }
//        seen[p] = 1; n++;
//      }
//      FAILIF(n != len[b * 192 + i], "a list has lost nodes"); }
//    for (uint32_t p = 0; p < 540; p++) FAILIF(!seen[p] && l[b * 540 + p] != 7777, "link of a node that was not pushed");
//  }

extern "C" __global__ void smem_exch_list(unsigned *head, unsigned *link, unsigned *length, unsigned *total) {
  __shared__ unsigned first[192], next[540];
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < 192; i += blockDim.x) first[i] = 0xffffffffu;
  __syncthreads();
  for (unsigned s = 0; s < 6; s++) {
    unsigned node = s * 90 + t;
    if (s < 5 && (t * 7 + s) % 6 == 0) continue;     // these lanes push nothing in this round
    next[node] = atomicExch(&first[s * 32 + (t >> s & 31u)], node);
    link[blockIdx.x * 540 + node] = next[node];
  }
  __syncthreads();
  for (unsigned i = t; i < 192; i += blockDim.x) {
    unsigned n = 0, sum = 0;
    for (unsigned p = first[i]; p != 0xffffffffu && n <= 540; p = next[p]) { n++; sum += p * p; }
    head[blockIdx.x * 192 + i] = first[i]; length[blockIdx.x * 192 + i] = n; total[blockIdx.x * 192 + i] = sum;
  }
}
