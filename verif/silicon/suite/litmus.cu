// SPDX-License-Identifier: Apache-2.0
// Memory-model litmus tests with stress: histogram of outcomes per
// (test, access mode, scope, placement, memory space, spacing).
// usage: litmus OUTDIR [repeats]
#include "sil.h"

enum { T_MP, T_SB, T_LB, T_IRIW, T_CORR, T_22W, T_ISA2, T_WRC, T_R, T_S, T_NUM };
static const char *tname[T_NUM] = {"MP", "SB", "LB", "IRIW", "CoRR", "2+2W", "ISA2", "WRC", "R", "S"};
static const int troles[T_NUM] = {2, 2, 2, 4, 2, 2, 4, 4, 2, 2}; // ISA2 and WRC leave one of four idle
// outcome code that breaks sequential consistency (for CoRR: coherence)
// bits: 0..1 first register(s) of the readers, see README; 2+2W, R, S append final values from bit 4
static bool is_weak(int t, int c)
{
	switch (t) {
	case T_MP:
		return (c & 3) == 1; // r0=1 (flag seen), r1=0 (data stale)
	case T_SB:
		return (c & 3) == 0;
	case T_LB:
		return (c & 3) == 3;
	case T_IRIW:
		return (c & 15) == 5; // both readers saw their first, not their second location
	case T_CORR:
		return (c & 3) == 1;
	case T_22W:
		return ((c >> 4) & 3) == 1 && ((c >> 6) & 3) == 1;
	case T_ISA2:
		return (c & 7) == 3; // y seen, z seen, x stale
	case T_WRC:
		return (c & 7) == 3;
	case T_R:
		return (c & 1) == 0 && ((c >> 6) & 3) == 2; // x read stale although y ended as T1's value
	case T_S:
		return (c & 1) == 1 && ((c >> 4) & 3) == 2; // y seen, x ended as T0's older value
	}
	return false;
}
enum { MO_RLX, MO_RELACQ, MO_FENCE_AR, MO_FENCE_SC, MO_RMW_RLX, MO_RMW_AR, MO_NUM };
static const char *mname[MO_NUM] = {"relaxed",          "release/acquire", "relaxed+fence.acq_rel",
                                    "relaxed+fence.sc", "rmw.relaxed",     "rmw.acq_rel"};
enum { S_CTA, S_CLUSTER, S_GPU, S_NUM };
static const char *sname[S_NUM] = {"cta", "cluster", "gpu"};
enum { P_CTA, P_CLUSTER, P_GPU, P_NUM };
static const char *pname[P_NUM] = {"same_cta", "same_cluster", "other_cluster"};

#define LDST(SC, SCN)                                                                                                  \
	template <int MO> __device__ static __forceinline__ u32 ld_##SC(u32 *p)                                        \
	{                                                                                                              \
		u32 v;                                                                                                 \
		if (MO == MO_RELACQ)                                                                                   \
			asm volatile("ld.acquire." SCN ".u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");                 \
		else if (MO == MO_RMW_RLX)                                                                             \
			asm volatile("atom.relaxed." SCN ".or.b32 %0,[%1],0;" : "=r"(v) : "l"(p) : "memory");          \
		else if (MO == MO_RMW_AR)                                                                              \
			asm volatile("atom.acq_rel." SCN ".or.b32 %0,[%1],0;" : "=r"(v) : "l"(p) : "memory");          \
		else                                                                                                   \
			asm volatile("ld.relaxed." SCN ".u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory");                 \
		return v;                                                                                              \
	}                                                                                                              \
	template <int MO> __device__ static __forceinline__ void st_##SC(u32 *p, u32 v)                                \
	{                                                                                                              \
		u32 o;                                                                                                 \
		if (MO == MO_RELACQ)                                                                                   \
			asm volatile("st.release." SCN ".u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");                   \
		else if (MO == MO_RMW_RLX)                                                                             \
			asm volatile("atom.relaxed." SCN ".exch.b32 %0,[%1],%2;"                                       \
			             : "=r"(o)                                                                         \
			             : "l"(p), "r"(v)                                                                  \
			             : "memory");                                                                      \
		else if (MO == MO_RMW_AR)                                                                              \
			asm volatile("atom.acq_rel." SCN ".exch.b32 %0,[%1],%2;"                                       \
			             : "=r"(o)                                                                         \
			             : "l"(p), "r"(v)                                                                  \
			             : "memory");                                                                      \
		else                                                                                                   \
			asm volatile("st.relaxed." SCN ".u32 [%0],%1;" ::"l"(p), "r"(v) : "memory");                   \
	}                                                                                                              \
	template <int MO> __device__ static __forceinline__ void fe_##SC()                                             \
	{                                                                                                              \
		if (MO == MO_FENCE_AR)                                                                                 \
			asm volatile("fence.acq_rel." SCN ";" ::: "memory");                                           \
		if (MO == MO_FENCE_SC)                                                                                 \
			asm volatile("fence.sc." SCN ";" ::: "memory");                                                \
	}
LDST(cta, "cta")
LDST(cluster, "cluster") LDST(gpu, "gpu") template <int MO, int SC> __device__ static __forceinline__ u32 R(u32 *p)
{
	if (SC == S_CTA)
		return ld_cta<MO>(p);
	if (SC == S_CLUSTER)
		return ld_cluster<MO>(p);
	return ld_gpu<MO>(p);
}
template <int MO, int SC> __device__ static __forceinline__ void W(u32 *p, u32 v)
{
	if (SC == S_CTA)
		st_cta<MO>(p, v);
	else if (SC == S_CLUSTER)
		st_cluster<MO>(p, v);
	else
		st_gpu<MO>(p, v);
}
template <int MO, int SC> __device__ static __forceinline__ void F()
{
	if (SC == S_CTA)
		fe_cta<MO>();
	else if (SC == S_CLUSTER)
		fe_cluster<MO>();
	else
		fe_gpu<MO>();
}

struct Par {
	int test, roles, place, space, iters, nb, spread;
	u32 seed;
	u32 ni;
	size_t region;
	u32 *mem;
	u32 *out;
	u32 *rdv;
	u32 *scratch;
};

__device__ static u64 mapa_gen(void *p, u32 rank)
{
	u64 r;
	asm volatile("mapa.u64 %0,%1,%2;" : "=l"(r) : "l"(p), "r"(rank));
	return r;
}

__device__ static void stress(const Par &p)
{
	u32 s = mix32(p.seed ^ (blockIdx.x * 977 + threadIdx.x));
	u32 a = 0;
	for (int i = 0; i < 600; i++) {
		s = s * 1664525u + 1013904223u;
		u32 *q = p.scratch + (s >> 8) % (1u << 18);
		switch ((s >> 28) & 3) {
		case 0:
			*(volatile u32 *)q = s;
			break;
		case 1:
			a += *(volatile u32 *)q;
			break;
		case 2:
			atomicAdd(q, 1u);
			break;
		case 3:
			a ^= __ldcg(q);
			break;
		}
	}
	if (a == 0x13579bdfu)
		p.scratch[0] = a;
}

template <int MO, int SC> __global__ void __launch_bounds__(256) k(Par p)
{
	__shared__ u32 sm[6144];
	int tid = threadIdx.x, R_ = p.roles;
	if ((int)blockIdx.x >= p.nb) {
		stress(p);
		return;
	}
	int n, role, i, grp;
	if (p.place == P_CTA) {
		n = 256 / R_;
		role = tid / n;
		i = tid % n;
		grp = blockIdx.x;
	} else {
		n = 256;
		role = blockIdx.x % R_;
		i = tid;
		grp = blockIdx.x / R_;
	}
	if (p.space) {
		for (int q = tid; q < 6144; q += 256)
			sm[q] = 0;
	}
	for (int it = 0; it < p.iters; it++) {
		u32 h = mix32(p.seed * 31 + it * 7 + role);
		int kk = (i * (int)((h & 254) + 1) + (int)(h >> 8 & 255)) & (n - 1);
		u32 id = (u32)grp * n + kk;
		u32 *X, *Y, *Z;
		if (!p.space) {
			size_t o = ((size_t)it * p.ni + id) * p.spread;
			X = p.mem + o;
			Y = p.mem + p.region + o + 32;
			Z = p.mem + 2 * p.region + o + 64;
		} else if (p.place == P_CTA) {
			X = sm + kk * 8;
			Y = sm + 2048 + kk * 8 + 1;
			Z = sm + 4096 + kk * 8 + 2;
		} else {
			X = (u32 *)mapa_gen(sm + kk * 8, 0);
			Y = (u32 *)mapa_gen(sm + 2048 + kk * 8 + 1, 1 % R_);
			Z = (u32 *)mapa_gen(sm + 4096 + kk * 8 + 2, 2 % R_);
		}
		// meet, then spread out by a small random delay
		if (p.place == P_CTA)
			__syncthreads();
		else if (p.place == P_CLUSTER)
			cluster_sync_all();
		else {
			__syncthreads();
			if (tid == 0) {
				atomicAdd(&p.rdv[grp * 32], 1u);
				for (int sp = 0; sp < 4000 && *(volatile u32 *)&p.rdv[grp * 32] < (u32)(R_ * (it + 1));
				     sp++)
					;
			}
			__syncthreads();
		}
		u32 dl = mix32(p.seed ^ (it * 7919 + blockIdx.x * 256 + tid)) & (it & 1 ? 63 : 7);
		for (u32 q = 0; q < dl; q++)
			asm volatile("" ::: "memory");
		u32 c = 0;
		switch (p.test) {
		case T_MP:
			if (role == 0) {
				W<MO, SC>(X, 1);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else {
				u32 a = R<MO, SC>(Y);
				F<MO, SC>();
				u32 b = R<MO, SC>(X);
				c = a | b << 1;
			}
			break;
		case T_SB:
			if (role == 0) {
				W<MO, SC>(X, 1);
				F<MO, SC>();
				c = R<MO, SC>(Y);
			} else {
				W<MO, SC>(Y, 1);
				F<MO, SC>();
				c = R<MO, SC>(X) << 1;
			}
			break;
		case T_LB:
			if (role == 0) {
				c = R<MO, SC>(X);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else {
				c = R<MO, SC>(Y) << 1;
				F<MO, SC>();
				W<MO, SC>(X, 1);
			}
			break;
		case T_IRIW:
			if (role == 0)
				W<MO, SC>(X, 1);
			else if (role == 1)
				W<MO, SC>(Y, 1);
			else if (role == 2) {
				u32 a = R<MO, SC>(X);
				F<MO, SC>();
				u32 b = R<MO, SC>(Y);
				c = a | b << 1;
			} else {
				u32 a = R<MO, SC>(Y);
				F<MO, SC>();
				u32 b = R<MO, SC>(X);
				c = a << 2 | b << 3;
			}
			break;
		case T_CORR:
			if (role == 0)
				W<MO, SC>(X, 1);
			else {
				u32 a = R<MO, SC>(X);
				u32 b = R<MO, SC>(X);
				c = a | b << 1;
			}
			break;
		case T_22W:
			if (role == 0) {
				W<MO, SC>(X, 1);
				F<MO, SC>();
				W<MO, SC>(Y, 2);
			} else {
				W<MO, SC>(Y, 1);
				F<MO, SC>();
				W<MO, SC>(X, 2);
			}
			break;
		case T_ISA2:
			if (role == 0) {
				W<MO, SC>(X, 1);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else if (role == 1) {
				c = R<MO, SC>(Y);
				F<MO, SC>();
				W<MO, SC>(Z, 1);
			} else if (role == 2) {
				u32 a = R<MO, SC>(Z);
				F<MO, SC>();
				u32 b = R<MO, SC>(X);
				c = a << 1 | b << 2;
			}
			break;
		case T_WRC:
			if (role == 0)
				W<MO, SC>(X, 1);
			else if (role == 1) {
				c = R<MO, SC>(X);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else if (role == 2) {
				u32 a = R<MO, SC>(Y);
				F<MO, SC>();
				u32 b = R<MO, SC>(X);
				c = a << 1 | b << 2;
			}
			break;
		case T_R:
			if (role == 0) {
				W<MO, SC>(X, 1);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else {
				W<MO, SC>(Y, 2);
				F<MO, SC>();
				c = R<MO, SC>(X);
			}
			break;
		case T_S:
			if (role == 0) {
				W<MO, SC>(X, 2);
				F<MO, SC>();
				W<MO, SC>(Y, 1);
			} else {
				c = R<MO, SC>(Y);
				F<MO, SC>();
				W<MO, SC>(X, 1);
			}
			break;
		}
		u32 *o = p.out + (size_t)it * p.ni + id;
		if (c)
			atomicOr(o, c);
		if (p.space) { // final values, then clear for the next round
			if (p.place == P_CTA)
				__syncthreads();
			else
				cluster_sync_all();
			if (role == 0) {
				u32 fv = (*(volatile u32 *)X & 3) << 4 | (*(volatile u32 *)Y & 3) << 6;
				if (fv)
					atomicOr(o, fv);
			}
			if (p.place == P_CTA)
				__syncthreads();
			else
				cluster_sync_all();
			for (int q = tid; q < 6144; q += 256)
				sm[q] = 0;
		}
	}
	if (p.space && p.place != P_CTA)
		cluster_sync_all();
}
__global__ void k_hist(Par p, u32 *hist)
{
	__shared__ u32 h[256];
	for (int q = threadIdx.x; q < 256; q += blockDim.x)
		h[q] = 0;
	__syncthreads();
	size_t tot = (size_t)p.iters * p.ni;
	for (size_t q = blockIdx.x * (size_t)blockDim.x + threadIdx.x; q < tot; q += (size_t)gridDim.x * blockDim.x) {
		u32 c = p.out[q];
		if (!p.space)
			c |= (p.mem[q * p.spread] & 3) << 4 | (p.mem[p.region + q * p.spread + 32] & 3) << 6;
		atomicAdd(&h[c & 255], 1u);
	}
	__syncthreads();
	for (int q = threadIdx.x; q < 256; q += blockDim.x)
		if (h[q])
			atomicAdd(&hist[q], h[q]);
}

static const int NB = 256, NSTRESS = 64, IT = 16;
static const size_t MEMW = (size_t)48 << 20; // words
static u32 *dmem, *dout, *drdv, *dscr, *dhist;
static FILE *fo;
static int REP = 3;

template <int MO, int SC> static void run_all()
{
	for (int place = 0; place < P_NUM; place++)
		for (int space = 0; space < 2; space++) {
			if (space == 1 && place == P_GPU)
				continue;
			for (int t = 0; t < T_NUM; t++)
				for (int spread : {1, 9}) {
					if (space == 1 && spread != 1)
						continue;
					Par p;
					memset(&p, 0, sizeof p);
					p.test = t;
					p.roles = troles[t];
					p.place = place;
					p.space = space;
					p.iters = IT;
					p.nb = NB;
					p.spread = spread;
					p.ni = NB * 256 / p.roles;
					p.region = (size_t)p.ni * IT * spread + 128;
					p.mem = dmem;
					p.out = dout;
					p.rdv = drdv;
					p.scratch = dscr;
					if (p.region * 3 + 256 > MEMW) {
						printf("region too large\n");
						exit(2);
					}
					CK(cudaMemset(dhist, 0, 1024));
					for (int r = 0; r < REP; r++) {
						p.seed = mix32(t * 1000 + MO * 100 + SC * 10 + place + r * 7777);
						if (!space)
							CK(cudaMemset(dmem, 0, (p.region * 3 + 256) * 4));
						CK(cudaMemset(dout, 0, (size_t)p.ni * IT * 4));
						CK(cudaMemset(drdv, 0, NB * 128));
						cudaLaunchConfig_t c;
						memset(&c, 0, sizeof c);
						c.gridDim = dim3(NB + (r % 3 ? NSTRESS : 0));
						c.blockDim = dim3(256);
						cudaLaunchAttribute at[1];
						at[0].id = cudaLaunchAttributeClusterDimension;
						at[0].val.clusterDim.x = place == P_CLUSTER ? p.roles : 1;
						at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
						c.attrs = at;
						c.numAttrs = 1;
						CK(cudaLaunchKernelEx(&c, k<MO, SC>, p));
						k_hist<<<264, 256>>>(p, dhist);
						CK(cudaGetLastError());
					}
					CK(cudaDeviceSynchronize());
					u32 h[256];
					CK(cudaMemcpy(h, dhist, 1024, cudaMemcpyDeviceToHost));
					u64 weak = 0, tot = 0;
					for (int q = 0; q < 256; q++) {
						tot += h[q];
						if (is_weak(t, q))
							weak += h[q];
					}
					fprintf(fo, "%s\t%s\t%s\t%s\t%s\t%d\t%llu\t%llu\t", tname[t], mname[MO],
					        sname[SC], pname[place],
					        space ? (place == P_CTA ? "shared" : "dsmem") : "global", spread,
					        (unsigned long long)tot, (unsigned long long)weak);
					for (int q = 0, first = 1; q < 256; q++)
						if (h[q]) {
							fprintf(fo, "%s%02x:%u", first ? "" : " ", q, h[q]);
							first = 0;
						}
					fputc('\n', fo);
				}
		}
	fflush(fo);
	printf("litmus %s.%s done\n", mname[MO], sname[SC]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	if (argc > 2)
		REP = atoi(argv[2]);
	banner("litmus");
	CK(cudaMalloc(&dmem, MEMW * 4));
	CK(cudaMalloc(&dout, (size_t)NB * 256 * IT * 4));
	CK(cudaMalloc(&drdv, NB * 128));
	CK(cudaMalloc(&dscr, 4 << 18));
	CK(cudaMalloc(&dhist, 1024));
	CK(cudaMemset(dscr, 0, 4 << 18));
	fo = out_open("litmus.tsv");
	fputs("test\tmode\tscope\tplacement\tspace\tspread_words\ttotal\tweak\toutcomes(code:count)\n", fo);
#define ALL(MO)                                                                                                        \
	run_all<MO, S_CTA>();                                                                                          \
	run_all<MO, S_CLUSTER>();                                                                                      \
	run_all<MO, S_GPU>();
	ALL(MO_RLX) ALL(MO_RELACQ) ALL(MO_FENCE_AR) ALL(MO_FENCE_SC) ALL(MO_RMW_RLX) ALL(MO_RMW_AR) fclose(fo);
	printf("litmus done\n");
	return 0;
}
