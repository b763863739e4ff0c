// SPDX-License-Identifier: Apache-2.0
/* calls.c -- calls that are not built, and the twins of calls for a default stream of each thread. */
#include "runtime.h"

#define IF_works(a)
#define IF_named(a) a
#define IN_both(a)  a
#if CUDART == 12
#define IN_twelve(a) a
#else
#define IN_twelve(a)
#endif

/* Any arguments: the caller puts them where the function does not look. */
#define CALL(toolkits, name, per_thread, state)                                                                        \
	IN_##toolkits(IF_##state(API cudaError_t name(void); API cudaError_t name(void) { return unbuilt(#name); }))
#include "calls.def"
#undef CALL

/* clang-format off */
#define TWIN(name, suffix)                                                                                             \
	__asm__(".text\n.globl " #name #suffix "\n.type " #name #suffix ", @function\n" #name #suffix ": jmp " #name "@PLT\n");
#define TWIN__(name)
#define TWIN__ptsz(name) TWIN(name, _ptsz)
#define TWIN__ptds(name) TWIN(name, _ptds)
#define CALL(toolkits, name, per_thread, state) IN_##toolkits(TWIN_##per_thread(name))
#include "calls.def"
#undef CALL
/* clang-format on */
