// SPDX-License-Identifier: Apache-2.0
/* instr.c -- an instruction: name, bag of qualifiers, operands, up to the `;`. */
#include <ctype.h>
#include <string.h>

#include "check.h"

enum { MAX_OPERANDS = 24, MAX_NAME_WORDS = 5, MAX_NAME_TEXT = 64 };

/* The name is the longest row of ops.def at the start of the words. Takes the tokens of the name. */
static enum ptx_op instruction_name(struct ptx_parser *p)
{
	char text[MAX_NAME_TEXT];
	size_t len = p->tok.len;
	struct ptx_lexer after_name;
	if (len >= sizeof text)
		return PTX_OP_none;
	memcpy(text, p->tok.text, len);
	unsigned best = ptx_words_find(PTX_WORD_OP, text, len);
	ptx_next(p);
	/* looks ahead over further words, and goes back to the end of the longest name */
	struct ptx_token best_tok = p->tok;
	struct ptx_token best_ahead = p->ahead;
	bool best_has_ahead = p->has_ahead;
	after_name = p->lex;
	for (unsigned n = 1; n < MAX_NAME_WORDS && p->tok.kind == TOK_DOT; n++) {
		if (len + 1 + p->tok.len >= sizeof text)
			break;
		text[len++] = '.';
		memcpy(text + len, p->tok.text, p->tok.len);
		len += p->tok.len;
		unsigned found = ptx_words_find(PTX_WORD_OP, text, len);
		ptx_next(p);
		if (found) {
			best = found;
			best_tok = p->tok;
			best_ahead = p->ahead;
			best_has_ahead = p->has_ahead;
			after_name = p->lex;
		}
	}
	p->tok = best_tok;
	p->ahead = best_ahead;
	p->has_ahead = best_has_ahead;
	p->lex = after_name;
	return (enum ptx_op)best;
}

static void skip_statement(struct ptx_parser *p)
{
	while (p->tok.kind != TOK_END && !ptx_is(p, ';')) {
		if (ptx_is(p, '}') && p->tok.first_on_line)
			return;
		ptx_next(p);
	}
	ptx_accept(p, ';');
}

/* ---- the bag ---------------------------------------------------------------------------------------------- */

static void set_once(struct ptx_parser *p, struct ptx_instr *i, uint16_t *field, enum ptx_mod mod, const char *twice)
{
	if (*field != PTX_M_none && twice != NULL)
		ptx_error(p, i->pos, "%s", twice);
	*field = (uint16_t)mod;
}

/* `x2` is a count, which the rules of instructions with signatures check. */
static bool counts_registers(const struct ptx_instr *i, enum ptx_mod m)
{
	return (m == PTX_M_x2 || m == PTX_M_x4) && ptx_has_signatures(ptx_forms_of(i->op));
}

static void resolve_mod(struct ptx_parser *p, struct ptx_instr *i, enum ptx_mod m)
{
	bool compares = i->op == PTX_OP_set || i->op == PTX_OP_setp;
	switch (ptx_mod_kind(m)) {
	case PTX_MOD_OPERATION:
		set_once(p, i, &i->operation, m, NULL);
		break;
	case PTX_MOD_COMPARE:
		set_once(p, i, &i->cmp, m, "Multiple comparisons set");
		break;
	case PTX_MOD_HALF:
		if (compares)
			set_once(p, i, &i->cmp, m, "Multiple comparisons set");
		else
			i->half = (uint16_t)m;
		break;
	case PTX_MOD_ROUND:
		set_once(p, i, &i->round, m, "Multiple rounding modifiers specified");
		break;
	case PTX_MOD_ORDER:
		if (i->order != PTX_M_none)
			ptx_error(p, i->pos, "Duplicate .%s modifier", ptx_mod_name(m));
		i->order = (uint16_t)m;
		break;
	case PTX_MOD_SCOPE:
		set_once(p, i, &i->scope, m, "Multiple scope modifiers specified");
		break;
	case PTX_MOD_CACHE:
		set_once(p, i, &i->cache, m, NULL);
		break;
	case PTX_MOD_MODE:
		set_once(p, i, &i->mode, m, NULL);
		break;
	case PTX_MOD_CLAMP:
		set_once(p, i, &i->clamp, m, NULL);
		break;
	case PTX_MOD_VECTOR:
		if (counts_registers(i, m))
			break;
		if (i->vec != 1)
			ptx_error(p, i->pos, "Multiple vector modifiers specified");
		i->vec = m == PTX_M_v2 || m == PTX_M_x2 ? 2 : m == PTX_M_v4 || m == PTX_M_x4 ? 4 : 8;
		break;
	case PTX_MOD_SPECIAL:
		break;
	}
}

static void resolve(struct ptx_parser *p, struct ptx_instr *i, unsigned q)
{
	if (q & 0x8000) {
		if (i->ntypes < 4)
			i->type[i->ntypes] = (uint8_t)(q & 0xff);
		i->ntypes++;
	} else if (q & 0x4000) {
		if (i->nspaces < 2)
			i->space[i->nspaces] = (uint8_t)(q & 0xff);
		i->nspaces++;
	} else {
		resolve_mod(p, i, (enum ptx_mod)q);
	}
}

/* Words that are a part of the name: no other word may come between. If another word does: false, reported in the
 * words of the assembler. */
static bool stands_right(struct ptx_parser *p, const struct ptx_instr *i, enum ptx_mod m, unsigned at)
{
	const bool half = m == PTX_M_lo || m == PTX_M_hi || m == PTX_M_wide;
	switch (i->op) {
	case PTX_OP_mul:
	case PTX_OP_mad:
		if (at == 0 || !half)
			return true;
		if (m == PTX_M_wide)
			ptx_error(p, p->word_at[at], "Unknown modifier '.wide'");
		else
			ptx_error(p, i->pos, "Unexpected instruction types specified for '%s'",
			          ptx_op_name((enum ptx_op)i->op));
		return false;
	case PTX_OP_madc:
	case PTX_OP_mul24:
	case PTX_OP_mad24:
		if (at == 0 || !half)
			return true;
		ptx_error(p, i->pos, "Not a name of any known instruction: '%s'", ptx_op_name((enum ptx_op)i->op));
		return false;
	case PTX_OP_dp2a:
		if (at == 0 || !half)
			return true;
		ptx_error(p, i->pos, "'.hi/.lo' modifier required for instruction 'dp2a'");
		return false;
	case PTX_OP_shf:
		if (at == 0 || (m != PTX_M_l && m != PTX_M_r))
			return true;
		ptx_error(p, p->word_at[at], "Unknown modifier '.%s'", ptx_mod_name(m));
		return false;
	default:
		return true;
	}
}

/* Reported once, after the errors of single words. */
static void one_operation(struct ptx_parser *p, const struct ptx_instr *i, const uint16_t *mods)
{
	unsigned count = 0;
	for (unsigned n = 0; n < i->nmods; n++)
		count += !(mods[n] & 0xc000) && ptx_mod_kind((enum ptx_mod)mods[n]) == PTX_MOD_OPERATION;
	if (count > 1)
		ptx_error(p, i->pos, "Multiple instruction post-operation flags set");
}

static unsigned word_since(unsigned q)
{
	return q & 0x8000 ? ptx_types[q & 0xff].since : q & 0x4000 ? 0 : ptx_mod_since((enum ptx_mod)q);
}

/* Takes the words after the name. False, with a message: a word is unknown in PTX. */
static bool bag(struct ptx_parser *p, struct ptx_instr *i)
{
	uint16_t mods[MAX_QUALIFIERS];
	bool known = true;
	i->vec = 1;
	for (; p->tok.kind == TOK_DOT; ptx_next(p)) {
		unsigned q = ptx_words_find(PTX_WORD_QUALIFIER, p->tok.text, p->tok.len);
		if (q && word_since(q) > p->toolkit)
			q = 0; /* a word of a newer toolkit */
		if (q == 0) {
			i->mods = mods;
			if (!known || ptx_check_words(p, i))
				ptx_error(p, ptx_word_pos(i, ptx_here(p)), "Unknown modifier '.%.*s'",
				          (int)(p->tok.len > 200 ? 200 : p->tok.len), p->tok.text);
			known = false;
		} else if (i->nmods == MAX_QUALIFIERS) {
			ptx_error(p, i->pos, "more than %d modifiers", MAX_QUALIFIERS);
			i->nmods = 0; /* none are kept */
			return false;
		} else {
			p->word_at[i->nmods] = ptx_word_pos(i, ptx_here(p));
			known = known && ((q & 0xc000) || stands_right(p, i, (enum ptx_mod)q, i->nmods));
			mods[i->nmods++] = (uint16_t)q;
			resolve(p, i, q);
		}
	}
	if (!ptx_has_signatures(ptx_forms_of(i->op)))
		one_operation(p, i, mods);
	uint16_t *copy = arena_alloc(p->arena, i->nmods * sizeof *copy);
	memcpy(copy, mods, i->nmods * sizeof *copy);
	i->mods = copy;
	return known;
}

static bool operands(struct ptx_parser *p, struct ptx_instr *i)
{
	struct ptx_operand ops[MAX_OPERANDS];
	unsigned n = 0;
	if (i->op == PTX_OP_call)
		return ptx_call_operands(p, i);
	if (!ptx_is(p, ';')) {
		do {
			if (n == MAX_OPERANDS) {
				ptx_error(p, i->pos, "more than %d operands", MAX_OPERANDS);
				return false;
			}
			if (n && p->tok.kind == TOK_SINK) /* only the first operand may be a sink */
				return ptx_syntax_error(p);
			if (!ptx_operand(p, i, &ops[n], 0))
				return false;
			i->nops = (uint8_t)++n;
		} while (ptx_accept(p, ','));
	}
	i->ops = arena_alloc(p->arena, n * sizeof *i->ops);
	memcpy(i->ops, ops, n * sizeof *i->ops);
	return true;
}

/* Number of unknown symbol names. Each is an error, reported after the errors of the instruction. */
static uint32_t unknown_names(const struct ptx_instr *i)
{
	uint32_t count = 0;
	for (unsigned n = 0; n < i->nops; n++) {
		const struct ptx_operand *o = &i->ops[n];
		bool several = o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_LIST;
		count += o->kind == PTX_O_NONE;
		for (unsigned k = 0; several && k < o->count; k++)
			count += o->list[k].kind == PTX_O_NONE;
	}
	return count;
}

/* Characters of an instruction's name and modifiers in the source, 200 at most. */
static int spelled(const struct ptx_token *name, const char *end)
{
	const char *at = name->text;
	while (at < end && at < name->text + 200 && (isalnum((unsigned char)*at) || (*at && strchr("_.:", *at))))
		at++;
	return (int)(at - name->text);
}

static void keep(struct ptx_parser *p, const struct ptx_instr *i)
{
	struct ptx_instr *slot = ptx_push(p, &p->fn->instrs, &p->fn->ninstrs, &p->cap_instrs, sizeof *slot);
	*slot = *i;
}

static void not_modelled(struct ptx_parser *p, const struct ptx_instr *i, const struct ptx_token *name)
{
	if (p->o->passes_over)
		keep(p, i);
	else
		ptx_error(p, i->pos,
		          "Instruction '%.*s' is not modelled: only the scalar and synchronisation instructions are",
		          spelled(name, p->lex.end), name->text);
	skip_statement(p);
}

bool ptx_instruction(struct ptx_parser *p, uint32_t guard, bool negated)
{
	struct ptx_instr i = {.guard = guard, .guard_negated = negated, .pos = ptx_here(p), .loc = p->loc};
	struct ptx_token name = p->tok;
	uint32_t errors = p->m->nerrors;
	i.op = (uint16_t)instruction_name(p);
	bool no_name = i.op == PTX_OP_none || ptx_op_is_prefix((enum ptx_op)i.op);
	bool modelled = no_name || ptx_op_modelled((enum ptx_op)i.op);
	bool known = !modelled || bag(p, &i);
	if (no_name || !known)
		ptx_check_gates(p, &i, ptx_forms_of(PTX_OP_none));
	if (no_name) {
		ptx_error(p, i.pos, "Not a name of any known instruction: '%.*s'",
		          i.op ? 200 : (int)(name.len > 200 ? 200 : name.len),
		          i.op ? ptx_op_name((enum ptx_op)i.op) : name.text);
		skip_statement(p);
		return true;
	}
	if (!modelled) {
		not_modelled(p, &i, &name);
		return true;
	}
	ptx_hold(p);
	bool read = operands(p, &i);
	if (read && !ptx_is(p, ';'))
		read = ptx_syntax_expected(p, "',' or ';'");
	p->holding = false;
	if (!read) {
		ptx_release(p);
		return false;
	}
	ptx_next(p);
	if (known) /* after an unknown word, further errors may come from this word alone */
		ptx_check_instr(p, &i, p->m->nerrors == errors + unknown_names(&i));
	ptx_release(p);
	if (p->m->nerrors == errors)
		keep(p, &i);
	return true;
}
