// SPDX-License-Identifier: Apache-2.0
/* unpack.c -- compressed images of fat binaries: a frame of Zstandard, or a block of LZ4. The stated sizes are not
 * trusted: an image must have exactly the stated bytes. Source: docs/spec/objects.md, "Fat binaries". */
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "unpack.h"

/* A frame may state more content than memory holds. No cubin comes near MOST_BYTES. */
enum { MOST_BYTES = 1 << 28 };

static enum wl_status refuse(enum wl_status status, char *why, size_t whyn, const char *format, uint64_t found,
                             uint64_t expected)
{
	if (why && whyn)
		snprintf(why, whyn, format, (unsigned long long)found, (unsigned long long)expected);
	return status;
}

static bool unpack(enum packing packing, const unsigned char *data, size_t size, unsigned char *to, size_t bytes,
                   uint64_t *got)
{
	if (packing == PACKED_ZSTD) {
		size_t n = ZSTD_decompress(to, bytes, data, size);
		*got = ZSTD_isError(n) ? 0 : n;
		return !ZSTD_isError(n);
	}
	int n = LZ4_decompress_safe((const char *)data, (char *)to, (int)size, (int)bytes);

	*got = n < 0 ? 0 : (uint64_t)n;
	return n >= 0;
}

enum wl_status image_unpack(enum packing packing, const unsigned char *data, size_t size, uint64_t bytes,
                            unsigned char **out, char *why, size_t whyn)
{
	uint64_t got;
	unsigned char *to;
	bool good;
	*out = NULL;
	if (!bytes || bytes > MOST_BYTES || size > MOST_BYTES)
		return refuse(WL_ERR_OBJECT, why, whyn, "compressed image states %llu bytes, expected 1 to %llu", bytes,
		              MOST_BYTES);
	to = malloc(bytes);
	if (!to)
		return refuse(WL_ERR_NOMEM, why, whyn, "out of memory", 0, 0);
	good = unpack(packing, data, size, to, bytes, &got);
	if (good && got == bytes) {
		*out = to;
		return WL_OK;
	}
	free(to);
	return good ? refuse(WL_ERR_OBJECT, why, whyn, "compressed image has %llu bytes, expected %llu", got, bytes)
	            : refuse(WL_ERR_OBJECT, why, whyn, "compressed image is cut or damaged, expected %2$llu bytes", 0,
	                     bytes);
}
