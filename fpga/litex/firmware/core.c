// SPDX-License-Identifier: Apache-2.0
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

#include "csr.h"
#include "mem.h"

enum { COMMAND = 2, STATUS = 3, ANSWER = 4, REQUESTS = 0x800 / 4, ANSWERS = 0x1000 / 4 };

int core_command(unsigned type, const uint8_t *payload, unsigned n, uint8_t *answer)
{
	volatile uint32_t *w = (volatile uint32_t *)WINDOW_BASE;
	for (unsigned i = 0; i < n; i += 4) {
		uint32_t v = 0;
		for (unsigned b = 0; b < 4 && i + b < n; b++)
			v |= (uint32_t)payload[i + b] << 8 * b;
		w[REQUESTS + i / 4] = v;
	}
	w[COMMAND] = n << 16 | type;
	while (w[STATUS] & 1)
		;
	const uint32_t head = w[ANSWER];
	if ((head & 0xff) == 0xff)
		return -1;
	const unsigned bytes = head >> 16;
	for (unsigned i = 0; i < bytes; i += 4) {
		const uint32_t v = w[ANSWERS + i / 4];
		for (unsigned b = 0; b < 4 && i + b < bytes; b++)
			answer[i + b] = (uint8_t)(v >> 8 * b);
	}
	return (int)bytes;
}

static volatile uint32_t *csr(uint32_t at)
{
	return (volatile uint32_t *)at;
}

void line_put(char c)
{
	while (*csr(CSR_UART_TXFULL_ADDR))
		;
	*csr(CSR_UART_RXTX_ADDR) = (uint8_t)c;
}

int line_get(void)
{
	if (*csr(CSR_UART_RXEMPTY_ADDR))
		return -1;
	const int c = (int)(*csr(CSR_UART_RXTX_ADDR) & 0xff);
	*csr(CSR_UART_EV_PENDING_ADDR) = 2; /* the next byte */
	return c;
}

void line_say(const char *fmt, ...)
{
	char text[160];
	unsigned sum = 0;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	for (const char *p = text; *p; p++) {
		sum = (sum * 31 + (unsigned char)*p) & 0xffff;
		line_put(*p);
	}
	snprintf(text, sizeof text, " *%04x\n", sum);
	for (const char *p = text; *p; p++)
		line_put(*p);
}
