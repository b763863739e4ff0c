// SPDX-License-Identifier: Apache-2.0
/* select_atomic.c -- atom and red: the requested operation, and its row of atomic.def. */
#include "atomic.h"
#include "order.h"
#include "vector.h"

int atomic_operation(unsigned mod)
{
	switch (mod) {
	case PTX_M_add:
		return WL_ATOM_ADD;
	case PTX_M_min:
		return WL_ATOM_MIN;
	case PTX_M_max:
		return WL_ATOM_MAX;
	case PTX_M_inc:
		return WL_ATOM_INC;
	case PTX_M_dec:
		return WL_ATOM_DEC;
	case PTX_M_and:
		return WL_ATOM_AND;
	case PTX_M_or:
		return WL_ATOM_OR;
	case PTX_M_xor:
		return WL_ATOM_XOR;
	case PTX_M_exch:
		return WL_ATOM_EXCH;
	case PTX_M_cas:
		return ATOMIC_CAS;
	default:
		return -1;
	}
}

static int type_of(unsigned type)
{
	switch (type) {
	case PTX_T_f32:
		return TYPE_F32;
	case PTX_T_f64:
		return TYPE_F64;
	case PTX_T_f16:
		return TYPE_F16;
	case PTX_T_bf16:
		return TYPE_BF16;
	case PTX_T_f16x2:
		return TYPE_F16X2;
	case PTX_T_bf16x2:
		return TYPE_BF16X2;
	default:
		return type_float(type)         ? -1
		       : type_bits(type) == 16  ? TYPE_HALF
		       : type_bits(type) == 32  ? TYPE_INT32
		       : type_bits(type) == 64  ? TYPE_INT64
		       : type_bits(type) == 128 ? TYPE_INT128
		                                : -1;
	}
}

static int vector_of(int type)
{
	switch (type) {
	case TYPE_F32:
		return TYPE_F32_VECTOR;
	case TYPE_F16:
	case TYPE_F16X2:
		return TYPE_F16_VECTOR;
	case TYPE_BF16:
	case TYPE_BF16X2:
		return TYPE_BF16_VECTOR;
	default:
		return -1;
	}
}

static int space_of(unsigned space)
{
	switch (space) {
	case PTX_SP_shared:
	case PTX_SP_shared_cta:
		return ATOMIC_SHARED;
	case PTX_SP_global:
		return ATOMIC_GLOBAL;
	case PTX_SP_none:
	case PTX_SP_shared_cluster:
		return ATOMIC_GENERIC;
	default:
		return -1;
	}
}

static bool find_row(enum wl_arch arch, bool native, struct atomic *a)
{
	enum {
		ADD = 1 << WL_ATOM_ADD,
		MIN = 1 << WL_ATOM_MIN,
		MAX = 1 << WL_ATOM_MAX,
		INC = 1 << WL_ATOM_INC,
		DEC = 1 << WL_ATOM_DEC,
		AND = 1 << WL_ATOM_AND,
		OR = 1 << WL_ATOM_OR,
		XOR = 1 << WL_ATOM_XOR,
		EXCH = 1 << WL_ATOM_EXCH,
		CAS = 1 << ATOMIC_CAS
	};
	enum { INT32 = TYPE_INT32, INT64 = TYPE_INT64, F32 = TYPE_F32, F64 = TYPE_F64, F16_X2 = TYPE_F16X2 };
	enum { BF16X2 = TYPE_BF16X2, HALF = TYPE_HALF, F16 = TYPE_F16, BF16 = TYPE_BF16 };
	enum { NATIVE = SHELL_NATIVE, SPIN = SHELL_SPIN, HALFWORD = SHELL_HALFWORD, TRY = SHELL_TRY };
	enum { TRYFAR = SHELL_TRY_FAR, TRYPLAIN = SHELL_TRY_PLAIN, NONE = SHELL_NONE };
	enum { INT128 = TYPE_INT128, F32V = TYPE_F32_VECTOR, F16V = TYPE_F16_VECTOR, BF16V = TYPE_BF16_VECTOR };
	static const struct {
		uint16_t operations, from;
		uint8_t type, shell[3], member;
	} rows[] = {
#define ATOMIC(operations, type, from, shared, global, generic, member)                                                \
	{operations, from, type, {shared, global, generic}, member},
#define BEYOND(operations, type, from, member)
#include "atomic.def"
	};
	static const struct {
		uint16_t operations, from;
		uint8_t type, member;
	} beyond[] = {
#define ATOMIC(operations, type, from, shared, global, generic, member)
#define BEYOND(operations, type, from, member) {operations, from, type, member},
#include "atomic.def"
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!(rows[i].operations >> a->op & 1) || rows[i].type != a->type || (unsigned)arch < rows[i].from)
			continue;
		a->shell = rows[i].shell[a->space];
		a->shared_shell = rows[i].shell[ATOMIC_SHARED];
		a->member = rows[i].member;
		break;
	}
	for (unsigned i = 0; i < sizeof beyond / sizeof *beyond && native; i++) {
		if (!(beyond[i].operations >> a->op & 1) || beyond[i].type != a->type ||
		    (unsigned)arch < beyond[i].from)
			continue;
		a->beyond = true;
		a->shared_member = beyond[i].member;
		a->shared_shell = SHELL_NATIVE;
		if (a->space == ATOMIC_SHARED)
			a->shell = SHELL_NATIVE;
	}
	return a->shell != SHELL_NONE;
}

static bool read_address(struct select *s, const struct ptx_operand *o, struct atomic *a)
{
	static const unsigned spaces[] = {PTX_SP_shared, PTX_SP_global, PTX_SP_none};
	if (s->i->space[0] == PTX_SP_shared_cluster && a->space == ATOMIC_GENERIC)
		return select_cluster_address(s, o, &a->at);
	return select_address(s, o, spaces[a->space], &a->at);
}

static bool read_operands(struct select *s, struct atomic *a, bool red)
{
	const struct ptx_operand *o = s->i->ops + (red ? 0 : 1);
	if (!read_address(s, &o[0], a))
		return false;
	if (!red && !select_unread(s, &s->i->ops[0]))
		a->d = s->i->vec > 1 ? select_tmp(s, a->bits / 32) : select_dst(s, 0);
	if (s->i->vec > 1)
		a->b = val_reg(vector_pack(s, o[1].list, s->i->vec, type_bits(s->i->type[0]) / 8));
	else
		a->b = select_src(s, red ? 1 : 2, a->bits);
	if (a->op == ATOMIC_CAS)
		a->c = select_src(s, red ? 2 : 3, a->bits);
	return true;
}

static void write_elements(struct select *s, const struct atomic *a)
{
	const struct ptx_operand *o = &s->i->ops[0];
	for (unsigned k = 0; a->d != REF_NONE && k < s->i->vec; k++)
		if (o->list[k].kind == PTX_O_REG)
			select_mov(s, select_operand_reg(s, &o->list[k]),
			           val_reg(vector_element(s, a->d, k, type_bits(s->i->type[0]) / 8, false)));
}

/* ATOMS.POPC.INC, from sm_80 on. */
static bool counts_one(const struct select *s, const struct atomic *a)
{
	return s->f->arch >= WL_SM80 && a->space == ATOMIC_SHARED && a->op == WL_ATOM_ADD && a->type == TYPE_INT32 &&
	       !a->sign && a->b.kind == WL_SRC_IMM && a->b.imm == 1 && a->d == REF_NONE && !a->acquires;
}

bool select_atomic(struct select *s)
{
	const struct ptx_instr *i = s->i;
	const bool multimem = i->op == PTX_OP_multimem_red; /* of global memory, also without a named space */
	bool red = i->op == PTX_OP_red || multimem;
	int op = atomic_operation(i->operation), space = multimem ? ATOMIC_GLOBAL : space_of(i->space[0]), type;
	enum ordered what = space == ATOMIC_SHARED ? ORDERED_SHARED : ORDERED_ACCESS;
	struct atomic a = {.d = REF_NONE, .shell = SHELL_NONE};
	struct mblock *behind = NULL;
	if ((i->op != PTX_OP_atom && !red) || op < 0 || space < 0 || i->ntypes != 1)
		return false;
	if (space == ATOMIC_GENERIC && select_space_of_name(&i->ops[red ? 0 : 1]) == PTX_SP_shared) {
		space = ATOMIC_SHARED;
		what = ORDERED_SHARED;
	}
	if (i->space[0] == PTX_SP_shared_cluster && select_names_variable(&i->ops[red ? 0 : 1])) {
		space = ATOMIC_SHARED; /* this CTA's */
		what = ORDERED_SHARED;
	}
	type = type_of(i->type[0]);
	if (i->vec > 1)
		type = vector_of(type);
	if (type < 0)
		return false;
	a.op = (unsigned)op;
	a.type = (enum atomic_type)type;
	a.space = (enum atomic_space)space;
	a.bits = type_bits(i->type[0]) * (i->vec > 1 ? i->vec : 1);
	a.sign = type_signed(i->type[0]);
	a.acquires = i->order == PTX_M_acquire || i->order == PTX_M_acq_rel;
	if (!find_row(s->f->arch, s->f->native_shared, &a))
		return false;
	if (!read_operands(s, &a, red))
		return true;
	if (ptx_has(i, PTX_M_noftz) && a.member == WL_AT_F32_FTZ)
		a.member = WL_AT_F32;
	a.one = counts_one(s, &a);
	a.fenced = order_beside(s);
	a.same_address = !a.one && select_same(s, &i->ops[red ? 0 : 1]);
	a.same_value = select_same(s, &i->ops[red ? 1 : 2]);
	if (a.same_address || a.shell != SHELL_NATIVE || (i->order != PTX_M_none && i->order != PTX_M_relaxed))
		behind = select_guard_around(s);
	if (!a.fenced)
		order_before(s, what, i->order, i->scope);
	if (!atomic_aggregate(s, &a))
		atomic_emit(s, &a);
	if (i->vec > 1)
		write_elements(s, &a);
	if (!a.fenced)
		order_behind(s, what, i->order, i->scope);
	if (behind)
		select_fall(s, behind);
	return true;
}
