// SPDX-License-Identifier: Apache-2.0
/* image_chip.h -- the chip of an object or fat binary where nobody names one. */
#ifndef WARPLOCK_IMAGE_CHIP_H
#define WARPLOCK_IMAGE_CHIP_H

#include <stddef.h>

/* A cubin says its own; of a fat binary, or a host file that carries some, the first chip that `entry` (NULL = the only
 * kernel) has code for, or else PTX for. Of a file that is damaged, or has several kernels and none is named, any chip
 * whose loading tells so. 0: it holds nothing for a chip that is built. */
unsigned image_chip(const unsigned char *data, size_t size, const char *entry);

#endif
