// SPDX-License-Identifier: Apache-2.0
/* peer.c -- access of devices to each other's memory. Copies between devices need no access; kernels do. A context has
 * access to the memory of another context, in a single direction. */
#include <stdlib.h>

#include "driver.h"

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	GUARD(NEED_INIT);
	CHECK(can, INVALID_VALUE);
	CHECK(device_is(device) && device_is(peer), INVALID_DEVICE);
	*can = device != peer;
	return CUDA_SUCCESS;
}

/* Numbers of CUdevice_P2PAttribute: all pairs of devices are alike. */
enum { P2P_RANK = 1, P2P_ACCESS, P2P_ATOMICS, P2P_ARRAYS, P2P_PARTIAL, P2P_END };

API CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer)
{
	GUARD(NEED_INIT);
	CHECK(value && attribute >= P2P_RANK && attribute < P2P_END, INVALID_VALUE);
	CHECK(device_is(device) && device_is(peer) && device != peer, INVALID_DEVICE);
	*value = attribute == P2P_ACCESS || attribute == P2P_ATOMICS;
	return CUDA_SUCCESS;
}

/* Index among the peers; npeers: none. */
static unsigned find(const struct context *c, const struct context *peer)
{
	unsigned i = 0;
	while (i < c->npeers && c->peers[i] != peer)
		i++;
	return i;
}

static void forget(struct context *c, unsigned i)
{
	if (i < c->npeers)
		c->peers[i] = c->peers[--c->npeers];
}

bool peer_is_on(const struct context *c, const struct context *peer)
{
	return find(c, peer) < c->npeers;
}

static void forget_gone(void *object, void *gone)
{
	struct context *c = object;
	forget(c, find(c, gone));
}

void peers_drop(struct context *c)
{
	objects_each(KIND_CONTEXT, forget_gone, c);
	free(c->peers);
	c->peers = NULL;
	c->npeers = 0;
}

API CUresult cuCtxEnablePeerAccess(void *peer, unsigned flags)
{
	GUARD(NEED_WHOLE);
	struct context *c = call.context, *p = object_get(peer, KIND_CONTEXT);
	CHECK(!flags, INVALID_VALUE);
	CHECK(p && p != c, INVALID_CONTEXT);
	CHECK(p->device != c->device, PEER_ACCESS_UNSUPPORTED);
	CHECK(!peer_is_on(c, p), PEER_ACCESS_ALREADY_ENABLED);
	struct context **more = realloc(c->peers, (c->npeers + 1) * sizeof *more);
	CHECK(more, OUT_OF_MEMORY);
	c->peers = more;
	c->peers[c->npeers++] = p;
	return CUDA_SUCCESS;
}

API CUresult cuCtxDisablePeerAccess(void *peer)
{
	GUARD(NEED_WHOLE);
	const struct context *p = object_get(peer, KIND_CONTEXT);
	CHECK(p, INVALID_CONTEXT);
	CHECK(peer_is_on(call.context, p), PEER_ACCESS_NOT_ENABLED);
	forget(call.context, find(call.context, p));
	return CUDA_SUCCESS;
}
