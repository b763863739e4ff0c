// SPDX-License-Identifier: Apache-2.0
/* image_chip.h -- the chip of an object or fat binary, for a user naming no chip. */
#ifndef WARPLOCK_IMAGE_CHIP_H
#define WARPLOCK_IMAGE_CHIP_H

#include <stddef.h>

/* Of a cubin: the cubin's chip. Of a fat binary, or a host file with fat binaries: the first chip with code for `entry`
 * (NULL = the only kernel), or else with PTX. Of a damaged file, or a file with several kernels and a NULL entry: any
 * chip; the loading then reports the error. 0: the file holds nothing for a built chip. */
unsigned image_chip(const unsigned char *data, size_t size, const char *entry);

#endif
