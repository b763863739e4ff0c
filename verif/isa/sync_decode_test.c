// SPDX-License-Identifier: Apache-2.0
/* sync_decode_test -- rtl/sync_decode.sv against wl_decode, field by field.
 *
 *   sync_decode_test WORDS [SEED]     words: random, recorded (standard input: arch TAB word ...), legal
 * synchronisation words with random fields, and every single-bit flip of some of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sync_decode_shim.h"
#include "warplock/isa.h"

static uint64_t state = 1;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t log2_of(unsigned size)
{
	uint32_t n = 0;
	while (1u << n < size)
		n++;
	return n;
}

/* What the ports must say, by the C decoder. */
static struct sync_decoded expected(struct wl_word w)
{
	static const int kinds[WL_UOP_COUNT] = {[WL_UOP_LDS] = 1,
	                                        [WL_UOP_STS] = 2,
	                                        [WL_UOP_ATOMS] = 3,
	                                        [WL_UOP_ATOMS_CAS] = 4,
	                                        [WL_UOP_ATOMS_CAST] = 5};
	struct sync_decoded d = {0};
	struct wl_inst in;
	if (wl_decode(WL_SM75, w, &in) != WL_OK || !kinds[in.uop])
		return d;
	d.known = 1;
	d.kind = (uint32_t)kinds[in.uop] - 1;
	d.spin = (in.flags & WL_F_SPIN) != 0;
	d.op = in.op;
	d.is_signed = (in.flags & WL_F_SIGNED) != 0;
	d.size = log2_of(in.size);
	d.scale = in.xn;
	d.ra_used = in.ra != WL_RZ;
	d.ur_used = in.ur != 255;
	d.rd_used = in.rd != WL_RZ;
	d.offset = (uint32_t)in.off & 0xffffff;
	d.illegal = (in.flags & WL_F_ILLEGAL) != 0;
	return d;
}

static unsigned long words, known, illegal, wrong;
static unsigned long by_kind[5];

static void check(struct wl_word w)
{
	struct sync_decoded want = expected(w), got;
	sync_decode_eval(w.lo, w.hi, &got);
	words++;
	if (want.known) {
		known++;
		illegal += want.illegal;
		by_kind[want.kind]++;
	}
	bool same = want.known ? !memcmp(&want, &got, sizeof want) : !got.known;
	if (same || wrong++ >= 5)
		return;
	const uint32_t *a = (const uint32_t *)&want, *b = (const uint32_t *)&got;
	static const char *const names[] = {"known", "kind",    "spin",    "op",      "signed", "size",
	                                    "scale", "ra_used", "ur_used", "rd_used", "offset", "illegal"};
	char hex[33];
	wl_word_format(w, hex);
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (a[i] != b[i])
			printf("%s: %s_o is %u, expected %u\n", hex, names[i], b[i], a[i]);
}

/* Opcodes of atoms_pipe (and neighbours that are none), everything else random; registers are often RZ. */
static struct wl_word sync_word(void)
{
	static const uint32_t opcodes[] = {0x38c, 0x38d, 0x984, 0x388, 0x1984, 0x1988, 0x198c, 0x198d, 0x385, 0x988};
	uint32_t op = opcodes[next_random() % (sizeof opcodes / sizeof opcodes[0])];
	struct wl_word w = {next_random(), next_random()};
	w.lo = (w.lo & ~UINT64_C(0xfff)) | (op & 0xfff);
	w.hi = (w.hi & ~(UINT64_C(1) << 27)) | (uint64_t)(op >> 12) << 27;
	if (next_random() % 4 == 0)
		w.lo |= UINT64_C(0xff) << 16;
	if (next_random() % 4 == 0)
		w.lo |= UINT64_C(0xff) << 24;
	if (next_random() % 4 == 0) {
		w.lo |= UINT64_C(0x3f) << 32;
		w.hi |= 0x3f;
	}
	return w;
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : 1;
	state = seed;
	char line[1024];
	while (fgets(line, sizeof line, stdin)) {
		struct wl_word w;
		char *tab = strchr(line, '\t');
		if (line[0] == '#' || !tab || strlen(tab) < 34)
			continue;
		tab[33] = 0;
		if (wl_word_parse(tab + 1, &w))
			check(w);
	}
	for (unsigned long i = 0; i < count; i++) {
		struct wl_word w = sync_word();
		check(w);
		if (i % 256 == 0)
			for (unsigned b = 0; b < 128; b++)
				check((struct wl_word){w.lo ^ (b < 64 ? UINT64_C(1) << b : 0),
				                       w.hi ^ (b >= 64 ? UINT64_C(1) << (b - 64) : 0)});
		check((struct wl_word){next_random(), next_random()});
	}
	bool thin = known < count / 4 || illegal < count / 20;
	for (unsigned k = 0; k < 5; k++)
		thin = thin || by_kind[k] < count / 50;
	printf("seed %llu: %lu words, %lu known (LDS %lu, STS %lu, ATOMS %lu, CAS %lu, CAST %lu), %lu illegal, %lu "
	       "differ\n",
	       (unsigned long long)seed, words, known, by_kind[0], by_kind[1], by_kind[2], by_kind[3], by_kind[4],
	       illegal, wrong);
	if (thin)
		printf("too few words of some kind\n");
	printf("%d passed, %d failed\n", !wrong && !thin, wrong || thin);
	return wrong || thin;
}
