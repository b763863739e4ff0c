// SPDX-License-Identifier: Apache-2.0
/* timing.c -- the tables of timing.def and latency.def. */
#include "isa_table.h"
#include "warplock/hazard.h"

/* The words of column `variable`. */
enum {
#define ARCH(n) SM##n = 1 << WL_INDEX_SM##n,
	WL_ARCHS(ARCH, ARCH)
#undef ARCH
	        All = (1 << WL_ARCH_COUNT) - 1
};

static unsigned arch_bit(enum wl_arch arch)
{
	int i = wl_arch_index(arch);
	return i < 0 ? 0 : 1u << i;
}

const char *wl_pipe_name(enum wl_pipe p)
{
	static const char *const names[] = {
#define PIPE(name, variable) #name,
#include "timing.def"
#undef PIPE
	};
	return p < WL_PIPE_COUNT ? names[p] : "?";
}

struct wl_timing wl_timing_of(enum wl_arch arch, enum wl_timing_class class)
{
	static const struct wl_timing rows[] = {
#define TIMING(name, pipe, results, operands)                                                                          \
	[WL_TIMING_##name] = {WL_PIPE_##pipe, false, WL_QUEUE_##results, WL_QUEUE_##operands},
#include "timing.def"
#undef TIMING
	};
	static const uint8_t variable[] = {
#define PIPE(name, archs) archs,
#include "timing.def"
#undef PIPE
	};
	struct wl_timing t = rows[class];
	t.variable = (variable[t.pipe] & arch_bit(wl_arch_base(arch))) != 0;
	if (!t.variable)
		t.results = t.operands = WL_QUEUE_None;
	return t;
}

bool wl_chip_announces(unsigned chip, struct wl_timing *t)
{
	static const struct {
		unsigned chip;
		struct wl_timing timing;
	} rows[] = {
#define CHIP_PIPE(chip, pipe, results, operands)                                                                       \
	{chip, {WL_PIPE_##pipe, true, WL_QUEUE_##results, WL_QUEUE_##operands}},
#include "timing.def"
#undef CHIP_PIPE
	};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].chip == chip && rows[i].timing.pipe == t->pipe) {
			*t = rows[i].timing;
			return true;
		}
	return false;
}

/* Names of a result and a use in the rows of latency.def. */
enum kind { Low, High, Late, Pred, Guard, Uni, UniPred, UniGuard, Conv, KIND_COUNT };

static enum kind kind_of(enum wl_file file, bool high, enum wl_use use)
{
	switch (file) {
	case WL_FILE_R:
		return use == WL_USE_LATE ? Late : high ? High : Low;
	case WL_FILE_UR:
		return Uni;
	case WL_FILE_P:
		return use == WL_USE_GUARD ? Guard : Pred;
	case WL_FILE_UP:
		return use == WL_USE_GUARD ? UniGuard : UniPred;
	default:
		return Conv;
	}
}

static unsigned look_up(int arch, enum wl_pipe producer, enum kind kind, enum wl_pipe consumer)
{
	/* 0: not said; the last column is for consumers without a number of their own */
	static const uint8_t cycles[WL_ARCH_COUNT][WL_PIPE_COUNT][KIND_COUNT][WL_PIPE_COUNT + 1] = {
#define LATENCY(arch, from, kind, to, n) [arch][WL_PIPE_##from][kind][WL_PIPE_##to] = n,
#define OTHERWISE(arch, from, kind, n)   [arch][WL_PIPE_##from][kind][WL_PIPE_COUNT] = n,
#include "latency.def"
#undef LATENCY
#undef OTHERWISE
	};
	const uint8_t *row = cycles[arch][producer][kind];

	return row[consumer] ? row[consumer] : row[WL_PIPE_COUNT];
}

/* Cycles until a result may be written again, if fewer than both rows ask for; 0: not said. */
static unsigned again(enum wl_pipe producer, enum kind kind, enum wl_pipe writer)
{
	static const uint8_t cycles[WL_PIPE_COUNT][KIND_COUNT][WL_PIPE_COUNT] = {
#define AGAIN(pipe, kind, writer, n) [WL_PIPE_##pipe][kind][WL_PIPE_##writer] = n,
#include "timing.def"
#undef AGAIN
	};
	return cycles[producer][kind][writer];
}

unsigned wl_latency(enum wl_arch arch, enum wl_pipe producer, enum wl_file file, bool high, enum wl_use use,
                    enum wl_pipe consumer)
{
	int a = wl_arch_index(wl_arch_base(arch));
	enum kind kind = kind_of(file, high, use);
	unsigned own, other;
	if (a < 0)
		return 0;
	if (use != WL_USE_WRITE)
		return look_up(a, producer, kind, consumer);
	/* Written again: the second result must arrive behind the first result; each takes the shortest time. */
	if (producer == consumer || file == WL_FILE_B)
		return 1;
	if (file == WL_FILE_P)
		kind = Guard;
	const enum kind own_kind = kind;
	own = look_up(a, producer, kind, WL_PIPE_COUNT);
	other = look_up(a, consumer, kind == High ? Low : kind, WL_PIPE_COUNT);
	const unsigned least = other == 0 || own <= other ? 1 : own - other + 1;
	const unsigned most = again(producer, own_kind, consumer);
	return most && most < least ? most : least;
}
