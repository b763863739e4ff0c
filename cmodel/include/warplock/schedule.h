// SPDX-License-Identifier: Apache-2.0
/* schedule.h -- policies of the order of the warps (docs/schedules.md). */
#ifndef WARPLOCK_SCHEDULE_H
#define WARPLOCK_SCHEDULE_H

/* ROW(constant, name, what) */
#define WL_SCHEDULES(ROW)                                                                                              \
	ROW(STEADY, "steady", "round robin, 32 instructions a turn")                                                   \
	ROW(FAIR, "fair", "round robin, one instruction a turn: close to the order of a card")                         \
	ROW(RANDOM, "random", "next warp, next SM and turns of 1 to 64 instructions are drawn")                        \
	ROW(PCT, "pct", "warps have drawn priorities, which change at drawn points")                                   \
	ROW(DELAY, "delay", "warps are delayed before memory accesses and synchronisation")                            \
	ROW(EXPLORE, "explore", "the seed chooses one of the others and its parameters")

enum wl_schedule {
#define ROW(constant, name, what) WL_SCHEDULE_##constant,
	WL_SCHEDULES(ROW)
#undef ROW
	        WL_SCHEDULE_COUNT
};

#endif
