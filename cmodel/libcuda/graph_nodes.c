// SPDX-License-Identifier: Apache-2.0
/* graph_nodes.c -- nodes of graphs: kernels, copies, memsets, host functions, events, graphs; new parameters of kernels. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

static CUresult add(void **out, void *graph, void *const *deps, size_t n, struct work *w)
{
	struct graph *g = object_get(graph, KIND_GRAPH);
	bool good = g && out && n <= UINT32_MAX && (!n || deps);
	for (size_t i = 0; good && i < n; i++) {
		const struct node *d = object_get(deps[i], KIND_NODE);
		good = d && d->graph == g;
	}
	if (!good)
		work_free(w);
	CHECK(good, INVALID_VALUE);
	*out = graph_add(g, w, (struct node *const *)deps, (unsigned)n);
	CHECK(*out, OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}

static CUresult kernel_work(const struct kernel_params *p, bool v2, struct work *w)
{
	CHECK(p, INVALID_VALUE);
	const uint32_t dims[6] = {p->grid[0], p->grid[1], p->grid[2], p->block[0], p->block[1], p->block[2]};
	w->kind = WORK_KERNEL;
	struct context *c = v2 && p->context ? object_get(p->context, KIND_CONTEXT) : context_current();
	struct function *f = function_get(p->function || !v2 ? p->function : p->kernel);
	CHECK(c, INVALID_CONTEXT);
	CHECK(f, INVALID_HANDLE);
	CUresult r = function_in(f, c, &f);
	if (!r)
		r = launch_make(f, dims, p->shared, p->params, p->extra, &w->launch);
	if (!r && (r = launch_check(&w->launch)))
		work_free(w);
	return r;
}

static CUresult add_kernel(void **out, void *graph, void *const *deps, size_t n, const struct kernel_params *p, bool v2)
{
	struct work w;
	const CUresult r = kernel_work(p, v2, &w);
	return r ? r : add(out, graph, deps, n, &w);
}
API CUresult cuGraphAddKernelNode(void **out, void *graph, void *const *deps, size_t n, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return add_kernel(out, graph, deps, n, p, false);
}
API CUresult cuGraphAddKernelNode_v2(void **out, void *graph, void *const *deps, size_t n,
                                     const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return add_kernel(out, graph, deps, n, p, true);
}

API CUresult cuGraphAddMemcpyNode(void **out, void *graph, void *const *deps, size_t n, const void *params,
                                  void *context)
{
	(void)context;
	struct work w = {.kind = WORK_COPY};
	GUARD(NEED_WHOLE);
	CHECK(params, INVALID_VALUE);
	CUresult r = copy_of_3d(params, &w.copy);
	if (!r)
		r = copy_check(&w.copy);
	return r ? r : add(out, graph, deps, n, &w);
}

/* CUDA_MEMSET_NODE_PARAMS. */
struct memset_params {
	CUdeviceptr dst;
	size_t pitch;
	unsigned value, bytes;
	size_t width, height;
};

API CUresult cuGraphAddMemsetNode(void **out, void *graph, void *const *deps, size_t n, const struct memset_params *p,
                                  void *context)
{
	(void)context;
	GUARD(NEED_WHOLE);
	CHECK(p && (p->bytes == 1 || p->bytes == 2 || p->bytes == 4), INVALID_VALUE);
	struct work w = {.kind = WORK_FILL, .fill = {p->dst, p->pitch, p->width, p->height, p->value, p->bytes}};
	const CUresult r = fill_check(&w.fill);
	return r ? r : add(out, graph, deps, n, &w);
}

/* CUDA_HOST_NODE_PARAMS. */
struct host_params {
	void (*function)(void *self);
	void *self;
};

API CUresult cuGraphAddHostNode(void **out, void *graph, void *const *deps, size_t n, const struct host_params *p)
{
	GUARD(NEED_INIT);
	CHECK(p && p->function, INVALID_VALUE);
	struct work w = {.kind = WORK_HOST, .host = {p->function, p->self}};
	return add(out, graph, deps, n, &w);
}

API CUresult cuGraphAddEmptyNode(void **out, void *graph, void *const *deps, size_t n)
{
	GUARD(NEED_INIT);
	struct work w = {.kind = WORK_EMPTY};
	return add(out, graph, deps, n, &w);
}

API CUresult cuGraphAddChildGraphNode(void **out, void *graph, void *const *deps, size_t n, void *child)
{
	GUARD(NEED_INIT);
	struct graph *c = object_get(child, KIND_GRAPH);
	CHECK(c && child != graph, INVALID_VALUE);
	struct work w = {.kind = WORK_GRAPH, .graph = graph_copy(c, NULL)};
	CHECK(w.graph, OUT_OF_MEMORY);
	return add(out, graph, deps, n, &w);
}

API CUresult cuGraphAddEventRecordNode(void **out, void *graph, void *const *deps, size_t n, void *event)
{
	GUARD(NEED_INIT);
	struct work w = {.kind = WORK_RECORD, .event = object_get(event, KIND_EVENT)};
	CHECK(w.event, INVALID_VALUE);
	return add(out, graph, deps, n, &w);
}
API CUresult cuGraphAddEventWaitNode(void **out, void *graph, void *const *deps, size_t n, void *event)
{
	GUARD(NEED_INIT);
	struct work w = {.kind = WORK_WAIT, .event = object_get(event, KIND_EVENT)};
	CHECK(w.event, INVALID_VALUE);
	return add(out, graph, deps, n, &w);
}

/* ---- new parameters ---- */

static void replace(struct node *n, const struct work *w)
{
	work_free(n->work);
	*n->work = *w;
}

CUresult graph_set_kernel(struct node *n, const struct kernel_params *p, bool v2)
{
	struct work w;
	CHECK(n, INVALID_VALUE);
	const CUresult r = kernel_work(p, v2, &w);
	if (r)
		return r;
	memcpy(w.launch.cluster, n->work->launch.cluster, sizeof w.launch.cluster);
	w.launch.cooperative = n->work->launch.cooperative;
	replace(n, &w);
	return CUDA_SUCCESS;
}

static struct node *kernel_node(void *node)
{
	struct node *n = object_get(node, KIND_NODE);
	return n && n->work->kind == WORK_KERNEL ? n : NULL;
}
API CUresult cuGraphKernelNodeSetParams(void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return graph_set_kernel(kernel_node(node), p, false);
}
API CUresult cuGraphKernelNodeSetParams_v2(void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return graph_set_kernel(kernel_node(node), p, true);
}
