// SPDX-License-Identifier: Apache-2.0
/* libc.c -- the functions of the C library called by the C units and the firmware. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool aligned(const void *a, const void *b)
{
	return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *s = from;
	if (aligned(d, s))
		for (; n >= 4; n -= 4, d += 4, s += 4)
			*(word *)d = *(const word *)s;
	while (n--)
		*d++ = *s++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *s = from;
	if (d <= s)
		for (size_t i = 0; i < n; i++)
			d[i] = s[i];
	else
		while (n--)
			d[n] = s[n];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	uint8_t *d = to;
	const uint32_t four = (uint8_t)byte * 0x01010101u;
	if (aligned(d, d))
		for (; n >= 4; n -= 4, d += 4)
			*(word *)d = four;
	while (n--)
		*d++ = (uint8_t)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a, *q = b;
	for (size_t i = 0; i < n; i++)
		if (p[i] != q[i])
			return p[i] - q[i];
	return 0;
}

size_t strlen(const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] || !a[i])
			return (unsigned char)a[i] - (unsigned char)b[i];
	return 0;
}

struct out {
	char *to;
	size_t n, at; /* at: characters so far, also beyond the room */
};

static void put(struct out *o, char c)
{
	if (o->at + 1 < o->n)
		o->to[o->at] = c;
	o->at++;
}

static void put_padded(struct out *o, const char *text, size_t n, unsigned width, char pad, bool left)
{
	const unsigned more = width > n ? width - (unsigned)n : 0;
	for (unsigned i = 0; !left && i < more; i++)
		put(o, pad);
	for (size_t i = 0; i < n; i++)
		put(o, text[i]);
	for (unsigned i = 0; left && i < more; i++)
		put(o, ' ');
}

static void put_number(struct out *o, unsigned long v, unsigned base, unsigned width, char pad, bool left)
{
	char digits[12];
	unsigned n = sizeof digits;
	do
		digits[--n] = "0123456789abcdef"[v % base];
	while ((v /= base) != 0);
	put_padded(o, digits + n, sizeof digits - n, width, pad, left);
}

int vsnprintf(char *to, size_t n, const char *fmt, va_list ap)
{
	struct out o = {.to = to, .n = n};
	for (; *fmt; fmt++) {
		unsigned width = 0;
		char pad = ' ';
		bool left = false;
		if (*fmt != '%') {
			put(&o, *fmt);
			continue;
		}
		for (fmt++; *fmt == '-' || *fmt == '0'; fmt++) {
			left = left || *fmt == '-';
			pad = *fmt == '0' ? '0' : pad;
		}
		for (; *fmt >= '0' && *fmt <= '9'; fmt++)
			width = width * 10 + (unsigned)(*fmt - '0');
		while (*fmt == 'l')
			fmt++;
		if (!*fmt)
			break;
		if (*fmt == 's') {
			const char *text = va_arg(ap, const char *);
			put_padded(&o, text, strlen(text), width, ' ', left);
		} else if (*fmt == 'c') {
			put(&o, (char)va_arg(ap, int));
		} else if (*fmt == 'u' || *fmt == 'x') { /* long has the bits of int */
			put_number(&o, va_arg(ap, unsigned long), *fmt == 'u' ? 10 : 16, width, pad, left);
		} else {
			put(&o, *fmt);
		}
	}
	if (n)
		to[o.at < n ? o.at : n - 1] = 0;
	return (int)o.at;
}

int snprintf(char *to, size_t n, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const int k = vsnprintf(to, n, fmt, ap);
	va_end(ap);
	return k;
}
