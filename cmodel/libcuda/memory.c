// SPDX-License-Identifier: Apache-2.0
/* memory.c -- device memory. An arena of the host's address space holds the bytes. A block of the device alone has
 * addresses in a second range, closed to the host: a program ends at the access through a device pointer, as on a GPU.
 * Managed and pinned blocks have the host's own addresses. Registered host memory stays in place.
 *
 * Blocks stand in a table by address. A second table, read by the model, has the blocks' wl_buf. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "driver.h"

/* Above the shadow memory of AddressSanitizer, below 2^47, and in no window of the model. */
#define DEVICE_BASE UINT64_C(0x200000000000)
#define ARENA_BASE  UINT64_C(0x280000000000)
enum { ALIGN = 512, GAP = 4096, RETURN = 1 << 20, GRANULE = 16, PLACE_ROOM = 1 << 16 };
static uint64_t next_id = 1; /* an id is never used twice; addresses are */

static uint8_t *arena;
static uint64_t arena_bytes, arena_end; /* places behind arena_end were never given */
static struct block *blocks;
static struct wl_buf *bufs;
static uint32_t nblocks, room;
static uint64_t used[MOST_DEVICES]; /* memory shared with the host counts, too */

struct hole {
	uint64_t offset, span;
};
static struct hole *holes; /* by offset, none touch */
static uint32_t nholes, hole_room;
static uint8_t *places; /* of parameters during a launch */

bool memory_open(void)
{
	arena_bytes = 2 * Device.devices * Device.memory + ((uint64_t)1 << 30);
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	void *bytes = mmap((void *)(uintptr_t)ARENA_BASE, arena_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	void *shut = mmap((void *)(uintptr_t)DEVICE_BASE, arena_bytes, PROT_NONE, flags, -1, 0);
	places = malloc(PLACE_ROOM);
	if (bytes == MAP_FAILED || shut == MAP_FAILED || !places) {
		say("cuInit: no %llu GiB of addresses at 0x%llx: WARPLOCK_MEMORY_GIB or WARPLOCK_DEVICES takes "
		    "less",
		    (unsigned long long)(arena_bytes >> 30), (unsigned long long)DEVICE_BASE);
		return false;
	}
	arena = bytes;
	return true;
}

/* ---- holes of the arena ---- */

static bool add_hole(uint64_t offset, uint64_t span)
{
	uint32_t i = 0, high = nholes;
	while (i < high) {
		const uint32_t middle = (i + high) / 2;
		if (holes[middle].offset < offset)
			i = middle + 1;
		else
			high = middle;
	}
	const bool low = i && holes[i - 1].offset + holes[i - 1].span == offset;
	const bool up = i < nholes && offset + span == holes[i].offset;
	if (low) {
		holes[i - 1].span += span;
		if (up) {
			holes[i - 1].span += holes[i].span;
			memmove(&holes[i], &holes[i + 1], (--nholes - i) * sizeof *holes);
		}
	} else if (up) {
		holes[i].offset = offset;
		holes[i].span += span;
	} else {
		if (nholes == hole_room) {
			const uint32_t more = hole_room ? 2 * hole_room : 64;
			struct hole *h = realloc(holes, more * sizeof *h);
			if (!h)
				return false; /* the place is lost: no fault */
			holes = h;
			hole_room = more;
		}
		memmove(&holes[i + 1], &holes[i], (nholes++ - i) * sizeof *holes);
		holes[i] = (struct hole){offset, span};
	}
	return true;
}

/* The smallest sufficient hole, or fresh space. UINT64_MAX: none. */
static uint64_t take_span(uint64_t span)
{
	uint32_t best = UINT32_MAX;
	for (uint32_t i = 0; i < nholes; i++)
		if (holes[i].span >= span && (best == UINT32_MAX || holes[i].span < holes[best].span))
			best = i;
	if (best != UINT32_MAX) {
		const uint64_t offset = holes[best].offset;
		holes[best].offset += span;
		holes[best].span -= span;
		if (!holes[best].span)
			memmove(&holes[best], &holes[best + 1], (--nholes - best) * sizeof *holes);
		return offset;
	}
	if (span > arena_bytes - arena_end)
		return UINT64_MAX;
	const uint64_t offset = arena_end;
	arena_end += span;
	return offset;
}

/* ---- the table ---- */

/* Index of the first block behind an address. */
static uint32_t behind(uint64_t address)
{
	uint32_t low = 0, high = nblocks;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (blocks[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool grow(void)
{
	if (nblocks < room)
		return true;
	const uint32_t more = room ? 2 * room : 256;
	struct block *b = realloc(blocks, more * sizeof *b);
	if (b)
		blocks = b;
	struct wl_buf *w = realloc(bufs, more * sizeof *w);
	if (w)
		bufs = w;
	if (!b || !w)
		return false;
	room = more;
	return true;
}

static void insert(const struct block *b, const uint8_t *bytes)
{
	const uint32_t i = behind(b->base);
	memmove(&blocks[i + 1], &blocks[i], (nblocks - i) * sizeof *blocks);
	memmove(&bufs[i + 1], &bufs[i], (nblocks - i) * sizeof *bufs);
	blocks[i] = *b;
	bufs[i] = (struct wl_buf){b->base,
	                          b->bytes,
	                          (uintptr_t)bytes - (uintptr_t)arena,
	                          b->kind == MEMORY_REGISTERED ? b->bytes
	                                                       : (b->bytes + GRANULE - 1) & ~(uint64_t)(GRANULE - 1),
	                          NULL,
	                          0};
	nblocks++;
}

static uint64_t left_of(CUdevice device)
{
	return Device.memory - (used[device] < Device.memory ? used[device] : Device.memory);
}

static uint64_t allocate_on(CUdevice device, uint64_t bytes, enum memory_kind kind, unsigned flags,
                            struct context *context, struct pool *pool)
{
	if (!bytes || bytes > left_of(device) || !grow())
		return 0;
	const bool ours = kind == MEMORY_DEVICE || kind == MEMORY_MODULE;
	const uint64_t span = ((bytes + ALIGN - 1) & ~(uint64_t)(ALIGN - 1)) + GAP;
	const uint64_t offset = take_span(span);
	if (offset == UINT64_MAX)
		return 0;
	const struct block b = {.base = (ours ? DEVICE_BASE : ARENA_BASE) + offset,
	                        .bytes = bytes,
	                        .offset = offset,
	                        .span = span,
	                        .kind = kind,
	                        .flags = flags,
	                        .id = next_id++,
	                        .context = context,
	                        .device = device,
	                        .pool = pool};
	insert(&b, arena + offset);
	used[device] += bytes;
	return b.base;
}

uint64_t memory_new(uint64_t bytes, enum memory_kind kind, unsigned flags, struct context *context)
{
	return allocate_on(context->device, bytes, kind, flags, context, NULL);
}

uint64_t memory_new_in(struct pool *pool, uint64_t bytes, struct context *context)
{
	const uint64_t at = allocate_on(pool->device, bytes, MEMORY_DEVICE, 0, context, pool);
	if (at)
		pool_count(pool, (int64_t)bytes);
	return at;
}

static void forget(uint32_t i)
{
	const struct block b = blocks[i];
	memmove(&blocks[i], &blocks[i + 1], (nblocks - i - 1) * sizeof *blocks);
	memmove(&bufs[i], &bufs[i + 1], (nblocks - i - 1) * sizeof *bufs);
	nblocks--;
	if (b.kind == MEMORY_MANAGED)
		advice_drop(b.base, b.base + b.bytes);
	if (!b.span)
		return;
	used[b.device] -= b.bytes;
	if (b.pool)
		pool_count(b.pool, -(int64_t)b.bytes);
	if (b.span >= RETURN)
		madvise(arena + b.offset, b.span & ~(uint64_t)4095, MADV_DONTNEED);
	add_hole(b.offset, b.span);
}

bool memory_free(uint64_t base)
{
	const uint32_t i = behind(base);
	if (!i || blocks[i - 1].base != base)
		return false;
	forget(i - 1);
	return true;
}

const struct block *memory_find(uint64_t address)
{
	const uint32_t i = behind(address);
	return i && address - blocks[i - 1].base < blocks[i - 1].bytes ? &blocks[i - 1] : NULL;
}

static uint8_t *bytes_of(const struct block *b)
{
	return b->span ? arena + b->offset : (uint8_t *)(uintptr_t)b->base;
}

uint8_t *memory_of_device(uint64_t address, uint64_t size)
{
	const struct block *b = memory_find(address);
	return b && size <= b->bytes - (address - b->base) ? bytes_of(b) + (address - b->base) : NULL;
}

uint8_t *memory_at(uint64_t address, uint64_t size)
{
	const struct block *b = memory_find(address);
	if (b)
		return memory_of_device(address, size);
	if (!address || address - DEVICE_BASE < arena_bytes || address - ARENA_BASE < arena_bytes)
		return NULL;
	return (uint8_t *)(uintptr_t)address;
}

uint64_t memory_used(CUdevice device)
{
	return used[device];
}

void memory_drop(struct context *c)
{
	for (uint32_t i = nblocks; i-- > 0;)
		if (blocks[i].context == c)
			forget(i);
}

/* ---- the model's view ---- */

static struct wl_buf placed; /* size 0: none */

bool memory_reaches(const struct context *c, const struct block *b)
{
	const bool shared = b->kind == MEMORY_MANAGED || b->kind == MEMORY_HOST || b->kind == MEMORY_REGISTERED;
	if (shared || b->device == c->device)
		return true;
	return b->pool ? pool_reaches(b->pool, b, c->device) : peer_is_on(c, b->context);
}

void memory_view(struct wl_gmem *g, const struct context *c)
{
	static struct wl_buf *view;
	static uint32_t view_room;
	uint32_t n = 0;
	if (view_room < nblocks + 1) {
		struct wl_buf *more = realloc(view, (room + 1) * sizeof *more);
		view = more ? more : view;
		view_room = more ? room + 1 : view_room;
	}
	*g = (struct wl_gmem){.mem = arena, .bytes = arena_bytes, .many = view};
	if (view_room < nblocks + 1)
		return; /* no memory: the kernel finds no buffer */
	const uint32_t before = placed.size ? behind(placed.addr) : 0;
	for (uint32_t i = 0; i <= nblocks; i++) {
		if (i == before && placed.size)
			view[n++] = placed;
		if (i < nblocks && (Device.devices == 1 || memory_reaches(c, &blocks[i])))
			view[n++] = bufs[i];
	}
	g->nbuf = n;
}

void memory_place(uint64_t address, uint64_t bytes, const void *content)
{
	placed.size = 0;
	if (!bytes || bytes > PLACE_ROOM - GRANULE)
		return;
	memcpy(places, content, bytes);
	memset(places + bytes, 0, GRANULE);
	placed = (struct wl_buf){
	        address, bytes, (uintptr_t)places - (uintptr_t)arena, (bytes + GRANULE - 1) & ~(uint64_t)(GRANULE - 1),
	        NULL,    0};
}

/* Registered memory of the host: the memory stays in place. */
static bool register_host(uint64_t base, uint64_t bytes, unsigned flags, struct context *c)
{
	if (!grow())
		return false;
	const struct block b = {base, bytes, 0, 0, MEMORY_REGISTERED, flags, next_id++, c, c->device, NULL};
	insert(&b, (uint8_t *)(uintptr_t)base);
	return true;
}

/* ---- calls ---- */

static CUresult allocate(uint64_t *out, size_t bytes, enum memory_kind kind, unsigned flags, struct context *c)
{
	CHECK(out && bytes, INVALID_VALUE);
	const uint64_t at = memory_new(bytes, kind, flags, c);
	CHECK(at, OUT_OF_MEMORY);
	*out = at;
	return CUDA_SUCCESS;
}

API CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
	GUARD(NEED_WHOLE);
	SAFE();
	return allocate(out, bytes, MEMORY_DEVICE, 0, call.context);
}

API CUresult cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width, size_t height, unsigned element)
{
	GUARD(NEED_WHOLE);
	SAFE();
	CHECK(pitch && width && height && (element == 4 || element == 8 || element == 16), INVALID_VALUE);
	const size_t p = (width + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	CHECK(p >= width && height <= SIZE_MAX / p, OUT_OF_MEMORY);
	const CUresult r = allocate(out, p * height, MEMORY_DEVICE, 0, call.context);
	if (!r)
		*pitch = p;
	return r;
}

API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
	GUARD(NEED_WHOLE);
	SAFE();
	CHECK(flags == 1 || flags == 2, INVALID_VALUE);
	return allocate(out, bytes, MEMORY_MANAGED, flags, call.context);
}

API CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
	GUARD(NEED_WHOLE);
	SAFE();
	CHECK(out && bytes && !(flags & ~7u), INVALID_VALUE);
	const uint64_t at = memory_new(bytes, MEMORY_HOST, flags, call.context);
	CHECK(at, OUT_OF_MEMORY);
	*out = (void *)(uintptr_t)at;
	return CUDA_SUCCESS;
}

API CUresult cuMemAllocHost_v2(void **out, size_t bytes)
{
	return cuMemHostAlloc(out, bytes, 0);
}

API CUresult cuMemFree_v2(CUdeviceptr at)
{
	GUARD(NEED_WHOLE);
	if (!at)
		return CUDA_SUCCESS;
	SAFE();
	SETTLE();
	const struct block *b = memory_find(at);
	CHECK(b && b->base == at && (b->kind == MEMORY_DEVICE || b->kind == MEMORY_MANAGED), INVALID_VALUE);
	memory_free(at);
	return CUDA_SUCCESS;
}

API CUresult cuMemFreeHost(void *p)
{
	GUARD(NEED_WHOLE);
	if (!p)
		return CUDA_SUCCESS;
	SAFE();
	SETTLE();
	const struct block *b = memory_find((uintptr_t)p);
	CHECK(b && b->base == (uintptr_t)p && b->kind == MEMORY_HOST, INVALID_VALUE);
	memory_free((uintptr_t)p);
	return CUDA_SUCCESS;
}

API CUresult cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags)
{
	GUARD(NEED_WHOLE);
	SAFE();
	const uint64_t at = (uintptr_t)p;
	CHECK(p && bytes && bytes <= UINT64_MAX - at && !(flags & ~15u), INVALID_VALUE);
	const uint32_t i = behind(at + bytes - 1);
	CHECK(!i || blocks[i - 1].base + blocks[i - 1].bytes <= at, HOST_MEMORY_ALREADY_REGISTERED);
	CHECK(at + bytes <= DEVICE_BASE || at >= DEVICE_BASE + arena_bytes, INVALID_VALUE);
	CHECK(register_host(at, bytes, flags, call.context), OUT_OF_MEMORY);
	return CUDA_SUCCESS;
}

API CUresult cuMemHostUnregister(void *p)
{
	GUARD(NEED_WHOLE);
	SAFE();
	SETTLE();
	const struct block *b = memory_find((uintptr_t)p);
	CHECK(p, INVALID_VALUE);
	CHECK(b && b->base == (uintptr_t)p && b->kind == MEMORY_REGISTERED, HOST_MEMORY_NOT_REGISTERED);
	memory_free((uintptr_t)p);
	return CUDA_SUCCESS;
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *p, unsigned flags)
{
	GUARD(NEED_WHOLE);
	CHECK(out && !flags, INVALID_VALUE);
	const struct block *b = memory_find((uintptr_t)p);
	CHECK(b && (b->kind == MEMORY_HOST || b->kind == MEMORY_REGISTERED), INVALID_VALUE);
	*out = (uintptr_t)p;
	return CUDA_SUCCESS;
}

API CUresult cuMemHostGetFlags(unsigned *flags, void *p)
{
	GUARD(NEED_WHOLE);
	const struct block *b = memory_find((uintptr_t)p);
	CHECK(flags && b && b->kind == MEMORY_HOST, INVALID_VALUE);
	*flags = b->flags | 2; /* mapped: host and device addresses are equal */
	return CUDA_SUCCESS;
}

API CUresult cuMemGetInfo_v2(size_t *left, size_t *total)
{
	GUARD(NEED_WHOLE);
	CHECK(left && total, INVALID_VALUE);
	*total = Device.memory;
	*left = left_of(call.context->device);
	return CUDA_SUCCESS;
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr at)
{
	GUARD(NEED_WHOLE);
	const struct block *b = memory_find(at);
	CHECK(b, NOT_FOUND);
	if (base)
		*base = b->base;
	if (bytes)
		*bytes = b->bytes;
	return CUDA_SUCCESS;
}
