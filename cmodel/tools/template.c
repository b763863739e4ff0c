// SPDX-License-Identifier: Apache-2.0
#include "template.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "elem.h"
#include "file.h"

enum { COUNT = 1024 }; /* elements of a buffer: a guess */

/* A text as in JSON, in quotes. */
static void print_text(FILE *to, const char *text)
{
	json_t *v = json_string(text);
	char *quoted = v ? json_dumps(v, JSON_ENCODE_ANY) : NULL;
	fputs(quoted ? quoted : "\"?\"", to);
	free(quoted);
	json_decref(v);
}

static void print_dim(FILE *to, const char *field, const uint32_t dim[3])
{
	fprintf(to, " \"%s\": [%u, %u, %u],\n", field, dim[0], dim[1], dim[2]);
}

/* The type of a scalar from the size alone; NULL: no scalar has the size. */
static const char *type_of_size(uint32_t size)
{
	return size == 1 ? "u8" : size == 2 ? "u16" : size == 4 ? "u32" : size == 8 ? "u64" : NULL;
}

/* A pointer is 8 bytes. Older PTX and objects do not tell pointers from numbers: 8 bytes are taken for a buffer. */
static bool is_buffer(const struct template_param *p, unsigned n, unsigned i, uint32_t size)
{
	bool stated = false;
	for (unsigned k = 0; k < n; k++)
		stated |= p[k].pointer;
	const struct elem_type *t = n ? elem_find(p[i].type) : NULL;
	return size == 8 && (stated ? p[i].pointer : !t || t->kind != ELEM_FLOAT);
}

/* A parameter without the size of a number or pointer becomes an argument of kind "bytes". */
static void print_arg(FILE *to, const struct template_param *p, unsigned n, unsigned i, uint32_t size)
{
	char name[LAUNCH_NAME];
	snprintf(name, sizeof name, "arg%u", i);
	const struct elem_type *t = n ? elem_find(p[i].type) : NULL;
	const char *type = t && t->bytes == size ? t->name : type_of_size(size);
	fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", to);
	print_text(to, n && p[i].name[0] ? p[i].name : name);
	if (!type)
		fprintf(to, ", \"kind\": \"bytes\", \"size\": %u, \"fields\": []}", size);
	else if (is_buffer(p, n, i, size))
		fprintf(to,
		        ", \"kind\": \"buffer\", \"type\": \"u32\", \"count\": %d, \"init\": \"zero\", \"expect\": "
		        "null}",
		        COUNT);
	else
		fprintf(to, ", \"kind\": \"scalar\", \"type\": \"%s\", \"value\": 1}", type);
}

static void print_args(const struct job *job, const struct template_param *p, unsigned n, FILE *to)
{
	fputs(" \"args\": [", to);
	for (unsigned i = 0; i < job->program.nparams; i++)
		print_arg(to, p, n, i, job->program.params[i].size);
	fputs(job->program.nparams ? "\n ],\n" : "],\n", to);
}

static bool print_file(struct job *job, const struct wl_config *config, const char *ptx, const struct template_param *p,
                       unsigned n, FILE *to)
{
	static const uint32_t one[3] = {1, 1, 1}, warp[3] = {WL_WARP_LANES, 1, 1};
	const struct wl_program *k = &job->program;
	const uint32_t *cluster = k->required_cluster[0] ? k->required_cluster : NULL;
	fputs("{\n \"kernel\": ", to);
	print_text(to, k->name);
	fputs(",\n", to);
	print_dim(to, "grid", cluster ? cluster : one);
	print_dim(to, "block", k->required_block[0] ? k->required_block : warp);
	if (cluster)
		print_dim(to, "cluster", cluster);
	fputs(" \"dynamic_shared\": 0,\n", to);
	print_args(job, p, n, to);
	if (ptx) {
		fprintf(to, " \"ptx\": {\"sm_%u\": ", config->chip ? config->chip : (unsigned)config->arch);
		print_text(to, ptx);
		fputs("},\n", to);
	}
	fputs(" \"expect\": \"pass\"\n}\n", to);
	return !ferror(to) || (snprintf(job->error, sizeof job->error, "the template cannot be written"), false);
}

bool template_print(struct job *job, const struct wl_config *config, const char *program, const char *entry, FILE *to)
{
	size_t size, length = 0;
	char *text = NULL;
	FILE *whole = open_memstream(&text, &length); /* the whole file or nothing */
	struct template_param *p = calloc(LAUNCH_MAX_ARGS, sizeof *p);
	bool good = whole && p && job_open(job, config, program, entry);
	unsigned char *data = good ? file_read(program, &size, job->error, sizeof job->error) : NULL;
	const bool ptx = data && job_is_ptx(program, data, size);
	const unsigned n = ptx ? job_ptx_params((char *)data, size, job->program.name, p, LAUNCH_MAX_ARGS) : 0;
	good = data && print_file(job, config, ptx ? program : NULL, p, n == job->program.nparams ? n : 0, whole);
	if (whole)
		fclose(whole);
	if (good)
		fputs(text, to);
	free(text);
	free(data);
	free(p);
	return good;
}
