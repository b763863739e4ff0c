// SPDX-License-Identifier: Apache-2.0
// reset.cpp -- the bench of `fusesoc run --target=sim`: a unit out of reset, 100 cycles without a request. Assertions of
// the RTL are on. The compiler's option -DUNIT_MODEL=Vunit names the model.
#include <cstdio>
#include <memory>

#include "verilated.h"
#define TEXT(x)   #x
#define HEADER(x) TEXT(x.h)
#include HEADER(UNIT_MODEL)

// A unit without state of its own has no reset.
template <class Model> static auto reset(Model &model, bool level, int) -> decltype(model.rst_i, void())
{
	model.rst_i = level;
}
template <class Model> static void reset(Model &, bool, long)
{
}

int main(int argc, char **argv)
{
	Verilated::commandArgs(argc, argv);
	const auto top = std::make_unique<UNIT_MODEL>();
	for (int cycle = 0; cycle < 104 && !Verilated::gotFinish(); cycle++) {
		reset(*top, cycle < 4, 0);
		for (int edge = 0; edge < 2; edge++) {
			top->clk_i = edge;
			top->eval();
		}
	}
	if (Verilated::gotFinish())
		return std::puts("FAIL: the model stopped"), 1;
	std::puts("pass: 100 cycles after reset");
	return 0;
}
