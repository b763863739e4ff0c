// SPDX-License-Identifier: Apache-2.0
/* calls.c -- cuGetProcAddress, made of the table of calls; the calls that are not built; the twins of calls for a default
 * stream of each thread, which are the same functions. */
#include <string.h>

#include "driver.h"

#define EXPAND(x) x
#define IF_works(a)
#define IF_named(a) a

/* Any arguments: the caller puts them where the function does not look. */
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
#define TWIN(symbol, suffix)                                                                                           \
	__asm__(".text\n.globl " #symbol #suffix "\n.type " #symbol #suffix ", @function\n"                            \
	        #symbol #suffix ": jmp " #symbol "@PLT\n");
#define TWIN__(symbol)
#define TWIN__ptsz(symbol) TWIN(symbol, _ptsz)
#define TWIN__ptds(symbol) TWIN(symbol, _ptds)
#define CALL(name, symbol, version, per_thread, state) TWIN_##per_thread(symbol)
#include "calls.def"
#undef CALL
/* clang-format on */

static const struct {
	const char *name, *symbol;
	int version;
	CUresult (*call)(void);
} calls[] = {
#define CALL(name, symbol, version, per_thread, state) {#name, #symbol, version, symbol},
#include "calls.def"
#undef CALL
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The newest symbol of a name that the version has; a name may also be a symbol. */
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

void *call_find(const char *name, int version, bool *too_old)
{
	void *out = NULL;
	const int i = find(name, version, too_old);
	if (i >= 0)
		memcpy(&out, &calls[i].call, sizeof out);
	return out;
}
