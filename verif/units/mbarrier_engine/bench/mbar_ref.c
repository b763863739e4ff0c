// SPDX-License-Identifier: Apache-2.0
#include "mbar_ref.h"

#include <string.h>

/* ---- one object ---- */

static int64_t most(unsigned n)
{
	return (INT64_C(1) << n) - 1;
}

struct mbar_object mbar_unpack(uint64_t w, unsigned n)
{
	const uint64_t m = (uint64_t)most(n), sign = UINT64_C(1) << n;
	const uint64_t tx = w >> (n + 1) & (2 * sign - 1); /* negated */
	return (struct mbar_object){.phase = w >> (3 * n + 3) & 1,
	                            .expected = (int64_t)((sign - (w >> 1 & m)) & m),
	                            .pending = (int64_t)((sign - (w >> (2 * n + 3) & m)) & m),
	                            .tx = (tx & sign ? (int64_t)(2 * sign) : 0) - (int64_t)tx};
}

uint64_t mbar_pack(const struct mbar_object *o, unsigned n)
{
	const uint64_t m = (uint64_t)most(n), sign = UINT64_C(1) << n;
	return (uint64_t)o->phase << (3 * n + 3) | ((sign - (uint64_t)o->pending) & m) << (2 * n + 3) |
	       ((2 * sign - (uint64_t)o->tx) & (2 * sign - 1)) << (n + 1) | ((sign - (uint64_t)o->expected) & m) << 1;
}

/* The order is tx, expected, arrival. Source: docs/spec/mbarrier.md, "Completion"; docs/spec/mbarrier.md, "Faults". */
static struct mbar_outcome arrive(const struct mbar_step *op, unsigned n)
{
	const bool v1 = op->sm_107 && op->old & 1;
	struct mbar_object o = v1 ? mbar_v1_unpack(op->old) : mbar_unpack(op->old, n);
	const int64_t r = (int64_t)(op->b & UINT32_MAX);
	const int64_t arrivals = op->form == ART0 ? r : op->form == A1TR || op->form == A1T0;
	const int64_t bytes = op->form == A1TR || op->form == A0TR ? r : op->form == A0TX ? -r : op->form == A0T1;
	const int64_t drops = op->drop ? arrivals : 0;
	const bool ends = o.pending - arrivals == 0 && o.tx + bytes == 0;
	if (v1 && (arrivals > 511 || mbar_v1_impossible(op->old)))
		return (struct mbar_outcome){.fault = MBAR_COUNT_RANGE};
	if (o.expected == 0 && o.pending == 0 && o.tx == 0)
		return (struct mbar_outcome){.fault = MBAR_DRAINED};
	if (bytes && (bytes < -most(n) || bytes > most(n) || o.tx + bytes < -most(n) || o.tx + bytes > most(n) + 1))
		return (struct mbar_outcome){.fault = MBAR_TX_RANGE};
	if (drops > o.expected)
		return (struct mbar_outcome){.fault = MBAR_DROP_RANGE};
	if (arrivals > o.pending)
		return (struct mbar_outcome){.fault = MBAR_UNDERFLOW};
	if (op->stay && ends)
		return (struct mbar_outcome){.fault = MBAR_NOCOMPLETE};
	o.tx += bytes;
	o.expected -= drops;
	o.pending -= arrivals;
	if (ends) {
		o.phase ^= 1;
		o.pending = o.expected;
		o.conditional ^= !o.failed;
		o.last_failed = o.failed;
		o.last_value = o.value;
		o.failed = o.value = 0;
	}
	if (v1)
		return (struct mbar_outcome){.now = mbar_v1_pack(&o), .written = true, .flip = ends};
	const uint64_t kept = op->old & (UINT64_C(1) | UINT64_C(1) << (2 * n + 2)); /* of no field */
	return (struct mbar_outcome){.now = mbar_pack(&o, n) | kept, .written = true, .flip = ends};
}

/* Step by step. Source: docs/spec/mbarrier.md, "Layouts". */
static struct mbar_outcome arrive_a(const struct mbar_step *op)
{
	const uint32_t lo = (uint32_t)op->old, before = (uint32_t)(op->old >> 32);
	uint32_t hi = before + 1, e = lo & 0x3fffffff;
	const bool flip = (hi ^ before) >> 31;
	if (flip) {
		if (e & 0x20000000)
			e |= 0x40000000;
		hi += e;
	}
	return (struct mbar_outcome){.now = (uint64_t)hi << 32 | lo, .written = true, .flip = flip};
}

struct mbar_outcome mbar_run(const struct mbar_step *op, unsigned n)
{
	struct mbar_outcome out = {.fault = MBAR_NONE};
	if (!op->marked && op->kind != MBAR_EXCH && op->kind != MBAR_ARRIVE_A) {
		out.fault = MBAR_UNINIT;
		return out;
	}
	if (op->kind == MBAR_ARRIVE)
		out = arrive(op, n);
	else if (op->kind == MBAR_ARRIVE_A)
		out = arrive_a(op);
	else if (op->kind == MBAR_EXCH)
		out = (struct mbar_outcome){.now = op->b, .written = true};
	out.marked = op->kind == MBAR_EXCH || op->marked;
	return out;
}

/* ---- words ---- */

static void put(uint32_t word[4], unsigned at, unsigned width, uint32_t value)
{
	for (unsigned i = 0; i < width; i++)
		if (value >> i & 1)
			word[(at + i) / 32] |= UINT32_C(1) << (at + i) % 32;
}

/* Registers: Rd R10, Ra R2, Rb R12; of EXCH URd UR10, address UR2, object UR12. sm_80 has ATOMS.ARRIVE alone. */
void mbar_word(const struct mbar_req *r, unsigned arch, uint32_t word[4])
{
	static const uint32_t opcode[OP_KINDS] = {0x15b2, 0x19a7, 0x15a7, 0x15a7, 0x19b1, 0x1f8c, 0x984, 0x388, 0x388};
	memset(word, 0, 16);
	put(word, 0, 12, opcode[r->op] & 0xfff);
	put(word, 91, 1, opcode[r->op] >> 12);
	put(word, 12, 3, 7); /* guard PT */
	put(word, 24, 8, 2);
	if (opcode[r->op] >> 12 && r->op != OP_EXCH)
		put(word, 64, arch >= 100 ? 8 : 6, arch >= 100 ? 255 : 63); /* URZ */
	if (r->op != OP_IV && r->op != OP_ARRIVE_A && r->op != OP_LDS)
		put(word, 32, 8, 12);
	switch (r->op) {
	case OP_EXCH:
		put(word, 16, arch >= 100 ? 8 : 6, r->rd_used ? 10 : arch >= 100 ? 255 : 63);
		put(word, 72, 1, 1);
		break;
	case OP_ARRIVE:
		put(word, 16, 8, r->rd_used ? 10 : 255);
		put(word, 73, 2, r->result);
		put(word, 75, 1, r->drop);
		put(word, 84, 3, r->form);
		break;
	case OP_CHECK:
	case OP_TRYWAIT:
		put(word, arch >= 100 ? 76 : 70, 1, 1);
		put(word, 72, 1, r->op == OP_TRYWAIT);
		put(word, 74, 1, r->asks == ASKS_CONDITIONAL);
		if (r->asks != ASKS_PRIMARY)
			break;
		put(word, 9, 3, 5); /* opcode fa7 */
		put(word, 16, 8, 255);
		put(word, 84, 3, 1); /* the report goes to P1 */
		break;
	case OP_ARRIVE_A:
		put(word, 16, 8, r->rd_used ? 10 : 255);
		put(word, 74, 1, 1);
		put(word, 87, 4, 9);
		break;
	case OP_LDS:
		put(word, 16, 8, r->rd_used ? 10 : 255);
		put(word, 73, 3, 5); /* .64 */
		break;
	case OP_STS:
		put(word, 73, 3, 5);
		break;
	case OP_STS_32:
		put(word, 73, 3, 4);
		break;
	default:
		break;
	}
}

/* ---- instructions ---- */

static enum mbar_fault static_fault(const struct mbar_smem *s, const struct mbar_req *r, uint32_t addr, uint64_t b)
{
	const uint32_t size = r->op == OP_STS_32 ? 4 : 8;
	if (addr % size)
		return MBAR_MISALIGNED;
	if (r->who == MBAR_LACKING)
		return MBAR_CLUSTER_RANK;
	if (r->who == MBAR_OTHER && (r->op != OP_ARRIVE || (r->result != 2 && r->rd_used)))
		return MBAR_BAD_SPACE;
	if (addr > s->size - size)
		return MBAR_OUT_OF_RANGE;
	if (r->op == OP_ARRIVE && r->form == ART0 && (uint32_t)b > 0xfffff)
		return MBAR_COUNT_RANGE;
	if (r->op == OP_EXCH &&
	    (mbar_look(b, s->arch == 107).expected == 0 || (s->arch == 107 && b & 1 && mbar_v1_impossible(b))))
		return MBAR_COUNT_RANGE;
	return MBAR_NONE;
}

/* Passes of a beat: the most lanes (for loads: words) served by a single group of banks. */
static unsigned passes_of(const struct mbar_smem *s, const uint32_t *addr, uint32_t lanes, unsigned size, bool share)
{
	unsigned most_lanes = 0;
	for (unsigned g = 0; g < s->banks * 4 / size; g++) {
		unsigned here = 0;
		for (unsigned i = 0; i < 32; i++) {
			bool seen = false;
			for (unsigned k = 0; k < i && share; k++)
				seen |= (lanes >> k & 1) && addr[k] == addr[i];
			here += (lanes >> i & 1) && addr[i] / size % (s->banks * 4 / size) == g && !seen;
		}
		most_lanes = here > most_lanes ? here : most_lanes;
	}
	return most_lanes;
}

static void count_passes(const struct mbar_smem *s, const struct mbar_req *r, const uint32_t *addr, uint32_t ok,
                         struct mbar_rsp *out)
{
	const bool share = r->op == OP_CHECK || r->op == OP_TRYWAIT || r->op == OP_LDS;
	if (r->op == OP_EXCH) {
		out->passes = ok != 0;
		return;
	}
	for (unsigned first = 0; first < 32; first += s->lanes) {
		const uint32_t beat = (uint32_t)((UINT64_C(1) << s->lanes) - 1) << first;
		out->passes += passes_of(s, addr, ok & beat, r->op == OP_STS_32 ? 4 : 8, share);
	}
}

static void note_end(uint32_t at, const struct mbar_object *was, struct mbar_rsp *out)
{
	out->flip[out->flips] = at;
	out->end[out->flips++] = (struct mbar_end){.phase = was->phase,
	                                           .conditional = was->conditional,
	                                           .both = !was->failed,
	                                           .value = 1 + was->failed * 2 + was->value * 256};
}

/* The predicate; for PRIMARY also the value of a RELEASE, without the lowest bit. */
static void answer(const struct mbar_req *r, unsigned lane, const struct mbar_object *is, uint64_t b,
                   struct mbar_rsp *out)
{
	const unsigned open = r->asks == ASKS_CONDITIONAL ? is->conditional : is->phase;
	const bool complete = open != (b >> 31 & 1);
	out->preds |= (uint32_t)complete << lane;
	out->data[lane] = complete ? is->last_failed + is->last_value * 128 : 0;
}

/* A lane's turn of an operation on objects. */
static void turn(struct mbar_smem *s, const struct mbar_req *r, unsigned lane, uint32_t at, uint64_t b,
                 struct mbar_rsp *out)
{
	static const enum mbar_kind kind[] = {MBAR_EXCH, MBAR_ARRIVE, MBAR_READ, MBAR_READ, MBAR_IV, MBAR_ARRIVE_A};
	const struct mbar_step step = {.kind = kind[r->op],
	                               .form = r->form,
	                               .drop = r->drop,
	                               .stay = r->op == OP_ARRIVE && r->result == 1,
	                               .marked = s->mark[at],
	                               .sm_107 = s->arch == 107,
	                               .old = s->word[at],
	                               .b = b};
	const struct mbar_outcome o = mbar_run(&step, 20);
	const struct mbar_object was = mbar_look(step.old, step.sm_107);
	out->fault[lane] = o.fault;
	out->data[lane] = step.old;
	if (o.fault)
		return;
	if (r->op == OP_CHECK || r->op == OP_TRYWAIT)
		answer(r, lane, &was, b, out);
	if (o.written)
		s->word[at] = o.now;
	s->mark[at] = o.marked;
	if (o.flip)
		note_end(at, &was, out);
}

static void plain(struct mbar_smem *s, const struct mbar_req *r, unsigned lane, uint32_t at, struct mbar_rsp *out)
{
	out->data[lane] = s->word[at];
	if (r->op == OP_STS) {
		s->word[at] = r->b[lane];
		s->mark[at] = s->arch >= 100;
	} else if (r->op == OP_STS_32) {
		memcpy((uint8_t *)&s->word[at] + r->addr[lane] % 8, &r->b[lane], 4);
		s->mark[at] = false;
	}
}

/* TMASK: for each lane the lanes on the same object, and the object's high word before the turn of the lowest of these
 * lanes. */
static void tell_masks(const struct mbar_req *r, uint32_t ok, const uint64_t *before, struct mbar_rsp *out)
{
	for (unsigned i = 0; i < 32; i++) {
		uint32_t those = 0;
		for (unsigned k = 0; k < 32; k++)
			those |= (uint32_t)((ok >> k & 1) && r->addr[k] == r->addr[i]) << k;
		if (ok >> i & 1)
			out->data[i] = (before[__builtin_ctz(those)] >> 32) << 32 | those;
	}
}

static void judge_wait(const struct mbar_smem *s, const struct mbar_req *r, uint32_t ok, struct mbar_rsp *out)
{
	if (!ok)
		return;
	const unsigned first = (unsigned)__builtin_ctz(ok);
	for (unsigned i = 0; i < 32; i++)
		if ((ok >> i & 1) && (r->addr[i] != r->addr[first] || (r->b[i] ^ r->b[first]) >> 31 & 1))
			return;
	out->park_object = (s->base + r->addr[first]) / 8;
	out->parks = !(out->preds >> first & 1) && !out->fault[first];
}

void mbar_execute(struct mbar_smem *s, const struct mbar_req *r, struct mbar_rsp *out)
{
	const bool reports = (r->op == OP_CHECK || r->op == OP_TRYWAIT) && r->asks == ASKS_PRIMARY;
	const bool gives =
	        r->op == OP_EXCH || (r->op == OP_ARRIVE && r->result != 2) || r->op == OP_ARRIVE_A || r->op == OP_LDS;
	uint32_t ok = 0, addr[32];
	memset(out, 0, sizeof *out);
	out->tag = r->tag;
	for (unsigned i = 0; i < 32; i++) {
		const unsigned from = r->op == OP_EXCH ? 0 : i;
		addr[i] = s->base + r->addr[from];
		out->fault[i] = r->mask >> i & 1 ? static_fault(s, r, r->addr[from], r->b[from]) : MBAR_NONE;
		ok |= (uint32_t)((r->mask >> i & 1) && !out->fault[i]) << i;
	}
	count_passes(s, r, addr, ok, out);
	for (unsigned i = 0; i < 32; i++) {
		if (!(ok >> i & 1))
			continue;
		if (r->op == OP_EXCH && i != (unsigned)__builtin_ctz(ok))
			out->data[i] = out->data[__builtin_ctz(ok)];
		else if (r->op >= OP_LDS)
			plain(s, r, i, addr[i] / 8, out);
		else
			turn(s, r, i, addr[i] / 8, r->b[r->op == OP_EXCH ? 0 : i], out);
	}
	if (r->op == OP_TRYWAIT)
		judge_wait(s, r, ok, out);
	if (r->op == OP_ARRIVE && r->result == 1) {
		uint64_t before[32];
		memcpy(before, out->data, sizeof before);
		tell_masks(r, ok, before, out);
	}
	for (unsigned i = 0; i < 32; i++) {
		const bool written = (reports || (gives && r->rd_used)) && (ok >> i & 1) && !out->fault[i];
		out->mask |= (uint32_t)written << i;
		out->data[i] = written ? out->data[i] : 0;
	}
}
