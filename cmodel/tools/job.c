// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "misuse_list.h"
#include "warplock/object.h"

static __attribute__((format(printf, 2, 3))) bool fail(struct job *job, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vsnprintf(job->error, sizeof job->error, format, ap);
	va_end(ap);
	return false;
}

/* --- the program ------------------------------------------------------------------------------------------- */

bool job_is_ptx(const char *path, const unsigned char *data, size_t size)
{
	const char *dot = strrchr(path, '.');
	if (dot && strcmp(dot, ".ptx") == 0)
		return true;
	return !(dot && (strcmp(dot, ".wlo") == 0 || strcmp(dot, ".cubin") == 0 || strcmp(dot, ".fatbin") == 0)) &&
	       (size < 4 || (memcmp(data, "\177ELF", 4) && memcmp(data, "!<ar", 4))) && !wl_image_is_fatbin(data, size);
}

static enum wl_status load_object(struct job *job, const struct wl_image *cubin, const char *entry, char *why,
                                  size_t whyn)
{
	struct wl_object *o;
	enum wl_status s = wl_object_open(cubin->data, cubin->size, &o, why, whyn);
	const struct wl_bases bases = {job->launch.variables_at ? job->launch.variables_at : WL_MODULE_BASE,
	                               job->launch.constants_at ? job->launch.constants_at : WL_CONST_BASE,
	                               job->launch.variables_at && wl_object_keeps_functions(o)};
	if (s == WL_OK)
		s = wl_object_program_at(o, entry, &bases, &job->program, why, whyn);
	if (s == WL_OK && (s = wl_object_program_lines(o, &job->program)) != WL_OK)
		snprintf(why, whyn, "out of memory");
	wl_object_close(o);
	return s;
}

static unsigned chip_of(const struct wl_config *c)
{
	return c->chip ? c->chip : c->arch;
}

/* The PTX has setmaxnreg; the compiler writes nothing for setmaxnreg. */
static bool trades_registers(const unsigned char *text, size_t size)
{
	static const char word[] = "setmaxnreg.";
	for (size_t i = 0; i + sizeof word <= size; i++)
		if (text[i] == 's' && memcmp(text + i, word, sizeof word - 1) == 0)
			return true;
	return false;
}

/* The program in a file's bytes: PTX is compiled, of a fat binary the part for the architecture is taken. */
static bool load_bytes(struct job *job, const struct wl_config *config, const char *path, const unsigned char *data,
                       size_t size, const char *named)
{
	char why[JOB_ERROR / 2];
	struct wl_image image = {WL_IMAGE_PTX, data, size, NULL}, cubin;
	unsigned char *object = NULL;
	size_t object_size = 0;
	const char *entry = named ? named : job->launch.kernel[0] ? job->launch.kernel : NULL;
	enum wl_status s = WL_OK;
	if (!job_is_ptx(path, data, size))
		s = wl_image_find(data, size, chip_of(config), entry, &image, why, sizeof why);
	cubin = image;
	if (s == WL_OK && image.kind == WL_IMAGE_PTX && trades_registers(image.data, image.size))
		fprintf(stderr, "%s: note: setmaxnreg is not compiled: a hang for want of registers is not seen\n",
		        path);
	if (s == WL_OK && image.kind == WL_IMAGE_PTX) {
		if (!job_compile(job, config, path, image.data, image.size, &object, &object_size)) {
			wl_image_free(&image);
			return false;
		}
		cubin = (struct wl_image){WL_IMAGE_CUBIN, object, object_size, NULL};
		job->ptx = malloc(image.size + 1);
		if (job->ptx) {
			memcpy(job->ptx, image.data, image.size);
			job->ptx[image.size] = 0;
		}
	}
	if (s == WL_OK)
		s = load_object(job, &cubin, entry, why, sizeof why);
	free(object);
	wl_image_free(&image);
	if (s == WL_ERR_NO_ENTRY && entry && !named)
		return fail(job, "%s: field 'kernel': %s: %s", job->launch.path, path, why);
	return s == WL_OK || fail(job, "%s: %s", path, why);
}

/* Likewise; the program's architecture must be the configuration's. */
static bool take_program(struct job *job, const struct wl_config *config, const char *path, const unsigned char *data,
                         size_t size, const char *entry)
{
	const enum wl_arch arch = config->arch;
	const bool ok = load_bytes(job, config, path, data, size, entry);
	if (ok && job->program.arch != arch)
		return fail(job, "%s: the program is for sm_%d, expected sm_%u (--arch)", path, (int)job->program.arch,
		            chip_of(config));
	if (ok && job->program.local_bytes < job->launch.stack)
		job->program.local_bytes = job->launch.stack;
	return ok;
}

static bool load_program(struct job *job, const struct wl_config *config, const char *path, const char *entry)
{
	size_t size;
	unsigned char *data = file_read(path, &size, job->error, sizeof job->error);
	const bool ok = data && take_program(job, config, path, data, size, entry);
	free(data);
	return ok;
}

/* --- arguments --------------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const struct launch_arg *a)
{
	return a->count * a->type->bytes;
}

enum { WORKSPACE = 8, WORKSPACE_ROOM = 256 }; /* bytes shared by CTAs of a cooperative launch, and room for them */

static bool uses_heap(const struct wl_program *p)
{
	for (uint32_t i = 0; i < p->nfunctions; i++)
		if (p->functions[i].external && strcmp(p->functions[i].name, "malloc") == 0)
			return true;
	return false;
}

/* Prints of the kernel go to standard output, and are kept for the report. */
static void print(void *self, const char *text, size_t n)
{
	struct job *job = self;
	if (!job->quiet)
		fwrite(text, 1, n, stdout);
	if (n > JOB_PRINTED_MAX - job->printed_bytes)
		return;
	char *more = realloc(job->printed, job->printed_bytes + n + 1);
	if (!more)
		return;
	job->printed = more;
	memcpy(more + job->printed_bytes, text, n);
	job->printed_bytes += n;
	more[job->printed_bytes] = 0;
}

static bool make_heap(struct job *job)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < job->launch.nall; i++)
		if (job->launch.arg[i].is_buffer)
			bytes += ((bytes_of(&job->launch.arg[i]) + 255) & ~UINT64_C(255)) +
			         (job->launch.arg[i].address ? 2 * 256 : 0);
	bytes += job->launch.cooperative ? WORKSPACE_ROOM : 0;
	bytes += uses_heap(&job->program) ? (job->launch.heap + 255) & ~UINT64_C(255) : 0;
	bytes += ((job->program.data_bytes + 255) & ~UINT64_C(255)) +
	         ((job->program.cbank_bytes[3] + UINT64_C(255)) & ~UINT64_C(255));
	if (bytes > JOB_HEAP_MAX)
		return fail(job, "%s: field 'args': the buffers%s take %llu bytes, at most %d", job->launch.path,
		            job->program.data_bytes ? " and the program's variables" : "", (unsigned long long)bytes,
		            JOB_HEAP_MAX);
	bytes += (job->program.param_bytes + 15u) & ~15u; /* parameters, for generic addresses */
	job->gmem.bytes = bytes;
	job->gmem.mem = calloc(1, bytes ? bytes : 1);
	return job->gmem.mem || fail(job, "no memory for %llu bytes of buffers", (unsigned long long)bytes);
}

/* A file with exactly the elements of a buffer. */
static unsigned char *read_elements(struct job *job, const struct launch_arg *a, const char *field, const char *path)
{
	size_t size;
	char why[JOB_ERROR / 2];
	unsigned char *data = file_read(path, &size, why, sizeof why);
	if (data && size == bytes_of(a))
		return data;
	if (data)
		snprintf(why, sizeof why, "%s has %zu bytes, the buffer %llu", path, size,
		         (unsigned long long)bytes_of(a));
	fail(job, "%s: argument '%s', field '%s': %s", job->launch.path, a->name, field, why);
	free(data);
	return NULL;
}

/* Contents from no file; `to` is zeroed. */
static void make_elements(const struct launch_arg *a, const struct launch_fill *f, uint8_t *to)
{
	for (uint64_t i = 0; f->kind != FILL_ZERO && i < a->count; i++) {
		uint64_t v = launch_element(a->type, f, i);
		memcpy(to + i * a->type->bytes, &v, a->type->bytes);
	}
}

enum { UNWRITTEN = 0xa5 /* each byte of an unwritten buffer */ };

static bool fill_buffer(struct job *job, const struct launch_arg *a, uint8_t *to)
{
	if (a->init.kind == FILL_FILE) {
		unsigned char *data = read_elements(job, a, "init", a->init.text);
		if (data)
			memcpy(to, data, bytes_of(a));
		free(data);
		return data != NULL;
	}
	if (a->init.kind == FILL_UNWRITTEN)
		memset(to, UNWRITTEN, bytes_of(a));
	else
		make_elements(a, &a->init, to);
	return true;
}

/* Files with expected contents of buffers: a missing file is told before the run. */
static bool check_expected(struct job *job)
{
	for (unsigned i = 0; i < job->launch.nall; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (!a->is_buffer || a->expect.kind != FILL_FILE)
			continue;
		unsigned char *data = read_elements(job, a, "expect", a->expect.text);
		if (!data)
			return false;
		free(data);
	}
	return true;
}

static bool place_buffer(struct job *job, unsigned i)
{
	const struct launch_arg *a = &job->launch.arg[i];
	const uint64_t bytes = bytes_of(a);
	if (a->address > UINT64_MAX - bytes)
		return fail(job, "%s: buffer '%s': %llu bytes from 0x%llx on reach beyond the last address, 2^64 - 1",
		            job->launch.path, a->name, (unsigned long long)bytes, (unsigned long long)a->address);
	if (!a->address)
		job->addr[i] = wl_gmem_add(&job->gmem, bytes);
	else if (!wl_gmem_add_at(&job->gmem, a->address, bytes))
		return fail(job, "%s: buffer '%s': 0x%llx does not lie behind the buffer before (addresses must rise)",
		            job->launch.path, a->name, (unsigned long long)a->address);
	if (!job->addr[i])
		return fail(job, "%s: buffer '%s': no room for %llu bytes", job->launch.path, a->name,
		            (unsigned long long)bytes);
	job->gmem.buf[job->gmem.nbuf - 1].name = a->name;
	job->gmem.buf[job->gmem.nbuf - 1].element = a->type->bytes;
	return fill_buffer(job, a, wl_gmem_at(&job->gmem, job->addr[i], 1));
}

static bool place_arg(struct job *job, unsigned i)
{
	const struct launch_arg *a = &job->launch.arg[i];
	const struct wl_param *p = &job->program.params[i];
	const unsigned size = a->is_buffer ? 8 : !a->is_bytes ? a->type->bytes : a->size ? a->size : p->size;
	const char *what = a->is_buffer ? "a buffer" : a->is_bytes ? "the field 'size'" : a->type->name;
	if (p->size != size)
		return fail(job, "%s: args[%u] '%s': %s takes %u bytes, the kernel's parameter %u has %u%s",
		            job->launch.path, i, a->name, what, size, i, p->size,
		            a->is_bytes ? "" : " (kind \"bytes\" gives bytes of any size)");
	if ((uint64_t)p->offset + size > sizeof job->params)
		return fail(job, "parameter %u of the program lies at offset %u, outside of constant bank 0", i,
		            p->offset);
	if (a->is_bytes && a->end > size)
		return fail(job, "%s: args[%u] '%s': its fields take %u bytes, the kernel's parameter %u has %u",
		            job->launch.path, i, a->name, a->end, i, size);
	if (a->is_bytes)
		launch_bytes_fill(a, job->addr, job->params + p->offset);
	else
		memcpy(job->params + p->offset, a->is_buffer ? &job->addr[i] : &a->value, size);
	return true;
}

static bool place_args(struct job *job)
{
	if (!job->launch.path[0] && job->program.nparams)
		return fail(job, "kernel %s takes %u arguments: a launch file must give them (--launch)",
		            job->program.name, job->program.nparams);
	if (job->launch.nargs != job->program.nparams)
		return fail(job, "%s: field 'args' has %u arguments, kernel %s takes %u", job->launch.path,
		            job->launch.nargs, job->program.name, job->program.nparams);
	for (unsigned i = 0; i < job->launch.nall; i++) {
		job->addr[i] = job->launch.arg[i].address; /* placed last */
		if (job->launch.arg[i].is_buffer && !job->addr[i] && !place_buffer(job, i))
			return false;
	}
	for (unsigned i = 0; i < job->launch.nargs; i++)
		if (!place_arg(job, i))
			return false;
	if (uses_heap(&job->program) && !job->launch.heap_at) {
		job->start.heap = wl_gmem_add(&job->gmem, job->launch.heap);
		job->start.heap_bytes = job->launch.heap;
		if (!job->start.heap)
			return fail(job, "no room for a heap of %llu bytes: too many buffers",
			            (unsigned long long)job->launch.heap);
	}
	if (job->launch.cooperative) { /* zeroed: the heap is */
		job->start.workspace = wl_gmem_add(&job->gmem, WORKSPACE);
		if (!job->start.workspace)
			return fail(job, "no room for the workspace of a cooperative launch: too many buffers");
	}
	return ((job->launch.variables_at ||
	         wl_gmem_add_module(&job->gmem, job->program.data, job->program.data_bytes)) &&
	        (job->launch.constants_at ||
	         wl_gmem_add_constants(&job->gmem, job->program.cbank[3], job->program.cbank_bytes[3])) &&
	        wl_gmem_add_parameters(&job->gmem, job->program.param_base, job->params, job->program.param_bytes)) ||
	       fail(job, "no room for %llu bytes of the program's variables",
	            (unsigned long long)job->program.data_bytes);
}

/* A buffer of the launch file in the place of memory of the tools. False: no buffer at the address, or a buffer too
 * small. */
static bool find_given(struct job *job, const char *field, uint64_t at, uint64_t least, const uint8_t **bytes,
                       uint64_t *size)
{
	const struct wl_buf *b = wl_gmem_find(&job->gmem, at);
	if (!b || b->addr != at || b->size < least)
		return fail(job, "%s: field '%s': 0x%llx is no buffer of %llu bytes or more", job->launch.path, field,
		            (unsigned long long)at, (unsigned long long)least);
	*bytes = wl_gmem_bytes(&job->gmem, b);
	*size = b->size;
	return true;
}

/* Buffers with addresses, behind everything else, and the memory represented by the buffers. */
static bool place_given(struct job *job)
{
	const struct launch_file *l = &job->launch;
	struct wl_program *p = &job->program;
	const uint8_t *bytes;
	uint64_t size;
	for (unsigned i = 0; i < l->nall; i++)
		if (l->arg[i].address && !place_buffer(job, i))
			return false;
	if (l->variables_at && p->data_bytes &&
	    !find_given(job, "variables_at", l->variables_at, p->data_bytes, &bytes, &size))
		return false;
	if (l->constants_at && p->cbank_bytes[3]) {
		if (!find_given(job, "constants_at", l->constants_at, p->cbank_bytes[3], &bytes, &size))
			return false;
		memcpy(p->cbank[3], bytes, p->cbank_bytes[3]);
	}
	if (l->heap_at && uses_heap(p)) {
		if (!find_given(job, "heap_at", l->heap_at, 32, &bytes, &size))
			return false;
		job->start.heap = l->heap_at;
		job->start.heap_bytes = size;
	}
	return true;
}

static bool create(struct job *job, const struct wl_config *config, uint64_t limit)
{
	const struct launch_file *l = &job->launch;
	char why[JOB_ERROR / 2];
	memcpy(job->start.grid, l->grid, sizeof l->grid);
	memcpy(job->start.block, l->block, sizeof l->block);
	memcpy(job->start.cluster, l->cluster, sizeof l->cluster);
	job->start.dynamic_shared = l->dynamic_shared;
	job->start.params = job->params;
	job->start.print = print;
	job->start.print_self = job;
	job->start.limit = limit;
	if (wl_gpu_create(config, &job->program, &job->gmem, &job->start, &job->gpu, why, sizeof why))
		return fail(job, "%s%slaunch of kernel %s: %s", l->path, l->path[0] ? ": " : "", job->program.name,
		            why);
	uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], fit = wl_gpu_resident(job->gpu);
	if (l->all_resident && ctas > fit)
		return fail(job, "%s: field %s, but only %llu of %llu CTAs run at a time on %u SMs (--sms)", l->path,
		            l->cooperative ? "'cooperative' is true" : "'residency' is \"all\"",
		            (unsigned long long)fit, (unsigned long long)ctas, config->sms);
	return true;
}

bool job_load(struct job *job, const struct wl_config *config, const char *launch_path, const char *program_path,
              const char *entry, uint64_t limit)
{
	*job = (struct job){.quiet = job->quiet};
	if (launch_path) {
		if (!launch_read(launch_path, &job->launch, job->error, sizeof job->error))
			return false;
		if (job->launch.ignored[0] && !job->quiet)
			fprintf(stderr, "%s: warning: unknown fields are ignored: %s\n", launch_path,
			        job->launch.ignored);
	} else {
		launch_default(&job->launch);
	}
	if (!program_path)
		program_path = launch_ptx_for(&job->launch, chip_of(config), job->error, sizeof job->error);
	return program_path && load_program(job, config, program_path, entry) && job_start(job, config, limit);
}

bool job_start(struct job *job, const struct wl_config *config, uint64_t limit)
{
	return make_heap(job) && check_expected(job) && place_args(job) && place_given(job) &&
	       create(job, config, limit);
}

bool job_open(struct job *job, const struct wl_config *config, const char *program_path, const char *entry)
{
	memset(job, 0, sizeof *job);
	launch_default(&job->launch);
	return load_program(job, config, program_path, entry);
}

bool job_open_bytes(struct job *job, const struct wl_config *config, const char *name, const unsigned char *data,
                    size_t size, const char *entry)
{
	return take_program(job, config, name, data, size, entry);
}

void job_free(struct job *job)
{
	wl_gpu_free(job->gpu);
	wl_program_free(&job->program);
	launch_free(&job->launch);
	free(job->gmem.mem);
	free(job->ptx);
	free(job->printed);
	wl_waits_free(&job->waits.waits);
	memset(job, 0, sizeof *job);
}

/* --- afterwards -------------------------------------------------------------------------------------------- */

struct notes {
	void (*note)(void *self, const char *text);
	void *self;
};

static void tell(const struct notes *n, const char *text)
{
	if (n->note)
		n->note(n->self, text);
}

/* Compares element by element. Returns the number of differing elements; `first` describes the first. */
static uint64_t differences(const struct launch_arg *a, const uint8_t *found, const uint8_t *expected, char *first,
                            size_t n)
{
	unsigned size = a->type->bytes;
	uint64_t count = 0;
	for (uint64_t i = 0; i < a->count; i++) {
		char is[40], wanted[40];
		if (memcmp(found + i * size, expected + i * size, size) == 0 || count++)
			continue;
		launch_print_element(a->type, found + i * size, is, sizeof is);
		launch_print_element(a->type, expected + i * size, wanted, sizeof wanted);
		const char *text = a->expect.text;
		snprintf(first, n, "buffer '%s': element %llu is %s, expected %s%s%s%s", a->name, (unsigned long long)i,
		         is, wanted, *text ? " (" : "", text, *text ? ")" : "");
	}
	return count;
}

/* The expected contents of a buffer at the end, from malloc; NULL with the reason in job->error. */
static unsigned char *expected_elements(struct job *job, const struct launch_arg *a)
{
	if (a->expect.kind == FILL_FILE)
		return read_elements(job, a, "expect", a->expect.text);
	unsigned char *data = calloc(a->count, a->type->bytes);
	if (data)
		make_elements(a, &a->expect, data);
	else
		fail(job, "no memory for what buffer '%s' must hold", a->name);
	return data;
}

/* True when the buffer is as expected. */
static bool judge_buffer(struct job *job, unsigned i, struct job_verdict *v, const struct notes *notes)
{
	const struct launch_arg *a = &job->launch.arg[i];
	char first[JOB_ERROR - 100], line[JOB_ERROR];
	unsigned char *expected = expected_elements(job, a);
	if (!expected) {
		v->outcome = "error";
		snprintf(v->detail, sizeof v->detail, "%s", job->error);
		return false;
	}
	uint64_t n = differences(a, wl_gmem_at(&job->gmem, job->addr[i], 1), expected, first, sizeof first);
	free(expected);
	if (!n)
		return true;
	snprintf(line, sizeof line, "%s; %llu of %llu elements differ", first, (unsigned long long)n,
	         (unsigned long long)a->count);
	tell(notes, line);
	if (strcmp(v->outcome, "pass") == 0) {
		v->outcome = "wrong";
		memcpy(v->detail, line, sizeof line);
	}
	return false;
}

/* Adds the buffers without a comparison to the closing line. */
static void name_not_compared(const struct job *job, struct job_verdict *v)
{
	const char *before = "; not compared: ";
	for (unsigned i = 0; i < job->launch.nall; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		const bool rule = a->expect.kind == FILL_RULE;
		const size_t len = strlen(v->detail);
		if (!a->is_buffer || (a->expect.kind != FILL_NOTHING && !rule))
			continue;
		const char *lacks = job->launch.checker[0] ? "" : ", and no field 'checker' names its program";
		if (snprintf(v->detail + len, sizeof v->detail - len, "%s%s%s%s%s%s", before, a->name,
		             rule ? " (rule:" : "", rule ? a->expect.text : "", rule ? lacks : "",
		             rule ? ")" : "") >= (int)(sizeof v->detail - len))
			strcpy(v->detail + sizeof v->detail - 4, "...");
		before = ", ";
	}
}

static void judge_buffers(struct job *job, struct job_verdict *v, const struct notes *notes)
{
	unsigned compared = 0, rules = 0;
	char line[200];
	for (unsigned i = 0; i < job->launch.nall && strcmp(v->outcome, "error") != 0; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		rules += a->is_buffer && a->expect.kind == FILL_RULE;
		if (!a->is_buffer || a->expect.kind == FILL_NOTHING || a->expect.kind == FILL_RULE)
			continue;
		compared++;
		judge_buffer(job, i, v, notes);
	}
	snprintf(line, sizeof line, "buffers: %u compared", compared);
	if (rules)
		snprintf(line + strlen(line), sizeof line - strlen(line), ", %u with a rule%s", rules,
		         job->launch.checker[0] ? " that the checker checks" : ", and no checker");
	tell(notes, line);
	if (strcmp(v->outcome, "pass") == 0)
		name_not_compared(job, v);
}

static void pass_on(void *self, const char *text)
{
	tell(self, text);
}

/* The waits of all groups, and the circle in a separate line. */
static void judge_waits(struct job *job, const struct notes *notes)
{
	char line[1000];
	job->waits = (struct waits_view){.program = &job->program, .gpu = job->gpu};
	job->stands = wl_gpu_waits(job->gpu, &job->waits.waits);
	if (job->stands && waits_circle_text(&job->waits, line, sizeof line))
		tell(notes, line);
}

void job_judge(struct job *job, struct job_verdict *v, void (*note)(void *self, const char *text), void *self)
{
	struct notes notes = {note, self};
	enum wl_outcome o = wl_gpu_outcome(job->gpu);
	v->outcome = o == WL_ENDED ? "pass" : wl_outcome_name(o);
	wl_gpu_detail(job->gpu, v->detail, sizeof v->detail);
	if (o == WL_ENDED)
		judge_buffers(job, v, &notes);
	if (o == WL_DEADLOCK || o == WL_LIMIT)
		wl_gpu_explain(job->gpu, pass_on, &notes);
	if (o == WL_DEADLOCK || o == WL_LIMIT || wl_gpu_is_apart(job->gpu))
		judge_waits(job, &notes);
	v->as_expected = strcmp(v->outcome, job->launch.expect) == 0;
	misuse_notes(job->gpu, !v->as_expected || o != WL_ENDED, note, self);
}

/* The notes above list the waits of every group: the verdict of a run at a standstill ends before the first group. */
static int verdict_length(const struct job_verdict *v)
{
	const bool stands = strcmp(v->outcome, "deadlock") == 0 || strcmp(v->outcome, "limit") == 0;
	const char *first = stands ? strstr(v->detail, ": CTA ") : NULL;
	return (int)(first ? (size_t)(first - v->detail) : strlen(v->detail));
}

void job_print_verdict(const struct job *job, const struct job_verdict *v, const char *tool)
{
	/* An ended run has failed when the launch file expects another outcome: the line does not say pass. */
	const char *word = !v->as_expected && strcmp(v->outcome, "pass") == 0 ? "FAIL" : v->outcome;
	if (strcmp(v->outcome, "error") == 0)
		fprintf(stderr, "%s: %s\n", tool, v->detail);
	else
		printf("%s: %.*s%s%s\n", word, verdict_length(v), v->detail,
		       v->as_expected ? "" : "; expected: ", v->as_expected ? "" : job->launch.expect);
}

bool job_dump(struct job *job, const char *dir)
{
	char path[LAUNCH_PATH + LAUNCH_NAME];
	if (mkdir(dir, 0777) && errno != EEXIST)
		return fail(job, "%s: %s", dir, strerror(errno));
	for (unsigned i = 0; i < job->launch.nall; i++) {
		const struct launch_arg *a = &job->launch.arg[i];
		if (!a->is_buffer)
			continue;
		if (snprintf(path, sizeof path, "%s/%s.bin", dir, a->name) >= (int)sizeof path)
			return fail(job, "%s: the path is too long", dir);
		if (!file_write(path, wl_gmem_at(&job->gmem, job->addr[i], 1), bytes_of(a), job->error,
		                sizeof job->error))
			return false;
	}
	return true;
}
