// SPDX-License-Identifier: Apache-2.0
/* isa_spec_test -- the meaning of synchronisation words, against a table written by hand.
 *
 * The test composes words bit by bit from the published field positions (operation of ATOMS in bits 90:87, size in
 * 75:73, scale in 79:78, registers in 23:16, 31:24, 39:32, 71:64, offset in 63:40, uniform register in 69:64 or 37:32),
 * not from the encoding tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "warplock/isa.h"

static void put(struct wl_word *w, unsigned lo, unsigned len, uint64_t v)
{
	for (unsigned i = 0; i < len; i++) {
		uint64_t *half = lo + i < 64 ? &w->lo : &w->hi;
		unsigned b = (lo + i) % 64;
		*half = (*half & ~(UINT64_C(1) << b)) | (v >> i & 1) << b;
	}
}

/* opcode with bit 91 as bit 12, guard always, no scoreboards */
static struct wl_word word(unsigned opcode)
{
	struct wl_word w = {0, 0};
	put(&w, 0, 12, opcode & 0xfff);
	put(&w, 91, 1, opcode >> 12);
	put(&w, 12, 4, 7);
	put(&w, 105, 21, 0x7ef);
	return w;
}

static struct wl_inst decode(struct wl_word w)
{
	struct wl_inst in;
	assert_int_equal(wl_decode(WL_SM75, w, &in), WL_OK);
	return in;
}

static struct wl_word atoms(unsigned op, unsigned size_field)
{
	struct wl_word w = word(0x38c);
	put(&w, 16, 8, 11);
	put(&w, 24, 8, 22);
	put(&w, 32, 8, 33);
	put(&w, 40, 24, 0xfffff0);
	put(&w, 64, 8, 255);
	put(&w, 73, 2, size_field);
	put(&w, 87, 4, op);
	return w;
}

/* legal: 32 bits all nine; .S32 not INC, DEC; .64 EXCH alone; .S32 with .64 never */
static void atoms_operations(void **state)
{
	(void)state;
	for (unsigned op = 0; op < 9; op++)
		for (unsigned size = 0; size < 4; size++) {
			bool s32 = size & 1, b64 = size >> 1;
			bool legal = !(s32 && b64) && !(b64 && op != 8) && !(s32 && (op == 3 || op == 4));
			struct wl_inst in = decode(atoms(op, size));
			assert_int_equal(in.uop, WL_UOP_ATOMS);
			assert_int_equal(in.op, op);
			assert_int_equal(!(in.flags & WL_F_ILLEGAL), legal);
			assert_int_equal((in.flags & WL_F_SIGNED) != 0, s32);
			assert_int_equal(in.size, b64 ? 8 : 4);
			assert_int_equal(in.rd, 11);
			assert_int_equal(in.ra, 22);
			assert_int_equal(in.rb, 33);
			assert_int_equal(in.rc, 255);
			assert_int_equal(in.ur, 255);
			assert_int_equal(in.off, -16);
			assert_int_equal(in.guard, 7);
		}
	for (unsigned op = 9; op < 16; op++) {
		struct wl_inst in;
		assert_int_equal(wl_decode(WL_SM75, atoms(op, 0), &in), WL_ERR_UNKNOWN_WORD);
	}
}

/* 88:87: 0 and 2 CAS, 1 CAST, 3 CAST.SPIN; .S32 with .64 means nothing */
static void atoms_cas(void **state)
{
	(void)state;
	for (unsigned mode = 0; mode < 4; mode++)
		for (unsigned size = 0; size < 4; size++) {
			struct wl_word w = word(0x38d);
			put(&w, 16, 8, 1);
			put(&w, 24, 8, 2);
			put(&w, 32, 8, 3);
			put(&w, 64, 8, 4);
			put(&w, 40, 24, 0x40);
			put(&w, 73, 2, size);
			put(&w, 87, 2, mode);
			struct wl_inst in = decode(w);
			assert_int_equal(in.uop, mode & 1 ? WL_UOP_ATOMS_CAST : WL_UOP_ATOMS_CAS);
			assert_int_equal((in.flags & WL_F_SPIN) != 0, mode == 3);
			assert_int_equal((in.flags & WL_F_ILLEGAL) != 0, size == 3);
			assert_int_equal(in.size, size & 2 ? 8 : 4);
			assert_int_equal(in.rd, 1);
			assert_int_equal(in.ra, 2);
			assert_int_equal(in.rb, 3);
			assert_int_equal(in.rc, 4);
			assert_int_equal(in.off, 0x40);
		}
}

static const struct {
	uint8_t size;
	bool is_signed;
} widths[] = {{1, false}, {1, true}, {2, false}, {2, true}, {4, false}, {8, false}, {16, false}};

static void loads_and_stores(void **state)
{
	(void)state;
	static const uint8_t shift[] = {0, 2, 3, 4};
	for (unsigned width = 0; width < 8; width++)
		for (unsigned scale = 0; scale < 4; scale++) {
			struct wl_word lds = word(0x984), sts = word(0x388);
			struct wl_inst in;
			put(&lds, 16, 8, 9);
			put(&lds, 24, 8, 8);
			put(&lds, 73, 3, width);
			put(&lds, 78, 2, scale);
			put(&sts, 24, 8, 8);
			put(&sts, 32, 8, 7);
			put(&sts, 73, 3, width);
			put(&sts, 78, 2, scale);
			if (width == 7) {
				assert_int_equal(wl_decode(WL_SM75, lds, &in), WL_ERR_UNKNOWN_WORD);
				assert_int_equal(wl_decode(WL_SM75, sts, &in), WL_ERR_UNKNOWN_WORD);
				continue;
			}
			in = decode(lds);
			assert_int_equal(in.uop, WL_UOP_LDS);
			assert_int_equal(in.size, widths[width].size);
			assert_int_equal((in.flags & WL_F_SIGNED) != 0, widths[width].is_signed);
			assert_int_equal(in.xn, shift[scale]);
			assert_int_equal(in.rd, 9);
			assert_int_equal(in.flags & WL_F_ILLEGAL, 0);
			put(&lds, 87, 1, 1); /* .ZD */
			assert_true(decode(lds).flags & WL_F_ILLEGAL);
			in = decode(sts);
			assert_int_equal(in.uop, WL_UOP_STS);
			assert_int_equal(in.size, widths[width].size);
			assert_int_equal(in.xn, shift[scale]);
			assert_int_equal(in.rb, 7);
			assert_int_equal(in.rd, 255);
		}
}

/* Uniform register of an address: 69:64, for loads 37:32; 63 is URZ. */
static void uniform_addresses(void **state)
{
	(void)state;
	static const struct {
		unsigned opcode, lo;
		enum wl_uop uop;
	} forms[] = {{0x198c, 64, WL_UOP_ATOMS}, {0x1988, 64, WL_UOP_STS}, {0x1984, 32, WL_UOP_LDS}};
	for (unsigned i = 0; i < 3; i++) {
		struct wl_word w = word(forms[i].opcode);
		put(&w, 73, 3, forms[i].opcode == 0x198c ? 0 : 4);
		put(&w, forms[i].lo, 6, 5);
		assert_int_equal(decode(w).uop, forms[i].uop);
		assert_int_equal(decode(w).ur, 5);
		put(&w, forms[i].lo, 6, 63);
		assert_int_equal(decode(w).ur, 255);
	}
}

static void barriers_and_fences(void **state)
{
	(void)state;
	struct wl_word w = word(0xb1d); /* BAR.ARV 0x3, 0x40: mode 79:77, id 57:54, count 53:42 */
	put(&w, 77, 3, 1);
	put(&w, 54, 4, 3);
	put(&w, 42, 12, 0x40);
	struct wl_inst in = decode(w);
	assert_int_equal(in.uop, WL_UOP_BAR);
	assert_int_equal(in.op, WL_BAR_ARV);
	assert_int_equal(in.src[0], WL_SRC_IMM);
	assert_int_equal(in.imm, 3);
	assert_int_equal(in.src[1], WL_SRC_IMM);
	assert_int_equal(in.imm2, 0x40);
	put(&w, 77, 3, 0);
	put(&w, 42, 12, 0);
	in = decode(w);
	assert_int_equal(in.op, WL_BAR_SYNC);
	assert_int_equal(in.imm2, 0);

	static const enum wl_scope scopes[] = {WL_SCOPE_CTA, WL_SCOPE_SM, WL_SCOPE_GPU, WL_SCOPE_SYS};
	for (unsigned op = 0; op < 2; op++)
		for (unsigned scope = 0; scope < 4; scope++) { /* MEMBAR: 80:79 SC ALL, 78:76 CTA SM GPU SYS */
			w = word(0x992);
			put(&w, 79, 2, op);
			put(&w, 76, 3, scope);
			in = decode(w);
			assert_int_equal(in.uop, WL_UOP_MEMBAR);
			assert_int_equal(in.op, op);
			assert_int_equal(in.scope, scopes[scope]);
		}
}

static void votes_and_shuffles(void **state)
{
	(void)state;
	struct wl_word w = word(0x806); /* VOTE.ANY R4, PT, !P2 */
	put(&w, 16, 8, 4);
	put(&w, 72, 2, 1);
	put(&w, 81, 3, 7);
	put(&w, 87, 4, 8 | 2);
	struct wl_inst in = decode(w);
	assert_int_equal(in.uop, WL_UOP_VOTE);
	assert_int_equal(in.op, WL_VOTE_ANY);
	assert_int_equal(in.rd, 4);
	assert_int_equal(in.ps[0], 8 | 2);
	assert_int_equal(in.pd[0], 7);

	w = word(0xf89); /* SHFL.BFLY P1, R2, R3, 0x10, 0x1f: lane 57:53, clamp 52:40, mode 59:58 */
	put(&w, 81, 3, 1);
	put(&w, 16, 8, 2);
	put(&w, 24, 8, 3);
	put(&w, 53, 5, 0x10);
	put(&w, 40, 13, 0x1f);
	put(&w, 58, 2, 3);
	in = decode(w);
	assert_int_equal(in.uop, WL_UOP_SHFL);
	assert_int_equal(in.op, WL_SHFL_BFLY);
	assert_int_equal(in.ra, 3);
	assert_int_equal(in.src[1], WL_SRC_IMM);
	assert_int_equal(in.imm, 0x10);
	assert_int_equal(in.src[2], WL_SRC_IMM);
	assert_int_equal(in.imm2, 0x1f);
	assert_int_equal(in.pd[0], 1);
}

static void scheduling(void **state)
{
	(void)state;
	struct wl_word w = word(0x918);
	put(&w, 105, 4, 9);
	put(&w, 109, 1, 1);
	put(&w, 110, 3, 2);
	put(&w, 113, 3, 4);
	put(&w, 116, 6, 0x2a);
	put(&w, 122, 4, 5);
	struct wl_sched s = wl_word_sched(w);
	assert_int_equal(s.stall, 9);
	assert_int_equal(s.yield, 1);
	assert_int_equal(s.wrbar, 2);
	assert_int_equal(s.rdbar, 4);
	assert_int_equal(s.wait, 0x2a);
	assert_int_equal(s.reuse, 5);
	struct wl_word again = wl_word_set_sched(word(0x918), s);
	assert_true(again.lo == w.lo && again.hi == w.hi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(atoms_operations),    cmocka_unit_test(atoms_cas),
	        cmocka_unit_test(loads_and_stores),    cmocka_unit_test(uniform_addresses),
	        cmocka_unit_test(barriers_and_fences), cmocka_unit_test(votes_and_shuffles),
	        cmocka_unit_test(scheduling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
