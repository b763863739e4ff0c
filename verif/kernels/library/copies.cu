// SPDX-License-Identifier: Apache-2.0
/* copies.cu -- cp.async: groups, partial and skipped copies, arrivals at an mbarrier behind them. */
extern "C" __global__ void copies(int *out, const int4 *in, int n)
{
  __shared__ int4 buf[4][64];
  __shared__ int small[64];
  __shared__ unsigned long long bar;
  int t=threadIdx.x; unsigned b=__cvta_generic_to_shared(&bar);
  if(t==0) asm volatile("mbarrier.init.shared.b64 [%0], 64;"::"r"(b));
  __syncthreads();
  for(int k=0;k<3;k++){
    unsigned s=__cvta_generic_to_shared(&buf[k][t]);
    if(k==0) asm volatile("cp.async.cg.shared.global [%0],[%1],16;"::"r"(s),"l"(in+t));
    if(k==1) asm volatile("cp.async.ca.shared.global [%0],[%1],16,%2;"::"r"(s),"l"(in+64+t),"r"(t%17));
    if(k==2) asm volatile("{.reg .pred p; setp.lt.s32 p,%2,20; cp.async.ca.shared.global.L2::128B [%0],[%1],16,p;}"::"r"(s),"l"(in+128+t),"r"(t));
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.ca.shared.global [%0],[%1],4;"::"r"((unsigned)__cvta_generic_to_shared(&small[t])),"l"(((int*)in)+t+5));
  asm volatile("cp.async.wait_group 2;"); __syncthreads();
  int4 v=buf[0][63-t]; int r=v.x+v.y*3+v.z*5+v.w*7;
  asm volatile("cp.async.wait_all;"); __syncthreads();
  v=buf[1][63-t]; r=r*31+v.x+v.y*3+v.z*5+v.w*7; v=buf[2][63-t]; r=r*31+v.x+v.y*3+v.z*5+v.w*7;
  r+=small[63-t];
  asm volatile("cp.async.ca.shared.global [%0],[%1],8;"::"r"((unsigned)__cvta_generic_to_shared(&buf[3][t])),"l"(in+n+t));
  if(t&1) asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"::"r"(b)); 
  if(t&1) asm volatile("{.reg .b64 d; mbarrier.arrive.shared.b64 d,[%0];}"::"r"(b)); 
  if(!(t&1)) asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"::"r"(b)); 
  int p; do asm volatile("{.reg .pred q; mbarrier.test_wait.parity.shared.b64 q,[%1],0; selp.b32 %0,1,0,q;}":"=r"(p):"r"(b)); while(!p);
  v=buf[3][63-t]; out[t]=r+v.x*11+v.y;
}
