// SPDX-License-Identifier: Apache-2.0
// bench.cpp -- random accesses to atoms_pipe with 4 banks; libwarplock's unit judges passes, faults, results and memory.
//   bench [REQUESTS] [SEED]    verif/examples/one_unit/atoms/run builds and runs this bench
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>

#include "Vatoms_top.h"
extern "C" {
#include "warplock/unit_ref.h"
}

enum { LANES = 4, BANKS = 4, BEATS = 32 / LANES, ROW_BITS = 8, WINDOW = 512, SIZE_4 = 2 << 5, RESULT = 1 << 8 };
static const struct {
	const char *text;
	uint32_t kind, ctl; // WL_ATOMS_PIPE_* of rtl/gen/wl_units.vh
} forms[] = {{"STS [R2], R3", 1, SIZE_4},
             {"LDS R4, [R2]", 0, SIZE_4 | RESULT},
             {"ATOMS.ADD R4, [R2], R3", 4, SIZE_4 | RESULT | 0},
             {"ATOMS.XOR R4, [R2], R3", 4, SIZE_4 | RESULT | 7},
             {"ATOMS.CAS R4, [R2], R3, R5", 5, SIZE_4 | RESULT}};
static Vatoms_top *dut;
static wl_unit_ref *ref;
static unsigned long cycles, checks, beats_done;
static std::deque<uint32_t> open_tags; // requests end in their order
static void must(int verdict)
{
	checks++;
	if (verdict != WL_UNIT_AGREES)
		std::printf("FAIL: cycle %lu: %s\n", cycles, wl_unit_why(ref)), std::exit(1);
}

static void judge()
{
	for (uint32_t code = 1; dut->fault_valid_o && code <= 3; code++) // MISALIGNED, OUT_OF_RANGE, ILLEGAL
		if (dut->fault_lanes_o[code - 1])
			must(wl_unit_fault(ref, dut->fault_tag_o, dut->fault_lanes_o[code - 1], code));
	if (dut->commit_valid_o)
		must(wl_unit_commit(ref, dut->commit_tag_o, dut->commit_lanes_o));
	for (uint32_t bank = 0; dut->commit_valid_o && bank < BANKS; bank++) {
		const uint32_t row = dut->commit_row_o >> bank * ROW_BITS & ((1 << ROW_BITS) - 1);
		if (dut->commit_we_o >> bank & 1)
			must(wl_unit_compare(ref, 0, (row * BANKS + bank) * 4, dut->commit_now_o[bank], 0));
	}
	for (uint32_t i = 0; i < LANES; i++)
		if (dut->rsp_we_o >> i & 1)
			must(wl_unit_result(ref, open_tags.front(), beats_done * LANES + i, 0, dut->rsp_data_o[i * 4]));
	if (dut->rsp_finish_o && ++beats_done == BEATS)
		must(wl_unit_retire(ref, open_tags.front())), open_tags.pop_front(), beats_done = 0;
}

static void cycle()
{
	dut->eval(), judge();
	dut->clk_i = 1, dut->eval(), dut->clk_i = 0, dut->eval(), cycles++;
}

// `first`: the address of lane 0 of the stores that fill the window; below 0: any access.
static void ask(std::mt19937 &random, uint32_t tag, int first)
{
	const auto &form = forms[first >= 0 ? 0 : random() % (sizeof forms / sizeof forms[0])];
	const uint32_t span = 4u << random() % 7, mask = first >= 0 ? UINT32_MAX : random() | 1u << random() % 32;
	uint32_t addr[32], b[32], c[32];
	for (uint32_t lane = 0; lane < 32; lane++) {
		addr[lane] = first >= 0 ? first + lane * 4 : random() % span & ~3u;
		addr[lane] = first < 0 && random() % 200 == 0 ? addr[lane] + (random() % 2 ? 1 : WINDOW) : addr[lane];
		b[lane] = random() % 3, c[lane] = random();
		wl_unit_operand(ref, 0, lane, 0, addr[lane]), wl_unit_operand(ref, 1, lane, 0, b[lane]);
		wl_unit_operand(ref, 2, lane, 0, c[lane]);
	}
	must(wl_unit_request(ref, tag, 0, tag >> 16, form.text, mask, 0)), open_tags.push_back(tag);
	dut->beat_valid_i = 1, dut->beat_tag_i = tag, dut->beat_kind_i = form.kind, dut->beat_ctl_i = form.ctl;
	for (uint32_t beat = 0; beat < BEATS; beat++) {
		dut->beat_index_i = beat, dut->beat_mask_i = mask >> beat * LANES;
		for (uint32_t i = 0; i < LANES; i++) {
			dut->beat_ra_i[i] = addr[beat * LANES + i], dut->beat_rb_i[i * 4] = b[beat * LANES + i];
			dut->beat_rb_i[i * 4 + 2] = c[beat * LANES + i];
		}
		for (dut->eval(); !dut->beat_ready_o; cycle())
			;
		cycle();
	}
	dut->beat_valid_i = 0, dut->eval();
}

int main(int argc, char **argv)
{
	std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
	dut = new Vatoms_top, ref = wl_unit_open("atoms_pipe", "lanes=4 banks=4");
	dut->rst_i = 1, cycle(), dut->rst_i = 0, dut->cfg_valid_i = 1, dut->cfg_size_i = WINDOW, cycle();
	dut->cfg_valid_i = 0, must(wl_unit_start_cta(ref, 0, 0, 0, 48, 0, WINDOW));
	for (uint32_t n = 0; n < (argc > 1 ? std::atoi(argv[1]) : 3000u); n++)
		ask(random, n % 48 << 16 | (n & 0xffff), n < WINDOW / 128 ? n * 128 : -1);
	while (!open_tags.empty())
		cycle();
	must(wl_unit_idle(ref)), wl_unit_close(ref);
	std::printf("%lu passed, 0 failed\n", checks);
}
