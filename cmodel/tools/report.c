// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "misuse_list.h"
#include "waits.h"

/* Unit name -> count, without the zeros. */
static json_t *by_unit(const uint64_t count[WL_UNIT_COUNT])
{
	json_t *o = json_object();
	for (unsigned u = 0; u < WL_UNIT_COUNT; u++)
		if (count[u])
			json_object_set_new(o, wl_unit_name((enum wl_unit)u), json_integer((json_int_t)count[u]));
	return o;
}

/* Text for JSON: without valid UTF-8 all bytes above 0x7f become '?'. */
static json_t *text(const char *s)
{
	json_t *v = json_string(s);
	if (v)
		return v;
	char *copy = strdup(s);
	for (char *p = copy; p && *p; p++)
		if (*p & 0x80)
			*p = '?';
	v = json_string(copy ? copy : "");
	free(copy);
	return v;
}

json_t *report_json(const struct report *r)
{
	json_t *o = json_object();
	json_object_set_new(o, "outcome", text(r->outcome));
	json_object_set_new(o, "detail", text(r->detail));
	if (r->printed)
		json_object_set_new(o, "printed", text(r->printed));
	if (r->checks) {
		json_object_update(o, r->checks);
		json_decref(r->checks);
	}
	json_t *misuse = misuse_json(r->gpu);
	if (misuse)
		json_object_set_new(o, "misuse", misuse);
	if (r->waits) {
		json_object_set_new(o, "waiting", waits_json(r->waits));
		if (r->waits->waits.ncircle)
			json_object_set_new(o, "circle", waits_circle_json(r->waits));
	}
	json_object_set_new(o, "warp_instructions", json_integer((json_int_t)r->warp_instructions));
	json_object_set_new(o, "seconds", json_real(r->seconds));
	json_object_set_new(o, "executed", by_unit(r->executed));
	if (r->lockstep) {
		json_object_set_new(o, "cpu_seconds", json_real(r->cpu_seconds));
		json_object_set_new(o, "checked", by_unit(r->checked));
		json_object_set_new(o, "unchecked", by_unit(r->unchecked));
		json_object_set_new(o, "mismatches", json_integer((json_int_t)r->mismatches));
		json_object_set_new(o, "rtl_cycles", json_integer((json_int_t)r->rtl_cycles));
		json_object_set_new(o, "max_inflight", json_integer((json_int_t)r->max_inflight));
		json_object_set_new(o, "mean_inflight", json_real(r->mean_inflight));
	}
	return o;
}

bool report_write(const char *path, const struct report *r, char *err, size_t errn)
{
	json_t *o = report_json(r);
	char *dump = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	json_decref(o);
	if (!dump) {
		snprintf(err, errn, "%s: no memory for the report", path);
		return false;
	}
	size_t size = strlen(dump);
	dump[size] = '\n'; /* in place of the end of the string */
	bool ok = file_write(path, dump, size + 1, err, errn);
	free(dump);
	return ok;
}
