// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
extern "C" __global__ void block_reduce(int *out,const int *in,int n){ typedef cub::BlockReduce<int,128> BR; __shared__ typename BR::TempStorage t; int v=in[threadIdx.x]; int s=BR(t).Sum(v); __syncthreads(); int m=BR(t).Reduce(v,[](int a,int b){return a>b?a:b;}); if(threadIdx.x==0){out[0]=s;out[1]=m;} out[2+threadIdx.x]=v/ (n+1); }
