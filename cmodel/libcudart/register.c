// SPDX-License-Identifier: Apache-2.0
/* register.c -- registrations of nvcc's host code before main: fat binaries, kernels under the address of the host
 * function, variables under the address of the host shadow. A binary is loaded at the first request for a part. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

struct image {
	const void *wrapper;
	void *module[MOST_DEVICES]; /* NULL: not loaded */
	unsigned generation[MOST_DEVICES];
	struct image *next;
};
enum symbol_kind { KERNEL, VARIABLE, MANAGED };
struct symbol {
	enum symbol_kind kind;
	const void *host; /* of a managed variable: the address itself, once known */
	void **shown;     /* managed: where the host reads the address */
	char *name;
	struct image *image;
	void *function[MOST_DEVICES];
	unsigned generation[MOST_DEVICES];
	uint64_t at; /* managed: where the variable lies, for all devices */
	struct symbol *next;
};
enum { BUCKETS = 1024 };
static struct symbol *symbols[BUCKETS];
static struct image *images;
static unsigned generation[MOST_DEVICES]; /* counts the resets of a device */

/* Of the tables, and of loading: concurrent requests load a module once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned bucket(const void *p)
{
	return (unsigned)((uintptr_t)p >> 3) % BUCKETS;
}

void modules_forget(int device)
{
	pthread_mutex_lock(&lock);
	generation[device]++;
	pthread_mutex_unlock(&lock);
}

/* ---- registration ---- */

API void **__cudaRegisterFatBinary(const void *wrapper);
API void **__cudaRegisterFatBinary(const void *wrapper)
{
	struct image *i = calloc(1, sizeof *i);
	if (!i)
		abort();
	i->wrapper = wrapper;
	pthread_mutex_lock(&lock);
	i->next = images;
	images = i;
	pthread_mutex_unlock(&lock);
	return (void **)i;
}

API void __cudaRegisterFatBinaryEnd(void **image);
API void __cudaRegisterFatBinaryEnd(void **image)
{
	(void)image;
}

static void add(enum symbol_kind kind, void **image, const void *host, void **shown, const char *name)
{
	struct symbol *s = calloc(1, sizeof *s);
	char *copy = strdup(name);
	if (!s || !copy)
		abort();
	s->kind = kind;
	s->host = host;
	s->shown = shown;
	s->name = copy;
	s->image = (struct image *)image;
	pthread_mutex_lock(&lock);
	s->next = symbols[bucket(host)];
	symbols[bucket(host)] = s;
	pthread_mutex_unlock(&lock);
}

API void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *tid,
                                void *bid, void *block, void *grid, int *warp);
API void __cudaRegisterFunction(void **image, const char *host, char *device, const char *name, int limit, void *tid,
                                void *bid, void *block, void *grid, int *warp)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	add(KERNEL, image, host, NULL, name);
}

API void __cudaRegisterVar(void **image, char *host, char *device, const char *name, int ext, size_t bytes,
                           int constant, int global);
API void __cudaRegisterVar(void **image, char *host, char *device, const char *name, int ext, size_t bytes,
                           int constant, int global)
{
	(void)device, (void)ext, (void)bytes, (void)constant, (void)global;
	add(VARIABLE, image, host, NULL, name);
}

API void __cudaRegisterManagedVar(void **image, void **shown, char *device, const char *name, int ext, size_t bytes,
                                  int constant, int global);
API void __cudaRegisterManagedVar(void **image, void **shown, char *device, const char *name, int ext, size_t bytes,
                                  int constant, int global)
{
	(void)device, (void)ext, (void)bytes, (void)constant, (void)global;
	add(MANAGED, image, shown, shown, name);
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
	pthread_mutex_lock(&lock);
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
	pthread_mutex_unlock(&lock);
}

/* ---- loading ---- */

static bool is_loaded(const struct image *i, int device)
{
	return i->module[device] && i->generation[device] == generation[device];
}

/* Where the host reads the managed variables of a module. */
static void show_managed(struct image *i, int device)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct symbol *s = symbols[b]; s; s = s->next)
			if (s->kind == MANAGED && s->image == i &&
			    !cuModuleGetGlobal_v2(&s->at, NULL, i->module[device], s->name))
				*s->shown = (void *)(uintptr_t)s->at;
}

static bool has_managed(const struct image *i)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct symbol *s = symbols[b]; s; s = s->next)
			if (s->kind == MANAGED && s->image == i)
				return true;
	return false;
}

/* A managed variable has the same address for all devices; modules of several devices have separate variables. */
static bool is_elsewhere(const struct image *i, int device)
{
	for (int d = 0; d < MOST_DEVICES; d++)
		if (d != device && is_loaded(i, d))
			return true;
	return false;
}

static cudaError_t load(struct image *i)
{
	const int device = device_now();
	if (is_loaded(i, device))
		return OK;
	if (has_managed(i) && is_elsewhere(i, device))
		return unbuilt("a module with __managed__ variables on a second device");
	i->module[device] = NULL;
	const int r = cuModuleLoadData(&i->module[device], i->wrapper);
	if (r)
		return r;
	i->generation[device] = generation[device];
	show_managed(i, device);
	return OK;
}

API char __cudaInitModule(void **image);
API char __cudaInitModule(void **image)
{
	if (ready())
		return 0;
	pthread_mutex_lock(&lock);
	const cudaError_t r = load((struct image *)image);
	pthread_mutex_unlock(&lock);
	return !r;
}

static struct symbol *find(const void *host, bool variable)
{
	for (struct symbol *s = symbols[bucket(host)]; s; s = s->next)
		if (s->host == host && (s->kind != KERNEL) == variable)
			return s;
	return NULL;
}

/* A managed variable is also named by the address: the host reads the address. */
static struct symbol *find_managed(uint64_t at)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct symbol *s = symbols[b]; s; s = s->next)
			if (s->kind == MANAGED && s->at == at && is_loaded(s->image, device_now()))
				return s;
	return NULL;
}

static cudaError_t find_function(const void *func, void **out)
{
	struct symbol *s = find(func, false);
	const char *name;
	if (!s) { /* a handle from cudaGetKernel or a library */
		*out = (void *)(uintptr_t)func;
		return func && !cuFuncGetName(&name, *out) ? OK : INVALID_FUNCTION;
	}
	const int device = device_now();
	cudaError_t r = load(s->image);
	if (!r && (!s->function[device] || s->generation[device] != generation[device]))
		r = cuModuleGetFunction(&s->function[device], s->image->module[device], s->name);
	if (r)
		return r == NOT_FOUND ? INVALID_FUNCTION : r;
	s->generation[device] = generation[device];
	*out = s->function[device];
	return OK;
}

cudaError_t function_of(const void *func, void **out)
{
	pthread_mutex_lock(&lock);
	const cudaError_t r = find_function(func, out);
	pthread_mutex_unlock(&lock);
	return r;
}

const char *kernel_name(const void *func)
{
	pthread_mutex_lock(&lock);
	const struct symbol *s = find(func, false);
	pthread_mutex_unlock(&lock);
	return s ? s->name : "?";
}

static cudaError_t find_variable(const void *symbol, uint64_t *at, size_t *bytes)
{
	struct symbol *s = find(symbol, true);
	if (!s)
		s = find_managed((uintptr_t)symbol);
	if (!s)
		return INVALID_SYMBOL;
	cudaError_t r = load(s->image);
	if (!r)
		r = cuModuleGetGlobal_v2(at, bytes, s->image->module[device_now()], s->name);
	return r == NOT_FOUND ? INVALID_SYMBOL : r;
}

cudaError_t variable_of(const void *symbol, uint64_t *at, size_t *bytes)
{
	pthread_mutex_lock(&lock);
	const cudaError_t r = find_variable(symbol, at, bytes);
	pthread_mutex_unlock(&lock);
	return r;
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
