/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h -- options, and who does what: wlnvvm (no LLVM in it) starts clang for C and wlnvvm-ir for the
 * lowering, side by side, because loading LLVM takes longer than the work; wlnvvm-ir may be stopped by LLVM,
 * wlnvvm reports it. */
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
	bool remove_barriers, print_barriers; /* that are dead */
	bool print_header, print_builtins, help, version;
	const char *passed[32]; /* -D, -I, -U for clang */
	unsigned n_passed;
	int module_fd, phase_fd; /* wlnvvm-ir: where the module comes from, where it tells what it does; -1: none */
};

/* Fills *o; false: `what` and `arg` tell the misuse. */
bool nv_parse_options(int argc, char **argv, struct nv_options *o, const char **what, const char **arg);

/* What wlnvvm-ir is doing, as the parent sees it in a shared page. */
struct nv_phase {
	char text[64];
};

/* Exit status: 0 done, 1 diagnosed. */
int nv_compile(const struct nv_options *o, struct nv_phase *phase);

/* Starts clang on C input: bitcode, unoptimised, with our header. Gives the pipe's reading end, -1: a
 * message was printed. */
int nv_start_clang(const struct nv_options *o, int *pid);

/* The C header: declarations and generic names, all of them or those that `source` mentions. */
bool nv_print_header(FILE *out, const char *source);
/* docs/reference/builtins.md. false: writing failed. */
bool nv_print_builtins(FILE *out);
#endif
