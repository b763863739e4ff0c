// SPDX-License-Identifier: Apache-2.0
/* module.c -- images become modules: the part of a fat binary for the chip, PTX through the compiler, variables in
 * device memory with start values. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "image.h"

/* ---- images: a pointer without a size ---- */

enum { FATBIN_HEADER = 16 };
#define WRAPPER_MAGIC UINT32_C(0x466243b1) /* of nvcc's structure in a program: magic, version, data */
#define FATBIN_MAGIC  UINT32_C(0xba55ed50)

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Bytes of an ELF file in memory: up to the end of the last part. 0: the headers make no sense. */
static size_t elf_bytes(const unsigned char *p)
{
	Elf64_Ehdr h;
	memcpy(&h, p, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shoff > UINT32_MAX)
		return 0;
	size_t end = larger(sizeof h, h.e_shoff + (size_t)h.e_shnum * sizeof(Elf64_Shdr));
	end = larger(end, h.e_phoff <= UINT32_MAX ? h.e_phoff + (size_t)h.e_phnum * sizeof(Elf64_Phdr) : 0);
	for (unsigned i = 0; i < h.e_shnum; i++) {
		Elf64_Shdr s;
		memcpy(&s, p + h.e_shoff + i * sizeof s, sizeof s);
		if (s.sh_type != SHT_NOBITS && s.sh_offset <= UINT32_MAX && s.sh_size <= UINT32_MAX)
			end = larger(end, s.sh_offset + s.sh_size);
	}
	return end;
}

CUresult image_find(const void *image, struct image *out)
{
	const unsigned char *p = image;
	uint32_t magic;
	memcpy(&magic, p, sizeof magic);
	if (magic == WRAPPER_MAGIC) {
		memcpy(&p, p + 8, sizeof p);
		CHECK(p, INVALID_IMAGE);
		memcpy(&magic, p, sizeof magic);
	}
	out->data = p;
	if (magic == FATBIN_MAGIC) {
		uint64_t bytes;
		uint16_t head;
		memcpy(&head, p + 6, sizeof head);
		memcpy(&bytes, p + 8, sizeof bytes);
		CHECK(head >= FATBIN_HEADER && bytes <= UINT32_MAX, INVALID_IMAGE);
		out->size = head + (size_t)bytes;
		return CUDA_SUCCESS;
	}
	if (memcmp(p, ELFMAG, SELFMAG) == 0) {
		out->size = elf_bytes(p);
		return out->size ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
	}
	out->size = strlen((const char *)p);
	out->is_ptx = true;
	return CUDA_SUCCESS;
}

/* The cubin of an image, from malloc. */
static CUresult make_cubin(const struct image *image, unsigned char **out, size_t *size, bool *was_ptx)
{
	struct wl_image part = {WL_IMAGE_PTX, image->data, image->size, NULL};
	char why[600];
	CUresult r = CUDA_SUCCESS;
	*was_ptx = false;
	if (!image->is_ptx) {
		const enum wl_status s =
		        wl_image_find(image->data, image->size, Device.chip, NULL, &part, why, sizeof why);
		if (s == WL_ERR_AMBIGUOUS)
			return image_merge(image, out, size);
		if (s != WL_OK) {
			say("module: %s", why);
			return s == WL_ERR_NO_ENTRY || s == WL_ERR_UNSUPPORTED ? CUDA_ERROR_NO_BINARY_FOR_GPU
			                                                       : CUDA_ERROR_INVALID_IMAGE;
		}
	}
	if (part.kind == WL_IMAGE_PTX) {
		*was_ptx = true;
		r = ptx_compile((const char *)part.data, strnlen((const char *)part.data, part.size), NULL, NULL, out,
		                size);
	} else if ((*out = malloc(part.size))) {
		memcpy(*out, part.data, part.size);
		*size = part.size;
	} else {
		r = CUDA_ERROR_OUT_OF_MEMORY;
	}
	wl_image_free(&part);
	return r;
}

CUresult image_merge(const struct image *image, unsigned char **out, size_t *size)
{
	(void)image, (void)out, (void)size;
	return unbuilt("module", "a fat binary with several cubins for the chip");
}

/* ---- modules ---- */

bool module_has_managed(const struct module *m)
{
	for (uint32_t i = 0; i < m->variables.nglobals; i++)
		if (m->variables.globals[i].managed)
			return true;
	return false;
}

/* Variables and constants get their places; then everything is linked once more, for the addresses. */
static CUresult place_variables(struct module *m)
{
	char why[600];
	struct wl_program *v = &m->variables;
	m->bases = (struct wl_bases){WL_MODULE_BASE, WL_CONST_BASE, wl_object_keeps_functions(m->elf)};
	if (wl_object_variables(m->elf, &m->bases, v, why, sizeof why) != WL_OK) {
		say("module: %s", why);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	const enum memory_kind kind = module_has_managed(m) ? MEMORY_MANAGED : MEMORY_MODULE;
	if (v->data_bytes && !(m->bases.data = memory_new(v->data_bytes, kind, 1, m->context)))
		return CUDA_ERROR_OUT_OF_MEMORY;
	m->constant_bytes = v->cbank_bytes[3];
	if (m->constant_bytes && !(m->bases.constants = memory_new(m->constant_bytes, MEMORY_MODULE, 0, m->context)))
		return CUDA_ERROR_OUT_OF_MEMORY;
	wl_program_free(v);
	memset(v, 0, sizeof *v);
	if (wl_object_variables(m->elf, &m->bases, v, why, sizeof why) != WL_OK) {
		say("module: %s", why);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (v->data_bytes)
		memcpy(m->data = memory_at(m->bases.data, v->data_bytes), v->data, v->data_bytes);
	if (m->constant_bytes)
		memcpy(m->constants = memory_at(m->bases.constants, m->constant_bytes), v->cbank[3], m->constant_bytes);
	return CUDA_SUCCESS;
}

static CUresult open_module(struct module *m, const void *image)
{
	struct image found = {0};
	char why[600];
	size_t size;
	bool ptx;
	CUresult r = image_find(image, &found);
	if (!r)
		r = make_cubin(&found, &m->bytes, &size, &ptx);
	if (r)
		return r;
	if (wl_object_open(m->bytes, size, &m->elf, why, sizeof why) != WL_OK) {
		say("module: %s", why);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (wl_object_arch(m->elf) != Device.arch) {
		say("module: the image is for sm_%u, the device is sm_%u", wl_object_chip(m->elf), Device.chip);
		return CUDA_ERROR_NO_BINARY_FOR_GPU;
	}
	m->size = size;
	m->ptx_version = ptx ? Device.chip : 0;
	return place_variables(m);
}

CUresult module_load(struct context *c, const void *image, struct module **out)
{
	CHECK(image && out, INVALID_VALUE);
	struct module *m = object_new(KIND_MODULE, sizeof *m);
	CHECK(m, OUT_OF_MEMORY);
	m->context = c;
	const CUresult r = open_module(m, image);
	if (r)
		module_free(m);
	else
		*out = m;
	return r;
}

static void function_free(struct function *f)
{
	f->program.cbank[3] = NULL; /* the module's */
	if (f->loaded)
		wl_program_free(&f->program);
	free(f->name);
	object_free(f);
}

void module_free(struct module *m)
{
	for (unsigned i = 0; i < m->nfunctions; i++)
		function_free(m->functions[i]);
	free(m->functions);
	wl_program_free(&m->variables);
	wl_object_close(m->elf);
	if (m->data)
		memory_free(m->bases.data);
	if (m->constants)
		memory_free(m->bases.constants);
	free(m->bytes);
	if (m->library)
		library_leave(m);
	object_free(m);
}

static void drop(void *object, void *self)
{
	struct module *m = object;
	if (m->context != self)
		return;
	if (!m->library || !library_keeps(m)) {
		module_free(m);
		return;
	}
	m->context = NULL; /* the memory goes with the context */
	m->data = m->constants = NULL;
}

void modules_drop(struct context *c)
{
	objects_each(KIND_MODULE, drop, c);
}

static bool has_kernel(const struct module *m, const char *name)
{
	struct wl_code code;
	for (uint32_t i = 0; wl_object_code(m->elf, i, &code); i++)
		if (code.kernel && strcmp(code.name, name) == 0)
			return true;
	return false;
}

CUresult module_function(struct module *m, const char *name, struct function **out)
{
	for (unsigned i = 0; i < m->nfunctions; i++)
		if (strcmp(m->functions[i]->name, name) == 0) {
			*out = m->functions[i];
			return CUDA_SUCCESS;
		}
	CHECK(has_kernel(m, name), NOT_FOUND);
	struct function **more = realloc(m->functions, (m->nfunctions + 1) * sizeof *more);
	CHECK(more, OUT_OF_MEMORY);
	m->functions = more;
	struct function *f = object_new(KIND_FUNCTION, sizeof *f);
	CHECK(f, OUT_OF_MEMORY);
	f->module = m;
	f->carveout = -1;
	f->name = strdup(name);
	if (!f->name) {
		object_free(f);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	m->functions[m->nfunctions++] = f;
	*out = f;
	return CUDA_SUCCESS;
}

CUresult module_variable(struct module *m, const char *name, uint64_t *address, uint64_t *bytes, bool managed)
{
	for (uint32_t i = 0; i < m->variables.nglobals; i++) {
		const struct wl_global_var *v = &m->variables.globals[i];
		if (strcmp(v->name, name) || (managed && !v->managed))
			continue;
		if (address)
			*address = v->at;
		if (bytes)
			*bytes = v->size;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_NOT_FOUND;
}

/* ---- calls ---- */

API CUresult cuModuleLoadData(void **out, const void *image)
{
	GUARD(NEED_WHOLE);
	return module_load(call.context, image, (struct module **)out);
}

API CUresult cuModuleLoadFatBinary(void **out, const void *image)
{
	return cuModuleLoadData(out, image);
}

API CUresult cuModuleLoadDataEx(void **out, const void *image, unsigned n, const int *options, void **values)
{
	GUARD(NEED_WHOLE);
	CHECK(!n || (options && values), INVALID_VALUE);
	log_begin(n, options, values);
	const CUresult r = module_load(call.context, image, (struct module **)out);
	log_end();
	return r;
}

API CUresult cuModuleLoad(void **out, const char *path)
{
	GUARD(NEED_WHOLE);
	CHECK(out && path, INVALID_VALUE);
	unsigned char *bytes = file_bytes(path, NULL);
	CHECK(bytes, FILE_NOT_FOUND);
	const CUresult r = module_load(call.context, bytes, (struct module **)out);
	free(bytes);
	return r;
}

API CUresult cuModuleUnload(void *module)
{
	GUARD(NEED_WHOLE);
	SETTLE();
	struct module *m = object_get(module, KIND_MODULE);
	CHECK(m, INVALID_HANDLE);
	module_free(m);
	return CUDA_SUCCESS;
}

API CUresult cuModuleGetFunction(void **out, void *module, const char *name)
{
	GUARD(NEED_WHOLE);
	struct module *m = object_get(module, KIND_MODULE);
	CHECK(m, INVALID_HANDLE);
	CHECK(out && name, INVALID_VALUE);
	return module_function(m, name, (struct function **)out);
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *at, size_t *bytes, void *module, const char *name)
{
	GUARD(NEED_WHOLE);
	struct module *m = object_get(module, KIND_MODULE);
	CHECK(m, INVALID_HANDLE);
	CHECK(name && (at || bytes), INVALID_VALUE);
	return module_variable(m, name, at, bytes, false);
}

API CUresult cuModuleGetLoadingMode(int *mode)
{
	GUARD(NEED_INIT);
	CHECK(mode, INVALID_VALUE);
	*mode = 2; /* lazy: a kernel is read at the first request */
	return CUDA_SUCCESS;
}

unsigned module_kernels(struct module *m, struct function **out, unsigned most)
{
	struct wl_code code;
	unsigned n = 0;
	for (uint32_t i = 0; wl_object_code(m->elf, i, &code); i++)
		if (code.kernel && (!out || (n < most && !module_function(m, code.name, &out[n]))))
			n++;
	return n;
}

API CUresult cuModuleGetFunctionCount(unsigned *count, void *module)
{
	GUARD(NEED_WHOLE);
	struct module *m = object_get(module, KIND_MODULE);
	CHECK(m, INVALID_HANDLE);
	CHECK(count, INVALID_VALUE);
	*count = module_kernels(m, NULL, 0);
	return CUDA_SUCCESS;
}

API CUresult cuModuleEnumerateFunctions(struct function **out, unsigned most, void *module)
{
	GUARD(NEED_WHOLE);
	struct module *m = object_get(module, KIND_MODULE);
	CHECK(m, INVALID_HANDLE);
	CHECK(out && most, INVALID_VALUE);
	module_kernels(m, out, most);
	return CUDA_SUCCESS;
}
