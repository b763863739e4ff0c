// elect_leader: elect.sync picks one lane of the given mask; that lane alone appends the warp's ballot.
// SPDX-License-Identifier: Apache-2.0
// launch   grid (2,1,1)  block (128,1,1)  dynamic shared memory 0 bytes
// archs    sm_90
// outcome  pass
// arg      in         buffer u32  x 256   initially random:19:0:1          expected (not checked)
// arg      ones       buffer u32  x 1     initially zero                   expected file:elect_leader.ones.bin
// arg      leaders    buffer u32  x 8     initially const:4294967295       expected rule:leader_in_mask
// result rule in C (rnd, EXPECT, ACTUAL and FAILIF are defined in elect_leader.expected.c):
//  uint32_t ones = 0, *l;
//  for (int i = 0; i < 256; i++) ones += rnd(19, 0, 1, i);
//  EXPECT("ones", &ones, 4);
//  if ((l = ACTUAL("leaders", 32))) for (int w = 0; w < 8; w++) FAILIF(l[w] > 31, "no leader, or the elected lane id differs from the lane that ran");

__device__ __forceinline__ unsigned elect_one(unsigned mask, unsigned *lane) { unsigned p, l; asm volatile("{ .reg .pred e; elect.sync %0|e, %2; selp.u32 %1, 1, 0, e; }" : "=r"(l), "=r"(p) : "r"(mask) : "memory"); *lane = l; return p; }
extern "C" __global__ void elect_leader(const unsigned *in, unsigned *ones, unsigned *leaders) {
  unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned ballot = __ballot_sync(0xffffffffu, in[gid] != 0u);
  unsigned lane;
  if (elect_one(0xffffffffu, &lane)) {
    atomicAdd(ones, (unsigned)__popc(ballot));
    leaders[gid >> 5] = (threadIdx.x & 31u) == lane ? lane : 99u;
  }
}
