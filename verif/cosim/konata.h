// SPDX-License-Identifier: Apache-2.0
/* konata.h -- --konata f.log: the requests of a run in format Kanata 0004, for the pipeline view of Konata. */
#ifndef WARPLOCK_COSIM_KONATA_H
#define WARPLOCK_COSIM_KONATA_H

#include "lives.h"
#include "warplock/program.h"

struct konata; /* opaque */
/* `program`: NULL = source lines are unknown. `warps`: of a CTA, for numbers of warps within the CTA; 0: warp slots of
 * the SM are named. */
struct konata *konata_begin(const char *path, enum wl_arch arch, const struct wl_program *program, unsigned warps,
                            char *err, size_t errn);
struct life_sink konata_sink(struct konata *k);
/* Closes the file and frees `k`. False: something could not be written. */
bool konata_end(struct konata *k, char *err, size_t errn);

#endif
