// SPDX-License-Identifier: Apache-2.0
// shapes_copy.cu -- as shapes.cu: asynchronous copies, mbarriers, clusters. Launch (<<<2, 128>>>), marks and checks are
// those of shapes.cu.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it; for A = sm_80, sm_90, sm_100:
//   nvcc -arch=$A -lineinfo -ptx -o shapes_copy_good.$A.ptx shapes_copy.cu
//   nvcc -arch=$A -lineinfo -ptx -DBROKEN -o shapes_copy_broken.$A.ptx shapes_copy.cu
//   sed -i 's|"/.*/shapes_copy.cu"|"shapes_copy.cu"|' *.ptx
//   ptxas -arch=$A -lineinfo -o shapes_copy_good.$A.cubin shapes_copy_good.$A.ptx
#ifdef BROKEN
#define KEEP(...)
#define PICK(good, broken) broken
#else
#define KEEP(...)          __VA_ARGS__
#define PICK(good, broken) good
#endif
#define KERNEL(name)  extern "C" __global__ void name(unsigned *in, unsigned *out, unsigned *flag)
#define CLUSTER(name) extern "C" __global__ void __cluster_dims__(2) name(unsigned *in, unsigned *out, unsigned *flag)
#define T             threadIdx.x
#define B             blockIdx.x
#define ME            (B * 128 + T)
#define LANE          (T % 32)
#define WARP          (T / 32)

__device__ static unsigned address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
#define DO(text)      asm volatile(text ";" ::: "memory")
#define COPY(how, to, from, n)                                                                                        \
	asm volatile("cp.async." how ".shared.global [%0], [%1], " n ";" ::"r"(address(to)), "l"(from) : "memory")
#define CP(to, from)   COPY("ca", to, from, "4")
#define CP16(to, from) COPY("cg", to, from, "16")
#define COMMIT()      DO("cp.async.commit_group")

// ---- copies of lanes ----

KERNEL(async_order) // the barrier stands in front of the wait
{
	__shared__ unsigned s[128];
	CP(&s[T], in + ME); // [async_order]
	COMMIT();
	KEEP(DO("cp.async.wait_all"));
	__syncthreads();
	DO("cp.async.wait_all");
	out[ME] = s[127 - T]; // [async_order]
}

KERNEL(async_uncommitted) // a wait for groups, and the copy is in none
{
	__shared__ unsigned s[128];
	CP(&s[T], in + ME); // [async_uncommitted]
	KEEP(COMMIT());
	DO("cp.async.wait_group 0");
	out[ME] = s[T]; // [async_uncommitted]
}

KERNEL(async_ring) // three stages: one group too few is waited for
{
	__shared__ unsigned s[3][128];
	unsigned sum = 0;
	for (unsigned i = 0; i < 6; i++) {
		CP(&s[i % 3][T], in + (ME + i) % 256); // [async_ring]
		COMMIT();
		if (!i)
			continue;
		PICK(DO("cp.async.wait_group 1"), DO("cp.async.wait_group 2"));
		sum += s[(i - 1) % 3][T]; // [async_ring]
	}
	DO("cp.async.wait_all");
	out[ME] = sum;
}

KERNEL(async_overwrite) // the next copy comes while other threads still read
{
	__shared__ unsigned s[128];
	unsigned sum = 0;
	for (unsigned i = 0; i < 3; i++) {
		CP(&s[T], in + (ME + i) % 256); // [async_overwrite]
		DO("cp.async.wait_all");
		__syncthreads();
		sum += s[127 - T]; // [async_overwrite]
		KEEP(__syncthreads());
	}
	out[ME] = sum;
}

KERNEL(async_source) // the source is overwritten while the copy may still read
{
	__shared__ unsigned s[128];
	CP(&s[T], in + ME); // [async_source]
	KEEP(DO("cp.async.wait_all"));
	in[ME] = 0; // [async_source]
	DO("cp.async.wait_all");
	out[ME] = s[T];
}

KERNEL(async_wide) // one lane copies for four, which have not met behind the wait
{
	__shared__ alignas(16) unsigned s[128];
	if (T % 4 == 0)
		CP16(&s[T], in + ME); // [async_wide]
	DO("cp.async.wait_all");
	KEEP(__syncwarp());
	out[ME] = s[T]; // [async_wide]
}

KERNEL(async_index) // the wait is for the own copy, the word is the neighbour's
{
	__shared__ unsigned s[128];
	CP(&s[T], in + ME); // [async_index]
	DO("cp.async.wait_all");
	out[ME] = s[PICK(T, T ^ 1)]; // [async_index]
}

// ---- mbarriers ----
#if __CUDA_ARCH__ >= 900

#define INIT(m, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define WAIT(m, parity)                                                                                                \
	asm volatile("{.reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra w;}" ::"r"(address(m)), \
	             "r"(parity)                                                                                       \
	             : "memory")
#define ARRIVE(m) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address(m)) : "memory")
#define DROP(m)   asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(address(m)) : "memory")
#define EXPECT(m, n)                                                                                                   \
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define BULK_IN(to, from, n, m)                                                                                        \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(  \
	                     address(to)),                                                                             \
	             "l"(from), "r"(n), "r"(address(m))                                                                \
	             : "memory")
#define BULK_OUT(to, from, n)                                                                                          \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)),      \
	             "r"(n)                                                                                            \
	             : "memory")
#define BULK_ADD(to, from, n)                                                                                          \
	asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to),           \
	             "r"(address(from)), "r"(n)                                                                        \
	             : "memory")
#define BULK_COMMIT()  DO("cp.async.bulk.commit_group")
#define PROXY_SHARED() DO("fence.proxy.async.shared::cta")

KERNEL(mbar_leader) // one lane arrives for its warp, which has not met
{
	__shared__ unsigned s[128];
	__shared__ unsigned long long m;
	if (T == 0)
		INIT(&m, 4);
	__syncthreads();
	s[T] = in[ME]; // [mbar_leader]
	KEEP(__syncwarp());
	if (LANE == 0)
		ARRIVE(&m);
	WAIT(&m, 0);
	out[ME] = s[127 - T]; // [mbar_leader]
}

KERNEL(mbar_drop) // the store comes behind the last arrival of a warp that leaves
{
	__shared__ unsigned s[128];
	__shared__ unsigned long long m;
	if (T == 0)
		INIT(&m, 128);
	__syncthreads();
	if (WARP == 0) {
		PICK(s[T] = in[ME], (void)0);
		DROP(&m);
		PICK((void)0, s[T] = in[ME]); // [mbar_drop]
		return;
	}
	ARRIVE(&m);
	WAIT(&m, 0);
	out[ME] = s[LANE]; // [mbar_drop]
}

KERNEL(mbar_two) // two objects: the wait is at that of the other half
{
	__shared__ unsigned s[128];
	__shared__ unsigned long long m[2];
	if (T < 2)
		INIT(&m[T], 64);
	__syncthreads();
	s[T] = in[ME]; // [mbar_two]
	ARRIVE(&m[T / 64]);
	WAIT(&m[PICK(T / 64 ^ 1, T / 64)], 0);
	out[ME] = s[T ^ 64]; // [mbar_two]
}

// ---- bulk copies ----

KERNEL(ring_parity) // a ring of two stages, and waits with the other parity: copies meet reads and older copies
{
	__shared__ alignas(16) unsigned s[2][128];
	__shared__ unsigned long long m[2];
	unsigned sum = 0;
	if (T == 0) {
		INIT(&m[0], 1);
		INIT(&m[1], 1);
		DO("fence.mbarrier_init.release.cluster");
		PROXY_SHARED();
	}
	__syncthreads();
	for (unsigned i = 0; i < 4; i++) {
		if (T == 0) {
			EXPECT(&m[i % 2], 512u);
			BULK_IN(s[i % 2], in + i % 2 * 128, 512u, &m[i % 2]); // [ring_parity:1] // [ring_parity:2]
		}
		WAIT(&m[i % 2], PICK(i / 2, i / 2 + 1) % 2);
		sum += s[i % 2][T]; // [ring_parity:1]
		__syncthreads();
	}
	out[ME] = sum;
}

KERNEL(ring_empty) // readers give the stage back before they have read
{
	__shared__ alignas(16) unsigned s[32];
	__shared__ unsigned long long full, empty;
	unsigned sum = 0;
	if (T == 0) {
		INIT(&full, 1);
		INIT(&empty, 32);
		PROXY_SHARED();
	}
	__syncthreads();
	for (unsigned i = 0; i < 3; i++) {
		if (T == 0) {
			if (i)
				WAIT(&empty, (i - 1) % 2);
			EXPECT(&full, 128u);
			BULK_IN(s, in + i * 32, 128u, &full); // [ring_empty]
		} else if (WARP == 1) {
			WAIT(&full, i % 2);
			PICK(sum += s[LANE], (void)0);
			ARRIVE(&empty);
			PICK((void)0, sum += s[LANE]); // [ring_empty]
		}
	}
	out[ME] = sum;
}

KERNEL(out_complete) // the copy has read its source, its target need not be written
{
	__shared__ alignas(16) unsigned s[128];
	s[T] = in[ME];
	PROXY_SHARED();
	__syncthreads();
	if (T == 0) {
		BULK_OUT(out + B * 128, s, 512u); // [out_complete]
		BULK_COMMIT();
		PICK(DO("cp.async.bulk.wait_group 0"), DO("cp.async.bulk.wait_group.read 0"));
		flag[B] = out[ME]; // [out_complete]
		DO("cp.async.bulk.wait_group 0");
	}
}

KERNEL(reduce_read) // sums in global memory are read while the copy adds
{
	__shared__ alignas(16) unsigned s[128];
	s[T] = in[ME];
	PROXY_SHARED();
	__syncthreads();
	if (T == 0) {
		BULK_ADD(out + B * 128, s, 512u); // [reduce_read]
		BULK_COMMIT();
		KEEP(DO("cp.async.bulk.wait_group 0"));
	}
	__syncthreads();
	flag[ME] = out[ME]; // [reduce_read]
	if (T == 0)
		DO("cp.async.bulk.wait_group 0");
}

KERNEL(proxy_global) // stores in global memory are copied without a fence between the proxies
{
	__shared__ alignas(16) unsigned s[128];
	__shared__ unsigned long long m;
	out[ME] = in[ME]; // [proxy_global]
	if (T == 0) {
		INIT(&m, 1);
		PROXY_SHARED();
	}
	KEEP(DO("fence.proxy.async.global"));
	__syncthreads();
	if (T == 0) {
		EXPECT(&m, 512u);
		BULK_IN(s, out + B * 128, 512u, &m); // [proxy_global]
	}
	WAIT(&m, 0);
	flag[ME] = s[T];
}

KERNEL(proxy_wrong) // the fence is for the other memory
{
	__shared__ alignas(16) unsigned s[128];
	s[T] = in[ME]; // [proxy_wrong]
	PICK(PROXY_SHARED(), DO("fence.proxy.async.global"));
	__syncthreads();
	if (T == 0) {
		BULK_OUT(out + B * 128, s, 512u); // [proxy_wrong]
		BULK_COMMIT();
		DO("cp.async.bulk.wait_group 0");
	}
}

KERNEL(proxy_early) // one thread fences for all, but in front of the barrier
{
	__shared__ alignas(16) unsigned s[128];
	s[T] = in[ME]; // [proxy_early]
#ifdef BROKEN
	if (T == 0)
		PROXY_SHARED();
#endif
	__syncthreads();
	if (T == 0) {
		KEEP(PROXY_SHARED());
		BULK_OUT(out + B * 128, s, 512u); // [proxy_early]
		BULK_COMMIT();
		DO("cp.async.bulk.wait_group 0");
	}
}

KERNEL(bulk_overlap) // the second copy goes to the words of the first one
{
	__shared__ alignas(16) unsigned s[256];
	__shared__ unsigned long long m;
	if (T == 0) {
		INIT(&m, 1);
		PROXY_SHARED();
		EXPECT(&m, 1024u);
		BULK_IN(s, in, 512u, &m);                         // [bulk_overlap]
		BULK_IN(s + PICK(128, 64), in + 128, 512u, &m); // [bulk_overlap]
	}
	__syncthreads();
	WAIT(&m, 0);
	out[ME] = s[T];
}

// ---- clusters ----

__device__ static unsigned there(const void *p, unsigned rank)
{
	unsigned at;
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(address(p)), "r"(rank));
	return at;
}
#define MEET()            DO("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned")
#define FAR_LOAD(v, at)  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory")
#define FAR_ADD(how, at) asm volatile("red." how ".shared::cluster.add.u32 [%0], 1;" ::"r"(at) : "memory")
#define FAR_WAIT(v, at)                                                                                                \
	do                                                                                                             \
		asm volatile("ld.acquire.cluster.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");       \
	while (!(v))
#define ST_ASYNC(at, v, object)                                                                                        \
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at), "r"(v),    \
	             "r"(object)                                                                                       \
	             : "memory")
#define FAR_BULK(at, from, n, object)                                                                                  \
	asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: \
	                     "r"(at),                                                                                  \
	             "r"(address(from)), "r"(n), "r"(object)                                                           \
	             : "memory")
#define FAR_STORE(at, v) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(v) : "memory")

CLUSTER(far_late) // the store to the other CTA comes behind the arrival
{
	__shared__ unsigned s[128];
	const unsigned at = there(&s[T], B ^ 1), v = in[ME];
	MEET();
	PICK(FAR_STORE(at, v), (void)0);
	DO("barrier.cluster.arrive.aligned");
	PICK((void)0, FAR_STORE(at, v)); // [far_late]
	DO("barrier.cluster.wait.aligned");
	out[ME] = s[T]; // [far_late]
	MEET();
}

CLUSTER(far_reuse) // the owner overwrites what the other CTA may still read
{
	__shared__ unsigned s[128];
	unsigned v;
	s[T] = in[ME];
	MEET();
	FAR_LOAD(v, there(&s[127 - T], B ^ 1)); // [far_reuse]
	PICK(MEET(), __syncthreads());
	s[T] = v; // [far_reuse]
	MEET();
	out[ME] = s[T];
}

CLUSTER(far_sum) // counts of the other CTA are read behind a barrier of the own one
{
	__shared__ unsigned n[4];
	if (T < 4)
		n[T] = 0;
	MEET();
	FAR_ADD("relaxed.cluster", there(&n[T % 4], B ^ 1)); // [far_sum]
	PICK(MEET(), __syncthreads());
	if (T < 4)
		out[B * 4 + T] = n[T]; // [far_sum]
	MEET();
}

CLUSTER(far_rank) // a barrier of the CTA, and the rank is that of the other CTA
{
	__shared__ unsigned s[128];
	unsigned v;
	s[T] = in[ME]; // [far_rank]
	__syncthreads();
	FAR_LOAD(v, there(&s[127 - T], PICK(B, B ^ 1))); // [far_rank]
	out[ME] = v;
	MEET();
}

CLUSTER(far_async) // values that are sent to the other CTA, which does not wait for them
{
	__shared__ unsigned s[128];
	__shared__ unsigned long long m;
	if (T == 0) {
		INIT(&m, 1);
		DO("fence.mbarrier_init.release.cluster");
		EXPECT(&m, 512u);
	}
	MEET();
	const unsigned at = there(&s[T], B ^ 1), object = there(&m, B ^ 1), v = in[ME];
	ST_ASYNC(at, v, object); // [far_async]
	KEEP(WAIT(&m, 0));
	out[ME] = s[T]; // [far_async]
	WAIT(&m, 0);
	MEET();
}

CLUSTER(far_bulk) // a copy to the other CTA, which does not wait for it
{
	__shared__ alignas(16) unsigned s[2][128];
	__shared__ unsigned long long m;
	s[0][T] = in[ME];
	PROXY_SHARED();
	if (T == 0) {
		INIT(&m, 1);
		DO("fence.mbarrier_init.release.cluster");
		EXPECT(&m, 512u);
	}
	MEET();
	if (T == 0)
		FAR_BULK(there(s[1], B ^ 1), s[0], 512u, there(&m, B ^ 1)); // [far_bulk]
	KEEP(WAIT(&m, 0));
	out[ME] = s[1][T]; // [far_bulk]
	WAIT(&m, 0);
	MEET();
}

CLUSTER(far_flag) // a flag in the other CTA, released with the scope of the own one
{
	__shared__ unsigned s, up;
	unsigned v;
	if (T == 0)
		up = 0;
	MEET();
	if (T == 0 && B == 0) {
		FAR_STORE(there(&s, 1), in[5]); // [far_flag:1]
		FAR_ADD(PICK("release.cluster", "release.cta"), there(&up, 1)); // [far_flag:2]
	}
	if (T == 0 && B == 1) {
		FAR_WAIT(v, there(&up, 1)); // [far_flag:2]
		out[0] = s; // [far_flag:1]
	}
	MEET();
}
#endif
