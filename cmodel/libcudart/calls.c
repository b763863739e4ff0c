// SPDX-License-Identifier: Apache-2.0
/* calls.c -- calls not built, and the twins of calls for a default stream of each thread. */
#include "runtime.h"

#define IF_works(a)
#define IF_named(a) a
#define IN_both(a)  a
#if CUDART == 12
#define IN_twelve(a) a
#else
#define IN_twelve(a)
#endif

/* Any arguments: the function does not look at the arguments. */
#define CALL(toolkits, name, per_thread, state)                                                                        \
	IN_##toolkits(IF_##state(API cudaError_t name(void); API cudaError_t name(void) { return unbuilt(#name); }))
#include "calls.def"
#undef CALL

/* clang-format off */
/* Keeps the registers of arguments. */
__asm__(".text\n.type warplock_runtime_twin, @function\nwarplock_runtime_twin:\n"
        "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\ncall warplock_runtime_mark@PLT\n"
        "pop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\nret\n");
#define MARK_works "call warplock_runtime_twin\n"
#define MARK_named ""
#define TWIN(name, suffix, state)                                                                                      \
	__asm__(".text\n.globl " #name #suffix "\n.type " #name #suffix ", @function\n"                              \
	        #name #suffix ":\n" MARK_##state "jmp " #name "@PLT\n");
#define TWIN__(name, state)
#define TWIN__ptsz(name, state) TWIN(name, _ptsz, state)
#define TWIN__ptds(name, state) TWIN(name, _ptds, state)
#define CALL(toolkits, name, per_thread, state) IN_##toolkits(TWIN_##per_thread(name, state))
#include "calls.def"
#undef CALL
/* clang-format on */
