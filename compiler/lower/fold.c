// SPDX-License-Identifier: Apache-2.0
/* fold.c -- copies, literals, constant-bank operands and address arithmetic go into the instructions that use the
 * value.
 *
 * The pass looks through a word with a single, unguarded definition that dominates the use. The words read by this
 * definition must be of the same kind, with definitions that dominate the reader. Then no word can have changed in
 * between: a path with a second write of a source would also pass the definition again. A source with its only
 * definition later in a loop has another value in each round, and none in the first. Within a block no write of the
 * source since is enough. Instructions are changed in place; dead.c removes unused instructions. */
#include "values.h"

struct fold {
	struct values v;
	struct mfunc *f;
	struct literal *literals; /* put into registers at the entry */
	uint32_t nliterals;
};

enum { MAX_LITERALS = 4 };

struct literal {
	uint32_t value;
	ref r;
};

static bool plain(const struct minst *in)
{
	return !in->w.neg && !in->w.abs && !in->w.inv;
}

static bool has_literal(const struct minst *in)
{
	for (unsigned i = 0; i < 3; i++)
		if (in->w.src[i] == WL_SRC_IMM || in->w.src[i] == WL_SRC_CONST || in->w.src[i] == WL_SRC_UREG)
			return true;
	return false;
}

static ref *source_ref(struct minst *in, unsigned i)
{
	return i == 0 ? &in->ra : i == 1 ? &in->rb : &in->rc;
}

static void move_bit(uint8_t *bits, unsigned i, unsigned k)
{
	uint8_t bi = (*bits >> i) & 1, bk = (*bits >> k) & 1;
	*bits = (uint8_t)((*bits & ~(1u << i) & ~(1u << k)) | (unsigned)(bi << k) | (unsigned)(bk << i));
}

static void swap_sources(struct minst *in, unsigned i, unsigned k)
{
	ref r = *source_ref(in, i);
	uint8_t kind = in->w.src[i];

	*source_ref(in, i) = *source_ref(in, k);
	*source_ref(in, k) = r;
	in->w.src[i] = in->w.src[k];
	in->w.src[k] = kind;
	move_bit(&in->w.neg, i, k);
	move_bit(&in->w.abs, i, k);
	move_bit(&in->w.inv, i, k);
}

static uint8_t mirrored(uint8_t op)
{
	switch (op) {
	case WL_CMP_LT:
		return WL_CMP_GT;
	case WL_CMP_LE:
		return WL_CMP_GE;
	case WL_CMP_GT:
		return WL_CMP_LT;
	case WL_CMP_GE:
		return WL_CMP_LE;
	default:
		return op;
	}
}

/* The table of LOP3 with A and B exchanged. */
static uint8_t lut_swapped_ab(uint8_t lut)
{
	return (uint8_t)((lut & 0xc3) | ((lut & 0x30) >> 2) | ((lut & 0x0c) << 2));
}

/* Makes source i literal-capable by moving the source to B; false where the operation does not allow the move. */
static bool move_to_b(struct minst *in, unsigned i)
{
	if (i == 1)
		return true;
	if (in->w.src[1] != WL_SRC_REG)
		return false;
	switch (in->w.uop) {
	case WL_UOP_IADD3:
		swap_sources(in, i, 1);
		return true;
	case PSEUDO_ADD64:
	case WL_UOP_IMAD:
	case WL_UOP_IMAD_WIDE:
	case WL_UOP_IMNMX:
	case WL_UOP_FADD:
	case WL_UOP_FMUL:
	case WL_UOP_FFMA:
		if (i != 0)
			return false;
		swap_sources(in, 0, 1);
		return true;
	case WL_UOP_ISETP:
		if (i != 0)
			return false;
		swap_sources(in, 0, 1);
		in->w.op = mirrored(in->w.op);
		return true;
	case WL_UOP_LOP3:
		if (i != 0)
			return false;
		swap_sources(in, 0, 1);
		in->w.lut = lut_swapped_ab(in->w.lut);
		return true;
	default:
		return false;
	}
}

/* A literal with the source's negation and magnitude; false where the literal alone cannot express both. */
static bool marked_literal(const struct minst *in, unsigned i, uint32_t *value)
{
	bool neg = in->w.neg >> i & 1;
	if (in->w.flags & WL_F_XORSIGN)
		return false; /* asks for the sign in spite of the magnitude */
	if (minst_has(in, WL_TRAIT(FLOAT_SOURCES))) {
		if (in->w.abs >> i & 1)
			*value &= 0x7fffffff;
		if (neg)
			*value ^= 0x80000000;
		return true;
	}
	if (!neg)
		return true;
	if (in->w.flags & WL_F_X)
		*value = ~*value; /* with .X a negation means the complement */
	else if (in->pd[0] != REF_NONE)
		return false; /* the carry of a - b differs from the carry of a + (-b) */
	else
		*value = -*value;
	return true;
}

static bool put_literal(const struct fold *fo, struct minst *in, unsigned i, const struct minst *mov)
{
	enum wl_src kind = (enum wl_src)mov->w.src[1];
	bool imm = kind == WL_SRC_IMM;
	uint32_t value = mov->w.imm;
	unsigned at = i;
	if (has_literal(in))
		return false;
	if (minst_has(in, WL_TRAIT(COLLECTIVE) | WL_TRAIT(BARRIER) | WL_TRAIT(CONVERGES)))
		return false; /* literals chosen by selection have fields and limits of their own */
	if (!mfunc_takes(fo->f, in->w.uop, at, kind)) {
		if (!mfunc_takes(fo->f, in->w.uop, 1, kind) || !move_to_b(in, at))
			return false;
		at = 1;
	}
	if (imm) {
		if (!marked_literal(in, at, &value))
			return false;
		in->w.neg &= (uint8_t) ~(1u << at);
		in->w.abs &= (uint8_t) ~(1u << at);
		in->w.imm = value;
	} else {
		in->w.cbank = mov->w.cbank;
		in->w.coff = mov->w.coff;
	}
	in->w.src[at] = (uint8_t)kind;
	*source_ref(in, at) = REF_NONE;
	return true;
}

/* One-word ALU source i. */
static void propagate_word(struct fold *fo, struct minst *in, unsigned i)
{
	for (unsigned steps = 0; steps < 8; steps++) {
		ref *r = source_ref(in, i);
		const struct minst *mov = value_of(&fo->v, *r);

		if (!mov || mov->w.uop != WL_UOP_MOV || mov->w.src[1] == WL_SRC_UREG)
			return;
		if (mov->w.src[1] != WL_SRC_REG) {
			put_literal(fo, in, i, mov);
			return;
		}
		if (!value_lasts(&fo->v, mov, mov->rb))
			return;
		*r = mov->rb;
	}
}

/* Pair source i of an ALU or pseudo instruction. */
static void propagate_pair(struct fold *fo, struct minst *in, unsigned i)
{
	for (unsigned steps = 0; steps < 8; steps++) {
		ref *r = source_ref(in, i);
		const struct minst *mov = value_of_pair(&fo->v, *r);

		if (!mov || mov->w.uop != PSEUDO_MOV64)
			return;
		if (mov->w.src[1] == WL_SRC_REG) {
			if (!value_lasts_pair(&fo->v, mov, mov->rb))
				return;
			*r = mov->rb;
			continue;
		}
		if (has_literal(in))
			return;
		if (in->w.uop == PSEUDO_ADD64 || in->w.uop == PSEUDO_MOV64) {
			if (!move_to_b(in, i))
				return;
			in->w.src[1] = mov->w.src[1];
			in->imm64 = mov->imm64;
			in->w.coff = mov->w.coff;
			in->rb = REF_NONE;
		} else if (in->w.uop == WL_UOP_IMAD_WIDE && mov->w.src[1] == WL_SRC_CONST) {
			in->w.src[2] = WL_SRC_CONST;
			in->w.coff = mov->w.coff;
			in->rc = REF_NONE;
		}
		return;
	}
}

static bool adds_literal(const struct minst *d)
{
	return d->w.uop == WL_UOP_IADD3 && d->w.src[1] == WL_SRC_IMM && d->rc == REF_NONE && plain(d) &&
	       d->pd[0] == REF_NONE && d->pd[1] == REF_NONE && !(d->w.flags & WL_F_X);
}

/* Address of shared (or local) memory: one word. Addresses of mbarriers and of matrices have no scale. */
static void fold_address_word(struct fold *fo, struct minst *in)
{
	const struct minst *d;
	while ((d = value_of(&fo->v, in->ra)) != NULL) {
		int64_t off = in->w.off;
		if (d->w.uop == WL_UOP_MOV && d->w.src[1] == WL_SRC_REG && value_lasts(&fo->v, d, d->rb)) {
			if (d->rb == REF_NONE && off < 0)
				return;
			in->ra = d->rb;
		} else if (d->w.uop == WL_UOP_MOV && d->w.src[1] == WL_SRC_IMM) {
			off += (int64_t)((uint64_t)d->w.imm << in->w.xn);
			if (off < 0 || off >= 1 << 24)
				return;
			in->ra = REF_NONE;
			in->w.xn = 0;
			in->w.off = (int32_t)off;
			return;
		} else if (adds_literal(d) && value_lasts(&fo->v, d, d->ra) && d->ra != REF_NONE) {
			off += (int64_t)(int32_t)d->w.imm * (1 << in->w.xn);
			if (!fits_offset(fo->f, off))
				return;
			in->ra = d->ra;
			in->w.off = (int32_t)off;
		} else if (minst_has(in, WL_TRAIT(SHARED)) &&
		           !minst_has(in, WL_TRAIT(BARRIER) | WL_TRAIT(COLLECTIVE)) && in->w.xn == 0 &&
		           d->w.uop == WL_UOP_SHF && d->w.src[1] == WL_SRC_IMM && d->w.imm >= 2 && d->w.imm <= 4 &&
		           d->w.flags == WL_F_LEFT && value_lasts(&fo->v, d, d->ra) && ref_is_reg(d->ra)) {
			in->w.xn = (uint8_t)d->w.imm;
			in->ra = d->ra;
		} else {
			return;
		}
	}
}

/* Address of global memory: a pair. */
static void fold_address_pair(struct fold *fo, struct minst *in)
{
	const struct minst *d;
	while ((d = value_of_pair(&fo->v, in->ra)) != NULL) {
		if (d->w.uop == PSEUDO_MOV64 && d->w.src[1] == WL_SRC_REG && ref_is_reg(d->rb) &&
		    value_lasts_pair(&fo->v, d, d->rb)) {
			in->ra = d->rb;
		} else if (d->w.uop == PSEUDO_ADD64 && d->w.src[1] == WL_SRC_IMM && ref_is_reg(d->ra) &&
		           value_lasts_pair(&fo->v, d, d->ra) && fits_field(fo->f, in, in->w.off + (int64_t)d->imm64)) {
			in->w.off += (int32_t)(int64_t)d->imm64;
			in->ra = d->ra;
		} else {
			return;
		}
	}
}

/* Data of stores and atomics: copies only. */
static void propagate_data(struct fold *fo, ref *r, unsigned words)
{
	for (unsigned steps = 0; steps < 8; steps++) {
		const struct minst *mov = words == 2 ? value_of_pair(&fo->v, *r) : value_of(&fo->v, *r);
		if (words == 1 && mov && mov->w.uop == WL_UOP_MOV && mov->w.src[1] == WL_SRC_REG &&
		    value_lasts(&fo->v, mov, mov->rb))
			*r = mov->rb;
		else if (words == 2 && mov && mov->w.uop == PSEUDO_MOV64 && mov->w.src[1] == WL_SRC_REG &&
		         value_lasts_pair(&fo->v, mov, mov->rb))
			*r = mov->rb;
		else if (words == 2 && mov && mov->w.uop == PSEUDO_MOV64 && mov->w.src[1] == WL_SRC_IMM &&
		         mov->imm64 == 0)
			*r = REF_NONE;
		else
			return;
	}
}

static void become_mov(struct minst *in, unsigned kind, ref r, uint32_t imm)
{
	struct minst mov = minst_make(WL_UOP_MOV, in->line);
	mov.guard = in->guard;
	mov.w.guard = in->w.guard;
	mov.rd = in->rd;
	mov.w.src[1] = (uint8_t)kind;
	mov.rb = r;
	mov.w.imm = imm;
	if (kind == WL_SRC_IMM && imm == 0)
		mov.w.src[1] = WL_SRC_REG;
	*in = mov;
}

static void simplify_add(struct fold *fo, struct minst *in)
{
	const struct minst *d;
	if (in->pd[0] != REF_NONE || in->pd[1] != REF_NONE || (in->w.flags & WL_F_X))
		return;
	for (unsigned i = 0; i < 2; i++) /* zeros to the end */
		for (unsigned k = 1; k < 3; k++)
			if (in->w.src[k - 1] == WL_SRC_REG && *source_ref(in, k - 1) == REF_NONE && k == 1 &&
			    in->w.src[1] == WL_SRC_REG && in->rb != REF_NONE)
				swap_sources(in, 0, 1);
	if (!plain(in))
		return;
	if (in->ra == REF_NONE && in->w.src[1] == WL_SRC_IMM && in->rc == REF_NONE) {
		become_mov(in, WL_SRC_IMM, REF_NONE, in->w.imm);
		return;
	}
	if (in->w.src[1] == WL_SRC_REG && in->rb == REF_NONE && in->rc == REF_NONE) {
		become_mov(in, WL_SRC_REG, in->ra, 0);
		return;
	}
	if (in->w.src[1] == WL_SRC_IMM && in->rc == REF_NONE) {
		d = value_of(&fo->v, in->ra);
		if (d && adds_literal(d) && value_lasts(&fo->v, d, d->ra)) {
			in->w.imm += d->w.imm;
			in->ra = d->ra;
			if (in->w.imm == 0)
				become_mov(in, WL_SRC_REG, in->ra, 0);
		}
		return;
	}
	/* a + (x << n) is one LEA */
	for (unsigned i = 0; i < 2 && in->rc == REF_NONE && in->w.src[1] == WL_SRC_REG; i++) {
		d = value_of(&fo->v, *source_ref(in, i));
		if (d && d->w.uop == WL_UOP_SHF && d->w.flags == WL_F_LEFT && d->w.src[1] == WL_SRC_IMM &&
		    d->w.imm < 32 && d->rc == REF_NONE && value_lasts(&fo->v, d, d->ra)) {
			ref other = *source_ref(in, 1 - i);

			in->w.uop = WL_UOP_LEA;
			in->w.shift = (uint8_t)d->w.imm;
			in->ra = d->ra;
			in->rb = other;
			in->rc = REF_NONE;
			in->w.src[2] = WL_SRC_NONE;
			return;
		}
	}
}

/* By nothing, or of a literal. */
static void simplify_shift(const struct fold *fo, struct minst *in)
{
	const bool left = in->w.flags == WL_F_LEFT && in->w.type == WL_SHF_U32;
	const bool right = in->w.flags == WL_F_HI && (in->w.type == WL_SHF_U32 || in->w.type == WL_SHF_S32);
	const unsigned of = left ? 0 : 2, other = 2 - of;
	const bool none = in->w.src[1] == WL_SRC_REG && in->rb == REF_NONE;
	const struct minst *mov;
	uint32_t value, by;
	if ((!left && !right) || !plain(in) || (in->w.src[1] != WL_SRC_IMM && !none) ||
	    in->w.src[other] == WL_SRC_IMM || in->w.src[other] == WL_SRC_CONST || *source_ref(in, other) != REF_NONE)
		return;
	by = none ? 0 : in->w.imm;
	if (in->w.src[of] == WL_SRC_IMM && none) {
		value = in->w.imm;
	} else if (in->w.src[of] == WL_SRC_REG && *source_ref(in, of) == REF_NONE) {
		value = 0;
	} else if (in->w.src[of] == WL_SRC_REG) {
		mov = value_of(&fo->v, *source_ref(in, of));
		if (!by) {
			become_mov(in, WL_SRC_REG, *source_ref(in, of), 0);
			return;
		}
		if (!mov || mov->w.uop != WL_UOP_MOV || mov->w.src[1] != WL_SRC_IMM)
			return;
		value = mov->w.imm;
	} else {
		return;
	}
	if (by >= 32)
		return;
	become_mov(in, WL_SRC_IMM, REF_NONE,
	           left                       ? value << by
	           : in->w.type == WL_SHF_S32 ? (uint32_t)((int32_t)value >> by)
	                                      : value >> by);
}

/* The lane and the clamp of a shuffle: in other fields than literals of arithmetic. */
static void fold_shuffle(const struct fold *fo, struct minst *in)
{
	for (unsigned i = 1; i < 3; i++)
		for (unsigned steps = 0; steps < 8 && in->w.src[i] == WL_SRC_REG; steps++) {
			ref *r = source_ref(in, i);
			const struct minst *mov = value_of(&fo->v, *r);
			if (*r != REF_NONE && (!mov || mov->w.uop != WL_UOP_MOV))
				break;
			if (mov && mov->w.src[1] == WL_SRC_REG && mov->rb != REF_NONE) {
				if (!value_lasts(&fo->v, mov, mov->rb))
					break;
				*r = mov->rb;
				continue;
			}
			if (mov && mov->w.src[1] != WL_SRC_IMM && mov->w.src[1] != WL_SRC_REG)
				break;
			if (i == 1)
				in->w.imm = mov ? mov->w.imm & 31 : 0;
			else
				in->w.imm2 = mov ? mov->w.imm & 0x1f1f : 0;
			*r = REF_NONE;
			in->w.src[i] = WL_SRC_IMM;
		}
}

static void simplify_multiply(struct minst *in)
{
	if (!plain(in) || (in->w.flags & WL_F_X) || in->w.src[1] != WL_SRC_IMM)
		return;
	if (in->w.imm == 1 && in->rc == REF_NONE)
		become_mov(in, WL_SRC_REG, in->ra, 0);
}

/* The register with a literal from the entry on; REF_NONE with too many literals. */
static ref literal_register(struct fold *fo, uint32_t value)
{
	for (uint32_t k = 0; k < fo->nliterals; k++)
		if (fo->literals[k].value == value)
			return fo->literals[k].r;
	if (fo->nliterals == MAX_LITERALS)
		return REF_NONE;
	fo->literals[fo->nliterals] = (struct literal){value, mfunc_new_reg(fo->f, 1) << 2};
	return fo->literals[fo->nliterals++].r;
}

/* a * b + 0 (64 bits) and the addition of a pair become one instruction. */
static void fuse_wide(struct fold *fo, struct minst *in)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct minst *m = in->w.src[i] == WL_SRC_REG ? value_of_pair(&fo->v, *source_ref(in, i)) : NULL;
		unsigned other = 1 - i;
		struct minst wide;
		if (!m || m->w.uop != WL_UOP_IMAD_WIDE || m->w.src[2] != WL_SRC_REG || m->rc != REF_NONE || !plain(m) ||
		    ref_word(*source_ref(in, i)) != 0 || !value_lasts(&fo->v, m, m->ra) ||
		    (m->w.src[1] == WL_SRC_REG && !value_lasts(&fo->v, m, m->rb)))
			continue;
		if (in->w.src[other] == WL_SRC_IMM || (in->w.src[other] == WL_SRC_CONST && m->w.src[1] == WL_SRC_CONST))
			continue;
		wide = *m;
		if (in->w.src[other] == WL_SRC_CONST && m->w.src[1] == WL_SRC_IMM) {
			wide.rb = literal_register(fo, m->w.imm);
			wide.w.src[1] = WL_SRC_REG;
			wide.w.imm = 0;
			if (wide.rb == REF_NONE)
				continue;
		}
		wide.line = in->line;
		wide.guard = in->guard;
		wide.w.guard = in->w.guard;
		wide.rd = in->rd;
		wide.w.src[2] = in->w.src[other];
		wide.rc = *source_ref(in, other);
		if (in->w.src[other] == WL_SRC_CONST)
			wide.w.coff = in->w.coff;
		*in = wide;
		return;
	}
}

static void become_copy64(struct minst *in)
{
	struct minst mov = minst_make(PSEUDO_MOV64, in->line);
	mov.guard = in->guard;
	mov.w.guard = in->w.guard;
	mov.fresh = in->fresh;
	mov.rd = in->rd;
	mov.w.src[1] = WL_SRC_REG;
	mov.rb = in->ra;
	*in = mov;
}

static void fold_arithmetic(struct fold *fo, struct minst *in)
{
	for (unsigned i = 0; i < 3; i++) {
		unsigned words = minst_words(in, WL_REG_RA + i);
		if (!words || in->w.src[i] != WL_SRC_REG)
			continue;
		if (words == 1)
			propagate_word(fo, in, i);
		else
			propagate_pair(fo, in, i);
	}
	if (in->w.uop == WL_UOP_IADD3)
		simplify_add(fo, in);
	else if (in->w.uop == WL_UOP_IMAD)
		simplify_multiply(in);
	else if (in->w.uop == WL_UOP_SHF)
		simplify_shift(fo, in);
	else if (in->w.uop == PSEUDO_ADD64 &&
	         ((in->w.src[1] == WL_SRC_IMM && !in->imm64) || (in->w.src[1] == WL_SRC_REG && in->rb == REF_NONE)))
		become_copy64(in);
	else if (in->w.uop == PSEUDO_ADD64)
		fuse_wide(fo, in);
}

static void fold_one(struct fold *fo, struct minst *in)
{
	unsigned data;
	if (minst_has(in, WL_TRAIT(SHARED) | WL_TRAIT(LOCAL))) {
		if (minst_words(in, WL_REG_RA) < 2) /* an address beside the address of an mbarrier stays */
			fold_address_word(fo, in);
	} else if (minst_has(in, WL_TRAIT(GLOBAL) | WL_TRAIT(GENERIC))) {
		fold_address_pair(fo, in);
	} else {
		fold_arithmetic(fo, in);
		if (in->w.uop == WL_UOP_SHFL)
			fold_shuffle(fo, in);
		return;
	}
	data = minst_words(in, WL_REG_RB);
	if (data && !minst_words(in, WL_REG_RC)) /* the values of a compare-and-swap are neighbours: see selection */
		propagate_data(fo, &in->rb, data);
}

static void load_literals(struct fold *fo)
{
	struct mblock *entry = fo->f->blocks[0];
	for (uint32_t k = 0; k < fo->nliterals; k++) {
		struct minst in = minst_make(WL_UOP_MOV, entry->n ? entry->ins[0].line : fo->f->src->pos.line);
		in.rd = fo->literals[k].r;
		in.w.src[1] = WL_SRC_IMM;
		in.w.imm = fo->literals[k].value;
		mblock_insert(fo->f, entry, 0, &in);
	}
}

void lower_fold(struct mfunc *f)
{
	struct fold fo = {.f = f, .literals = arena_alloc(f->arena, MAX_LITERALS * sizeof *fo.literals)};
	values_init(&fo.v, f);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		fo.v.block = b->id;
		for (fo.v.index = 0; fo.v.index < b->n; fo.v.index++) {
			fold_one(&fo, &b->ins[fo.v.index]);
			values_pass(&fo.v, &b->ins[fo.v.index]);
		}
	}
	load_literals(&fo);
}
