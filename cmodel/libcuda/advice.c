// SPDX-License-Identifier: Apache-2.0
/* advice.c -- hints for managed memory. A hint moves no memory; a query returns the stored hint.
 * Source: CUDA Driver API reference, cuMemAdvise, cuMemPrefetchAsync, cuMemRangeGetAttribute. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* As device numbers: the host, no device. */
enum { HOST = -1, NONE = -2 };
/* Kinds of hints; ACCESSED is the host, further kinds are the devices. */
enum { READ_MOSTLY, PREFERRED, PREFETCHED, ACCESSED };

/* Hints of the same kind do not overlap. */
struct hint {
	uint64_t from, to;
	int kind, value;
};
static struct hint *hints;
static size_t nhints, room;

static bool grow(size_t more)
{
	if (nhints + more <= room)
		return true;
	struct hint *h = realloc(hints, (2 * room + more) * sizeof *h);
	if (!h)
		return false;
	hints = h;
	room = 2 * room + more;
	return true;
}

/* kind -1: of all kinds. */
static bool cut(uint64_t from, uint64_t to, int kind)
{
	for (size_t i = nhints; i-- > 0;) {
		struct hint *h = &hints[i];
		if ((kind >= 0 && h->kind != kind) || h->to <= from || h->from >= to)
			continue;
		if (h->from < from && h->to > to) {
			if (!grow(1))
				return false;
			h = &hints[i];
			hints[nhints++] = (struct hint){to, h->to, h->kind, h->value};
			h->to = from;
		} else if (h->from < from) {
			h->to = from;
		} else if (h->to > to) {
			h->from = to;
		} else {
			*h = hints[--nhints];
		}
	}
	return true;
}

void advice_drop(uint64_t from, uint64_t to)
{
	if (nhints)
		cut(from, to, -1);
}

static CUresult set(uint64_t from, uint64_t bytes, int kind, int value)
{
	CHECK(grow(1) && cut(from, from + bytes, kind) && grow(1), OUT_OF_MEMORY);
	hints[nhints++] = (struct hint){from, from + bytes, kind, value};
	return CUDA_SUCCESS;
}

/* The value of the whole range; `none` where parts differ. */
static int get(uint64_t from, uint64_t bytes, int kind, int none)
{
	uint64_t sum = 0;
	int value = none;
	for (size_t i = 0; i < nhints; i++) {
		const struct hint *h = &hints[i];
		if (h->kind != kind || h->to <= from || h->from >= from + bytes)
			continue;
		if (sum && h->value != value)
			return none;
		value = h->value;
		sum += (h->to < from + bytes ? h->to : from + bytes) - (h->from > from ? h->from : from);
	}
	return sum == bytes ? value : none;
}

static bool is_managed(CUdeviceptr at, size_t bytes)
{
	const struct block *b = memory_find(at);
	return bytes && b && b->kind == MEMORY_MANAGED && memory_of_device(at, bytes);
}

API CUresult cuMemAdvise(CUdeviceptr at, size_t bytes, int advice, CUdevice device)
{
	GUARD(NEED_WHOLE);
	const bool names = advice == 3 || advice >= 5; /* READ_MOSTLY and UNSET_PREFERRED take no device */
	CHECK(advice >= 1 && advice <= 6 && is_managed(at, bytes), INVALID_VALUE);
	CHECK(!names || device == HOST || device_is(device), INVALID_DEVICE);
	if (advice <= 2)
		return set(at, bytes, READ_MOSTLY, advice == 1);
	if (advice <= 4)
		return set(at, bytes, PREFERRED, advice == 3 ? device : NONE);
	return set(at, bytes, ACCESSED + 1 + device, advice == 5);
}

/* CUmemLocation as an argument: type 1 is a device, other types are the host. */
static CUdevice device_of(uint64_t location)
{
	return (uint32_t)location == 1 ? (CUdevice)(location >> 32) : HOST;
}

API CUresult cuMemAdvise_v2(CUdeviceptr at, size_t bytes, int advice, uint64_t location)
{
	return cuMemAdvise(at, bytes, advice, device_of(location));
}

API CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice device, void *stream)
{
	GUARD(NEED_WHOLE);
	struct stream *s = stream_get(stream);
	CHECK(s, INVALID_HANDLE);
	CHECK(device == HOST || device_is(device), INVALID_DEVICE);
	CHECK(is_managed(at, bytes), INVALID_VALUE);
	if (s->capture)
		return capture_refuse(s);
	const CUresult r = capture_allows_stream(s);
	return r ? r : set(at, bytes, PREFETCHED, device);
}
API CUresult cuMemPrefetchAsync_v2(CUdeviceptr at, size_t bytes, uint64_t location, unsigned flags, void *stream)
{
	(void)flags;
	return cuMemPrefetchAsync(at, bytes, device_of(location), stream);
}

/* Numbers of CUmem_range_attribute. */
enum { R_READ_MOSTLY = 1, R_PREFERRED, R_ACCESSED, R_PREFETCHED, R_TYPE_PREFERRED, R_ID_PREFERRED, R_TYPE, R_ID };

static CUresult attribute(void *out, size_t size, int number, CUdeviceptr at, size_t bytes)
{
	int *values = out;
	CHECK(out && size && size % 4 == 0 && (size == 4 || number == R_ACCESSED), INVALID_VALUE);
	CHECK(number >= R_READ_MOSTLY && number <= R_ID && is_managed(at, bytes), INVALID_VALUE);
	if (number == R_ACCESSED) {
		size_t n = 0;
		for (int d = HOST; d < (int)Device.devices && n < size / 4; d++)
			if (get(at, bytes, ACCESSED + 1 + d, 0))
				values[n++] = d;
		while (n < size / 4)
			values[n++] = NONE;
		return CUDA_SUCCESS;
	}
	if (number == R_READ_MOSTLY) {
		*values = get(at, bytes, READ_MOSTLY, 0);
		return CUDA_SUCCESS;
	}
	const bool preferred = number == R_PREFERRED || number == R_TYPE_PREFERRED || number == R_ID_PREFERRED;
	const int device = get(at, bytes, preferred ? PREFERRED : PREFETCHED, NONE);
	const bool type = number == R_TYPE_PREFERRED || number == R_TYPE;
	*values = !type ? device : device == NONE ? 0 : device == HOST ? 2 : 1;
	return CUDA_SUCCESS;
}

API CUresult cuMemRangeGetAttribute(void *out, size_t size, int number, CUdeviceptr at, size_t bytes)
{
	GUARD(NEED_WHOLE);
	return attribute(out, size, number, at, bytes);
}

API CUresult cuMemRangeGetAttributes(void **out, const size_t *sizes, const int *numbers, size_t n, CUdeviceptr at,
                                     size_t bytes)
{
	GUARD(NEED_WHOLE);
	CHECK(out && sizes && numbers && n, INVALID_VALUE);
	for (size_t i = 0; i < n; i++) {
		const CUresult r = attribute(out[i], sizes[i], numbers[i], at, bytes);
		if (r)
			return r;
	}
	return CUDA_SUCCESS;
}
