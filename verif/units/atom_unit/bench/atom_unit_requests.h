/* SPDX-License-Identifier: Apache-2.0
 * atom_unit_requests.h -- requests of the bench of atom_unit: by kind, operation, type and pattern of lanes, right and
 * wrong. */
#ifndef ATOM_REQUESTS_H
#define ATOM_REQUESTS_H

#include "atom_unit_bench.h"

enum pattern { SAME_WORD, PAIRS, COALESCED, STRIDED, FEW_SECTORS, ANYWHERE, PATTERNS };

typedef void atom_maker(struct atom_bench *b, struct atom_req *r);

/* Addresses and operands of all lanes, in a pattern. */
void atom_fill(struct atom_bench *b, struct atom_req *r, enum pattern p);
/* The other fields of a request: tag, results, policy. */
void atom_finish(struct atom_bench *b, struct live *l);

/* Any request; with lanes that fault or are refused; with lanes in shared memory; in and beside windows; on few
 * words. */
atom_maker atom_any, atom_wrong, atom_generic, atom_spaces, atom_crowd;

/* Makes and sends a request, unless another request is being sent. */
bool atom_send(struct atom_bench *b, atom_maker *make);
/* Sends `count` requests and drains the unit. */
void atom_random_run(struct atom_bench *b, atom_maker *make, unsigned count);

#endif
