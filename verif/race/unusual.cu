// SPDX-License-Identifier: Apache-2.0
// unusual.cu -- kernels with legal synchronisation that few programs use, and the same kernels broken (-DBROKEN). Launch,
// marks and checks are those of race.cu: <<<2, 64>>>.
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it:
//   nvcc -arch=sm_90 -lineinfo -ptx -o unusual_good.sm_90.ptx unusual.cu
//   nvcc -arch=sm_90 -lineinfo -ptx -DBROKEN -o unusual_broken.sm_90.ptx unusual.cu
//   sed -i 's|"/.*/unusual.cu"|"unusual.cu"|' *.ptx; ptxas -arch=sm_90 -lineinfo -o unusual_good.sm_90.cubin unusual_good.sm_90.ptx
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
#define ME           (B * 64 + T)

__device__ static unsigned address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}
#define LOAD(how, v, p)      asm volatile("ld." how ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define STORE(how, p, v)     asm volatile("st." how ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define RED(how, p, v)       asm volatile("red." how ".add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ATOM(how, old, p, v) asm volatile("atom." how ".add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory")
#define FENCE(how)           asm volatile("fence." how ";" ::: "memory")

// ---- scopes and patterns ----

KERNEL(release_red) // a counting flag: each thread of CTA 0 releases by itself
{
	unsigned v;
	if (B == 0) {
		out[T] = in[T]; // [release_red]
		RED(PICK("release.gpu", "relaxed.gpu") ".global", flag, 1);
		return;
	}
	do
		LOAD("acquire.gpu.global", v, flag);
	while (v < 64);
	out[128 + T] = out[T]; // [release_red]
}

KERNEL(wide_and_wider) // scopes differ, each one reaches the other thread
{
	unsigned v;
	if (B == 0) {
		if (T == 0) {
			out[0] = in[0]; // [wide_and_wider]
			STORE("release.sys.global", flag, 1);
		}
		return;
	}
	if (T == 0) {
		do
			LOAD(PICK("acquire.gpu", "relaxed.gpu") ".global", v, flag);
		while (!v);
		out[128] = out[0]; // [wide_and_wider]
	}
}

KERNEL(chain) // three warps hand a value on: what the first has written is known to the third
{
	const unsigned w = B * 2 + T / 32;
	unsigned v;
	if (T % 32)
		return;
	if (w == 0) {
		out[0] = in[0]; // [chain]
		STORE("release.gpu.global", flag, 1);
	} else if (w == 1) {
		do
			LOAD(PICK("acquire.gpu", "relaxed.gpu") ".global", v, flag);
		while (!v);
		STORE("release.gpu.global", flag + 32, 1);
	} else if (w == 2) {
		do
			LOAD("acquire.gpu.global", v, flag + 32);
		while (!v);
		out[128] = out[0]; // [chain]
	}
}

KERNEL(sequence) // a read-modify-write by a third thread does not end a release sequence; a plain store order would
{
	const unsigned w = B * 2 + T / 32;
	unsigned v;
	if (T % 32)
		return;
	if (w == 0) {
		out[0] = in[0]; // [sequence]
		RED(PICK("release.gpu", "relaxed.gpu") ".global", flag, 1);
	} else if (w == 1) {
		do
			LOAD("relaxed.gpu.global", v, flag);
		while (v != 1);
		RED("relaxed.gpu.global", flag, 1);
	} else if (w == 2) {
		do
			LOAD("acquire.gpu.global", v, flag);
		while (v != 2);
		out[128] = out[0]; // [sequence]
	}
}

KERNEL(one_waits) // one lane acquires for its warp, and __syncwarp hands the order on
{
	unsigned v;
	if (B == 0) {
		out[T] = in[T]; // [one_waits]
		__syncthreads();
		if (T == 0)
			STORE("release.gpu.global", flag, 1);
		return;
	}
	if (T % 32 == 0)
		do
			LOAD("acquire.gpu.global", v, flag);
		while (!v);
	KEEP(__syncwarp());
	out[128 + T] = out[T]; // [one_waits]
}

KERNEL(grid_barrier) // a barrier of the grid that counts
{
	unsigned v;
	out[ME] = in[ME]; // [grid_barrier]
	__syncthreads();
	if (T == 0) {
		KEEP(__threadfence());
		RED("relaxed.gpu.global", flag, 1);
		do
			LOAD("relaxed.gpu.global", v, flag);
		while (v < 2);
		__threadfence();
	}
	__syncthreads();
	out[128 + ME] = out[ME ^ 64]; // [grid_barrier]
}

KERNEL(ticket) // a lock with tickets
{
	unsigned mine, v;
	if (T % 32)
		return;
	ATOM("relaxed.gpu.global", mine, flag, 1);
	do
		LOAD("acquire.gpu.global", v, flag + 32);
	while (v != mine);
	out[0] += in[ME]; // [ticket]
	STORE(PICK("release.gpu", "relaxed.gpu") ".global", flag + 32, mine + 1);
}

KERNEL(dekker) // all accesses are strong: no race, whatever the outcome
{
	unsigned v;
	if (T)
		return;
	PICK(STORE("relaxed.gpu.global", flag + 32 * B, 1), STORE("weak.global", flag + 32 * B, 1)); // [dekker]
	FENCE("sc.gpu");
	LOAD("relaxed.gpu.global", v, flag + 32 * (1 - B)); // [dekker]
	out[B] = v;
}

KERNEL(shared_acquire) // a flag in shared memory, read and written with order
{
	__shared__ unsigned s[64], f;
	unsigned v;
	if (T == 0)
		f = 0;
	__syncthreads();
	if (T < 32) {
		s[T] = in[ME]; // [shared_acquire]
		__syncwarp();
		if (T == 0)
			asm volatile(PICK("red.release.cta.shared.add.u32 [%0], 1;",
			                  "red.relaxed.cta.shared.add.u32 [%0], 1;")::"r"(address(&f))
			             : "memory");
	} else {
		if (T == 32)
			do
				asm volatile("atom.acquire.cta.shared.add.u32 %0, [%1], 0;"
				             : "=r"(v)
				             : "r"(address(&f))
				             : "memory");
			while (!v);
		__syncwarp();
		out[ME] = s[T - 32]; // [shared_acquire]
	}
}

// ---- barriers ----

KERNEL(pipe) // two named barriers: full and empty, a producer warp and a consumer warp
{
	__shared__ unsigned s[32];
	unsigned sum = 0;
	for (unsigned i = 0; i < 4; i++)
		if (T < 32) {
			PICK(if (i) asm volatile("bar.sync 2, 64;" ::: "memory"), (void)0);
			s[T] = in[ME] + i; // [pipe]
			PICK((void)0, if (i) asm volatile("bar.sync 2, 64;" ::: "memory"));
			asm volatile("bar.arrive 1, 64;" ::: "memory");
		} else {
			asm volatile("bar.sync 1, 64;" ::: "memory");
			sum += s[T - 32]; // [pipe]
			if (i < 3)
				asm volatile("bar.arrive 2, 64;" ::: "memory");
		}
	out[ME] = sum;
}

KERNEL(voting) // the barrier of a reduction orders as any barrier does; a vote does not
{
	__shared__ unsigned s[64];
	s[T] = in[ME]; // [voting]
	const unsigned n = PICK(__syncthreads_count(in[ME] & 1), __popc(__ballot_sync(~0u, in[ME] & 1)));
	out[ME] = s[63 - T] + n; // [voting]
}

KERNEL(part) // groups of lanes that meet by their own masks, and exchange inside of them
{
	__shared__ unsigned s[64];
	const unsigned group = T % 32 / 8;
	s[T] = in[ME]; // [part]
	__syncwarp(0xffu << 8 * group);
	out[ME] = s[PICK(T ^ 7, T ^ 8)]; // [part]
}

KERNEL(leaves) // half of the warps end: barrier 0 is that of those who stay
{
	__shared__ unsigned s[64];
	if (T >= 32) {
		s[T] = in[ME]; // [leaves]
		PICK(asm volatile("bar.arrive 3, 64;" ::: "memory"), (void)0);
		return;
	}
	PICK(asm volatile("bar.sync 3, 64;" ::: "memory"), __syncwarp());
	out[ME] = s[T + 32]; // [leaves]
}

// ---- mbarriers, copies ----

#define INIT(m, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(m)), "r"(n) : "memory")
#define WAIT(m, parity)                                                                                                \
	asm volatile(                                                                                                  \
	        "{.reg .pred p; w: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra w;}" ::"r"(address(m)),    \
	        "r"(parity)                                                                                            \
	        : "memory")
#define ARRIVE(m) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address(m)) : "memory")

KERNEL(phases) // an object for many phases: the parity follows the phase
{
	__shared__ unsigned s[2][64];
	__shared__ unsigned long long m;
	unsigned sum = 0;
	if (T == 0)
		INIT(&m, 64);
	__syncthreads();
	for (unsigned i = 0; i < 4; i++) {
		s[i % 2][T] = in[ME] + i; // [phases]
		ARRIVE(&m);
		WAIT(&m, PICK(i % 2, (i + 1) % 2));
		sum += s[i % 2][63 - T]; // [phases]
	}
	out[ME] = sum;
}

KERNEL(token) // test_wait with the token of the arrival
{
	__shared__ unsigned s[64];
	__shared__ unsigned long long m;
	unsigned long long t;
	unsigned done;
	if (T == 0)
		INIT(&m, 64);
	__syncthreads();
	s[T] = in[ME]; // [token]
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(address(&m)) : "memory");
	do
		asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
		             : "=r"(done)
		             : "r"(address(&m)), "l"(t)
		             : "memory");
	while (PICK(!done, done > 1));
	out[ME] = s[63 - T]; // [token]
}

KERNEL(groups) // copies in three groups: what is read belongs to groups that are complete
{
	__shared__ unsigned s[3][64];
	unsigned sum = 0;
	for (unsigned k = 0; k < 3; k++) {
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(&s[k][T])),
		             "l"(in + ((ME + 64 * k) & 127)) // [groups]
		             : "memory");
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
	PICK(asm volatile("cp.async.wait_group 1;" ::: "memory"), asm volatile("cp.async.wait_group 2;" ::: "memory"));
	sum = s[0][T] + s[1][T]; // [groups]
	asm volatile("cp.async.wait_all;" ::: "memory");
	__syncthreads();
	out[ME] = sum + s[2][63 - T];
}

KERNEL(noinc) // an mbarrier is told when the copies of a thread are complete
{
	__shared__ unsigned s[64];
	__shared__ unsigned long long m;
	if (T == 0)
		INIT(&m, 64);
	__syncthreads();
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(&s[T])), "l"(in + ME) // [noinc]
	             : "memory");
	PICK(asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address(&m)) : "memory"), ARRIVE(&m));
	WAIT(&m, 0);
	out[ME] = s[63 - T]; // [noinc]
	asm volatile("cp.async.wait_all;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(2) far_store(unsigned *in, unsigned *out, unsigned *flag)
{ // shared memory of the other CTA is written, then both meet; a relaxed arrival releases nothing
	__shared__ unsigned s[64];
	unsigned there, me;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(me));
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(&s[T])), "r"(me ^ 1));
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
	asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(in[ME]) : "memory"); // [far_store]
	PICK(asm volatile("barrier.cluster.arrive.release.aligned;" ::
	                          : "memory"),
	     asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::
	                          : "memory"));
	asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
	out[ME] = s[T]; // [far_store]
}

extern "C" __global__ void __cluster_dims__(2) far_count(unsigned *in, unsigned *out, unsigned *flag)
{ // atomics of the scope of the cluster on one counter of CTA 0
	__shared__ unsigned n;
	unsigned there;
	if (T == 0)
		n = 0;
	asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(address(&n)));
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
	asm volatile(PICK("red.relaxed.cluster", "red.relaxed.cta") ".shared::cluster.add.u32 [%0], 1;" ::"r"(there) // [far_count]
	             : "memory");
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
	if (T == 0)
		out[B] = n;
}
