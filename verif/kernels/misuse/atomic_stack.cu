// SPDX-License-Identifier: Apache-2.0
// Own text. A generic atomic whose address is a thread's own variable on the stack (what cuda::atomic on the stack is before CUDA 13.1).
extern "C" __global__ void k(unsigned *r)
{
    unsigned v[4] = {1, 2, 3, 4}, old, t = threadIdx.x;
    asm volatile("atom.add.relaxed.cta.u32 %0, [%1], 5;" : "=r"(old) : "l"(&v[t & 3]) : "memory");
    asm volatile("atom.cas.acquire.cta.b32 %0, [%1], %2, 100;" : "=r"(old) : "l"(&v[t & 3]), "r"(6) : "memory");
    r[t] = v[t & 3] * 1000 + old;
}
