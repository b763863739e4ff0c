// SPDX-License-Identifier: Apache-2.0
#include "window.h"

#include "core.h"
#include "draw.h"

enum { SILENCE = 50 /* polls without a snapshot */ };

void window_identify(void)
{
	const struct link_info *i = &dut.link.info;
	if (!sm_identify())
		line_say("no core");
	else
		line_say("warplock soc 1 lanes %u banks %u shared %u units %u arch %u revision %08lx", i->lanes,
		         i->banks, i->smem_bytes, i->units, i->arch, (unsigned long)i->revision);
}

/* False: the core has fallen silent, or in a replay a difference has been told. */
static bool run(uint32_t requests)
{
	uint32_t given = 0, silence = 0;
	for (;;) {
		struct flight *f = given < requests ? flights_free() : NULL;
		draw_turn();
		if (f && draw_next(f)) {
			flight_send(f);
			given++;
			if (!core_stuck)
				continue;
		}
		const bool came = !core_stuck && sm_poll();
		silence = came ? 0 : silence + 1;
		flights_look();
		if (tally.told)
			return false;
		/* nothing is left but waits, and in a whole poll nothing has come */
		if (given == requests && !came && !flights_some() && !releases_due() && !waits_end_alone())
			return true;
		if (core_stuck || silence == SILENCE)
			return false;
	}
}

static void say_silence(uint32_t requests)
{
	line_say("silent: %lu of %lu records came", (unsigned long)tally.done, (unsigned long)requests);
	if (tally.replay) {
		flights_silent();
		releases_silent();
	}
}

void window_run(uint32_t seed, uint32_t window, uint32_t requests, bool replay)
{
	if (core_stuck)
		core_reset();
	if (!sm_identify()) {
		line_say("no core");
		return;
	}
	const uint32_t since = sm_clocks(), commands = core_commands, bytes = core_bytes;
	flights_start(replay);
	draw_start(seed, window);
	if (!run(requests)) {
		if (!tally.told)
			say_silence(requests);
		return;
	}
	waits_end();
	const uint32_t *hash = tally.hash;
	if (tally.told)
		return;
	sm_hash_memory(tally.hash);
	if (SM_HAS(atom_unit))
		global_hash(tally.hash);
	if (replay)
		line_say(hash[REF] == hash[DUT] ? "records agree"
		                                : "MISMATCH    memory: all records agree, memory differs");
	else
		line_say("window %lu %lu %lu ref %08lx dut %08lx clocks %lu commands %lu bytes %lu waits %lu",
		         (unsigned long)seed, (unsigned long)window, (unsigned long)requests, (unsigned long)hash[REF],
		         (unsigned long)hash[DUT], (unsigned long)(sm_clocks() - since),
		         (unsigned long)(core_commands - commands), (unsigned long)(core_bytes - bytes),
		         (unsigned long)tally.waits);
}
