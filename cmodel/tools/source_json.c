// SPDX-License-Identifier: Apache-2.0
#include "source_json.h"

static void set_text(json_t *o, const char *key, const char *text)
{
	json_t *s = json_string(text);
	json_object_set_new(o, key, s ? s : json_string("?"));
}

void inlined_json(const struct wl_program *p, uint32_t i, json_t *o)
{
	const struct wl_place *at = wl_program_place(p, i);
	if (!at || !at->caller)
		return;
	json_t *list = json_array();
	for (; at; at = at->caller ? &p->places[at->caller - 1] : NULL) {
		json_t *one = json_object();
		if (at->function)
			set_text(one, "function", at->function);
		set_text(one, "source", at->file);
		json_object_set_new(one, "line", json_integer(at->line));
		json_array_append_new(list, one);
	}
	json_object_set_new(o, "inlined", list);
}

void source_json(const struct wl_program *p, uint32_t i, json_t *o)
{
	const char *file;
	unsigned line;
	if (!wl_program_line(p, i, &file, &line))
		return;
	set_text(o, "source", file);
	json_object_set_new(o, "line", json_integer(line));
	inlined_json(p, i, o);
}
