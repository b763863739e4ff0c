// SPDX-License-Identifier: Apache-2.0
/* demangle.h -- private to cmodel/object: readable names of C++ functions and variables. */
#ifndef WARPLOCK_DEMANGLE_H
#define WARPLOCK_DEMANGLE_H

#include <stddef.h>

/* "ns::type::function" of a mangled name: no arguments and no template arguments. Any other text stays as written. */
void demangle(const char *name, char *out, size_t n);
/* The same for a variable, also of a function: "ns::count", "function::tile". */
void demangle_variable(const char *name, char *out, size_t n);

#endif
