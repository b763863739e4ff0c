// SPDX-License-Identifier: Apache-2.0
/* sched.c -- the scheduling fields of the words, on the safe side.
 *
 * Results of fixed latency are waited for by stall counts; results that take their time, and operands that are read
 * late, by one of six scoreboards and the wait mask of whoever needs them. At the end of a block everything
 * outstanding is waited for, so blocks know nothing of each other. */
#include "mir.h"

#include <string.h>

enum {
	NumRegs = 256,
	NumPreds = 8,
	NumBoards = 6,
	NoBoard = 7,
	MaxStall = 15,
	AluLatency = 6,
	WideLatency = 7,
	PredLatency = 14,
	ControlStall = 5,
	BoardStall = 2, /* a scoreboard stands two cycles after the instruction that sets it */
};

struct sched {
	uint32_t now; /* cycle at which the current instruction may issue */
	uint32_t ready[NumRegs], pred_ready[NumPreds];
	uint8_t write_board[NumRegs]; /* boards whose instruction will write the register */
	uint8_t read_board[NumRegs];  /* ... will read it */
	uint8_t pred_board[NumPreds];
	uint8_t outstanding;
	unsigned next_board;
};

enum timing { Fixed, Control, Variable };

static enum timing timing_of(unsigned uop)
{
	switch (uop) {
	case WL_UOP_S2R:
	case WL_UOP_POPC:
	case WL_UOP_FLO:
	case WL_UOP_BREV:
	case WL_UOP_MUFU:
	case WL_UOP_I2F:
	case WL_UOP_F2I:
	case WL_UOP_SHFL:
	case WL_UOP_LDC:
	case WL_UOP_LDG:
	case WL_UOP_LDL:
	case WL_UOP_LDS:
	case WL_UOP_STG:
	case WL_UOP_STL:
	case WL_UOP_STS:
	case WL_UOP_RED:
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
		return Variable;
	case WL_UOP_BRA:
	case WL_UOP_EXIT:
	case WL_UOP_BSSY:
	case WL_UOP_BSYNC:
	case WL_UOP_BREAK:
	case WL_UOP_WARPSYNC:
	case WL_UOP_YIELD:
	case WL_UOP_NANOSLEEP:
	case WL_UOP_BAR:
	case WL_UOP_MEMBAR:
	case WL_UOP_ERRBAR:
	case WL_UOP_CCTL_IVALL:
		return Control;
	default:
		return Fixed;
	}
}

static unsigned latency(unsigned uop)
{
	switch (uop) {
	case WL_UOP_IMAD_WIDE:
	case WL_UOP_IMAD_HI:
		return WideLatency;
	case WL_UOP_VOTE:
	case WL_UOP_CS2R:
		return MaxStall;
	default:
		return AluLatency;
	}
}

struct need {
	struct sched *s;
	const struct wl_inst *w;
	uint32_t at;
	uint8_t wait;
	uint8_t board; /* set while results are noted */
};

/* Which register number a reference of the instruction became. */
static unsigned number_of(const struct minst *in, const ref *r)
{
	if (r == &in->rd)
		return in->w.rd;
	if (r == &in->ra)
		return in->w.ra;
	if (r == &in->rb)
		return in->w.rb;
	if (r == &in->rc)
		return in->w.rc;
	if (r == &in->guard)
		return in->w.guard & 7;
	for (unsigned i = 0; i < 2; i++)
		if (r == &in->pd[i])
			return in->w.pd[i] & 7;
	for (unsigned i = 0; i < 3; i++)
		if (r == &in->ps[i])
			return in->w.ps[i] & 7;
	return WL_RZ;
}

struct visit {
	struct need *n;
	const struct minst *in;
};

static void later(uint32_t *at, uint32_t t)
{
	if (t > *at)
		*at = t;
}

static void need_source(void *self, ref *r, unsigned words)
{
	struct visit *v = self;
	struct sched *s = v->n->s;
	unsigned p = number_of(v->in, r);

	if (words == 0) {
		later(&v->n->at, s->pred_ready[p]);
		v->n->wait |= s->pred_board[p];
		return;
	}
	for (unsigned w = p; w < p + words; w++) {
		later(&v->n->at, s->ready[w]);
		v->n->wait |= s->write_board[w];
	}
}

static void need_result(void *self, ref *r, unsigned words)
{
	struct visit *v = self;
	struct sched *s = v->n->s;
	unsigned p = number_of(v->in, r);

	need_source(self, r, words);
	for (unsigned w = p; w < p + words; w++)
		v->n->wait |= s->read_board[w];
}

static void note_result(void *self, ref *r, unsigned words)
{
	struct visit *v = self;
	struct sched *s = v->n->s;
	unsigned p = number_of(v->in, r);
	bool variable = v->n->board != NoBoard;

	if (words == 0) {
		s->pred_ready[p] = variable ? 0 : s->now + PredLatency;
		s->pred_board[p] = variable ? (uint8_t)(1u << v->n->board) : 0;
		return;
	}
	for (unsigned w = p; w < p + words; w++) {
		s->ready[w] = variable ? 0 : s->now + latency(v->in->w.uop);
		s->write_board[w] = variable ? (uint8_t)(1u << v->n->board) : 0;
	}
}

static void note_source(void *self, ref *r, unsigned words)
{
	struct visit *v = self;
	unsigned p = number_of(v->in, r);

	for (unsigned w = p; w < p + words; w++)
		v->n->s->read_board[w] |= (uint8_t)(1u << v->n->board);
}

static void forget(struct sched *s, uint8_t boards)
{
	uint8_t keep = (uint8_t)~boards;

	if (!boards)
		return;
	for (unsigned r = 0; r < NumRegs; r++) {
		s->write_board[r] &= keep;
		s->read_board[r] &= keep;
	}
	for (unsigned p = 0; p < NumPreds; p++)
		s->pred_board[p] &= keep;
	s->outstanding &= keep;
}

static unsigned take_board(struct sched *s)
{
	for (unsigned k = 0; k < NumBoards; k++) {
		unsigned b = (s->next_board + k) % NumBoards;

		if (!(s->outstanding >> b & 1)) {
			s->next_board = (b + 1) % NumBoards;
			return b;
		}
	}
	/* All taken: boards count, so two instructions may share one. */
	s->next_board = (s->next_board + 1) % NumBoards;
	return (s->next_board + NumBoards - 1) % NumBoards;
}

static void schedule_one(struct sched *s, struct minst *in, struct minst *before)
{
	enum timing timing = timing_of(in->w.uop);
	struct need n = {.s = s, .w = &in->w, .at = s->now, .board = NoBoard};
	struct visit v = {&n, in};
	bool result = in->rd != REF_NONE || in->pd[0] != REF_NONE;

	minst_uses(in, need_source, &v);
	minst_defs(in, need_result, &v);
	if (before && n.at > s->now) {
		uint32_t stall = before->w.sched.stall + (n.at - s->now);

		before->w.sched.stall = (uint8_t)(stall > MaxStall ? MaxStall : stall);
	}
	if (n.at > s->now)
		s->now = n.at;
	forget(s, n.wait);
	in->w.sched = (struct wl_sched){.stall = 1, .wrbar = NoBoard, .rdbar = NoBoard, .wait = n.wait};
	if (timing == Variable) {
		n.board = (uint8_t)take_board(s);
		s->outstanding |= (uint8_t)(1u << n.board);
		if (result)
			in->w.sched.wrbar = n.board;
		else
			in->w.sched.rdbar = n.board;
		minst_uses(in, note_source, &v);
		in->w.sched.stall = BoardStall;
	} else if (timing == Control) {
		in->w.sched.stall = ControlStall;
	}
	minst_defs(in, note_result, &v);
	s->now += in->w.sched.stall;
}

/* The instruction waits for everything outstanding, except what it sets itself: that is left to its successors. */
static uint8_t settle(struct sched *s, struct minst *last)
{
	uint32_t at = s->now;
	uint8_t own = (uint8_t)((last->w.sched.wrbar < NumBoards ? 1u << last->w.sched.wrbar : 0) |
	                        (last->w.sched.rdbar < NumBoards ? 1u << last->w.sched.rdbar : 0));
	uint32_t stall;

	for (unsigned r = 0; r < NumRegs; r++)
		later(&at, s->ready[r]);
	for (unsigned p = 0; p < NumPreds; p++)
		later(&at, s->pred_ready[p]);
	stall = last->w.sched.stall + (at - s->now);
	last->w.sched.stall = (uint8_t)(stall > MaxStall ? MaxStall : stall);
	last->w.sched.wait |= (uint8_t)(s->outstanding & ~own);
	memset(s, 0, sizeof *s);
	return own;
}

void lower_sched(struct mfunc *f)
{
	uint8_t *left = arena_zalloc(f->arena, f->nblocks + 1);

	for (uint32_t i = 0; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];
		struct sched s;

		memset(&s, 0, sizeof s);
		for (uint32_t k = 0; k < b->n; k++) {
			schedule_one(&s, &b->ins[k], k ? &b->ins[k - 1] : NULL);
			if (b->ins[k].w.uop == WL_UOP_BRA || k + 1 == b->n) /* two branches may end a block */
				left[b->id] = settle(&s, &b->ins[k]);
		}
	}
	/* Only a block that falls through can end in an instruction with a scoreboard: the next one waits for it. */
	for (uint32_t i = 1; i < f->norder; i++) {
		struct mblock *b = f->blocks[f->order[i]];

		if (b->n)
			b->ins[0].w.sched.wait |= left[f->order[i - 1]];
	}
}
