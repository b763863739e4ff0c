// SPDX-License-Identifier: Apache-2.0
/* mon_read.c -- rule g of the order monitor. See mon_read.h. */
#include "mon_read.h"

void mon_reads_note(struct mon_reads *r, struct mon_item *it, bool open)
{
	if (open == it->reading)
		return;
	it->reading = open;
	if (open) {
		r->open[r->n++] = it;
		return;
	}
	for (unsigned i = 0; i < r->n; i++)
		if (r->open[i] == it)
			r->open[i] = r->open[r->n - 1];
	r->n--;
}

void mon_reads_check(struct mon *m, const struct mon_reads *r, const struct mon_item *writer, unsigned slot,
                     uint32_t from, uint32_t to, const char *by)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct mon_item *it = r->open[i];
		const int l = it == writer ? -1 : it->unit->torn(it, slot, from, to);
		if (l < 0)
			continue;
		mon_complain(m, 'g', &it->tag, UINT32_C(1) << l,
		             "lane %d has still to read a word that a lower lane of the load has read, and %s "
		             "writes at shared address 0x%x of slot %u",
		             l, by, from, slot);
		return;
	}
}
