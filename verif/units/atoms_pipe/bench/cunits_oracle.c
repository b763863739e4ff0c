// SPDX-License-Identifier: Apache-2.0
/* cunits_oracle.c -- a second computation of the effects of shared-memory instructions. */
#include "cunits_oracle.h"

#include <stdio.h>
#include <string.h>

#include "cunits_values.h"

static const uint64_t two32 = UINT64_C(1) << 32;

uint32_t oracle_alu32(enum wl_atom_op op, bool sgn, uint32_t old, uint32_t b)
{
	/* as numbers of the operation's type */
	int64_t x = old, y = b;
	if (sgn) {
		x = x >= INT64_C(2147483648) ? x - INT64_C(4294967296) : x;
		y = y >= INT64_C(2147483648) ? y - INT64_C(4294967296) : y;
	}
	uint32_t bits = 0;
	switch (op) {
	case WL_ATOM_ADD:
		return (uint32_t)(((uint64_t)old + b) % two32);
	case WL_ATOM_MIN:
		return x < y ? old : b;
	case WL_ATOM_MAX:
		return x < y ? b : old;
	case WL_ATOM_INC:
		return old < b ? (uint32_t)((uint64_t)old + 1) : 0;
	case WL_ATOM_DEC:
		return old != 0 && old <= b ? (uint32_t)((uint64_t)old - 1) : b;
	case WL_ATOM_AND:
	case WL_ATOM_OR:
	case WL_ATOM_XOR:
		for (unsigned i = 0; i < 32; i++) {
			unsigned ones = (old >> i) % 2 + (b >> i) % 2;
			bool bit = op == WL_ATOM_AND ? ones == 2 : op == WL_ATOM_OR ? ones > 0 : ones == 1;
			bits += bit ? UINT32_C(1) << i : 0;
		}
		return bits;
	case WL_ATOM_EXCH:
		return b;
	}
	return 0;
}

/* ---- plan ---- */

static uint64_t address_of(const struct wl_req *req, unsigned lane)
{
	const struct wl_inst *in = &req->inst;
	bool has_ra = in->ra != WL_RZ, has_ur = in->ur != 255;
	int64_t offset = in->off;
	if (!has_ra && !has_ur && offset < 0)
		offset += 16777216;
	int64_t sum = offset + (has_ur ? (int64_t)req->ur : 0);
	if (has_ra)
		sum += (int64_t)((req->ra[lane] % two32) * (UINT64_C(1) << in->xn) % two32);
	return (uint64_t)((sum % (int64_t)two32 + (int64_t)two32) % (int64_t)two32);
}

static bool is_active(const struct wl_req *req, unsigned lane)
{
	return (req->mask >> lane) % 2 == 1;
}

static void oracle_faults(const struct wl_smem *s, const struct wl_req *req, struct expect_plan *e)
{
	const struct wl_window *w = &s->window[req->tag.slot];
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!is_active(req, lane))
			continue;
		uint64_t addr = address_of(req, lane);
		e->addr[lane] = (uint32_t)addr;
		enum wl_fault f = WL_FAULT_NONE;
		if (addr + req->inst.size > (w->valid ? w->size : 0))
			f = WL_FAULT_SHARED_OUT_OF_RANGE;
		if (req->inst.size && addr % req->inst.size != 0)
			f = WL_FAULT_MISALIGNED_ADDRESS;
		if (req->inst.flags & WL_F_ILLEGAL || (req->inst.uop == WL_UOP_ATOMSN && !s->native))
			f = WL_FAULT_ILLEGAL_INSTRUCTION;
		e->fault[lane] = (uint8_t)f;
		*(f == WL_FAULT_NONE ? &e->ok : &e->faulted) |= UINT32_C(1) << lane;
	}
}

/* .SPIN: a lane loses if a lower lane of the warp, also without a fault, names the same bank: bits 6:2 of the address,
 * 6:3 for 64 bits. */
static void oracle_spin(const struct wl_req *req, struct expect_plan *e)
{
	if (req->inst.uop != WL_UOP_ATOMS_CAST || !(req->inst.flags & WL_F_SPIN))
		return;
	uint32_t bits = req->inst.size == 8 ? 0x78 : 0x7c;
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned lower = 0; lower < lane; lower++)
			if (e->ok >> lane & e->ok >> lower & 1 && (e->addr[lane] & bits) == (e->addr[lower] & bits))
				e->losers |= UINT32_C(1) << lane;
}

/* The physical banks of the lane's access, one bit each: the banks of the 32-bit words. */
static uint32_t banks_of(const struct wl_smem *s, const struct wl_req *req, const struct expect_plan *e, unsigned lane)
{
	uint32_t first = s->window[req->tag.slot].base + e->addr[lane], banks = 0;
	for (uint32_t byte = first; byte < first + req->inst.size; byte++)
		banks |= UINT32_C(1) << (byte / 4 % s->banks);
	return banks;
}

/* Instructions that combine on the words of the first claimants of a pass: stores, and atomics of 32 bits except INC,
 * DEC and compares. */
static bool combines(const struct wl_inst *in)
{
	if (in->uop == WL_UOP_ATOMS)
		return in->size == 4 && in->op != WL_ATOM_INC && in->op != WL_ATOM_DEC;
	return in->uop == WL_UOP_STS;
}

/* Four adders: of the lanes that claimed banks, the lanes of the first four banks with an owner. */
static uint32_t first_four(const int owner[32])
{
	uint32_t served = 0;
	int last = -1;
	for (unsigned bank = 0, n = 0; bank < 32 && n < 4; bank++) {
		if (owner[bank] < 0 || owner[bank] == last) /* a word of 64 bits owns two banks, side by side */
			continue;
		last = owner[bank];
		served |= UINT32_C(1) << last;
		n++;
	}
	return served;
}

/* Plays the passes of a beat. Lanes in ascending order claim their banks. A lane whose banks are claimed waits, with
 * two exceptions: a load of the claimant's word (below 32 bits: of a part of the same 32-bit word), and a lane that
 * combines with one of the first `combine` claimants. */
static void oracle_beat(const struct wl_smem *s, const struct wl_req *req, struct expect_plan *e, unsigned beat)
{
	uint32_t pending = 0, losers = 0;
	for (unsigned lane = beat * s->lanes; lane < (beat + 1u) * s->lanes; lane++)
		if (e->ok >> lane & 1)
			*(e->losers >> lane & 1 ? &losers : &pending) |= UINT32_C(1) << lane;
	for (bool first = true; pending || (first && losers); first = false) {
		int owner[32];
		unsigned claimants = 0;
		uint32_t early = 0; /* the first `combine` claimants */
		uint32_t served = first ? losers : 0;
		for (unsigned bank = 0; bank < 32; bank++)
			owner[bank] = -1;
		for (unsigned lane = 0; lane < 32; lane++) {
			if (!(pending >> lane & 1))
				continue;
			uint32_t banks = banks_of(s, req, e, lane);
			bool vacant = true, joins = req->inst.uop == WL_UOP_LDS, combined = false;
			for (unsigned bank = 0; bank < 32; bank++) {
				if (!(banks >> bank & 1))
					continue;
				vacant = vacant && owner[bank] < 0;
				joins = joins && owner[bank] >= 0 && e->addr[owner[bank]] / 4 == e->addr[lane] / 4;
			}
			for (unsigned bank = 0; bank < 32 && vacant; bank++)
				if (banks >> bank & 1)
					owner[bank] = (int)lane;
			if (vacant && claimants++ < s->combine)
				early |= UINT32_C(1) << lane;
			for (unsigned first_of = 0; first_of < lane && combines(&req->inst); first_of++)
				combined |= early >> first_of & 1 && e->addr[first_of] == e->addr[lane];
			if (vacant || joins || combined)
				served |= UINT32_C(1) << lane;
			/* a waiting lane holds no banks against other lanes: the banks are claimed already */
		}
		if (req->inst.uop == WL_UOP_ATOMSN && req->inst.type != WL_AT_INT)
			served = first_four(owner);
		e->pass_beat[e->passes] = beat;
		e->pass_lanes[e->passes++] = served;
		pending &= ~served;
	}
}

void oracle_plan(const struct wl_smem *s, const struct wl_req *req, struct expect_plan *e)
{
	memset(e, 0, sizeof *e);
	oracle_faults(s, req, e);
	oracle_spin(req, e);
	for (unsigned beat = 0; beat < 32u / s->lanes; beat++)
		oracle_beat(s, req, e, beat);
}

/* ---- apply ---- */

static u128 bytes_get(const uint8_t *at, unsigned size)
{
	u128 v = 0;
	for (unsigned i = size; i-- > 0;)
		v = v * 256 + at[i];
	return v;
}

static void bytes_put(uint8_t *at, unsigned size, u128 v)
{
	for (unsigned i = 0; i < size; i++, v /= 256)
		at[i] = (uint8_t)(v % 256);
}

static u128 lane_get(const struct wl_lane *l, unsigned size)
{
	u128 v = ((u128)l->w[3] << 96) + ((u128)l->w[2] << 64) + ((u128)l->w[1] << 32) + l->w[0];
	return size == 16 ? v : v % ((u128)1 << size * 8);
}

static struct wl_lane lane_put(u128 v)
{
	struct wl_lane l;
	for (unsigned i = 0; i < 4; i++, v >>= 32)
		l.w[i] = (uint32_t)(v % two32);
	return l;
}

static u128 native(const struct wl_inst *in, u128 old, u128 b)
{
	if (in->type == WL_AT_INT)
		return expected_integer((enum wl_atom_op)in->op, (in->flags & WL_F_SIGNED) != 0, in->size, old, b);
	const u128 range = (u128)1 << 8 * edges_of((enum wl_atom_type)in->type, in->size).bytes;
	u128 now = 0;
	for (u128 unit = 1; unit >> 8 * in->size == 0; unit *= range) /* number by number */
		now += unit * expected_number((enum wl_atom_type)in->type, WL_ATOM_ADD, (uint64_t)(old / unit % range),
		                              (uint64_t)(b / unit % range));
	return now;
}

void oracle_apply(const struct wl_smem *s, uint8_t *mem, const struct wl_req *req, const struct expect_plan *e,
                  uint32_t lanes, struct wl_record *rec)
{
	const struct wl_inst *in = &req->inst;
	for (unsigned lane = 0; lane < 32; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		uint32_t addr = s->window[req->tag.slot].base + e->addr[lane];
		u128 old = bytes_get(mem + addr, in->size), now = old, result = old;
		u128 b = lane_get(&req->rb[lane], in->size), c = lane_get(&req->rc[lane], in->size);
		bool stores = true;
		if (in->uop == WL_UOP_LDS) {
			bool negative = in->size < 4 && (in->flags & WL_F_SIGNED) && old >> (in->size * 8 - 1);
			if (negative)
				result = two32 - (((u128)1 << in->size * 8) - old);
			stores = false;
		} else if (in->uop == WL_UOP_STS) {
			now = b;
		} else if (in->uop == WL_UOP_ATOMS) {
			now = in->op == WL_ATOM_EXCH
			              ? b
			              : oracle_alu32((enum wl_atom_op)in->op, (in->flags & WL_F_SIGNED) != 0,
			                             (uint32_t)old, (uint32_t)b);
		} else if (in->uop == WL_UOP_ATOMSN) {
			now = native(in, old, b);
		} else if (in->uop == WL_UOP_ATOMS_CAS) {
			stores = old == b;
			now = stores ? c : old;
		} else {
			stores = !(e->losers >> lane & 1) && old == b;
			now = stores ? c : old;
			result = stores;
		}
		bytes_put(mem + addr, in->size, now);
		rec->committed |= UINT32_C(1) << lane;
		rec->stored |= (uint32_t)stores << lane;
		rec->addr[lane] = addr;
		rec->old[lane] = lane_put(old);
		rec->now[lane] = lane_put(now);
		if (in->uop != WL_UOP_STS && in->rd != WL_RZ) {
			rec->written |= UINT32_C(1) << lane;
			rec->result[lane] = lane_put(result);
		}
	}
}

void stim_explain(const char *what, uint64_t seed, unsigned long index, const struct wl_req *req)
{
	static const struct {
		enum wl_uop uop;
		const char *name;
	} names[] = {{WL_UOP_LDS, "LDS"},
	             {WL_UOP_STS, "STS"},
	             {WL_UOP_ATOMS, "ATOMS"},
	             {WL_UOP_ATOMS_CAS, "ATOMS_CAS"},
	             {WL_UOP_ATOMS_CAST, "ATOMS_CAST"},
	             {WL_UOP_ATOMSN, "ATOMSN"}};
	const char *name = "?";
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].uop == req->inst.uop)
			name = names[i].name;
	fprintf(stderr,
	        "%s differs: seed %llu, instruction %lu: %s op %u type %u size %u flags %#x rd %u ra %u ur %u off %d "
	        "xn %u, ",
	        what, (unsigned long long)seed, index, name, req->inst.op, req->inst.type, req->inst.size,
	        req->inst.flags, req->inst.rd, req->inst.ra, req->inst.ur, req->inst.off, req->inst.xn);
	fprintf(stderr, "slot %u mask %08x ur %#llx\n", req->tag.slot, req->mask, (unsigned long long)req->ur);
}
