// SPDX-License-Identifier: Apache-2.0
// Own text. C=0: an mbarrier is invalidated twice (what two C++ objects in the same storage do at the end of their scope).
// C=1: thread 0 invalidates while warp 1 has not asked for its phase yet (what a destructor without __syncthreads does).
extern "C" __global__ void k(unsigned *r, unsigned c)
{
    __shared__ unsigned long long b;
    unsigned a = (unsigned)__cvta_generic_to_shared(&b);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(a) : "memory");
    __syncthreads();
    asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::"r"(a) : "memory");
    if (c == 1 && threadIdx.x >= 32)
        __nanosleep(2000);
    unsigned done = 0;
    while (!done)
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(a) : "memory");
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(a) : "memory");
        if (c == 0)
            asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(a) : "memory");
    }
    if (threadIdx.x == 0)
        r[0] = 0;
}
