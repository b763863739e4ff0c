// SPDX-License-Identifier: Apache-2.0
/* register_limit.h -- number of registers of a thread, by directives of the kernel, options of the user and the
 * chip. */
#ifndef WLCC_LOWER_REGISTER_LIMIT_H
#define WLCC_LOWER_REGISTER_LIMIT_H

#include "../ptx/ast.h"
#include "wlcc.h"

/* Of a kernel: .maxnreg. Else, with .maxntid or .reqntid as threads of a CTA: the most registers with .minnctapersm
 * CTAs, or a single CTA, on an SM. Else -maxrregcount. Reports ignored directives. */
unsigned register_limit(const struct ptx_function *kernel, const struct wlcc_options *o);

/* The same, without reports. */
unsigned register_limit_quiet(const struct ptx_function *kernel, const struct wlcc_options *o);

/* Of functions other than kernels. Any kernel of the module may call the function: the least limit of the kernels.
 * Reports nothing. */
unsigned register_limit_of_functions(const struct ptx_module *ptx, const struct wlcc_options *o);

/* False, with an error each, where a kernel's setmaxnreg.dec asks for more registers than a thread of the kernel can
 * have. */
bool register_changes_fit(const struct ptx_module *ptx, const struct wlcc_options *o);

/* Registers of a thread at the start of a kernel with setmaxnreg, with `limit` as the kernel's limit; *least: the
 * fewest registers named by an instruction. 0: the kernel has no setmaxnreg, or nothing bounds the registers. */
unsigned register_entry(const struct ptx_function *kernel, unsigned limit, unsigned *least);

#endif
