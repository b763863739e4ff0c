// SPDX-License-Identifier: Apache-2.0
/* image.h -- private to cmodel/libcuda: images of modules, the compiler of PTX and its logs. */
#ifndef WARPLOCK_LIBCUDA_IMAGE_H
#define WARPLOCK_LIBCUDA_IMAGE_H

#include "driver.h"

struct image {
	const unsigned char *data;
	size_t size;
	bool is_ptx;
};
/* What lies at an address: a cubin, a fat binary, the wrapper of one, or PTX. */
CUresult image_find(const void *image, struct image *out);
/* One cubin of the several that a fat binary has for the chip. */
CUresult image_merge(const struct image *image, unsigned char **out, size_t *size);

/* Compiles PTX; the cubin is from malloc. file NULL: the text came without a name. needed: a text that only lacks
 * functions of other texts is no error, and gives no cubin; NULL: is one. */
CUresult ptx_compile(const char *text, size_t size, const char *file, bool *needed, unsigned char **out,
                     size_t *out_size);
/* The options of a call name buffers for messages; without one they go to standard error. */
struct log {
	char *buffer[2]; /* of information, of errors */
	size_t bytes[2], used[2];
	void **told[2]; /* where the used bytes go */
};
void log_begin(unsigned n, const int *options, void **values);
void log_end(void);
/* Of several calls: the messages of a later call stand behind the earlier ones. log_use stands for log_begin. */
void log_open(struct log *log, unsigned n, const int *options, void **values);
void log_use(struct log *log);

/* A file's bytes with a 0 behind, from malloc; NULL: it cannot be read. */
unsigned char *file_bytes(const char *path, size_t *size);

#endif
