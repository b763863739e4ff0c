// SPDX-License-Identifier: Apache-2.0
// further.cu -- as shapes.cu: lanes that read together, sizes, scopes, volatile, relaxed mbarriers. Marks and checks
// are those of shapes.cu, and the launch (<<<2, 128>>>).
//
// The cubins beside this file are what nvcc 13.0 (V13.0.88) makes of it:
//   nvcc -arch=sm_90 -lineinfo -ptx -o further_good.sm_90.ptx further.cu
//   nvcc -arch=sm_90 -lineinfo -ptx -DBROKEN -o further_broken.sm_90.ptx further.cu
//   sed -i 's|"/.*/further.cu"|"further.cu"|' *.ptx
//   ptxas -arch=sm_90 -lineinfo -o further_good.sm_90.cubin further_good.sm_90.ptx
#ifdef BROKEN
#define KEEP(...)
#define PICK(good, broken) broken
#else
#define KEEP(...)          __VA_ARGS__
#define PICK(good, broken) good
#endif
#define KERNEL(name) extern "C" __global__ void name(unsigned *in, unsigned *out, unsigned *flag)
#define CLUSTER(name) extern "C" __global__ void __cluster_dims__(2) name(unsigned *in, unsigned *out, unsigned *flag)
#define T            threadIdx.x
#define B            blockIdx.x
#define ME           (B * 128 + T)
#define LANE         (T % 32)
#define WARP         (T / 32)
#define BAR(how, id, n)      asm volatile("bar." how " %0, %1;" ::"r"(id), "r"(n) : "memory")
#define LOAD(how, v, p)      asm volatile("ld." how ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define STORE(how, p, v)     asm volatile("st." how ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define DO(text)      asm volatile(text ";" ::: "memory")
#define ARRIVE(how, bar)     DO_AT("mbarrier.arrive" how ".shared::cta.b64 _, [%0];", bar)
#define DO_AT(text, p)       asm volatile(text ::"r"(address(p)) : "memory")
#define ASK(how, done, bar)                                                                                            \
	asm volatile("{.reg .pred p; mbarrier." how ".shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"              \
	             : "=r"(done)                                                                                      \
	             : "r"(address(bar))                                                                               \
	             : "memory")
#define CP(to, from)                                                                                                   \
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(to)), "l"(from) : "memory")
#define VOLATILE(p)          (*(volatile unsigned *)(p))
__device__ static unsigned address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

KERNEL(own_bcast) // one lane writes, all lanes of the warp read the word
{
	__shared__ unsigned s[4];
	if (LANE == 3)
		s[WARP] = in[ME]; // [own_bcast]
	PICK(__syncwarp(), DO("// none"));
	out[ME] = VOLATILE(&s[WARP]); // [own_bcast]
}

KERNEL(own_plain) // lanes read words of other lanes, two lanes a word
{
	__shared__ unsigned s[4][32];
	s[WARP][31 - LANE] = in[ME]; // [own_plain]
	KEEP(__syncwarp());
	out[ME] = s[WARP][(LANE * 7) % 16]; // [own_plain]
}

KERNEL(dup_perm) // several warps read words in no order of addresses
{
	__shared__ unsigned s[128];
	s[T] = in[ME]; // [dup_perm]
	KEEP(__syncthreads());
	out[ME] = s[(T * 7 + 32) % 16 + 64] + s[(127 - T) / 2]; // [dup_perm]
}

KERNEL(three_readers) // the writer waits for two readers of three
{
	__shared__ unsigned s[32];
	if (WARP == 0)
		s[T] = in[ME];
	__syncthreads();
	unsigned v = 0;
	if (WARP < 3) {
		v = s[LANE ^ 5]; // [three_readers]
		if (WARP < PICK(3, 2))
			BAR("arrive", 1, PICK(128, 96));
	} else {
		BAR("sync", 1, PICK(128, 96));
		s[LANE] = 7; // [three_readers]
	}
	out[ME] = v;
}

KERNEL(vol_all) // a flag and data, all volatile: strong, and no order is needed
{
	if (B == 0) {
		if (T == 0) {
			PICK(VOLATILE(out) = 9, out[0] = 9); // [vol_all]
			VOLATILE(flag) = 1;
		}
	} else if (T < 32) {
		while (VOLATILE(flag) != 1)
			;
		out[128 + T] = VOLATILE(out); // [vol_all]
	}
}

KERNEL(bar_red) // a barrier that counts
{
	__shared__ unsigned s[128];
	unsigned n;
	s[T] = in[ME]; // [bar_red]
	PICK(n = __syncthreads_count(s[T] & 1), (__syncwarp(), n = 1));
	out[ME] = s[127 - T] + n; // [bar_red]
}

KERNEL(vec_byte) // 16 bytes at a time, then one byte
{
	__shared__ uint4 s[32];
	if (WARP == 0)
		s[T] = make_uint4(in[T], 2, 3, 4); // [vec_byte]
	KEEP(__syncthreads());
	if (WARP == 2)
		out[ME] = ((unsigned char *)s)[16 * LANE + 13]; // [vec_byte]
}

KERNEL(atom_same) // atomics of two warps, then a plain load
{
	__shared__ unsigned s;
	if (T == 0)
		s = 0;
	__syncthreads();
	if (WARP < 2)
		atomicAdd(&s, in[ME]); // [atom_same]
	KEEP(__syncthreads());
	if (WARP == 3)
		out[ME] = s; // [atom_same]
}

KERNEL(cta_atom) // atomics of two CTAs, with block scope
{
	if (T == 0)
		PICK(atomicAdd(flag, 1), atomicAdd_block(flag, 1)); // [cta_atom]
}

KERNEL(relaxed_wait) // a relaxed wait acquires nothing; only the PTX tells
{
	__shared__ unsigned long long bar;
	__shared__ unsigned s[128];
	unsigned done = 0;
	if (T == 0)
		DO_AT("mbarrier.init.shared.b64 [%0], 32;", &bar);
	__syncthreads();
	if (WARP == 0) {
		s[T] = in[ME]; // [relaxed_wait]
		ARRIVE("", &bar);
	} else if (WARP == 1) {
		while (!done)
			ASK("test_wait.parity." PICK("acquire", "relaxed") ".cta", done, &bar);
		out[ME] = s[LANE]; // [relaxed_wait]
	}
}

CLUSTER(far_scope) // atomics of two CTAs at the shared memory of one, with block scope
{
	__shared__ unsigned s;
	unsigned far;
	if (T == 0)
		s = 0;
	DO("barrier.cluster.arrive"); DO("barrier.cluster.wait");
	asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(far) : "r"(address(&s)));
	if (T == 0)
		asm volatile("red.relaxed." PICK("cluster", "cta") ".shared::cluster.add.u32 [%0], 1;" ::"r"(far)); // [far_scope]
	DO("barrier.cluster.arrive"); DO("barrier.cluster.wait");
	if (T == 0)
		out[B] = s;
}

CLUSTER(far_relaxed) // a relaxed arrival at the barrier of the cluster
{
	__shared__ unsigned s[128];
	unsigned far, v;
	s[T] = in[ME]; // [far_relaxed]
	DO("barrier.cluster.arrive" PICK("", ".relaxed")); DO("barrier.cluster.wait");
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far) : "r"(address(&s[T])), "r"(1 - B));
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(far) : "memory"); // [far_relaxed]
	out[ME] = v;
	DO("barrier.cluster.arrive"); DO("barrier.cluster.wait");
}

KERNEL(group_of_two) // two groups of copies: the second one is read too early
{
	__shared__ unsigned s[2][128];
	CP(&s[0][T], in + ME);
	DO("cp.async.commit_group");
	CP(&s[1][T], in + (ME ^ 1)); // [group_of_two]
	DO("cp.async.commit_group");
	DO("cp.async.wait_group 1");
	unsigned v = s[PICK(0, 1)][T]; // [group_of_two]
	DO("cp.async.wait_group 0");
	out[ME] = v + s[1][T];
}

KERNEL(relaxed_arrive) // a relaxed arrival releases behind a fence only; only the PTX tells
{
	__shared__ unsigned long long bar;
	__shared__ unsigned s[128];
	unsigned done = 0;
	if (T == 0)
		DO_AT("mbarrier.init.shared.b64 [%0], 32;", &bar);
	__syncthreads();
	if (WARP == 0) {
		s[T] = in[ME]; // [relaxed_arrive]
		KEEP(DO("fence.acq_rel.cta"));
		ARRIVE(".relaxed.cta", &bar);
	} else if (WARP == 1) {
		while (!done)
			ASK("try_wait.parity.relaxed.cta", done, &bar);
		DO("fence.acq_rel.cta");
		out[ME] = s[LANE]; // [relaxed_arrive]
	}
}

KERNEL(loop_pc) // atomics of one place in a loop; a barrier between only the first two rounds
{
	__shared__ unsigned s[32];
	if (T < 32) s[T] = 0;
	__syncthreads();
	for (int i = 0; i < 3; i++) {
		if (WARP < 2)
			atomicAdd(&s[(LANE + i) % 32], 1); // [loop_pc]
		if (PICK(true, i == 0))
			__syncthreads();
	}
	if (WARP == 3)
		out[ME] = s[LANE]; // [loop_pc]
}

KERNEL(strong_then_plain) // all lanes read a word volatile; warp 3 writes it plainly
{
	__shared__ unsigned s[4];
	if (T == 0) s[0] = 5;
	__syncthreads();
	unsigned v = 0;
	if (WARP < 3)
		v = VOLATILE(&s[0]) + VOLATILE(&s[0]); // [strong_then_plain]
	KEEP(__syncthreads());
	if (T == 96)
		s[0] = 6; // [strong_then_plain]
	out[ME] = v;
}

KERNEL(cas_losers) // all lanes of all warps try; who loses reads data that the winner writes behind
{
	__shared__ unsigned lock, data;
	if (T == 0) lock = data = 0;
	__syncthreads();
	if (atomicCAS(&lock, 0, T + 1) == 0)
		data = T; // [cas_losers]
	KEEP(__syncthreads());
	out[ME] = data; // [cas_losers]
}

KERNEL(reverse_pairs) // two lanes read one word, addresses fall
{
	__shared__ unsigned s[64];
	if (WARP == 1)
		for (int i = 0; i < 2; i++)
			s[LANE * 2 + i] = in[LANE + i]; // [reverse_pairs]
	KEEP(__syncthreads());
	if (WARP == 0)
		out[ME] = s[63 - LANE / 2]; // [reverse_pairs]
}

KERNEL(red_release) // 32 lanes release at one word, one waits for all
{
	if (B == 0 && T < 32) {
		out[T] = in[T]; // [red_release]
		KEEP(__threadfence());
		atomicAdd(flag, 1);
	} else if (B == 1 && T == 0) {
		while (VOLATILE(flag) < 32)
			;
		__threadfence();
		flag[1] = out[31]; // [red_release]
	}
}

KERNEL(wide_read) // 8 bytes read by all lanes; another warp writes the high half
{
	__shared__ __align__(8) unsigned s[2];
	if (T == 64) s[1] = in[0]; // [wide_read]
	KEEP(__syncthreads());
	if (WARP == 0) {
		unsigned long long v = *(volatile unsigned long long *)s; // [wide_read]
		out[ME] = (unsigned)(v >> 32);
	}
}

KERNEL(generic_mix) // half of the lanes read shared, half global memory, by one generic load
{
	__shared__ unsigned s[32];
	if (WARP == 1) { s[LANE] = in[LANE]; } // [generic_mix]
	KEEP(__syncthreads());
	if (WARP == 0) {
		unsigned *p = (LANE ^ (in[200] & 0)) & 1 ? s + LANE : in + LANE;
		out[ME] = *(volatile unsigned *)p; // [generic_mix]
	}
}

KERNEL(push_link) // a push onto a list, a take of all; broken: the link of the node is written behind the push, too
{
	if (B == 0) {
		unsigned old = 0, found;
		for (;; old = found) {
			out[T] = old;
			asm volatile("atom.cas.release.gpu.b32 %0, [%1], %2, %3;" : "=r"(found) : "l"(flag), "r"(old), "r"(T + 1) : "memory");
			KEEP(if (found != old))
				out[T] = found; // [push_link]
			if (found == old)
				break;
		}
	} else if (T == 0) {
		for (unsigned taken = 0, node, next; taken < 128;) {
			asm volatile("atom.exch.acquire.gpu.b32 %0, [%1], 0;" : "=r"(node) : "l"(flag) : "memory");
			for (; node; node = next, taken++) {
				next = out[node - 1]; // [push_link]
				out[node - 1] = 0;    // [push_link]
			}
		}
	}
}

KERNEL(count_down) // all threads release at one word by a generic address; compilers let one lane of a warp do so
{
	__shared__ unsigned long long left;
	__shared__ unsigned s[128];
	unsigned long long now;
	if (T == 0)
		left = 128;
	__syncthreads();
	s[T] = in[ME]; // [count_down]
	asm volatile("{.reg .b64 a; atom.add." PICK("release", "relaxed") ".cta.u64 a, [%0], -1;}" ::"l"(&left) : "memory");
	do
		asm volatile("ld.acquire.cta.b64 %0, [%1];" : "=l"(now) : "l"(&left) : "memory");
	while (now);
	out[ME] = s[(T + 37) % 128]; // [count_down]
}
