// SPDX-License-Identifier: Apache-2.0
// checkers.cu -- kernels for --check=sync, init and mem: each good, and broken (-DBROKEN).
// Every kernel is launched as <<<2, 64>>> with buffers of 250 words. Lines of the finding carry the mark [kernel].
// kernels.tsv beside this file has check and kind of each kernel's finding; `check` runs all.
//
// The cubins are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_75, sm_90, sm_100:
//   nvcc -arch=$A -lineinfo -ptx -o good.$A.ptx checkers.cu
//   nvcc -arch=$A -lineinfo -ptx -DBROKEN -o broken.$A.ptx checkers.cu
//   sed -i 's|"/.*/checkers.cu"|"checkers.cu"|' *.ptx; ptxas -arch=$A -lineinfo -o good.$A.cubin good.$A.ptx
#ifdef BROKEN
#define KEEP(...)
#define PICK(good, broken) broken
#else
#define KEEP(...) __VA_ARGS__
#define PICK(good, broken) good
#endif
#define KERNEL(name) extern "C" __global__ void name(unsigned *in, unsigned *out, unsigned *fresh)
#define CLUSTER(name) extern "C" __global__ void __cluster_dims__(2) name(unsigned *in, unsigned *out, unsigned *fresh)
#define T threadIdx.x
#define B blockIdx.x
#define ME (B * 64 + T)
#define ADDRESS(p) ((unsigned)__cvta_generic_to_shared(p))
typedef unsigned long long u64;

// Macros, not functions: a line is then that of the kernel.
#define BAR(form, id, n) asm volatile("barrier.cta." form ".aligned %0, %1;" ::"r"(id), "r"(n) : "memory")
#define INIT(p, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ADDRESS(p)), "r"(n) : "memory")
#define ARRIVE(p) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(ADDRESS(p)) : "memory")
#define TOKEN(v, p) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(v) : "r"(ADDRESS(p)) : "memory")
#define INVAL(p) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(ADDRESS(p)) : "memory")
#define EXPECT(p, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(ADDRESS(p)), "r"(n) : "memory")
#define ASK(ok, p, parity)                                                                                             \
	asm volatile("{.reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q;}"         \
	             : "=r"(ok)                                                                                        \
	             : "r"(ADDRESS(p)), "r"(parity)                                                                    \
	             : "memory")
#define TEST(ok, p, token)                                                                                             \
	asm volatile("{.reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q;}"                \
	             : "=r"(ok)                                                                                        \
	             : "r"(ADDRESS(p)), "l"(token)                                                                     \
	             : "memory")
#define WAIT(p, parity) for (unsigned ok_ = 0; !ok_;) ASK(ok_, p, parity)
#define BULK(to, from, n, p)                                                                                           \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(  \
	                     ADDRESS(to)),                                                                             \
	             "l"(from), "r"(n), "r"(ADDRESS(p))                                                                \
	             : "memory")
#define LDGSTS(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(ADDRESS(to)), "l"(from) : "memory")

// ---- named barriers and masks ----

KERNEL(arms) // a barrier in each arm of a divergent condition
{
	__shared__ unsigned s[64];
	s[T] = in[ME];
#ifdef BROKEN
	if (T % 2) {
		BAR("sync", 1, 64); // [arms]
		out[ME] = s[63 - T];
	} else {
		BAR("sync", 1, 64); // [arms]
		out[ME] = s[T ^ 1] + 1;
	}
#else
	BAR("sync", 1, 64);
	out[ME] = T % 2 ? s[63 - T] : s[T ^ 1] + 1;
#endif
}

KERNEL(counts) // the two warps name different thread counts
{
	if (T < 32)
		BAR("sync", 2, 64); // [counts]
	else
		BAR("sync", 2, PICK(64, 32)); // [counts]
	out[ME] = T;
}

KERNEL(no_multiple) // a thread count that is no multiple of 32
{
	const unsigned n = PICK(64, 40 + in[0] * 0);
	BAR("sync", 3, n); // [no_multiple]
	out[ME] = T;
}

KERNEL(twice) // a warp arrives a second time before the phase is complete
{
	if (T < 32) {
		BAR("arrive", 4, 64);
		KEEP(BAR("sync", 5, 64));
		BAR("arrive", 4, 64); // [twice]
	} else {
		KEEP(BAR("sync", 4, 64); BAR("sync", 5, 64);)
		BAR("sync", 4, 64);
	}
	out[ME] = T;
}

KERNEL(open_end) // one arrival too many
{
	if (T < 32)
		BAR("arrive", 6, 64);
	else
		BAR("sync", 6, 64);
#ifdef BROKEN
	__syncthreads();
	if (T < 32)
		BAR("arrive", 6, 64);
#endif
	out[ME] = T;
}

KERNEL(nobody) // all arrive, and no warp waits
{
	if (T < 32)
		BAR("arrive", 7, 64);
	else
		BAR(PICK("sync", "arrive"), 7, 64);
	out[ME] = T;
} // [nobody]

KERNEL(shared_id) // two groups of warps take one barrier number
{
	if (T < 32)
		BAR("sync", 8, 32); // [shared_id]
	else
		BAR("sync", PICK(9, 8), 32); // [shared_id]
	out[ME] = T;
}

KERNEL(own_mask) // a lane executes bar.warp.sync with a mask without the lane
{
	asm volatile("bar.warp.sync %0;" ::"r"(T % 32 < 16 ? PICK(0xffffu, 0xfffeu) : 0xffff0000u) : "memory"); // [own_mask]
	out[ME] = T;
}

KERNEL(two_masks) // lanes that meet name different masks
{
	asm volatile("bar.warp.sync %0;" ::"r"(T % 32 < 16 ? PICK(0xffffffffu, 0x1ffffu) : PICK(0xffffffffu, 0xffff8000u)) : "memory"); // [two_masks]
	out[ME] = T;
}

KERNEL(gone_lanes) // the mask names lanes that have exited
{
	out[ME] = T;
	if (T % 32 >= 24)
		return;
	asm volatile("bar.warp.sync %0;" ::"r"(PICK(0x00ffffffu, 0x0fffffffu) + 0 * in[ME]) : "memory"); // [gone_lanes]
	out[ME] = T + 1;
}

// ---- memory never written, bounds ----

KERNEL(hole) // one word of shared memory is not written
{
	__shared__ unsigned s[64];
	if (PICK(true, T != 5))
		s[T] = in[ME];
	__syncthreads();
	out[ME] = s[63 - T]; // [hole]
}

KERNEL(unfilled) // a buffer marked as unwritten is read first
{
	KEEP(fresh[ME] = T);
	out[ME] = fresh[ME]; // [unfilled]
}

KERNEL(stack) // an element of a local array is not written
{
	volatile unsigned a[100];
#pragma unroll 1
	for (unsigned i = PICK(0, 1); i < 100; i++)
		a[i] = in[i];
	out[ME] = a[T]; // [stack]
}

KERNEL(blocks) // memory of malloc is read first
{
	unsigned *p = (unsigned *)malloc(16);
	KEEP(p[1] = T);
	out[ME] = *(volatile unsigned *)(p + 1); // [blocks]
	free(p);
}

KERNEL(past_end) // two words past the end of a buffer of 250 words
{
	if (B == 0 && T < PICK(58, 60))
		out[192 + T] = T; // [past_end]
}

KERNEL(far_off) // far behind the buffer
{
	out[ME + PICK(0, 1u << 20)] = T; // [far_off]
}

KERNEL(window) // behind the CTA's shared memory
{
	__shared__ unsigned s[64];
	s[T] = in[ME];
	__syncthreads();
	asm volatile("st.shared.u32 [%0], %1;" ::"r"(ADDRESS(s) + 4 * T + PICK(0, 65536)), "r"(T) : "memory"); // [window]
	out[ME] = s[T];
}

KERNEL(used_freed) // a block of malloc after free
{
	volatile unsigned *p = (volatile unsigned *)malloc(16);
	p[0] = T;
#ifdef BROKEN
	free((void *)p);
#endif
	out[ME] = p[0]; // [used_freed]
	KEEP(free((void *)p));
}

KERNEL(beyond_block) // behind a block of malloc
{
	volatile unsigned *p = (volatile unsigned *)malloc(16);
	p[PICK(3, 4)] = T; // [beyond_block]
	out[ME] = T;
	free((void *)p);
}

KERNEL(freed_twice) // free of a block that free has taken back
{
	unsigned *p = (unsigned *)malloc(16);
	out[ME] = p != 0;
	free(p);
#ifdef BROKEN
	free(p);
#endif
}

KERNEL(odd_address) // a word at an address that is no multiple of 4
{
	*(unsigned *)((char *)(out + ME) + PICK(0, 2)) = T; // [odd_address]
}

// ---- copies of lanes ----
#if __CUDA_ARCH__ >= 800
KERNEL(no_wait) // threads end before their copies
{
	__shared__ unsigned s[64];
	LDGSTS(&s[T], in + ME); // [no_wait]
	asm volatile("cp.async.commit_group;");
	KEEP(asm volatile("cp.async.wait_group 0;"));
	out[ME] = T;
} // [no_wait]

KERNEL(one_left) // the wait leaves the group whose bytes are read
{
	__shared__ unsigned s[64];
	LDGSTS(&s[T], in + ME); // [one_left]
	asm volatile("cp.async.commit_group;");
	asm volatile("cp.async.wait_group %0;" ::"n"(PICK(0, 1)) : "memory");
	out[ME] = s[T]; // [one_left]
	asm volatile("cp.async.wait_group 0;");
}
#endif

// ---- mbarriers ----
#if __CUDA_ARCH__ >= 900
KERNEL(never_made) // no mbarrier.init
{
	__shared__ u64 b;
	if (T == 0)
		KEEP(INIT(&b, 64));
	__syncthreads();
	ARRIVE(&b); // [never_made]
	WAIT(&b, 0);
	out[ME] = T;
}

KERNEL(made_twice) // mbarrier.init of a live object
{
	__shared__ u64 b;
	for (unsigned i = 0; i < 2; i++) {
		if (T == 0)
			INIT(&b, 64); // [made_twice]
		__syncthreads();
		ARRIVE(&b);
		WAIT(&b, 0);
		__syncthreads();
		if (T == 0)
			KEEP(INVAL(&b));
		__syncthreads();
	}
	out[ME] = T;
}

KERNEL(ended) // an arrival after mbarrier.inval
{
	__shared__ u64 b;
	if (T == 0)
		INIT(&b, 64);
	__syncthreads();
	ARRIVE(&b);
	WAIT(&b, 0);
	__syncthreads();
#ifdef BROKEN
	if (T == 0)
		INVAL(&b); // [ended]
	__syncthreads();
#endif
	ARRIVE(&b); // [ended]
	WAIT(&b, 1);
	out[ME] = T;
}

KERNEL(plain) // an ordinary store into a live object
{
	__shared__ u64 b;
	if (T == 0)
		INIT(&b, 64); // [plain]
	__syncthreads();
	ARRIVE(&b);
	WAIT(&b, 0);
	__syncthreads();
#ifdef BROKEN
	if (T == 0)
		*(volatile unsigned *)&b = 7; // [plain]
#endif
	out[ME] = T;
}

KERNEL(too_many) // more arrivals than the init says
{
	__shared__ u64 b;
	if (T == 0)
		INIT(&b, 2);
	__syncthreads();
	if (T == 0)
		asm volatile("mbarrier.arrive.shared.b64 _, [%0], %1;" ::"r"(ADDRESS(&b)), "r"(PICK(2, 3)) : "memory"); // [too_many]
	out[ME] = T;
}

KERNEL(wrong_parity) // the wait asks for the phase before
{
	__shared__ u64 b;
	if (T == 0)
		INIT(&b, 65);
	__syncthreads();
	ARRIVE(&b);
	if (T == 0)
		KEEP(ARRIVE(&b));
	WAIT(&b, PICK(0, 1)); // [wrong_parity]
	out[ME] = T;
}

KERNEL(old_token) // a token of two phases ago
{
	__shared__ u64 b;
	u64 first, later;
	unsigned ok = 0;
	if (T == 0) {
		INIT(&b, 1);
		TOKEN(first, &b);
#ifdef BROKEN
		asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(ADDRESS(&b)) : "memory");
		later = first;
#else
		later = first;
#endif
		for (unsigned i = 0; i < 2 && !ok; i++)
			TEST(ok, &b, later); // [old_token]
	}
	out[ME] = T;
}

KERNEL(unseen) // another warp uses the object without a barrier behind the init
{
	__shared__ u64 b;
	if (T == 32)
		INIT(&b, 64); // [unseen]
	KEEP(__syncthreads());
#ifdef BROKEN
	__nanosleep(20000);
#endif
	ARRIVE(&b); // [unseen]
	WAIT(&b, 0);
	out[ME] = T;
}

KERNEL(unseen_copy) // a copy counts at the object, and nothing orders the init before
{
	__shared__ alignas(16) unsigned s[64];
	__shared__ u64 b;
	if (T == 32) {
		INIT(&b, 1); // [unseen_copy]
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		EXPECT(&b, 256);
	}
	KEEP(__syncthreads());
#ifdef BROKEN
	__nanosleep(20000);
#endif
	if (T == 0)
		BULK(s, in + B * 64, 256, &b); // [unseen_copy]
	__syncthreads();
	WAIT(&b, 0);
	out[ME] = *(volatile unsigned *)&s[T];
}

KERNEL(early_read) // bytes of a bulk copy are read before the wait
{
	__shared__ alignas(16) unsigned s[64];
	__shared__ u64 b;
	if (T == 0) {
		INIT(&b, 1);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (T == 0) {
		EXPECT(&b, 256);
		BULK(s, in + B * 64, 256, &b); // [early_read]
	}
	KEEP(WAIT(&b, 0));
	out[ME] = *(volatile unsigned *)&s[T]; // [early_read]
	WAIT(&b, 0);
}

KERNEL(unheard) // nobody waits for a bulk copy
{
	__shared__ alignas(16) unsigned s[64];
	__shared__ u64 b;
	if (T == 0) {
		INIT(&b, 1);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (T == 0) {
		EXPECT(&b, 256);
		BULK(s, in + B * 64, 256, &b); // [unheard]
	}
	KEEP(WAIT(&b, 0));
	out[ME] = T;
} // [unheard]

KERNEL(unfenced) // a bulk copy at an object without a fence behind the init
{
	__shared__ alignas(16) unsigned s[64];
	__shared__ u64 b;
	if (T == 0) {
		INIT(&b, 1); // [unfenced]
		KEEP(asm volatile("fence.proxy.async.shared::cta;" ::: "memory"));
		EXPECT(&b, 256);
		BULK(s, in + B * 64, 256, &b); // [unfenced]
	}
	__syncthreads();
	WAIT(&b, 0);
	out[ME] = s[T];
}

CLUSTER(leaves) // a CTA ends while the other one may write to its shared memory
{
	__shared__ unsigned s[64];
	unsigned there;
	s[T] = T;
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(ADDRESS(&s[T])), "r"(B ^ 1));
	asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(T) : "memory"); // [leaves]
	KEEP(asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"));
	out[ME] = T;
} // [leaves]

KERNEL(copied_into) // a copy brings bytes into the words of a live object
{
	__shared__ alignas(16) unsigned s[66];
	u64 *b = (u64 *)(s + 64);
	if (T == 0)
		INIT(b, 64); // [copied_into]
	__syncthreads();
	LDGSTS(&s[T + PICK(0, 1)], in + ME); // [copied_into]
	asm volatile("cp.async.wait_all;" ::: "memory");
	__syncthreads();
	out[ME] = s[T];
}
#endif

// ---- shuffles ----

KERNEL(half_gone) // a sum of half a warp: the other half has ended
{
	unsigned v = in[ME];
	if (T % 32 >= 16)
		return;
	for (unsigned n = 8; n; n /= 2)
		v += __shfl_down_sync(0xffff, v, n, PICK(16, 32)); // [half_gone]
	out[ME] = v;
}

KERNEL(over_there) // a lane of the other arm of a condition
{
	unsigned v = in[ME];
	if (v & 1)
		v = __shfl_sync(__activemask(), v, PICK(__ffs(__activemask()) - 1, T ^ 1)); // [over_there]
	else
		v *= 3;
	out[ME] = v;
} // [over_there]

KERNEL(out_of_mask) // groups of 16 lanes read the other group
{
	out[ME] = __shfl_xor_sync(0xffffu << T / 16 % 2 * 16, in[ME], PICK(8, 16)); // [out_of_mask]
}

KERNEL(own_value) // choices out of range: each such lane gets the lane's own value
{
	unsigned v = in[ME];
	if (T % 32 >= 20)
		return;
	v += __shfl_up_sync(0xfffff, v, 4);
	v += __shfl_down_sync(0xfffff, v, 2, PICK(4, 8)); // [own_value]
	out[ME] = v;
}
