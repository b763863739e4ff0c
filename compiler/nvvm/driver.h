/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h -- options, and the work of each program. wlnvvm (without LLVM) starts clang for C and wlnvvm-ir for the
 * lowering, side by side, because loading LLVM takes longer than the work. If LLVM stops wlnvvm-ir, wlnvvm reports
 * the stop. */
#ifndef NV_DRIVER_H
#define NV_DRIVER_H

#include <stdbool.h>
#include <stdio.h>

enum nv_input { NV_UNKNOWN, NV_C, NV_IR, NV_BITCODE };

struct nv_options {
	const char *in, *out; /* out NULL: standard output */
	enum nv_input kind;
	const char *arch; /* as given: sm_75, sm_90a */
	unsigned sm;
	int opt;
	bool documented, emit_llvm, lines;
	bool remove_barriers, print_barriers; /* on dead barriers */
	bool print_header, print_builtins, help, version;
	const char *passed[32]; /* -D, -I, -U for clang */
	unsigned n_passed;
	int module_fd, phase_fd; /* wlnvvm-ir: source of the module, target of the phase texts; -1: none */
};

/* Fills *o. False: a misuse, described by `what` and `arg`. */
bool nv_parse_options(int argc, char **argv, struct nv_options *o, const char **what, const char **arg);

/* Current work of wlnvvm-ir, visible to the parent in a shared page. */
struct nv_phase {
	char text[64];
};

/* Exit status: 0 done, 1 diagnosed. */
int nv_compile(const struct nv_options *o, struct nv_phase *phase);

/* Starts clang on C input with the builtin header, for unoptimised bitcode. Returns the reading end of the pipe; -1:
 * a message was printed. */
int nv_start_clang(const struct nv_options *o, int *pid);

/* The C header: declarations and generic names, all or only the names mentioned in `source`. */
bool nv_print_header(FILE *out, const char *source);
/* docs/reference/builtins.md. false: writing failed. */
bool nv_print_builtins(FILE *out);
#endif
