/* SPDX-License-Identifier: Apache-2.0
 * mbar_ref.h -- mbarrier objects and the instructions on them, for the benches of the RTL. Counts are integers here;
 * the bits are formed last. Source: docs/spec/mbarrier.md, "Operations"; docs/spec/mbarrier.md, "Completion". */
#ifndef MBAR_REF_H
#define MBAR_REF_H

#include <stdbool.h>
#include <stdint.h>

/* Operations on a single object. */
enum mbar_kind { MBAR_ARRIVE, MBAR_ARRIVE_A, MBAR_EXCH, MBAR_IV, MBAR_READ, MBAR_KINDS };
enum mbar_form { A1TR, A1T0, A0T1, A0TR, A0TX, ART0, MBAR_FORMS };

/* Numbers of the faults: cmodel/units/faults. */
enum mbar_fault {
	MBAR_NONE = 0,
	MBAR_MISALIGNED = 1,
	MBAR_OUT_OF_RANGE = 2,
	MBAR_BAD_SPACE = 10,
	MBAR_UNINIT = 28,
	MBAR_COUNT_RANGE = 29,
	MBAR_UNDERFLOW = 30,
	MBAR_TX_RANGE = 32,
	MBAR_NOCOMPLETE = 33,
	MBAR_DROP_RANGE = 34,
	MBAR_DRAINED = 35,
	MBAR_LAYOUT = 37,
	MBAR_CLUSTER_RANK = 43,
	MBAR_FAULTS = 64
};

struct mbar_object {
	unsigned phase;
	int64_t expected, pending, tx;
	/* layout v1 of sm_107: the conditional phase; reports of the open and of the last phase */
	unsigned conditional, failed, value, last_failed, last_value;
};

struct mbar_step {
	enum mbar_kind kind;
	enum mbar_form form;
	bool drop, stay, marked;
	bool sm_107; /* an object with bit 0 has layout v1 */
	uint64_t old, b;
};

struct mbar_outcome {
	uint64_t now; /* valid only where written */
	bool written, marked, flip;
	enum mbar_fault fault;
};

/* From the picture of the word on the contract's page, bit by bit (mbar_ref_v1.c). */
struct mbar_object mbar_v1_unpack(uint64_t word);
uint64_t mbar_v1_pack(const struct mbar_object *o);
bool mbar_v1_impossible(uint64_t word);
/* On sm_107 a copy reports the result of a validity check: bit 8 a match, bits 7:0 the value of the match. */
struct mbar_outcome mbar_report(uint64_t old, bool marked, uint32_t found);
/* Of layout B or v1; in layout B the conditional phase is the phase, and reports do not exist. */
struct mbar_object mbar_look(uint64_t word, bool sm_107);
struct mbar_object mbar_unpack(uint64_t word, unsigned n); /* n: bits of a count, 20 but for small models */
uint64_t mbar_pack(const struct mbar_object *o, unsigned n);
struct mbar_outcome mbar_run(const struct mbar_step *op, unsigned n);

/* ---- whole instructions, on the shared memory of one CTA ---- */

/* Question of a PHASECHK. Only sm_107 has the last two. */
enum mbar_asks { ASKS_PHASE, ASKS_CONDITIONAL, ASKS_PRIMARY };
enum mbar_op { OP_EXCH, OP_ARRIVE, OP_CHECK, OP_TRYWAIT, OP_IV, OP_ARRIVE_A, OP_LDS, OP_STS, OP_STS_32, OP_KINDS };

/* Asking CTA: the CTA of the window; another CTA of the cluster; the latter with a rank missing in the cluster. */
enum mbar_who { MBAR_OWN, MBAR_OTHER, MBAR_LACKING };

struct mbar_req {
	enum mbar_op op;
	enum mbar_who who;
	enum mbar_form form;
	unsigned result; /* of ARRIVE: 0 the object, 1 TMASK, 2 nothing */
	enum mbar_asks asks;
	bool drop, rd_used;
	uint32_t tag, mask;
	uint32_t addr[32]; /* in the window; EXCH: of lane 0 counts */
	uint64_t b[32];    /* likewise */
};

struct mbar_rsp {
	uint32_t tag, mask, preds;
	uint64_t data[32];
	uint8_t fault[32];
	unsigned passes;
	bool parks;                          /* no response: */
	uint32_t park_object;                /* address / 8 */
	uint32_t flips;                      /* objects with a phase ended by the request, */
	uint32_t flip[32];                   /* address / 8 */
	struct mbar_end {                    /* end of each such phase */
		unsigned phase, conditional; /* parities of the open phases, before the end */
		bool both;                   /* the conditional phase ended, too */
		uint32_t value;              /* value of the RELEASE */
	} end[32];
};

struct mbar_smem {
	unsigned lanes, banks, arch;
	uint32_t base, size; /* the window, slot 0 */
	uint64_t word[8192];
	bool mark[8192];
};

void mbar_word(const struct mbar_req *r, unsigned arch, uint32_t word[4]);
void mbar_execute(struct mbar_smem *s, const struct mbar_req *r, struct mbar_rsp *out);

#endif
