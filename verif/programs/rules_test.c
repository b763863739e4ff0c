// SPDX-License-Identifier: Apache-2.0
/* rules_test.c -- rules of the driver in the reference: capture, default streams of threads, libraries without a
 * context, links, frees during a kernel, occupancy.
 *
 *   rules_test
 *
 * Expected results come from the CUDA Driver API reference and the CUDA C++ Programming Guide. Expected occupancy
 * follows the toolkit's cuda_occupancy.h, in a form of our own. Prints 'N passed, N failed', over all checks. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_api.h"

CUresult cuLinkCreate_v2(unsigned, int *, void **, void **);
CUresult cuLinkAddData_v2(void *, int, void *, size_t, const char *, unsigned, const int *, void **);
CUresult cuLinkComplete(void *, void **, size_t *);
CUresult cuLinkDestroy(void *);
CUresult cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
CUresult cuStreamIsCapturing(void *, int *);
CUresult cuStreamGetId(void *, uint64_t *);
CUresult cuStreamQuery(void *);
CUresult cuStreamAttachMemAsync(void *, CUdeviceptr, size_t, unsigned);
CUresult cuGraphGetNodes(void *, void **, size_t *);
CUresult cuGraphAddDependencies(void *, void *const *, void *const *, size_t);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, void *, int, size_t);

enum { GLOBAL, THREAD, RELAXED };
enum {
	INVALID_VALUE = 1,
	UNSUPPORTED = 900,
	INVALIDATED,
	MERGE,
	UNMATCHED,
	UNJOINED,
	ISOLATION,
	IMPLICIT,
	CAPTURED,
	WRONG_THREAD,
	INVALID_PTX = 218,
	NEWER_PTX = 222,
	TIMEOUT = 702,
	NOT_SUPPORTED = 801
};

static unsigned good, bad;
static void *count; /* a kernel */
static uint64_t to; /* the number incremented by the kernel */
static void *s, *t, *event;

static void check_at(int line, const char *what, uint64_t found, uint64_t expected)
{
	good += found == expected;
	bad += found != expected;
	if (found != expected)
		printf("line %d: %s: found %llu, expected %llu\n", line, what, (unsigned long long)found,
		       (unsigned long long)expected);
}
#define CHECK(expected, found) check_at(__LINE__, #found, (uint64_t)(found), (uint64_t)(expected))

static CUresult launch(void *kernel, void *stream)
{
	void *params[] = {&to};
	return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

/* ---- capture ---- */

static void end(void *stream, CUresult expected, size_t nodes)
{
	void *graph = &good;
	size_t n = 0;
	CHECK(expected, cuStreamEndCapture(stream, &graph));
	CHECK(expected == 0, graph != NULL);
	if (expected)
		return;
	CHECK(0, cuGraphGetNodes(graph, NULL, &n));
	CHECK(nodes, n);
	CHECK(0, cuGraphDestroy(graph));
}

/* A call in a capture of s: checks the result, and the broken capture. */
#define BREAKS(expected, call)                                                                                         \
	do {                                                                                                           \
		CHECK(0, cuStreamBeginCapture_v2(s, GLOBAL));                                                          \
		CHECK(expected, call);                                                                                 \
		CHECK(INVALIDATED, launch(count, s));                                                                  \
		end(s, INVALIDATED, 0);                                                                                \
	} while (0)

static void broken_captures(void)
{
	uint64_t at, managed;
	uint32_t number;
	CHECK(0, cuMemAllocManaged(&managed, 64, 1));
	BREAKS(UNSUPPORTED, cuStreamSynchronize(s));
	BREAKS(UNSUPPORTED, cuStreamQuery(s));
	BREAKS(UNSUPPORTED, cuCtxSynchronize());
	BREAKS(UNSUPPORTED, cuMemAlloc_v2(&at, 64));
	BREAKS(UNSUPPORTED, cuMemFree_v2(managed));
	BREAKS(UNSUPPORTED, cuMemAllocManaged(&at, 64, 1));
	BREAKS(UNSUPPORTED, cuStreamAttachMemAsync(s, managed, 0, 4));
	BREAKS(IMPLICIT, launch(count, NULL));
	BREAKS(IMPLICIT, cuMemcpyDtoH_v2(&number, to, 4));
	BREAKS(IMPLICIT, cuMemsetD32Async(to, 0, 1, NULL));
	BREAKS(IMPLICIT, cuEventRecord(event, NULL));
	BREAKS(IMPLICIT, cuStreamQuery(NULL));
	BREAKS(IMPLICIT, cuStreamWaitEvent(NULL, event, 0));
	BREAKS(ISOLATION, cuStreamWaitEvent(s, event, 0));
	CHECK(0, cuMemFree_v2(managed));
}

static void events(void)
{
	int status;
	float ms;
	CHECK(0, cuStreamBeginCapture_v2(s, GLOBAL));
	CHECK(0, cuStreamWaitEvent(s, event, 1)); /* an event from outside becomes a node */
	CHECK(0, launch(count, s));
	end(s, 0, 2);
	CHECK(0, cuStreamBeginCapture_v2(s, RELAXED));
	CHECK(0, cuStreamBeginCapture_v2(t, RELAXED));
	CHECK(0, cuEventRecord(event, s));
	CHECK(MERGE, cuStreamWaitEvent(t, event, 0));
	end(s, INVALIDATED, 0);
	end(t, INVALIDATED, 0);
	/* The event stands for nodes of a finished capture: no later capture takes the event for its own. */
	for (unsigned i = 0; i < 3; i++) {
		CHECK(0, cuStreamBeginCapture_v2(s, GLOBAL));
		CHECK(ISOLATION, cuStreamWaitEvent(t, event, 0));
		CHECK(0, cuStreamIsCapturing(t, &status));
		CHECK(0, status);
		end(s, 0, 0);
	}
	CHECK(CAPTURED, cuEventQuery(event));
	CHECK(CAPTURED, cuEventElapsedTime(&ms, event, event));
	CHECK(0, cuEventRecord(event, t));
	CHECK(0, cuEventQuery(event));
	CHECK(0, cuStreamBeginCapture_v2(s, GLOBAL));
	CHECK(0, launch(count, s));
	CHECK(0, cuEventRecord(event, s));
	CHECK(0, cuStreamWaitEvent(t, event, 0));
	CHECK(0, launch(count, t));
	CHECK(UNMATCHED, cuStreamEndCapture(t, &(void *){NULL}));
	end(s, UNJOINED, 0);
	CHECK(0, cuEventRecord(event, t));
}

static void gone_stream(void)
{
	void *gone;
	int status;
	CHECK(0, cuStreamCreate(&gone, 0));
	CHECK(0, cuStreamBeginCapture_v2(gone, GLOBAL));
	CHECK(0, launch(count, gone));
	CHECK(0, cuEventRecord(event, gone));
	CHECK(0, cuStreamWaitEvent(t, event, 0));
	CHECK(0, cuStreamDestroy_v2(gone));
	CHECK(0, cuStreamIsCapturing(t, &status));
	CHECK(0, status);
	CHECK(0, launch(count, NULL)); /* no capture is under way */
	CHECK(0, cuEventRecord(event, t));
}

/* ---- threads ---- */

struct other {
	int mode;
	void *context;
	CUresult alloc, end;
};

static void *other_thread(void *self)
{
	struct other *o = self;
	uint64_t at = 0;
	void *graph = NULL;
	cuCtxSetCurrent(o->context);
	cuThreadExchangeStreamCaptureMode(&o->mode);
	o->alloc = cuMemAlloc_v2(&at, 64);
	o->end = cuStreamEndCapture(s, &graph);
	if (at)
		cuMemFree_v2(at);
	if (graph)
		cuGraphDestroy(graph);
	return NULL;
}

/* capture: mode of the capture; mode: of the other thread. */
static void with_thread(int capture, int mode, CUresult alloc, CUresult ends)
{
	pthread_t id;
	struct other o = {.mode = mode};
	CHECK(0, cuCtxGetCurrent(&o.context));
	CHECK(0, cuStreamBeginCapture_v2(s, capture));
	if (pthread_create(&id, NULL, other_thread, &o))
		exit(2);
	pthread_join(id, NULL);
	CHECK(GLOBAL, o.mode);
	CHECK(alloc, o.alloc);
	CHECK(ends, o.end);
	if (ends == WRONG_THREAD)
		end(s, alloc ? INVALIDATED : 0, 0);
}

static void *id_of_thread(void *id)
{
	void *context = *(void **)id;
	if (cuCtxSetCurrent(context) || cuStreamGetId((void *)2, id))
		*(uint64_t *)id = 0;
	return NULL;
}

static void threads(void)
{
	CUresult (*get_id)(void *, uint64_t *), (*twin)(void *, uint64_t *);
	uint64_t legacy, own, id;
	void *context;
	pthread_t other;
	with_thread(GLOBAL, GLOBAL, UNSUPPORTED, WRONG_THREAD);
	with_thread(GLOBAL, THREAD, 0, WRONG_THREAD);
	with_thread(GLOBAL, RELAXED, 0, WRONG_THREAD);
	with_thread(THREAD, GLOBAL, 0, WRONG_THREAD);
	with_thread(RELAXED, GLOBAL, 0, 0);
	CHECK(0, cuGetProcAddress_v2("cuStreamGetId", (void **)&get_id, 13000, 1, NULL));
	CHECK(0, cuGetProcAddress_v2("cuStreamGetId", (void **)&twin, 13000, 2, NULL));
	CHECK(0, get_id((void *)1, &legacy));
	CHECK(0, get_id((void *)2, &own));
	CHECK(true, legacy != own);
	CHECK(0, twin(NULL, &id));
	CHECK(own, id);
	CHECK(INVALID_VALUE, twin(NULL, NULL)); /* an error, too, removes the mark of the twin */
	CHECK(0, get_id(NULL, &id));
	CHECK(legacy, id);
	CHECK(0, cuCtxGetCurrent(&context));
	id = (uintptr_t)context;
	if (pthread_create(&other, NULL, id_of_thread, &id))
		exit(2);
	pthread_join(other, NULL);
	CHECK(true, id && id != own && id != legacy);
}

/* ---- objects in use by a running kernel go ---- */

static const char loops[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry loops(.param .u64 p)\n{\n"
                            ".reg .b64 %d;\n.reg .b32 %r;\nld.param.u64 %d, [p];\nnext:\n"
                            "ld.volatile.global.u32 %r, [%d];\nadd.u32 %r, %r, 1;\nst.volatile.global.u32 [%d], %r;\n"
                            "bra next;\n}\n";
struct running {
	void *context, *kernel;
	volatile uint32_t *counter; /* of the host, too */
};

static void *launch_loops(void *self)
{
	const struct running *r = self;
	void *params[] = {(void *)(uintptr_t)&r->counter};
	CUresult result = cuCtxSetCurrent(r->context);
	if (!result)
		result = cuLaunchKernel(r->kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
	return (void *)(intptr_t)result;
}

/* The call waits for the kernel; the kernel ends by the limit. */
static void settle(unsigned which)
{
	void *context, *module, *counter;
	struct running r;
	pthread_t other;
	uint64_t memory;
	CHECK(0, cuCtxCreate_v2(&context, 0, 0));
	CHECK(0, cuModuleLoadData(&module, loops));
	CHECK(0, cuModuleGetFunction(&r.kernel, module, "loops"));
	CHECK(0, cuMemHostAlloc(&counter, 4, 2));
	CHECK(0, cuMemAlloc_v2(&memory, 4));
	r.context = context;
	r.counter = counter;
	*r.counter = 0;
	if (pthread_create(&other, NULL, launch_loops, &r))
		exit(2);
	while (!*r.counter)
		sched_yield();
	if (which == 0)
		CHECK(TIMEOUT, cuMemFree_v2(memory));
	if (which == 1)
		CHECK(TIMEOUT, cuModuleUnload(module));
	const uint32_t before = which < 2 ? *r.counter : 0;
	if (which == 2)
		CHECK(0, cuCtxDestroy_v2(context));
	void *result;
	pthread_join(other, &result);
	CHECK(0, (intptr_t)result);
	if (which == 2)
		return;
	CHECK(before, *r.counter); /* the kernel had ended */
	CHECK(TIMEOUT, cuCtxSynchronize());
	CHECK(0, cuCtxDestroy_v2(context));
}

/* ---- libraries ---- */

static void libraries(void)
{
	void *library, *kernel, *context;
	uint64_t total, own = to;
	uint32_t got;
	size_t bytes;
	CHECK(0, cuCtxSetCurrent(NULL));
	CHECK(0, cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	CHECK(0, cuLibraryGetKernel(&kernel, library, "count"));
	for (uint32_t i = 0; i < 3; i++) { /* each context has new variables; the handle stays */
		CHECK(0, cuCtxCreate_v2(&context, 0, 0));
		CHECK(0, cuMemAlloc_v2(&to, 4));
		CHECK(0, launch(kernel, NULL));
		CHECK(0, cuLibraryGetGlobal(&total, &bytes, library, "total"));
		CHECK(0, cuMemcpyDtoH_v2(&got, total, 4));
		CHECK(1, got);
		if (i == 0) { /* this library's first context goes */
			CHECK(0, cuLibraryUnload(library));
			CHECK(0, cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
			CHECK(0, cuLibraryGetKernel(&kernel, library, "count"));
		}
		CHECK(0, cuCtxDestroy_v2(context));
	}
	CHECK(0, cuLibraryUnload(library));
	to = own;
}

/* ---- links of several PTX texts ---- */

static const char caller[] =
        "// .version 1.0\n.version 7.8\n.target sm_80, debug\n.address_size 64\n"
        ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .u32 base;\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %d;\n.reg .b32 %r<4>;\nld.param.u64 %d, [p];\n"
        "ld.global.u32 %r1, [%d];\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\ncall (b), twice, (a);\n"
        "ld.param.b32 %r2, [b];\n}\nld.global.u32 %r3, [base];\nadd.u32 %r2, %r2, %r3;\nst.global.u32 [%d], %r2;\n"
        "ret;\n}\n";
static const char called[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .u32 base = 100;\n"
        ".visible .func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<2>;\nld.param.b32 %r1, [x];\n"
        "add.u32 %r1, %r1, %r1;\nst.param.b32 [r], %r1;\nret;\n}\n";

/* Adds the texts, up to NULL; returns the first error. The cubin lives as long as the linker. */
static CUresult link_of(const char *const *texts, char log[1000], void **linker, void **cubin)
{
	static int options[] = {5, 6}; /* buffer of errors, its size */
	static void *values[2];
	values[0] = log;
	values[1] = (void *)(uintptr_t)1000;
	*log = 0;
	CUresult r = cuLinkCreate_v2(2, options, values, linker);
	for (unsigned i = 0; texts[i] && !r; i++)
		r = cuLinkAddData_v2(*linker, 1, (void *)(uintptr_t)texts[i], strlen(texts[i]) + 1, "text", 0, NULL,
		                     NULL);
	return r ? r : cuLinkComplete(*linker, cubin, NULL);
}

static void links(void)
{
	static const struct {
		const char *texts[4];
		CUresult result;
		const char *says;
	} wrong[] = {{{caller}, INVALID_PTX, "twice"},
	             {{caller, called, called}, INVALID_PTX, "uplicate"},
	             {{called, "no text"}, INVALID_PTX, ".version"},
	             {{".version 99.0\n.target sm_90\n"}, NEWER_PTX, "99.0"}};
	const uint32_t number = 7;
	uint32_t got = 0;
	void *linker, *cubin, *module, *kernel;
	char log[1000];
	for (unsigned order = 0; order < 2; order++) {
		const char *texts[] = {order ? called : caller, order ? caller : called, NULL};
		CHECK(0, link_of(texts, log, &linker, &cubin));
		CHECK(0, cuModuleLoadData(&module, cubin));
		CHECK(0, cuModuleGetFunction(&kernel, module, "k"));
		CHECK(0, cuMemcpyHtoD_v2(to, &number, 4));
		CHECK(0, launch(kernel, NULL));
		CHECK(0, cuMemcpyDtoH_v2(&got, to, 4));
		CHECK(2 * 7 + 100, got);
		CHECK(0, cuModuleUnload(module));
		CHECK(NOT_SUPPORTED, cuLinkAddData_v2(linker, 0, cubin, 64, "cubin", 0, NULL, NULL));
		CHECK(0, cuLinkDestroy(linker));
	}
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		CHECK(wrong[i].result, link_of(wrong[i].texts, log, &linker, &cubin));
		CHECK(true, strstr(log, wrong[i].says) != NULL);
		CHECK(0, cuLinkDestroy(linker));
	}
}

/* ---- occupancy ---- */

static unsigned up(unsigned n, unsigned unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Of sm_90: 65536 registers in four parts, 64 warps, 32 CTAs, 228 KiB of shared memory; each CTA loses 1 KiB. */
static unsigned blocks(unsigned registers, unsigned threads, unsigned shared)
{
	const unsigned of_warp = up(registers * 32, 256), warps = up(threads, 32) / 32;
	const unsigned limits[] = {4 * (16384 / of_warp) / warps, 64 / warps, 228 * 1024 / up(shared + 1024, 128)};
	unsigned n = of_warp * up(warps, 4) > 65536 ? 0 : 32;
	for (unsigned i = 0; i < 3; i++)
		n = limits[i] < n ? limits[i] : n;
	return n;
}

static void occupancy_of(unsigned values)
{
	static char text[1 << 16];
	void *module, *kernel;
	int registers, found;
	size_t n =
	        (size_t)sprintf(text,
	                        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry many(.param .u64 p)\n"
	                        "{\n.reg .b64 %%d;\n.reg .b32 %%r<%u>;\nld.param.u64 %%d, [p];\n",
	                        values);
	for (unsigned i = 0; i < values; i++)
		n += (size_t)sprintf(text + n, "ld.volatile.global.u32 %%r%u, [%%d+%u];\n", i, 4 * i);
	for (unsigned i = 0; i < values; i++)
		n += (size_t)sprintf(text + n, "st.volatile.global.u32 [%%d+%u], %%r%u;\n", 4 * i, values - 1 - i);
	sprintf(text + n, "ret;\n}\n");
	CHECK(0, cuModuleLoadData(&module, text));
	CHECK(0, cuModuleGetFunction(&kernel, module, "many"));
	CHECK(0, cuFuncGetAttribute(&registers, 4, kernel));
	CHECK(true, registers >= (int)values);
	for (int threads = 32; threads <= 1024; threads += 32)
		for (unsigned shared = 0; shared <= 48000; shared += 16000) {
			CHECK(0, cuOccupancyMaxActiveBlocksPerMultiprocessor(&found, kernel, threads, shared));
			CHECK(blocks((unsigned)registers, (unsigned)threads, shared), found);
		}
	CHECK(0, cuModuleUnload(module));
}

int main(void)
{
	void *context, *module, *g, *nodes[2];
	setenv("WARPLOCK_ARCH", "sm_90", 1);
	setenv("WARPLOCK_LIMIT", "200000", 1);
	if (cuInit(0))
		return 2;
	libraries();
	CHECK(0, cuCtxCreate_v2(&context, 0, 0));
	CHECK(0, cuModuleLoadData(&module, ptx));
	CHECK(0, cuModuleGetFunction(&count, module, "count"));
	CHECK(0, cuMemAlloc_v2(&to, 4));
	CHECK(0, cuStreamCreate(&s, 0));
	CHECK(0, cuStreamCreate(&t, 0));
	CHECK(0, cuEventCreate(&event, 0));
	CHECK(0, cuEventRecord(event, t));
	broken_captures();
	events();
	gone_stream();
	threads();
	links();
	for (unsigned which = 0; which < 3; which++)
		settle(which);
	CHECK(0, cuGraphCreate(&g, 0));
	CHECK(0, cuGraphAddEmptyNode(&nodes[0], g, NULL, 0));
	CHECK(0, cuGraphAddEmptyNode(&nodes[1], g, NULL, 0));
	CHECK(0, cuGraphAddDependencies(g, &nodes[0], &nodes[1], 1));
	CHECK(INVALID_VALUE, cuGraphAddDependencies(g, &nodes[0], &nodes[1], 1)); /* the edge exists */
	for (unsigned values = 20; values <= 120; values += 20)
		occupancy_of(values);
	CHECK(0, cuCtxDestroy_v2(context));
	printf("%u passed, %u failed\n", good, bad);
	return bad != 0;
}
