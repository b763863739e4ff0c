// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
extern "C" __global__ void warp_ops(int *out,const int *in,int n){ typedef cub::WarpReduce<float> W; typedef cub::WarpScan<int> S; __shared__ typename W::TempStorage t[4]; __shared__ typename S::TempStorage u[4]; int w=threadIdx.x/32; float f=W(t[w]).Sum((float)(in[threadIdx.x]%1000)); int x; S(u[w]).InclusiveSum(in[threadIdx.x],x); out[threadIdx.x]=x; if(threadIdx.x%32==0) out[128+w]=(int)f; }
