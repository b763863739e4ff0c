// SPDX-License-Identifier: Apache-2.0
/* mbar_ref_v1.c -- words of layout v1 on sm_107, from a picture of the word: a letter for each bit, bit 63 first. No
 * shift and no field of the twins. Source: docs/spec/mbarrier.md, "Layout v1 on sm_107". */
#include <string.h>

#include "mbar_ref.h"

/* P phase, p pending, t tx, e expected, C conditional phase; f v report of the open phase, F V report of the last
 * phase. */
static const char picture[] = "P000VVVVVVVVppppppppp0tttttttttttttttttttttvvvvvvvveeeeeeeeeCFf1";
_Static_assert(sizeof picture == 65, "64 bits");

/* The number at the places of the letter. */
static int64_t read(uint64_t word, char letter)
{
	int64_t number = 0;
	for (unsigned i = 0; i < 64; i++)
		if (picture[i] == letter)
			number = number * 2 + (int64_t)(word >> (63 - i) % 64 & 1);
	return number;
}

static unsigned places(char letter)
{
	unsigned n = 0;
	for (const char *at = picture; (at = strchr(at, letter)); at++)
		n++;
	return n;
}

/* Counts stand as the difference to a full turn. */
static int64_t turn(char letter)
{
	return INT64_C(1) << places(letter);
}

static uint64_t write(int64_t number, char letter)
{
	uint64_t word = 0;
	for (unsigned i = 0, left = places(letter); i < 64; i++)
		if (picture[i] == letter)
			word |= (uint64_t)(number / (INT64_C(1) << --left) % 2) << (63 - i);
	return word;
}

struct mbar_object mbar_v1_unpack(uint64_t word)
{
	const int64_t tx = read(word, 't');
	return (struct mbar_object){.phase = (unsigned)read(word, 'P'),
	                            .expected = (turn('e') - read(word, 'e')) % turn('e'),
	                            .pending = (turn('p') - read(word, 'p')) % turn('p'),
	                            .tx = tx < turn('t') / 2 ? -tx : turn('t') - tx,
	                            .conditional = (unsigned)read(word, 'C'),
	                            .failed = (unsigned)read(word, 'f'),
	                            .value = (unsigned)read(word, 'v'),
	                            .last_failed = (unsigned)read(word, 'F'),
	                            .last_value = (unsigned)read(word, 'V')};
}

uint64_t mbar_v1_pack(const struct mbar_object *o)
{
	return 1 | write(o->phase, 'P') | write((turn('e') - o->expected) % turn('e'), 'e') |
	       write((turn('p') - o->pending) % turn('p'), 'p') | write((turn('t') - o->tx) % turn('t'), 't') |
	       write(o->conditional, 'C') | write(o->failed, 'f') | write(o->value, 'v') | write(o->last_failed, 'F') |
	       write(o->last_value, 'V');
}

bool mbar_v1_impossible(uint64_t word)
{
	const struct mbar_object o = mbar_v1_unpack(word);
	return read(word, '0') || (o.value && !o.failed) || (o.last_value && !o.last_failed);
}

struct mbar_object mbar_look(uint64_t word, bool sm_107)
{
	if (sm_107 && word & 1)
		return mbar_v1_unpack(word);
	struct mbar_object o = mbar_unpack(word, 20);
	o.conditional = o.phase;
	return o;
}

struct mbar_outcome mbar_report(uint64_t old, bool marked, uint32_t found)
{
	struct mbar_object o = mbar_v1_unpack(old);
	if (!marked)
		return (struct mbar_outcome){.fault = MBAR_UNINIT};
	if (old % 2 == 0)
		return (struct mbar_outcome){.fault = MBAR_LAYOUT};
	if (mbar_v1_impossible(old))
		return (struct mbar_outcome){.fault = MBAR_COUNT_RANGE};
	if (found / 256 % 2) {
		o.failed = 1;
		for (unsigned bit = 1; bit < 256; bit *= 2)
			if (found / bit % 2 && o.value / bit % 2 == 0)
				o.value += bit;
	}
	return (struct mbar_outcome){.now = mbar_v1_pack(&o), .written = true, .marked = true};
}
