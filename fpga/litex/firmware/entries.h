/* SPDX-License-Identifier: Apache-2.0 */
/* entries.h -- an instruction of the stream: the word for the core, decoded for the C units. entries.c on the host makes the table. */
#ifndef WARPLOCK_SOC_ENTRIES_H
#define WARPLOCK_SOC_ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/isa.h"

enum entry_group {
	GROUP_ACCESS,
	GROUP_GLOBAL,
	GROUP_MBARRIER,
	GROUP_COLLECTIVE,
	GROUP_ARRIVAL,
	GROUP_RESULT,
	GROUP_LEAVE,
	GROUPS
};

/* Of GROUP_MBARRIER, in order. */
enum { MBAR_MAKE, MBAR_ARRIVE, MBAR_ARRIVALS, MBAR_EXPECT, MBAR_COMPLETE, MBAR_TEST, MBAR_WAIT, MBARS };

struct entry {
	const char *text;
	struct wl_word word;
	uint8_t group, unit;
	bool header, posted;
	bool compares;                       /* has a third operand */
	uint8_t kind, form, id_at, count_at; /* ARRIVAL: as in barrier_request.h; bits of both numbers */
	_Alignas(8) uint8_t inst[sizeof(struct wl_inst)];
};

#endif
