// SPDX-License-Identifier: Apache-2.0
/* forms.c -- the forms and rules of each operation; gen/ makes the tables from forms_*.def at build time. */
#include "forms.h"

#include "ptx_forms.inc"

const struct ptx_op_forms *ptx_forms_of(unsigned op)
{
	return &forms_of[op];
}
