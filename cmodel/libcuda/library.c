// SPDX-License-Identifier: Apache-2.0
/* library.c -- libraries: a module in the context of the load, with the handles of kernels, and copies in further
 * contexts, made at the first request for a kernel or a variable. */
#include <stdlib.h>

#include "driver.h"
#include "image.h"

/* A copy leaves alone; with the first module the library goes, and all copies. */
void library_leave(struct module *m)
{
	struct library *l = m->library;
	if (m != l->module) {
		unsigned i = 0;
		while (l->copies[i] != m)
			i++;
		l->copies[i] = l->copies[--l->ncopies];
		return;
	}
	while (l->ncopies)
		module_free(l->copies[l->ncopies - 1]);
	free(l->copies);
	object_free(l);
}

static CUresult library_load(struct context *c, const void *image, void **out)
{
	struct library *l = c ? object_new(KIND_LIBRARY, sizeof *l) : NULL;
	CHECK(l, OUT_OF_MEMORY);
	const CUresult r = module_load(c, image, &l->module);
	if (r) {
		object_free(l);
		return r;
	}
	l->module->library = l;
	*out = l;
	return CUDA_SUCCESS;
}

bool library_keeps(const struct module *m)
{
	return m->library->module == m;
}

CUresult library_in(struct library *l, struct context *c, struct module **out)
{
	*out = l->module;
	if (l->module->context == c)
		return CUDA_SUCCESS;
	for (unsigned i = 0; i < l->ncopies; i++)
		if (l->copies[i]->context == c) {
			*out = l->copies[i];
			return CUDA_SUCCESS;
		}
	if (module_has_managed(l->module))
		return unbuilt("library", "managed variables of a library in a second context");
	struct module **more = realloc(l->copies, (l->ncopies + 1) * sizeof *more);
	CHECK(more, OUT_OF_MEMORY);
	l->copies = more;
	const CUresult r = module_load(c, l->module->bytes, out);
	if (r)
		return r;
	(*out)->ptx_version = l->module->ptx_version;
	(*out)->library = l;
	l->copies[l->ncopies++] = *out;
	return CUDA_SUCCESS;
}

/* A library belongs to no context; without a current context the primary context takes the library. */
API CUresult cuLibraryLoadData(void **out, const void *image, const int *options, void **values, unsigned n,
                               const int *library_options, void **library_values, unsigned m)
{
	(void)library_options, (void)library_values, (void)m;
	GUARD(NEED_INIT);
	CHECK(out && image, INVALID_VALUE);
	log_begin(n, options, values);
	const CUresult r = library_load(context_or_primary(), image, out);
	log_end();
	return r;
}

API CUresult cuLibraryLoadFromFile(void **out, const char *path, const int *options, void **values, unsigned n,
                                   const int *library_options, void **library_values, unsigned m)
{
	(void)options, (void)values, (void)n, (void)library_options, (void)library_values, (void)m;
	GUARD(NEED_INIT);
	CHECK(out && path, INVALID_VALUE);
	unsigned char *bytes = file_bytes(path, NULL);
	CHECK(bytes, FILE_NOT_FOUND);
	const CUresult r = library_load(context_or_primary(), bytes, out);
	free(bytes);
	return r;
}

API CUresult cuLibraryUnload(void *library)
{
	GUARD(NEED_INIT);
	launch_settle();
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	module_free(l->module);
	return CUDA_SUCCESS;
}

API CUresult cuLibraryGetKernel(void **out, void *library, const char *name)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	CHECK(out && name, INVALID_VALUE);
	return module_function(l->module, name, (struct function **)out);
}

API CUresult cuLibraryGetModule(void **out, void *library)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	struct context *c = context_current();
	CHECK(c, INVALID_CONTEXT);
	CHECK(out, INVALID_VALUE);
	return library_in(l, c, (struct module **)out);
}

API CUresult cuLibraryGetKernelCount(unsigned *count, void *library)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	CHECK(count, INVALID_VALUE);
	*count = module_kernels(l->module, NULL, 0);
	return CUDA_SUCCESS;
}

API CUresult cuLibraryEnumerateKernels(struct function **out, unsigned most, void *library)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	CHECK(out && most, INVALID_VALUE);
	module_kernels(l->module, out, most);
	return CUDA_SUCCESS;
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *at, size_t *bytes, void *library, const char *name)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	struct context *c = context_current();
	struct module *m;
	CHECK(name && (at || bytes), INVALID_VALUE);
	CHECK(c, INVALID_CONTEXT);
	const CUresult r = library_in(l, c, &m);
	return r ? r : module_variable(m, name, at, bytes, false);
}

API CUresult cuLibraryGetManaged(CUdeviceptr *at, size_t *bytes, void *library, const char *name)
{
	GUARD(NEED_INIT);
	struct library *l = object_get(library, KIND_LIBRARY);
	CHECK(l, INVALID_HANDLE);
	CHECK(name && (at || bytes), INVALID_VALUE);
	CHECK(l->module->context, INVALID_CONTEXT);
	return module_variable(l->module, name, at, bytes, true);
}
