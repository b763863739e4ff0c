/* SPDX-License-Identifier: Apache-2.0 */
/* tables.c -- the rows of the .def files, and look-ups. */
#include "tables.h"

#include <stdio.h>
#include <string.h>

static const struct nv_row rows[] = {
#define NV_ATOMIC(id, name, fam, op, type, scope, mi, key, sm, diffs)                                                  \
	{id, name, fam, op, type, scope, mi, key, sm, diffs, "", "", NULL},
#include "atomics.def"
#undef NV_ATOMIC
#define NV_SYNC(id, name, fam, sig, text, doc, sm, diffs)                                                              \
	{id, name, fam, NV_FENCE, strchr(sig, '*') ? "*" : "", NV_THREAD, 0, 0, sm, diffs, sig, text, doc},
#include "assembler_intrinsics.def"
#include "sync.def"
#undef NV_SYNC
};

static const struct nv_type types[] = {
#define NV_TYPE(tag, cls, bytes, align, sign, spelling) {tag, cls, bytes, align, sign},
#include "types.def"
#undef NV_TYPE
};

const struct nv_row *nv_rows(size_t *n)
{
	*n = sizeof rows / sizeof *rows;
	return rows;
}

size_t nv_type_count(void)
{
	return sizeof types / sizeof *types;
}

const struct nv_type *nv_type_at(size_t i)
{
	return i < nv_type_count() ? &types[i] : NULL;
}

const struct nv_type *nv_type_find(const char *tag)
{
	for (size_t i = 0; i < nv_type_count(); i++)
		if (!strcmp(types[i].tag, tag))
			return &types[i];
	return NULL;
}

const char *nv_op_name(enum nv_op op)
{
	static const char *const names[] = {"add", "sub", "and",  "or",  "xor",  "max",   "min",
	                                    "inc", "dec", "exch", "cas", "load", "store", "fence"};
	return names[op];
}

bool nv_mangle(const char *base, const struct nv_type *type, char *out, size_t outn)
{
	static const char prefix[] = "__nv_atomic_fetch_";
	bool fetch = !strncmp(base, prefix, sizeof prefix - 1);
	const char *op = fetch ? base + sizeof prefix - 1 : "";
	const char *suffix = "";
	unsigned n = type->bytes;
	if (fetch && n != 4 && n != 8)
		return false;
	if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16)
		return false;
	if (!strcmp(op, "add") || !strcmp(op, "sub") || !strcmp(op, "max") || !strcmp(op, "min"))
		suffix = type->cls == NV_C_FLOAT ? "_f" : type->cls == NV_C_INT && type->is_signed ? "_s" : "_u";
	snprintf(out, outn, "%s_%u%s", base, n, suffix);
	return true;
}
