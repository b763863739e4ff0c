// SPDX-License-Identifier: Apache-2.0
/* unpack.h -- compressed images of fat binaries (private to cmodel/object). */
#ifndef WLCC_UNPACK_H
#define WLCC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/status.h"

enum packing { PACKED_NOT, PACKED_ZSTD, PACKED_LZ4 };

/* `bytes`: size of the unpacked image. *out gets an allocation of the caller's, NULL on failure; `why` then gets a
 * line. */
enum wl_status image_unpack(enum packing packing, const unsigned char *data, size_t size, uint64_t bytes,
                            unsigned char **out, char *why, size_t whyn);

#endif
