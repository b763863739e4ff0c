// SPDX-License-Identifier: Apache-2.0
// Golden vectors for warp collectives: vote, match, shfl, redux, elect, activemask.
// usage: warp_ops OUTDIR [section]   section: base | split | all
// One row is executed by one warp.  mode of a row:
//   full   all 32 lanes execute with member mask ffffffff
//   sub    only the lanes of mask execute, the others branch around
//   two    lanes of mask execute with mask, the rest execute the same instruction with ~mask
//   div    lanes of mask execute in one branch, the rest in another branch with ~mask
#include "sil.h"

enum { M_FULL, M_SUB, M_TWO, M_DIV };
static const char *mnames[] = {"full", "sub", "two", "div"};

struct Row {
	u32 mode, mask;
	u32 a[32];
	u32 b[32];
	u32 c[32];
}; // a: value lo, b: value hi or lane operand, c: shfl c
struct Out {
	u32 d[32];
	u32 p;
	u32 done;
};

#define VOTE_P(id, ptx)                                                                                                \
	struct id {                                                                                                    \
		static __device__ void ap(u32 a, u32, u32, u32 m, u32 &d, u32 &p)                                      \
		{                                                                                                      \
			asm volatile("{ .reg .pred x,y; setp.ne.u32 x,%1,0; vote.sync." ptx                            \
			             ".pred y,x,%2; selp.u32 %0,1,0,y; }"                                              \
			             : "=r"(p)                                                                         \
			             : "r"(a), "r"(m)                                                                  \
			             : "memory");                                                                      \
			d = 0;                                                                                         \
		}                                                                                                      \
	};
VOTE_P(vote_all, "all") VOTE_P(vote_any, "any") VOTE_P(vote_uni, "uni") struct vote_ballot {
	static __device__ void ap(u32 a, u32, u32, u32 m, u32 &d, u32 &p)
	{
		asm volatile("{ .reg .pred x; setp.ne.u32 x,%1,0; vote.sync.ballot.b32 %0,x,%2; }"
		             : "=r"(d)
		             : "r"(a), "r"(m)
		             : "memory");
		p = 0;
	}
};
struct match_any32 {
	static __device__ void ap(u32 a, u32, u32, u32 m, u32 &d, u32 &p)
	{
		asm volatile("match.any.sync.b32 %0,%1,%2;" : "=r"(d) : "r"(a), "r"(m) : "memory");
		p = 0;
	}
};
struct match_any64 {
	static __device__ void ap(u32 a, u32 b, u32, u32 m, u32 &d, u32 &p)
	{
		u64 v = (u64)b << 32 | a;
		asm volatile("match.any.sync.b64 %0,%1,%2;" : "=r"(d) : "l"(v), "r"(m) : "memory");
		p = 0;
	}
};
struct match_all32 {
	static __device__ void ap(u32 a, u32, u32, u32 m, u32 &d, u32 &p)
	{
		asm volatile("{ .reg .pred y; match.all.sync.b32 %0|y,%2,%3; selp.u32 %1,1,0,y; }"
		             : "=r"(d), "=r"(p)
		             : "r"(a), "r"(m)
		             : "memory");
	}
};
struct match_all64 {
	static __device__ void ap(u32 a, u32 b, u32, u32 m, u32 &d, u32 &p)
	{
		u64 v = (u64)b << 32 | a;
		asm volatile("{ .reg .pred y; match.all.sync.b64 %0|y,%2,%3; selp.u32 %1,1,0,y; }"
		             : "=r"(d), "=r"(p)
		             : "l"(v), "r"(m)
		             : "memory");
	}
};
#define SHFL(id, ptx)                                                                                                  \
	struct id {                                                                                                    \
		static __device__ void ap(u32 a, u32 b, u32 c, u32 m, u32 &d, u32 &p)                                  \
		{                                                                                                      \
			asm volatile("{ .reg .pred y; shfl.sync." ptx ".b32 %0|y,%2,%3,%4,%5; selp.u32 %1,1,0,y; }"    \
			             : "=r"(d), "=r"(p)                                                                \
			             : "r"(a), "r"(b), "r"(c), "r"(m)                                                  \
			             : "memory");                                                                      \
		}                                                                                                      \
	};
SHFL(shfl_idx, "idx")
SHFL(shfl_up, "up")
SHFL(shfl_down, "down") SHFL(shfl_bfly, "bfly")
#define REDUX(id, ptx)                                                                                                 \
	struct id {                                                                                                    \
		static __device__ void ap(u32 a, u32, u32, u32 m, u32 &d, u32 &p)                                      \
		{                                                                                                      \
			asm volatile("redux.sync." ptx " %0,%1,%2;" : "=r"(d) : "r"(a), "r"(m) : "memory");            \
			p = 0;                                                                                         \
		}                                                                                                      \
	};
        REDUX(redux_add_u32, "add.u32") REDUX(redux_add_s32, "add.s32") REDUX(redux_min_u32, "min.u32")
                REDUX(redux_min_s32, "min.s32") REDUX(redux_max_u32, "max.u32") REDUX(redux_max_s32, "max.s32")
                        REDUX(redux_and_b32, "and.b32") REDUX(redux_or_b32, "or.b32")
                                REDUX(redux_xor_b32, "xor.b32") struct elect_one {
	static __device__ void ap(u32, u32, u32, u32 m, u32 &d, u32 &p)
	{
		asm volatile("{ .reg .pred y; elect.sync %0|y,%2; selp.u32 %1,1,0,y; }"
		             : "=r"(d), "=r"(p)
		             : "r"(m)
		             : "memory");
	}
};
struct act_mask {
	static __device__ void ap(u32, u32, u32, u32, u32 &d, u32 &p)
	{
		asm volatile("activemask.b32 %0;" : "=r"(d)::"memory");
		p = 0;
	}
};

template <class F> __global__ void k(const Row *rows, Out *out, int n, int two)
{
	int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
	if (w >= n)
		return;
	const Row &r = rows[w];
	u32 a = r.a[lane], b = r.b[lane], c = r.c[lane], mask = r.mask, mode = r.mode;
	bool in = mask >> lane & 1;
	u32 d = 0xDEADBEEF, p = 0;
	__syncwarp();
	if (mode == M_FULL)
		F::ap(a, b, c, 0xFFFFFFFFu, d, p);
	else if (mode == M_SUB) {
		if (in)
			F::ap(a, b, c, mask, d, p);
	} else if (mode == M_DIV) {
		if (in) {
			F::ap(a, b, c, mask, d, p);
			d += 0;
		} else {
			asm volatile("// other side" ::: "memory");
			F::ap(a, b, c, ~mask, d, p);
		}
	} else if (two) {
		u32 mm = in ? mask : ~mask;
		F::ap(a, b, c, mm, d, p);
	}
	__syncwarp();
	u32 pb = __ballot_sync(0xFFFFFFFFu, p);
	out[w].d[lane] = d;
	if (lane == 0) {
		out[w].p = pb;
		out[w].done = 1;
	}
}

static Row *dr;
static Out *dout;
static const int MAXR = 4096;

enum Kind { K_VOTE, K_M32, K_M64, K_SHFL, K_REDUX, K_NONE };

static std::vector<Row> gen(Kind kd, u64 seed, int n, bool split)
{
	Rng g(seed);
	std::vector<Row> v(n);
	for (int i = 0; i < n; i++) {
		Row &r = v[i];
		r.mode = split ? M_TWO : (i % 4 == 0 ? M_FULL : i % 4 == 3 ? M_DIV : M_SUB);
		switch (g.below(8)) {
		case 0:
			r.mask = 1u << g.below(32);
			break;
		case 1:
			r.mask = (u32)(g.next() & g.next() & g.next());
			break;
		case 2:
			r.mask = (u32)(g.next() | g.next() | g.next());
			break;
		case 3:
			r.mask = 0xFFFFFFFFu >> g.below(32);
			break;
		case 4:
			r.mask = 0xFFFFFFFFu << g.below(32);
			break;
		default:
			r.mask = (u32)g.next();
		}
		if (!r.mask)
			r.mask = 0x80000000u;
		if (r.mode == M_FULL)
			r.mask = 0xFFFFFFFFu;
		if ((r.mode == M_TWO || r.mode == M_DIV) && r.mask == 0xFFFFFFFFu)
			r.mask = 0x0F0F00FFu;
		u32 dens = g.below(5);
		u32 nval = 1 + g.below(6);
		u64 pool[8];
		for (int k2 = 0; k2 < 8; k2++)
			pool[k2] = g.next();
		if (i & 1)
			for (int k2 = 1; k2 < 8; k2++)
				pool[k2] = pool[0] ^ (1ull << g.below(64)); // near misses
		u32 segm = g.below(4) == 0 ? (u32)g.below(32) : (32u - (1u << g.below(6))) & 31u;
		u32 clampv = g.below(4) == 0 ? (u32)g.below(32) : (i & 2 ? 31u : 0u);
		u32 bcom = g.below(33);
		for (int l = 0; l < 32; l++) {
			r.a[l] = r.b[l] = r.c[l] = 0;
			if (kd == K_VOTE)
				r.a[l] = dens == 0   ? 0
				         : dens == 1 ? 1
				         : dens == 2 ? (g.below(32) == 0)
				         : dens == 3 ? (g.below(32) != 0)
				                     : (u32)g.below(2);
			if (kd == K_M32 || kd == K_M64) {
				u64 x = pool[dens == 0 ? 0 : g.below(nval)];
				if (dens == 1 && l == (int)(i % 32))
					x = pool[7];
				r.a[l] = (u32)x;
				r.b[l] = (u32)(x >> 32);
			}
			if (kd == K_SHFL) {
				r.a[l] = 0x5A000000u | (u32)(i & 0xFFFF) << 8 | l;
				r.b[l] = i % 3 == 0 ? bcom : (u32)g.below(i % 3 == 1 ? 32 : 70);
				r.c[l] = i % 5 == 0 ? (u32)(g.below(32) << 8 | g.below(32)) : (segm << 8 | clampv);
			}
			if (kd == K_REDUX) {
				static const u32 ed[] = {0,           1, 0xFFFFFFFFu, 0x80000000u,
				                         0x7FFFFFFFu, 2, 0xFFFFFFFEu, 0x55555555u};
				r.a[l] = dens == 0 ? ed[g.below(8)] : dens == 1 ? (u32)g.below(16) : (u32)g.next();
			}
		}
	}
	return v;
}

static FILE *fo;
template <class F> static void go(const char *name, Kind kd, u64 seed, int n, bool split)
{
	std::vector<Row> v = gen(kd, seed, n, split);
	CK(cudaMemcpy(dr, v.data(), n * sizeof(Row), cudaMemcpyHostToDevice));
	CK(cudaMemset(dout, 0, n * sizeof(Out)));
	k<F><<<(n + 3) / 4, 128>>>(dr, dout, n, split ? 1 : 0);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	std::vector<Out> o(n);
	CK(cudaMemcpy(o.data(), dout, n * sizeof(Out), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		fprintf(fo, "%s\t%d\t%s\t%08x\t", name, i, mnames[v[i].mode], v[i].mask);
		u32 exec = v[i].mode == M_SUB ? v[i].mask : 0xFFFFFFFFu;
		if (kd == K_VOTE) {
			u32 x = 0;
			for (int l = 0; l < 32; l++)
				x |= (v[i].a[l] != 0) << l;
			fprintf(fo, "%08x", x);
		} else if (kd == K_NONE)
			fputc('-', fo);
		else if (kd == K_SHFL)
			for (int l = 0; l < 32; l++)
				fprintf(fo, "%s%x:%x", l ? "," : "", v[i].b[l], v[i].c[l]);
		else if (kd == K_M64)
			for (int l = 0; l < 32; l++)
				fprintf(fo, "%s%08x%08x", l ? "," : "", v[i].b[l], v[i].a[l]);
		else
			for (int l = 0; l < 32; l++)
				fprintf(fo, "%s%x", l ? "," : "", v[i].a[l]);
		fputc('\t', fo);
		// collapse results equal over all executing lanes of a group
		for (int grp = 0; grp < 2; grp++) {
			u32 m = grp ? exec & ~v[i].mask : v[i].mask;
			if (!m)
				continue;
			if (grp)
				fputs(" | ", fo);
			bool same = true;
			int f0 = -1;
			for (int l = 0; l < 32; l++)
				if (m >> l & 1) {
					if (f0 < 0)
						f0 = l;
					else
						same &= o[i].d[l] == o[i].d[f0];
				}
			if (kd == K_SHFL) {
				for (int l = 0, first = 1; l < 32; l++)
					if (m >> l & 1) {
						u32 x = o[i].d[l];
						if ((x & 0xFFFFFF00u) == (0x5A000000u | (u32)(i & 0xFFFF) << 8))
							fprintf(fo, "%s%x", first ? "" : ",", x & 0xFF);
						else
							fprintf(fo, "%s!%08x", first ? "" : ",", x);
						first = 0;
					}
			} else if (same)
				fprintf(fo, "=%x", o[i].d[f0]);
			else
				for (int l = 0, first = 1; l < 32; l++)
					if (m >> l & 1) {
						fprintf(fo, "%s%x", first ? "" : ",", o[i].d[l]);
						first = 0;
					}
		}
		fprintf(fo, "\t%08x\t%u\n", o[i].p & exec, o[i].done);
	}
	printf("%s %s: %d rows\n", split ? "split" : "base", name, n);
	fflush(NULL);
}

// activemask along divergent control flow: each lane takes a data-dependent path of 6 steps
__global__ void k_walk(u32 *out, u32 seed)
{
	int lane = threadIdx.x & 31;
	u32 s = mix32(seed + blockIdx.x * 64 + lane);
	for (int st = 0; st < 6; st++) {
		u32 m1 = 0, m2 = 0;
		if (s >> st & 1) {
			asm volatile("activemask.b32 %0;" : "=r"(m1)::"memory");
			if (s >> (st + 8) & 1)
				asm volatile("activemask.b32 %0;" : "=r"(m2)::"memory");
		} else {
			asm volatile("activemask.b32 %0;" : "=r"(m1)::"memory");
		}
		u32 m3;
		asm volatile("activemask.b32 %0;" : "=r"(m3)::"memory");
		u32 *o = out + ((blockIdx.x * 6 + st) * 32 + lane) * 4;
		o[0] = s >> st & 1;
		o[1] = m1;
		o[2] = m2;
		o[3] = m3;
	}
	// loop with lane-dependent trip count, early exit of odd lanes
	u32 n = s % 5, x = 0;
	for (u32 j = 0; j < n; j++) {
		u32 m;
		asm volatile("activemask.b32 %0;" : "=r"(m)::"memory");
		x ^= m + j;
	}
	if (x == 0x12345678)
		out[0] = x;
}
static void walk()
{
	FILE *f = out_open("activemask_walk.tsv");
	fputs("block\tstep\ttaken_mask\tactivemask_in_branch(lane groups)\tnested\tafter\n", f);
	u32 *d;
	const int B = 64;
	size_t sz = (size_t)B * 6 * 32 * 4;
	CK(cudaMalloc(&d, sz * 4));
	CK(cudaMemset(d, 0, sz * 4));
	k_walk<<<B, 32>>>(d, 5);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	std::vector<u32> h(sz);
	CK(cudaMemcpy(h.data(), d, sz * 4, cudaMemcpyDeviceToHost));
	for (int b = 0; b < B; b++)
		for (int s = 0; s < 6; s++) {
			u32 tk = 0;
			for (int l = 0; l < 32; l++)
				tk |= h[((b * 6 + s) * 32 + l) * 4] << l;
			fprintf(f, "%d\t%d\t%08x", b, s, tk);
			for (int q = 1; q < 4; q++) {
				fputc('\t', f);
				for (int l = 0; l < 32; l++)
					fprintf(f, "%s%x", l ? "," : "", h[((b * 6 + s) * 32 + l) * 4 + q]);
			}
			fputc('\n', f);
		}
	fclose(f);
	printf("activemask walk done\n");
}

static void everything(bool split)
{
	int n = split ? 300 : 1200;
	u64 s = split ? 900 : 100;
	go<vote_all>("vote.all", K_VOTE, s + 1, n, split);
	go<vote_any>("vote.any", K_VOTE, s + 2, n, split);
	go<vote_uni>("vote.uni", K_VOTE, s + 3, n, split);
	go<vote_ballot>("vote.ballot", K_VOTE, s + 4, n, split);
	go<match_any32>("match.any.b32", K_M32, s + 5, n, split);
	go<match_any64>("match.any.b64", K_M64, s + 6, n, split);
	go<match_all32>("match.all.b32", K_M32, s + 7, n, split);
	go<match_all64>("match.all.b64", K_M64, s + 8, n, split);
	go<shfl_idx>("shfl.idx", K_SHFL, s + 9, n, split);
	go<shfl_up>("shfl.up", K_SHFL, s + 10, n, split);
	go<shfl_down>("shfl.down", K_SHFL, s + 11, n, split);
	go<shfl_bfly>("shfl.bfly", K_SHFL, s + 12, n, split);
	go<redux_add_u32>("redux.add.u32", K_REDUX, s + 13, n, split);
	go<redux_add_s32>("redux.add.s32", K_REDUX, s + 14, n, split);
	go<redux_min_u32>("redux.min.u32", K_REDUX, s + 15, n, split);
	go<redux_min_s32>("redux.min.s32", K_REDUX, s + 16, n, split);
	go<redux_max_u32>("redux.max.u32", K_REDUX, s + 17, n, split);
	go<redux_max_s32>("redux.max.s32", K_REDUX, s + 18, n, split);
	go<redux_and_b32>("redux.and.b32", K_REDUX, s + 19, n, split);
	go<redux_or_b32>("redux.or.b32", K_REDUX, s + 20, n, split);
	go<redux_xor_b32>("redux.xor.b32", K_REDUX, s + 21, n, split);
	go<elect_one>("elect", K_NONE, s + 22, n, split);
	go<act_mask>("activemask", K_NONE, s + 23, n, split);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	std::string sec = argc > 2 ? argv[2] : "all";
	banner("warp_ops");
	CK(cudaMalloc(&dr, MAXR * sizeof(Row)));
	CK(cudaMalloc(&dout, MAXR * sizeof(Out)));
	const char *hdr = "op\trow\tmode\tmask\tinput\tresult\tpred\tdone\n";
	if (sec == "all" || sec == "base") {
		fo = out_open("warp_ops.tsv");
		fputs(hdr, fo);
		everything(false);
		fclose(fo);
		walk();
	}
	if (sec == "all" || sec == "split") {
		fo = out_open("warp_ops_split.tsv");
		fputs(hdr, fo);
		everything(true);
		fclose(fo);
	}
	printf("warp_ops done\n");
	return 0;
}
