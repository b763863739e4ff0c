// SPDX-License-Identifier: Apache-2.0
/* line_table.c -- line programs: a header (directories, files), then sequences of instructions for a machine of address,
 * file and line.
 *
 * Source: DWARF Debugging Information Format, versions 2 to 4, "Line Number Information". NVIDIA's tools add two
 * extended instructions: INLINED_CALL (row of the call, name of the function) and FUNCTION (name alone). The row of the
 * call counts from the first row of the sequence, from 1. Names are offsets in .debug_str, from an offset that stands
 * in the last four bytes of the header. No content is trusted. */
#include "line_table.h"

#include <stdlib.h>
#include <string.h>

enum {
	OP_COPY = 1,
	OP_ADVANCE_PC,
	OP_ADVANCE_LINE,
	OP_SET_FILE,
	OP_SET_COLUMN,
	OP_STATEMENT,
	OP_BLOCK,
	OP_CONST_ADD_PC,
	OP_FIXED_ADVANCE_PC,
	EXTENDED_END = 1,
	EXTENDED_ADDRESS = 2,
	EXTENDED_FILE = 3,
	NVIDIA_INLINED_CALL = 0x90,
	NVIDIA_FUNCTION = 0x91,
	CHARS_MOST = 1 << 16, /* of a file's name */
};

struct cursor {
	const unsigned char *at, *end;
	bool bad; /* a read behind the end */
};

struct machine {
	struct line_table *t;
	struct cursor in;
	unsigned version, step, opcodes, line_range;
	int line_base;
	unsigned char operands[256];
	size_t first_file, first_row; /* of the unit, of the sequence */
	const char **directories;
	size_t ndirectories, room;
	uint64_t names; /* offset in .debug_str */
	struct line_place now;
	uint64_t file; /* as the table numbers it */
	uint64_t context;
};

static uint64_t fixed(struct cursor *c, unsigned bytes)
{
	uint64_t v = 0;
	if ((size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)c->at[i] << 8 * i;
	c->at += bytes;
	return v;
}

static uint64_t leb(struct cursor *c, bool sign)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char byte;
	do {
		byte = (unsigned char)fixed(c, 1);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->bad);
	if (sign && byte & 0x40 && shift < 64)
		v |= ~UINT64_C(0) << shift;
	return v;
}

static const char *text(struct cursor *c)
{
	const char *s = (const char *)c->at;
	const unsigned char *nul = memchr(c->at, 0, (size_t)(c->end - c->at));
	c->bad |= !nul;
	c->at = nul ? nul + 1 : c->end;
	return nul ? s : "";
}

/* Room for one more element; NULL: no memory. */
static void *grown(void *list, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return list;
	const size_t more = *room ? 2 * *room : 64;
	void *to = realloc(list, more * size);
	if (to)
		*room = more;
	return to;
}

/* ---- the header ---- */

static bool add_file(struct machine *m, const char *name)
{
	struct line_table *t = m->t;
	const uint64_t directory = leb(&m->in, false);
	leb(&m->in, false); /* time */
	leb(&m->in, false); /* size */
	const char *in = *name != '/' && directory && directory <= m->ndirectories ? m->directories[directory - 1] : "";
	char **list = grown(t->files, t->nfiles, &t->files_room, sizeof *list);
	if (!list)
		return false;
	t->files = list;
	const size_t a = strnlen(in, CHARS_MOST), b = strnlen(name, CHARS_MOST);
	char *path = malloc(a + b + 2);
	if (!path)
		return false;
	memcpy(path, in, a);
	path[a] = '/';
	memcpy(path + a + (a > 0), name, b);
	path[a + (a > 0) + b] = 0;
	t->files[t->nfiles++] = path;
	return true;
}

static bool read_names(struct machine *m)
{
	const char *name;
	m->ndirectories = 0;
	while (*(name = text(&m->in)) && !m->in.bad) {
		const char **list = grown(m->directories, m->ndirectories, &m->room, sizeof *list);
		if (!list)
			return false;
		m->directories = list;
		m->directories[m->ndirectories++] = name;
	}
	while (!m->in.bad && *(name = text(&m->in)) && !m->in.bad)
		if (!add_file(m, name))
			return false;
	return !m->in.bad;
}

/* Leaves the cursor at the program. */
static bool read_header(struct machine *m)
{
	const uint64_t length = fixed(&m->in, 4);
	const unsigned char *program = m->in.at + length;
	if (m->in.bad || length > (size_t)(m->in.end - m->in.at))
		return false;
	m->step = (unsigned)fixed(&m->in, 1);
	if (m->version >= 4)
		fixed(&m->in, 1); /* operations of an instruction */
	fixed(&m->in, 1);         /* rows begin statements */
	m->line_base = (signed char)fixed(&m->in, 1);
	m->line_range = (unsigned)fixed(&m->in, 1);
	m->opcodes = (unsigned)fixed(&m->in, 1);
	for (unsigned i = 1; i < m->opcodes; i++)
		m->operands[i] = (unsigned char)fixed(&m->in, 1);
	m->first_file = m->t->nfiles;
	if (!m->line_range || m->in.bad || !read_names(m))
		return false;
	m->names = m->in.at + 4 == program ? fixed(&m->in, 4) : 0;
	m->in.at = program;
	return true;
}

/* ---- the program ---- */

static void begin_sequence(struct machine *m)
{
	m->now = (struct line_place){.line = 1};
	m->file = 1;
	m->context = 0;
	m->first_row = m->t->nrows;
}

static bool add_row(struct machine *m, bool end)
{
	struct line_table *t = m->t;
	struct line_place *list = grown(t->rows, t->nrows, &t->rows_room, sizeof *list);
	if (!list)
		return false;
	t->rows = list;
	struct line_place r = m->now;
	const size_t caller = m->first_row + (size_t)m->context;
	r.end = end;
	r.file = m->file && m->file <= t->nfiles - m->first_file ? (uint32_t)(m->first_file + m->file - 1) : NO_FILE;
	if (r.line > INT32_MAX)
		r.line = 0;
	if (m->context && m->context < UINT32_MAX && caller <= t->nrows && caller <= UINT32_MAX)
		r.caller = (uint32_t)caller;
	list[t->nrows++] = r;
	return true;
}

static bool extended(struct machine *m)
{
	const uint64_t size = leb(&m->in, false);
	if (m->in.bad || !size || size > (size_t)(m->in.end - m->in.at))
		return false;
	struct cursor c = {m->in.at, m->in.at + size, false};
	m->in.at += size;
	switch (fixed(&c, 1)) {
	case EXTENDED_END:
		if (!add_row(m, true))
			return false;
		begin_sequence(m);
		break;
	case EXTENDED_ADDRESS:
		m->now.at = fixed(&c, size > 8 ? 8 : (unsigned)size - 1);
		break;
	case EXTENDED_FILE: {
		const char *name = text(&c);
		struct cursor outer = m->in;
		m->in = c;
		const bool good = add_file(m, name);
		m->in = outer;
		return good;
	}
	case NVIDIA_INLINED_CALL:
		m->context = leb(&c, false);
		m->now.function = m->names + leb(&c, false);
		break;
	case NVIDIA_FUNCTION:
		m->now.function = m->names + leb(&c, false);
		break;
	default: /* of no meaning for lines */
		break;
	}
	return !c.bad;
}

static void standard(struct machine *m, unsigned op)
{
	switch (op) {
	case OP_ADVANCE_PC:
		m->now.at += m->step * leb(&m->in, false);
		break;
	case OP_ADVANCE_LINE:
		m->now.line += (uint32_t)leb(&m->in, true);
		break;
	case OP_SET_FILE:
		m->file = leb(&m->in, false);
		break;
	case OP_CONST_ADD_PC:
		m->now.at += (uint64_t)m->step * ((255 - m->opcodes) / m->line_range);
		break;
	case OP_FIXED_ADVANCE_PC:
		m->now.at += fixed(&m->in, 2);
		break;
	default:
		for (unsigned i = 0; i < m->operands[op]; i++)
			leb(&m->in, false);
	}
}

static bool run(struct machine *m)
{
	begin_sequence(m);
	while (m->in.at < m->in.end) {
		const unsigned op = (unsigned)fixed(&m->in, 1);
		bool good = true;
		if (op >= m->opcodes) {
			const unsigned by = op - m->opcodes;
			m->now.at += (uint64_t)m->step * (by / m->line_range);
			m->now.line += (uint32_t)(m->line_base + (int)(by % m->line_range));
			good = add_row(m, false);
		} else if (!op) {
			good = extended(m);
		} else if (op == OP_COPY) {
			good = add_row(m, false);
		} else {
			standard(m, op);
		}
		if (!good || m->in.bad)
			return false;
	}
	return true;
}

static bool read_units(struct machine *m, struct cursor all)
{
	while (all.at < all.end) {
		const uint64_t length = fixed(&all, 4);
		if (all.bad || length > (size_t)(all.end - all.at))
			return false;
		m->in = (struct cursor){all.at, all.at + length, false};
		all.at += length;
		m->version = (unsigned)fixed(&m->in, 2);
		if (m->version < 2 || m->version > 4)
			continue;
		if (!read_header(m) || !run(m))
			return false;
	}
	return true;
}

bool line_table_read(const unsigned char *data, size_t size, struct line_table *out)
{
	struct machine m = {.t = out};
	*out = (struct line_table){0};
	const bool good = read_units(&m, (struct cursor){data, data + size, false});
	free(m.directories);
	return good;
}

void line_table_free(struct line_table *t)
{
	for (size_t i = 0; i < t->nfiles; i++)
		free(t->files[i]);
	free(t->files);
	free(t->rows);
	*t = (struct line_table){0};
}
