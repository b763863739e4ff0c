// SPDX-License-Identifier: Apache-2.0
#include "sync_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rtl_units.h"

#define KIND(name) RTL_atoms_pipe_##name

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* A word after LDSM or STSM: elements of 16 bits, in matrices of 8 x 8; the number of matrices. */
static bool matrix_modifier(struct sync_decoded *d, const char *m, size_t n)
{
	if (n == 4 && starts(m, "MT88"))
		d->type = 1;
	else if (n == 1 && *m == '2')
		d->matrices = 3;
	else if (n == 1 && *m == '4')
		d->matrices = 15;
	else
		return (n == 2 && starts(m, "16")) || (n == 3 && starts(m, "M88"));
	return true;
}

/* A word after the mnemonic's name. False for another unit's instruction. */
static bool modifier(struct sync_decoded *d, const char *m, size_t n, bool *s32, bool *dead)
{
	static const char *const ops[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};
	static const struct {
		const char *name;
		uint32_t size, is_signed;
	} sizes[] = {{"U8", 0, 0}, {"S8", 0, 1}, {"U16", 1, 0}, {"S16", 1, 1},
	             {"32", 2, 0}, {"64", 3, 0}, {"128", 4, 0}};
	char word[12];
	if (n >= sizeof word)
		return false;
	memcpy(word, m, n);
	word[n] = 0;
	for (uint32_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
		if (strcmp(word, ops[i]) == 0 && d->op != SYNC_OP_POPC_INC) {
			d->op = i;
			return true;
		}
	for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (strcmp(word, sizes[i].name) == 0) {
			d->size = sizes[i].size;
			d->is_signed = sizes[i].is_signed;
			return true;
		}
	if (strcmp(word, "S32") == 0)
		*s32 = true;
	else if (strcmp(word, "ZD") == 0)
		*dead = true;
	else if (strcmp(word, "CAS") == 0)
		d->kind = KIND(ATOMS_CAS);
	else if (strcmp(word, "CAST") == 0)
		d->kind = KIND(ATOMS_CAST);
	else if (strcmp(word, "SPIN") == 0)
		d->spin = 1;
	else if (strcmp(word, "POPC") == 0)
		d->op = SYNC_OP_POPC_INC; /* INC follows */
	else
		return strcmp(word, "U") == 0 || (strcmp(word, "INC") == 0 && d->op == SYNC_OP_POPC_INC);
	return true;
}

/* "[R4.X8+UR6+-0x10]", from behind the bracket. */
static void address(struct sync_decoded *d, const char *p)
{
	for (; *p && *p != ']'; p += *p == '+') {
		const size_t n = strcspn(p, "+]");
		const char *const scale = memchr(p, '.', n);
		if (starts(p, "UR")) {
			d->ur_used = !starts(p, "URZ");
		} else if (*p == 'R') {
			d->ra_used = !starts(p, "RZ");
			if (scale && d->ra_used)
				d->scale = starts(scale, ".X16")  ? 4
				           : starts(scale, ".X8") ? 3
				           : starts(scale, ".X4") ? 2
				                                  : 0;
		} else {
			d->offset = (uint32_t)strtol(p, NULL, 16) & 0xffffff;
		}
		p += n;
	}
}

/* ", R4, R6", from behind the address. */
static void operands(struct sync_decoded *d, const char *p)
{
	uint32_t *const used[] = {&d->rb_used, &d->rc_used};
	for (unsigned i = 0; i < 2 && (p = strstr(p, ", ")) != NULL; i++) {
		p += 2;
		*used[i] = *p == 'R' && !starts(p, "RZ");
	}
}

struct sync_decoded sync_text_read(const char *text)
{
	struct sync_decoded none = {0};
	struct sync_decoded d = {.known = 1, .size = 2};
	bool s32 = false, dead = false;
	if (*text == '@')
		text += strcspn(text, " ") + 1;
	size_t n = strcspn(text, ". ");
	if (n == 3 && starts(text, "LDS"))
		d.kind = KIND(LDS);
	else if (n == 3 && starts(text, "STS"))
		d.kind = KIND(STS);
	else if (n == 4 && starts(text, "LDSM"))
		d.kind = KIND(LDSM);
	else if (n == 4 && starts(text, "STSM"))
		d.kind = KIND(STSM);
	else if (n == 5 && starts(text, "ATOMS"))
		d.kind = KIND(ATOMS);
	else {
		none.ends = none.header = starts(text, "EXIT") && text[4] != '.';
		return none;
	}
	const bool matrix = d.kind == KIND(LDSM) || d.kind == KIND(STSM);
	if (matrix) {
		d.size = 4; /* a row */
		d.matrices = 1;
	}
	for (text += n; *text == '.'; text += n) {
		text++;
		n = strcspn(text, ". ");
		if (!(matrix ? matrix_modifier(&d, text, n) : modifier(&d, text, n, &s32, &dead)))
			return none;
	}
	const char *bracket = strchr(text, '[');
	if (!bracket)
		return none;
	address(&d, bracket + 1);
	operands(&d, bracket + strcspn(bracket, "]"));
	if (d.kind != KIND(STS) && d.kind != KIND(STSM)) { /* the last operand before the address */
		const char *reg = text;
		for (const char *p = text; p < bracket; p++)
			if (*p == 'R' && p[-1] == ' ')
				reg = p;
		d.rd_used = *reg == 'R' && !starts(reg, "RZ");
		d.pd_used = starts(text, " P") && !starts(text, " PT");
		if (d.kind == KIND(ATOMS_CAST) && starts(text, " P")) { /* a predicate as result */
			d.kind = KIND(ATOMS_CAST_P);
			d.rd_used = 0;
		}
	}
	d.is_signed = d.is_signed || (d.kind == KIND(ATOMS) && s32);
	/* 64 bits only for exchange and compare-and-swap; no sign with 64 bits, INC, DEC; .ZD never */
	d.illegal = dead || (s32 && d.size == 3) ||
	            (d.kind == KIND(ATOMS) && ((d.size == 3 && d.op != 8) || (s32 && (d.op == 3 || d.op == 4))));
	return d;
}
