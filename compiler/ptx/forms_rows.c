// SPDX-License-Identifier: Apache-2.0
/* forms_rows.c -- the rows of forms_*.def as written. */
#include "forms.h"
#include "forms_types.h"

const struct ptx_form_row ptx_form_rows[] = {
#define FORM(op, bag, types, operands, version, target)                                                                \
	{PTX_OP_##op, version, target, bag, types, operands, FAMILY_NAME, false},
#define SIGNATURE(op, types, operands)             SIGNATURE_OF(op, 0, types, operands)
#define SIGNATURE_OF(op, toolkit, types, operands) {PTX_OP_##op, toolkit, 0, "", types, operands, FAMILY_NAME, true},
#define WORD(op, when, text)
#define EARLY(op, when, text)
#define RULE(op, when, text)
#define LATE(op, when, text)
#define GATE(op, when, text, version, target)
#define JUDGED(op, when)
#include "forms_all.h"
#undef FORM
#undef SIGNATURE
#undef SIGNATURE_OF
#undef WORD
#undef EARLY
#undef RULE
#undef LATE
#undef GATE
#undef JUDGED
};
const unsigned ptx_form_count = sizeof ptx_form_rows / sizeof *ptx_form_rows;

const struct ptx_rule_row ptx_rule_rows[] = {
#define FORM(op, bag, types, operands, version, target)
#define SIGNATURE(op, types, operands)
#define SIGNATURE_OF(op, toolkit, types, operands)
#define WORD(op, when, text)                  {PTX_OP_##op, 0, 0, PHASE_WORD, when, text},
#define EARLY(op, when, text)                 {PTX_OP_##op, 0, 0, PHASE_EARLY, when, text},
#define RULE(op, when, text)                  {PTX_OP_##op, 0, 0, PHASE_RULE, when, text},
#define LATE(op, when, text)                  {PTX_OP_##op, 0, 0, PHASE_LATE, when, text},
#define GATE(op, when, text, version, target) {PTX_OP_##op, version, target, PHASE_RULE, when, text},
#define JUDGED(op, when)                      {PTX_OP_##op, 0, 0, PHASE_JUDGED, when, NULL},
#include "forms_all.h"
#undef FORM
#undef SIGNATURE
#undef SIGNATURE_OF
#undef WORD
#undef EARLY
#undef RULE
#undef LATE
#undef GATE
#undef JUDGED
};
const unsigned ptx_rule_count = sizeof ptx_rule_rows / sizeof *ptx_rule_rows;
