// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg=cooperative_groups;
extern "C" __global__ void coop(int *out,const int *in,int n){ auto b=cg::this_thread_block(); auto t=cg::tiled_partition<16>(b); int v=in[threadIdx.x]; int s=cg::reduce(t,v,cg::plus<int>()); int x=cg::inclusive_scan(t,v); unsigned m=cg::reduce(t,(unsigned)v,cg::bit_xor<unsigned>()); if(v&1){ auto c=cg::coalesced_threads(); x+=c.size()*100+c.thread_rank(); x+=cg::reduce(c,v,cg::greater<int>()); } auto bp=cg::labeled_partition(cg::tiled_partition<32>(b),v&3); x^=bp.size(); b.sync(); out[threadIdx.x]=s; out[128+threadIdx.x]=x; out[256+threadIdx.x]=m; }
