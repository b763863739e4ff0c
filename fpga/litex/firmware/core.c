// SPDX-License-Identifier: Apache-2.0
#include "core.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "../checksum.h"
#include "csr.h"
#include "mem.h"

enum { COMMAND = 2, STATUS = 3, ANSWER = 4, REQUESTS = 0x800 / 4, ANSWERS = 0x1000 / 4 };
enum { PATIENCE = 20000 }; /* looks at STATUS; a command takes some thousand clocks at most */

typedef uint32_t __attribute__((may_alias)) word;

uint32_t core_commands, core_bytes;
bool core_stuck;

int core_command(unsigned type, const void *payload, unsigned n, void *answer)
{
	volatile uint32_t *w = (volatile uint32_t *)WINDOW_BASE;
	const word *from = payload;
	word *to = answer;
	if (core_stuck)
		return -1;
	for (unsigned i = 0; i < (n + 3) / 4; i++)
		w[REQUESTS + i] = from[i];
	w[COMMAND] = n << 16 | type;
	core_commands++;
	core_bytes += n;
	for (uint32_t left = PATIENCE; w[STATUS] & 1; left--)
		if (!left) {
			core_stuck = true;
			return -1;
		}
	const uint32_t head = w[ANSWER];
	if ((head & 0xff) == 0xff)
		return -1;
	core_bytes += head >> 16;
	for (unsigned i = 0; i < ((head >> 16) + 3) / 4; i++)
		to[i] = w[ANSWERS + i];
	return (int)(head >> 16);
}

static volatile uint32_t *csr(uint32_t at)
{
	return (volatile uint32_t *)at;
}

void core_reset(void)
{
	*csr(CSR_CORE_RESET_HELD_ADDR) = 1;
	*csr(CSR_CORE_RESET_HELD_ADDR) = 0;
	core_stuck = false;
}

volatile uint32_t *core_global(void)
{
#ifdef GLOBAL_RAM_BASE
	return (volatile uint32_t *)GLOBAL_RAM_BASE;
#else
	return NULL; /* a core without atom_unit */
#endif
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

static void line_text(const char *text)
{
	while (*text)
		line_put(*text++);
}

void line_say(const char *fmt, ...)
{
	char text[160], sum[CHECKSUM + 1];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	checksum(text, sum);
	line_text(text);
	line_text(sum);
	line_put('\n');
}
