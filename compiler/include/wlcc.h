// SPDX-License-Identifier: Apache-2.0
/* wlcc.h -- the compiler as a library: PTX text to an object. warplock/object.h reads objects. */
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
	bool fatal; /* of an error: the checker stops here */
	const char *file;
	unsigned line;                /* from 1; 0 = the whole file */
	unsigned column;              /* in bytes, from 1; 0 = the whole line */
	const char *text;             /* the text of the assembler of PTX, where the assembler has a text */
	const char *found, *expected; /* NULL where the text is complete without */
	const char *hint;             /* a remedy, such as a newer .version; or NULL */
};

/* Called for every message, in source order as far as known. */
typedef void (*wlcc_diag_fn)(void *self, const struct wlcc_message *m);

struct wlcc_options {
	enum wl_arch arch;       /* architecture of the code */
	unsigned chip;           /* a chip of this architecture, such as 86 of WL_SM80; 0 = the architecture itself */
	char suffix;             /* 'a', 'f' or 0: of -arch=sm_90a. PTX with .target sm_90a fits sm_90a alone */
	int opt;                 /* 0, 1, 2 */
	const char *file;        /* name for messages and for the line table; NULL: "(PTX)" */
	const char *source_name; /* NULL = file */
	wlcc_diag_fn diag;       /* NULL: messages are dropped */
	void *diag_self;
	bool strict_version; /* refuse a .version unknown to the toolkit; else warn and read it as the newest */
	unsigned ptxas;   /* the CUDA toolkit with the verdicts to give, 130 = 13.0; 0 = newest known (targets.def) */
	bool masks_apart; /* sm_75: masks named together by lanes are equal or have no lane in common */
	bool print_overlaps;    /* sm_75: report where the masks of lanes may differ and overlap */
	bool ptxas_compat;      /* NVIDIA's sequences where NVIDIA's code leaves out a fence of the PTX */
	bool silicon_words;     /* NVIDIA's words that count lanes (sm_107), where SYNCS of each lane does the same */
	bool native_shared;     /* Warplock's own words for shared-memory atomics missing in silicon (docs/native.md) */
	bool relocatable;       /* an object for the linker of device code (nvlink), not for loading */
	unsigned max_registers; /* of a thread, for kernels without a limit of registers or threads; 0: all registers */
	bool debug;             /* lines of the PTX for NVIDIA's tools, too; PTX with .loc always has lines */
	FILE *emit_sass;        /* not NULL: print `.entry name` and one instruction a line */
	bool explain;           /* also print the PTX line before its code, with the reasons for the code */
	FILE *usage; /* not NULL: print a line for each kernel: registers, barriers, stack, spills and so on */
	const char *dump_after; /* not NULL: print the machine code after this pass to dump_to */
	FILE *dump_to;
	unsigned sync_mode;       /* knob 358, 0 to 3: removal of barriers and fences (docs/sync-passes.md) */
	bool no_stage;            /* knob 487=0: fences of unrolled loops are not merged */
	bool no_internals;        /* knob InternalFunctions=0: collectives stay in place (docs/sync-layer.md) */
	bool no_barrier_paths;    /* knob 472=0: the length of a barrier's run alone decides */
	bool no_errbars;          /* knob DisableErrbarAfterMembar */
	unsigned unroll;          /* knob Unroll: most copies of a loop's body, 0 to 64; 0: loops stay */
	FILE *print_passes;       /* not NULL: print the work of the passes on synchronisation */
	unsigned warnings;        /* the warnings to give: WLCC_WARN_... (docs/barrier-safety.md) */
	bool warnings_are_errors; /* the warnings given */
};

enum { WLCC_WARN_DIVERGENT_BARRIER = 1, WLCC_WARN_MBARRIER = 2 };
/* The name of a warning behind -W, for 0, 1, ..; NULL after the last. */
const char *wlcc_warning_name(unsigned i);

/* The pass for a synchronisation pass of the document, by name or number; NULL: no pass has the job. False: the
 * document has no pass of this name. */
bool wlcc_sync_pass(const char *name, const char **pass);
/* Names known to dump_after, in the order of the passes; NULL after the last. */
const char *wlcc_pass_name(unsigned i);

/* Compiles PTX text. Returns true when an object was made. Otherwise at least one error was reported. check_only:
 * check without an object, for the .target alone where arch and chip are 0; out may be NULL. */
bool wlcc_compile_ptx(const char *text, size_t size, const struct wlcc_options *o, bool check_only,
                      struct wlcc_bytes *out);

/* Splits a name such as "sm_110a" into chip and suffix. The checker knows more architectures than the code generator.
 * False: unknown name. wlcc_judged: the names without suffix; NULL after the last. */
bool wlcc_judges(const char *name, unsigned *chip, char *suffix);
/* May the `ptxas` of wlcc_options be this toolkit? */
bool wlcc_knows_toolkit(unsigned toolkit);
const char *wlcc_judged(unsigned i);

/* Explains an intrinsic `__nv_ptx_builtin_ocg_...`: its words, its modifiers, the verdict on a chip such as 90. The
 * prefix may be left out. Also explains an internal function `__cuda_...` and a symbol `%mbarrier_OBJECT_OPERATION`.
 * False: the name is refused for any operands. */
bool wlcc_explain_ocg(const char *name, unsigned chip, FILE *to);

/* Checks PTX text and prints the tree as PTX of the same meaning. False when an error was reported. */
bool wlcc_print_ptx(const char *text, size_t size, const struct wlcc_options *o, struct wlcc_bytes *out);

#endif
