// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
extern "C" __global__ void block_hist(int *out,const int *in,int n){ typedef cub::BlockHistogram<unsigned char,128,4,256> B; __shared__ typename B::TempStorage t; __shared__ unsigned h[256]; unsigned char v[4]; for(int i=0;i<4;i++)v[i]=in[4*threadIdx.x+i]; B(t).Histogram(v,h); __syncthreads(); out[threadIdx.x]=h[threadIdx.x]; out[128+threadIdx.x]=h[128+threadIdx.x]; }
