// SPDX-License-Identifier: Apache-2.0
/* calls.c -- cuGetProcAddress, made from the table of calls; the calls not built; the twins of calls for a default
 * stream of each thread. A twin marks the thread and goes on in the call; the guard of the call ends the mark. */
#include <string.h>

#include "driver.h"

#define EXPAND(x) x
#define IF_works(a)
#define IF_named(a) a

/* Any arguments: the function does not look at the arguments. */
#define CALL(name, symbol, version, per_thread, state)                                                                 \
	IF_##state(API CUresult symbol(void); API CUresult symbol(void) { return unbuilt(#symbol, NULL); })
#include "calls.def"
#undef CALL
#undef IF_works
#define IF_works(a) a
#undef IF_named
#define IF_named(a)
#define CALL(name, symbol, version, per_thread, state) IF_##state(API CUresult symbol(void);)
#include "calls.def"
#undef CALL

/* clang-format off */
/* Keeps the registers of arguments. */
__asm__(".text\n.type warplock_driver_twin, @function\nwarplock_driver_twin:\n"
        "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\ncall warplock_driver_mark@PLT\n"
        "pop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\nret\n");
#define MARK_works "call warplock_driver_twin\n"
#define MARK_named ""
#define TWIN(symbol, suffix, state)                                                                                    \
	__asm__(".text\n.globl " #symbol #suffix "\n.type " #symbol #suffix ", @function\n"                            \
	        #symbol #suffix ":\n" MARK_##state "jmp " #symbol "@PLT\n");                                           \
	API CUresult symbol##suffix(void);
#define TWIN__(symbol, state)
#define TWIN__ptsz(symbol, state) TWIN(symbol, _ptsz, state)
#define TWIN__ptds(symbol, state) TWIN(symbol, _ptds, state)
#define CALL(name, symbol, version, per_thread, state) TWIN_##per_thread(symbol, state)
#include "calls.def"
#undef CALL
/* clang-format on */

static const struct {
	const char *name, *symbol;
	int version;
	CUresult (*call)(void), (*twin)(void);
} calls[] = {
#define OF__(symbol)                                   symbol
#define OF__ptsz(symbol)                               symbol##_ptsz
#define OF__ptds(symbol)                               symbol##_ptds
#define CALL(name, symbol, version, per_thread, state) {#name, #symbol, version, symbol, OF_##per_thread(symbol)},
#include "calls.def"
#undef CALL
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The newest symbol of a name in the version; a name may also be a symbol. */
static int find(const char *name, int version, bool *too_old)
{
	int best = -1;
	if (strcmp(name, "cuGraphInstantiate") == 0 && version >= 11040)
		name = "cuGraphInstantiateWithFlags";
	*too_old = false;
	for (int i = 0; i < CALLS; i++) {
		if (strcmp(calls[i].name, name) && strcmp(calls[i].symbol, name))
			continue;
		if (calls[i].version > version)
			*too_old = true;
		else if (best < 0 || calls[i].version > calls[best].version)
			best = i;
	}
	return best;
}

void *call_find(const char *name, int version, bool per_thread, bool *too_old)
{
	void *out = NULL;
	const int i = find(name, version, too_old);
	if (i >= 0)
		memcpy(&out, per_thread ? &calls[i].twin : &calls[i].call, sizeof out);
	return out;
}
