// SPDX-License-Identifier: Apache-2.0
/* orders.h -- wlobjdump --check-orders. The compiler supplies check_orders (compiler/check_orders.c): the compiler
 * knows PTX; the model's own sources know nothing of a compiler. */
#ifndef TOOLS_ORDERS_H
#define TOOLS_ORDERS_H

#include <stdbool.h>
#include <stddef.h>

/* Holds the code of every kernel and function of an object (`entry`: of a single kernel or function) against the orders
 * in the object's PTX: a line for each finding and a line with the count. False after a finding, or when something
 * cannot be read (lines on standard error). `file` and `ptx` are names. */
bool check_orders(const char *file, const unsigned char *elf, size_t size, const char *entry, const char *ptx);

#endif
