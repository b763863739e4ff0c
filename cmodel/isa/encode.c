// SPDX-License-Identifier: Apache-2.0
/* encode.c -- instruction to word: the first row of the micro-operation with a word that decodes to the instruction. */
#include "inst_members.h"

#include <stddef.h>

struct known {
	uint64_t bits[2];
};

static void know_field(struct known *k, const struct isa_field *f)
{
	const struct isa_run *r = isa.runs + f->runs;
	struct wl_word m = {k->bits[0], k->bits[1]};
	for (unsigned i = 0; i < f->nruns; i++)
		m = isa_set_bits(m, r[i].lo, r[i].len, ~UINT64_C(0));
	k->bits[0] = m.lo;
	k->bits[1] = m.hi;
}

static bool agrees(const struct isa_piece *p, uint32_t value, const struct known *k, struct wl_word w)
{
	struct wl_word x = isa_set_piece(p, value, w);
	return !((x.lo ^ w.lo) & k->bits[0]) && !((x.hi ^ w.hi) & k->bits[1]);
}

/* Does the option agree with the instruction in every member decided by the piece? */
static bool option_says(const struct isa_row *row, const struct isa_piece *p, const struct isa_option *o,
                        const struct wl_inst *in)
{
	for (unsigned t = 0; t < p->ntouched; t++) {
		const struct isa_assign *touch = isa.assigns + p->touched + t;
		const struct isa_assign *a = isa.assigns + o->assigns;
		uint32_t want = touch->member == ISA_M_uop ? row->uop : 0;
		for (unsigned k = 0; k < o->nassigns; k++)
			if (a[k].member == touch->member)
				want = touch->value ? want | a[k].value : a[k].value;
		uint32_t have = (uint32_t)isa_member_get(in, touch->member);
		if (touch->value ? (have ^ want) & touch->value : have != want)
			return false;
	}
	return true;
}

static bool put_piece(const struct isa_row *row, const struct isa_piece *p, const struct wl_inst *in, struct known *k,
                      struct wl_word *w)
{
	const struct isa_option *usual = isa_option(p, *w);
	bool found = usual && option_says(row, p, usual, in);
	for (unsigned i = 0; i < p->nopts && !found; i++) {
		const struct isa_option *o = isa.options + p->opts + i;
		if (agrees(p, o->value, k, *w) && option_says(row, p, o, in)) {
			*w = isa_set_piece(p, o->value, *w);
			found = true;
		}
	}
	k->bits[0] |= p->bits[0];
	k->bits[1] |= p->bits[1];
	return found;
}

static bool put_field(const struct isa_bind *b, const struct wl_inst *in, struct known *k, struct wl_word *w)
{
	const struct isa_field *f = isa.fields + b->index;
	int64_t v = isa_member_get(in, b->member);
	if (b->member >= ISA_M_ps0 && b->member <= ISA_M_ps2)
		v &= 7;
	else if (f->kind == ISA_KIND_U && v == 255)
		v = f->neutral;
	else if (f->is_signed && isa_members[b->member].size == 4)
		v = (int32_t)v;
	know_field(k, f);
	return isa_field_set(f, v, w);
}

/* Mostly a and b are equal to the last byte. Bytes between members and the schedule do not count. */
static bool same(const struct wl_inst *a, const struct wl_inst *b)
{
	if (memcmp(a, b, offsetof(struct wl_inst, sched)) == 0)
		return true;
	if (a->guard != b->guard || a->guard_uniform != b->guard_uniform)
		return false;
	for (unsigned m = 0; m < ISA_M_COUNT; m++)
		if (isa_member_get(a, m) != isa_member_get(b, m))
			return false;
	return true;
}

/* Bits with a single value in every modelled word of the row. Pieces sharing bits choose among the options left. */
static struct wl_word put_only(const struct isa_row *row, struct known *k, struct wl_word w)
{
	const struct isa_term *t = isa.terms + row->only;
	for (unsigned i = 0; i < row->nonly; i++) {
		bool one = t[i].equal && (t[i].len > 4 || (t[i].word & (t[i].word - 1)) == 0);
		if (one) {
			uint64_t v = t[i].len > 4 ? t[i].word : (uint64_t)__builtin_ctz(t[i].word);
			struct wl_word m = isa_set_bits((struct wl_word){0, 0}, t[i].lo, t[i].len, ~UINT64_C(0));
			w = isa_set_bits(w, t[i].lo, t[i].len, v);
			k->bits[0] |= m.lo;
			k->bits[1] |= m.hi;
		}
		if (t[i].last)
			break;
	}
	return w;
}

static bool encode_row(enum wl_arch arch, const struct isa_row *row, const struct isa_match *m,
                       const struct wl_inst *in, struct wl_word *out)
{
	struct wl_word w = {(row->base[0] & ~m->mask[0]) | m->value[0], (row->base[1] & ~m->mask[1]) | m->value[1]};
	struct known k = {{0, 0}};
	w = put_only(row, &k, w);
	w = isa_set_bits(w, 12, 4, in->guard);
	const struct isa_bind *b = isa.binds + row->binds;
	for (unsigned i = 0; i < row->nbinds; i++, b++) {
		if (b->kind == ISA_BIND_FIELD && !put_field(b, in, &k, &w))
			return false;
		if (b->kind == ISA_BIND_CONST && !isa_member_is_mask(b->member) &&
		    isa_member_get(in, b->member) != b->value)
			return false;
		if (b->kind == ISA_BIND_PIECE && !put_piece(row, isa.pieces + b->index, in, &k, &w))
			return false;
	}
	struct wl_inst back;
	if (wl_decode(arch, w, &back) != WL_OK || back.row != row - isa.rows)
		return false;
	back.row = in->row;
	if (!same(&back, in))
		return false;
	*out = wl_word_set_sched(w, in->sched);
	return true;
}

static bool encode_any(enum wl_arch arch, int index, uint16_t r, const struct wl_inst *in, struct wl_word *out)
{
	const struct isa_row *row = isa.rows + r;
	if (!(row->archs >> index & 1))
		return false;
	struct wl_word base = {row->base[0], row->base[1]};
	struct isa_first f = isa.first[index][isa_opcode(base)];
	for (unsigned k = 0; k < f.n; k++)
		if (isa.matches[f.at + k].row == r && encode_row(arch, row, isa.matches + f.at + k, in, out))
			return true;
	return false;
}

/* Rows with a uniform register in the address can say URZ, too. But URZ is another address (the offset is signed even
 * beside RZ), and nobody means the word with URZ. So these rows come last. */
static bool names_ur(const struct isa_row *row)
{
	for (unsigned i = 0; i < row->nbinds; i++)
		if (isa.binds[row->binds + i].member == ISA_M_ur)
			return true;
	return false;
}

enum wl_status wl_encode_row(enum wl_arch arch, const struct wl_inst *in, struct wl_word *out, uint16_t *row,
                             const char **why)
{
	const char *unused;
	const char **reason = why ? why : &unused;
	int index = wl_arch_index(arch);
	*out = (struct wl_word){0, 0};
	*reason = "an architecture with encoding rows expected";
	if (index < 0)
		return WL_ERR_UNKNOWN_INST;
	*reason = "no such micro-operation";
	if (in->uop >= WL_UOP_COUNT)
		return WL_ERR_UNKNOWN_INST;
	*reason = "the instruction's row has no such operands";
	if (in->row != 0xffff) {
		*row = in->row;
		return in->row < isa.nrows && encode_any(arch, index, in->row, in, out) ? WL_OK : WL_ERR_UNKNOWN_INST;
	}
	bool any = false;
	struct isa_first f = isa.uop_first[in->uop];
	for (unsigned with_ur = 0; with_ur < 2; with_ur++) {
		for (unsigned k = 0; k < f.n; k++) {
			uint16_t r = isa.by_uop[f.at + k];
			any = any || isa.rows[r].archs >> index & 1;
			if (names_ur(isa.rows + r) == (with_ur != 0) && encode_any(arch, index, r, in, out)) {
				*row = r;
				return WL_OK;
			}
		}
	}
	*reason = any ? "no encoding of this micro-operation has these operands and modifiers"
	              : "the architecture has no encoding of this micro-operation";
	return WL_ERR_UNKNOWN_INST;
}

enum wl_status wl_encode(enum wl_arch arch, const struct wl_inst *in, struct wl_word *out, const char **why)
{
	uint16_t row;
	return wl_encode_row(arch, in, out, &row, why);
}
