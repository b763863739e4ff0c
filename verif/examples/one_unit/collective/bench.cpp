// SPDX-License-Identifier: Apache-2.0
// bench.cpp -- random SHFL.BFLY and VOTE to warp_collective with 8 lanes; libwarplock's unit judges commits and results.
//   bench [REQUESTS] [SEED] [WAVE.fst]    verif/examples/one_unit/collective/run builds and runs this bench
#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vwarp_collective.h"
#include "verilated_fst_c.h"
extern "C" {
#include "warplock/unit_ref.h"
}

enum { LANES = 8, BEATS = 32 / LANES, VOTE = 0, SHFL = 2 }; // kinds: rtl/gen/wl_units.vh
static const uint32_t BALLOT_TO_RD = 1u << 24, SHFL_BFLY = 3, RA_NAMED = 1u << 3;
static Vwarp_collective *dut;
static VerilatedFstC *wave;
static wl_unit_ref *ref;
static unsigned long cycles, results, answers;
static unsigned beat; // of the response under way

static void finish(int status)
{
	if (wave)
		wave->close();
	std::exit(status);
}

static void must(int verdict)
{
	if (verdict != WL_UNIT_AGREES)
		std::printf("FAIL: cycle %lu: %s\n", cycles, wl_unit_why(ref)), finish(1);
}

static uint32_t field(const uint32_t *word, unsigned at, unsigned bits)
{
	const uint64_t v = word[at / 32] | (uint64_t)word[at / 32 + 1] << 32;
	return (uint32_t)(v >> at % 32 & ((1ull << bits) - 1));
}

// A response from bit 0 on: tag (22), last (1), passes (6), a bit a written lane, a predicate a lane, any fault, codes.
static void judge_response()
{
	const uint32_t *rsp = dut->rsp_o.data(), tag = field(rsp, 0, 22), written = field(rsp, 29, LANES);
	for (unsigned l = 0; l < LANES; l++)
		if (written >> l & 1)
			must(wl_unit_result(ref, tag, beat * LANES + l, 0, dut->rsp_data_o[4 * l])), results++;
	const bool last = field(rsp, 22, 1);
	beat = last ? 0 : beat + 1;
	if (last)
		must(wl_unit_retire(ref, tag)), answers++;
}

static void cycle()
{
	dut->eval();
	if (dut->trace_commit_valid_o)
		must(wl_unit_commit(ref, dut->trace_commit_tag_o, dut->trace_commit_lanes_o));
	if (dut->rsp_valid_o && dut->rsp_take_i)
		judge_response();
	if (wave)
		wave->dump(10 * cycles);
	dut->clk_i = 1, dut->eval();
	if (wave)
		wave->dump(10 * cycles + 5);
	dut->clk_i = 0, dut->eval(), cycles++;
}

static void ask(std::mt19937 &random, uint32_t tag)
{
	const bool shuffles = random() % 2;
	const uint32_t lanes = random() | 1, votes = random(), distance = random() % 32;
	uint32_t value[32];
	char text[80];
	for (uint32_t l = 0; l < 32; l++)
		must(wl_unit_operand(ref, 0, l, 0, value[l] = random()));
	std::snprintf(text, sizeof text, shuffles ? "SHFL.BFLY PT, R4, R2, 0x%x, 0x1f" : "VOTE.ANY R4, PT, P0",
	              distance);
	must(wl_unit_request(ref, tag, 0, 0, text, lanes, votes));
	dut->beat_valid_i = 1, dut->beat_tag_i = tag, dut->beat_mask_i = lanes, dut->beat_pred_i = votes;
	dut->beat_kind_i = shuffles ? SHFL : VOTE, dut->beat_flags_i = shuffles ? RA_NAMED : 0;
	dut->beat_ctl_i = BALLOT_TO_RD | (shuffles ? SHFL_BFLY | distance << 6 | 0x1f << 11 : 1);
	for (unsigned b = 0; b < BEATS; b++) {
		dut->beat_index_i = b, dut->beat_last_i = b == BEATS - 1;
		for (unsigned l = 0; l < LANES; l++)
			dut->beat_ra_i[2 * l] = value[b * LANES + l];
		for (dut->eval(); !dut->beat_ready_o; cycle())
			;
		cycle();
	}
	dut->beat_valid_i = 0;
}

int main(int argc, char **argv)
{
	const unsigned requests = argc > 1 ? std::atoi(argv[1]) : 2000;
	std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
	dut = new Vwarp_collective;
	if (argc > 3) {
		Verilated::traceEverOn(true);
		dut->trace(wave = new VerilatedFstC, 99);
		wave->open(argv[3]);
		if (!wave->isOpen())
			return std::printf("FAIL: %s cannot be written\n", argv[3]), 1;
	}
	ref = wl_unit_open("warp_collective", "arch=sm_90");
	dut->rst_i = 1, cycle(), dut->rst_i = 0, cycle();
	must(wl_unit_start_cta(ref, 0, 0, 0, 1, 0, 0));
	for (uint32_t tag = 0; tag < requests; tag++) {
		while (!dut->room_o)
			dut->rsp_take_i = random() % 4 != 0, cycle();
		dut->rsp_take_i = random() % 4 != 0, ask(random, tag);
		while (answers <= tag) // the warp goes on behind its answer
			dut->rsp_take_i = random() % 4 != 0, cycle();
	}
	must(wl_unit_idle(ref));
	std::printf("%lu passed, 0 failed\n", results);
	finish(results == 0);
}
