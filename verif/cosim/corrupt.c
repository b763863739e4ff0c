// SPDX-License-Identifier: Apache-2.0
/* corrupt.c -- flips a bit of a field of the DUT's output, once, at the first occasion after the start-up, for tests of
 * the comparator. The model itself is untouched. Here are the fields common to all units. */
#include <string.h>

#include "flight.h"

struct shim_event *corrupt_event(struct shim_out *out, enum wl_unit unit, enum wl_event_kind kind)
{
	for (unsigned i = 0; i < out->nevents; i++)
		if (out->event[i].kind == kind && WL_UNIT_atoms_pipe + out->event[i].unit == unit)
			return &out->event[i];
	return NULL;
}

/* The first response taken in this cycle, NULL = none. */
static struct shim_rsp *taken(struct shim_out *out)
{
	return out->rsp_taken ? &out->rsp[__builtin_ctz(out->rsp_taken)] : NULL;
}

#define FLIP(name, condition, how)                                                                                     \
	static bool name(struct lockstep *ls, struct shim_out *out)                                                    \
	{                                                                                                              \
		struct shim_rsp *r = taken(out);                                                                       \
		(void)ls;                                                                                              \
		if (!r || !(condition))                                                                                \
			return false;                                                                                  \
		how;                                                                                                   \
		return true;                                                                                           \
	}
FLIP(rsp_tag, true, r->tag ^= 1)
FLIP(rsp_last, true, r->last ^= 1)
FLIP(rsp_mask, true, r->mask ^= 1)
FLIP(rsp_pred, true, r->pred ^= 4)
FLIP(rsp_passes, r->last, r->passes ^= 1)
#undef FLIP

static bool rsp_fault(struct lockstep *ls, struct shim_out *out)
{
	struct shim_rsp *r = taken(out);
	(void)ls;
	if (!r)
		return false;
	if (!r->any_fault)
		memset(r->fault, 0, sizeof r->fault);
	r->any_fault = 1;
	r->fault[2] ^= 1;
	return true;
}

static bool flip_data(struct lockstep *ls, struct shim_out *out, unsigned word)
{
	struct shim_rsp *r = taken(out);
	if (!r || !r->mask)
		return false;
	memcpy(ls->corrupt_data, r->data, ls->lanes * sizeof(struct wl_lane));
	ls->corrupt_data[__builtin_ctz(r->mask)].w[word] ^= 1;
	r->data = ls->corrupt_data[0].w;
	return true;
}

static bool rsp_data(struct lockstep *ls, struct shim_out *out)
{
	return flip_data(ls, out, 0);
}

static bool rsp_data_upper(struct lockstep *ls, struct shim_out *out)
{
	return flip_data(ls, out, 3);
}

static bool trace_accept(struct lockstep *ls, struct shim_out *out)
{
	(void)ls;
	out->trace_accept ^= 1;
	return true;
}

static bool trace_retire(struct lockstep *ls, struct shim_out *out)
{
	(void)ls;
	out->trace_retire ^= 1;
	return true;
}

/* done by compare_memory */
static bool memory(struct lockstep *ls, struct shim_out *out)
{
	(void)ls, (void)out;
	return true;
}

const struct cosim_field corrupt_fields[] = {
        {"rsp_tag", rsp_tag},           {"rsp_last", rsp_last},   {"rsp_mask", rsp_mask},
        {"rsp_pred", rsp_pred},         {"rsp_data", rsp_data},   {"rsp_data_upper", rsp_data_upper},
        {"rsp_passes", rsp_passes},     {"rsp_fault", rsp_fault}, {"trace_accept", trace_accept},
        {"trace_retire", trace_retire}, {"memory", memory},       {NULL, NULL},
};

void corrupt_outputs(struct lockstep *ls)
{
	if (!ls->corrupted && ls->stats.retired >= 100)
		ls->corrupted = ls->config.corrupt->flip(ls, &ls->out);
}
