// SPDX-License-Identifier: Apache-2.0
/* init.c -- initial values of variables: numbers, addresses, nested braces. Source: PTX ISA, "Initializers". */
#include <string.h>

#include "parse.h"

enum { MAX_INIT = 1 << 28 }; /* bytes: more than any loadable image */

struct init {
	struct ptx_parser *p;
	struct ptx_var *v;
	uint8_t *bytes;
	uint64_t cap, at, limit; /* at: next byte; limit: size of the variable, MAX_INIT for an unsized variable */
	struct ptx_reloc *relocs;
	uint32_t cap_relocs;
	bool told;
};

static uint8_t *room(struct init *in, unsigned n)
{
	if (in->at + n > in->limit) {
		if (!in->told)
			ptx_error(in->p, ptx_here(in->p), "Too many initial values for '%.200s'", in->v->name);
		in->told = true;
		return NULL;
	}
	if (in->at + n > in->cap) {
		uint64_t cap = in->cap ? in->cap * 2 : 64;
		in->bytes = arena_grow(in->p->arena, in->bytes, in->at, cap);
		memset(in->bytes + in->at, 0, cap - in->at);
		in->cap = cap;
	}
	uint8_t *to = in->bytes + in->at;
	in->at += n;
	return to;
}

static void put_number(struct init *in, const struct ptx_const *c)
{
	const struct ptx_type_info *t = &ptx_types[in->v->type];
	uint64_t u = c->u;
	if (c->is_float != (t->cls == PTX_CLASS_FLOAT)) {
		ptx_error(in->p, ptx_here(in->p), "Initial value type mismatch");
		return;
	}
	uint8_t *to = room(in, t->bytes);
	if (to == NULL)
		return;
	if (c->is_float) {
		double d = c->f;
		float f = (float)d;
		uint32_t bits;
		memcpy(&bits, &f, sizeof bits);
		if (t->bytes == 8)
			memcpy(&u, &d, sizeof u);
		else
			u = c->is_f32 ? c->f32_bits : bits;
	}
	for (unsigned i = 0; i < t->bytes && i < 8; i++)
		to[i] = (uint8_t)(u >> 8 * i);
	if (t->bytes == 16 && !c->is_unsigned && !c->is_float && (int64_t)u < 0)
		memset(to + 8, 0xff, 8);
}

/* generic(name) or name, then + or - an offset. */
static bool address(struct init *in, struct ptx_reloc *r)
{
	struct ptx_parser *p = in->p;
	struct ptx_token name = p->tok;
	if (name.kind != TOK_IDENT)
		return ptx_syntax_error(p);
	ptx_next(p);
	if (name.len == 7 && memcmp(name.text, "generic", 7) == 0 && ptx_accept(p, '(')) {
		r->generic = true;
		if (!address(in, r))
			return false;
		if (!ptx_expect(p, ')'))
			return false;
	} else {
		struct sym *s = symtab_find(&p->syms, SYM_SYMBOL, name.text, name.len);
		if (s == NULL || s->kind != SYM_SYMBOL) {
			ptx_error(p, (struct ptx_pos){name.line, name.col}, "Unknown symbol '%.*s'",
			          (int)(name.len > 200 ? 200 : name.len), name.text);
			return false;
		}
		r->sym = s->symbol;
	}
	while (ptx_is(p, '+') || ptx_is(p, '-')) {
		bool minus = ptx_is(p, '-');
		struct ptx_const c;
		ptx_next(p);
		if (p->tok.kind != TOK_INT)
			return ptx_syntax_error(p);
		c.u = p->tok.value;
		ptx_next(p);
		r->addend = (int64_t)((uint64_t)r->addend + (minus ? 0 - c.u : c.u));
	}
	return true;
}

static bool put_address(struct init *in, uint32_t mask_byte)
{
	struct ptx_reloc r = {.mask_byte = mask_byte};
	struct ptx_pos at = ptx_here(in->p);
	unsigned bytes = ptx_types[in->v->type].bytes;
	if (!address(in, &r))
		return false;
	if (mask_byte == PTX_NONE && bytes < 4) {
		ptx_error(in->p, at, "an address does not fit in type '.%s'", ptx_types[in->v->type].name);
		return true;
	}
	r.offset = in->at;
	r.bytes = (uint8_t)bytes;
	if (room(in, bytes) == NULL)
		return true;
	struct ptx_reloc *slot = ptx_push(in->p, &in->relocs, &in->v->nrelocs, &in->cap_relocs, sizeof *slot);
	*slot = r;
	return true;
}

/* 0xFF00(address): the byte of the address under the mask. */
static bool masked_address(struct init *in, uint64_t mask)
{
	unsigned byte = 0;
	struct ptx_pos at = ptx_here(in->p);
	while (byte < 8 && mask != (uint64_t)0xff << 8 * byte)
		byte++;
	if (byte == 8) {
		ptx_error(in->p, at, "a mask of an address must be 0xFF shifted by whole bytes");
		return false;
	}
	ptx_next(in->p);
	return put_address(in, byte) && ptx_expect(in->p, ')');
}

static bool value(struct init *in, unsigned depth);

static bool list(struct init *in, unsigned depth)
{
	if (depth > MAX_DEPTH) {
		ptx_error(in->p, ptx_here(in->p), "initial value is nested too deep");
		return false;
	}
	if (ptx_accept(in->p, '}'))
		return true;
	do {
		if (!value(in, depth))
			return false;
	} while (ptx_accept(in->p, ','));
	return ptx_expect(in->p, '}');
}

/* The bytes of a row of a dimension inside braces of this depth: missing elements are zero. */
static uint64_t row_bytes(const struct ptx_var *v, unsigned depth)
{
	uint64_t n = (uint64_t)ptx_types[v->type].bytes * v->vec;
	if (depth > v->ndims)
		return 0;
	for (uint32_t i = depth; i < v->ndims; i++)
		n *= v->dims[i];
	return n;
}

static bool value(struct init *in, unsigned depth)
{
	struct ptx_parser *p = in->p;
	if (ptx_accept(p, '{')) {
		uint64_t from = in->at, row = depth ? row_bytes(in->v, depth) : 0;
		if (!list(in, depth + 1))
			return false;
		while (row && in->at < from + row && in->at < in->limit && (in->at - from) % row != 0)
			if (room(in, 1) == NULL)
				break;
		return true;
	}
	if (p->tok.kind == TOK_IDENT && !(p->tok.len == 7 && memcmp(p->tok.text, "WARP_SZ", 7) == 0))
		return put_address(in, PTX_NONE);
	if (p->tok.kind == TOK_INT && ptx_peek(p)->kind == TOK_PUNCT && ptx_peek(p)->ch == '(') {
		uint64_t mask = p->tok.value;
		ptx_next(p);
		return masked_address(in, mask);
	}
	struct ptx_const c;
	if (!ptx_const_expr(p, &c))
		return false;
	put_number(in, &c);
	return true;
}

/* Zeros at the end need not be kept: missing elements are zero. So a value has a single form, however written. */
static uint64_t without_trailing_zeros(const struct init *in)
{
	uint64_t n = in->at, element = ptx_types[in->v->type].bytes, keep = 0;
	if (in->v->nrelocs)
		keep = in->relocs[in->v->nrelocs - 1].offset + in->relocs[in->v->nrelocs - 1].bytes;
	while (n > keep && in->bytes[n - 1] == 0)
		n--;
	return (n + element - 1) / element * element;
}

bool ptx_initialiser(struct ptx_parser *p, struct ptx_var *v)
{
	struct init in = {.p = p, .v = v, .limit = v->unsized || v->size > MAX_INIT ? MAX_INIT : v->size};
	if (ptx_types[v->type].bytes == 0)
		return false;
	if (!value(&in, 0))
		return false;
	v->init = in.bytes;
	v->init_size = without_trailing_zeros(&in);
	v->relocs = in.relocs;
	if (v->unsized) {
		uint64_t row = row_bytes(v, 1), *dims = arena_alloc(p->arena, v->ndims * sizeof *dims);
		memcpy(dims, v->dims, v->ndims * sizeof *dims);
		dims[0] = row ? (in.at + row - 1) / row : 0;
		v->dims = dims;
		v->size = dims[0] * row;
		v->unsized = false;
	}
	return true;
}
