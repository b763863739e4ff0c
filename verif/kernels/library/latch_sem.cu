// SPDX-License-Identifier: Apache-2.0
#include <cuda/latch>
#include <cuda/semaphore>
extern "C" __global__ void latch_sem(int *out,const int *in,int n){ __shared__ alignas(16) char lb[sizeof(cuda::latch<cuda::thread_scope_block>)]; auto &l=*(cuda::latch<cuda::thread_scope_block>*)lb; __shared__ alignas(16) char sb[sizeof(cuda::counting_semaphore<cuda::thread_scope_block,4>)]; auto &s=*(cuda::counting_semaphore<cuda::thread_scope_block,4>*)sb; __shared__ int cnt; if(threadIdx.x==0){ new(&l) cuda::latch<cuda::thread_scope_block>(blockDim.x); new(&s) cuda::counting_semaphore<cuda::thread_scope_block,4>(2); cnt=0;} __syncthreads(); if(threadIdx.x%32==0){ s.acquire(); atomicAdd(&cnt,in[threadIdx.x]); s.release(); } l.arrive_and_wait(); out[threadIdx.x]=cnt+threadIdx.x; }
