// SPDX-License-Identifier: Apache-2.0
// Makes a verilated link_core or link_serial look like board_shim.h. Built by build_board, which defines WL_CLOCKS_PER_BIT.
#include "board_shim.h"

#include "Vboard.h"
#include "verilated.h"

#ifndef WL_AWAKE
#define WL_AWAKE 0
#endif

namespace {

struct Board {
	VerilatedContext context;
	Vboard top{&context};
};

int clock(void* board, int rx)
{
	Vboard& t = static_cast<Board*>(board)->top;
	t.rx_i = rx;
	t.clk_i = 0;
	t.eval();
	t.clk_i = 1;
	t.eval();
	return t.tx_o;
}

void* create()
{
	Board* b = new Board;
	b->top.rst_i = 1;
	for (int i = 0; i < 4; i++) clock(b, 1);
	b->top.rst_i = 0;
	return b;
}

void destroy(void* board)
{
	static_cast<Board*>(board)->top.final();
	delete static_cast<Board*>(board);
}

const board_api Api = {WL_CLOCKS_PER_BIT, create, clock, destroy, nullptr, WL_AWAKE, nullptr};

} // namespace

extern "C" const board_api* wl_board(void)
{
	return &Api;
}
