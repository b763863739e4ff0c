// SPDX-License-Identifier: Apache-2.0
#include <cuda/barrier>
extern "C" __global__ void barrier(int *out,const int *in,int n){ __shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ int buf[128]; if(threadIdx.x==0) init(&b,blockDim.x); __syncthreads(); for(int i=0;i<4;i++){ buf[threadIdx.x]=in[threadIdx.x]+i*(i?buf[threadIdx.x]:1); auto tok=b.arrive(); int mine=threadIdx.x*i; b.wait(std::move(tok)); out[threadIdx.x]+=buf[127-threadIdx.x]+mine; b.arrive_and_wait(); } }
