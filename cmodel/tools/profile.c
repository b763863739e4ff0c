// SPDX-License-Identifier: Apache-2.0
/* profile.c -- counts of each instruction. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

struct halt {
	bool on;
	uint32_t pc;
	uint64_t since;
};

struct profile {
	bool rtl;
	uint32_t ninst;
	struct profile_row *row;
	struct halt *halt; /* [sms][WL_MAX_WARPS] */
};

struct profile *profile_create(const struct job *job, bool rtl)
{
	struct wl_seen_shape shape;
	struct profile *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	wl_gpu_shape(job->gpu, &shape);
	p->rtl = rtl;
	p->ninst = job->program.ninst;
	p->row = calloc(p->ninst ? p->ninst : 1, sizeof *p->row);
	p->halt = calloc((size_t)shape.sms * WL_MAX_WARPS, sizeof *p->halt);
	if (p->row && p->halt)
		return p;
	profile_free(p);
	return NULL;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	free(p->row);
	free(p->halt);
	free(p);
}

const struct profile_row *profile_row(const struct profile *p, uint32_t pc)
{
	return &p->row[pc];
}

struct profile_row *profile_at(struct profile *p, uint32_t pc)
{
	return pc < p->ninst ? &p->row[pc] : NULL;
}

bool profile_is_rtl(const struct profile *p)
{
	return p->rtl;
}

const char *profile_unit(const struct profile *p)
{
	return p->rtl ? "cycles of the RTL" : "warp instructions of the SM";
}

static void count_issue(struct profile *p, const struct wl_seen *e)
{
	struct profile_row *r = &p->row[e->pc];
	struct halt *h = &p->halt[(size_t)e->sm * WL_MAX_WARPS + e->warp_slot];
	if (h->on)
		p->row[h->pc].waited += e->time - h->since - 1;
	*h = (struct halt){e->waits, e->pc, e->time};
	r->issues++;
	r->idle += !e->lanes;
	r->lanes += (unsigned)__builtin_popcount(e->lanes);
	r->passes += e->passes;
	if (e->passes && e->passes <= WL_WARP_LANES)
		r->degree[e->passes]++;
	r->waits += e->waits;
}

unsigned profile_sectors(const uint64_t addr[WL_WARP_LANES], uint32_t lanes, unsigned size)
{
	uint64_t seen[4 * WL_WARP_LANES];
	unsigned n = 0;
	for (uint32_t m = lanes; m; m &= m - 1) {
		const unsigned lane = (unsigned)__builtin_ctz(m);
		for (uint64_t s = addr[lane] / 32; s <= (addr[lane] + size - 1) / 32; s++) {
			unsigned i = 0;
			while (i < n && seen[i] != s)
				i++;
			if (i == n && n < sizeof seen / sizeof *seen)
				seen[n++] = s;
		}
	}
	return n;
}

bool profile_compares(const struct wl_inst *in)
{
	switch (in->uop) {
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOM_CAS:
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_ATOMS_CAST_P:
	case WL_UOP_ATOM_CAST:
		return true;
	default:
		return false;
	}
}

void profile_event(struct profile *p, const struct wl_seen *e)
{
	if (e->kind == WL_SEEN_ISSUE && e->pc < p->ninst) {
		count_issue(p, e);
	} else if (e->kind == WL_SEEN_ACCESS && e->pc < p->ninst) {
		p->row[e->pc].sectors += profile_sectors(e->addr, e->lanes & ~e->shared, e->size);
		if (profile_compares(e->inst))
			p->row[e->pc].retries += (unsigned)__builtin_popcount(e->lanes & ~e->stored);
	}
}
