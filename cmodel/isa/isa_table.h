// SPDX-License-Identifier: Apache-2.0
/* isa_table.h -- private to cmodel/isa: the encoding tables of the engine.
 *
 * The arrays are generated from enc_*.def. The steps of a row print a text, in order; in the other direction the steps
 * parse a text. The binds of a row map bits of the word to members of struct wl_inst. */
#ifndef WARPLOCK_ISA_TABLE_H
#define WARPLOCK_ISA_TABLE_H

#include <stddef.h>

#include "warplock/isa.h"

enum isa_kind {
	ISA_KIND_R = 1, /* vector register, 255 = RZ */
	ISA_KIND_U,     /* uniform register, all ones = URZ */
	ISA_KIND_P,     /* predicate, 7 = PT */
	ISA_KIND_V,     /* uniform predicate */
	ISA_KIND_B,     /* convergence barrier */
	ISA_KIND_S,     /* scoreboard */
	ISA_KIND_I,     /* integer */
	ISA_KIND_T,     /* branch target, relative to the next word */
	ISA_KIND_FF,    /* float32 bits */
	ISA_KIND_FD,    /* high half of float64 bits */
	ISA_KIND_FH,    /* float16 bits */
	ISA_KIND_FB,    /* bfloat16 bits */
};

/* Bits lo .. lo+len-1, weighted by 2^shift, subtracted when neg. */
struct isa_run {
	uint8_t lo, len, shift, neg;
};
struct isa_field {
	uint8_t kind, nruns;
	uint16_t runs;
	int16_t konst;   /* added to the runs */
	int16_t neutral; /* RZ, URZ, PT; -1 = none */
	uint8_t is_signed;
	uint8_t plain; /* one run within a half of the word, neither shifted nor subtracted, nothing added: bits lo ..
	                  lo+len-1 are the value */
	uint8_t lo, len;
};

/* Members of struct wl_inst named by tables. */
enum isa_member {
#define MEMBER(name, member, is_signed, neutral) ISA_M_##name,
#include "members.def"
#undef MEMBER
	ISA_M_imm64,
	ISA_M_COUNT,
};
struct isa_assign {
	uint8_t member;
	uint32_t value; /* in the touched list of a piece: mask of the bits decided by the piece, 0 = all */
};
struct isa_span {
	uint16_t at, len; /* in isa_text */
};
struct isa_option {
	uint16_t value;
	struct isa_span text;
	uint16_t assigns, nassigns;
	uint8_t ftype; /* kind of the float immediates behind the option; 0 = as the field says */
};
enum { ISA_NONE = 0xffff };
struct isa_piece {
	uint8_t nruns;
	uint16_t runs;
	uint16_t nopts, opts;
	uint16_t lookup; /* value -> option, ISA_NONE = not a legal value */
	uint8_t lo, len; /* of the piece's bits, if a single run within a half of the word; else len = 0 */
	uint16_t touched, ntouched;
	uint64_t bits[2];
};
struct isa_mem {
	int16_t r, rneg, rpiece;
	struct isa_span rtext;
	int16_t u, uneg, upiece;
	struct isa_span utext;
	int16_t i;
	int8_t reuse;
	uint16_t rz;    /* options of rpiece with RZ printed beside other parts */
	uint16_t nourz; /* options of rpiece with URZ left out */
	uint8_t zext;   /* width of the offset, if the offset is unsigned with RZ alone; else 0 */
};
enum isa_step_kind { ISA_LIT, ISA_PIECE, ISA_VAL, ISA_OPT, ISA_SEP, ISA_MEM, ISA_ALIAS, ISA_REUSE };
struct isa_step {
	uint8_t kind;
	uint16_t a; /* LIT: offset of the text; PIECE, MEM: index; VAL, OPT: field */
	int16_t b;  /* LIT: length; REUSE: number of the bit; OPT: the negating piece, or -1 */
	uint8_t c;  /* OPT: steps of the operand */
};
enum isa_bind_kind { ISA_BIND_FIELD, ISA_BIND_CONST, ISA_BIND_PIECE };
struct isa_bind {
	uint8_t kind, member;
	uint16_t index; /* field or piece */
	uint32_t value; /* CONST */
};
/* A term of a condition: bits lo .. lo+len-1 are (equal) in the set, or are not in the set. len <= 4: word is a mask of
 * values; else word is the only value. */
struct isa_term {
	uint8_t lo, len, equal, last;
	uint32_t word;
};
struct isa_not {
	uint8_t lo, len;
	uint32_t value;
};
struct isa_row {
	uint64_t base[2]; /* opcode, and the usual values of bits not shown in the text */
	uint16_t uop;
	uint16_t name, name_len;
	uint8_t archs, upred, modelled;
	uint16_t steps, nsteps;
	uint16_t binds, nbinds;
	uint16_t checks, nchecks; /* pieces with illegal values */
	uint16_t only, nonly;
	uint16_t illegal, nillegal;
	uint16_t regs, nregs; /* registers and predicates without a member */
	uint8_t timing;       /* enum wl_timing_class */
	uint8_t sync_class;   /* enum wl_sync_class: the row's own, or the micro-operation's */
	uint64_t traits;      /* the row's own, or the micro-operation's */
};
/* A register or predicate of a word, forgotten by decoding. */
struct isa_reg {
	uint16_t field;
	uint8_t width; /* enum wl_width */
	uint8_t write, late;
};
struct isa_match {
	uint64_t mask[2], value[2];
	uint16_t nots, nnots;
	uint16_t row;
};
struct isa_first {
	uint16_t at, n;
};

/* The tables, for the engine's files and for tests. */
struct isa_tables {
	const char *text;
	const struct isa_run *runs;
	const struct isa_field *fields;
	const struct isa_assign *assigns;
	const struct isa_option *options;
	const uint16_t *lookup;
	const struct isa_piece *pieces;
	const struct isa_mem *mems;
	const struct isa_step *steps;
	const struct isa_bind *binds;
	const struct isa_term *terms;
	const struct isa_not *nots;
	const struct isa_row *rows;
	const struct isa_match *matches;
	const struct isa_first (*first)[8192]; /* [architecture][opcode] -> matches */
	const uint16_t *checks;                /* pieces */
	const uint16_t *by_uop;                /* row numbers */
	const struct isa_first *uop_first;     /* micro-operation -> by_uop */
	const struct isa_reg *regs;
	const struct wl_uop_traits *uop_traits;
	const uint16_t *forms;                               /* kinds of A, B, C, 3 bits each */
	const struct isa_first (*form_first)[WL_ARCH_COUNT]; /* [micro-operation][architecture] -> forms */
	unsigned nrows;
};
extern const struct isa_tables isa;

/* Number of consecutive registers for that width. */
unsigned isa_words(const struct wl_inst *in, enum wl_width width);

/* The row of a word: opcode, conditions and every piece are legal. NULL: no row. */
const struct isa_row *isa_find(int arch, struct wl_word w);

/* Members set by the word's fields and pieces; uop, too, whether the word is modelled or not. */
void isa_bind(const struct isa_row *row, struct wl_word w, struct wl_inst *out);

/* Is an alternative of the condition met? False for an empty condition. */
bool isa_holds(const struct isa_term *t, unsigned n, struct wl_word w);

static inline uint32_t isa_opcode(struct wl_word w)
{
	return (uint32_t)(w.lo & 0xfff) | (uint32_t)(w.hi >> 27 & 1) << 12;
}

static inline uint64_t isa_bits(struct wl_word w, unsigned lo, unsigned len)
{
	/* without a branch: no processor can predict the next bits */
	uint64_t v = (uint64_t)(((unsigned __int128)w.hi << 64 | w.lo) >> (lo & 127));
	return v & (((UINT64_C(1) << (len & 63)) - 1) | (0 - (uint64_t)(len >> 6)));
}

/* The same for fewer than 64 bits within one half of the word. */
static inline uint64_t isa_half_bits(struct wl_word w, unsigned lo, unsigned len)
{
	return (lo & 64 ? w.hi : w.lo) >> (lo & 63) & ((UINT64_C(1) << len) - 1);
}

static inline struct wl_word isa_set_bits(struct wl_word w, unsigned lo, unsigned len, uint64_t v)
{
	uint64_t m = len >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << len) - 1;
	v &= m;
	if (lo >= 64) {
		w.hi = (w.hi & ~(m << (lo - 64))) | v << (lo - 64);
	} else {
		w.lo = (w.lo & ~(m << lo)) | v << lo;
		if (lo && lo + len > 64)
			w.hi = (w.hi & ~(m >> (64 - lo))) | v >> (64 - lo);
	}
	return w;
}

static inline int64_t isa_field_get(const struct isa_field *f, struct wl_word w)
{
	if (f->plain)
		return (int64_t)isa_half_bits(w, f->lo, f->len);
	const struct isa_run *r = isa.runs + f->runs;
	int64_t v = f->konst;
	for (unsigned i = 0; i < f->nruns; i++) {
		int64_t part = (int64_t)(isa_bits(w, r[i].lo, r[i].len) << r[i].shift);
		v += r[i].neg ? -part : part;
	}
	return f->kind == ISA_KIND_U && v > f->neutral ? f->neutral : v; /* the register behind URZ is URZ */
}

/* Puts a value into the field's bits. False when the value does not fit. */
bool isa_field_set(const struct isa_field *f, int64_t v, struct wl_word *w);

/* Option of a piece, chosen by the word. NULL when the piece's value is illegal. */
static inline const struct isa_option *isa_option(const struct isa_piece *p, struct wl_word w)
{
	uint32_t v = (uint32_t)isa_half_bits(w, p->lo, p->len);
	const struct isa_run *r = isa.runs + p->runs;
	for (unsigned i = p->len ? p->nruns : 0; i < p->nruns; i++)
		v |= (uint32_t)isa_bits(w, r[i].lo, r[i].len) << r[i].shift;
	uint16_t k = isa.lookup[p->lookup + v];
	return k == ISA_NONE ? NULL : isa.options + p->opts + k;
}

/* IMAD's aliases are not printed when A and B are both marked for reuse and bit 109 is clear. */
static inline bool isa_alias_hidden(struct wl_word w)
{
	return isa_bits(w, 122, 2) == 3 && !isa_bits(w, 109, 1);
}

/* The alias (".MOV", "" ...) printed with IMAD. */
const char *isa_imad_alias(const struct isa_row *row, struct wl_word w);

struct wl_word isa_set_piece(const struct isa_piece *p, uint32_t value, struct wl_word w);

#endif
