// SPDX-License-Identifier: Apache-2.0
/* waits.c -- a waiting request has left the pipe: the last COMMIT begins the wait, a RELEASE ends the wait. The event
 * that completes a count fixes released warps and value in the C units; the core's RELEASE must say the same. */
#include <string.h>

#include "core.h"
#include "flight.h"

/* Operands of the request are no longer read. `committed`: by the core. */
static struct waiter {
	bool waits;
	const struct entry *entry;
	struct wl_tag tag;
	uint32_t mask, committed;
	struct wl_plan plan;
} waiter[WARPS];

static struct wl_released due[WARPS];
static unsigned ndue;

void waits_start(void)
{
	memset(waiter, 0, sizeof waiter);
	ndue = 0;
}

bool waits_block(unsigned warp)
{
	return waiter[warp].waits;
}

void wait_begin(const struct flight *f)
{
	waiter[f->req.tag.warp] = (struct waiter){.waits = true,
	                                          .entry = f->entry,
	                                          .plan = f->plan,
	                                          .tag = f->req.tag,
	                                          .mask = f->ref.committed,
	                                          .committed = f->dut.committed};
}

void releases_collect(void)
{
	while (ndue < WARPS && wl_units_released(&units, &due[ndue]))
		ndue++;
}

unsigned releases_due(void)
{
	return ndue;
}

/* The release with the warps of the event, else the oldest release of the object, else the oldest of all. */
static struct wl_released *due_for(const struct shim_event *e)
{
	struct wl_released *found = ndue ? &due[0] : NULL;
	unsigned best = 0;
	for (unsigned i = 0; i < ndue; i++) {
		const bool object = due[i].unit == e->unit && due[i].slot == e->slot && due[i].id == e->id;
		const unsigned fits = object + (object && due[i].warps == e->warps);
		if (fits > best) {
			best = fits;
			found = &due[i];
		}
	}
	return found;
}

/* Numbers of a release as words; a warp of this SM has a number below 32. */
enum { RELEASE_WORDS = 4 };
static void as_words(uint32_t w[RELEASE_WORDS], unsigned unit, unsigned phase, unsigned slot, unsigned id,
                     uint64_t warps, uint32_t value)
{
	w[0] = unit << 16 | (unit == WL_UNIT_mbarrier_engine ? phase : 0); /* the event of other units has no phase */
	w[1] = slot << 16 | id;
	w[2] = (uint32_t)warps;
	w[3] = value;
}

static void tell(const uint32_t ref[RELEASE_WORDS], const uint32_t seen[RELEASE_WORDS])
{
	tally.told = true;
	line_say("MISMATCH    waits: a RELEASE");
	line_say("                %-10s %s", "REF", "DUT");
	static const char *const name[RELEASE_WORDS] = {"unit, phase", "slot, id", "warps", "value"};
	for (unsigned i = 0; i < RELEASE_WORDS; i++)
		line_say(" %c %-12s 0x%08lx 0x%08lx", ref[i] == seen[i] ? ' ' : '*', name[i], (unsigned long)ref[i],
		         (unsigned long)seen[i]);
}

static void end(struct waiter *w)
{
	const uint32_t tag = core_tag(&w->tag);
	w->waits = false;
	tally.done++;
	tally.waits++;
	hash_add(&tally.hash[REF], tag);
	hash_add(&tally.hash[REF], w->mask);
	hash_add(&tally.hash[DUT], tag);
	hash_add(&tally.hash[DUT], w->committed);
	if (!tally.replay || tally.told || w->mask == w->committed)
		return;
	tally.told = true;
	line_say("MISMATCH    waits: warp %lu, n=%lu has committed lanes 0x%08lx, REF 0x%08lx",
	         (unsigned long)w->tag.warp, (unsigned long)w->tag.n, (unsigned long)w->committed,
	         (unsigned long)w->mask);
}

void wait_release(const struct shim_event *e)
{
	struct wl_released *r = due_for(e);
	const uint32_t warps = r ? (uint32_t)r->warps & (uint32_t)e->warps : 0;
	uint32_t ref[RELEASE_WORDS] = {0xffffffff}, seen[RELEASE_WORDS]; /* no such unit: REF has fixed no release */
	as_words(seen, e->unit, e->phase, e->slot, e->id, e->warps, e->value);
	if (r)
		as_words(ref, r->unit, r->phase, r->slot, r->id, r->warps, r->value);
	for (unsigned i = 0; i < RELEASE_WORDS; i++) {
		hash_add(&tally.hash[REF], ref[i]);
		hash_add(&tally.hash[DUT], seen[i]);
	}
	if (tally.replay && memcmp(ref, seen, sizeof ref) != 0) {
		tell(ref, seen);
		return;
	}
	for (uint32_t left = warps; left; left &= left - 1)
		if (waiter[wl_lowest(left)].waits)
			end(&waiter[wl_lowest(left)]);
	if (r)
		memmove(r, r + 1, (size_t)(&due[--ndue] - r) * sizeof *r);
}

bool waits_end_alone(void)
{
	for (unsigned i = 0; i < WARPS; i++)
		if (waiter[i].waits && waiter[i].plan.gives_up)
			return true;
	return false;
}

/* The C unit forgets the wait; both records say: no phase has come. */
void wait_gives_up(const struct shim_event *e)
{
	static struct wl_req req; /* the unit reads tag, mask and instruction */
	static struct wl_record rec;
	const unsigned warp = (uint32_t)e->warps ? wl_lowest((uint32_t)e->warps) : (e->tag >> 16) % WARPS;
	struct waiter *w = &waiter[warp % WARPS];
	const bool may = w->waits && w->plan.gives_up;
	hash_add(&tally.hash[REF], may);
	hash_add(&tally.hash[DUT], 1);
	if (tally.replay && !tally.told && !may) {
		tally.told = true;
		line_say("MISMATCH    waits: warp %u gives up, in REF it does not wait for a phase", warp);
	}
	if (!may)
		return;
	const struct wl_event ev = {.kind = WL_EV_CHOICE, .unit = (enum wl_unit)w->entry->unit, .tag = w->tag};
	memcpy(&req.inst, w->entry->inst, sizeof req.inst);
	req.tag = w->tag;
	req.mask = w->mask;
	wl_unit_ops(ev.unit)->apply(&units, &req, &w->plan, &ev, &rec);
	end(w);
}

void releases_silent(void)
{
	for (unsigned i = 0; i < ndue; i++)
		line_say("MISMATCH    silence: no RELEASE of unit %u, slot %u, id %u, warps 0x%08lx", due[i].unit,
		         due[i].slot, due[i].id, (unsigned long)due[i].warps);
}

static uint32_t hash_wait(const struct sm_wait *w)
{
	uint32_t h = HASH_START;
	hash_add(&h, w->unit);
	hash_add(&h, w->unit == SM_GOES ? 0 : w->tag);
	hash_add(&h, w->unit == SM_GOES ? 0 : (uint32_t)w->slot << 16 | w->id);
	return h;
}

void waits_end(void)
{
	struct sm_wait seen[WARPS];
	sm_waits(seen);
	for (unsigned i = 0; i < WARPS; i++) {
		const struct waiter *w = &waiter[i];
		struct sm_wait ref = {.unit = SM_GOES};
		if (w->waits)
			ref = (struct sm_wait){.tag = core_tag(&w->tag),
			                       .id = w->plan.wait_id,
			                       .unit = w->entry->unit,
			                       .slot = (uint8_t)w->tag.slot};
		const uint32_t h = hash_wait(&ref), s = hash_wait(&seen[i]);
		hash_add(&tally.hash[REF], h);
		hash_add(&tally.hash[DUT], s);
		if (!tally.replay || tally.told || h == s)
			continue;
		tally.told = true;
		line_say("MISMATCH    waits: warp %u %s, in REF it %s", i,
		         seen[i].unit == SM_GOES ? "goes on" : "waits", !w->waits ? "goes on" : "waits");
	}
}
