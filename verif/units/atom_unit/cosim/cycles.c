// SPDX-License-Identifier: Apache-2.0
/* cycles.c -- --timing: each COMMIT of a sector in the cycle given by the timing model of atom_unit, and no other
 * COMMIT. The memory answers each request after the same time then, and nobody else writes. */
#include "../../../cosim/flight.h"
#include "atom_unit.h"

static struct atom_unit_state *state_of(struct lockstep *ls)
{
	return ls->unit_state[WL_UNIT_atom_unit];
}

static struct wl_atom_timing *model_of(struct lockstep *ls)
{
	struct atom_unit_state *s = state_of(ls);
	if (!s->timed)
		wl_atom_timing_start(&s->timing, ls->beats, ls->config.latency, ls->api->atom_ids, ls->api->atom_slots);
	s->timed = true;
	return &s->timing;
}

static struct wl_atom_timing_sector sector_of(const struct lockstep *ls, const struct flight *f, uint32_t lanes)
{
	const struct wl_inst *in = &f->req.inst;
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)(const void *)&f->plan;
	uint8_t image[MEMORY_SECTOR];
	struct wl_atom_timing_sector s = {.sector = p->addr[__builtin_ctz(lanes)] / MEMORY_SECTOR,
	                                  .tag = hardware_tag(&f->req.tag),
	                                  .passes = (uint8_t)wl_atom_sector_passes(in, p, ls->smem->combine, lanes),
	                                  .kind = wl_atom_is_load(in)    ? WL_ATOM_TIMING_LOAD
	                                          : wl_atom_is_store(in) ? WL_ATOM_TIMING_STORE
	                                                                 : WL_ATOM_TIMING_OTHER};
	const unsigned halves = memory_sector(ls->memory, s.sector * MEMORY_SECTOR, image);
	s.there = halves != 0;
	s.whole = halves == 3;
	for (uint32_t m = lanes; m; m &= m - 1)
		s.commits |= halves >> (p->addr[__builtin_ctz(m)] / WL_HALF_SECTOR & 1) & 1;
	return s;
}

void atom_unit_beat(struct lockstep *ls, const struct flight *f, unsigned beat)
{
	const struct wl_atom_plan *p = (const struct wl_atom_plan *)(const void *)&f->plan;
	struct atom_unit_state *s = state_of(ls);
	if (!checking(ls))
		return;
	if (beat == 0)
		s->first_taken = ls->stats.cycles;
	if (beat + 1 < ls->beats)
		return;
	struct wl_atom_timing_request *r = wl_atom_timing_take(model_of(ls), s->first_taken, ls->stats.cycles);
	for (unsigned i = p->shared_passes; i < p->common.passes; i++)
		r->sector[r->n++] = sector_of(ls, f, p->common.pass_lanes[i]);
}

void atom_unit_cycle(struct lockstep *ls)
{
	struct wl_atom_timing_sector want;
	const struct shim_event *e = NULL;
	const struct trace_atom_unit_commit *v;
	if (!checking(ls) || !ls->memory)
		return;
	const bool commits = wl_atom_timing_step(model_of(ls), ls->stats.cycles, &want);
	for (unsigned i = 0; i < ls->out.nevents; i++)
		if (ls->out.event[i].kind == WL_EV_COMMIT &&
		    ls->out.event[i].unit == WL_UNIT_atom_unit - WL_UNIT_atoms_pipe)
			e = &ls->out.event[i];
	if (!commits && !e)
		return;
	if (!e) {
		complain(ls, CHECK_TIMING, flight_of(ls, want.tag),
		         "no COMMIT in this cycle, the timing model has one of the sector at 0x%llx",
		         (unsigned long long)want.sector * MEMORY_SECTOR);
		return;
	}
	v = e->values;
	const uint64_t at = v->addr_lo | (uint64_t)v->addr_hi << 32;
	if (!commits || e->tag != want.tag || at != want.sector * MEMORY_SECTOR)
		complain(ls, CHECK_TIMING, flight_of(ls, e->tag),
		         "COMMIT of the sector at 0x%llx, the timing model has %s 0x%llx in this cycle",
		         (unsigned long long)at, commits ? "that at" : "none, that at",
		         (unsigned long long)(commits ? want.sector * MEMORY_SECTOR : 0));
}
