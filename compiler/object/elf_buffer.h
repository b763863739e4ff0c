// SPDX-License-Identifier: Apache-2.0
/* elf_buffer.h -- growing buffers for sections of objects, and the records of .nv.info. */
#ifndef WARPLOCK_ELF_BUFFER_H
#define WARPLOCK_ELF_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
	unsigned char *data;
	size_t size, cap;
};

/* `data` NULL: zeros. */
void buffer_append(struct buffer *b, const void *data, size_t n);
void buffer_append_u32(struct buffer *b, uint32_t v);
void buffer_append_u16(struct buffer *b, uint16_t v);
void buffer_align(struct buffer *b, size_t to);
uint32_t buffer_string(struct buffer *b, const char *prefix, const char *s);
void buffer_record(struct buffer *b, unsigned attribute, const void *payload, uint16_t size);
void buffer_record_none(struct buffer *b, unsigned attribute);
void buffer_record_half(struct buffer *b, unsigned attribute, uint16_t value);
void buffer_record_byte(struct buffer *b, unsigned attribute, uint8_t value);
void buffer_record_pair(struct buffer *b, unsigned attribute, uint32_t x, uint32_t y);

#endif
