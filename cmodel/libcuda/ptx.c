// SPDX-License-Identifier: Apache-2.0
/* ptx.c -- PTX through the compiler, the buffers for its messages, and the linker calls (cuLink*). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "wlcc.h"

/* ---- messages: into the buffers that the options name ---- */

enum { O_INFO = 3, O_INFO_BYTES, O_ERROR, O_ERROR_BYTES };
static struct log {
	char *buffer[2]; /* of information, of errors */
	size_t bytes[2], used[2];
	void **told[2]; /* where the used bytes go */
} logs;

void log_begin(unsigned n, const int *options, void **values)
{
	memset(&logs, 0, sizeof logs);
	for (unsigned i = 0; options && values && i < n; i++) {
		if (options[i] == O_INFO || options[i] == O_ERROR)
			logs.buffer[options[i] == O_ERROR] = values[i];
		if (options[i] == O_INFO_BYTES || options[i] == O_ERROR_BYTES) {
			const unsigned which = options[i] == O_ERROR_BYTES;
			logs.bytes[which] = (uint32_t)(uintptr_t)values[i];
			logs.told[which] = &values[i];
		}
	}
	for (unsigned i = 0; i < 2; i++)
		if (logs.buffer[i] && logs.bytes[i])
			logs.buffer[i][0] = 0;
}

void log_end(void)
{
	for (unsigned i = 0; i < 2; i++)
		if (logs.told[i] && logs.buffer[i])
			*logs.told[i] = (void *)(uintptr_t)logs.used[i];
	memset(&logs, 0, sizeof logs);
}

static void log_line(bool error, const char *text)
{
	const unsigned i = error;
	const size_t n = strlen(text);
	if (!logs.buffer[i]) {
		if (error)
			say("%s", text);
		return;
	}
	if (logs.used[i] + n + 2 > logs.bytes[i])
		return;
	memcpy(logs.buffer[i] + logs.used[i], text, n);
	logs.buffer[i][logs.used[i] + n] = '\n';
	logs.buffer[i][logs.used[i] += n + 1] = 0;
}

static void diagnose(void *self, const struct wlcc_message *m)
{
	(void)self;
	char text[1000];
	snprintf(text, sizeof text, "ptxas %s, line %u; %s : %s", m->file, m->line,
	         m->severity == WLCC_ERROR ? "error  " : "warning", m->text);
	log_line(m->severity == WLCC_ERROR, text);
}

CUresult ptx_compile(const char *text, size_t size, const char *file, unsigned char **out, size_t *out_size)
{
	const struct wlcc_options options = {.arch = Device.arch,
	                                     .chip = Device.chip,
	                                     .suffix = 'a', /* a machine is the chip itself */
	                                     .opt = 1,
	                                     .file = file ? file : "application ptx input",
	                                     .diag = diagnose};
	struct wlcc_bytes object = {0};
	if (!wlcc_compile_ptx(text, size, &options, false, &object))
		return CUDA_ERROR_INVALID_PTX;
	*out = object.data;
	*out_size = object.size;
	return CUDA_SUCCESS;
}

unsigned char *file_bytes(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	long n = -1;
	unsigned char *bytes = NULL;
	if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET))
		bytes = malloc((size_t)n + 1);
	if (bytes && fread(bytes, 1, (size_t)n, f) != (size_t)n) {
		free(bytes);
		bytes = NULL;
	}
	if (bytes)
		bytes[n] = 0;
	if (size)
		*size = bytes ? (size_t)n : 0;
	if (f)
		fclose(f);
	return bytes;
}

/* ---- cuLink: one input that is complete in itself ---- */

struct linker {
	struct object object;
	unsigned inputs;
	unsigned char *cubin;
	size_t size;
	unsigned noptions;
	int *options;
	void **values;
};

API CUresult cuLinkCreate_v2(unsigned n, int *options, void **values, void **out)
{
	GUARD(NEED_WHOLE);
	CHECK(out && (!n || (options && values)), INVALID_VALUE);
	struct linker *l = object_new(KIND_LINK, sizeof *l);
	CHECK(l, OUT_OF_MEMORY);
	l->noptions = n; /* the arrays live as long as the linker, as the reference asks */
	l->options = options;
	l->values = values;
	*out = l;
	return CUDA_SUCCESS;
}

/* CUjitInputType: cubin 0, PTX 1, fat binary 2, object 3, library 4. */
static CUresult add(struct linker *l, int type, const void *data, size_t size, const char *name)
{
	struct image image = {.data = data, .size = size};
	if (l->inputs++)
		return unbuilt("cuLinkAddData", "to link a second input");
	CHECK(type >= 0 && type <= 4, INVALID_VALUE);
	if (type == 4)
		return unbuilt("cuLinkAddData", "an archive");
	log_begin(l->noptions, l->options, l->values);
	CUresult r = CUDA_SUCCESS;
	if (type == 1) {
		r = ptx_compile(data, strnlen(data, size), name, &l->cubin, &l->size);
	} else {
		r = image_find(data, &image);
		l->cubin = r ? NULL : malloc(image.size);
		r = !r && !l->cubin ? CUDA_ERROR_OUT_OF_MEMORY : r;
		if (!r)
			memcpy(l->cubin, image.data, l->size = image.size);
	}
	log_end();
	return r;
}

API CUresult cuLinkAddData_v2(void *linker, int type, void *data, size_t size, const char *name, unsigned n,
                              const int *options, void **values)
{
	(void)n, (void)options, (void)values;
	GUARD(NEED_WHOLE);
	struct linker *l = object_get(linker, KIND_LINK);
	CHECK(l, INVALID_HANDLE);
	CHECK(data && size >= 4, INVALID_VALUE);
	return add(l, type, data, size, name);
}

API CUresult cuLinkAddFile_v2(void *linker, int type, const char *path, unsigned n, const int *options, void **values)
{
	(void)n, (void)options, (void)values;
	GUARD(NEED_WHOLE);
	struct linker *l = object_get(linker, KIND_LINK);
	CHECK(l, INVALID_HANDLE);
	CHECK(path, INVALID_VALUE);
	size_t size;
	unsigned char *bytes = file_bytes(path, &size);
	CHECK(bytes, FILE_NOT_FOUND);
	const CUresult r = size >= 4 ? add(l, type, bytes, size, path) : CUDA_ERROR_INVALID_IMAGE;
	free(bytes);
	return r;
}

API CUresult cuLinkComplete(void *linker, void **cubin, size_t *size)
{
	GUARD(NEED_WHOLE);
	struct linker *l = object_get(linker, KIND_LINK);
	CHECK(l, INVALID_HANDLE);
	CHECK(cubin && l->cubin, INVALID_VALUE);
	*cubin = l->cubin;
	if (size)
		*size = l->size;
	return CUDA_SUCCESS;
}

API CUresult cuLinkDestroy(void *linker)
{
	GUARD(NEED_INIT);
	struct linker *l = object_get(linker, KIND_LINK);
	CHECK(l, INVALID_HANDLE);
	free(l->cubin);
	object_free(l);
	return CUDA_SUCCESS;
}
