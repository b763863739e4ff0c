// SPDX-License-Identifier: Apache-2.0
/* mbarrier.h -- shared parts of select_mbarrier.c and select_mbarrier_warp.c. */
#ifndef WLCC_LOWER_MBARRIER_H
#define WLCC_LOWER_MBARRIER_H

#include "address.h"
#include "select.h"

/* The object at operand n, as a one-word address. */
struct address mbarrier_object(struct select *s, unsigned n);
/* The fences in front of an arrival. */
void mbarrier_release(struct select *s);
/* The address may lie outside this CTA's shared memory. */
bool mbarrier_is_remote(const struct ptx_instr *i);

/* select_mbarrier_warp.c. False: the instruction is made lane by lane. */
bool mbarrier_for_warp(struct select *s);

#endif
