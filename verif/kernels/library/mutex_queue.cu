// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>
#include <cuda/std/utility>
struct Lock{ cuda::atomic<int,cuda::thread_scope_device> v; __device__ void lock(){ while(v.exchange(1,cuda::memory_order_acquire)) v.wait(1,cuda::memory_order_relaxed);} __device__ void unlock(){ v.store(0,cuda::memory_order_release); v.notify_one(); } };
__device__ Lock lk; __device__ int total;
extern "C" __global__ void mutex_queue(int *out,const int *in,int n){ if(threadIdx.x%32==0){ lk.lock(); total+=in[threadIdx.x]; lk.unlock(); } __syncthreads(); out[threadIdx.x]=*(volatile int*)&total;  cuda::atomic_thread_fence(cuda::memory_order_seq_cst,cuda::thread_scope_system); }
