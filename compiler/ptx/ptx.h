// SPDX-License-Identifier: Apache-2.0
/* ptx.h -- PTX text to a checked module, and back. */
#ifndef WLCC_PTX_H
#define WLCC_PTX_H

#include <stdio.h>

#include "ast.h"
#include "wlcc.h"

struct ptx_options {
	const char *file; /* name for messages */
	wlcc_diag_fn diag;
	void *diag_self;
	bool strict_version; /* refuse a .version unknown to the toolkit; else warn and read it as the newest */
	bool makes_code;     /* also refuse instructions with checks but without code generation (forms_judged.def) */
	bool passes_over;    /* keep instructions without a model (mma, textures): the name alone, without operands */
	unsigned ptxas;      /* the toolkit with the verdicts to give: 130 is CUDA 13.0; 0 = the newest known */
	/* The architecture of the code: 75 .. and 0, 'a' or 'f'. A .target unable to run there is refused. 0 = any
	 * .target is accepted. */
	unsigned arch;
	char suffix;
};

/* ptx_toolkit: the toolkit with the verdicts to give, 130 for CUDA 13.0 and so on. ptx_toolkit_known: does a toolkit
 * of this number exist? */
unsigned ptx_toolkit(const struct ptx_options *o);
bool ptx_toolkit_known(unsigned toolkit);

/* The options of a caller, with a name for messages, and a function that takes the messages. */
struct wlcc_options ptx_options_with_names(const struct wlcc_options *o);

/* Parses and checks. Returns the module, or NULL when at least one error was reported. The parser reports every error
 * of the file, in the order of lines as far as known. `text` need not end in NUL and is not kept. */
struct ptx_module *ptx_parse(const char *text, size_t size, const struct ptx_options *o);
void ptx_module_free(struct ptx_module *m);

/* Only checks: true when the file has no error. */
bool ptx_check(const char *text, size_t size, const struct ptx_options *o);

/* Splits a name such as "sm_90a" into number and suffix, for every architecture known to the checker. False: unknown
 * name. */
bool ptx_arch_named(const char *name, unsigned *arch, char *suffix);
/* The names without suffix, one for each call. */
const char *ptx_arch_name(unsigned i); /* NULL behind the last */

/* Prints the module as PTX text of the same meaning. False when writing failed. */
bool ptx_print(const struct ptx_module *m, FILE *to);

#endif
