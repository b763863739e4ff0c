// SPDX-License-Identifier: Apache-2.0
/* link.c -- the linker calls (cuLink*). An input other than PTX stays alone. Several PTX inputs become a single text: a
 * function or variable declared as .extern in an input comes from another input. The text begins with the largest
 * .version and .target of the inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { PTX = 1, LIBRARY = 4 }; /* CUjitInputType: cubin 0, fat binary 2, object 3 */
enum { WORD = 64 };

struct linker {
	struct object object;
	unsigned inputs;
	bool is_ptx, needed; /* needed: an input lacks functions of another input */
	char *text;          /* of the PTX inputs, without the headers */
	size_t text_size;
	char version[WORD], target[WORD];
	unsigned char *cubin;
	size_t size;
	struct log log;
};

API CUresult cuLinkCreate_v2(unsigned n, int *options, void **values, void **out)
{
	GUARD(NEED_WHOLE);
	CHECK(out && (!n || (options && values)), INVALID_VALUE);
	struct linker *l = object_new(KIND_LINK, sizeof *l);
	CHECK(l, OUT_OF_MEMORY);
	log_open(&l->log, n, options, values); /* the arrays live as long as the linker, as the reference asks */
	*out = l;
	return CUDA_SUCCESS;
}

/* ---- headers of PTX ---- */

/* Behind space and comments. */
static char *behind_space(char *at)
{
	for (;;) {
		char *end;
		at += strspn(at, " \t\r\n");
		if (at[0] == '/' && at[1] == '/' && (end = strchr(at, '\n')))
			at = end;
		else if (at[0] == '/' && at[1] == '*' && (end = strstr(at, "*/")))
			at = end + 2;
		else
			return at;
	}
}

/* Removes a directive at `at`, up to the end of the words; the words go to `out`. Lines keep their numbers. */
static char *take(char *at, const char *name, char out[WORD])
{
	const size_t n = strlen(name);
	if (strncmp(at, name, n) != 0)
		return NULL;
	char *value = at + n + strspn(at + n, " \t");
	size_t length = strcspn(value, " \t\r\n/");
	while (length && value[length - 1] == ',') /* .target sm_90, texmode_independent */
		length += strspn(value + length, " \t"), length += strcspn(value + length, " \t\r\n/");
	snprintf(out, WORD, "%.*s", (int)length, value);
	memset(at, ' ', (size_t)(value - at) + length);
	return value + length;
}

static double number(const char *text)
{
	return strtod(text + strcspn(text, "0123456789"), NULL);
}

/* The larger value stays; of sm_90 and sm_90a the longer name. */
static void keep_larger(char kept[WORD], const char *found)
{
	const double a = number(kept), b = number(found);
	if (!*kept || b > a || (b == a && strlen(found) > strlen(kept)))
		memcpy(kept, found, WORD);
}

static void take_header(struct linker *l, char *text)
{
	char word[WORD], *at = behind_space(text), *next;
	for (unsigned i = 0; i < 3; i++, at = behind_space(next)) {
		if ((next = take(at, ".version", word)))
			keep_larger(l->version, word);
		else if ((next = take(at, ".target", word)))
			keep_larger(l->target, word);
		else if (!(next = take(at, ".address_size", word)))
			return;
	}
}

static CUresult append(struct linker *l, const char *data, size_t size)
{
	char *more = realloc(l->text, l->text_size + size + 2);
	CHECK(more, OUT_OF_MEMORY);
	l->text = more;
	char *at = more + l->text_size;
	memcpy(at, data, size);
	at[size] = 0;
	take_header(l, at);
	memcpy(at + size, "\n", 2);
	l->text_size += size + 1;
	return CUDA_SUCCESS;
}

/* ---- inputs ---- */

static CUresult add_ptx(struct linker *l, const char *data, size_t size, const char *name)
{
	free(l->cubin);
	l->cubin = NULL;
	const CUresult r = ptx_compile(data, size, name, &l->needed, &l->cubin, &l->size);
	return r ? r : append(l, data, size);
}

static CUresult add_image(struct linker *l, const void *data)
{
	struct image image = {0};
	CUresult r = image_find(data, &image);
	l->cubin = r ? NULL : malloc(image.size);
	r = !r && !l->cubin ? CUDA_ERROR_OUT_OF_MEMORY : r;
	if (!r)
		memcpy(l->cubin, image.data, l->size = image.size);
	return r;
}

static CUresult add(struct linker *l, int type, const void *data, size_t size, const char *name)
{
	CHECK(type >= 0 && type <= LIBRARY, INVALID_VALUE);
	if (type == LIBRARY)
		return unbuilt("cuLinkAddData", "an archive");
	if (l->inputs && !(l->is_ptx && type == PTX))
		return unbuilt("cuLinkAddData", "to link a second input, where one is no PTX");
	log_use(&l->log);
	const CUresult r = type == PTX ? add_ptx(l, data, strnlen(data, size), name) : add_image(l, data);
	log_end();
	l->is_ptx = type == PTX;
	l->inputs += !r;
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

/* ---- the end ---- */

/* All inputs as a single text; also a single input with missing functions, for the errors. */
static CUresult link_texts(struct linker *l)
{
	const size_t room = l->text_size + 2 * WORD + 64;
	char *text = malloc(room);
	CHECK(text, OUT_OF_MEMORY);
	const int n =
	        snprintf(text, room, ".version %s\n.target %s\n.address_size 64\n%s", l->version, l->target, l->text);
	free(l->cubin);
	l->cubin = NULL;
	log_use(&l->log);
	const CUresult r = ptx_compile(text, (size_t)n, "linked inputs", NULL, &l->cubin, &l->size);
	log_end();
	free(text);
	return r;
}

API CUresult cuLinkComplete(void *linker, void **cubin, size_t *size)
{
	GUARD(NEED_WHOLE);
	struct linker *l = object_get(linker, KIND_LINK);
	CHECK(l, INVALID_HANDLE);
	CHECK(cubin && l->inputs, INVALID_VALUE);
	const CUresult r = l->is_ptx && (l->inputs > 1 || l->needed) ? link_texts(l) : CUDA_SUCCESS;
	if (r)
		return r;
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
	free(l->text);
	object_free(l);
	return CUDA_SUCCESS;
}
