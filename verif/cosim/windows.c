// SPDX-License-Identifier: Apache-2.0
/* windows.c -- windows of CTA slots in the DUT: the configuration port takes the place, the host port the content. */
#include <assert.h>
#include <string.h>

#include "flight.h"

/* ---- windows ---- */

static void add_job(struct lockstep *ls, unsigned slot, bool open)
{
	const struct wl_window *w = &ls->smem->window[slot];
	const struct wl_conv_cta *cta = &ls->ref->convergence.cta[slot];
	/* REF keeps each cluster's barrier at a separate number; a closed slot has no number */
	const unsigned bar = ls->ref->cluster_barrier.of_slot[slot];
	assert(slot < WL_MAX_CTAS && ls->jobs < SLOT_JOBS && "a slot is opened and closed between requests");
	ls->job[ls->jobs++] = (struct slot_job){.slot = (uint8_t)slot,
	                                        .open = open,
	                                        .base = w->base,
	                                        .size = w->size,
	                                        .warps = ls->ref->barrier_file.cta[slot].warps,
	                                        .first = cta->first_warp,
	                                        .lanes = cta->last_lanes,
	                                        .cluster = (uint8_t)(bar ? bar - 1 : 0),
	                                        .rank = (uint8_t)(w->origin >> WL_RANK_SHIFT)};
	if (ls->mon) {
		mon_launch(ls->mon, slot, cta->first_warp, cta->last_lanes);
		mon_cluster(ls->mon, slot, bar ? bar - 1 : 0, w->origin >> WL_RANK_SHIFT);
		mon_window(ls->mon, slot, w->size, open, ls->ref->barrier_file.cta[slot].warps);
		mon_base(ls->mon, slot, w->base);
	}
	for (uint32_t at = w->base; open && at < w->base + w->size; at += CHUNK)
		ls->written[at / CHUNK / 64] |= UINT64_C(1) << (at / CHUNK % 64);
}

void lockstep_open(struct lockstep *ls, unsigned slot)
{
	add_job(ls, slot, true);
}

void lockstep_close(struct lockstep *ls, unsigned slot)
{
	add_job(ls, slot, false);
}

static bool pokes(const struct lockstep *ls)
{
	return ls->config.poke && ls->api->poke_mem;
}

/* The configuration and host ports of this cycle: the window first, then the window's words: all at once, or a word for
 * each free cycle. */
void drive_job(struct lockstep *ls)
{
	ls->in.cfg.valid = ls->in.host.valid = 0;
	if (!ls->jobs)
		return;
	struct slot_job *j = &ls->job[0];
	if (!j->sent) {
		ls->in.cfg.valid = 1;
		ls->in.cfg.slot = j->slot;
		ls->in.cfg.open = j->open;
		ls->in.cfg.base = j->base;
		ls->in.cfg.size = j->size;
		ls->in.cfg.warps = j->warps;
		ls->in.cfg.first = j->first;
		ls->in.cfg.lanes = j->lanes;
		ls->in.cfg.cluster = j->cluster;
		ls->in.cfg.rank = j->rank;
		if (j->open && pokes(ls)) {
			ls->api->poke_mem(ls->model, j->base, j->size, &ls->smem->mem[j->base]);
			j->at = j->size;
		}
	} else {
		ls->in.host.valid = 1;
		ls->in.host.write = 1;
		ls->in.host.addr = (uint16_t)(j->base + j->at);
		ls->in.host.data = wl_smem_read(ls->smem, j->base + j->at);
	}
}

/* Content through the port is checked before use. Small CTAs come and go fast: comparing the whole memory for each CTA
 * would cost more than the CTA itself. */
static uint64_t next_compare(const struct lockstep *ls)
{
	const uint64_t soon = ls->last_compare + COMPARE_FILLED;
	return !pokes(ls) ? 0 : soon < ls->next_compare ? soon : ls->next_compare;
}

void advance_job(struct lockstep *ls)
{
	if (!ls->jobs)
		return;
	struct slot_job *j = &ls->job[0];
	if (!j->sent || ls->out.host_taken)
		ls->last_sign = ls->stats.cycles; /* a host port without a handshake is no sign of life */
	if (!j->sent)
		j->sent = true;
	else if (ls->out.host_taken)
		j->at += 4;
	else if (ls->stats.cycles - ls->last_sign > QUIET_CYCLES)
		complain_always(ls, "a word of a window was not taken for %u cycles", QUIET_CYCLES);
	if (!pokes(ls))
		ls->host_done = ls->stats.cycles + HOST_CYCLES;
	if (j->open && j->at < j->size)
		return;
	memmove(ls->job, ls->job + 1, --ls->jobs * sizeof ls->job[0]);
	if (!ls->jobs)
		ls->next_compare = next_compare(ls);
}

/* ---- host accesses under load ---- */

/* A word outside all windows: only the host changes the word, so the value is known at any time. False: none found. */
static bool free_word(struct lockstep *ls, uint32_t *addr)
{
	for (unsigned tries = 0; tries < 64; tries++) {
		const uint32_t at = rng_below(&ls->rng, ls->smem->bytes / 4) * 4;
		*addr = at;
		if (!(ls->written[at / CHUNK / 64] >> (at / CHUNK % 64) & 1))
			return true;
	}
	return false;
}

void drive_host(struct lockstep *ls)
{
	ls->host.driven = false;
	if (ls->jobs)
		ls->host.since = ls->stats.cycles + 1;
	if (ls->jobs || (!ls->host.valid && (ls->host.due || !rng_one_in(&ls->rng, 40))))
		return;
	if (!ls->host.valid) {
		if (!free_word(ls, &ls->host.addr))
			return;
		ls->host.valid = true;
		ls->host.write = rng_one_in(&ls->rng, 2);
		ls->host.data = rng_u32(&ls->rng);
		ls->host.since = ls->stats.cycles;
	}
	ls->host.driven = true;
	ls->in.host.valid = 1;
	ls->in.host.write = ls->host.write;
	ls->in.host.addr = (uint16_t)ls->host.addr;
	ls->in.host.data = ls->host.data;
}

static void host_taken(struct lockstep *ls)
{
	const uint64_t waited = ls->stats.cycles - ls->host.since;
	if (waited > ls->stats.host_longest)
		ls->stats.host_longest = waited;
	ls->host.valid = false;
	if (ls->host.write) {
		ls->start[ls->host.addr / 4] = ls->host.data;
		ls->host_done = ls->stats.cycles + HOST_CYCLES;
		ls->stats.host_writes++;
	} else {
		ls->host.due = true;
		ls->stats.host_reads++;
	}
}

void advance_host(struct lockstep *ls)
{
	if (ls->host.due && ls->out.host_rvalid) {
		const uint32_t want = ls->start[ls->host.addr / 4];
		ls->host.due = false;
		if (ls->out.host_data != want)
			complain(ls, CHECK_MEMORY, NULL, "the host reads 0x%08x at 0x%x, it wrote 0x%08x",
			         ls->out.host_data, ls->host.addr, want);
	}
	if (!ls->host.driven)
		return;
	if (ls->out.host_taken)
		host_taken(ls);
	else if (ls->stats.cycles - ls->host.since > HOST_SERVED)
		complain(ls, CHECK_PROTOCOL, NULL, "a host access was not served for %u cycles", HOST_SERVED);
}
