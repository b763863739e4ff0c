// SPDX-License-Identifier: Apache-2.0
/* native.h -- the mix `native`: instructions, operands, floors of a run. */
#ifndef WARPLOCK_COSIM_NATIVE_H
#define WARPLOCK_COSIM_NATIVE_H

#include "atoms_pipe.h"
#include "templates.h"

/* `family` is 0..7. */
enum template_class native_class(unsigned family, struct rng *rng);
/* Rb and Rc: numbers at the edges of the formats, and near the edges. */
void native_values(struct rng *rng, struct wl_req *q);
/* For a retired ATOMSN; for a committed pass of an ATOMSN. */
void native_count(const struct flight *f, uint64_t *counter);
void native_commit(const struct lockstep *ls, const struct flight *f, uint32_t lanes, uint64_t *counter);
unsigned atoms_native_floors(const struct random_config *c, const struct lockstep_stats *s,
                             struct random_floor floor[RANDOM_FLOORS]);

#endif
