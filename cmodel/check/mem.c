// SPDX-License-Identifier: Apache-2.0
/* mem.c -- --check=mem: each access lies in one allocation: a buffer, a block of malloc, a variable of the module, a
 * variable in shared memory or the dynamic part, the frame of a thread. */
#include <stdlib.h>

#include "checker_state.h"

struct block {
	uint64_t at, bytes;
	bool freed;
};
struct mem {
	struct wl_checker c;
	struct block *block; /* of malloc, in the order of malloc */
	unsigned nblocks, room;
	uint64_t first_shared, end_of_shared; /* of the static variables; equal: the object names no variable */
	uint64_t first_global;
	bool narrow; /* the code has compare-and-swaps of words: perhaps narrow atomics */
};

static void found(struct mem *m, const struct wl_seen *e, unsigned lane, enum wl_check_reason reason)
{
	struct wl_check_finding f = {.reason = reason, .here = check_site(e, 1u << lane, check_deed(e))};
	check_place(e, lane, e->size, &f);
	checker_found(&m->c, &f);
}

static bool covers_shared(const struct wl_program *p, uint64_t addr, uint32_t size)
{
	for (uint32_t i = 0; i < p->nshared; i++)
		if (addr + size > p->shared[i].at && addr < (uint64_t)p->shared[i].at + p->shared[i].size)
			return true;
	return false;
}

/* Accesses touch words around narrow values. At least one byte must be of a variable. */
static void shared(struct mem *m, const struct wl_seen *e, unsigned lane)
{
	const struct wl_program *p = m->c.shape.program;
	const uint64_t addr = e->addr[lane];
	if (addr < m->first_shared || addr >= m->end_of_shared || covers_shared(p, addr, e->size))
		return;
	found(m, e, lane, WL_CHECK_SHARED_BETWEEN);
}

static bool covers_module(const struct wl_program *p, uint64_t addr, uint32_t size)
{
	for (uint32_t i = 0; i < p->nglobals; i++)
		if (addr + size > p->globals[i].at && addr < p->globals[i].at + p->globals[i].size)
			return true;
	return false;
}

/* The newest block with this byte. */
static const struct block *block_of(const struct mem *m, uint64_t at)
{
	for (unsigned i = m->nblocks; i-- > 0;)
		if (at - m->block[i].at < m->block[i].bytes)
			return &m->block[i];
	return NULL;
}

static void heap(struct mem *m, const struct wl_seen *e, unsigned lane)
{
	const struct block *b = block_of(m, e->at[lane]), *end = block_of(m, e->at[lane] + e->size - 1);
	if (!b || !end)
		found(m, e, lane, WL_CHECK_HEAP_BEYOND);
	else if (b->freed)
		found(m, e, lane, WL_CHECK_HEAP_FREED);
}

static void global(struct mem *m, const struct wl_seen *e, unsigned lane)
{
	const struct wl_program *p = m->c.shape.program;
	const uint64_t addr = e->addr[lane];
	const struct wl_buf *b = wl_gmem_find(m->c.shape.gmem, addr);
	const bool word = e->size == 4 && addr % 4 == 0;
	if (!b)
		return;
	if (m->c.shape.heap_bytes && addr - m->c.shape.heap < m->c.shape.heap_bytes) {
		heap(m, e, lane);
	} else if (b->addr == WL_MODULE_BASE) {
		if (p->nglobals && addr >= m->first_global && !covers_module(p, addr, e->size))
			found(m, e, lane, WL_CHECK_GLOBAL_BETWEEN);
	} else if (addr + e->size > b->addr + b->size && !(word && m->narrow && addr < b->addr + b->size)) {
		found(m, e, lane, WL_CHECK_GLOBAL_PAST_END);
	}
}

static void access(struct mem *m, const struct wl_seen *e)
{
	for (uint32_t l = e->lanes; l; l &= l - 1) {
		const unsigned lane = check_lowest(l);
		if (e->shared >> lane & 1)
			shared(m, e, lane);
		else
			global(m, e, lane);
	}
}

static void fresh(struct mem *m, const struct wl_seen *e)
{
	if (m->nblocks == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->block = realloc(m->block, m->room * sizeof *m->block);
		if (!m->block)
			abort();
	}
	m->block[m->nblocks++] = (struct block){e->at[0], e->bytes, false};
}

static void freed(struct mem *m, const struct wl_seen *e)
{
	for (unsigned i = m->nblocks; i-- > 0;)
		if (m->block[i].at == e->at[0]) {
			m->block[i].freed = true;
			return;
		}
}

static void fault(struct mem *m, const struct wl_seen *e)
{
	static const struct {
		enum wl_fault fault;
		enum wl_check_reason reason;
		enum wl_check_space space;
	} rows[] = {
	        {WL_FAULT_GLOBAL_OUT_OF_RANGE, WL_CHECK_GLOBAL_BEYOND, WL_CHECK_GLOBAL},
	        {WL_FAULT_SHARED_OUT_OF_RANGE, WL_CHECK_SHARED_BEYOND, WL_CHECK_SHARED},
	        {WL_FAULT_LOCAL_OUT_OF_RANGE, WL_CHECK_LOCAL_BEYOND, WL_CHECK_LOCAL},
	        {WL_FAULT_BAD_FREE, WL_CHECK_HEAP_BAD_FREE, WL_CHECK_GLOBAL},
	        {WL_FAULT_MISALIGNED_ADDRESS, WL_CHECK_MISALIGNED, WL_CHECK_NOWHERE},
	};
	const bool is_shared = e->inst && wl_inst_traits(e->inst) & WL_TRAIT(SHARED);
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wl_check_finding f = {.reason = rows[i].reason, .here = check_site(e, e->lanes, "access")};
		if (rows[i].fault != (enum wl_fault)e->id)
			continue;
		f.space = rows[i].space ? rows[i].space : is_shared ? WL_CHECK_SHARED : WL_CHECK_GLOBAL;
		f.owner = e->cta;
		f.addr = e->addr[0];
		f.bytes = e->inst ? e->inst->size : 0;
		checker_found(&m->c, &f);
	}
}

static void event(void *self, const struct wl_seen *e)
{
	struct mem *m = self;
	switch (e->kind) {
	case WL_SEEN_ACCESS:
		access(m, e);
		break;
	case WL_SEEN_FRESH:
		fresh(m, e);
		break;
	case WL_SEEN_FREED:
		freed(m, e);
		break;
	case WL_SEEN_FAULT:
		fault(m, e);
		break;
	default:
		break;
	}
}

static void close_mem(struct wl_checker *c)
{
	free(((struct mem *)c)->block);
}

static bool has_cas(const struct wl_program *p)
{
	for (uint32_t i = 0; i < p->ninst; i++)
		if ((p->insts[i].uop == WL_UOP_ATOMG_CAS || p->insts[i].uop == WL_UOP_ATOM_CAS) &&
		    p->insts[i].size == 4)
			return true;
	return false;
}

struct wl_checker *wl_mem_create(const struct wl_seen_shape *shape)
{
	struct mem *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	checker_open(&m->c, "mem", shape, event, close_mem);
	m->narrow = has_cas(shape->program);
	m->first_shared = m->first_global = UINT64_MAX;
	for (uint32_t i = 0; i < shape->program->nshared; i++) {
		const struct wl_shared_var *v = &shape->program->shared[i];
		m->first_shared = v->at < m->first_shared ? v->at : m->first_shared;
		m->end_of_shared = v->at + v->size > m->end_of_shared ? v->at + v->size : m->end_of_shared;
	}
	for (uint32_t i = 0; i < shape->program->nglobals; i++)
		if (shape->program->globals[i].at < m->first_global)
			m->first_global = shape->program->globals[i].at;
	return &m->c;
}
