// SPDX-License-Identifier: Apache-2.0
/* driver.h -- private to cmodel/libcuda: types of the driver API as seen by a program, and the state behind handles.
 *
 *   calls.def   every call of the driver and its state     memory.c   allocations, their table, attributes of pointers
 *   device.c    devices and their attributes               copy.c     copies and memsets
 *   peer.c      devices that reach each other's memory     array.c    arrays, as memory for copies
 *   context.c   contexts, guard of every call              stream.c   streams, events
 *   capture.c   streams in capture                         graph.c    graphs; graph_nodes.c their nodes,
 *                                                          graph_exec.c their instances
 *   module.c    images, modules                            advice.c   hints for managed memory
 *   ptx.c       PTX through the compiler                   link.c     the linker of PTX texts
 *   library.c   libraries                                  tensor_map.c  tensor maps as data
 *   function.c  kernels: attributes, occupancy             launch.c   launches on the C model
 *   calls.c     cuGetProcAddress, calls that are not built record.c   launch files of launches
 *
 * Numbers and layouts of the API are facts of the CUDA Driver API reference; the declarations are ours. A launch runs
 * to the end within the call: streams are in order, and all streams are idle between two calls. Kernels of all devices
 * run one at a time. */
#ifndef WARPLOCK_LIBCUDA_DRIVER_H
#define WARPLOCK_LIBCUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/object.h"
#include "warplock/sm.h"

#define API __attribute__((visibility("default")))

typedef int CUresult;
enum {
	CUDA_SUCCESS = 0,
#define ERROR(name, number, text) CUDA_ERROR_##name = number,
#include "errors.def"
#undef ERROR
};

typedef int CUdevice;
typedef uint64_t CUdeviceptr;
enum { DRIVER_VERSION = 13000, MOST_DEVICES = 16 };

/* ---- objects behind handles: a handle is the address of an object, and known as long as the object lives ---- */

enum kind {
	KIND_CONTEXT = 1,
	KIND_MODULE,
	KIND_FUNCTION,
	KIND_LIBRARY,
	KIND_STREAM,
	KIND_EVENT,
	KIND_GRAPH,
	KIND_NODE,
	KIND_INNER, /* a graph or node within a node or an instance: no handle of the program */
	KIND_EXEC,
	KIND_CAPTURE,
	KIND_LINK,
	KIND_POOL,
	KIND_ARRAY
};
struct object {
	enum kind kind;
	struct object *next; /* with the same hash */
	unsigned round;      /* of objects_each */
};
void *object_new(enum kind kind, size_t size); /* zeroed; NULL: no memory */
/* The object of a handle; NULL: the handle names no object of this kind. */
void *object_get(const void *handle, enum kind kind);
void object_free(void *object);
/* Calls `visit` for every live object of a kind; the visit may free objects. */
void objects_each(enum kind kind, void (*visit)(void *object, void *self), void *self);

struct context {
	struct object object;
	CUdevice device;
	bool primary;
	unsigned flags, uses; /* uses: of the primary context, retains */
	uint64_t id;
	CUresult broken; /* a kernel's fault; each later call gives the fault */
	uint64_t limit[16];
	uint64_t heap, heap_bytes; /* of malloc in kernels; 0: not yet */
	uint64_t workspace;        /* of cooperative launches; 0: not yet */
	struct stream *legacy;     /* NULL: not yet */
	struct stream *of_threads; /* the default streams of threads */
	unsigned npeers;
	struct context **peers; /* contexts with memory reached by the kernels */
};

struct stream {
	struct object object;
	struct context *context;
	unsigned flags;
	int priority;
	uint64_t id;
	struct capture *capture; /* NULL: none */
	unsigned nlast;          /* nodes: dependencies of the capture's next node */
	struct node **last;
	uint64_t thread; /* the default stream of a thread; 0: another stream */
	struct stream *next;
};

struct node {
	struct object object;
	struct graph *graph;
	struct work *work;
	unsigned ndeps;
	struct node **deps;
	bool off; /* of an exec: cuGraphNodeSetEnabled */
};
struct graph {
	struct object object;
	bool captures; /* a capture fills the graph */
	unsigned nnodes;
	struct node **nodes; /* in the order of the additions */
};
struct capture {
	struct object object;
	struct graph *graph;
	struct stream *origin;
	uint64_t id, thread; /* thread: where the capture began */
	int mode;
	bool broken;
};
struct event {
	struct object object;
	struct context *context;
	unsigned flags;
	bool recorded;
	double at;               /* ms */
	struct capture *capture; /* recorded in a capture, perhaps ended; nodes: the event stands for these nodes */
	uint64_t capture_id;
	unsigned nnodes;
	struct node **nodes;
};

struct module {
	struct object object;
	struct context *context;
	unsigned char *bytes; /* the cubin */
	size_t size;
	struct wl_object *elf;
	struct wl_bases bases;
	uint8_t *data, *constants; /* bytes of variables and constants, in device memory */
	uint32_t constant_bytes;
	unsigned ptx_version;        /* 0: a cubin */
	struct wl_program variables; /* names and addresses */
	unsigned nfunctions;
	struct function **functions;
	struct library *library;
};

/* A library belongs to no context: the first module has the handles of kernels, and further contexts have copies. */
struct library {
	struct object object;
	struct module *module;
	unsigned ncopies;
	struct module **copies;
};

struct function {
	struct object object;
	struct module *module;
	struct wl_program program; /* loaded: valid */
	bool loaded, prints, uses_heap;
	int max_dynamic, carveout, nonportable, must_cluster;
	int cluster[3], policy, cache;
	char *name;
};

struct pool {
	struct object object;
	CUdevice device;
	uint32_t peers; /* other devices with access to the pool, a bit each */
	bool is_default;
	uint64_t attribute[9];
};

/* ---- one unit of work of a stream, and node of a graph ---- */

struct copy {
	uint64_t src, dst; /* host or device addresses of the first byte */
	uint64_t src_pitch, dst_pitch, src_slice, dst_slice;
	uint64_t width, height, depth;
};
struct fill {
	uint64_t dst, pitch, width, height; /* width in elements */
	uint32_t value;
	unsigned bytes; /* of an element */
};
struct launch {
	struct function *function;
	uint32_t grid[3], block[3], cluster[3];
	uint32_t shared;
	bool cooperative;
	uint8_t *params; /* owned */
	uint32_t param_bytes;
};
enum work_kind {
	WORK_KERNEL,
	WORK_COPY,
	WORK_FILL,
	WORK_HOST,
	WORK_GRAPH,
	WORK_EMPTY,
	WORK_WAIT,
	WORK_RECORD,
	WORK_ALLOC = 10,
	WORK_FREE
};
struct work {
	enum work_kind kind;
	union {
		struct launch launch;
		struct copy copy;
		struct fill fill;
		struct {
			void (*call)(void *self);
			void *self;
		} host;
		struct graph *graph;
		struct event *event;
		uint64_t address;
	};
};
/* Runs work, or makes it a node of the stream's capture. Takes over the possessions of the work. */
CUresult stream_do(struct stream *s, struct work *w);
CUresult work_run(struct stream *s, const struct work *w);
void work_free(struct work *w);
bool work_copy(const struct work *from, struct work *to);

/* ---- guard of a call (context.c) ---- */

enum need { NEED_NOTHING, NEED_INIT, NEED_CONTEXT, NEED_WHOLE /* a context without a fault */ };
struct call {
	CUresult bad;
	struct context *context;
	bool locked;
};
struct call call_begin(const char *name, enum need need);
void call_end(struct call *c);
/* For calls with their own lock (launches): gives up the lock, and takes the lock again. */
void call_unlock(void);
void call_lock(void);
#define GUARD(need)                                                                                                    \
	struct call call __attribute__((cleanup(call_end))) = call_begin(__func__, need);                              \
	if (call.bad)                                                                                                  \
	return call.bad
#define CHECK(condition, error)                                                                                        \
	if (!(condition))                                                                                              \
	return CUDA_ERROR_##error

#define SAFE()                                                                                                         \
	do {                                                                                                           \
		const CUresult safe_ = capture_allows_unsafe();                                                        \
		if (safe_)                                                                                             \
			return safe_;                                                                                  \
	} while (0)

/* A line on standard error, with the name of the library in front. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Names the part not built. */
CUresult unbuilt(const char *name, const char *what);

/* ---- devices (device.c) ---- */

/* All devices are alike. */
struct device {
	unsigned devices;
	uint8_t number[MOST_DEVICES]; /* of the machine, by ordinal: CUDA_VISIBLE_DEVICES picks and orders */
	unsigned chip;                /* 90 */
	enum wl_arch arch;
	unsigned sms;
	uint64_t memory; /* bytes of a device */
	uint64_t seed, limit;
	unsigned schedule;
	uint8_t misuse[64];
	bool blocking;             /* a launch itself gives the fault of the kernel */
	const char *record;        /* folder, NULL: none */
	const char *record_kernel; /* the recorded kernel; NULL: all */
	uint64_t record_first;     /* so many launches at most; 0: all */
	const char *report;        /* file, NULL: none */
};
extern struct device Device;
/* Reads the environment; false: a line has been said. */
bool device_open(void);
bool device_is(CUdevice device);
int device_attribute(int attribute, CUdevice device, bool *known);
struct chip_facts {
	unsigned chip, sms, threads_per_sm, blocks_per_sm, l2_kib, clock_khz;
	const char *name;
};
const struct chip_facts *device_facts(void);

/* ---- contexts ---- */

struct context *context_current(void);
void context_release(struct context *c);
/* The current context, or else the primary context of the first device; NULL: no memory. */
struct context *context_or_primary(void);
/* The primary context of a device; NULL: not yet. */
struct context *context_primary(CUdevice device);
void context_fault(struct context *c, CUresult error);
/* Objects owned by the context go with the context (each file its own kinds). */
void memory_drop(struct context *c);
void modules_drop(struct context *c);
void streams_drop(struct context *c);
void arrays_drop(struct context *c);
/* Forgets a context as a peer of the others. */
void peers_drop(struct context *c);
bool peer_is_on(const struct context *c, const struct context *peer);

/* ---- memory ---- */

enum memory_kind { MEMORY_DEVICE, MEMORY_MANAGED, MEMORY_HOST, MEMORY_REGISTERED, MEMORY_MODULE };
struct block {
	uint64_t base, bytes;  /* as seen by the program */
	uint64_t offset, span; /* in the arena; span 0: registered memory, outside of the arena */
	enum memory_kind kind;
	unsigned flags;
	uint64_t id;
	struct context *context; /* the block goes with the context */
	CUdevice device;
	struct pool *pool; /* NULL: none; the pool may be gone */
};
bool memory_open(void);
/* 0: no room. */
uint64_t memory_new(uint64_t bytes, enum memory_kind kind, unsigned flags, struct context *context);
/* On the device of the pool. */
uint64_t memory_new_in(struct pool *pool, uint64_t bytes, struct context *context);
bool memory_free(uint64_t base);
const struct block *memory_find(uint64_t address);
/* Bytes of [address, address + size) at a host address: of a block, or else of the host's own memory. NULL: the range
 * begins in the device's part of the addresses, outside of all blocks. */
uint8_t *memory_at(uint64_t address, uint64_t size);
/* The same, but only for a range within a single block. */
uint8_t *memory_of_device(uint64_t address, uint64_t size);
uint64_t memory_used(CUdevice device);
/* Of a block from a pool: the peers of the pool. */
bool pool_reaches(const struct pool *pool, const struct block *b, CUdevice device);
void pool_count(struct pool *pool, int64_t bytes);
/* Whether kernels of the context reach the block: memory of the device, of peers, and memory shared with the host. */
bool memory_reaches(const struct context *c, const struct block *b);
/* Forgets the hints for a range. */
void advice_drop(uint64_t from, uint64_t to);
/* The model's view: the blocks reached by kernels of the context. */
void memory_view(struct wl_gmem *g, const struct context *c);
/* A place at a fixed address for the time of a launch. */
void memory_place(uint64_t address, uint64_t bytes, const void *content);

/* ---- modules, functions ---- */

CUresult module_load(struct context *c, const void *image, struct module **out);
void module_free(struct module *m);
bool module_has_managed(const struct module *m);
/* Counts the kernels, and gives so many handles at most; out NULL: counts alone. */
unsigned module_kernels(struct module *m, struct function **out, unsigned most);
CUresult module_function(struct module *m, const char *name, struct function **out);
CUresult module_variable(struct module *m, const char *name, uint64_t *address, uint64_t *bytes, bool managed);
CUresult function_load(struct function *f);
/* A handle of a function, or of a kernel of a library: the handle is the same. */
struct function *function_get(const void *handle);
/* The same kernel in a context: of a library the context's copy, made at the first request. */
CUresult function_in(struct function *f, struct context *c, struct function **out);
CUresult library_in(struct library *l, struct context *c, struct module **out);
/* A library outlives the context of its first module: the module stays, for the handles of kernels. */
bool library_keeps(const struct module *m);
/* The library loses a module: a copy goes alone, with the first module the library and all copies. */
void library_leave(struct module *m);
/* CTAs of an SM at a time. */
unsigned function_blocks_per_sm(const struct function *f, unsigned threads, uint64_t dynamic);

/* ---- launches, copies ---- */

CUresult launch_make(struct function *f, const uint32_t dims[6], uint32_t shared, void **params, void **extra,
                     struct launch *out);
CUresult launch_check(const struct launch *l);
CUresult launch_run(const struct launch *l);
/* Waits for the running kernel: the caller is about to free objects of the kernel. Other calls may come between, so
 * handles are looked up behind this. */
void launch_settle(void);
/* Waits for the running kernel, and gives the kernel's fault. */
#define SETTLE()                                                                                                       \
	do {                                                                                                           \
		launch_settle();                                                                                       \
		const struct context *settled_ = context_current();                                                    \
		CHECK(settled_, CONTEXT_IS_DESTROYED);                                                                 \
		if (settled_->broken)                                                                                  \
			return settled_->broken;                                                                       \
	} while (0)
CUresult copy_check(const struct copy *c);
CUresult copy_run(const struct copy *c);
CUresult fill_run(const struct fill *f);
CUresult fill_check(const struct fill *f);
struct stream *stream_get(const void *handle); /* NULL: no stream */
bool streams_open(void);
uint64_t thread_id(void); /* different for each thread */
/* Set by the twins of calls (calls.c) for the time of the call: the default stream is the stream of the thread. */
extern _Thread_local bool default_of_thread;
void warplock_driver_mark(void);
CUresult graph_run(struct stream *s, struct graph *g);
double now_ms(void);

/* ---- capture: a forbidden call is an error, and breaks the capture ---- */

bool capture_has(const struct event *e); /* of a capture under way */
void capture_break(struct stream *s);
void capture_leave(struct stream *s);
CUresult capture_refuse(struct stream *s);              /* of a stream in capture: the call cannot become a node */
CUresult capture_allows_stream(const struct stream *s); /* use of a stream outside of captures */
CUresult capture_allows_context(const struct context *c);
CUresult capture_allows_unsafe(void); /* calls with a wait for the device */
CUresult capture_record(struct event *e, const struct stream *s);
CUresult capture_query(struct event *e);
CUresult capture_wait(struct stream *s, struct event *e, bool external);
/* Adds a node; the node takes over the possessions of the work. Without memory the work is freed. */
struct node *graph_add(struct graph *g, struct work *w, struct node *const *deps, unsigned n);
struct graph *graph_new(void);
void graph_free(struct graph *g);
CUresult copy_of_3d(const void *params, struct copy *c); /* params: CUDA_MEMCPY3D */
/* A part of an array: address of the first byte, pitch and slice. x and width in bytes. */
CUresult array_part(const void *array, const size_t at[3], const size_t size[3], uint64_t *address, uint64_t *pitch,
                    uint64_t *slice);

/* ---- records of launches (record.c) ---- */

struct recording;
/* NULL: the launch cannot be recorded; a line says so. sms: of the model. */
struct recording *record_begin(const struct launch *l, const struct wl_launch *start, unsigned sms);
void record_end(struct recording *r, const char *outcome);
void report_launch(const struct launch *l, const char *outcome, uint64_t instructions, double ms);

/* Address of a call by name, as found by cuGetProcAddress. NULL: no call. */
void *call_find(const char *name, int version, bool per_thread, bool *too_old);

#endif
