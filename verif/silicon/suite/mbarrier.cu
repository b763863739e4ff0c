// SPDX-License-Identifier: Apache-2.0
// Logs the raw 64-bit mbarrier object after every operation, on one thread, from directed scripts,
// legal random walks, out-of-range edges (each in its own process), bit pokes and warp-wide arrives.
// usage: mbarrier OUTDIR [section]   section: init | script | random | warp | bulk | poke | edge N | all
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sil.h"

enum {
	INIT,
	ARRIVE1,
	ARRIVE,
	ARRIVE_NC,
	DROP1,
	DROP,
	DROP_NC,
	EXPECT,
	COMPLETE,
	ARR_EXPECT,
	DROP_EXPECT,
	TEST,
	TESTP,
	TRYW,
	TRYP,
	PENDING,
	INVAL,
	BULK,
	REMOTE_ARRIVE,
	POKE,
	CPA,
	CPA_NOINC,
	REMOTE_ARR_EXPECT,
	REMOTE_EXPECT,
	REMOTE_COMPLETE,
	PENDING_RAW,
	TEST_RAW,
	NOPS
};
static const char *onm[NOPS] = {"init",
                                "arrive",
                                "arrive_n",
                                "arrive_nocomplete",
                                "drop",
                                "drop_n",
                                "drop_nocomplete",
                                "expect_tx",
                                "complete_tx",
                                "arrive_expect_tx",
                                "drop_expect_tx",
                                "test_wait",
                                "test_wait_parity",
                                "try_wait",
                                "try_wait_parity",
                                "pending_count",
                                "inval",
                                "bulk_copy",
                                "remote_arrive_n",
                                "poke",
                                "cp_async_arrive",
                                "cp_async_arrive_noinc",
                                "remote_arrive_expect_tx",
                                "remote_expect_tx",
                                "remote_complete_tx",
                                "pending_count_of_value",
                                "test_wait_of_value"};

struct Op {
	u32 op, tok;
	u64 arg;
}; // tok: slot that receives / supplies a token
struct Log {
	u64 before, after, ret;
	u64 clk;
};

__global__ void k_interp(const Op *ops, Log *log, int n, const unsigned char *gsrc)
{
	__shared__ __align__(16) u64 bar;
	__shared__ __align__(128) unsigned char dst[4096];
	__shared__ u64 tok[16];
	u32 a = smem_addr(&bar);
	if (threadIdx.x)
		return;
	for (int i = 0; i < 16; i++)
		tok[i] = 0;
	volatile u64 *vb = &bar;
	*vb = 0;
	u32 self = mapa32(a, 0);
	for (int i = 0; i < n; i++) {
		Op o = ops[i];
		u64 before = *vb, ret = 0, t = tok[o.tok];
		u32 x = (u32)o.arg, r = 0;
		asm volatile("" ::: "memory");
		u64 c0 = clock64();
		switch (o.op) {
		case INIT:
			asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(x) : "memory");
			break;
		case ARRIVE1:
			asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1];"
			             : "=l"(ret)
			             : "r"(a)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case ARRIVE:
			asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case ARRIVE_NC:
			asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case DROP1:
			asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 %0,[%1];"
			             : "=l"(ret)
			             : "r"(a)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case DROP:
			asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case DROP_NC:
			asm volatile("mbarrier.arrive_drop.noComplete.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case EXPECT:
			asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(x)
			             : "memory");
			break;
		case COMPLETE:
			asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0],%1;" ::"r"(a), "r"(x)
			             : "memory");
			break;
		case ARR_EXPECT:
			asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case DROP_EXPECT:
			asm volatile("mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 %0,[%1],%2;"
			             : "=l"(ret)
			             : "r"(a), "r"(x)
			             : "memory");
			tok[o.tok] = ret;
			break;
		case TEST:
			asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p,[%1],%2; "
			             "selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "l"(t)
			             : "memory");
			ret = r;
			break;
		case TEST_RAW:
			asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p,[%1],%2; "
			             "selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "l"(o.arg)
			             : "memory");
			ret = r;
			break;
		case TESTP:
			asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p,[%1],%2; "
			             "selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "r"(x)
			             : "memory");
			ret = r;
			break;
		case TRYW:
			asm volatile("{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p,[%1],%2,%3; "
			             "selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "l"(t), "r"(x)
			             : "memory");
			ret = r;
			break;
		case TRYP:
			asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 "
			             "p,[%1],%2,%3; selp.u32 %0,1,0,p; }"
			             : "=r"(r)
			             : "r"(a), "r"(x & 1), "r"(x >> 1)
			             : "memory");
			ret = r;
			break;
		case PENDING:
			asm volatile("mbarrier.pending_count.b64 %0,%1;" : "=r"(r) : "l"(t));
			ret = r;
			break;
		case PENDING_RAW:
			asm volatile("mbarrier.pending_count.b64 %0,%1;" : "=r"(r) : "l"(o.arg));
			ret = r;
			break;
		case INVAL:
			asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(a) : "memory");
			break;
		case BULK:
			asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
			             "[%0],[%1],%2,[%3];" ::"r"(smem_addr(dst)),
			             "l"(gsrc), "r"(x), "r"(a)
			             : "memory");
			for (int k = 0; k < 4000 && *vb == before; k++)
				;
			break;
		case REMOTE_ARRIVE:
			asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _,[%0],%1;" ::"r"(self),
			             "r"(x)
			             : "memory");
			break;
		case REMOTE_ARR_EXPECT:
			asm volatile(
			        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _,[%0],%1;" ::"r"(self),
			        "r"(x)
			        : "memory");
			break;
		case REMOTE_EXPECT:
			asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0],%1;" ::"r"(self),
			             "r"(x)
			             : "memory");
			break;
		case REMOTE_COMPLETE:
			asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0],%1;" ::"r"(self),
			             "r"(x)
			             : "memory");
			break;
		case POKE:
			*vb = o.arg;
			break;
		case CPA:
			asm volatile("cp.async.ca.shared.global [%0],[%1],16;" ::"r"(smem_addr(dst)), "l"(gsrc)
			             : "memory");
			asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(a) : "memory");
			asm volatile("cp.async.wait_all;" ::: "memory");
			for (int k = 0; k < 200; k++)
				(void)*vb;
			break;
		case CPA_NOINC:
			asm volatile("cp.async.ca.shared.global [%0],[%1],16;" ::"r"(smem_addr(dst)), "l"(gsrc)
			             : "memory");
			asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(a) : "memory");
			asm volatile("cp.async.wait_all;" ::: "memory");
			for (int k = 0; k < 200; k++)
				(void)*vb;
			break;
		}
		if (o.op == REMOTE_ARRIVE || o.op == REMOTE_ARR_EXPECT || o.op == REMOTE_EXPECT ||
		    o.op == REMOTE_COMPLETE)
			for (int k = 0; k < 100; k++)
				(void)*vb; // these forms return nothing: let them land
		u64 c1 = clock64();
		log[i].before = before;
		log[i].after = *vb;
		log[i].ret = ret;
		log[i].clk = c1 - c0;
	}
}

static Op *dops;
static Log *dlog;
static unsigned char *dsrc;
static const int MAXOPS = 65536;

static bool run(const std::vector<Op> &v, std::vector<Log> &lg, bool fatal)
{
	int n = (int)v.size();
	if (n > MAXOPS) {
		printf("too many ops\n");
		exit(2);
	}
	CK(cudaMemcpy(dops, v.data(), n * sizeof(Op), cudaMemcpyHostToDevice));
	CK(cudaMemset(dlog, 0xEE, n * sizeof(Log)));
	k_interp<<<1, 32>>>(dops, dlog, n, dsrc);
	cudaError_t e = cudaGetLastError();
	if (e == cudaSuccess)
		e = cudaDeviceSynchronize();
	if (e != cudaSuccess) {
		printf("launch failed: %s\n", cudaGetErrorName(e));
		if (fatal)
			exit(3);
		return false;
	}
	lg.resize(n);
	CK(cudaMemcpy(lg.data(), dlog, n * sizeof(Log), cudaMemcpyDeviceToHost));
	return true;
}
static const char *HDR = "seq\tstep\top\targ\ttok\tbefore\tafter\tret\tclk\tmodel\n";
static void dump(FILE *f, const char *seq, const std::vector<Op> &v, const std::vector<Log> &lg,
                 const std::vector<std::string> *model)
{
	for (size_t i = 0; i < v.size(); i++)
		fprintf(f, "%s\t%zu\t%s\t%llx\t%u\t%016llx\t%016llx\t%llx\t%llu\t%s\n", seq, i, onm[v[i].op],
		        (unsigned long long)v[i].arg, v[i].tok, (unsigned long long)lg[i].before,
		        (unsigned long long)lg[i].after, (unsigned long long)lg[i].ret, (unsigned long long)lg[i].clk,
		        model ? (*model)[i].c_str() : "-");
}
static void setup()
{
	CK(cudaMalloc(&dops, MAXOPS * sizeof(Op)));
	CK(cudaMalloc(&dlog, MAXOPS * sizeof(Log)));
	CK(cudaMalloc(&dsrc, 65536));
	CK(cudaMemset(dsrc, 0x5A, 65536));
}
static Op mk(u32 op, u64 arg = 0, u32 tok = 0)
{
	Op o;
	o.op = op;
	o.tok = tok;
	o.arg = arg;
	return o;
}
static const u32 MAXC = (1u << 20) - 1;

// ------------------------------------------------------------------ sections
static void s_init()
{
	FILE *f = out_open("mbarrier_init.tsv");
	fputs(HDR, f);
	std::vector<Op> v;
	std::vector<Log> lg;
	std::vector<u32> cs;
	for (u32 i = 1; i <= 64; i++)
		cs.push_back(i);
	for (int b = 6; b < 20; b++) {
		cs.push_back(1u << b);
		cs.push_back((1u << b) - 1);
		cs.push_back((1u << b) + 1);
	}
	cs.push_back(MAXC);
	cs.push_back(MAXC - 1);
	cs.push_back(0x55555);
	cs.push_back(0xAAAAA);
	for (u32 c : cs) {
		v.push_back(mk(INIT, c));
		v.push_back(mk(INVAL));
		v.push_back(mk(POKE, 0));
	}
	run(v, lg, true);
	dump(f, "init", v, lg, 0);
	fclose(f);
	printf("init: %zu ops\n", v.size());
}

static void s_script()
{
	FILE *f = out_open("mbarrier_script.tsv");
	fputs(HDR, f);
	std::vector<Log> lg;
	auto go = [&](const char *nm, std::vector<Op> v) {
		v.push_back(mk(INVAL));
		run(v, lg, true);
		dump(f, nm, v, lg, 0);
		printf("script %s\n", nm);
	};
	{
		std::vector<Op> v = {mk(INIT, 4)}; // plain phases with token and parity tests
		for (int ph = 0; ph < 6; ph++)
			for (int i = 0; i < 4; i++) {
				v.push_back(mk(ARRIVE1, 0, i));
				for (int q = 0; q <= i; q++) {
					v.push_back(mk(TEST, 0, q));
					v.push_back(mk(PENDING, 0, q));
				}
				v.push_back(mk(TESTP, 0));
				v.push_back(mk(TESTP, 1));
			}
		go("phases4", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 1)};
		for (int i = 0; i < 20; i++) {
			v.push_back(mk(ARRIVE1, 0, i & 7));
			v.push_back(mk(TEST, 0, i & 7));
			v.push_back(mk(TEST, 0, (i + 7) & 7));
			v.push_back(mk(TESTP, 0));
			v.push_back(mk(TESTP, 1));
		}
		go("phases1", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 100),     mk(ARRIVE, 10),     mk(ARRIVE_NC, 20, 1), mk(PENDING, 0, 1),
		                     mk(ARRIVE, 69, 2), mk(PENDING, 0, 2),  mk(ARRIVE, 1, 3),     mk(PENDING, 0, 3),
		                     mk(TEST, 0, 3),    mk(ARRIVE, 100, 4), mk(TEST, 0, 4),       mk(TEST, 0, 3)};
		go("counts", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 8),      mk(DROP1, 0, 0),  mk(ARRIVE, 7, 1), mk(TEST, 0, 1),
		                     mk(DROP, 3, 2),   mk(ARRIVE, 4, 3), mk(TEST, 0, 3),   mk(DROP_NC, 2, 4),
		                     mk(ARRIVE, 2, 5), mk(TEST, 0, 5),   mk(ARRIVE, 2, 6), mk(TEST, 0, 6),
		                     mk(ARRIVE, 2, 7)};
		go("drop", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 3), mk(DROP, 3, 0), mk(TESTP, 0), mk(TESTP, 1)};
		go("drop_to_zero", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 2),       mk(EXPECT, 64),         mk(EXPECT, 16),    mk(COMPLETE, 32),
		                     mk(ARRIVE1),       mk(COMPLETE, 48),       mk(ARRIVE1, 0, 1), mk(TEST, 0, 1),
		                     mk(ARRIVE1, 0, 2), mk(ARR_EXPECT, 128, 3), mk(TEST, 0, 3),    mk(COMPLETE, 100),
		                     mk(TEST, 0, 3),    mk(COMPLETE, 28),       mk(TEST, 0, 3),    mk(TESTP, 0),
		                     mk(TESTP, 1)};
		go("tx", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 2),   mk(COMPLETE, 5), mk(COMPLETE, 11), mk(EXPECT, 16),
		                     mk(ARRIVE, 2), mk(COMPLETE, 1), mk(ARRIVE, 2, 1), mk(TEST, 0, 1),
		                     mk(EXPECT, 1), mk(TEST, 0, 1),  mk(ARRIVE, 2, 2)};
		go("tx_negative_first", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 1),      mk(EXPECT, MAXC),     mk(COMPLETE, MAXC), mk(COMPLETE, MAXC),
		                     mk(EXPECT, MAXC), mk(ARR_EXPECT, MAXC), mk(COMPLETE, MAXC), mk(ARRIVE1)};
		go("tx_limits", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 4),      mk(DROP_EXPECT, 32, 0), mk(ARRIVE, 3, 1), mk(TEST, 0, 1),
		                     mk(COMPLETE, 32), mk(TEST, 0, 1),         mk(ARRIVE, 3, 2), mk(TEST, 0, 2)};
		go("drop_expect", v);
	}
	{
		std::vector<Op> v = {mk(INIT, MAXC),   mk(ARRIVE, MAXC - 1), mk(PENDING),    mk(ARRIVE1, 0, 1),
		                     mk(TEST, 0, 1),   mk(ARRIVE, MAXC, 2),  mk(TEST, 0, 2), mk(DROP, MAXC - 5, 3),
		                     mk(ARRIVE, 5, 4), mk(ARRIVE, 5, 5)};
		go("max_count", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 4),
		                     mk(REMOTE_ARRIVE, 1),
		                     mk(REMOTE_ARRIVE, 3),
		                     mk(TESTP, 0),
		                     mk(REMOTE_ARR_EXPECT, 48),
		                     mk(REMOTE_COMPLETE, 16),
		                     mk(REMOTE_EXPECT, 8),
		                     mk(REMOTE_COMPLETE, 40),
		                     mk(REMOTE_ARRIVE, 3),
		                     mk(TESTP, 1),
		                     mk(TESTP, 0)};
		go("remote_self", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 3),   mk(CPA),       mk(CPA),      mk(CPA_NOINC),
		                     mk(CPA_NOINC), mk(CPA_NOINC), mk(TESTP, 0), mk(TESTP, 1)};
		go("cp_async", v);
	}
	{
		std::vector<Op> v = {mk(INIT, 2), mk(ARRIVE1)}; // blocked waits: time limit as measured by clk
		for (u32 ns : {0u, 1u, 10u, 100u, 1000u, 10000u, 100000u}) {
			v.push_back(mk(TRYP, (u64)ns << 1));
			v.push_back(mk(TRYW, ns));
		}
		for (u32 ns : {0u, 1000u})
			v.push_back(mk(TRYP, ((u64)ns << 1) | 1));
		go("try_wait_timeout", v);
	}
	fclose(f);
}

// host model of the documented behaviour; keeps random walks legal and prints its expectation
struct Model {
	int64_t exp_, pend, tx;
	int phase;
	void init(int64_t n)
	{
		exp_ = pend = n;
		tx = 0;
		phase = 0;
	}
	void settle()
	{
		if (pend == 0 && tx == 0) {
			phase ^= 1;
			pend = exp_;
		}
	}
	std::string str() const
	{
		char b[96];
		snprintf(b, sizeof b, "ph=%d,exp=%lld,pend=%lld,tx=%lld", phase, (long long)exp_, (long long)pend,
		         (long long)tx);
		return b;
	}
};
static void s_random()
{
	FILE *f = out_open("mbarrier_random.tsv");
	fputs(HDR, f);
	for (int variant = 0; variant < 4; variant++) {
		Rng g(555 + variant);
		std::vector<Op> v;
		std::vector<std::string> md;
		std::vector<Log> lg;
		Model m;
		m.init(1);
		int64_t big = variant >= 2 ? MAXC : 12;
		int64_t tbig = (variant & 1) ? MAXC : 64;
		int tokphase[8];
		for (int i = 0; i < 8; i++)
			tokphase[i] = -1;
		int64_t nph = 0;
		auto push = [&](Op o) {
			v.push_back(o);
			md.push_back(m.str());
		};
		auto init = [&] {
			if (!v.empty())
				push(mk(INVAL));
			int64_t c = 1 + g.below((u32)big);
			if (variant >= 2 && g.below(4) == 0)
				c = MAXC - g.below(3);
			m.init(c);
			nph = 0;
			for (int i = 0; i < 8; i++)
				tokphase[i] = -1;
			push(mk(INIT, c));
		};
		init();
		while (v.size() < 10000) {
			int before = m.phase;
			u32 k = g.below(100), slot = g.below(8);
			int64_t n = 0;
			if (k < 2 || m.exp_ == 0 || (m.pend == 0 && m.tx < 0)) {
				init();
				continue;
			}
			auto settle = [&] {
				m.settle();
				if (m.phase != before)
					nph++;
			};
			auto amount = [&](int64_t lim) {
				int64_t r = g.below(3) == 0 ? lim : 1 + g.below((u32)std::min<int64_t>(lim, big));
				return std::min(r, lim);
			};
			if (k < 20 && m.pend >= 1) {
				tokphase[slot] = (int)nph;
				m.pend -= 1;
				settle();
				push(mk(ARRIVE1, 0, slot));
			} else if (k < 36 && m.pend >= 1) {
				n = amount(m.pend);
				tokphase[slot] = (int)nph;
				m.pend -= n;
				settle();
				push(mk(ARRIVE, n, slot));
			} else if (k < 42 && m.pend >= 2) {
				n = amount(m.pend - 1);
				tokphase[slot] = (int)nph;
				m.pend -= n;
				push(mk(ARRIVE_NC, n, slot));
			} else if (k < 45 && m.pend >= 1 && m.exp_ >= 2) {
				tokphase[slot] = (int)nph;
				m.exp_ -= 1;
				m.pend -= 1;
				settle();
				push(mk(DROP1, 0, slot));
			} else if (k < 47 && m.pend >= 1 && m.exp_ >= 3) {
				n = 1 + g.below((u32)std::min<int64_t>(m.pend, m.exp_ - 1));
				n = std::min<int64_t>(n, 1 + m.exp_ / 4);
				n = std::min(n, m.pend);
				tokphase[slot] = (int)nph;
				m.exp_ -= n;
				m.pend -= n;
				settle();
				push(mk(DROP, n, slot));
			} else if (k < 49 && m.pend >= 2 && m.exp_ >= 3) {
				tokphase[slot] = (int)nph;
				m.exp_ -= 1;
				m.pend -= 1;
				push(mk(DROP_NC, 1, slot));
			} else if (k < 57 && m.pend >= 1 && m.tx < tbig) {
				n = 1 + g.below((u32)std::min<int64_t>(tbig - m.tx, tbig));
				m.tx += n;
				push(mk(EXPECT, n));
			} else if (k < 73 && m.tx > (m.pend ? -tbig : 0)) {
				int64_t lim = m.pend ? m.tx + tbig : m.tx;
				n = (m.tx > 0 && g.below(2)) ? m.tx : 1 + g.below((u32)lim);
				if (n > (int64_t)MAXC)
					n = MAXC;
				m.tx -= n;
				settle();
				push(mk(COMPLETE, n));
			} else if (k < 79 && m.pend >= 1 && m.tx < tbig) {
				n = 1 + g.below((u32)(tbig - m.tx));
				if (n > (int64_t)MAXC)
					n = MAXC;
				tokphase[slot] = (int)nph;
				m.tx += n;
				m.pend -= 1;
				settle();
				push(mk(ARR_EXPECT, n, slot));
			} else if (k < 88 && tokphase[slot] >= 0 && nph - tokphase[slot] <= 1) {
				push(mk(TEST, 0, slot));
				md.back() += nph > tokphase[slot] ? ",want=1" : ",want=0";
			} else if (k < 92 && tokphase[slot] >= 0)
				push(mk(PENDING, 0, slot));
			else if (k < 97) {
				u32 p = g.below(2);
				push(mk(TESTP, p));
				md.back() += (m.phase != (int)p) ? ",want=1" : ",want=0";
			}
		}
		push(mk(INVAL));
		run(v, lg, true);
		char nm[32];
		snprintf(nm, sizeof nm, "random%d", variant);
		dump(f, nm, v, lg, &md);
		int bad = 0, tot = 0;
		for (size_t i = 0; i < v.size(); i++) {
			size_t p = md[i].find("want=");
			if (p != std::string::npos) {
				tot++;
				bad += (md[i][p + 5] - '0') != (int)lg[i].ret;
			}
		}
		printf("random%d: %zu steps, %d waits checked, %d differ from the host model\n", variant, v.size(), tot,
		       bad);
	}
	fclose(f);
}

// ------------------------------------------------------------------ all lanes at once
struct WLog {
	u64 before, after;
	u64 tok[32];
	u32 pend[32];
	u64 clk;
};
__global__ void k_warp(WLog *out, const u32 *masks, const u32 *counts, const u32 *kinds, const unsigned char *which,
                       int n)
{
	__shared__ __align__(16) u64 bar[4];
	int lane = threadIdx.x;
	volatile u64 *vb = bar;
	for (int i = 0; i < n; i++) {
		u32 c = counts[i], kd = kinds[i];
		if (lane < 4) {
			asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(smem_addr(&bar[lane])), "r"(c)
			             : "memory");
		}
		__syncwarp();
		u64 b = vb[0], t = 0;
		u32 pd = 0;
		u32 a = smem_addr(&bar[which[i * 32 + lane] & 3]);
		__syncwarp();
		u64 c0 = clock64();
		if (masks[i] >> lane & 1) {
			if (kd == 0)
				asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1];"
				             : "=l"(t)
				             : "r"(a)
				             : "memory");
			else if (kd == 1)
				asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0,[%1],%2;"
				             : "=l"(t)
				             : "r"(a), "r"(lane + 1)
				             : "memory");
			else if (kd == 2)
				asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0,[%1],%2;"
				             : "=l"(t)
				             : "r"(a), "r"(lane + 1)
				             : "memory");
			else
				asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 %0,[%1];"
				             : "=l"(t)
				             : "r"(a)
				             : "memory");
			asm volatile("mbarrier.pending_count.b64 %0,%1;" : "=r"(pd) : "l"(t));
		}
		u64 c1 = clock64();
		__syncwarp();
		WLog &o = out[i];
		o.tok[lane] = t;
		o.pend[lane] = pd;
		if (lane == 0) {
			o.before = b;
			o.after = vb[0];
			o.clk = c1 - c0;
		}
		__syncwarp();
		if (lane < 4)
			asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(smem_addr(&bar[lane])) : "memory");
		__syncwarp();
	}
}
static void s_warp()
{
	const int N = 240;
	std::vector<u32> m(N), c(N), kd(N);
	std::vector<unsigned char> wh(N * 32);
	Rng g(77);
	for (int i = 0; i < N; i++) {
		m[i] = i < 16 ? 0xFFFFFFFFu : (u32)g.next();
		if (!m[i])
			m[i] = 1;
		kd[i] = i % 4;
		c[i] = kd[i] == 1 ? 600 + g.below(100) : (i % 8 < 4 ? 33 + g.below(40) : 32);
		if (kd[i] == 3)
			c[i] = 64;
		for (int l = 0; l < 32; l++)
			wh[i * 32 + l] = (i / 4) % 3 == 0 ? 0 : (i / 4) % 3 == 1 ? (l & 1) : g.below(4);
	}
	u32 *dm, *dc, *dk;
	unsigned char *dw;
	WLog *dl;
	CK(cudaMalloc(&dm, N * 4));
	CK(cudaMalloc(&dc, N * 4));
	CK(cudaMalloc(&dk, N * 4));
	CK(cudaMalloc(&dw, N * 32));
	CK(cudaMalloc(&dl, N * sizeof(WLog)));
	CK(cudaMemcpy(dm, m.data(), N * 4, cudaMemcpyHostToDevice));
	CK(cudaMemcpy(dc, c.data(), N * 4, cudaMemcpyHostToDevice));
	CK(cudaMemcpy(dk, kd.data(), N * 4, cudaMemcpyHostToDevice));
	CK(cudaMemcpy(dw, wh.data(), N * 32, cudaMemcpyHostToDevice));
	k_warp<<<1, 32>>>(dl, dm, dc, dk, dw, N);
	CK(cudaGetLastError());
	CK(cudaDeviceSynchronize());
	std::vector<WLog> h(N);
	CK(cudaMemcpy(h.data(), dl, N * sizeof(WLog), cudaMemcpyDeviceToHost));
	FILE *f = out_open("mbarrier_warp.tsv");
	fputs("row\tkind\tinit\tmask\tbarrier_per_lane\tbefore0\tafter0\tclk\tlane=token/pending\n", f);
	static const char *kn[] = {"arrive", "arrive_lane+1", "arrive_expect_tx_lane+1", "drop"};
	for (int i = 0; i < N; i++) {
		fprintf(f, "%d\t%s\t%u\t%08x\t", i, kn[kd[i]], c[i], m[i]);
		for (int l = 0; l < 32; l++)
			fprintf(f, "%d", wh[i * 32 + l]);
		fprintf(f, "\t%016llx\t%016llx\t%llu\t", (unsigned long long)h[i].before,
		        (unsigned long long)h[i].after, (unsigned long long)h[i].clk);
		for (int l = 0; l < 32; l++)
			if (m[i] >> l & 1)
				fprintf(f, "%d=%016llx/%x ", l, (unsigned long long)h[i].tok[l], h[i].pend[l]);
		fputc('\n', f);
	}
	fclose(f);
	printf("warp: %d rows\n", N);
}

static void s_bulk()
{
	FILE *f = out_open("mbarrier_bulk.tsv");
	fputs(HDR, f);
	std::vector<Op> v;
	std::vector<Log> lg;
	for (u32 n : {16u, 32u, 48u, 64u, 128u, 256u, 1024u, 2048u, 4096u}) {
		v.push_back(mk(INIT, 1));
		v.push_back(mk(ARR_EXPECT, n));
		v.push_back(mk(BULK, n));
		v.push_back(mk(TESTP, 0));
		v.push_back(mk(BULK, 16));
		v.push_back(mk(EXPECT, 16));
		v.push_back(mk(ARRIVE1, 0, 1));
		v.push_back(mk(TEST, 0, 1)); // bytes land first
		v.push_back(mk(INVAL));
	}
	run(v, lg, true);
	dump(f, "bulk", v, lg, 0);
	fclose(f);
	printf("bulk: %zu ops\n", v.size());
}

// What each bit of a written object does: write one pattern, then look at it through the operations.
static void s_poke()
{
	FILE *f = out_open("mbarrier_poke.tsv");
	fputs(HDR, f);
	std::vector<Log> lg;
	std::vector<Op> p = {mk(INIT, 5), mk(ARRIVE, 2)};
	run(p, lg, true);
	u64 base[2] = {lg[0].after, lg[1].after};
	static const u32 probe[] = {TESTP, TESTP, ARRIVE_NC, ARRIVE, EXPECT, COMPLETE, DROP, INVAL};
	std::vector<Op> v;
	for (int b = 0; b < 2; b++)
		for (int bit = -1; bit < 64; bit++) {
			u64 x = base[b] ^ (bit < 0 ? 0 : 1ull << bit);
			for (int q = 0; q < 8; q++) {
				v.push_back(mk(POKE, x));
				v.push_back(mk(probe[q], q == 0 ? 0 : q == 1 ? 1 : q < 5 ? 1 : q == 5 ? 1 : 1));
			}
		}
	run(v, lg, false);
	if (!lg.empty())
		dump(f, "poke", v, lg, 0);
	// tokens: which bits pending_count and test_wait look at
	v.clear();
	v.push_back(mk(INIT, 5));
	v.push_back(mk(ARRIVE, 2, 0));
	std::vector<Log> l2;
	if (run(v, l2, false)) {
		u64 t = l2[1].ret;
		v.clear();
		v.push_back(mk(INIT, 5));
		v.push_back(mk(ARRIVE, 2, 0));
		for (int bit = -1; bit < 64; bit++) {
			u64 x = t ^ (bit < 0 ? 0 : 1ull << bit);
			v.push_back(mk(PENDING_RAW, x));
			v.push_back(mk(TEST_RAW, x));
		}
		if (run(v, l2, false))
			dump(f, "token_bits", v, l2, 0);
	}
	fclose(f);
	printf("poke done\n");
}

// Behaviour outside the documented range; one child process per case.
static std::vector<std::vector<Op>> edges()
{
	std::vector<std::vector<Op>> e;
	auto A = [&](std::vector<Op> v) { e.push_back(v); };
	A({mk(INIT, 0)});
	A({mk(INIT, 0), mk(ARRIVE1), mk(TESTP, 0)});
	A({mk(INIT, MAXC + 1)});
	A({mk(INIT, MAXC + 2), mk(ARRIVE1), mk(TESTP, 0)});
	A({mk(INIT, 0xFFFFFFFFu)});
	A({mk(INIT, 2), mk(ARRIVE, 3), mk(TESTP, 0), mk(ARRIVE1)});
	A({mk(INIT, 2), mk(ARRIVE, MAXC), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(ARRIVE, 0), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(ARRIVE, MAXC + 1), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(ARRIVE, MAXC + 2), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(ARRIVE_NC, 2), mk(TESTP, 0), mk(ARRIVE1)});
	A({mk(INIT, 2), mk(ARRIVE_NC, 5), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(DROP_NC, 2), mk(TESTP, 0)});
	A({mk(INIT, 2), mk(DROP, 3), mk(TESTP, 0), mk(TESTP, 1)});
	A({mk(INIT, 2), mk(DROP, 2), mk(ARRIVE1), mk(TESTP, 0), mk(TESTP, 1)});
	A({mk(INIT, 2), mk(EXPECT, MAXC), mk(EXPECT, 1), mk(COMPLETE, 1), mk(ARRIVE, 2)});
	A({mk(INIT, 2), mk(EXPECT, MAXC), mk(EXPECT, MAXC), mk(COMPLETE, MAXC)});
	A({mk(INIT, 2), mk(EXPECT, MAXC + 1)});
	A({mk(INIT, 2), mk(EXPECT, MAXC + 2), mk(ARRIVE, 2)});
	A({mk(INIT, 2), mk(EXPECT, 0xFFFFFFFFu)});
	A({mk(INIT, 2), mk(COMPLETE, MAXC), mk(COMPLETE, 1), mk(EXPECT, 1)});
	A({mk(INIT, 2), mk(COMPLETE, MAXC), mk(COMPLETE, MAXC)});
	A({mk(INIT, 2), mk(COMPLETE, MAXC + 1)});
	A({mk(INIT, 2), mk(COMPLETE, 0xFFFFFFFFu)});
	A({mk(INIT, 2), mk(EXPECT, 0), mk(COMPLETE, 0), mk(ARRIVE, 2), mk(TESTP, 0)});
	A({mk(INIT, 1), mk(ARR_EXPECT, 16), mk(ARRIVE1), mk(TESTP, 0), mk(COMPLETE, 16),
	   mk(TESTP, 0)}); // arrive with nothing pending
	A({mk(INIT, 1), mk(ARR_EXPECT, 16), mk(COMPLETE, 32), mk(TESTP, 0), mk(EXPECT, 16),
	   mk(TESTP, 0)}); // over-complete with no arrival pending
	A({mk(INIT, 1), mk(ARR_EXPECT, 0), mk(TESTP, 0), mk(ARRIVE1), mk(TESTP, 1)});
	A({mk(POKE, 0), mk(ARRIVE1), mk(TESTP, 0), mk(TESTP, 1)}); // never initialised
	A({mk(POKE, 0), mk(TESTP, 0), mk(TESTP, 1), mk(EXPECT, 4)});
	A({mk(POKE, ~0ull), mk(ARRIVE1), mk(TESTP, 0)});
	A({mk(INIT, 3), mk(INVAL), mk(ARRIVE1), mk(TESTP, 0)});
	A({mk(INIT, 3), mk(INIT, 5), mk(ARRIVE, 5), mk(TESTP, 0)});
	A({mk(INVAL)});
	A({mk(INIT, 1), mk(ARRIVE1, 0, 0), mk(ARRIVE1, 0, 1), mk(TEST, 0, 0), mk(ARRIVE1, 0, 2), mk(TEST, 0, 0),
	   mk(TEST, 0, 1), mk(TEST, 0, 2)});                                                   // stale tokens
	A({mk(INIT, 1), mk(TESTP, 2), mk(TESTP, 3), mk(ARRIVE1), mk(TESTP, 2), mk(TESTP, 3)}); // parity operand above 1
	A({mk(INIT, 4), mk(REMOTE_ARRIVE, 0), mk(REMOTE_ARRIVE, 5)});
	A({mk(INIT, 2), mk(CPA), mk(CPA), mk(ARRIVE, 2), mk(TESTP, 0)});
	A({mk(INIT, MAXC), mk(CPA), mk(ARRIVE, MAXC)}); // increment of a full count
	A({mk(INIT, 2), mk(EXPECT, 32), mk(ARRIVE, 2), mk(EXPECT, 32), mk(TESTP, 0), mk(COMPLETE, 64),
	   mk(TESTP, 0)}); // expect with zero pending
	A({mk(INIT, 2), mk(EXPECT, 32), mk(ARRIVE, 2), mk(DROP1), mk(COMPLETE, 32), mk(TESTP, 0)});
	return e;
}
static int edge_child(int k)
{
	std::vector<std::vector<Op>> e = edges();
	if (k < 0 || k >= (int)e.size())
		return 2;
	setup();
	std::vector<Log> lg;
	char nm[32];
	snprintf(nm, sizeof nm, "edge%d", k);
	char path[1024];
	snprintf(path, sizeof path, "%s/mbarrier_edge.tsv", g_outdir);
	FILE *f = fopen(path, "a");
	if (!f)
		return 2;
	// run growing prefixes, so that the step at which something faults is known
	for (size_t n = 1; n <= e[k].size(); n++) {
		std::vector<Op> v(e[k].begin(), e[k].begin() + n);
		if (!run(v, lg, false)) {
			fprintf(f, "%s\t%zu\t%s\t%llx\t%u\tfault\tfault\tfault\t0\t-\n", nm, n - 1, onm[v[n - 1].op],
			        (unsigned long long)v[n - 1].arg, v[n - 1].tok);
			fclose(f);
			return 4;
		}
		{
			size_t i = n - 1;
			fprintf(f, "%s\t%zu\t%s\t%llx\t%u\t%016llx\t%016llx\t%llx\t%llu\t-\n", nm, i, onm[v[i].op],
			        (unsigned long long)v[i].arg, v[i].tok, (unsigned long long)lg[i].before,
			        (unsigned long long)lg[i].after, (unsigned long long)lg[i].ret,
			        (unsigned long long)lg[i].clk);
			fflush(f);
		}
	}
	fclose(f);
	return 0;
}

static int spawn(const char *self, const char *a, const char *b, int limit_s)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		if (b)
			execl(self, self, g_outdir, a, b, (char *)0);
		else
			execl(self, self, g_outdir, a, (char *)0);
		_exit(127);
	}
	for (int t = 0; t < limit_s * 20; t++) {
		int st = 0;
		pid_t r = waitpid(pid, &st, WNOHANG);
		if (r == pid)
			return WIFEXITED(st) ? WEXITSTATUS(st) : 100 + WTERMSIG(st);
		usleep(50000);
	}
	kill(pid, SIGKILL);
	int st;
	waitpid(pid, &st, 0);
	return 124;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		g_outdir = argv[1];
	std::string sec = argc > 2 ? argv[2] : "all";
	if (sec == "all") { // parent never touches the device
		static const char *ss[] = {"init", "script", "random", "warp", "bulk", "poke"};
		for (const char *s : ss) {
			int r = spawn(argv[0], s, 0, 40);
			printf("section %s exit %d\n", s, r);
		}
		FILE *f = out_open("mbarrier_edge.tsv");
		fputs(HDR, f);
		fclose(f);
		int n = (int)edges().size();
		for (int k = 0; k < n; k++) {
			char b[16];
			snprintf(b, sizeof b, "%d", k);
			int r = spawn(argv[0], "edge", b, 15);
			if (r == 124) {
				char path[1024];
				snprintf(path, sizeof path, "%s/mbarrier_edge.tsv", g_outdir);
				FILE *q = fopen(path, "a");
				fprintf(q, "edge%d\t-\thang\t0\t0\t-\t-\t-\t0\t-\n", k);
				fclose(q);
			}
			printf("edge %d exit %d\n", k, r);
		}
		printf("mbarrier done\n");
		return 0;
	}
	if (sec == "edge")
		return edge_child(argc > 3 ? atoi(argv[3]) : 0);
	banner("mbarrier");
	setup();
	if (sec == "init")
		s_init();
	else if (sec == "script")
		s_script();
	else if (sec == "random")
		s_random();
	else if (sec == "warp")
		s_warp();
	else if (sec == "bulk")
		s_bulk();
	else if (sec == "poke")
		s_poke();
	return 0;
}
