// SPDX-License-Identifier: Apache-2.0
/* stdio.h -- formats printed by the C units and the firmware: %c %s %u %x %lu %lx, with a width, '-' or '0'. */
#ifndef WARPLOCK_SOC_STDIO_H
#define WARPLOCK_SOC_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef struct none FILE;

int vsnprintf(char *to, size_t n, const char *fmt, va_list ap);
int snprintf(char *to, size_t n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
