// SPDX-License-Identifier: Apache-2.0
/* dut.c -- the DUT of a run: a verilated sync_core, or a board behind a link. */
#include <stdio.h>

#include "link/link_dut.h"
#include "options.h"

bool open_dut(struct model *m, const struct options *o, struct wl_config *hw, uint32_t units, char *why, size_t whyn)
{
	if (!o->dut)
		return model_load(m, hw, units, model_flags(o), why, whyn);
	return dut_open(m, o->dut, hw, units, !o->count, o->noise, o->board_memory, why, whyn);
}

void close_dut(struct model *m, const struct options *o)
{
	if (!o->dut) {
		model_unload(m);
		return;
	}
	if (m->api)
		dut_print(m, stdout);
	dut_close(m);
}
