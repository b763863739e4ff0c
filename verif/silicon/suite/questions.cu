// SPDX-License-Identifier: Apache-2.0
// Questions that the model answers by a rule of its own, because no document does. Each case runs in a process of its
// own under a time limit, since a hang or a fault is an answer, too.   usage: questions OUTDIR [CASE]      (without
// CASE: all of them, one child each) questions.tsv: case, parameter, outcome (ok, hang, fault, rc), then the case's own
// columns as name=value.

#include "cases.h"

static void put(const char *name, int par, const char *fmt, ...)
{
	fprintf(g_f, "%s\t%d\tok\t", name, par);
	va_list ap;
	va_start(ap, fmt);
	vfprintf(g_f, fmt, ap);
	va_end(ap);
	fputc('\n', g_f);
	fflush(g_f);
}

// ---- Which lanes go on together behind a branch whose other side spins? (BSYNC against YIELD) ----
// Lanes 0..15 are done at once; lanes 16..31 pass a token in order by compare-and-swap, `rounds` times each.
// mask[lane]: the lanes active behind the branch, as this lane sees them; when[lane]: its clock there.
template <int SLEEP> __global__ void k_join(u32 *mask, u64 *when, u32 *token, int rounds)
{
	const u32 lane = threadIdx.x & 31;
	if (lane >= 16)
		for (int r = 0; r < rounds; r++) {
			const u32 mine = (u32)r * 16 + lane - 16;
			while (atomicCAS(token, mine, mine + 1) != mine)
				if (SLEEP)
					asm volatile("nanosleep.u32 20;");
		}
	u32 m;
	asm volatile("activemask.b32 %0;" : "=r"(m)::"memory");
	mask[lane] = m;
	when[lane] = clock64();
}
static void join_case(int sleep)
{
	u32 *m, *t, hm[32];
	u64 *w, hw[32];
	CK(cudaMalloc(&m, sizeof hm));
	CK(cudaMalloc(&w, sizeof hw));
	CK(cudaMalloc(&t, 4));
	for (int rounds = 0; rounds <= 64; rounds = rounds ? rounds * 2 : 1)
		for (int rep = 0; rep < 4; rep++) {
			CK(cudaMemset(t, 0, 4));
			if (sleep)
				k_join<1><<<1, 32>>>(m, w, t, rounds);
			else
				k_join<0><<<1, 32>>>(m, w, t, rounds);
			CK(cudaDeviceSynchronize());
			CK(cudaMemcpy(hm, m, sizeof hm, cudaMemcpyDeviceToHost));
			CK(cudaMemcpy(hw, w, sizeof hw, cudaMemcpyDeviceToHost));
			u64 first = ~0ull, last = 0;
			for (int i = 0; i < 32; i++) {
				first = std::min(first, hw[i]);
				last = std::max(last, hw[i]);
			}
			char s[400];
			int n = 0;
			u32 seen = 0;
			for (int i = 0; i < 32; i++)
				if (!(seen >> i & 1)) {
					n += snprintf(s + n, sizeof s - n, "%s%08x@%llu", n ? "," : "", hm[i],
					              (unsigned long long)(hw[i] - first));
					seen |= hm[i] | 1u << i;
					if (n > 360)
						break;
				}
			put(sleep ? "join_nanosleep" : "join_cas", rounds, "groups=%s\tspread=%llu", s,
			    (unsigned long long)(last - first));
		}
}

// ---- An aligned barrier reached at two places by the halves of a warp: one arrival or two? ----
__global__ void k_two(u32 *out, int warps)
{
	const u32 lane = threadIdx.x & 31;
	const u32 n = (u32)warps * 32;
	if (lane < 16) {
		asm volatile("bar.sync 1, %0; // low" ::"r"(n) : "memory");
		out[threadIdx.x] = 1;
	} else {
		asm volatile("// high\n\tbar.sync 1, %0;" ::"r"(n) : "memory");
		out[threadIdx.x] = 2;
	}
}
// ---- A count that is no multiple of a warp, from a register ----
__global__ void k_count(u32 *out, u32 count)
{
	asm volatile("barrier.sync 1, %0;" ::"r"(count) : "memory");
	out[threadIdx.x] = 1;
}
static void passed(const char *name, int par, const u32 *d, int n)
{
	std::vector<u32> h(n);
	CK(cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost));
	int k = 0;
	for (u32 x : h)
		k += x != 0;
	put(name, par, "threads_passed=%d\tof=%d", k, n);
}

// ---- mbarriers: a set tag bit (layout v1 of later chips), a second init, a local arrive at a mapped address ----
__global__ void k_tag(u64 *out, u32 count, u32 tag)
{
	__shared__ alignas(8) u64 b;
	const u32 a = smem_addr(&b);
	int k = 0;
	u32 p;
	u64 t;
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(count) : "memory");
	b |= tag;
	out[k++] = b;
	for (u32 i = 0; i < count; i++) {
		asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(a) : "memory");
		out[k++] = t;
		out[k++] = b;
	}
	for (u32 par = 0; par < 2; par++) {
		asm volatile("{ .reg .pred q; mbarrier.test_wait.parity.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"
		             : "=r"(p)
		             : "r"(a), "r"(par)
		             : "memory");
		out[k++] = p;
	}
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(a), "r"(count + 1) : "memory");
	out[k++] = b;
}
static void tag_case()
{
	u64 *d, h[40];
	CK(cudaMalloc(&d, sizeof h));
	for (u32 count = 1; count <= 4; count++)
		for (u32 tag = 0; tag < 2; tag++) {
			CK(cudaMemset(d, 0, sizeof h));
			k_tag<<<1, 1>>>(d, count, tag);
			CK(cudaDeviceSynchronize());
			CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
			char s[900];
			int n = 0;
			for (u32 i = 0; i < 2 * count + 4; i++)
				n += snprintf(s + n, sizeof s - n, "%s%llx", i ? "," : "", (unsigned long long)h[i]);
			put("mbarrier_tag", (int)(count * 2 + tag), "words=%s", s);
		}
}
__global__ void __cluster_dims__(2, 1, 1) k_remote(u64 *out, int sink)
{
	__shared__ alignas(8) u64 b;
	const u32 a = smem_addr(&b), rank = cluster_rank();
	u64 t = 0;
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(a) : "memory");
	cluster_sync_all();
	if (rank == 0 && threadIdx.x == 0) {
		const u32 r = mapa32(a, 1);
		if (sink)
			asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(r) : "memory");
		else
			asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(t) : "r"(r) : "memory");
	}
	cluster_sync_all();
	if (threadIdx.x == 0) {
		out[rank] = b;
		if (!rank)
			out[2] = t;
	}
}

static void run(const char *c)
{
	u32 *d;
	u64 *e;
	if (!strcmp(c, "join_cas"))
		join_case(0);
	else if (!strcmp(c, "join_nanosleep"))
		join_case(1);
	else if (!strncmp(c, "two_places_", 11)) {
		const int w = atoi(c + 11);
		CK(cudaMalloc(&d, 4096));
		CK(cudaMemset(d, 0, 4096));
		k_two<<<1, w * 32>>>(d, w);
		CK(cudaDeviceSynchronize());
		passed("two_places", w, d, w * 32);
	} else if (!strncmp(c, "count_", 6)) {
		const int n = atoi(c + 6);
		CK(cudaMalloc(&d, 4096));
		CK(cudaMemset(d, 0, 4096));
		k_count<<<1, 64>>>(d, n);
		CK(cudaDeviceSynchronize());
		passed("count", n, d, 64);
	} else if (!strcmp(c, "mbarrier_tag"))
		tag_case();
	else if (!strncmp(c, "remote_arrive_", 14)) {
		u64 h[3];
		const int s = atoi(c + 14);
		CK(cudaMalloc(&e, 24));
		CK(cudaMemset(e, 0, 24));
		k_remote<<<2, 32>>>(e, s);
		CK(cudaDeviceSynchronize());
		CK(cudaMemcpy(h, e, 24, cudaMemcpyDeviceToHost));
		put("remote_arrive", s, "own=%llx\tpeer=%llx\ttoken=%llx", (unsigned long long)h[0],
		    (unsigned long long)h[1], (unsigned long long)h[2]);
	} else {
		printf("no case %s\n", c);
		exit(2);
	}
}
int main(int argc, char **argv)
{
	static const char *all[] = {"join_cas",        "join_nanosleep", "mbarrier_tag", "remote_arrive_0",
	                            "remote_arrive_1", "count_32",       "count_48",     "count_40",
	                            "count_64",        "two_places_1",   "two_places_2"};
	return run_cases(argc, argv, "questions", all, 8, run);
}
