// SPDX-License-Identifier: Apache-2.0
/* link_dut.c -- a board runs by itself; it keeps a snapshot of every cycle in which something happened, and each call
 * of `cycle` shows the next one. So a cycle of the harness is one of the board in which it had something to say:
 * nothing is reordered, and only times between are lost. */
#include "link_dut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../board_memory.h"
#include "board_sim.h"
#include "link.h"
#include "warplock/isa.h"

enum {
	BEAT_COST = 64, /* snapshots that a request with operands makes at most */
	HEAD_COST = 4,  /* and one without */
	MAX_OPEN = 128,
	HOST_WORDS = 256, /* written at a time */
	POLL_CLOCKS = 200,
	POLL_FULL = 1536, /* an answer of so many bytes may have left snapshots behind */
	MOST_LANDS = 4,   /* pieces of copies on their way */
	MOST_ASKED = 8,   /* requests of the board for memory that have no answer: a snapshot each */
};

struct open_request {
	uint32_t tag;
	bool header;
};

struct dut {
	struct link link;
	struct board_sim sim;
	struct shim_api api;
	struct board_memory memory;
	/* the request that the harness is handing over */
	unsigned beat;
	uint8_t payload[FRAME_PAYLOAD];
	unsigned n;
	/* requests whose end the harness has not seen, and the snapshots that they may still make */
	struct open_request open[MAX_OPEN];
	unsigned nopen, cost;
	/* snapshots that came and have not been shown */
	uint8_t shots[FRAME_PAYLOAD];
	unsigned at, nshots;
	uint64_t clock;                 /* the board's cycle of the last one that was shown */
	uint32_t words[SHIM_LANES * 4]; /* what a response shows */
	uint32_t row[SHIM_LANES];       /* what a piece of a copy has read */
	uint32_t sector[8];             /* what a request writes to memory */
	unsigned lands;                 /* pieces of copies whose LAND has not been shown */
	bool settles, fetched; /* of the memory's last answer: not all is shown that came of it; all of it is here */
	/* words that the host writes, gathered */
	uint8_t host[FRAME_PAYLOAD];
	unsigned host_n;
	uint32_t host_next; /* address that goes on */
	bool reading;       /* a read is answered in the next cycle */
	uint32_t read_data;
	bool in_reset;
	bool sent;  /* a request has gone out since the board last said that it is idle */
	bool asked; /* the state of a barrier is shown in the next cycle */
	struct shim_bar bar;
	char gone[400]; /* why the board is no use any more */
};

static struct dut *the; /* shim_api has no place for it */

/* ---- bytes ---- */

struct bytes {
	const uint8_t *p, *end;
	bool ended; /* read past the end */
};

static uint64_t take(struct bytes *b, unsigned n)
{
	uint64_t v = 0;
	if ((size_t)(b->end - b->p) < n) {
		b->p = b->end;
		b->ended = true;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)*b->p++ << 8 * i;
	return v;
}

static struct shim_event *add_event(struct shim_out *out, enum wl_event_kind kind, unsigned unit)
{
	struct shim_event *e = &out->event[out->nevents++];
	*e = (struct shim_event){.kind = (uint8_t)kind, .unit = (uint8_t)unit};
	return e;
}

#include "link_groups.inc"

/* ---- commands ---- */

static bool command(struct dut *d, enum link_type type, const uint8_t *payload, unsigned n)
{
	if (d->gone[0])
		return false;
	if (link_command(&d->link, type, payload, n)) {
		if (!(d->link.answer.payload[0] & LINK_LOST))
			return true;
		snprintf(d->link.why, sizeof d->link.why, "%s has lost events", d->link.name);
	}
	memcpy(d->gone, d->link.why, sizeof d->gone);
	return false;
}

static void flush_host(struct dut *d)
{
	if (!d->host_n)
		return;
	link_pack_write(d->host, &(struct link_write){.address = d->host_next - d->host_n * 4, .words = d->host_n});
	command(d, LINK_WRITE, d->host, LINK_WRITE_BYTES + d->host_n * 4);
	d->host_n = 0;
}

static void write_word(struct dut *d, uint32_t addr, uint32_t data)
{
	if (d->host_n && (addr != d->host_next || d->host_n == HOST_WORDS))
		flush_host(d);
	link_put(d->host + LINK_WRITE_BYTES + d->host_n++ * 4, data, 4);
	d->host_next = addr + 4;
}

static void read_words(struct dut *d, uint32_t addr, uint32_t *words, unsigned n)
{
	for (unsigned at = 0; at < n; at += HOST_WORDS) {
		const unsigned some = n - at < HOST_WORDS ? n - at : HOST_WORDS;
		uint8_t p[LINK_READ_BYTES];
		link_pack_read(p, &(struct link_read){.address = addr + at * 4, .words = some});
		if (!command(d, LINK_READ, p, sizeof p) || d->link.answer.n != 1 + some * 4)
			return;
		struct bytes b = {.p = d->link.answer.payload + 1, .end = d->link.answer.payload + d->link.answer.n};
		for (unsigned i = 0; i < some; i++)
			words[at + i] = (uint32_t)take(&b, 4);
	}
}

static void set_window(struct dut *d, const struct shim_in *in)
{
	uint8_t p[LINK_WINDOW_BYTES];
	link_pack_window(p, &(struct link_window){.slot = in->cfg.slot,
	                                          .open = in->cfg.open,
	                                          .base = in->cfg.base,
	                                          .size = in->cfg.size,
	                                          .warps = in->cfg.warps,
	                                          .first = in->cfg.first,
	                                          .lanes = in->cfg.lanes,
	                                          .cluster = in->cfg.cluster,
	                                          .rank = in->cfg.rank});
	command(d, LINK_WINDOW, p, sizeof p);
}

static void poll_board(struct dut *d)
{
	uint8_t p[LINK_POLL_BYTES];
	link_pack_poll(p, &(struct link_poll){.clocks = POLL_CLOCKS});
	if (!command(d, LINK_POLL, p, sizeof p))
		return;
	d->at = 0;
	d->nshots = d->link.answer.n - 1;
	d->fetched = d->link.answer.n < POLL_FULL;
	memcpy(d->shots, d->link.answer.payload + 1, d->nshots);
	const uint8_t status = d->link.answer.payload[0];
	if (status & LINK_IDLE && !(status & LINK_MORE))
		d->sent = false;
}

/* Bits of a barrier's state, as bar_status_o of docs/ports.md has them. */
static uint64_t bits(const uint8_t *p, unsigned low, unsigned n)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(p[(low + i) / 8] >> (low + i) % 8 & 1) << i;
	return v;
}

/* The board is ahead of what has been shown while anything but waits is in it: only then does its state compare. */
static bool ask_barrier(struct dut *d, const struct shim_in *in)
{
	uint8_t which[LINK_BARRIER_BYTES];
	const uint8_t *p = d->link.answer.payload + 1;
	if (!in->bar.valid || d->sent || d->beat || d->at < d->nshots)
		return false;
	link_pack_barrier(which, &(struct link_barrier){.slot = in->bar.slot, .id = in->bar.id});
	if (!command(d, LINK_BARRIER, which, sizeof which) || d->link.answer.n != 17)
		return false;
	d->bar = (struct shim_bar){.mode = (uint8_t)bits(p, 0, 2),
	                           .counted = (uint8_t)bits(p, 2, 1),
	                           .expected = (uint8_t)bits(p, 3, 8),
	                           .arrived = (uint8_t)bits(p, 11, 8),
	                           .here = bits(p, 19, 48),
	                           .waiting = bits(p, 67, 48),
	                           .votes = (uint16_t)bits(p, 115, 12)};
	d->asked = true;
	return true;
}

/* ---- requests ---- */

static bool with_operands(const struct dut *d)
{
	for (unsigned i = 0; i < d->nopen; i++)
		if (!d->open[i].header)
			return true;
	return false;
}

static bool affordable(const struct dut *d, const struct shim_beat *b)
{
	const unsigned others = (d->api.units >> WL_UNIT_mbarrier_engine & 1 ? MOST_LANDS : 0) +
	                        (d->api.units >> WL_UNIT_atom_unit & 1 ? MOST_ASKED : 0);
	if (d->api.units >> WL_UNIT_atom_unit & 1 && !b->header && with_operands(d))
		return false; /* behind one that waits for memory it could stop the link, over which the answer comes */
	if (d->memory.bytes && d->lands)
		return false; /* what lands may be stored to memory on the board, then */
	return d->nopen < MAX_OPEN && d->cost + others + (b->header ? HEAD_COST : BEAT_COST) <= d->link.info.events;
}

/* Header of REQUEST, with the first beat. */
static void begin_request(struct dut *d, const struct shim_in *in, const struct shim_beat *b)
{
	link_pack_request(d->payload, &(struct link_request){.tag = b->tag,
	                                                     .slot = b->slot,
	                                                     .arch = in->arch,
	                                                     .header = b->header,
	                                                     .mask = b->mask,
	                                                     .pred = b->pred,
	                                                     .ur = b->ur});
	for (unsigned i = 0; i < 4; i++)
		link_put(d->payload + LINK_REQUEST_WORD + i * 4, b->word[i], 4);
	d->n = LINK_REQUEST_BYTES;
	d->open[d->nopen++] = (struct open_request){b->tag, b->header};
	d->cost += b->header ? HEAD_COST : BEAT_COST;
}

/* Words of a lane that are not 0, behind a map of them. */
static void add_lane(struct dut *d, const struct shim_beat *b, unsigned lane)
{
	uint32_t w[10] = {(uint32_t)b->ra[lane], (uint32_t)(b->ra[lane] >> 32)};
	unsigned map = 0;
	uint8_t *p = d->payload + d->n + 2;
	memcpy(w + 2, b->rb + lane * 4, 16);
	memcpy(w + 6, b->rc + lane * 4, 16);
	for (unsigned i = 0; i < 10; i++)
		if (w[i]) {
			map |= 1u << i;
			p += link_put(p, w[i], 4);
		}
	link_put(d->payload + d->n, map, 2);
	d->n = (unsigned)(p - d->payload);
}

/* True when the beat is taken. */
static bool take_request(struct dut *d, const struct shim_in *in)
{
	const struct shim_beat *b = &in->req[0];
	const unsigned lanes = d->api.lanes, beats = b->header ? 1 : WL_WARP_LANES / lanes;
	if (!b->valid || (d->beat == 0 && !affordable(d, b)))
		return false;
	if (d->beat == 0)
		begin_request(d, in, b);
	for (unsigned l = 0; l < lanes; l++)
		if (b->header ? l == 0 : b->mask >> (d->beat * lanes + l) & 1)
			add_lane(d, b, l);
	if (++d->beat == beats) {
		d->beat = 0;
		command(d, LINK_REQUEST, d->payload, d->n);
		d->sent = true;
	}
	return true;
}

static void close_request(struct dut *d, unsigned i)
{
	d->cost -= d->open[i].header ? HEAD_COST : BEAT_COST;
	memmove(&d->open[i], &d->open[i + 1], (--d->nopen - i) * sizeof d->open[0]);
}

/* A response ends the request of its tag. */
static void end_request(struct dut *d, uint32_t tag)
{
	for (unsigned i = 0; i < d->nopen; i++)
		if (d->open[i].tag == tag) {
			close_request(d, i);
			return;
		}
}

/* A release, or the end of a wait without one, ends what its warps wait with: the youngest request of each, and of
 * those the only one without operands, or where it is an mbarrier that they wait at, with operands. */
static void end_waits(struct dut *d, uint64_t warps, unsigned unit)
{
	const bool header = unit + WL_UNIT_atoms_pipe != WL_UNIT_mbarrier_engine;
	for (unsigned i = d->nopen; i-- > 0;) {
		const uint64_t warp = UINT64_C(1) << (d->open[i].tag >> 16);
		if (d->open[i].header != header || !(warps & warp))
			continue;
		close_request(d, i);
		warps &= ~warp;
	}
}

/* ---- snapshots ---- */

static void take_response(struct dut *d, struct bytes *b, struct shim_rsp *r)
{
	const unsigned lanes = d->api.lanes, lane_bytes = (lanes + 7) / 8;
	r->tag = (uint32_t)take(b, 3);
	const unsigned flags = (unsigned)take(b, 1);
	r->last = flags & 1;
	r->any_fault = flags >> 1 & 1;
	r->passes = (uint8_t)take(b, 1);
	r->mask = (uint32_t)take(b, lane_bytes);
	r->pred = (uint32_t)take(b, lane_bytes);
	const uint32_t map = (uint32_t)take(b, lanes / 2);
	for (unsigned l = 0; r->any_fault && l < lanes; l++)
		r->fault[l] = (uint8_t)take(b, 1);
	for (unsigned w = 0; w < lanes * 4; w++)
		d->words[w] = map >> w & 1 ? (uint32_t)take(b, 4) : 0;
	r->data = d->words;
}

/* Among the events of its cycle, which stand by unit and kind. */
static void take_release(struct dut *d, struct bytes *b, struct shim_out *out)
{
	const unsigned unit = (unsigned)take(b, 1);
	struct shim_event e = {.kind = unit & 0x80 ? WL_EV_CHOICE : WL_EV_RELEASE, .unit = unit & 15};
	e.slot = (uint8_t)take(b, 1);
	e.id = (uint16_t)take(b, 2);
	e.phase = (uint16_t)take(b, 2);
	e.warps = take(b, 6);
	e.value = (uint32_t)take(b, 4);
	end_waits(d, e.warps, e.unit);
	unsigned i = out->nevents++;
	for (; i > 0 && out->event[i - 1].unit * 256 + out->event[i - 1].kind > e.unit * 256 + e.kind; i--)
		out->event[i] = out->event[i - 1];
	out->event[i] = e;
}

/* ---- memory and copies ---- */

static void give_piece(struct dut *d, const struct shim_in *in)
{
	uint8_t p[LINK_LAND_ROW + SHIM_LANES * 4];
	unsigned n = LINK_LAND_ROW;
	if (!(d->api.units >> WL_UNIT_mbarrier_engine & 1)) {
		snprintf(d->gone, sizeof d->gone, "%s: nothing lands in the shared memory of a board without %s",
		         d->link.name, wl_unit_name(WL_UNIT_mbarrier_engine));
		return;
	}
	link_pack_land(p, &(struct link_land){.kind = in->land.kind,
	                                      .op = in->land.op,
	                                      .address = in->land.addr,
	                                      .words = in->land.words});
	for (unsigned b = 0; b < d->api.banks; b++)
		n += link_put(p + n, in->land.data[b], 4);
	if (command(d, LINK_LAND, p, n))
		d->lands++;
}

static void give_answer(struct dut *d, const struct shim_in *in)
{
	uint8_t p[LINK_MEMORY_BYTES];
	link_pack_memory(p,
	                 &(struct link_memory){.id = in->mem.rsp_id, .ok = in->mem.rsp_ok | in->mem.rsp_halves << 1});
	for (unsigned w = 0; w < 8; w++)
		link_put(p + LINK_MEMORY_SECTOR + w * 4, in->mem.rsp_data[w], 4);
	command(d, LINK_MEMORY, p, sizeof p);
	d->settles = true;
	d->fetched = false;
}

static void take_land(struct dut *d, struct bytes *b, struct shim_out *out)
{
	struct shim_event *e = add_event(out, WL_EV_LAND, SHIM_SYNC_CORE);
	const unsigned kind = (unsigned)take(b, 1);
	e->code = kind & 7;
	e->addr = (uint32_t)take(b, 2);
	out->land_fault = (uint8_t)take(b, 1);
	out->land_rvalid = kind >> 7;
	for (unsigned i = 0; out->land_rvalid && i < d->api.banks; i++)
		d->row[i] = (uint32_t)take(b, 4);
	out->land_data = d->row;
	d->lands -= d->lands > 0;
}

static void take_asked(struct dut *d, struct bytes *b, struct shim_out *out)
{
	const unsigned what = (unsigned)take(b, 1);
	out->mem.valid = 1;
	out->mem.id = what & 15;
	out->mem.write = what >> 4 & 1;
	out->mem.cond = what >> 5 & 1;
	out->mem.has_policy = what >> 6 & 1;
	out->mem.addr = take(b, 6) << 5;
	out->mem.mask = out->mem.write ? (uint32_t)take(b, 4) : 0;
	for (unsigned w = 0; w < 8; w++)
		d->sector[w] = out->mem.write ? (uint32_t)take(b, 4) : 0;
	out->mem.data = d->sector;
	out->mem.policy = out->mem.has_policy ? take(b, 8) : 0;
}

/* ---- memory on the board ---- */

static void place_memory(void *self, uint64_t addr)
{
	uint8_t p[LINK_PLACE_BYTES];
	link_pack_place(p, &(struct link_place){.open = 1, .address = addr / MEMORY_SECTOR});
	command(self, LINK_PLACE, p, sizeof p);
}

static void store_sectors(void *self, uint32_t first, unsigned n, const struct board_sector *sector)
{
	uint8_t p[FRAME_PAYLOAD];
	unsigned at = LINK_STORE_BYTES;
	link_pack_store(p, &(struct link_store){.first = first, .sectors = n});
	for (unsigned i = 0; i < n; i++) {
		p[at++] = sector[i].halves;
		at += link_put(p + at, sector[i].mask, 4);
		memcpy(p + at, sector[i].data, MEMORY_SECTOR);
		at += MEMORY_SECTOR;
	}
	command(self, LINK_STORE, p, at);
}

static void load_sectors(void *self, uint32_t first, unsigned n, uint8_t *to)
{
	struct dut *d = self;
	uint8_t p[LINK_LOAD_BYTES];
	link_pack_load(p, &(struct link_load){.first = first, .sectors = n});
	memset(to, 0, (size_t)n * MEMORY_SECTOR);
	if (command(d, LINK_LOAD, p, sizeof p) && d->link.answer.n == 1 + n * MEMORY_SECTOR)
		memcpy(to, d->link.answer.payload + 1, (size_t)n * MEMORY_SECTOR);
	else if (!d->gone[0])
		snprintf(d->gone, sizeof d->gone, "%s: %u sectors of memory have not come", d->link.name, n);
}

static uint64_t served_requests(void *self)
{
	struct dut *d = self;
	if (!command(d, LINK_COUNTERS, NULL, 0) || d->link.answer.n != 21)
		return 0;
	struct bytes b = {.p = d->link.answer.payload + 17, .end = d->link.answer.payload + 21};
	return take(&b, 4);
}

static void show_snapshot(struct dut *d, const struct shim_in *in, struct shim_out *out)
{
	struct bytes b = {.p = d->shots + d->at, .end = d->shots + d->nshots};
	const unsigned releases = d->api.releases;
	const uint32_t cycle = (uint32_t)take(&b, 4);
	const uint32_t groups = (uint32_t)take(&b, 4);
	const unsigned others = 1 + releases + UNIT_GROUPS;
	if (groups >> (others + 1) & 1 && !in->mem.req_ready) /* the harness will ask again */
		return;
	if (groups & 1) {
		if (!(in->rsp_ready & 1)) /* likewise */
			return;
		take_response(d, &b, &out->rsp[0]);
		out->rsp_valid = out->rsp_taken = 1;
		out->trace_retire = out->rsp[0].last;
	}
	d->clock += (uint32_t)(cycle - (uint32_t)d->clock);
	/* releases lie before the groups of the units, and are put among their events */
	const struct bytes at_releases = b;
	for (unsigned r = 0; r < releases; r++)
		if (groups >> (1 + r) & 1)
			b.p += b.end - b.p < 16 ? b.end - b.p : 16;
	take_groups(&b, groups >> (1 + releases), out);
	if (groups >> others & 1)
		take_land(d, &b, out);
	if (groups >> (others + 1) & 1)
		take_asked(d, &b, out);
	struct bytes again = at_releases;
	for (unsigned r = 0; r < releases; r++)
		if (groups >> (1 + r) & 1)
			take_release(d, &again, out);
	if (out->rsp_valid && out->rsp[0].last)
		end_request(d, out->rsp[0].tag);
	if (b.ended)
		snprintf(d->gone, sizeof d->gone, "%s: a snapshot ends too early", d->link.name);
	d->at = (unsigned)(b.p - d->shots);
}

/* ---- shim.h ---- */

/* What the board said last, to whatever it answered: it is asked again until it is idle. */
static bool says_idle(const struct dut *d)
{
	return (d->link.answer.payload[0] & LINK_IDLE) != 0;
}

static void cycle(void *model, const struct shim_in *in, struct shim_out *out)
{
	struct dut *d = model;
	*out = (struct shim_out){.nevents = 0};
	if (in->rst) {
		if (!d->in_reset)
			command(d, LINK_RESET, NULL, 0);
		d->in_reset = true;
		d->nopen = d->cost = d->beat = d->at = d->nshots = 0;
		d->clock = d->lands = 0;
		d->settles = false;
		out->idle = 1;
		out->gone = d->gone[0] ? d->gone : NULL;
		return;
	}
	d->in_reset = false;
	if (d->reading) {
		out->host_rvalid = 1;
		out->host_data = d->read_data;
		d->reading = false;
	}
	if (in->host.valid) {
		out->host_taken = 1;
		if (in->host.write) {
			write_word(d, in->host.addr, in->host.data);
		} else {
			flush_host(d);
			read_words(d, in->host.addr, &d->read_data, 1);
			d->reading = true;
		}
	} else {
		flush_host(d);
	}
	if (d->asked) {
		out->bar_valid = 1;
		out->bar = d->bar;
		d->asked = false;
	}
	out->bar_taken = ask_barrier(d, in);
	if (in->cfg.valid)
		set_window(d, in);
	out->mem.rsp_ready = 1;
	if (in->mem.rsp_valid)
		give_answer(d, in);
	if (in->land.valid && d->lands < MOST_LANDS && !d->gone[0]) {
		give_piece(d, in);
		out->land_taken = 1;
	}
	const bool first = d->beat == 0;
	if (take_request(d, in)) {
		out->req_taken = 1;
		out->trace_accept = first;
	} else if (d->at == d->nshots && (d->nopen || d->lands || !says_idle(d) || (in->bar.valid && d->sent))) {
		poll_board(d);
	}
	if (d->at < d->nshots && !out->land_taken) /* a piece is taken before it lands */
		show_snapshot(d, in, out);
	if (d->fetched && d->at == d->nshots)
		d->settles = false;
	out->settles = d->settles;
	out->clock = d->clock;
	/* warps that wait for ever keep their requests open, but not the core busy */
	out->idle = !d->beat && !d->lands && d->at == d->nshots && says_idle(d);
	out->gone = d->gone[0] ? d->gone : NULL;
}

static void read_mem(void *model, uint32_t at, uint32_t size, uint32_t *words)
{
	struct dut *d = model;
	flush_host(d);
	read_words(d, at, words, size / 4);
}

static void read_waits(void *model, struct shim_wait wait[SHIM_WARPS])
{
	struct dut *d = model;
	uint8_t all[LINK_WAITS_BYTES];
	link_pack_waits(all, &(struct link_waits){.first = 0, .warps = SHIM_WARPS});
	memset(wait, 0, SHIM_WARPS * sizeof *wait);
	if (!command(d, LINK_WAITS, all, sizeof all) || d->link.answer.n != 1 + SHIM_WARPS * 8)
		return;
	struct bytes b = {.p = d->link.answer.payload + 1, .end = d->link.answer.payload + d->link.answer.n};
	for (unsigned w = 0; w < SHIM_WARPS; w++) {
		wait[w].waiting = take(&b, 1) & 1;
		wait[w].unit = (uint8_t)take(&b, 1);
		wait[w].slot = (uint8_t)take(&b, 1);
		wait[w].id = (uint16_t)take(&b, 2);
		wait[w].tag = (uint32_t)take(&b, 3);
	}
}

static void *create(uint32_t seed)
{
	(void)seed;
	return the;
}

static void destroy(void *model)
{
	(void)model; /* dut_close ends it */
}

static int no_wave(void *model, const char *path)
{
	(void)model, (void)path;
	return 0;
}

static void wave_close(void *model)
{
	(void)model;
}

/* ---- opening ---- */

/* A line in which nothing has come for so long is silent. A routed netlist makes 200,000 clocks a second, and the
 * longest frame takes 370,000 of them. */
enum { QUIET_MS = 400, QUIET_MS_ROUTED = 30000, QUIET_MS_BOARD = 150 };

static bool is_routed(const char *board)
{
	const char *colon = board ? strchr(board, ':') : NULL;
	return colon && strcmp(colon, ":routed") == 0;
}

/* `board`: one of fpga/boards; NULL: link_core with the lanes, banks and units of this run. */
static bool start_sim(struct dut *d, const char *board, const struct wl_config *hw, uint32_t units, unsigned noise,
                      unsigned memory, char *why, size_t whyn)
{
	/* one build for most runs, one with all units for the others; with memory on it what is asked for */
	const uint32_t usual = 1u << WL_UNIT_atoms_pipe | 1u << WL_UNIT_barrier_file;
	const uint32_t mask = memory ? units : units & ~usual ? model_units(units, 0) : usual;
	char words[64], path[4400];
	const size_t name = board ? strspn(board, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
	const bool routed = is_routed(board);
	if (board && (!name || name > 40 || (board[name] && !(routed && board[name] == ':')))) {
		snprintf(why, whyn, "--dut uart:%s: no board has such a name (make fpga BOARD=list)", board);
		return false;
	}
	if (board)
		snprintf(words, sizeof words, "%.*s%s", (int)name, board, routed ? " routed" : "");
	else if (memory)
		snprintf(words, sizeof words, "%u %u %u %u", hw->lanes, hw->banks, mask, memory);
	else
		snprintf(words, sizeof words, "%u %u %u", hw->lanes, hw->banks, mask);
	return model_make("verif/cosim/link/build_board", words, "board", path, sizeof path, why, whyn) &&
	       board_sim_start(&d->sim, path, noise, hw->seed, why, whyn);
}

/* board:/dev/ttyUSB1@3000000 */
static bool open_board(struct dut *d, const char *where)
{
	char tty[128];
	const char *at = strchr(where, '@');
	const unsigned baud = at ? (unsigned)strtoul(at + 1, NULL, 10) : 500000;
	snprintf(tty, sizeof tty, "%.*s", at ? (int)(at - where) : (int)strlen(where), where);
	return link_open(&d->link, tty, baud, QUIET_MS_BOARD);
}

bool dut_open(struct model *m, const char *what, struct wl_config *hw, uint32_t units, bool launch, unsigned noise,
              unsigned memory, char *why, size_t whyn)
{
	struct dut *d = calloc(1, sizeof *d);
	bool ok = false;
	memset(m, 0, sizeof *m);
	if (!d) {
		snprintf(why, whyn, "out of memory");
		return false;
	}
	d->link.fd = -1;
	if (memory && !(units >> WL_UNIT_atom_unit & 1))
		snprintf(why, whyn, "memory on the board is for %s, which this run has not",
		         wl_unit_name(WL_UNIT_atom_unit));
	else if (strcmp(what, "uart") == 0 || strncmp(what, "uart:", 5) == 0) {
		const char *board = what[4] ? what + 5 : NULL;
		if (start_sim(d, board, hw, units, noise, memory, why, whyn) &&
		    !(ok = link_open(&d->link, d->sim.tty, 0, is_routed(board) ? QUIET_MS_ROUTED : QUIET_MS)))
			snprintf(why, whyn, "%s", d->link.why);
	} else if (strncmp(what, "board:", 6) == 0) {
		if (!(ok = open_board(d, what + 6)))
			snprintf(why, whyn, "%s", d->link.why);
	} else {
		snprintf(why, whyn,
		         "--dut %s: expected uart, uart:BOARD or board:TTY[@BAUD]; model goes with --mix board", what);
	}
	const struct link_info *i = &d->link.info;
	if (ok && (units & ~i->units)) {
		snprintf(why, whyn, "the board has not all units that this run needs (mask %u, needed %u)", i->units,
		         units);
		ok = false;
	}
	/* kernels keep to what the board holds; random streams of accesses alone know no warps */
	const uint32_t know_warps = 1u << WL_UNIT_barrier_file | 1u << WL_UNIT_mbarrier_engine |
	                            1u << WL_UNIT_convergence | 1u << WL_UNIT_cluster_barrier;
	if (ok && (units & know_warps) && !launch && (i->warps < WL_MAX_WARPS || i->slots < WL_MAX_CTAS)) {
		snprintf(why, whyn,
		         "random barriers are for %u warps in %u CTAs, and the board holds %u in %u: kernels run on it",
		         WL_MAX_WARPS, WL_MAX_CTAS, i->warps, i->slots);
		ok = false;
	}
	if (ok && hw->warps_per_sm > i->warps)
		hw->warps_per_sm = i->warps;
	if (ok && hw->ctas_per_sm > i->slots)
		hw->ctas_per_sm = i->slots;
	if (ok && i->arch && i->arch != (unsigned)hw->arch) {
		snprintf(why, whyn, "the board decodes sm_%u only", i->arch);
		ok = false;
	}
	if (!ok) {
		board_sim_stop(&d->sim);
		link_close(&d->link);
		free(d);
		return false;
	}
	hw->lanes = i->lanes;
	hw->banks = i->banks;
	hw->ports = 1;
	hw->shared_bytes = i->smem_bytes;
	d->api = (struct shim_api){.abi = SHIM_ABI,
	                           .lanes = i->lanes,
	                           .banks = i->banks,
	                           .ports = 1,
	                           .smem_bytes = i->smem_bytes,
	                           .units = i->units,
	                           .releases = i->releases,
	                           .ahead = 1,
	                           .create = create,
	                           .destroy = destroy,
	                           .cycle = cycle,
	                           .read_mem = read_mem,
	                           .read_waits = read_waits,
	                           .wave_open = no_wave,
	                           .wave_close = wave_close};
	d->memory = (struct board_memory){.bytes = i->memory_bytes,
	                                  .self = d,
	                                  .place = place_memory,
	                                  .store = store_sectors,
	                                  .load = load_sectors,
	                                  .served = served_requests};
	the = d;
	m->api = &d->api;
	m->memory = i->memory_bytes ? &d->memory : NULL;
	return true;
}

void dut_print(const struct model *m, FILE *out)
{
	const struct link *l = &the->link;
	(void)m;
	fprintf(out,
	        "link        %s: %llu frames, %llu of them again, %llu bytes to the board, %llu back, %llu damaged "
	        "frames",
	        l->name, (unsigned long long)l->frames, (unsigned long long)l->repeats,
	        (unsigned long long)l->bytes_out, (unsigned long long)l->bytes_in, (unsigned long long)l->reader.bad);
	if (l->repeats)
		fprintf(out, ", %.0f ms a repeat", l->lost_ms / (double)l->repeats);
	fputc('\n', out);
}

struct link *dut_link(void)
{
	return &the->link;
}

void dut_close(struct model *m)
{
	if (!the)
		return;
	link_close(&the->link);
	board_sim_stop(&the->sim);
	free(the);
	the = NULL;
	m->api = NULL;
}
