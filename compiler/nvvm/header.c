/* SPDX-License-Identifier: Apache-2.0 */
/* header.c -- the C header in front of every C input, made from the tables. The header declares each builtin under a
 * name of Warplock, with the real symbol as asm label, so that clang's own builtins of the same name do not
 * interfere. The overloaded names are macros; _Generic chooses by the type of the object. */
#include <string.h>

#include "driver.h"
#include "tables.h"

static const char *const spellings[] = {
#define NV_TYPE(tag, cls, bytes, align, sign, spelling) spelling,
#include "types.def"
#undef NV_TYPE
};

/* C spelling of a tag, "" for a tag without a spelling in C. */
static const char *spelling_of(const char *tag)
{
	for (size_t i = 0; i < nv_type_count(); i++)
		if (!strcmp(nv_type_at(i)->tag, tag))
			return spellings[i];
	return "";
}

static const char prologue[] = "/* Builtins of CUDA's compiler for C: made by wlnvvm --print-header. */\n"
                               "#ifndef WLCC_BUILTINS\n#define WLCC_BUILTINS\n"
                               "enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, "
                               "__NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, "
                               "__NV_ATOMIC_SEQ_CST };\n"
                               "enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, "
                               "__NV_THREAD_SCOPE_DEVICE, "
                               "__NV_THREAD_SCOPE_SYSTEM };\n"
                               "#define __WL_OS(o, s, ...) (o), (s)\n"
                               "#define __WL_OOS(a, b, s, ...) (a), (b), (s)\n"
                               "#define __WL_LW(l, w, ...) (l), (w)\n"
                               "#define __WL_T(p) __typeof_unqual__(*(p))\n";

/* The generic C11-model names: by address, with kind and size in front. */
static const char generics[] =
        "#define __nv_atomic_load(p, r, ...) __wlcc_atomic_load(__WL_A(p), (void *)(r), __WL_OS(__VA_ARGS__, 4, 0))\n"
        "#define __nv_atomic_load_n(p, ...) __extension__({ __WL_T(p) __wl_r; "
        "__wlcc_atomic_load_n(__WL_A(p), &__wl_r, __WL_OS(__VA_ARGS__, 4, 0)); __wl_r; })\n"
        "#define __nv_atomic_store(p, v, ...) __wlcc_atomic_store(__WL_A(p), (void *)(v), __WL_OS(__VA_ARGS__, 4, 0))\n"
        "#define __nv_atomic_store_n(p, v, ...) __extension__({ __WL_T(p) __wl_v = (v); "
        "__wlcc_atomic_store_n(__WL_A(p), &__wl_v, __WL_OS(__VA_ARGS__, 4, 0)); })\n"
        "#define __nv_atomic_exchange(p, v, r, ...) "
        "__wlcc_atomic_exchange(__WL_A(p), (void *)(v), (void *)(r), __WL_OS(__VA_ARGS__, 4, 0))\n"
        "#define __nv_atomic_exchange_n(p, v, ...) __extension__({ __WL_T(p) __wl_v = (v), __wl_r; "
        "__wlcc_atomic_exchange_n(__WL_A(p), &__wl_v, &__wl_r, __WL_OS(__VA_ARGS__, 4, 0)); __wl_r; })\n"
        "#define __nv_atomic_compare_exchange(p, e, v, w, ...) "
        "__wlcc_atomic_compare_exchange(__WL_A(p), (void *)(e), (void *)(v), (w), __WL_OOS(__VA_ARGS__, 4, 0, 0))\n"
        "#define __nv_atomic_compare_exchange_n(p, e, v, w, ...) __extension__({ __WL_T(p) __wl_v = (v); "
        "__wlcc_atomic_compare_exchange_n(__WL_A(p), (void *)(e), &__wl_v, (w), __WL_OOS(__VA_ARGS__, 4, 0, 0)); })\n"
        "#define __nv_atomic_thread_fence(...) __wl___nv_atomic_thread_fence(__WL_OS(__VA_ARGS__, 4, 0))\n";

static void print_kinds(FILE *out)
{
	int pointer = 0, object = 0;
	fputs("#define __WL_KIND(x) _Generic((x)", out);
	for (size_t i = 0; i < nv_type_count(); i++) {
		if (spellings[i][0])
			fprintf(out, ", %s: %zu", spellings[i], i);
		if (!strcmp(nv_type_at(i)->tag, "ptr32"))
			pointer = (int)i;
		if (!strcmp(nv_type_at(i)->tag, "object"))
			object = (int)i;
	}
	fprintf(out, ", default: __builtin_classify_type(x) == 5 ? %d : %d)\n", pointer, object);
	fputs("#define __WL_A(p) __WL_KIND(*(p)), sizeof(*(p)), (void *)(p)\n", out);
}

static void print_generics(FILE *out)
{
	static const char *const ops[] = {"add", "sub", "and", "or", "xor", "max", "min"};
	static const char *const shapes[] = {"load",     "void *",         "load_n",     "void *",
	                                     "store",    "void *",         "store_n",    "void *",
	                                     "exchange", "void *, void *", "exchange_n", "void *, void *"};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += 2)
		fprintf(out, "void __wlcc_atomic_%s(int, unsigned long, void *, %s, int, int);\n", shapes[i],
		        shapes[i + 1]);
	fputs("_Bool __wlcc_atomic_compare_exchange(int, unsigned long, void *, void *, void *, int, int, int, int);\n"
	      "_Bool __wlcc_atomic_compare_exchange_n(int, unsigned long, void *, void *, void *, int, int, int, "
	      "int);\n"
	      "void __wl___nv_atomic_thread_fence(int, int) __asm__(\"__nv_atomic_thread_fence\");\n",
	      out);
	fputs(generics, out);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		fprintf(out, "void __wlcc_atomic_fetch_%s(int, unsigned long, void *, void *, void *, int, int);\n",
		        ops[i]);
		fprintf(out, "void __wlcc_atomic_%s(int, unsigned long, void *, void *, void *, int, int);\n", ops[i]);
		fprintf(out,
		        "#define __nv_atomic_fetch_%s(p, v, ...) __extension__({ __WL_T(p) __wl_v = (v), __wl_r; "
		        "__wlcc_atomic_fetch_%s(__WL_A(p), &__wl_v, &__wl_r, __WL_OS(__VA_ARGS__, 4, 0)); __wl_r; })\n",
		        ops[i], ops[i]);
		fprintf(out,
		        "#define __nv_atomic_%s(p, v, ...) __extension__({ __WL_T(p) __wl_v = (v); "
		        "__wlcc_atomic_%s(__WL_A(p), &__wl_v, (void *)0, __WL_OS(__VA_ARGS__, 4, 0)); })\n",
		        ops[i], ops[i]);
	}
}

/* Suffixed names of the C11 model: address, operands by value, order, scope. */
static void print_suffixed(FILE *out, const struct nv_row *r)
{
	const char *t = spelling_of(r->type);
	const char *ret = r->op == NV_STORE ? "void" : r->op == NV_CAS ? "_Bool" : t;
	fprintf(out, "%s %s(void *", ret, r->name);
	if (r->op == NV_CAS)
		fprintf(out, ", void *, %s, _Bool, int, int, int);\n", t);
	else
		fprintf(out, "%s%s, int, int);\n", r->op == NV_LOAD ? "" : ", ", r->op == NV_LOAD ? "" : t);
}

/* __nvvm_atom_* and __xAtomicOp; for overloads only the declarations. `name` is the C name, the symbol its label. */
static void print_legacy(FILE *out, const struct nv_row *r, const char *name)
{
	const char *t = spelling_of(r->type), *cas = r->op == NV_CAS ? ", " : "";
	if (r->family == NV_F_LEGACY)
		fprintf(out, "%s __wl_%s(volatile void *, %s%s%s) __asm__(\"%s\");\n", t, name, t, cas, cas[0] ? t : "",
		        r->name);
	else
		fprintf(out, "void __wl_%s(volatile void *, void *, void *%s) __asm__(\"%s\");\n", name,
		        r->op == NV_CAS ? ", void *" : "", r->name);
}

static void print_sync(FILE *out, const struct nv_row *r)
{
	static const char *const names = "vilpf";
	static const char *const ctypes[] = {"void", "int", "unsigned long long", "void *", "float"};
	fprintf(out, "%s __wl_%s(", ctypes[strchr(names, r->sig[0]) - names], r->name);
	for (const char *s = r->sig + 1; *s; s++)
		fprintf(out, "%s%s", s > r->sig + 1 ? ", " : "", ctypes[strchr(names, *s) - names]);
	fprintf(out, "%s) __asm__(\"%s\");\n", r->sig[1] ? "" : "void", r->name);
	if (!strcmp(r->name, "__syncwarp"))
		fputs("#define __WL_MASK(m, ...) (m)\n#define __syncwarp(...) __wl___syncwarp(__WL_MASK(__VA_ARGS__ "
		      "__VA_OPT__(,) -1, 0))\n",
		      out);
	else
		fprintf(out, "#define %s __wl_%s\n", r->name, r->name);
}

/* Shuffles, match, redux: a declaration for each type; the name chooses by the value. */
static void print_typed_sync(FILE *out, const struct nv_row *r)
{
	static const char *const tags[] = {"int", "u32", "long", "unsigned_long", "s64", "u64", "float", "double"};
	size_t n = sizeof tags / sizeof *tags;
	bool shfl = r->family == NV_F_SHFL, all = r->family == NV_F_MATCH && r->sig[3] == 'p';
	if (r->family == NV_F_REDUCE)
		n = 2;
	for (size_t i = 0; i < n; i++) {
		const char *t = spelling_of(tags[i]);
		fprintf(out, "%s __wl_%s_%s(unsigned, %s%s) __asm__(\"%s.%s\");\n", r->sig[0] == '*' ? t : "unsigned",
		        r->name, tags[i], t,
		        shfl  ? ", int, int"
		        : all ? ", void *"
		              : "",
		        r->name, tags[i]);
	}
	fprintf(out, "#define %s(m, v%s) _Generic((v)", r->name, shfl ? ", ..." : all ? ", p" : "");
	for (size_t i = 0; i < n; i++)
		fprintf(out, ", %s: __wl_%s_%s", spelling_of(tags[i]), r->name, tags[i]);
	fprintf(out, ")((m), (v)%s)\n", shfl ? ", __WL_LW(__VA_ARGS__, 32, 0)" : all ? ", (p)" : "");
}

/* atomicOp(p, v): the table has all types of a name together. */
static size_t print_overload(FILE *out, const struct nv_row *rows, size_t n, size_t i)
{
	size_t len = (size_t)(strchr(rows[i].name, '.') - rows[i].name), stop = i;
	const char *base = rows[i].name, *cas = rows[i].op == NV_CAS ? "e, v" : "v";
	char name[64];
	for (size_t k = 0; k < i; k++)
		if (!strncmp(rows[k].name, base, len + 1))
			return i + 1; /* done with the first row of the name */
	for (size_t k = i; k < n; k++) {
		if (strncmp(rows[k].name, base, len + 1) || !spelling_of(rows[k].type)[0] ||
		    rows[k].family != NV_F_LEGACY)
			continue;
		snprintf(name, sizeof name, "%.*s_%s", (int)len, base, rows[k].type);
		print_legacy(out, &rows[k], name);
		stop = k;
	}
	fprintf(out, "#define %.*s(p, %s) _Generic(*(p)", (int)len, base, cas);
	for (size_t k = i; k <= stop; k++)
		if (!strncmp(rows[k].name, base, len + 1) && spelling_of(rows[k].type)[0] &&
		    rows[k].family == NV_F_LEGACY)
			fprintf(out, ", %s: __wl_%.*s_%s", spelling_of(rows[k].type), (int)len, base, rows[k].type);
	fprintf(out, ")((p), %s)\n", rows[i].op == NV_CAS ? "(e), (v)" : "(v)");
	return i + 1;
}

/* Does the source use the name? A mere mention in the text costs a declaration. */
static bool wanted(const char *source, const char *name)
{
	char base[64];
	if (!source)
		return true;
	snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "."), name);
	return strstr(source, base) != NULL;
}

bool nv_print_header(FILE *out, const char *source)
{
	size_t n;
	const struct nv_row *rows = nv_rows(&n);
	fputs(prologue, out);
	print_kinds(out);
	if (wanted(source, "__nv_atomic_"))
		print_generics(out);
	for (size_t i = 0; i < n; i++) {
		const struct nv_row *r = &rows[i];
		if ((r->diffs & NV_D_UNDEFINED) || !wanted(source, r->name))
			continue;
		if (strchr(r->name, '.')) {
			if (r->family == NV_F_LEGACY)
				print_overload(out, rows, n, i);
		} else if (r->family == NV_F_ATOMIC) {
			if (r->type[0] && strcmp(r->type, "*"))
				print_suffixed(out, r);
		} else if (r->family == NV_F_VECTOR && !strstr(r->name, "_gen_")) {
			print_legacy(out, r, r->name);
			fprintf(out,
			        "#define %s(p, v) __extension__({ __WL_T(p) __wl_v = (v), __wl_r; __wl_%s((p), "
			        "&__wl_v, &__wl_r); __wl_r; })\n",
			        r->name, r->name);
		} else if (r->family < NV_F_SYNC) {
			print_legacy(out, r, r->name);
			fprintf(out, "#define %s __wl_%s\n", r->name, r->name);
		} else if (strchr(r->sig, '*')) {
			print_typed_sync(out, r);
		} else {
			print_sync(out, r);
		}
	}
	fputs("#endif\n", out);
	return !ferror(out);
}
