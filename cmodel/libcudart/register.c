// SPDX-License-Identifier: Apache-2.0
/* register.c -- what nvcc's host code registers before main: fat binaries, kernels under the address of their host
 * function, variables under the address of their host shadow. Loaded when somebody asks for a part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

struct image {
	const void *wrapper;
	void *module; /* NULL: not loaded */
	unsigned generation;
	struct image *next;
};
enum symbol_kind { KERNEL, VARIABLE, MANAGED };
struct symbol {
	enum symbol_kind kind;
	const void *host; /* of a managed variable: its address itself, once it is known */
	void **shown;     /* managed: where the host reads the address */
	char *name;
	struct image *image;
	void *function;
	uint64_t at;
	size_t bytes;
	unsigned generation;
	struct symbol *next;
};
enum { BUCKETS = 1024 };
static struct symbol *symbols[BUCKETS];
static struct image *images;
static unsigned generation = 1;

static unsigned bucket(const void *p)
{
	return (unsigned)((uintptr_t)p >> 3) % BUCKETS;
}

void modules_forget(void)
{
	generation++;
}

/* ---- registration ---- */

API void **__cudaRegisterFatBinary(const void *wrapper);
API void **__cudaRegisterFatBinary(const void *wrapper)
{
	struct image *i = calloc(1, sizeof *i);
	if (!i)
		abort();
	i->wrapper = wrapper;
	i->next = images;
	images = i;
	return (void **)i;
}

API void __cudaRegisterFatBinaryEnd(void **image);
API void __cudaRegisterFatBinaryEnd(void **image)
{
	(void)image;
}

static void add(enum symbol_kind kind, void **image, const void *host, void **shown, const char *name, size_t bytes)
{
	struct symbol *s = calloc(1, sizeof *s);
	char *copy = strdup(name);
	if (!s || !copy)
		abort();
	*s = (struct symbol){kind, host, shown, copy, (struct image *)image, NULL, 0, bytes, 0, symbols[bucket(host)]};
	symbols[bucket(host)] = s;
}

API void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *tid,
                                void *bid, void *block, void *grid, int *warp);
API void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *tid,
                                void *bid, void *block, void *grid, int *warp)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	add(KERNEL, image, host, NULL, name, 0);
}

API void __cudaRegisterVar(void **image, char *host, char *device, const char *name, int ext, size_t bytes,
                           int constant, int global);
API void __cudaRegisterVar(void **image, char *host, char *device, const char *name, int ext, size_t bytes,
                           int constant, int global)
{
	(void)device, (void)ext, (void)constant, (void)global;
	add(VARIABLE, image, host, NULL, name, bytes);
}

API void __cudaRegisterManagedVar(void **image, void **shown, char *device, const char *name, int ext, size_t bytes,
                                  int constant, int global);
API void __cudaRegisterManagedVar(void **image, void **shown, char *device, const char *name, int ext, size_t bytes,
                                  int constant, int global)
{
	(void)device, (void)ext, (void)constant, (void)global;
	add(MANAGED, image, shown, shown, name, bytes);
}

API void __cudaRegisterHostVar(void **image, const char *name, char *host, size_t bytes);
API void __cudaRegisterHostVar(void **image, const char *name, char *host, size_t bytes)
{
	(void)image, (void)name, (void)host, (void)bytes;
}
API void __cudaRegisterUnifiedTable(void **image, void *table);
API void __cudaRegisterUnifiedTable(void **image, void *table)
{
	(void)image, (void)table;
}

API void __cudaUnregisterFatBinary(void **image);
API void __cudaUnregisterFatBinary(void **image)
{
	struct image **i = &images;
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct symbol **s = &symbols[b]; *s;) {
			struct symbol *gone = *s;
			if (gone->image != (struct image *)image) {
				s = &gone->next;
				continue;
			}
			*s = gone->next;
			free(gone->name);
			free(gone);
		}
	while (*i && *i != (struct image *)image)
		i = &(*i)->next;
	if (*i) {
		struct image *gone = *i;
		*i = gone->next;
		free(gone);
	}
}

/* ---- loading ---- */

/* Where the host reads the managed variables of a module. */
static void show_managed(struct image *i)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct symbol *s = symbols[b]; s; s = s->next)
			if (s->kind == MANAGED && s->image == i &&
			    !cuModuleGetGlobal_v2(&s->at, NULL, i->module, s->name)) {
				*s->shown = (void *)(uintptr_t)s->at;
				s->generation = generation;
			}
}

static cudaError_t load(struct image *i)
{
	if (i->module && i->generation == generation)
		return OK;
	i->module = NULL;
	const int r = cuModuleLoadData(&i->module, i->wrapper);
	if (r)
		return r;
	i->generation = generation;
	show_managed(i);
	return OK;
}

API char __cudaInitModule(void **image);
API char __cudaInitModule(void **image)
{
	return !ready() && !load((struct image *)image);
}

static struct symbol *find(const void *host, bool variable)
{
	for (struct symbol *s = symbols[bucket(host)]; s; s = s->next)
		if (s->host == host && (s->kind != KERNEL) == variable)
			return s;
	return NULL;
}

/* A managed variable is also named by its address: what the host reads. */
static struct symbol *find_managed(uint64_t at)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct symbol *s = symbols[b]; s; s = s->next)
			if (s->kind == MANAGED && s->generation == generation && s->at == at)
				return s;
	return NULL;
}

cudaError_t function_of(const void *func, void **out)
{
	struct symbol *s = find(func, false);
	const char *name;
	if (!s) { /* a handle that cudaGetKernel or a library gave */
		*out = (void *)(uintptr_t)func;
		return func && !cuFuncGetName(&name, *out) ? OK : INVALID_FUNCTION;
	}
	if (s->function && s->generation == generation) {
		*out = s->function;
		return OK;
	}
	cudaError_t r = load(s->image);
	if (!r)
		r = cuModuleGetFunction(&s->function, s->image->module, s->name);
	if (r)
		return r == NOT_FOUND ? INVALID_FUNCTION : r;
	s->generation = generation;
	*out = s->function;
	return OK;
}

cudaError_t variable_of(const void *symbol, uint64_t *at, size_t *bytes)
{
	struct symbol *s = find(symbol, true);
	if (!s)
		s = find_managed((uintptr_t)symbol);
	if (!s)
		return INVALID_SYMBOL;
	cudaError_t r = load(s->image);
	size_t size = 0;
	if (!r)
		r = cuModuleGetGlobal_v2(&s->at, &size, s->image->module, s->name);
	if (r)
		return r == NOT_FOUND ? INVALID_SYMBOL : r;
	*at = s->at;
	*bytes = size;
	return OK;
}

/* ---- the configuration between <<< >>> and the host function ---- */

struct configuration {
	struct dim3 grid, block;
	size_t shared;
	void *stream;
};
enum { NESTED = 16 };
static _Thread_local struct configuration stack[NESTED];
static _Thread_local unsigned depth;

API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream);
API unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream)
{
	if (depth == NESTED)
		return 1;
	stack[depth++] = (struct configuration){grid, block, shared, stream};
	return 0;
}

API cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream);
API cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void *stream)
{
	NEED(depth, MISSING_CONFIGURATION);
	const struct configuration *c = &stack[--depth];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	memcpy(stream, &c->stream, sizeof c->stream);
	return OK;
}
