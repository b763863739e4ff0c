// SPDX-License-Identifier: Apache-2.0
/* mon_read.h -- rule g of the order monitor: lanes of a load on the same word see the same value. So between the
 * COMMITs of two lanes on a word, nothing commits or lands with a possible write to the word.
 * Source: docs/spec/units.md, "One load, one value". */
#ifndef WARPLOCK_MON_READ_H
#define WARPLOCK_MON_READ_H

#include "mon_unit.h"

/* Loads with some lanes committed and other lanes not. */
struct mon_reads {
	unsigned n;
	const struct mon_item *open[MON_LIVE];
};

/* Lanes of a load have committed, or the load is over. */
void mon_reads_note(struct mon_reads *r, struct mon_item *it, bool open);
/* The bytes from .. to - 1 of the slot's window are written; `by`: the writer, in words. */
void mon_reads_check(struct mon *m, const struct mon_reads *r, const struct mon_item *writer, unsigned slot,
                     uint32_t from, uint32_t to, const char *by);

#endif
