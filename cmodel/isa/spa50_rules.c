// SPDX-License-Identifier: Apache-2.0
/* spa50_rules.c -- rules of the SPA 5.0 dialect: types of operations, registers, addresses, scheduling. */
#include <stdarg.h>
#include <stdio.h>

#include "spa50_inst.h"

const char *const spa50_op_name[SPA50_OPS] = {"ADD", "MIN", "MAX",  "INC", "DEC", "AND",
                                              "OR",  "XOR", "EXCH", "CAS", "CAST"};
const char *const spa50_type_name[SPA50_TYPES] = {"U32", "S32", "U64"};

/* The table of supported operations: bit t = type t is supported. */
enum { U = 1u << SPA50_U32, S = 1u << SPA50_S32, L = 1u << SPA50_U64 };
static const unsigned char types[SPA50_OPS] = {
        [WL_ATOM_ADD] = U | S,      [WL_ATOM_MIN] = U | S,   [WL_ATOM_MAX] = U | S,    [WL_ATOM_INC] = U,
        [WL_ATOM_DEC] = U,          [WL_ATOM_AND] = U | S,   [WL_ATOM_OR] = U | S,     [WL_ATOM_XOR] = U | S,
        [WL_ATOM_EXCH] = U | S | L, [SPA50_CAS] = U | S | L, [SPA50_CAST] = U | S | L,
};

bool spa50_refuse(const struct spa50_err *e, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (e->n)
		vsnprintf(e->buf, e->n, format, args);
	va_end(args);
	return false;
}

struct spa50_reg_name spa50_reg_name(unsigned reg)
{
	struct spa50_reg_name r;
	if (reg == WL_RZ)
		snprintf(r.text, sizeof r.text, "RZ");
	else
		snprintf(r.text, sizeof r.text, "R%u", reg & 0xff);
	return r;
}

static bool check_type(const struct spa50_inst *in, const struct spa50_err *e)
{
	unsigned allowed = types[in->op];
	if (allowed >> in->type & 1)
		return true;
	return spa50_refuse(e, "type rule: ATOMS.%s of .%s found, expected %s%s%s", spa50_op_name[in->op],
	                    spa50_type_name[in->type], allowed & U ? ".U32" : "", allowed & S ? " or .S32" : "",
	                    allowed & L ? " or .U64" : "");
}

/* {Rb, Rc} is a naturally aligned group of registers: two of 32 or two of 64 bits. */
static bool check_pair(const struct spa50_inst *in, const struct spa50_err *e)
{
	unsigned width = in->type == SPA50_U64 ? 2 : 1, rc = in->rb + width;
	const char *op = spa50_op_name[in->op];
	unsigned bits = 32 * width;
	if (in->rb == WL_RZ)
		return spa50_refuse(e, "register pairing rule: Rb of the %u-bit ATOMS.%s is RZ, expected %s register",
		                    bits, op, width == 2 ? "a multiple-of-4" : "an even");
	if (in->rb % (2 * width))
		return spa50_refuse(e, "register pairing rule: Rb of the %u-bit ATOMS.%s is R%u, expected %s register",
		                    bits, op, in->rb, width == 2 ? "a multiple-of-4" : "an even");
	if (in->rc == WL_RZ || in->rc == rc)
		return true;
	return spa50_refuse(e, "register pairing rule: Rc of the %u-bit ATOMS.%s is R%u, expected %s (Rb + %u) or RZ",
	                    bits, op, in->rc, spa50_reg_name(rc).text, width);
}

static bool check_address(const struct spa50_inst *in, const struct spa50_err *e)
{
	const int64_t window = 0x1000000;
	long long imm = in->imm;
	if (in->ra != WL_RZ && (imm < -window / 2 || imm >= window / 2))
		return spa50_refuse(e,
		                    "offset range rule: %lld beside R%u found, expected ImmS24, -0x800000 to 0x7ffffc",
		                    imm, in->ra);
	if (in->ra == WL_RZ && imm < 0)
		return spa50_refuse(e,
		                    "offset sign rule: %lld without a register found, expected ImmU24, 0 to 0xfffffc "
		                    "(zero-extended)",
		                    imm);
	if (in->ra == WL_RZ && imm >= window)
		return spa50_refuse(e, "16 MB window rule: address 0x%llx found, expected ImmU24, 0 to 0xfffffc",
		                    (unsigned long long)imm);
	if (imm & 3)
		return spa50_refuse(e,
		                    "offset alignment rule: %s%lld found, expected a multiple of 4 (low 2 bits zero)",
		                    in->ra == WL_RZ ? "address " : "offset ", imm);
	int bytes = in->type == SPA50_U64 ? 8 : 4;
	if (in->ra == WL_RZ && imm + bytes > window)
		return spa50_refuse(e,
		                    "16 MB window rule: %d bytes at 0x%llx found, expected an access that ends within "
		                    "0x1000000",
		                    bytes, (unsigned long long)imm);
	return true;
}

static bool check_scoreboard(const char *what, unsigned n, const struct spa50_err *e)
{
	if (n < SPA50_SCOREBOARDS || n == SPA50_NO_SCOREBOARD)
		return true;
	return spa50_refuse(e, "scoreboard rule: &%s%u found, expected 0 to 5", what, n);
}

bool spa50_check(const struct spa50_inst *in, const struct spa50_err *e)
{
	if (in->spin && in->op != SPA50_CAST)
		return spa50_refuse(e, "modifier rule: .SPIN of ATOMS.%s found, expected only of ATOMS.CAST",
		                    spa50_op_name[in->op]);
	return check_type(in, e) && (!spa50_has_rc(in->op) || check_pair(in, e)) && check_address(in, e) &&
	       check_scoreboard("rd", in->sched.rdbar, e) && check_scoreboard("wr", in->sched.wrbar, e);
}
