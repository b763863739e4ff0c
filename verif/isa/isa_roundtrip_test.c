// SPDX-License-Identifier: Apache-2.0
/* isa_roundtrip_test -- the tables against themselves: for every row, words with random legal fields.
 *
 * decode then encode gives an instruction with the same decoding. print then assemble gives a word with the same text.
 * A row without a legal word fails: no row escapes the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../common/rng.h"
#include "isa_table.h"
#include "inst_members.h"

static const enum wl_arch archs[] = {WL_ARCH_LIST};

static struct wl_word random_field(int field, struct wl_word w, struct rng *rng)
{
	if (field < 0)
		return w;
	const struct isa_field *f = isa.fields + field;
	const struct isa_run *r = isa.runs + f->runs;
	if (f->neutral >= 0 && rng_next(rng) % 4 == 0) {
		isa_field_set(f, f->neutral, &w);
		return w;
	}
	for (unsigned k = 0; k < f->nruns; k++)
		w = isa_set_bits(w, r[k].lo, r[k].len, rng_next(rng));
	return w;
}

/* A word of the row: the row's fixed bits, every value random or neutral, every piece one of the options. */
static struct wl_word random_word(const struct isa_row *row, const struct isa_match *m, struct rng *rng)
{
	struct wl_word w = {(row->base[0] & ~m->mask[0]) | m->value[0], (row->base[1] & ~m->mask[1]) | m->value[1]};
	const struct isa_step *s = isa.steps + row->steps;
	for (unsigned i = 0; i < row->nsteps; i++) {
		if (s[i].kind == ISA_VAL || s[i].kind == ISA_OPT) {
			w = random_field(s[i].a, w, rng);
		} else if (s[i].kind == ISA_MEM) {
			const struct isa_mem *mem = isa.mems + s[i].a;
			w = random_field(mem->r, random_field(mem->u, random_field(mem->i, w, rng), rng), rng);
		}
	}
	for (unsigned i = 0; i < m->nnots; i++) /* bits read only by a condition */
		w = isa_set_bits(w, isa.nots[m->nots + i].lo, isa.nots[m->nots + i].len, rng_next(rng));
	const struct isa_bind *b = isa.binds + row->binds;
	for (unsigned i = 0; i < row->nbinds; i++)
		if (b[i].kind == ISA_BIND_PIECE) {
			const struct isa_piece *p = isa.pieces + b[i].index;
			w = isa_set_piece(p, isa.options[p->opts + rng_next(rng) % p->nopts].value, w);
		}
	w = isa_set_bits(w, 12, 4, rng_next(rng) % 3 ? WL_PT : rng_next(rng));
	/* restores the row's own conditions after the random values */
	w.lo = (w.lo & ~m->mask[0]) | m->value[0];
	w.hi = (w.hi & ~m->mask[1]) | m->value[1];
	return wl_word_set_sched(w, (struct wl_sched){.stall = 15, .wrbar = 7, .rdbar = 7});
}

static void assert_same(const struct wl_inst *a, const struct wl_inst *b, const char *text)
{
	for (unsigned m = 0; m < ISA_M_COUNT; m++)
		if (isa_member_get(a, m) != isa_member_get(b, m))
			fail_msg("%s: member %u is %lld, was %lld", text, m, (long long)isa_member_get(b, m),
			         (long long)isa_member_get(a, m));
	assert_int_equal(a->guard, b->guard);
	assert_int_equal(a->guard_uniform, b->guard_uniform);
}

static void encode_decode(enum wl_arch arch, struct wl_word w, const char *text)
{
	struct wl_inst in, back;
	struct wl_word made;
	const char *why = "";
	assert_int_equal(wl_decode(arch, w, &in), WL_OK);
	if (in.uop == WL_UOP_UNMODELLED || in.flags & WL_F_ILLEGAL)
		return; /* a word without a meaning is never encoded */
	in.row = 0xffff;
	if (wl_encode(arch, &in, &made, &why) != WL_OK)
		fail_msg("%s: %s", text, why);
	assert_int_equal(wl_decode(arch, made, &back), WL_OK);
	assert_same(&in, &back, text);
	assert_int_equal(made.hi >> 41, w.hi >> 41); /* scheduling goes through */
}

/* sm_80 alone prints some addresses ambiguously: a global access without a register in the text, or with URZ, may have
 * a descriptor invisible in the text. */
static bool is_ambiguous(enum wl_arch arch, const char *text)
{
	static const char *const families[] = {"LD.", "LDG", "ST.", "STG", "ATOM.", "ATOMG", "RED"};
	static const char *const addresses[] = {"[0x", "[-0x", "[RZ", "URZ"};
	bool family = false, address = false;
	if (text[0] == '@')
		text = strchr(text, ' ') + 1;
	for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
		family = family || !strncmp(text, families[i], strlen(families[i]));
	for (unsigned i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
		address = address || strstr(text, addresses[i]);
	return arch == WL_SM80 && family && address && !strstr(text, "desc");
}

/* Does the text survive the round trip? */
static bool print_assemble(enum wl_arch arch, const char *text)
{
	char err[160], back[256];
	struct wl_word made;
	bool same = wl_assemble(arch, text, 0x1230, &made, err, sizeof err) == WL_OK &&
	            wl_print(arch, made, 0x1230, back, sizeof back) > 0 && !strcmp(text, back);
	if (!same && !is_ambiguous(arch, text))
		printf("sm_%d: %s: %s\n", (int)arch, text, err[0] ? err : back);
	return same || is_ambiguous(arch, text);
}

static void every_row(void **state)
{
	(void)state;
	struct rng rng = rng_seed(1, 0);
	unsigned legal[2048] = {0};
	assert_true(isa.nrows < 2048);
	for (unsigned a = 0; a < WL_ARCH_COUNT; a++) {
		unsigned words = 0, same = 0;
		for (unsigned op = 0; op < 8192; op++)
			for (unsigned k = 0; k < isa.first[a][op].n; k++) {
				const struct isa_match *m = isa.matches + isa.first[a][op].at + k;
				const struct isa_row *row = isa.rows + m->row;
				for (unsigned i = 0; i < 60; i++) {
					char text[256];
					struct wl_word w = random_word(row, m, &rng);
					if (isa_find((int)a, w) != row)
						continue;
					legal[m->row]++;
					assert_true(wl_print(archs[a], w, 0x1230, text, sizeof text) > 0);
					encode_decode(archs[a], w, text);
					words++;
					same += print_assemble(archs[a], text);
				}
			}
		printf("sm_%d: %u words, %u texts came back\n", (int)archs[a], words, same);
		assert_int_equal(same, words);
	}
	unsigned poor = 0;
	for (unsigned r = 0; r < isa.nrows; r++)
		if (legal[r] < 5 && ++poor)
			printf("row %u (%.*s) yielded %u legal words, at least 5 expected\n", r, isa.rows[r].name_len,
			       isa.text + isa.rows[r].name, legal[r]);
	assert_int_equal(poor, 0);
}

/* The instruction holds all modifiers in the text of an access, and an instruction made from these modifiers prints the
 * text. */
static void accesses(void **state)
{
	(void)state;
	static const struct {
		enum wl_arch arch;
		const char *text;
		uint8_t uop, order, scope, evict, prefetch;
		uint16_t desc;
		uint32_t flags;
	} rows[] = {
	        {WL_SM75, "LDG.E.SYS R2, [R4]", WL_UOP_LDG, WL_MEM_WEAK, WL_SCOPE_SYS, 0, 0, WL_NO_DESC, 0},
	        {WL_SM75, "LDG.E.CONSTANT.SYS R2, [R4]", WL_UOP_LDG, WL_MEM_CONSTANT, WL_SCOPE_SYS, 0, 0, WL_NO_DESC,
	         0},
	        {WL_SM75, "LDG.E.EF.LTC128B.STRONG.GPU R2, [R4]", WL_UOP_LDG, WL_MEM_STRONG, WL_SCOPE_GPU,
	         WL_EVICT_FIRST, 2, WL_NO_DESC, 0},
	        {WL_SM75, "STG.E.NA.STRONG.CTA [R4], R2", WL_UOP_STG, WL_MEM_STRONG, WL_SCOPE_CTA, WL_EVICT_NO_ALLOCATE,
	         0, WL_NO_DESC, 0},
	        {WL_SM75, "ST.E.MMIO.SYS [R4], R2", WL_UOP_ST, WL_MEM_MMIO, WL_SCOPE_SYS, 0, 0, WL_NO_DESC, 0},
	        {WL_SM75, "RED.E.ADD.STRONG.GPU [R4], R2", WL_UOP_RED, WL_MEM_STRONG, WL_SCOPE_GPU, 0, 0, WL_NO_DESC,
	         0},
	        {WL_SM80, "LDG.E R2, desc[UR6][R4.64]", WL_UOP_LDG, WL_MEM_WEAK, WL_SCOPE_SYS, 0, 0, 6, WL_F_POLICY},
	        {WL_SM80, "LD.E.STRONG.SM R2, desc[UR8][R4.64]", WL_UOP_LD, WL_MEM_STRONG, WL_SCOPE_SM, 0, 0, 8,
	         WL_F_POLICY},
	        {WL_SM80, "STG.E.EL.STRONG.SYS desc[UR6][R4.64], R2", WL_UOP_STG, WL_MEM_STRONG, WL_SCOPE_SYS,
	         WL_EVICT_LAST, 0, 6, WL_F_POLICY},
	        {WL_SM90, "LDG.E.LTC64B.CONSTANT R2, desc[UR6][R4.64]", WL_UOP_LDG, WL_MEM_CONSTANT, WL_SCOPE_SYS, 0, 1,
	         6, 0},
	        {WL_SM90, "LDG.E.LU.LTC256B.STRONG.GPU.PRIVATE R2, desc[UR4][R4.64]", WL_UOP_LDG, WL_MEM_STRONG,
	         WL_SCOPE_GPU, WL_EVICT_LAST_USE, 3, 4, WL_F_PRIVATE},
	        {WL_SM90, "ST.E.STRONG.GPU desc[UR4][R4.64], R2", WL_UOP_ST, WL_MEM_STRONG, WL_SCOPE_GPU, 0, 0, 4, 0},
	        {WL_SM90, "REDG.E.ADD.STRONG.SYS desc[UR4][R4.64], R2", WL_UOP_RED, WL_MEM_STRONG, WL_SCOPE_SYS, 0, 0,
	         4, 0},
	        {WL_SM100, "LDG.E.MMIO.SYS R2, desc[UR70][R4.64]", WL_UOP_LDG, WL_MEM_MMIO, WL_SCOPE_SYS, 0, 0, 70, 0},
	        {WL_SM100, "STG.E.STRONG.SYS.ORDERED desc[UR4][R4.64], R2", WL_UOP_STG, WL_MEM_STRONG, WL_SCOPE_SYS, 0,
	         0, 4, WL_F_ORDERED},
	        {WL_SM120, "STG.E.EU desc[UR4][R4.64], R2", WL_UOP_STG, WL_MEM_WEAK, WL_SCOPE_SYS, WL_EVICT_UNCHANGED,
	         0, 4, 0},
	        {WL_SM120, "LD.E.CONSTANT.VC R2, desc[URZ][R4.64]", WL_UOP_LD, WL_MEM_CONSTANT, WL_SCOPE_VC, 0, 0, 255,
	         0},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char err[160] = "", text[256];
		struct wl_word w;
		struct wl_inst in, made = wl_inst_make(rows[i].uop);
		if (wl_assemble(rows[i].arch, rows[i].text, 0, &w, err, sizeof err) != WL_OK)
			fail_msg("%s: %s", rows[i].text, err);
		assert_int_equal(wl_decode(rows[i].arch, w, &in), WL_OK);
		made.order = rows[i].order;
		made.scope = rows[i].scope;
		made.evict = rows[i].evict;
		made.prefetch = rows[i].prefetch;
		made.desc = rows[i].desc;
		made.flags = WL_F_E64 | rows[i].flags;
		made.ra = 4;
		made.size = 4;
		*(rows[i].uop == WL_UOP_LDG || rows[i].uop == WL_UOP_LD ? &made.rd : &made.rb) = 2;
		assert_same(&made, &in, rows[i].text);
		assert_int_equal(wl_encode(rows[i].arch, &made, &w, NULL), WL_OK);
		assert_true(wl_print(rows[i].arch, w, 0, text, sizeof text) > 0);
		assert_string_equal(text, rows[i].text);
		if (rows[i].arch ==
		    WL_SM80) { /* without a policy the text has no descriptor, as with NVIDIA's assembler */
			made.flags &= ~(uint32_t)WL_F_POLICY;
			assert_int_equal(wl_encode(WL_SM80, &made, &w, NULL), WL_OK);
			assert_true(wl_print(WL_SM80, w, 0, text, sizeof text) > 0);
			assert_null(strstr(text, "desc"));
			assert_int_equal(wl_decode(WL_SM80, w, &in), WL_OK);
			assert_same(&made, &in, text);
		}
	}
}

/* Neutral instruction: the micro-operation alone. */
static void neutral_instruction(void **state)
{
	(void)state;
	struct wl_inst in = wl_inst_make(WL_UOP_EXIT);
	struct wl_word w;
	char text[64];
	assert_int_equal(wl_encode(WL_SM75, &in, &w, NULL), WL_OK);
	assert_true(wl_print(WL_SM75, w, 0, text, sizeof text) > 0);
	assert_string_equal(text, "EXIT");
	in.guard = 8 | 3;
	assert_int_equal(wl_encode(WL_SM75, &in, &w, NULL), WL_OK);
	wl_print(WL_SM75, w, 0, text, sizeof text);
	assert_string_equal(text, "@!P3 EXIT");
}

static void what_is_refused(void **state)
{
	(void)state;
	struct wl_word w;
	struct wl_inst in = wl_inst_make(WL_UOP_ATOMS);
	const char *why = NULL;
	in.size = 3;
	assert_int_equal(wl_encode(WL_SM75, &in, &w, &why), WL_ERR_UNKNOWN_INST);
	assert_non_null(why);
	in = wl_inst_make(WL_UOP_UNMODELLED);
	assert_int_equal(wl_encode(WL_SM75, &in, &w, &why), WL_ERR_UNKNOWN_INST);
	in = wl_inst_make(WL_UOP_LDS);
	in.size = 4;
	in.off = 1 << 23; /* does not fit 24 bits, signed */
	assert_int_equal(wl_encode(WL_SM75, &in, &w, &why), WL_ERR_UNKNOWN_INST);
	assert_int_equal(wl_decode(WL_SM75, (struct wl_word){0, 0}, &in), WL_ERR_UNKNOWN_WORD);
	assert_int_equal(wl_print(WL_SM75, (struct wl_word){0, 0}, 0, NULL, 0), -1);

	static const char *const bad[] = {"",
	                                  "FOO R1",
	                                  "MOV R1",
	                                  "MOV R1, R2, R3, R4",
	                                  "MOV R255, R1",
	                                  "LDS R1, [R2",
	                                  "@P8 EXIT",
	                                  "@P1EXIT",
	                                  "IADD3 R1, R2, 0x123456789, R3",
	                                  "ATOMS.ADD.XYZ R1, [R2], R3",
	                                  "LDS R0, [R1+0x800000]",
	                                  "BRA 0x11",
	                                  "S2R R0, SR_NOTHING",
	                                  "MOV R1, R2 ; MOV R3, R4"};
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char err[160] = "";
		assert_int_not_equal(wl_assemble(WL_SM75, bad[i], 0, &w, err, sizeof err), WL_OK);
		assert_true(err[0] != 0);
	}
	char err[8]; /* a short buffer is respected */
	assert_int_not_equal(wl_assemble(WL_SM75, "FOO", 0, &w, err, sizeof err), WL_OK);
	assert_true(strlen(err) < sizeof err);
}

static void texts_and_buffers(void **state)
{
	(void)state;
	struct wl_word w;
	char err[160], buf[8], hex[33];
	/* spacing, a closing ';' and decimal numbers are the writer's choice */
	assert_int_equal(wl_assemble(WL_SM75, "  @P0   IADD3 R1,R2 , 16,  -R3 ;", 0, &w, err, sizeof err), WL_OK);
	char text[64];
	wl_print(WL_SM75, w, 0, text, sizeof text);
	assert_string_equal(text, "@P0 IADD3 R1, R2, 0x10, -R3");
	memset(buf, 'x', sizeof buf);
	assert_int_equal(wl_print(WL_SM75, w, 0, buf, 6), 27);
	assert_string_equal(buf, "@P0 I");
	assert_int_equal(buf[6], 'x');
	wl_word_format(w, hex);
	struct wl_word again;
	assert_true(wl_word_parse(hex, &again));
	assert_true(again.lo == w.lo && again.hi == w.hi);
	assert_false(wl_word_parse("0123", &again));
	assert_false(wl_word_parse("0123456789abcdef0123456789abcdeg", &again));
}

/* Words of ours (docs/native.md): the text of each form on every architecture, bits and decoding. */
static void native_words(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint8_t op, type, size;
		bool sgn;
	} forms[] = {
	        {"ADD.F32.RN", WL_ATOM_ADD, WL_AT_F32, 4, false},
	        {"ADD.F64.RN", WL_ATOM_ADD, WL_AT_F64, 8, false},
	        {"ADD.F16x2.RN", WL_ATOM_ADD, WL_AT_F16X2, 4, false},
	        {"ADD.BF16x2.RN", WL_ATOM_ADD, WL_AT_BF16X2, 4, false},
	        {"ADD.64", WL_ATOM_ADD, WL_AT_INT, 8, false},
	        {"AND.64", WL_ATOM_AND, WL_AT_INT, 8, false},
	        {"OR.64", WL_ATOM_OR, WL_AT_INT, 8, false},
	        {"XOR.64", WL_ATOM_XOR, WL_AT_INT, 8, false},
	        {"MIN.U64", WL_ATOM_MIN, WL_AT_INT, 8, false},
	        {"MAX.U64", WL_ATOM_MAX, WL_AT_INT, 8, false},
	        {"MIN.S64", WL_ATOM_MIN, WL_AT_INT, 8, true},
	        {"MAX.S64", WL_ATOM_MAX, WL_AT_INT, 8, true},
	};
	enum { FORMS = sizeof forms / sizeof forms[0] };
	for (unsigned i = 0; i < FORMS * (sizeof archs / sizeof archs[0]); i++) {
		const unsigned f = i % FORMS;
		const enum wl_arch arch = archs[i / FORMS];
		char text[80], back[120], err[160] = "";
		struct wl_word w;
		struct wl_inst in;
		snprintf(text, sizeof text, "@!P1 ATOMSN.%s R4, [R2.X8+UR5+-0x10], R8", forms[f].text);
		if (wl_assemble(arch, text, 0, &w, err, sizeof err) != WL_OK)
			fail_msg("sm_%d %s: %s", (int)arch, text, err);
		assert_int_equal(w.lo, UINT64_C(0xfffff008020499f8));
		assert_int_equal(w.hi & 0xfffffff, (uint64_t)f << 23 | UINT64_C(1) << 27 | 2 << 14 | 5);
		assert_true(wl_print(arch, w, 0, back, sizeof back) > 0);
		assert_string_equal(back, text);
		assert_int_equal(wl_decode(arch, w, &in), WL_OK);
		assert_int_equal(in.uop, WL_UOP_ATOMSN);
		assert_int_equal(in.op, forms[f].op);
		assert_int_equal(in.type, forms[f].type);
		assert_int_equal(in.size, forms[f].size);
		assert_int_equal(in.flags, forms[f].sgn ? WL_F_SIGNED : 0);
		assert_true(in.rd == 4 && in.ra == 2 && in.rb == 8 && in.xn == 3 && in.ur == 5 && in.off == -16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(native_words),    cmocka_unit_test(every_row),
	        cmocka_unit_test(accesses),        cmocka_unit_test(neutral_instruction),
	        cmocka_unit_test(what_is_refused), cmocka_unit_test(texts_and_buffers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
