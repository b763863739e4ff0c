// SPDX-License-Identifier: Apache-2.0
/* cunits_mbarrier.h -- mbarrier_engine behind the unit interface, pass by pass, with a single CTA. Each test with this
 * header has an own unit. */
#ifndef WARPLOCK_CUNITS_MBARRIER_H
#define WARPLOCK_CUNITS_MBARRIER_H

#include <string.h>

#include "warplock/units.h"

enum { SHARED = 4096, SLOT = 2, BASE = 1024, SIZE = 256, OBJECTS = SIZE / 8, MOST = (1 << 20) - 1 };

static _Alignas(16) uint8_t memory[SHARED];
static struct wl_units units;
static const struct wl_unit_ops *ops;

static inline void start(enum wl_arch arch, unsigned lanes, unsigned banks)
{
	struct wl_config c = wl_config_default();
	c.arch = arch;
	c.lanes = lanes;
	c.banks = banks;
	c.shared_bytes = SHARED;
	wl_units_init(&units, &c, memory);
	wl_units_open(&units,
	              &(struct wl_cta_start){.slot = SLOT, .base = BASE, .size = SIZE, .warps = 4, .threads = 128});
	ops = wl_unit_ops(WL_UNIT_mbarrier_engine);
}

static inline uint64_t bits_at(uint32_t addr)
{
	uint64_t v;
	memcpy(&v, memory + BASE + addr, 8);
	return v;
}

struct flight {
	struct wl_req req;
	_Alignas(16) unsigned char space[WL_PLAN_MAX];
	struct wl_record rec;
	unsigned pass;
};

static inline struct wl_plan *plan_of(struct flight *f)
{
	return (struct wl_plan *)f->space;
}

/* An instruction without operands yet. */
static inline struct wl_inst neutral(enum wl_uop uop)
{
	return (struct wl_inst){.uop = (uint16_t)uop,
	                        .rd = WL_RZ,
	                        .ra = WL_RZ,
	                        .rb = WL_RZ,
	                        .rc = WL_RZ,
	                        .urd = 255,
	                        .ur = 255,
	                        .pd = {WL_PT, WL_PT}};
}

static inline void ask(struct flight *f, enum wl_uop uop, unsigned warp, uint32_t mask)
{
	memset(f, 0, sizeof *f);
	f->req.tag = (struct wl_tag){0, SLOT, 0, warp, 0};
	f->req.inst = neutral(uop);
	f->req.inst.ra = 1;
	f->req.inst.rd = uop == WL_UOP_SYNCS_ARRIVE || uop == WL_UOP_ATOMS_ARRIVE ? 4 : WL_RZ;
	f->req.inst.pd[0] = uop == WL_UOP_SYNCS_PHASECHK ? 0 : WL_PT;
	f->req.inst.urd = uop == WL_UOP_SYNCS_EXCH ? 8 : 255;
	f->req.mask = mask;
	if (uop == WL_UOP_SYNCS_EXCH) { /* the address is uniform */
		f->req.inst.ra = WL_RZ;
		f->req.inst.ur = 4;
	}
}

static inline void begin(struct flight *f)
{
	f->pass = 0;
	ops->plan(&units, &f->req, plan_of(f), &f->rec);
}

/* A pass; false: no pass is left. */
static inline bool step(struct flight *f)
{
	struct wl_plan *p = plan_of(f);
	if (f->pass == p->passes)
		return false;
	const struct wl_event ev = {.kind = WL_EV_COMMIT,
	                            .unit = WL_UNIT_mbarrier_engine,
	                            .tag = f->req.tag,
	                            .lanes = p->pass_lanes[f->pass++]};
	ops->apply(&units, &f->req, p, &ev, &f->rec);
	return true;
}

static inline void run(struct flight *f)
{
	begin(f);
	while (step(f))
		;
	ops->finish(&units, &f->req, plan_of(f), &f->rec);
}

/* init of layout B as lowered by PTX. */
static inline uint64_t init_word(uint32_t n)
{
	const uint32_t t = 0x100000u - n;
	return (uint64_t)(t << 11) << 32 | t << 1;
}

static inline bool next_release(struct wl_released *r)
{
	return ops->released(&units, r);
}

#endif
