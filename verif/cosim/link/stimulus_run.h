// SPDX-License-Identifier: Apache-2.0
/* stimulus_run.h -- wlcosim --dut uart|board --mix board: the board makes the requests itself, the C model predicts the
 * results. */
#ifndef WARPLOCK_COSIM_STIMULUS_RUN_H
#define WARPLOCK_COSIM_STIMULUS_RUN_H

struct options;
struct cosim_mix;

extern const struct cosim_mix stimulus_mix;

/* The exit status. */
int run_stimulus(const struct options *o);

#endif
