// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
extern "C" __global__ void block_sort(int *out,const int *in,int n){ typedef cub::BlockRadixSort<unsigned,128,2,int> B; __shared__ typename B::TempStorage t; unsigned key[2]; int val[2]; for(int i=0;i<2;i++){key[i]=in[2*threadIdx.x+i];val[i]=2*threadIdx.x+i;} B(t).Sort(key,val); for(int i=0;i<2;i++){out[2*threadIdx.x+i]=key[i]; out[256+2*threadIdx.x+i]=val[i];} }
