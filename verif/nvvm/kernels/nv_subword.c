// SPDX-License-Identifier: Apache-2.0
// nv_subword: clang's own atomics on 8 and 16 bit objects, nand and wrapping atomics.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

KERNEL nv_subword(unsigned char *bytes, unsigned short *halves, u32 *words)
{
	u32 t = __nvvm_read_ptx_sreg_tid_x();
	__atomic_fetch_add(&bytes[t % 7], (unsigned char)(t + 3), __ATOMIC_RELAXED);
	__atomic_fetch_xor(&bytes[8 + t % 4], (unsigned char)(1 << t % 8), __ATOMIC_ACQ_REL);
	__atomic_fetch_sub(&halves[t % 5], (unsigned short)(t * 5), __ATOMIC_RELAXED);
	__atomic_fetch_or(&halves[6], (unsigned short)(1 << t % 16), __ATOMIC_SEQ_CST);
	__atomic_fetch_nand(&words[t], 0x0f0f0f0fu + t, __ATOMIC_RELAXED);
	unsigned char old = __atomic_load_n(&bytes[15], __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&bytes[15], &old, (unsigned char)(old + 1), 0, __ATOMIC_ACQ_REL,
	                                    __ATOMIC_RELAXED))
		;
}
