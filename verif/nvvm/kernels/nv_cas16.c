// SPDX-License-Identifier: Apache-2.0
// nv_cas16: compare-and-exchange of a 16-bit object, native in the hardware.
#define KERNEL __attribute__((nvptx_kernel)) void
#define SHARED __attribute__((address_space(3)))
typedef unsigned u32;
typedef unsigned long long u64;

KERNEL nv_cas16(unsigned short *halves)
{
	unsigned short seen = __atomic_load_n(&halves[0], __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&halves[0], &seen, (unsigned short)(seen + 3), 0, __ATOMIC_ACQ_REL,
	                                    __ATOMIC_RELAXED))
		;
}
