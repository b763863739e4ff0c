// SPDX-License-Identifier: Apache-2.0
// bench.cpp -- random requests of 8 warps to the RTL; libwarplock's unit judges each event of the RTL.
//   bench [ROUNDS] [SEED]    verif/examples/one_unit/cpp/run builds and runs this bench
#include <cstdio>
#include <cstdlib>
#include <random>

#include "Vbarrier_file.h"
extern "C" {
#include "warplock/unit_ref.h"
}

enum { WARPS = 8, BARRIERS = 2, SYNC = 0, ARV = 1, RED_POPC = 2, EXIT = 6 }; // kinds of barrier_file.sv
static Vbarrier_file *dut;
static wl_unit_ref *ref;
static unsigned long cycles, events;
static uint32_t next_tag, tag_of[WARPS];
static bool busy[WARPS], gone[WARPS];
static void must(int verdict)
{
	if (verdict != WL_UNIT_AGREES)
		std::printf("FAIL: cycle %lu: %s\n", cycles, wl_unit_why(ref)), std::exit(1);
}

// What the RTL shows in this cycle: first the judgement, then the release.
static void judge()
{
	const uint32_t tag = dut->judged_tag_o, lanes = dut->judged_mask_o;
	if (dut->commit_o)
		must(wl_unit_commit(ref, tag, lanes)), events++;
	if (dut->fault_o)
		must(wl_unit_fault(ref, tag, lanes, dut->fault_code_o)), events++;
	if (dut->rel_valid_o)
		must(wl_unit_release(ref, 0, dut->rel_id_o, dut->rel_warps_o, dut->rel_value_o)), events++;
	for (uint32_t warp = 0; warp < WARPS; warp++) {
		const bool ends =
		        (dut->fault_o || (dut->commit_o && !dut->park_o)) && busy[warp] && tag_of[warp] == tag;
		if (ends || (dut->rel_valid_o && dut->rel_warps_o >> warp & 1))
			must(wl_unit_retire(ref, tag_of[warp])), busy[warp] = false;
	}
}

static void cycle()
{
	dut->eval();
	judge();
	dut->clk_i = 1, dut->eval(), dut->clk_i = 0, dut->eval();
	cycles++;
}

static void ask(std::mt19937 &random, uint32_t warp)
{
	static const char *const names[] = {"BAR.SYNC.DEFER_BLOCKING", "BAR.ARV", "BAR.RED.POPC.DEFER_BLOCKING"};
	static const uint32_t counts[] = {64, 64, 128, 33, 0, 0}; // 33 is a fault
	const uint32_t kind = random() % 12 == 0 ? EXIT : random() % 8 < 5 ? SYNC : random() % 2 ? ARV : RED_POPC;
	const uint32_t id = random() % BARRIERS, count = counts[random() % (kind == ARV ? 4 : 6)], votes = random();
	char text[80], number[16] = "";
	dut->head_valid_i = 1, dut->head_kind_i = kind, dut->head_tag_i = next_tag, dut->head_warp_i = warp;
	dut->head_id_i = id, dut->head_count_i = count, dut->head_mask_i = UINT32_MAX, dut->head_pred_i = votes;
	for (dut->eval(); !dut->head_ready_o; cycle())
		;
	judge();
	if (kind == EXIT) {
		must(wl_unit_exit(ref, 0, warp)), gone[warp] = true;
	} else {
		if (count)
			std::snprintf(number, sizeof number, ", 0x%x", count);
		std::snprintf(text, sizeof text, "%s 0x%x%s%s", names[kind], id, number,
		              kind == RED_POPC ? ", P0" : "");
		must(wl_unit_request(ref, next_tag, 0, warp, text, UINT32_MAX, votes));
		busy[warp] = true, tag_of[warp] = next_tag++;
	}
	dut->clk_i = 1, dut->eval(), dut->clk_i = 0;
	dut->head_valid_i = 0, dut->eval(), cycles++;
}

int main(int argc, char **argv)
{
	std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
	dut = new Vbarrier_file;
	for (int round = 0; round < (argc > 1 ? std::atoi(argv[1]) : 500); round++) {
		ref = wl_unit_open("barrier_file", "");
		for (uint32_t warp = 0; warp < WARPS; warp++)
			busy[warp] = gone[warp] = false;
		dut->rsp_ready_i = 1, dut->rst_i = 1, dut->head_valid_i = 0, next_tag = 0;
		cycle(), dut->rst_i = 0, cycle();
		dut->cta_valid_i = dut->cta_open_i = 1, dut->cta_warps_i = WARPS;
		must(wl_unit_start_cta(ref, 0, round, 0, WARPS, 0, 0));
		cycle(), dut->cta_valid_i = 0;
		for (int step = 0; step < 200; step++) {
			const uint32_t warp = random() % WARPS;
			busy[warp] || gone[warp] ? cycle() : ask(random, warp);
		}
		cycle(), cycle(), cycle(), must(wl_unit_none_due(ref)); // the last EXIT has its release
		wl_unit_close(ref);
	}
	std::printf("%lu passed, 0 failed\n", events);
	return events == 0;
}
