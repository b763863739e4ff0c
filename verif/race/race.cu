// SPDX-License-Identifier: Apache-2.0
// race.cu -- kernels with one synchronisation each, and the same kernels with that synchronisation broken (-DBROKEN).
// Every kernel is launched as <<<2, 64>>> with buffers of 256 words. Lines that race when the kernel is broken carry the
// mark [kernel]. `check` in this folder runs them.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_80, sm_90, sm_120:
//   nvcc -arch=$A -lineinfo -ptx -o good.$A.ptx race.cu
//   nvcc -arch=$A -lineinfo -ptx -DBROKEN -o broken.$A.ptx race.cu
//   sed -i 's|"/.*/race.cu"|"race.cu"|' *.ptx; ptxas -arch=$A -lineinfo -o good.$A.cubin good.$A.ptx
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#ifdef BROKEN
#define KEEP(...)
#define PICK(good, broken) broken
#else
#define KEEP(...) __VA_ARGS__
#define PICK(good, broken) good
#endif
#define KERNEL(name) extern "C" __global__ void name(unsigned *in, unsigned *out, unsigned *flag)
#define T threadIdx.x
#define B blockIdx.x
#define ME (B * 64 + T)
#define VOLATILE(p) (*(volatile unsigned *)(p))

// Not the functions of the headers: their lines are those of the headers.
__device__ static unsigned address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
#define COUNT(p) asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address(p)) : "memory")
#define ADD(p, v, scope) asm volatile("red.relaxed." scope ".global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")

// ---- barriers and lanes ----

KERNEL(barrier) // no barrier between write and read
{
	__shared__ unsigned s[64];
	s[T] = in[ME]; // [barrier]
	KEEP(__syncthreads());
	out[ME] = s[63 - T]; // [barrier]
}

KERNEL(reuse) // a buffer is written again before all have read
{
	__shared__ unsigned s[64];
	unsigned sum = 0;
	for (unsigned i = 0; i < 4; i++) {
		s[T] = in[ME] + i; // [reuse]
		__syncthreads();
		sum += s[(T + 40) % 64]; // [reuse]
		KEEP(__syncthreads());
	}
	out[ME] = sum;
}

KERNEL(lanes) // no __syncwarp between lanes of one warp
{
	__shared__ unsigned s[64];
	s[T] = in[ME]; // [lanes]
	KEEP(__syncwarp());
	out[ME] = s[T ^ 1]; // [lanes]
}

KERNEL(halves) // the masks of bar.warp.sync leave out half of the lanes that exchange
{
	__shared__ unsigned s[64];
	s[T] = in[ME]; // [halves]
#ifdef BROKEN
	if (T % 32 < 16)
		asm volatile("bar.warp.sync 0x0000ffff;" ::: "memory");
	else
		asm volatile("bar.warp.sync 0xffff0000;" ::: "memory");
#else
	__syncwarp();
#endif
	out[ME] = s[T ^ 16]; // [halves]
}

KERNEL(tail) // the last steps of a reduction without __syncwarp
{
	__shared__ unsigned s[64];
	s[T] = in[ME];
	__syncthreads();
	if (T < 32) {
		s[T] += s[T + 32]; // [tail]
		__syncwarp();
		for (unsigned d = 16; d; d /= 2) {
			const unsigned v = s[T + d]; // [tail]
			KEEP(__syncwarp());
			s[T] += v; // [tail]
			KEEP(__syncwarp());
		}
	}
	if (T == 0)
		out[B] = s[0];
}

KERNEL(counts) // a histogram is read before all have counted
{
	__shared__ unsigned bin[8];
	if (T < 8)
		bin[T] = 0;
	__syncthreads();
	COUNT(&bin[in[ME] % 8]); // [counts]
	KEEP(__syncthreads());
	if (T < 8)
		out[B * 8 + T] = bin[T]; // [counts]
}

KERNEL(zeroed) // counting begins before all bins are zero
{
	__shared__ unsigned bin[64];
	bin[T] = 0; // [zeroed]
	KEEP(__syncthreads());
	COUNT(&bin[63 - T]); // [zeroed]
	__syncthreads();
	out[ME] = bin[T];
}

KERNEL(index) // double buffer: what is written is what others still read
{
	__shared__ unsigned s[2][64];
	unsigned v = in[ME];
	s[0][T] = v;
	__syncthreads();
	for (unsigned i = 0; i < 4; i++) {
		v = s[i % 2][(T + 33) % 64]; // [index]
		s[PICK((i + 1) % 2, i % 2)][T] = v + 1; // [index]
		__syncthreads();
	}
	out[ME] = v;
}

KERNEL(overlap) // neighbours: one element too far
{
	__shared__ unsigned s[130];
	s[T] = in[ME];
	__syncthreads();
	s[64 + T] = s[T] + 1; // [overlap]
	out[ME] = s[T] + s[PICK(64 + T, 64 + (T + 1) % 64)]; // [overlap]
}

KERNEL(named) // the consumers say that they are ready before they have read
{
	__shared__ unsigned s[32];
	unsigned sum = 0;
	for (unsigned i = 0; i < 3; i++) {
		if (T < 32) {
			if (i)
				asm volatile("barrier.sync 2, 64;" ::: "memory");
			s[T] = in[B * 64 + T] + i; // [named]
			asm volatile("barrier.arrive 1, 64;" ::: "memory");
		} else {
			asm volatile("barrier.sync 1, 64;" ::: "memory");
			if (PICK(false, i < 2))
				asm volatile("barrier.arrive 2, 64;" ::: "memory");
			sum += s[63 - T]; // [named]
			if (PICK(i < 2, false))
				asm volatile("barrier.arrive 2, 64;" ::: "memory");
		}
	}
	out[ME] = sum;
}

KERNEL(bytes) // neighbours share a word, which is written whole
{
	__shared__ unsigned char s[64];
	((unsigned *)s)[T % 16] = 0; // [bytes]
	KEEP(__syncthreads());
	s[63 - T] = (unsigned char)in[ME]; // [bytes]
	__syncthreads();
	out[ME] = s[T];
}

// ---- releases and acquires ----

KERNEL(release) // data, then a flag, with no fence between
{
	if (B == 0 && T == 0) {
		out[200] = in[0] + 7; // [release]
		KEEP(__threadfence());
		VOLATILE(flag) = 1;
	}
	if (B == 1 && T == 0) {
		while (!VOLATILE(flag))
			;
		__threadfence();
		out[201] = out[200]; // [release]
	}
}

KERNEL(acquire) // no fence behind the flag
{
	if (B == 0 && T == 0) {
		out[200] = in[0] + 7; // [acquire]
		__threadfence();
		VOLATILE(flag) = 1;
	}
	if (B == 1 && T == 0) {
		while (!VOLATILE(flag))
			;
		KEEP(__threadfence());
		out[201] = out[200]; // [acquire]
	}
}

KERNEL(narrow) // a fence of the CTA for a thread of another CTA
{
	if (B == 0 && T == 0) {
		out[200] = in[0] + 7; // [narrow]
		PICK(__threadfence(), __threadfence_block());
		VOLATILE(flag) = 1;
	}
	if (B == 1 && T == 0) {
		while (!VOLATILE(flag))
			;
		__threadfence();
		out[201] = out[200]; // [narrow]
	}
}

KERNEL(plain_flag) // the flag is stored by a plain store
{
	if (B == 0 && T == 0) {
		out[200] = in[0] + 7; // [plain_flag]
		__threadfence();
		PICK(VOLATILE(flag), *flag) = 1; // [plain_flag]
	}
	if (B == 1 && T == 0) {
		while (!VOLATILE(flag)) // [plain_flag]
			;
		__threadfence();
		out[201] = out[200]; // [plain_flag]
	}
}

KERNEL(scope) // atomics of block scope on what two blocks count
{
	ADD(&out[5], in[ME] % 3, PICK("gpu", "cta")); // [scope]
}

KERNEL(unlock) // the lock is given back without a fence
{
	if (T == 0) {
		while (atomicCAS(flag, 0u, 1u))
			;
		__threadfence();
		out[9] += in[ME] % 5; // [unlock]
		KEEP(__threadfence());
		atomicExch(flag, 0u);
	}
}

KERNEL(lock) // no fence behind the compare-and-swap that takes the lock
{
	if (T == 0) {
		while (atomicCAS(flag, 0u, 1u))
			;
		KEEP(__threadfence());
		out[9] += in[ME] % 5; // [lock]
		__threadfence();
		atomicExch(flag, 0u);
	}
}

KERNEL(last_block) // the last block reads what the first one has not fenced
{
	__shared__ unsigned last;
	out[ME] = in[ME] * 3; // [last_block]
	KEEP(__threadfence());
	__syncthreads();
	if (T == 0)
		last = atomicAdd(flag, 1u) == 1;
	__syncthreads();
	if (last) {
		__threadfence();
		out[128 + T] = out[T] + out[64 + T]; // [last_block]
	}
}

KERNEL(shared_flag) // a flag in shared memory without a fence
{
	__shared__ unsigned s, f;
	if (T == 0)
		f = 0;
	__syncthreads();
	if (T == 40) {
		s = in[3]; // [shared_flag]
		KEEP(__threadfence_block());
		VOLATILE(&f) = 1;
	}
	if (T == 0) {
		while (!VOLATILE(&f))
			;
		__threadfence_block();
		out[B] = s; // [shared_flag]
	}
}

// ---- asynchronous copies ----
#if __CUDA_ARCH__ >= 800

#define CP_ASYNC(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

KERNEL(copy_wait) // nobody waits for the copy
{
	__shared__ unsigned s[64];
	CP_ASYNC(&s[T], &in[ME]); // [copy_wait]
	COMMIT();
	KEEP(WAIT(0));
	out[ME] = s[T]; // [copy_wait]
}

KERNEL(copy_group) // one group too few is waited for
{
	__shared__ unsigned s[2][64];
	CP_ASYNC(&s[0][T], &in[ME]);
	COMMIT();
	CP_ASYNC(&s[1][T], &in[ME]); // [copy_group]
	COMMIT();
	WAIT(PICK(0, 1));
	out[ME] = s[0][T] + s[1][T]; // [copy_group]
}

KERNEL(copy_others) // the copy of another thread: that one has waited, but nobody has met
{
	__shared__ unsigned s[64];
	CP_ASYNC(&s[T], &in[ME]); // [copy_others]
	COMMIT();
	WAIT(0);
	KEEP(__syncthreads());
	out[ME] = s[63 - T]; // [copy_others]
}
#endif

// ---- mbarriers, bulk copies, clusters ----
#if __CUDA_ARCH__ >= 900

// Macros, so that their lines are those of the kernels.
#define init(m, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define wait(m, parity)                                                                                                \
	asm volatile("{.reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra w;}" ::"r"(address(m)),        \
	             "r"(parity)                                                                                                \
	             : "memory")
#define ARRIVE(m) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address(m)) : "memory")
#define EXPECT(m, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define BULK_IN(to, from, n, m)                                                                                        \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(           \
	                     address(to)),                                                                                      \
	             "l"(from), "r"(n), "r"(address(m))                                                                         \
	             : "memory")
#define BULK_OUT(to, from, n)                                                                                          \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(n)        \
	             : "memory")

KERNEL(arrive) // the arrival comes before the write that it is to tell of
{
	__shared__ unsigned s[64];
	__shared__ unsigned long long m;
	if (T == 0)
		init(&m, 64);
	__syncthreads();
#ifdef BROKEN
	ARRIVE(&m);
#endif
	s[T] = in[ME]; // [arrive]
#ifndef BROKEN
	ARRIVE(&m);
#endif
	wait(&m, 0);
	out[ME] = s[63 - T]; // [arrive]
}

KERNEL(init_met) // the object is used before its initialisation is known
{
	__shared__ unsigned long long m;
	if (T == 0)
		init(&m, 64); // [init_met]
	PICK(__syncthreads(), __nanosleep(1000));
	ARRIVE(&m); // [init_met]
	wait(&m, 0); // [init_met]
	out[ME] = in[ME];
}

KERNEL(bulk_wait) // the copy into shared memory is not waited for
{
	__shared__ alignas(16) unsigned s[64];
	__shared__ unsigned long long m;
	if (T == 0) {
		init(&m, 1);
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		EXPECT(&m, 256u);
		BULK_IN(s, in + B * 64, 256u, &m); // [bulk_wait]
	}
	__syncthreads();
	KEEP(wait(&m, 0));
	out[ME] = s[T]; // [bulk_wait]
}

KERNEL(stage) // a ring of two: the wrong stage is read
{
	__shared__ alignas(16) unsigned s[2][64];
	__shared__ unsigned long long m[2];
	if (T == 0) {
		init(&m[0], 1);
		init(&m[1], 1);
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		for (unsigned i = 0; i < 2; i++) {
			EXPECT(&m[i], 256u);
			BULK_IN(s[i], in + i * 64, 256u, &m[i]); // [stage]
		}
	}
	__syncthreads();
	wait(&m[0], 0);
	const unsigned v = s[PICK(0, 1)][T]; // [stage]
	wait(&m[1], 0);
	out[ME] = v + s[1][T];
}

KERNEL(proxy) // a bulk copy reads what no proxy fence has made visible
{
	__shared__ alignas(16) unsigned s[64];
	s[T] = in[ME]; // [proxy]
	KEEP(asm volatile("fence.proxy.async.shared::cta;" ::: "memory"));
	__syncthreads();
	if (T == 0) {
		BULK_OUT(out + B * 64, s, 256u); // [proxy]
		asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
	}
}

KERNEL(bulk_source) // the source is written again while the copy may still read
{
	__shared__ alignas(16) unsigned s[64];
	s[T] = in[ME];
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	if (T == 0) {
		BULK_OUT(out + B * 64, s, 256u); // [bulk_source]
		asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		KEEP(asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"));
	}
	__syncthreads();
	s[T] = 0; // [bulk_source]
	out[128 + ME] = s[T];
	if (T == 0)
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(2) cluster(unsigned *in, unsigned *out, unsigned *flag)
{ // shared memory of the other CTA is read before that one has written
	__shared__ unsigned s[64];
	cg::cluster_group c = cg::this_cluster();
	s[T] = in[ME]; // [cluster]
	PICK(c.sync(), __syncthreads());
	out[ME] = *c.map_shared_rank(&s[T], c.block_rank() ^ 1); // [cluster]
	c.sync();
}

extern "C" __global__ void __cluster_dims__(2) far_arrive(unsigned *in, unsigned *out, unsigned *flag)
{ // an arrival with the scope of the CTA at the object of another CTA
	__shared__ unsigned s[64];
	__shared__ unsigned long long m;
	cg::cluster_group c = cg::this_cluster();
	if (T == 0)
		init(&m, 64);
	c.sync();
	const unsigned there = c.block_rank() ^ 1;
	*c.map_shared_rank(&s[T], there) = in[ME]; // [far_arrive]
	unsigned at;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(address(&m)), "r"(there));
	PICK(asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at) : "memory"),
	     asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(at) : "memory"));
	wait(&m, 0);
	out[ME] = s[T]; // [far_arrive]
	c.sync();
}
#endif
