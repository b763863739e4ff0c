// SPDX-License-Identifier: Apache-2.0
/* memory_agent.h -- the global memory behind atom_unit's port: the DUT's own image of the buffers of a launch. The
 * unit reads and writes the image by sectors of 32 bytes, with any latency and in any order.
 * Source: docs/spec/global-memory.md, "Memory agent".
 *
 * A conditional write is judged in the cycle of the answer. The write succeeds when nobody wrote the sector since this
 * id's last read, or since this id's last answer with the content. Stores of the front end and of other SMs count as
 * writes of somebody else. */
#ifndef WARPLOCK_COSIM_MEMORY_AGENT_H
#define WARPLOCK_COSIM_MEMORY_AGENT_H

#include "shim.h"
#include "warplock/gmem.h"

enum { MEMORY_SECTOR = 32, MEMORY_IDS = 256, MEMORY_LATENCY = 200 };

struct memory_agent;

struct memory_config {
	struct wl_gmem *gmem; /* REF's: the buffers, and the content that the image starts with */
	uint64_t seed;
	unsigned latency; /* most cycles from a request to the answer, plus cycles taken by other answers */
	bool fixed;       /* every answer takes exactly `latency` */
	bool stall;       /* requests are held back now and then */
	/* Once in so many cycles somebody else writes a word to both images, in a sector already read by the DUT; 0 =
	 * never */
	unsigned intrude;
	/* Or, for kernels, because their memory must not change: a word is written back, so conditional writes fail. */
	unsigned rewrite;
	/* The DUT has more than 16 ids: an id may go on behind a conditional write that succeeded (docs/ports.md). */
	bool keeps;
	/* The agent of another DUT at the same memory. All agents then share an image: for each DUT, the others' writes
	 * are writes of somebody else. NULL: an image of this agent alone. */
	struct memory_agent *beside;
};

struct memory_stats {
	uint64_t reads, stores, conditional, asked; /* asked: conditional writes of no bytes */
	uint64_t retries;                           /* conditional writes without success */
	uint64_t overtaken;                         /* answers given while an older request still waited */
	uint64_t held;                              /* cycles in which a request was held back */
	uint64_t absent;                            /* answers about a sector with a missing half */
	uint64_t foreign;                           /* writes of others: the front end's, intruders' */
	unsigned most;                              /* requests under way at once */
};

/* NULL: memory is short. */
struct memory_agent *memory_new(const struct memory_config *config);
void memory_free(struct memory_agent *m);

/* The memory's side of the port for this cycle. A due answer is judged, and takes effect, here. To be called after all
 * stores of the front end in this cycle. */
void memory_drive(struct memory_agent *m, struct shim_in *in);
/* Takes the DUT's request of this cycle. NULL, or the error of the request. */
const char *memory_take(struct memory_agent *m, const struct shim_out *out);

/* The L2 policy of the request answered in this cycle; false: no policy. */
bool memory_policy(const struct memory_agent *m, uint64_t *policy);

/* Somebody has stored `size` bytes, `at` bytes into the buffers' memory, to REF's image: the DUT's image gets the
 * same. */
void memory_store(struct memory_agent *m, uint64_t at, unsigned size);
/* The image of the sector at this address, missing halves as zeros; returns a mask of the halves that exist. */
unsigned memory_sector(const struct memory_agent *m, uint64_t addr, uint8_t sector[MEMORY_SECTOR]);
/* The other way round: existing halves of the sector get these bytes, from a DUT that has written the bytes itself. */
void memory_put(struct memory_agent *m, uint64_t addr, const uint8_t sector[MEMORY_SECTOR]);
/* Bytes of the image; all 0 unless all of the bytes exist. */
void memory_bytes(const struct memory_agent *m, uint64_t addr, unsigned size, uint8_t *to);
/* The address of the first differing byte of the images; false: no difference. */
bool memory_differs(const struct memory_agent *m, uint64_t *addr, uint8_t *dut, uint8_t *ref);
/* Requests without an answer so far. */
unsigned memory_owes(const struct memory_agent *m);
const struct memory_stats *memory_statistics(const struct memory_agent *m);

#endif
