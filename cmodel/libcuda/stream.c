// SPDX-License-Identifier: Apache-2.0
/* stream.c -- streams, events. Work of a stream is done within the requesting call; a stream in capture makes the work
 * a node of a graph instead. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static uint64_t next_id = 1;

static struct stream *stream_new(struct context *c, unsigned flags, int priority)
{
	struct stream *s = object_new(KIND_STREAM, sizeof *s);
	if (!s)
		return NULL;
	s->context = c;
	s->flags = flags;
	s->priority = priority;
	s->id = next_id++;
	return s;
}

static void stream_free(struct stream *s)
{
	capture_leave(s);
	free(s->last);
	object_free(s);
}

/* ---- the default streams: of the context, and of each asking thread ---- */

_Thread_local bool default_of_thread;
static _Thread_local uint64_t own_id; /* 0: the thread has no id yet */
static uint64_t last_id;
static pthread_key_t gone; /* of threads with a stream of their own */

void warplock_driver_mark(void)
{
	default_of_thread = true;
}

uint64_t thread_id(void)
{
	return own_id ? own_id : (own_id = ++last_id);
}

static void drop_of_thread(void *object, void *self)
{
	struct stream *s = object;
	if (s->thread != (uintptr_t)self)
		return;
	struct stream **at = &s->context->of_threads;
	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
	stream_free(s);
}

static void thread_ends(void *id)
{
	call_lock();
	objects_each(KIND_STREAM, drop_of_thread, id);
	call_unlock();
}

bool streams_open(void)
{
	return !pthread_key_create(&gone, thread_ends);
}

static struct stream *stream_of_thread(struct context *c)
{
	const uint64_t id = thread_id();
	struct stream *s = c->of_threads;
	while (s && s->thread != id)
		s = s->next;
	if (s || !(s = stream_new(c, 0, 0)))
		return s;
	s->thread = id;
	s->next = c->of_threads;
	c->of_threads = s;
	pthread_setspecific(gone, (void *)(uintptr_t)id);
	return s;
}

/* Handle 1 names the legacy stream, 2 the stream of the thread; 0 either stream, by the form of the call. */
struct stream *stream_get(const void *handle)
{
	struct context *c = context_current();
	if ((uintptr_t)handle > 2)
		return object_get(handle, KIND_STREAM);
	if (!c)
		return NULL;
	if ((uintptr_t)handle == 2 || (!handle && default_of_thread))
		return stream_of_thread(c);
	if (!c->legacy)
		c->legacy = stream_new(c, 0, 0);
	return c->legacy;
}

static void drop_stream(void *object, void *self)
{
	struct stream *s = object;
	if (s->context == self)
		stream_free(s);
}
static void drop_event(void *object, void *self)
{
	struct event *e = object;
	if (e->context != self)
		return;
	free(e->nodes);
	object_free(e);
}

void streams_drop(struct context *c)
{
	objects_each(KIND_STREAM, drop_stream, c);
	objects_each(KIND_EVENT, drop_event, c);
	c->legacy = c->of_threads = NULL;
}

/* ---- work ---- */

CUresult work_run(struct stream *s, const struct work *w)
{
	switch (w->kind) {
	case WORK_KERNEL:
		return launch_run(&w->launch);
	case WORK_COPY:
		return copy_run(&w->copy);
	case WORK_FILL:
		return fill_run(&w->fill);
	case WORK_HOST:
		call_unlock(); /* the function may call nothing of ours, but other threads may */
		w->host.call(w->host.self);
		call_lock();
		return CUDA_SUCCESS;
	case WORK_GRAPH:
		return graph_run(s, w->graph);
	case WORK_RECORD:
		if (object_get(w->event, KIND_EVENT)) {
			w->event->capture = NULL;
			w->event->recorded = true;
			w->event->at = now_ms();
		}
		return CUDA_SUCCESS;
	default:
		return CUDA_SUCCESS;
	}
}

void work_free(struct work *w)
{
	if (w->kind == WORK_KERNEL)
		free(w->launch.params);
	if (w->kind == WORK_GRAPH)
		graph_free(w->graph);
}

static bool set_last(struct stream *s, struct node *const *nodes, unsigned n)
{
	struct node **last = malloc((n + 1) * sizeof *last);
	if (!last)
		return false;
	if (n)
		memcpy(last, nodes, n * sizeof *last);
	free(s->last);
	s->last = last;
	s->nlast = n;
	return true;
}

CUresult stream_do(struct stream *s, struct work *w)
{
	struct capture *c = s->capture;
	if (!c) {
		CUresult r = capture_allows_stream(s);
		if (!r)
			r = work_run(s, w);
		work_free(w);
		return r;
	}
	struct node *n = c->broken ? NULL : graph_add(c->graph, w, s->last, s->nlast);
	if (c->broken)
		work_free(w);
	CHECK(!c->broken, STREAM_CAPTURE_INVALIDATED);
	CHECK(n && set_last(s, &n, 1), OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}

/* ---- streams ---- */

API CUresult cuStreamCreateWithPriority(void **out, unsigned flags, int priority)
{
	GUARD(NEED_WHOLE);
	CHECK(out && flags <= 1, INVALID_VALUE);
	*out = stream_new(call.context, flags, priority > 0 ? 0 : priority < -5 ? -5 : priority);
	CHECK(*out, OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}
API CUresult cuStreamCreate(void **out, unsigned flags)
{
	return cuStreamCreateWithPriority(out, flags, 0);
}

API CUresult cuStreamDestroy_v2(void *stream)
{
	GUARD(NEED_CONTEXT);
	struct stream *s = object_get(stream, KIND_STREAM);
	CHECK(s && s != s->context->legacy && !s->thread, INVALID_HANDLE);
	stream_free(s);
	return CUDA_SUCCESS;
}

API CUresult cuStreamSynchronize(void *stream)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	if (s->capture)
		return capture_refuse(s);
	const CUresult r = capture_allows_stream(s);
	return r ? r : s->context->broken;
}
API CUresult cuStreamQuery(void *stream)
{
	return cuStreamSynchronize(stream);
}

API CUresult cuStreamGetFlags(void *stream, unsigned *flags)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(flags, INVALID_VALUE);
	*flags = s->flags;
	return CUDA_SUCCESS;
}
API CUresult cuStreamGetPriority(void *stream, int *priority)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(priority, INVALID_VALUE);
	*priority = s->priority;
	return CUDA_SUCCESS;
}
API CUresult cuStreamGetId(void *stream, uint64_t *id)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(id, INVALID_VALUE);
	*id = s->id;
	return CUDA_SUCCESS;
}
API CUresult cuStreamGetCtx(void *stream, void **out)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = s->context;
	return CUDA_SUCCESS;
}
API CUresult cuStreamGetDevice(void *stream, CUdevice *out)
{
	GUARD(NEED_WHOLE);
	const struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	*out = s->context->device;
	return CUDA_SUCCESS;
}
API CUresult cuStreamAttachMemAsync(void *stream, CUdeviceptr at, size_t bytes, unsigned flags)
{
	(void)bytes;
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	if (s->capture)
		return capture_refuse(s);
	CHECK(flags == 1 || flags == 2 || flags == 4, INVALID_VALUE);
	const struct block *b = memory_find(at);
	CHECK(b && b->kind == MEMORY_MANAGED, INVALID_VALUE);
	return CUDA_SUCCESS;
}

API CUresult cuLaunchHostFunc(void *stream, void (*function)(void *self), void *self)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(function, INVALID_VALUE);
	struct work w = {.kind = WORK_HOST, .host = {function, self}};
	return stream_do(s, &w);
}

API CUresult cuStreamAddCallback(void *stream, void (*function)(void *stream, CUresult r, void *self), void *self,
                                 unsigned flags)
{
	CUresult broken;
	{
		GUARD(NEED_CONTEXT);
		struct stream *s = stream_get(stream);
		CHECK(s, INVALID_HANDLE);
		CHECK(function && !flags, INVALID_VALUE);
		if (s->capture)
			return capture_refuse(s);
		const CUresult r = capture_allows_stream(s);
		if (r)
			return r;
		broken = call.context->broken;
	}
	function(stream, broken, self);
	return CUDA_SUCCESS;
}

/* ---- events ---- */

API CUresult cuEventCreate(void **out, unsigned flags)
{
	GUARD(NEED_WHOLE);
	CHECK(out && flags <= 7 && (flags & 6) != 4, INVALID_VALUE); /* between processes: without times */
	struct event *e = object_new(KIND_EVENT, sizeof *e);
	CHECK(e, OUT_OF_MEMORY);
	e->context = call.context;
	e->flags = flags;
	*out = e;
	return CUDA_SUCCESS;
}

API CUresult cuEventDestroy_v2(void *event)
{
	GUARD(NEED_INIT);
	struct event *e = object_get(event, KIND_EVENT);
	CHECK(e, INVALID_HANDLE);
	free(e->nodes);
	object_free(e);
	return CUDA_SUCCESS;
}

static CUresult record(struct event *e, struct stream *s)
{
	if (s->capture)
		return capture_record(e, s);
	const CUresult r = capture_allows_stream(s);
	if (r)
		return r;
	e->capture = NULL;
	e->recorded = true;
	e->at = now_ms();
	return CUDA_SUCCESS;
}

API CUresult cuEventRecordWithFlags(void *event, void *stream, unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct event *e = object_get(event, KIND_EVENT);
	struct stream *s = stream_get(stream);
	CHECK(e && s && e->context == s->context, INVALID_HANDLE);
	CHECK(flags <= 1, INVALID_VALUE);
	if (flags && s->capture) { /* external: an event of the host becomes a node */
		struct work w = {.kind = WORK_RECORD, .event = e};
		return stream_do(s, &w);
	}
	return record(e, s);
}
API CUresult cuEventRecord(void *event, void *stream)
{
	return cuEventRecordWithFlags(event, stream, 0);
}

API CUresult cuEventQuery(void *event)
{
	GUARD(NEED_WHOLE);
	struct event *e = object_get(event, KIND_EVENT);
	CHECK(e, INVALID_HANDLE);
	const CUresult r = capture_query(e);
	return r ? r : e->context->broken;
}
API CUresult cuEventSynchronize(void *event)
{
	return cuEventQuery(event);
}

API CUresult cuEventElapsedTime_v2(float *ms, void *start, void *end)
{
	GUARD(NEED_WHOLE);
	struct event *a = object_get(start, KIND_EVENT), *b = object_get(end, KIND_EVENT);
	CHECK(a && b, INVALID_HANDLE);
	CHECK(ms, INVALID_VALUE);
	CHECK(!a->capture && !b->capture, CAPTURED_EVENT);
	CHECK(a->recorded && b->recorded && !(a->flags & 2) && !(b->flags & 2) && a->context == b->context,
	      INVALID_HANDLE);
	*ms = (float)(b->at - a->at);
	return CUDA_SUCCESS;
}
API CUresult cuEventElapsedTime(float *ms, void *start, void *end)
{
	return cuEventElapsedTime_v2(ms, start, end);
}

API CUresult cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct event *e = object_get(event, KIND_EVENT);
	struct stream *s = stream_get(stream);
	CHECK(e && s, INVALID_HANDLE);
	CHECK(flags <= 1, INVALID_VALUE);
	return capture_wait(s, e, flags);
}
