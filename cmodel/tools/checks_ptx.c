// SPDX-License-Identifier: Apache-2.0
/* checks_ptx.c -- facts for the checks in the PTX of a kernel, absent from the words. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static bool holds(const char *line, size_t size, const char *word)
{
	const size_t n = strlen(word);
	for (size_t i = 0; i + n <= size; i++)
		if (memcmp(line + i, word, n) == 0)
			return true;
	return false;
}

enum { LOADS = 1, STRONG = 2, ACQUIRES = 4 };

/* LOADS: the statement is a load, or a store for !load; STRONG, ACQUIRES: the order named by the statement. .volatile is
 * .relaxed. */
static unsigned order_of(const char *text, size_t size, bool load)
{
	const bool acquires = holds(text, size, ".acquire");
	const bool strong = acquires || holds(text, size, ".relaxed") || holds(text, size, ".release") ||
	                    holds(text, size, ".volatile") || holds(text, size, ".mmio");
	if (!holds(text, size, load ? "ld." : "st.") || holds(text, size, "mbarrier"))
		return 0;
	return LOADS | (strong ? STRONG : 0) | (acquires ? ACQUIRES : 0);
}

/* LOADS: the statement is an atomic with a result. An atomic without an order is .relaxed. */
static unsigned order_of_atomic(const char *text, size_t size, bool load)
{
	const bool acquires = holds(text, size, ".acquire") || holds(text, size, ".acq_rel");
	(void)load;
	return holds(text, size, "atom.") ? LOADS | STRONG | (acquires ? ACQUIRES : 0) : 0;
}

/* Bytes of the number, where the statement is a load, or a store for !load: the end of "ld.global.v4.b32". */
static unsigned element_of(const char *text, size_t size, bool load)
{
	size_t at = 0, end, type;
	while (at + 3 < size && memcmp(text + at, load ? "ld." : "st.", 3) != 0)
		at++;
	if (at + 3 >= size || holds(text, size, "mbarrier"))
		return 0;
	for (end = type = at; end < size && !strchr(" \t", text[end]); end++)
		type = text[end] == '.' ? end + 1 : type;
	return type + 1 < size && strchr("bsuf", text[type]) ? (unsigned)atoi(text + type + 1) / 8 : 0;
}

typedef unsigned (*fact)(const char *text, size_t size, bool load);

static size_t statement(const char *line, size_t size)
{
	const char *end = memchr(line, ';', size);
	return end ? (size_t)(end - line) : size;
}

/* The fact of the line's loads, or stores: 0 where there is none, and where two differ. */
static unsigned fact_of_line(const char *line, size_t size, bool load, fact of)
{
	unsigned found = 0;
	for (size_t at = 0, n; at < size; at += n + 1) {
		n = statement(line + at, size - at);
		const unsigned next = of(line + at, n, load);
		if (next && found && next != found)
			return 0;
		found = next ? next : found;
	}
	return found;
}

/* Some statement of the line has the fact. */
static bool has_fact(const char *line, size_t size, bool load, fact of)
{
	for (size_t at = 0, n; at < size; at += n + 1) {
		n = statement(line + at, size - at);
		if (of(line + at, n, load))
			return true;
	}
	return false;
}

/* A copy of the text with blanks in the place of comments; lines stay lines. */
static char *without_comments(const char *ptx)
{
	char *text = ptx ? strdup(ptx) : NULL;
	for (char *at = text; at && *at;) {
		const bool line = at[0] == '/' && at[1] == '/', block = at[0] == '/' && at[1] == '*';
		char *end = line ? at + strcspn(at, "\n") : block ? strstr(at + 2, "*/") : at + 1;
		end = end ? end + 2 * block : at + strlen(at);
		for (; (line || block) && at < end; at++)
			*at = *at == '\n' ? '\n' : ' ';
		at = end;
	}
	return text;
}

/* Starts of the lines of the PTX; NULL: the program comes from no PTX, or memory is short. */
static const char **ptx_lines(const char *ptx, uint32_t *n)
{
	const char **start = NULL;
	uint32_t room = 0;
	*n = 0;
	for (const char *at = ptx; at && *at; at += strcspn(at, "\n"), at += *at != 0) {
		if (*n == room) {
			room = room ? 2 * room : 1024;
			const char **more = realloc(start, room * sizeof *start);
			if (!more)
				break;
			start = more;
		}
		start[(*n)++] = at;
	}
	return start;
}

/* The line has words of PTX with one of the beginnings, and each such word has .relaxed. */
static bool relaxed(const char *line, size_t size, const char *const *begins)
{
	unsigned words = 0, without = 0;
	for (size_t i = 0; i < size; i++)
		for (unsigned k = 0; begins[k]; k++) {
			if (size - i < strlen(begins[k]) || memcmp(line + i, begins[k], strlen(begins[k])) != 0)
				continue;
			const size_t word = strcspn(line + i, " \t\n;");
			words++;
			without += !holds(line + i, word < size - i ? word : size - i, ".relaxed");
		}
	return words && !without;
}

/* The line's loads and atomics of memory acquire nothing. In a line without a load, the load of a compare-and-swap loop is
 * of the atomic. */
static bool acquires_nothing(const struct wl_inst *in, const char *line, size_t size)
{
	const uint64_t traits = wl_inst_traits(in);
	const unsigned load = fact_of_line(line, size, true, order_of),
	               atomic = fact_of_line(line, size, true, order_of_atomic);
	if (!(traits & WL_TRAIT(READS_MEMORY)))
		return false;
	const bool of_atomic = traits & WL_TRAIT(ATOMIC) || !has_fact(line, size, true, order_of);
	const unsigned order = of_atomic ? atomic : load;
	return order & STRONG && !(order & ACQUIRES);
}

static void hint_race(const struct checks *c, const struct wl_program *p, const char **start, uint32_t n)
{
	static const char *const arrives[] = {"mbarrier.arrive", NULL};
	static const char *const waits[] = {"mbarrier.test_wait", "mbarrier.try_wait", NULL};
	for (uint32_t i = 0; i < p->ninst; i++) {
		const uint16_t u = p->insts[i].uop;
		const uint64_t traits = wl_inst_traits(&p->insts[i]);
		const char *line = p->lines[i] && p->lines[i] <= n ? start[p->lines[i] - 1] : "";
		const size_t size = strcspn(line, "\n");
		const bool load = traits & WL_TRAIT(READS_MEMORY);
		const unsigned order =
		        u == WL_UOP_LDS || u == WL_UOP_STS ? fact_of_line(line, size, load, order_of) : 0;
		if (order)
			wl_race_hint(c->race, i, order & STRONG, order & ACQUIRES);
		if (load != !!(traits & WL_TRAIT(WRITES_MEMORY)))
			wl_race_hint_element(c->race, i, fact_of_line(line, size, load, element_of));
		if ((u == WL_UOP_SYNCS_ARRIVE && relaxed(line, size, arrives)) ||
		    (u == WL_UOP_SYNCS_PHASECHK && relaxed(line, size, waits)) ||
		    acquires_nothing(&p->insts[i], line, size))
			wl_race_hint_relaxed(c->race, i);
	}
}

/* The line has a single shfl.sync. */
static bool one_shuffle(const char *line, size_t size)
{
	static const char word[] = "shfl.sync";
	const size_t n = sizeof word - 1;
	unsigned found = 0;
	for (size_t i = 0; i + n <= size; i++)
		found += memcmp(line + i, word, n) == 0;
	return found == 1;
}

/* The WARPSYNC in front of the SHFL, of the same line. UINT32_MAX: none. */
static uint32_t warpsync_of(const struct wl_program *p, uint32_t shfl)
{
	for (uint32_t i = shfl; i-- > 0 && p->lines[i] == p->lines[shfl];)
		if (p->insts[i].uop == WL_UOP_WARPSYNC)
			return i;
	return UINT32_MAX;
}

/* SHFL has no mask: the mask is that of the WARPSYNC in front. */
static void hint_masks(struct wl_checker *sync, const struct wl_program *p, const char **start, uint32_t n)
{
	for (uint32_t i = 0; i < p->ninst; i++) {
		if (p->insts[i].uop != WL_UOP_SHFL || !p->lines[i] || p->lines[i] > n)
			continue;
		const char *line = start[p->lines[i] - 1];
		const uint32_t from = warpsync_of(p, i);
		if (from != UINT32_MAX && one_shuffle(line, strcspn(line, "\n")))
			wl_sync_hint_mask(sync, i, from);
	}
}

/* wlcc makes no word of fence.mbarrier_init. */
static void hint_sync(const struct checks *c, const struct wl_program *p, const char **start, uint32_t n)
{
	uint32_t first = n, last = 0;
	hint_masks(c->checker[CHECK_BIT_sync], p, start, n);
	for (uint32_t i = 0; i < p->ninst; i++)
		if (p->lines[i] && p->lines[i] <= n) {
			first = p->lines[i] < first ? p->lines[i] : first;
			last = p->lines[i] > last ? p->lines[i] : last;
		}
	for (uint32_t k = first; k <= last; k++)
		if (holds(start[k - 1], strcspn(start[k - 1], "\n"), "fence.mbarrier_init"))
			wl_sync_hide_fences(c->checker[CHECK_BIT_sync]);
}

void checks_read_ptx(const struct checks *c, const struct job *job)
{
	uint32_t n;
	char *text = without_comments(job->ptx);
	const char **start = ptx_lines(text, &n);
	if (start && job->program.lines && c->race)
		hint_race(c, &job->program, start, n);
	if (start && job->program.lines && c->checker[CHECK_BIT_sync])
		hint_sync(c, &job->program, start, n);
	free(start);
	free(text);
}
