// SPDX-License-Identifier: Apache-2.0
/* print.c -- word to text: a row's steps from first to last. */
#include <string.h>

#include "number.h"

struct out {
	char *buf;
	size_t n, len; /* len counts what did not fit, too */
};

/* Texts are a few characters long: a loop in place beats a call of memcpy. */
static inline void put(struct out *o, const char *s, size_t len)
{
	char *to = o->buf + o->len;
	if (o->len + len < o->n) {
		for (size_t i = 0; i < len; i++)
			to[i] = s[i];
	} else {
		for (size_t i = 0; i < len && o->len + i + 1 < o->n; i++)
			to[i] = s[i];
	}
	o->len += len;
}

static void put_char(struct out *o, char c)
{
	put(o, &c, 1);
}

static void put_span(struct out *o, struct isa_span s)
{
	put(o, isa.text + s.at, s.len);
}

static void put_decimal(struct out *o, uint32_t v)
{
	char t[10];
	int i = 10;
	do
		t[--i] = (char)('0' + v % 10);
	while (v /= 10);
	put(o, t + i, (size_t)(10 - i));
}

static void put_hex(struct out *o, int64_t v, bool is_signed)
{
	bool minus = is_signed && v < 0;
	uint64_t u = minus ? 0 - (uint64_t)v : (uint64_t)v;
	char t[19];
	int i = 19;
	do
		t[--i] = "0123456789abcdef"[u & 15];
	while (u >>= 4);
	t[--i] = 'x';
	t[--i] = '0';
	if (minus)
		t[--i] = '-';
	put(o, t + i, (size_t)(19 - i));
}

static void put_named(struct out *o, const char *prefix, const char *neutral, const struct isa_field *f, int64_t v)
{
	if (v == f->neutral) {
		put(o, neutral, strlen(neutral));
		return;
	}
	put(o, prefix, strlen(prefix));
	put_decimal(o, (uint32_t)v);
}

static void put_value(struct out *o, const struct isa_field *f, struct wl_word w, uint64_t addr, unsigned ftype)
{
	int64_t v = isa_field_get(f, w);
	switch (f->kind) {
	case ISA_KIND_R:
		put_named(o, "R", "RZ", f, v);
		break;
	case ISA_KIND_U:
		put_named(o, "UR", "URZ", f, v);
		break;
	case ISA_KIND_P:
		put_named(o, "P", "PT", f, v);
		break;
	case ISA_KIND_V:
		put_named(o, "UP", "UPT", f, v);
		break;
	case ISA_KIND_B:
		put_named(o, "B", "", f, v);
		break;
	case ISA_KIND_S:
		put_named(o, "SB", "", f, v);
		break;
	case ISA_KIND_I:
		put_hex(o, v, f->is_signed);
		break;
	case ISA_KIND_T:
		put_hex(o, v + (int64_t)addr + 16, true);
		break;
	default: {
		char t[64];
		int len = isa_float_print((uint32_t)v, ftype ? ftype : f->kind, t, sizeof t);
		put(o, t, (size_t)len);
	}
	}
}

/* The reuse flags show only when bit 109 is set. */
static void put_reuse(struct out *o, struct wl_word w, int bit)
{
	if (bit >= 0 && isa_bits(w, 109, 1) && isa_bits(w, 122 + (unsigned)bit, 1))
		put(o, ".reuse", 6);
}

static const struct isa_option *suffix(int piece, struct wl_word w)
{
	return piece < 0 ? NULL : isa_option(isa.pieces + piece, w);
}

static void put_sign(struct out *o, int piece, struct wl_word w)
{
	if (piece >= 0)
		put_span(o, isa_option(isa.pieces + piece, w)->text);
}

/* [R+U+I]: RZ and a zero offset are left out beside other parts. The offset from RZ alone is unsigned. */
static void put_memory(struct out *o, const struct isa_mem *m, struct wl_word w)
{
	const struct isa_field *fr = isa.fields + m->r, *fu = isa.fields + m->u;
	int64_t r = m->r >= 0 ? isa_field_get(fr, w) : 0, u = m->u >= 0 ? isa_field_get(fu, w) : 0;
	int64_t i = m->i >= 0 ? isa_field_get(isa.fields + m->i, w) : 0;
	const struct isa_option *rs = suffix(m->rpiece, w), *us = suffix(m->upiece, w);
	bool other = (m->u >= 0 && u != fu->neutral) || (m->i >= 0 && i);
	unsigned k = rs ? (unsigned)(rs - isa.options) - isa.pieces[m->rpiece].opts : 0;
	bool kept = m->rz >> k & 1;
	bool has_r = m->r >= 0 && !(r == fr->neutral && other && !kept);
	bool has_u = m->u >= 0 && !(u == fu->neutral && m->nourz >> k & 1 && (has_r || i));
	bool rz_only = m->zext && r == fr->neutral;
	if (rz_only)
		i &= (INT64_C(1) << m->zext) - 1;
	put_char(o, '[');
	if (has_r) {
		put_sign(o, m->rneg, w);
		put_named(o, "R", "RZ", fr, r);
		put_reuse(o, w, m->reuse);
		if (!rz_only)
			put_span(o, rs ? rs->text : m->rtext);
	}
	if (has_u) {
		if (has_r)
			put_char(o, '+');
		put_sign(o, m->uneg, w);
		put_named(o, "UR", "URZ", fu, u);
		put_span(o, us ? us->text : m->utext);
	}
	if (m->i >= 0 && (i || !(has_r || has_u))) {
		if (has_r || has_u)
			put_char(o, '+');
		put_hex(o, i, true);
	}
	put_char(o, ']');
}

/* IMAD is printed with a further modifier when its operands make it a move, an addition or a shift. Operands A, B, C
 * are the row's values after the destination. */
const char *isa_imad_alias(const struct isa_row *row, struct wl_word w)
{
	const struct isa_field *v[4] = {NULL, NULL, NULL, NULL}; /* D, A, B, C; NULL for a constant */
	unsigned n = 0;
	const struct isa_step *s = isa.steps + row->steps;
	for (unsigned i = 0; i < row->nsteps; i++) {
		if (s[i].kind == ISA_SEP)
			n++;
		else if (s[i].kind == ISA_VAL && n >= 1 && n <= 4)
			v[n - 1] = isa.fields + s[i].a;
	}
	if (isa_alias_hidden(w))
		return "";
	bool a_zero = v[1] && isa_field_get(v[1], w) == WL_RZ;
	const struct isa_field *b = v[2], *c = v[3];
	if (b && b->kind == ISA_KIND_R) {
		bool b_zero = isa_field_get(b, w) == WL_RZ;
		return a_zero || b_zero ? ".MOV" : "";
	}
	if (b && b->kind == ISA_KIND_I && c && c->kind == ISA_KIND_R) {
		uint32_t imm = (uint32_t)isa_field_get(b, w);
		bool c_zero = isa_field_get(c, w) == WL_RZ;
		if (a_zero || imm == 0 || (imm == 1 && c_zero))
			return ".MOV";
		if (imm == 1)
			return ".IADD";
		return c_zero && imm != 0x10000 && imm != 0x80000000u && !(imm & (imm - 1)) ? ".SHL" : "";
	}
	return a_zero ? ".MOV" : "";
}

static void put_guard(struct out *o, const struct isa_row *row, struct wl_word w)
{
	unsigned g = (unsigned)(w.lo >> 12 & 15);
	if (g == WL_PT)
		return;
	put(o, g & 8 ? "@!" : "@", g & 8 ? 2 : 1);
	put(o, row->upred ? "UP" : "P", row->upred ? 2 : 1);
	put_char(o, (g & 7) == WL_PT ? 'T' : (char)('0' + (g & 7)));
	put_char(o, ' ');
}

int wl_print(enum wl_arch arch, struct wl_word w, uint64_t addr, char *buf, size_t n)
{
	const struct isa_row *row = isa_find(isa_arch_index(arch), w);
	if (!row) {
		if (n)
			buf[0] = 0;
		return -1;
	}
	struct out o = {buf, n, 0};
	bool first = true;
	unsigned ftype = 0;
	put_guard(&o, row, w);
	const struct isa_step *s = isa.steps + row->steps, *end = s + row->nsteps;
	for (; s < end; s++) {
		switch (s->kind) {
		case ISA_LIT:
			put(&o, isa.text + s->a, (size_t)s->b);
			break;
		case ISA_PIECE: {
			const struct isa_option *opt = isa_option(isa.pieces + s->a, w);
			put_span(&o, opt->text);
			ftype = opt->ftype ? opt->ftype : ftype;
			break;
		}
		case ISA_VAL:
			put_value(&o, isa.fields + s->a, w, addr, ftype);
			break;
		case ISA_REUSE:
			put_reuse(&o, w, s->b);
			break;
		case ISA_OPT:
			if (isa_field_get(isa.fields + s->a, w) == isa.fields[s->a].neutral &&
			    (s->b < 0 || isa_option(isa.pieces + s->b, w)->value == 0))
				s += s->c;
			break;
		case ISA_SEP:
			put(&o, first ? " " : ", ", first ? 1 : 2);
			first = false;
			break;
		case ISA_MEM:
			put_memory(&o, isa.mems + s->a, w);
			break;
		case ISA_ALIAS: {
			const char *alias = isa_imad_alias(row, w);
			put(&o, alias, strlen(alias));
			break;
		}
		}
	}
	if (n)
		buf[o.len < n ? o.len : n - 1] = 0;
	return (int)o.len;
}
