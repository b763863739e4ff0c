// SPDX-License-Identifier: Apache-2.0
#include "ptx_chip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/archs.h"

enum { CHIPS = 256 }; /* numbers are below */

unsigned ptx_chip_from(unsigned n)
{
	while (n < CHIPS && !wl_arch_of_chip(n))
		n++;
	return n < CHIPS ? n : 0;
}

static unsigned operand(const char *p, char *suffix)
{
	char *end;
	p += strspn(p, " \t\r\n");
	long n = strncmp(p, "sm_", 3) ? 0 : strtol(p + 3, &end, 10);
	if (n <= 0 || n >= CHIPS)
		return 0;
	*suffix = *end == 'a' || *end == 'f' ? *end : 0;
	return ptx_chip_from((unsigned)n);
}

unsigned ptx_chip(const char *text, char *suffix)
{
	*suffix = 0;
	for (const char *p = text; *p; p++) {
		if (p[0] == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			if (!end)
				return 0;
			p = end + 1;
		} else if (strncmp(p, ".target", 7) == 0 && isspace((unsigned char)p[7])) {
			return operand(p + 7, suffix);
		}
		if (!*p)
			break;
	}
	return 0;
}
