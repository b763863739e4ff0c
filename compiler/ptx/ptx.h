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
	bool strict_version; /* refuse a .version that the toolkit does not know; else warn and read it as the newest */
	bool makes_code;     /* also refuse instructions that are judged, not compiled (forms_judged.def) */
	unsigned ptxas;      /* toolkit whose verdicts are given: 130 is CUDA 13.0; 0 = the newest known */
	/* The architecture that the code is for: 75 .. and 0, 'a' or 'f'; a .target that it cannot run is refused. 0 = any
	 * .target will do. */
	unsigned arch;
	char suffix;
};

/* The toolkit whose verdicts are given, 130 for CUDA 13.0 and so on, and whether there is one of that number. */
unsigned ptx_toolkit(const struct ptx_options *o);
bool ptx_toolkit_known(unsigned toolkit);

/* Parses and checks. Returns the module, or NULL when at least one error was reported. Every error of the file is
 * reported, in the order of lines as far as known. `text` need not end in NUL and is not kept. */
struct ptx_module *ptx_parse(const char *text, size_t size, const struct ptx_options *o);
void ptx_module_free(struct ptx_module *m);

/* Judges only: true when the file has no error. */
bool ptx_check(const char *text, size_t size, const struct ptx_options *o);

/* "sm_90a" to its number and suffix: an architecture that PTX can be judged for. False: there is none of that name. */
bool ptx_arch_named(const char *name, unsigned *arch, char *suffix);
/* Their names, one call for each, without suffixed ones. */
const char *ptx_arch_name(unsigned i); /* NULL behind the last */

/* Prints the module as PTX text that means the same. False when writing failed. */
bool ptx_print(const struct ptx_module *m, FILE *to);

#endif
