// SPDX-License-Identifier: Apache-2.0
/* unit_ref.h -- a unit of the C model as the reference of foreign RTL.
 *
 * A bench tells the reference each request and each event of the RTL. The reference answers whether the event is right.
 * Arguments are numbers and texts alone, so DPI-C and foreign function interfaces need no layout of a struct.
 * Instructions are texts as nvdisasm prints them. docs/use-as-reference.md has examples. */
#ifndef WARPLOCK_UNIT_REF_H
#define WARPLOCK_UNIT_REF_H

#include <stdint.h>

struct wl_unit_ref;

/* Answer of every call with an event or a comparison. wl_unit_why has a line after any answer but AGREES. */
enum wl_unit_verdict {
	WL_UNIT_AGREES = 0,
	WL_UNIT_DIFFERS = 1, /* the RTL is wrong; the request stays as before the call */
	WL_UNIT_MISUSE = 2   /* the bench is wrong: a number out of range, an unknown tag; nothing has changed */
};

/* name: one of wl_unit_list(). parameters: "arch=sm_90 lanes=4", separated by blanks or commas, "" for none:
 *   arch=sm_75 lanes=32 banks=32 combine=0 shared=65536 seed=1   as in struct wl_config; the defaults are shown
 *   passes=model    a commit must have the lanes of the next pass of the model; passes=any: any remaining lanes
 * NULL: wl_unit_open_error() has a line. The caller ends the reference with wl_unit_close; NULL is fine for
 * wl_unit_close. */
struct wl_unit_ref *wl_unit_open(const char *name, const char *parameters);
const char *wl_unit_open_error(void);
const char *wl_unit_list(void); /* "atoms_pipe, atom_unit, barrier_file, ...": all names */
void wl_unit_close(struct wl_unit_ref *u);
/* The last answer in words; the text lives as long as the next call for u. */
const char *wl_unit_why(const struct wl_unit_ref *u);

/* A CTA comes to a slot: warps first_warp .. first_warp + warps - 1 of the SM, and `bytes` bytes of shared memory from
 * byte `base` on. The words of shared memory begin with a hash (wl_fill_word). A CTA leaves when nothing is open. */
int wl_unit_start_cta(struct wl_unit_ref *u, uint32_t slot, uint32_t cta, uint32_t first_warp, uint32_t warps,
                      uint32_t base, uint32_t bytes);
int wl_unit_end_cta(struct wl_unit_ref *u, uint32_t slot);
/* The next CTA to start is CTA `rank` of the `ctas` CTAs of a cluster. Without this call: a cluster of a single CTA. */
int wl_unit_cluster(struct wl_unit_ref *u, uint32_t cluster, uint32_t ctas, uint32_t rank);
/* A write from outside to a word of a CTA's shared memory. An mbarrier in the word is no mbarrier any more. */
int wl_unit_write(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint32_t word);
/* Global memory of atom_unit: a buffer of zeros, behind the buffers before; a word written from outside; comparison
 * with a word of the RTL's memory. */
int wl_unit_global(struct wl_unit_ref *u, uint64_t address, uint32_t bytes);
int wl_unit_write_global(struct wl_unit_ref *u, uint64_t address, uint32_t word);
int wl_unit_compare_global(struct wl_unit_ref *u, uint64_t address, uint32_t word);

/* Values of registers for the next request; the request takes and forgets the values; the default is 0.
 * source: 0, 1, 2 = A, B, C of the instruction, in the order of wl_inst; 3 = the uniform register (any lane). word: 0
 * is the low 32 bits. A uniform register as a source, as B of SYNCS.EXCH, counts at the lowest active lane. The parity
 * of SYNCS.PHASECHK is bit 31 of B. */
int wl_unit_operand(struct wl_unit_ref *u, uint32_t source, uint32_t lane, uint32_t word, uint32_t value);
/* The RTL takes a request. tag: a number of the bench's choice, unused by open requests. mask: active lanes. preds: the
 * source predicate of each lane, after negation. */
int wl_unit_request(struct wl_unit_ref *u, uint32_t tag, uint32_t slot, uint32_t warp, const char *instruction,
                    uint32_t mask, uint32_t preds);

/* Events of the RTL, in their order. `lanes` take effect; `lanes` fault with a number of units.def. Lanes of a pass
 * faulting by the state of the unit come before the lanes of the pass with effect. */
int wl_unit_commit(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes);
int wl_unit_fault(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes, uint32_t fault);
/* A warp has ended. */
int wl_unit_exit(struct wl_unit_ref *u, uint32_t slot, uint32_t warp);
/* Waiting warps (a bit for each warp of the SM) go on.
 *   barrier_file      id: the barrier; value: of a reduction, else 0
 *   mbarrier_engine   id: address of the mbarrier in the CTA's shared memory; value: 1, and the report of sm_107
 *   cluster_barrier   slot: the lowest of the cluster; id: number of phases before; value: 0
 *   fence_unit        id and value: 0; each warp alone */
int wl_unit_release(struct wl_unit_ref *u, uint32_t slot, uint32_t id, uint64_t warps, uint32_t value);
/* A wait of mbarrier_engine ends without the phase: the answer is false. */
int wl_unit_give_up(struct wl_unit_ref *u, uint32_t tag);
/* Something arrives at the mbarrier at `at` of the CTA's shared memory, and faults with `fault` (0: no fault).
 * what: "tx" = `amount` transactions are complete; "arrive" = 1 arrival; "report" = bit 8 a match, bits 7:0 a value */
int wl_unit_land(struct wl_unit_ref *u, uint32_t slot, uint32_t at, const char *what, uint32_t amount, uint32_t fault);
/* Results of an open request: a word of a committed lane; predicates of `lanes`. */
int wl_unit_result(struct wl_unit_ref *u, uint32_t tag, uint32_t lane, uint32_t word, uint32_t value);
int wl_unit_predicates(struct wl_unit_ref *u, uint32_t tag, uint32_t lanes, uint32_t values);
/* The request is complete: every lane has committed or faulted, and no warp waits. The tag is free again. */
int wl_unit_retire(struct wl_unit_ref *u, uint32_t tag);
/* No release is due: the RTL has shown all releases. A missing release shows here alone. */
int wl_unit_none_due(struct wl_unit_ref *u);
/* Nothing is open and no release is due. */
int wl_unit_idle(struct wl_unit_ref *u);

/* State of the unit against the RTL's.
 *   barrier_file            at: a barrier; first: arrived warps; second: waiting warps
 *   atoms_pipe, atom_unit   at: address of a word in the CTA's shared memory; first: the word; second: 0
 *   mbarrier_engine         at: address of an mbarrier there; first: the 64 bits; second: waiting warps
 *   cluster_barrier         at 0: arrived warps, waiting warps; at 1: warps without need to wait, 0
 *   convergence             at: warp << 16 | barrier << 8 | lane; first: the set of the lane; second: 0
 *                           with barrier 16 and lane 0: live lanes, waiting lanes
 * The other units have no state. */
int wl_unit_compare(struct wl_unit_ref *u, uint32_t slot, uint32_t at, uint64_t first, uint64_t second);

/* Expectations of the reference; 0 for an unknown tag. pass: lanes of commit `n`. */
uint32_t wl_unit_passes(struct wl_unit_ref *u, uint32_t tag);
uint32_t wl_unit_pass(struct wl_unit_ref *u, uint32_t tag, uint32_t n);
uint32_t wl_unit_static_faults(struct wl_unit_ref *u, uint32_t tag); /* lanes */
uint32_t wl_unit_value(struct wl_unit_ref *u, uint32_t tag, uint32_t lane, uint32_t word);
/* Open requests, and the objects of a CTA with waiting warps: a line each. */
const char *wl_unit_explain(struct wl_unit_ref *u, uint32_t slot);

#endif
