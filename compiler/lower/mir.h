// SPDX-License-Identifier: Apache-2.0
/* mir.h -- the machine IR of all passes of the back end.
 *
 * A function is blocks of machine instructions over virtual registers. An instruction is a struct wl_inst with
 * everything final but registers, predicates and branch targets. These stand beside the struct as references, until
 * allocation writes the numbers in. Everything lies in the arena of the function's compilation.
 *
 * The order of the passes stands in compiler/compile.c. */
#ifndef WLCC_LOWER_MIR_H
#define WLCC_LOWER_MIR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../object/code.h"
#include "../ptx/ptx.h"
#include "sync_passes.h"
#include "target.h"
#include "warplock/isa.h"

/* One 32-bit word of a virtual register: register number * 4 + word; predicates have word 0 only. */
typedef uint32_t ref;
#define REF_NONE ((ref)0xffffffff) /* RZ, PT */
#define REF_SP   ((ref)0xfffffffe) /* the frame of the thread: R1, or R2 where R1 moves; no other value is put there */
#define NO_BLOCK 0xffffffffu
#define NOT_P    8u /* set in a predicate number of struct wl_inst: negated */

static inline uint32_t ref_reg(ref r)
{
	return r >> 2;
}
static inline unsigned ref_word(ref r)
{
	return r & 3;
}
static inline bool ref_is_reg(ref r)
{
	return r < REF_SP;
}

/* Micro-operations that exist between selection and expansion only. */
enum pseudo_uop {
	PSEUDO_MOV64 = WL_UOP_COUNT, /* rd.64 = B (register pair, constant pair, imm64) */
	PSEUDO_ADD64,                /* rd.64 = A.64 + B (register pair, constant pair, imm64) */
	PSEUDO_SYMBOL,               /* rd = a word of the address named by `place`; becomes MOV after allocation */
	PSEUDO_COUNT
};

struct vreg {
	bool pred;
	bool fixed;    /* stands for the register `phys` alone: arguments, results and return address of calls */
	uint8_t words; /* 1, 2 or 4 registers, aligned to this number; 1 for predicates */
	bool named; /* a register of the PTX source: a guarded write must keep the old value where the guard is false */
	bool unspillable; /* made by spill code: no life could be shorter */
	int16_t phys;     /* after allocation; -1 = never live */
};

/* Fixed registers: handed over by a call or a return (use), received from a call or at a function's entry (def). */
struct mcall {
	ref use[24], def[24];
	uint8_t nuses, ndefs;
};

/* An address not known before the object is linked. */
struct mplace {
	const struct ptx_symbol *symbol; /* NULL: the return address of the next call of the block */
	const char *name;                /* of a function only declared by the module, or of the driver */
	int64_t addend;
	bool high; /* bits 63:32 */
};

struct code_mark;

/* Forms of an instruction without a member in struct wl_inst: SYNCS.PHASECHK of sm_107 alone; VOTEU with the result in
 * UP0. */
enum minst_form { FORM_PLAIN, WAIT_CONDITIONAL, WAIT_PRIMARY, VOTE_UP0 };

struct minst {
	struct wl_inst w;
	ref rd, ra, rb, rc; /* registers; none for a source of another kind, or with 0 from minst_words() */
	ref guard;          /* the negations of guard and ps stay in w.guard and w.ps */
	ref pd[2], ps[3];
	uint64_t imm64;       /* of pseudo instructions */
	struct wl_word *word; /* NULL, or the finished word, described by w */
	struct mcall *call;   /* of calls, returns and the note of registers at the entry; else NULL */
	struct mplace *place; /* of PSEUDO_SYMBOL, and of a call of a name; else NULL */
	bool above_frame;     /* an access at R1 + off + size of the frame: the caller's part of the stack */
	bool keep;            /* stays even without readers of the results: volatile accesses, clocks */
	uint8_t form;         /* enum minst_form */
	bool oob;             /* .OOB of HFMA2, without a member in struct wl_inst: the model does not run .OOB */
	bool fresh;           /* where the guard is false, the old values of the results are not wanted */
	bool together;        /* of a branch: all lanes at the branch go the same way */
	const struct code_mark *mark; /* NULL, or why .nv.info names this; `at` and registers are not yet known */
	bool polls;                   /* an atomic or a call that may wait for others: polls.h */
	bool computes;   /* a try of a loop that makes an atomic: fails only because another try has succeeded */
	uint32_t target; /* block named by BRA or BSSY */
	uint32_t line;   /* PTX line */
	uint32_t round;  /* of an unrolled loop: number of the loop << 16 | 1 + number of the copy; else 0 */
};

/* Words of a register, one bit each. */
struct live_word {
	uint32_t vreg;
	uint8_t words;
};

struct mblock {
	uint32_t id;
	uint32_t n, cap;
	struct minst *ins;
	uint32_t next;      /* next block when the last instruction does not leave; NO_BLOCK = none */
	uint32_t rejoin;    /* lanes go on apart from here: block where lanes meet again; NO_BLOCK = none */
	uint32_t next_line; /* PTX line of the branch that `next` stands for; 0 = falls through */
	bool nounroll;      /* .pragma "nounroll" stands in the block */
	bool whole;         /* selection takes all running lanes of the warp to come here together */
	/* cfg.c */
	bool reachable;
	uint32_t nsucc, succ[2];
	uint32_t npred, *pred;
	uint32_t rpo;                   /* position in reverse post-order */
	uint32_t idom, ipdom;           /* NO_BLOCK: none (entry; every path ends first) */
	uint32_t pdom_depth;            /* number of post-dominators */
	uint32_t dom_first, dom_last;   /* range of dom_first of the dominated blocks */
	uint32_t loop;                  /* header of the innermost loop around the block, NO_BLOCK = none */
	uint32_t loop_parent;           /* of a header: header of the next loop around */
	uint32_t loop_first, loop_last; /* of a header: range of loop_first of the loops within */
	bool reaches_end;               /* some path leads to the kernel's last return */
	uint32_t nlive_out;             /* live.c */
	struct live_word *live_out;
	/* emit_words.c */
	uint32_t at; /* index of the first instruction in the code */
};

struct mfunc {
	struct sync_knobs knobs;
	struct sync_removed removed;
	bool masks_apart, print_overlaps; /* see struct wlcc_options */
	struct arena *arena;              /* freed with the function */
	struct arena *keep;               /* the code itself */
	const struct ptx_function *src;
	const char *file; /* of messages */
	wlcc_diag_fn diag;
	void *diag_self;
	unsigned nerrors;
	enum wl_arch arch;
	unsigned chip; /* chip for the words: 86 of WL_SM80 */
	const struct target *target;
	int opt;
	bool native_shared; /* ATOMSN for atomics of shared memory */
	bool silicon_words; /* see struct wlcc_options */
	bool compat;        /* as ptxas, even where ptxas leaves a fence out */
	unsigned ptxas;     /* sequences of this ptxas, where toolkits differ: 130 = 13.0, or the newest */
	uint32_t nvregs, vregs_cap;
	struct vreg *vregs;
	uint32_t nblocks, blocks_cap;
	struct mblock **blocks; /* by id; block 0 is the entry */
	uint32_t norder, order_cap;
	uint32_t *order; /* ids in layout order */
	uint32_t *rpo;   /* reachable ids in reverse post-order */
	uint32_t nrpo;
	bool irreducible;  /* some cycle has two entries */
	uint32_t frame;    /* bytes of local memory of a thread */
	uint32_t regs;     /* registers used, after allocation */
	uint32_t max_regs; /* limit of allocation: R0..max_regs-1 */
	bool uses_sp;
	bool moves_stack;             /* allocates on the stack: the frame stays at R2 while R1 moves */
	bool copies, bulk_copies;     /* ends groups of asynchronous copies, of bulk copies, counted by a scoreboard */
	bool system_shared;           /* uses the system's part of shared memory */
	bool calls;                   /* calls functions: lanes wait in barriers kept by the callees */
	struct value_def *value_defs; /* values.c: room used anew by each pass, for value_room words */
	uint32_t value_room;
	uint32_t fixed[256];         /* virtual register + 1 in the place of each register; 0 = none */
	struct internals *internals; /* internal.h; NULL: no internal function may be called */
	bool is_internal;            /* is an internal function */
	struct library **library;    /* instructions written in PTX, as far as needed */
	uint32_t cbars;              /* convergence barriers used, one bit each */
	ref sp;                      /* the stack pointer, and the frame: REF_SP after allocation */
	ref frame_at;
	uint32_t stored, loaded; /* bytes, by spill code */
	struct code_note *notes; /* reasons for the code, the last first */
};

/* ---- mir.c ---- */

uint32_t mfunc_new_reg(struct mfunc *f, unsigned words);
uint32_t mfunc_new_pred(struct mfunc *f);
ref mfunc_fixed(struct mfunc *f, unsigned phys); /* the virtual register for this register */
struct mblock *mfunc_new_block(struct mfunc *f);
/* The reason for the code of a line, printed by `wlcc -S -v`. */
void mfunc_note(struct mfunc *f, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void mfunc_place(struct mfunc *f, uint32_t block); /* at the end of the layout */
/* A neutral instruction of the uop (also of a pseudo uop): no registers, guard always, source kinds none. */
struct minst minst_make(unsigned uop, uint32_t line);
struct minst *mblock_append(struct mfunc *f, struct mblock *b, const struct minst *in);
struct minst *mblock_insert(struct mfunc *f, struct mblock *b, uint32_t at, const struct minst *in);

/* As in uops.def; for pseudo instructions, as in a table of mir.c. Words of a register operand: 0 without the
 * register. */
unsigned minst_words(const struct minst *in, enum wl_reg r);
bool minst_has(const struct minst *in, uint64_t traits); /* any trait of the set */
enum wl_sync_order minst_sync_order(const struct minst *in);
/* The instruction has an effect beside writes of registers and predicates. */
bool minst_has_effect(const struct minst *in);
/* The instruction reads memory, and must not run where the guard is false: the address may be wrong. */
bool minst_reads_memory(const struct minst *in);
/* The instruction ends a block: an unguarded EXIT, a return, or a BRA. */
bool minst_ends_block(const struct minst *in);
/* Nothing follows the instruction: an unguarded EXIT or a return. */
bool minst_ends_path(const struct minst *in);
bool minst_is_call(const struct minst *in);
/* The instruction names the descriptor of global memory, or a policy of the L2. */
bool minst_takes_descriptor(const struct minst *in);
/* May source `source` (0 = A) of the uop be an immediate or constant-bank operand, with registers as other sources? */
bool mfunc_takes(const struct mfunc *f, unsigned uop, unsigned source, enum wl_src kind);

/* Visits: minst_uses(in, visit, self) and minst_defs(in, visit, self), in mir_visit.h. `words` registers from r on;
 * predicates have words 0. */
typedef void (*ref_visit)(void *self, ref *r, unsigned words);

/* homes.c: reads, or writes, one of `words` registers from r on; for a predicate r, with words 0. */
bool minst_reads(struct minst *in, ref r, unsigned words);
bool minst_writes(struct minst *in, ref r, unsigned words);
#define MANY_BLOCKS 0xfffffffeu
/* homes.c: by register, the only block with reads or writes; NO_BLOCK without any, MANY_BLOCKS with several blocks. */
uint32_t *mfunc_homes(const struct mfunc *f);
/* The instruction's kind allows a guard: nothing but the results would depend on the guard. */
bool minst_may_be_guarded(const struct minst *in);

/* An error at a PTX line; the compilation goes on to find more errors, and fails. */
void lower_error(struct mfunc *f, uint32_t line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void lower_warn(struct mfunc *f, uint32_t line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Scoreboards for the groups counted by LDGDEPBAR and UTMACMDFLUSH: sched.c leaves these boards alone. */
enum { COPY_GROUP_BOARD = 0, BULK_GROUP_BOARD = 1 };

/* ---- the passes, one file each ---- */

struct library;      /* library.h */
struct lower_module; /* variables with places: select.h */

bool lower_select(struct mfunc *f, const struct lower_module *m);
void lower_cfg(struct mfunc *f);
/* dominators.c: for cfg.c; blocks with edges in, idom or reaches_end, ipdom and pdom_depth out */
void lower_dominators(struct mfunc *f);
void lower_post_dominators(struct mfunc *f, uint32_t end);
void lower_unroll(struct mfunc *f);     /* cfg.c before; makes the graph anew after a change */
void lower_shortcut(struct mfunc *f);   /* also ends in straight blocks */
void lower_straighten(struct mfunc *f); /* shortcut.c */
void lower_predicate(struct mfunc *f);
void lower_fold(struct mfunc *f);
void lower_number(struct mfunc *f);
void lower_webs(struct mfunc *f);
void lower_choose(struct mfunc *f);
void lower_combine(struct mfunc *f);
void lower_dead(struct mfunc *f);
void lower_expand(struct mfunc *f);
void lower_converge(struct mfunc *f);
void lower_live(struct mfunc *f);
void lower_presched(struct mfunc *f);
void lower_coalesce(struct mfunc *f);
bool lower_regalloc(struct mfunc *f);
void lower_spill(struct mfunc *f, const bool *spilled);
void lower_frame(struct mfunc *f); /* stack, kept registers, descriptor, addresses */
void lower_layout(struct mfunc *f);
bool lower_sched(struct mfunc *f); /* of encoded instructions: emit_words.h; false when an error was reported */

/* print_mir.c */
void lower_print(const struct mfunc *f, const char *pass, FILE *to);

/* The offset fits the field of an access to memory. */
static inline bool fits_offset(const struct mfunc *f, int64_t off)
{
	int64_t limit = INT64_C(1) << (f->target->offset_bits - 1);
	return off >= -limit && off < limit;
}

/* The offset fits the field of this instruction. */
static inline bool fits_field(const struct mfunc *f, const struct minst *in, int64_t off)
{
	switch (in->w.uop) {
	case WL_UOP_LDGSTS:
		return off >= -2048 && off < 2048;
	case WL_UOP_LDG_256:
		return off % 32 == 0 && off >= -(INT64_C(1) << 21) && off < INT64_C(1) << 21;
	case WL_UOP_STG_256:
		return off % 32 == 0 && off >= -(INT64_C(1) << 23) && off < INT64_C(1) << 23;
	default:
		return fits_offset(f, off);
	}
}

static inline bool block_dominates(const struct mfunc *f, uint32_t a, uint32_t b)
{
	return f->blocks[b]->dom_first >= f->blocks[a]->dom_first && f->blocks[b]->dom_first <= f->blocks[a]->dom_last;
}

/* The block is part of the loop with this header. */
static inline bool loop_contains(const struct mfunc *f, uint32_t header, uint32_t block)
{
	uint32_t l = f->blocks[block]->loop;
	return l != NO_BLOCK && f->blocks[l]->loop_first >= f->blocks[header]->loop_first &&
	       f->blocks[l]->loop_first <= f->blocks[header]->loop_last;
}

#endif
