// SPDX-License-Identifier: Apache-2.0
/* capture.c -- capture: work of a stream becomes nodes of a graph. A call forbidden in a capture gives an error and
 * breaks the capture: the graph would lack the work. Source of the rules: CUDA C++ Programming Guide, "Creating a Graph
 * Using Stream Capture", and CUDA Runtime API reference, cudaThreadExchangeStreamCaptureMode. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };

static uint64_t next_id = 1;
static unsigned captures; /* captures under way */
static _Thread_local int thread_mode;

bool capture_has(const struct event *e)
{
	const struct capture *c = object_get(e->capture, KIND_CAPTURE);
	return c && c->id == e->capture_id;
}

/* ---- calls forbidden in a capture ---- */

void capture_break(struct stream *s)
{
	if (s->capture)
		s->capture->broken = true;
}

CUresult capture_refuse(struct stream *s)
{
	CHECK(!s->capture->broken, STREAM_CAPTURE_INVALIDATED);
	capture_break(s);
	return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

struct search {
	const struct context *context;
	bool blocking, found;
};

static void break_of_context(void *object, void *self)
{
	struct stream *s = object;
	struct search *q = self;
	if (!s->capture || s->context != q->context || (q->blocking && (s->flags & 1)))
		return;
	capture_break(s);
	q->found = true;
}

CUresult capture_allows_stream(const struct stream *s)
{
	struct search q = {s->context, true, false};
	if (!captures || s != s->context->legacy)
		return CUDA_SUCCESS;
	objects_each(KIND_STREAM, break_of_context, &q);
	CHECK(!q.found, STREAM_CAPTURE_IMPLICIT);
	return CUDA_SUCCESS;
}

CUresult capture_allows_context(const struct context *c)
{
	struct search q = {c, false, false};
	if (!captures)
		return CUDA_SUCCESS;
	objects_each(KIND_STREAM, break_of_context, &q);
	CHECK(!q.found, STREAM_CAPTURE_UNSUPPORTED);
	return CUDA_SUCCESS;
}

static void break_for_thread(void *object, void *self)
{
	struct capture *c = object;
	bool *found = self;
	const bool own = c->thread == thread_id();
	if (own ? c->mode == MODE_RELAXED : thread_mode != MODE_GLOBAL || c->mode != MODE_GLOBAL)
		return;
	c->broken = *found = true;
}

CUresult capture_allows_unsafe(void)
{
	bool found = false;
	if (!captures || thread_mode == MODE_RELAXED)
		return CUDA_SUCCESS;
	objects_each(KIND_CAPTURE, break_for_thread, &found);
	CHECK(!found, STREAM_CAPTURE_UNSUPPORTED);
	return CUDA_SUCCESS;
}

API CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
	GUARD(NEED_INIT);
	CHECK(mode && *mode >= MODE_GLOBAL && *mode <= MODE_RELAXED, INVALID_VALUE);
	const int before = thread_mode;
	thread_mode = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

/* ---- events in a capture ---- */

CUresult capture_record(struct event *e, const struct stream *s)
{
	CHECK(!s->capture->broken, STREAM_CAPTURE_INVALIDATED);
	struct node **nodes = malloc((s->nlast + 1) * sizeof *nodes);
	CHECK(nodes, OUT_OF_MEMORY);
	if (s->nlast)
		memcpy(nodes, s->last, s->nlast * sizeof *nodes);
	free(e->nodes);
	e->nodes = nodes;
	e->nnodes = s->nlast;
	e->capture = s->capture;
	e->capture_id = s->capture->id;
	return CUDA_SUCCESS;
}

CUresult capture_query(struct event *e)
{
	if (!e->capture)
		return CUDA_SUCCESS;
	if (capture_has(e))
		e->capture->broken = true;
	return CUDA_ERROR_CAPTURED_EVENT;
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
	CHECK(!e->capture->broken && !(s->capture && s->capture->broken), STREAM_CAPTURE_INVALIDATED);
	if (s->capture && s->capture != e->capture) {
		s->capture->broken = e->capture->broken = true;
		return CUDA_ERROR_STREAM_CAPTURE_MERGE;
	}
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

CUresult capture_wait(struct stream *s, struct event *e, bool external)
{
	if (capture_has(e))
		return s == s->context->legacy ? capture_allows_stream(s) : join(s, e);
	CHECK(!e->capture, STREAM_CAPTURE_ISOLATION); /* the capture of the event has ended */
	if (!s->capture)
		return capture_allows_stream(s);
	CHECK(!s->capture->broken, STREAM_CAPTURE_INVALIDATED);
	if (external) {
		struct work w = {.kind = WORK_WAIT, .event = e};
		return stream_do(s, &w);
	}
	capture_break(s);
	return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
}

/* ---- begin and end ---- */

API CUresult cuStreamBeginCapture_v2(void *stream, int mode)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(mode >= MODE_GLOBAL && mode <= MODE_RELAXED, INVALID_VALUE);
	CHECK(s != s->context->legacy, STREAM_CAPTURE_UNSUPPORTED);
	CHECK(!s->capture, ILLEGAL_STATE);
	struct graph *g = graph_new();
	struct capture *c = g ? object_new(KIND_CAPTURE, sizeof *c) : NULL;
	if (!c) {
		graph_free(g);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	c->graph = g;
	c->origin = s;
	c->id = next_id++;
	c->mode = mode;
	c->thread = thread_id();
	s->capture = c;
	s->nlast = 0;
	g->captures = true;
	captures++;
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

/* The graph stays. */
static void end(struct capture *c)
{
	objects_each(KIND_STREAM, leave, c);
	object_free(c);
	captures--;
}

/* A stream goes: a capture without the origin stream never ends, and so goes too. */
void capture_leave(struct stream *s)
{
	struct capture *c = s->capture;
	if (c && c->origin == s) {
		graph_free(c->graph);
		end(c);
	}
	capture_break(s);
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
	CHECK(c->mode == MODE_RELAXED || c->thread == thread_id(), STREAM_CAPTURE_WRONG_THREAD);
	bool joined = true;
	for (unsigned i = 0; i < c->graph->nnodes; i++)
		joined &= holds(s, c->graph->nodes[i]) || is_dependency(c->graph, c->graph->nodes[i]);
	const bool broken = c->broken;
	c->graph->captures = false;
	*out = joined && !broken ? c->graph : NULL;
	if (!*out)
		graph_free(c->graph);
	end(c);
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
