// SPDX-License-Identifier: Apache-2.0
/* regalloc.c -- virtual registers to R0..R254 and P0..P6, by linear scan over lifetimes with holes.
 *
 * A lifetime is a list of stretches of positions. An instruction at index i reads at 2i and writes at 2i + 1: a result
 * may take the register of a source that ends at the instruction. Pairs and quads are aligned. Both ends of a copy go
 * into one register when the lifetimes allow; the copy then vanishes. A register without a place is spilled (spill.c),
 * the least used for its length first, and allocation starts again.
 *
 * Registers fixed by calls (abi.h) have lifetimes, too, and places from the start. A value that lives across a call
 * takes a register kept by functions, and never a predicate. */
#include "abi.h"
#include "mir_visit.h"

#include <stdlib.h>
#include <string.h>

struct stretch {
	uint32_t from, to; /* from <= position < to */
	struct stretch *next;
};

struct life {
	struct stretch *first; /* ascending, apart; stretches behind the scan are dropped */
	uint32_t end, length;
	float weight; /* reads and writes, ten times as much for each loop around */
	uint32_t hint[2];
	int32_t delta[2]; /* wanted: phys = phys of hint + delta */
	uint8_t nhints;
};

struct alloc {
	struct mfunc *f;
	struct life *life;
	uint32_t *active, nactive; /* allocated, not yet ended, by register number */
	bool *spilled;
	bool any_spilled;
	uint32_t *call, ncalls; /* positions of calls: from the last while lives are built, then ascending */
	uint32_t *fixed, nfixed;
	/* while lives are built */
	uint32_t pos, block_start;
	float depth;
};

static void extend(struct alloc *a, uint32_t v, uint32_t from, uint32_t to)
{
	struct life *l = &a->life[v];
	struct stretch *s;
	if (from >= to)
		return;
	/* Blocks are visited from the last to the first: a new stretch touches the first stretch, or lies before. */
	if (l->first && l->first->from <= to) {
		if (from < l->first->from)
			l->first->from = from;
		if (to > l->first->to)
			l->first->to = to;
	} else {
		s = arena_alloc(a->f->arena, sizeof *s);
		*s = (struct stretch){from, to, l->first};
		l->first = s;
	}
	if (to > l->end)
		l->end = to;
}

/* A write starts the life anew, if no word of the register is wanted above the write. */
static void cut(struct alloc *a, uint32_t v, uint32_t at)
{
	struct life *l = &a->life[v];
	if (l->first && l->first->from < at && l->first->to > at)
		l->first->from = at;
}

struct walk {
	struct alloc *a;
	uint8_t *live; /* by register: words wanted below the current instruction */
};

static uint8_t word_bits(ref r, unsigned words)
{
	return (uint8_t)(((1u << (words ? words : 1)) - 1) << ref_word(r));
}

static void walk_def(void *self, ref *r, unsigned words)
{
	struct walk *w = self;
	uint32_t v = ref_reg(*r);
	w->a->life[v].weight += w->a->depth;
	/* a result without a reader still needs a place at the moment of the write */
	extend(w->a, v, w->a->pos + 1, w->a->pos + 2);
	w->live[v] &= (uint8_t)~word_bits(*r, words);
	if (!w->live[v])
		cut(w->a, v, w->a->pos + 1);
}

static void walk_guarded_def(void *self, ref *r, unsigned words)
{
	struct walk *w = self;
	(void)words;
	w->a->life[ref_reg(*r)].weight += w->a->depth;
	extend(w->a, ref_reg(*r), w->a->pos + 1, w->a->pos + 2);
}

static void walk_use(void *self, ref *r, unsigned words)
{
	struct walk *w = self;
	w->a->life[ref_reg(*r)].weight += w->a->depth;
	extend(w->a, ref_reg(*r), w->a->block_start, w->a->pos + 1);
	w->live[ref_reg(*r)] |= word_bits(*r, words);
}

static void walk_leave(void *self, ref *r, unsigned words)
{
	(void)words;
	((struct walk *)self)->live[ref_reg(*r)] = 0;
}

static void add_hint(struct alloc *a, uint32_t v, uint32_t other, int32_t delta)
{
	struct life *l = &a->life[v];
	if (v == other || l->nhints == 2)
		return;
	l->hint[l->nhints] = other;
	l->delta[l->nhints++] = delta;
}

static void note_copy(struct alloc *a, const struct minst *in)
{
	int32_t delta;
	if (in->w.uop != WL_UOP_MOV || in->w.src[1] != WL_SRC_REG || !ref_is_reg(in->rb) || !ref_is_reg(in->rd))
		return;
	delta = (int32_t)ref_word(in->rb) - (int32_t)ref_word(in->rd);
	add_hint(a, ref_reg(in->rd), ref_reg(in->rb), delta);
	add_hint(a, ref_reg(in->rb), ref_reg(in->rd), -delta);
}

static void live_through(struct alloc *a, const struct mblock *b, uint8_t *live, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < b->nlive_out; i++) {
		live[b->live_out[i].vreg] = b->live_out[i].words;
		extend(a, b->live_out[i].vreg, from, to);
	}
}

/* Nothing is live again: the next block starts with its own live words. */
static void leave_block(struct mblock *b, struct walk *w)
{
	for (uint32_t i = 0; i < b->nlive_out; i++)
		w->live[b->live_out[i].vreg] = 0;
	for (uint32_t k = 0; k < b->n; k++)
		minst_uses(&b->ins[k], walk_leave, w);
}

static float loop_weight(const struct mfunc *f, const struct mblock *b)
{
	float w = 1;
	for (uint32_t l = b->loop; l != NO_BLOCK && w < 1e6f; l = f->blocks[l]->loop_parent)
		w *= 10;
	return w;
}

static void build_lives(struct alloc *a)
{
	struct mfunc *f = a->f;
	uint32_t total = 0;
	uint8_t *live = arena_zalloc(f->arena, f->nvregs + 1);
	for (uint32_t i = 0; i < f->norder; i++)
		total += f->blocks[f->order[i]]->n + 1;
	for (uint32_t i = f->norder; i-- > 0;) {
		struct mblock *b = f->blocks[f->order[i]];
		uint32_t end = 2 * total, start = 2 * (total - b->n - 1);
		struct walk w = {a, live};
		a->block_start = start;
		a->depth = loop_weight(f, b);
		live_through(a, b, live, start, end);
		for (uint32_t k = b->n; k-- > 0;) {
			struct minst *in = &b->ins[k];
			a->pos = start + 2 * k + 2; /* position `start` is the entry of the block */
			minst_defs(in, in->guard == REF_NONE || in->fresh ? walk_def : walk_guarded_def, &w);
			minst_uses(in, walk_use, &w);
			if (minst_is_call(in))
				a->call[a->ncalls++] = a->pos;
			if (in->guard != REF_NONE)
				continue;
			note_copy(a, in);
		}
		leave_block(b, &w);
		total -= b->n + 1;
	}
}

static bool overlap(const struct life *x, const struct life *y)
{
	const struct stretch *s = x->first, *t = y->first;
	while (s && t) {
		if (s->to <= t->from)
			s = s->next;
		else if (t->to <= s->from)
			t = t->next;
		else
			return true;
	}
	return false;
}

/* The register keeps a value while a call runs. */
static bool crosses_call(const struct alloc *a, uint32_t v)
{
	for (const struct stretch *s = a->life[v].first; s && a->ncalls; s = s->next) {
		uint32_t low = 0, high = a->ncalls; /* the first call behind the beginning */
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;
			if (a->call[middle] + 1 < s->from)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < a->ncalls && a->call[low] + 1 < s->to && a->call[low] >= s->from)
			return true;
	}
	return false;
}

static void take(uint64_t taken[4], unsigned r, unsigned words)
{
	for (unsigned w = r; w < r + words; w++)
		taken[w / 64] |= UINT64_C(1) << (w % 64);
}

static void forbid_clobbered(uint64_t taken[4], bool pred)
{
	for (unsigned r = 0; r < 256; r++)
		if (pred || abi_clobbered(r))
			take(taken, r, 1);
}

/* Registers (or predicates) forbidden for v: 256 bits. */
static void forbidden(const struct alloc *a, uint32_t v, uint64_t taken[4])
{
	const struct mfunc *f = a->f;
	memset(taken, 0, 4 * sizeof *taken);
	if (!f->vregs[v].pred)
		taken[0] = UINT64_C(1) << ABI_STACK_REG | (uint64_t)f->moves_stack << ABI_FRAME_REG;
	if (crosses_call(a, v))
		forbid_clobbered(taken, f->vregs[v].pred);
	for (uint32_t i = 0; i < a->nfixed && !f->vregs[v].pred; i++)
		if (overlap(&a->life[v], &a->life[a->fixed[i]]))
			take(taken, (unsigned)f->vregs[a->fixed[i]].phys, f->vregs[a->fixed[i]].words);
	for (uint32_t i = 0; i < a->nactive; i++) {
		uint32_t o = a->active[i];
		if (f->vregs[o].pred != f->vregs[v].pred || !overlap(&a->life[v], &a->life[o]))
			continue;
		take(taken, (unsigned)f->vregs[o].phys, f->vregs[o].words);
	}
}

static bool is_free(const uint64_t taken[4], unsigned p, unsigned words)
{
	for (unsigned w = p; w < p + words; w++)
		if (taken[w / 64] >> (w % 64) & 1)
			return false;
	return true;
}

static int find_place(const struct alloc *a, uint32_t v)
{
	const struct vreg *r = &a->f->vregs[v];
	const struct life *l = &a->life[v];
	unsigned limit = r->pred ? WL_NUM_PREDS : a->f->max_regs;
	uint64_t taken[4];
	forbidden(a, v, taken);
	for (unsigned h = 0; h < l->nhints; h++) {
		const struct vreg *o = &a->f->vregs[l->hint[h]];
		int p = o->phys + l->delta[h];
		if (o->phys >= 0 && !a->spilled[l->hint[h]] && p >= 0 && (unsigned)p % r->words == 0 &&
		    (unsigned)p + r->words <= limit && is_free(taken, (unsigned)p, r->words))
			return p;
	}
	if (!a->f->src->is_entry && !r->pred) /* first the registers that need not be kept for the caller */
		for (unsigned p = 0; p + r->words <= limit; p += r->words)
			if (is_free(taken, p, r->words) && abi_clobbered(p) && abi_clobbered(p + r->words - 1))
				return (int)p;
	for (unsigned p = 0; p + r->words <= limit; p += r->words)
		if (is_free(taken, p, r->words))
			return (int)p;
	return -1;
}

static void retire(struct alloc *a, uint32_t before)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < a->nactive; i++) {
		struct life *l = &a->life[a->active[i]];
		if (l->end <= before)
			continue;
		while (l->first->to <= before)
			l->first = l->first->next;
		a->active[n++] = a->active[i];
	}
	a->nactive = n;
	for (uint32_t i = 0; i < a->nfixed; i++) {
		struct life *l = &a->life[a->fixed[i]];
		while (l->first && l->first->to <= before)
			l->first = l->first->next;
	}
}

static float cost(const struct alloc *a, uint32_t v)
{
	return a->life[v].weight / (float)(1 + a->life[v].length);
}

/* Takes the cheapest out of registers, of v and the registers in the way of v. False when none may be taken. */
static bool spill_one(struct alloc *a, uint32_t v, bool *self)
{
	const struct mfunc *f = a->f;
	uint32_t best = f->vregs[v].unspillable ? NO_BLOCK : v, at = 0;
	bool across = crosses_call(a, v);
	for (uint32_t i = 0; i < a->nactive; i++) {
		uint32_t o = a->active[i];
		if (across && (f->vregs[o].pred || abi_clobbered((unsigned)f->vregs[o].phys)))
			continue; /* the place of o is of no use */
		if (f->vregs[o].pred != f->vregs[v].pred || f->vregs[o].unspillable ||
		    !overlap(&a->life[v], &a->life[o]))
			continue;
		if (best == NO_BLOCK || cost(a, o) < cost(a, best)) {
			best = o;
			at = i;
		}
	}
	if (best == NO_BLOCK)
		return false;
	a->spilled[best] = true;
	a->any_spilled = true;
	*self = best == v;
	if (!*self) {
		f->vregs[best].phys = -1;
		a->active[at] = a->active[--a->nactive];
	}
	return true;
}

/* The start of a life in the high half, the register in the low half. */
static int by_start(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
	return a < b ? -1 : a > b;
}

static bool allocate(struct alloc *a)
{
	struct mfunc *f = a->f;
	uint64_t *order = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *order);
	uint32_t n = 0;
	for (uint32_t v = 0; v < f->nvregs; v++) {
		if (f->vregs[v].fixed)
			continue;
		f->vregs[v].phys = -1;
		for (const struct stretch *s = a->life[v].first; s; s = s->next)
			a->life[v].length += s->to - s->from;
		if (a->life[v].first)
			order[n++] = (uint64_t)a->life[v].first->from << 32 | v;
	}
	qsort(order, n, sizeof *order, by_start);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = (uint32_t)order[i];
		bool self = false;
		int p;
		retire(a, a->life[v].first->from);
		while ((p = find_place(a, v)) < 0 && !self)
			if (!spill_one(a, v, &self))
				return false;
		if (self)
			continue;
		f->vregs[v].phys = (int16_t)p;
		a->active[a->nactive++] = v;
	}
	return true;
}

static uint8_t reg_number(const struct mfunc *f, ref r)
{
	if (r == REF_NONE)
		return WL_RZ;
	return (uint8_t)((unsigned)f->vregs[ref_reg(r)].phys + ref_word(r));
}

static uint8_t pred_number(const struct mfunc *f, ref r, uint8_t num)
{
	return r == REF_NONE ? num : (uint8_t)((unsigned)f->vregs[ref_reg(r)].phys | (num & NOT_P));
}

/* From here on the stack pointer is a register like others: scheduling sees reads and writes of the stack pointer. */
static void name_stack_pointer(struct mfunc *f)
{
	const uint32_t sp = mfunc_new_reg(f, 1), frame = f->moves_stack ? mfunc_new_reg(f, 1) : sp;
	f->vregs[sp].phys = ABI_STACK_REG;
	f->vregs[frame].phys = f->moves_stack ? ABI_FRAME_REG : ABI_STACK_REG;
	f->sp = sp << 2;
	f->frame_at = frame << 2;
}

static void write_back(struct mfunc *f)
{
	name_stack_pointer(f);
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		uint32_t n = 0;
		for (uint32_t k = 0; k < b->n; k++) {
			struct minst *in = &b->ins[k];
			in->w.guard = pred_number(f, in->guard, in->w.guard);
			if (in->word) {
				b->ins[n++] = *in;
				continue;
			}
			if (in->ra == REF_SP)
				in->ra = f->frame_at;
			if (in->rb == REF_SP)
				in->rb = f->frame_at;
			in->w.rd = reg_number(f, in->rd);
			in->w.ra = reg_number(f, in->ra);
			in->w.rb = reg_number(f, in->rb);
			in->w.rc = reg_number(f, in->rc);
			for (unsigned p = 0; p < 2; p++)
				in->w.pd[p] = pred_number(f, in->pd[p], WL_PT);
			for (unsigned p = 0; p < 3; p++)
				in->w.ps[p] = pred_number(f, in->ps[p], in->w.ps[p]);
			if (in->w.uop == WL_UOP_MOV && in->w.src[1] == WL_SRC_REG && in->w.rd == in->w.rb)
				continue;
			b->ins[n++] = *in;
		}
		b->n = n;
	}
}

static void count_registers(struct mfunc *f)
{
	f->regs = f->moves_stack ? ABI_FRAME_REG + 1 : ABI_STACK_REG + 1; /* lower registers always count */
	for (uint32_t v = 0; v < f->nvregs; v++)
		if (!f->vregs[v].pred && f->vregs[v].phys >= 0 &&
		    (uint32_t)f->vregs[v].phys + f->vregs[v].words > f->regs)
			f->regs = (uint32_t)f->vregs[v].phys + f->vregs[v].words;
}

static void find_fixed(struct alloc *a)
{
	uint32_t ncalls = 0;
	a->fixed = arena_alloc(a->f->arena, WL_NUM_REGS * sizeof *a->fixed);
	for (unsigned r = 0; r < WL_NUM_REGS; r++)
		if (a->f->fixed[r])
			a->fixed[a->nfixed++] = a->f->fixed[r] - 1;
	for (uint32_t i = 0; i < a->f->norder; i++) {
		const struct mblock *b = a->f->blocks[a->f->order[i]];
		ncalls += b->n && minst_is_call(&b->ins[b->n - 1]);
	}
	a->call = arena_alloc(a->f->arena, (ncalls + 1) * sizeof *a->call);
}

static void reverse(uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t t = list[i];
		list[i] = list[n - 1 - i];
		list[n - 1 - i] = t;
	}
}

bool lower_regalloc(struct mfunc *f)
{
	enum { MAX_ROUNDS = 20 };
	for (unsigned round = 0; round < MAX_ROUNDS; round++) {
		struct alloc a = {.f = f};
		lower_live(f);
		a.life = arena_zalloc(f->arena, (f->nvregs + 1) * sizeof *a.life);
		a.active = arena_alloc(f->arena, (f->nvregs + 1) * sizeof *a.active);
		a.spilled = arena_zalloc(f->arena, f->nvregs + 1);
		find_fixed(&a);
		build_lives(&a);
		reverse(a.call, a.ncalls);
		if (!allocate(&a))
			break;
		if (!a.any_spilled) {
			count_registers(f);
			write_back(f);
			return true;
		}
		lower_spill(f, a.spilled);
	}
	lower_error(f, f->src->pos.line, "'%s' does not fit %u registers", f->src->name, f->max_regs);
	return false;
}
