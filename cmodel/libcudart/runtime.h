// SPDX-License-Identifier: Apache-2.0
/* runtime.h -- private to cmodel/libcudart: types of the runtime API, the driver's calls under the runtime, and the
 * registrations of the program. CUDART is the major number of the toolkit: 12 or 13. Source of numbers and layouts:
 * CUDA Runtime API reference. */
#ifndef WARPLOCK_LIBCUDART_RUNTIME_H
#define WARPLOCK_LIBCUDART_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

typedef int cudaError_t; /* numbers as of the driver, where both have the error */
enum {
	OK = 0,
	INVALID_VALUE = 1,
	NOT_INITIALIZED = 3,
	INVALID_CHANNEL = 20,
	INVALID_CONFIGURATION = 9,
	INVALID_SYMBOL = 13,
	INVALID_DIRECTION = 21,
	MISSING_CONFIGURATION = 52,
	INVALID_FUNCTION = 98,
	INVALID_DEVICE = 101,
	NO_IMAGE = 209,
	INVALID_IMAGE = 200,
	INVALID_PTX = 218,
	UNSUPPORTED_PTX = 222,
	INVALID_HANDLE = 400,
	NOT_FOUND = 500,
	NOT_READY = 600,
	NOT_SUPPORTED = 801
};

/* cudaMemcpyKind. */
enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS };

/* cudaPitchedPtr, cudaExtent. */
struct pitched {
	void *at;
	size_t pitch, width, height;
};
struct extent {
	size_t width, height, depth;
};
struct dim3 {
	unsigned x, y, z;
};

enum { MOST_DEVICES = 16 }; /* as many as the driver has */

/* The twins of calls (calls.c) mark the thread: the default stream is the stream of the thread. ready() moves the mark
 * to per_thread_now, for the time of the call. */
void warplock_runtime_mark(void);
extern _Thread_local bool per_thread_now;
/* The driver's handle of a stream. */
static inline void *of(void *stream)
{
	return stream || !per_thread_now ? stream : (void *)2;
}

/* The driver is up and the thread has a context. Once in each call. */
cudaError_t ready(void);
/* Device of the thread, after ready(). */
int device_now(void);
/* INVALID_DEVICE, or the primary context. */
cudaError_t primary_of(int device, void **out);
/* Remembers an error for cudaGetLastError. */
cudaError_t done(cudaError_t r);
#define READY()                                                                                                        \
	do {                                                                                                           \
		const cudaError_t ready_ = ready();                                                                    \
		if (ready_)                                                                                            \
			return done(ready_);                                                                           \
	} while (0)
#define NEED(condition, error)                                                                                         \
	if (!(condition))                                                                                              \
	return done(error)
cudaError_t unbuilt(const char *name);

/* The driver's handle of a kernel: of a registered host function, or a handle from the driver. */
cudaError_t function_of(const void *func, void **out);
cudaError_t variable_of(const void *symbol, uint64_t *at, size_t *bytes);
/* As registered; "?" for a handle from the driver. */
const char *kernel_name(const void *func);
/* cudaMemcpy3DParms as the driver's structure. */
struct copy_3d;
struct copy3d;
cudaError_t copy_params(const struct copy_3d *p, struct copy3d *out);
/* All modules of the device are to be loaded anew: the context was reset. */
void modules_forget(int device);
/* Bytes of an element of an array; 0: no array. */
size_t array_element(void *array);

/* ---- the driver ---- */

/* Prototypes of the calls used by the runtime. */
#include "driver_calls.h"

#endif
