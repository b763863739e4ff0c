// SPDX-License-Identifier: Apache-2.0
/* hazard.h -- which registers an instruction touches, how long its results take, and whether the scheduling fields of
 * a kernel's words keep all of that apart.
 *
 * NVIDIA's hardware has no interlocks on registers: the compiler's stall counts and scoreboards are all there is. The
 * numbers are those of cmodel/isa/timing.def and latency.def, the widths those of cmodel/isa/uops.def. Pure
 * functions; no state. */
#ifndef WARPLOCK_HAZARD_H
#define WARPLOCK_HAZARD_H

#include "warplock/isa.h"

/* Every register of a thread or warp has a slot. */
enum {
	WL_SLOT_R = 0,    /* R0 .. R254 */
	WL_SLOT_UR = 256, /* UR0 .. UR254 */
	WL_SLOT_P = 512,  /* P0 .. P6 */
	WL_SLOT_UP = 520, /* UP0 .. UP6 */
	WL_SLOT_B = 528,  /* B0 .. B15 */
	WL_SLOTS = 544,
};
enum wl_file { WL_FILE_R, WL_FILE_UR, WL_FILE_P, WL_FILE_UP, WL_FILE_B, WL_FILE_COUNT };
enum wl_file wl_slot_file(unsigned slot);
/* "R4", "UP0"; returns buf. */
const char *wl_slot_name(unsigned slot, char buf[8]);

struct wl_operand {
	uint16_t slot; /* of the first register */
	uint8_t words; /* registers in a row */
	bool write;    /* else read */
	bool guard;    /* read as the guard */
	bool late;     /* read later than the others: data behind an address, the accumulator of IMAD */
};
/* ---- how long results take (cmodel/isa/timing.def and latency.def) ---- */
enum wl_pipe {
#define PIPE(name, variable) WL_PIPE_##name,
#include "warplock/timing.def"
#undef PIPE
	WL_PIPE_COUNT
};
const char *wl_pipe_name(enum wl_pipe p);

/* Queues of timing.def. */
enum wl_queue {
	WL_QUEUE_None,
	WL_QUEUE_Dbl,   /* float64 */
	WL_QUEUE_Sfu,   /* special functions */
	WL_QUEUE_Smem,  /* results of shared memory and shuffles */
	WL_QUEUE_Mio,   /* operands of memory instructions */
	WL_QUEUE_Const, /* operands of LDC */
	WL_QUEUE_Usr,   /* S2UR */
	WL_QUEUE_Rdx,   /* REDUX */
};
struct wl_timing {
	enum wl_pipe pipe;
	bool variable; /* results are announced by a scoreboard */
	enum wl_queue results, operands;
};
struct wl_timing wl_timing_of(enum wl_arch arch, enum wl_timing_class class);

/* ---- what a word does to registers ---- */
struct wl_access {
	struct wl_timing timing;
	uint64_t traits; /* WL_TRAIT(...) */
	uint8_t n;
	struct wl_operand op[24];
};

/* Registers that the word reads and writes, RZ, URZ, PT, UPT left out. False when no row matches. */
bool wl_access_of(enum wl_arch arch, struct wl_word word, struct wl_access *out);
/* The same of an instruction that is modelled, without its word. Its encoding row, where it is known, says how long it
 * takes; a few forms of one micro-operation differ in that. */
void wl_inst_access(enum wl_arch arch, const struct wl_inst *in, struct wl_access *out);

/* What a later instruction does with a result. */
enum wl_use { WL_USE_READ, WL_USE_LATE, WL_USE_GUARD, WL_USE_WRITE };
/* Cycles that must lie between the issue of the producer of a result of fixed latency in that register file (`high`:
 * any word of it but the lowest) and the issue of its consumer. */
unsigned wl_latency(enum wl_arch arch, enum wl_pipe producer, enum wl_file file, bool high, enum wl_use use,
                    enum wl_pipe consumer);
/* Cycles from the issue of an instruction to the first one that can wait for the scoreboard it sets. */
enum { WL_BOARD_CYCLES = 2, WL_BOARDS = 6, WL_NO_BOARD = 7 };

/* ---- the checker ---- */
enum wl_hazard_kind {
	WL_HAZARD_CYCLES,  /* the result of fixed latency is read or written again too early */
	WL_HAZARD_BOARD,   /* no scoreboard, or not waited for: result of variable latency */
	WL_HAZARD_OPERAND, /* an operand is overwritten that is perhaps not read yet */
	WL_HAZARD_EARLY,   /* the wait comes before the scoreboard stands */
	WL_HAZARD_UNKNOWN, /* no instruction of the architecture: nothing can be said behind it */
};
struct wl_hazard {
	enum wl_hazard_kind kind;
	uint32_t producer, consumer; /* numbers of the words */
	uint16_t slot;
	bool write;              /* the consumer writes the register, else reads it */
	uint8_t board;           /* of the producer, WL_NO_BOARD = none */
	unsigned cycles, needed; /* CYCLES, EARLY */
	enum wl_use use;         /* CYCLES: how the consumer uses the register */
	bool high;               /* ... and whether it is any word but the lowest of the result */
};
typedef void (*wl_hazard_visitor)(void *self, const struct wl_hazard *h);

/* Follows every path through the code of one section and reports what its scheduling fields leave open, each pair of
 * instructions and register once. `words` are 16 bytes each, little-endian. `ways` are those of indirect branches; a
 * branch of which none is given may lead to every place that no direct way leads to. Returns the number of findings, or
 * -1 without memory. */
struct wl_way {
	uint32_t from, to; /* numbers of words */
};
int wl_hazard_check(enum wl_arch arch, const unsigned char *words, uint32_t n, const struct wl_way *ways,
                    uint32_t nways, wl_hazard_visitor visitor, void *self);

/* The same walk, but every pair with a result of fixed latency is reported, as CYCLES, kept apart well or not: what
 * latencies are measured with. */
int wl_hazard_pairs(enum wl_arch arch, const unsigned char *words, uint32_t n, const struct wl_way *ways,
                    uint32_t nways, wl_hazard_visitor visitor, void *self);

/* One line, without the place: what, how many cycles, which scoreboard. */
void wl_hazard_text(const struct wl_hazard *h, char *buf, size_t n);

#endif
