// SPDX-License-Identifier: Apache-2.0
// mbarriers and the CTAs of a cluster through PTX alone, form by form: what libraries seldom write.
//   nvcc -O3 -cubin -arch=sm_90 -o remote.sm_90.cubin remote.cu      (sm_100 and sm_120 likewise; -ptx for sm_80 and sm_90)
// What the buffers hold in the end: remote_expected.c.
#include <cstdint>
typedef unsigned long long u64;
typedef unsigned u32;
#define DEVICE static __device__ __forceinline__

DEVICE u32 at(const void *p) { return (u32)__cvta_generic_to_shared(p); }
DEVICE void init(void *b, u32 count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory"); }
DEVICE u64 arrive(void *b)
{
	u64 state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
	return state;
}
DEVICE u64 drop(void *b)
{
	u64 state;
	asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
	return state;
}
DEVICE u64 arrive_only(void *b, u32 n)
{
	u64 state;
	asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(at(b)), "r"(n) : "memory");
	return state;
}
DEVICE u64 drop_only(void *b, u32 n)
{
	u64 state;
	asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(at(b)), "r"(n) : "memory");
	return state;
}
DEVICE u32 ended(void *b, u64 state)
{
	u32 r;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	             : "=r"(r)
	             : "r"(at(b)), "l"(state)
	             : "memory");
	return r;
}
DEVICE u32 pending(u64 state)
{
	u32 r;
	asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(r) : "l"(state));
	return r;
}

// A place of memory is an mbarrier, then data, then an mbarrier of another count: a warp, a place. Half of its lanes leave it.
// out: of each thread the rounds of its warp's lanes; words read, and pending counts: from sm_90 on lanes that arrive
// by one instruction get one token; then the states of one thread alone.
extern "C" __global__ void reused(u32 *out)
{
	__shared__ alignas(16) union { u64 bar; u32 w[2]; } m[4];
	__shared__ u32 sum[4];
	__shared__ u64 own;
	const u32 t = threadIdx.x, warp = t / 32, lane = t % 32;
	void *b = &m[warp].bar;
	u32 words = 0, counts = 0;
	if (lane == 0)
		sum[warp] = 0;
	__syncwarp();
	for (u32 round = 0; round < 6; round++) {
		const u32 n = 8 + 4 * round; // lanes that take part
		if (lane == 0)
			init(b, n);
		__syncwarp();
		if (lane < n) {
			u64 state = arrive(b);
			counts += pending(state);
			while (!ended(b, state))
				;
			if (lane % 2) {
				drop(b);
			} else {
				for (state = arrive(b); !ended(b, state);)
					;
				state = arrive(b);
				counts += 1000 * pending(state);
				while (!ended(b, state))
					;
			}
			atomicAdd(&sum[warp], round + 1);
		}
		__syncwarp();
		if (lane == 0) {
			asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(b)) : "memory");
			m[warp].w[0] = round * 17 + warp;
			m[warp].w[1] = ~round;
		}
		__syncwarp();
		words += m[warp].w[lane % 2] * 3;
		__syncwarp();
	}
	out[t] = sum[warp];
	out[128 + t] = words + __reduce_add_sync(~0u, counts);
	if (t)
		return;
	init(&own, 10);
	const u64 a = arrive_only(&own, 3), d = drop_only(&own, 4), c = arrive_only(&own, 2), last = arrive(&own);
	u64 next = arrive(&own);
	out[256] = pending(a);
	out[257] = pending(d);
	out[258] = pending(c);
	out[259] = pending(last);
	out[260] = pending(next);
	out[261] = ended(&own, last);
	out[262] = ended(&own, next);
	for (int i = 0; i < 5; i++)
		next = arrive(&own);
	out[263] = pending(next);
	out[264] = ended(&own, next);
	out[265] = pending(arrive(&own));
}

// Each thread copies, of 16 bytes as many as its number says; one mbarrier counts the copies, the other one arrivals beside them.
extern "C" __global__ void heard(const u32 *in, u32 *out)
{
	__shared__ alignas(16) u32 v[512], w[128];
	__shared__ u64 copies, both;
	const u32 t = threadIdx.x;
	if (t == 0) {
		init(&copies, 128);
		init(&both, 128);
	}
	w[t] = 77;
	__syncthreads();
	asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(at(v + 4 * t)), "l"(in + 4 * t), "r"(t % 5 * 4) : "memory");
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(w + t)), "l"(in + t + 512) : "memory");
	asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&copies)) : "memory");
	asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&both)) : "memory");
	const u64 state = arrive(&both);
	while (!ended(&both, state) || !(*(volatile u64 *)&copies >> 63))
		;
	u32 s = 0;
	for (u32 k = 0; k < 4; k++)
		s = s * 31 + v[(4 * t + k + 64) % 512];
	out[t] = s + w[(t + 64) % 128];
}

#if __CUDA_ARCH__ >= 900
DEVICE u32 rank() { u32 r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
DEVICE u32 ranks() { u32 r; asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
DEVICE u32 there(const void *p, u32 rank)
{
	u32 r;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(at(p)), "r"(rank));
	return r;
}
DEVICE void meet()
{
	asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
DEVICE void inits_seen() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
DEVICE void expect(void *b, u32 bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
DEVICE void wait(void *b, u32 parity, u32 ns)
{
	u32 r;
	do
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
		             : "=r"(r)
		             : "r"(at(b)), "r"(parity), "r"(ns)
		             : "memory");
	while (!r);
}
DEVICE u32 passed(void *b, u32 parity)
{
	u32 r;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
	             : "=r"(r)
	             : "r"(at(b)), "r"(parity)
	             : "memory");
	return r;
}

#define ASYNC(form, var, how, value) asm volatile(form " [%0], %1, [%2];" ::"r"(there(&(var), to)), how(value), "r"(b) : "memory")
#define RED(op, var, how, value) \
	ASYNC("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." op, var, how, value)
#define STORE(type, var, how, value) ASYNC("st.async.shared::cluster.mbarrier::complete_tx::bytes." type, var, how, value)

// Every CTA writes to every CTA, itself among them, and reduces there, by st.async and red.async of all kinds; one mbarrier a CTA.
extern "C" __global__ void exchange(u32 *out, u64 *wide)
{
	__shared__ alignas(16) u32 w[16], four[16][4];
	__shared__ alignas(16) u64 d[16], two[16][2];
	__shared__ u32 add, least, most, inc, dec, all, some, odd;
	__shared__ int low, high;
	__shared__ u64 sum, bar;
	const u32 me = rank(), n = ranks(), t = threadIdx.x, bytes = 4 + 16 + 8 + 16 + 10 * 4 + 8;
	if (t == 0) {
		add = most = some = odd = 0;
		least = all = ~0u;
		inc = 3;
		dec = 5;
		low = 100;
		high = -100;
		sum = 0;
		init(&bar, n + 1);
		inits_seen();
	}
	meet();
	if (t == 0)
		expect(&bar, bytes * n);
	if (t < n) {
		const u32 to = t, b = there(&bar, to), mixed = 50 + (me * 7 + to) % 16;
		STORE("u32", w[me], "r", 1000 * (blockIdx.x / n) + 100 * me + to);
		asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(there(four[me], to)),
		             "r"(me), "r"(to), "r"(me * to), "r"(~me), "r"(b)
		             : "memory");
		STORE("b64", d[me], "l", 0x100000000ull * me + to);
		asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%0], {%1, %2}, [%3];" ::"r"(there(two[me], to)),
		             "l"((u64)me << 40), "l"(~(u64)to), "r"(b)
		             : "memory");
		RED("add.u32", add, "r", me + 1);
		RED("min.u32", least, "r", mixed);
		RED("max.u32", most, "r", mixed);
		RED("inc.u32", inc, "r", 6);
		RED("dec.u32", dec, "r", 6);
		RED("and.b32", all, "r", ~(1u << me));
		RED("or.b32", some, "r", 1u << (me + 8));
		RED("xor.b32", odd, "r", me * to);
		RED("min.s32", low, "r", -(int)me);
		RED("max.s32", high, "r", -(int)me - 1);
		RED("add.u64", sum, "l", 0x80000000ull * (me + 1));
		asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
	}
	wait(&bar, 0, t * 100);
	const u32 i = blockIdx.x * 16 + t;
	if (t < n) {
		out[i * 8] = w[t];
		for (int k = 0; k < 4; k++)
			out[i * 8 + 1 + k] = four[t][k];
		wide[i * 4] = d[t];
		wide[i * 4 + 1] = two[t][0];
		wide[i * 4 + 2] = two[t][1];
	}
	if (t == 0) {
		const u32 reduced[10] = {add, least, most, inc, dec, all, some, odd, (u32)low, (u32)high};
		for (u32 k = 0; k < 10; k++)
			out[(i + k) * 8 + 5] = reduced[k];
		wide[i * 4 + 3] = sum;
	}
	meet(); // nobody leaves before the others have written there
}

// Bulk copies to a set of CTAs that is another one for each sender, of another size; bulk reductions into other CTAs.
extern "C" __global__ void __cluster_dims__(8, 1, 1) sets(const u32 *in, u32 *out)
{
	__shared__ alignas(128) u32 v[8][64], from[64], r[7][16];
	__shared__ u64 bar, reduced;
	const u32 me = rank(), t = threadIdx.x, to = (me + 3) % 8;
	for (u32 i = t; i < 512; i += 64)
		v[i / 64][i % 64] = ~0u;
	from[t] = me * 64 + t;
	if (t < 16) {
		const u32 start[7] = {t, 1000, 0, 9, ~0u, 0, 0x55};
		for (u32 k = 0; k < 7; k++)
			r[k][t] = start[k];
	}
	if (t == 0) {
		init(&bar, 1);
		init(&reduced, 1);
		inits_seen();
	}
	asm volatile("fence.proxy.async;" ::: "memory");
	meet();
	if (t == 0) {
		u32 bytes = 0, mask = 0;
		for (u32 s = 0; s < 8; s++) {
			bytes += (me * 3 + s) % 4 ? 16 * (s + 1) : 0;
			mask |= ((s * 3 + me) % 4 != 0) << s;
		}
		expect(&bar, bytes);
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
		                     at(v[me])),
		             "l"(in + 64 * me), "r"(16 * (me + 1)), "r"(at(&bar)), "h"((unsigned short)mask)
		             : "memory");
	}
	if (t == 32) {
		expect(&reduced, sizeof r);
#define BULK(k, op, first)                                                                                             \
	asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." op " [%0], [%1], 64, [%2];" ::"r"(          \
	                     there(r[k], to)),                                                                         \
	             "r"(at(from + first)), "r"(there(&reduced, to))                                                   \
	             : "memory")
		BULK(0, "add.u32", 0);
		BULK(1, "min.u32", 0);
		BULK(2, "max.s32", 16);
		BULK(3, "inc.u32", 16);
		BULK(4, "and.b32", 32);
		BULK(5, "or.b32", 32);
		BULK(6, "xor.b32", 48);
	}
	wait(&bar, 0, 0);
	wait(&reduced, 0, 0);
	for (u32 i = t; i < 512; i += 64)
		out[blockIdx.x * 640 + i] = v[i / 64][i % 64];
	for (u32 i = t; i < 112; i += 64)
		out[blockIdx.x * 640 + 512 + i] = r[i / 16][i % 16];
	meet();
}

// All lanes of all CTAs count at one mbarrier: bytes and arrivals, some for the last time.
extern "C" __global__ void counted(u32 *out)
{
	__shared__ u64 bar[3];
	const u32 me = rank(), n = ranks(), t = threadIdx.x;
	if (t == 0) {
		init(&bar[0], 96 * n);
		init(&bar[1], 4 * n);
		init(&bar[2], n);
		inits_seen();
	}
	meet();
#define FAR(form, b, value) asm volatile("mbarrier." form " [%0], %1;" ::"r"(b), "r"(value) : "memory")
	if (t < 32) {
		const u32 b = there(&bar[0], 0);
		FAR("expect_tx.relaxed.cluster.shared::cluster.b64", b, 16 * t);
		FAR("arrive.release.cluster.shared::cluster.b64 _,", b, t % 2 ? 1 : 5);
		FAR("complete_tx.relaxed.cluster.shared::cluster.b64", b, 16 * t);
	}
	if (t == 40) {
		const u32 b = there(&bar[1], 0), c = there(&bar[2], n - 1);
		FAR("arrive_drop.release.cluster.shared::cluster.b64 _,", b, 2);
		FAR("arrive.release.cluster.shared::cluster.b64 _,", b, 2);
		FAR("arrive_drop.expect_tx.release.cluster.shared::cluster.b64 _,", c, 8);
		FAR("complete_tx.relaxed.cluster.shared::cluster.b64", c, 8);
	}
	if (me == 0) {
		wait(&bar[0], 0, 0);
		wait(&bar[1], 0, 0);
	}
	if (me == n - 1)
		wait(&bar[2], 0, 0);
	meet();
	u32 *o = out + blockIdx.x * 8;
	if (me == 0 && t == 0) { // the next phase lacks the half that left
		u64 state;
		o[0] = passed(&bar[1], 1);
		asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at(&bar[1])), "r"(2 * n - 1) : "memory");
		o[1] = pending(state);
		o[2] = passed(&bar[1], 1);
		o[3] = pending(arrive(&bar[1]));
		o[4] = passed(&bar[1], 1);
	}
	if (me == n - 1 && t == 0)
		o[7] = 7;
	meet();
}
#endif
