// SPDX-License-Identifier: Apache-2.0
/* sched.c -- the scheduling fields of the words, on the safe side.
 *
 * Stall counts wait for results of fixed latency. For results of variable latency, and for operands read late, the
 * reader or writer waits by a wait mask for one of six scoreboards. Registers, pipes and cycles come from
 * warplock/hazard.h, also read by the checker. The end of a block waits for everything outstanding: blocks know nothing
 * of each other. */
#include "emit_words.h"
#include "mir.h"
#include "warplock/hazard.h"

enum {
	MAX_STALL = 15,
	CONTROL_STALL = 5, /* as in NVIDIA's assembler: the front end needs the cycles */
};

/* Pending accesses of a register. */
struct slot {
	uint32_t issued;
	enum wl_pipe pipe;
	bool fixed, high;
	uint32_t floor;                  /* first cycle of an older result that a guarded write may leave standing */
	uint8_t write_board, read_board; /* boards of instructions that will write, will read the register */
};

struct sched {
	enum wl_arch arch;
	uint32_t now; /* cycle at which the current instruction may issue */
	struct slot slot[WL_SLOTS];
	uint16_t touched[WL_SLOTS], ntouched; /* slots with notes since all was settled */
	bool is_touched[WL_SLOTS];
	uint8_t outstanding;
	uint8_t reserved; /* boards that count groups of copies */
	unsigned next_board;
	/* longest wl_latency() of any use, by pipe, file and half of the result; 0: not asked yet (+ 1) */
	uint8_t longest[WL_PIPE_COUNT][WL_FILE_COUNT][2];
};

static void later(uint32_t *at, uint32_t t)
{
	if (t > *at)
		*at = t;
}

/* First cycle for this use of the register. The code takes no advantage of operands read early or late: a few cycles
 * against the risk of a wrong assumption. */
static uint32_t ready(const struct sched *s, unsigned slot, const struct wl_operand *o, enum wl_pipe pipe)
{
	const struct slot *x = &s->slot[slot];
	enum wl_use use = o->write ? WL_USE_WRITE : o->guard ? WL_USE_GUARD : WL_USE_READ;
	unsigned cycles = wl_latency(s->arch, x->pipe, wl_slot_file(slot), x->high, use, pipe);
	unsigned late =
	        use == WL_USE_READ ? wl_latency(s->arch, x->pipe, wl_slot_file(slot), x->high, WL_USE_LATE, pipe) : 0;

	return x->issued + (late > cycles ? late : cycles);
}

static uint32_t longest(struct sched *s, enum wl_pipe pipe, enum wl_file file, bool high)
{
	uint8_t *known = &s->longest[pipe][file][high];
	uint32_t n = 0;
	if (*known)
		return *known - 1u;
	for (unsigned p = 0; p < WL_PIPE_COUNT; p++)
		for (unsigned use = WL_USE_READ; use <= WL_USE_WRITE; use++)
			later(&n, wl_latency(s->arch, pipe, file, high, (enum wl_use)use, (enum wl_pipe)p));
	*known = (uint8_t)(n + 1);
	return n;
}

/* First cycle for any use of the register. */
static uint32_t ready_for_all(struct sched *s, unsigned slot)
{
	const struct slot *x = &s->slot[slot];
	uint32_t at = x->floor;
	if (x->fixed)
		later(&at, x->issued + longest(s, x->pipe, wl_slot_file(slot), x->high));
	return at;
}

struct need {
	uint32_t at;
	uint8_t wait;
};

static struct need needs_of(const struct sched *s, const struct wl_access *a, enum wl_pipe pipe)
{
	struct need n = {.at = s->now};
	for (unsigned i = 0; i < a->n; i++) {
		const struct wl_operand *o = &a->op[i];
		for (unsigned w = o->slot; w < o->slot + o->words; w++) {
			const struct slot *x = &s->slot[w];
			if (x->fixed)
				later(&n.at, ready(s, w, o, pipe));
			later(&n.at, x->floor);
			n.wait |= x->write_board;
			if (o->write)
				n.wait |= x->read_board;
		}
	}
	return n;
}

static void forget(struct sched *s, uint8_t boards)
{
	uint8_t keep = (uint8_t)~boards;
	if (!boards)
		return;
	for (unsigned i = 0; i < s->ntouched; i++) {
		s->slot[s->touched[i]].write_board &= keep;
		s->slot[s->touched[i]].read_board &= keep;
	}
	s->outstanding &= keep;
}

static uint8_t take_board(struct sched *s)
{
	unsigned b;
	for (unsigned k = 0; k < WL_BOARDS; k++) {
		b = (s->next_board + k) % WL_BOARDS;
		if (!((s->outstanding | s->reserved) >> b & 1)) {
			s->next_board = (b + 1) % WL_BOARDS;
			return (uint8_t)b;
		}
	}
	/* All taken: boards count, and two instructions may share a board. */
	b = s->next_board;
	while (s->reserved >> b & 1)
		b = (b + 1) % WL_BOARDS;
	s->next_board = (b + 1) % WL_BOARDS;
	return (uint8_t)b;
}

/* Sets the board of an instruction with slow results, or slow operands. */
static uint8_t guard_slow(struct sched *s, struct wl_sched *f, const struct wl_access *a, struct wl_timing t)
{
	bool result = false, operand = false;
	uint8_t board;
	for (unsigned i = 0; i < a->n; i++) {
		result |= a->op[i].write;
		operand |= !a->op[i].write && t.operands != WL_QUEUE_None && wl_slot_file(a->op[i].slot) == WL_FILE_R;
	}
	if (!t.variable || (!result && !operand))
		return WL_NO_BOARD;
	board = take_board(s);
	s->outstanding |= (uint8_t)(1u << board);
	if (result)
		f->wrbar = board;
	else
		f->rdbar = board;
	if (f->stall < WL_BOARD_CYCLES)
		f->stall = WL_BOARD_CYCLES;
	return board;
}

static struct slot *touch(struct sched *s, unsigned slot)
{
	if (!s->is_touched[slot]) {
		s->is_touched[slot] = true;
		s->touched[s->ntouched++] = (uint16_t)slot;
	}
	return &s->slot[slot];
}

static void note_operands(struct sched *s, const struct wl_access *a, bool guarded, struct wl_timing t, uint8_t board)
{
	uint8_t bit = board < WL_BOARDS ? (uint8_t)(1u << board) : 0;
	for (unsigned i = 0; i < a->n; i++) {
		const struct wl_operand *o = &a->op[i];
		for (unsigned w = 0; w < o->words; w++) {
			struct slot *x = touch(s, o->slot + w);
			if (!o->write) {
				if (t.operands != WL_QUEUE_None)
					x->read_board |= bit;
				continue;
			}
			x->floor = guarded ? ready_for_all(s, o->slot + w) : 0;
			x->issued = s->now;
			x->pipe = t.pipe;
			x->high = w > 0;
			x->fixed = !t.variable;
			x->write_board = (uint8_t)((guarded ? x->write_board : 0) | (t.variable ? bit : 0));
		}
	}
}

static bool set_stall(struct mfunc *f, struct minst *in, uint32_t stall)
{
	in->w.sched.stall = (uint8_t)stall;
	if (stall > MAX_STALL)
		lower_error(f, in->line, "internal error: a stall of %u cycles, expected at most %u", stall, MAX_STALL);
	return stall <= MAX_STALL;
}

static bool schedule_one(struct mfunc *f, struct sched *s, struct minst *in, struct minst *before)
{
	struct wl_access a;
	struct wl_timing t;
	struct need n;
	uint8_t board;
	bool control;
	if (in->word) /* the registers may be no members of in->w */
		wl_access_of(s->arch, *in->word, &a);
	else
		wl_inst_access(s->arch, &in->w, &a);
	t = a.timing;
	if (in->w.uop == WL_UOP_BMOV_CLEAR && in->w.rd == WL_RZ) /* as ptxas: no result to wait for */
		t.variable = false;
	n = needs_of(s, &a, t.pipe);
	if (in->w.uop == WL_UOP_CCTL_IVALL) /* values read by an acquire must be there before the cache is dropped */
		n.wait |= s->outstanding;
	if (before && n.at > s->now) {
		uint32_t stall = before->w.sched.stall + (n.at - s->now);
		if (!set_stall(f, before, stall))
			return false;
	}
	s->now = n.at;
	forget(s, n.wait);
	control = a.traits & WL_TRAIT(SEQUENCES) || a.sync->mask & WL_WAR_BARRIER;
	in->w.sched = (struct wl_sched){
	        .stall = control ? CONTROL_STALL : 1, .wrbar = WL_NO_BOARD, .rdbar = WL_NO_BOARD, .wait = n.wait};
	if (in->w.uop == WL_UOP_LDGDEPBAR)
		in->w.sched.wrbar = COPY_GROUP_BOARD;
	if (in->w.uop == WL_UOP_UTMACMDFLUSH)
		in->w.sched.wrbar = BULK_GROUP_BOARD;
	board = guard_slow(s, &in->w.sched, &a, t);
	note_operands(s, &a, in->w.guard != WL_PT, t, board);
	s->now += in->w.sched.stall;
	return true;
}

/* The instruction waits for everything outstanding, except for its own boards: fix_boards.c adds the wait for its
 * own. */
static bool settle(struct mfunc *f, struct sched *s, struct minst *last)
{
	uint32_t at = s->now;
	const uint8_t own = sched_own_boards(last);

	for (unsigned i = 0; i < s->ntouched; i++)
		later(&at, ready_for_all(s, s->touched[i]));
	if (!set_stall(f, last, last->w.sched.stall + (at - s->now)))
		return false;
	last->w.sched.wait |= (uint8_t)(s->outstanding & ~own);
	for (unsigned i = 0; i < s->ntouched; i++) {
		s->slot[s->touched[i]] = (struct slot){0};
		s->is_touched[s->touched[i]] = false;
	}
	s->ntouched = 0;
	s->outstanding = 0;
	s->now = 0;
	return true;
}

bool lower_sched(struct mfunc *f)
{
	struct sched *s = arena_zalloc(f->arena, sizeof *s);
	s->arch = f->arch;
	s->reserved = (uint8_t)(f->copies << COPY_GROUP_BOARD | f->bulk_copies << BULK_GROUP_BOARD);
	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		for (uint32_t k = 0; k < b->n; k++) {
			if (!schedule_one(f, s, &b->ins[k], k ? &b->ins[k - 1] : NULL))
				return false;
			/* two branches may end a block; the callee knows of nothing under way */
			if (b->ins[k].w.uop == WL_UOP_BRA || minst_is_call(&b->ins[k]) || k + 1 == b->n)
				if (!settle(f, s, &b->ins[k]))
					return false;
		}
	}
	return true;
}
