// SPDX-License-Identifier: Apache-2.0
template <class T> __device__ __forceinline__ void lock_it(T *lock)
{
	while (atomicExch(lock, 1))
		;
}
struct table {
	unsigned *at;
	__device__ __forceinline__ void put(unsigned i, unsigned v)
	{
		at[i] = v;
	}
	__device__ __forceinline__ void guarded(unsigned *lock, unsigned v)
	{
		lock_it(lock);
		put(threadIdx.x, v);
	}
};
