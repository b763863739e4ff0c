// SPDX-License-Identifier: Apache-2.0
/* report.h -- --report f.json of wlrun and wlcosim. */
#ifndef WARPLOCK_REPORT_H
#define WARPLOCK_REPORT_H

#include <stdbool.h>

#include "warplock/isa.h"

struct waits_view;
struct wl_gpu;

struct report {
	const char *outcome;            /* pass wrong deadlock fault limit error, race sync init mem, cannot tell,
	                                   interrupted */
	const char *detail;             /* one line */
	const char *printed;            /* by the kernel; NULL = nothing */
	const struct waits_view *waits; /* of a run at a standstill; NULL = none */
	struct json_t *checks;          /* findings of each --check, taken over; NULL = nobody looked */
	const struct wl_gpu *gpu;       /* source of the misuses; NULL = none */
	uint64_t warp_instructions;
	double seconds;
	uint64_t executed[WL_UNIT_COUNT]; /* warp instructions by unit */
	/* wlcosim only */
	bool lockstep;
	uint64_t checked[WL_UNIT_COUNT], unchecked[WL_UNIT_COUNT];
	uint64_t mismatches, rtl_cycles, max_inflight;
	double mean_inflight, cpu_seconds;
};

/* The report as a JSON object; NULL: no memory. The checks of r are taken over. */
struct json_t *report_json(const struct report *r);
/* Complete or not at all. On failure `err` gets a line. */
bool report_write(const char *path, const struct report *r, char *err, size_t errn);

#endif
