// SPDX-License-Identifier: Apache-2.0
/* wlcc.h -- the compiler as a library: PTX text to an object. What an object holds is read by warplock/object.h. */
#ifndef WLCC_H
#define WLCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warplock/config.h"

/* Bytes that the callee allocates and the caller frees with free(data). */
struct wlcc_bytes {
	unsigned char *data;
	size_t size;
};

enum wlcc_severity { WLCC_ERROR, WLCC_WARNING, WLCC_INFO };

/* One message. The texts have no line end and live as long as the call. */
struct wlcc_message {
	enum wlcc_severity severity;
	bool fatal; /* of an error: the judging ends there */
	const char *file;
	unsigned line;                /* from 1; 0 = the whole file */
	unsigned column;              /* in bytes, from 1; 0 = the whole line */
	const char *text;             /* what the assembler of PTX would say, where it has a text for it */
	const char *found, *expected; /* NULL where the text says it all */
	const char *hint;             /* what would make it good, such as a newer .version; or NULL */
};

/* Called for every message, in source order as far as known. */
typedef void (*wlcc_diag_fn)(void *self, const struct wlcc_message *m);

struct wlcc_options {
	enum wl_arch arch;       /* what to generate for */
	unsigned chip;           /* a chip that runs its words, such as 86 of WL_SM80; 0 = the architecture itself */
	char suffix;             /* 'a', 'f' or 0: of -arch=sm_90a. PTX with .target sm_90a is for that one alone */
	int opt;                 /* 0, 1, 2 */
	const char *file;        /* name for messages and for the line table */
	const char *source_name; /* NULL = file */
	wlcc_diag_fn diag;
	void *diag_self;
	bool strict_version; /* refuse a .version that the toolkit does not know; else warn and read it as the newest */
	unsigned ptxas;   /* toolkit of CUDA whose verdicts are given, 130 = 13.0; 0 = the newest known (targets.def) */
	bool masks_apart; /* sm_75: masks that lanes name together are equal or have no lane in common */
	bool print_overlaps;    /* sm_75: tell where the masks of lanes may differ and overlap */
	bool ptxas_compat;      /* NVIDIA's sequences where they leave a fence out that the PTX asks for */
	bool silicon_words;     /* NVIDIA's words that count lanes (sm_107), where SYNCS of each lane does the same */
	bool native_shared;     /* words of ours for atomics of shared memory that silicon has not (docs/native.md) */
	bool relocatable;       /* an object for the linker of device code (nvlink), not one that can be loaded */
	unsigned max_registers; /* of a thread, where the kernel says nothing of registers or threads; 0: as many as
	                           there are */
	bool debug;             /* lines of the PTX for NVIDIA's tools, too; PTX with .loc has them always */
	FILE *emit_sass;        /* not NULL: print `.entry name` and one instruction a line */
	bool explain;           /* there also the PTX line in front of its code, and why it is made as it is */
	FILE *usage; /* not NULL: print a line for each kernel: registers, barriers, stack, spills and so on */
	const char *dump_after; /* not NULL: print the machine code after this pass to dump_to */
	FILE *dump_to;
	unsigned sync_mode;       /* knob 358, 0 to 3: barriers and fences that may go (docs/sync-passes.md) */
	bool no_stage;            /* knob 487=0: fences of unrolled loops are not merged */
	bool no_internals;        /* knob InternalFunctions=0: collectives stay in place (docs/sync-layer.md) */
	bool no_barrier_paths;    /* knob 472=0: barriers go by the length of their runs alone */
	bool no_errbars;          /* knob DisableErrbarAfterMembar */
	unsigned unroll;          /* knob Unroll: most copies of the body of a loop, 0 to 64; 0: loops stay */
	FILE *print_passes;       /* not NULL: print what the passes on synchronisation did */
	unsigned warnings;        /* which to give: WLCC_WARN_... (docs/barrier-safety.md) */
	bool warnings_are_errors; /* of those */
};

enum { WLCC_WARN_DIVERGENT_BARRIER = 1, WLCC_WARN_MBARRIER = 2 };
/* The name behind -W of one of them, 0, 1, ..; NULL behind the last. */
const char *wlcc_warning_name(unsigned i);

/* The pass that does the job of one of the document's passes on synchronisation, by name or number; NULL: none does.
 * False: the document has no such pass. */
bool wlcc_sync_pass(const char *name, const char **pass);
/* Names that dump_after knows, in the order of the passes; NULL behind the last. */
const char *wlcc_pass_name(unsigned i);

/* Compiles PTX text. Returns true when an object was made; otherwise at least one error was reported.
 * check_only: judge only, for the .target alone where arch and chip are 0; out may be NULL. */
bool wlcc_compile_ptx(const char *text, size_t size, const struct wlcc_options *o, bool check_only,
                      struct wlcc_bytes *out);

/* "sm_110a" to the chip and suffix of an architecture that PTX can be judged for, which are more than can be compiled
 * for. False: there is none of that name. wlcc_judged: their names, without suffixed ones; NULL behind the last. */
bool wlcc_judges(const char *name, unsigned *chip, char *suffix);
/* Whether ptxas of wlcc_options may be this toolkit. */
bool wlcc_knows_toolkit(unsigned toolkit);
const char *wlcc_judged(unsigned i);

/* An intrinsic `__nv_ptx_builtin_ocg_...` in words: its words, its modifiers, the verdict on a chip such as 90. The prefix
 * may be left out. Also an internal function `__cuda_...`, a symbol `%mbarrier_OBJECT_OPERATION`. False: the name is refused, whatever the operands. */
bool wlcc_explain_ocg(const char *name, unsigned chip, FILE *to);

/* Checks PTX text and prints its tree as PTX that means the same. False when an error was reported. */
bool wlcc_print_ptx(const char *text, size_t size, const struct wlcc_options *o, struct wlcc_bytes *out);

#endif
