// SPDX-License-Identifier: Apache-2.0
// Named barriers (bar.red results, counted producer/consumer), barrier latency and throughput,
// warp barriers, cluster barriers, hand-off ping-pong through every mechanism.
// usage: barriers OUTDIR [section]   section: red | latency | groups | multi | warp | pc | cluster | ping |
// red_diverged | all
#include "sil.h"

// ------------------------------------------------------------------ bar.red results
// Warps [w0, w0+nw) take part in barrier id; everything else stays out.  Three reductions per row.
struct RRow {
	u32 id, w0, nw, mode;
	u32 pred[32];
}; // pred: one word per warp of the block
struct RRes {
	u32 popc, all, any, bad;
};
__global__ void k_red(const RRow *rows, RRes *res, int n)
{
	__shared__ u32 sp[1], sa[1], so[1];
	int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
	for (int i = 0; i < n; i++) {
		RRow r = rows[i];
		if (w >= (int)r.w0 && w < (int)(r.w0 + r.nw)) {
			u32 p = r.pred[w] >> lane & 1, c = r.nw * 32, x, a, o;
			if (r.mode == 0) { // aligned forms
				asm volatile("{ .reg .pred q; setp.ne.u32 q,%1,0; bar.red.popc.u32 %0,%2,%3,q; }"
				             : "=r"(x)
				             : "r"(p), "r"(r.id), "r"(c)
				             : "memory");
				asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; bar.red.and.pred s,%2,%3,q; "
				             "selp.u32 %0,1,0,s; }"
				             : "=r"(a)
				             : "r"(p), "r"(r.id), "r"(c)
				             : "memory");
				asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; bar.red.or.pred s,%2,%3,q; "
				             "selp.u32 %0,1,0,s; }"
				             : "=r"(o)
				             : "r"(p), "r"(r.id), "r"(c)
				             : "memory");
			} else { // unaligned, reached in two divergent halves of each warp
				if (lane & 1)
					asm volatile(
					        "{ .reg .pred q; setp.ne.u32 q,%1,0; barrier.red.popc.u32 %0,%2,%3,q; }"
					        : "=r"(x)
					        : "r"(p), "r"(r.id), "r"(c)
					        : "memory");
				else {
					asm volatile("// even lanes" ::: "memory");
					asm volatile(
					        "{ .reg .pred q; setp.ne.u32 q,%1,0; barrier.red.popc.u32 %0,%2,%3,q; }"
					        : "=r"(x)
					        : "r"(p), "r"(r.id), "r"(c)
					        : "memory");
				}
				__syncwarp();
				asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; barrier.red.and.pred s,%2,%3,q; "
				             "selp.u32 %0,1,0,s; }"
				             : "=r"(a)
				             : "r"(p), "r"(r.id), "r"(c)
				             : "memory");
				asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; barrier.red.or.pred s,%2,%3,q; "
				             "selp.u32 %0,1,0,s; }"
				             : "=r"(o)
				             : "r"(p), "r"(r.id), "r"(c)
				             : "memory");
			}
			if (w == (int)r.w0 && lane == 0) {
				res[i].popc = x;
				res[i].all = a;
				res[i].any = o;
				sp[0] = x;
				sa[0] = a;
				so[0] = o;
			}
			asm volatile("bar.sync %0,%1;" ::"r"(r.id), "r"(c) : "memory");
			if (sp[0] != x || sa[0] != a || so[0] != o)
				atomicAdd(&res[i].bad, 1u);
		}
		__syncthreads();
	}
}
// blocks whose size is not a multiple of 32
__global__ void k_red_tail(u32 *out, u32 seed)
{
	u32 p = mix32(seed * 2048 + threadIdx.x) & 1, x, a, o;
	asm volatile("{ .reg .pred q; setp.ne.u32 q,%1,0; barrier.red.popc.u32 %0,0,q; }"
	             : "=r"(x)
	             : "r"(p)
	             : "memory");
	asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; barrier.red.and.pred s,0,q; selp.u32 %0,1,0,s; }"
	             : "=r"(a)
	             : "r"(p)
	             : "memory");
	asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%1,0; barrier.red.or.pred s,0,q; selp.u32 %0,1,0,s; }"
	             : "=r"(o)
	             : "r"(p)
	             : "memory");
	if (threadIdx.x == blockDim.x - 1) {
		out[0] = x;
		out[1] = a;
		out[2] = o;
	}
}
static void s_red(int diverged)
{
	FILE *f = out_open(diverged ? "barrier_red_diverged.tsv" : "barrier_red.tsv");
	fputs("row\tid\tfirst_warp\twarps\tmode\texpected_popc\tpopc\tand\tor\tthreads_disagreeing\n", f);
	const int N = diverged ? 200 : 1500;
	Rng g(4 + diverged);
	std::vector<RRow> r(N);
	for (auto &x : r) {
		x.nw = g.below(6) == 0 ? 32 : 1 + g.below(32);
		x.w0 = g.below(33 - x.nw);
		x.mode = diverged;
		x.id = x.nw == 32 ? g.below(16)
		                  : 1 + g.below(15); // id 0 is also the block-wide barrier of the row loop
		u32 d = g.below(5);
		for (int w = 0; w < 32; w++)
			x.pred[w] = d == 0 ? 0 : d == 1 ? 0xFFFFFFFFu : (u32)g.next();
		if (d == 2)
			for (int w = 0; w < 32; w++)
				x.pred[w] = 0;
		if (d == 2)
			x.pred[x.w0 + g.below(x.nw)] = 1u << g.below(32);
		if (d == 3) {
			for (int w = 0; w < 32; w++)
				x.pred[w] = ~0u;
			x.pred[x.w0 + g.below(x.nw)] ^= 1u << g.below(32);
		}
	}
	RRow *dr;
	RRes *ds;
	u32 *dt;
	CK(cudaMalloc(&dr, N * sizeof(RRow)));
	CK(cudaMalloc(&ds, N * sizeof(RRes)));
	CK(cudaMalloc(&dt, 64));
	CK(cudaMemcpy(dr, r.data(), N * sizeof(RRow), cudaMemcpyHostToDevice));
	CK(cudaMemset(ds, 0, N * sizeof(RRes)));
	k_red<<<1, 1024>>>(dr, ds, N);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	std::vector<RRes> h(N);
	CK(cudaMemcpy(h.data(), ds, N * sizeof(RRes), cudaMemcpyDeviceToHost));
	int bad = 0;
	for (int i = 0; i < N; i++) {
		u32 e = 0;
		for (u32 w = r[i].w0; w < r[i].w0 + r[i].nw; w++)
			e += __builtin_popcount(r[i].pred[w]);
		fprintf(f, "%d\t%u\t%u\t%u\t%s\t%u\t%u\t%u\t%u\t%u\n", i, r[i].id, r[i].w0, r[i].nw,
		        r[i].mode ? "diverged" : "aligned", e, h[i].popc, h[i].all, h[i].any, h[i].bad);
		bad += e != h[i].popc || h[i].bad;
	}
	if (!diverged)
		for (int n : {1, 2, 31, 33, 40, 63, 65, 100, 500, 1000, 1023}) {
			CK(cudaMemset(dt, 0, 64));
			k_red_tail<<<1, n>>>(dt, n);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			u32 o[3];
			CK(cudaMemcpy(o, dt, 12, cudaMemcpyDeviceToHost));
			u32 e = 0;
			for (int t = 0; t < n; t++)
				e += mix32(n * 2048 + t) & 1;
			fprintf(f, "tail%d\t0\t0\t%d\ttail\t%u\t%u\t%u\t%u\t0\n", n, (n + 31) / 32, e, o[0], o[1],
			        o[2]);
			bad += e != o[0];
		}
	fclose(f);
	printf("red%s: %d rows, %d unexpected\n", diverged ? " (diverged)" : "", N, bad);
}

// ------------------------------------------------------------------ counted producer / consumer
// P producer warps bar.arrive, C consumer warps bar.sync on one barrier; then the other way round on a second.
__global__ void k_pc(int P, int C, int full, int empty, int iters, u64 *lat, u32 *errors)
{
	__shared__ u32 buf[32];
	int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
	u32 cnt = (P + C) * 32;
	if (w >= P + C)
		return;
	u64 tarr = 0, tsync = 0;
	u32 err = 0;
	for (int i = 0; i < iters; i++) {
		if (w < P) {
			if (i)
				asm volatile("bar.sync %0,%1;" ::"r"(empty), "r"(cnt) : "memory");
			if (lane == 0)
				*(volatile u32 *)&buf[w] = i * 64 + w;
			__syncwarp();
			u64 t0 = clock64();
			asm volatile("bar.arrive %0,%1;" ::"r"(full), "r"(cnt) : "memory");
			tarr += clock64() - t0;
		} else {
			u64 t0 = clock64();
			asm volatile("bar.sync %0,%1;" ::"r"(full), "r"(cnt) : "memory");
			tsync += clock64() - t0;
			for (int q = 0; q < P; q++)
				if (*(volatile u32 *)&buf[q] != (u32)(i * 64 + q))
					err++;
			if (i + 1 < iters)
				asm volatile("bar.arrive %0,%1;" ::"r"(empty), "r"(cnt) : "memory");
		}
	}
	if (lane == 0)
		lat[w] = w < P ? tarr : tsync;
	if (err)
		atomicAdd(errors, err);
}
static void s_pc()
{
	FILE *f = out_open("barrier_prodcons.tsv");
	fputs("producer_warps\tconsumer_warps\tfull_id\tempty_id\titers\tstale_reads\tarrive_cycles_avg\tsync_cycles_"
	      "avg\n",
	      f);
	u64 *d;
	u32 *e;
	CK(cudaMalloc(&d, 32 * 8));
	CK(cudaMalloc(&e, 4));
	const int it = 500;
	for (int P : {1, 2, 4, 8, 15, 24})
		for (int C : {1, 2, 4, 8, 15}) {
			if (P + C > 32)
				continue;
			int a = (P * 3 + C) % 15 + 1, b = a == 15 ? 1 : a + 1;
			CK(cudaMemset(e, 0, 4));
			CK(cudaMemset(d, 0, 256));
			k_pc<<<1, (P + C) * 32>>>(P, C, a, b, it, d, e);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			u64 h[32];
			u32 er;
			CK(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
			CK(cudaMemcpy(&er, e, 4, cudaMemcpyDeviceToHost));
			double A = 0, S = 0;
			for (int w = 0; w < P; w++)
				A += (double)h[w] / it / P;
			for (int w = P; w < P + C; w++)
				S += (double)h[w] / it / C;
			fprintf(f, "%d\t%d\t%d\t%d\t%d\t%u\t%.2f\t%.2f\n", P, C, a, b, it, er, A, S);
		}
	fclose(f);
	printf("pc done\n");
}

// ------------------------------------------------------------------ latency of one block-wide barrier
enum { B_SYNC0, B_SYNCID, B_UNALIGNED, B_POPC, B_AND, B_ARRSYNC, B_NUM };
static const char *bnames[B_NUM] = {"bar.sync0",    "bar.sync.id.count", "barrier.sync(unaligned)",
                                    "bar.red.popc", "bar.red.and",       "bar.arrive+bar.sync"};
template <int K> __device__ static inline void one_bar(u32 id, u32 cnt, u32 &x)
{
	if (K == B_SYNC0)
		asm volatile("bar.sync 0;" ::: "memory");
	if (K == B_SYNCID)
		asm volatile("bar.sync %0,%1;" ::"r"(id), "r"(cnt) : "memory");
	if (K == B_UNALIGNED)
		asm volatile("barrier.sync 0;" ::: "memory");
	if (K == B_POPC)
		asm volatile("{ .reg .pred q; setp.ne.u32 q,%0,0; bar.red.popc.u32 %0,0,q; }" : "+r"(x)::"memory");
	if (K == B_AND)
		asm volatile("{ .reg .pred q,s; setp.ne.u32 q,%0,0; bar.red.and.pred s,0,q; selp.u32 %0,1,0,s; }"
		             : "+r"(x)::"memory");
	if (K == B_ARRSYNC) { // even warps sync on 1 and arrive on 2, odd warps the reverse: two half-barriers per step
		u32 w = threadIdx.x >> 5;
		if (w & 1) {
			asm volatile("bar.arrive 1,%0;" ::"r"(cnt) : "memory");
			asm volatile("bar.sync 2,%0;" ::"r"(cnt) : "memory");
		} else {
			asm volatile("bar.sync 1,%0;" ::"r"(cnt) : "memory");
			asm volatile("bar.arrive 2,%0;" ::"r"(cnt) : "memory");
		}
	}
}
template <int K> __global__ void k_lat(u64 *out, int iters)
{ // back to back
	u32 x = threadIdx.x & 1, cnt = blockDim.x;
	for (int i = 0; i < 8; i++)
		one_bar<K>(3, cnt, x);
	__syncthreads();
	u64 t0 = clock64();
#pragma unroll 1
	for (int i = 0; i < iters; i += 8) {
#pragma unroll
		for (int j = 0; j < 8; j++)
			one_bar<K>(3, cnt, x);
	}
	u64 t1 = clock64();
	if ((threadIdx.x & 31) == 0) {
		out[(threadIdx.x >> 5) * 2] = t0;
		out[(threadIdx.x >> 5) * 2 + 1] = t1;
	}
	if (x == 12345)
		out[63] = x;
}
template <int K> __global__ void k_skew(u64 *tin, u64 *tout, int last, int iters)
{ // one late warp; release time of the others
	u32 x = threadIdx.x & 1, cnt = blockDim.x;
	int w = threadIdx.x >> 5, W = blockDim.x >> 5;
	for (int i = 0; i < iters; i++) {
		__syncthreads();
		if (w == last) {
			u64 t = clock64();
			while (clock64() - t < 2000)
				;
		}
		u64 a = clock64();
		one_bar<K>(3, cnt, x);
		u64 b = clock64();
		if ((threadIdx.x & 31) == 0) {
			tin[i * W + w] = a;
			tout[i * W + w] = b;
		}
	}
	if (x == 12345)
		tin[0] = x;
}
template <int K> static void lat_one(FILE *f, FILE *g, u64 *d, u64 *e)
{
	const int it = 512;
	for (int W = 1; W <= 32; W++) {
		if (K == B_ARRSYNC && (W & 1))
			continue;
		double best = 1e30;
		for (int rep = 0; rep < 5; rep++) {
			k_lat<K><<<1, W * 32>>>(d, it);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			u64 h[64];
			CK(cudaMemcpy(h, d, W * 16, cudaMemcpyDeviceToHost));
			u64 a = h[0], b = h[1];
			for (int w = 0; w < W; w++) {
				a = std::min(a, h[2 * w]);
				b = std::max(b, h[2 * w + 1]);
			}
			best = std::min(best, (double)(b - a) / it);
		}
		fprintf(f, "%s\t%d\t%.3f\n", bnames[K], W, best);
	}
	if (K == B_ARRSYNC)
		return;
	const int is = 20;
	for (int W : {1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 28, 32})
		for (int last : {0, W / 2, W - 1}) {
			k_skew<K><<<1, W * 32>>>(d, e, last, is);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			std::vector<u64> hi(is * W), ho(is * W);
			CK(cudaMemcpy(hi.data(), d, is * W * 8, cudaMemcpyDeviceToHost));
			CK(cudaMemcpy(ho.data(), e, is * W * 8, cudaMemcpyDeviceToHost));
			fprintf(g, "%s\t%d\t%d\t", bnames[K], W, last);
			for (int w = 0; w < W; w++) { // median release delay of warp w after the last arrival
				std::vector<long long> v;
				for (int i = 4; i < is; i++)
					v.push_back((long long)(ho[i * W + w] - hi[i * W + last]));
				std::sort(v.begin(), v.end());
				fprintf(g, "%s%lld", w ? "," : "", v[v.size() / 2]);
			}
			fputc('\n', g);
		}
	printf("latency %s done\n", bnames[K]);
	fflush(NULL);
}
static void s_latency()
{
	FILE *f = out_open("barrier_latency.tsv");
	fputs("kind\twarps\tcycles_per_barrier\n", f);
	FILE *g = out_open("barrier_release.tsv");
	fputs("kind\twarps\tlast_warp\trelease_cycles_after_last_arrival_per_warp\n", g);
	u64 *d, *e;
	CK(cudaMalloc(&d, 1 << 20));
	CK(cudaMalloc(&e, 1 << 20));
	lat_one<B_SYNC0>(f, g, d, e);
	lat_one<B_SYNCID>(f, g, d, e);
	lat_one<B_UNALIGNED>(f, g, d, e);
	lat_one<B_POPC>(f, g, d, e);
	lat_one<B_AND>(f, g, d, e);
	lat_one<B_ARRSYNC>(f, g, d, e);
	fclose(f);
	fclose(g);
}

// ------------------------------------------------------------------ several barriers of one block at once
__global__ void k_groups(u64 *out, int per, int iters)
{
	int w = threadIdx.x >> 5;
	u32 id = w / per, cnt = per * 32;
	__syncthreads();
	u64 t0 = clock64();
#pragma unroll 8
	for (int i = 0; i < iters; i++)
		asm volatile("bar.sync %0,%1;" ::"r"(id), "r"(cnt) : "memory");
	u64 t1 = clock64();
	if ((threadIdx.x & 31) == 0) {
		out[w * 2] = t0;
		out[w * 2 + 1] = t1;
	}
}
static void s_groups()
{
	FILE *f = out_open("barrier_groups.tsv");
	fputs("groups\twarps_per_group\tcycles_per_round\tbarriers_per_1000_cycles\twarp_arrivals_per_cycle\n", f);
	u64 *d;
	CK(cudaMalloc(&d, 4096));
	const int it = 512;
	for (int G : {1, 2, 4, 8, 16})
		for (int per : {1, 2, 3, 4, 6, 8, 16, 32}) {
			if (G * per > 32)
				continue;
			double best = 1e30;
			for (int rep = 0; rep < 5; rep++) {
				k_groups<<<1, G * per * 32>>>(d, per, it);
				CK(cudaGetLastError());
				CK(cudaDeviceSynchronize());
				u64 h[64];
				CK(cudaMemcpy(h, d, G * per * 16, cudaMemcpyDeviceToHost));
				u64 a = h[0], b = h[1];
				for (int w = 0; w < G * per; w++) {
					a = std::min(a, h[2 * w]);
					b = std::max(b, h[2 * w + 1]);
				}
				best = std::min(best, (double)(b - a) / it);
			}
			fprintf(f, "%d\t%d\t%.3f\t%.3f\t%.4f\n", G, per, best, G * 1000.0 / best, G * per / best);
		}
	fclose(f);
	printf("groups done\n");
}

// ------------------------------------------------------------------ several blocks per SM
__global__ void k_multi(u64 *out, int iters)
{
	__syncthreads();
	u64 t0 = clock64();
#pragma unroll 8
	for (int i = 0; i < iters; i++)
		asm volatile("bar.sync 0;" ::: "memory");
	u64 t1 = clock64();
	if (threadIdx.x == 0) {
		out[blockIdx.x * 3] = t0;
		out[blockIdx.x * 3 + 1] = t1;
		out[blockIdx.x * 3 + 2] = smid();
	}
}
static void s_multi()
{
	FILE *f = out_open("barrier_multi_cta.tsv");
	fputs("warps_per_cta\tctas_wanted_per_sm\tctas_seen_on_sm\tcycles_per_barrier_per_cta\tbarriers_per_1000_"
	      "cycles_per_"
	      "sm\n",
	      f);
	cudaDeviceProp p;
	CK(cudaGetDeviceProperties(&p, 0));
	int S = p.multiProcessorCount;
	u64 *d;
	CK(cudaMalloc(&d, (size_t)S * 32 * 24));
	const int it = 2048;
	for (int W : {1, 2, 4, 8, 16, 32})
		for (int B : {1, 2, 4, 8, 16, 32}) {
			if (W * B > 64)
				continue;
			int n = S * B;
			k_multi<<<n, W * 32>>>(d, it);
			k_multi<<<n, W * 32>>>(d, it);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			std::vector<u64> h(n * 3);
			CK(cudaMemcpy(h.data(), d, (size_t)n * 24, cudaMemcpyDeviceToHost));
			int sm = (int)h[2], cnt = 0;
			double avg = 0;
			u64 a = ~0ull, b = 0;
			for (int i = 0; i < n; i++)
				if ((int)h[i * 3 + 2] == sm) {
					cnt++;
					avg += (double)(h[i * 3 + 1] - h[i * 3]) / it;
					a = std::min(a, h[i * 3]);
					b = std::max(b, h[i * 3 + 1]);
				}
			fprintf(f, "%d\t%d\t%d\t%.3f\t%.3f\n", W, B, cnt, avg / cnt,
			        1000.0 * cnt * it / (double)(b - a));
		}
	fclose(f);
	printf("multi done\n");
}

// ------------------------------------------------------------------ warp barrier
template <int K> __global__ void k_warp(u64 *out, int iters, u32 mask)
{
	int lane = threadIdx.x & 31;
	u32 s = 0;
	__syncthreads();
	u64 t0 = clock64();
	if (K == 0) {
#pragma unroll 8
		for (int i = 0; i < iters; i++)
			asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
	} else if (K == 1) { // mask held in a register
#pragma unroll 8
		for (int i = 0; i < iters; i++)
			asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
	} else if (K == 2) { // diverge in two and meet again
#pragma unroll 1
		for (int i = 0; i < iters; i++) {
			if ((lane + i) & 1) {
				asm volatile("add.u32 %0,%0,%1;" : "+r"(s) : "r"(i));
				asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
				asm volatile("xor.b32 %0,%0,3;" : "+r"(s));
			} else {
				asm volatile("sub.u32 %0,%0,%1;" : "+r"(s) : "r"(i));
				asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
				asm volatile("xor.b32 %0,%0,5;" : "+r"(s));
			}
		}
	} else if (K == 3) { // same divergence, no explicit barrier
#pragma unroll 1
		for (int i = 0; i < iters; i++) {
			if ((lane + i) & 1) {
				asm volatile("add.u32 %0,%0,%1;" : "+r"(s) : "r"(i));
				asm volatile("xor.b32 %0,%0,3;" : "+r"(s));
			} else {
				asm volatile("sub.u32 %0,%0,%1;" : "+r"(s) : "r"(i));
				asm volatile("xor.b32 %0,%0,5;" : "+r"(s));
			}
		}
	}
	u64 t1 = clock64();
	if (lane == 0) {
		out[(threadIdx.x >> 5) * 2] = t0;
		out[(threadIdx.x >> 5) * 2 + 1] = t1;
	}
	if (s == 0x1234567)
		out[0] = s;
}
template <int K> static void warp_one(FILE *f, const char *nm, u64 *d)
{
	const int it = 512;
	for (int W : {1, 4, 8, 16, 32}) {
		double best = 1e30;
		for (int rep = 0; rep < 5; rep++) {
			k_warp<K><<<1, W * 32>>>(d, it, 0xFFFFFFFFu);
			CK(cudaGetLastError());
			CK(cudaDeviceSynchronize());
			u64 h[64];
			CK(cudaMemcpy(h, d, W * 16, cudaMemcpyDeviceToHost));
			u64 a = h[0], b = h[1];
			for (int w = 0; w < W; w++) {
				a = std::min(a, h[2 * w]);
				b = std::max(b, h[2 * w + 1]);
			}
			best = std::min(best, (double)(b - a) / it);
		}
		fprintf(f, "%s\t%d\t%.3f\t%.4f\n", nm, W, best, W / best);
	}
}
static void s_warp()
{
	FILE *f = out_open("barrier_warp.tsv");
	fputs("kind\twarps\tcycles_per_iteration\twarp_instructions_per_cycle\n", f);
	u64 *d;
	CK(cudaMalloc(&d, 4096));
	warp_one<0>(f, "bar.warp.sync.imm", d);
	warp_one<1>(f, "bar.warp.sync.reg", d);
	warp_one<2>(f, "diverge2+bar.warp.sync", d);
	warp_one<3>(f, "diverge2", d);
	fclose(f);
	printf("warp done\n");
}

// ------------------------------------------------------------------ cluster barriers
template <int K> __global__ void k_cluster(u64 *out, int iters)
{
	u32 r = cluster_rank();
	cluster_sync_all();
	u64 t0 = clock64();
#pragma unroll 4
	for (int i = 0; i < iters; i++) {
		if (K == 0)
			asm volatile(
			        "barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::
			                : "memory");
		if (K == 1)
			asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::
			                     : "memory");
		if (K == 2)
			asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
	}
	u64 t1 = clock64();
	cluster_sync_all();
	if (threadIdx.x == 0 && blockIdx.x < gridDim.x) {
		out[blockIdx.x * 3] = t1 - t0;
		out[blockIdx.x * 3 + 1] = smid();
		out[blockIdx.x * 3 + 2] = r;
	}
}
// arrive on one side only, wait much later: does arrive block; how long is a wait on an already complete phase
__global__ void k_cluster_split(u64 *out)
{
	cluster_sync_all();
	u64 t0 = clock64();
	asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
	u64 t1 = clock64();
	while (clock64() - t1 < 5000)
		;
	u64 t2 = clock64();
	asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
	u64 t3 = clock64();
	cluster_sync_all();
	if (threadIdx.x == 0) {
		out[blockIdx.x * 3] = t1 - t0;
		out[blockIdx.x * 3 + 1] = t3 - t2;
		out[blockIdx.x * 3 + 2] = cluster_rank();
	}
}
static cudaError_t launch_cluster(void *fn, int cl, int blocks, int threads, void **args)
{
	cudaLaunchConfig_t c;
	memset(&c, 0, sizeof c);
	c.gridDim = dim3(blocks);
	c.blockDim = dim3(threads);
	cudaLaunchAttribute at[1];
	at[0].id = cudaLaunchAttributeClusterDimension;
	at[0].val.clusterDim.x = cl;
	at[0].val.clusterDim.y = 1;
	at[0].val.clusterDim.z = 1;
	c.attrs = at;
	c.numAttrs = 1;
	if (cl > 8) {
		cudaError_t e = cudaFuncSetAttribute(fn, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
		if (e != cudaSuccess)
			return e;
	}
	return cudaLaunchKernelExC(&c, fn, args);
}
static void s_cluster()
{
	FILE *f = out_open("barrier_cluster.tsv");
	fputs("kind\tcluster\twarps\tclusters_running\tcycles_per_barrier_min\tcycles_per_barrier_max\tsms_of_first\n",
	      f);
	u64 *d;
	CK(cudaMalloc(&d, 64 * 1024));
	int it = 512;
	struct {
		const char *n;
		void *fn;
	} ks[] = {{"release/acquire.aligned", (void *)k_cluster<0>},
	          {"relaxed.aligned", (void *)k_cluster<1>},
	          {"release/acquire(unaligned)", (void *)k_cluster<2>}};
	for (auto &k : ks)
		for (int cl : {1, 2, 4, 8, 16})
			for (int W : {1, 4, 8, 16, 32})
				for (int many = 0; many < 2; many++) {
					int nc = many ? 8 : 1;
					void *args[] = {&d, &it};
					cudaError_t e = launch_cluster(k.fn, cl, cl * nc, W * 32, args);
					if (e != cudaSuccess) {
						cudaGetLastError();
						fprintf(f, "%s\t%d\t%d\t%d\trefused:%s\t-\t-\n", k.n, cl, W, nc,
						        cudaGetErrorName(e));
						continue;
					}
					CK(cudaDeviceSynchronize());
					std::vector<u64> h(cl * nc * 3);
					CK(cudaMemcpy(h.data(), d, h.size() * 8, cudaMemcpyDeviceToHost));
					double mn = 1e30, mx = 0;
					for (int i = 0; i < cl * nc; i++) {
						mn = std::min(mn, (double)h[i * 3] / it);
						mx = std::max(mx, (double)h[i * 3] / it);
					}
					fprintf(f, "%s\t%d\t%d\t%d\t%.2f\t%.2f\t", k.n, cl, W, nc, mn, mx);
					for (int i = 0; i < cl; i++)
						fprintf(f, "%s%llu", i ? "," : "", (unsigned long long)h[i * 3 + 1]);
					fputc('\n', f);
				}
	for (int cl : {1, 2, 4, 8})
		for (int W : {1, 8, 32}) {
			void *args[] = {&d};
			cudaError_t e = launch_cluster((void *)k_cluster_split, cl, cl, W * 32, args);
			if (e != cudaSuccess) {
				cudaGetLastError();
				continue;
			}
			CK(cudaDeviceSynchronize());
			std::vector<u64> h(cl * 3);
			CK(cudaMemcpy(h.data(), d, h.size() * 8, cudaMemcpyDeviceToHost));
			fprintf(f, "split_arrive_then_late_wait\t%d\t%d\t1\tarrive=%llu\twait=%llu\t-\n", cl, W,
			        (unsigned long long)h[0], (unsigned long long)h[1]);
		}
	fclose(f);
	printf("cluster done\n");
}

// ------------------------------------------------------------------ ping-pong: one-way hand-off = half a round
__device__ static void mb_init(u32 a, u32 n)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(n) : "memory");
}
__device__ static void mb_arrive(u32 a)
{
	asm volatile("{ .reg .b64 t; mbarrier.arrive.release.cta.shared::cta.b64 t,[%0]; }" ::"r"(a) : "memory");
}
__device__ static void mb_arrive_remote(u32 a)
{
	asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0];" ::"r"(a) : "memory");
}
template <int TRY> __device__ static void mb_wait(u32 a, u32 par)
{
	u32 r;
	do {
		if (TRY)
			asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
			             "p,[%1],%2; selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "r"(par)
			             : "memory");
		else
			asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 "
			             "p,[%1],%2; selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "r"(par)
			             : "memory");
	} while (!r);
}
enum { P_NAMED, P_MB_TRY, P_MB_TEST, P_FLAG_SMEM, P_ATOM_SMEM, P_FLAG_GLOBAL_CTA, P_FLAG_GLOBAL_GPU, P_NUM };
static const char *pnames[P_NUM] = {"bar.arrive/bar.sync",
                                    "mbarrier.try_wait",
                                    "mbarrier.test_wait",
                                    "smem.st.release/ld.acquire.cta",
                                    "smem.atom.exch/ld",
                                    "global.st.release/ld.acquire.cta",
                                    "global.st.release/ld.acquire.gpu"};
template <int K> __global__ void k_ping(u64 *out, u32 *gf, int rounds)
{
	__shared__ __align__(8) u64 mb[2];
	__shared__ volatile u32 fl[64];
	int w = threadIdx.x >> 5; // warps 0 and 1 play
	if (threadIdx.x == 0) {
		mb_init(smem_addr(&mb[0]), K == P_MB_TRY || K == P_MB_TEST ? 1 : 1);
		mb_init(smem_addr(&mb[1]), 1);
		fl[0] = fl[32] = 0;
	}
	__syncthreads();
	u32 f0 = smem_addr((const void *)&fl[0]), f1 = smem_addr((const void *)&fl[32]);
	bool lead = (threadIdx.x & 31) == 0;
	u64 t0 = clock64();
	for (int i = 0; i < rounds; i++) {
		u32 v = i + 1, x;
		if (K == P_NAMED) {
			if (w == 0) {
				asm volatile("bar.arrive 1,64;" ::: "memory");
				asm volatile("bar.sync 2,64;" ::: "memory");
			} else {
				asm volatile("bar.sync 1,64;" ::: "memory");
				asm volatile("bar.arrive 2,64;" ::: "memory");
			}
		} else if (lead) {
			if (K == P_MB_TRY || K == P_MB_TEST) {
				if (w == 0) {
					mb_arrive(smem_addr(&mb[0]));
					mb_wait<K == P_MB_TRY>(smem_addr(&mb[1]), i & 1);
				} else {
					mb_wait<K == P_MB_TRY>(smem_addr(&mb[0]), i & 1);
					mb_arrive(smem_addr(&mb[1]));
				}
			} else if (K == P_FLAG_SMEM || K == P_ATOM_SMEM) {
				u32 mine = w == 0 ? f0 : f1, other = w == 0 ? f1 : f0;
				if (w == 1)
					do {
						asm volatile("ld.acquire.cta.shared::cta.u32 %0,[%1];"
						             : "=r"(x)
						             : "r"(other)
						             : "memory");
					} while (x != v);
				if (K == P_FLAG_SMEM)
					asm volatile("st.release.cta.shared::cta.u32 [%0],%1;" ::"r"(mine), "r"(v)
					             : "memory");
				else {
					u32 o;
					asm volatile("atom.release.cta.shared::cta.exch.b32 %0,[%1],%2;"
					             : "=r"(o)
					             : "r"(mine), "r"(v)
					             : "memory");
				}
				if (w == 0)
					do {
						asm volatile("ld.acquire.cta.shared::cta.u32 %0,[%1];"
						             : "=r"(x)
						             : "r"(other)
						             : "memory");
					} while (x != v);
			} else {
				u32 *mine = gf + (w == 0 ? 0 : 64), *other = gf + (w == 0 ? 64 : 0);
				for (int ph = 0; ph < 2; ph++) {
					if ((ph == 0) == (w == 0)) {
						if (K == P_FLAG_GLOBAL_CTA)
							asm volatile("st.release.cta.global.u32 [%0],%1;" ::"l"(mine),
							             "r"(v)
							             : "memory");
						else
							asm volatile("st.release.gpu.global.u32 [%0],%1;" ::"l"(mine),
							             "r"(v)
							             : "memory");
					} else
						do {
							if (K == P_FLAG_GLOBAL_CTA)
								asm volatile("ld.acquire.cta.global.u32 %0,[%1];"
								             : "=r"(x)
								             : "l"(other)
								             : "memory");
							else
								asm volatile("ld.acquire.gpu.global.u32 %0,[%1];"
								             : "=r"(x)
								             : "l"(other)
								             : "memory");
						} while (x != v);
				}
			}
		}
	}
	u64 t1 = clock64();
	if (threadIdx.x == 0)
		out[0] = t1 - t0;
}
// two blocks: 0 mbarrier in the peer's shared memory, 1 flag in the peer's shared memory, 2 global flag .gpu, 3 cluster
// barrier
template <int K> __global__ void k_ping2(u64 *out, u32 *gf, int rounds, int clustered)
{
	__shared__ __align__(8) u64 mb;
	__shared__ volatile u32 fl;
	u32 r = clustered ? cluster_rank() : blockIdx.x;
	if (threadIdx.x == 0) {
		mb_init(smem_addr(&mb), 1);
		fl = 0;
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	if (clustered)
		cluster_sync_all();
	else
		__syncthreads();
	u64 t0 = clock64();
	if (threadIdx.x == 0 || K == 3) {
		u32 pm = clustered ? mapa32(smem_addr(&mb), r ^ 1) : 0,
		    pf = clustered ? mapa32(smem_addr((const void *)&fl), r ^ 1) : 0;
		for (int i = 0; i < rounds; i++) {
			u32 v = i + 1, x;
			for (u32 ph = 0; ph < 2; ph++) {
				bool snd = ph == r;
				if (K == 0) {
					if (snd)
						mb_arrive_remote(pm);
					else
						mb_wait<1>(smem_addr(&mb), i & 1);
				}
				if (K == 1) {
					if (snd)
						asm volatile(
						        "st.release.cluster.shared::cluster.u32 [%0],%1;" ::"r"(pf),
						        "r"(v)
						        : "memory");
					else
						do {
							asm volatile("ld.acquire.cluster.shared::cta.u32 %0,[%1];"
							             : "=r"(x)
							             : "r"(smem_addr((const void *)&fl))
							             : "memory");
						} while (x != v);
				}
				if (K == 2) {
					u32 *mine = gf + r * 64, *other = gf + (r ^ 1) * 64;
					if (snd)
						asm volatile("st.release.gpu.global.u32 [%0],%1;" ::"l"(mine), "r"(v)
						             : "memory");
					else
						do {
							asm volatile("ld.acquire.gpu.global.u32 %0,[%1];"
							             : "=r"(x)
							             : "l"(other)
							             : "memory");
						} while (x != v);
				}
			}
			if (K == 3)
				cluster_sync_all();
		}
	}
	u64 t1 = clock64();
	if (threadIdx.x == 0 && r == 0) {
		out[0] = t1 - t0;
	}
	if (clustered)
		cluster_sync_all();
}
static void s_ping()
{
	FILE *f = out_open("handoff.tsv");
	fputs("mechanism\tplacement\trounds\tcycles_per_round\tcycles_one_way\n", f);
	u64 *d;
	u32 *gf;
	CK(cudaMalloc(&d, 64));
	CK(cudaMalloc(&gf, 4096));
	int N = 2000;
#define PING(K)                                                                                                        \
	{                                                                                                              \
		double best = 1e30;                                                                                    \
		for (int rep = 0; rep < 4; rep++) {                                                                    \
			CK(cudaMemset(gf, 0, 4096));                                                                   \
			k_ping<K><<<1, 64>>>(d, gf, N);                                                                \
			CK(cudaGetLastError());                                                                        \
			CK(cudaDeviceSynchronize());                                                                   \
			u64 h;                                                                                         \
			CK(cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost));                                              \
			best = std::min(best, (double)h / N);                                                          \
		}                                                                                                      \
		fprintf(f, "%s\tsame_cta\t%d\t%.2f\t%.2f\n", pnames[K], N, best, best / 2);                            \
		printf("ping %s\n", pnames[K]);                                                                        \
		fflush(NULL);                                                                                          \
	}
	PING(P_NAMED)
	PING(P_MB_TRY)
	PING(P_MB_TEST) PING(P_FLAG_SMEM) PING(P_ATOM_SMEM) PING(P_FLAG_GLOBAL_CTA) PING(P_FLAG_GLOBAL_GPU) struct {
		const char *n;
		void *fn;
		int cl;
	} ks[] = {{"mbarrier.arrive remote", (void *)k_ping2<0>, 2},
	          {"smem flag remote", (void *)k_ping2<1>, 2},
	          {"global flag gpu", (void *)k_ping2<2>, 2},
	          {"global flag gpu", (void *)k_ping2<2>, 1},
	          {"cluster barrier round", (void *)k_ping2<3>, 2}};
	for (auto &k : ks) {
		double best = 1e30;
		for (int rep = 0; rep < 4; rep++) {
			CK(cudaMemset(gf, 0, 4096));
			int cl = k.cl == 2;
			void *args[] = {&d, &gf, &N, &cl};
			CK(launch_cluster(k.fn, k.cl, 2, 32, args));
			CK(cudaDeviceSynchronize());
			u64 h;
			CK(cudaMemcpy(&h, d, 8, cudaMemcpyDeviceToHost));
			best = std::min(best, (double)h / N);
		}
		fprintf(f, "%s\t%s\t%d\t%.2f\t%.2f\n", k.n, k.cl == 2 ? "same_cluster" : "other_sm", N, best, best / 2);
		printf("ping2 %s\n", k.n);
		fflush(NULL);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	std::string s = argc > 2 ? argv[2] : "all";
	banner("barriers");
	bool all = s == "all";
	if (all || s == "red")
		s_red(0);
	if (all || s == "latency")
		s_latency();
	if (all || s == "groups")
		s_groups();
	if (all || s == "multi")
		s_multi();
	if (all || s == "warp")
		s_warp();
	if (all || s == "pc")
		s_pc();
	if (all || s == "cluster")
		s_cluster();
	if (all || s == "ping")
		s_ping();
	if (all || s == "red_diverged")
		s_red(1);
	printf("barriers done\n");
	return 0;
}
