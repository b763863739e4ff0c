// SPDX-License-Identifier: Apache-2.0
/* warps_program.c -- makes programs. */
#include "warps_parts.h"

#include <stdlib.h>
#include <string.h>

const struct op own_ops[] = {{"add", "u"}, {"min", "u"}, {"max", "u"},  {"min", "s"}, {"max", "s"}, {"and", "b"},
                             {"or", "b"},  {"xor", "b"}, {"exch", "b"}, {"cas", "b"}, {"inc", "u"}, {"dec", "u"}};
const struct op common_ops[] = {{"add", "u32"}, {"xor", "b32"}, {"min", "u32"}, {"max", "u32"}, {"or", "b32"},
                                {"and", "b32"}, {"min", "s32"}, {"max", "s32"}, {"add", "u64"}, {"max", "u64"}};
const struct op reduxes[] = {{"add", "u32"}, {"min", "u32"}, {"max", "u32"}, {"min", "s32"},
                             {"max", "s32"}, {"and", "b32"}, {"or", "b32"},  {"xor", "b32"}};

static unsigned below(struct program *p, unsigned n)
{
	return rng_below(&p->rng, n);
}

static void *piece(struct program *p, size_t size)
{
	if (p->npieces == sizeof p->pieces / sizeof *p->pieces)
		abort();
	return p->pieces[p->npieces++] = calloc(1, size);
}

static uint64_t literal(struct program *p, char type, bool is_float)
{
	static const uint64_t usual[] = {0,  1,   2,    3,      4,      7,          8,          31,        32,
	                                 63, 255, 0x80, 0x8000, 0xffff, 0x80000000, 0xffffffff, 0x7fffffff};
	static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb,
	                                  0x4f000000, 0x7f800000, 1,          0x00800000, 0x4b000000};
	static const uint64_t doubles[] = {
	        0, UINT64_C(0x3ff0000000000000), UINT64_C(0xc008000000000000), UINT64_C(0x41e0000000000000),
	        1, UINT64_C(0x7ff0000000000000)};
	if (is_float && type == 'w')
		return floats[below(p, sizeof floats / sizeof *floats)];
	if (is_float && type == 'd')
		return doubles[below(p, sizeof doubles / sizeof *doubles)];
	return kind_cut(type, below(p, 2) ? usual[below(p, sizeof usual / sizeof *usual)]
	                                  : rng_next(&p->rng) >> below(p, 60));
}

static const struct row *pick_row(struct program *p, char type, bool *is_float)
{
	for (;;) {
		*is_float = below(p, 5) < 2;
		const struct row *r = *is_float ? &float_rows[below(p, num_float_rows)] : &rows[below(p, nrows)];
		/* ptxas takes no more than six bits of positions and lengths of 64-bit fields (docs/real-code.md) */
		/* ptxas takes no immediates in video instructions, and vmad of ptxas differs from the manual */
		const bool video = r->text[0] == 'v';
		const bool field = !strncmp(r->text, "bfi.b64", 7) || (!strncmp(r->text, "bfe", 3) && r->result == 'd');
		if (plain(r->result) == type && !field && !video)
			return r;
	}
}

static struct expr *make_expr(struct program *p, char kind, unsigned depth, bool for_float)
{
	struct expr *e = piece(p, sizeof *e);
	const char type = plain(kind);
	const bool not_zero = kind == 'z' || kind == 'y' || kind == 'x';
	e->type = type;
	if (not_zero || (type != 'p' && type != 'h' && below(p, 4) == 0)) {
		e->literal = true;
		e->value = literal(p, type, for_float);
		if (not_zero && !e->value)
			e->value = 5;
		return e;
	}
	if (!depth || below(p, 3) == 0) {
		e->var = below(p, variables(type));
		return e;
	}
	e->row = pick_row(p, type, &e->is_float);
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		e->arg[i] = make_expr(p, e->row->arg[i], depth - 1, e->is_float);
	/* ptxas reads only a few bits of an immediate amount for 16 bits (docs/real-code.md) */
	if (!strncmp(e->row->text, "sh", 2) && e->type == 'h' && e->arg[1]->literal)
		e->arg[1]->value &= 31;
	/* ptxas takes the negative of the literal, and the negative does not exist (docs/real-code.md) */
	if (!strcmp(e->row->text, "add.sat.s32") && e->arg[0]->literal && e->arg[0]->value == 0x80000000)
		e->arg[0]->value = 0x80000001;
	return e;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool gathered, bool in_loop);

static struct stmt *make_stmt(struct program *p, unsigned depth, bool gathered, bool in_loop)
{
	static const char types[] = "wwwddhp";
	struct stmt *s = piece(p, sizeof *s);
	const unsigned r = below(p, 100);
	s->kind = r < 43   ? Assign
	          : r < 47 ? Call
	          : r < 50 ? Vague
	          : r < 58 ? If
	          : r < 62 ? Loop
	          : r < 69 ? Load
	          : r < 76 ? Store
	          : r < 82 ? Own
	          : r < 87 ? Common
	          : r < 92 ? Shuffle
	          : r < 95 ? Vote
	          : r < 97 ? Match
	          : r < 98 ? Redux
	                   : Exchange;
	if (depth >= DEEPEST && (s->kind == If || s->kind == Loop))
		s->kind = Assign;
	if (!gathered && (s->kind == Shuffle || s->kind == Vote || s->kind == Match || s->kind == Redux))
		s->kind = Assign;
	if (s->kind == Exchange && depth)
		s->kind = Store;
	s->number = p->count;
	s->on = true;
	p->by_number[p->count++] = s;
	s->guard = -1;
	s->type = types[below(p, sizeof types - 1)];
	switch (s->kind) {
	case Assign:
		if (below(p, 6) == 0) {
			s->guard = (int)below(p, NUM_P);
			s->negated = below(p, 2);
		}
		s->a = make_expr(p, s->type, 1 + below(p, 3), false);
		break;
	case Call:
		s->op = below(p, FUNCTIONS);
		s->amount = below(p, 4);
		s->type = p->function[s->op].type;
		s->a = make_expr(p, 'w', 1, false);
		s->b = make_expr(p, 'w', 0, false);
		s->c = make_expr(p, 'd', 1, false);
		break;
	case Vague:
		s->op = below(p, VAGUE_WAYS);
		s->type = "wd"[below(p, 2)];
		s->a = make_expr(p, 'p', 1, false);
		s->b = make_expr(p, s->type, 1, false);
		s->c = make_expr(p, s->type, 0, false);
		break;
	case If:
		s->gathers = gathered && below(p, 3);
		s->a = make_expr(p, 'p', 2, false);
		s->body = make_body(p, 1 + below(p, 4), depth + 1, s->gathers, in_loop);
		s->other = below(p, 2) ? make_body(p, 1 + below(p, 3), depth + 1, s->gathers, in_loop) : NULL;
		break;
	case Loop:
		s->gathers = gathered && below(p, 3);
		s->a = make_expr(p, 'w', 1, false);
		s->amount = 1 + below(p, 3);
		s->body = make_body(p, 1 + below(p, 4), depth + 1, s->gathers, true);
		break;
	case Load:
	case Store:
		s->space = below(p, 3);
		s->bytes = 1u << below(p, 4);
		s->offset = below(p, OWN_BYTES / s->bytes) * s->bytes;
		s->wide_sign = below(p, 2);
		s->generic = s->space < 2 && below(p, 3) == 0;
		s->type = s->bytes == 8 ? 'd' : "wd"[below(p, 2)];
		if (s->kind == Store)
			s->a = make_expr(p, s->type, 1, false);
		break;
	case Own:
		s->space = below(p, 2);
		s->bytes = 4u << below(p, 2);
		s->offset = below(p, OWN_BYTES / s->bytes) * s->bytes;
		s->type = s->bytes == 8 ? 'd' : 'w';
		s->op = below(p, s->bytes == 8 ? 10 : 12);
		s->generic = below(p, 3) == 0;
		s->a = make_expr(p, s->type, 1, false);
		s->b = make_expr(p, s->type, 0, false);
		break;
	case Common:
		s->space = below(p, 2);
		s->op = below(p, COMMON_CELLS);
		s->generic = below(p, 3) == 0;
		s->type = s->op < 8 ? 'w' : 'd';
		s->a = make_expr(p, s->type, 1, false);
		break;
	case Shuffle:
		s->op = below(p, 4);
		s->type = 'w';
		s->a = make_expr(p, 'w', 1, false);
		s->b = below(p, 2) ? make_expr(p, 'w', 0, false) : NULL;
		s->amount = 1 + below(p, 31);
		break;
	case Vote:
		s->op = below(p, 4);
		s->type = s->op == 3 ? 'w' : 'p';
		s->a = make_expr(p, 'p', 1, false);
		break;
	case Match:
		s->type = 'w';
		s->op = below(p, 2);
		s->a = make_expr(p, s->op ? 'd' : 'w', 1, false);
		s->amount = 1 + below(p, 7);
		break;
	case Redux:
		s->type = 'w';
		s->op = below(p, 8);
		s->a = make_expr(p, 'w', 1, false);
		p->sm80 = true;
		break;
	default:
		s->type = "wd"[below(p, 2)];
		s->a = make_expr(p, s->type, 1, false);
		s->amount = 1 + below(p, THREADS - 1);
		break;
	}
	s->var = below(p, variables(s->type));
	return s;
}

static struct stmt *make_body(struct program *p, unsigned n, unsigned depth, bool gathered, bool in_loop)
{
	struct stmt *first = NULL, **end = &first;
	while (n-- && p->count < MOST_STATEMENTS) {
		*end = make_stmt(p, depth, gathered, in_loop);
		end = &(*end)->next;
	}
	return first;
}

struct program *program_new(uint64_t seed)
{
	struct program *p = calloc(1, sizeof *p);
	p->rng = rng_seed(seed, 16);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		struct function *f = &p->function[i];
		f->type = "wd"[below(p, 2)];
		f->p = make_expr(p, 'p', 2, false);
		f->yes = make_expr(p, f->type, 2, false);
		f->no = make_expr(p, f->type, 2, false);
	}
	p->body = make_body(p, 6 + below(p, 22), 0, true, false);
	return p;
}

void program_free(struct program *p)
{
	for (unsigned i = 0; i < p->npieces; i++)
		free(p->pieces[i]);
	free(p);
}

static bool any_redux(const struct stmt *s)
{
	for (; s; s = s->next)
		if (s->on && (s->kind == Redux || any_redux(s->body) || any_redux(s->other)))
			return true;
	return false;
}

bool program_needs_sm80(const struct program *p)
{
	return p->sm80 && any_redux(p->body);
}

unsigned program_statements(const struct program *p)
{
	return p->count;
}

void program_switch(struct program *p, unsigned statement, bool on)
{
	p->by_number[statement]->on = on;
}

bool program_is_on(const struct program *p, unsigned statement)
{
	return p->by_number[statement]->on;
}
