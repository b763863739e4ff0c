// SPDX-License-Identifier: Apache-2.0
#include "templates.h"

#include <stdio.h>

/* Operation to encode, and the class of the operation. */
struct kind {
	enum template_class class;
	enum wl_uop uop;
	uint8_t op, size; /* op of LDSM and STSM: a 1 bit for each matrix */
	uint32_t flags;
	uint8_t type;
};

static const struct kind kinds[] = {
        {CLASS_LDS, WL_UOP_LDS, 0, 4, 0, 0},
        {CLASS_STS, WL_UOP_STS, 0, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_ADD, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_MIN, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_MIN, 4, WL_F_SIGNED, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_MAX, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_MAX, 4, WL_F_SIGNED, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_INC, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_DEC, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_AND, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_OR, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_XOR, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_EXCH, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS_CAS, 0, 4, 0, 0},
        {CLASS_ATOMS, WL_UOP_ATOMS, WL_ATOM_ADD, 4, WL_F_ONE, 0}, /* POPC.INC, if the architecture has POPC.INC */
        {CLASS_CAST, WL_UOP_ATOMS_CAST, 0, 4, 0, 0},
        {CLASS_CAST, WL_UOP_ATOMS_CAST, 0, 4, WL_F_SPIN, 0},
        {CLASS_CAST, WL_UOP_ATOMS_CAST_P, 0, 4, 0, 0}, /* if the architecture has CAST with a predicate */
        {CLASS_CAST, WL_UOP_ATOMS_CAST_P, 0, 4, WL_F_SPIN, 0},
        {CLASS_LDS_SUB, WL_UOP_LDS, 0, 1, 0, 0},
        {CLASS_LDS_SUB, WL_UOP_LDS, 0, 1, WL_F_SIGNED, 0},
        {CLASS_LDS_SUB, WL_UOP_LDS, 0, 2, 0, 0},
        {CLASS_LDS_SUB, WL_UOP_LDS, 0, 2, WL_F_SIGNED, 0},
        {CLASS_STS_SUB, WL_UOP_STS, 0, 1, 0, 0},
        {CLASS_STS_SUB, WL_UOP_STS, 0, 2, 0, 0},
        {CLASS_LDS_WIDE, WL_UOP_LDS, 0, 8, 0, 0},
        {CLASS_LDS_WIDE, WL_UOP_LDS, 0, 16, 0, 0},
        {CLASS_STS_WIDE, WL_UOP_STS, 0, 8, 0, 0},
        {CLASS_STS_WIDE, WL_UOP_STS, 0, 16, 0, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS, WL_ATOM_EXCH, 8, 0, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS_CAS, 0, 8, 0, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS_CAST, 0, 8, 0, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS_CAST, 0, 8, WL_F_SPIN, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS_CAST_P, 0, 8, WL_F_SPIN, 0},
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS, WL_ATOM_EXCH, 16, 0, 0}, /* if the architecture has ATOMS of 128 bits */
        {CLASS_ATOMS_WIDE, WL_UOP_ATOMS_CAS, 0, 16, 0, 0},
        {CLASS_LDSM, WL_UOP_LDSM, 1, 16, 0, 0},
        {CLASS_LDSM, WL_UOP_LDSM, 1, 16, 0, 1},
        {CLASS_LDSM, WL_UOP_LDSM, 3, 16, 0, 0},
        {CLASS_LDSM, WL_UOP_LDSM, 3, 16, 0, 1},
        {CLASS_LDSM, WL_UOP_LDSM, 15, 16, 0, 0},
        {CLASS_LDSM, WL_UOP_LDSM, 15, 16, 0, 1},
        {CLASS_STSM, WL_UOP_STSM, 1, 16, 0, 0}, /* if the architecture has STSM */
        {CLASS_STSM, WL_UOP_STSM, 1, 16, 0, 1},
        {CLASS_STSM, WL_UOP_STSM, 3, 16, 0, 0},
        {CLASS_STSM, WL_UOP_STSM, 3, 16, 0, 1},
        {CLASS_STSM, WL_UOP_STSM, 15, 16, 0, 0},
        {CLASS_STSM, WL_UOP_STSM, 15, 16, 0, 1},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_ADD, 4, 0, WL_AT_F32},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_ADD, 8, 0, WL_AT_F64},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_ADD, 4, 0, WL_AT_F16X2},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_ADD, 4, 0, WL_AT_BF16X2},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_ADD, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_AND, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_OR, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_XOR, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_MIN, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_MAX, 8, 0, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_MIN, 8, WL_F_SIGNED, WL_AT_INT},
        {CLASS_NATIVE, WL_UOP_ATOMSN, WL_ATOM_MAX, 8, WL_F_SIGNED, WL_AT_INT},
        {CLASS_ILLEGAL, WL_UOP_ATOMSN, WL_ATOM_ADD, 4, 0, WL_AT_F32}, /* for models without native operations */
        {CLASS_ILLEGAL, WL_UOP_ATOMSN, WL_ATOM_ADD, 8, 0, WL_AT_F64},
        {CLASS_ILLEGAL, WL_UOP_ATOMSN, WL_ATOM_MAX, 8, WL_F_SIGNED, WL_AT_INT},
        {CLASS_ILLEGAL, WL_UOP_ATOMS, WL_ATOM_ADD, 8, WL_F_ILLEGAL, 0},
        {CLASS_ILLEGAL, WL_UOP_ATOMS, WL_ATOM_XOR, 8, WL_F_ILLEGAL, 0},
        {CLASS_ILLEGAL, WL_UOP_ATOMS, WL_ATOM_MIN, 8, WL_F_ILLEGAL, 0},
};

/* Address forms: Ra or RZ, an offset of either sign, a scale, a uniform register. */
enum form {
	FORM_PLAIN,
	FORM_OFFSET,
	FORM_NEGATIVE,
	FORM_X4,
	FORM_X8,
	FORM_X16,
	FORM_UR,
	FORM_UR_NEGATIVE,
	FORM_UR_ALONE, /* Ra = RZ */
	FORM_UR_ALONE_NEGATIVE,
	FORM_ABSOLUTE, /* neither: the offset is the address */
	FORM_FAR,      /* the same, with the highest offset bit set */
	FORM_COUNT
};

static bool has_ur(enum form form)
{
	return form >= FORM_UR && form <= FORM_UR_ALONE_NEGATIVE;
}

static int32_t some_offset(enum form form, int32_t unit, struct rng *rng)
{
	const uint32_t most = 0x7fffff / (uint32_t)unit - 1;
	switch (form) {
	case FORM_PLAIN:
		return 0;
	case FORM_NEGATIVE:
	case FORM_UR_NEGATIVE:
	case FORM_UR_ALONE_NEGATIVE:
		return -unit * (1 + (int32_t)rng_below(rng, most));
	case FORM_ABSOLUTE:
		return unit * (int32_t)rng_below(rng, 512 / (uint32_t)unit);
	case FORM_FAR:
		return -unit * (1 + (int32_t)rng_below(rng, 64));
	default:
		return unit * (int32_t)rng_below(rng, most);
	}
}

/* A register for an operand of `size` bytes: aligned as by the real assembler, never RZ. */
static uint8_t some_register(struct rng *rng, unsigned size)
{
	const unsigned n = size > 4 ? size / 4 : 1;
	return (uint8_t)(rng_below(rng, 240 / n) * n);
}

/* Posted requests have no result: stores, and atomics without a destination. */
static struct wl_inst draw(const struct kind *k, enum form form, bool dropped, struct rng *rng)
{
	struct wl_inst in = wl_inst_make(k->uop);
	const bool loads = k->uop == WL_UOP_LDS || k->uop == WL_UOP_LDSM;
	const bool stores = k->uop == WL_UOP_STS || k->uop == WL_UOP_STSM;
	if (k->class == CLASS_LDSM || k->class == CLASS_STSM)
		in.lut = k->op;
	else
		in.op = k->op;
	in.size = k->size;
	in.flags = k->flags;
	in.type = k->type;
	if (form < FORM_UR_ALONE)
		in.ra = some_register(rng, 4);
	const bool one = k->flags & WL_F_ONE; /* no operand and no result */
	if (!loads && !one)
		in.rb = some_register(rng, k->size);
	const bool told = k->uop == WL_UOP_ATOMS_CAST_P;
	if (k->uop == WL_UOP_ATOMS_CAS || k->uop == WL_UOP_ATOMS_CAST || told)
		in.rc = some_register(rng, k->size);
	if (told && !dropped)
		in.pd[0] = (uint8_t)rng_below(rng, 7);
	if (!stores && !one && !told)
		in.rd = dropped ? WL_RZ : some_register(rng, k->size);
	in.off = some_offset(form, k->size > 4 ? k->size : 4, rng);
	if (form == FORM_X4 || form == FORM_X8 || form == FORM_X16)
		in.xn = form == FORM_X4 ? 2 : form == FORM_X8 ? 3 : 4;
	if (has_ur(form))
		in.ur = (uint8_t)rng_below(rng, 60);
	return in;
}

bool templates_fill(struct templates *t, enum wl_arch arch, struct rng *rng, char *why, size_t whyn)
{
	for (unsigned c = 0; c < CLASS_COUNT; c++)
		t->n[c] = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct kind *k = &kinds[i];
		unsigned encoded = 0;
		const char *reason = "";
		for (unsigned n = 0; n < 2 * FORM_COUNT; n++) {
			const enum form form = (enum form)(n % FORM_COUNT);
			const struct wl_inst in =
			        draw(k, form, n % (k->uop == WL_UOP_LDS || k->uop == WL_UOP_LDSM ? 8 : 4) == 3, rng);
			struct template *row = &t->row[k->class][t->n[k->class]];
			if (t->n[k->class] == TEMPLATES_PER_CLASS)
				break;
			/* some forms do not exist for some operations and architectures */
			if (wl_encode(arch, &in, &row->word, &reason) != WL_OK ||
			    wl_decode(arch, row->word, &row->inst) != WL_OK)
				continue;
			row->posted = wl_inst_posted(&row->inst);
			row->one_address = form >= FORM_UR_ALONE;
			row->far = form == FORM_FAR;
			t->n[k->class]++;
			encoded++;
		}
		const bool may_lack = k->flags & WL_F_ONE || (k->uop == WL_UOP_ATOMS_CAST_P && arch < WL_SM100) ||
		                      (k->uop == WL_UOP_STSM && arch < WL_SM90) ||
		                      (k->class == CLASS_ATOMS_WIDE && k->size == 16 && arch < WL_SM90);
		if (!encoded && !may_lack) {
			snprintf(why, whyn, "%s, operation %u, %u bytes has no encoding: %s", wl_uop_name(k->uop),
			         k->op, k->size, reason ? reason : "");
			return false;
		}
	}
	return true;
}
