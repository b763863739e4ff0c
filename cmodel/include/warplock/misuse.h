/* SPDX-License-Identifier: Apache-2.0
 * misuse.h -- misuses of synchronisation instructions: kinds, the mode of each kind, the findings of a run. Silicon may
 * execute a misuse all the same. docs/misuse.md describes the kinds. */
#ifndef WARPLOCK_MISUSE_H
#define WARPLOCK_MISUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wl_misuse {
#define MISUSE(name, option, by_default, fault, sentence) WL_MISUSE_##name,
#include "warplock/misuse.def"
	WL_MISUSE_COUNT
};
enum wl_misuse_mode {
	WL_MISUSE_SILICON, /* as the row of the table says, without a message */
	WL_MISUSE_REPORT,  /* the finding is reported, and the words are executed */
	WL_MISUSE_FAULT,   /* the finding ends the run */
};
const char *wl_misuse_name(enum wl_misuse kind);     /* "local-atomic" */
const char *wl_misuse_sentence(enum wl_misuse kind); /* of the table */
bool wl_misuse_faults(enum wl_misuse kind);          /* by default */
/* "report", "fault", "silicon", or "KIND=report" and the like for a single kind. False: neither. */
bool wl_misuse_parse(const char *text, uint8_t mode[WL_MISUSE_COUNT]);

/* Lanes at an instruction, and the time. lanes = 0: nobody. */
struct wl_misuse_place {
	uint32_t pc; /* bytes */
	uint32_t sm, cta, warp, lanes;
	uint64_t time; /* of the SM, in instructions */
};
/* A finding for each kind and pair of places. */
struct wl_misuse_found {
	enum wl_misuse kind;
	struct wl_misuse_place here,
	        there; /* there: the other place, the earlier init or inval, the waiting warp, the copy */
	bool has_addr;
	uint64_t addr;  /* shared: in the window of the CTA */
	uint32_t id;    /* of a named barrier */
	uint64_t warps; /* warps of the CTA with an arrival at the barrier */
	bool grouped;   /* the copy is in a group of the warp; group 0: not committed; groups: committed so far */
	uint32_t group, groups;
	uint32_t bytes; /* MBAR_WAIT_EARLY: outstanding */
	uint64_t times; /* how often */
	bool ends;      /* the run has ended by the finding: the fault of the run tells */
	bool forgiven;  /* the mode is SILICON, and the run goes on */
};
enum { WL_MISUSE_MOST = 32 /* findings kept at most */ };

struct wl_gpu;
/* Before the run: enum wl_misuse_mode of each kind. Without a call every kind is as silicon. */
void wl_gpu_set_misuse(struct wl_gpu *gpu, const uint8_t mode[WL_MISUSE_COUNT]);
/* The findings of a run, the first finding first; *more: number of findings without room. */
unsigned wl_gpu_misuses(const struct wl_gpu *gpu, const struct wl_misuse_found **found, uint64_t *more);
/* A line without a newline: kind, sentence, places. */
void wl_gpu_misuse_text(const struct wl_gpu *gpu, const struct wl_misuse_found *f, char *buf, size_t n);

#endif
