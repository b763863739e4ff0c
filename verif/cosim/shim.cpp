// SPDX-License-Identifier: Apache-2.0
// Makes a verilated sync_core look like shim.h. Built by build_model, which defines
// WL_LANES, WL_BANKS, WL_PORTS, WL_SMEM_BYTES, WL_TRACED and writes shim_banks.inc (the names of the bank arrays).
#include <cstring>
#include <memory>

#include "Vsync.h"
#include "Vsync___024root.h"
#include "verilated.h"
#if WL_TRACED
#include "verilated_fst_c.h"
#endif
#include "shim.h"

namespace {

constexpr int Lanes = WL_LANES, Banks = WL_BANKS, Ports = WL_PORTS;
constexpr int Rows = WL_SMEM_BYTES / 4 / Banks;
constexpr int log2_of(int n) { return n > 1 ? 1 + log2_of(n / 2) : 0; }
constexpr int RowBits = log2_of(Rows);
constexpr int TagBits = 22;

// Bit fields of ports. Verilator picks 8, 16, 32 or 64-bit integers or arrays of 32-bit words by the width of a port, and
// that depends on the parameters: these two pairs hide it. width <= 32.
template <std::size_t N> uint32_t get(const VlWide<N>& v, int lsb, int width)
{
	const int w = lsb / 32, b = lsb % 32;
	uint64_t x = v[w];
	if (b + width > 32) x |= static_cast<uint64_t>(v[w + 1]) << 32;
	return static_cast<uint32_t>((x >> b) & ((uint64_t{1} << width) - 1));
}
template <class T> uint32_t get(const T& v, int lsb, int width)
{
	return static_cast<uint32_t>((static_cast<uint64_t>(v) >> lsb) & ((uint64_t{1} << width) - 1));
}
template <std::size_t N> void put(VlWide<N>& v, int lsb, int width, uint32_t x)
{
	const int w = lsb / 32, b = lsb % 32;
	const uint64_t mask = ((uint64_t{1} << width) - 1) << b, val = static_cast<uint64_t>(x) << b;
	v[w] = (v[w] & ~static_cast<uint32_t>(mask)) | static_cast<uint32_t>(val & mask);
	if (b + width > 32) v[w + 1] = (v[w + 1] & ~static_cast<uint32_t>(mask >> 32)) | static_cast<uint32_t>((val & mask) >> 32);
}
template <class T> void put(T& v, int lsb, int width, uint32_t x)
{
	const uint64_t mask = ((uint64_t{1} << width) - 1) << lsb;
	v = static_cast<T>((static_cast<uint64_t>(v) & ~mask) | ((static_cast<uint64_t>(x) << lsb) & mask));
}

struct Model {
	VerilatedContext context;
	Vsync top;
	explicit Model(uint32_t seed) : top{prepare(context, seed)} {}
	// What registers and RAM hold before reset: zeros, or random words in a model built for it.
	static VerilatedContext* prepare(VerilatedContext& c, uint32_t seed)
	{
		c.randReset(WL_XRAND ? 2 : 0);
		c.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
		return &c;
	}
	bool started = false;
	trace_atoms_pipe_commit commit; // what the values of the event point to
#if WL_TRACED
	std::unique_ptr<VerilatedFstC> wave;
	uint64_t time = 0;
	void dump()
	{
		if (wave) wave->dump(time);
		time += 5;
	}
#else
	void dump() {}
#endif
};

void apply(Vsync& t, const shim_in& in)
{
	t.rst_i = in.rst;
	t.arch_i = in.arch;
#ifdef WL_PLANTED
	t.bug_i = in.bug;
#endif
	t.rsp_ready_i = in.rsp_ready & ((1u << Ports) - 1);
	uint32_t valid = 0;
	for (int p = 0; p < Ports; p++) {
		const shim_beat& b = in.req[p];
		valid |= static_cast<uint32_t>(b.valid != 0) << p;
		if (!b.valid || !b.fresh) continue;
		put(t.req_tag_i, p * TagBits, TagBits, b.tag);
		put(t.req_mask_i, p * 32, 32, b.mask);
		put(t.req_slot_i, p * 4, 4, b.slot);
		put(t.req_ur_i, p * 32, 32, static_cast<uint32_t>(b.ur));
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
	}
	t.host_valid_i = in.host.valid;
	if (in.host.valid) {
		t.host_write_i = in.host.write;
		t.host_addr_i = in.host.addr;
		t.host_wdata_i = in.host.data;
	}
}

void show_response(const Vsync& t, int p, shim_rsp& r)
{
	r.tag = get(t.rsp_tag_o, p * TagBits, TagBits);
	r.last = get(t.rsp_last_o, p, 1);
	r.mask = get(t.rsp_mask_o, p * Lanes, Lanes);
	r.pred = get(t.rsp_pred_o, p * Lanes, Lanes);
	r.passes = get(t.rsp_passes_o, p * 6, 6);
	r.data = &t.rsp_data_o[p * Lanes * 4];
	uint32_t any = 0;
	for (int l = 0; l < Lanes * 3; l += 12) any |= get(t.rsp_fault_o, p * Lanes * 3 + l, 12);
	r.any_fault = any != 0;
	if (any)
		for (int l = 0; l < Lanes; l++) r.fault[l] = get(t.rsp_fault_o, (p * Lanes + l) * 3, 3);
}

shim_event& add_event(shim_out& out, wl_event_kind kind, uint32_t tag, uint32_t lanes)
{
	shim_event& e = out.event[out.nevents++];
	e = {};
	e.kind = kind;
	e.tag = tag;
	e.lanes = lanes;
	return e;
}

void show_commit(const Vsync& t, trace_atoms_pipe_commit& c)
{
	c.we = t.trace_commit_we_o;
	c.fwd = t.trace_commit_fwd_o;
	for (uint32_t left = c.we; left; left &= left - 1) {
		const int b = __builtin_ctz(left);
		c.row[b] = get(t.trace_commit_row_o, b * RowBits, RowBits);
	}
	c.old = &t.trace_commit_old_o[0];
	c.now = &t.trace_commit_new_o[0];
}

void show(Model& m, const shim_in& in, shim_out& out)
{
	const Vsync& t = m.top;
	out.req_taken = t.req_valid_i & t.req_ready_o;
	out.rsp_valid = t.rsp_valid_o;
	out.rsp_taken = t.rsp_valid_o & t.rsp_ready_i;
	out.trace_accept = t.trace_accept_o;
	out.trace_retire = t.trace_retire_o;
	out.idle = t.idle_o;
	out.host_taken = in.host.valid && t.host_ready_o;
	out.host_rvalid = t.host_rvalid_o;
	out.host_data = t.host_rdata_o;
	for (int p = 0; p < Ports; p++)
		if (out.rsp_valid >> p & 1) show_response(t, p, out.rsp[p]);
	out.nevents = 0;
	if (t.trace_fault_valid_o)
		for (int code = 1; code <= 3; code++)
			if (t.trace_fault_lanes_o[code - 1])
				add_event(out, WL_EV_FAULT, t.trace_fault_tag_o, t.trace_fault_lanes_o[code - 1]).code =
				        static_cast<uint8_t>(code);
	if (t.trace_commit_valid_o) {
		show_commit(t, m.commit);
		add_event(out, WL_EV_COMMIT, t.trace_commit_tag_o, t.trace_commit_lanes_o).values = &m.commit;
	}
}

void* create(uint32_t seed)
{
	return new Model(seed);
}

void destroy(void* model)
{
	Model* m = static_cast<Model*>(model);
	m->top.final();
	delete m;
}

void cycle(void* model, const shim_in* in, shim_out* out)
{
	Model* m = static_cast<Model*>(model);
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

void read_mem(void* model, uint32_t* words)
{
	const Vsync___024root* root = static_cast<Model*>(model)->top.rootp;
#define BANK(bank, array) \
	for (int r = 0; r < Rows; r++) words[r * Banks + (bank)] = root->array[r];
#include "shim_banks.inc"
#undef BANK
}

// No unit that is built lets a warp wait.
void read_waits(void* model, shim_wait* wait)
{
	(void)model;
	std::memset(wait, 0, SHIM_WARPS * sizeof *wait);
}

int wave_open(void* model, const char* path)
{
#if WL_TRACED
	Model* m = static_cast<Model*>(model);
	m->context.traceEverOn(true);
	m->wave.reset(new VerilatedFstC);
	m->top.trace(m->wave.get(), 99);
	m->wave->open(path);
	if (m->wave->isOpen()) return 1;
	m->wave.reset();
#else
	(void)model, (void)path;
#endif
	return 0;
}

void wave_close(void* model)
{
#if WL_TRACED
	Model* m = static_cast<Model*>(model);
	if (m->wave) m->wave->close();
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
const shim_api Api = {SHIM_ABI, Lanes, Banks, Ports, WL_SMEM_BYTES, Planted, WL_TRACED,
                      create, destroy, cycle, read_mem, read_waits, wave_open, wave_close};

} // namespace

extern "C" const shim_api* wl_shim(void)
{
	return &Api;
}
