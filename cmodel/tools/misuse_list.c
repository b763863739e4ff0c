// SPDX-License-Identifier: Apache-2.0
#include "misuse_list.h"

enum { TEXT = 1400 + 2 * WL_WHERE };

void misuse_help(FILE *f)
{
	fputs("Kinds of --misuse, and what the run does without the option:\n", f);
	for (unsigned i = 0; i < WL_MISUSE_COUNT; i++)
		fprintf(f, "  %-22s %-7s %s\n", wl_misuse_name((enum wl_misuse)i),
		        wl_misuse_faults((enum wl_misuse)i) ? "ends" : "goes on",
		        wl_misuse_sentence((enum wl_misuse)i));
}

void misuse_notes(const struct wl_gpu *gpu, bool all, void (*note)(void *self, const char *text), void *self)
{
	const struct wl_misuse_found *found;
	uint64_t more, untold = 0;
	char text[TEXT];
	const unsigned n = wl_gpu_misuses(gpu, &found, &more);
	for (unsigned i = 0; note && i < n; i++) {
		const bool told = all || !found[i].forgiven;
		untold += !told;
		if (!told || found[i].ends)
			continue;
		wl_gpu_misuse_text(gpu, &found[i], text, sizeof text);
		note(self, text);
	}
	if (note && more) {
		snprintf(text, sizeof text, "misuse: %llu more findings at other places", (unsigned long long)more);
		note(self, text);
	}
	if (!note || !untold)
		return;
	snprintf(text, sizeof text,
	         "misuse: %llu finding%s, undefined in PTX, executed as silicon does; --misuse=report tells %s",
	         (unsigned long long)untold, untold == 1 ? "" : "s", untold == 1 ? "the finding" : "each one");
	note(self, text);
}

static json_t *place(const struct wl_misuse_place *p)
{
	char lanes[16], pc[16];
	snprintf(lanes, sizeof lanes, "0x%08x", p->lanes);
	snprintf(pc, sizeof pc, "0x%x", p->pc);
	return json_pack("{s:i s:i s:i s:s s:s s:I}", "sm", (int)p->sm, "cta", (int)p->cta, "warp", (int)p->warp,
	                 "lanes", lanes, "pc", pc, "time", (json_int_t)p->time);
}

static json_t *one(const struct wl_gpu *gpu, const struct wl_misuse_found *f)
{
	char text[TEXT];
	wl_gpu_misuse_text(gpu, f, text, sizeof text);
	json_t *s = json_string(text);
	json_t *o = json_pack("{s:s s:o s:I s:o}", "kind", wl_misuse_name(f->kind), "text", s ? s : json_string("?"),
	                      "times", (json_int_t)f->times, "here", place(&f->here));
	if (f->there.lanes)
		json_object_set_new(o, "there", place(&f->there));
	return o;
}

json_t *misuse_json(const struct wl_gpu *gpu)
{
	const struct wl_misuse_found *found;
	uint64_t more;
	const unsigned n = gpu ? wl_gpu_misuses(gpu, &found, &more) : 0;
	json_t *list = n ? json_array() : NULL;
	for (unsigned i = 0; i < n; i++)
		json_array_append_new(list, one(gpu, &found[i]));
	return list;
}
