// SPDX-License-Identifier: Apache-2.0
/* stimulus_mix.c -- the stream of a board's stimulus as a SOURCE: the reference of the board is itself held in
 * lockstep. */
#include "../random.h"
#include "stimulus.h"
#include "stimulus_run.h"

static bool start(struct random_stream *r, char *why, size_t whyn)
{
	return stimulus_start(r->own, r->config->arch, r->config->lanes, (uint32_t)r->config->seed, why, whyn);
}

static bool draw(struct random_stream *r, struct wl_req *q)
{
	stimulus_next(r->own, q);
	return true;
}

const struct cosim_mix stimulus_mix = {
        .name = "board",
        .what = "the stream of a board's on-chip stimulus; with --dut uart or board: that itself, against the C model",
        .benchmark = true,
        .in_turn = true,
        .own_bytes = sizeof(struct stimulus),
        .start = start,
        .draw = draw,
};
