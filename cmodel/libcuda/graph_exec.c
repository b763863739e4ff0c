// SPDX-License-Identifier: Apache-2.0
/* graph_exec.c -- instances of graphs: a copy of the graph, launched node by node. */
#include <stdlib.h>

#include "graph.h"

/* An instance: nodes in the order of their execution, and the sources of the nodes. */
struct exec {
	struct object object;
	struct graph *graph;
	struct node **origin; /* [graph->nnodes] */
	uint64_t flags;
};

API CUresult cuGraphInstantiateWithFlags(void **out, void *graph, uint64_t flags)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(out && g && flags <= 15, INVALID_VALUE);
	CHECK(!(flags & 4), NOT_SUPPORTED); /* launched by kernels */
	struct exec *e = object_new(KIND_EXEC, sizeof *e);
	CHECK(e, OUT_OF_MEMORY);
	e->origin = calloc(g->nnodes + 1, sizeof *e->origin);
	e->graph = e->origin ? graph_copy(g, e->origin) : NULL;
	e->flags = flags;
	if (!e->graph) {
		free(e->origin);
		object_free(e);
		return CUDA_ERROR_INVALID_VALUE;
	}
	*out = e;
	return CUDA_SUCCESS;
}

/* CUDA_GRAPH_INSTANTIATE_PARAMS. */
struct instantiate_params {
	uint64_t flags;
	void *stream, *node;
	int result;
};

API CUresult cuGraphInstantiateWithParams(void **out, void *graph, struct instantiate_params *p)
{
	if (!p)
		return cuGraphInstantiateWithFlags(NULL, graph, 0);
	const CUresult r = cuGraphInstantiateWithFlags(out, graph, p->flags);
	p->node = NULL;
	p->result = r ? 1 : 0;
	return r;
}
API CUresult cuGraphInstantiate_v2(void **out, void *graph, void **node, char *log, size_t bytes)
{
	if (node)
		*node = NULL;
	if (log && bytes)
		*log = 0;
	return cuGraphInstantiateWithFlags(out, graph, 0);
}

API CUresult cuGraphExecDestroy(void *exec)
{
	GUARD(NEED_INIT);
	struct exec *e = object_get(exec, KIND_EXEC);
	CHECK(e, INVALID_VALUE);
	graph_free(e->graph);
	free(e->origin);
	object_free(e);
	return CUDA_SUCCESS;
}

API CUresult cuGraphExecGetFlags(void *exec, uint64_t *flags)
{
	GUARD(NEED_INIT);
	struct exec *e = object_get(exec, KIND_EXEC);
	CHECK(e && flags, INVALID_VALUE);
	*flags = e->flags;
	return CUDA_SUCCESS;
}

API CUresult cuGraphUpload(void *exec, void *stream)
{
	GUARD(NEED_WHOLE);
	CHECK(object_get(exec, KIND_EXEC), INVALID_VALUE);
	CHECK(stream_get(stream), INVALID_HANDLE);
	return CUDA_SUCCESS;
}

API CUresult cuGraphLaunch(void *exec, void *stream)
{
	GUARD(NEED_WHOLE);
	struct exec *e = object_get(exec, KIND_EXEC);
	struct stream *s = stream_get(stream);
	CHECK(e, INVALID_VALUE);
	CHECK(s, INVALID_HANDLE);
	if (!s->capture) {
		const CUresult r = capture_allows_stream(s);
		return r ? r : graph_run(s, e->graph);
	}
	struct work w = {.kind = WORK_GRAPH, .graph = graph_copy(e->graph, NULL)};
	CHECK(w.graph, OUT_OF_MEMORY);
	return stream_do(s, &w);
}

/* The instance's node made from a node of the graph. */
static struct node *find(const struct exec *e, const void *node, enum work_kind kind)
{
	for (unsigned i = 0; e && i < e->graph->nnodes; i++)
		if (e->origin[i] == node && e->graph->nodes[i]->work->kind == kind)
			return e->graph->nodes[i];
	return NULL;
}

API CUresult cuGraphExecKernelNodeSetParams(void *exec, void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return graph_set_kernel(find(object_get(exec, KIND_EXEC), node, WORK_KERNEL), p, false);
}
API CUresult cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return graph_set_kernel(find(object_get(exec, KIND_EXEC), node, WORK_KERNEL), p, true);
}
API CUresult cuGraphNodeSetEnabled(void *exec, void *node, unsigned on)
{
	GUARD(NEED_INIT);
	struct exec *e = object_get(exec, KIND_EXEC);
	CHECK(e, INVALID_VALUE);
	for (enum work_kind k = WORK_KERNEL; k <= WORK_FILL; k++) {
		struct node *n = find(e, node, k);
		if (n) {
			n->off = !on;
			return CUDA_SUCCESS;
		}
	}
	return CUDA_ERROR_INVALID_VALUE;
}
API CUresult cuGraphNodeGetEnabled(void *exec, void *node, unsigned *on)
{
	GUARD(NEED_INIT);
	struct exec *e = object_get(exec, KIND_EXEC);
	CHECK(e && on, INVALID_VALUE);
	for (enum work_kind k = WORK_KERNEL; k <= WORK_FILL; k++) {
		struct node *n = find(e, node, k);
		if (n) {
			*on = !n->off;
			return CUDA_SUCCESS;
		}
	}
	return CUDA_ERROR_INVALID_VALUE;
}
