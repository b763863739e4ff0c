/* SPDX-License-Identifier: Apache-2.0 */
/* resolve.c -- from the symbol of a call to the builtin.
 *
 * A symbol is a row's name, or a row's name, a dot and a type tag (overloaded builtins). The project's C header uses
 * __wlcc_atomic_X for the generic __nv_atomic_X: the first two arguments of the call give the type. */
#include <stdio.h>
#include <string.h>

#include "tables.h"

#define C_PREFIX   "__wlcc_atomic_"
#define CXX_PREFIX "__nv_atomic_"

static const struct nv_row *row_find(const char *name, size_t len)
{
	size_t n;
	const struct nv_row *rows = nv_rows(&n);
	for (size_t i = 0; i < n; i++)
		if (!strncmp(rows[i].name, name, len) && rows[i].name[len] == '\0')
			return &rows[i];
	return NULL;
}

/* Names reserved for builtins: an unknown name is an error, not an external function. */
static bool looks_ours(const char *s)
{
	static const char *const prefixes[] = {
	        CXX_PREFIX,          C_PREFIX,        "__nvvm_",       "__cuda_sm70_",
	        "__cuda_reduxsync_", "__nv_cluster",  "__cluster",     "__nv_memcpy_async_",
	        "__nv_threadfence",  "__threadfence", "__syncthreads", "__barrier_sync",
	        "__nv_isCluster",    "__isCluster",   "__shfl_",       "__match_",
	        "__reduce_"};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(s, prefixes[i], strlen(prefixes[i])))
			return true;
	const char *a = strstr(s, "Atomic");
	if (!strncmp(s, "__", 2) && a && a - s <= 6)
		return true;
	return !strncmp(s, "atomic", 6) && s[6] >= 'A' && s[6] <= 'Z';
}

static enum nv_form form_of(const char *base)
{
	size_t n = strlen(base);
	if (!strncmp(base, CXX_PREFIX "fetch_", strlen(CXX_PREFIX "fetch_")))
		return NV_N;
	if (n > 2 && !strcmp(base + n - 2, "_n"))
		return NV_N;
	if (strstr(base, "load") || strstr(base, "store") || strstr(base, "exchange"))
		return NV_GENERIC;
	return NV_N;
}

enum nv_found nv_resolve(const char *symbol, unsigned sm, bool documented, struct nv_builtin *out)
{
	char name[128];
	const char *dot = strchr(symbol, '.');
	bool by_kind = !strncmp(symbol, C_PREFIX, strlen(C_PREFIX));
	if (strncmp(symbol, "__", 2) && strncmp(symbol, "atomic", 6))
		return NV_NOT_OURS;
	if (strlen(symbol) >= sizeof name - 8)
		return NV_NOT_OURS;
	if (by_kind) {
		strcpy(name, CXX_PREFIX);
		strcat(name, symbol + strlen(C_PREFIX));
	} else {
		strcpy(name, symbol);
	}
	memset(out, 0, sizeof *out);

	const struct nv_row *r = row_find(name, strlen(name));
	const struct nv_type *type = NULL;
	if (!r && dot && !by_kind) {
		r = row_find(name, (size_t)(dot - symbol));
		type = nv_type_find(dot + 1);
		if (r && (strcmp(r->type, "*") || !type))
			return NV_UNDEFINED;
	} else if (r && !strcmp(r->type, "*") && !by_kind) {
		return NV_UNDEFINED; /* overloaded, and without a tag for the type */
	} else if (r && r->type[0] && strcmp(r->type, "*")) {
		const char *tag = strcmp(r->type, "*") ? r->type : "";
		type = nv_type_find(tag);
	}
	if (!r)
		return looks_ours(symbol) ? NV_UNDEFINED : NV_NOT_OURS;
	if ((int)sm < r->min_sm || (!documented && (r->diffs & NV_D_UNDEFINED)))
		return NV_UNDEFINED;

	out->row = r;
	out->family = r->family;
	out->op = r->op;
	out->scope = r->scope;
	out->by_kind = by_kind;
	if (type)
		out->type = *type;
	out->form = r->type[0] && strcmp(r->type, "*") ? NV_SUFFIX : form_of(r->name);
	out->fetches = r->op == NV_LOAD || r->op == NV_EXCH || r->op == NV_CAS || strstr(r->name, "fetch_") != NULL ||
	               r->family != NV_F_ATOMIC;
	return NV_FOUND;
}

const struct nv_row *nv_renamed(const struct nv_builtin *b, const struct nv_type *type)
{
	char base[64], name[64];
	const char *op = b->row->name + strlen(CXX_PREFIX);
	bool bare = b->op < NV_EXCH && strncmp(op, "fetch_", 6);
	size_t n = strlen(op);
	if (n > 2 && !strcmp(op + n - 2, "_n"))
		n -= 2;
	snprintf(base, sizeof base, "%s%s%.*s", CXX_PREFIX, bare ? "fetch_" : "", (int)n, op);
	return nv_mangle(base, type, name, sizeof name) ? row_find(name, strlen(name)) : NULL;
}
