// SPDX-License-Identifier: Apache-2.0
/* image.h -- private to cmodel/libcuda: images of modules, the compiler of PTX and the compiler's logs. */
#ifndef WARPLOCK_LIBCUDA_IMAGE_H
#define WARPLOCK_LIBCUDA_IMAGE_H

#include "driver.h"

struct image {
	const unsigned char *data;
	size_t size;
	bool is_ptx;
};
/* The image at an address: a cubin, a fat binary, the wrapper of a fat binary, or PTX. */
CUresult image_find(const void *image, struct image *out);
/* Not built: makes a single cubin of a fat binary's several cubins for the chip. */
CUresult image_merge(const struct image *image, unsigned char **out, size_t *size);

/* Compiles PTX; the cubin is from malloc. file NULL: the text came without a name. needed: a text is no error, and
 * gives no cubin, if only functions of other texts are missing; NULL: an error. */
CUresult ptx_compile(const char *text, size_t size, const char *file, bool *needed, unsigned char **out,
                     size_t *out_size);
/* The options of a call name buffers for messages; without a buffer messages go to standard error. */
struct log {
	char *buffer[2]; /* of information, of errors */
	size_t bytes[2], used[2];
	void **told[2]; /* place for the number of used bytes */
};
void log_begin(unsigned n, const int *options, void **values);
void log_end(void);
/* Of several calls: the messages of a later call stand behind earlier messages. log_use stands for log_begin. */
void log_open(struct log *log, unsigned n, const int *options, void **values);
void log_use(struct log *log);

/* A file's bytes with a 0 behind, from malloc; NULL: the file cannot be read. */
unsigned char *file_bytes(const char *path, size_t *size);

#endif
