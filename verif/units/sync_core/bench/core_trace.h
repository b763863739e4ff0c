/* SPDX-License-Identifier: Apache-2.0
 * core_trace.h -- what the trace port says of atoms_pipe (docs/ports.md), held against the requests under way: lanes
 * that commit and lanes that fault, each once, as many passes as are counted, and the words that they change. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include "core_bench.h"

/* Finds the pins; a model without a trace has none, and nothing is looked at. */
void trace_open(struct bench *b);
/* A request is queued at this place of the port's ring: nothing of it has been told. */
void trace_forget(struct bench *b, unsigned port, unsigned at);
/* The pins of a cycle before its edge. */
void trace_cycle(struct bench *b);
/* The last beat of a request is answered. */
void trace_retire(struct bench *b, unsigned port);
/* The host has written a word. From the first one on the words that passes say they change are followed. */
void trace_word(struct bench *b, uint32_t addr, uint32_t value);
/* Whether a word is what the passes said they left there. */
void trace_check_word(struct bench *b, uint32_t addr, uint32_t value);

#endif
