// SPDX-License-Identifier: Apache-2.0
/* combine.c -- merges two instructions: logic of logic (LOP3 has any table of three sources), sums of sums, sums of
 * products; predicates turned into values and into predicates again, and predicates for a zero result of LOP3.
 *
 * An instruction takes in the maker of its source, if no other instruction reads the source. The maker then goes. */
#include "mir_visit.h"
#include "values.h"

struct combine {
	struct values v;
	struct mfunc *f;
	uint32_t *uses; /* by word: readers */
};

/* ---- makers that may be taken in ---- */

static bool plain(const struct minst *in)
{
	return !in->w.neg && !in->w.abs && !in->w.inv;
}

static ref source_ref(const struct minst *in, unsigned i)
{
	return i == 0 ? in->ra : i == 1 ? in->rb : in->rc;
}

static bool sources_stable(const struct combine *c, const struct minst *in)
{
	for (unsigned i = 0; i < 3; i++)
		if (in->w.src[i] == WL_SRC_UREG ||
		    (in->w.src[i] == WL_SRC_REG &&
		     (source_ref(in, i) == REF_SP || !value_lasts(&c->v, in, source_ref(in, i)))))
			return false;
	return true;
}

/* The instruction of kind `uop` that made source i of `in`, for `in` alone. */
static const struct minst *only_for(const struct combine *c, const struct minst *in, unsigned i, unsigned uop)
{
	const struct minst *d = in->w.src[i] == WL_SRC_REG ? value_of(&c->v, source_ref(in, i)) : NULL;
	if (!d || d->w.uop != uop || d->pd[0] != REF_NONE || d->pd[1] != REF_NONE || (d->w.flags & WL_F_X) || d->keep ||
	    c->uses[source_ref(in, i)] != 1 || !sources_stable(c, d))
		return NULL;
	return d;
}

/* Any of the three sources of an instruction. */
struct slot {
	uint8_t kind;
	bool negated;
	ref r;
	uint32_t imm;
	int32_t coff;
	uint8_t cbank;
};

struct slots {
	struct slot s[4];
	unsigned n, others; /* others: number of slots that are no registers */
};

static struct slot slot_of(const struct minst *in, unsigned i)
{
	return (struct slot){in->w.src[i], (in->w.neg >> i & 1) != 0, source_ref(in, i), in->w.imm, in->w.coff,
	                     in->w.cbank};
}

static bool is_zero(const struct minst *in, unsigned i)
{
	return in->w.src[i] == WL_SRC_NONE || (in->w.src[i] == WL_SRC_REG && source_ref(in, i) == REF_NONE) ||
	       (in->w.src[i] == WL_SRC_IMM && in->w.imm == 0);
}

static void put_slots(struct minst *in, const struct slots *s)
{
	unsigned place[3], used = 0;
	for (unsigned k = 0; k < s->n; k++) /* a source other than a register goes to B */
		if (s->s[k].kind != WL_SRC_REG)
			used |= 1u << (place[k] = 1);
	for (unsigned k = 0; k < s->n; k++)
		if (s->s[k].kind == WL_SRC_REG) {
			for (place[k] = 0; used >> place[k] & 1;)
				place[k]++;
			used |= 1u << place[k];
		}
	in->ra = in->rb = in->rc = REF_NONE;
	in->w.neg = 0;
	in->w.imm = 0;
	in->w.coff = 0;
	for (unsigned i = 0; i < 3; i++)
		in->w.src[i] = WL_SRC_REG;
	for (unsigned k = 0; k < s->n; k++) {
		const struct slot *x = &s->s[k];
		ref *r = place[k] == 0 ? &in->ra : place[k] == 1 ? &in->rb : &in->rc;
		in->w.src[place[k]] = x->kind;
		in->w.neg |= (uint8_t)(x->negated << place[k]);
		*r = x->r;
		if (x->kind == WL_SRC_IMM)
			in->w.imm = x->imm;
		if (x->kind == WL_SRC_CONST) {
			in->w.coff = x->coff;
			in->w.cbank = x->cbank;
		}
	}
}

/* ---- logic ---- */

enum { ALL_ZEROS = 8, ALL_ONES = 9 };

static bool same_slot(const struct slot *a, const struct slot *b)
{
	if (a->kind != b->kind)
		return false;
	return a->kind == WL_SRC_REG   ? a->r == b->r
	       : a->kind == WL_SRC_IMM ? a->imm == b->imm
	                               : a->coff == b->coff && a->cbank == b->cbank;
}

/* Number of the slot of source i of `in`, made if need be; ALL_ZEROS, ALL_ONES. */
static unsigned add_slot(struct slots *s, const struct minst *in, unsigned i)
{
	struct slot x = slot_of(in, i);
	if (is_zero(in, i))
		return ALL_ZEROS;
	if (x.kind == WL_SRC_IMM && x.imm == UINT32_MAX)
		return ALL_ONES;
	for (unsigned k = 0; k < s->n; k++)
		if (same_slot(&s->s[k], &x))
			return k;
	if (s->n == 4)
		return 3;
	s->others += x.kind != WL_SRC_REG;
	s->s[s->n] = x;
	return s->n++;
}

/* Result of LOP3 for all eight values of its sources at once: `lut` of columns of eight bits. */
static uint8_t table(uint8_t lut, const uint8_t x[3])
{
	unsigned out = 0;
	for (unsigned k = 0; k < 8; k++)
		if (lut >> k & 1)
			out |= (k & 4 ? x[0] : ~x[0]) & (k & 2 ? x[1] : ~x[1]) & (k & 1 ? x[2] : ~x[2]);
	return (uint8_t)out;
}

/* The column of a slot: the column of its place. */
static uint8_t column_of(unsigned slot, const unsigned place[3])
{
	static const uint8_t columns[3] = {0xf0, 0xcc, 0xaa};
	return slot == ALL_ZEROS ? 0 : slot == ALL_ONES ? 0xff : columns[place[slot]];
}

/* LOP3 `in`, with source `at` (3: none) replaced by LOP3 d. False where the result has too many sources. */
static bool merge_logic(struct minst *in, const struct minst *d, unsigned at)
{
	struct slots s = {.n = 0};
	unsigned of[3], inner[3] = {0}, place[3] = {0, 1, 2};
	uint8_t x[3], y[3];
	for (unsigned i = 0; i < 3; i++)
		of[i] = i == at ? 0 : add_slot(&s, in, i);
	for (unsigned i = 0; i < 3 && d; i++)
		inner[i] = add_slot(&s, d, i);
	if (s.n > 3 || s.others > 1)
		return false;
	/* the place of each slot: a source other than a register stands at B (see put_slots) */
	for (unsigned k = 0, next = 0; k < s.n; k++) {
		if (s.s[k].kind != WL_SRC_REG) {
			place[k] = 1;
			continue;
		}
		if (next == 1 && s.others)
			next = 2;
		place[k] = next++;
	}
	for (unsigned i = 0; i < 3; i++) {
		y[i] = column_of(inner[i], place);
		x[i] = column_of(of[i], place);
	}
	if (at < 3)
		x[at] = table(d->w.lut, y);
	put_slots(in, &s);
	in->w.lut = table(in->w.lut, x);
	return true;
}

static void become_mov(struct minst *in, uint8_t kind, ref r, uint32_t imm)
{
	struct minst mov = minst_make(WL_UOP_MOV, in->line);
	mov.guard = in->guard;
	mov.w.guard = in->w.guard;
	mov.rd = in->rd;
	mov.w.src[1] = kind;
	mov.rb = r;
	mov.w.imm = imm;
	*in = mov;
}

static bool is_logic(const struct minst *in)
{
	return in->w.uop == WL_UOP_LOP3 && plain(in) && in->pd[0] == REF_NONE && in->w.src[0] != WL_SRC_UREG &&
	       in->w.src[1] != WL_SRC_UREG && in->w.src[2] != WL_SRC_UREG;
}

static void combine_logic(struct combine *c, struct minst *in)
{
	if (!is_logic(in))
		return;
	merge_logic(in, NULL, 3); /* zeros and ones vanish */
	for (unsigned tries = 0; tries < 3; tries++)
		for (unsigned i = 0; i < 3; i++) {
			const struct minst *d = only_for(c, in, i, WL_UOP_LOP3);
			if (d && is_logic(d) && merge_logic(in, d, i))
				break;
		}
	if (in->w.lut == 0 || in->w.lut == 0xff)
		become_mov(in, in->w.lut ? WL_SRC_IMM : WL_SRC_REG, REF_NONE, in->w.lut ? UINT32_MAX : 0);
	else if (in->w.lut == 0xf0 && in->w.src[0] == WL_SRC_REG && in->ra != REF_NONE)
		become_mov(in, WL_SRC_REG, in->ra, 0);
}

/* ---- sums ---- */

static bool is_sum(const struct minst *in)
{
	return in->w.uop == WL_UOP_IADD3 && in->pd[0] == REF_NONE && in->pd[1] == REF_NONE && !(in->w.flags & WL_F_X) &&
	       !in->w.abs && !in->w.inv;
}

static void add_term(struct slots *s, struct slot x)
{
	if (x.kind == WL_SRC_IMM && x.negated) {
		x.imm = -x.imm;
		x.negated = false;
	}
	if (s->n < 4)
		s->s[s->n] = x;
	s->n++;
	s->others += x.kind != WL_SRC_REG;
}

/* a - b - c is no form without a predicate: two negated sources are one too many. */
static bool merge_sum(struct minst *in, const struct minst *d, unsigned at)
{
	struct slots s = {.n = 0};
	unsigned negated = 0;
	for (unsigned i = 0; i < 3; i++) {
		if (i != at && !is_zero(in, i))
			add_term(&s, slot_of(in, i));
		if (i != at)
			continue;
		for (unsigned k = 0; k < 3; k++) {
			struct slot x = slot_of(d, k);
			x.negated ^= in->w.neg >> at & 1;
			if (!is_zero(d, k))
				add_term(&s, x);
		}
	}
	if (s.n > 3 || s.others > 1)
		return false;
	for (unsigned k = 0; k < s.n; k++)
		negated += s.s[k].negated;
	if (negated > 1)
		return false;
	put_slots(in, &s);
	return true;
}

/* in = +-(x * y) + z */
static bool merge_product(const struct combine *c, struct minst *in, const struct minst *d, unsigned at)
{
	struct minst mad = *d;
	struct slot z = {.kind = WL_SRC_NONE};
	for (unsigned i = 0; i < 3; i++)
		if (i != at && !is_zero(in, i)) {
			if (z.kind != WL_SRC_NONE)
				return false;
			z = slot_of(in, i);
		}
	if (!plain(d) || !is_zero(d, 2) || z.negated || z.kind == WL_SRC_NONE)
		return false;
	if (z.kind != WL_SRC_REG &&
	    (d->w.src[1] != WL_SRC_REG || !mfunc_takes(c->f, WL_UOP_IMAD, 2, (enum wl_src)z.kind)))
		return false;
	if (in->w.neg >> at & 1) {
		if (d->w.src[1] != WL_SRC_IMM)
			return false;
		mad.w.imm = -mad.w.imm;
	}
	mad.line = in->line;
	mad.rd = in->rd;
	mad.guard = in->guard;
	mad.w.guard = in->w.guard;
	mad.fresh = in->fresh;
	mad.w.src[2] = z.kind;
	mad.rc = z.r;
	if (z.kind == WL_SRC_IMM)
		mad.w.imm = z.imm;
	if (z.kind == WL_SRC_CONST) {
		mad.w.coff = z.coff;
		mad.w.cbank = z.cbank;
	}
	*in = mad;
	return true;
}

static void combine_sum(struct combine *c, struct minst *in)
{
	if (!is_sum(in))
		return;
	for (unsigned i = 0; i < 3; i++) {
		const struct minst *d = only_for(c, in, i, WL_UOP_IADD3);
		if (d && is_sum(d) && merge_sum(in, d, i))
			return;
		d = only_for(c, in, i, WL_UOP_IMAD);
		if (d && merge_product(c, in, d, i))
			return;
	}
}

/* ---- predicates ---- */

static bool literal(const struct minst *in, unsigned i, uint32_t *value)
{
	*value = in->w.src[i] == WL_SRC_IMM ? in->w.imm : 0;
	return in->w.src[i] == WL_SRC_IMM || (in->w.src[i] == WL_SRC_REG && source_ref(in, i) == REF_NONE);
}

/* p = A == B, p = A != B, and nothing more. */
static bool is_equality(const struct minst *in)
{
	return in->w.uop == WL_UOP_ISETP && (in->w.op == WL_CMP_EQ || in->w.op == WL_CMP_NE) && plain(in) &&
	       in->pd[1] == REF_NONE && in->ps[0] == REF_NONE && in->w.ps[0] == WL_PT && in->w.bop == 0 &&
	       !(in->w.flags & (WL_F_EX | WL_F_PAIR)) && in->w.src[0] == WL_SRC_REG;
}

/* The compared value is a choice between two literals: the predicate of the choice. */
static bool through_choice(const struct combine *c, const struct minst *cmp, const struct minst *sel, ref *p,
                           bool *negated)
{
	uint32_t a, b, with;
	bool first, second;
	if (sel->w.uop != WL_UOP_SEL || !plain(sel) || (sel->w.flags & WL_F_PAIR) || !literal(sel, 0, &a) ||
	    !literal(sel, 1, &b) || !literal(cmp, 1, &with) || !ref_is_reg(sel->ps[0]) ||
	    !value_stable(&c->v, sel, sel->ps[0]))
		return false;
	first = (a == with) == (cmp->w.op == WL_CMP_EQ);
	second = (b == with) == (cmp->w.op == WL_CMP_EQ);
	if (first == second)
		return false;
	*p = sel->ps[0];
	*negated = ((sel->w.ps[0] & NOT_P) != 0) == first;
	return true;
}

/* LOP3 has a predicate for a result of zero. */
static bool through_logic(struct combine *c, const struct minst *cmp, struct minst *d, ref *p, bool *negated)
{
	uint32_t with;
	if (d->w.uop != WL_UOP_LOP3 || !plain(d) || !literal(cmp, 1, &with) || with || d->w.op ||
	    d->ps[0] != REF_NONE || d->w.ps[0] != (WL_PT | NOT_P))
		return false;
	if (d->pd[0] == REF_NONE)
		d->pd[0] = mfunc_new_pred(c->f) << 2;
	*p = d->pd[0];
	*negated = cmp->w.op == WL_CMP_EQ;
	return true;
}

static bool resolve(struct combine *c, ref *p, bool *negated)
{
	const struct minst *cmp = value_of(&c->v, *p);
	struct minst *d;
	if (!cmp || !is_equality(cmp) || cmp->pd[0] != *p || !value_stable(&c->v, cmp, cmp->ra))
		return false;
	if (!value_of(&c->v, cmp->ra))
		return false;
	d = c->v.def[cmp->ra].in;
	return through_choice(c, cmp, d, p, negated) ||
	       (value_same_block(&c->v, cmp, d) && through_logic(c, cmp, d, p, negated));
}

/* Predicate source i of `in` may be negated. */
static bool takes_negated(const struct minst *in, unsigned i)
{
	switch (in->w.uop) {
	case WL_UOP_SEL:
	case WL_UOP_ISETP:
	case WL_UOP_FSETP:
	case WL_UOP_VOTE:
	case WL_UOP_BAR:
	case WL_UOP_PLOP3:
		return i == 0;
	default:
		return false;
	}
}

static void combine_predicate(struct combine *c, ref *p, uint8_t *number, bool may_negate)
{
	for (unsigned steps = 0; steps < 4 && ref_is_reg(*p); steps++) {
		ref to = *p;
		bool negated = false;
		if (!resolve(c, &to, &negated) || (negated && !may_negate))
			return;
		*p = to;
		*number = negated ? *number ^ NOT_P : *number;
	}
}

/* The comparison with the opposite result. For floats the opposite is no comparison, because of NaN. */
static bool inverted(struct minst *in)
{
	static const uint8_t opposite[] = {
	        [WL_CMP_F] = WL_CMP_T,   [WL_CMP_LT] = WL_CMP_GE, [WL_CMP_EQ] = WL_CMP_NE, [WL_CMP_LE] = WL_CMP_GT,
	        [WL_CMP_GT] = WL_CMP_LE, [WL_CMP_NE] = WL_CMP_EQ, [WL_CMP_GE] = WL_CMP_LT, [WL_CMP_T] = WL_CMP_F};
	if (in->w.uop != WL_UOP_ISETP)
		return false;
	in->w.op = opposite[in->w.op];
	return true;
}

/* A comparison used only in a combination with another predicate combines by itself: ISETP has AND, OR and XOR. */
static bool take_comparison(struct combine *c, struct minst *in, unsigned at)
{
	const struct minst *d = value_of(&c->v, in->ps[at]);
	const unsigned mine = at ? 2 : 4, others = 6 - mine; /* bits of the number of a row of the table */
	struct minst cmp;
	if (!d || (d->w.uop != WL_UOP_ISETP && d->w.uop != WL_UOP_FSETP) || d->guard != REF_NONE ||
	    d->pd[0] != in->ps[at] || d->pd[1] != REF_NONE || d->ps[0] != REF_NONE || d->w.ps[0] != WL_PT ||
	    d->w.bop != WL_BOOL_AND || (d->w.flags & (WL_F_EX | WL_F_PAIR)) || c->uses[in->ps[at]] != 1 ||
	    !sources_stable(c, d))
		return false;
	for (unsigned way = 0; way < 12; way++) { /* inverted, the other predicate negated, operation */
		const unsigned not = way & 1, other_not = way >> 1 & 1, op = way >> 2;
		bool all = true;
		for (unsigned row = 1; row < 8 && all; row += 2) {
			const bool x = ((row & mine) != 0) != ((in->w.ps[at] & NOT_P) != 0),
			           y = ((row & others) != 0) != ((in->w.ps[1 - at] & NOT_P) != 0);
			const bool a = x != not, b = y != other_not;
			all = (in->w.lut >> row & 1) == (op == 0 ? a && b : op == 1 ? a || b : a != b);
		}
		if (!all)
			continue;
		cmp = *d;
		if (not &&!inverted(&cmp))
			continue;
		cmp.line = in->line;
		cmp.guard = in->guard;
		cmp.w.guard = in->w.guard;
		cmp.fresh = in->fresh;
		cmp.pd[0] = in->pd[0];
		cmp.ps[0] = in->ps[1 - at];
		cmp.w.ps[0] = other_not ? NOT_P : 0;
		cmp.w.bop = (uint8_t)(op == 0 ? WL_BOOL_AND : op == 1 ? WL_BOOL_OR : WL_BOOL_XOR);
		*in = cmp;
		return true;
	}
	return false;
}

static void combine_comparison(struct combine *c, struct minst *in)
{
	if (in->w.uop != WL_UOP_PLOP3 || in->pd[1] != REF_NONE || !ref_is_reg(in->pd[0]) || !ref_is_reg(in->ps[0]) ||
	    !ref_is_reg(in->ps[1]) || in->ps[0] == in->ps[1] || in->ps[2] != REF_NONE || in->w.ps[2] != WL_PT ||
	    in->w.flags)
		return;
	if (!take_comparison(c, in, 1))
		take_comparison(c, in, 0);
}

static void combine_predicates(struct combine *c, struct minst *in)
{
	combine_predicate(c, &in->guard, &in->w.guard, true);
	for (unsigned i = 0; i < 3; i++)
		combine_predicate(c, &in->ps[i], &in->w.ps[i], takes_negated(in, i));
}

static void count_use(void *self, ref *r, unsigned words)
{
	for (unsigned w = 0; w < (words ? words : 1); w++)
		((struct combine *)self)->uses[*r + w]++;
}

void lower_combine(struct mfunc *f)
{
	struct combine c = {.f = f, .uses = arena_zalloc(f->arena, (4 * (size_t)f->nvregs + 4) * sizeof *c.uses)};
	values_init(&c.v, f);
	for (uint32_t i = 0; i < f->nrpo; i++)
		for (uint32_t k = 0; k < f->blocks[f->rpo[i]]->n; k++)
			minst_uses(&f->blocks[f->rpo[i]]->ins[k], count_use, &c);
	for (uint32_t i = 0; i < f->nrpo; i++) {
		struct mblock *b = f->blocks[f->rpo[i]];
		c.v.block = b->id;
		for (c.v.index = 0; c.v.index < b->n; c.v.index++) {
			struct minst *in = &b->ins[c.v.index];
			if (in->word) {
				values_pass(&c.v, in);
				continue;
			}
			combine_predicates(&c, in);
			combine_logic(&c, in);
			combine_sum(&c, in);
			combine_comparison(&c, in);
			values_pass(&c.v, in);
		}
	}
}
