// SPDX-License-Identifier: Apache-2.0
/* table.c -- the generated tables, and functions for all directions: find a row, set bits. */
#include "isa_table.h"

#include "isa_rows.h"

const struct isa_tables isa = {
        .text = isa_text,
        .runs = isa_runs,
        .fields = isa_fields,
        .assigns = isa_assigns,
        .options = isa_options,
        .lookup = isa_lookup,
        .pieces = isa_pieces,
        .mems = isa_mems,
        .steps = isa_steps,
        .binds = isa_binds,
        .terms = isa_terms,
        .nots = isa_nots,
        .rows = isa_rows,
        .matches = isa_matches,
        .first = isa_first,
        .checks = isa_checks,
        .by_uop = isa_by_uop,
        .uop_first = isa_uop_first,
        .regs = isa_regs,
        .uop_traits = isa_uop_traits,
        .forms = isa_forms,
        .form_first = isa_form_first,
        .nrows = ISA_ROW_COUNT,
};

bool isa_holds(const struct isa_term *t, unsigned n, struct wl_word w)
{
	bool all = true;
	for (unsigned i = 0; i < n; i++) {
		uint32_t v = (uint32_t)isa_bits(w, t[i].lo, t[i].len);
		bool in = t[i].len <= 4 ? (t[i].word >> v & 1) != 0 : v == t[i].word;
		all = all && in == (t[i].equal != 0);
		if (t[i].last) {
			if (all)
				return true;
			all = true;
		}
	}
	return false;
}

static bool pieces_legal(const struct isa_row *row, struct wl_word w)
{
	const uint16_t *check = isa.checks + row->checks;
	for (unsigned i = 0; i < row->nchecks; i++)
		if (!isa_option(isa.pieces + check[i], w))
			return false;
	return true;
}

const struct isa_row *isa_find(int arch, struct wl_word w)
{
	if (arch < 0)
		return NULL;
	struct isa_first f = isa.first[arch][isa_opcode(w)];
	for (unsigned k = 0; k < f.n; k++) {
		const struct isa_match *m = isa.matches + f.at + k;
		if ((w.lo & m->mask[0]) != m->value[0] || (w.hi & m->mask[1]) != m->value[1])
			continue;
		const struct isa_not *not = isa.nots + m->nots;
		unsigned i = 0;
		while (i < m->nnots && isa_bits(w, not [i].lo, not [i].len) != not [i].value)
			i++;
		if (i == m->nnots) /* rows do not overlap: no other row can match */
			return pieces_legal(isa.rows + m->row, w) ? isa.rows + m->row : NULL;
	}
	return NULL;
}

bool isa_field_set(const struct isa_field *f, int64_t v, struct wl_word *w)
{
	const struct isa_run *r = isa.runs + f->runs;
	if (isa_field_get(f, *w) == v) /* URZ behind a register may have two encodings: the address decides */
		return true;
	v -= f->konst;
	bool negated = f->nruns > 0; /* every run is subtracted: 7 - bits */
	for (unsigned i = 0; i < f->nruns; i++)
		negated = negated && r[i].neg;
	if (negated)
		v = -v;
	for (unsigned i = 0; i < f->nruns; i++) {
		uint64_t part = (uint64_t)v >> r[i].shift; /* the sign bit is bit `shift` of the two's complement */
		*w = isa_set_bits(*w, r[i].lo, r[i].len, part);
	}
	return isa_field_get(f, *w) == (negated ? -v : v) + f->konst;
}

struct wl_word isa_set_piece(const struct isa_piece *p, uint32_t value, struct wl_word w)
{
	const struct isa_run *r = isa.runs + p->runs;
	for (unsigned i = 0; i < p->nruns; i++)
		w = isa_set_bits(w, r[i].lo, r[i].len, value >> r[i].shift);
	return w;
}
