// SPDX-License-Identifier: Apache-2.0
#include "window.h"

#include <string.h>

#include "../../../verif/cosim/link/link_state.h"
#include "core.h"
#include "warplock/units.h"

enum { FLIGHTS = 3, WARPS = WL_MAX_WARPS, SHARED = 4096, SILENCE = 50 };

static const struct entry {
	const char *text;
	struct wl_word word;
	bool compares; /* has a third operand */
	_Alignas(8) uint8_t inst[sizeof(struct wl_inst)];
} entries[] = {
#include "entries.inc"
};

static struct flight {
	bool busy;
	uint8_t entry, commits, beats;
	bool order; /* lanes of a pass were others than REF's */
	struct wl_req req;
	struct wl_record ref, dut;
	uint32_t passes[WL_WARP_LANES]; /* lanes of the DUT's COMMITs */
	union {
		struct wl_plan plan;
		uint64_t words[WL_PLAN_MAX / 8];
	};
} flight[FLIGHTS];

extern const struct wl_unit_ops wl_atoms_pipe_ops; /* alone: the table of all units would link all of them */
static struct wl_units units;
static _Alignas(16) uint8_t memory[SHARED];
static _Alignas(4) uint8_t out[CORE_PAYLOAD + 4], in[CORE_PAYLOAD + 8];
static struct dut dut;
static struct shim_out shown;
static const struct shim_in ready = {.rsp_ready = 1, .mem.req_ready = 1};
static uint32_t state;

static uint32_t draw(void)
{
	state ^= state << 13; /* Marsaglia's xorshift of 32 bits: the CPU has no others */
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static void add(uint32_t *hash, uint32_t word)
{
	*hash = (*hash ^ word) * 16777619u;
	*hash ^= *hash >> 15;
}

static uint32_t hash_record(const struct wl_record *r, const uint32_t *passes)
{
	uint32_t h = 2166136261u;
	add(&h, r->tag.warp << 16 | r->tag.n);
	add(&h, r->committed);
	add(&h, r->written);
	add(&h, r->preds);
	add(&h, r->faulted);
	add(&h, r->passes);
	for (unsigned i = 0; i < WL_WARP_LANES; i++) {
		add(&h, i < r->passes ? passes[i] : 0);
		add(&h, r->faulted >> i & 1 ? r->fault[i] : 0);
		for (unsigned w = 0; w < 4; w++)
			add(&h, r->written >> i & 1 ? r->result[i].w[w] : 0);
	}
	return h;
}

static bool info(void)
{
	struct link_info *i = &dut.link.info;
	const int n = core_command(LINK_IDENTIFY, NULL, 0, in);
	if (n < 21 || memcmp(in + 1, "WLNK", 4))
		return false;
	const uint8_t *p = in + 1;
	*i = (struct link_info){.lanes = p[5],
	                        .banks = p[6],
	                        .smem_bytes = 1u << p[7],
	                        .units = p[8] | p[9] << 8u,
	                        .arch = p[10],
	                        .warps = p[11],
	                        .events = 1u << p[12],
	                        .releases = p[18],
	                        .revision = p[13] | p[14] << 8u | p[15] << 16u | (uint32_t)p[16] << 24};
	dut.api.lanes = i->lanes;
	dut.api.banks = i->banks;
	dut.api.releases = i->releases;
	dut.api.units = i->units;
	return true;
}

void window_identify(void)
{
	const struct link_info *i = &dut.link.info;
	if (!info())
		line_say("no core");
	else
		line_say("warplock soc 1 lanes %u banks %u shared %u units %u arch %u revision %08lx", i->lanes,
		         i->banks, i->smem_bytes, i->units, i->arch, (unsigned long)i->revision);
}

static void open_window(uint32_t seed, uint32_t window)
{
	const struct wl_config c = {.arch = WL_SM90,
	                            .sms = 1,
	                            .ctas_per_sm = 1,
	                            .warps_per_sm = WARPS,
	                            .shared_bytes = SHARED,
	                            .lanes = dut.api.lanes,
	                            .banks = dut.api.banks,
	                            .ports = 1,
	                            .seed = seed};
	core_command(LINK_RESET, NULL, 0, in);
	dut.nopen = dut.cost = dut.at = dut.nshots = 0;
	dut.clock = 0;
	wl_smem_init(&units.smem, &c, memory);
	wl_smem_open(&units.smem, 0, 0, SHARED, seed, window);
	for (uint32_t at = 0; at < SHARED; at += 1024) {
		link_pack_write(out, &(struct link_write){.address = at, .words = 256});
		memcpy(out + LINK_WRITE_BYTES, memory + at, 1024);
		core_command(LINK_WRITE, out, LINK_WRITE_BYTES + 1024, in);
	}
	link_pack_window(out, &(struct link_window){.open = 1, .size = SHARED, .warps = WARPS, .lanes = WL_WARP_LANES});
	core_command(LINK_WINDOW, out, LINK_WINDOW_BYTES, in);
}

static void draw_request(struct flight *f, uint32_t n)
{
	struct wl_req *q = &f->req;
	const unsigned warp = n % WARPS;
	f->entry = (uint8_t)(draw() % (sizeof entries / sizeof *entries));
	q->tag = (struct wl_tag){.warp = warp, .n = n / WARPS};
	q->pc = n << 4;
	q->word = entries[f->entry].word;
	memcpy(&q->inst, entries[f->entry].inst, sizeof q->inst);
	q->posted = q->inst.uop == WL_UOP_STS;
	q->mask = draw() % 4 ? UINT32_MAX : draw() | 1u << draw() % 32;
	const uint32_t spread = draw() % 2 ? SHARED / 4 - 1 : 7, base = draw();
	const unsigned size = q->inst.size ? q->inst.size : 4;
	/* words of the operands that the instruction does not read are 0, but of one request in eight */
	const bool all = draw() % 8 == 0;
	const unsigned words = all ? 4 : (size + 3) / 4, more = all ? 4 : entries[f->entry].compares ? words : 0;
	memset(q->rb, 0, sizeof q->rb);
	memset(q->rc, 0, sizeof q->rc);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t r = draw(), at = (base + (r >> 16 & spread)) * 4;
		/* one lane in 64 is anywhere: out of range or misaligned */
		q->ra[l] =
		        r % 64 ? (at & (SHARED - 1)) & ~(uint32_t)(size - 1) : (at & (2 * SHARED - 1)) + (r >> 6) % 8;
		for (unsigned w = 0; w < words; w++)
			q->rb[l].w[w] = draw() >> (r >> (8 + 2 * w) & 3 ? 29 : 0);
		for (unsigned w = 0; w < more; w++)
			q->rc[l].w[w] = draw();
	}
	f->busy = true;
	f->commits = f->beats = 0;
	memset(&f->dut, 0, sizeof f->dut);
	f->dut.tag = q->tag;
	f->dut.mask = q->mask;
}

/* Words of a lane's operand that are not 0, halves of them from `to` on; their bits in the map. */
static uint16_t *put_words(uint16_t *to, const uint32_t *w, unsigned n, unsigned first, uint16_t *map)
{
	for (unsigned i = 0; i < n; i++) {
		if (!w[i])
			continue;
		*map |= (uint16_t)(1u << (first + i));
		*to++ = (uint16_t)w[i];
		*to++ = (uint16_t)(w[i] >> 16);
	}
	return to;
}

static void send_request(const struct wl_req *q)
{
	_Static_assert(LINK_REQUEST_BYTES % 2 == 0, "operands are packed by halves");
	uint16_t *to = (uint16_t *)(void *)(out + LINK_REQUEST_BYTES);
	link_pack_request(
	        out, &(struct link_request){.tag = q->tag.warp << 16 | q->tag.n, .arch = WL_SM90, .mask = q->mask});
	memcpy(out + LINK_REQUEST_WORD, &q->word.lo, 8);
	memcpy(out + LINK_REQUEST_WORD + 8, &q->word.hi, 8);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		uint16_t *const map = to;
		const uint32_t ra[2] = {(uint32_t)q->ra[l], (uint32_t)(q->ra[l] >> 32)};
		if (!(q->mask >> l & 1))
			continue;
		*map = 0;
		to = put_words(map + 1, ra, 2, 0, map);
		to = put_words(to, q->rb[l].w, 4, 2, map);
		to = put_words(to, q->rc[l].w, 4, 6, map);
	}
	core_command(LINK_REQUEST, out, (unsigned)((uint8_t *)to - out), in);
}

static struct flight *find(uint32_t tag)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy && (flight[i].req.tag.warp << 16 | flight[i].req.tag.n) == tag)
			return &flight[i];
	return NULL;
}

static void take_commits(const struct wl_unit_ops *ops)
{
	for (unsigned i = 0; i < shown.nevents; i++) {
		const struct shim_event *e = &shown.event[i];
		struct flight *f = find(e->tag);
		if (!f || e->kind != WL_EV_COMMIT)
			continue;
		if (f->commits < WL_WARP_LANES)
			f->passes[f->commits++] = e->lanes;
		f->dut.committed |= e->lanes;
		const struct wl_event ev = {.kind = WL_EV_COMMIT,
		                            .unit = WL_UNIT_atoms_pipe,
		                            .tag = f->req.tag,
		                            .lanes = e->lanes & f->plan.ok & ~f->ref.committed};
		if (ev.lanes)
			ops->apply(&units, &f->req, &f->plan, &ev, &f->ref);
	}
}

static struct flight *take_response(void)
{
	const struct shim_rsp *r = &shown.rsp[0];
	struct flight *f = shown.rsp_valid ? find(r->tag) : NULL;
	if (!f)
		return NULL;
	const unsigned lanes = dut.api.lanes, first = f->beats++ * lanes;
	for (unsigned l = 0; l < lanes && first + l < WL_WARP_LANES; l++) {
		if (r->any_fault && r->fault[l]) {
			f->dut.faulted |= 1u << (first + l);
			f->dut.fault[first + l] = r->fault[l];
		}
		memcpy(f->dut.result[first + l].w, r->data + l * 4, 16);
	}
	f->dut.written |= r->mask << first;
	f->dut.preds |= r->pred << first;
	f->dut.passes = r->passes;
	return r->last ? f : NULL;
}

static void differs(const char *name, uint32_t ref, uint32_t seen)
{
	line_say(" %c %-12s 0x%08lx 0x%08lx", ref == seen ? ' ' : '*', name, (unsigned long)ref, (unsigned long)seen);
}

static void show(const struct flight *f)
{
	const struct wl_record *r = &f->ref, *d = &f->dut;
	char name[24];
	line_say("MISMATCH    values: record of warp %lu, n=%lu", (unsigned long)f->req.tag.warp,
	         (unsigned long)f->req.tag.n);
	line_say("instruction %s", entries[f->entry].text);
	line_say("   %-12s %-10s %s", "", "REF", "DUT");
	differs("mask", r->mask, d->mask);
	differs("committed", r->committed, d->committed);
	differs("written", r->written, d->written);
	differs("predicates", r->preds, d->preds);
	differs("faulted", r->faulted, d->faulted);
	differs("passes", r->passes, d->passes);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		const uint32_t bit = 1u << l;
		snprintf(name, sizeof name, "fault[%u]", l);
		if ((r->faulted & d->faulted & bit) && r->fault[l] != d->fault[l])
			differs(name, r->fault[l], d->fault[l]);
	}
	for (unsigned i = 0; i < r->passes && i < d->passes; i++) {
		snprintf(name, sizeof name, "pass %u", i);
		if (f->plan.pass_lanes[i] != f->passes[i])
			differs(name, f->plan.pass_lanes[i], f->passes[i]);
	}
	for (unsigned l = 0; l < WL_WARP_LANES; l++)
		for (unsigned w = 0; w < 4; w++)
			if ((r->written & d->written) >> l & 1 && r->result[l].w[w] != d->result[l].w[w]) {
				snprintf(name, sizeof name, "result[%u].%u", l, w);
				differs(name, r->result[l].w[w], d->result[l].w[w]);
			}
}

static bool end(struct flight *f, const struct wl_unit_ops *ops, uint32_t hash[2], bool replay)
{
	ops->finish(&units, &f->req, &f->plan, &f->ref);
	if (ops->fill)
		ops->fill(&units, &f->req, &f->plan, &f->ref);
	const uint32_t ref = hash_record(&f->ref, f->plan.pass_lanes), seen = hash_record(&f->dut, f->passes);
	add(&hash[0], ref);
	add(&hash[1], seen);
	f->busy = false;
	if (!replay || ref == seen)
		return true;
	show(f);
	return false;
}

static bool some(void)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (flight[i].busy)
			return true;
	return false;
}

static bool poll(void)
{
	link_pack_poll(out, &(struct link_poll){.clocks = POLL_CLOCKS});
	const int n = core_command(LINK_POLL, out, LINK_POLL_BYTES, in);
	dut.at = 0;
	dut.nshots = n > 0 ? (unsigned)n - 1 : 0;
	memcpy(dut.shots, in + 1, dut.nshots);
	return dut.nshots > 0;
}

/* Whether shared memory is equal; adds both sides to the hashes. */
static void hash_memory(uint32_t hash[2])
{
	for (uint32_t at = 0; at < SHARED; at += 1024) {
		link_pack_read(out, &(struct link_read){.address = at, .words = 256});
		const int n = core_command(LINK_READ, out, LINK_READ_BYTES, in);
		for (unsigned i = 0; i < 256; i++) {
			uint32_t ref, seen = 0;
			memcpy(&ref, memory + at + i * 4, 4);
			if (n == 1025)
				memcpy(&seen, in + 1 + i * 4, 4);
			add(&hash[0], ref);
			add(&hash[1], seen);
		}
	}
}

static uint32_t clocks(void)
{
	return core_command(LINK_COUNTERS, NULL, 0, in) == 21
	               ? in[1] | in[2] << 8u | in[3] << 16u | (uint32_t)in[4] << 24
	               : 0;
}

/* The core keeps requests and says nothing: in a replay which. */
static void silent(bool replay, uint32_t done, uint32_t requests)
{
	line_say("silent: %lu of %lu records came", (unsigned long)done, (unsigned long)requests);
	for (unsigned i = 0; replay && i < FLIGHTS; i++)
		if (flight[i].busy)
			line_say("MISMATCH    silence: no record of warp %lu, n=%lu, %s, mask 0x%08lx, committed "
			         "0x%08lx",
			         (unsigned long)flight[i].req.tag.warp, (unsigned long)flight[i].req.tag.n,
			         entries[flight[i].entry].text, (unsigned long)flight[i].req.mask,
			         (unsigned long)flight[i].dut.committed);
}

void window_run(uint32_t seed, uint32_t window, uint32_t requests, bool replay)
{
	const struct wl_unit_ops *ops = &wl_atoms_pipe_ops;
	uint32_t hash[2] = {2166136261u, 2166136261u}, given = 0, done = 0, silence = 0;
	if (core_stuck)
		core_reset();
	if (!info()) {
		line_say("no core");
		return;
	}
	const uint32_t since = clocks(), commands = core_commands, bytes = core_bytes;
	state = ((seed * 0x9e3779b9u) ^ (window * 0x85ebca6bu)) * 0xc2b2ae35u | 1;
	memset(flight, 0, sizeof flight);
	open_window(seed, window);
	while (done < requests) {
		struct flight *free = NULL;
		for (unsigned i = 0; i < FLIGHTS && given < requests; i++)
			free = flight[i].busy ? free : &flight[i];
		if (free) {
			draw_request(free, given++);
			ops->plan(&units, &free->req, &free->plan, &free->ref);
			send_request(&free->req);
			if (!core_stuck)
				continue;
		}
		silence = !core_stuck && poll() ? 0 : silence + 1;
		if (core_stuck || (silence == SILENCE && some())) {
			silent(replay, done, requests);
			return;
		}
		while (dut.at < dut.nshots && !dut.gone[0]) {
			shown.nevents = shown.rsp_valid = 0; /* of the rest only what is shown is read */
			link_show(&dut, &ready, &shown);
			take_commits(ops);
			struct flight *f = take_response();
			done += f != NULL;
			if (f && !end(f, ops, hash, replay))
				return;
		}
	}
	hash_memory(hash);
	if (replay)
		line_say(hash[0] == hash[1] ? "records agree"
		                            : "MISMATCH    memory: all records agree, shared memory differs");
	else
		line_say("window %lu %lu %lu ref %08lx dut %08lx clocks %lu commands %lu bytes %lu",
		         (unsigned long)seed, (unsigned long)window, (unsigned long)requests, (unsigned long)hash[0],
		         (unsigned long)hash[1], (unsigned long)(clocks() - since),
		         (unsigned long)(core_commands - commands), (unsigned long)(core_bytes - bytes));
}
