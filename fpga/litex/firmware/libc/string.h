// SPDX-License-Identifier: Apache-2.0
#ifndef WARPLOCK_SOC_STRING_H
#define WARPLOCK_SOC_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);
int strncmp(const char *a, const char *b, size_t n);

#endif
