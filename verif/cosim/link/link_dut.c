// SPDX-License-Identifier: Apache-2.0
/* link_dut.c -- a board runs by itself. The board keeps a snapshot of every cycle with an event, and each call of
 * `cycle` shows the next snapshot. So a cycle of the harness is a cycle of the board with something to say: nothing is
 * reordered, and only times between are lost. */
#include "link_state.h"

#include <assert.h>
#include <string.h>

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
			words[at + i] = (uint32_t)link_take(&b, 4);
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

/* Bits of a barrier's state, as in bar_status_o of docs/ports.md. */
static uint64_t bits(const uint8_t *p, unsigned low, unsigned n)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(p[(low + i) / 8] >> (low + i) % 8 & 1) << i;
	return v;
}

/* With anything but waits in the board, the board is ahead of the snapshots shown. The board's state compares only with
 * nothing but waits left. */
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
		return false; /* could stop the link, and so the answer to an older request waiting for memory */
	if (d->memory.bytes && d->lands)
		return false; /* data of a landing piece may then be stored to memory on the board */
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

/* Words of a lane other than 0, behind a map of these words. */
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
	return link_take(&b, 4);
}

/* ---- shim.h ---- */

/* The board's state in the last answer to any command. The board is asked again until idle. */
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
	if (d->at < d->nshots && !out->land_taken) /* a piece is taken before LAND */
		link_show(d, in, out);
	if (d->fetched && d->at == d->nshots)
		d->settles = false;
	out->settles = d->settles;
	out->clock = d->clock;
	/* endless waits of warps keep requests open, but not the core busy */
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
		wait[w].waiting = link_take(&b, 1) & 1;
		wait[w].unit = (uint8_t)link_take(&b, 1);
		wait[w].slot = (uint8_t)link_take(&b, 1);
		wait[w].id = (uint16_t)link_take(&b, 2);
		wait[w].tag = (uint32_t)link_take(&b, 3);
	}
}

static void *create(uint32_t seed)
{
	(void)seed;
	return link_open_dut;
}

static void destroy(void *model)
{
	(void)model; /* dut_close ends the board */
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

void link_dut_functions(struct dut *d)
{
	d->api.create = create;
	d->api.destroy = destroy;
	d->api.cycle = cycle;
	d->api.read_mem = read_mem;
	d->api.read_waits = read_waits;
	d->api.wave_open = no_wave;
	d->api.wave_close = wave_close;
	d->memory.self = d;
	d->memory.place = place_memory;
	d->memory.store = store_sectors;
	d->memory.load = load_sectors;
	d->memory.served = served_requests;
}
