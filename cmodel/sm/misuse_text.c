// SPDX-License-Identifier: Apache-2.0
/* misuse_text.c -- findings of misuse.c in words: warp, place, object, and the other place. */
#include <stdio.h>

#include "explain.h"
#include "gpu.h"

static void add_place(const struct wl_gpu *g, const struct wl_misuse_place *p, char *buf, size_t n)
{
	char place[300], calls[WL_WHERE];
	explain_place(g->program, p->pc, place, sizeof place);
	explain_calls(g->program, p->pc, calls, sizeof calls);
	snprintf(buf, n, "CTA %u warp %u lanes 0x%08x at %s, time %llu%s", p->cta, p->warp, p->lanes, place,
	         (unsigned long long)p->time, calls);
}

/* pc is the place of an mbarrier.inval, else of a waiting warp. */
static const char *end_or_wait(const struct wl_gpu *g, uint32_t pc)
{
	const bool ends = pc / 16 < g->program->ninst && g->program->insts[pc / 16].uop == WL_UOP_SYNCS_CCTL;
	return ends ? "the mbarrier.inval:" : "a warp waits there:";
}

const char *explain_role(const struct wl_gpu *g, const struct wl_misuse_found *f)
{
	switch (f->kind) {
	case WL_MISUSE_BARRIER_PLACES:
		return "and";
	case WL_MISUSE_MBAR_LAYOUT:
	case WL_MISUSE_MBAR_REINIT:
		return "the earlier mbarrier.init:";
	case WL_MISUSE_MBAR_INVAL_TWICE:
		return "the earlier mbarrier.inval:";
	case WL_MISUSE_MBAR_INVAL_IN_USE:
		return end_or_wait(g, f->there.pc);
	case WL_MISUSE_LAUNCH_REFUSED:
		return "the request that was refused:";
	case WL_MISUSE_MBAR_TOKEN_V1:
		return "the arrival:";
	case WL_MISUSE_MBAR_REPORT_EARLY:
		return "the wait:";
	case WL_MISUSE_COPY_EARLY:
		return "the copy:";
	default:
		return "the other place:";
	}
}

enum { OBJECT_NAME = 200, OBJECT_BYTES = 40, OBJECT_TEXT = OBJECT_NAME + OBJECT_BYTES + 2 };

static void name_object(const struct wl_gpu *g, const struct wl_misuse_found *f, char *buf, size_t n)
{
	char warps[80] = "";
	size_t len = 0;
	*buf = 0;
	if (f->has_addr && wl_space_of(f->addr) == WL_SPACE_LOCAL) {
		snprintf(buf, n, ", local address 0x%x", (uint32_t)f->addr);
	} else if (f->has_addr) {
		char name[OBJECT_NAME], bytes[OBJECT_BYTES] = "";
		explain_shared(g, (uint32_t)f->addr, name, sizeof name);
		if (f->bytes)
			snprintf(bytes, sizeof bytes, ", %u bytes are outstanding", f->bytes);
		snprintf(buf, n, ", %s%s", name, bytes);
	} else if (f->kind == WL_MISUSE_MASK_SELF) {
		snprintf(buf, n, ", the mask is 0x%08x", (uint32_t)f->addr);
	} else if (f->warps) {
		for (uint64_t m = f->warps; m && len < sizeof warps; m &= m - 1)
			len += (size_t)snprintf(warps + len, sizeof warps - len, "%s%d", len ? ", " : "",
			                        __builtin_ctzll(m));
		snprintf(buf, n, ", barrier %u, arrived: warps {%s}", f->id, warps);
	}
}

void wl_gpu_misuse_text(const struct wl_gpu *g, const struct wl_misuse_found *f, char *buf, size_t n)
{
	char here[420 + WL_WHERE], there[420 + WL_WHERE], object[OBJECT_TEXT], times[48] = "", group[80] = "";
	add_place(g, &f->here, here, sizeof here);
	name_object(g, f, object, sizeof object);
	if (f->times > 1)
		snprintf(times, sizeof times, " (%llu times)", (unsigned long long)f->times);
	if (!f->there.lanes) {
		snprintf(buf, n, "misuse %s: %s%s: %s%s", wl_misuse_name(f->kind), wl_misuse_sentence(f->kind), object,
		         here, times);
		return;
	}
	add_place(g, &f->there, there, sizeof there);
	if (f->grouped && f->group)
		snprintf(group, sizeof group, ", group %u of the %u that the warp has committed", f->group, f->groups);
	else if (f->grouped)
		snprintf(group, sizeof group, ", in no committed group");
	snprintf(buf, n, "misuse %s: %s%s: %s; %s %s%s%s", wl_misuse_name(f->kind), wl_misuse_sentence(f->kind), object,
	         here, explain_role(g, f), there, group, times);
}
