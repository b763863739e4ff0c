// SPDX-License-Identifier: Apache-2.0
/* isa.h -- instructions: micro-operations, the decoded instruction, words and texts.
 *
 * Words are NVIDIA's 128-bit encodings (Volta and later). The rows of cmodel/isa/uops.def and cmodel/isa/enc_*.def
 * drive all functions. Pure functions; no state. Source: docs/spec/objects.md, "Instruction words". */
#ifndef WARPLOCK_ISA_H
#define WARPLOCK_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplock/config.h"
#include "warplock/status.h"

struct wl_word {
	uint64_t lo, hi; /* bits 63:0 and 127:64 */
};

enum wl_uop {
#define UOP(name, ...) WL_UOP_##name,
#include "warplock/uops.def"
#undef UOP
	WL_UOP_COUNT
};

/* Units, in the order of ties between events of the same cycle; the number is the unit's number in the RTL. */
enum wl_unit {
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) WL_UNIT_##name,
#include "warplock/units.def"
#undef UNIT
	WL_UNIT_sync_core, /* of events: EXIT and RETIRE */
	WL_UNIT_FRONT,     /* no unit: instructions of the SIMT front end */
	WL_UNIT_COUNT
};
const char *wl_unit_name(enum wl_unit u); /* "atoms_pipe"; FRONT is "front" */
const char *wl_uop_name(enum wl_uop u);
enum wl_unit wl_uop_unit(enum wl_uop u);

/* ---- traits of a micro-operation: the columns of uops.def ---- */

enum wl_trait_bit {
#define TRAIT(name, NAME, meaning) WL_TRAIT_BIT_##NAME,
#include "warplock/traits.def"
#undef TRAIT
};
#define WL_TRAIT(NAME) (UINT64_C(1) << WL_TRAIT_BIT_##NAME)
/* Effects beside the results in registers and predicates. */
#define WL_TRAITS_EFFECT                                                                                               \
	(WL_TRAIT(WRITES_MEMORY) | WL_TRAIT(FLOW) | WL_TRAIT(CONVERGES) | WL_TRAIT(YIELDS) | WL_TRAIT(COLLECTIVE) |    \
	 WL_TRAIT(BARRIER) | WL_TRAIT(FENCE))
enum wl_timing_class {
#define TIMING(name, pipe, results, operands) WL_TIMING_##name,
#include "warplock/timing.def"
#undef TIMING
};
/* Classes of synchronising instructions, and the order kept by the scheduler: cmodel/isa/sync_class.def. */
enum wl_sync_order { WL_ORDER_Free, WL_ORDER_Kept, WL_ORDER_Memory, WL_ORDER_All };
enum wl_sync_class {
#define SYNC_CLASS(name, number, mask, order, meaning) WL_SYNC_##name,
#include "warplock/sync_class.def"
#undef SYNC_CLASS
	WL_SYNC_COUNT
};
enum { WL_WAR_BARRIER = 1 << 21 }; /* bit of the mask: barriers of the CTA */
struct wl_sync_row {
	const char *name;
	uint16_t number; /* 0: the document gives none */
	uint32_t mask;
	enum wl_sync_order order;
	const char *meaning;
};
const struct wl_sync_row *wl_sync_row(enum wl_sync_class c);
/* Registers of struct wl_inst. ra, rb, rc hold the registers of sources A, B, C. */
enum wl_reg { WL_REG_RD, WL_REG_RA, WL_REG_RB, WL_REG_RC, WL_REG_URD, WL_REG_UR, WL_REG_DESC, WL_REG_COUNT };
/* Number of registers of an operand: letters of uops.def. */
enum wl_width {
	WL_WIDTH_NONE, /* the micro-operation lacks the register */
	WL_WIDTH_ONE,
	WL_WIDTH_TWO,
	WL_WIDTH_FOUR,
	WL_WIDTH_SIZE,
	WL_WIDTH_PAIR,
	WL_WIDTH_XN,
	WL_WIDTH_BOP,
	WL_WIDTH_ADDRESS,
	WL_WIDTH_E64,
	WL_WIDTH_SEL0, /* a pair of float32, or a single float32 for both: enum wl_pair in sel[0] */
	WL_WIDTH_SEL1,
	WL_WIDTH_SEL2,
	WL_WIDTH_LUT_LOW,  /* as many as bits set in 3:0 of lut */
	WL_WIDTH_LUT_HIGH, /* as many as bits set in 7:4 of lut */
	WL_WIDTH_SIZE_1,   /* one or two registers more than WL_WIDTH_SIZE: addresses before coordinates */
	WL_WIDTH_SIZE_2
};
struct wl_uop_traits {
	uint64_t traits;             /* WL_TRAIT(...) */
	uint8_t unit;                /* enum wl_unit */
	uint8_t timing;              /* enum wl_timing_class */
	uint8_t sync_class;          /* enum wl_sync_class */
	uint8_t width[WL_REG_COUNT]; /* enum wl_width */
	uint8_t late;                /* bit WL_REG_x: read later than other registers */
	uint8_t addresses;           /* bit WL_REG_x: named as a destination, but read */
	uint8_t results;             /* bit WL_REG_x: named as a source, but written */
	uint8_t by_kind; /* bit i: source i (A, B, C) exists and has kind src[i]; else ra, rb, rc are registers */
	uint8_t uniform_sources;              /* bit i: ra, rb, rc is a uniform register, or the source an immediate */
	uint8_t uniform_preds, flagged_preds; /* bits pd0 pd1 ps0 ps1 ps2: uniform predicates; under flag U only */
	uint8_t cbar;                         /* 1: reads the convergence barrier, 2: writes the barrier */
	uint8_t mask; /* predicates chosen by mask B: 1 P read, 2 P written, 4 UP read, 8 UP written */
};
const struct wl_uop_traits *wl_uop_traits(enum wl_uop u);
static inline bool wl_uop_has(enum wl_uop u, uint64_t traits) /* any of `traits` */
{
	return (wl_uop_traits(u)->traits & traits) != 0;
}

/* Atomic operations: the values of the field in the words (bits 90:87). */
enum wl_atom_op {
	WL_ATOM_ADD,
	WL_ATOM_MIN,
	WL_ATOM_MAX,
	WL_ATOM_INC,
	WL_ATOM_DEC,
	WL_ATOM_AND,
	WL_ATOM_OR,
	WL_ATOM_XOR,
	WL_ATOM_EXCH,
};
enum wl_cmp { WL_CMP_F, WL_CMP_LT, WL_CMP_EQ, WL_CMP_LE, WL_CMP_GT, WL_CMP_NE, WL_CMP_GE, WL_CMP_T };
enum wl_bool { WL_BOOL_AND, WL_BOOL_OR, WL_BOOL_XOR };
enum wl_round { WL_RN, WL_RM, WL_RP, WL_RZ_TRUNC };
enum wl_vote { WL_VOTE_ALL, WL_VOTE_ANY, WL_VOTE_EQ };
enum wl_shfl { WL_SHFL_IDX, WL_SHFL_UP, WL_SHFL_DOWN, WL_SHFL_BFLY };
enum wl_bar { WL_BAR_SYNC, WL_BAR_ARV, WL_BAR_RED };
enum wl_cbar_op { WL_CBAR_ARV, WL_CBAR_WAIT };
/* Order and scope of a global or generic access. The neutral values belong to a plain access: weak, scope of the whole
 * system (sm_75 prints the scope of weak accesses too). */
enum wl_mem_order { WL_MEM_WEAK, WL_MEM_STRONG, WL_MEM_MMIO, WL_MEM_CONSTANT };
enum wl_scope { WL_SCOPE_SYS, WL_SCOPE_CTA, WL_SCOPE_SM, WL_SCOPE_GPU, WL_SCOPE_VC };
/* Eviction priorities of cache lines: .EF .EL .LU .EU .NA. */
enum wl_evict {
	WL_EVICT_NORMAL,
	WL_EVICT_FIRST,
	WL_EVICT_LAST,
	WL_EVICT_LAST_USE,
	WL_EVICT_UNCHANGED,
	WL_EVICT_NO_ALLOCATE
};
/* Member op of accesses of 256 bits: eviction priority in the L2. */
enum wl_evict_l2 { WL_L2_NORMAL, WL_L2_FIRST, WL_L2_LAST, WL_L2_RML2 };
enum { WL_NO_DESC = 256 }; /* member desc: the access has no descriptor; 255 is URZ */
enum wl_membar { WL_MEMBAR_SC, WL_MEMBAR_ALL };
enum wl_mufu {
	WL_MUFU_COS,
	WL_MUFU_SIN,
	WL_MUFU_EX2,
	WL_MUFU_LG2,
	WL_MUFU_RCP,
	WL_MUFU_RSQ,
	WL_MUFU_RCP64H,
	WL_MUFU_RSQ64H,
	WL_MUFU_SQRT,
	WL_MUFU_TANH,
};
/* Types of atomics on global memory. A float type names the format, the size gives the count of numbers (F32 of 8 bytes
 * is two numbers). Floats have ADD; 16-bit floats have MIN and MAX too. */
enum wl_atom_type { WL_AT_INT, WL_AT_F32_FTZ, WL_AT_F16X2, WL_AT_F64, WL_AT_F32, WL_AT_BF16X2 };
enum wl_prmt { WL_PRMT_INDEX, WL_PRMT_F4E, WL_PRMT_B4E, WL_PRMT_RC8, WL_PRMT_ECL, WL_PRMT_ECR, WL_PRMT_RC16 };
enum wl_idp { WL_IDP_4A, WL_IDP_2A_LO, WL_IDP_2A_HI };
/* Formats of floats, members xn and bop of conversions. */
enum wl_format {
	WL_FMT_F32,
	WL_FMT_F16,
	WL_FMT_F64,
	WL_FMT_BF16,
	WL_FMT_TF32,
	WL_FMT_E4M3,
	WL_FMT_E5M2,
	WL_FMT_E8M0,
	WL_FMT_E2M3,
	WL_FMT_E3M2,
	WL_FMT_E2M1
};
/* Part of a source of two halves: both halves, a float32 for both, the low or the high half for both. */
enum wl_half { WL_HALF_BOTH, WL_HALF_F32, WL_HALF_LOW, WL_HALF_HIGH };
enum wl_pair { WL_PAIR_HI_LO, WL_PAIR_LO_HI, WL_PAIR_F32 }; /* two float32 in order, swapped, one for both */
enum wl_f2fp { WL_F2FP_PACK, WL_F2FP_ONE, WL_F2FP_PACK8, WL_F2FP_UNPACK8, WL_F2FP_RS };
enum wl_bar_red { WL_RED_POPC, WL_RED_AND, WL_RED_OR };
enum wl_redux { WL_REDUX_AND, WL_REDUX_OR, WL_REDUX_XOR, WL_REDUX_SUM, WL_REDUX_MIN, WL_REDUX_MAX };
enum wl_shf_type { WL_SHF_S64, WL_SHF_U64, WL_SHF_S32, WL_SHF_U32 }; /* values of the word's field */

/* Kind of each of the sources A, B, C (index 0, 1, 2). */
enum wl_src { WL_SRC_NONE, WL_SRC_REG, WL_SRC_IMM, WL_SRC_CONST, WL_SRC_UREG };

enum wl_flag {
	WL_F_ILLEGAL = 1u << 0, /* prints, but means nothing: execution faults ILLEGAL_INSTRUCTION */
	WL_F_SIGNED = 1u << 1,  /* signed compare / product; sign extension of a sub-word load */
	WL_F_X = 1u << 2,       /* IADD3.X, IMAD.X, LEA.X */
	WL_F_EX = 1u << 3,      /* ISETP.EX */
	WL_F_HI = 1u << 4,      /* SHF.HI, LEA.HI */
	WL_F_WRAP = 1u << 5,    /* SHF.W */
	WL_F_POLICY = 1u << 5,  /* accesses of sm_80: the descriptor is a policy of the L2 */
	WL_F_LEFT = 1u << 6,    /* SHF.L */
	WL_F_E64 = 1u << 7,     /* .E: 64-bit address in a register pair */
	WL_F_SPIN = 1u << 8,
	WL_F_SX32 = 1u << 9, /* LEA.HI.SX32 */
	WL_F_SH = 1u << 10,  /* FLO.SH */
	WL_F_FTZ = 1u << 11,
	WL_F_NTZ = 1u << 12,
	WL_F_U = 1u << 13,     /* BRA.U and LDS.U (without meaning for LDS) */
	WL_F_DEFER = 1u << 14, /* BAR.DEFER_BLOCKING: means nothing to the models */
	WL_F_CONV = 1u << 15,
	WL_F_A32 = 1u << 16,     /* the vector register of an address with a uniform register has 32 bits, not 64 */
	WL_F_ONE = 1u << 17,     /* ATOMS.POPC.INC: operand B is 1 */
	WL_F_PAIR = 1u << 18,    /* integer operands and result have 64 bits, in register pairs */
	WL_F_F32 = 1u << 19,     /* HADD2: the result is one float32 */
	WL_F_BF16 = 1u << 20,    /* halves are bfloat16 */
	WL_F_BF = 1u << 21,      /* FSET, HSET2: true is 1.0 */
	WL_F_XORSIGN = 1u << 22, /* minimum, maximum: the sign of the product */
	WL_F_NAN = 1u << 23,     /* minimum, maximum: NaN wins */
	WL_F_FMZ = 1u << 24,     /* .FTZ, and 0 times anything is 0 */
	WL_F_RELU = 1u << 25,    /* negative results become 0 */
	WL_F_SAT = 1u << 26,     /* results are clamped: to 0..1, or to finite numbers */
	WL_F_PRIVATE = 1u << 27, /* .PRIVATE behind the scope of an access */
	WL_F_ORDERED = 1u << 28, /* .ORDERED: stores of sm_100 on */
	WL_F_BYPASS = 1u << 29,  /* LDGSTS past the first-level cache */
	WL_F_OPTOUT = 1u << 30,  /* SYNCS.ARRIVE: later phases expect fewer arrivals too */
};

/* Scheduling fields, bits 125:105 of the word; never printed, ignored by the in-order models. */
struct wl_sched {
	uint8_t stall; /* 0..15 cycles */
	uint8_t yield; /* bit 109 of the word, unchanged */
	uint8_t wrbar; /* scoreboard set until the result is written, 7 = none */
	uint8_t rdbar; /* scoreboard set until the operands are read, 7 = none */
	uint8_t wait;  /* mask of scoreboards waited for */
	uint8_t reuse; /* 4 bits */
};

/* A decoded instruction. The row of the micro-operation names the members in use. All other members are neutral:
 * registers 255 (RZ), uniform registers 255 (URZ), no descriptor, predicates 7 (PT), else 0. */
struct wl_inst {
	uint16_t uop;           /* enum wl_uop */
	uint16_t row;           /* encoding row of the word (decode); 0xffff: wl_encode chooses */
	uint8_t guard;          /* predicate 0..7, + 8 when negated; 7 = always */
	bool guard_uniform;     /* the guard is UPn */
	uint8_t rd, ra, rb, rc; /* vector registers; also of sources A, B, C when their kind is REG */
	uint8_t urd, ur; /* uniform destination; uniform register in an address or of the UREG source; 255 = URZ */
	uint16_t desc;   /* uniform register of a global access's descriptor; WL_NO_DESC = none */
	uint8_t pd[2];   /* predicate results, 7 = dropped */
	uint8_t ps[3];   /* predicate inputs, + 8 when negated */
	uint8_t src[3];  /* enum wl_src of A, B, C */
	uint8_t neg, abs, inv; /* bit i: source i (0 = A, 1 = B, 2 = C) is negated / absolute / complemented */
	uint32_t imm;          /* the immediate source, special register number, BAR id, shift amount ... */
	uint32_t imm2;         /* second immediate: BAR thread count, SHFL C; high half of a 64-bit immediate */
	uint8_t cbank;         /* constant bank of the CONST source */
	int32_t coff;          /* byte offset in the constant bank */
	int32_t off;           /* address offset: 24 bits, sign-extended; zero-extended where address.h says so */
	int64_t target;        /* branch: bytes from the next instruction */
	uint8_t cbar;          /* convergence barrier 0..15 */
	uint8_t op;            /* sub-operation: wl_atom_op, wl_cmp, wl_vote ... by uop */
	uint8_t bop;           /* wl_bool */
	uint8_t type;          /* wl_shf_type, wl_round ... by uop */
	uint8_t size;          /* memory access or special register: bytes 1, 2, 4, 8, 16 */
	uint8_t xn;            /* scale of Ra in an address: shift 0, 2 (.X4), 3 (.X8), 4 (.X16) */
	uint8_t lut, lut2;
	uint8_t shift;
	/* parts of A, B, C: enum wl_half, wl_pair; of an integer source of 1 or 2 bytes: the first byte */
	uint8_t sel[3];
	uint8_t order;    /* wl_mem_order of a global or generic access */
	uint8_t scope;    /* wl_scope */
	uint8_t evict;    /* wl_evict */
	uint8_t prefetch; /* sectors fetched beside: 0 none, 1 .LTC64B, 2 .LTC128B, 3 .LTC256B (sm_75: both) */
	uint32_t flags;   /* enum wl_flag */
	struct wl_sched sched;
};

/* A neutral instruction of the uop for code generators: neutral members, guard 7, row 0xffff, safe scheduling (stall
 * 15, no scoreboards). */
struct wl_inst wl_inst_make(enum wl_uop uop);

/* Traits and timing of the instruction: from the encoding row where known, else from the micro-operation. */
uint64_t wl_inst_traits(const struct wl_inst *in);
enum wl_timing_class wl_inst_timing(const struct wl_inst *in);
enum wl_sync_class wl_inst_sync_class(const struct wl_inst *in);
/* True for a blocking barrier of the CTA: the barrier goes through the memory queue behind everything older. */
bool wl_inst_drains(const struct wl_inst *in);
/* Number of consecutive registers of an operand, whatever its register number; 0 = no operand. */
unsigned wl_inst_words(const struct wl_inst *in, enum wl_reg r);
/* Posted: the instruction changes memory and names no destination, or ends lanes. The warp of a posted request goes on
 * at acceptance. Loads are never posted. Source: docs/spec/lockstep.md, "Posted requests". */
bool wl_inst_posted(const struct wl_inst *in);

/* The architecture has a form of the micro-operation with this kind of source `source` (0 = A); with these kinds of A,
 * B and C together. */
bool wl_uop_takes(enum wl_arch arch, enum wl_uop u, unsigned source, enum wl_src kind);
bool wl_uop_takes_all(enum wl_arch arch, enum wl_uop u, const uint8_t kinds[3]);

/* Word to instruction. WL_ERR_UNKNOWN_WORD when no row of the architecture matches. */
enum wl_status wl_decode(enum wl_arch arch, struct wl_word word, struct wl_inst *out);

/* Instruction to word. On failure `why` (may be NULL) gets a static text: found and expected. */
enum wl_status wl_encode(enum wl_arch arch, const struct wl_inst *in, struct wl_word *out, const char **why);
/* The same, and the chosen row for in->row: some forms of a micro-operation differ in timing. */
enum wl_status wl_encode_row(enum wl_arch arch, const struct wl_inst *in, struct wl_word *out, uint16_t *row,
                             const char **why);

/* Word to text as NVIDIA's disassembler prints it at `addr` (no ';', no scheduling). Branch targets print as
 * absolute addresses. Returns the length, or -1 when no row matches; never writes more than n bytes. */
int wl_print(enum wl_arch arch, struct wl_word word, uint64_t addr, char *buf, size_t n);

/* Text to word: the inverse of wl_print, scheduling fields at safe values. `err` gets one line on failure. */
enum wl_status wl_assemble(enum wl_arch arch, const char *text, uint64_t addr, struct wl_word *out, char *err,
                           size_t errn);

/* The same with raw bits, absent from the text. wl_print_raw adds a suffix with each bit different from the word of the
 * text alone (scheduling, bits without meaning): "{raw: 105:125=0xf1, 91:91=0x1}", bits lo:hi of the word.
 * wl_assemble_raw reads the suffix: word -> text -> word is the identity for every word with a text. Suffix bits able
 * to change the text are an error. */
int wl_print_raw(enum wl_arch arch, struct wl_word word, uint64_t addr, char *buf, size_t n);
enum wl_status wl_assemble_raw(enum wl_arch arch, const char *text, uint64_t addr, struct wl_word *out, char *err,
                               size_t errn);

/* Scheduling fields of a word. */
struct wl_sched wl_word_sched(struct wl_word w);
struct wl_word wl_word_set_sched(struct wl_word w, struct wl_sched s);

/* 32 hex digits, bit 127 first, without 0x. */
void wl_word_format(struct wl_word w, char buf[33]);
bool wl_word_parse(const char *hex, struct wl_word *out);

#endif
