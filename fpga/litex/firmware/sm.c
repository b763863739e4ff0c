// SPDX-License-Identifier: Apache-2.0
#include "sm.h"

#include <string.h>

#include "core.h"
#include "hash.h"

enum { BLOCK = 1024 /* bytes of shared memory in a command */ };

struct wl_units units;
struct dut dut;
_Alignas(4) uint8_t sm_out[CORE_PAYLOAD + 4], sm_in[CORE_PAYLOAD + 8];
static _Alignas(16) uint8_t memory[SHARED];
static uint32_t seed, next_cta;

bool sm_identify(void)
{
	struct link_info *i = &dut.link.info;
	const int n = core_command(LINK_IDENTIFY, NULL, 0, sm_in);
	if (n < 21 || memcmp(sm_in + 1, "WLNK", 4))
		return false;
	const uint8_t *p = sm_in + 1;
	*i = (struct link_info){.lanes = p[5],
	                        .banks = p[6],
	                        .smem_bytes = 1u << p[7],
	                        .units = p[8] | p[9] << 8u,
	                        .arch = p[10],
	                        .warps = p[11],
	                        .events = 1u << p[12],
	                        .releases = p[18],
	                        .revision = p[13] | p[14] << 8u | p[15] << 16u | (uint32_t)p[16] << 24};
	dut.api.lanes = i->lanes;
	dut.api.banks = i->banks;
	dut.api.releases = i->releases;
	dut.api.units = i->units;
	return i->units == WL_SOC_UNITS && i->warps >= WARPS;
}

uint32_t sm_clocks(void)
{
	return core_command(LINK_COUNTERS, NULL, 0, sm_in) == 21
	               ? sm_in[1] | sm_in[2] << 8u | sm_in[3] << 16u | (uint32_t)sm_in[4] << 24
	               : 0;
}

void sm_reset(uint32_t of, uint32_t window)
{
	const struct wl_config c = {.arch = WL_SM90,
	                            .sms = 1,
	                            .ctas_per_sm = SLOTS,
	                            .warps_per_sm = WARPS,
	                            .shared_bytes = SHARED,
	                            .lanes = dut.api.lanes,
	                            .banks = dut.api.banks,
	                            .ports = 1,
	                            .seed = of};
	core_command(LINK_RESET, NULL, 0, sm_in);
	dut.nopen = dut.cost = dut.at = dut.nshots = 0;
	dut.clock = 0;
	dut.gone[0] = 0;
	seed = of;
	next_cta = window << 8;
	wl_units_init(&units, &c, memory);
	if (SM_HAS(atom_unit))
		global_open(of, window);
}

static void set_window(unsigned slot, bool open)
{
	link_pack_window(sm_out, &(struct link_window){.slot = slot,
	                                               .open = open,
	                                               .base = slot * SLOT_BYTES,
	                                               .size = SLOT_BYTES,
	                                               .warps = SLOT_WARPS,
	                                               .first = slot * SLOT_WARPS,
	                                               .lanes = WL_WARP_LANES});
	core_command(LINK_WINDOW, sm_out, LINK_WINDOW_BYTES, sm_in);
}

void sm_open(unsigned slot)
{
	const struct wl_cta_start start = {.slot = slot,
	                                   .cta = next_cta,
	                                   .base = slot * SLOT_BYTES,
	                                   .size = SLOT_BYTES,
	                                   .first_warp = slot * SLOT_WARPS,
	                                   .warps = SLOT_WARPS,
	                                   .threads = SLOT_WARPS * WL_WARP_LANES,
	                                   .cluster = next_cta,
	                                   .seed = seed};
	next_cta++;
	wl_units_open(&units, &start);
	for (uint32_t at = start.base; at < start.base + SLOT_BYTES; at += BLOCK) {
		link_pack_write(sm_out, &(struct link_write){.address = at, .words = BLOCK / 4});
		memcpy(sm_out + LINK_WRITE_BYTES, memory + at, BLOCK);
		core_command(LINK_WRITE, sm_out, LINK_WRITE_BYTES + BLOCK, sm_in);
	}
	set_window(slot, true);
}

void sm_close(unsigned slot)
{
	wl_units_close(&units, slot);
	set_window(slot, false);
}

bool sm_is_open(unsigned slot)
{
	return units.smem.window[slot].valid;
}

bool sm_poll(void)
{
	link_pack_poll(sm_out, &(struct link_poll){.clocks = POLL_CLOCKS});
	const int n = core_command(LINK_POLL, sm_out, LINK_POLL_BYTES, sm_in);
	dut.at = 0;
	dut.nshots = n > 0 ? (unsigned)n - 1 : 0;
	memcpy(dut.shots, sm_in + 1, dut.nshots);
	return dut.nshots > 0;
}

void sm_hash_memory(uint32_t hash[SIDES])
{
	for (uint32_t at = 0; at < SHARED; at += BLOCK) {
		link_pack_read(sm_out, &(struct link_read){.address = at, .words = BLOCK / 4});
		const int n = core_command(LINK_READ, sm_out, LINK_READ_BYTES, sm_in);
		for (unsigned i = 0; i < BLOCK / 4; i++) {
			uint32_t ref, seen = 0;
			memcpy(&ref, memory + at + i * 4, 4);
			if (n == 1 + BLOCK)
				memcpy(&seen, sm_in + 1 + i * 4, 4);
			hash_add(&hash[REF], ref);
			hash_add(&hash[DUT], seen);
		}
	}
}

void sm_waits(struct sm_wait wait[WARPS])
{
	link_pack_waits(sm_out, &(struct link_waits){.first = 0, .warps = WARPS});
	const int n = core_command(LINK_WAITS, sm_out, LINK_WAITS_BYTES, sm_in);
	for (unsigned w = 0; w < WARPS; w++) {
		const uint8_t *p = sm_in + 1 + 8 * w; /* valid, unit, slot, id (2), tag (3) */
		wait[w] = (struct sm_wait){.unit = SM_GOES};
		if (n == 1 + 8 * WARPS && p[0] & 1)
			wait[w] = (struct sm_wait){.tag = p[5] | p[6] << 8u | (uint32_t)p[7] << 16,
			                           .id = (uint16_t)(p[3] | p[4] << 8u),
			                           .unit = p[1],
			                           .slot = p[2]};
	}
}
