// SPDX-License-Identifier: Apache-2.0
/* graph.h -- private to cmodel/libcuda: shared by the files of graphs. */
#ifndef WARPLOCK_LIBCUDA_GRAPH_H
#define WARPLOCK_LIBCUDA_GRAPH_H

#include "driver.h"

/* CUDA_KERNEL_NODE_PARAMS; the second form has the last two members. */
struct kernel_params {
	void *function;
	unsigned grid[3], block[3], shared;
	void **params, **extra;
	void *kernel, *context;
};

/* A copy for a node or an instance; origin, where not NULL, gets the source of each node. NULL: no memory, or a
 * circle. */
struct graph *graph_copy(const struct graph *g, struct node **origin);
/* The node's kernel and parameters, of a node of a graph or an instance. n NULL: INVALID_VALUE. */
CUresult graph_set_kernel(struct node *n, const struct kernel_params *p, bool v2);

#endif
