// SPDX-License-Identifier: Apache-2.0
/* warp.c -- every change of a warp's state, against the table of legal moves (warp.def). */
#include "warp.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const moves[WARP_STATES][WARP_STATES] = {
#define WARP_MOVE(from, to, why) [WARP_##from][WARP_##to] = (why),
#include "warp.def"
#undef WARP_MOVE
};

const char *warp_move_why(enum warp_state from, enum warp_state to)
{
	return moves[from][to];
}

static _Noreturn void refuse(unsigned from, unsigned to)
{
	static const char *const names[WARP_STATES] = {
#define WARP_STATE(name, why) [WARP_##name] = #name,
#include "warp.def"
#undef WARP_STATE
	};
	fprintf(stderr, "internal error: a warp goes from state %s to state %s\n", names[from], names[to]);
	abort();
}

void warp_enter(struct warp *w, enum warp_state to)
{
	if (!moves[w->state][to])
		refuse(w->state, to);
	w->state = (uint8_t)to;
}
