// SPDX-License-Identifier: Apache-2.0
/* names.c -- the tables of names, both ways. */
#include <stdio.h>
#include <string.h>

#include "words.h"

const struct ptx_type_info ptx_types[PTX_TYPE_COUNT] = {
#define PTX_TYPE(id, cls, bits, bytes, var) [PTX_T_##id] = {#id, PTX_CLASS_##cls, bits, bytes, PTX_VAR_##var, 0},
#define PTX_TYPE_SINCE(id, cls, bits, bytes, var, toolkit)                                                             \
	[PTX_T_##id] = {#id, PTX_CLASS_##cls, bits, bytes, PTX_VAR_##var, toolkit},
#include "types.def"
#undef PTX_TYPE
};

static const char *const space_names[PTX_SPACE_COUNT] = {
#define PTX_SPACE(id, text) [PTX_SP_##id] = text,
#include "spaces.def"
#undef PTX_SPACE
};

enum name_kind { NAME_MODELLED, NAME_UNMODELLED, NAME_PREFIX };

static const struct {
	const char *name;
	enum name_kind kind;
} op_info[PTX_OP_COUNT] = {
#define PTX_OP(id, text)            [PTX_OP_##id] = {text, NAME_MODELLED},
#define PTX_OP_UNMODELLED(id, text) [PTX_OP_##id] = {text, NAME_UNMODELLED},
#define PTX_OP_PREFIX(id, text)     [PTX_OP_##id] = {text, NAME_PREFIX},
#include "ops.def"
#undef PTX_OP
#undef PTX_OP_PREFIX
#undef PTX_OP_UNMODELLED
};

static const struct {
	const char *name;
	enum ptx_mod_kind kind;
	uint8_t since;
} mod_info[PTX_MOD_COUNT] = {
#define PTX_MOD(id, text, kind)                [PTX_M_##id] = {text, PTX_MOD_##kind, 0},
#define PTX_MOD_SINCE(id, text, kind, toolkit) [PTX_M_##id] = {text, PTX_MOD_##kind, toolkit},
#include "mods.def"
#undef PTX_MOD
};

static const struct ptx_sreg_info sreg_info[PTX_SREG_COUNT] = {
#define PTX_SREG(id, type, vec, version, target) [PTX_SR_##id] = {#id, PTX_T_##type, vec, version, target, 0},
#define PTX_SREG_SINCE(id, type, vec, version, target, toolkit)                                                        \
	[PTX_SR_##id] = {#id, PTX_T_##type, vec, version, target, toolkit},
#include "sregs.def"
#undef PTX_SREG
};

const char *ptx_op_name(enum ptx_op op)
{
	return op == PTX_OP_none ? "" : op_info[op].name;
}

bool ptx_op_modelled(enum ptx_op op)
{
	return op_info[op].kind == NAME_MODELLED;
}

bool ptx_op_unmodelled(enum ptx_op op)
{
	return op_info[op].kind == NAME_UNMODELLED;
}

bool ptx_op_is_prefix(enum ptx_op op)
{
	return op_info[op].kind == NAME_PREFIX;
}

unsigned ptx_mod_since(enum ptx_mod m)
{
	return mod_info[m].since;
}

const char *ptx_mod_name(enum ptx_mod m)
{
	return m == PTX_M_none ? "" : mod_info[m].name;
}

enum ptx_mod_kind ptx_mod_kind(enum ptx_mod m)
{
	return mod_info[m].kind;
}

const char *ptx_space_name(enum ptx_space s)
{
	return space_names[s];
}

const char *ptx_sreg_name(enum ptx_sreg s)
{
	return s == PTX_SR_none ? "" : sreg_info[s].name;
}

enum ptx_type ptx_sreg_type(enum ptx_sreg s)
{
	return (enum ptx_type)sreg_info[s].type;
}

const struct ptx_sreg_info *ptx_sreg_info(enum ptx_sreg s)
{
	return &sreg_info[s];
}

const char *ptx_reg_name(const struct ptx_function *f, uint32_t reg, char *buf, unsigned n)
{
	const struct ptx_reg_range *range = &f->ranges[f->regs[reg].range];
	if (range->count)
		snprintf(buf, n, "%s%u", range->name, f->regs[reg].number);
	else
		snprintf(buf, n, "%s", range->name);
	return buf;
}
