// SPDX-License-Identifier: Apache-2.0
/* warps_run.c -- meaning of programs: a statement for all threads, then the next statement. */
#include "warps_parts.h"

#include <string.h>

struct block {
	uint64_t w[NUM_W][THREADS], d[NUM_D][THREADS], h[NUM_H][THREADS], p[NUM_P][THREADS];
	uint8_t own[3][THREADS][OWN_BYTES];
	uint64_t common[2][COMMON_CELLS];
};

static uint64_t *variable(struct block *b, char type, unsigned var)
{
	return type == 'w' ? b->w[var] : type == 'd' ? b->d[var] : type == 'h' ? b->h[var] : b->p[var];
}

static uint64_t value(struct block *b, const struct expr *e, unsigned t)
{
	uint64_t v[4] = {0};
	if (e->literal)
		return e->value;
	if (!e->row)
		return variable(b, e->type, e->var)[t];
	for (unsigned i = 0; i < row_nargs(e->row); i++)
		v[i] = value(b, e->arg[i], t);
	uint64_t r = e->is_float ? float_value(e->row, v[0], v[1], v[2]) : e->row->value(v[0], v[1], v[2], v[3]);
	r = kind_cut(plain(e->row->result), r);
	return e->is_float ? kind_cut(plain(e->row->result), one_nan(float_result(e->row), r)) : r;
}

static uint64_t combined(const char *op, char type, unsigned bits, uint64_t old, uint64_t a, uint64_t b)
{
	const uint64_t all = bits == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff);
	const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old, sa = bits == 64 ? (int64_t)a : (int32_t)a;
	const bool less = type == 's' ? sa < so : a < old;
	if (!strcmp(op, "add"))
		return (old + a) & all;
	if (!strcmp(op, "min"))
		return less ? a : old;
	if (!strcmp(op, "max"))
		return less ? old : a;
	if (!strcmp(op, "inc"))
		return old >= a ? 0 : old + 1;
	if (!strcmp(op, "dec"))
		return old == 0 || old > a ? a : old - 1;
	if (!strcmp(op, "cas"))
		return old == a ? b : old;
	return !strcmp(op, "and") ? old & a : !strcmp(op, "or") ? old | a : !strcmp(op, "xor") ? old ^ a : a; /* exch */
}

static uint64_t called(const struct function *f, unsigned n, uint32_t a, uint32_t b, uint64_t c)
{
	static struct block callee; /* of one thread; the inner call overwrites the variables, after their last use */
	for (const char *type = TYPES; *type; type++)
		for (unsigned i = 0; i < variables(*type); i++)
			*variable(&callee, *type, i) = function_variable(*type, i, a, b, c);
	const uint64_t r = value(&callee, value(&callee, f->p, 0) ? f->yes : f->no, 0);
	return kind_cut(f->type, n ? r + 3 * called(f, n - 1, a ^ (uint32_t)r, b, c) : r);
}

/* Value assigned by a statement. */
static uint64_t assigned(const struct program *p, struct block *b, const struct stmt *s, unsigned t)
{
	if (s->kind == Call)
		return called(&p->function[s->op], s->amount, (uint32_t)value(b, s->a, t), (uint32_t)value(b, s->b, t),
		              value(b, s->c, t));
	if (s->kind == Vague && s->op < 2)
		return value(b, value(b, s->a, t) ? s->b : s->c, t);
	if (s->kind == Vague)
		return kind_cut(s->type, value(b, s->b, t) + (s->op == 3 ? value(b, s->c, t) : 0));
	return value(b, s->a, t);
}

static void run_body(const struct program *p, struct block *b, const struct stmt *s, const bool *in);

static uint32_t lanes(const bool *in, unsigned warp)
{
	uint32_t m = 0;
	for (unsigned l = 0; l < 32; l++)
		m |= (uint32_t)in[32 * warp + l] << l;
	return m;
}

/* A value of every thread, before any write. */
static void values(struct block *b, const struct expr *e, const bool *in, uint64_t v[THREADS])
{
	for (unsigned t = 0; t < THREADS; t++)
		v[t] = in[t] && e ? value(b, e, t) : 0;
}

static void run_collective(struct block *b, const struct stmt *s, const bool *in)
{
	uint64_t a[THREADS], c[THREADS], *to = variable(b, s->type, s->var);
	values(b, s->a, in, a);
	values(b, s->b, in, c);
	for (unsigned t = 0; t < THREADS; t++) {
		const unsigned lane = t % 32, first = t - lane, step = s->b ? c[t] & 31 : s->amount;
		const uint32_t here = lanes(in, t / 32);
		uint32_t yes = 0, got = 0;
		bool started = false;
		if (!in[t])
			continue;
		if (s->kind == Shuffle) {
			unsigned from = s->op == 0   ? step
			                : s->op == 1 ? lane - step
			                : s->op == 2 ? lane + step
			                             : lane ^ step;
			if (from > 31)
				from = lane;
			to[t] = here >> from & 1 ? a[first + from] : a[t];
			continue;
		}
		for (unsigned l = 0; l < 32; l++) {
			const uint32_t v = (uint32_t)a[first + l];
			if (!(here >> l & 1))
				continue;
			if (s->kind == Vote)
				yes |= (uint32_t)(a[first + l] != 0) << l;
			else if (s->kind == Match)
				yes |= (uint32_t)((a[first + l] & s->amount) == (a[t] & s->amount)) << l;
			else
				got = !started ? v
				               : (uint32_t)combined(reduxes[s->op].op, reduxes[s->op].type[0], 32, got,
				                                    v, 0);
			started = true;
		}
		if (s->kind == Vote)
			to[t] = s->op == 0   ? yes == here
			        : s->op == 1 ? yes != 0
			        : s->op == 2 ? !yes || yes == here
			                     : yes;
		else
			to[t] = s->kind == Match ? yes : got;
	}
}

static void run_memory(struct block *b, const struct stmt *s, unsigned t)
{
	uint64_t v = 0, a, c;
	uint8_t *at = b->own[s->space][t] + s->offset;
	memcpy(&v, at, s->bytes);
	if (s->kind == Load) {
		if (s->wide_sign && s->bytes < (s->type == 'd' ? 8u : 4u) && v >> (8 * s->bytes - 1) & 1)
			v |= ~UINT64_C(0) << (8 * s->bytes);
		variable(b, s->type, s->var)[t] = kind_cut(s->type, v);
		return;
	}
	a = value(b, s->a, t);
	if (s->kind == Own) {
		c = value(b, s->b, t);
		variable(b, s->type, s->var)[t] = v;
		a = combined(own_ops[s->op].op, own_ops[s->op].type[0], 8 * s->bytes, v, a, c);
	}
	memcpy(at, &a, s->bytes);
}

static void run_stmt(const struct program *p, struct block *b, const struct stmt *s, const bool *in)
{
	bool some[THREADS], others[THREADS], any = true;
	uint64_t v[THREADS];
	switch (s->kind) {
	case If:
		for (unsigned t = 0; t < THREADS; t++) {
			some[t] = in[t] && value(b, s->a, t);
			others[t] = in[t] && !some[t];
		}
		run_body(p, b, s->body, some);
		run_body(p, b, s->other, others);
		break;
	case Loop:
		for (unsigned t = 0; t < THREADS; t++)
			v[t] = in[t] ? (value(b, s->a, t) & 3) + s->amount : 0;
		while (any) {
			any = false;
			for (unsigned t = 0; t < THREADS; t++)
				any |= some[t] = v[t] && v[t]--;
			if (any)
				run_body(p, b, s->body, some);
		}
		break;
	case Shuffle:
	case Vote:
	case Match:
	case Redux:
		run_collective(b, s, in);
		break;
	case Exchange:
		values(b, s->a, in, v);
		for (unsigned t = 0; t < THREADS; t++)
			variable(b, s->type, s->var)[t] = v[(t + s->amount) % THREADS];
		break;
	default:
		for (unsigned t = 0; t < THREADS; t++) {
			if (!in[t])
				continue;
			if (s->kind == Common) {
				uint64_t *cell = &b->common[s->space][s->op];
				const uint64_t low = s->op < 8 ? UINT64_C(0xffffffff) : ~UINT64_C(0);
				const uint64_t now = combined(common_ops[s->op].op, common_ops[s->op].type[0],
				                              s->op < 8 ? 32 : 64, *cell & low, value(b, s->a, t), 0);
				*cell = (*cell & ~low) | (now & low);
			} else if (s->kind != Assign && s->kind != Call && s->kind != Vague) {
				run_memory(b, s, t);
			} else if (s->guard < 0 || (b->p[s->guard][t] != 0) != s->negated) {
				variable(b, s->type, s->var)[t] = assigned(p, b, s, t);
			}
		}
	}
}

static void run_body(const struct program *p, struct block *b, const struct stmt *s, const bool *in)
{
	for (; s; s = s->next)
		if (s->on)
			run_stmt(p, b, s, in);
}

void program_run(const struct program *p, const uint64_t in[THREADS][OUT_WORDS], struct block_out *out)
{
	static struct block b;
	bool all[THREADS];
	memset(&b, 0, sizeof b);
	memset(out, 0, sizeof *out);
	for (unsigned i = 0; i < COMMON_CELLS; i++)
		b.common[1][i] = COMMON_START;
	for (unsigned pass = 0; pass < 2; pass++) {
		unsigned word = 0;
		for (const char *type = TYPES; *type; type++)
			for (unsigned i = 0; i < variables(*type); i++, word++)
				for (unsigned t = 0; t < THREADS; t++) {
					uint64_t *v = &variable(&b, *type, i)[t];
					if (pass)
						out->thread[t][word] = *v;
					else
						*v = *type == 'p' ? (uint32_t)in[t][word] != 0
						                  : kind_cut(*type, in[t][word]);
				}
		for (unsigned t = 0; pass && t < THREADS; t++)
			for (unsigned space = 0; space < 2; space++)
				memcpy(&out->thread[t][word + space * OWN_BYTES / 8], b.own[space][t], OWN_BYTES);
		memset(all, 1, sizeof all);
		if (!pass)
			run_body(p, &b, p->body, all);
	}
	memcpy(out->common, b.common[1], sizeof b.common[1]);
	memcpy(out->common + COMMON_CELLS, b.common[0], sizeof b.common[0]);
}
