// SPDX-License-Identifier: Apache-2.0
/* memory_agent.c -- global memory behind atom_unit's port. */
#include "memory_agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/stall.h"

enum { HALF = MEMORY_SECTOR / 2, STALL_CYCLES = 1024 /* of one pattern of back-pressure */, FEWEST_IDS = 16 };

/* A request without an answer so far. */
struct job {
	bool busy, write, cond, has_policy;
	uint64_t addr; /* of the sector */
	uint64_t policy;
	uint32_t mask; /* bytes to write */
	uint8_t data[MEMORY_SECTOR];
	uint64_t due;    /* first cycle for the answer */
	uint64_t number; /* in the order of arrival */
};

/* The sector read by an id. */
struct line {
	bool read, stale; /* stale: somebody has written since */
	bool done;        /* the id wrote the sector with success, and may go on or not */
	uint64_t addr;
};

struct memory_agent {
	struct memory_config config;
	uint8_t *image;            /* the DUT's, as gmem->mem */
	struct memory_agent *next; /* ring of the agents with the same image; alone: this agent */
	struct rng rng;
	struct stall stall;
	uint64_t cycle, numbers;
	struct job job[MEMORY_IDS];
	struct line line[MEMORY_IDS];
	unsigned ids;      /* of the DUT, by the ids seen so far: 16, or a larger power of two */
	unsigned owed;     /* requests without an answer */
	bool ready;        /* a request can be taken in this cycle */
	bool offered;      /* a request was offered in the last cycle and not taken: the request must stand */
	struct job stands; /* this request */
	unsigned stands_id;
	uint32_t answer[MEMORY_SECTOR / 4]; /* as shown to the DUT */
	unsigned answered;                  /* the id of the answer */
	char text[160];
	struct memory_stats stats;
};

struct memory_agent *memory_new(const struct memory_config *config)
{
	struct memory_agent *m = calloc(1, sizeof *m);
	uint8_t *image = config->beside ? config->beside->image : malloc(config->gmem->bytes + 1);
	if (!m || !image) {
		free(m);
		if (!config->beside)
			free(image);
		return NULL;
	}
	m->config = *config;
	m->image = image;
	m->ids = FEWEST_IDS;
	m->next = m;
	if (config->beside) {
		m->next = config->beside->next;
		config->beside->next = m;
	} else {
		memcpy(image, config->gmem->mem, config->gmem->bytes);
	}
	m->rng = rng_seed(config->seed, 400);
	m->stall.rng = rng_seed(config->seed, 401);
	return m;
}

void memory_free(struct memory_agent *m)
{
	if (!m)
		return;
	struct memory_agent *before = m;
	while (before->next != m)
		before = before->next;
	before->next = m->next;
	if (before == m)
		free(m->image);
	free(m);
}

/* ---- the image ---- */

/* Place of half a sector in the image; NULL: the half does not exist. Buffers consist of whole halves. */
static uint8_t *half_at(const struct memory_agent *m, uint64_t addr)
{
	const uint8_t *p = wl_gmem_at(m->config.gmem, addr, HALF);
	return p ? m->image + (p - m->config.gmem->mem) : NULL;
}

unsigned memory_sector(const struct memory_agent *m, uint64_t addr, uint8_t sector[MEMORY_SECTOR])
{
	unsigned halves = 0;
	memset(sector, 0, MEMORY_SECTOR);
	for (unsigned h = 0; h < 2; h++) {
		const uint8_t *p = half_at(m, addr + h * HALF);
		if (!p)
			continue;
		memcpy(sector + h * HALF, p, HALF);
		halves |= 1u << h;
	}
	return halves;
}

void memory_put(struct memory_agent *m, uint64_t addr, const uint8_t sector[MEMORY_SECTOR])
{
	for (unsigned h = 0; h < 2; h++) {
		uint8_t *p = half_at(m, addr + h * HALF);
		if (p)
			memcpy(p, sector + h * HALF, HALF);
	}
}

void memory_bytes(const struct memory_agent *m, uint64_t addr, unsigned size, uint8_t *to)
{
	const uint8_t *p = wl_gmem_at(m->config.gmem, addr, size);
	memset(to, 0, size);
	if (p)
		memcpy(to, m->image + (p - m->config.gmem->mem), size);
}

/* All readers of the sector, except the writer, now have an old sector. */
static void written(struct memory_agent *m, uint64_t addr, unsigned by)
{
	struct memory_agent *a = m;
	do {
		for (unsigned id = 0; id < a->ids; id++)
			if (!(a == m && id == by) && a->line[id].read && a->line[id].addr == addr)
				a->line[id].stale = true;
		a = a->next;
	} while (a != m);
}

static void write_sector(struct memory_agent *m, unsigned id, const struct job *j)
{
	for (unsigned i = 0; i < MEMORY_SECTOR; i++) {
		uint8_t *half = j->mask >> i & 1 ? half_at(m, j->addr + (i & HALF)) : NULL;
		if (half)
			half[i % HALF] = j->data[i];
	}
	if (j->mask)
		written(m, j->addr, id);
}

/* Sectors by address: a buffer begins at a sector, in memory as in addresses. */
static void store_at(struct memory_agent *m, const struct wl_buf *b, uint64_t at, unsigned size)
{
	const uint64_t first = b->addr + (at - b->at), last = first + size - 1;
	for (uint64_t s = first & ~(uint64_t)(MEMORY_SECTOR - 1); s <= last; s += MEMORY_SECTOR)
		written(m, s, MEMORY_IDS);
}

void memory_store(struct memory_agent *m, uint64_t at, unsigned size)
{
	const struct wl_gmem *g = m->config.gmem;
	memcpy(m->image + at, g->mem + at, size);
	m->stats.foreign++;
	for (unsigned i = 0; i < g->nbuf; i++)
		if (at >= g->buf[i].at && at - g->buf[i].at < g->buf[i].room)
			store_at(m, &g->buf[i], at, size);
}

bool memory_differs(const struct memory_agent *m, uint64_t *addr, uint8_t *dut, uint8_t *ref)
{
	const struct wl_gmem *g = m->config.gmem;
	for (unsigned i = 0; i < g->nbuf; i++) {
		const struct wl_buf *b = &g->buf[i];
		if (memcmp(m->image + b->at, g->mem + b->at, b->room) == 0)
			continue;
		uint64_t k = 0;
		while (m->image[b->at + k] == g->mem[b->at + k])
			k++;
		*addr = b->addr + k;
		*dut = m->image[b->at + k];
		*ref = g->mem[b->at + k];
		return true;
	}
	return false;
}

/* ---- others ---- */

/* A sector read by some id, one time in four by an id that may be done with it; NULL: not read by any drawn id. One id
 * in 16 is drawn, so a DUT with few ids is left alone for long. */
static const struct line *some_line(struct memory_agent *m)
{
	const bool done = rng_one_in(&m->rng, 4);
	for (unsigned id = rng_below(&m->rng, FEWEST_IDS); id < m->ids; id += FEWEST_IDS)
		if (m->line[id].read && (done || !m->line[id].done))
			return &m->line[id];
	return NULL;
}

/* Writes a word of a sector that some id has read and may still want to write: in REF's memory and in the image. */
static void intrude(struct memory_agent *m)
{
	const struct line *l = some_line(m);
	if (!l)
		return;
	uint8_t *p = wl_gmem_at(m->config.gmem, l->addr + 4 * rng_below(&m->rng, MEMORY_SECTOR / 4), 4);
	const uint32_t v = rng_one_in(&m->rng, 2) ? rng_below(&m->rng, 4) : rng_u32(&m->rng);
	if (!p)
		return;
	memcpy(p, &v, sizeof v);
	memory_store(m, (uint64_t)(p - m->config.gmem->mem), sizeof v);
}

/* Both images stay unchanged; readers of the sector must try again. */
static void rewrite(struct memory_agent *m)
{
	const struct line *l = some_line(m);
	if (!l)
		return;
	written(m, l->addr, MEMORY_IDS);
	m->stats.foreign++;
}

/* ---- answers ---- */

/* Whether the write takes place. */
static bool judge(struct memory_agent *m, unsigned id)
{
	const struct job *j = &m->job[id];
	const struct line *l = &m->line[id];
	return !j->cond || (l->read && l->addr == j->addr && !l->stale);
}

static void answer(struct memory_agent *m, unsigned id, struct shim_in *in)
{
	struct job *j = &m->job[id];
	uint8_t sector[MEMORY_SECTOR];
	const bool ok = !j->write || judge(m, id);
	for (unsigned i = 0; i < m->ids; i++)
		m->stats.overtaken += m->job[i].busy && m->job[i].number < j->number;
	if (j->write && ok)
		write_sector(m, id, j);
	const unsigned halves = memory_sector(m, j->addr, sector);
	/* Whoever wrote conditionally knows the sector: told by a failure, by the own bytes otherwise. */
	const bool done = j->write && ok;
	m->line[id] = (struct line){.read = !done || (j->cond && m->config.keeps), .done = done, .addr = j->addr};
	m->stats.retries += !ok;
	m->stats.absent += halves != 3;
	if (j->write && ok) /* nobody may rely on data returned with a successful write */
		for (unsigned i = 0; i < MEMORY_SECTOR; i++)
			sector[i] = (uint8_t)rng_u32(&m->rng);
	memcpy(m->answer, sector, sizeof m->answer);
	m->answered = id;
	in->mem.rsp_valid = 1;
	in->mem.rsp_id = (uint8_t)id;
	in->mem.rsp_ok = ok;
	in->mem.rsp_halves = (uint8_t)halves;
	in->mem.rsp_data = m->answer;
	j->busy = false;
	m->owed--;
}

bool memory_policy(const struct memory_agent *m, uint64_t *policy)
{
	*policy = m->job[m->answered].policy;
	return m->job[m->answered].has_policy;
}

/* Any due request. */
static unsigned choose(struct memory_agent *m)
{
	unsigned due[MEMORY_IDS], n = 0;
	for (unsigned id = 0; m->owed && id < m->ids; id++)
		if (m->job[id].busy && m->job[id].due <= m->cycle)
			due[n++] = id;
	return n ? due[rng_below(&m->rng, n)] : MEMORY_IDS;
}

void memory_drive(struct memory_agent *m, struct shim_in *in)
{
	if (m->config.intrude && rng_one_in(&m->rng, m->config.intrude))
		intrude(m);
	if (m->config.rewrite && rng_one_in(&m->rng, m->config.rewrite))
		rewrite(m);
	if (m->config.stall && m->cycle % STALL_CYCLES == 0)
		m->stall.kind = (enum stall_kind)(m->cycle / STALL_CYCLES % STALL_KINDS);
	m->ready = !(m->config.stall && stall_now(&m->stall));
	in->mem.req_ready = m->ready;
	in->mem.rsp_valid = 0;
	const unsigned id = choose(m);
	if (id < MEMORY_IDS)
		answer(m, id, in);
	m->cycle++;
}

/* ---- requests ---- */

/* If not fixed: one request in four is quick; the rest takes anything up to the limit. */
static uint64_t latency(struct memory_agent *m)
{
	if (m->config.fixed)
		return m->config.latency;
	const unsigned most = rng_one_in(&m->rng, 4) ? 2 : m->config.latency;
	return most ? rng_below(&m->rng, most + 1) : 0;
}

static const char *wrong(struct memory_agent *m, const char *fmt, unsigned id, uint64_t addr)
{
	snprintf(m->text, sizeof m->text, fmt, id, (unsigned long long)addr);
	return m->text;
}

static const char *judge_request(struct memory_agent *m, unsigned id, const struct job *j)
{
	const struct line *l = &m->line[id];
	if (m->job[id].busy)
		return wrong(m, "memory: id %u asks for the sector at 0x%llx, and has no answer to its last request",
		             id, j->addr);
	for (unsigned i = 0; i < m->ids; i++)
		if (i != id && m->job[i].busy && m->job[i].addr == j->addr)
			return wrong(m, "memory: id %u asks for the sector at 0x%llx, which another id is at", id,
			             j->addr);
	if (j->write && j->cond && !(l->read && l->addr == j->addr))
		return wrong(m, "memory: id %u writes the sector at 0x%llx conditionally, and has not read it", id,
		             j->addr);
	if (j->write && !j->cond && !j->mask)
		return wrong(m, "memory: id %u writes nothing to the sector at 0x%llx", id, j->addr);
	for (unsigned h = 0; h < 2; h++)
		if (j->write && j->cond && j->mask >> h * HALF & 0xffff && !half_at(m, j->addr + h * HALF))
			return wrong(m, "memory: id %u writes a half of the sector at 0x%llx that is not there", id,
			             j->addr);
	return NULL;
}

static bool same(const struct job *a, const struct job *b)
{
	if (a->write != b->write || a->addr != b->addr || a->has_policy != b->has_policy || a->policy != b->policy)
		return false; /* the rest of a read means nothing */
	return !a->write || (a->cond == b->cond && a->mask == b->mask && memcmp(a->data, b->data, sizeof a->data) == 0);
}

static void count(struct memory_agent *m, const struct job *j)
{
	struct memory_stats *s = &m->stats;
	*(!j->write ? &s->reads : !j->cond ? &s->stores : j->mask ? &s->conditional : &s->asked) += 1;
	const unsigned n = memory_owes(m);
	s->most = n > s->most ? n : s->most;
}

const char *memory_take(struct memory_agent *m, const struct shim_out *out)
{
	const unsigned id = out->mem.id % MEMORY_IDS;
	struct job j = {.busy = true,
	                .write = out->mem.write,
	                .cond = out->mem.cond,
	                .addr = out->mem.addr,
	                .mask = out->mem.mask,
	                .has_policy = out->mem.has_policy,
	                .policy = out->mem.policy};
	if (out->mem.valid)
		memcpy(j.data, out->mem.data, sizeof j.data);
	if (m->offered && (!out->mem.valid || id != m->stands_id || !same(&j, &m->stands)))
		return wrong(m, "memory: the request of id %u at 0x%llx changed before it was taken", m->stands_id,
		             m->stands.addr);
	m->offered = out->mem.valid && !m->ready;
	m->stands = j;
	m->stands_id = id;
	m->stats.held += m->offered;
	if (!out->mem.valid || !m->ready)
		return NULL;
	while (id >= m->ids)
		m->ids *= 2;
	const char *text = judge_request(m, id, &j);
	m->owed += !m->job[id].busy;
	j.due = m->cycle + latency(m);
	j.number = m->numbers++;
	m->job[id] = j;
	if (!j.write)
		m->line[id].read = false;
	for (unsigned i = 0; i < m->ids; i++) /* an id goes on at once, or not at all */
		if (i != id && m->line[i].done && m->line[i].addr == j.addr)
			m->line[i].read = false;
	m->line[id].done = false;
	count(m, &j);
	return text;
}

unsigned memory_owes(const struct memory_agent *m)
{
	return m->owed;
}

const struct memory_stats *memory_statistics(const struct memory_agent *m)
{
	return &m->stats;
}
