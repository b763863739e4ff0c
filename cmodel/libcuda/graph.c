// SPDX-License-Identifier: Apache-2.0
/* graph.c -- graphs in their plain form: nodes with dependencies, copies in an order of the dependencies, runs node by
 * node. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* ---- nodes ---- */

struct graph *graph_new(void)
{
	return object_new(KIND_GRAPH, sizeof(struct graph));
}

/* A graph within a node or an instance. A stale handle of the program may have the address of the graph: no call finds
 * the graph by the handle. */
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
		return (to->graph = graph_copy(from->graph, NULL));
	return true;
}

/* The nodes in an order of the dependencies; NULL: no memory or a circle. */
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

/* Copies the nodes of g into an empty graph, in order; origin gets the source of each node. On a failure the copy is
 * freed. */
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

struct graph *graph_copy(const struct graph *g, struct node **origin)
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
			CHECK(b->deps[k] != a, INVALID_VALUE); /* the edge exists already */
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
