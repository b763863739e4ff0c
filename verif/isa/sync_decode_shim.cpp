// SPDX-License-Identifier: Apache-2.0
// The verilated sync_decode behind one C function.
#include "Vsync_decode.h"
#include "rtl_units.h"
#include "sync_decode_shim.h"
#include "verilated.h"

double sc_time_stamp()
{
	return 0;
}

#pragma GCC visibility push(default)
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
	const auto field = [&](int lsb, int bits) { return dut.ctl_o >> lsb & ((1u << bits) - 1); };
#define FIELD(name) field(RTL_atoms_pipe_CTL_##name##_LSB, RTL_atoms_pipe_CTL_##name##_BITS)
	*out = {};
	out->known = dut.unit_o == RTL_UNIT_atoms_pipe;
	out->ends = dut.unit_o == RTL_UNIT_sync_core && dut.kind_o == RTL_sync_core_EXIT;
	out->header = dut.header_o;
	out->kind = dut.kind_o;
	out->spin = FIELD(spin);
	out->op = FIELD(op);
	out->is_signed = FIELD(signed);
	out->size = FIELD(size);
	out->scale = FIELD(scale);
	out->ra_used = dut.ra_used_o;
	out->rb_used = dut.rb_used_o;
	out->rc_used = dut.rc_used_o;
	out->ur_used = dut.ur_used_o;
	out->rd_used = FIELD(rd_used);
	out->offset = dut.imm_o & 0xffffff;
	out->negative = dut.imm_o >> 24 & 1;
	out->packed = dut.packed_o;
	out->posted = dut.posted_o;
	out->waits = dut.waits_o;
	out->illegal = dut.illegal_o;
	out->pd_used = FIELD(pd_used);
	out->type = FIELD(type);
	out->matrices = FIELD(matrices);
}
