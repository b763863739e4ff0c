// SPDX-License-Identifier: Apache-2.0
/* elf_buffer.c -- see elf_buffer.h. */
#include "elf_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"

void buffer_append(struct buffer *b, const void *data, size_t n)
{
	if (!n)
		return;
	if (b->size + n > b->cap) {
		size_t cap = b->cap ? b->cap : 4096;
		while (cap < b->size + n)
			cap *= 2;
		b->data = realloc(b->data, cap);
		if (!b->data)
			abort(); /* as in the arena: without memory the compiler cannot report */
		b->cap = cap;
	}
	if (data)
		memcpy(b->data + b->size, data, n);
	else
		memset(b->data + b->size, 0, n);
	b->size += n;
}

void buffer_append_u32(struct buffer *b, uint32_t v)
{
	buffer_append(b, &v, 4);
}

void buffer_append_u16(struct buffer *b, uint16_t v)
{
	buffer_append(b, &v, 2);
}

void buffer_align(struct buffer *b, size_t to)
{
	if (b->size % to)
		buffer_append(b, NULL, to - b->size % to);
}

uint32_t buffer_string(struct buffer *b, const char *prefix, const char *s)
{
	uint32_t at = (uint32_t)b->size;
	buffer_append(b, prefix, strlen(prefix));
	buffer_append(b, s, strlen(s) + 1);
	return at;
}

/* ---- .nv.info records ---- */

void buffer_record(struct buffer *b, unsigned attribute, const void *payload, uint16_t size)
{
	unsigned char head[2] = {EIFMT_BLOCK, (unsigned char)attribute};
	buffer_append(b, head, 2);
	buffer_append_u16(b, size);
	buffer_append(b, payload, size);
}

void buffer_record_none(struct buffer *b, unsigned attribute)
{
	unsigned char all[4] = {EIFMT_NONE, (unsigned char)attribute, 0, 0};
	buffer_append(b, all, 4);
}

void buffer_record_half(struct buffer *b, unsigned attribute, uint16_t value)
{
	unsigned char head[2] = {EIFMT_HALF, (unsigned char)attribute};
	buffer_append(b, head, 2);
	buffer_append_u16(b, value);
}

void buffer_record_byte(struct buffer *b, unsigned attribute, uint8_t value)
{
	unsigned char all[4] = {EIFMT_BYTE, (unsigned char)attribute, value, 0};
	buffer_append(b, all, 4);
}

void buffer_record_pair(struct buffer *b, unsigned attribute, uint32_t x, uint32_t y)
{
	uint32_t v[2] = {x, y};
	buffer_record(b, attribute, v, sizeof v);
}
