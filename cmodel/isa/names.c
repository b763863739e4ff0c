// SPDX-License-Identifier: Apache-2.0
/* names.c -- names of micro-operations and units; scheduling fields and hex texts of words. */
#include "isa_table.h"

const char *wl_unit_name(enum wl_unit u)
{
	static const char *const names[WL_UNIT_COUNT] = {
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) [WL_UNIT_##name] = #name,
#include "warplock/units.def"
#undef UNIT
	        [WL_UNIT_sync_core] = "sync_core",
	        [WL_UNIT_FRONT] = "front",
	};
	return u < WL_UNIT_COUNT ? names[u] : "?";
}

const char *wl_uop_name(enum wl_uop u)
{
	static const char *const names[WL_UOP_COUNT] = {
#define UOP(name, unit, ...) [WL_UOP_##name] = #name,
#include "uops.def"
#undef UOP
	};
	return u < WL_UOP_COUNT ? names[u] : "?";
}

enum wl_unit wl_uop_unit(enum wl_uop u)
{
	static const uint8_t units[WL_UOP_COUNT] = {
#define UOP(name, unit, ...) [WL_UOP_##name] = WL_UNIT_##unit,
#include "uops.def"
#undef UOP
	};
	return u < WL_UOP_COUNT ? (enum wl_unit)units[u] : WL_UNIT_FRONT;
}

struct wl_sched wl_word_sched(struct wl_word w)
{
	uint64_t s = w.hi >> (105 - 64);
	return (struct wl_sched){
	        .stall = s & 15,
	        .yield = s >> 4 & 1,
	        .wrbar = s >> 5 & 7,
	        .rdbar = s >> 8 & 7,
	        .wait = s >> 11 & 63,
	        .reuse = s >> 17 & 15,
	};
}

struct wl_word wl_word_set_sched(struct wl_word w, struct wl_sched s)
{
	uint64_t v = (uint64_t)(s.stall & 15) | (uint64_t)(s.yield & 1) << 4 | (uint64_t)(s.wrbar & 7) << 5 |
	             (uint64_t)(s.rdbar & 7) << 8 | (uint64_t)(s.wait & 63) << 11 | (uint64_t)(s.reuse & 15) << 17;
	return isa_set_bits(w, 105, 21, v);
}

void wl_word_format(struct wl_word w, char buf[33])
{
	static const char digits[] = "0123456789abcdef";
	for (int i = 0; i < 16; i++) {
		buf[i] = digits[w.hi >> (60 - 4 * i) & 15];
		buf[16 + i] = digits[w.lo >> (60 - 4 * i) & 15];
	}
	buf[32] = 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool wl_word_parse(const char *hex, struct wl_word *out)
{
	struct wl_word w = {0, 0};
	for (int i = 0; i < 32; i++) {
		int d = hex_digit(hex[i]);
		if (d < 0)
			return false;
		w.hi = w.hi << 4 | w.lo >> 60;
		w.lo = w.lo << 4 | (uint64_t)d;
	}
	if (hex[32])
		return false;
	*out = w;
	return true;
}
