// SPDX-License-Identifier: Apache-2.0
/* launch.c -- a launch on the C model: checks with the driver's results, the run, the end of the run in words. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tools/progress.h"
#include "driver.h"

enum { WORKSPACE = 8, MOST_SMS = 1024 };
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;

double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* ---- parameters ---- */

/* CU_LAUNCH_PARAM_END 0, _BUFFER_POINTER 1, _BUFFER_SIZE 2. */
static CUresult from_extra(void **extra, const struct wl_program *p, uint8_t *params)
{
	const void *buffer = NULL;
	const size_t *size = NULL;
	for (unsigned i = 0; extra[i]; i += 2) {
		if ((uintptr_t)extra[i] == 1)
			buffer = extra[i + 1];
		else if ((uintptr_t)extra[i] == 2)
			size = extra[i + 1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	CHECK(buffer && size &&
	              *size >= (p->nparams ? p->params[p->nparams - 1].offset + p->params[p->nparams - 1].size : 0),
	      INVALID_VALUE);
	memcpy(params, buffer, *size < p->param_bytes ? *size : p->param_bytes);
	return CUDA_SUCCESS;
}

CUresult launch_make(struct function *f, const uint32_t dims[6], uint32_t shared, void **params, void **extra,
                     struct launch *out)
{
	*out = (struct launch){.function = f, .shared = shared};
	CHECK(f, INVALID_HANDLE);
	CUresult r = function_load(f);
	if (r)
		return r;
	const struct wl_program *p = &f->program;
	memcpy(out->grid, dims, sizeof out->grid);
	memcpy(out->block, dims + 3, sizeof out->block);
	wl_program_block(p, out->block);
	if (f->cluster[0])
		for (unsigned d = 0; d < 3; d++)
			out->cluster[d] = f->cluster[d] ? (uint32_t)f->cluster[d] : 1;
	CHECK(!(params && extra), INVALID_VALUE);
	CHECK(!p->nparams || params || extra, INVALID_VALUE);
	out->param_bytes = p->param_bytes;
	out->params = calloc(1, p->param_bytes + 1u);
	CHECK(out->params, OUT_OF_MEMORY);
	if (extra)
		r = from_extra(extra, p, out->params);
	for (uint32_t i = 0; !extra && i < p->nparams && !r; i++)
		if (params[i])
			memcpy(out->params + p->params[i].offset, params[i], p->params[i].size);
		else
			r = CUDA_ERROR_INVALID_VALUE;
	if (r) {
		free(out->params);
		out->params = NULL;
	}
	return r;
}

/* ---- checks, with the driver's results ---- */

static CUresult check_cluster(const struct launch *l)
{
	const struct wl_program *p = &l->function->program;
	uint32_t dims[3];
	CHECK(!l->function->must_cluster || l->cluster[0] || p->required_cluster[0], INVALID_CLUSTER_SIZE);
	for (unsigned d = 0; d < 3; d++) {
		dims[d] = l->cluster[0] ? l->cluster[d] : p->required_cluster[0] ? p->required_cluster[d] : 1;
		CHECK(dims[d] && l->grid[d] % dims[d] == 0, INVALID_CLUSTER_SIZE);
		CHECK(!p->required_cluster[0] || !l->cluster[0] || p->required_cluster[d] == dims[d],
		      INVALID_CLUSTER_SIZE);
	}
	const uint64_t ctas = (uint64_t)dims[0] * dims[1] * dims[2];
	CHECK(ctas == 1 || Device.chip >= 90, INVALID_CLUSTER_SIZE);
	CHECK(ctas <= (l->function->nonportable ? 16u : 8u), INVALID_CLUSTER_SIZE);
	return CUDA_SUCCESS;
}

CUresult launch_check(const struct launch *l)
{
	static const uint32_t most[3] = {INT32_MAX, 65535, 65535};
	const struct function *f = function_get(l->function);
	CHECK(f && f->module->context, INVALID_HANDLE); /* of a graph without its module or context */
	const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
	for (unsigned d = 0; d < 3; d++)
		CHECK(l->grid[d] && l->grid[d] <= most[d] && l->block[d] && l->block[d] <= (d == 2 ? 64 : 1024),
		      INVALID_VALUE);
	CHECK(threads <= 1024, INVALID_VALUE);
	CHECK(l->shared <= (uint32_t)f->max_dynamic, INVALID_VALUE);
	for (unsigned d = 0; d < 3; d++)
		CHECK(!f->program.required_block[0] || f->program.required_block[d] == l->block[d], INVALID_VALUE);
	CHECK(!f->program.max_threads || threads <= f->program.max_threads, INVALID_VALUE);
	const unsigned fit = function_blocks_per_sm(f, (unsigned)threads, l->shared);
	CHECK(fit, LAUNCH_OUT_OF_RESOURCES);
	const uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	CHECK(!l->cooperative || ctas <= (uint64_t)fit * Device.sms, COOPERATIVE_LAUNCH_TOO_LARGE);
	return check_cluster(l);
}

/* ---- the run ---- */

/* SMs of the model for a launch. An SM of the model holds fewer warps and CTAs than an SM of the chip. If the chip
 * holds all CTAs of the grid at a time, so do the SMs of the model. For a larger grid no program may expect so, and few
 * SMs are faster. */
static unsigned sms_for(const struct launch *l)
{
	const struct wl_program *p = &l->function->program;
	const uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	const unsigned threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + 31) / 32;
	const uint64_t shared = (p->shared_bytes + l->shared + 1024 + 15) & ~UINT64_C(15);
	const uint64_t fit = (uint64_t)function_blocks_per_sm(l->function, threads, l->shared) * Device.sms;
	uint64_t slots = WL_MAX_WARPS / warps < WL_MAX_CTAS ? WL_MAX_WARPS / warps : WL_MAX_CTAS;
	if (wl_chip_shared_of_sm(Device.chip) / shared < slots)
		slots = wl_chip_shared_of_sm(Device.chip) / shared;
	slots = slots ? slots : 1;
	uint64_t cluster = 1, sms = ctas <= fit ? (ctas + slots - 1) / slots : 4;
	for (unsigned d = 0; d < 3; d++)
		cluster *= l->cluster[0] ? l->cluster[d] : p->required_cluster[0] ? p->required_cluster[d] : 1;
	if (sms * slots < cluster)
		sms = (cluster + slots - 1) / slots;
	return sms > MOST_SMS ? MOST_SMS : (unsigned)sms;
}

static void print(void *self, const char *text, size_t n)
{
	(void)self;
	fwrite(text, 1, n, stdout);
}

enum { MOST_LINES = 16 };
static void explain_line(void *self, const char *text)
{
	unsigned *lines = self;
	if (++*lines <= MOST_LINES)
		say("  %s", text);
}

static CUresult result_of(enum wl_fault fault)
{
	switch (fault) {
	case WL_FAULT_MISALIGNED_ADDRESS:
		return CUDA_ERROR_MISALIGNED_ADDRESS;
	case WL_FAULT_SHARED_OUT_OF_RANGE:
	case WL_FAULT_GLOBAL_OUT_OF_RANGE:
	case WL_FAULT_LOCAL_OUT_OF_RANGE:
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	case WL_FAULT_BAD_SPACE:
		return CUDA_ERROR_INVALID_ADDRESS_SPACE;
	case WL_FAULT_ILLEGAL_INSTRUCTION:
		return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	case WL_FAULT_INVALID_PC:
		return CUDA_ERROR_INVALID_PC;
	case WL_FAULT_ASSERT:
		return CUDA_ERROR_ASSERT;
	default:
		return CUDA_ERROR_LAUNCH_FAILED;
	}
}

static const char *outcome_of(const struct wl_gpu *g)
{
	return wl_gpu_outcome(g) == WL_ENDED ? "pass" : wl_outcome_name(wl_gpu_outcome(g));
}

/* Says when the address of a fault is memory of another device. */
static void explain_peer(const struct context *c, const char *text)
{
	unsigned long long address;
	const char *at = strstr(text, ", address 0x");
	if (Device.devices == 1 || !at || sscanf(at, ", address %llx", &address) != 1)
		return;
	const struct block *b = memory_find(address);
	if (b && !memory_reaches(c, b))
		say("  the address is memory of device %d, and the context has no access: cuCtxEnablePeerAccess%s",
		    b->device, b->pool ? ", of pools cuMemPoolSetAccess" : "");
}

/* The result of the launch; faults stay with the context. */
static CUresult judge(const struct launch *l, const struct wl_gpu *g)
{
	char text[2000];
	CUresult r = CUDA_SUCCESS;
	const enum wl_outcome o = wl_gpu_outcome(g);
	fflush(stdout);
	if (o == WL_ENDED)
		return r;
	wl_gpu_detail(g, text, sizeof text);
	char where[24] = "";
	if (Device.devices > 1)
		snprintf(where, sizeof where, " on device %d", l->function->module->context->device);
	say("kernel %s%s: %s: %s", l->function->name, where, wl_outcome_name(o), text);
	explain_peer(l->function->module->context, text);
	unsigned lines = 0;
	if (o == WL_DEADLOCK || o == WL_LIMIT)
		wl_gpu_explain(g, explain_line, &lines);
	if (lines > MOST_LINES)
		say("  and %u more", lines - MOST_LINES);
	if (o == WL_ERROR)
		return CUDA_ERROR_NOT_SUPPORTED;
	r = o == WL_FAULTED ? result_of(wl_gpu_fault(g)) : CUDA_ERROR_LAUNCH_TIMEOUT;
	context_fault(l->function->module->context, r);
	return Device.blocking ? r : CUDA_SUCCESS;
}

static CUresult find_memory(const struct launch *l, struct wl_launch *start)
{
	struct context *c = l->function->module->context;
	if (l->function->uses_heap && !c->heap) {
		c->heap_bytes = c->limit[2];
		c->heap = memory_new(c->heap_bytes, MEMORY_MODULE, 0, c);
		CHECK(c->heap, OUT_OF_MEMORY);
		memset(memory_at(c->heap, c->heap_bytes), 0, c->heap_bytes);
	}
	if (l->cooperative && !c->workspace)
		c->workspace = memory_new(WORKSPACE, MEMORY_MODULE, 0, c);
	CHECK(!l->cooperative || c->workspace, OUT_OF_MEMORY);
	if (l->cooperative)
		memset(memory_at(c->workspace, WORKSPACE), 0, WORKSPACE);
	start->heap = l->function->uses_heap ? c->heap : 0;
	start->heap_bytes = l->function->uses_heap ? c->heap_bytes : 0;
	start->workspace = l->cooperative ? c->workspace : 0;
	return CUDA_SUCCESS;
}

/* Numbers of a run under way, at an arbitrary time. */
static void look(void *gpu, struct progress *line)
{
	uint64_t ctas;
	const uint64_t done = wl_gpu_ctas_done(gpu, &ctas);
	progress_at(line, done, ctas, wl_gpu_warp_instructions(gpu));
}

static CUresult run(const struct launch *l, const struct wl_config *config, struct wl_program *p,
                    struct wl_gmem *memory, struct wl_launch *start, const char **outcome)
{
	struct wl_gpu *g;
	char why[600];
	const double began = now_ms();
	if (wl_gpu_create(config, p, memory, start, &g, why, sizeof why) != WL_OK) {
		say("kernel %s: %s", l->function->name, why);
		return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	}
	wl_gpu_set_misuse(g, Device.misuse);
	struct progress line;
	progress_start(&line, l->function->name, "CTAs", false);
	line.inner = "warp instructions";
	progress_watch(&line, look, g);
	call_unlock();
	wl_gpu_run(g);
	call_lock();
	progress_end(&line);
	const CUresult r = judge(l, g);
	*outcome = outcome_of(g);
	report_launch(l, *outcome, wl_gpu_warp_instructions(g), now_ms() - began);
	wl_gpu_free(g);
	return r;
}

void launch_settle(void)
{
	call_unlock();
	pthread_mutex_lock(&device_lock);
	call_lock();
	pthread_mutex_unlock(&device_lock);
}

static CUresult run_alone(const struct launch *l)
{
	struct wl_config config = wl_config_default();
	struct wl_launch start = {.dynamic_shared = l->shared,
	                          .params = l->params,
	                          .limit = Device.limit,
	                          .print = print,
	                          .sms_told = Device.sms};
	struct wl_gmem memory;
	const char *outcome = "error";
	struct wl_program *p = &l->function->program;
	config.arch = Device.arch;
	config.chip = Device.chip;
	config.sms = sms_for(l);
	config.shared_bytes = wl_chip_shared_of_sm(Device.chip);
	config.seed = Device.seed;
	config.schedule = Device.schedule;
	memcpy(start.grid, l->grid, sizeof start.grid);
	memcpy(start.block, l->block, sizeof start.block);
	memcpy(start.cluster, l->cluster, sizeof start.cluster);
	if (p->local_bytes < l->function->module->context->limit[0] && p->local_bytes > 0)
		p->local_bytes = (uint32_t)l->function->module->context->limit[0];
	CUresult r = find_memory(l, &start);
	memory_place(WL_PARAM_BASE + p->param_base, p->param_bytes, l->params);
	memory_view(&memory, l->function->module->context);
	struct recording *recording = r || !Device.record ? NULL : record_begin(l, &start, config.sms);
	if (!r)
		r = run(l, &config, p, &memory, &start, &outcome);
	if (recording)
		record_end(recording, outcome);
	return r;
}

CUresult launch_run(const struct launch *l)
{
	call_unlock(); /* another thread's kernel may run, and need the calls */
	pthread_mutex_lock(&device_lock);
	call_lock();
	CUresult r = launch_check(l);
	if (!r)
		r = run_alone(l);
	pthread_mutex_unlock(&device_lock);
	return r;
}

/* ---- calls ---- */

static CUresult submit(struct launch *l, const void *stream)
{
	struct stream *s = stream_get(stream);
	const bool fits = s && s->context == l->function->module->context; /* of one context, and so of one device */
	CUresult r = fits ? launch_check(l) : CUDA_ERROR_INVALID_HANDLE;
	if (r) {
		free(l->params);
		return r;
	}
	struct work w = {.kind = WORK_KERNEL, .launch = *l};
	return stream_do(s, &w);
}

/* The kernel in the stream's context. */
static CUresult kernel_of(const void *function, const void *stream, struct function **out)
{
	struct function *f = function_get(function);
	const struct stream *s = stream_get(stream);
	CHECK(f && s, INVALID_HANDLE);
	return function_in(f, s->context, out);
}

static CUresult launch(void *function, const uint32_t dims[6], uint32_t shared, const void *stream, void **params,
                       void **extra, bool cooperative)
{
	struct launch l;
	struct function *f;
	CUresult r = kernel_of(function, stream, &f);
	if (!r)
		r = launch_make(f, dims, shared, params, extra, &l);
	if (r)
		return r;
	l.cooperative = cooperative;
	return submit(&l, stream);
}

API CUresult cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                            unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
	GUARD(NEED_WHOLE);
	return launch(function, (const uint32_t[]){gx, gy, gz, bx, by, bz}, shared, stream, params, extra, false);
}

API CUresult cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                       unsigned bz, unsigned shared, void *stream, void **params)
{
	GUARD(NEED_WHOLE);
	return launch(function, (const uint32_t[]){gx, gy, gz, bx, by, bz}, shared, stream, params, NULL, true);
}

/* CUlaunchAttribute: 4 bytes id, 4 of padding, 64 of value. */
struct attribute {
	int id, padding;
	union {
		uint32_t dims[3];
		int number;
		uint8_t bytes[64];
	} value;
};
/* CUlaunchConfig. */
struct config {
	unsigned grid[3], block[3], shared;
	void *stream;
	const struct attribute *attributes;
	unsigned n;
};

/* Numbers of CUlaunchAttributeID. Hints about speed, memory or order between kernels have no effect. */
static CUresult apply(const struct config *c, struct launch *l)
{
	for (unsigned i = 0; i < c->n; i++) {
		const struct attribute *a = &c->attributes[i];
		switch (a->id) {
		case 2:
			l->cooperative = a->value.number != 0;
			break;
		case 4:
			memcpy(l->cluster, a->value.dims, sizeof l->cluster);
			CHECK(l->cluster[0] && l->cluster[1] && l->cluster[2], INVALID_VALUE);
			break;
		case 7:
		case 12:
			return unbuilt("cuLaunchKernelEx", "a launch attribute with an event");
		case 13:
			return unbuilt("cuLaunchKernelEx", "a node that kernels change");
		default:
			CHECK(a->id >= 0 && a->id <= 14, INVALID_VALUE);
			break;
		}
	}
	return CUDA_SUCCESS;
}

API CUresult cuLaunchKernelEx(const struct config *c, void *function, void **params, void **extra)
{
	struct launch l;
	struct function *f;
	GUARD(NEED_WHOLE);
	CHECK(c && (!c->n || c->attributes), INVALID_VALUE);
	const uint32_t dims[6] = {c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2]};
	CUresult r = kernel_of(function, c->stream, &f);
	if (!r)
		r = launch_make(f, dims, c->shared, params, extra, &l);
	if (r)
		return r;
	r = apply(c, &l);
	if (r) {
		free(l.params);
		return r;
	}
	return submit(&l, c->stream);
}

static CUresult clusters(int *out, void *function, const struct config *c, bool size)
{
	struct launch l = {.function = function_get(function)};
	CHECK(l.function, INVALID_HANDLE);
	CHECK(out && c && (!c->n || c->attributes), INVALID_VALUE);
	CUresult r = function_load(l.function);
	if (!r)
		r = apply(c, &l);
	if (r)
		return r;
	const unsigned threads = c->block[0] * c->block[1] * c->block[2];
	const unsigned fit = function_blocks_per_sm(l.function, threads, c->shared);
	CHECK(Device.chip >= 90, NOT_SUPPORTED);
	const unsigned ctas = l.cluster[0] ? l.cluster[0] * l.cluster[1] * l.cluster[2] : 1;
	*out = size ? (fit ? (l.function->nonportable ? 16 : 8) : 0) : (int)(fit * Device.sms / ctas);
	return CUDA_SUCCESS;
}

API CUresult cuOccupancyMaxActiveClusters(int *out, void *function, const struct config *c)
{
	GUARD(NEED_WHOLE);
	return clusters(out, function, c, false);
}
API CUresult cuOccupancyMaxPotentialClusterSize(int *out, void *function, const struct config *c)
{
	GUARD(NEED_WHOLE);
	return clusters(out, function, c, true);
}
