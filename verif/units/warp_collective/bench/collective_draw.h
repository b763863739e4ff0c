/* SPDX-License-Identifier: Apache-2.0
 * collective_draw.h -- random requests for warp_collective: every form, masks, values often nearly equal, floats at the
 * edges. */
#ifndef COLLECTIVE_DRAW_H
#define COLLECTIVE_DRAW_H

#include "../../../common/rng.h"
#include "collective_ref.h"

struct collective_draw {
	struct rng *rng;
	unsigned ports;
	unsigned serial;
};

extern const unsigned collective_ops[REF_KINDS]; /* operations of each kind */

void collective_draw(struct collective_draw *d, struct ref_req *r, unsigned port);
/* A tag of a warp of `port`. */
uint32_t collective_tag(struct collective_draw *d, unsigned port);

#endif
