// SPDX-License-Identifier: Apache-2.0
/* rows.c -- the host's side of rows.def. */
#include "rows.h"

#define M32    UINT64_C(0xffffffff)
#define S16(v) ((int64_t)(int16_t)(v))
#define S32(v) ((int64_t)(int32_t)(v))
#define S64(v) ((int64_t)(v))

static inline uint64_t find_top(uint64_t v, unsigned bits)
{
	for (unsigned i = bits; i-- > 0;)
		if (v >> i & 1)
			return i;
	return M32;
}

static inline uint64_t reverse(uint64_t v, unsigned bits)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < bits; i++)
		r |= (v >> i & 1) << (bits - 1 - i);
	return r;
}

/* bfe, bit by bit as the manual has it. */
static inline uint64_t field(uint64_t a, uint64_t pos, uint64_t len, unsigned bits, bool sign)
{
	uint64_t msb = bits - 1, last = pos + len - 1, d = 0;
	bool sbit = sign && len ? a >> (last < msb ? last : msb) & 1 : false;
	for (unsigned i = 0; i < bits; i++)
		d |= (uint64_t)(i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
	return d;
}

static inline uint64_t insert(uint64_t a, uint64_t b, uint64_t pos, uint64_t len, unsigned bits)
{
	uint64_t d = b;
	for (unsigned i = 0; i < len && pos + i < bits; i++)
		d = (d & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
	return d;
}

static inline uint64_t permute(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t all = b << 32 | a, d = 0;
	for (unsigned i = 0; i < 4; i++) {
		uint64_t s = c >> (4 * i) & 15, byte = all >> (8 * (s & 7)) & 255;
		if (s & 8)
			byte = byte & 128 ? 255 : 0;
		d |= byte << (8 * i);
	}
	return d;
}

static inline uint64_t saturated(int64_t v, int64_t low, int64_t high)
{
	return (uint64_t)(v < low ? low : v > high ? high : v);
}

/* Bytes of b:a that the modes of prmt take, as the manual's table lists them. */
static inline uint64_t bytes_of(const char *order, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t all = b << 32 | a, d = 0;
	for (unsigned i = 0; i < 4; i++)
		d |= (all >> (8 * (order[4 * (c & 3) + 3 - i] - '0')) & 255) << (8 * i);
	return d;
}

/* One function for each row, named after its line in the table. */
#define CONCAT2(a, b)                        a##b
#define CONCAT(a, b)                         CONCAT2(a, b)
#define ROW(text, r, ka, kb, kc, expression) ROW4(text, r, ka, kb, kc, n, expression)
#define ROW4(text, r, ka, kb, kc, ke, expression)                                                                      \
	static uint64_t CONCAT(value_, __LINE__)(uint64_t a, uint64_t b, uint64_t c, uint64_t e)                       \
	{                                                                                                              \
		(void)a, (void)b, (void)c, (void)e;                                                                    \
		return (uint64_t)(expression);                                                                         \
	}
#include "rows.def"
#undef ROW4

#define ROW4(text, r, ka, kb, kc, ke, expression)                                                                      \
	{text, #r[0], {#ka[0], #kb[0], #kc[0], #ke[0]}, CONCAT(value_, __LINE__)},
const struct row rows[] = {
#include "rows.def"
};
#undef ROW4
#undef ROW
const unsigned nrows = sizeof rows / sizeof *rows;

unsigned kind_bits(char kind)
{
	switch (kind) {
	case 'd':
	case 'y':
		return 64;
	case 'h':
	case 'x':
		return 16;
	case 'p':
		return 1;
	default:
		return 32;
	}
}

uint64_t kind_cut(char kind, uint64_t v)
{
	unsigned bits = kind_bits(kind);
	return kind == 'p' ? v != 0 : bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

unsigned row_nargs(const struct row *r)
{
	unsigned n = 0;
	while (n < 4 && r->arg[n] != 'n')
		n++;
	return n;
}
