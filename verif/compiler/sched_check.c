// SPDX-License-Identifier: Apache-2.0
/* sched_check.c -- walks words, not the compiler's structures. The state before an instruction has, for every
 * register, the cycles until the value is ready, and the scoreboards of the register. States are joined over all ways
 * through the code until no state changes. The latencies are minimums, independent of any table: 4 cycles for an
 * arithmetic result (3 for a vote), 12 for a guarding predicate, 4 for a predicate operand, a scoreboard for all
 * else; 5 behind words that redirect lanes or wait for others, as in NVIDIA's code. */
#include "sched_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Regs = 256, Preds = 8, Slots = Regs + Preds, Least = 4, LEAST_VOTE = 3, LEAST_PRED = 12, LEAST_CONTROL = 5 };

struct slot {
	uint8_t cycles;      /* until the value can be read */
	uint8_t write, read; /* scoreboards to wait for */
	uint8_t unguarded;   /* a slow result without scoreboard */
};

struct state {
	bool known;
	struct slot slot[Slots];
};

struct access {
	uint16_t slot[32];
	unsigned n;
};

static void add(struct access *a, unsigned first, unsigned words)
{
	for (unsigned w = 0; w < words && first != WL_RZ; w++)
		a->slot[a->n++] = (uint16_t)(first + w);
}

static void add_pred(struct access *a, unsigned p)
{
	if ((p & 7) != WL_PT)
		a->slot[a->n++] = (uint16_t)(Regs + (p & 7));
}

/* Registers in the fields named in the row of uops.def; 64-bit operands by size. */
static void accesses(const struct wl_inst *in, struct access *reads, struct access *writes)
{
	unsigned size = in->size <= 4 ? 1 : in->size / 4u;
	bool wide = in->uop == WL_UOP_IMAD_WIDE;
	reads->n = writes->n = 0;
	add_pred(reads, in->guard);
	for (unsigned i = 0; i < 3; i++)
		add_pred(reads, in->ps[i]);
	for (unsigned i = 0; i < 2; i++)
		add_pred(writes, in->pd[i]);
	switch (in->uop) {
	case WL_UOP_LDG:
		add(reads, in->ra, 2);
		add(writes, in->rd, size);
		return;
	case WL_UOP_LDG_256:
		add(reads, in->ra, 2);
		add(writes, in->rd, 4);
		add(writes, in->rc, 4);
		return;
	case WL_UOP_STG_256:
		add(reads, in->ra, 2);
		add(reads, in->rb, 4);
		add(reads, in->rc, 4);
		return;
	case WL_UOP_STG:
	case WL_UOP_RED:
		add(reads, in->ra, 2);
		add(reads, in->rb, size);
		return;
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
		add(reads, in->ra, 2);
		add(reads, in->rb, size);
		if (in->uop == WL_UOP_ATOMG_CAS)
			add(reads, in->rc, size);
		add(writes, in->rd, size);
		return;
	case WL_UOP_LDS:
	case WL_UOP_LDL:
	case WL_UOP_LDC:
		add(reads, in->ra, 1);
		add(writes, in->rd, size);
		return;
	case WL_UOP_STS:
	case WL_UOP_STL:
		add(reads, in->ra, 1);
		add(reads, in->rb, size);
		return;
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
		add(reads, in->ra, 1);
		add(reads, in->rb, size);
		if (in->uop != WL_UOP_ATOMS)
			add(reads, in->rc, size);
		add(writes, in->rd, size);
		return;
	case WL_UOP_CS2R:
		add(writes, in->rd, size);
		return;
	case WL_UOP_FADD2:
	case WL_UOP_FMUL2:
	case WL_UOP_FFMA2:
		for (unsigned i = 0; i < 3; i++)
			if (in->src[i] == WL_SRC_REG)
				add(reads,
				    i == 0   ? in->ra
				    : i == 1 ? in->rb
				             : in->rc,
				    in->sel[i] == WL_PAIR_F32 ? 1 : 2);
		add(writes, in->rd, 2);
		return;
	default:
		if (in->src[0] == WL_SRC_REG)
			add(reads, in->ra, 1);
		if (in->src[1] == WL_SRC_REG)
			add(reads, in->rb, 1);
		if (in->src[2] == WL_SRC_REG)
			add(reads, in->rc, wide ? 2 : 1);
		add(writes, in->rd, wide ? 2 : 1);
	}
}

/* float64 has few units on sm_75 and sm_120, and as many as float32 on other architectures. */
static bool is_slow(enum wl_arch arch, unsigned uop)
{
	switch (uop) {
	case WL_UOP_DADD:
	case WL_UOP_DMUL:
	case WL_UOP_DFMA:
	case WL_UOP_DSETP:
		return arch == WL_SM75 || arch == WL_SM120;
	case WL_UOP_MOV:
	case WL_UOP_IADD3:
	case WL_UOP_IMAD:
	case WL_UOP_IMAD_WIDE:
	case WL_UOP_IMAD_HI:
	case WL_UOP_LEA:
	case WL_UOP_LOP3:
	case WL_UOP_SHF:
	case WL_UOP_SEL:
	case WL_UOP_ISETP:
	case WL_UOP_IMNMX:
	case WL_UOP_IABS:
	case WL_UOP_PRMT:
	case WL_UOP_PLOP3:
	case WL_UOP_FADD:
	case WL_UOP_FMUL:
	case WL_UOP_FFMA:
	case WL_UOP_FADD2:
	case WL_UOP_FMUL2:
	case WL_UOP_FFMA2:
	case WL_UOP_FMNMX:
	case WL_UOP_FSETP:
	case WL_UOP_HADD2:
	case WL_UOP_HMUL2:
	case WL_UOP_HFMA2:
	case WL_UOP_HMNMX2:
	case WL_UOP_HSETP2:
	case WL_UOP_I2IP:
	case WL_UOP_F2FP: /* no scoreboard for I2IP and F2FP either */
	case WL_UOP_VOTE:
	case WL_UOP_ELECT: /* NVIDIA's code sets no scoreboard here */
	case WL_UOP_CS2R:
		return false;
	default:
		return true;
	}
}

static bool reads_late(unsigned uop)
{
	switch (uop) {
	case WL_UOP_LDG:
	case WL_UOP_STG:
	case WL_UOP_LDG_256:
	case WL_UOP_STG_256:
	case WL_UOP_RED:
	case WL_UOP_ATOMG:
	case WL_UOP_ATOMG_CAS:
	case WL_UOP_LDS:
	case WL_UOP_LDL:
	case WL_UOP_LDC:
	case WL_UOP_STS:
	case WL_UOP_STL:
	case WL_UOP_ATOMS:
	case WL_UOP_ATOMS_CAS:
	case WL_UOP_ATOMS_CAST:
	case WL_UOP_SHFL:
		return true;
	default:
		return false;
	}
}

struct check {
	const struct wl_program *p;
	struct state *at; /* before each instruction */
	bool *dirty;
	char *why;
	size_t whyn;
};

static bool complain(struct check *c, uint32_t pc, unsigned slot, const char *what)
{
	char text[160];
	if (wl_print(c->p->arch, c->p->words[pc], 16 * (uint64_t)pc, text, sizeof text) < 0)
		snprintf(text, sizeof text, "?");
	snprintf(c->why, c->whyn, "scheduling of `%s` at 0x%x: %c%u %s", text, 16 * pc, slot < Regs ? 'R' : 'P',
	         slot < Regs ? slot : slot - Regs, what);
	return false;
}

static bool is_control(unsigned uop)
{
	static const uint16_t all[] = {WL_UOP_BRA,   WL_UOP_EXIT,     WL_UOP_BSSY,  WL_UOP_BSYNC,
	                               WL_UOP_BREAK, WL_UOP_WARPSYNC, WL_UOP_YIELD, WL_UOP_NANOSLEEP,
	                               WL_UOP_BAR,   WL_UOP_MEMBAR,   WL_UOP_ERRBAR};

	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i] == uop)
			return true;
	return false;
}

static bool step(struct check *c, uint32_t pc, struct state *s)
{
	const struct wl_inst *in = &c->p->insts[pc];
	struct wl_sched f = wl_word_sched(c->p->words[pc]);
	struct access reads, writes;
	if (is_control(in->uop) && f.stall < LEAST_CONTROL) {
		snprintf(c->why, c->whyn, "instruction %u: control with a stall of %u", (unsigned)pc, f.stall);
		return false;
	}
	accesses(in, &reads, &writes);
	for (unsigned i = 0; i < Slots; i++) {
		s->slot[i].write &= (uint8_t)~f.wait;
		s->slot[i].read &= (uint8_t)~f.wait;
	}
	for (unsigned i = 0; i < reads.n; i++) {
		const struct slot *x = &s->slot[reads.slot[i]];

		bool operand = reads.slot[i] >= Regs && reads.slot[i] != Regs + (in->guard & 7u);

		if (x->cycles > (operand ? LEAST_PRED - Least : 0))
			return complain(c, pc, reads.slot[i], "is read before its value is there");
		if (x->write || x->unguarded)
			return complain(c, pc, reads.slot[i], "is read without waiting for its scoreboard");
	}
	for (unsigned i = 0; i < writes.n; i++) {
		const struct slot *x = &s->slot[writes.slot[i]];
		if (x->write || x->read || x->unguarded)
			return complain(c, pc, writes.slot[i], "is written while an earlier instruction still uses it");
	}
	for (unsigned i = 0; i < Slots; i++)
		s->slot[i].cycles = s->slot[i].cycles > f.stall ? (uint8_t)(s->slot[i].cycles - f.stall) : 0;
	for (unsigned i = 0; i < writes.n; i++) {
		struct slot *x = &s->slot[writes.slot[i]];
		unsigned least = writes.slot[i] >= Regs ? LEAST_PRED : in->uop == WL_UOP_VOTE ? LEAST_VOTE : Least;
		*x = (struct slot){0};
		if (is_slow(c->p->arch, in->uop)) {
			x->write = f.wrbar < 6 ? (uint8_t)(1u << f.wrbar) : 0;
			x->unguarded = f.wrbar >= 6;
		} else {
			x->cycles = least > f.stall ? (uint8_t)(least - f.stall) : 0;
		}
	}
	if (reads_late(in->uop))
		for (unsigned i = 0; i < reads.n; i++)
			if (reads.slot[i] < Regs) {
				uint8_t boards = (uint8_t)((f.wrbar < 6 ? 1u << f.wrbar : 0) |
				                           (f.rdbar < 6 ? 1u << f.rdbar : 0));

				s->slot[reads.slot[i]].read |= boards;
				if (!boards)
					return complain(c, pc, reads.slot[i],
					                "is read late, and no scoreboard says when");
			}
	return true;
}

static void join(struct check *c, uint32_t pc, const struct state *s)
{
	struct state *t;
	if (pc >= c->p->ninst)
		return;
	t = &c->at[pc];
	for (unsigned i = 0; i < Slots; i++) {
		struct slot *x = &t->slot[i], old = *x;
		const struct slot *y = &s->slot[i];
		if (y->cycles > x->cycles)
			x->cycles = y->cycles;
		x->write |= y->write;
		x->read |= y->read;
		x->unguarded |= y->unguarded;
		if (memcmp(&old, x, sizeof old) != 0)
			c->dirty[pc] = true;
	}
	if (!t->known)
		t->known = c->dirty[pc] = true;
}

bool sched_check(const struct wl_program *p, char *why, size_t whyn)
{
	struct check c = {.p = p, .why = why, .whyn = whyn};
	struct state start = {.known = true};
	bool good = true, changed = true;
	c.at = calloc(p->ninst, sizeof *c.at);
	c.dirty = calloc(p->ninst, sizeof *c.dirty);
	join(&c, 0, &start);
	while (changed && good) {
		changed = false;
		for (uint32_t pc = 0; pc < p->ninst && good; pc++) {
			const struct wl_inst *in = &p->insts[pc];
			struct state s = c.at[pc];
			if (!c.dirty[pc])
				continue;
			c.dirty[pc] = false;
			changed = true;
			good = step(&c, pc, &s);
			if (in->uop == WL_UOP_BRA)
				join(&c, (uint32_t)((int64_t)pc + 1 + in->target / 16), &s);
			if (!((in->uop == WL_UOP_BRA || in->uop == WL_UOP_EXIT) && in->guard == WL_PT))
				join(&c, pc + 1, &s);
		}
	}
	free(c.at);
	free(c.dirty);
	return good;
}
