// SPDX-License-Identifier: Apache-2.0
// Makes a verilated sync_core look like shim.h. Built by build_model, which defines WL_LANES, WL_BANKS, WL_PORTS,
// WL_SMEM_BYTES, WL_TRACED and makes shim_banks.inc, shim_marks.inc (the names of the banks' arrays) and shim_show.inc
// (trace to events).
#include <cstring>
#include <memory>

#include "Vsync.h"
#include "Vsync___024root.h"
#include "verilated.h"
#if WL_TRACED
#include "verilated_fst_c.h"
#endif
#include "../rtl_coverage.h"
#include "shim.h"

namespace
{

constexpr int Lanes = WL_LANES, Banks = WL_BANKS, Ports = WL_PORTS;
constexpr int Rows = WL_SMEM_BYTES / 4 / Banks;
constexpr int log2_of(int n)
{
	return n > 1 ? 1 + log2_of(n / 2) : 0;
}
constexpr int RowBits = log2_of(Rows);
constexpr int TagBits = 22;

// Bit fields of ports. Verilator picks 8, 16, 32 or 64-bit integers or arrays of 32-bit words by the width of a port,
// and that depends on the parameters: these two pairs hide it. width <= 32.
template <std::size_t N> uint32_t get(const VlWide<N> &v, int lsb, int width)
{
	const int w = lsb / 32, b = lsb % 32;
	uint64_t x = v[w];
	if (b + width > 32)
		x |= static_cast<uint64_t>(v[w + 1]) << 32;
	return static_cast<uint32_t>((x >> b) & ((uint64_t{1} << width) - 1));
}
template <class T> uint32_t get(const T &v, int lsb, int width)
{
	return static_cast<uint32_t>((static_cast<uint64_t>(v) >> lsb) & ((uint64_t{1} << width) - 1));
}
template <class T> uint64_t get64(const T &v, int lsb, int width)
{
	if (width <= 32)
		return get(v, lsb, width);
	return get(v, lsb, 32) | static_cast<uint64_t>(get(v, lsb + 32, width - 32)) << 32;
}
template <std::size_t N> void put(VlWide<N> &v, int lsb, int width, uint32_t x)
{
	const int w = lsb / 32, b = lsb % 32;
	const uint64_t mask = ((uint64_t{1} << width) - 1) << b, val = static_cast<uint64_t>(x) << b;
	v[w] = (v[w] & ~static_cast<uint32_t>(mask)) | static_cast<uint32_t>(val & mask);
	if (b + width > 32)
		v[w + 1] = (v[w + 1] & ~static_cast<uint32_t>(mask >> 32)) | static_cast<uint32_t>((val & mask) >> 32);
}
template <class T> void put(T &v, int lsb, int width, uint32_t x)
{
	const uint64_t mask = ((uint64_t{1} << width) - 1) << lsb;
	v = static_cast<T>((static_cast<uint64_t>(v) & ~mask) | ((static_cast<uint64_t>(x) << lsb) & mask));
}

shim_event &add_event(shim_out &out, wl_event_kind kind, int unit)
{
	shim_event &e = out.event[out.nevents++];
	e = {};
	e.kind = kind;
	e.unit = static_cast<uint8_t>(unit);
	return e;
}

#include "shim_show.inc"

constexpr int Releases =
        1 + __builtin_popcount(WL_UNITS & ReleaseUnits) * Ports + ((WL_UNITS >> 3 & 1) != 0 ? Banks / 2 + 1 : 0);

struct Model {
	VerilatedContext context;
	Vsync top;
	explicit Model(uint32_t seed) : top{prepare(context, seed)}
	{
	}
	// What registers and RAM hold before reset: zeros, or random words in a model built for it.
	static VerilatedContext *prepare(VerilatedContext &c, uint32_t seed)
	{
		c.randReset(WL_XRAND ? 2 : 0);
		c.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
		return &c;
	}
	bool started = false;
	Values values; // what events point to
#if WL_TRACED
	std::unique_ptr<VerilatedFstC> wave;
	uint64_t time = 0;
	void dump()
	{
		if (wave)
			wave->dump(time);
		time += 5;
	}
#else
	void dump()
	{
	}
#endif
};

void apply(Vsync &t, const shim_in &in)
{
	t.rst_i = in.rst;
	t.arch_i = in.arch;
	t.shared_window_i = in.shared_window;
	t.local_window_i = in.local_window;
#ifdef WL_PLANTED
	t.bug_i = in.bug;
#endif
	t.rsp_ready_i = in.rsp_ready & ((1u << Ports) - 1);
	t.mem_req_ready_i = in.mem.req_ready;
	t.mem_rsp_valid_i = in.mem.rsp_valid;
	if (in.mem.rsp_valid) {
		t.mem_rsp_id_i = in.mem.rsp_id;
		t.mem_rsp_ok_i = in.mem.rsp_ok;
		t.mem_rsp_halves_i = in.mem.rsp_halves;
		std::memcpy(&t.mem_rsp_data_i[0], in.mem.rsp_data, 32);
	}
	t.land_valid_i = in.land.valid;
	if (in.land.valid && in.land.fresh) {
		t.land_kind_i = in.land.kind;
		t.land_op_i = in.land.op;
		t.land_addr_i = in.land.addr;
		t.land_words_i = in.land.words;
		std::memcpy(&t.land_wdata_i[0], in.land.data, Banks * 4);
	}
	t.bar_valid_i = in.bar.valid;
	t.bar_slot_i = in.bar.slot;
	t.bar_id_i = in.bar.id;
	uint32_t valid = 0;
	for (int p = 0; p < Ports; p++) {
		const shim_beat &b = in.req[p];
		valid |= static_cast<uint32_t>(b.valid != 0) << p;
		if (!b.valid || !b.fresh)
			continue;
		put(t.req_tag_i, p * TagBits, TagBits, b.tag);
		put(t.req_mask_i, p * 32, 32, b.mask);
		put(t.req_slot_i, p * 4, 4, b.slot);
		put(t.req_pred_i, p * 32, 32, b.pred);
		put(t.req_ur_i, p * 64, 32, static_cast<uint32_t>(b.ur));
		put(t.req_ur_i, p * 64 + 32, 32, static_cast<uint32_t>(b.ur >> 32));
		std::memcpy(&t.req_word_i[p * 4], b.word, 16);
		std::memcpy(&t.req_ra_i[p * Lanes * 2], b.ra, Lanes * 8);
		std::memcpy(&t.req_rb_i[p * Lanes * 4], b.rb, Lanes * 16);
		std::memcpy(&t.req_rc_i[p * Lanes * 4], b.rc, Lanes * 16);
	}
	t.req_valid_i = valid;
	t.cfg_valid_i = in.cfg.valid;
	if (in.cfg.valid) {
		t.cfg_slot_i = in.cfg.slot;
		t.cfg_window_valid_i = in.cfg.open;
		t.cfg_base_i = in.cfg.base;
		t.cfg_size_i = in.cfg.size;
		t.cfg_warps_i = in.cfg.warps;
		t.cfg_first_i = in.cfg.first;
		t.cfg_lanes_i = in.cfg.lanes;
		t.cfg_cluster_i = in.cfg.cluster;
		t.cfg_rank_i = in.cfg.rank;
	}
	t.host_valid_i = in.host.valid;
	if (in.host.valid) {
		t.host_write_i = in.host.write;
		t.host_addr_i = in.host.addr;
		t.host_wdata_i = in.host.data;
	}
}

void show_response(const Vsync &t, int p, shim_rsp &r)
{
	r.tag = get(t.rsp_tag_o, p * TagBits, TagBits);
	r.last = get(t.rsp_last_o, p, 1);
	r.mask = get(t.rsp_mask_o, p * Lanes, Lanes);
	r.pred = get(t.rsp_pred_o, p * Lanes, Lanes);
	r.passes = get(t.rsp_passes_o, p * 6, 6);
	r.data = &t.rsp_data_o[p * Lanes * 4];
	r.any_fault = get(t.rsp_any_fault_o, p, 1);
	if (r.any_fault)
		for (int l = 0; l < Lanes; l++)
			r.fault[l] = get(t.rsp_fault_o, (p * Lanes + l) * 6, 6);
}

// Puts the releases among the events of their cycle, which stand by unit and kind.
void show_releases(const Vsync &t, shim_out &out)
{
	for (int r = 0; r < Releases; r++) {
		if (!get(t.rel_valid_o, r, 1))
			continue;
		const bool gave_up = get(t.rel_gave_up_o, r, 1);
		shim_event e = add_event(out, gave_up ? WL_EV_CHOICE : WL_EV_RELEASE, get(t.rel_unit_o, r * 4, 4));
		e.slot = get(t.rel_slot_o, r * 4, 4);
		e.id = get(t.rel_id_o, r * 16, 16);
		e.phase = get(t.rel_phase_o, r * 16, 16);
		e.warps = get64(t.rel_warps_o, r * 48, 48);
		e.value = get(t.rel_value_o, r * 32, 32);
		unsigned i = out.nevents - 1;
		for (; i > 0 && out.event[i - 1].unit * 256 + out.event[i - 1].kind > e.unit * 256 + e.kind; i--)
			out.event[i] = out.event[i - 1];
		out.event[i] = e;
	}
}

void show_barrier(const Vsync &t, shim_bar &b)
{
	b.mode = get(t.bar_status_o, 0, 2);
	b.counted = get(t.bar_status_o, 2, 1);
	b.expected = get(t.bar_status_o, 3, 8);
	b.arrived = get(t.bar_status_o, 11, 8);
	b.here = get64(t.bar_status_o, 19, 48);
	b.waiting = get64(t.bar_status_o, 67, 48);
	b.votes = get(t.bar_status_o, 115, 12);
}

void show(Model &m, const shim_in &in, shim_out &out)
{
	const Vsync &t = m.top;
	out.gone = nullptr;
	out.req_taken = t.req_valid_i & t.req_ready_o;
	out.rsp_valid = t.rsp_valid_o;
	out.rsp_taken = t.rsp_valid_o & t.rsp_ready_i;
	out.trace_accept = t.trace_accept_o;
	out.trace_retire = t.trace_retire_o;
	out.idle = t.idle_o;
	out.host_taken = in.host.valid && t.host_ready_o;
	out.host_rvalid = t.host_rvalid_o;
	out.host_data = t.host_rdata_o;
	out.mem.valid = t.mem_req_valid_o;
	out.mem.rsp_ready = t.mem_rsp_ready_o;
	if (out.mem.valid) {
		out.mem.id = t.mem_req_id_o;
		out.mem.write = t.mem_req_write_o;
		out.mem.cond = t.mem_req_cond_o;
		out.mem.addr = static_cast<uint64_t>(t.mem_req_addr_o) << 5;
		out.mem.mask = t.mem_req_mask_o;
		out.mem.data = &t.mem_req_data_o[0];
		out.mem.has_policy = t.mem_req_policy_valid_o;
		out.mem.policy = t.mem_req_policy_o;
	}
	out.land_taken = t.land_valid_i & t.land_ready_o;
	out.land_rvalid = t.land_rvalid_o;
	out.land_fault = t.land_fault_o;
	out.land_data = &t.land_rdata_o[0];
	out.bar_taken = t.bar_valid_i && t.bar_ready_o;
	out.bar_valid = t.bar_valid_o;
	if (out.bar_valid)
		show_barrier(t, out.bar);
	for (int p = 0; p < Ports; p++)
		if (out.rsp_valid >> p & 1)
			show_response(t, p, out.rsp[p]);
	out.nevents = 0;
	show_events(t, m.values, out);
	if (t.rel_valid_o)
		show_releases(t, out);
}

void *create(uint32_t seed)
{
	return new Model(seed);
}

void destroy(void *model)
{
	Model *m = static_cast<Model *>(model);
	m->top.final();
	keep_coverage(&m->context);
	delete m;
}

void cycle(void *model, const shim_in *in, shim_out *out)
{
	Model *m = static_cast<Model *>(model);
	if (m->started) {
		m->top.clk_i = 1;
		m->top.eval();
		m->dump();
	}
	m->started = true;
	apply(m->top, *in);
	m->top.clk_i = 0;
	m->top.eval();
	m->dump();
	show(*m, *in, *out);
}

// 16 rows at a time: so many words of a bank lie in one line of the cache.
void read_mem(void *model, uint32_t at, uint32_t size, uint32_t *words)
{
	const Vsync___024root *root = static_cast<Model *>(model)->top.rootp;
	const int end = (at + size) / 4 / Banks;
	for (int row = at / 4 / Banks; row < end; row += 16, words += 16 * Banks) {
		const int n = end - row < 16 ? end - row : 16;
#define BANK(bank, array)                                                                                              \
	for (int r = 0; r < n; r++)                                                                                    \
		words[r * Banks + (bank)] = root->array[row + r];
#include "shim_banks.inc"
#undef BANK
	}
}

#ifndef WL_NETLIST
// A word that the host writes is no half of an mbarrier any more.
void poke_mem(void *model, uint32_t at, uint32_t size, const uint8_t *bytes)
{
	Vsync___024root *root = static_cast<Model *>(model)->top.rootp;
	for (uint32_t end = at + size; at < end; at += 4, bytes += 4) {
		const uint32_t row = at / 4 / Banks;
		switch (at / 4 % Banks) {
#define BANK(bank, array)                                                                                              \
	case bank:                                                                                                     \
		std::memcpy(&root->array[row], bytes, 4);                                                              \
		break;
#include "shim_banks.inc"
#undef BANK
		}
		switch (at / 4 % Banks) {
#define BANK(bank, array)                                                                                              \
	case bank:                                                                                                     \
		root->array[row] = 0;                                                                                  \
		break;
#include "shim_marks.inc"
#undef BANK
		}
	}
}
#else // its arrays are what Yosys made of them
constexpr decltype(shim_api::poke_mem) poke_mem = nullptr;
#endif

void read_waits(void *model, shim_wait *wait)
{
	Vsync &t = static_cast<Model *>(model)->top;
	for (int w = 0; w < SHIM_WARPS; w++) {
		t.wait_warp_i = w;
		t.eval();
		wait[w].waiting = t.wait_valid_o;
		wait[w].unit = t.wait_unit_o;
		wait[w].slot = t.wait_slot_o;
		wait[w].id = t.wait_id_o;
		wait[w].tag = t.wait_tag_o;
	}
}

int wave_open(void *model, const char *path)
{
#if WL_TRACED
	Model *m = static_cast<Model *>(model);
	m->context.traceEverOn(true);
	m->wave.reset(new VerilatedFstC);
	m->top.trace(m->wave.get(), 99);
	m->wave->open(path);
	if (m->wave->isOpen())
		return 1;
	m->wave.reset();
#else
	(void)model, (void)path;
#endif
	return 0;
}

void wave_close(void *model)
{
#if WL_TRACED
	Model *m = static_cast<Model *>(model);
	if (m->wave)
		m->wave->close();
	m->wave.reset();
#else
	(void)model;
#endif
}

#ifdef WL_PLANTED
constexpr uint32_t Planted = 1;
#else
constexpr uint32_t Planted = 0;
#endif
const shim_api Api = {SHIM_ABI, Lanes,    Banks,    Ports,    WL_SMEM_BYTES, Planted,       WL_TRACED,
                      0,        WL_UNITS, Releases, WL_LEAN,  WL_ATOM_IDS,   WL_ATOM_SLOTS, create,
                      destroy,  cycle,    read_mem, poke_mem, read_waits,    wave_open,     wave_close};

} // namespace

extern "C" const shim_api *wl_shim(void)
{
	return &Api;
}
