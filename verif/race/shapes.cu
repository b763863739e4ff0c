// SPDX-License-Identifier: Apache-2.0
// shapes.cu -- kernels with one synchronisation each, and the same kernels with that synchronisation broken (-DBROKEN):
// barriers, warps, sizes of accesses, releases and acquires. shapes_copy.cu has copies, mbarriers and clusters.
// Every kernel is launched as <<<2, 128>>> with buffers of 256 words. Lines with the mark [kernel] are the two places
// of the race, or the one place that races with itself. Marks [kernel:1], [kernel:2] are two races.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_75, sm_80, sm_90, sm_100:
//   nvcc -arch=$A -lineinfo -ptx -o shapes_good.$A.ptx shapes.cu
//   nvcc -arch=$A -lineinfo -ptx -DBROKEN -o shapes_broken.$A.ptx shapes.cu
//   sed -i 's|"/.*/shapes.cu"|"shapes.cu"|' *.ptx; ptxas -arch=$A -lineinfo -o shapes_good.$A.cubin shapes_good.$A.ptx
#ifdef BROKEN
#define KEEP(...)
#define PICK(good, broken) broken
#else
#define KEEP(...)          __VA_ARGS__
#define PICK(good, broken) good
#endif
#define KERNEL(name) extern "C" __global__ void name(unsigned *in, unsigned *out, unsigned *flag)
#define T            threadIdx.x
#define B            blockIdx.x
#define ME           (B * 128 + T)
#define LANE         (T % 32)
#define WARP         (T / 32)
#define ALL          0xffffffffu

#define BAR(how, id, n)      asm volatile("bar." how " %0, %1;" ::"r"(id), "r"(n) : "memory")
#define LOAD(how, v, p)      asm volatile("ld." how ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define STORE(how, p, v)     asm volatile("st." how ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define RED(how, p, v)       asm volatile("red." how ".add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ATOM(how, old, p, v) asm volatile("atom." how " %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory")
#define CAS(how, old, p)     asm volatile("atom." how ".global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(p) : "memory")
#define VOLATILE(p)          (*(volatile unsigned *)(p))

// ---- barriers ----

KERNEL(arv_store) // the store comes behind the arrival, which does not wait
{
	__shared__ unsigned s[32];
	if (WARP == 0) {
		PICK(s[T] = in[ME], (void)0);
		BAR("arrive", 1, 64);
		PICK((void)0, s[T] = in[ME]); // [arv_store]
	} else if (WARP == 1) {
		BAR("sync", 1, 64);
		out[ME] = s[LANE]; // [arv_store]
	}
}

KERNEL(arv_global) // three warps arrive, one of them too early; the data is in global memory
{
	if (WARP < 3) {
		PICK(out[ME] = in[ME], (void)0);
		BAR("arrive", 2, 128);
		PICK((void)0, out[ME] = in[ME]); // [arv_global]
	} else {
		BAR("sync", 2, 128);
		flag[ME] = out[ME - 32]; // [arv_global]
	}
}

KERNEL(arv_load) // the reader says that the buffer is free, and reads
{
	__shared__ unsigned s[32];
	unsigned v = 0;
	if (WARP == 0) {
		s[T] = in[ME];
		BAR("arrive", 1, 64);
		BAR("sync", 2, 64);
		s[T] = 0; // [arv_load]
	} else if (WARP == 1) {
		BAR("sync", 1, 64);
		PICK(v = s[LANE], (void)0);
		BAR("arrive", 2, 64);
		PICK((void)0, v = s[LANE]); // [arv_load]
		out[ME] = v;
	}
}

KERNEL(scan) // a prefix sum without the barrier between read and write
{
	__shared__ unsigned s[128];
	s[T] = in[ME];
	__syncthreads();
	for (unsigned d = 1; d < 128; d *= 2) {
		const unsigned v = T >= d ? s[T - d] : 0; // [scan]
		KEEP(__syncthreads());
		s[T] += v; // [scan]
		__syncthreads();
	}
	out[ME] = s[T];
}

KERNEL(stencil) // neighbours are read and written in place
{
	__shared__ unsigned s[128];
	s[T] = in[ME];
	__syncthreads();
	const unsigned v = s[(T + 1) % 128] + 1; // [stencil]
	KEEP(__syncthreads());
	s[T] = v; // [stencil]
	__syncthreads();
	out[ME] = s[T ^ 64];
}

KERNEL(sort_step) // steps of a sort; from one to the next other threads are the partners
{
	__shared__ unsigned s[2][128];
	unsigned k = 64, from = 0;
	s[0][T] = in[ME];
	__syncthreads();
	for (; k >= 16; k /= 2, from ^= 1) {
		const unsigned a = s[from][T], b = s[from][T ^ k]; // [sort_step]
		s[from ^ 1][T] = (T & k ? a < b : a > b) ? b : a;  // [sort_step]
		KEEP(__syncthreads());
	}
	__syncthreads();
	out[ME] = s[from][T];
}

KERNEL(columns) // a warp meets, but what it reads is a column and not its row
{
	__shared__ unsigned s[4][32];
	s[WARP][LANE] = in[ME]; // [columns]
	__syncwarp();
	out[ME] = PICK(s[WARP][31 - LANE], s[T % 4][T / 4]); // [columns]
}

KERNEL(wrong_pair) // pairs of warps meet, the data is that of another pair
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [wrong_pair]
	BAR("sync", 1 + WARP / 2, 64);
	out[ME] = s[T ^ PICK(32, 64)]; // [wrong_pair]
}

KERNEL(wrong_number) // the number of the barrier is that of other partners
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [wrong_number]
	BAR("sync", 1 + PICK(WARP / 2, WARP % 2), 64);
	out[ME] = s[T ^ 32]; // [wrong_number]
}

// ---- lanes of a warp ----

KERNEL(shuffled) // a shuffle orders no memory
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [shuffled]
	const unsigned v = __shfl_xor_sync(ALL, in[ME], 1);
	KEEP(__syncwarp());
	out[ME] = s[T ^ 1] + v; // [shuffled]
}

KERNEL(voted) // nor does a vote
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [voted]
	const unsigned v = __any_sync(ALL, in[ME] > 900);
	KEEP(__syncwarp());
	out[ME] = s[T ^ 2] + v; // [voted]
}

KERNEL(matched) // nor does a match
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [matched]
	const unsigned v = __match_any_sync(ALL, in[ME] % 4);
	KEEP(__syncwarp());
	out[ME] = s[T ^ 4] + v; // [matched]
}

#if __CUDA_ARCH__ >= 800
KERNEL(reduced) // nor does a reduction
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [reduced]
	const unsigned v = __reduce_add_sync(ALL, in[ME]);
	KEEP(__syncwarp());
	out[ME] = s[T ^ 8] + v; // [reduced]
}
#endif

KERNEL(one_out) // the mask leaves out the lane whose word all read
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [one_out]
#ifdef BROKEN
	if (LANE < 31)
		asm volatile("bar.warp.sync 0x7fffffff;" ::: "memory");
#else
	__syncwarp();
#endif
	out[ME] = s[T | 31]; // [one_out]
}

KERNEL(odd_even) // odd lanes meet, and even ones: neighbours do not
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [odd_even]
	if (LANE & 1)
		asm volatile("bar.warp.sync 0xaaaaaaaa;" ::: "memory");
	else
		asm volatile("bar.warp.sync 0x55555555;" ::: "memory");
	out[ME] = s[T ^ PICK(2, 1)]; // [odd_even]
}

KERNEL(lanes_global) // lanes of a warp exchange through global memory
{
	out[ME] = in[ME]; // [lanes_global]
	KEEP(__syncwarp());
	flag[ME] = out[ME ^ 3]; // [lanes_global]
}

KERNEL(same_slot) // a rank that two lanes have: two values for one word
{
	__shared__ unsigned s[128];
	s[WARP * 32 + PICK(LANE, LANE % 16)] = in[ME] * 32 + LANE; // [same_slot]
	__syncthreads();
	out[ME] = s[T];
}

// ---- sizes ----

KERNEL(mixed_wide) // stores of 16 bytes; the word behind is that of the next thread
{
	__shared__ uint4 s[129];
	const unsigned v = in[ME];
	s[T] = make_uint4(v, v + 1, v + 2, v + 3);           // [mixed_wide]
	out[ME] = ((unsigned *)s)[4 * T + PICK(3, 4)];       // [mixed_wide]
}

KERNEL(mixed_half) // halves are written, words are read
{
	__shared__ unsigned s[64];
	((unsigned short *)s)[T] = (unsigned short)in[ME]; // [mixed_half]
	KEEP(__syncwarp());
	out[ME] = s[T / 2]; // [mixed_half]
}

KERNEL(mixed_atomic) // atomics of 64 and of 32 bits at the same bytes
{
	if (T)
		return;
	if (B == 0)
		atomicAdd((unsigned long long *)out, 1ull); // [mixed_atomic]
	else
		atomicAdd(out + PICK(2, 1), 1u); // [mixed_atomic]
}

KERNEL(mixed_flag) // a strong load of a word meets a strong store of a byte
{
	unsigned v;
	if (T)
		return;
	if (B == 0)
		asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(flag), "r"(1) : "memory"); // [mixed_flag]
	else {
		PICK(LOAD("relaxed.gpu.global", v, flag + 1), LOAD("relaxed.gpu.global", v, flag)); // [mixed_flag]
		out[0] = v;
	}
}

// ---- releases and acquires ----

KERNEL(red_then_store) // the store comes behind the release
{
	unsigned v;
	if (B == 0) {
		PICK(out[T] = in[T], (void)0);
		RED("release.gpu.global", flag, 1);
		PICK((void)0, out[T] = in[T]); // [red_then_store]
		return;
	}
	do
		LOAD("acquire.gpu.global", v, flag);
	while (v < 128);
	out[128 + T] = out[T]; // [red_then_store]
}

KERNEL(fence_late) // the fence comes behind the flag
{
	if (T)
		return;
	if (B == 0) {
		out[200] = in[0]; // [fence_late]
		KEEP(__threadfence());
		VOLATILE(flag) = 1;
		__threadfence();
	} else {
		while (!VOLATILE(flag))
			;
		__threadfence();
		out[201] = out[200]; // [fence_late]
	}
}

KERNEL(flag_first) // data and flag in the wrong order, behind the fence
{
	if (T)
		return;
	if (B == 0) {
		PICK(out[200] = in[0], (void)0);
		__threadfence();
		VOLATILE(flag) = 1;
		PICK((void)0, out[200] = in[0]); // [flag_first]
	} else {
		while (!VOLATILE(flag))
			;
		__threadfence();
		out[201] = out[200]; // [flag_first]
	}
}

KERNEL(flag_cta) // the release has the scope of the CTA
{
	unsigned v;
	if (T)
		return;
	if (B == 0) {
		out[200] = in[0];                                                // [flag_cta:1]
		STORE(PICK("release.gpu", "release.cta") ".global", flag, 1); // [flag_cta:2]
	} else {
		do
			LOAD("acquire.gpu.global", v, flag); // [flag_cta:2]
		while (!v);
		out[201] = out[200]; // [flag_cta:1]
	}
}

KERNEL(acquire_cta) // the acquire has the scope of the CTA
{
	unsigned v;
	if (T)
		return;
	if (B == 0) {
		out[200] = in[0];                       // [acquire_cta:1]
		STORE("release.gpu.global", flag, 1); // [acquire_cta:2]
	} else {
		do
			LOAD(PICK("acquire.gpu", "acquire.cta") ".global", v, flag); // [acquire_cta:2]
		while (!v);
		out[201] = out[200]; // [acquire_cta:1]
	}
}

KERNEL(atom_lock) // a lock whose atomics have the order; it is given back without one
{
	unsigned old;
	if (T)
		return;
	do
		CAS("acquire.gpu", old, flag);
	while (old);
	out[9] += in[ME] % 5; // [atom_lock]
	ATOM(PICK("release.gpu", "relaxed.gpu") ".global.exch.b32", old, flag, 0);
	out[64 + B] = old;
}

KERNEL(cas_cta) // a lock of the CTA for two CTAs
{
	unsigned old;
	if (T)
		return;
	do
		CAS(PICK("acquire.gpu", "acquire.cta"), old, flag); // [cas_cta:1]
	while (old);
	out[9] += in[ME] % 5;                  // [cas_cta:2]
	STORE("release.gpu.global", flag, 0); // [cas_cta:1]
}

KERNEL(acq_rel) // the last CTA finds itself by an atomic that orders nothing
{
	__shared__ unsigned last;
	unsigned old;
	if (T == 0) {
		out[B] = in[ME]; // [acq_rel]
		ATOM(PICK("acq_rel.gpu", "relaxed.gpu") ".global.add.u32", old, flag, 1);
		last = old == 1;
	}
	__syncthreads();
	if (last && T == 0)
		out[128] = out[0] + out[1]; // [acq_rel]
}

KERNEL(no_meeting) // thread 0 releases what the others may not have written yet
{
	unsigned v;
	if (B == 0) {
		out[T] = in[T]; // [no_meeting]
		KEEP(__syncthreads());
		if (T == 0) {
			__threadfence();
			RED("relaxed.gpu.global", flag, 1);
		}
		return;
	}
	do
		LOAD("acquire.gpu.global", v, flag);
	while (!v);
	out[128 + T] = out[127]; // [no_meeting]
}

KERNEL(two_locks) // one datum, and two locks
{
	if (T)
		return;
	unsigned *lock = flag + PICK(0, 32 * B);
	while (atomicCAS(lock, 0u, 1u))
		;
	__threadfence();
	out[9] += in[ME] % 5; // [two_locks]
	__threadfence();
	atomicExch(lock, 0u);
}

KERNEL(wrong_flag) // the flag of the first datum is waited for, and the second is read
{
	if (T)
		return;
	if (B == 0) {
		out[200] = in[0];
		__threadfence();
		VOLATILE(flag) = 1;
		out[201] = in[1]; // [wrong_flag]
		__threadfence();
		VOLATILE(flag + 32) = 1;
	} else {
		while (!VOLATILE(flag + PICK(32, 0)))
			;
		__threadfence();
		out[202] = out[201]; // [wrong_flag]
	}
}

KERNEL(counter_read) // a counter that others add to is read by a plain load
{
	unsigned v;
	atomicAdd(flag, 1u); // [counter_read]
	if (T == 0) {
		PICK(LOAD("relaxed.gpu.global", v, flag), LOAD("global", v, flag)); // [counter_read]
		out[B] = v;
	}
}

KERNEL(plain_reset) // a counter that others add to is set by a plain store
{
	if (B == 0 && T == 0)
		PICK(STORE("relaxed.gpu.global", flag, 7), STORE("global", flag, 7)); // [plain_reset]
	RED("relaxed.gpu.global", flag, 1); // [plain_reset]
}

KERNEL(grid_narrow) // a barrier of the grid whose fences are those of the CTA
{
	unsigned v;
	out[ME] = in[ME]; // [grid_narrow]
	__syncthreads();
	if (T == 0) {
		PICK(__threadfence(), __threadfence_block());
		RED("relaxed.gpu.global", flag, 1);
		do
			LOAD("relaxed.gpu.global", v, flag);
		while (v < 2);
		PICK(__threadfence(), __threadfence_block());
	}
	__syncthreads();
	if (B == 0)
		flag[128 + T] = out[128 + T]; // [grid_narrow]
}

KERNEL(ring_put) // a slot in shared memory: the flag is up before the data is there
{
	__shared__ unsigned data, full;
	if (T == 0)
		full = 0;
	__syncthreads();
	if (T == 0) {
		PICK(data = in[ME], (void)0);
		KEEP(__threadfence_block());
		atomicExch(&full, 1u);
		PICK((void)0, data = in[ME]); // [ring_put]
	} else if (T == 64) {
		while (!atomicAdd(&full, 0u))
			;
		__threadfence_block();
		out[B] = data; // [ring_put]
	}
}

KERNEL(ring_get) // the slot is given back before its data has been read
{
	__shared__ unsigned data, full;
	unsigned v = 0;
	if (T == 0) {
		data = in[ME];
		full = 1;
	}
	__syncthreads();
	if (T == 64) {
		PICK(v = data, (void)0);
		__threadfence_block();
		atomicExch(&full, 0u);
		PICK((void)0, v = VOLATILE(&data)); // [ring_get]
		out[B] = v;
	} else if (T == 0) {
		while (atomicAdd(&full, 0u))
			;
		__threadfence_block();
		data = 5; // [ring_get]
	}
}
