// SPDX-License-Identifier: Apache-2.0
/* init.c -- --check=init: a bit for each byte says whether somebody has written the byte. A finding is a read of a
 * piece of at most 4 bytes without a written byte. Not a finding: padding between members of a struct, and the word
 * around a narrow value, read by a compare-and-swap. */
#include <stdlib.h>
#include <string.h>

#include "checker_state.h"

enum { PIECE = 4, SYSTEM = 1024 /* bytes of a window written by the system, from sm_90 on */ };

struct span {
	uint64_t at, bytes;
	bool heap;
};
struct init {
	struct wl_checker c;
	uint8_t *shared, *local; /* a bit for each byte: written */
	uint8_t *global;         /* a bit for each byte: nobody has written; NULL: all is written */
	struct span heap;
};

static bool get(const uint8_t *bits, uint64_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static void put(uint8_t *bits, uint64_t i, uint64_t n, bool value)
{
	for (; n && i % 8; i++, n--)
		bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)value << i % 8);
	memset(bits + i / 8, value ? 0xff : 0, n / 8);
	for (i += n / 8 * 8, n %= 8; n; i++, n--)
		bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1u << i % 8)) | (unsigned)value << i % 8);
}

/* First byte of a piece that nobody has written; UINT64_MAX: none. */
static uint64_t missing(const uint8_t *bits, uint64_t i, uint32_t size, bool written)
{
	for (uint32_t at = 0; at < size; at += PIECE) {
		bool any = false;
		for (uint32_t k = at; k < size && k < at + PIECE; k++)
			any |= get(bits, i + k) == written;
		if (!any)
			return at;
	}
	return UINT64_MAX;
}

static void found(struct init *n, const struct wl_seen *e, unsigned lane, enum wl_check_reason reason, uint64_t into,
                  uint32_t bytes)
{
	struct wl_check_finding f = {.reason = reason};
	f.here = check_site(e, 1u << lane, e->atomic ? "atomic" : "read");
	check_place(e, lane, bytes < PIECE ? bytes : PIECE, &f);
	if (reason == WL_CHECK_UNWRITTEN_LOCAL)
		f.space = WL_CHECK_LOCAL;
	f.addr += into;
	checker_found(&n->c, &f);
}

/* A read of shared or global memory. */
static void read_at(struct init *n, const struct wl_seen *e, unsigned lane, uint64_t at, uint32_t size)
{
	const uint64_t in = check_shared_index(&n->c, at);
	const uint64_t into = in != UINT64_MAX ? missing(n->shared, in, size, true)
	                      : n->global      ? missing(n->global, at, size, false)
	                                       : UINT64_MAX;
	if (into == UINT64_MAX)
		return;
	found(n, e, lane,
	      in != UINT64_MAX                  ? WL_CHECK_UNWRITTEN_SHARED
	      : at - n->heap.at < n->heap.bytes ? WL_CHECK_UNWRITTEN_HEAP
	                                        : WL_CHECK_UNWRITTEN_GLOBAL,
	      into, size);
}

static void written(struct init *n, uint64_t at, uint64_t bytes)
{
	const uint64_t in = check_shared_index(&n->c, at);
	if (in != UINT64_MAX)
		put(n->shared, in, bytes, true);
	else if (n->global)
		put(n->global, at, bytes, false);
}

static void access(struct init *n, const struct wl_seen *e)
{
	for (uint32_t m = e->reads ? e->lanes : 0; m; m &= m - 1)
		read_at(n, e, check_lowest(m), e->at[check_lowest(m)], e->size);
	for (uint32_t m = e->writes ? e->lanes : 0; m; m &= m - 1)
		written(n, e->at[check_lowest(m)], e->size);
}

static uint64_t local_index(const struct init *n, const struct wl_seen *e, unsigned lane)
{
	return (((uint64_t)e->sm * WL_MAX_WARPS + e->warp_slot) * WL_WARP_LANES + lane) * n->c.shape.local_bytes;
}

static void local(struct init *n, const struct wl_seen *e)
{
	for (uint32_t m = n->local ? e->lanes : 0; m; m &= m - 1) {
		const unsigned lane = check_lowest(m);
		const uint64_t i = local_index(n, e, lane) + e->addr[lane];
		uint64_t into;
		if (e->addr[lane] + e->size > n->c.shape.local_bytes)
			continue;
		if (e->reads && (into = missing(n->local, i, e->size, true)) != UINT64_MAX)
			found(n, e, lane, WL_CHECK_UNWRITTEN_LOCAL, into, e->size);
		if (e->writes)
			put(n->local, i, e->size, true);
	}
}

static void start(struct init *n, const struct wl_seen *e)
{
	const uint32_t warps = n->c.shape.warps_per_cta;
	const uint64_t in = check_shared_index(&n->c, e->at[0]), thread = n->c.shape.local_bytes;
	const uint32_t system = n->c.shape.program->arch >= WL_SM90 && e->bytes >= SYSTEM ? SYSTEM : 0;
	put(n->shared, in, e->bytes, false);
	put(n->shared, in, system, true);
	if (n->local)
		put(n->local, ((uint64_t)e->sm * WL_MAX_WARPS + e->slot * warps) * WL_WARP_LANES * thread,
		    warps * WL_WARP_LANES * thread, false);
}

/* The source of a copy may be unwritten: the copy reads. */
static void copied(struct init *n, const struct wl_seen *e)
{
	const bool each = e->copy == WL_SEEN_BY_LANE || e->copy == WL_SEEN_VALUE;
	struct wl_seen read = *e;
	read.shared = e->from_space == WL_SEEN_SHARED ? UINT32_MAX : 0;
	read.atomic = false;
	if (e->copy == WL_SEEN_ARRIVAL)
		return;
	for (uint32_t m = e->lanes; m; m &= m - 1) {
		const unsigned lane = check_lowest(m), k = each ? lane : 0;
		const uint32_t bytes = each ? e->length[lane] : e->bytes;
		read.owner[lane] = e->cta;
		read.addr[lane] = e->from[k];
		if (bytes && e->from[k] != UINT64_MAX && e->copy != WL_SEEN_VALUE)
			read_at(n, &read, lane, e->from[k], bytes);
		written(n, e->to[k], each ? e->size : e->bytes);
		if (!each)
			break;
	}
}

static void event(void *self, const struct wl_seen *e)
{
	struct init *n = self;
	switch (e->kind) {
	case WL_SEEN_CTA_START:
		start(n, e);
		break;
	case WL_SEEN_ACCESS:
		access(n, e);
		break;
	case WL_SEEN_LOCAL:
		local(n, e);
		break;
	case WL_SEEN_MBAR_INIT:
		for (uint32_t m = e->lanes; m; m &= m - 1)
			written(n, e->at[check_lowest(m)], 8);
		break;
	case WL_SEEN_FRESH:
		if (n->global && e->at[0] != UINT64_MAX)
			put(n->global, e->at[0], e->bytes, true);
		break;
	case WL_SEEN_COPY:
		copied(n, e);
		break;
	default:
		break;
	}
}

static void close_init(struct wl_checker *c)
{
	struct init *n = (struct init *)c;
	free(n->shared);
	free(n->local);
	free(n->global);
}

static bool has_global(struct init *n)
{
	if (!n->global)
		n->global = calloc(n->c.shape.global_bytes / 8 + 2, 1);
	return n->global != NULL;
}

struct wl_checker *wl_init_create(const struct wl_seen_shape *shape)
{
	struct init *n = calloc(1, sizeof *n);
	const uint64_t threads = (uint64_t)shape->sms * WL_MAX_WARPS * WL_WARP_LANES;
	const struct wl_buf *heap = shape->heap_bytes ? wl_gmem_find(shape->gmem, shape->heap) : NULL;
	if (!n)
		return NULL;
	checker_open(&n->c, "init", shape, event, close_init);
	n->shared = calloc((uint64_t)shape->sms * shape->shared_bytes / 8 + 2, 1);
	n->local = shape->local_bytes ? calloc(threads * shape->local_bytes / 8 + 2, 1) : NULL;
	if (heap) {
		n->heap = (struct span){heap->at, shape->heap_bytes, true};
		has_global(n);
	}
	if (!n->shared || (shape->local_bytes && !n->local) || (heap && !n->global)) {
		wl_checker_free(&n->c);
		return NULL;
	}
	return &n->c;
}

void wl_init_unwritten(struct wl_checker *init, uint64_t addr, uint64_t bytes)
{
	struct init *n = (struct init *)init;
	const struct wl_buf *b = wl_gmem_find(n->c.shape.gmem, addr);
	if (b && has_global(n))
		put(n->global, b->at + (addr - b->addr), bytes, true);
}
