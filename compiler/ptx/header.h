// SPDX-License-Identifier: Apache-2.0
/* header.h -- .version, .target and .address_size. */
#ifndef WLCC_PTX_HEADER_H
#define WLCC_PTX_HEADER_H

#include <stdbool.h>

struct ptx_parser;

bool ptx_header_directive(struct ptx_parser *p); /* at any of the three words */
bool ptx_header_complete(struct ptx_parser *p);  /* reports a missing directive, once */

#endif
