// SPDX-License-Identifier: Apache-2.0
/* orders.h -- wlobjdump --check-orders. The compiler supplies it (compiler/check_orders.c), which knows PTX; the
 * model's own sources know nothing of a compiler. */
#ifndef TOOLS_ORDERS_H
#define TOOLS_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

/* Holds the code of every kernel and function of an object (`entry`: of that one) against the orders that its PTX asks
 * for: one line for each finding and one that counts. False when there was a finding, or something cannot be read
 * (lines on standard error). `file` and `ptx` are names. */
bool check_orders(const char *file, const unsigned char *elf, size_t size, const char *entry, const char *ptx);

#endif
