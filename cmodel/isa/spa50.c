// SPDX-License-Identifier: Apache-2.0
/* spa50.c -- the SPA 5.0 dialect as sm_75 words, both ways. */
#include "warplock/spa50.h"

#include <assert.h>

#include "spa50_inst.h"

/* Bit 73 of the word tells .S32. The micro-operations of the compare forms do not name the bit, since the bit changes
 * nothing in a compare. The dialect has the bit all the same. */
enum { SIGNED_BIT = 73 - 64 };

static bool to_word(const struct spa50_inst *in, struct wl_word *out, const struct spa50_err *e)
{
	static const enum wl_uop uop[] = {[SPA50_CAS] = WL_UOP_ATOMS_CAS, [SPA50_CAST] = WL_UOP_ATOMS_CAST};
	bool compares = spa50_has_rc(in->op);
	struct wl_inst i = wl_inst_make(compares ? uop[in->op] : WL_UOP_ATOMS);
	i.guard = in->guard;
	i.rd = in->rd;
	i.ra = in->ra;
	i.rb = in->rb;
	i.rc = in->rc;
	i.op = compares ? 0 : (uint8_t)in->op;
	i.size = in->type == SPA50_U64 ? 8 : 4;
	i.off = (int32_t)((in->imm & 0xffffff) ^ 0x800000) - 0x800000;
	i.flags = (in->spin ? WL_F_SPIN : 0) | (in->type == SPA50_S32 && !compares ? WL_F_SIGNED : 0);
	i.sched = in->sched;
	const char *why;
	if (wl_encode(WL_SM75, &i, out, &why) != WL_OK)
		return spa50_refuse(e, "encoding: %s", why);
	if (in->type == SPA50_S32)
		out->hi |= UINT64_C(1) << SIGNED_BIT;
	return true;
}

static bool from_word(struct wl_word w, struct spa50_inst *out, const struct spa50_err *e)
{
	struct wl_inst i;
	if (wl_decode(WL_SM75, w, &i) != WL_OK)
		return spa50_refuse(e, "word: no instruction of sm_75 found, expected ATOMS");
	bool is_signed = w.hi >> SIGNED_BIT & 1;
	switch (i.uop) {
	case WL_UOP_ATOMS:
		out->op = (enum spa50_op)i.op;
		break;
	case WL_UOP_ATOMS_CAS:
		out->op = SPA50_CAS;
		break;
	case WL_UOP_ATOMS_CAST:
		out->op = SPA50_CAST;
		break;
	default:
		return spa50_refuse(e, "word: %s found, expected ATOMS, the dialect's one instruction",
		                    wl_uop_name(i.uop));
	}
	assert(i.op <= WL_ATOM_EXCH && i.size <= 8 && !i.guard_uniform); /* by the rows of sm_75 */
	if (is_signed && i.size == 8)
		return spa50_refuse(e, "type rule: both .S32 and .64 found, expected .U32, .S32 or .U64");
	if (i.ur != 255 || i.xn)
		return spa50_refuse(e, "address rule: %s found, expected [Ra + ImmS24] or [ImmU24]",
		                    i.xn ? "a scaled Ra" : "a uniform register");
	if (i.sched.reuse)
		return spa50_refuse(e, "word: reuse flags 0x%x found, expected 0, the dialect has no text for them",
		                    i.sched.reuse);
	out->type = i.size == 8 ? SPA50_U64 : is_signed ? SPA50_S32 : SPA50_U32;
	out->spin = i.flags & WL_F_SPIN;
	out->guard = i.guard;
	out->rd = i.rd;
	out->ra = i.ra;
	out->rb = i.rb;
	out->rc = spa50_has_rc(out->op) ? i.rc : WL_RZ;
	out->imm = i.ra == WL_RZ ? i.off & 0xffffff : i.off;
	out->sched = i.sched;
	return true;
}

enum wl_status wl_spa50_assemble(const char *text, struct wl_word *out, char *err, size_t errn)
{
	const struct spa50_err e = {err, errn};
	struct spa50_inst in;
	*out = (struct wl_word){0, 0};
	if (!spa50_parse(text, &in, &e))
		return WL_ERR_SYNTAX;
	if (!spa50_check(&in, &e))
		return WL_ERR_RANGE;
	return to_word(&in, out, &e) ? WL_OK : WL_ERR_UNKNOWN_INST;
}

int wl_spa50_print(struct wl_word word, char *buf, size_t n, char *err, size_t errn)
{
	const struct spa50_err e = {err, errn};
	struct spa50_inst in;
	struct wl_word back;
	if (n)
		buf[0] = 0;
	if (!from_word(word, &in, &e) || !spa50_check(&in, &e) || !to_word(&in, &back, &e))
		return -1;
	if (back.lo != word.lo || back.hi != word.hi) {
		char hex[33];
		wl_word_format(back, hex);
		spa50_refuse(&e, "word: bits that the dialect has no text for found, expected %s", hex);
		return -1;
	}
	return spa50_format(&in, buf, n);
}
