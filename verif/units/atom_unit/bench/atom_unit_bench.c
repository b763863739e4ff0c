// SPDX-License-Identifier: Apache-2.0
#include "atom_unit_bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtl_units.h"

enum { PATIENCE = 20000, LEAN_PATIENCE = 100000 };

void atom_bench_error(struct atom_bench *b, const char *format, ...)
{
	if (b->errors++ < 8) {
		va_list args;
		va_start(args, format);
		printf("cycle %llu: ", (unsigned long long)b->cycle);
		vprintf(format, args);
		putchar('\n');
		va_end(args);
	}
	if (b->model.changed) /* is the change noticed? The rest would take many times as long */
		exit(1);
}

/* Bits of a number below `n`; at least 1. */
static unsigned bits_of(unsigned n)
{
	unsigned bits = 1;
	while (1u << bits < n)
		bits++;
	return bits;
}

void atom_bench_open(struct atom_bench *b, const struct bench_args *a)
{
	memset(b, 0, sizeof *b);
	b->model = a->model;
	PINS_FIND(atom_unit, b, &b->model);
	b->traced = model_param(&b->model, "Trace", 1);
	b->lanes = model_param(&b->model, "Lanes", 32);
	b->ports = model_param(&b->model, "Ports", 1);
	b->ids = model_param(&b->model, "Ids", 8);
	b->id_bits = bits_of(b->ids);
	b->slot_bits = bits_of(model_param(&b->model, "Slots", 4));
	b->lean = b->ids == 1;
	b->hw = (struct atom_hw){.combine = model_param(&b->model, "Combine", 0),
	                         .shared_high = 1,
	                         .local_high = 2,
	                         .cluster = model_param(&b->model, "Cluster", 0)};
	b->memory_at = FIRST_AT;
	b->beats = 32 / b->lanes;
	b->rng = rng_seed(a->seed, 0);
	b->in.rng = rng_seed(a->seed, 1);
	b->mem.rng = rng_seed(a->seed, 2);
	for (unsigned p = 0; p < MAX_PORTS; p++)
		b->out[p].rng = rng_seed(a->seed, 3 + p);
	for (unsigned i = 0; i < MEMORY; i++)
		b->memory[i] = (i & 12) == 8 && (i & 3) > 1
		                       ? 0
		                       : (uint8_t)rng_next(&b->rng); /* a word in four: a subnormal float32 */
	b->memory_bytes = MEMORY;
}

static void tick(struct atom_bench *b)
{
	*b->clk_i = 1;
	b->model.eval(b->model.self);
	*b->clk_i = 0;
	b->cycle++;
}

static void set_windows(struct atom_bench *b)
{
	pin_set(b->shared_window_i, 0, 32, b->hw.shared_high);
	pin_set(b->local_window_i, 0, 32, b->hw.local_high);
}

/* Windows that differ in few bits or in many. Memory a bit away from a window, or anywhere in 48 bits. */
void atom_bench_move(struct atom_bench *b)
{
	struct atom_hw *hw = &b->hw;
	const uint32_t few = UINT32_C(1) << rng_below(&b->rng, 32);
	hw->shared_high = rng_one_in(&b->rng, 2) ? rng_below(&b->rng, 1 << 16) : rng_u32(&b->rng);
	hw->local_high = rng_one_in(&b->rng, 2) ? hw->shared_high ^ few : rng_u32(&b->rng) ^ few;
	hw->local_high ^= hw->local_high == hw->shared_high;
	uint32_t high;
	do
		high = (rng_one_in(&b->rng, 2) ? rng_u32(&b->rng)
		                               : hw->shared_high ^ UINT32_C(1) << rng_below(&b->rng, 16)) &
		       0xffff;
	while (high == hw->shared_high || high == hw->local_high);
	b->memory_at = (uint64_t)high << 32 | (rng_below(&b->rng, UINT32_MAX - MEMORY) & ~31u);
	set_windows(b);
	b->model.eval(b->model.self);
}

void atom_bench_reset(struct atom_bench *b)
{
	*b->beat_valid_i = *b->rsp_take_i = *b->mem_req_ready_i = *b->mem_rsp_valid_i = 0;
	*b->share_ready_i = *b->share_begin_i = *b->share_pass_i = *b->share_end_i = 0;
	pin_set(b->share_we_i, 0, b->lanes, 0);
	set_windows(b);
	atom_share_reset(b);
	*b->rst_i = 1;
	for (unsigned i = 1 + rng_below(&b->rng, 3); i; i--) { /* a single cycle is enough; no request is taken */
		*b->beat_valid_i = rng_one_in(&b->rng, 2);
		b->model.eval(b->model.self);
		if (*b->beat_ready_o || *b->share_valid_o)
			atom_bench_error(b, "a beat is taken in reset");
		tick(b);
	}
	*b->rst_i = *b->beat_valid_i = 0;
	memset(b->live, 0, sizeof b->live);
	memset(b->id, 0, sizeof b->id);
	memset(b->told, 0, sizeof b->told);
	memset(b->answered, 0, sizeof b->answered);
	b->sending = NULL;
	b->beat = 0;
	b->offering = b->req_held = false;
	b->inflight_sectors = 0;
	b->model.eval(b->model.self);
	if (!*b->idle_o || *b->mem_req_valid_o || *b->rsp_valid_o)
		atom_bench_error(b, "not idle after reset");
}

/* --- requests ------------------------------------------------------------------------------------------------- */

struct live *atom_bench_new(struct atom_bench *b, unsigned port)
{
	for (unsigned i = 0; i < BENCH_LIVE; i++)
		if (!b->live[i].used) {
			memset(&b->live[i], 0, sizeof b->live[i]);
			b->live[i].port = port;
			return &b->live[i];
		}
	return NULL;
}

void atom_bench_send(struct atom_bench *b, struct live *l)
{
	l->used = true;
	atom_judge(&b->hw, &l->req, &l->out);
	b->sending = l;
	b->beat = 0;
}

static void drive_beat(struct atom_bench *b)
{
	const struct atom_req *r = &b->sending->req;
	const uint32_t ctl =
	        (uint32_t)r->op << RTL_atom_unit_CTL_op_LSB | (uint32_t)r->type << RTL_atom_unit_CTL_type_LSB |
	        (uint32_t)r->is_signed << RTL_atom_unit_CTL_signed_LSB | r->size << RTL_atom_unit_CTL_size_LSB |
	        (uint32_t)r->rd_used << RTL_atom_unit_CTL_rd_used_LSB |
	        (uint32_t)r->pd_used << RTL_atom_unit_CTL_pd_used_LSB |
	        (uint32_t)r->wide << RTL_atom_unit_CTL_wide_LSB | (uint32_t)r->narrow << RTL_atom_unit_CTL_narrow_LSB |
	        (uint32_t)r->spin << RTL_atom_unit_CTL_spin_LSB |
	        (uint32_t)r->has_policy << RTL_atom_unit_CTL_policy_LSB;
	static const uint8_t kinds[ATOM_KINDS] = {RTL_atom_unit_LDG,      RTL_atom_unit_STG,   RTL_atom_unit_LD,
	                                          RTL_atom_unit_ST,       RTL_atom_unit_ATOMG, RTL_atom_unit_ATOMG_CAS,
	                                          RTL_atom_unit_RED,      RTL_atom_unit_ATOM,  RTL_atom_unit_ATOM_CAS,
	                                          RTL_atom_unit_ATOM_CAST};
	pin_set(b->beat_port_i, 0, 2, b->sending->port);
	pin_set(b->beat_tag_i, 0, 22, r->tag);
	pin_set(b->beat_kind_i, 0, 5, kinds[r->kind]);
	pin_set(b->beat_ctl_i, 0, 32, ctl);
	pin_set(b->beat_flags_i, 0, 7, (uint32_t)r->illegal | (uint32_t)r->ra_used << 3);
	memcpy(b->beat_base_i, &r->base, 8);
	memcpy(b->beat_policy_i, &r->policy, 8);
	*b->several_i = r->several;
	pin_set(b->rank_i, 0, 4, r->rank);
	pin_set(b->beat_index_i, 0, 3, b->beat);
	*b->beat_last_i = b->beat == b->beats - 1;
	pin_set(b->beat_mask_i, 0, b->lanes, r->mask >> (b->beat * b->lanes));
	memcpy(b->beat_ra_i, &r->ra[b->beat * b->lanes], b->lanes * 8);
	memcpy(b->beat_rb_i, &r->rb[b->beat * b->lanes], b->lanes * 16);
	memcpy(b->beat_rc_i, &r->rc[b->beat * b->lanes], b->lanes * 16);
}

/* No beat: any values. */
static void drive_nothing(struct atom_bench *b)
{
	pin_set(b->beat_port_i, 0, 2, rng_below(&b->rng, b->ports));
	pin_noise(b->beat_tag_i, 22, &b->rng);
	pin_noise(b->beat_kind_i, 5, &b->rng);
	pin_noise(b->beat_ctl_i, 32, &b->rng);
	pin_noise(b->beat_flags_i, 7, &b->rng);
	pin_noise(b->beat_index_i, b->lanes == 4 ? 3 : b->lanes == 8 ? 2 : 1, &b->rng);
	pin_noise(b->beat_last_i, 1, &b->rng);
	pin_noise(b->beat_mask_i, b->lanes, &b->rng);
}

struct live *atom_by_tag(struct atom_bench *b, uint32_t tag)
{
	for (unsigned i = 0; i < BENCH_LIVE; i++)
		if (b->live[i].used && b->live[i].order && b->live[i].req.tag == tag)
			return &b->live[i];
	return NULL;
}

/* Sectors beyond memory never show at the port: their lanes are done with the request. */
static void settle_far(struct live *l)
{
	uint8_t none[32] = {0};
	uint64_t sector;
	for (uint32_t left = l->out.todo, lanes; left; left &= ~lanes) {
		lanes = atom_sector(&l->out, left, &sector);
		if (sector >> 43)
			atom_apply(&l->req, &l->out, lanes, 0, none);
	}
}

/* The first of the requests with lanes still to do on a sector. */
static struct live *owner(struct atom_bench *b, uint64_t sector, uint32_t *lanes)
{
	struct live *first = NULL;
	for (unsigned i = 0; i < BENCH_LIVE; i++) {
		struct live *l = &b->live[i];
		if (!l->used || !l->order || (first && l->order > first->order))
			continue;
		for (unsigned k = 0; k < 32; k++)
			if (l->out.todo >> k & 1 && l->out.addr[k] / 32 == sector) {
				first = l;
				break;
			}
	}
	*lanes = 0;
	for (unsigned k = 0; first && k < 32; k++)
		if (first->out.todo >> k & 1 && first->out.addr[k] / 32 == sector)
			*lanes |= UINT32_C(1) << k;
	return first;
}

/* --- memory --------------------------------------------------------------------------------------------------- */

unsigned atom_halves(const struct atom_bench *b, uint64_t sector)
{
	const uint64_t first = b->memory_at / 32, last = (b->memory_at + b->memory_bytes) / 32 - 1;
	return sector < first || sector > last ? 0 : sector == first ? 2 : sector == last ? 1 : 3;
}

static void request(struct atom_bench *b)
{
	const uint64_t sector = pin_get(b->mem_req_addr_o, 0, 32) | (uint64_t)pin_get(b->mem_req_addr_o, 32, 11) << 32;
	const unsigned n = pin_get(b->mem_req_id_o, 0, b->ids > 16 ? b->id_bits : 4);
	struct mem_id *m = &b->id[n];
	uint32_t lanes;
	struct live *l = owner(b, sector, &lanes);
	if (n >= b->ids || m->busy) {
		atom_bench_error(b, "id %u is asked for again", n);
		return;
	}
	for (unsigned i = 0; i < b->ids; i++)
		if (i != n && (b->id[i].busy || b->id[i].owned) && b->id[i].sector == sector)
			atom_bench_error(b, "ids %u and %u are both on sector %llx", i, n, (unsigned long long)sector);
	for (unsigned i = 0; i < b->ids; i++)
		b->id[i].kept &= b->id[i].sector != sector || i == n;
	const bool kept = m->kept && m->sector == sector && l && !atom_is_load(l->req.kind);
	m->write = *b->mem_req_write_o;
	m->cond = *b->mem_req_cond_o;
	b->kept += kept && m->write && m->cond;
	m->kept = false;
	if (!l)
		atom_bench_error(b, "sector %llx: nothing is to be done there", (unsigned long long)sector);
	else if ((m->write != (atom_is_store(l->req.kind) || m->owned) && !(kept && m->write)) ||
	         m->cond != (m->write && !atom_is_store(l->req.kind)))
		atom_bench_error(b, "sector %llx, kind %u: write %u cond %u", (unsigned long long)sector, l->req.kind,
		                 m->write, m->cond);
	uint64_t policy;
	memcpy(&policy, b->mem_req_policy_o, 8);
	if (l && (*b->mem_req_policy_valid_o != l->req.has_policy || (l->req.has_policy && policy != l->req.policy)))
		atom_bench_error(b, "tag %x, sector %llx: policy %u %llx, expected %u %llx", l->req.tag,
		                 (unsigned long long)sector, *b->mem_req_policy_valid_o, (unsigned long long)policy,
		                 l->req.has_policy, (unsigned long long)l->req.policy);
	if (l && l->sharing)
		atom_bench_error(b, "tag %x: sector %llx before the lanes in shared memory are through", l->req.tag,
		                 (unsigned long long)sector);
	if (!m->write && pin_get(b->mem_req_mask_o, 0, 32))
		atom_bench_error(b, "id %u: a read with bytes to write", n);
	if (m->owned && m->sector != sector)
		atom_bench_error(b, "id %u leaves its sector", n);
	if (!m->owned) {
		b->inflight_sectors++;
		if (b->inflight_sectors > b->most_sectors)
			b->most_sectors = b->inflight_sectors;
	}
	m->busy = true;
	m->sector = sector;
	m->mask = pin_get(b->mem_req_mask_o, 0, 32);
	memcpy(m->data, b->mem_req_data_o, 32);
	m->due = b->cycle + (b->fixed ? b->latency : 1 + rng_below(&b->rng, b->latency));
	if (b->slow_latency && sector == b->slow)
		m->due = b->cycle + b->slow_latency;
	b->asked[b->asks % ASKED].cycle = b->cycle;
	b->asked[b->asks % ASKED].sector = sector;
	b->asked[b->asks++ % ASKED].write = m->write;
}

/* Another master writes a word of the sector. */
static void write_of_another(struct atom_bench *b, uint64_t sector)
{
	const unsigned halves = atom_halves(b, sector), half = halves == 3 ? rng_next(&b->rng) >> 63 : halves - 1;
	if (halves) {
		uint8_t *word = b->memory + (sector * 32 - b->memory_at) + 16 * half + 4 * rng_below(&b->rng, 4);
		const uint32_t value = rng_u32(&b->rng);
		memcpy(word, &value, 4);
	}
	for (unsigned i = 0; i < b->ids; i++)
		b->id[i].stale |= b->id[i].sector == sector;
}

static void commit(struct atom_bench *b, struct mem_id *m)
{
	uint32_t lanes, written;
	struct live *l = owner(b, m->sector, &lanes);
	uint8_t before[32] = {0}, after[32];
	const unsigned halves = atom_halves(b, m->sector);
	if (!l)
		return;
	if (halves)
		memcpy(before, b->memory + (m->sector * 32 - b->memory_at), 32);
	memcpy(after, before, 32);
	const uint32_t range = l->out.range;
	written = atom_apply(&l->req, &l->out, lanes, halves, after);
	b->lanes_done += (unsigned)__builtin_popcount(lanes & ~l->out.range);
	b->sectors++;
	b->reordered += l->order < b->answered_order;
	b->answered_order = l->order;
	b->failed_compares += atom_is_cas(l->req.kind) && !written;
	b->expect.commit = (lanes & ~l->out.range) != 0;
	b->expect.commit_tag = l->req.tag;
	b->expect.commit_lanes = lanes & ~l->out.range;
	b->expect.has_old = !atom_is_store(l->req.kind);
	b->expect.written = written;
	b->expect.has_policy = l->req.has_policy;
	b->expect.policy = l->req.has_policy ? l->req.policy : 0;
	b->expect.sector = m->sector;
	memcpy(b->expect.old, before, 32);
	memcpy(b->expect.now, after, 32);
	if (l->out.range != range && (atom_is_load(l->req.kind) || atom_is_store(l->req.kind))) {
		b->expect.range = true;
		b->expect.range_tag = l->req.tag;
		b->expect.range_lanes = l->out.range & lanes;
	}
	if (m->write) {
		const uint32_t there = (halves & 1 ? 0xffffu : 0) | (halves & 2 ? 0xffff0000u : 0);
		if ((m->cond ? m->mask : m->mask & there) != written)
			atom_bench_error(b, "tag %x kind %u, sector %llx: bytes %08x are written, expected %08x",
			                 l->req.tag, l->req.kind, (unsigned long long)m->sector, m->mask, written);
		for (unsigned i = 0; i < 32; i++)
			if (written >> i & 1 && m->data[i] != after[i]) {
				atom_bench_error(b,
				                 "tag %x kind %u op %u type %u size %u, sector %llx: byte %u is %02x, "
				                 "expected %02x",
				                 l->req.tag, l->req.kind, l->req.op, l->req.type, 1u << l->req.size,
				                 (unsigned long long)m->sector, i, m->data[i], after[i]);
				break;
			}
	}
	if (halves)
		memcpy(b->memory + (m->sector * 32 - b->memory_at), after, 32);
	if (written)
		for (unsigned i = 0; i < b->ids; i++)
			b->id[i].stale |= &b->id[i] != m && b->id[i].sector == m->sector;
}

/* The answer of this cycle: any of the answers due. */
static struct mem_id *answer(struct atom_bench *b)
{
	struct mem_id *due[IDS], *m;
	unsigned n = 0;
	memset(&b->expect, 0, sizeof b->expect);
	for (unsigned i = 0; i < b->ids; i++)
		if (!b->mute && b->id[i].busy && b->id[i].due <= b->cycle)
			due[n++] = &b->id[i];
	*b->mem_rsp_valid_i = n != 0;
	if (!n) { /* any values */
		pin_noise(b->mem_rsp_id_i, b->id_bits, &b->rng);
		pin_noise(b->mem_rsp_ok_i, 1, &b->rng);
		pin_noise(b->mem_rsp_halves_i, 2, &b->rng);
		pin_noise(b->mem_rsp_data_i, 256, &b->rng);
		return NULL;
	}
	m = due[rng_below(&b->rng, n)];
	if (m->cond && b->others && rng_one_in(&b->rng, b->others))
		write_of_another(b, m->sector);
	const unsigned halves = atom_halves(b, m->sector);
	const bool ok = !m->cond || !m->stale;
	uint32_t lanes;
	struct live *l = owner(b, m->sector, &lanes);
	const bool ends = l && (m->write ? ok : atom_is_load(l->req.kind));
	pin_set(b->mem_rsp_id_i, 0, b->ids > 16 ? b->id_bits : 4, (unsigned)(m - b->id));
	*b->mem_rsp_ok_i = ok;
	pin_set(b->mem_rsp_halves_i, 0, 2, halves);
	for (unsigned i = 0; i < 32; i++)
		b->mem_rsp_data_i[i] = (uint8_t)rng_next(&b->rng);
	for (unsigned half = 0; half < 2; half++)
		if (halves >> half & 1 && (!m->write || !ok))
			memcpy(b->mem_rsp_data_i + 16 * half, b->memory + (m->sector * 32 - b->memory_at) + 16 * half,
			       16);
	m->busy = false;
	m->stale = false;
	b->retries += !ok;
	if (!m->write && l && !ends) { /* lanes whose half is absent are out now */
		uint32_t gone = 0;
		for (unsigned i = 0; i < 32; i++)
			if (lanes >> i & 1 && !(halves >> (l->out.addr[i] % 32 / 16) & 1))
				gone |= UINT32_C(1) << i;
		b->expect.range = gone != 0;
		b->expect.range_tag = l->req.tag;
		b->expect.range_lanes = gone;
		if (!halves) { /* nothing is left to write */
			commit(b, m);
			b->expect.range = true;
			b->expect.commit = false;
		}
	}
	m->owned = !ends && halves;
	m->kept = m->cond && m->write && ok;
	if (ends)
		commit(b, m);
	if (!m->owned)
		b->inflight_sectors--;
	return m;
}

static unsigned in_flight(const struct atom_bench *b)
{
	unsigned n = 0;
	for (unsigned i = 0; i < BENCH_LIVE; i++)
		n += b->live[i].used && b->live[i].order != 0;
	return n;
}

void atom_bench_cycle(struct atom_bench *b)
{
	b->in.kind = b->stall_in;
	b->mem.kind = b->stall_mem;
	const bool in_stalls = stall_now(&b->in);
	if (b->sending && !b->offering && !in_stalls) {
		b->offering = true;
		drive_beat(b);
	}
	if (!b->offering)
		drive_nothing(b);
	*b->mem_req_ready_i = !stall_now(&b->mem);
	answer(b);
	atom_share_drive(b);
	*b->rsp_take_i = 0;
	*b->beat_valid_i = 0;
	b->model.eval(b->model.self);
	/* The arbiter never chooses a closed port, except in the middle of a request. */
	*b->beat_valid_i = b->offering && (b->beat || b->ports == 1 || pin_get(b->port_open_o, b->sending->port, 1));
	const unsigned port = b->ports > 1 ? pin_get(b->rsp_port_o, 0, 2) : 0;
	b->out[port].kind = b->stall_out;
	*b->rsp_take_i = *b->rsp_valid_o && !stall_now(&b->out[port]) && !(b->deaf >> port & 1);
	b->model.eval(b->model.self);
	if (in_flight(b) && *b->idle_o)
		atom_bench_error(b, "idle_o with requests in flight");
	atom_check_done(b);
	atom_check_trace(b);
	if (*b->rsp_take_i)
		atom_check_response(b);
	atom_check_request(b);
	if (*b->mem_req_valid_o && *b->mem_req_ready_i)
		request(b);
	if (*b->share_valid_o && *b->share_ready_i && !(*b->beat_valid_i && *b->beat_ready_o))
		atom_bench_error(b, "atoms_pipe takes a beat that atom_unit does not");
	if (*b->beat_valid_i && *b->beat_ready_o) {
		struct live *l = b->sending;
		b->offering = false;
		atom_share_take(b, l);
		if (b->beat == 0) {
			l->order = ++b->orders;
			b->requests++;
			b->by_kind[l->req.kind]++;
			b->by_type[l->req.type]++;
			if (in_flight(b) > b->most_requests)
				b->most_requests = in_flight(b);
		}
		if (++b->beat == b->beats) {
			l->whole = true;
			settle_far(l);
			b->sending = NULL;
		}
	}
	tick(b);
}

void atom_bench_drain(struct atom_bench *b)
{
	const uint64_t until = b->cycle + (b->lean ? LEAN_PATIENCE : PATIENCE);
	while ((b->sending || in_flight(b)) && b->cycle < until)
		atom_bench_cycle(b);
	if (b->sending || in_flight(b))
		atom_bench_error(b, "%u requests do not retire", in_flight(b));
	for (unsigned i = 0; i < 4; i++)
		atom_bench_cycle(b);
	if (memcmp(b->told, b->answered, sizeof b->told) != 0)
		atom_bench_error(b, "the scoreboard was not told of every request");
	if (!*b->idle_o)
		atom_bench_error(b, "not idle when all is done");
}
