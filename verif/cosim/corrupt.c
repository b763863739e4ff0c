// SPDX-License-Identifier: Apache-2.0
/* corrupt.c -- flips one bit of one field of the DUT's output, once, at its first occasion after the start-up: what a
 * test of the comparator needs. The model itself is untouched. */
#include <string.h>

#include "flight.h"

static const char *const names[] = {
        "none",
#define FIELD(name) #name,
#include "corrupt.def"
#undef FIELD
};

const char *corrupt_name(enum corrupt c)
{
	return names[c];
}

static struct shim_event *first_event(struct shim_out *o, enum wl_event_kind kind)
{
	for (unsigned i = 0; i < o->nevents; i++)
		if (o->event[i].kind == kind)
			return &o->event[i];
	return NULL;
}

static bool flip_fault(struct shim_out *o, enum corrupt c)
{
	struct shim_event *e = first_event(o, WL_EV_FAULT);
	if (!e)
		return false;
	if (c == CORRUPT_fault_tag)
		e->tag ^= 1u << 3;
	else if (c == CORRUPT_fault_lanes) /* one lane less */
		e->lanes &= e->lanes - 1;
	else /* the same lanes with another code */
		e->code = e->code % 3 + 1;
	return true;
}

static bool flip_commit(struct lockstep *ls, enum corrupt c)
{
	struct shim_event *e = first_event(&ls->out, WL_EV_COMMIT);
	if (!e)
		return false;
	if (c == CORRUPT_commit_tag) {
		e->tag ^= 1u << 16;
		return true;
	}
	if (c == CORRUPT_commit_lanes) {
		e->lanes ^= 1u << 1;
		return true;
	}
	struct trace_atoms_pipe_commit *v = &ls->corrupt_commit;
	memcpy(v, e->values, sizeof *v);
	if (!v->we)
		return false;
	const unsigned bank = (unsigned)__builtin_ctz(v->we);
	if (c == CORRUPT_commit_we) {
		v->we ^= 1u << bank;
	} else if (c == CORRUPT_commit_row) {
		v->row[bank] ^= 1;
	} else {
		const uint32_t **words = c == CORRUPT_commit_old ? &v->old : &v->now;
		memcpy(ls->corrupt_words, *words, ls->api->banks * sizeof(uint32_t));
		ls->corrupt_words[bank] ^= 1u << 31;
		*words = ls->corrupt_words;
	}
	e->values = v;
	return true;
}

static bool flip_response(struct lockstep *ls, unsigned p, enum corrupt c)
{
	struct shim_rsp *r = &ls->out.rsp[p];
	if (!(ls->out.rsp_taken >> p & 1))
		return false;
	switch (c) {
	case CORRUPT_rsp_tag:
		r->tag ^= 1;
		return true;
	case CORRUPT_rsp_last:
		r->last ^= 1;
		return true;
	case CORRUPT_rsp_mask:
		r->mask ^= 1;
		return true;
	case CORRUPT_rsp_pred:
		r->pred ^= 4;
		return true;
	case CORRUPT_rsp_passes:
		if (!r->last)
			return false;
		r->passes ^= 1;
		return true;
	case CORRUPT_rsp_fault:
		if (!r->any_fault)
			memset(r->fault, 0, sizeof r->fault);
		r->any_fault = 1;
		r->fault[2] ^= 1;
		return true;
	default: /* rsp_data, rsp_data_upper */
		if (!r->mask)
			return false;
		memcpy(ls->corrupt_data, r->data, ls->lanes * sizeof(struct wl_lane));
		ls->corrupt_data[__builtin_ctz(r->mask)].w[c == CORRUPT_rsp_data ? 0 : 3] ^= 1;
		r->data = ls->corrupt_data[0].w;
		return true;
	}
}

void corrupt_outputs(struct lockstep *ls)
{
	const enum corrupt c = ls->config.corrupt;
	if (ls->corrupted || ls->stats.retired < 100)
		return;
	switch (c) {
	case CORRUPT_NONE:
	case CORRUPT_COUNT:
	case CORRUPT_memory: /* compare_memory does it */
		return;
	case CORRUPT_fault_tag:
	case CORRUPT_fault_lanes:
	case CORRUPT_fault_code:
		ls->corrupted = flip_fault(&ls->out, c);
		return;
	case CORRUPT_commit_tag:
	case CORRUPT_commit_lanes:
	case CORRUPT_commit_we:
	case CORRUPT_commit_row:
	case CORRUPT_commit_old:
	case CORRUPT_commit_new:
		ls->corrupted = flip_commit(ls, c);
		return;
	case CORRUPT_trace_accept:
		ls->out.trace_accept ^= 1;
		ls->corrupted = true;
		return;
	case CORRUPT_trace_retire:
		ls->out.trace_retire ^= 1;
		ls->corrupted = true;
		return;
	default:
		for (unsigned p = 0; p < ls->ports && !ls->corrupted; p++)
			ls->corrupted = flip_response(ls, p, c);
	}
}
