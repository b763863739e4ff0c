/* SPDX-License-Identifier: Apache-2.0
 * atoms_pipe_ref.h -- effects of shared-memory instructions, for the bench of atoms_pipe.
 * Source: docs/spec/shared-memory.md, "Results"; docs/spec/shared-memory.md, "Passes".
 *
 * Independent of both twins: passes are counted by bank group instead of stepped, and words are built here. Requests
 * take effect in the order given. */
#ifndef ATOMS_REF_H
#define ATOMS_REF_H

#include <stdbool.h>
#include <stdint.h>

/* REF_EXIT: a warp ends; REF_OTHER: a request for a unit outside the build. */
enum ref_kind { REF_LDS, REF_STS, REF_ATOMS, REF_CAS, REF_CAST, REF_NATIVE, REF_EXIT, REF_OTHER };
enum ref_op { REF_ADD, REF_MIN, REF_MAX, REF_INC, REF_DEC, REF_AND, REF_OR, REF_XOR, REF_EXCH, REF_OPS };
/* Native operations in the order of the words' numbers: sums of floats, then 64-bit integers. */
enum ref_native {
	NATIVE_F32,
	NATIVE_F64,
	NATIVE_F16,
	NATIVE_BF16,
	NATIVE_ADD,
	NATIVE_AND,
	NATIVE_OR,
	NATIVE_XOR,
	NATIVE_UMIN,
	NATIVE_UMAX,
	NATIVE_SMIN,
	NATIVE_SMAX,
	NATIVES
};

struct ref_req {
	enum ref_kind kind;
	enum ref_op op; /* REF_ATOMS */
	enum ref_native native;
	bool sgn;     /* MIN, MAX; extension of 8- and 16-bit loads */
	bool spin;    /* REF_CAST */
	bool illegal; /* a word without a meaning: ATOMS.ADD.64, a CAS without a size */
	bool rd_used, ra_used, ur_used;
	unsigned size;  /* log2 of bytes */
	unsigned scale; /* 0 .. 3: Ra, Ra.X4, Ra.X8, Ra.X16 */
	uint32_t off;   /* 24 bits */
	uint32_t tag, mask, slot, ur;
	uint64_t ra[32];
	uint32_t rb[32][4], rc[32][4];
};

struct ref_rsp {
	uint32_t tag, mask;
	uint32_t data[32][4];
	uint8_t fault[32];
	unsigned passes;
};

struct ref_window {
	uint32_t base, size;
	bool valid;
	uint32_t rank; /* of the CTA in the cluster: bits 31:24 of addresses with a register */
};

struct ref_smem {
	unsigned lanes, banks, combine;
	bool native;                         /* native operations are built; else illegal */
	unsigned long cut, nans, subnormals; /* passes cut by the adders; sums of f32 with NaN or subnormal result */
	uint8_t mem[65536];
	struct ref_window window[16];
};

/* The 128-bit word of sm_75, low word first. */
void ref_word(const struct ref_req *r, uint32_t word[4]);
/* Byte address of a lane in memory, for a lane without a fault; returns the fault or 0. */
uint8_t ref_place(const struct ref_smem *s, const struct ref_req *r, unsigned lane, uint32_t *at);
/* Executes a request: fills the response and changes the memory. */
void ref_run(struct ref_smem *s, const struct ref_req *r, struct ref_rsp *out);

#endif
