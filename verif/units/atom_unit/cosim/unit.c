// SPDX-License-Identifier: Apache-2.0
/* unit.c -- atom_unit in the harness: compares the sector of a COMMIT, and both images of global memory behind the
 * COMMIT, with REF's lanes. */
#include <stdio.h>
#include <string.h>

#include "../../../cosim/flight.h"
#include "../../atoms_pipe/cosim/atoms_pipe.h"
#include "atom_unit.h"

typedef struct trace_atom_unit_commit commit_values;

enum { SECTOR = WL_SECTOR };

static const struct wl_atom_plan *plan_of(const struct flight *f)
{
	return (const struct wl_atom_plan *)(const void *)&f->plan;
}

/* ---- COMMIT ---- */

/* The sector in REF: the bytes now, the bytes before these lanes, and the bytes changed by these lanes. */
struct expected {
	uint64_t addr;
	uint8_t now[SECTOR], old[SECTOR];
	uint32_t written, there; /* bytes */
};

static void expect(const struct lockstep *ls, const struct flight *f, uint32_t lanes, struct expected *x)
{
	const struct wl_record *rec = &f->ref;
	memset(x, 0, sizeof *x);
	x->addr = rec->addr[__builtin_ctz(lanes)] & ~(uint64_t)(SECTOR - 1);
	for (unsigned i = 0; i < SECTOR; i++) {
		const uint8_t *p = wl_gmem_at(ls->ref->gmem, x->addr + i, 1);
		x->now[i] = p ? *p : 0;
		x->there |= (uint32_t)(p != NULL) << i;
	}
	memcpy(x->old, x->now, sizeof x->old);
	for (unsigned l = WL_WARP_LANES; l--;) { /* backwards through the lanes' turns */
		const unsigned at = (unsigned)(rec->addr[l] - x->addr);
		if (!(lanes >> l & 1))
			continue;
		memcpy(x->old + at, &rec->old[l], rec->size);
		if (rec->stored >> l & 1)
			x->written |= ((UINT32_C(1) << rec->size) - 1) << at;
	}
}

/* Complains about the first differing byte of `bytes`. */
static bool equal_bytes(struct lockstep *ls, const struct flight *f, const struct expected *x, const char *what,
                        const void *dut, const uint8_t *ref, uint32_t bytes)
{
	const uint8_t *got = dut;
	for (unsigned i = 0; i < SECTOR; i++) {
		if (!(bytes >> i & 1) || got[i] == ref[i])
			continue;
		uint32_t words[2] = {0, 0};
		memcpy(&words[0], got + i / 4 * 4, 4);
		memcpy(&words[1], ref + i / 4 * 4, 4);
		char numbers[120];
		complain_numbers(f, &words[0], &words[1], numbers, sizeof numbers);
		complain(ls, CHECK_VALUES, f, "COMMIT: the word at 0x%llx %s 0x%08x, REF has 0x%08x%s",
		         (unsigned long long)(x->addr + i / 4 * 4), what, words[0], words[1], numbers);
		return false;
	}
	return true;
}

/* Compares the policy of the memory request answered by this COMMIT, and the policy on the trace, with the request's
 * policy. */
static void equal_policy(struct lockstep *ls, const struct flight *f, const commit_values *v)
{
	uint64_t ref, at_port;
	const uint64_t told = v->policy_lo | (uint64_t)v->policy_hi << 32;
	const bool named = wl_atom_policy(&f->req, &ref), carried = memory_policy(ls->memory, &at_port);
	if (named != (v->has_policy != 0) || told != ref)
		complain(ls, CHECK_VALUES, f, "COMMIT: %s policy 0x%llx, REF has %s 0x%llx", v->has_policy ? "a" : "no",
		         (unsigned long long)told, named ? "one," : "none,", (unsigned long long)ref);
	if (named != carried || at_port != ref)
		complain(ls, CHECK_VALUES, f, "memory was asked with %s policy 0x%llx, REF has %s 0x%llx",
		         carried ? "a" : "no", (unsigned long long)at_port, named ? "one," : "none,",
		         (unsigned long long)ref);
}

static void compare_values(struct lockstep *ls, struct flight *f, const commit_values *v, const struct expected *x)
{
	const uint64_t addr = v->addr_lo | (uint64_t)v->addr_hi << 32;
	if (addr != x->addr)
		complain(ls, CHECK_VALUES, f, "COMMIT of the sector at 0x%llx, REF's is at 0x%llx",
		         (unsigned long long)addr, (unsigned long long)x->addr);
	if (v->bytes_written != x->written)
		complain(ls, CHECK_VALUES, f,
		         "COMMIT: bytes 0x%08x of the sector at 0x%llx are written, REF writes 0x%08x",
		         v->bytes_written, (unsigned long long)x->addr, x->written);
	if (v->has_old == wl_atom_is_store(&f->req.inst))
		complain(ls, CHECK_VALUES, f, "COMMIT: %s what the sector held before",
		         v->has_old ? "a store knows" : "an access that is no store does not know");
	if (v->has_old)
		equal_bytes(ls, f, x, "was", v->old, x->old, x->there);
	equal_bytes(ls, f, x, "becomes", v->now, x->now, x->written);
	equal_policy(ls, f, v);
}

/* In REF, too, all lanes of a COMMIT are in the same sector. */
static bool one_sector(struct lockstep *ls, const struct flight *f, uint32_t lanes)
{
	const struct wl_record *rec = &f->ref;
	const uint64_t at = rec->addr[__builtin_ctz(lanes)] & ~(uint64_t)(SECTOR - 1);
	for (uint32_t m = lanes; m; m &= m - 1) {
		const uint64_t addr = rec->addr[__builtin_ctz(m)];
		if (addr >= at && addr + rec->size <= at + SECTOR)
			continue;
		complain(ls, CHECK_VALUES, f,
		         "COMMIT of lanes 0x%08x in one sector: lane %d of REF is at 0x%llx, lane %d at 0x%llx", lanes,
		         __builtin_ctz(lanes), (unsigned long long)rec->addr[__builtin_ctz(lanes)], __builtin_ctz(m),
		         (unsigned long long)addr);
		return false;
	}
	return true;
}

/* A DUT that runs by itself shows no values (`v` is NULL). */
static void compare_sector(struct lockstep *ls, struct flight *f, const commit_values *v, uint32_t lanes)
{
	struct expected x;
	uint8_t image[SECTOR];
	if (!one_sector(ls, f, lanes))
		return;
	expect(ls, f, lanes, &x);
	if (v || !ls->api->ahead)
		compare_values(ls, f, v, &x);
	if (board_memory_holds(ls, x.addr)) /* compared as a whole when nothing is in flight */
		return;
	memory_sector(ls->memory, x.addr, image);
	if (ls->config.checks >> CHECK_MEMORY & 1 && memcmp(image, x.now, sizeof image) != 0) {
		unsigned i = 0;
		while (image[i] == x.now[i])
			i++;
		complain(ls, CHECK_MEMORY, f, "global memory at 0x%llx: 0x%02x, REF has 0x%02x",
		         (unsigned long long)(x.addr + i), image[i], x.now[i]);
	}
}

/* Lanes in shared memory: a pass of atoms_pipe, compared like the passes of atoms_pipe's own requests. */
static void compare_shared(struct lockstep *ls, const struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	static struct flight own;
	const struct wl_atom_plan *p = plan_of(f);
	own = *f;
	wl_atom_shared_request(ls->ref, &f->req, p->addr, p->shared, &own.req);
	wl_atoms_plan(ls->smem, &own.req, (struct wl_atoms_plan *)(void *)&own.plan);
	const struct wl_window *w = &ls->smem->window[own.req.tag.slot];
	for (uint32_t m = p->shared; m; m &= m - 1) {
		const unsigned l = (unsigned)__builtin_ctz(m);
		own.ref.addr[l] = w->base + ((uint32_t)own.req.ra[l] - w->origin);
	}
	atoms_pipe_compare(ls, &own, e, lanes);
}

static unsigned same_word(const struct flight *f, uint32_t lanes)
{
	unsigned most = 0;
	for (uint32_t m = lanes; m; m &= m - 1) {
		unsigned n = 0;
		for (uint32_t k = lanes; k; k &= k - 1)
			n += f->ref.addr[__builtin_ctz(k)] == f->ref.addr[__builtin_ctz(m)];
		most = n > most ? n : most;
	}
	return most;
}

static void compare(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes)
{
	uint64_t *n = ls->stats.counter[WL_UNIT_atom_unit];
	const bool by_pipe = e->unit == 0; /* bit of atoms_pipe */
	const uint32_t shared = lanes & plan_of(f)->shared;
	if (by_pipe != (shared != 0) || (shared && shared != lanes)) {
		complain(ls, CHECK_PROTOCOL, f, "COMMIT of lanes 0x%08x by %s, those in shared memory are 0x%08x",
		         lanes, by_pipe ? "atoms_pipe" : "atom_unit", plan_of(f)->shared);
		return;
	}
	if (shared) {
		compare_shared(ls, f, e, lanes);
		return;
	}
	if (!lanes)
		return;
	const unsigned count = (unsigned)__builtin_popcount(lanes), degree = same_word(f, lanes);
	n[count == 1 ? ATOM_SECTORS_1 : count < 8 ? ATOM_SECTORS_2 : ATOM_SECTORS_8]++;
	if (degree > 1)
		n[degree < 5 ? ATOM_SAME_2 : ATOM_SAME_5]++;
	if (degree > 1 && ls->smem->combine && wl_atom_combines(&f->req.inst)) {
		n[degree < 5 ? ATOM_COMBINED_2 : ATOM_COMBINED_5]++;
		n[ATOM_COMBINED_64] += f->req.inst.size == 8 && !wl_atom_is_store(&f->req.inst);
		n[ATOM_COMBINED_STORES] += wl_atom_is_store(&f->req.inst);
	}
	compare_sector(ls, f, e->values, lanes);
}

/* ---- counters ---- */

static unsigned lanes_of(uint32_t mask)
{
	return (unsigned)__builtin_popcount(mask);
}

/* Two of the lanes are on the same word. */
static bool shares_word(const struct flight *f, uint32_t lanes)
{
	return lanes && same_word(f, lanes) > 1;
}

/* Operations served only by other CTAs' shared memory. */
static void count_others(const struct flight *f, uint64_t *n)
{
	const struct wl_inst *in = &f->req.inst;
	const struct wl_atom_plan *p = plan_of(f);
	const uint32_t lanes = p->others & f->ref.committed;
	if (!lanes || in->uop != WL_UOP_ATOM || wl_atom_shared_serves(in))
		return;
	n[in->type == WL_AT_INT     ? ATOM_OTHERS_64
	  : in->type == WL_AT_F16X2 ? ATOM_OTHERS_F16
	                            : ATOM_OTHERS_BF16] += lanes_of(lanes);
	n[ATOM_OTHERS_WORD] += shares_word(f, lanes);
	n[ATOM_OTHERS_REFUSED] += lanes_of(p->refused);
	for (unsigned i = 0; in->type != WL_AT_INT && i < p->shared_passes; i++)
		n[ATOM_OTHERS_CUT] += lanes_of(p->common.pass_lanes[i]) == WL_FP_LANES;
}

static bool is_subnormal(uint32_t x)
{
	return !(x & 0x7f800000) && x & 0x7fffff;
}

/* Lanes of .FTZ with a sum that would differ without .FTZ: an operand or the sum is subnormal. Sums of equal numbers of
 * opposite signs are 0 anyway. */
static unsigned flushed_lanes(const struct flight *f)
{
	unsigned lanes = 0;
	for (uint32_t m = f->ref.committed; m; m &= m - 1) {
		const unsigned l = (unsigned)__builtin_ctz(m);
		bool any = false;
		for (unsigned k = 0; k < f->req.inst.size / 4u; k++) {
			const uint32_t a = f->ref.old[l].w[k], b = f->req.rb[l].w[k], sum = f->ref.now[l].w[k];
			any |= is_subnormal(a) || is_subnormal(b) ||
			       (!(sum << 1) && (a ^ b) != UINT32_C(1) << 31 && (a << 1 || b << 1));
		}
		lanes += any;
	}
	return lanes;
}

static void count(const struct flight *f, uint64_t *n)
{
	const struct wl_inst *in = &f->req.inst;
	const struct wl_atom_plan *p = plan_of(f);
	if (in->flags & WL_F_ILLEGAL)
		return;
	n[in->size < 4 ? ATOM_SUB_WORD : in->size == 4 ? ATOM_WORD : in->size == 8 ? ATOM_64 : ATOM_128]++;
	n[ATOM_SHARED] += lanes_of(p->shared);
	n[ATOM_OTHERS] += lanes_of(p->others & f->ref.committed);
	n[ATOM_OTHERS_TOO] += p->others & f->ref.committed && f->ref.committed & ~p->others;
	count_others(f, n);
	n[ATOM_POLICY] += in->desc != WL_NO_DESC && f->ref.committed & ~p->shared;
	n[ATOM_REFUSED] += lanes_of(p->refused);
	n[ATOM_BOTH] += p->shared && (f->ref.committed & ~p->shared);
	n[ATOM_SHARED_128] += p->shared && in->size == 16 && !wl_atom_is_load(in) && !wl_atom_is_store(in);
	n[ATOM_SHARED_SWAPPED] += wl_atom_is_cas(in) ? lanes_of(f->ref.stored & p->shared) : 0;
	for (uint32_t m = f->ref.faulted; m; m &= m - 1)
		n[ATOM_SHARED_OUT] += f->ref.fault[__builtin_ctz(m)] == WL_FAULT_SHARED_OUT_OF_RANGE;
	n[ATOM_ABSENT] += lanes_of(f->ref.faulted & ~p->common.faulted);
	if (wl_atom_is_load(in)) {
		n[ATOM_LOADS]++;
	} else if (wl_atom_is_store(in)) {
		n[ATOM_STORES]++;
	} else if (wl_atom_is_cas(in)) {
		n[ATOM_CAS] += lanes_of(f->ref.stored);
		n[ATOM_CAS_FAILED] += lanes_of(f->ref.committed & ~f->ref.stored);
	} else if (in->type == WL_AT_INT) {
		n[ATOM_INT + in->op]++;
	} else {
		n[ATOM_TYPE + in->type]++;
		n[ATOM_MIN_MAX] += in->op != WL_ATOM_ADD;
		n[ATOM_FLUSHED] += in->type == WL_AT_F32_FTZ ? flushed_lanes(f) : 0;
	}
}

static void show(const struct lockstep *ls, const struct flight *f, const struct shim_event *e, struct complaint *c)
{
	const commit_values *v = e && e->kind == WL_EV_COMMIT && e->values && e->unit != 0 ? e->values : NULL;
	(void)ls;
	memcpy(c->dut.old, f->ref.old, sizeof c->dut.old);
	memcpy(c->dut.now, f->ref.now, sizeof c->dut.now);
	c->dut_stored = f->ref.stored;
	for (uint32_t m = v ? e->lanes & f->ref.stored : 0; m; m &= m - 1) {
		const unsigned l = (unsigned)__builtin_ctz(m), at = (unsigned)f->ref.addr[l] % SECTOR;
		memcpy(&c->dut.now[l], (const uint8_t *)v->now + at, f->ref.size); /* of the last lane on a word */
	}
}

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_atom_unit];
	printf("sectors     %llu of one lane, %llu of 2 to 7, %llu of more; %llu with up to 4 lanes on a word, %llu "
	       "with "
	       "more\n",
	       (unsigned long long)n[ATOM_SECTORS_1], (unsigned long long)n[ATOM_SECTORS_2],
	       (unsigned long long)n[ATOM_SECTORS_8], (unsigned long long)n[ATOM_SAME_2],
	       (unsigned long long)n[ATOM_SAME_5]);
}

/* Streams are offered only if the unit has RTL. */
enum {
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) BUILT_##name = in_rtl,
#include "warplock/units.def"
#undef UNIT
};

#define PLANTED_SINCE(arch, number, name, check, rules, mix, what)                                                     \
	{number, #name, CHECK_##check, rules, #mix, what, arch},
#define PLANTED(...) PLANTED_SINCE(WL_SM75, __VA_ARGS__)
static const struct cosim_planted planted[] = {
#include "planted.def"
#undef PLANTED
#undef PLANTED_SINCE
        {0},
};

const struct cosim_unit cosim_atom_unit = {.unit = WL_UNIT_atom_unit,
                                           .state_bytes = sizeof(struct atom_unit_state),
                                           .mon = &mon_atom_unit,
                                           .beat = atom_unit_beat,
                                           .cycle = atom_unit_cycle,
                                           .compare_commit = compare,
                                           .count = count,
                                           .show = show,
                                           .print_random = print_random,
                                           .mixes = BUILT_atom_unit ? atom_unit_mixes : NULL,
                                           .fields = BUILT_atom_unit ? atom_unit_fields : NULL,
                                           .corrupt_mix = "atom",
                                           .planted = BUILT_atom_unit ? planted : NULL};
