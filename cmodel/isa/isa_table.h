// SPDX-License-Identifier: Apache-2.0
/* isa_table.h -- private to cmodel/isa: the encoding tables of the engine.
 *
 * The arrays are generated from enc_*.def. The steps of a row say what is printed, in order; in the other direction the
 * steps parse a text. The binds of a row say which bits become which member of struct wl_inst. */
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

/* Members of struct wl_inst that tables name. */
enum isa_member {
#define MEMBER(name, member, is_signed, neutral) ISA_M_##name,
#include "members.def"
#undef MEMBER
	ISA_M_imm64,
	ISA_M_COUNT,
};
struct isa_assign {
	uint8_t member;
	uint32_t value; /* in the touched list of a piece: mask of the bits that the piece decides, 0 = all */
};
struct isa_span {
	uint16_t at, len; /* in isa_text */
};
struct isa_option {
	uint16_t value;
	struct isa_span text;
	uint16_t assigns, nassigns;
	uint8_t ftype; /* float immediates behind it have this kind; 0 = as the field says */
};
enum { ISA_NONE = 0xffff };
struct isa_piece {
	uint8_t nruns;
	uint16_t runs;
	uint16_t nopts, opts;
	uint16_t lookup; /* value -> option, ISA_NONE = not a legal value */
	uint8_t lo, len; /* of its bits, where they are one run within a half of the word; else len = 0 */
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
	uint16_t rz;    /* options of rpiece with which RZ is printed beside other parts */
	uint16_t nourz; /* options of rpiece with which URZ is left out */
	uint8_t zext;   /* width of the offset where RZ alone makes it unsigned, else 0 */
};
enum isa_step_kind { ISA_LIT, ISA_PIECE, ISA_VAL, ISA_OPT, ISA_SEP, ISA_MEM, ISA_ALIAS, ISA_REUSE };
struct isa_step {
	uint8_t kind;
	uint16_t a; /* LIT: offset of the text; PIECE, MEM: index; VAL, OPT: field */
	int16_t b;  /* LIT: length; REUSE: number of the bit; OPT: the piece that negates, or -1 */
	uint8_t c;  /* OPT: steps that belong to the operand */
};
enum isa_bind_kind { ISA_BIND_FIELD, ISA_BIND_CONST, ISA_BIND_PIECE };
struct isa_bind {
	uint8_t kind, member;
	uint16_t index; /* field or piece */
	uint32_t value; /* CONST */
};
/* A term of a condition: bits lo .. lo+len-1 are (equal) or are not in the set. len <= 4: word is a mask of values;
 * else it is the one value. */
struct isa_term {
	uint8_t lo, len, equal, last;
	uint32_t word;
};
struct isa_not {
	uint8_t lo, len;
	uint32_t value;
};
struct isa_row {
	uint64_t base[2]; /* opcode, and the usual values of bits that the text does not show */
	uint16_t uop;
	uint16_t name, name_len;
	uint8_t archs, upred, modelled;
	uint16_t steps, nsteps;
	uint16_t binds, nbinds;
	uint16_t checks, nchecks; /* pieces with values that are not legal */
	uint16_t only, nonly;
	uint16_t illegal, nillegal;
	uint16_t regs, nregs; /* registers and predicates that are no members */
	uint8_t timing;       /* enum wl_timing_class */
	uint8_t sync_class;   /* enum wl_sync_class: its own, or its micro-operation's */
	uint64_t traits;      /* its own, or its micro-operation's */
};
/* A register or predicate of a word that decoding forgets. */
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

/* Registers in a row of that width. */
unsigned isa_words(const struct wl_inst *in, enum wl_width width);

/* The row that a word belongs to, NULL when there is none: opcode, conditions and every piece are legal. */
const struct isa_row *isa_find(int arch, struct wl_word w);

/* Members that the word's fields and pieces set; uop too, whether the word is modelled or not. */
void isa_bind(const struct isa_row *row, struct wl_word w, struct wl_inst *out);

/* Is one alternative of the condition met? False for an empty one. */
bool isa_holds(const struct isa_term *t, unsigned n, struct wl_word w);

static inline uint32_t isa_opcode(struct wl_word w)
{
	return (uint32_t)(w.lo & 0xfff) | (uint32_t)(w.hi >> 27 & 1) << 12;
}

static inline uint64_t isa_bits(struct wl_word w, unsigned lo, unsigned len)
{
	/* without a branch: which bits come next is what no processor can predict */
	uint64_t v = (uint64_t)(((unsigned __int128)w.hi << 64 | w.lo) >> (lo & 127));
	return v & (((UINT64_C(1) << (len & 63)) - 1) | (0 - (uint64_t)(len >> 6)));
}

/* The same of bits that lie in one half of the word, fewer than 64. */
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
	return v;
}

/* Puts a value into its bits; false when it does not fit. */
bool isa_field_set(const struct isa_field *f, int64_t v, struct wl_word *w);

/* Option of a piece that the word chooses, NULL when its value is not legal. */
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

/* The alias (".MOV", "" ...) that IMAD is printed with. */
const char *isa_imad_alias(const struct isa_row *row, struct wl_word w);

struct wl_word isa_set_piece(const struct isa_piece *p, uint32_t value, struct wl_word w);

#endif
