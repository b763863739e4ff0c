// SPDX-License-Identifier: Apache-2.0
/* spa50_parse.c -- text of the SPA 5.0 dialect to an instruction. */
#include <string.h>

#include "spa50_inst.h"

struct text {
	const char *at;
	const struct spa50_err *e;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_word(char c)
{
	return is_digit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static void blanks(struct text *t)
{
	t->at += strspn(t->at, " \t\r");
}

static bool eat(struct text *t, char c)
{
	blanks(t);
	if (*t->at != c)
		return false;
	t->at++;
	return true;
}

bool spa50_parse_number(const char **at, int64_t *value)
{
	const int64_t most = INT64_C(1) << 48;
	const char *p = *at;
	int base = 10;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	int digit = hex_digit(*p);
	if (digit < 0 || digit >= base)
		return false;
	for (*value = 0; digit >= 0 && digit < base; digit = hex_digit(*++p))
		*value = *value < most ? *value * base + digit : most;
	if (is_word(*p))
		return false;
	*at = p;
	return true;
}

/* The rest of the text, for a message. */
static const char *rest(const struct text *t)
{
	return *t->at ? t->at : "the end";
}

/* "R7" or "RZ". */
static bool reg(struct text *t, const char *what, uint8_t *n)
{
	blanks(t);
	const char *p = t->at + 1;
	int64_t value;
	if (t->at[0] == 'R' && t->at[1] == 'Z' && !is_word(t->at[2])) {
		*n = WL_RZ;
		t->at += 2;
		return true;
	}
	if (t->at[0] != 'R' || !is_digit(*p) || !strncmp(p, "0x", 2) || !spa50_parse_number(&p, &value) ||
	    value >= WL_NUM_REGS)
		return spa50_refuse(t->e, "register rule: \"%.24s\" found for %s, expected R0 to R254 or RZ", rest(t),
		                    what);
	*n = (uint8_t)value;
	t->at = p;
	return true;
}

static bool comma(struct text *t, const char *before)
{
	if (eat(t, ','))
		return true;
	return spa50_refuse(t->e, "syntax: \"%.24s\" found, expected a comma and %s", rest(t), before);
}

/* {@{!}Pg} */
static bool guard(struct text *t, uint8_t *g)
{
	*g = WL_PT;
	if (!eat(t, '@'))
		return true;
	unsigned no = eat(t, '!') ? 8 : 0;
	blanks(t);
	const char *p = t->at;
	bool numbered = p[0] == 'P' && p[1] >= '0' && p[1] <= '6' && !is_word(p[2]);
	if (!numbered && (p[0] != 'P' || p[1] != 'T' || is_word(p[2])))
		return spa50_refuse(t->e, "guard rule: \"%.24s\" after @ found, expected {!}P0 to P6 or PT", rest(t));
	*g = (uint8_t)((numbered ? p[1] - '0' : WL_PT) + no);
	t->at += 2;
	return true;
}

/* Does the text go on with .WORD? */
static bool suffix(struct text *t, const char *word)
{
	size_t n = strlen(word);
	if (t->at[0] != '.' || strncmp(t->at + 1, word, n) || is_word(t->at[1 + n]))
		return false;
	t->at += 1 + n;
	return true;
}

static bool mnemonic(struct text *t, struct spa50_inst *in)
{
	static const struct {
		const char *name;
		enum spa50_type type;
	} alias[] = {{"U32", SPA50_U32}, {"S32", SPA50_S32}, {"U64", SPA50_U64}, {"32", SPA50_U32}, {"64", SPA50_U64}};
	blanks(t);
	if (strncmp(t->at, "ATOMS", 5) || is_word(t->at[5]))
		return spa50_refuse(t->e, "syntax: \"%.24s\" found, expected ATOMS, the dialect's one instruction",
		                    rest(t));
	t->at += 5;
	unsigned op = 0;
	while (op < SPA50_OPS && !suffix(t, spa50_op_name[op]))
		op++;
	if (op == SPA50_OPS)
		return spa50_refuse(t->e,
		                    "operation rule: \"%.24s\" after ATOMS found, expected .ADD .MIN .MAX .INC .DEC "
		                    ".AND .OR .XOR .EXCH .CAS or .CAST",
		                    rest(t));
	in->op = (enum spa50_op)op;
	in->spin = suffix(t, "SPIN");
	in->type = SPA50_U32;
	for (unsigned i = 0; i < sizeof alias / sizeof alias[0]; i++) {
		if (suffix(t, alias[i].name)) {
			in->type = alias[i].type;
			break;
		}
	}
	if (*t->at == '.' || is_word(*t->at))
		return spa50_refuse(
		        t->e, "modifier rule: \"%.24s\" after ATOMS.%s found, expected {%s.U32|.S32|.U64|.32|.64}",
		        t->at, spa50_op_name[op], op == SPA50_CAST ? ".SPIN} {" : "");
	return true;
}

static bool number(struct text *t, int64_t *value)
{
	bool minus = eat(t, '-');
	blanks(t);
	if (!spa50_parse_number(&t->at, value))
		return spa50_refuse(t->e, "syntax: \"%.24s\" found, expected a decimal or 0x hexadecimal offset",
		                    rest(t));
	*value = minus ? -*value : *value;
	return true;
}

/* [Ra + ImmS24], [Ra - ImmS24], [Ra] for [Ra + 0], or [ImmU24]. */
static bool address(struct text *t, struct spa50_inst *in)
{
	if (!eat(t, '['))
		return spa50_refuse(t->e, "syntax: \"%.24s\" found, expected [Ra + ImmS24] or [ImmU24]", rest(t));
	blanks(t);
	in->ra = WL_RZ;
	in->imm = 0;
	if (*t->at == 'R') {
		if (!reg(t, "Ra", &in->ra))
			return false;
		if (eat(t, ']'))
			return true;
		bool plus = eat(t, '+');
		if (!plus && *t->at != '-')
			return spa50_refuse(t->e, "syntax: \"%.24s\" after Ra found, expected + ImmS24, - ImmS24 or ]",
			                    rest(t));
	}
	if (!number(t, &in->imm))
		return false;
	if (eat(t, ']'))
		return true;
	return spa50_refuse(t->e, "syntax: \"%.24s\" after the offset found, expected ]", rest(t));
}

static bool operands(struct text *t, struct spa50_inst *in)
{
	in->rc = WL_RZ;
	if (!reg(t, "Rd", &in->rd) || !comma(t, "[address]") || !address(t, in) || !comma(t, "Rb") ||
	    !reg(t, "Rb", &in->rb))
		return false;
	if (spa50_has_rc(in->op))
		return comma(t, "Rc") && reg(t, "Rc", &in->rc);
	if (eat(t, ','))
		return spa50_refuse(t->e, "operand rule: \"%.24s\" after Rb found, expected no Rc with ATOMS.%s",
		                    rest(t), spa50_op_name[in->op]);
	return true;
}

bool spa50_parse(const char *line, struct spa50_inst *in, const struct spa50_err *e)
{
	struct text t = {line, e};
	if (!guard(&t, &in->guard) || !mnemonic(&t, in) || !operands(&t, in) ||
	    !spa50_parse_sched(&t.at, &in->sched, e))
		return false;
	bool closed = eat(&t, ';');
	blanks(&t);
	if (!*t.at || *t.at == '#' || !strncmp(t.at, "//", 2))
		return true;
	return spa50_refuse(e,
	                    closed ? "syntax: \"%.24s\" after ; found, expected one instruction a line"
	                           : "syntax: \"%.24s\" found, expected &req, &rd, &wr, ?sched or ;",
	                    t.at);
}
