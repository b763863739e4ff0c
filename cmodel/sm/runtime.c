// SPDX-License-Identifier: Apache-2.0
/* runtime.c -- functions of the driver for kernels: malloc, free, vprintf, __assertfail, bulk copies.
 *
 * Kernels call these functions by the ABI: arguments from R4 on, 64-bit arguments in pairs, the result in R4 (R5), the
 * return address in R20:R21. A whole call happens in a single instruction, lowest lane first. */
#include <ctype.h>
#include <stdio.h>

#include "exec.h"
#include "exec_calls.h"
#include "groups.h"
#include "stop.h"
#include "observe.h"

enum {
	ARGS = 4,
	WAY_BACK = 20,
	LEAST_ROWS = WAY_BACK + 2,
	MOST_TEXT = 4096, /* characters of a call of printf, at most */
	HEADER = 16,      /* of a block of the heap: bytes, state */
};
#define BLOCK_USED UINT64_C(0x6b636f6c42646573)
#define BLOCK_FREE UINT64_C(0x6b636f6c42656572)

static uint64_t pair(const struct exec *x, unsigned lane, unsigned reg)
{
	return x->r[reg][lane] | (uint64_t)x->r[reg + 1][lane] << 32;
}

static void set_pair(struct exec *x, unsigned lane, unsigned reg, uint64_t v)
{
	x->r[reg][lane] = (uint32_t)v;
	x->r[reg + 1][lane] = (uint32_t)(v >> 32);
}

/* Bytes at a generic address of a lane; false: no memory at the address. */
static bool read_bytes(const struct exec *x, unsigned lane, uint64_t at, void *to, uint32_t size)
{
	const uint8_t *p = NULL;
	uint32_t low = (uint32_t)at;
	if (wl_space_of(at) == WL_SPACE_LOCAL)
		p = (uint64_t)low + size <= x->gpu->local_bytes
		            ? gpu_local(x->gpu, x->sm_index, x->warp_index, lane) + low
		            : NULL;
	else if (wl_space_of(at) == WL_SPACE_GLOBAL)
		p = wl_gmem_at(x->gpu->gmem, at, size);
	if (p)
		memcpy(to, p, size);
	return p != NULL;
}

static bool read_text(const struct exec *x, unsigned lane, uint64_t at, char *to, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (!read_bytes(x, lane, at + i, to + i, 1))
			return false;
		if (!to[i])
			return true;
	}
	to[n - 1] = 0;
	return true;
}

/* Each lane goes back behind the call. */
static enum flow go_back(struct exec *x, uint32_t lanes)
{
	while (lanes) {
		uint64_t to = pair(x, lowest(lanes), WAY_BACK);
		uint32_t same = 0;
		for (uint32_t m = lanes; m; m &= m - 1)
			same |= (uint32_t)(pair(x, lowest(m), WAY_BACK) == to) << lowest(m);
		groups_split(x, same, to % 16 || to / 16 > 0x0fffffff ? 0x0fffffff : (uint32_t)(to / 16));
		lanes &= ~same;
	}
	return FLOW_SWITCH;
}

/* --- the heap: consecutive blocks, each with a header ----------------------------------------------------------- */

static uint8_t *heap_at(const struct wl_gpu *g, uint64_t offset)
{
	return wl_gmem_at(g->gmem, g->heap + offset, HEADER);
}
static uint64_t block_bytes(const uint8_t *block)
{
	uint64_t v;
	memcpy(&v, block, sizeof v);
	return v;
}
static uint64_t block_state(const uint8_t *block)
{
	return block_bytes(block + 8);
}
static void set_block(const struct wl_gpu *g, uint8_t *block, uint64_t bytes, uint64_t state)
{
	memcpy(block, &bytes, sizeof bytes);
	memcpy(block + 8, &state, sizeof state);
	observe_store(g, block, HEADER);
}

static uint64_t behind(const uint8_t *block, uint64_t offset)
{
	return offset + HEADER + block_bytes(block);
}

/* A free block takes the free blocks behind. */
static void merge(const struct wl_gpu *g, uint8_t *block, uint64_t offset)
{
	while (behind(block, offset) < g->heap_bytes) {
		const uint8_t *next = heap_at(g, behind(block, offset));
		if (block_state(next) != BLOCK_FREE)
			return;
		set_block(g, block, block_bytes(block) + HEADER + block_bytes(next), BLOCK_FREE);
	}
}

/* The first free block with enough bytes; 0: no block. */
static uint64_t allocate(struct wl_gpu *g, uint64_t bytes)
{
	uint64_t offset = 0;
	if (!bytes || bytes > g->heap_bytes)
		return 0;
	bytes = (bytes + 15) & ~UINT64_C(15);
	if (!block_state(heap_at(g, 0)))
		set_block(g, heap_at(g, 0), g->heap_bytes - HEADER, BLOCK_FREE);
	while (offset < g->heap_bytes) {
		uint8_t *block = heap_at(g, offset);
		if (block_state(block) != BLOCK_FREE && block_state(block) != BLOCK_USED)
			return 0; /* the program wrote over the header */
		if (block_state(block) == BLOCK_FREE)
			merge(g, block, offset);
		uint64_t has = block_bytes(block);
		if (block_state(block) == BLOCK_FREE && has >= bytes) {
			bool rest = has - bytes > HEADER;
			set_block(g, block, rest ? bytes : has, BLOCK_USED);
			if (rest)
				set_block(g, heap_at(g, behind(block, offset)), has - bytes - HEADER, BLOCK_FREE);
			return g->heap + offset + HEADER;
		}
		offset = behind(block, offset);
	}
	return 0;
}

/* False: no block given by malloc starts at the address. */
static bool release(const struct wl_gpu *g, uint64_t address)
{
	for (uint64_t offset = 0; g->heap_bytes && block_state(heap_at(g, 0)) && offset < g->heap_bytes;) {
		uint8_t *block = heap_at(g, offset);
		if (g->heap + offset + HEADER == address && block_state(block) == BLOCK_USED) {
			set_block(g, block, block_bytes(block), BLOCK_FREE);
			return true;
		}
		if (block_state(block) != BLOCK_FREE && block_state(block) != BLOCK_USED)
			return false;
		offset = behind(block, offset);
	}
	return false;
}

static void give(struct exec *x, unsigned lane, uint64_t bytes)
{
	const uint64_t at = allocate(x->gpu, bytes);
	set_pair(x, lane, ARGS, at);
	if (x->gpu->observer && at)
		observe_fresh(x, at, (uint32_t)bytes);
}

static enum flow call_malloc(struct exec *x)
{
	for (uint32_t m = x->mask; m; m &= m - 1)
		give(x, lowest(m), pair(x, lowest(m), ARGS));
	observe_change(x->gpu, true);
	return go_back(x, x->mask);
}

static enum flow call_free(struct exec *x)
{
	for (uint32_t m = x->mask; m; m &= m - 1) {
		uint64_t address = pair(x, lowest(m), ARGS);
		if (address && !release(x->gpu, address))
			return stop_fault(x, WL_FAULT_BAD_FREE, 1u << lowest(m), true, address);
		if (x->gpu->observer && address)
			observe_freed(x, address);
	}
	observe_change(x->gpu, true);
	return go_back(x, x->mask);
}

/* ---- printf ---- */

struct printing {
	const struct exec *x;
	unsigned lane;
	uint64_t args; /* generic address of the next argument */
	unsigned count;
	char out[MOST_TEXT];
	size_t len;
};

/* The next argument, of 4 or 8 bytes, at a multiple of the size. */
static uint64_t next_arg(struct printing *p, unsigned size, bool *ok)
{
	uint64_t v = 0;
	p->args = (p->args + size - 1) & ~(uint64_t)(size - 1);
	*ok = *ok && read_bytes(p->x, p->lane, p->args, &v, size);
	p->args += size;
	p->count++;
	return v;
}

static void append(struct printing *p, const char *text, size_t n)
{
	n = n < sizeof p->out - p->len ? n : sizeof p->out - p->len;
	memcpy(p->out + p->len, text, n);
	p->len += n;
}

/* A conversion as in the format, without the length. */
struct conversion {
	char spec[48]; /* "%-08.3" */
	size_t len;
	unsigned bytes; /* of an integer */
	char kind;
};

/* Reads the text behind the %; a `*` becomes the argument's number. NULL: no conversion. */
static const char *read_conversion(struct printing *p, const char *f, struct conversion *c, bool *ok)
{
	*c = (struct conversion){"%", 1, 4, 0};
	while (*f && strchr("-+ #0123456789.*", *f) && c->len < 24) {
		if (*f == '*')
			c->len += (size_t)snprintf(c->spec + c->len, 16, "%d", (int)next_arg(p, 4, ok));
		else
			c->spec[c->len++] = *f;
		f++;
	}
	for (; *f && strchr("hlLqjzt", *f); f++)
		c->bytes = *f == 'h' ? c->bytes / 2 : 8;
	c->kind = *f;
	return *f && strchr("diouxXcsfFeEgGaAp", *f) ? f + 1 : NULL;
}

static void print_conversion(struct printing *p, struct conversion *c, bool *ok)
{
	char text[MOST_TEXT], s[MOST_TEXT];
	int n = 0;
	if (strchr("fFeEgGaA", c->kind)) {
		uint64_t bits = next_arg(p, 8, ok);
		double d;
		memcpy(&d, &bits, sizeof d);
		c->spec[c->len++] = c->kind;
		n = snprintf(text, sizeof text, c->spec, d);
	} else if (c->kind == 's') {
		uint64_t at = next_arg(p, 8, ok);
		*ok = *ok && read_text(p->x, p->lane, at, s, sizeof s);
		c->spec[c->len++] = 's';
		n = *ok ? snprintf(text, sizeof text, c->spec, s) : 0;
	} else if (c->kind == 'p') {
		snprintf(c->spec + c->len, 8, "p");
		n = snprintf(text, sizeof text, c->spec, (void *)(uintptr_t)next_arg(p, 8, ok));
	} else if (c->kind == 'c') {
		c->spec[c->len++] = 'c';
		n = snprintf(text, sizeof text, c->spec, (int)next_arg(p, 4, ok));
	} else {
		uint64_t v = next_arg(p, c->bytes == 8 ? 8 : 4, ok);
		unsigned spare = 64 - 8 * c->bytes;
		bool sgn = c->kind == 'd' || c->kind == 'i';
		v = sgn ? (uint64_t)((int64_t)(v << spare) >> spare) : v << spare >> spare;
		snprintf(c->spec + c->len, 8, "ll%c", c->kind);
		n = snprintf(text, sizeof text, c->spec, v);
	}
	append(p, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static bool format(struct printing *p, const char *f)
{
	bool ok = true;
	while (*f && ok) {
		struct conversion c;
		const char *end = strchr(f, '%');
		append(p, f, end ? (size_t)(end - f) : strlen(f));
		if (!end)
			break;
		f = end + 1;
		if (*f == '%') {
			append(p, f++, 1);
			continue;
		}
		const char *rest = read_conversion(p, f, &c, &ok);
		if (!rest) { /* text without a conversion is printed unchanged */
			append(p, end, 1);
			continue;
		}
		print_conversion(p, &c, &ok);
		f = rest;
	}
	return ok;
}

static enum flow call_vprintf(struct exec *x)
{
	for (uint32_t m = x->mask; m; m &= m - 1) {
		struct printing p = {.x = x, .lane = lowest(m), .args = pair(x, lowest(m), ARGS + 2)};
		char text[MOST_TEXT];
		if (!read_text(x, p.lane, pair(x, p.lane, ARGS), text, sizeof text) || !format(&p, text))
			return stop_error(x, "printf: its format, an argument or a text of %s lies outside of memory");
		if (x->gpu->print)
			x->gpu->print(x->gpu->print_self, p.out, p.len);
		x->r[ARGS][p.lane] = p.count;
	}
	observe_change(x->gpu, true);
	return go_back(x, x->mask);
}

/* ---- assert ---- */

static enum flow call_assertfail(struct exec *x)
{
	unsigned lane = lowest(x->mask);
	uint32_t thread = x->w->thread0 + lane, *block = x->gpu->block;
	const uint32_t *id = x->sm->cta[x->w->slot].id;
	char what[120] = "?", file[120] = "?", function[80] = "?";
	read_text(x, lane, pair(x, lane, ARGS), what, sizeof what);
	read_text(x, lane, pair(x, lane, ARGS + 2), file, sizeof file);
	read_text(x, lane, pair(x, lane, ARGS + 6), function, sizeof function);
	snprintf(x->gpu->trouble.text, sizeof x->gpu->trouble.text,
	         "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed", file, x->r[ARGS + 4][lane],
	         function, id[0], id[1], id[2], thread % block[0], thread / block[0] % block[1],
	         thread / block[0] / block[1], what);
	return stop_fault(x, WL_FAULT_ASSERT, x->mask, false, 0);
}

/* --- bulk copies to another CTA of the cluster, on sm_120 -------------------------------------------------------- */

/* Arguments: target, source, bytes, ranks of the CTAs (multicast), mbarrier. */
static enum flow bulk_by_lane(struct exec *x, bool multicast)
{
	const uint32_t mask = x->mask;
	enum flow flow = FLOW_NEXT;
	for (uint32_t m = mask; m && flow == FLOW_NEXT; m &= m - 1) {
		const unsigned lane = lowest(m);
		const struct bulk_in b = {.bytes = x->r[ARGS + 4][lane],
		                          .to = x->r[ARGS][lane],
		                          .mbarrier = x->r[ARGS + 6][lane],
		                          .from = pair(x, lane, ARGS + 2)};
		const uint32_t ranks = multicast ? x->r[ARGS + 5][lane] & 0xffff : 0;
		x->mask = 1u << lane;
		if (!multicast || ranks)
			flow = bulk_called(x, &b, ranks);
	}
	x->mask = mask;
	return flow == FLOW_NEXT ? go_back(x, mask) : flow;
}

static enum flow call_bulk_unicast(struct exec *x)
{
	return bulk_by_lane(x, false);
}
static enum flow call_bulk_multicast(struct exec *x)
{
	return bulk_by_lane(x, true);
}

/* ---- the barrier of the grid, as called by libcudadevrt's cudaCGSynchronize ---- */

enum { GRID_WAITS = -1 }; /* high word of the handle of an arrived lane; no real handle has this word */

/* The handle is the address of the workspace: number of arrived threads, number of complete rounds. */
static enum flow call_grid_handle(struct exec *x)
{
	for (uint32_t m = x->mask; m; m &= m - 1)
		set_pair(x, lowest(m), ARGS, x->gpu->workspace);
	return go_back(x, x->mask);
}

/* A lane of the grid arrives; the last lane completes the round. */
static void arrive(struct exec *x, unsigned lane, uint8_t *workspace, uint32_t state[2])
{
	set_pair(x, lane, ARGS, state[1] | (uint64_t)(uint32_t)GRID_WAITS << 32);
	if (++state[0] == x->gpu->threads * x->gpu->ctas) {
		state[0] = 0;
		state[1]++;
	}
	memcpy(workspace, state, 8);
	observe_store(x->gpu, workspace, 8);
	observe_change(x->gpu, true);
}

/* Waiting lanes execute the call again: the handle holds the round of the arrival. */
static enum flow call_grid_sync(struct exec *x)
{
	uint8_t *workspace = x->gpu->workspace ? wl_gmem_at(x->gpu->gmem, x->gpu->workspace, 8) : NULL;
	const uint32_t mask = x->mask;
	uint32_t state[2] = {0}, back = 0;
	if (workspace)
		memcpy(state, workspace, sizeof state);
	for (uint32_t m = mask; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		const uint64_t handle = pair(x, lane, ARGS);
		const bool waits = workspace && handle >> 32 == (uint32_t)GRID_WAITS;
		if (!waits && (!workspace || handle != x->gpu->workspace)) {
			set_pair(x, lane, ARGS, 1); /* no handle of this grid: the call fails */
			back |= 1u << lane;
		} else if (!waits) {
			arrive(x, lane, workspace, state);
		}
	}
	for (uint32_t m = mask & ~back; m; m &= m - 1) {
		const unsigned lane = lowest(m);
		if ((uint32_t)pair(x, lane, ARGS) == state[1])
			continue;
		set_pair(x, lane, ARGS, 0);
		back |= 1u << lane;
		observe_change(x->gpu, true);
	}
	if (mask & ~back)
		groups_split(x, mask & ~back, x->pc);
	return back ? go_back(x, back) : FLOW_SWITCH;
}

static const struct {
	const char *name;
	exec_fn *call;
} functions[] = {{"__cuda_syscall_CGS_get_intrinsic_handle", call_grid_handle},
                 {"__cuda_syscall_CGS_sync", call_grid_sync},
                 {"__cuda_syscall_cp_async_bulk_unicast", call_bulk_unicast},
                 {"__cuda_syscall_cp_async_bulk_multicast", call_bulk_multicast},
                 {"malloc", call_malloc},
                 {"free", call_free},
                 {"vprintf", call_vprintf},
                 {"__assertfail", call_assertfail}};

bool runtime_call(struct exec *x, const char *name, enum flow *flow)
{
	for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		if (strcmp(functions[i].name, name) || x->gpu->reg_rows < LEAST_ROWS)
			continue;
		*flow = must_drain(x) ? FLOW_HOLD : functions[i].call(x);
		return true;
	}
	return false;
}
