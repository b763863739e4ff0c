// SPDX-License-Identifier: Apache-2.0
/* select_multimem.c -- multimem.ld_reduce: a load that combines values of several devices. No model here has several
 * devices: a run ends by the name of the word.
 *
 * ptxas orders the load at the scope of the system, for every scope of the instruction. */
#include "address.h"
#include "select.h"
#include "vector.h"

#include <stdio.h>
#include <string.h>

/* Registers of the word, put down as text. */
enum { RESULT = 4, ADDRESS = 8, RESULT_WORDS = 4 };

/* Sums of more precision than the elements have: .acc::f32 of 16 bits, .acc::f16 of 8 bits. */
static bool is_precise(const struct ptx_instr *i)
{
	return ptx_has(i, PTX_M_acc__f32) || ptx_has(i, PTX_M_acc__f16);
}

static const char *operation(const struct ptx_instr *i)
{
	switch (i->operation) {
	case PTX_M_min:
		return "MIN";
	case PTX_M_max:
		return "MAX";
	case PTX_M_and:
		return "AND";
	case PTX_M_or:
		return "OR";
	case PTX_M_xor:
		return "XOR";
	default:
		return is_precise(i) ? "HPADD" : "ADD";
	}
}

/* The numbers of all elements side by side, as in the word: two of f16x2 are F16x4. */
static void name_format(const struct ptx_instr *i, unsigned bits, char *text, size_t size)
{
	static const struct {
		const char *start, *name;
		unsigned bits;
	} floats[] = {{"bf16", "BF16", 16}, {"f16", "F16", 16},  {"f32", "F32", 32},
	              {"f64", "F64", 64},   {"e4m3", "E4M3", 8}, {"e5m2", "E5M2", 8}};
	const char *type = ptx_types[i->type[0]].name;
	for (unsigned k = 0; k < sizeof floats / sizeof *floats; k++)
		if (strncmp(type, floats[k].start, strlen(floats[k].start)) == 0) {
			const unsigned n = bits / floats[k].bits;
			if (n == 1)
				snprintf(text, size, "%s.RN", floats[k].name);
			else
				snprintf(text, size, "%sx%u.RN", floats[k].name, n);
			return;
		}
	snprintf(text, size, "%s%u", type_signed(i->type[0]) ? "S" : "", bits);
}

static void put_elements(struct select *s, ref v, unsigned n, unsigned bytes)
{
	const struct ptx_operand *d = &s->i->ops[0];
	const bool vector = d->kind == PTX_O_VECTOR;
	for (unsigned k = 0; k < n; k++) {
		const struct ptx_operand *o = vector ? &d->list[k] : d;
		const ref e = bytes < 4 ? vector_element(s, v, k, bytes, false) : v + k * bytes / 4;
		if (o->kind == PTX_O_REG && bytes == 8)
			select_mov64(s, select_operand_reg(s, o), val_reg(e));
		else if (o->kind == PTX_O_REG)
			select_mov(s, select_operand_reg(s, o), val_reg(e));
	}
}

static void emit(struct select *s, const char *text, ref address, ref result, unsigned words)
{
	struct mcall *registers = arena_zalloc(s->f->arena, sizeof *registers);
	struct minst in = minst_make(WL_UOP_NOP, s->line);
	for (unsigned w = 0; w < 2; w++) {
		registers->use[registers->nuses++] = mfunc_fixed(s->f, ADDRESS + w);
		select_mov(s, mfunc_fixed(s->f, ADDRESS + w), val_reg(address + w));
	}
	for (unsigned w = 0; w < RESULT_WORDS; w++)
		registers->def[registers->ndefs++] = mfunc_fixed(s->f, RESULT + w);
	if (!select_word(s, &in, text))
		return;
	in.call = registers;
	select_emit(s, &in);
	for (unsigned w = 0; w < words; w++)
		select_mov(s, result + w, val_reg(mfunc_fixed(s->f, RESULT + w)));
}

bool select_multimem(struct select *s)
{
	const struct ptx_instr *i = s->i;
	struct mblock *behind = select_guard_around(s);
	const unsigned n = i->vec > 1 ? i->vec : 1, each = type_bits(i->type[0]) / 8, bytes = n * each;
	const unsigned words = bytes < 4 ? 1 : bytes / 4;
	char format[24], text[96];
	struct address a;
	struct minst in;
	ref at = select_tmp(s, 2), v = select_tmp(s, words > 2 ? 4 : words);
	if (!select_address(s, &i->ops[1], PTX_SP_global, &a) || words > RESULT_WORDS)
		return a.base != REF_NONE;
	select_add64(s, at, val_reg(a.base), val_imm((uint64_t)a.off), false);
	name_format(i, 8 * bytes, format, sizeof format);
	snprintf(text, sizeof text, "LDGMC.E.%s.%s.STRONG.SYS R%u, [R%u.64+URZ]", operation(i), format, RESULT,
	         ADDRESS);
	emit(s, text, at, v, words);
	put_elements(s, v, n, each);
	if (i->order == PTX_M_acquire) {
		in = minst_make(WL_UOP_CCTL_IVALL, s->line);
		select_emit(s, &in);
	}
	if (behind)
		select_fall(s, behind);
	return true;
}
