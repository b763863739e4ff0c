/* SPDX-License-Identifier: Apache-2.0
 *
 * forms_all.h -- every family of forms, in the order of the manual. Included several times with different FORM, RULE
 * and GATE macros; FAMILY_NAME is the family of a row. */
#define FAMILY_NAME "any"
#include "forms_any.def"
#undef FAMILY_NAME
#define FAMILY_NAME "int"
#include "forms_int.def"
#undef FAMILY_NAME
#define FAMILY_NAME "float"
#include "forms_float.def"
#undef FAMILY_NAME
#define FAMILY_NAME "move"
#include "forms_move.def"
#undef FAMILY_NAME
#define FAMILY_NAME "flow"
#include "forms_flow.def"
#undef FAMILY_NAME
#define FAMILY_NAME "mem"
#include "forms_mem.def"
#undef FAMILY_NAME
#define FAMILY_NAME "atom"
#include "forms_atom.def"
#undef FAMILY_NAME
#define FAMILY_NAME "barrier"
#include "forms_barrier.def"
#undef FAMILY_NAME
#define FAMILY_NAME "fence"
#include "forms_fence.def"
#undef FAMILY_NAME
#define FAMILY_NAME "mbarrier"
#include "forms_mbarrier.def"
#undef FAMILY_NAME
#define FAMILY_NAME "async"
#include "forms_async.def"
#undef FAMILY_NAME
#define FAMILY_NAME "warp"
#include "forms_warp.def"
#undef FAMILY_NAME
#define FAMILY_NAME "video"
#include "forms_video.def"
#undef FAMILY_NAME
#define FAMILY_NAME "multi"
#include "forms_multi.def"
#undef FAMILY_NAME
#define FAMILY_NAME "tensor"
#include "forms_tensor.def"
#include "forms_foreign.def"
#undef FAMILY_NAME
#include "forms_judged.def"
