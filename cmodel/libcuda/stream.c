// SPDX-License-Identifier: Apache-2.0
/* stream.c -- streams, events, capture. Work of a stream is done within the call that asks for it; a stream in capture
 * makes it a node of a graph instead. */
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
	free(s->last);
	object_free(s);
}

/* Handles 0 and 1 name the legacy stream, 2 that of the thread. */
struct stream *stream_get(const void *handle)
{
	struct context *c = context_current();
	if ((uintptr_t)handle > 2)
		return object_get(handle, KIND_STREAM);
	if (!c)
		return NULL;
	const unsigned i = (uintptr_t)handle == 2;
	if (!c->usual[i])
		c->usual[i] = stream_new(c, 0, 0);
	return c->usual[i];
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
	c->usual[0] = c->usual[1] = NULL;
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
		const CUresult r = work_run(s, w);
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
	CHECK(s && s != s->context->usual[0] && s != s->context->usual[1], INVALID_HANDLE);
	stream_free(s);
	return CUDA_SUCCESS;
}

API CUresult cuStreamSynchronize(void *stream)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(!s->capture, STREAM_CAPTURE_UNSUPPORTED);
	return s->context->broken;
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
	CHECK(stream_get(stream), INVALID_HANDLE);
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
		CHECK(!s->capture, STREAM_CAPTURE_UNSUPPORTED);
		broken = call.context->broken;
	}
	function(stream, broken, self);
	return CUDA_SUCCESS;
}

/* ---- events ---- */

API CUresult cuEventCreate(void **out, unsigned flags)
{
	GUARD(NEED_WHOLE);
	CHECK(out && flags <= 7, INVALID_VALUE);
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
	if (s->capture) {
		struct node **nodes = malloc((s->nlast + 1) * sizeof *nodes);
		CHECK(nodes, OUT_OF_MEMORY);
		if (s->nlast)
			memcpy(nodes, s->last, s->nlast * sizeof *nodes);
		free(e->nodes);
		e->nodes = nodes;
		e->nnodes = s->nlast;
		e->capture = s->capture;
		return CUDA_SUCCESS;
	}
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
	CHECK(!object_get(e->capture, KIND_CAPTURE), CAPTURED_EVENT);
	return e->context->broken;
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
	CHECK(a->recorded && b->recorded && !(a->flags & 2) && !(b->flags & 2) && a->context == b->context,
	      INVALID_HANDLE);
	*ms = (float)(b->at - a->at);
	return CUDA_SUCCESS;
}
API CUresult cuEventElapsedTime(float *ms, void *start, void *end)
{
	return cuEventElapsedTime_v2(ms, start, end);
}

static bool holds(const struct stream *s, const struct node *n)
{
	for (unsigned i = 0; i < s->nlast; i++)
		if (s->last[i] == n)
			return true;
	return false;
}

/* A wait for an event of a capture makes the stream part of the capture. */
static CUresult join(struct stream *s, const struct event *e)
{
	CHECK(!s->capture || s->capture == e->capture, STREAM_CAPTURE_MERGE);
	if (!s->capture) {
		s->capture = e->capture;
		s->nlast = 0;
	}
	struct node **last = malloc((s->nlast + e->nnodes + 1) * sizeof *last);
	CHECK(last, OUT_OF_MEMORY);
	unsigned n = s->nlast;
	if (n)
		memcpy(last, s->last, n * sizeof *last);
	for (unsigned i = 0; i < e->nnodes; i++)
		if (!holds(s, e->nodes[i]))
			last[n++] = e->nodes[i];
	free(s->last);
	s->last = last;
	s->nlast = n;
	return CUDA_SUCCESS;
}

API CUresult cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct event *e = object_get(event, KIND_EVENT);
	struct stream *s = stream_get(stream);
	CHECK(e && s, INVALID_HANDLE);
	CHECK(flags <= 1, INVALID_VALUE);
	if (object_get(e->capture, KIND_CAPTURE))
		return join(s, e);
	CHECK(!s->capture || flags, STREAM_CAPTURE_ISOLATION);
	return CUDA_SUCCESS;
}

/* ---- capture ---- */

API CUresult cuStreamBeginCapture_v2(void *stream, int mode)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(mode >= 0 && mode <= 2, INVALID_VALUE);
	CHECK(s != s->context->usual[0], STREAM_CAPTURE_UNSUPPORTED);
	CHECK(!s->capture, ILLEGAL_STATE);
	struct capture *c = object_new(KIND_CAPTURE, sizeof *c);
	CHECK(c, OUT_OF_MEMORY);
	c->graph = graph_new();
	c->origin = s;
	c->id = next_id++;
	s->capture = c;
	s->nlast = 0;
	CHECK(c->graph, OUT_OF_MEMORY);
	c->graph->captures = true;
	return CUDA_SUCCESS;
}

static void leave(void *object, void *self)
{
	struct stream *s = object;
	if (s->capture == self) {
		s->capture = NULL;
		s->nlast = 0;
	}
}

static bool is_dependency(const struct graph *g, const struct node *n)
{
	for (unsigned i = 0; i < g->nnodes; i++)
		for (unsigned k = 0; k < g->nodes[i]->ndeps; k++)
			if (g->nodes[i]->deps[k] == n)
				return true;
	return false;
}

API CUresult cuStreamEndCapture(void *stream, void **out)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(out, INVALID_VALUE);
	struct capture *c = s->capture;
	CHECK(c, ILLEGAL_STATE);
	CHECK(c->origin == s, STREAM_CAPTURE_UNMATCHED);
	bool joined = true;
	for (unsigned i = 0; i < c->graph->nnodes; i++)
		joined &= holds(s, c->graph->nodes[i]) || is_dependency(c->graph, c->graph->nodes[i]);
	const bool good = joined && !c->broken;
	c->graph->captures = false;
	const bool broken = c->broken;
	*out = good ? c->graph : NULL;
	if (!good)
		graph_free(c->graph);
	objects_each(KIND_STREAM, leave, c);
	object_free(c);
	CHECK(!broken, STREAM_CAPTURE_INVALIDATED);
	CHECK(joined, STREAM_CAPTURE_UNJOINED);
	return CUDA_SUCCESS;
}

API CUresult cuStreamIsCapturing(void *stream, int *status)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(status, INVALID_VALUE);
	*status = !s->capture ? 0 : s->capture->broken ? 2 : 1;
	return CUDA_SUCCESS;
}

static CUresult capture_info(void *stream, int *status, uint64_t *id, void **graph, struct node ***deps, size_t *n)
{
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(status, INVALID_VALUE);
	*status = !s->capture ? 0 : s->capture->broken ? 2 : 1;
	if (!s->capture)
		return CUDA_SUCCESS;
	if (id)
		*id = s->capture->id;
	if (graph)
		*graph = s->capture->graph;
	if (deps)
		*deps = s->last;
	if (n)
		*n = s->nlast;
	return CUDA_SUCCESS;
}
API CUresult cuStreamGetCaptureInfo(void *stream, int *status, uint64_t *id)
{
	GUARD(NEED_WHOLE);
	return capture_info(stream, status, id, NULL, NULL, NULL);
}
API CUresult cuStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **graph, struct node ***deps,
                                       size_t *n)
{
	GUARD(NEED_WHOLE);
	return capture_info(stream, status, id, graph, deps, n);
}
API CUresult cuStreamGetCaptureInfo_v3(void *stream, int *status, uint64_t *id, void **graph, struct node ***deps,
                                       const void **edges, size_t *n)
{
	GUARD(NEED_WHOLE);
	if (edges)
		*edges = NULL;
	return capture_info(stream, status, id, graph, deps, n);
}

API CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
	static _Thread_local int current;
	GUARD(NEED_INIT);
	CHECK(mode && *mode >= 0 && *mode <= 2, INVALID_VALUE);
	const int before = current;
	current = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}
