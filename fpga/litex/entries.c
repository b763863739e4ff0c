// SPDX-License-Identifier: Apache-2.0
/* entries.c -- runs on the host: instructions of the stream as words and decoded, for firmware without a decoder.
 *
 *   entries UNITS     the mask of the core: instructions of other units are left out */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../verif/units/barrier_file/bench/barrier_request.h"
#include "firmware/entries.h"
#include "warplock/isa.h"
#include "warplock/mbarrier_engine.h"
#include "warplock/unit.h"

static const struct {
	enum entry_group group;
	const char *text;
} texts[] = {
        {GROUP_ACCESS, "ATOMS.ADD R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.MIN R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.MAX.S32 R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.INC R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.DEC R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.AND R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.OR R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.XOR R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.EXCH R4, [R0], R8"},
        {GROUP_ACCESS, "ATOMS.CAS R4, [R0], R8, R10"},
        {GROUP_ACCESS, "ATOMS.CAS.64 R4, [R0], R8, R10"},
        {GROUP_ACCESS, "LDS R4, [R0]"},
        {GROUP_ACCESS, "LDS.64 R4, [R0]"},
        {GROUP_ACCESS, "LDS.128 R4, [R0]"},
        {GROUP_ACCESS, "LDS.U8 R4, [R0]"},
        {GROUP_ACCESS, "STS [R0], R8"},
        {GROUP_ACCESS, "STS.64 [R0], R8"},
        {GROUP_ACCESS, "STS.U8 [R0], R8"},
        {GROUP_COLLECTIVE, "VOTE.ALL R4, P2, P0"},
        {GROUP_COLLECTIVE, "VOTE.ANY R4, P2, !P0"},
        {GROUP_COLLECTIVE, "VOTE.EQ R4, P2, P0"},
        {GROUP_COLLECTIVE, "SHFL.IDX P2, R4, R0, R8, R10"},
        {GROUP_COLLECTIVE, "SHFL.UP P2, R4, R0, 0x2, 0x1800"},
        {GROUP_COLLECTIVE, "SHFL.DOWN P2, R4, R0, R8, 0x1f"},
        {GROUP_COLLECTIVE, "SHFL.BFLY P2, R4, R0, 0x7, R10"},
        {GROUP_COLLECTIVE, "MATCH.ANY R4, R0"},
        {GROUP_COLLECTIVE, "MATCH.ALL P2, R4, R0"},
        {GROUP_COLLECTIVE, "MATCH.ANY.U64 R4, R0"},
        {GROUP_COLLECTIVE, "REDUX.SUM UR4, R0"},
        {GROUP_COLLECTIVE, "REDUX.OR UR4, R0"},
        {GROUP_COLLECTIVE, "REDUX.MIN.S32 UR4, R0"},
        {GROUP_RESULT, "B2R.RESULT R4"},
        {GROUP_RESULT, "B2R.RESULT R4, P2"},
        {GROUP_LEAVE, "EXIT"},
};

static uint32_t built; /* units */

static void fail(const char *text, const char *why)
{
	fprintf(stderr, "entries: %s: %s\n", text, why);
	exit(1);
}

static bool is_built(const struct wl_inst *in, enum wl_unit *unit)
{
	const struct wl_req q = {.inst = *in, .posted = true};
	*unit = wl_req_unit(&q);
	return *unit == WL_UNIT_sync_core ? built >> WL_UNIT_barrier_file & 1 : built >> *unit & 1;
}

/* `what`: members absent in some entries. */
static void print(enum entry_group group, struct wl_word word, const struct wl_inst *in, const char *what)
{
	enum wl_unit unit;
	char text[80];
	uint8_t bytes[sizeof *in];
	if (!is_built(in, &unit))
		return;
	wl_print(WL_SM90, word, 0, text, sizeof text);
	memcpy(bytes, in, sizeof *in);
	printf("{.text = \"%s\", .word = {0x%llxull, 0x%llxull}, .group = %d, .unit = %d, .header = %d, .posted = %d, "
	       ".compares = %d%s, .inst = {",
	       text, (unsigned long long)word.lo, (unsigned long long)word.hi, group, unit,
	       (wl_uop_traits((enum wl_uop)in->uop)->traits & WL_TRAIT(HEADER_ONLY)) != 0, wl_inst_posted(in),
	       in->src[2] == WL_SRC_REG || in->uop == WL_UOP_ATOMS_CAS || in->uop == WL_UOP_ATOMG_CAS, what);
	for (unsigned k = 0; k < sizeof bytes; k++)
		printf("%u,", bytes[k]);
	printf("}},\n");
}

static struct wl_word encode(const struct wl_inst *in)
{
	struct wl_word word;
	const char *why = "";
	if (wl_encode(WL_SM90, in, &word, &why) != WL_OK)
		fail(wl_uop_name((enum wl_uop)in->uop), why);
	return word;
}

/* Place of a number of the instruction in the word: the firmware puts other numbers there. */
static unsigned place(const struct wl_inst *in, uint32_t *number, uint32_t most)
{
	const uint32_t kept = *number;
	*number = 0;
	const struct wl_word none = encode(in);
	*number = most;
	const struct wl_word all = encode(in);
	*number = kept;
	const uint64_t bits = none.lo ^ all.lo;
	const unsigned at = bits ? (unsigned)__builtin_ctzll(bits) : 0;
	if (none.hi != all.hi || bits != (uint64_t)most << at)
		fail("BAR", "a number lies in more than one place");
	return at;
}

/* Of global memory, at the addresses in R0 and R1: kinds with the same operands. */
static void print_globals(void)
{
	static const struct {
		uint16_t uop;
		uint8_t op, size;
	} kinds[] = {
	        {WL_UOP_ATOMG, WL_ATOM_ADD, 4},
	        {WL_UOP_ATOMG, WL_ATOM_INC, 4},
	        {WL_UOP_ATOMG, WL_ATOM_EXCH, 4},
	        {WL_UOP_ATOMG, WL_ATOM_MAX, 8},
	        {WL_UOP_ATOMG_CAS, 0, 4},
	        {WL_UOP_ATOMG_CAS, 0, 8},
	        {WL_UOP_RED, WL_ATOM_ADD, 4},
	        {WL_UOP_RED, WL_ATOM_XOR, 4},
	        {WL_UOP_RED, WL_ATOM_ADD, 8},
	        {WL_UOP_LDG, 0, 4},
	        {WL_UOP_LDG, 0, 16},
	        {WL_UOP_STG, 0, 4},
	        {WL_UOP_STG, 0, 8},
	};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct wl_inst in = wl_inst_make((enum wl_uop)kinds[i].uop);
		const bool load = in.uop == WL_UOP_LDG, store = in.uop == WL_UOP_STG;
		in.op = kinds[i].op;
		in.size = kinds[i].size;
		in.flags = WL_F_E64;
		in.ra = 0;
		in.rd = in.uop == WL_UOP_RED || store ? in.rd : 4;
		in.rb = load ? in.rb : 8;
		in.rc = in.uop == WL_UOP_ATOMG_CAS ? 12 : in.rc;
		in.order = load || store ? WL_MEM_WEAK : WL_MEM_STRONG;
		in.scope = load || store ? in.scope : WL_SCOPE_GPU;
		const struct wl_word word = encode(&in);
		if (wl_decode(WL_SM90, word, &in) != WL_OK)
			fail(wl_uop_name((enum wl_uop)kinds[i].uop), "cannot be decoded");
		print(GROUP_GLOBAL, word, &in, "");
	}
}

/* EXCH makes an mbarrier at the address in UR4; all other kinds take the address in R0. */
static void print_mbarriers(void)
{
	static const struct {
		uint16_t uop;
		uint8_t op;
	} kinds[] = {{WL_UOP_SYNCS_EXCH, 0},
	             {WL_UOP_SYNCS_ARRIVE, WL_MBAR_A1T0},
	             {WL_UOP_SYNCS_ARRIVE, WL_MBAR_ART0},
	             {WL_UOP_SYNCS_ARRIVE, WL_MBAR_A0TR},
	             {WL_UOP_SYNCS_ARRIVE, WL_MBAR_A0TX},
	             {WL_UOP_SYNCS_PHASECHK, 0},
	             {WL_UOP_SYNCS_PHASECHK, 1}};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct wl_inst in = wl_inst_make((enum wl_uop)kinds[i].uop);
		const bool makes = in.uop == WL_UOP_SYNCS_EXCH;
		in.op = kinds[i].op;
		in.guard_uniform = makes;
		in.ur = makes ? 4 : in.ur;
		in.ra = makes ? in.ra : 0;
		in.rb = 8;
		in.rd = in.uop == WL_UOP_SYNCS_ARRIVE ? 4 : in.rd;
		in.pd[0] = in.uop == WL_UOP_SYNCS_PHASECHK ? 2 : in.pd[0];
		const struct wl_word word = encode(&in);
		if (wl_decode(WL_SM90, word, &in) != WL_OK)
			fail(wl_uop_name((enum wl_uop)kinds[i].uop), "cannot be decoded");
		print(GROUP_MBARRIER, word, &in, "");
	}
}

/* Arrivals of one kind in each of the four forms. */
static void print_arrivals(enum bar_kind kind)
{
	for (unsigned form = 0; form < 4; form++) {
		struct wl_inst in = wl_inst_make(WL_UOP_BAR);
		char what[100];
		in.op = kind >= BAR_POPC ? WL_BAR_RED : kind == BAR_ARV ? WL_BAR_ARV : WL_BAR_SYNC;
		in.type = kind >= BAR_POPC ? (uint8_t)(kind - BAR_POPC + WL_RED_POPC) : 0;
		in.ps[0] = kind >= BAR_POPC ? 0 : in.ps[0];
		in.src[0] = form & BAR_ID_IN_RA ? WL_SRC_REG : WL_SRC_IMM;
		in.src[1] = form == BAR_COUNT_IN_RB ? WL_SRC_REG : WL_SRC_IMM;
		in.ra = form & BAR_ID_IN_RA ? 0 : in.ra;
		in.rb = form == BAR_COUNT_IN_RB ? 8 : in.rb;
		in.flags = form == BAR_PACKED ? WL_F_HI : 0;
		snprintf(what, sizeof what, ", .kind = %d, .form = %u, .id_at = %u, .count_at = %u", kind, form,
		         form & BAR_ID_IN_RA ? 0 : place(&in, &in.imm, BAR_BARRIERS - 1),
		         form & BAR_COUNT_IN_RB ? 0 : place(&in, &in.imm2, 4095));
		const struct wl_word word = encode(&in);
		if (wl_decode(WL_SM90, word, &in) != WL_OK)
			fail("BAR", "cannot be decoded");
		print(GROUP_ARRIVAL, word, &in, what);
	}
}

int main(int argc, char **argv)
{
	built = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wl_word word;
		struct wl_inst inst;
		char err[200] = "cannot be decoded";
		if (wl_assemble(WL_SM90, texts[i].text, 0, &word, err, sizeof err) != WL_OK ||
		    wl_decode(WL_SM90, word, &inst) != WL_OK)
			fail(texts[i].text, err);
		print(texts[i].group, word, &inst, "");
	}
	print_globals();
	print_mbarriers();
	for (enum bar_kind kind = BAR_SYNC; kind <= BAR_OR; kind++)
		print_arrivals(kind);
	return 0;
}
