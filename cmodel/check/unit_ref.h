/* SPDX-License-Identifier: Apache-2.0
 * unit_ref.h -- what a reference of one unit keeps. */
#ifndef CHECK_UNIT_REF_H
#define CHECK_UNIT_REF_H

#include "warplock/unit_ref.h"
#include "warplock/units.h"

enum { UNIT_REF_OPEN = 256 /* open requests, at most */ };

struct open_request {
	bool used, waits;
	uint32_t tag;
	uint32_t left, untold; /* lanes without a commit or fault; static faults not yet shown by the RTL */
	uint32_t passed;       /* passes already committed */
	uint32_t gone;         /* lanes with a fault by state */
	struct wl_req req;
	struct wl_record rec;
	union {
		struct wl_plan common;
		uint64_t room[WL_PLAN_MAX / 8];
	} plan;
};

/* A CTA in its cluster; ctas 0: not told. */
struct cluster_place {
	uint32_t cluster, ctas, rank;
};

/* The state of units with faults by state, for the way back. */
union unit_state {
	struct wl_barrier_file barrier_file;
	struct wl_mbarrier_engine mbarrier_engine;
	struct wl_conv_warp conv_warp;
	struct wl_cluster_barrier cluster_barrier;
};

struct wl_unit_ref {
	enum wl_unit unit;
	const struct wl_unit_ops *ops;
	enum wl_arch arch;
	uint32_t shared_bytes;
	uint64_t seed;
	bool any_passes;
	uint8_t *memory;
	uint64_t warps[WL_MAX_CTAS], live[WL_MAX_CTAS]; /* warps of the SM; 0: no CTA */
	uint32_t cta[WL_MAX_CTAS], bytes[WL_MAX_CTAS];
	struct cluster_place next_cta, place[WL_MAX_CTAS];
	uint32_t issued[WL_MAX_WARPS];
	unsigned due; /* fixed releases not yet shown by the RTL */
	struct wl_released release[WL_BAR_FIXED];
	struct wl_req next;
	char why[400], text[8192];
	struct wl_units units;
	struct wl_gmem gmem; /* of atom_unit */
	struct open_request kept;
	union unit_state kept_state;
	struct open_request open[UNIT_REF_OPEN];
};

int unit_ref_say(struct wl_unit_ref *u, enum wl_unit_verdict v, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
#define AGREES(u)       unit_ref_say(u, WL_UNIT_AGREES, "%s", "")
#define DIFFERS(u, ...) unit_ref_say(u, WL_UNIT_DIFFERS, __VA_ARGS__)
#define MISUSE(u, ...)  unit_ref_say(u, WL_UNIT_MISUSE, __VA_ARGS__)
struct open_request *unit_ref_find(struct wl_unit_ref *u, uint32_t tag); /* NULL: wl_unit_why has the line */
/* True: wl_unit_why has the line. */
bool unit_ref_slot_is_bad(struct wl_unit_ref *u, uint32_t slot);
bool unit_ref_slot_is_empty(struct wl_unit_ref *u, uint32_t slot);
/* `at`: in the CTA's shared memory. */
bool unit_ref_place_is_bad(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint32_t size);
/* Saves the unit and the request before a turn. The way back, when the RTL contradicts the turn. */
void unit_ref_keep(struct wl_unit_ref *u, const struct open_request *r);
void unit_ref_back(struct wl_unit_ref *u, struct open_request *r);
/* Where warps wait: "barrier 2", "mbarrier at 0x40". */
struct place_name {
	char text[48];
};
struct place_name unit_ref_name(const struct wl_unit_ref *u, uint32_t slot, uint32_t id);
/* Collects the releases fixed by arrivals and exits. True: some are due. */
bool unit_ref_is_due(struct wl_unit_ref *u);

#endif
