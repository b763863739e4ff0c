// SPDX-License-Identifier: Apache-2.0
/* landing.c -- the memory system's side of asynchronous copies. A piece allowed to land by SOURCE goes to the DUT's
 * landing port, with bytes of the DUT's own memory. At the LAND event REF lands the same piece, with bytes of REF's
 * memory, and both must agree.
 *
 * Both sides read the source of a piece in the cycle of the piece's first offer, behind all events of this cycle. The
 * source of a copy within shared memory is read by a READ, at the READ's LAND. */
#include <string.h>

#include "flight.h"

/* Most cycles of a piece at the port: for a load, and 16 refused loads. In a lean form a load is 32 passes of less than
 * 80 cycles each. */
enum { LONGEST = 256, LONGEST_LEAN = 32 * 80 + 256 };

static unsigned row_bytes(const struct lockstep *ls)
{
	return ls->api->banks * 4u;
}

static bool tells(const struct wl_landing *l)
{
	return l->kind == WL_LAND_TX || l->kind == WL_LAND_ARRIVE || l->kind == WL_LAND_REPORT;
}

static uint32_t words_of(const struct lockstep *ls, const struct wl_landing *l)
{
	const uint32_t n = tells(l) ? 2 : l->bytes / 4;
	return (n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1) << l->addr % row_bytes(ls) / 4;
}

/* ---- the port ---- */

static void fetch_dut(struct lockstep *ls, struct landing_piece *p)
{
	const struct wl_landing *l = &p->what;
	if (l->from == WL_LANDING_READ)
		memcpy(p->dut, ls->land.read_dut[l->index % COPIES], sizeof p->dut);
	else if (l->from == WL_LANDING_GLOBAL && ls->memory && l->bytes > l->zeros) {
		memset(p->dut, 0, sizeof p->dut);
		board_memory_fetch(ls, l->source, l->bytes - l->zeros);
		memory_bytes(ls->memory, l->source, l->bytes - l->zeros, p->dut);
	} else
		wl_landing_fetch(ls->ref->gmem, l, p->dut);
}

static void fetch_ref(const struct lockstep *ls, struct landing_piece *p)
{
	if (p->what.from == WL_LANDING_READ)
		memcpy(p->ref, ls->land.read_ref[p->what.index % COPIES], sizeof p->ref);
	else
		wl_landing_fetch(ls->ref->gmem, &p->what, p->ref);
}

static void show_at_port(struct lockstep *ls)
{
	const struct wl_landing *l = &ls->land.next.what;
	memset(ls->land.row, 0, sizeof ls->land.row);
	if (tells(l))
		ls->land.row[0] = l->bytes;
	else
		memcpy((uint8_t *)ls->land.row + l->addr % row_bytes(ls), ls->land.next.dut, l->bytes);
	ls->in.land.kind = (uint8_t)l->kind;
	ls->in.land.op = (uint8_t)((l->size == 8) << 5 | l->sgn << 4 | l->op);
	ls->in.land.addr = (uint16_t)(tells(l) ? l->addr : l->addr - l->addr % row_bytes(ls));
	ls->in.land.words = words_of(ls, l);
	ls->in.land.data = ls->land.row;
}

void landing_drive(struct lockstep *ls)
{
	struct landing_piece *p = &ls->land.next;
	ls->in.land.fresh = ls->land.fresh = false;
	if (!ls->land.offered && !ls->out.settles && !board_memory_busy(ls) && ls->source && ls->source->piece) {
		const enum wl_piece is = ls->source->piece(ls->source->self, ls->stats.cycles, &p->what);
		ls->land.owed = is != WL_PIECE_NONE;
		if (is == WL_PIECE_LANDS) {
			ls->land.offered = ls->land.fresh = true;
			ls->land.since = ls->stats.cycles;
			fetch_dut(ls, p);
			show_at_port(ls);
			ls->in.land.fresh = 1;
		}
	}
	ls->in.land.valid = ls->land.offered;
}

/* Behind the events of the cycle. */
void landing_look(struct lockstep *ls)
{
	if (!ls->land.offered)
		return;
	if (ls->land.fresh)
		fetch_ref(ls, &ls->land.next);
	if (!ls->out.land_taken) {
		const unsigned most = ls->api->lean ? LONGEST_LEAN : LONGEST;
		if (ls->stats.cycles - ls->land.since > most)
			complain(ls, CHECK_PROTOCOL, NULL, "a piece of a copy was not taken for %u cycles", most);
		return;
	}
	ls->land.offered = false;
	if (ls->land.ntaken == LANDINGS)
		complain(ls, CHECK_PROTOCOL, NULL, "%u pieces of copies were taken, and none has landed", LANDINGS);
	else
		ls->land.taken[ls->land.ntaken++] = ls->land.next;
}

/* No piece of a copy is at the port or behind the port. */
bool landing_idle(const struct lockstep *ls)
{
	return !ls->land.offered && !ls->land.ntaken;
}

/* ---- LAND ---- */

/* For MON and the order log: copy and place of the piece. */
void landing_name(const struct lockstep *ls, struct wl_event *e)
{
	if (!ls->land.ntaken)
		return;
	const struct wl_landing *l = &ls->land.taken[0].what;
	e->tag.slot = l->slot;
	e->value = l->copy;
	e->addr = l->addr;
	e->bytes = l->bytes;
	e->fault = (enum wl_fault)ls->out.land_fault;
}

static void compare_words(struct lockstep *ls, const struct shim_event *s, const struct wl_landing *l)
{
	const struct trace_sync_core_land *v = s->values;
	for (uint32_t left = words_of(ls, l); left; left &= left - 1) {
		const unsigned bank = (unsigned)__builtin_ctz(left);
		const uint32_t at = l->addr - l->addr % row_bytes(ls) + bank * 4, ref = wl_smem_read(ls->smem, at);
		if (v->now[bank] != ref)
			complain(ls, CHECK_VALUES, NULL,
			         "LAND of copy %u: %s 0x%08x at shared address 0x%x of the SM, in REF 0x%08x", l->copy,
			         l->kind == WL_LAND_READ ? "reads" : "leaves", v->now[bank], at, ref);
	}
}

static void compare_kind(struct lockstep *ls, const struct shim_event *s, const struct wl_landing *l)
{
	const struct trace_sync_core_land *v = s->values;
	const uint32_t addr = tells(l) ? l->addr : l->addr - l->addr % row_bytes(ls);
	if (s->code != l->kind || s->addr != addr || (v && v->words != words_of(ls, l)))
		complain(ls, CHECK_PROTOCOL, NULL,
		         "LAND of kind %u at 0x%x, words 0x%x; the next piece is of kind %u at 0x%x, words 0x%x",
		         s->code, s->addr, v ? v->words : 0, l->kind, addr, words_of(ls, l));
}

/* A READ hands over the row in this cycle. */
static void keep_read(struct lockstep *ls, const struct landing_piece *p)
{
	const struct wl_landing *l = &p->what;
	if (!ls->out.land_rvalid) {
		complain(ls, CHECK_PROTOCOL, NULL, "LAND of a read without land_rvalid_o");
		return;
	}
	const uint8_t *row = (const uint8_t *)ls->out.land_data;
	memcpy(ls->land.read_dut[l->index % COPIES], row + l->addr % row_bytes(ls), l->bytes);
	memcpy(ls->land.read_ref[l->index % COPIES], p->ref, l->bytes);
	if (memcmp(row + l->addr % row_bytes(ls), p->ref, l->bytes))
		complain(ls, CHECK_VALUES, NULL, "copy %u reads other words at 0x%x of the SM than REF", l->copy,
		         l->addr);
}

static void count_land(struct lockstep *ls, const struct wl_landing *l, enum wl_fault fault)
{
	uint64_t *n = ls->stats.landed;
	ls->stats.lands++;
	n[l->kind]++;
	ls->stats.land_faults += fault != WL_FAULT_NONE;
	ls->stats.land_found += l->kind == WL_LAND_REPORT && fault == WL_FAULT_NONE && l->bytes >> 8;
	ls->stats.land_layouts += fault == WL_FAULT_MBAR_LAYOUT;
}

void landing_event(struct lockstep *ls, const struct shim_event *s)
{
	if (!ls->land.ntaken) {
		complain(ls, CHECK_PROTOCOL, NULL, "LAND at 0x%x, and no piece of a copy was taken", s->addr);
		return;
	}
	struct landing_piece p = ls->land.taken[0];
	const struct wl_landing *l = &p.what;
	memmove(ls->land.taken, ls->land.taken + 1, --ls->land.ntaken * sizeof p);
	compare_kind(ls, s, l);
	const uint64_t flips = ls->ref->mbarrier_engine.flips;
	const enum wl_fault fault = wl_land(ls->ref, l, p.ref);
	ls->stats.land_flips += ls->ref->mbarrier_engine.flips - flips;
	if (ls->out.land_fault != fault && tells(l))
		complain(ls, CHECK_FAULTS, NULL, "LAND of copy %u at the mbarrier 0x%x: %s, in REF %s", l->copy,
		         l->addr, wl_fault_name((enum wl_fault)ls->out.land_fault), wl_fault_name(fault));
	if (l->kind == WL_LAND_READ)
		keep_read(ls, &p);
	else if (s->values && fault == WL_FAULT_NONE)
		compare_words(ls, s, l);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->landed && l->kind != WL_LAND_READ && fault == WL_FAULT_NONE)
			(*u)->landed(ls, l->addr / row_bytes(ls), words_of(ls, l));
	count_land(ls, l, fault);
	const unsigned due = ls->ndue;
	releases_collect(ls);
	for (unsigned i = due; i < ls->ndue; i++)
		ls->stats.land_released += (unsigned)__builtin_popcountll(ls->due[i].what.warps);
	if (ls->source->landed)
		ls->source->landed(ls->source->self, l, p.ref, fault);
}
