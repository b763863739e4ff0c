// SPDX-License-Identifier: Apache-2.0
// The verilated sync_decode behind one C function.
#include "Vsync_decode.h"
#include "sync_decode_shim.h"
#include "verilated.h"

double sc_time_stamp()
{
	return 0;
}

extern "C" void sync_decode_eval(uint8_t arch, uint64_t lo, uint64_t hi, struct sync_decoded *out)
{
	static VerilatedContext context;
	static Vsync_decode dut(&context);
	dut.arch_i = arch;
	dut.word_i[0] = static_cast<uint32_t>(lo);
	dut.word_i[1] = static_cast<uint32_t>(lo >> 32);
	dut.word_i[2] = static_cast<uint32_t>(hi);
	dut.word_i[3] = static_cast<uint32_t>(hi >> 32);
	dut.eval();
	out->known = dut.known_o;
	out->kind = dut.kind_o;
	out->spin = dut.spin_o;
	out->op = dut.op_o;
	out->is_signed = dut.signed_o;
	out->size = dut.size_o;
	out->scale = dut.scale_o;
	out->ra_used = dut.ra_used_o;
	out->ur_used = dut.ur_used_o;
	out->rd_used = dut.rd_used_o;
	out->offset = dut.offset_o;
	out->illegal = dut.illegal_o;
}
