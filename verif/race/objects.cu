// SPDX-License-Identifier: Apache-2.0
// objects.cu -- as shapes.cu: lives of mbarriers, mbarriers that copies complete at, first looks of compare-and-swaps.
// Marks and checks are those of shapes.cu, and the launch (<<<2, 128>>>).
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it:
//   nvcc -arch=sm_90 -lineinfo -ptx -o objects_good.sm_90.ptx objects.cu
//   nvcc -arch=sm_90 -lineinfo -ptx -DBROKEN -o objects_broken.sm_90.ptx objects.cu
//   sed -i 's|"/.*/objects.cu"|"objects.cu"|' *.ptx
//   ptxas -arch=sm_90 -lineinfo -o objects_good.sm_90.cubin objects_good.sm_90.ptx
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
#define VOLATILE(p)   (*(volatile unsigned *)(p))
#define DO(text)      asm volatile(text ";" ::: "memory")
#define DO_AT(text, p) asm volatile(text ::"r"(address(p)) : "memory")
#define INIT(m, n)    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define ARRIVE(m)     DO_AT("mbarrier.arrive.shared.b64 _, [%0];", m)
#define INVAL(m)      DO_AT("mbarrier.inval.shared.b64 [%0];", m)
#define WAIT(m)       DO_AT("{.reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra w;}", m)
#define EXPECT(m, n)                                                                                                   \
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define MEET()        DO("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned")
// Copies of 512 bytes: to both CTAs of a cluster, and to another CTA; a value for another CTA.
#define SPREAD(to, from, m)                                                                                            \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"            \
	             " [%0], [%1], 512, [%2], 3;" ::"r"(address(to)),                                                  \
	             "l"(from), "r"(address(m))                                                                        \
	             : "memory")
#define PASS(to, from, m)                                                                                              \
	asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];"      \
	             ::"r"(to), "r"(address(from)), "r"(m)                                                             \
	             : "memory")
#define SEND(to, v, m)                                                                                                 \
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(v),    \
	             "r"(m)                                                                                            \
	             : "memory")
#define OUT(to, from)                                                                                                  \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(to), "r"(address(from)) : "memory")
__device__ static unsigned address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
__device__ static unsigned there(const void *p, unsigned rank)
{
	unsigned at;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(address(p)), "r"(rank));
	return at;
}

KERNEL(inval_met) // the object is given up before all have passed
{
	__shared__ unsigned long long m;
	if (T == 0)
		INIT(&m, 128);
	__syncthreads();
	ARRIVE(&m); WAIT(&m); // [inval_met] (one line: ptxas gives the wait the line of the arrival)
	KEEP(__syncthreads());
	if (T == 0)
		INVAL(&m); // [inval_met]
	__syncthreads();
	if (T == 0)
		m = in[0];
	__syncthreads();
	out[ME] = (unsigned)m;
}

CLUSTER(far_object) // a copy to both CTAs; nothing tells that the other CTA has made its mbarrier
{
	__shared__ alignas(128) unsigned s[128];
	__shared__ unsigned long long m;
	if (T == 0) {
		INIT(&m, 1); // [far_object]
		DO("fence.mbarrier_init.release.cluster");
		EXPECT(&m, 512u);
	}
	PICK(MEET(), __syncthreads());
	if (B == 0 && T == 0)
		SPREAD(s, in, &m); // [far_object]
	WAIT(&m);
	out[ME] = s[T];
	MEET();
}

CLUSTER(far_value) // values for the other CTA; likewise
{
	__shared__ alignas(16) unsigned s[128];
	__shared__ unsigned long long m;
	if (T == 0) {
		INIT(&m, 1); // [far_value]
		DO("fence.mbarrier_init.release.cluster");
		EXPECT(&m, 512u);
	}
	PICK(MEET(), __syncthreads());
	const unsigned to = there(&s[T], B ^ 1), object = there(&m, B ^ 1), v = in[ME];
	SEND(to, v, object); // [far_value]
	WAIT(&m);
	out[ME] = s[T];
	MEET();
}

CLUSTER(far_proxy) // a copy between the CTAs reads what no proxy fence has made visible
{
	__shared__ alignas(128) unsigned s[128], r[128];
	__shared__ unsigned long long m;
	if (T == 0) {
		INIT(&m, 1);
		DO("fence.mbarrier_init.release.cluster");
		EXPECT(&m, 512u);
	}
	MEET();
	s[T] = in[ME]; // [far_proxy]
	KEEP(DO("fence.proxy.async.shared::cta"));
	__syncthreads();
	if (T == 0)
		PASS(there(r, B ^ 1), s, there(&m, B ^ 1)); // [far_proxy]
	WAIT(&m);
	out[ME] = r[T];
	MEET();
}

KERNEL(look_wide) // a first look of 8 bytes, whose address and value move before the compare-and-swap
{
	__shared__ unsigned long long a;
	if (T == 5)
		a = 0; // [look_wide]
	KEEP(__syncthreads());
	unsigned long long old = *(volatile unsigned long long *)&a, seen; // [look_wide]
	do {
		seen = old;
		old = atomicCAS(&a, seen, seen + in[ME]); // [look_wide]
	} while (old != seen);
	__syncthreads();
	out[ME] = (unsigned)a;
}

KERNEL(chase) // a plain load of the word that others swap; its value chooses another word
{
	const unsigned p = PICK(VOLATILE(&out[T % 8]), out[T % 8]); // [chase]
	if (p < 200)
		atomicCAS(&out[p], p, T + 1); // [chase]
}

KERNEL(out_written) // the target is read when the copy has read its source
{
	__shared__ alignas(128) unsigned s[128];
	s[T] = in[ME];
	DO("fence.proxy.async.shared::cta");
	__syncthreads();
	if (T == 0) {
		OUT(out + B * 128, s); // [out_written]
		DO("cp.async.bulk.commit_group");
		PICK(DO("cp.async.bulk.wait_group 0"), DO("cp.async.bulk.wait_group.read 0"));
	}
	__syncthreads();
	flag[ME] = out[ME]; // [out_written]
}
