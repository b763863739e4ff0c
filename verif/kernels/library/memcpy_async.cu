// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
namespace cg=cooperative_groups;
extern "C" __global__ void memcpy_async(int *out,const int *in,int n){ __shared__ int buf[2][128]; auto b=cg::this_thread_block(); auto p=cuda::make_pipeline(); int acc=0; p.producer_acquire(); cuda::memcpy_async(&buf[0][threadIdx.x],&in[threadIdx.x],sizeof(int),p); p.producer_commit(); for(int i=1;i<4;i++){ p.producer_acquire(); cuda::memcpy_async(&buf[i&1][threadIdx.x],&in[threadIdx.x+i*64],sizeof(int),p); p.producer_commit(); cuda::pipeline_consumer_wait_prior<1>(p); b.sync(); acc+=buf[(i-1)&1][127-threadIdx.x]*i; b.sync(); p.consumer_release(); } cg::memcpy_async(b,buf[0],in,sizeof(int)*128); cg::wait(b); out[threadIdx.x]=acc+buf[0][(threadIdx.x+1)&127]; }
