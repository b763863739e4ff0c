// SPDX-License-Identifier: Apache-2.0
/* line_program.c -- a header (directories, files), then for each kernel a small program for a machine of address,
 * file and line. Facts: DWARF Debugging Information Format, version 2, "Line Number Information". NVIDIA's tools add
 * an instruction for inlined code, INLINED_CALL, with the row of the call, counted from 1 within the sequence. */
#include "line_program.h"

#include <stdlib.h>
#include <string.h>

enum {
	LINE_BASE = -5,
	LINE_RANGE = 14,
	OPCODE_BASE = 10,
	OP_COPY = 1,
	OP_ADVANCE_PC = 2,
	OP_ADVANCE_LINE = 3,
	OP_SET_FILE = 4,
	EXTENDED_END = 1,
	EXTENDED_ADDRESS = 2,
	NVIDIA_INLINED_CALL = 0x90,
	ADDRESS_BYTES = 8,
	NAMES_BYTES = 4,
	LENGTH_BYTES = 4,
	HEADER_LENGTH_AT = LENGTH_BYTES + 2,
};

struct bytes {
	unsigned char *data;
	size_t size, cap;
};

static void put(struct bytes *b, const void *data, size_t n)
{
	if (b->size + n > b->cap) {
		b->cap = 2 * (b->size + n) + 256;
		b->data = realloc(b->data, b->cap);
		if (!b->data)
			abort(); /* as in the object writer: without memory the compiler cannot report */
	}
	memcpy(b->data + b->size, data, n);
	b->size += n;
}

static void put_byte(struct bytes *b, unsigned v)
{
	unsigned char c = (unsigned char)v;
	put(b, &c, 1);
}

static void put_unsigned(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(b, (v & 0x7f) | 0x80);
	put_byte(b, (unsigned)v);
}

static void put_signed(struct bytes *b, int64_t v)
{
	while (v < -64 || v > 63) {
		put_byte(b, (v & 0x7f) | 0x80);
		v = v < 0 ? -((-v + 127) / 128) : v / 128; /* an arithmetic shift */
	}
	put_byte(b, v & 0x7f);
}

static void put_u32_at(struct bytes *b, size_t at, uint32_t v)
{
	memcpy(b->data + at, &v, sizeof v);
}

static size_t directory_length(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? (size_t)(slash - file) : 0;
}

/* The number of the directory of `file` among the directories of earlier files, 0 = none. */
static uint32_t directory_number(const char *const *files, uint32_t file)
{
	size_t n = directory_length(files[file]);
	uint32_t number = 0;
	for (uint32_t i = 0; i <= file; i++) {
		size_t m = directory_length(files[i]);
		bool first = m > 0;
		for (uint32_t k = 0; k < i && first; k++)
			first = directory_length(files[k]) != m || memcmp(files[k], files[i], m) != 0;
		number += first;
		if (first && m == n && !memcmp(files[i], files[file], n))
			return number;
	}
	return 0;
}

static void put_header(struct bytes *b, const char *const *files, uint32_t nfiles)
{
	static const unsigned char fixed[] = {
	        0,
	        0,
	        0,
	        0, /* length */
	        2,
	        0, /* version */
	        0,
	        0,
	        0,
	        0, /* length of the header */
	        1, /* bytes of an instruction: addresses count single bytes */
	        1, /* every row begins a statement */
	        (unsigned char)LINE_BASE,
	        LINE_RANGE,
	        OPCODE_BASE,
	        0,
	        1,
	        1,
	        1,
	        1,
	        0,
	        0,
	        0,
	        1, /* operands of opcodes 1 to 9 */
	};
	uint32_t directories = 0;

	put(b, fixed, sizeof fixed);
	for (uint32_t i = 0; i < nfiles; i++)
		if (directory_number(files, i) > directories) {
			put(b, files[i], directory_length(files[i]));
			put_byte(b, 0);
			directories++;
		}
	put_byte(b, 0);
	for (uint32_t i = 0; i < nfiles; i++) {
		size_t n = directory_length(files[i]);
		put(b, files[i] + (n ? n + 1 : 0), strlen(files[i] + (n ? n + 1 : 0)) + 1);
		put_unsigned(b, directory_number(files, i));
		put_unsigned(b, 0); /* time and size are not known */
		put_unsigned(b, 0);
	}
	put_byte(b, 0);
	if (nfiles)
		put(b, "\0\0\0", NAMES_BYTES); /* start of the names in .debug_str */
	put_u32_at(b, HEADER_LENGTH_AT, (uint32_t)(b->size - HEADER_LENGTH_AT - LENGTH_BYTES));
}

static unsigned unsigned_bytes(uint64_t v)
{
	unsigned n = 1;
	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

/* The row of the call and the name of the function. */
static void put_call(struct bytes *b, const struct line_row *r)
{
	put_byte(b, 0);
	put_unsigned(b, 1 + unsigned_bytes(r->caller) + unsigned_bytes(r->function));
	put_byte(b, NVIDIA_INLINED_CALL);
	put_unsigned(b, r->caller);
	put_unsigned(b, r->function);
}

static void put_row(struct bytes *b, const struct line_row *r, struct line_row *now)
{
	int64_t line = (int64_t)r->line - now->line;
	uint32_t pc = r->address - now->address;
	if (r->file != now->file) {
		put_byte(b, OP_SET_FILE);
		put_unsigned(b, r->file);
	}
	if (r->caller != now->caller || r->function != now->function)
		put_call(b, r);
	if (line >= LINE_BASE && line < LINE_BASE + LINE_RANGE && pc < 17 &&
	    line - LINE_BASE + LINE_RANGE * pc + OPCODE_BASE < 256) {
		put_byte(b, (unsigned)(line - LINE_BASE + LINE_RANGE * pc + OPCODE_BASE));
	} else {
		put_byte(b, OP_ADVANCE_LINE);
		put_signed(b, line);
		put_byte(b, OP_ADVANCE_PC);
		put_unsigned(b, pc);
		put_byte(b, OP_COPY);
	}
	*now = *r;
}

static void put_sequence(struct bytes *b, struct line_sequence *s)
{
	static const unsigned char zero[ADDRESS_BYTES];
	struct line_row now = {.address = 0, .file = 1, .line = 1};
	put_byte(b, 0);
	put_unsigned(b, 1 + ADDRESS_BYTES);
	put_byte(b, EXTENDED_ADDRESS);
	s->relocate = b->size;
	put(b, zero, sizeof zero);
	for (uint32_t i = 0; i < s->nrows; i++)
		put_row(b, &s->rows[i], &now);
	put_byte(b, OP_ADVANCE_PC);
	put_unsigned(b, s->size - now.address);
	put_byte(b, 0);
	put_unsigned(b, 1);
	put_byte(b, EXTENDED_END);
}

unsigned char *line_program(const char *const *files, uint32_t nfiles, struct line_sequence *sequences, uint32_t n,
                            size_t *size)
{
	struct bytes b = {0};
	put_header(&b, files, nfiles);
	for (uint32_t i = 0; i < n; i++)
		put_sequence(&b, &sequences[i]);
	put_u32_at(&b, 0, (uint32_t)(b.size - LENGTH_BYTES));
	*size = b.size;
	return b.data;
}
