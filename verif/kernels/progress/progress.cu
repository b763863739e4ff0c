// SPDX-License-Identifier: Apache-2.0
// progress.cu -- kernels whose threads wait for each other: lanes of one warp, warps, CTAs. Every one is launched as
// <<<3, 80>>> with two zeroed buffers of 1024 words; progress_expected.c tells what `out` holds at the end.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_75 and sm_90:
//   nvcc -arch=$A -cubin -o progress.$A.cubin progress.cu
//   nvcc -arch=$A -cubin -Xptxas -O0 -o progress.$A.O0.cubin progress.cu
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define ME (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL (gridDim.x * blockDim.x)
#define KERNEL extern "C" __global__ void

// A spin lock that the winner leaves the loop with: it waits for the losers where the loop ends.
KERNEL lane_lock(unsigned *out, unsigned *sync) {
  while (atomicCAS(&sync[0], 0u, 1u) != 0u) {
  }
  __threadfence();
  unsigned n = *(volatile unsigned *)&sync[1];
  *(volatile unsigned *)&sync[1] = n + 1;
  __threadfence();
  atomicExch(&sync[0], 0u);
  atomicAdd(&out[n], 1u); // every ticket once
}

// The same with the work inside of the loop, in shared memory.
KERNEL shared_lock(unsigned *out, unsigned *) {
  __shared__ unsigned lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&lock, 0u, 1u) == 0u) {
        *(volatile unsigned *)&count += 1;
        __threadfence_block();
        atomicExch(&lock, 0u);
        done = true;
      }
    }
  }
  __syncthreads();
  out[ME] = count;
}

KERNEL ticket_lock(unsigned *out, unsigned *sync) {
  unsigned ticket = atomicAdd(&sync[0], 1u), pause = 8;
  while (*(volatile unsigned *)&sync[1] != ticket) {
    __nanosleep(pause);
    if (pause < 256) pause *= 2;
  }
  __threadfence();
  out[ticket] = *(volatile unsigned *)&sync[2] + 5;
  *(volatile unsigned *)&sync[2] = ticket + 1;
  __threadfence();
  *(volatile unsigned *)&sync[1] = ticket + 1;
}

// Thread after thread, highest first within a CTA: lanes of a warp wait for each other in both directions.
KERNEL chain(unsigned *out, unsigned *sync) {
  unsigned turn = blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  while (*(volatile unsigned *)sync != turn)
    ;
  *(volatile unsigned *)&out[turn] = *(volatile unsigned *)&out[turn ? turn - 1 : 0] + threadIdx.x;
  __threadfence();
  *(volatile unsigned *)sync = turn + 1;
}

// Warp 0 makes, warp 1 takes: a ring of four items and flags, no barrier.
KERNEL ring(unsigned *out, unsigned *) {
  __shared__ volatile unsigned item[4][32], full[4], empty[4];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 4) full[threadIdx.x] = empty[threadIdx.x] = 0;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = 0; i < 20; i++) {
    unsigned slot = i % 4, round = i / 4;
    if (warp == 0) {
      while (empty[slot] != round)
        ;
      item[slot][lane] = i * 100 + lane + blockIdx.x;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[slot] = round + 1;
    } else if (warp == 1) {
      while (full[slot] != round + 1)
        ;
      sum += item[slot][31 - lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) empty[slot] = round + 1;
    }
  }
  if (warp == 1) out[blockIdx.x * 32 + lane] = sum;
}

// CTA b waits for CTA b - 1, word by word.
KERNEL across(unsigned *out, unsigned *sync) {
  unsigned *flag = &sync[blockIdx.x * 128 + threadIdx.x], v = threadIdx.x * 3 + 1;
  if (blockIdx.x > 0) {
    unsigned f;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(flag - 128) : "memory");
    } while (!f);
    v += *(volatile unsigned *)&out[ME - blockDim.x];
  }
  *(volatile unsigned *)&out[ME] = v;
  asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}

__device__ __noinline__ unsigned locked_add(unsigned *lock, unsigned *word, unsigned v) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {
  }
  __threadfence();
  unsigned old = *(volatile unsigned *)word;
  *(volatile unsigned *)word = old + v;
  __threadfence();
  atomicExch(lock, 0u);
  return old;
}

__device__ __noinline__ unsigned depth(unsigned n) { return n < 2 ? n + 7 : depth(n - 2) + depth(n - 1) % 5; }

// A lock taken in a function that both sides of a branch call; recursion of different depth.
KERNEL calls(unsigned *out, unsigned *sync) {
  unsigned old;
  if (ME % 3 == 0) {
    old = locked_add(&sync[0], &sync[1], 1);
  } else {
    old = locked_add(&sync[0], &sync[2], 2) / 2;
    old += ALL / 3;
  }
  atomicAdd(&out[old], 1u);
  out[256 + ME] = depth(threadIdx.x % 7);
}

// Nested branches; groups of lanes meet in __syncwarp and exchange values there, and again behind the join.
KERNEL nested(unsigned *out, unsigned *) {
  unsigned lane = threadIdx.x % 32, v = lane;
  bool whole = threadIdx.x / 32 < blockDim.x / 32; // the last warp has 16 lanes
  unsigned all = whole ? 0xffffffffu : 0xffffu;
  for (unsigned turn = 0; turn < 4; turn++) {
    if (lane & 1) {
      unsigned odd = all & 0xaaaaaaaau;
      if (lane & 2) {
        v += __shfl_sync(all & 0x88888888u, v, 3) + 1;
      } else {
        for (unsigned k = 0; k < (lane & 12); k++) v ^= k * 5;
      }
      __syncwarp(odd);
      v += __shfl_xor_sync(odd, v, 2) & 0xff;
    } else {
      unsigned even = all & 0x55555555u;
      if (lane & 4) v += 100 + turn;
      v += __popc(__ballot_sync(even, v & 1));
    }
    __syncwarp(all);
    v += __shfl_down_sync(all, v, 1, 8) & 3;
  }
  out[ME] = v;
}

// Who runs together in a branch is not fixed, but every thread is in one group and every group has one first thread.
KERNEL tiles(unsigned *out, unsigned *) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  unsigned v = ME * 7 % 13, kind = 0;
  for (int k = 4; k; k /= 2) v += tile.shfl_xor(v, k);
  if (threadIdx.x % 5 < 2) {
    cg::coalesced_group some = cg::coalesced_threads();
    unsigned first = some.shfl(threadIdx.x, 0);
    if (some.thread_rank() == 0) atomicAdd(&out[512 + blockIdx.x], some.size());
    kind = first > threadIdx.x ? 9 : 1;
  } else if (tile.meta_group_rank() % 2) {
    cg::coalesced_group some = cg::coalesced_threads();
    if (some.thread_rank() == some.size() - 1) atomicAdd(&out[520 + blockIdx.x], some.size());
    kind = 2;
  }
  tile.sync();
  out[ME] = v * 16 + kind + (tile.any(threadIdx.x % 11 == 0) ? 4 : 0);
}

// Lanes and whole warps that leave early are not waited for.
KERNEL exits(unsigned *out, unsigned *) {
  __shared__ unsigned s[80];
  s[threadIdx.x] = threadIdx.x + blockIdx.x;
  out[ME] = 1;
  if (threadIdx.x % 4 == 3) return;
  if (threadIdx.x / 32 == 1 && blockIdx.x == 1) return;
  __syncthreads();
  unsigned v = s[79 - threadIdx.x];
  if (threadIdx.x == 0) return;
  __syncthreads();
  s[threadIdx.x] = v;
  __syncthreads();
  out[ME] = 2 + s[threadIdx.x];
}

// Loops that are left at three places, some over several levels.
KERNEL leaves(unsigned *out, unsigned *) {
  unsigned v = ME * 2654435761u, n = 0;
  for (unsigned i = 0; i < 40; i++) {
    for (unsigned j = 0; j < 5; j++) {
      v = v * 1664525u + 1013904223u;
      switch (v >> 28) {
      case 0: goto out_of_both;
      case 1: n += 3; continue;
      case 2: case 3: n += 1; break;
      case 4: j += 2; break;
      case 15: n += v & 3; if (n > 90) goto out_of_both; break;
      default: n++;
      }
      if (v & 64) break;
    }
    if (n > 60) break;
    n += 2;
  }
out_of_both:
  out[ME] = n | __popc(__activemask()) / 64;
}

// Groups of equal values find each other; each group's leader counts for it, as long as any lane has work.
KERNEL matches(unsigned *out, unsigned *) {
  unsigned lane = threadIdx.x % 32, all = threadIdx.x / 32 < blockDim.x / 32 ? 0xffffffffu : 0xffffu;
  unsigned key = ME * 11 % 9, left = ME % 6;
  while (__any_sync(all, left)) {
    unsigned same = __match_any_sync(all, left ? key : 100u);
    if (left) {
      if (lane == __ffs(same) - 1) atomicAdd(&out[key], __popc(same));
      left--;
      key = (key + 4) % 9;
    }
  }
}

// Nobody lets the lock go: the second attempt hangs.
KERNEL hang_lock(unsigned *out, unsigned *sync) {
  if (threadIdx.x == 40) {
    while (atomicCAS(&sync[blockIdx.x], 0u, 1u) != 0u) __nanosleep(100);
    while (atomicCAS(&sync[blockIdx.x], 0u, 1u) != 0u) __nanosleep(100);
  }
  __syncthreads();
  out[ME] = 1;
}

// The flag comes behind a barrier that its waiters never reach; they count how often they looked.
KERNEL hang_count(unsigned *out, unsigned *sync) {
  unsigned looks = 0;
  if (threadIdx.x >= 64)
    while (*(volatile unsigned *)sync == 0u) looks++;
  __syncthreads();
  if (threadIdx.x == 0) *(volatile unsigned *)sync = 1u;
  out[ME] = looks;
}

// Waiters that look at the clock between two looks at the flag. They may give up at some time, so nobody calls it a hang
// (verif/sm/sleep_test.c): it has no launch file.
KERNEL hang_clock(unsigned *out, unsigned *sync) {
  long long start = clock64(), waited = 0;
  while (*(volatile unsigned *)&sync[blockIdx.x] == 0u) {
    waited = clock64() - start;
    __nanosleep(waited > 1000 ? 500 : 20);
  }
  out[ME] = (unsigned)waited;
}

// All threads ask round after round, with a barrier in between, for a flag that nobody sets.
KERNEL hang_round(unsigned *out, unsigned *sync) {
  unsigned set;
  do {
    __syncthreads();
    set = *(volatile unsigned *)&sync[threadIdx.x % 4];
  } while (!__syncthreads_or(set));
  out[ME] = set;
}

// Readers count themselves in and out of a word; a writer takes it when it is 0. Every fifth thread writes.
KERNEL read_write(unsigned *out, unsigned *sync) {
  unsigned *gate = &sync[0];
  volatile unsigned *a = &sync[1], *b = &sync[2];
  if (ME % 5 == 0) {
    while (atomicCAS(gate, 0u, 0x80000000u) != 0u) __nanosleep(30);
    __threadfence();
    unsigned v = *a;
    *a = v + 1;
    *b = *b + 1;
    __threadfence();
    atomicSub(gate, 0x80000000u);
    out[ME] = 1;
  } else {
    for (;;) {
      unsigned seen = *(volatile unsigned *)gate;
      if (seen < 0x80000000u && atomicCAS(gate, seen, seen + 1) == seen) break;
    }
    __threadfence();
    unsigned x = *a, y = *b;
    __threadfence();
    atomicSub(gate, 1u);
    out[ME] = 2 + (x != y);
  }
  atomicAdd(&out[512], 1u);
}

// Two locks for each step around a table of five, the lower number first.
KERNEL two_locks(unsigned *out, unsigned *sync) {
  unsigned left = ME % 5, right = (ME + 1) % 5, low = min(left, right), high = max(left, right);
  bool ate = false;
  while (!ate) {
    if (atomicCAS(&sync[low], 0u, 1u) == 0u) {
      if (atomicCAS(&sync[high], 0u, 1u) == 0u) {
        *(volatile unsigned *)&sync[16 + low] += 1;
        *(volatile unsigned *)&sync[16 + high] += 1;
        __threadfence();
        atomicExch(&sync[high], 0u);
        ate = true;
      }
      atomicExch(&sync[low], 0u);
    }
  }
  __threadfence();
  if (atomicAdd(&sync[32], 1u) == ALL - 1)
    for (unsigned i = 0; i < 5; i++) out[i] = *(volatile unsigned *)&sync[16 + i];
}

// A stack of nodes linked by number, with a count against reuse: everybody pushes its node and pops another.
KERNEL stack(unsigned *out, unsigned *sync) {
  unsigned long long *top = (unsigned long long *)&sync[0];
  unsigned *next = &sync[16];
  for (unsigned round = 0; round < 3; round++) {
    unsigned long long old = *(volatile unsigned long long *)top, now;
    unsigned node = ME + 1;
    if (round == 0) {
      for (;;) {
        *(volatile unsigned *)&next[node] = (unsigned)old;
        __threadfence();
        now = ((old >> 32) + 1) << 32 | node;
        unsigned long long was = atomicCAS(top, old, now);
        if (was == old) break;
        old = was;
      }
    } else if (round == 1) {
      for (;;) {
        node = (unsigned)old;
        now = ((old >> 32) + 1) << 32 | *(volatile unsigned *)&next[node];
        unsigned long long was = atomicCAS(top, old, now);
        if (was == old) break;
        old = was;
      }
      atomicAdd(&out[node], 1u);
    }
  }
}
