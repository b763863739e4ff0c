// SPDX-License-Identifier: Apache-2.0
/* assemble.c -- text to word: the steps of a row read a text as print.c writes the text.
 *
 * Pieces of a text may be empty and may share bits, so reading is a search. At each piece the options are tried in the
 * order of the table; of two equal texts the first is emitted. A branch of the search ends as soon as the text or a
 * known bit disagrees. Rows are short, so the search is short too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_text.h"

enum { MAX_TEXT = 256 };

struct state {
	struct wl_word w, known; /* known: mask of the bits decided by the text so far */
	bool first;              /* no operand yet */
	bool plain_imad;         /* IMAD written without the alias asked for by the operands */
	unsigned ftype;
};

struct parser {
	const struct isa_row *row;
	int arch;
	uint64_t addr;
	const char *far; /* the furthest place reached by some branch */
	struct wl_word result;
};

static bool run(struct parser *p, const struct isa_step *s, const struct isa_step *end, const char *t, struct state st);

static bool word_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* t behind the text. NULL when the text is missing or goes on as a longer word. */
static const char *take(const char *t, const char *text, size_t len)
{
	if (strncmp(t, text, len))
		return NULL;
	if (len && word_char(text[len - 1]) && word_char(t[len]))
		return NULL;
	return t + len;
}

static bool known_agrees(const struct state *st, struct wl_word w)
{
	return !((w.lo ^ st->w.lo) & st->known.lo) && !((w.hi ^ st->w.hi) & st->known.hi);
}

static bool set_field(struct state *st, const struct isa_field *f, int64_t v)
{
	struct wl_word w = st->w;
	if (!isa_field_set(f, v, &w) || !known_agrees(st, w))
		return false;
	st->w = w;
	const struct isa_run *r = isa.runs + f->runs;
	for (unsigned i = 0; i < f->nruns; i++)
		st->known = isa_set_bits(st->known, r[i].lo, r[i].len, ~UINT64_C(0));
	return true;
}

static bool set_piece(struct state *st, const struct isa_piece *p, const struct isa_option *o)
{
	struct wl_word w = isa_set_piece(p, o->value, st->w);
	if (!known_agrees(st, w))
		return false;
	st->w = w;
	st->known.lo |= p->bits[0];
	st->known.hi |= p->bits[1];
	st->ftype = o->ftype ? o->ftype : st->ftype;
	return true;
}

static const char *decimal(const char *t, int64_t limit, int64_t *v)
{
	if (*t < '0' || *t > '9' || (*t == '0' && t[1] >= '0' && t[1] <= '9'))
		return NULL;
	for (*v = 0; *t >= '0' && *t <= '9'; t++)
		if ((*v = *v * 10 + (*t - '0')) > limit)
			return NULL;
	return t;
}

static const char *integer(const char *t, int64_t *v)
{
	bool neg = *t == '-';
	char *end;
	t += neg;
	if (*t < '0' || *t > '9')
		return NULL;
	uint64_t u = strtoull(t, &end, t[0] == '0' && (t[1] | 0x20) == 'x' ? 16 : 10);
	if (word_char(*end) || *end == '.')
		return NULL;
	*v = neg ? (int64_t)(0 - u) : (int64_t)u;
	return end;
}

/* A register or predicate: prefix and number, or the neutral name. The second register of a pair (konst 1) may lie one
 * behind the neutral register. */
static const char *named(const char *t, const char *prefix, const char *neutral, const struct isa_field *f, int64_t *v)
{
	const char *e = neutral ? take(t, neutral, strlen(neutral)) : NULL;
	if (e) {
		*v = f->neutral;
		return e;
	}
	size_t len = strlen(prefix);
	if (strncmp(t, prefix, len))
		return NULL;
	e = decimal(t + len, f->neutral < 0 ? 255 : f->konst == 1 ? f->neutral + 1 : f->neutral - 1, v);
	return e && !word_char(*e) ? e : NULL;
}

static const char *value(const struct parser *p, const struct isa_field *f, const char *t, unsigned ftype, int64_t *v)
{
	uint32_t bits;
	switch (f->kind) {
	case ISA_KIND_R:
		return named(t, "R", "RZ", f, v);
	case ISA_KIND_U:
		return named(t, "UR", "URZ", f, v);
	case ISA_KIND_P:
		return named(t, "P", "PT", f, v);
	case ISA_KIND_V:
		return named(t, "UP", "UPT", f, v);
	case ISA_KIND_B:
		return named(t, "B", NULL, f, v);
	case ISA_KIND_S:
		return named(t, "SB", NULL, f, v);
	case ISA_KIND_I:
		t = integer(t, v);
		if (t && f->is_signed && f->nruns == 2 && isa.runs[f->runs].len == 31 && *v > 0x7fffffff &&
		    *v <= 0xffffffff)
			*v -= INT64_C(0x100000000); /* a 32-bit immediate may be written unsigned */
		return t;
	case ISA_KIND_T:
		t = integer(t, v);
		*v -= (int64_t)p->addr + 16;
		return t;
	default:
		t = isa_float_parse(t, ftype ? ftype : f->kind, &bits);
		*v = t ? bits : 0;
		return t && !word_char(*t) ? t : NULL;
	}
}

/* Suffix of a register in an address: a piece or a fixed text. */
static const char *address_suffix(struct state *st, int piece, struct isa_span text, const char *t)
{
	if (piece < 0)
		return take(t, isa.text + text.at, text.len);
	const struct isa_piece *p = isa.pieces + piece;
	for (unsigned pass = 0; pass < 2; pass++) /* printed options before empty options */
		for (unsigned i = 0; i < p->nopts; i++) {
			const struct isa_option *o = isa.options + p->opts + i;
			const char *e =
			        (o->text.len == 0) == (pass == 1) ? take(t, isa.text + o->text.at, o->text.len) : NULL;
			if (e && set_piece(st, p, o))
				return e;
		}
	return NULL;
}

static const char *address_sign(struct state *st, int piece, const char *t)
{
	if (piece < 0)
		return t;
	const struct isa_piece *p = isa.pieces + piece;
	bool minus = *t == '-';
	for (unsigned i = 0; i < p->nopts; i++) {
		const struct isa_option *o = isa.options + p->opts + i;
		if ((o->text.len != 0) == minus && set_piece(st, p, o))
			return t + minus;
	}
	return NULL;
}

/* A suffix keeps the usual value if the suffix's register is not printed. */
static bool absent_suffix(struct state *st, int piece)
{
	return piece < 0 || set_piece(st, isa.pieces + piece, isa_option(isa.pieces + piece, st->w));
}

static void set_reuse(struct state *st, unsigned bit)
{
	/* The flag counts only with bit 109. Bit 109 asks for fewer than 12 stall cycles. */
	st->w = isa_set_bits(st->w, 122 + bit, 1, 1);
	st->w = isa_set_bits(st->w, 105, 5, 0x10 | 11);
}

static const char *take_reuse(struct state *st, int bit, const char *t)
{
	const char *e = bit >= 0 ? take(t, ".reuse", 6) : NULL;
	if (!e)
		return t;
	set_reuse(st, (unsigned)bit);
	return e;
}

/* A missing uniform register is URZ, if the register's suffix permits leaving out URZ. */
static bool absent_uniform(struct state *st, const struct isa_mem *m)
{
	unsigned k = 0;
	if (m->rpiece >= 0) {
		const struct isa_option *o = isa_option(isa.pieces + m->rpiece, st->w);
		k = o ? (unsigned)(o - isa.options) - isa.pieces[m->rpiece].opts : 0;
	}
	return m->nourz >> k & 1 && set_field(st, isa.fields + m->u, isa.fields[m->u].neutral) &&
	       absent_suffix(st, m->upiece) && absent_suffix(st, m->uneg);
}

/* The offset from RZ alone is written unsigned. */
static int64_t offset_value(const struct isa_mem *m, int64_t offset, bool has_r)
{
	bool top = m->zext && !has_r && offset >= INT64_C(1) << (m->zext - 1) && offset < INT64_C(1) << m->zext;
	return top ? offset - (INT64_C(1) << m->zext) : offset;
}

static const char *memory(const struct parser *p, const struct isa_mem *m, const char *t, struct state *st)
{
	bool has_r = false, has_u = false, has_i = false;
	int64_t v, offset = 0;
	if (*t++ != '[')
		return NULL;
	for (;;) {
		const char *body = t + (*t == '-'), *e;
		if (m->r >= 0 && !has_r && !has_u && !has_i && *body == 'R') {
			has_r = true;
			e = address_sign(st, m->rneg, t);
			e = e ? value(p, isa.fields + m->r, e, 0, &v) : NULL;
			if (!e || !set_field(st, isa.fields + m->r, v))
				return NULL;
			e = address_suffix(st, m->rpiece, m->rtext, take_reuse(st, m->reuse, e));
		} else if (m->u >= 0 && !has_u && !has_i && *body == 'U') {
			has_u = true;
			e = address_sign(st, m->uneg, t);
			e = e ? value(p, isa.fields + m->u, e, 0, &v) : NULL;
			if (!e || !set_field(st, isa.fields + m->u, v))
				return NULL;
			e = address_suffix(st, m->upiece, m->utext, e);
		} else if (m->i >= 0 && !has_i) {
			has_i = true;
			e = integer(t, &offset);
		} else {
			return NULL;
		}
		if (!e)
			return NULL;
		t = e;
		if (*t != '+')
			break;
		t++;
	}
	if (*t++ != ']')
		return NULL;
	if (m->r >= 0 && !has_r &&
	    !(set_field(st, isa.fields + m->r, isa.fields[m->r].neutral) && absent_suffix(st, m->rpiece) &&
	      absent_suffix(st, m->rneg)))
		return NULL;
	if (m->u >= 0 && !has_u && !absent_uniform(st, m))
		return NULL;
	if (m->i >= 0 && !set_field(st, isa.fields + m->i, offset_value(m, offset, has_r)))
		return NULL;
	return t;
}

static bool piece(struct parser *p, const struct isa_step *s, const struct isa_step *end, const char *t,
                  struct state st)
{
	const struct isa_piece *q = isa.pieces + s->a;
	for (unsigned i = 0; i < q->nopts; i++) {
		const struct isa_option *o = isa.options + q->opts + i;
		const char *e = take(t, isa.text + o->text.at, o->text.len);
		struct state next = st;
		if (e && set_piece(&next, q, o) && run(p, s + 1, end, e, next))
			return true;
	}
	return false;
}

static bool optional(struct parser *p, const struct isa_step *s, const struct isa_step *end, const char *t,
                     struct state st)
{
	if (run(p, s + 1, end, t, st))
		return true;
	if (!set_field(&st, isa.fields + s->a, isa.fields[s->a].neutral))
		return false;
	if (s->b >= 0) {
		const struct isa_piece *q = isa.pieces + s->b;
		const struct isa_option *o = isa.options + q->opts; /* not negated */
		if (!set_piece(&st, q, o))
			return false;
	}
	return run(p, s + 1 + s->c, end, t, st);
}

static bool run(struct parser *p, const struct isa_step *s, const struct isa_step *end, const char *t, struct state st)
{
	static const char *const aliases[] = {".MOV", ".IADD", ".SHL"};
	for (; s < end; s++) {
		const char *e = t;
		int64_t v;
		if (t > p->far)
			p->far = t;
		switch (s->kind) {
		case ISA_LIT:
			e = take(t, isa.text + s->a, (size_t)s->b);
			break;
		case ISA_PIECE:
			return piece(p, s, end, t, st);
		case ISA_OPT:
			return optional(p, s, end, t, st);
		case ISA_SEP:
			e = st.first ? take(t, " ", 1) : take(t, ", ", 2);
			st.first = false;
			break;
		case ISA_VAL:
			e = value(p, isa.fields + s->a, t, st.ftype, &v);
			if (e && !set_field(&st, isa.fields + s->a, v))
				e = NULL;
			break;
		case ISA_REUSE:
			e = take_reuse(&st, s->b, t);
			break;
		case ISA_MEM:
			e = memory(p, isa.mems + s->a, t, &st);
			break;
		case ISA_ALIAS:
			for (unsigned i = 0; i < 3 && e == t; i++) {
				const char *a = take(t, aliases[i], strlen(aliases[i]));
				e = a ? a : t;
			}
			st.plain_imad = e == t;
			break;
		}
		if (!e)
			return false;
		t = e;
	}
	if (t > p->far)
		p->far = t;
	if (*t || isa_find(p->arch, st.w) != p->row)
		return false;
	if (st.plain_imad && isa_imad_alias(p->row, st.w)[0])
		st.w = isa_set_bits(isa_set_bits(st.w, 122, 2, 3), 109, 1, 0);
	p->result = st.w;
	return true;
}

/* One space between words, ", " between operands, no ';'. False when the text does not fit. */
static bool normalise(const char *text, char *buf)
{
	size_t n = 0;
	bool braces = false; /* {1,0} is printed without spaces */
	for (const char *c = text; *c; c++) {
		bool space = *c == ' ' || *c == '\t' || *c == '\r' || *c == '\n';
		if (n + 3 > MAX_TEXT)
			return false;
		if (space && (n == 0 || buf[n - 1] == ' '))
			continue;
		if (*c == ',' && n && buf[n - 1] == ' ')
			n--;
		buf[n++] = space ? ' ' : *c;
		braces = *c == '{' || (braces && *c != '}');
		if (*c == ',' && !braces)
			buf[n++] = ' ';
	}
	while (n && (buf[n - 1] == ' ' || buf[n - 1] == ';'))
		n--;
	buf[n] = 0;
	return true;
}

/* @P3, @!UPT: 0..15, or -1. *uniform tells the kind. */
static int guard(const char **t, bool *uniform)
{
	const char *s = *t + 1;
	int not = *s == '!' ? 8 : 0;
	s += not != 0;
	*uniform = *s == 'U';
	s += *uniform;
	if (*s++ != 'P' || !((*s >= '0' && *s <= '6') || *s == 'T') || s[1] != ' ')
		return -1;
	int g = *s == 'T' ? WL_PT : *s - '0';
	*t = s + 2;
	return g | not ;
}

static const struct wl_sched safe = {.stall = 15, .wrbar = 7, .rdbar = 7};

/* Addition to the error for a name not written by any disassembler; "": nothing is known of the name. For a known
 * instruction: the name with the form. */
static const char *documented(const char *text, bool known)
{
	const size_t len = strcspn(text, ". ");
	static const struct {
		const char *name, *hint;
	} words[] = {
#define WORD(name, hint) {name, ": " hint},
#include "documented.def"
#undef WORD
	};
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
		const size_t n = strlen(words[i].name);
		if ((n > len) == known && !strncmp(words[i].name, text, n) && strchr(". ", text[n]))
			return words[i].hint;
	}
	return "";
}

enum wl_status wl_assemble(enum wl_arch arch, const char *text, uint64_t addr, struct wl_word *out, char *err,
                           size_t errn)
{
	char buf[MAX_TEXT];
	struct parser p = {.arch = wl_arch_index(arch), .addr = addr};
	*out = (struct wl_word){0, 0};
	if (errn)
		err[0] = 0;
	if (p.arch < 0) {
		snprintf(err, errn, "sm_%d has no encodings here (expected one of " WL_ARCH_NAMES ")", (int)arch);
		return WL_ERR_SYNTAX;
	}
	if (!normalise(text, buf)) {
		snprintf(err, errn, "more than %d characters, expected one instruction", MAX_TEXT - 3);
		return WL_ERR_SYNTAX;
	}
	const char *t = buf;
	bool uniform = false;
	int g = WL_PT;
	if (*t == '@') {
		g = guard(&t, &uniform);
		if (g < 0) {
			snprintf(err, errn, "guard \"%.12s\" (expected @P0 .. @P6, @PT, @UP0 .., with or without '!')",
			         buf);
			return WL_ERR_SYNTAX;
		}
	}
	size_t len = strcspn(t, ". ");
	bool known = false;
	p.far = t;
	for (unsigned r = 0; r < isa.nrows; r++) {
		const struct isa_row *row = isa.rows + r;
		if (!(row->archs >> p.arch & 1) || row->name_len != len || strncmp(isa.text + row->name, t, len))
			continue;
		known = true;
		if (g != WL_PT && uniform != row->upred)
			continue;
		struct wl_word base = {row->base[0], row->base[1]};
		struct isa_first f = isa.first[p.arch][isa_opcode(base)];
		p.row = row;
		for (unsigned k = 0; k < f.n; k++) {
			const struct isa_match *m = isa.matches + f.at + k;
			if (m->row != r)
				continue;
			struct state st = {.first = true};
			st.w.lo = (base.lo & ~m->mask[0]) | m->value[0];
			st.w.hi = (base.hi & ~m->mask[1]) | m->value[1];
			st.w = wl_word_set_sched(isa_set_bits(st.w, 12, 4, (uint64_t)g), safe);
			if (run(&p, isa.steps + row->steps, isa.steps + row->steps + row->nsteps, t, st)) {
				*out = p.result;
				return WL_OK;
			}
		}
	}
	if (!known)
		snprintf(err, errn, "instruction \"%.*s\" is not known on sm_%d%s", (int)(len > 40 ? 40 : len), t,
		         (int)arch, documented(t, false));
	else
		snprintf(err, errn, "%.*s: no form of it on sm_%d goes on with \"%.40s\"%s", (int)(len > 40 ? 40 : len),
		         t, (int)arch, *p.far ? p.far : "(end of the line)", documented(t, true));
	return WL_ERR_UNKNOWN_INST;
}
