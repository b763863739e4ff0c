// SPDX-License-Identifier: Apache-2.0
// Makes a verilated link_axil, or with WL_BUS_WB link_wb, look like board_shim.h: the CPU's side of the bus. Delays of valid and ready
// are random; what the rules of the bus forbid, and silence, breaks the access.
#include "board_shim.h"

#include "Vboard.h"
#include "verilated.h"

namespace {

enum { SILENCE = 2000 };
#ifdef WL_BUS_WB
enum { MEMORY_BASE = 0x40000000, MEMORY_BYTES = 2048 };
#endif

struct Board {
	VerilatedContext context;
	Vboard top{&context};
	uint32_t random = 1;
#ifdef WL_BUS_WB
	uint32_t memory[MEMORY_BYTES / 4] = {};
#endif
};

/* One time in four: not in this clock. */
bool later(Board* b)
{
	b->random = b->random * 1664525u + 1013904223u;
	return b->random >> 30 == 0;
}

void low(Vboard& t)
{
	t.clk_i = 0;
	t.eval();
}

void high(Vboard& t)
{
	t.clk_i = 1;
	t.eval();
}

#ifdef WL_BUS_WB

/* The other side of the master's bus in this clock: memory at one place, errors elsewhere. */
void serve(Board* b)
{
	Vboard& t = b->top;
	t.m_wb_ack_i = t.m_wb_err_i = 0;
	if (!t.m_wb_cyc_o || !t.m_wb_stb_o || later(b)) return;
	const uint32_t at = t.m_wb_adr_o - MEMORY_BASE / 4;
	const bool inside = at < MEMORY_BYTES / 4;
	t.m_wb_ack_i = inside;
	t.m_wb_err_i = !inside;
	if (inside) t.m_wb_dat_i = b->memory[at];
	for (unsigned byte = 0; inside && t.m_wb_we_o && byte < 4; byte++)
		if (t.m_wb_sel_o >> byte & 1) reinterpret_cast<uint8_t*>(&b->memory[at])[byte] = uint8_t(t.m_wb_dat_o >> 8 * byte);
	t.eval();
}

void clock_low(Board* b)
{
	low(b->top);
	serve(b);
}

bus_answer access(void* board, bus_access* a, uint32_t delays, const char** why)
{
	Board* b = static_cast<Board*>(board);
	Vboard& t = b->top;
	b->random = delays;
	for (; later(b); high(t)) clock_low(b);
	t.wb_cyc_i = 1;
	t.wb_stb_i = 1;
	t.wb_we_i = a->write;
	t.wb_adr_i = a->offset >> 2;
	t.wb_dat_i = a->data;
	t.wb_sel_i = a->strobe;
	for (unsigned clock = 0; clock < SILENCE; clock++) {
		clock_low(b);
		const bool ack = t.wb_ack_o, err = t.wb_err_o;
		if (!a->write && ack) a->data = t.wb_dat_o;
		high(t);
		if (ack && err) { *why = "ACK and ERR together"; return BUS_BROKEN; }
		if (!ack && !err) continue;
		t.wb_cyc_i = later(b); // a cycle may go on
		t.wb_stb_i = 0;
		clock_low(b);
		if (t.wb_ack_o || t.wb_err_o) { *why = "a second answer"; return BUS_BROKEN; }
		high(t);
		t.wb_cyc_i = 0;
		return err ? BUS_ERROR : BUS_OKAY;
	}
	*why = "no answer to a transfer";
	return BUS_BROKEN;
}

#else

bus_answer access(void* board, bus_access* a, uint32_t delays, const char** why)
{
	Board* b = static_cast<Board*>(board);
	Vboard& t = b->top;
	b->random = delays;
	bool address = true, data = a->write, held = false;
	unsigned resp = 0;
	uint32_t word = 0;
	t.s_axil_awaddr = t.s_axil_araddr = a->offset;
	t.s_axil_wdata = a->data;
	t.s_axil_wstrb = a->strobe;
	t.s_axil_awvalid = t.s_axil_arvalid = t.s_axil_wvalid = 0;
	for (unsigned clock = 0; clock < SILENCE; clock++) {
		/* valid stays once it is there; ready comes and goes */
		if (address && !t.s_axil_awvalid && !t.s_axil_arvalid && !later(b)) (a->write ? t.s_axil_awvalid : t.s_axil_arvalid) = 1;
		if (data && !t.s_axil_wvalid && !later(b)) t.s_axil_wvalid = 1;
		t.s_axil_bready = a->write && !later(b);
		t.s_axil_rready = !a->write && !later(b);
		low(t);
		const bool aw = t.s_axil_awvalid && t.s_axil_awready, w = t.s_axil_wvalid && t.s_axil_wready,
		           ar = t.s_axil_arvalid && t.s_axil_arready;
		const bool valid = a->write ? t.s_axil_bvalid : t.s_axil_rvalid, ready = t.s_axil_bready || t.s_axil_rready;
		if (a->write ? t.s_axil_rvalid : t.s_axil_bvalid) { *why = "an answer of the other kind"; return BUS_BROKEN; }
		if (valid && (address || data)) { *why = "an answer before its request"; return BUS_BROKEN; }
		if (held && (!valid || resp != (a->write ? t.s_axil_bresp : t.s_axil_rresp) || (!a->write && word != t.s_axil_rdata))) {
			*why = "an answer that changes before it is taken";
			return BUS_BROKEN;
		}
		resp = a->write ? t.s_axil_bresp : t.s_axil_rresp;
		word = t.s_axil_rdata;
		held = valid && !ready;
		high(t);
		if (aw || ar) address = false, t.s_axil_awvalid = t.s_axil_arvalid = 0;
		if (w) data = false, t.s_axil_wvalid = 0;
		if (!valid || !ready) continue;
		t.s_axil_bready = t.s_axil_rready = 1;
		low(t);
		if (t.s_axil_bvalid || t.s_axil_rvalid) { *why = "a second answer"; return BUS_BROKEN; }
		high(t);
		t.s_axil_bready = t.s_axil_rready = 0;
		if (!a->write) a->data = word;
		if (resp != 0 && resp != 2) { *why = "an answer that is neither OKAY nor SLVERR"; return BUS_BROKEN; }
		return resp ? BUS_ERROR : BUS_OKAY;
	}
	*why = "no answer to an access";
	return BUS_BROKEN;
}

#endif

void* create()
{
	Board* b = new Board;
	b->top.rst_i = 1;
	for (int i = 0; i < 4; i++) {
		low(b->top);
		high(b->top);
	}
	b->top.rst_i = 0;
	return b;
}

void destroy(void* board)
{
	static_cast<Board*>(board)->top.final();
	delete static_cast<Board*>(board);
}

#ifdef WL_BUS_WB
uint32_t* memory(void* board)
{
	return static_cast<Board*>(board)->memory;
}
const board_api Api = {0, create, nullptr, destroy, access, 0, memory};
#else
const board_api Api = {0, create, nullptr, destroy, access, 0, nullptr};
#endif

} // namespace

extern "C" const board_api* wl_board(void)
{
	return &Api;
}
