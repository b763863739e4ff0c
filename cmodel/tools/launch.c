// SPDX-License-Identifier: Apache-2.0
/* launch.c -- launch files. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elem.h"
#include "file.h"
#include "launch.h"
#include "launch_json.h"
#include "warplock/object.h"

static bool read_text(const struct reader *r, const json_t *o, const char *field, char *out, size_t n)
{
	const json_t *v = launch_get(o, field);
	const char *s = json_string_value(v);
	if (!s || !*s || strlen(s) >= n || strlen(s) != json_string_length(v))
		return launch_wrong(r, field, v, "a text");
	snprintf(out, n, "%s", s);
	return true;
}

static bool read_dim(const struct reader *r, const json_t *o, const char *field, uint32_t out[3])
{
	const json_t *v = launch_get(o, field);
	bool ok = json_is_array(v) && json_array_size(v) == 3;
	for (size_t d = 0; ok && d < 3; d++) {
		json_int_t n = json_integer_value(json_array_get(v, d));
		ok = json_is_integer(json_array_get(v, d)) && n >= 1 && n <= INT32_MAX;
		out[d] = (uint32_t)n;
	}
	return ok || launch_wrong(r, field, v, "three numbers from 1 to 2147483647: [x, y, z]");
}

/* A path in a launch file is relative to the folder of the file. */
static bool file_path(const struct reader *r, const char *field, const char *name, char out[LAUNCH_PATH])
{
	const char *slash = strrchr(r->l->path, '/');
	int dir = name[0] != '/' && slash ? (int)(slash - r->l->path) + 1 : 0;
	if (!*name)
		return launch_fail(r, "field '%s' names no file", field);
	if (snprintf(out, LAUNCH_PATH, "%.*s%s", dir, r->l->path, name) >= LAUNCH_PATH)
		return launch_fail(r, "field '%s': the path is longer than %d characters", field, LAUNCH_PATH - 1);
	return true;
}

/* Element by element: [1, 2, 3]. The count of the buffer is known. */
static bool read_values(const struct reader *r, const json_t *v, const char *field, const struct launch_arg *a,
                        struct launch_fill *f)
{
	if (json_array_size(v) != a->count)
		return launch_fail(r, "field '%s' lists %zu values, expected %" PRIu64 ", the count of the buffer",
		                   field, json_array_size(v), a->count);
	f->kind = FILL_LIST;
	f->list = calloc(a->count, sizeof *f->list);
	if (!f->list)
		return launch_fail(r, "no memory");
	for (size_t i = 0; i < a->count; i++) {
		char entry[64];
		snprintf(entry, sizeof entry, "%s[%zu]", field, i);
		if (!launch_value(json_array_get(v, i), a->type, &f->list[i]))
			return launch_wrong(r, entry, json_array_get(v, i), LAUNCH_VALUE_FORMS);
	}
	return true;
}

static bool read_init(const struct reader *r, const json_t *o, struct launch_arg *a)
{
	const json_t *v = launch_get(o, "init");
	const char *s = v ? json_string_value(v) : "zero";
	if (json_is_array(v))
		return read_values(r, v, "init", a, &a->init);
	if (s && strncmp(s, "file:", 5) == 0) {
		a->init.kind = FILL_FILE;
		return file_path(r, "init", s + 5, a->init.text);
	}
	if (s && strcmp(s, "unwritten") == 0) {
		a->init.kind = FILL_UNWRITTEN;
		return true;
	}
	return (s && elem_fill_parse(a->type, s, &a->init)) ||
	       launch_wrong(r, "init", v,
	                    "a list of values, zero, iota, const:V, random:SEED:LO:HI, file:F or unwritten (values "
	                    "that fit the type)");
}

/* Without the field `checker` the closing line of the run says: nothing checks the rule. */
static bool read_rule(const struct reader *r, const json_t *v, struct launch_fill *f)
{
	if (snprintf(f->text, sizeof f->text, "%s", json_string_value(v) + 5) >= (int)sizeof f->text)
		return launch_fail(r, "field 'expect': the name of the rule is longer than %zu characters",
		                   sizeof f->text - 1);
	f->kind = FILL_RULE;
	return true;
}

static bool read_expect(const struct reader *r, const json_t *o, struct launch_arg *a)
{
	const json_t *v = launch_get(o, "expect");
	const char *s = json_string_value(v);
	if (!v)
		return true;
	if (json_is_array(v))
		return read_values(r, v, "expect", a, &a->expect);
	if (s && strncmp(s, "file:", 5) == 0) {
		a->expect.kind = FILL_FILE;
		return file_path(r, "expect", s + 5, a->expect.text);
	}
	if (s && strncmp(s, "rule:", 5) == 0 && s[5])
		return read_rule(r, v, &a->expect);
	return (s && elem_fill_parse(a->type, s, &a->expect)) ||
	       launch_wrong(r, "expect", v,
	                    "a list of values, zero, iota, const:V, random:SEED:LO:HI, file:F, rule:NAME or null "
	                    "(values that fit the type)");
}

/* The program with the rules of the file. The tools only require the program's presence. */
static bool read_checker(const struct reader *r, const json_t *root)
{
	const json_t *v = launch_get(root, "checker");
	if (!v)
		return true;
	if (!json_is_string(v))
		return launch_wrong(r, "checker", v, "the name of a file");
	if (!file_path(r, "checker", json_string_value(v), r->l->checker))
		return false;
	FILE *f = fopen(r->l->checker, "rb");
	if (!f)
		return launch_fail(r, "field 'checker': %s: %s", r->l->checker, strerror(errno));
	fclose(f);
	return true;
}

/* Whether every element of generated contents has the value of the form, except integers cut by iota. */
static bool fits(const struct reader *r, const char *field, const struct launch_arg *a, const struct launch_fill *f)
{
	if (f->kind == FILL_RANDOM && !(elem_fits(a->type, f->lo) && elem_fits(a->type, f->hi)))
		return launch_fail(r, "field '%s' is \"%s\": expected numbers that fit the type %s", field, f->text,
		                   a->type->name);
	if (f->kind == FILL_IOTA && elem_is_real(a->type) && !elem_fits(a->type, (int64_t)(a->count - 1)))
		return launch_fail(r, "field '%s' is iota: element %" PRIu64 " does not fit the type %s", field,
		                   a->count - 1, a->type->name);
	return true;
}

static bool read_buffer(const struct reader *r, const json_t *o, struct launch_arg *a)
{
	const json_t *count = launch_get(o, "count");
	json_int_t n = json_integer_value(count);
	if (!json_is_integer(count) || n < 1 || n > INT64_C(1) << 32)
		return launch_wrong(r, "count", count, "a number of elements from 1 to 2^32");
	a->count = (uint64_t)n;
	return read_init(r, o, a) && read_expect(r, o, a) && fits(r, "init", a, &a->init) &&
	       fits(r, "expect", a, &a->expect);
}

static bool read_scalar(const struct reader *r, const json_t *o, struct launch_arg *a)
{
	const json_t *v = launch_get(o, "value");
	return launch_value(v, a->type, &a->value) || launch_wrong(r, "value", v, LAUNCH_VALUE_FORMS);
}

/* nargs is known after the list of arguments. */
static bool same_name(const struct reader *r, const char *list, unsigned i)
{
	const unsigned nargs = strcmp(list, "args") == 0 ? r->l->nall : r->l->nargs;
	return launch_fail(r, "%s[%u] has the same name", i < nargs ? "args" : "buffers", i < nargs ? i : i - nargs);
}

/* The name of entry `index` of the list `list`; `all` counts the entries of both lists. */
static bool read_name(struct reader *r, const json_t *o, struct launch_arg *a, const char *list, unsigned index)
{
	snprintf(r->where, sizeof r->where, "%s[%u]: ", list, index);
	if (!json_is_object(o))
		return launch_fail(r, "is not an object");
	if (!read_text(r, o, "name", a->name, sizeof a->name))
		return false;
	if (strchr(a->name, '/') || a->name[0] == '.')
		return launch_wrong(r, "name", launch_get(o, "name"), "a name that can be part of a file name");
	snprintf(r->where, sizeof r->where, "%s[%u] '%s': ", list, index, a->name);
	for (unsigned i = 0; i < r->l->nall; i++)
		if (strcmp(r->l->arg[i].name, a->name) == 0)
			return same_name(r, list, i);
	return true;
}

/* An address: a text, as JSON has no hexadecimal numbers. True with 0 without the field. */
static bool read_address(const struct reader *r, const json_t *o, const char *field, uint64_t *out)
{
	const json_t *v = launch_get(o, field);
	const char *text = v ? json_string_value(v) : "0x0";
	char *end;
	errno = 0;
	*out = text ? strtoull(text, &end, 16) : 0;
	const bool good =
	        text && !errno && strncmp(text, "0x", 2) == 0 && text[2] && !*end && (!v || *out >= LAUNCH_ADDRESS);
	return good ||
	       launch_wrong(r, field, v, "an address from 0xa00000000 on, as a text such as \"0x200000000000\"");
}

static bool read_type(const struct reader *r, const json_t *o, struct launch_arg *a)
{
	char type[16];
	if (!read_text(r, o, "type", type, sizeof type))
		return false;
	a->type = elem_find(type);
	return a->type || launch_wrong(r, "type", launch_get(o, "type"), "one of " ELEM_TYPES);
}

static const char *const buffer_fields[] = {"name", "kind", "type", "count", "init", "expect", "address", NULL};

/* Fields of an argument of kind "bytes" come later: a field may name any buffer. */
static bool read_arg(struct reader *r, const json_t *o, struct launch_arg *a, unsigned index)
{
	static const char *const scalar[] = {"name", "kind", "type", "value", NULL};
	char kind[16];
	if (!read_name(r, o, a, "args", index) || !read_text(r, o, "kind", kind, sizeof kind))
		return false;
	a->is_buffer = strcmp(kind, "buffer") == 0;
	a->is_bytes = strcmp(kind, "bytes") == 0;
	if (a->is_bytes)
		return true;
	if (!a->is_buffer && strcmp(kind, "scalar") != 0)
		return launch_wrong(r, "kind", launch_get(o, "kind"), "buffer, scalar or bytes");
	if (!read_type(r, o, a))
		return false;
	launch_note_unknown(r, o, a->is_buffer ? buffer_fields : scalar);
	return a->is_buffer ? read_buffer(r, o, a) && read_address(r, o, "address", &a->address) : read_scalar(r, o, a);
}

/* Memory, not itself an argument: fields of arguments hold the address. */
static bool read_extra(struct reader *r, const json_t *o, struct launch_arg *a, unsigned index)
{
	const json_t *kind;
	if (!read_name(r, o, a, "buffers", index))
		return false;
	kind = launch_get(o, "kind");
	if (kind && (!json_is_string(kind) || strcmp(json_string_value(kind), "buffer") != 0))
		return launch_wrong(r, "kind", kind, "buffer");
	a->is_buffer = true;
	launch_note_unknown(r, o, buffer_fields);
	return read_type(r, o, a) && read_buffer(r, o, a) && read_address(r, o, "address", &a->address);
}

static bool read_list(struct reader *r, const json_t *list, const char *name,
                      bool (*read)(struct reader *r, const json_t *o, struct launch_arg *a, unsigned index))
{
	if (!json_is_array(list) || json_array_size(list) + r->l->nall > LAUNCH_MAX_ARGS)
		return launch_wrong(r, name, list, "a list of at most 256 arguments and buffers");
	for (unsigned i = 0; i < json_array_size(list); i++) {
		if (!read(r, json_array_get(list, i), &r->l->arg[r->l->nall], i))
			return false;
		r->l->nall++;
	}
	r->where[0] = 0;
	return true;
}

static bool read_args(struct reader *r, const json_t *root)
{
	const json_t *args = launch_get(root, "args"), *buffers = launch_get(root, "buffers");
	bool good = read_list(r, args, "args", read_arg);
	r->l->nargs = r->l->nall;
	good = good && (!buffers || read_list(r, buffers, "buffers", read_extra));
	for (unsigned i = 0; good && i < r->l->nargs; i++) {
		snprintf(r->where, sizeof r->where, "args[%u] '%s': ", i, r->l->arg[i].name);
		good = !r->l->arg[i].is_bytes || launch_bytes_read(r, json_array_get(args, i), &r->l->arg[i]);
	}
	if (good)
		r->where[0] = 0;
	return good;
}

static bool read_ptx(const struct reader *r, const json_t *root)
{
	const json_t *ptx = launch_get(root, "ptx");
	const char *arch;
	json_t *file;
	if (!ptx)
		return true;
	if (!json_is_object(ptx) || json_object_size(ptx) > LAUNCH_MAX_PTX)
		return launch_wrong(r, "ptx", ptx, "an object: architecture -> file");
	void *it = json_object_iter((json_t *)(uintptr_t)ptx);
	for (; it; it = json_object_iter_next((json_t *)(uintptr_t)ptx, it)) {
		struct launch_ptx *p = &r->l->ptx[r->l->nptx];
		arch = json_object_iter_key(it);
		file = json_object_iter_value(it);
		if (strlen(arch) >= sizeof p->arch || !json_is_string(file))
			return launch_wrong(r, "ptx", ptx, "an object: architecture -> file");
		snprintf(p->arch, sizeof p->arch, "%s", arch);
		if (!file_path(r, "ptx", json_string_value(file), p->file))
			return false;
		r->l->nptx++;
	}
	return true;
}

static bool one_of(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(s, *words) == 0)
			return true;
	return false;
}

/* Demands of the file beyond grid and arguments; a part not built is an error with its own message. */
static bool read_demands(const struct reader *r, const json_t *root)
{
	static const char *const outcomes[] = {"pass", "deadlock", "fault", "limit", "race",
	                                       "sync", "init",     "mem",   NULL};
	static const char *const residencies[] = {"any", "in_order", "all", "cluster", NULL};
	static const char *const progress[] = {"warp", "thread", NULL};
	const json_t *expect = launch_get(root, "expect"), *residency = launch_get(root, "residency"),
	             *forward = launch_get(root, "forward_progress"), *cooperative = launch_get(root, "cooperative");
	const char *s = expect ? json_string_value(expect) : "pass";
	if (!s || !one_of(s, outcomes))
		return launch_wrong(r, "expect", expect, "pass, deadlock, fault, limit, race, sync, init or mem");
	snprintf(r->l->expect, sizeof r->l->expect, "%s", s);
	s = residency ? json_string_value(residency) : "any";
	if (!s || !one_of(s, residencies))
		return launch_wrong(r, "residency", residency, "any, in_order, all or cluster");
	r->l->all_resident = strcmp(s, "all") == 0;
	s = forward ? json_string_value(forward) : "warp";
	if (!s || !one_of(s, progress))
		return launch_wrong(r, "forward_progress", forward, "warp or thread");
	if (cooperative && !json_is_boolean(cooperative))
		return launch_wrong(r, "cooperative", cooperative, "true or false");
	r->l->cooperative = json_is_true(cooperative);
	r->l->all_resident |= r->l->cooperative;
	return !launch_get(root, "cluster") || read_dim(r, root, "cluster", r->l->cluster);
}

static bool read_root(struct reader *r, const json_t *root)
{
	const json_t *shared;
	if (!json_is_object(root))
		return launch_fail(r, "is not a JSON object");
	if (!read_text(r, root, "kernel", r->l->kernel, sizeof r->l->kernel) ||
	    !read_dim(r, root, "grid", r->l->grid) || !read_dim(r, root, "block", r->l->block))
		return false;
	shared = launch_get(root, "dynamic_shared");
	json_int_t bytes = json_integer_value(shared);
	if (shared && (!json_is_integer(shared) || bytes < 0 || bytes > INT32_MAX))
		return launch_wrong(r, "dynamic_shared", shared, "a number of bytes up to 2^31 - 1");
	r->l->dynamic_shared = (uint32_t)bytes;
	const json_t *heap = launch_get(root, "heap");
	if (heap && (!json_is_integer(heap) || json_integer_value(heap) < 32 || json_integer_value(heap) > 1 << 29))
		return launch_wrong(r, "heap", heap, "a number of bytes from 32 to 2^29");
	if (heap)
		r->l->heap = (uint64_t)json_integer_value(heap);
	const json_t *stack = launch_get(root, "stack");
	if (stack &&
	    (!json_is_integer(stack) || json_integer_value(stack) < 0 || json_integer_value(stack) > LAUNCH_STACK_MOST))
		return launch_wrong(r, "stack", stack, "a number of bytes up to 2^19");
	r->l->stack = (uint32_t)json_integer_value(stack);
	static const char *const known[] = {"kernel",       "doc",          "grid",        "block",
	                                    "heap",         "stack",        "cluster",     "dynamic_shared",
	                                    "args",         "buffers",      "expect",      "residency",
	                                    "ptx",          "checker",      "cooperative", "forward_progress",
	                                    "variables_at", "constants_at", "heap_at",     NULL};
	launch_note_unknown(r, root, known);
	if (!read_address(r, root, "variables_at", &r->l->variables_at) ||
	    !read_address(r, root, "constants_at", &r->l->constants_at) ||
	    !read_address(r, root, "heap_at", &r->l->heap_at))
		return false;
	return read_demands(r, root) && read_checker(r, root) && read_ptx(r, root) && read_args(r, root);
}

/* Digits of an integer of 64 bits at p, behind the character `before`; 0 = no such integer. */
static size_t large_digits(const char *p, char before)
{
	size_t n = strspn(p, "0123456789");
	bool integer = n && !strchr(".eE", p[n]) && !strchr("+-.eE0123456789", before);
	return integer && (n == 20 || (n == 19 && strncmp(p, "9223372036854775808", 19) >= 0)) ? n : 0;
}

/* The JSON library reads no integers of more than 63 bits: such integers become texts of the same digits, for u64
 * values, and are refused as texts elsewhere. Takes `text` over; NULL: no memory. */
static char *quote_large(char *text, size_t *size)
{
	char *out = malloc(2 * *size + 1), *to = out;
	bool quoted = false, escaped = false;
	for (size_t i = 0; out && i < *size; i++) {
		size_t n = quoted ? 0 : large_digits(text + i, i ? text[i - 1] : ' ');
		quoted ^= text[i] == '"' && !escaped;
		escaped = quoted && !escaped && text[i] == '\\';
		if (n)
			*to++ = '"';
		memcpy(to, text + i, n ? n : 1);
		to += n ? n : 1;
		i += n ? n - 1 : 0;
		if (n)
			*to++ = '"';
	}
	*size = (size_t)(to - out);
	free(text);
	return out;
}

void launch_free(struct launch_file *l)
{
	for (unsigned i = 0; i < LAUNCH_MAX_ARGS; i++) {
		free(l->arg[i].field);
		free(l->arg[i].init.list);
		free(l->arg[i].expect.list);
		l->arg[i].field = NULL;
		l->arg[i].init.list = l->arg[i].expect.list = NULL;
	}
}

bool launch_read(const char *path, struct launch_file *out, char *err, size_t errn)
{
	struct reader r = {out, err, errn, ""};
	json_error_t e;
	memset(out, 0, sizeof *out);
	out->heap = LAUNCH_HEAP;
	snprintf(out->path, sizeof out->path, "%s", path);
	if (strlen(path) >= sizeof out->path)
		return launch_fail(&r, "the path is longer than %d characters", LAUNCH_PATH - 1);
	size_t size;
	char *text = (char *)file_read(path, &size, err, errn);
	if (!text)
		return false;
	if (size >= 4 && (memcmp(text, "\177ELF", 4) == 0 || wl_image_is_fatbin((unsigned char *)text, size))) {
		free(text);
		return launch_fail(&r, "is a program, expected a launch file (JSON)");
	}
	text = quote_large(text, &size);
	json_t *root = text ? json_loadb(text, size, JSON_REJECT_DUPLICATES, &e) : NULL;
	if (!text)
		return launch_fail(&r, "no memory");
	free(text);
	if (!root)
		return launch_fail(&r, "line %d, column %d: %s", e.line, e.column, e.text);
	bool ok = read_root(&r, root);
	json_decref(root);
	if (!ok)
		launch_free(out);
	return ok;
}

void launch_default(struct launch_file *out)
{
	memset(out, 0, sizeof *out);
	out->heap = LAUNCH_HEAP;
	for (unsigned d = 0; d < 3; d++)
		out->grid[d] = out->block[d] = 1;
	out->block[0] = WL_WARP_LANES;
	snprintf(out->expect, sizeof out->expect, "pass");
}

static const char *ptx_of(const struct launch_file *l, const char *name)
{
	for (unsigned i = 0; i < l->nptx; i++)
		if (strcmp(l->ptx[i].arch, name) == 0)
			return l->ptx[i].file;
	return NULL;
}

const char *launch_ptx_for(const struct launch_file *l, unsigned chip, char *err, size_t errn)
{
	/* code for sm_90a runs on chip 90 alone, as code of a family runs on its first chip */
	static const char *const suffix[] = {"", "a", "f"};
	char name[16];
	const char *file = NULL;
	for (size_t i = 0; !file && i < sizeof suffix / sizeof suffix[0]; i++) {
		snprintf(name, sizeof name, "sm_%u%s", chip, suffix[i]);
		file = ptx_of(l, name);
	}
	if (file)
		return file;
	snprintf(name, sizeof name, "sm_%u", (unsigned)wl_arch_of_chip(chip));
	file = ptx_of(l, name);
	if (!file)
		snprintf(err, errn, "%s: field 'ptx' names no file for sm_%u", l->path, chip);
	return file;
}
