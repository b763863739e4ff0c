/* SPDX-License-Identifier: Apache-2.0 */
/* driver.h -- one compilation from options to text, and what is printed from the tables. */
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
	const char *passed[32]; /* -D, -I, -U for clang */
	unsigned n_passed;
};

/* Exit status: 0 done, 1 diagnosed. *phase tells at any time what is being done. */
int nv_compile(const struct nv_options *o, const char **phase);

/* C through clang: bitcode, unoptimised, with our header, in a malloc'ed buffer; NULL: a message was printed. */
char *nv_run_clang(const struct nv_options *o, size_t *size);

/* The C header (declarations of every builtin, generic names) and docs/builtins.md. false: writing failed. */
bool nv_print_header(FILE *out);
bool nv_print_builtins(FILE *out);
#endif
