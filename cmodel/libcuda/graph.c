// SPDX-License-Identifier: Apache-2.0
/* graph.c -- graphs in their plain form: nodes of kernels, copies, memsets, host functions, events, graphs; instantiated
 * as a copy in an order that keeps the dependencies; launched node by node. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* An instance: nodes in the order of their execution, and what they were made from. */
struct exec {
	struct object object;
	struct graph *graph;
	struct node **origin; /* [graph->nnodes] */
	uint64_t flags;
};

/* ---- nodes ---- */

struct graph *graph_new(void)
{
	return object_new(KIND_GRAPH, sizeof(struct graph));
}

/* A stale handle of the program may have the address of such a graph: no call finds the graph by the handle. */
static struct graph *inner_new(void)
{
	return object_new(KIND_INNER, sizeof(struct graph));
}

static void node_free(struct node *n)
{
	work_free(n->work);
	free(n->work);
	free(n->deps);
	object_free(n);
}

void graph_free(struct graph *g)
{
	for (unsigned i = 0; g && i < g->nnodes; i++)
		node_free(g->nodes[i]);
	if (g) {
		free(g->nodes);
		object_free(g);
	}
}

struct node *graph_add(struct graph *g, struct work *w, struct node *const *deps, unsigned n)
{
	struct node **more = realloc(g->nodes, (g->nnodes + 1) * sizeof *more);
	const enum kind kind = g->object.kind == KIND_GRAPH ? KIND_NODE : KIND_INNER;
	struct node *node = more ? object_new(kind, sizeof *node) : NULL;
	g->nodes = more ? more : g->nodes;
	if (node) {
		node->graph = g;
		node->work = malloc(sizeof *w);
		node->deps = malloc((n + 1) * sizeof *deps);
	}
	if (!node || !node->work || !node->deps) {
		work_free(w);
		if (node) {
			free(node->work);
			free(node->deps);
			object_free(node);
		}
		return NULL;
	}
	*node->work = *w;
	if (n)
		memcpy(node->deps, deps, n * sizeof *deps);
	node->ndeps = n;
	g->nodes[g->nnodes++] = node;
	return node;
}

static struct graph *clone(const struct graph *g, struct node **origin);

bool work_copy(const struct work *from, struct work *to)
{
	*to = *from;
	if (from->kind == WORK_KERNEL) {
		const uint32_t bytes = from->launch.param_bytes;
		to->launch.params = malloc(bytes + 1u);
		if (to->launch.params && bytes)
			memcpy(to->launch.params, from->launch.params, bytes);
		return to->launch.params;
	}
	if (from->kind == WORK_GRAPH)
		return (to->graph = clone(from->graph, NULL));
	return true;
}

/* The nodes in an order that keeps the dependencies; NULL: no memory or a circle. */
static struct node **ordered(const struct graph *g)
{
	struct node **out = malloc((g->nnodes + 1) * sizeof *out);
	bool *done = calloc(g->nnodes + 1, sizeof *done), moved = true;
	unsigned n = 0;
	while (out && done && n < g->nnodes && moved) {
		moved = false;
		for (unsigned i = 0; i < g->nnodes; i++) {
			unsigned met = 0;
			for (unsigned k = 0; k < g->nodes[i]->ndeps; k++)
				for (unsigned m = 0; m < n; m++)
					met += out[m] == g->nodes[i]->deps[k];
			if (done[i] || met < g->nodes[i]->ndeps)
				continue;
			out[n++] = g->nodes[i];
			done[i] = moved = true;
		}
	}
	if (!done || (out && n < g->nnodes)) {
		free(out);
		out = NULL;
	}
	free(done);
	return out;
}

/* Copies the nodes of g into an empty graph, in order; origin gets the node that each one was made from. On a failure the
 * copy is freed. */
static struct graph *clone_into(struct graph *to, const struct graph *g, struct node **origin)
{
	struct node **order = ordered(g);
	if (to && !order) {
		graph_free(to);
		to = NULL;
	}
	for (unsigned i = 0; to && i < g->nnodes; i++) {
		struct work w;
		struct node *deps[64], **many = order[i]->ndeps > 64 ? malloc(order[i]->ndeps * sizeof *many) : deps;
		for (unsigned k = 0; many && k < order[i]->ndeps; k++)
			for (unsigned m = 0; m < i; m++)
				if (order[m] == order[i]->deps[k])
					many[k] = to->nodes[m];
		if (!many || !work_copy(order[i]->work, &w) || !graph_add(to, &w, many, order[i]->ndeps)) {
			graph_free(to);
			to = NULL;
		}
		if (many != deps)
			free(many);
		if (origin)
			origin[i] = order[i];
	}
	free(order);
	return to;
}

/* The copy belongs to a node or an instance. */
static struct graph *clone(const struct graph *g, struct node **origin)
{
	return clone_into(inner_new(), g, origin);
}

CUresult graph_run(struct stream *s, struct graph *g)
{
	for (unsigned i = 0; i < g->nnodes; i++) {
		const CUresult r = g->nodes[i]->off ? CUDA_SUCCESS : work_run(s, g->nodes[i]->work);
		if (r)
			return r;
		CHECK(object_get(s, KIND_STREAM), CONTEXT_IS_DESTROYED); /* by another thread, during a kernel */
		if (s->context->broken)
			return CUDA_SUCCESS; /* told by the next call */
	}
	return CUDA_SUCCESS;
}

/* ---- graphs ---- */

API CUresult cuGraphCreate(void **out, unsigned flags)
{
	GUARD(NEED_INIT);
	CHECK(out && !flags, INVALID_VALUE);
	*out = graph_new();
	CHECK(*out, OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}

API CUresult cuGraphDestroy(void *graph)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(g && !g->captures, INVALID_VALUE);
	graph_free(g);
	return CUDA_SUCCESS;
}

API CUresult cuGraphClone(void **out, void *graph)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(out && g, INVALID_VALUE);
	*out = clone_into(graph_new(), g, NULL);
	CHECK(*out, INVALID_VALUE);
	return CUDA_SUCCESS;
}

static CUresult nodes_out(struct node *const *nodes, unsigned have, void **out, size_t *n)
{
	CHECK(n, INVALID_VALUE);
	if (!out) {
		*n = have;
		return CUDA_SUCCESS;
	}
	for (size_t i = 0; i < *n; i++)
		out[i] = i < have ? nodes[i] : NULL;
	if (*n > have)
		*n = have;
	return CUDA_SUCCESS;
}

API CUresult cuGraphGetNodes(void *graph, void **out, size_t *n)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(g, INVALID_VALUE);
	return nodes_out(g->nodes, g->nnodes, out, n);
}

API CUresult cuGraphGetRootNodes(void *graph, void **out, size_t *n)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(g && n, INVALID_VALUE);
	struct node **roots = malloc((g->nnodes + 1) * sizeof *roots);
	CHECK(roots, OUT_OF_MEMORY);
	unsigned have = 0;
	for (unsigned i = 0; i < g->nnodes; i++)
		if (!g->nodes[i]->ndeps)
			roots[have++] = g->nodes[i];
	const CUresult r = nodes_out(roots, have, out, n);
	free(roots);
	return r;
}

static CUresult edges(void *graph, void **from, void **to, size_t *n)
{
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(g && n, INVALID_VALUE);
	size_t k = 0;
	for (unsigned i = 0; i < g->nnodes; i++)
		for (unsigned d = 0; d < g->nodes[i]->ndeps; d++, k++)
			if (from && to && k < *n) {
				from[k] = g->nodes[i]->deps[d];
				to[k] = g->nodes[i];
			}
	*n = k;
	return CUDA_SUCCESS;
}
API CUresult cuGraphGetEdges(void *graph, void **from, void **to, size_t *n)
{
	GUARD(NEED_INIT);
	return edges(graph, from, to, n);
}
API CUresult cuGraphGetEdges_v2(void *graph, void **from, void **to, void *data, size_t *n)
{
	GUARD(NEED_INIT);
	CHECK(!data, NOT_SUPPORTED);
	return edges(graph, from, to, n);
}

API CUresult cuGraphNodeGetType(void *node, int *type)
{
	GUARD(NEED_INIT);
	struct node *n = object_get(node, KIND_NODE);
	CHECK(n && type, INVALID_VALUE);
	*type = (int)n->work->kind;
	return CUDA_SUCCESS;
}

API CUresult cuGraphNodeGetDependencies(void *node, void **out, size_t *count)
{
	GUARD(NEED_INIT);
	struct node *n = object_get(node, KIND_NODE);
	CHECK(n, INVALID_VALUE);
	return nodes_out(n->deps, n->ndeps, out, count);
}

static CUresult depend(void *graph, void **from, void **to, size_t n)
{
	CHECK(object_get(graph, KIND_GRAPH) && (!n || (from && to)), INVALID_VALUE);
	for (size_t i = 0; i < n; i++) {
		struct node *a = object_get(from[i], KIND_NODE), *b = object_get(to[i], KIND_NODE);
		CHECK(a && b && a != b && a->graph == graph && b->graph == graph, INVALID_VALUE);
		for (unsigned k = 0; k < b->ndeps; k++)
			CHECK(b->deps[k] != a, INVALID_VALUE); /* the edge is there */
		struct node **more = realloc(b->deps, (b->ndeps + 2) * sizeof *more);
		CHECK(more, OUT_OF_MEMORY);
		b->deps = more;
		b->deps[b->ndeps++] = a;
	}
	return CUDA_SUCCESS;
}
API CUresult cuGraphAddDependencies(void *graph, void **from, void **to, size_t n)
{
	GUARD(NEED_INIT);
	return depend(graph, from, to, n);
}
API CUresult cuGraphAddDependencies_v2(void *graph, void **from, void **to, void *data, size_t n)
{
	GUARD(NEED_INIT);
	CHECK(!data, NOT_SUPPORTED);
	return depend(graph, from, to, n);
}

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

/* CUDA_KERNEL_NODE_PARAMS; the second form has the last two members. */
struct kernel_params {
	void *function;
	unsigned grid[3], block[3], shared;
	void **params, **extra;
	void *kernel, *context;
};

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
	struct work w = {.kind = WORK_GRAPH, .graph = clone(c, NULL)};
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

/* ---- instances ---- */

API CUresult cuGraphInstantiateWithFlags(void **out, void *graph, uint64_t flags)
{
	GUARD(NEED_INIT);
	struct graph *g = object_get(graph, KIND_GRAPH);
	CHECK(out && g && flags <= 15, INVALID_VALUE);
	CHECK(!(flags & 4), NOT_SUPPORTED); /* launched by kernels */
	struct exec *e = object_new(KIND_EXEC, sizeof *e);
	CHECK(e, OUT_OF_MEMORY);
	e->origin = calloc(g->nnodes + 1, sizeof *e->origin);
	e->graph = e->origin ? clone(g, e->origin) : NULL;
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
	struct work w = {.kind = WORK_GRAPH, .graph = clone(e->graph, NULL)};
	CHECK(w.graph, OUT_OF_MEMORY);
	return stream_do(s, &w);
}

/* The instance's node that was made from a node of the graph. */
static struct node *find(const struct exec *e, const void *node, enum work_kind kind)
{
	for (unsigned i = 0; e && i < e->graph->nnodes; i++)
		if (e->origin[i] == node && e->graph->nodes[i]->work->kind == kind)
			return e->graph->nodes[i];
	return NULL;
}

static void replace(struct node *n, const struct work *w)
{
	work_free(n->work);
	*n->work = *w;
}

static CUresult set_kernel(struct node *n, const struct kernel_params *p, bool v2)
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
API CUresult cuGraphExecKernelNodeSetParams(void *exec, void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return set_kernel(find(object_get(exec, KIND_EXEC), node, WORK_KERNEL), p, false);
}
API CUresult cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return set_kernel(find(object_get(exec, KIND_EXEC), node, WORK_KERNEL), p, true);
}
static struct node *kernel_node(void *node)
{
	struct node *n = object_get(node, KIND_NODE);
	return n && n->work->kind == WORK_KERNEL ? n : NULL;
}
API CUresult cuGraphKernelNodeSetParams(void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return set_kernel(kernel_node(node), p, false);
}
API CUresult cuGraphKernelNodeSetParams_v2(void *node, const struct kernel_params *p)
{
	GUARD(NEED_WHOLE);
	return set_kernel(kernel_node(node), p, true);
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
