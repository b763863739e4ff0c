// SPDX-License-Identifier: Apache-2.0
/* register_limit.h -- how many registers a thread may have, by what a kernel, the user and the chip say. */
#ifndef WLCC_LOWER_REGISTER_LIMIT_H
#define WLCC_LOWER_REGISTER_LIMIT_H

#include "../ptx/ast.h"
#include "wlcc.h"

/* Of a kernel: .maxnreg; else, where .maxntid or .reqntid say how many threads its CTAs have, what lets .minnctapersm
 * of them run on an SM, or one; else -maxrregcount. Reports what is ignored of them. */
unsigned register_limit(const struct ptx_function *kernel, const struct wlcc_options *o);

/* The same, and nothing is reported. */
unsigned register_limit_quiet(const struct ptx_function *kernel, const struct wlcc_options *o);

/* Of functions that are no kernels, which any kernel of the module may call: the least of these. Reports nothing. */
unsigned register_limit_of_functions(const struct ptx_module *ptx, const struct wlcc_options *o);

/* False, with an error each, where a kernel's setmaxnreg.dec asks for more registers than a thread of it can have. */
bool register_changes_fit(const struct ptx_module *ptx, const struct wlcc_options *o);

/* Registers that a thread of a kernel with setmaxnreg has at the start, `limit` being the kernel's limit; *least: the
 * fewest that an instruction names. 0: the kernel has no such instruction, or nothing bounds its registers. */
unsigned register_entry(const struct ptx_function *kernel, unsigned limit, unsigned *least);

#endif
