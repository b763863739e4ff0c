// SPDX-License-Identifier: Apache-2.0
/* tensor_map_test.c -- cuTensorMapEncode* and cuTensorMapReplaceAddress: each rule of the arguments, from both sides,
 * and the bytes of maps. Rules: CUDA Driver API reference, "Tensor Map Object Management". Bytes: from the code of
 * ptxas 13.0 for tensormap.replace. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_api.h"

enum { OK, BAD = 1, NOT_INITIALIZED = 3, NO_CONTEXT = 201, NOT_SUPPORTED = 801 };
enum { U8, U16, U32, F16 = 6, F32, F64, BF16, FTZ, TF32, TF32_FTZ, U4_ALIGN8, U4_ALIGN16, U6_ALIGN16 };

static unsigned good, bad;
static _Alignas(128) uint32_t map[64];

static void expect(const char *what, CUresult got, CUresult expected)
{
	if (got == expected)
		good++;
	else
		bad++, printf("FAIL: %s: result %d, expected %d\n", what, got, expected);
}

/* ---- tiles ---- */

struct args {
	void *map;
	unsigned type;
	uint32_t rank;
	uint64_t address, dims[5], strides[4];
	uint32_t box[5], steps[5];
	unsigned interleave, swizzle, promotion, fill;
	int lower[3], upper[3];
	uint32_t channels, pixels;
	unsigned mode;
};

static const struct args base = {.map = map,
                                 .type = F16,
                                 .rank = 3,
                                 .address = 0x123456789a00,
                                 .dims = {1024, 300, 70, 8, 2},
                                 .strides = {4096, 4096 * 512, 4096 * 512 * 70, (uint64_t)4096 * 512 * 70 * 8},
                                 .box = {64, 32, 2, 1, 1},
                                 .steps = {1, 1, 1, 1, 1},
                                 .lower = {-1, -2, -3},
                                 .upper = {1, 2, 3},
                                 .channels = 64,
                                 .pixels = 128};

static CUresult tiled(const struct args *a)
{
	return cuTensorMapEncodeTiled(a->map, a->type, a->rank, (void *)(uintptr_t)a->address, a->dims, a->strides,
	                              a->box, a->steps, a->interleave, a->swizzle, a->promotion, a->fill);
}
static CUresult im2col(const struct args *a)
{
	return cuTensorMapEncodeIm2col(a->map, a->type, a->rank, (void *)(uintptr_t)a->address, a->dims, a->strides,
	                               a->lower, a->upper, a->channels, a->pixels, a->steps, a->interleave, a->swizzle,
	                               a->promotion, a->fill);
}
static CUresult wide(const struct args *a)
{
	return cuTensorMapEncodeIm2colWide(a->map, a->type, a->rank, (void *)(uintptr_t)a->address, a->dims, a->strides,
	                                   a->lower[0], a->upper[0], a->channels, a->pixels, a->steps, a->interleave,
	                                   a->mode, a->swizzle, a->promotion, a->fill);
}

/* One case: the base with a change. */
#define CASE(call, expected, ...)                                                                                      \
	do {                                                                                                           \
		struct args a = base;                                                                                  \
		__VA_ARGS__;                                                                                           \
		expect(#call ": " #__VA_ARGS__, call(&a), expected);                                                   \
	} while (0)

/* Rules shared by all three forms. */
#define COMMON(call)                                                                                                   \
	CASE(call, BAD, a.map = NULL);                                                                                 \
	CASE(call, BAD, a.map = (char *)map + 32);                                                                     \
	CASE(call, BAD, a.type = 16);                                                                                  \
	CASE(call, BAD, a.rank = 0);                                                                                   \
	CASE(call, BAD, a.rank = 6);                                                                                   \
	CASE(call, BAD, a.address += 8);                                                                               \
	CASE(call, OK, a.address += 16);                                                                               \
	CASE(call, BAD, a.address += 16, a.interleave = 2, a.swizzle = 1);                                             \
	CASE(call, BAD, a.dims[1] = 0);                                                                                \
	CASE(call, OK, a.dims[2] = UINT64_C(1) << 32);                                                                 \
	CASE(call, BAD, a.dims[2] = (UINT64_C(1) << 32) + 1);                                                          \
	CASE(call, BAD, a.strides[0] += 8);                                                                            \
	CASE(call, OK, a.strides[1] = (UINT64_C(1) << 40) - 16);                                                       \
	CASE(call, BAD, a.strides[1] = UINT64_C(1) << 40);                                                             \
	CASE(call, OK, a.strides[2] = 1);                                                                              \
	CASE(call, BAD, a.rank = 4, a.strides[2] = 1);                                                                 \
	CASE(call, OK, a.steps[0] = 0);                                                                                \
	CASE(call, BAD, a.steps[1] = 0);                                                                               \
	CASE(call, OK, a.steps[1] = 8);                                                                                \
	CASE(call, BAD, a.steps[1] = 9);                                                                               \
	CASE(call, BAD, a.interleave = 3);                                                                             \
	CASE(call, BAD, a.swizzle = 7);                                                                                \
	CASE(call, BAD, a.promotion = 4);                                                                              \
	CASE(call, BAD, a.fill = 2);                                                                                   \
	CASE(call, OK, a.fill = 1);                                                                                    \
	CASE(call, BAD, a.fill = 1, a.type = U16);                                                                     \
	CASE(call, BAD, a.fill = 1, a.type = U4_ALIGN8)

static void check_tiled(void)
{
	COMMON(tiled);
	for (unsigned type = 0; type <= TF32_FTZ; type++)
		CASE(tiled, OK, a.type = type);
	for (unsigned swizzle = 0; swizzle < 7; swizzle++)
		CASE(tiled, OK, a.swizzle = swizzle, a.box[0] = 16);
	CASE(tiled, OK, a.rank = 1);
	CASE(tiled, OK, a.rank = 5);
	CASE(tiled, BAD, a.rank = 2, a.interleave = 1);
	CASE(tiled, OK, a.interleave = 1);
	CASE(tiled, OK, a.interleave = 1, a.swizzle = 3, a.box[0] = 256);
	CASE(tiled, BAD, a.interleave = 2);
	CASE(tiled, OK, a.interleave = 2, a.swizzle = 1);
	CASE(tiled, BAD, a.interleave = 2, a.swizzle = 1, a.strides[0] += 16);
	CASE(tiled, BAD, a.interleave = 1, a.steps[0] = 0);
	CASE(tiled, BAD, a.box[0] = 0);
	CASE(tiled, OK, a.box[0] = 256);
	CASE(tiled, BAD, a.box[1] = 257);
	CASE(tiled, BAD, a.box[0] = 63);
	CASE(tiled, OK, a.box[0] = 63, a.interleave = 1);
	CASE(tiled, OK, a.box[0] = 16, a.swizzle = 1);
	CASE(tiled, BAD, a.box[0] = 24, a.swizzle = 1);
	CASE(tiled, OK, a.box[0] = 32, a.swizzle = 2);
	CASE(tiled, BAD, a.box[0] = 40, a.swizzle = 2);
	CASE(tiled, OK, a.swizzle = 3);
	for (unsigned swizzle = 3; swizzle < 7; swizzle++)
		CASE(tiled, BAD, a.box[0] = 72, a.swizzle = swizzle);
	CASE(tiled, OK, a.strides[0] = 16); /* rows may overlap */
	CASE(tiled, OK, a.type = U4_ALIGN8, a.dims[0] = 1022, a.box[0] = 32);
	CASE(tiled, BAD, a.type = U4_ALIGN8, a.dims[0] = 1023, a.box[0] = 32);
	CASE(tiled, BAD, a.type = U4_ALIGN8, a.box[0] = 16);
	for (unsigned type = U4_ALIGN16; type <= U6_ALIGN16; type++) {
		CASE(tiled, OK, a.type = type, a.box[0] = 128);
		CASE(tiled, BAD, a.type = type, a.box[0] = 64);
		CASE(tiled, BAD, a.type = type, a.box[0] = 128, a.dims[0] = 1000);
		CASE(tiled, BAD, a.type = type, a.box[0] = 128, a.address += 16);
		CASE(tiled, BAD, a.type = type, a.box[0] = 128, a.strides[0] += 16);
		CASE(tiled, OK, a.type = type, a.box[0] = 128, a.swizzle = 3);
		CASE(tiled, OK, a.type = type, a.box[0] = 128, a.swizzle = 4);
		CASE(tiled, BAD, a.type = type, a.box[0] = 128, a.swizzle = 5);
		CASE(tiled, type == U6_ALIGN16 ? OK : BAD, a.type = type, a.box[0] = 128, a.swizzle = 6);
	}
	CASE(tiled, BAD, a.type = U6_ALIGN16, a.box[0] = 128, a.interleave = 1);
	expect("globalDim NULL", cuTensorMapEncodeTiled(map, F16, 1, map, NULL, NULL, base.box, base.steps, 0, 0, 0, 0),
	       BAD);
	expect("boxDim NULL", cuTensorMapEncodeTiled(map, F16, 1, map, base.dims, NULL, NULL, base.steps, 0, 0, 0, 0),
	       BAD);
	expect("elementStrides NULL",
	       cuTensorMapEncodeTiled(map, F16, 1, map, base.dims, NULL, base.box, NULL, 0, 0, 0, 0), BAD);
	expect("globalStrides NULL, rank 1",
	       cuTensorMapEncodeTiled(map, F16, 1, map, base.dims, NULL, base.box, base.steps, 0, 0, 0, 0), OK);
	expect("globalStrides NULL, rank 2",
	       cuTensorMapEncodeTiled(map, F16, 2, map, base.dims, NULL, base.box, base.steps, 0, 0, 0, 0), BAD);
}

static void check_im2col(void)
{
	static const int half[] = {32768, 128, 16};
	COMMON(im2col);
	CASE(im2col, BAD, a.rank = 2);
	for (uint32_t rank = 3; rank <= 5; rank++) {
		const int h = half[rank - 3];
		CASE(im2col, OK, a.rank = rank, a.lower[0] = -h);
		CASE(im2col, BAD, a.rank = rank, a.lower[0] = -h - 1);
		CASE(im2col, OK, a.rank = rank, a.upper[0] = h - 1);
		CASE(im2col, BAD, a.rank = rank, a.upper[0] = h);
	}
	CASE(im2col, OK, a.rank = 4, a.lower[2] = 1000); /* two corners only */
	CASE(im2col, BAD, a.rank = 5, a.lower[2] = 16);
	CASE(im2col, OK, a.lower[0] = 0, a.upper[0] = -299);
	CASE(im2col, BAD, a.lower[0] = 0, a.upper[0] = -300);
	CASE(im2col, OK, a.channels = 256);
	CASE(im2col, BAD, a.channels = 257);
	CASE(im2col, OK, a.pixels = 1024);
	CASE(im2col, BAD, a.pixels = 1025);
	CASE(im2col, BAD, a.channels = 72, a.swizzle = 3);
	CASE(im2col, OK, a.type = U6_ALIGN16, a.channels = 128);
	CASE(im2col, BAD, a.type = U6_ALIGN16, a.channels = 64);
	CASE(im2col, BAD, a.interleave = 2);
}

static void check_wide(void)
{
	CASE(wide, BAD, a.swizzle = 0);
	CASE(wide, BAD, a.swizzle = 1);
	CASE(wide, BAD, a.swizzle = 5);
	CASE(wide, OK, a.swizzle = 3);
	CASE(wide, OK, a.swizzle = 4);
	CASE(wide, OK, a.swizzle = 2, a.channels = 32);
	CASE(wide, BAD, a.swizzle = 2, a.channels = 64);
	CASE(wide, BAD, a.swizzle = 3, a.mode = 2);
	CASE(wide, BAD, a.swizzle = 3, a.pixels = 2000);
	CASE(wide, OK, a.swizzle = 3, a.pixels = 2000, a.mode = 1);
	CASE(wide, BAD, a.swizzle = 3, a.lower[0] = -32769);
	CASE(wide, BAD, a.swizzle = 3, a.rank = 2);
}

/* ---- bytes ---- */

static void check_words(const char *what, const uint32_t expected[32])
{
	const bool same = memcmp(map, expected, 128) == 0;
	good += same;
	bad += !same;
	for (unsigned i = 0; i < 32; i++)
		if (map[i] != expected[i])
			printf("FAIL: %s: word %u is %08" PRIx32 ", expected %08" PRIx32 "\n", what, i, map[i],
			       expected[i]);
}

static void check_bytes(void)
{
	/* Kind: mode 1, rank 2, type 6, span of 128 bytes, NaN, promotion 2. Outer steps of 2. */
	const uint32_t tile[32] = {0x56789a00, 0x1234, 0x4e311, 4096 / 16, [8] = 1023, 299, [13] = 0x3f000008, 31};
	memset(map, 0xff, sizeof map);
	CASE(tiled, OK, a.rank = 2, a.swizzle = 3, a.fill = 1, a.promotion = 2, a.steps[1] = 2);
	check_words("tile", tile);
	good += map[32] == 0xffffffff;
	bad += map[32] != 0xffffffff; /* 128 bytes, no more */
	/* Rank 5, type 7 with the bit of TF32, span of 128 bytes in pieces of 64; 36 bits of each stride. */
	CASE(tiled, OK, a.rank = 5, a.type = TF32, a.swizzle = 6, a.box[0] = 32, a.strides[3] = 0x2046000000);
	const uint32_t five[32] = {0x56789a00, 0x1234, 0,  256, 131072, 9175040,   0x04600000,   0x2000,
	                           1023,       299,    69, 7,   1,      31u << 24, 0x1f | 1 << 8};
	uint32_t words[32];
	memcpy(words, five, sizeof words);
	words[2] = 1 | 4 << 4 | 7 << 7 | 3 << 13 | 1 << 16 | 3 << 19; /* TF32 is float with an extra bit */
	check_words("five dimensions", words);
	expect("replace", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0xabcdef0123450), OK);
	words[0] = 0xf0123450;
	words[1] = 0xabcde;
	check_words("replaced", words);
	expect("replace, 8", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0x1008), BAD);
	expect("replace, alignment of the map", cuTensorMapReplaceAddress(map + 1, (void *)(uintptr_t)0x1000), BAD);
	expect("replace, NULL", cuTensorMapReplaceAddress(NULL, (void *)(uintptr_t)0x1000), BAD);
	check_words("as before", words);
	CASE(tiled, OK, a.interleave = 2, a.swizzle = 1);
	expect("replace, 16 of 32", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0x1010), BAD);
	CASE(tiled, OK, a.type = U6_ALIGN16, a.box[0] = 128);
	expect("replace, 16 of 32", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0x1010), BAD);
	expect("replace, 32", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0x1020), OK);
	memset(map, 0, sizeof map);
	expect("replace in no map", cuTensorMapReplaceAddress(map, (void *)(uintptr_t)0x1000), BAD);
}

/* A refused call leaves the map alone, and two maps of the same arguments are the same. */
static void check_pure(void)
{
	uint32_t first[32];
	CASE(im2col, OK, (void)a);
	memcpy(first, map, sizeof first);
	CASE(im2col, BAD, a.pixels = 0);
	check_words("untouched", first);
	memset(map, 0xa5, sizeof map);
	CASE(im2col, OK, (void)a);
	check_words("again", first);
	CASE(im2col, OK, a.upper[0] = 5);
	const bool differs = memcmp(first, map, sizeof first) != 0;
	good += differs;
	bad += !differs;
}

int main(int argc, char **argv)
{
	void *context;
	const char *arch = argc > 1 ? argv[1] : "sm_100";
	setenv("WARPLOCK_ARCH", arch, 1);
	unsetenv("CUDA_VISIBLE_DEVICES");
	CASE(tiled, NOT_INITIALIZED, (void)a);
	expect("start", cuInit(0), OK);
	CASE(tiled, NO_CONTEXT, (void)a);
	expect("context", cuDevicePrimaryCtxRetain(&context, 0), OK);
	expect("context", cuCtxSetCurrent(context), OK);
	if (strcmp(arch, "sm_80") == 0) {
		CASE(tiled, NOT_SUPPORTED, (void)a);
		CASE(im2col, NOT_SUPPORTED, (void)a);
	} else {
		check_tiled();
		check_im2col();
		check_bytes();
		check_pure();
	}
	if (strcmp(arch, "sm_100") == 0)
		check_wide();
	else
		CASE(wide, NOT_SUPPORTED, a.swizzle = 3);
	printf("%u passed, %u failed\n", good, bad);
	return bad != 0;
}
