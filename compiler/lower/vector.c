// SPDX-License-Identifier: Apache-2.0
/* vector.c -- small elements of a vector in a row of registers, as in memory. */
#include "vector.h"

enum { TWO_HALVES = 0x5410, TWO_BYTES = 0x7740 };

static ref permute(struct select *s, struct val a, uint32_t choice, struct val c)
{
	struct minst in = select_alu(s, WL_UOP_PRMT, select_tmp(s, 1), val_reg(select_in_reg(s, a, 32)),
	                             val_imm(choice), val_reg(select_in_reg(s, c, 32)));
	select_emit(s, &in);
	return in.rd;
}

/* Two elements of up to 2 bytes side by side. */
static ref side_by_side(struct select *s, const struct ptx_operand *o, unsigned bytes)
{
	return permute(s, select_operand(s, &o[0], 8 * bytes), bytes == 1 ? TWO_BYTES : TWO_HALVES,
	               select_operand(s, &o[1], 8 * bytes));
}

ref vector_pack(struct select *s, const struct ptx_operand *list, unsigned n, unsigned bytes)
{
	unsigned words = (n * bytes + 3) / 4;
	ref v = select_tmp(s, words);
	for (unsigned k = 0; bytes >= 4 && k < n; k++) {
		struct val x = select_operand(s, &list[k], 8 * bytes);
		for (unsigned w = 0; w < bytes / 4; w++)
			select_mov(s, v + k * bytes / 4 + w, val_word(x, w));
	}
	for (unsigned w = 0; bytes < 4 && w < words; w++) {
		const struct ptx_operand *o = &list[w * 4 / bytes];
		ref low = side_by_side(s, o, bytes);
		if (bytes == 1 && n > 2)
			low = permute(s, val_reg(low), TWO_HALVES, val_reg(side_by_side(s, o + 2, bytes)));
		select_mov(s, v + w, val_reg(low));
	}
	return v;
}

ref vector_element(struct select *s, ref v, unsigned k, unsigned bytes, bool sign)
{
	unsigned from = k * bytes % 4, top = from + bytes - 1;
	uint32_t fill = sign ? top | 8 : 4; /* the sign, or a byte of C: zero */
	if (bytes >= 4)
		return v + k * bytes / 4;
	return permute(s, val_reg(v + k * bytes / 4),
	               bytes == 1 ? from | fill * 0x1110 : from | top << 4 | fill * 0x1100, VAL_ZERO);
}
