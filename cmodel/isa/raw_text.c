// SPDX-License-Identifier: Apache-2.0
/* raw_text.c -- texts with hidden bits: scheduling, and bits ignored by NVIDIA's disassembler.
 *
 *   ATOMS.ADD RZ, [R3], R4 {raw: 105:125=0xf1, 91:91=0x1}
 *
 * The suffix gives bits lo:hi of the word wherever the bits differ from the word of the text alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_table.h"

enum { SCHED_LO = 105, SCHED_HI = 125, MAX_TEXT = 400 };

static bool same_word(struct wl_word a, struct wl_word b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static unsigned differ(struct wl_word a, struct wl_word b, unsigned bit)
{
	return (unsigned)(isa_bits(a, bit, 1) ^ isa_bits(b, bit, 1));
}

static bool sched_differs(struct wl_word a, struct wl_word b)
{
	return isa_bits(a, SCHED_LO, SCHED_HI - SCHED_LO + 1) != isa_bits(b, SCHED_LO, SCHED_HI - SCHED_LO + 1);
}

/* The next run of bits to print, at or behind `bit`. False at the end of the word. Scheduling is a single run. */
static bool next_run(struct wl_word w, struct wl_word plain, unsigned bit, unsigned *lo, unsigned *hi)
{
	bool sched = sched_differs(w, plain);
	while (bit < 128 && !(bit >= SCHED_LO && bit <= SCHED_HI ? sched : differ(w, plain, bit)))
		bit++;
	if (bit >= 128)
		return false;
	*lo = bit;
	if (bit >= SCHED_LO && bit <= SCHED_HI) {
		*hi = SCHED_HI;
		return true;
	}
	while (bit < 127 && bit + 1 != SCHED_LO && bit - *lo < 63 && differ(w, plain, bit + 1))
		bit++;
	*hi = bit;
	return true;
}

static size_t print_run(char *buf, size_t n, const char *before, struct wl_word w, unsigned lo, unsigned hi)
{
	int len = snprintf(buf, n, "%s%u:%u=0x%llx", before, lo, hi, (unsigned long long)isa_bits(w, lo, hi - lo + 1));
	return len > 0 ? (size_t)len : 0;
}

int wl_print_raw(enum wl_arch arch, struct wl_word w, uint64_t addr, char *buf, size_t n)
{
	char text[MAX_TEXT], err[8];
	struct wl_word plain;
	size_t len;
	if (wl_print(arch, w, addr, text, 256) < 0) {
		if (n)
			buf[0] = 0;
		return -1;
	}
	len = strlen(text);
	if (wl_assemble(arch, text, addr, &plain, err, sizeof err) != WL_OK) {
		len += print_run(text + len, sizeof text - len, " {raw: ", w, 0, 63);
		len += print_run(text + len, sizeof text - len, ", ", w, 64, 127);
		len += (size_t)snprintf(text + len, sizeof text - len, "}");
	} else if (!same_word(w, plain)) {
		const char *before = " {raw: ";
		unsigned lo, hi;
		for (unsigned bit = 0; next_run(w, plain, bit, &lo, &hi); bit = hi + 1, before = ", ")
			len += print_run(text + len, sizeof text - len, before, w, lo, hi);
		len += (size_t)snprintf(text + len, sizeof text - len, "}");
	}
	snprintf(buf, n, "%s", text);
	return (int)len;
}

/* lo:hi=0xvalue; NULL for anything else. */
static const char *read_run(const char *s, unsigned *lo, unsigned *hi, uint64_t *value)
{
	char *end;
	unsigned long a, b;
	if (*s < '0' || *s > '9')
		return NULL;
	a = strtoul(s, &end, 10);
	if (*end != ':' || end[1] < '0' || end[1] > '9')
		return NULL;
	b = strtoul(end + 1, &end, 10);
	if (a > b || b > 127 || b - a > 63 || strncmp(end, "=0x", 3) != 0)
		return NULL;
	s = end + 3;
	if (strspn(s, "0123456789abcdefABCDEF") == 0 || strspn(s, "0123456789abcdefABCDEF") > 16)
		return NULL;
	*value = strtoull(s, &end, 16);
	if (b - a < 63 && *value >> (b - a + 1))
		return NULL;
	*lo = (unsigned)a;
	*hi = (unsigned)b;
	return end;
}

/* Reads the suffix at s into `w` (the bits) and `mask` (the places). False: *at is the offending place. */
static bool read_suffix(const char *s, struct wl_word *w, struct wl_word *mask, const char **at)
{
	s += strlen("{raw:");
	for (;;) {
		unsigned lo, hi;
		uint64_t value;
		const char *e;
		s += strspn(s, " ");
		*at = s;
		e = read_run(s, &lo, &hi, &value);
		if (!e || isa_bits(*mask, lo, hi - lo + 1)) /* naming a bit twice is an error */
			return false;
		*w = isa_set_bits(*w, lo, hi - lo + 1, value);
		*mask = isa_set_bits(*mask, lo, hi - lo + 1, ~UINT64_C(0));
		s = e + strspn(e, " ");
		*at = s;
		if (*s == '}')
			break;
		if (*s++ != ',')
			return false;
	}
	s++;
	s += strspn(s, " \t\r\n;");
	*at = s;
	return *s == 0;
}

static struct wl_word merge(struct wl_word w, struct wl_word bits, struct wl_word mask)
{
	return (struct wl_word){(w.lo & ~mask.lo) | (bits.lo & mask.lo), (w.hi & ~mask.hi) | (bits.hi & mask.hi)};
}

/* Does the word read as the text, or as the word `plain` of the text alone? */
static bool reads_as(enum wl_arch arch, struct wl_word w, uint64_t addr, const char *text, bool assembled,
                     struct wl_word plain, char found[256])
{
	char expected[256];
	if (wl_print(arch, w, addr, found, 256) < 0) {
		snprintf(found, 256, "no instruction");
		return false;
	}
	if (assembled)
		wl_print(arch, plain, addr, expected, sizeof expected);
	else
		snprintf(expected, sizeof expected, "%s", text);
	return strcmp(found, expected) == 0;
}

enum wl_status wl_assemble_raw(enum wl_arch arch, const char *text, uint64_t addr, struct wl_word *out, char *err,
                               size_t errn)
{
	const char *suffix = strstr(text, "{raw:"), *at;
	char head[256], found[256];
	struct wl_word bits = {0, 0}, mask = {0, 0}, plain;
	enum wl_status status;
	size_t len;
	if (!suffix)
		return wl_assemble(arch, text, addr, out, err, errn);
	*out = (struct wl_word){0, 0};
	if (!read_suffix(suffix, &bits, &mask, &at)) {
		snprintf(err, errn, "raw suffix: \"%.40s\" (expected LO:HI=0xVALUE, bits of the word, each once)", at);
		return WL_ERR_SYNTAX;
	}
	for (len = (size_t)(suffix - text); len && strchr(" \t;", text[len - 1]); len--)
		;
	while (len && strchr(" \t", *text))
		text++, len--;
	if (len >= sizeof head) {
		snprintf(err, errn, "more than %zu characters, expected one instruction", sizeof head - 1);
		return WL_ERR_SYNTAX;
	}
	memcpy(head, text, len);
	head[len] = 0;
	status = wl_assemble(arch, head, addr, &plain, err, errn);
	/* Some printed texts do not assemble. Such a text needs all bits of the word. */
	if (status != WL_OK && (mask.lo & mask.hi) != ~UINT64_C(0))
		return status;
	bits = merge(plain, bits, mask);
	if (!reads_as(arch, bits, addr, head, status == WL_OK, plain, found)) {
		snprintf(err, errn, "the raw bits make it read \"%.80s\", found \"%.80s\"", found, head);
		return WL_ERR_RANGE;
	}
	if (errn)
		err[0] = 0;
	*out = bits;
	return WL_OK;
}
