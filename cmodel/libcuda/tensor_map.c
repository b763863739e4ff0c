// SPDX-License-Identifier: Apache-2.0
/* tensor_map.c -- tensor maps as data: the rules of the arguments, and the 128 bytes.
 *
 * Rules: CUDA Driver API reference, "Tensor Map Object Management". A stride may be smaller than the row before, as the
 * order of the dimensions is free. Layout: fields of PTX's tensormap.replace lie where the code of ptxas 13.0 for the
 * instruction writes. The rest (mode, L2 promotion, box of im2col) has places of ours. Hence a kernel may change a map.
 * No model runs copies with a map. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "driver.h"

enum { MAP_BYTES = 128, MOST_RANK = 5, MOST_BOX = 256, MOST_STEP = 8, MOST_PIXELS = 1024 };
enum mode { TILED = 1, IM2COL, IM2COL_WIDE };
enum { INTERLEAVE_NONE, INTERLEAVE_16, INTERLEAVE_32, INTERLEAVES };
enum { SWIZZLE_NONE, SWIZZLE_32, SWIZZLE_64, SWIZZLE_128, SWIZZLE_ATOM_32, SWIZZLE_FLIP, SWIZZLE_ATOM_64, SWIZZLES };
enum { PROMOTIONS = 4, FILLS = 2 };
enum { U4_ALIGN8 = 13, U4_ALIGN16, U6_ALIGN16, TYPES };

/* By CUtensorMapDataType: bits of an element, whether the element is a floating-point number, and the code in the
 * map. */
enum { TF32 = 1 << 9 }; /* bit 16 of the word; the code itself begins at bit 7 */
static const struct type {
	unsigned bits, is_float, code;
} types[TYPES] = {
        {8, 0, 0},  {16, 0, 1},  {32, 0, 2}, {32, 0, 3},        {64, 0, 4},        {64, 0, 5}, {16, 1, 6}, {32, 1, 7},
        {64, 1, 9}, {16, 1, 10}, {32, 1, 8}, {32, 1, 7 | TF32}, {32, 1, 8 | TF32}, {4, 0, 11}, {4, 0, 12}, {6, 0, 13},
};
/* Bytes of the span of a swizzle; the code in the map is a span and the size of the moved pieces. */
static const struct swizzle {
	unsigned bytes, span, atom;
} swizzles[SWIZZLES] = {{0, 0, 0}, {32, 1, 0}, {64, 2, 0}, {128, 3, 0}, {128, 3, 1}, {128, 3, 2}, {128, 3, 3}};

/* Arguments of all forms. Spatial dimensions of im2col: globalDim[1] and up. */
struct map {
	const char *call;
	enum mode mode;
	uint8_t *out;
	unsigned type, rank;
	uint64_t address;
	const uint64_t *dims, *strides;
	const uint32_t *box, *steps;
	const int *lower, *upper;
	unsigned corners; /* of lower and upper */
	uint32_t channels, pixels;
	unsigned interleave, wide, swizzle, promotion, fill;
};

/* ---- rules ---- */

static CUresult refuse(const struct map *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static CUresult refuse(const struct map *m, const char *format, ...)
{
	char text[200];
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	say("%s: %s", m->call, text);
	return CUDA_ERROR_INVALID_VALUE;
}
#define RULE(condition, ...)                                                                                           \
	if (!(condition))                                                                                              \
	return refuse(m, __VA_ARGS__)

/* Both packed types with gaps in shared memory. */
static bool is_padded(unsigned type)
{
	return type == U4_ALIGN16 || type == U6_ALIGN16;
}

static CUresult check_kinds(const struct map *m)
{
	const unsigned least = m->mode != TILED || m->interleave ? 3 : 1;
	RULE(m->out, "tensorMap is NULL");
	RULE((uintptr_t)m->out % 64 == 0, "tensorMap is %p, expected a multiple of 64", (void *)m->out);
	RULE(m->type < TYPES, "tensorDataType is %u, expected 0 to %u", m->type, TYPES - 1);
	RULE(m->interleave < INTERLEAVES, "interleave is %u, expected 0 to %u", m->interleave, INTERLEAVES - 1);
	RULE(m->swizzle < SWIZZLES, "swizzle is %u, expected 0 to %u", m->swizzle, SWIZZLES - 1);
	RULE(m->promotion < PROMOTIONS, "l2Promotion is %u, expected 0 to %u", m->promotion, PROMOTIONS - 1);
	RULE(m->fill < FILLS, "oobFill is %u, expected 0 to %u", m->fill, FILLS - 1);
	RULE(m->rank >= least && m->rank <= MOST_RANK, "tensorRank is %u, expected %u to %u%s", m->rank, least,
	     MOST_RANK, m->mode == TILED && m->interleave ? " with an interleave" : "");
	RULE(m->dims, "globalDim is NULL");
	RULE(m->strides || m->rank == 1, "globalStrides is NULL");
	RULE(m->steps, "elementStrides is NULL");
	RULE(!m->fill || types[m->type].is_float, "oobFill is a NaN, but tensorDataType %u is no floating-point type",
	     m->type);
	return CUDA_SUCCESS;
}

static unsigned alignment(unsigned type, unsigned interleave)
{
	return interleave == INTERLEAVE_32 || is_padded(type) ? 32 : 16;
}

static CUresult check_tensor(const struct map *m)
{
	const unsigned align = alignment(m->type, m->interleave);
	const unsigned group = is_padded(m->type) ? 128 : m->type == U4_ALIGN8 ? 2 : 1;
	RULE(m->address % align == 0, "globalAddress is 0x%llx, expected a multiple of %u",
	     (unsigned long long)m->address, align);
	for (unsigned i = 0; i < m->rank; i++)
		RULE(m->dims[i] && m->dims[i] <= UINT64_C(1) << 32, "globalDim[%u] is %llu, expected 1 to 2^32", i,
		     (unsigned long long)m->dims[i]);
	RULE(m->dims[0] % group == 0, "globalDim[0] is %llu, expected a multiple of %u for tensorDataType %u",
	     (unsigned long long)m->dims[0], group, m->type);
	for (unsigned i = 0; i + 1 < m->rank; i++)
		RULE(m->strides[i] % align == 0 && m->strides[i] < UINT64_C(1) << 40,
		     "globalStrides[%u] is %llu, expected a multiple of %u below 2^40", i,
		     (unsigned long long)m->strides[i], align);
	for (unsigned i = m->interleave == INTERLEAVE_NONE; i < m->rank; i++)
		RULE(m->steps[i] && m->steps[i] <= MOST_STEP, "elementStrides[%u] is %u, expected 1 to %d", i,
		     m->steps[i], MOST_STEP);
	return CUDA_SUCCESS;
}

/* inner: elements of the box in the first dimension. */
static CUresult check_layout(const struct map *m, uint32_t inner)
{
	const unsigned bits = inner * types[m->type].bits;
	const unsigned u4 = 1 << SWIZZLE_NONE | 1 << SWIZZLE_128 | 1 << SWIZZLE_ATOM_32;
	const unsigned allowed = m->type == U4_ALIGN16 ? u4 : m->type == U6_ALIGN16 ? u4 | 1 << SWIZZLE_ATOM_64 : 0xff;
	RULE(m->interleave != INTERLEAVE_32 || m->swizzle == SWIZZLE_32,
	     "swizzle is %u, expected %d with an interleave of 32 bytes", m->swizzle, SWIZZLE_32);
	RULE(m->type != U6_ALIGN16 || m->interleave == INTERLEAVE_NONE,
	     "interleave is %u, expected 0 for tensorDataType %u", m->interleave, m->type);
	RULE(allowed >> m->swizzle & 1, "swizzle %u does not go with tensorDataType %u", m->swizzle, m->type);
	RULE(m->mode != IM2COL_WIDE || (m->swizzle >= SWIZZLE_64 && m->swizzle <= SWIZZLE_ATOM_32),
	     "swizzle is %u, expected %d to %d", m->swizzle, SWIZZLE_64, SWIZZLE_ATOM_32);
	RULE(m->interleave || !m->swizzle || bits <= 8 * swizzles[m->swizzle].bytes,
	     "the box has rows of %u bytes, expected at most %u, the span of swizzle %u", (bits + 7) / 8,
	     swizzles[m->swizzle].bytes, m->swizzle);
	return CUDA_SUCCESS;
}

static CUresult check_box(const struct map *m)
{
	RULE(m->box, "boxDim is NULL");
	for (unsigned i = 0; i < m->rank; i++)
		RULE(m->box[i] && m->box[i] <= MOST_BOX, "boxDim[%u] is %u, expected 1 to %d", i, m->box[i], MOST_BOX);
	RULE(m->interleave || m->box[0] * types[m->type].bits % 128 == 0,
	     "boxDim[0] is %u elements of %u bits, expected a multiple of 16 bytes", m->box[0], types[m->type].bits);
	RULE(!is_padded(m->type) || m->box[0] == 128, "boxDim[0] is %u, expected 128 for tensorDataType %u", m->box[0],
	     m->type);
	return check_layout(m, m->box[0]);
}

static CUresult check_pixels(const struct map *m)
{
	/* Half the corners' range, by the number of corners and mode. */
	const int half = m->corners == 1 ? 32768 : m->corners == 2 ? 128 : 16;
	RULE(m->lower && m->upper, "a corner of the box is NULL");
	for (unsigned i = 0; i < m->corners; i++) {
		RULE(m->lower[i] >= -half && m->lower[i] < half, "lower corner %u is %d, expected %d to %d", i,
		     m->lower[i], -half, half - 1);
		RULE(m->upper[i] >= -half && m->upper[i] < half, "upper corner %u is %d, expected %d to %d", i,
		     m->upper[i], -half, half - 1);
		RULE((int64_t)m->dims[1 + i] + m->upper[i] - m->lower[i] > 0, "the box is empty in dimension %u",
		     1 + i);
	}
	RULE(m->channels && m->channels <= MOST_BOX, "channelsPerPixel is %u, expected 1 to %d", m->channels, MOST_BOX);
	RULE(!is_padded(m->type) || m->channels == 128, "channelsPerPixel is %u, expected 128 for tensorDataType %u",
	     m->channels, m->type);
	RULE(m->wide <= 1, "mode is %u, expected 0 or 1", m->wide);
	RULE(m->wide || (m->pixels && m->pixels <= MOST_PIXELS), "pixelsPerColumn is %u, expected 1 to %d", m->pixels,
	     MOST_PIXELS);
	return check_layout(m, m->channels);
}

/* ---- the 128 bytes ---- */

enum { WORD_KIND = 2, WORD_STRIDE, WORD_STRIDE_HIGH = 7, WORD_DIM, WORD_STEP = 13, WORD_BOX, WORD_PIXELS };
enum { KIND_MODE = 0, KIND_RANK = 4, KIND_TYPE = 7, KIND_INTERLEAVE = 11, KIND_SPAN = 13, KIND_FILL = 15 };
enum { KIND_PROMOTION = 17, KIND_ATOM = 19, STEP_BITS = 3, STEP_INNER = 24 };

/* The corners fill the word of the outer box: 16, 8 or 5 bits each, the lower corners first. */
static uint32_t corners_of(const struct map *m)
{
	const unsigned bits = m->corners == 1 ? 16 : m->corners == 2 ? 8 : 5;
	uint32_t word = 0;
	for (unsigned i = 0; i < m->corners; i++) {
		const uint32_t mask = (1u << bits) - 1;
		word |= ((uint32_t)m->lower[i] & mask) << bits * i;
		word |= ((uint32_t)m->upper[i] & mask) << bits * (m->corners + i);
	}
	return word;
}

static void encode(const struct map *m)
{
	uint32_t w[MAP_BYTES / 4] = {(uint32_t)m->address, (uint32_t)(m->address >> 32)};
	const struct swizzle *s = &swizzles[m->swizzle];
	w[WORD_KIND] = (uint32_t)m->mode << KIND_MODE | (m->rank - 1) << KIND_RANK | types[m->type].code << KIND_TYPE |
	               m->interleave << KIND_INTERLEAVE | s->span << KIND_SPAN | m->fill << KIND_FILL |
	               m->promotion << KIND_PROMOTION | s->atom << KIND_ATOM;
	for (unsigned i = 0; i + 1 < m->rank; i++) {
		w[WORD_STRIDE + i] = (uint32_t)(m->strides[i] >> 4);
		w[WORD_STRIDE_HIGH] |= (uint32_t)(m->strides[i] >> 36) << 4 * i;
	}
	for (unsigned i = 0; i < m->rank; i++) {
		w[WORD_DIM + i] = (uint32_t)(m->dims[i] - 1);
		if (i || m->interleave)
			w[WORD_STEP] |= (m->steps[i] - 1) << STEP_BITS * i;
		if (i && m->mode == TILED)
			w[WORD_BOX] |= (m->box[i] - 1) << 8 * (i - 1);
	}
	w[WORD_STEP] |= (m->mode == TILED ? m->box[0] - 1 : m->channels - 1) << STEP_INNER;
	if (m->mode != TILED) {
		w[WORD_BOX] = corners_of(m);
		w[WORD_PIXELS] = m->wide ? 1u << 31 : m->pixels - 1;
	}
	memcpy(m->out, w, sizeof w);
}

/* ---- calls ---- */

static CUresult make(const struct map *m, unsigned least_chip)
{
	if (Device.chip < least_chip) {
		say("%s: the device is sm_%u, expected sm_%u or later", m->call, Device.chip, least_chip);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	CUresult r = check_kinds(m);
	if (!r)
		r = check_tensor(m);
	if (!r)
		r = m->mode == TILED ? check_box(m) : check_pixels(m);
	if (!r)
		encode(m);
	return r;
}

API CUresult cuTensorMapEncodeTiled(void *map, unsigned type, uint32_t rank, void *address, const uint64_t *dims,
                                    const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                                    unsigned interleave, unsigned swizzle, unsigned promotion, unsigned fill)
{
	const struct map m = {.call = __func__,
	                      .mode = TILED,
	                      .out = map,
	                      .type = type,
	                      .rank = rank,
	                      .address = (uintptr_t)address,
	                      .dims = dims,
	                      .strides = strides,
	                      .box = box,
	                      .steps = steps,
	                      .interleave = interleave,
	                      .swizzle = swizzle,
	                      .promotion = promotion,
	                      .fill = fill};
	GUARD(NEED_CONTEXT);
	return make(&m, 90);
}

API CUresult cuTensorMapEncodeIm2col(void *map, unsigned type, uint32_t rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                     uint32_t pixels, const uint32_t *steps, unsigned interleave, unsigned swizzle,
                                     unsigned promotion, unsigned fill)
{
	const struct map m = {.call = __func__,
	                      .mode = IM2COL,
	                      .out = map,
	                      .type = type,
	                      .rank = rank,
	                      .address = (uintptr_t)address,
	                      .dims = dims,
	                      .strides = strides,
	                      .steps = steps,
	                      .lower = lower,
	                      .upper = upper,
	                      .corners = rank - 2,
	                      .channels = channels,
	                      .pixels = pixels,
	                      .interleave = interleave,
	                      .swizzle = swizzle,
	                      .promotion = promotion,
	                      .fill = fill};
	GUARD(NEED_CONTEXT);
	return make(&m, 90);
}

API CUresult cuTensorMapEncodeIm2colWide(void *map, unsigned type, uint32_t rank, void *address, const uint64_t *dims,
                                         const uint64_t *strides, int lower, int upper, uint32_t channels,
                                         uint32_t pixels, const uint32_t *steps, unsigned interleave, unsigned wide,
                                         unsigned swizzle, unsigned promotion, unsigned fill)
{
	const struct map m = {.call = __func__,
	                      .mode = IM2COL_WIDE,
	                      .out = map,
	                      .type = type,
	                      .rank = rank,
	                      .address = (uintptr_t)address,
	                      .dims = dims,
	                      .strides = strides,
	                      .steps = steps,
	                      .lower = &lower,
	                      .upper = &upper,
	                      .corners = 1,
	                      .channels = channels,
	                      .pixels = pixels,
	                      .interleave = interleave,
	                      .wide = wide,
	                      .swizzle = swizzle,
	                      .promotion = promotion,
	                      .fill = fill};
	GUARD(NEED_CONTEXT);
	return make(&m, 100);
}

API CUresult cuTensorMapReplaceAddress(void *map, void *address)
{
	const struct map of = {.call = __func__, .out = map, .address = (uintptr_t)address}, *m = &of;
	uint32_t kind;
	GUARD(NEED_CONTEXT);
	RULE(map, "tensorMap is NULL");
	RULE((uintptr_t)map % 64 == 0, "tensorMap is %p, expected a multiple of 64", map);
	memcpy(&kind, m->out + WORD_KIND * sizeof kind, sizeof kind);
	RULE((kind & 15) >= TILED && (kind & 15) <= IM2COL_WIDE, "tensorMap holds no tensor map");
	const unsigned code = kind >> KIND_TYPE & 15, interleave = kind >> KIND_INTERLEAVE & 3;
	const unsigned align = interleave == INTERLEAVE_32 || code >= types[U4_ALIGN16].code ? 32 : 16;
	RULE(m->address % align == 0, "globalAddress is 0x%llx, expected a multiple of %u",
	     (unsigned long long)m->address, align);
	memcpy(m->out, &m->address, sizeof m->address);
	return CUDA_SUCCESS;
}
