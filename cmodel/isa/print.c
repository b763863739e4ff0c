// SPDX-License-Identifier: Apache-2.0
/* print.c -- word to text: a row's steps from first to last. */
#include <string.h>

#include "float_text.h"

/* A text is written whole into a buffer with room for the longest text and copied out at the end. Pieces of text are a
 * few characters long. Each piece is copied 16 bytes at a time, whatever the length; the next piece overwrites the
 * excess. */
enum { CHUNK = 16, ROOM = 640 }; /* the generator refuses rows with longer texts */

/* These functions write at `at` and return the place behind. `s` must have CHUNK readable bytes behind the end. */
static inline char *put(char *at, const char *s, size_t len)
{
	memcpy(at, s, CHUNK);
	for (size_t i = CHUNK; i < len; i += CHUNK)
		memcpy(at + i, s + i, CHUNK);
	return at + len;
}

static inline char *put_span(char *at, struct isa_span s)
{
	return put(at, isa.text + s.at, s.len);
}

/* Register numbers: digits and number of digits. */
#define DIGITS(v)                                                                                                      \
	{                                                                                                              \
		(char)((v) < 10    ? '0' + (v)                                                                         \
		       : (v) < 100 ? '0' + (v) / 10                                                                    \
		                   : '0' + (v) / 100),                                                                 \
		        (char)((v) < 100 ? '0' + (v) % 10 : '0' + (v) / 10 % 10), (char)('0' + (v) % 10),              \
		        (char)((v) < 10    ? 1                                                                         \
		               : (v) < 100 ? 2                                                                         \
		                           : 3)                                                                        \
	}
#define DIGITS4(v)  DIGITS(v), DIGITS((v) + 1), DIGITS((v) + 2), DIGITS((v) + 3)
#define DIGITS16(v) DIGITS4(v), DIGITS4((v) + 4), DIGITS4((v) + 8), DIGITS4((v) + 12)
#define DIGITS64(v) DIGITS16(v), DIGITS16((v) + 16), DIGITS16((v) + 32), DIGITS16((v) + 48)
static const char decimals[256][4] = {DIGITS64(0), DIGITS64(64), DIGITS64(128), DIGITS64(192)};

static inline char *put_decimal(char *at, uint32_t v)
{
	if (v < 256) {
		memcpy(at, decimals[v], 4);
		return at + decimals[v][3];
	}
	char t[10];
	int i = 10;
	do
		t[--i] = (char)('0' + v % 10);
	while (v /= 10);
	memcpy(at, t + i, (size_t)(10 - i));
	return at + (10 - i);
}

static char *put_hex(char *at, int64_t v, bool is_signed)
{
	bool minus = is_signed && v < 0;
	uint64_t u = minus ? 0 - (uint64_t)v : (uint64_t)v;
	unsigned digits = (67 - (unsigned)__builtin_clzll(u | 1)) / 4;
	*at = '-';
	at += minus;
	*at++ = '0';
	*at++ = 'x';
	for (char *end = at + digits; end > at; u >>= 4)
		*--end = "0123456789abcdef"[u & 15];
	return at + digits;
}

/* prefix and number, or the neutral name: both with lengths of at most 3 */
static inline char *put_named(char *at, const char prefix[4], unsigned plen, const char neutral[4], unsigned nlen,
                              const struct isa_field *f, int64_t v)
{
	if (v == f->neutral) {
		memcpy(at, neutral, 4);
		return at + nlen;
	}
	memcpy(at, prefix, 4);
	return put_decimal(at + plen, (uint32_t)v);
}
#define NAMED(prefix, neutral) prefix "\0\0\0", sizeof prefix - 1, neutral "\0\0\0", sizeof neutral - 1

static char *put_value(char *at, const struct isa_field *f, struct wl_word w, uint64_t addr, unsigned ftype)
{
	int64_t v = isa_field_get(f, w);
	switch (f->kind) {
	case ISA_KIND_R:
		return put_named(at, NAMED("R", "RZ"), f, v);
	case ISA_KIND_U:
		return put_named(at, NAMED("UR", "URZ"), f, v);
	case ISA_KIND_P:
		return put_named(at, NAMED("P", "PT"), f, v);
	case ISA_KIND_V:
		return put_named(at, NAMED("UP", "UPT"), f, v);
	case ISA_KIND_B:
		return put_named(at, NAMED("B", ""), f, v);
	case ISA_KIND_S:
		return put_named(at, NAMED("SB", ""), f, v);
	case ISA_KIND_I:
		return put_hex(at, v, f->is_signed);
	case ISA_KIND_T:
		return put_hex(at, v + (int64_t)addr + 16, true);
	default: {
		const char *from = at;
		int len = isa_float_print((uint32_t)v, ftype ? ftype : f->kind, at, 64);
		at += len;
		if (from[len - 1] > '9' || (len == 4 && !memcmp(from, "-0.0", 4)))
			*at++ = ' '; /* as NVIDIA's disassembler does behind INF, NaN and -0 */
		return at;
	}
	}
}

/* The reuse flags show only when bit 109 is set. */
static inline char *put_reuse(char *at, struct wl_word w, int bit)
{
	if (bit < 0 || !isa_bits(w, 109, 1) || !isa_bits(w, 122 + (unsigned)bit, 1))
		return at;
	memcpy(at, ".reuse", 6);
	return at + 6;
}

static const struct isa_option *suffix(int piece, struct wl_word w)
{
	return piece < 0 ? NULL : isa_option(isa.pieces + piece, w);
}

static char *put_sign(char *at, int piece, struct wl_word w)
{
	return piece >= 0 ? put_span(at, isa_option(isa.pieces + piece, w)->text) : at;
}

/* [R+U+I]: RZ and a zero offset are left out beside other parts. A printed URZ is such a part. The offset from RZ alone
 * is unsigned. */
static char *put_memory(char *at, const struct isa_mem *m, struct wl_word w)
{
	const struct isa_field *fr = isa.fields + m->r, *fu = isa.fields + m->u;
	int64_t r = m->r >= 0 ? isa_field_get(fr, w) : 0, u = m->u >= 0 ? isa_field_get(fu, w) : 0;
	int64_t i = m->i >= 0 ? isa_field_get(isa.fields + m->i, w) : 0;
	const struct isa_option *rs = suffix(m->rpiece, w), *us = suffix(m->upiece, w);
	unsigned k = rs ? (unsigned)(rs - isa.options) - isa.pieces[m->rpiece].opts : 0;
	bool other = (m->u >= 0 && (u != fu->neutral || !(m->nourz >> k & 1))) || (m->i >= 0 && i);
	bool kept = m->rz >> k & 1;
	bool has_r = m->r >= 0 && !(r == fr->neutral && other && !kept);
	bool has_u = m->u >= 0 && !(u == fu->neutral && m->nourz >> k & 1 && (has_r || i));
	bool rz_only = m->zext && r == fr->neutral;
	if (rz_only)
		i &= (INT64_C(1) << m->zext) - 1;
	*at++ = '[';
	if (has_r) {
		at = put_sign(at, m->rneg, w);
		at = put_named(at, NAMED("R", "RZ"), fr, r);
		at = put_reuse(at, w, m->reuse);
		if (!rz_only)
			at = put_span(at, rs ? rs->text : m->rtext);
	}
	if (has_u) {
		if (has_r)
			*at++ = '+';
		at = put_sign(at, m->uneg, w);
		at = put_named(at, NAMED("UR", "URZ"), fu, u);
		at = put_span(at, us ? us->text : m->utext);
	}
	if (m->i >= 0 && (i || !(has_r || has_u))) {
		if (has_r || has_u)
			*at++ = '+';
		at = put_hex(at, i, true);
	}
	*at++ = ']';
	return at;
}

/* IMAD gets a further modifier when the operands make IMAD a move, an addition or a shift. Operands A, B, C are the
 * row's values after the destination. */
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

static char *put_guard(char *at, const struct isa_row *row, struct wl_word w)
{
	unsigned g = (unsigned)(w.lo >> 12 & 15);
	if (g == WL_PT)
		return at;
	*at++ = '@';
	if (g & 8)
		*at++ = '!';
	if (row->upred)
		*at++ = 'U';
	*at++ = 'P';
	*at++ = (g & 7) == WL_PT ? 'T' : (char)('0' + (g & 7));
	*at++ = ' ';
	return at;
}

int wl_print(enum wl_arch arch, struct wl_word w, uint64_t addr, char *buf, size_t n)
{
	const struct isa_row *row = isa_find(wl_arch_index(arch), w);
	if (!row) {
		if (n)
			buf[0] = 0;
		return -1;
	}
	char text[ROOM], *at = put_guard(text, row, w);
	bool first = true;
	unsigned ftype = 0;
	const struct isa_step *s = isa.steps + row->steps, *end = s + row->nsteps;
	for (; s < end; s++) {
		switch (s->kind) {
		case ISA_LIT:
			at = put(at, isa.text + s->a, (size_t)s->b);
			break;
		case ISA_PIECE: {
			const struct isa_option *opt = isa_option(isa.pieces + s->a, w);
			at = put_span(at, opt->text);
			ftype = opt->ftype ? opt->ftype : ftype;
			break;
		}
		case ISA_VAL:
			at = put_value(at, isa.fields + s->a, w, addr, ftype);
			break;
		case ISA_REUSE:
			at = put_reuse(at, w, s->b);
			break;
		case ISA_OPT:
			if (isa_field_get(isa.fields + s->a, w) == isa.fields[s->a].neutral &&
			    (s->b < 0 || isa_option(isa.pieces + s->b, w)->value == 0))
				s += s->c;
			break;
		case ISA_SEP:
			memcpy(at, first ? " " : ", ", 2);
			at += first ? 1 : 2;
			first = false;
			break;
		case ISA_MEM:
			at = put_memory(at, isa.mems + s->a, w);
			break;
		case ISA_ALIAS: {
			const char *alias = isa_imad_alias(row, w);
			size_t len = strlen(alias);
			memcpy(at, alias, len);
			at += len;
			break;
		}
		}
	}
	if (at > text && at[-1] == ' ') /* no space at the end */
		at--;
	size_t len = (size_t)(at - text), most = len < n ? len : n ? n - 1 : 0;
	if (n) {
		memcpy(buf, text, most);
		buf[most] = 0;
	}
	return (int)len;
}
