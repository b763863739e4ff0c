/* SPDX-License-Identifier: Apache-2.0
 * atom_unit_ref.h -- effects of loads, stores and atomics of global memory, for the bench of atom_unit.
 * Source: docs/spec/global-memory.md, "Sectors"; docs/spec/atomics.md, "Integers"; docs/spec/atomics.md, "Floats".
 *
 * A request has a job for each sector of 32 bytes; a job is applied as a whole, lane after lane. */
#ifndef ATOM_REF_H
#define ATOM_REF_H

#include <stdbool.h>
#include <stdint.h>

enum atom_kind {
	ATOM_LDG,
	ATOM_STG,
	ATOM_LD,
	ATOM_ST,
	ATOM_ATOMG,
	ATOM_ATOMG_CAS,
	ATOM_RED,
	ATOM_ATOM,
	ATOM_ATOM_CAS,
	ATOM_ATOM_CAST,
	ATOM_KINDS
};
enum atom_op { OP_ADD, OP_MIN, OP_MAX, OP_INC, OP_DEC, OP_AND, OP_OR, OP_XOR, OP_EXCH };
enum atom_type { TYPE_INT, TYPE_F32_FTZ, TYPE_F16X2, TYPE_F64, TYPE_F32, TYPE_BF16X2, TYPES };
enum {
	FAULT_NONE = 0,
	FAULT_MISALIGNED = 1,
	FAULT_SHARED = 2,
	FAULT_ILLEGAL = 3,
	FAULT_GLOBAL = 4,
	FAULT_BAD_SPACE = 10,
	FAULT_CLUSTER_TARGET = 42,
	FAULT_CLUSTER_RANK = 43
};

struct atom_req {
	enum atom_kind kind;
	enum atom_op op;
	enum atom_type type;
	unsigned size; /* log2 of the bytes */
	bool is_signed, rd_used, pd_used, wide, narrow, ra_used, illegal, spin, has_policy, several;
	unsigned rank; /* of the CTA in the cluster, if `several` CTAs */
	uint32_t tag, mask;
	uint64_t base; /* uniform register and offset */
	uint64_t policy;
	uint64_t ra[32];
	uint32_t rb[32][4], rc[32][4];
};

/* Parameters of the hardware, beside the request. */
struct atom_hw {
	unsigned combine;                 /* words of a pass that take all their lanes */
	uint32_t shared_high, local_high; /* of generic addresses */
	bool cluster;                     /* shared memory of other CTAs is served */
};

/* Outcome of a request. */
struct atom_outcome {
	uint64_t addr[32];
	uint32_t refused, misaligned, bad_space, range;
	uint32_t shared, outside; /* lanes for shared memory; of these, beyond the window, */
	uint32_t absent, ended;   /* ... of a CTA absent from the cluster, of an ended CTA */
	uint32_t todo;            /* lanes with their sector still to come */
	unsigned passes;
	uint32_t data[32][4];
};

static inline bool atom_is_load(enum atom_kind k)
{
	return k == ATOM_LDG || k == ATOM_LD;
}
static inline bool atom_is_store(enum atom_kind k)
{
	return k == ATOM_STG || k == ATOM_ST;
}
static inline bool atom_is_cas(enum atom_kind k)
{
	return k == ATOM_ATOMG_CAS || k == ATOM_ATOM_CAS || k == ATOM_ATOM_CAST;
}

/* True if the operation exists for the type and size. */
bool atom_legal(enum atom_kind kind, enum atom_op op, enum atom_type type, unsigned size);
/* Addresses, static faults, passes; no sector is done yet. */
void atom_judge(const struct atom_hw *hw, const struct atom_req *r, struct atom_outcome *o);
/* Shared memory of the lane's CTA serves the request: loads and stores, 32-bit integers, EXCH and CAS. */
bool atom_is_native(const struct atom_req *r);
/* Lanes of the sector of the lowest lane in `lanes`. */
uint32_t atom_sector(const struct atom_outcome *o, uint32_t lanes, uint64_t *sector);
/* Applies the lanes to their sector; `halves`: the present halves. Returns the bytes written. */
uint32_t atom_apply(const struct atom_req *r, struct atom_outcome *o, uint32_t lanes, unsigned halves,
                    uint8_t memory[32]);
/* Fault code of a lane; whether register and predicate of the lane are written. */
unsigned atom_fault(const struct atom_req *r, const struct atom_outcome *o, unsigned lane);
bool atom_served(const struct atom_req *r, const struct atom_outcome *o, unsigned lane);

#endif
