// SPDX-License-Identifier: Apache-2.0
// More open questions: what a chip does where PTX leaves the outcome open. Each case is a process of its own with eight
// seconds. extra.tsv: case, parameter, outcome (ok, hang, fault, rc), columns name=value.

#include "cases.h"
static const char *g_case;
static void put(int par, const char *fmt, ...)
{
	fprintf(g_f, "%s\t%d\tok\t", g_case, par);
	va_list ap;
	va_start(ap, fmt);
	vfprintf(g_f, fmt, ap);
	va_end(ap);
	fputc('\n', g_f);
	fflush(g_f);
}
// a generic atomic on a thread's own stack
__global__ void k_stack(u32 *out, int n)
{
	volatile u32 a[8];
	for (int i = 0; i < 8; i++)
		a[i] = i * 10 + threadIdx.x;
	u32 *p = (u32 *)&a[n & 7];
	u32 old;
	u64 g = (u64)p;
	asm volatile("atom.add.u32 %0, [%1], 5;" : "=r"(old) : "l"(g) : "memory");
	u32 c;
	asm volatile("atom.cas.b32 %0, [%1], %2, 77;" : "=r"(c) : "l"(g), "r"(old + 5) : "memory");
	out[threadIdx.x * 3] = old;
	out[threadIdx.x * 3 + 1] = c;
	out[threadIdx.x * 3 + 2] = a[n & 7];
}
// inval while a phase is incomplete; arrive and test after it
__global__ void k_inval(u64 *out)
{
	__shared__ alignas(8) u64 b;
	u32 a = smem_addr(&b);
	int k = 0;
	u64 t;
	u32 p;
	asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(a) : "memory");
	out[k++] = b;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[k++] = b;
	asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(a) : "memory");
	out[k++] = b;
	asm volatile("{ .reg .pred q; mbarrier.test_wait.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"
	             : "=r"(p)
	             : "r"(a), "l"(t)
	             : "memory");
	out[k++] = p;
	out[k++] = b;
}
__global__ void k_inval_arrive(u64 *out)
{
	__shared__ alignas(8) u64 b;
	u32 a = smem_addr(&b);
	u64 t;
	asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(a) : "memory");
	asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(a) : "memory");
	out[0] = b;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[1] = t;
	out[2] = b;
}
// reinit in use
__global__ void k_reinit(u64 *out)
{
	__shared__ alignas(8) u64 b;
	u32 a = smem_addr(&b);
	u64 t;
	int k = 0;
	asm volatile("mbarrier.init.shared.b64 [%0], 3;" ::"r"(a) : "memory");
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[k++] = b;
	asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(a) : "memory");
	out[k++] = b;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[k++] = b;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[k++] = b;
}
// arrivals of a whole warp against a smaller count (n lanes arrive, count c)
__global__ void k_over(u64 *out, u32 count, u32 lanes)
{
	__shared__ alignas(8) u64 b;
	u32 a = smem_addr(&b);
	u64 t = 0;
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(count) : "memory");
	__syncwarp();
	if (threadIdx.x < lanes)
		asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	__syncwarp();
	out[threadIdx.x] = t;
	if (threadIdx.x == 0)
		out[32] = b;
}
__global__ void k_over_count(u64 *out, u32 count, u32 n)
{
	__shared__ alignas(8) u64 b;
	u32 a = smem_addr(&b);
	u64 t = 0;
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(count) : "memory");
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(t) : "r"(a), "r"(n) : "memory");
	out[0] = t;
	out[1] = b;
}
// counted barriers whose participants differ in their count
__global__ void k_mismatch(u32 *out, u32 c0, u32 c1)
{
	u32 w = threadIdx.x >> 5;
	u32 c = w ? c1 : c0;
	asm volatile("barrier.sync 1, %0;" ::"r"(c) : "memory");
	out[threadIdx.x] = 1;
}
// aligned barrier by part of the lanes only, then the rest through the same code later
__global__ void k_part(u32 *out, u32 mask, int again)
{
	u32 lane = threadIdx.x & 31;
	if (mask >> lane & 1) {
		asm volatile("bar.sync 1;" ::: "memory");
		out[threadIdx.x] = 1;
	} else if (again) {
		asm volatile("nanosleep.u32 2000;");
		out[threadIdx.x] = 2;
	}
}
// barrier.sync (not aligned) at two places
__global__ void k_two_u(u32 *out)
{
	u32 lane = threadIdx.x & 31;
	if (lane < 16) {
		asm volatile("barrier.sync 1; // low" ::: "memory");
		out[threadIdx.x] = 1;
	} else {
		asm volatile("// high\n\tbarrier.sync 1;" ::: "memory");
		out[threadIdx.x] = 2;
	}
}
// lanes that exited: bar.sync of the rest
__global__ void k_exited(u32 *out, u32 lanes, int count)
{
	if ((threadIdx.x & 31) >= lanes)
		return;
	if (count)
		asm volatile("bar.sync 1, 64;" ::: "memory");
	else
		asm volatile("bar.sync 1;" ::: "memory");
	out[threadIdx.x] = 1;
}
// a warp that exited before a barrier of all
__global__ void k_gone_warp(u32 *out)
{
	if (threadIdx.x >= 32)
		return;
	asm volatile("bar.sync 0;" ::: "memory");
	out[threadIdx.x] = 1;
}
// collectives: mask lacks the caller; mask names exited lanes; masks of the lanes differ
__global__ void k_lack(u32 *out, int op)
{
	u32 lane = threadIdx.x & 31, m = 0x0000ffff, r = 0xdead;
	if (op == 0)
		asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, %1; }"
		             : "=r"(r)
		             : "r"(m));
	if (op == 1)
		asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 2)
		asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 3)
		asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(lane & 3), "r"(m));
	if (op == 4)
		asm volatile("bar.warp.sync %0;" ::"r"(m));
	if (op == 5)
		asm volatile("{ .reg .pred p; elect.sync %0|p, %1; }" : "=r"(r) : "r"(m));
	out[lane] = r;
}
__global__ void k_exited_mask(u32 *out, int op)
{
	u32 lane = threadIdx.x & 31, m = 0xffffffffu, r = 0xdead;
	if (lane >= 24)
		return;
	if (op == 0)
		asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, %1; }"
		             : "=r"(r)
		             : "r"(m));
	if (op == 1)
		asm volatile("shfl.sync.idx.b32 %0, %1, 30, 31, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 2)
		asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 3)
		asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(lane & 3), "r"(m));
	if (op == 4)
		asm volatile("bar.warp.sync %0;" ::"r"(m));
	if (op == 5)
		asm volatile("{ .reg .pred p; elect.sync %0|p, %1; }" : "=r"(r) : "r"(m));
	out[lane] = r;
}
__global__ void k_masks_differ(u32 *out, int op)
{
	u32 lane = threadIdx.x & 31, m = lane < 16 ? 0xffffffffu : 0xffff0000u, r = 0xdead;
	if (op == 0)
		asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, %1; }"
		             : "=r"(r)
		             : "r"(m));
	if (op == 1)
		asm volatile("shfl.sync.idx.b32 %0, %1, 3, 31, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 2)
		asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(r) : "r"(lane), "r"(m));
	if (op == 3)
		asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(lane & 3), "r"(m));
	if (op == 4)
		asm volatile("bar.warp.sync %0;" ::"r"(m));
	out[lane] = r;
}
// two places with different collectives: does a mask wait across places?
__global__ void k_two_votes(u32 *out)
{
	u32 lane = threadIdx.x & 31, r;
	if (lane < 16) {
		asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, -1; } // low" : "=r"(r));
		out[lane] = r;
	} else {
		asm volatile("// high\n\t{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, -1; }"
		             : "=r"(r));
		out[lane] = r;
	}
}
__global__ void k_two_shfl(u32 *out)
{
	u32 lane = threadIdx.x & 31, r;
	if (lane < 16) {
		asm volatile("shfl.sync.idx.b32 %0, %1, 20, 31, -1; // low" : "=r"(r) : "r"(lane));
		out[lane] = r;
	} else {
		asm volatile("// high\n\tshfl.sync.idx.b32 %0, %1, 3, 31, -1;" : "=r"(r) : "r"(lane));
		out[lane] = r;
	}
}
// cluster: a CTA that exits early; remote store to a CTA that has gone
__global__ void __cluster_dims__(2, 1, 1) k_left(u32 *out, int late)
{
	__shared__ u32 s;
	u32 rank = cluster_rank();
	s = 5;
	cluster_sync_all();
	if (rank == 1)
		return;
	if (late) {
		u64 t = clock64();
		while (clock64() - t < 200000) {
		}
	}
	u32 a = mapa32(smem_addr(&s), 1), v;
	asm volatile("st.shared::cluster.u32 [%0], 9;" ::"r"(a) : "memory");
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	if (!threadIdx.x)
		out[0] = v;
}
__global__ void __cluster_dims__(2, 1, 1) k_left_sync(u32 *out)
{
	u32 rank = cluster_rank();
	if (rank == 1)
		return;
	cluster_sync_all();
	out[0] = 1;
}
__global__ void __cluster_dims__(2, 1, 1) k_rank(u32 *out)
{
	__shared__ u32 s;
	u32 v = 0;
	s = 3;
	cluster_sync_all();
	u32 a = mapa32(smem_addr(&s), 5);
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
	out[cluster_rank()] = v;
	cluster_sync_all();
}
// misaligned atomics
__global__ void k_misaligned(u32 *out, u32 *g, int space, int off)
{
	__shared__ alignas(16) u32 s[8];
	u32 old = 0;
	s[threadIdx.x & 7] = 7;
	if (space)
		asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(smem_addr(s) + off) : "memory");
	else
		asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"((u64)g + off) : "memory");
	out[0] = old;
}
__global__ void k_mbar_misaligned(u64 *out)
{
	__shared__ alignas(16) u64 s[2];
	u64 t;
	s[0] = s[1] = 0;
	u32 a = smem_addr(s) + 4;
	asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(a) : "memory");
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
	out[0] = s[0];
	out[1] = s[1];
	out[2] = t;
}
// who runs: two halves of a warp that pass a token, plain loads and no sleep (a lock by one lane held across a branch)
__global__ void k_lock(u32 *lock, u32 *out)
{
	u32 lane = threadIdx.x & 31;
	bool done = false;
	u32 n = 0;
	while (!done) {
		n++;
		if (atomicCAS(lock, 0, 1) == 0) {
			out[32] += 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	}
	out[lane] = n;
}
__global__ void k_lock_naive(u32 *lock, u32 *out)
{
	while (atomicCAS(lock, 0, 1) != 0) {
	}
	out[32] += 1;
	__threadfence();
	atomicExch(lock, 0);
	out[threadIdx.x & 31] = 1;
}
__global__ void k_spin_plain(volatile u32 *flag, u32 *out)
{
	u32 lane = threadIdx.x & 31;
	if (lane == 0) {
		while (!*flag) {
		}
		out[0] = 1;
	} else if (lane == 1) {
		*flag = 1;
		out[1] = 1;
	}
	out[lane + 2] = 1;
}
__global__ void k_spin_shared(u32 *out)
{
	__shared__ volatile u32 flag;
	u32 lane = threadIdx.x & 31;
	flag = 0;
	__syncwarp();
	if (lane >= 16) {
		while (!flag) {
		}
		out[lane] = 2;
	} else {
		flag = 1;
		out[lane] = 1;
	}
}
// racy counter: the outcomes of real hardware
__global__ void k_racy(u32 *c)
{
	*(volatile u32 *)c = *(volatile u32 *)c + 1;
}
static void words(int par, const void *d, int n, int b64)
{
	std::vector<u64> h(n);
	std::vector<u32> w(n);
	char s[2000];
	int k = 0;
	if (b64)
		CK(cudaMemcpy(h.data(), d, n * 8, cudaMemcpyDeviceToHost));
	else {
		CK(cudaMemcpy(w.data(), d, n * 4, cudaMemcpyDeviceToHost));
		for (int i = 0; i < n; i++)
			h[i] = w[i];
	}
	for (int i = 0; i < n; i++)
		k += snprintf(s + k, sizeof s - k, "%s%llx", i ? "," : "", (unsigned long long)h[i]);
	put(par, "words=%s", s);
}
static void run(const char *c)
{
	char name[64];
	int par = 0;
	g_case = c;
	snprintf(name, sizeof name, "%s", c);
	char *at = strrchr(name, ':');
	if (at) {
		*at = 0;
		par = atoi(at + 1);
	}
	static char base[64];
	snprintf(base, sizeof base, "%s", name);
	g_case = base;
	void *d;
	CK(cudaMalloc(&d, 65536));
	CK(cudaMemset(d, 0, 65536));
	u32 *u = (u32 *)d;
	u64 *q = (u64 *)d;
	int n = 0, w = 0;
#define IS(x) else if (!strcmp(base, x))
	if (0) {
	}
	IS("stack")
	{
		k_stack<<<1, 4>>>(u, par);
		n = 12;
	}
	IS("inval")
	{
		k_inval<<<1, 1>>>(q);
		n = 5;
		w = 1;
	}
	IS("inval_arrive")
	{
		k_inval_arrive<<<1, 1>>>(q);
		n = 3;
		w = 1;
	}
	IS("reinit")
	{
		k_reinit<<<1, 1>>>(q);
		n = 4;
		w = 1;
	}
	IS("over")
	{
		k_over<<<1, 32>>>(q, par / 100, par % 100);
		n = 33;
		w = 1;
	}
	IS("over_count")
	{
		k_over_count<<<1, 1>>>(q, par / 100, par % 100);
		n = 2;
		w = 1;
	}
	IS("mismatch")
	{
		k_mismatch<<<1, 64>>>(u, par / 1000, par % 1000);
		n = 64;
	}
	IS("part")
	{
		k_part<<<1, 64>>>(u, 0x00ff00ffu, par);
		n = 64;
	}
	IS("two_unaligned")
	{
		k_two_u<<<1, 64>>>(u);
		n = 64;
	}
	IS("exited")
	{
		k_exited<<<1, 64>>>(u, par % 100, par / 100);
		n = 64;
	}
	IS("gone_warp")
	{
		k_gone_warp<<<1, 64>>>(u);
		n = 64;
	}
	IS("lack")
	{
		k_lack<<<1, 32>>>(u, par);
		n = 32;
	}
	IS("exited_mask")
	{
		k_exited_mask<<<1, 32>>>(u, par);
		n = 32;
	}
	IS("masks_differ")
	{
		k_masks_differ<<<1, 32>>>(u, par);
		n = 32;
	}
	IS("two_votes")
	{
		k_two_votes<<<1, 32>>>(u);
		n = 32;
	}
	IS("two_shfl")
	{
		k_two_shfl<<<1, 32>>>(u);
		n = 32;
	}
	IS("left")
	{
		k_left<<<2, 32>>>(u, par);
		n = 1;
	}
	IS("left_sync")
	{
		k_left_sync<<<2, 32>>>(u);
		n = 1;
	}
	IS("rank")
	{
		k_rank<<<2, 1>>>(u);
		n = 2;
	}
	IS("misaligned")
	{
		k_misaligned<<<1, 1>>>(u, u + 64, par / 10, par % 10);
		n = 1;
	}
	IS("mbar_misaligned")
	{
		k_mbar_misaligned<<<1, 1>>>(q);
		n = 3;
		w = 1;
	}
	IS("lock")
	{
		k_lock<<<1, 32>>>(u + 64, u);
		n = 33;
	}
	IS("lock_naive")
	{
		k_lock_naive<<<1, 32>>>(u + 64, u);
		n = 33;
	}
	IS("spin_plain")
	{
		k_spin_plain<<<1, 32>>>(u + 64, u);
		n = 34;
	}
	IS("spin_shared")
	{
		k_spin_shared<<<1, 32>>>(u);
		n = 32;
	}
	IS("racy")
	{
		for (int i = 0; i < 40; i++) {
			CK(cudaMemset(d, 0, 4));
			k_racy<<<par / 1000, par % 1000>>>(u);
			CK(cudaDeviceSynchronize());
			words(par, d, 1, 0);
		}
		return;
	}
	else
	{
		printf("no case %s\n", c);
		exit(2);
	}
	CK(cudaDeviceSynchronize());
	words(par, d, n, w);
}
int main(int argc, char **argv)
{
	static const char *all[] = {"stack:0",         "stack:3",        "inval:0",        "inval_arrive:0",
	                            "reinit:0",        "over:132",       "over:102",       "over:432",
	                            "over:3232",       "over:808",       "over_count:103", "over_count:405",
	                            "over_count:404",  "mismatch:64064", "mismatch:64096", "mismatch:64032",
	                            "mismatch:96064",  "mismatch:32032", "part:0",         "part:1",
	                            "two_unaligned:0", "exited:16",      "exited:116",     "gone_warp:0",
	                            "lack:0",          "lack:1",         "lack:2",         "lack:3",
	                            "lack:4",          "lack:5",         "exited_mask:0",  "exited_mask:1",
	                            "exited_mask:2",   "exited_mask:3",  "exited_mask:4",  "exited_mask:5",
	                            "masks_differ:0",  "masks_differ:1", "masks_differ:2", "masks_differ:3",
	                            "masks_differ:4",  "two_votes:0",    "two_shfl:0",     "left:0",
	                            "left:1",          "left_sync:0",    "rank:0",         "misaligned:1",
	                            "misaligned:2",    "misaligned:11",  "misaligned:12",  "mbar_misaligned:0",
	                            "lock:0",          "lock_naive:0",   "spin_plain:0",   "spin_shared:0",
	                            "racy:1032",       "racy:1256",      "racy:4064",      "racy:64032"};
	return run_cases(argc, argv, "extra", all, 4, run);
}
