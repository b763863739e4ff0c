// SPDX-License-Identifier: Apache-2.0
/* rows.c -- the host's side of rows.def. */
#include "rows.h"

#define M32    UINT64_C(0xffffffff)
#define S16(v) ((int64_t)(int16_t)(v))
#define S32(v) ((int64_t)(int32_t)(v))
#define S64(v) ((int64_t)(v))

/* Video instructions of n values side by side: the same operation on each value, `sign`: signed values. The results
 * go to the lanes of the word, or `sums` adds the results to c. */
static inline int64_t lane_of(uint64_t v, unsigned n, unsigned k, bool sign)
{
	unsigned bits = 32 / n;
	int64_t x = (int64_t)(v >> (bits * k) & ((1u << bits) - 1));
	return sign && x >> (bits - 1) ? x - (INT64_C(1) << bits) : x;
}

static inline uint64_t video(char op, unsigned n, bool sign, bool clamp, bool sums, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t all = sums ? c : 0;
	unsigned bits = 32 / n;
	for (unsigned k = 0; k < n; k++) {
		int64_t x = lane_of(a, n, k, sign), y = lane_of(b, n, k, sign), d = x - y, r = 0;
		int64_t top = (INT64_C(1) << (bits - sign)) - 1, bottom = sign ? -top - 1 : 0;
		switch (op) {
		case '+':
			r = x + y;
			break;
		case '-':
			r = d;
			break;
		case '|':
			r = d < 0 ? -d : d;
			break;
		case '<':
			r = d < 0 ? x : y;
			break;
		case '>':
			r = d > 0 ? x : y;
			break;
		case '/':
			r = (x + y + 1 - (x + y < 0)) >> 1;
			break;
		default:
			r = d > 0;
		}
		if (clamp)
			r = r > top ? top : r < bottom ? bottom : r;
		all = sums ? all + (uint64_t)r : all | ((uint64_t)r & ((1u << bits) - 1)) << (bits * k);
	}
	return all;
}

static inline uint64_t find_top(uint64_t v, unsigned bits)
{
	for (unsigned i = bits; i-- > 0;)
		if (v >> i & 1)
			return i;
	return M32;
}

/* fns, step by step as in the manual. */
static inline uint64_t nth_set(uint64_t mask, uint64_t base, int64_t n)
{
	int64_t left = n < 0 ? -n : n;
	for (int64_t at = (int64_t)base; at >= 0 && at < 32; at += n < 0 ? -1 : 1) {
		if (n == 0)
			return mask >> at & 1 ? (uint64_t)at : M32;
		left -= (int64_t)(mask >> at & 1);
		if (!left)
			return (uint64_t)at;
	}
	return M32;
}

static inline uint64_t reverse(uint64_t v, unsigned bits)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < bits; i++)
		r |= (v >> i & 1) << (bits - 1 - i);
	return r;
}

/* bfe, bit by bit as in the manual. */
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

/* Bytes of b:a for the modes of prmt, as in the manual's table. */
static inline uint64_t bytes_of(const char *order, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t all = b << 32 | a, d = 0;
	for (unsigned i = 0; i < 4; i++)
		d |= (all >> (8 * (order[4 * (c & 3) + 3 - i] - '0')) & 255) << (8 * i);
	return d;
}

/* A function for each row, named after the line in the table. */
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
