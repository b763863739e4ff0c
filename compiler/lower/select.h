// SPDX-License-Identifier: Apache-2.0
/* select.h -- from checked PTX instructions to machine instructions; shared parts of the select_*.c files. */
#ifndef WLCC_LOWER_SELECT_H
#define WLCC_LOWER_SELECT_H

#include "abi.h"
#include "mir.h"
#include "wlcc.h"
#include "uniform.h"

/* Places of a kernel's variables, decided before selection (variable_offsets.c). */
struct lower_module {
	const struct ptx_module *ptx;
	const struct ptx_function *kernel;
	uint32_t shared_static;  /* bytes of static shared memory */
	uint32_t shared_dynamic; /* least start of the unsized extern arrays; after placement: the start */
	uint32_t param_base;     /* of the parameters in constant bank 0 */
	uint32_t local_bytes;    /* of .local variables: the low end of the frame */
	bool clusters;           /* the module asks about CTAs of a cluster: addresses of shared memory name the CTA */
	bool relocatable;        /* for the linker: the linker places constants */
	uint32_t constant_bytes; /* the module's constants in bank 3 */
	const struct ptx_function **inner; /* functions with variables, other than kernels */
	uint32_t ninner;
};

/* Variables of the module's functions in the state spaces global and const. */
struct module_vars {
	uint32_t n;
	const struct ptx_var **list;
	uint32_t constant_bytes; /* of bank 3, with the variables of const */
	bool clusters;           /* see lower_module */
	const struct ptx_function **inner;
	uint32_t ninner;
};

/* Once for a module, before its functions: places of constants; also the start of unsized shared arrays for all
 * kernels, when functions beside kernels name unsized shared arrays (else 0: each kernel's own start). */
bool lower_place_module(const struct ptx_module *ptx, const struct wlcc_options *o, struct module_vars *vars,
                        uint32_t *shared_dynamic);
/* Sets the places of all shared and local variables that the kernel may name. */
void lower_place(struct lower_module *m, const struct ptx_module *ptx, const struct ptx_function *kernel,
                 struct mfunc *f);
struct kernel_code;
/* Names of the variables, for readers of the object. */
void lower_name_shared(const struct lower_module *m, const struct mfunc *f, struct kernel_code *c);
/* The place of a variable. False, with an error reported, for a variable without a place. */
bool lower_var_offset(struct mfunc *f, uint32_t line, const struct ptx_var *v, uint32_t *offset);

/* A source value of one or two words: register, literal or constant bank. */
struct val {
	enum wl_src kind; /* REG, IMM or CONST */
	ref r;            /* REG: the first word; REF_NONE is zero */
	uint64_t imm;
	uint32_t off; /* CONST: byte offset in bank 0 */
};

/* A PTX register with a single write, by a mov of a literal. */
struct known {
	uint8_t writes; /* 0, 1, 2 = more */
	bool literal;
	int64_t value;
};

/* A .param variable of a function or of a call: words in registers of their own, or in the frame. */
struct param_words {
	uint32_t words, first; /* virtual registers first .. */
	bool in_frame;
	uint32_t offset; /* then: the place in the frame */
};

struct select {
	struct mfunc *f;
	const struct lower_module *m;
	const struct ptx_function *fn;
	const struct ptx_instr *i;      /* the instruction at hand */
	const struct ptx_instr *marked; /* the last mbarrier instruction with a mark */
	uint32_t line;
	struct mblock *b; /* the block for new code */
	ref guard;        /* of the instruction at hand; REF_NONE = always */
	bool guard_negated, guard_same;
	ref top;             /* the stack pointer in code with alloca; REF_NONE: no alloca */
	uint32_t outgoing;   /* bytes at the stack pointer for arguments of calls */
	ref carry;           /* of add.cc and similar instructions; REF_NONE until used */
	uint32_t *reg;       /* PTX register -> virtual register */
	uint32_t *label;     /* PTX label -> block */
	struct known *known; /* by PTX register */
	bool inlined;        /* the body of a library function in the place of an instruction */
	/* of a function other than a kernel */
	struct abi_call abi;
	ref result_at;           /* local address of results in memory */
	struct mblock *epilogue; /* target of `ret` */
	struct uniform uniform;
	bool apart;      /* some lanes of the warp may be elsewhere, for any guard */
	bool together;   /* all running lanes of the warp come to the instruction at hand together */
	bool polls;      /* as struct uniform says */
	bool only_place; /* a collective without need of a common place with others: only_place.h */
};

/* ---- marks.c ---- */

/* Marks an emitted instruction for .nv.info. */
void select_mark(struct select *s, struct minst *in);
/* The number of an mbarrier operation (enum mark_mbarrier); -1: no number. */
int select_mbarrier_op(const struct ptx_instr *i);

/* ---- select.c ---- */

void select_error(struct select *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "`cp.async` is not built yet", with the qualifiers. */
void select_unsupported(struct select *s, const char *what);

/* ---- select_operand.c: values ---- */

static inline ref vreg_ref(uint32_t v)
{
	return v << 2;
}

static inline struct val val_reg(ref r)
{
	return (struct val){.kind = WL_SRC_REG, .r = r};
}
static inline struct val val_imm(uint64_t imm)
{
	return imm ? (struct val){.kind = WL_SRC_IMM, .r = REF_NONE, .imm = imm} : val_reg(REF_NONE);
}
static inline struct val val_const(uint32_t off)
{
	return (struct val){.kind = WL_SRC_CONST, .r = REF_NONE, .off = off};
}
#define VAL_ZERO val_reg(REF_NONE)
struct val val_word(struct val v, unsigned word); /* of a two-word value */
bool val_is_zero(struct val v);

/* Operand n as a source of `bits` bits. */
struct val select_src(struct select *s, unsigned n, unsigned bits);
struct val select_operand(struct select *s, const struct ptx_operand *o, unsigned bits);
/* The operand is a literal, or a register with a literal by every definition. */
bool select_literal(const struct select *s, const struct ptx_operand *o, int64_t *value);
/* The operand, an address too, is the same in all lanes at the instruction together. */
bool select_same(const struct select *s, const struct ptx_operand *o);
/* A destination without a reader. */
bool select_unread(const struct select *s, const struct ptx_operand *o);
/* Operand n as a destination register; REF_NONE for a sink. */
ref select_dst(struct select *s, unsigned n);
ref select_operand_reg(struct select *s, const struct ptx_operand *o);
/* A predicate operand: register and negation (NOT_P), or constant: REF_NONE with 7 or 15 in *num. */
ref select_pred(struct select *s, const struct ptx_operand *o, uint8_t *num);

/* ---- select_emit.c: emission, and control inside one PTX instruction ---- */

ref select_tmp(struct select *s, unsigned words);
ref select_tmp_pred(struct select *s);

/* The value in registers (an aligned pair for bits = 64). */
ref select_in_reg(struct select *s, struct val v, unsigned bits);
void select_mov(struct select *s, ref d, struct val v);   /* one word */
void select_mov64(struct select *s, ref d, struct val v); /* two words */

/* An ALU instruction. Sources stay where the form allows; other sources are copied to registers. */
struct minst select_alu(struct select *s, unsigned uop, ref d, struct val a, struct val b, struct val c);
/* Appends to the current block, under the guard where the guard matters. */
void select_emit(struct select *s, struct minst *in);

/* A barrier in the form executed by all lanes of a warp together. */
bool select_is_aligned(const struct ptx_instr *i);
/* A word as text, for instructions beyond the micro-operations; the registers are uniform. */
void select_text(struct select *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fills in the instruction of the text. The registers are fixed, named by in->call. False: an error was reported. */
bool select_word(struct select *s, struct minst *in, const char *text);
/* The row of the encoding tables for a text: for instructions of a micro-operation with several rows. */
uint16_t select_row(struct select *s, const char *text);

struct mblock *select_new_block(struct select *s);
void select_fall(struct select *s, struct mblock *to); /* ends the current block; goes on in `to` */
/* Ends the current block with a branch to `to` where p (negated: where not); goes on in a new block. */
void select_branch(struct select *s, ref p, bool negated, struct mblock *to);
/* The same where all lanes at the branch go the same way. */
void select_branch_together(struct select *s, ref p, bool negated, struct mblock *to);
/* For a guarded instruction with branches in the code: jumps around the code. Returns the block behind, to be entered
 * with select_fall; NULL without a guard. */
struct mblock *select_guard_around(struct select *s);
/* The code of `operation` inside of a jump of this kind; returns the result of `operation`. */
bool select_guarded(struct select *s, bool (*operation)(struct select *s));

static inline unsigned type_bits(unsigned t)
{
	return ptx_types[t].bits;
}
static inline bool type_signed(unsigned t)
{
	return ptx_types[t].cls == PTX_CLASS_SINT;
}
static inline bool type_float(unsigned t)
{
	return ptx_types[t].cls == PTX_CLASS_FLOAT;
}

/* Special registers of clusters; false: another register. */
bool select_cluster_register(struct select *s, const struct ptx_operand *o, unsigned comp, struct val *v);
/* The number of this CTA in its cluster. */
struct val select_cluster_rank(struct select *s);

/* A shared variable's address in registers: offset `at` of this CTA's shared memory, plus the rank in bits 31:24. */
struct val select_shared_address(struct select *s, struct val at, unsigned bits);

/* The high word of generic addresses of shared memory. */
struct val select_shared_window(struct select *s);

/* ---- one-word building blocks used by several files ---- */
void select_add(struct select *s, ref d, struct val a, struct val b);
void select_lop3(struct select *s, ref d, struct val a, struct val b, struct val c, uint8_t lut);
void select_shift(struct select *s, ref d, bool left, bool sign, struct val a, struct val n);
void select_sel(struct select *s, ref d, struct val a, struct val b, ref p, bool negated);
void select_cmp(struct select *s, ref p, enum wl_cmp cmp, bool sign, unsigned bits, struct val a, struct val b);
/* The low `bits` of a value, extended to the whole register. */
struct val select_extend(struct select *s, struct val v, unsigned bits, bool sign);
void select_add64(struct select *s, ref d, struct val a, struct val b, bool subtract);
/* Pairs: the low 64 bits of a * b + c, the high 64 of a * b plus c. */
ref select_product_low(struct select *s, struct val a, struct val b, struct val c);
ref select_product_high(struct select *s, struct val a, struct val b, struct val c, bool sign);
/* The rounding of a PTX qualifier (none: to nearest even) in the coding of words. False: words lack the rounding. */
bool select_rounding(unsigned mod, uint8_t *type);
/* .rni and its kind: to an integer in the format of a float. */
bool select_rounds_to_integer(unsigned round);
/* A comparison in the numbering of words; -1: none. */
int select_float_comparison(unsigned mod);
/* A comparison of floats for setp and set, without results and combining predicate. */
bool select_float_compare(struct select *s, unsigned type, struct minst *in);
void select_umul32(struct select *s, ref d, struct val a, struct val b); /* low word */
enum { LUT_A = 0xf0, LUT_B = 0xcc, LUT_C = 0xaa };
/* The first uniform register for the code of a PTX instruction; no value lives in these registers between
 * instructions. */
enum { SELECT_UR = 6 };
/* The lanes of the mask wait for each other; other lanes may be here, too. */
void select_meet(struct select *s, struct val mask);
/* Information C8100 where masks may overlap, under the option for C8100. */
void select_tell_overlap(const struct select *s, const struct ptx_operand *mask);
/* The reduction (enum wl_redux) of v over the active lanes. */
ref select_redux(struct select *s, unsigned op, bool sign, struct val v);

/* ---- select_call.c: functions and calls ---- */
bool select_is_call_param(const struct select *s, const struct ptx_var *v);
struct param_words *select_param_words(struct select *s, struct ptx_var *v);
void select_param_load(struct select *s, ref d, const struct param_words *p, int64_t off, unsigned bytes, bool sign);
void select_param_store(struct select *s, const struct param_words *p, int64_t off, unsigned bytes, struct val v);
void select_place_params(struct select *s); /* decides which parameters lie in the frame */
void select_enter(struct select *s);        /* takes the arguments left by the caller */
void select_return(struct select *s);
/* Arguments and results of the callee; NULL without a prototype. */
const struct ptx_function *select_prototype(const struct ptx_instr *i);
/* The call with results ops[0], function ops[1], arguments ops[2], as many as the prototype has; no guard. */
void select_call_of(struct select *s, const struct ptx_instr *i, const struct ptx_function *proto);
/* Bytes of stack for arguments of the function's calls; notes in f whether the function calls. */
uint32_t select_outgoing(struct mfunc *f, const struct ptx_function *fn);
/* The linker decides the place of the variable. */
bool select_is_linked(const struct select *s, const struct ptx_var *v);
/* d = a word of the address of a variable or function; of the place behind the next call (NULL). */
void select_symbol_word(struct select *s, ref d, const struct ptx_symbol *symbol, int64_t addend, bool high);

/* A function of the driver, with values in registers named by the caller. The function returns nothing. */
enum driver_function { DRIVER_BULK_UNICAST, DRIVER_BULK_MULTICAST, DRIVER_FUNCTIONS };
struct call_argument {
	unsigned reg;
	struct val v;
};
void select_call_driver(struct select *s, enum driver_function which, const struct call_argument *args, unsigned n);

/* ---- instructions written in PTX (lower/lib) ---- */
/* d = the function of this name in lower/lib, of the arguments; d is a register with size and kind of the result. */
bool select_library(struct select *s, const char *name, ref d, const struct val *args, unsigned n);
bool select_by_name(struct select *s); /* a function with the name of the instruction */

/* ---- select_policy.c ---- */
/* An access with L2::cache_hint names the uniform register of the policy. The policy is read here, from the lowest
 * active lane. Other accesses do not change. */
void select_hint(struct select *s, struct minst *in);

/* ---- families; each returns false for instructions of other families ---- */
bool select_int(struct select *s);
bool select_long(struct select *s); /* 64-bit integer */
bool select_bits(struct select *s);
bool select_div(struct select *s);
bool select_compare(struct select *s);
bool select_move(struct select *s);
bool select_convert(struct select *s);
bool select_float(struct select *s);
bool select_memory(struct select *s);
bool select_atomic(struct select *s);
bool select_sync(struct select *s);
bool select_warp(struct select *s);
bool select_internal(struct select *s); /* a collective where lanes may come apart, sm_75 and sm_80 */
bool select_space(struct select *s);    /* cvta, isspacep */
bool select_call(struct select *s);
bool select_root(struct select *s);
bool select_flow(struct select *s);
bool select_float2(struct select *s);
/* A float32, flushed where the instruction has .ftz. */
ref select_flush(struct select *s, ref v);
bool select_half(struct select *s);
bool select_mbarrier(struct select *s);
bool select_async(struct select *s);
bool select_proxy(struct select *s);
bool select_bulk(struct select *s);
bool select_launch(struct select *s);
bool select_matrix(struct select *s);
bool select_send(struct select *s);
bool select_tensor(struct select *s);
bool select_multimem(struct select *s);
bool select_cluster(struct select *s);
bool select_video(struct select *s);
bool select_convert_steps(struct select *s);
bool select_policy(struct select *s); /* createpolicy */
bool select_stack(struct select *s);  /* alloca and similar instructions */
void select_stack_begin(struct select *s);

#endif
