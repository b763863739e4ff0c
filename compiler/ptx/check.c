// SPDX-License-Identifier: Apache-2.0
#include "parse.h"
void ptx_check_instr(struct ptx_parser *p, struct ptx_instr *i, bool known)
{
	(void)p;
	(void)i;
	(void)known;
}
