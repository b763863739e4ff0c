// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
extern "C" __global__ void block_scan(int *out,const int *in,int n){ typedef cub::BlockScan<int,128> B; __shared__ typename B::TempStorage t; int v[2]={in[2*threadIdx.x],in[2*threadIdx.x+1]}; B(t).ExclusiveSum(v,v); out[2*threadIdx.x]=v[0]; out[2*threadIdx.x+1]=v[1]; }
