// SPDX-License-Identifier: Apache-2.0
/* hazard.h -- registers of an instruction, latencies of results, and a check of the scheduling fields of a kernel.
 *
 * NVIDIA's hardware has no interlocks on registers. Only the compiler's stall counts and scoreboards keep instructions
 * apart. Numbers come from cmodel/isa/timing.def and latency.def, widths from cmodel/isa/uops.def. Pure functions; no
 * state. */
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
/* ---- latencies of results (cmodel/isa/timing.def and latency.def) ---- */
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
	WL_QUEUE_Bar,   /* B2R behind barrier reductions */
};
struct wl_timing {
	enum wl_pipe pipe;
	bool variable; /* a scoreboard announces results */
	enum wl_queue results, operands;
};
struct wl_timing wl_timing_of(enum wl_arch arch, enum wl_timing_class timing);
/* May code of this very chip (103) announce results of the pipe by scoreboards, where the architecture (WL_SM100)
 * counts cycles? Then *t is the timing of the chip's code. */
bool wl_chip_announces(unsigned chip, struct wl_timing *t);

/* ---- registers of a word ---- */
struct wl_access {
	struct wl_timing timing;
	uint64_t traits; /* WL_TRAIT(...) */
	const struct wl_sync_row *sync;
	bool drains; /* wl_inst_drains() */
	uint8_t n;
	struct wl_operand op[24];
};

/* Registers read and written by the word, without RZ, URZ, PT and UPT. False when no row matches. */
bool wl_access_of(enum wl_arch arch, struct wl_word word, struct wl_access *out);
/* The same for a modelled instruction, without the word. The encoding row, where known, has the timing: some forms of a
 * micro-operation differ in timing. */
void wl_inst_access(enum wl_arch arch, const struct wl_inst *in, struct wl_access *out);

/* Use of a result by a later instruction. */
enum wl_use { WL_USE_READ, WL_USE_LATE, WL_USE_GUARD, WL_USE_WRITE };
/* Least cycles between the issue of the producer and the issue of the consumer, for a result of fixed latency in this
 * register file. `high`: any word of the result but the lowest. */
unsigned wl_latency(enum wl_arch arch, enum wl_pipe producer, enum wl_file file, bool high, enum wl_use use,
                    enum wl_pipe consumer);
/* Cycles from an instruction to the first instruction able to wait for the scoreboard. */
enum { WL_BOARD_CYCLES = 2, WL_BOARDS = 6, WL_NO_BOARD = 7 };

/* ---- the checker ---- */
enum wl_hazard_kind {
	WL_HAZARD_CYCLES,  /* a result of fixed latency is read or written again too early */
	WL_HAZARD_BOARD,   /* result of variable latency: no scoreboard, or no wait for the scoreboard */
	WL_HAZARD_OPERAND, /* an operand is overwritten perhaps before the read */
	WL_HAZARD_EARLY,   /* the wait comes before the scoreboard is set */
	WL_HAZARD_UNKNOWN, /* no instruction of the architecture: the walk ends at the word */
};
struct wl_hazard {
	enum wl_hazard_kind kind;
	uint32_t producer, consumer; /* numbers of the words */
	uint16_t slot;
	bool write;              /* the consumer writes the register, else reads it */
	uint8_t board;           /* of the producer, WL_NO_BOARD = none */
	unsigned cycles, needed; /* CYCLES, EARLY */
	enum wl_use use;         /* CYCLES: how the consumer uses the register */
	bool high;               /* CYCLES: any word of the result but the lowest */
};
typedef void (*wl_hazard_visitor)(void *self, const struct wl_hazard *h);

/* Follows every path through the code of one section. Reports each hazard left open by the scheduling fields, once for
 * a pair of instructions and a register. words: 16 bytes each, little-endian. ways: targets of indirect branches. A
 * branch without a way may lead to every place without a direct way to the place. Returns the number of findings, or -1
 * without memory. chip: an architecture, or the number of a chip with the words of an architecture (103). */
struct wl_way {
	uint32_t from, to; /* numbers of words */
};
int wl_hazard_check(unsigned chip, const unsigned char *words, uint32_t n, const struct wl_way *ways, uint32_t nways,
                    wl_hazard_visitor visitor, void *self);

/* The same walk for measuring latencies: reports every pair with a result of fixed latency as CYCLES, legal or not. */
int wl_hazard_pairs(unsigned chip, const unsigned char *words, uint32_t n, const struct wl_way *ways, uint32_t nways,
                    wl_hazard_visitor visitor, void *self);

/* One line without the place: kind, cycles, scoreboard. */
void wl_hazard_text(const struct wl_hazard *h, char *buf, size_t n);

#endif
