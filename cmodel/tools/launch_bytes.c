// SPDX-License-Identifier: Apache-2.0
/* launch_bytes.c -- arguments of kind "bytes": structures, by their fields. A field lies at the field's `offset`, or
 * else behind the field before, as in C. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elem.h"
#include "launch_json.h"

enum { POINTER = 8, DEPTH = 16 };
#define FIELD_FORMS "buffer, hex, struct, structs or a type: " ELEM_TYPES

struct bytes_reader {
	struct reader *r;
	struct launch_arg *a;
	unsigned room;
	unsigned depth;
	uint8_t taken[WL_PARAM_MOST]; /* bytes of some field */
};

/* The name of the object with the kind of the field: neither `offset` nor an addition to another name. */
static const char *form_of(const json_t *o, unsigned *forms)
{
	static const char *const beside[] = {"offset", "plus", "stride", "name", NULL};
	const char *key, *form = NULL;
	json_t *value;
	*forms = 0;
	json_object_foreach((json_t *)(uintptr_t)o, key, value)
	{
		unsigned i = 0;
		while (beside[i] && strcmp(beside[i], key) != 0)
			i++;
		if (!beside[i]) {
			form = key;
			++*forms;
		}
	}
	return form;
}

static uint64_t align_of_list(const json_t *list, unsigned depth);

/* Alignment of a field of this kind in C; 1 for no field. */
static uint64_t align_of(const json_t *o, unsigned depth)
{
	unsigned forms;
	const char *form = json_is_object(o) ? form_of(o, &forms) : NULL;
	const struct elem_type *t = form ? elem_find(form) : NULL;
	if (t)
		return t->bytes;
	if (form && strcmp(form, "buffer") == 0)
		return POINTER;
	if (form && strcmp(form, "struct") == 0)
		return align_of_list(json_object_get(o, form), depth + 1);
	if (form && strcmp(form, "structs") == 0)
		return align_of_list(json_array_get(json_object_get(o, form), 0), depth + 1);
	return 1;
}

static uint64_t align_of_list(const json_t *list, unsigned depth)
{
	uint64_t most = 1;
	for (size_t i = 0; depth < DEPTH && i < json_array_size(list); i++) {
		const uint64_t align = align_of(json_array_get(list, i), depth);
		most = align > most ? align : most;
	}
	return most;
}

static uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) / align * align;
}

static bool add(struct bytes_reader *b, uint64_t at, unsigned bytes, int buffer, uint64_t value)
{
	struct launch_arg *a = b->a;
	if (at + bytes > WL_PARAM_MOST || (a->size && at + bytes > a->size))
		return launch_fail(b->r, "bytes %llu to %llu lie outside of the argument, which has %u",
		                   (unsigned long long)at, (unsigned long long)(at + bytes - 1),
		                   a->size ? a->size : (unsigned)WL_PARAM_MOST);
	for (unsigned i = 0; i < bytes; i++)
		if (b->taken[at + i]++)
			return launch_fail(b->r, "byte %llu belongs to another field, too", (unsigned long long)at + i);
	if (a->nfields == b->room) {
		struct launch_field *more = realloc(a->field, (b->room = 2 * b->room + 16) * sizeof *more);
		if (!more)
			return launch_fail(b->r, "no memory");
		a->field = more;
	}
	a->field[a->nfields++] = (struct launch_field){(uint32_t)at, (uint8_t)bytes, buffer, value};
	a->end = at + bytes > a->end ? (uint32_t)(at + bytes) : a->end;
	return true;
}

static bool read_address(struct bytes_reader *b, const json_t *o, uint64_t *at)
{
	const struct launch_file *l = b->r->l;
	const char *name = json_string_value(json_object_get(o, "buffer"));
	const json_t *plus = launch_get(o, "plus");
	unsigned i = 0;
	while (i < l->nall && !(name && l->arg[i].is_buffer && strcmp(l->arg[i].name, name) == 0))
		i++;
	if (i == l->nall)
		return launch_wrong(b->r, "buffer", json_object_get(o, "buffer"),
		                    "the name of a buffer of 'args' or 'buffers'");
	const uint64_t bytes = l->arg[i].count * l->arg[i].type->bytes;
	if (plus &&
	    (!json_is_integer(plus) || json_integer_value(plus) < 0 || (uint64_t)json_integer_value(plus) > bytes))
		return launch_wrong(b->r, "plus", plus, "a number of bytes up to the size of the buffer");
	const bool good = add(b, *at, POINTER, (int)i, plus ? (uint64_t)json_integer_value(plus) : 0);
	*at += POINTER;
	return good;
}

/* A number, or a list of numbers. */
static bool read_numbers(struct bytes_reader *b, const char *form, const json_t *v, uint64_t *at)
{
	const struct elem_type *t = elem_find(form);
	const size_t n = json_is_array(v) ? json_array_size(v) : 1;
	for (size_t i = 0; i < n; i++) {
		const json_t *one = json_is_array(v) ? json_array_get(v, i) : v;
		uint64_t value;
		if (!launch_value(one, t, &value))
			return launch_wrong(b->r, form, one, LAUNCH_VALUE_FORMS);
		if (!add(b, *at, t->bytes, -1, value))
			return false;
		*at += t->bytes;
	}
	return true;
}

static int digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

/* Bytes in the order of memory. */
static bool read_hex(struct bytes_reader *b, const json_t *v, uint64_t *at)
{
	const char *s = json_string_value(v);
	for (; s && *s && *s != ' '; s += 2 + strspn(s + 2, " ")) {
		const int high = digit(s[0]), low = high < 0 ? -1 : digit(s[1]);
		if (low < 0) {
			s = NULL;
			break;
		}
		if (!add(b, (*at)++, 1, -1, (uint64_t)(high << 4 | low)))
			return false;
	}
	return (s && !*s) || launch_wrong(b->r, "hex", v, "pairs of hexadecimal digits, a pair each byte");
}

static bool read_fields(struct bytes_reader *b, const json_t *list, const char *name, uint64_t from, uint64_t *end);

/* A list of structures, at distances of `stride`, or else of the common size. */
static bool read_structs(struct bytes_reader *b, const json_t *o, uint64_t *at)
{
	const json_t *list = json_object_get(o, "structs"), *stride = launch_get(o, "stride");
	const uint64_t from = *at, align = align_of_list(json_array_get(list, 0), 0);
	uint64_t step = 0, size = 0;
	if (stride &&
	    (!json_is_integer(stride) || json_integer_value(stride) < 1 || json_integer_value(stride) > WL_PARAM_MOST))
		return launch_wrong(b->r, "stride", stride, "a number of bytes");
	if (!json_is_array(list) || !json_array_size(list))
		return launch_wrong(b->r, "structs", list, "a list of lists of fields");
	for (size_t i = 0; i < json_array_size(list); i++) {
		uint64_t end;
		char name[40];
		snprintf(name, sizeof name, "structs[%zu]", i);
		if (!read_fields(b, json_array_get(list, i), name, from + i * step, &end))
			return false;
		if (!i) {
			size = end - from;
			step = stride ? (uint64_t)json_integer_value(stride) : size;
		}
		if (!stride && (align_of_list(json_array_get(list, i), 0) != align || end - (from + i * step) != size))
			return launch_fail(b->r,
			                   "%s has %" PRIu64 " bytes aligned to %" PRIu64 ", structs[0] %" PRIu64
			                   " aligned to %" PRIu64 ": expected one form of structure",
			                   name, end - (from + i * step), align_of_list(json_array_get(list, i), 0),
			                   size, align);
	}
	*at = from + step * json_array_size(list);
	return true;
}

/* `plus` and `stride` go with a single kind of field; beside other kinds the name would be lost. */
static bool goes_with(struct bytes_reader *b, const json_t *o, const char *form)
{
	if (json_object_get(o, "plus") && strcmp(form, "buffer") != 0)
		return launch_fail(b->r, "has 'plus', which goes with 'buffer', found '%s'", form);
	if (json_object_get(o, "stride") && strcmp(form, "structs") != 0)
		return launch_fail(b->r, "has 'stride', which goes with 'structs', found '%s'", form);
	return true;
}

static bool read_one(struct bytes_reader *b, const json_t *o, uint64_t from, uint64_t *at)
{
	unsigned forms;
	const char *form = json_is_object(o) ? form_of(o, &forms) : NULL;
	const json_t *offset = json_is_object(o) ? launch_get(o, "offset") : NULL;
	if (!form || forms != 1)
		return launch_fail(b->r, "has %u of these names, expected one: %s", form ? forms : 0, FIELD_FORMS);
	if (!goes_with(b, o, form))
		return false;
	if (offset &&
	    (!json_is_integer(offset) || json_integer_value(offset) < 0 || json_integer_value(offset) >= WL_PARAM_MOST))
		return launch_wrong(b->r, "offset", offset, "a number of bytes below 32764");
	*at = offset ? from + (uint64_t)json_integer_value(offset) : from + align_up(*at - from, align_of(o, 0));
	if (strcmp(form, "buffer") == 0)
		return read_address(b, o, at);
	if (strcmp(form, "hex") == 0)
		return read_hex(b, json_object_get(o, form), at);
	if (strcmp(form, "struct") == 0)
		return read_fields(b, json_object_get(o, form), "struct", *at, at);
	if (strcmp(form, "structs") == 0)
		return read_structs(b, o, at);
	return elem_find(form) ? read_numbers(b, form, json_object_get(o, form), at)
	                       : launch_fail(b->r, "has a name '%s', expected one of %s", form, FIELD_FORMS);
}

/* *end: as C rounds the structure. */
static bool read_fields(struct bytes_reader *b, const json_t *list, const char *name, uint64_t from, uint64_t *end)
{
	const size_t where = strlen(b->r->where);
	uint64_t at = from, last = from;
	if (!json_is_array(list))
		return launch_wrong(b->r, name, list, "a list of fields");
	if (b->depth == DEPTH)
		return launch_fail(b->r, "structures lie more than %d deep in one another", DEPTH);
	b->depth++;
	for (size_t i = 0; i < json_array_size(list); i++) {
		snprintf(b->r->where + where, sizeof b->r->where - where, "%s[%zu]: ", name, i);
		if (!read_one(b, json_array_get(list, i), from, &at))
			return false;
		last = at > last ? at : last;
	}
	b->depth--;
	b->r->where[where] = 0;
	*end = from + align_up(last - from, align_of_list(list, 0));
	return true;
}

bool launch_bytes_read(struct reader *r, const json_t *o, struct launch_arg *a)
{
	static const char *const known[] = {"name", "kind", "size", "fields", "hex", NULL};
	const json_t *size = launch_get(o, "size"), *fields = launch_get(o, "fields"), *hex = launch_get(o, "hex");
	struct bytes_reader *b = calloc(1, sizeof *b);
	uint64_t end = 0;
	bool good = b != NULL;
	if (!good)
		return launch_fail(r, "no memory");
	*b = (struct bytes_reader){.r = r, .a = a};
	launch_note_unknown(r, o, known);
	if (size &&
	    (!json_is_integer(size) || json_integer_value(size) < 1 || json_integer_value(size) > WL_PARAM_MOST))
		good = launch_wrong(r, "size", size, "a number of bytes from 1 to 32764");
	else if (!fields && !hex)
		good = launch_fail(r, "has neither 'fields' nor 'hex': one says the bytes");
	a->size = good && size ? (uint32_t)json_integer_value(size) : 0;
	good = good && (!hex || read_hex(b, hex, &end)) && (!fields || read_fields(b, fields, "fields", 0, &end));
	free(b);
	return good;
}

void launch_bytes_fill(const struct launch_arg *a, const uint64_t *addr, uint8_t *to)
{
	for (unsigned i = 0; i < a->nfields; i++) {
		const struct launch_field *f = &a->field[i];
		const uint64_t value = f->buffer < 0 ? f->value : addr[f->buffer] + f->value;
		memcpy(to + f->at, &value, f->bytes);
	}
}
