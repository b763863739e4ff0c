// SPDX-License-Identifier: Apache-2.0
/* wlcc_args.h -- the command line of wlcc. */
#ifndef WARPLOCK_COMPILER_WLCC_ARGS_H
#define WARPLOCK_COMPILER_WLCC_ARGS_H

#include <stdbool.h>

#include "message.h"
#include "warplock/object.h"

enum { MAX_PASSED = 64 };

struct args {
	const char *in, *out, *program;
	enum wl_arch arch;
	unsigned chip;
	char suffix;           /* of sm_90a and the like */
	const char *arch_name; /* as given, NULL = not: the front end knows more names than the code generator */
	int opt;
	unsigned max_registers, ptxas;
	bool masks_apart, print_overlaps, externs_do_not_sync;
	bool check_only, strict_version, model_words, compat, native_shared, relocatable, sass, verbose, debug, quiet;
	const char *dump_after, *intrinsic;
	bool emit_llvm;
	unsigned sync_mode, unroll;
	bool sync_off, no_barrier_paths, no_errbars, no_internals, print_passes;
	unsigned warnings;
	bool warnings_are_errors;
	enum message_format messages;
	bool stop_at_ptx;               /* -emit=ptx, -emit=llvm, -S: the output of the front end is the result */
	const char *passed[MAX_PASSED]; /* options of the front end */
	unsigned npassed;
	const char *not_for_ptx; /* a given option without meaning for PTX */
};

/* The end of a file name from the last dot on, "" without a dot. */
const char *extension(const char *name);
/* A line about wrong use on standard error; EXIT_MISUSE. */
int misuse(const char *fmt, const char *what);
/* Reads the command line and checks the words together. Returns an exit status of exit_code.h. *done: no work is left
 * (--help, --version). */
int args_read(struct args *a, int argc, char **argv, bool *done);
/* Without -arch: the chip of the PTX. `text` may be NULL. */
void args_own_arch(struct args *a, const char *text);

#endif
