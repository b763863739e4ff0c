/* SPDX-License-Identifier: Apache-2.0
 * core_trace.h -- compares the trace port of atoms_pipe (docs/ports.md) with the requests under way: committing lanes
 * and faulting lanes, each once, the number of passes against the counted passes, and the changed words. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include "core_bench.h"

/* A request is queued at this place of the port's ring: nothing has been traced of the request. */
void trace_forget(struct bench *b, unsigned port, unsigned at);
/* The pins of a cycle before its edge. */
void trace_cycle(struct bench *b);
/* The last beat of a request is answered. */
void trace_retire(struct bench *b, unsigned port);
/* The host has written a word. From the first host write on, the bench follows the words changed by passes. */
void trace_word(struct bench *b, uint32_t addr, uint32_t value);
/* Whether a word has the value left by the passes. */
void trace_check_word(struct bench *b, uint32_t addr, uint32_t value);

#endif
