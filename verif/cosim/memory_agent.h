// SPDX-License-Identifier: Apache-2.0
/* memory_agent.h -- the global memory behind atom_unit's port: the DUT's own image of the buffers of a launch. The
 * unit reads and writes the image by sectors of 32 bytes, with any latency and in any order.
 * Source: docs/spec/global-memory.md, "Memory agent".
 *
 * A conditional write is judged in the cycle in which it is answered: it succeeds when nobody wrote the
 * sector since this id read it, or was last answered with what it holds. Stores of the front end, and of
 * other SMs, are somebody's. */
#ifndef WARPLOCK_COSIM_MEMORY_AGENT_H
#define WARPLOCK_COSIM_MEMORY_AGENT_H

#include "shim.h"
#include "warplock/gmem.h"

enum { MEMORY_SECTOR = 32, MEMORY_IDS = 256, MEMORY_LATENCY = 200 };

struct memory_agent;

struct memory_config {
	struct wl_gmem *gmem; /* REF's: the buffers, and the content that the image starts with */
	uint64_t seed;
	unsigned latency; /* most cycles from a request to its answer, beside those that other answers take */
	bool fixed;       /* every answer takes as many */
	bool stall;       /* requests are held back now and then */
	/* Somebody else writes a word of a sector that the DUT has read, to both images, once in so many cycles;
	 * 0 = never */
	unsigned intrude;
	/* Or, for kernels, whose memory must stay as it is: writes a word back, so that conditional writes fail. */
	unsigned rewrite;
	/* The agent of another DUT at the same memory, which has one image for all of them: what one writes is somebody
	 * else's to the others. NULL: this one has its own. */
	struct memory_agent *beside;
};

struct memory_stats {
	uint64_t reads, stores, conditional, asked; /* asked: conditional writes of no bytes */
	uint64_t retries;                           /* conditional writes that did not succeed */
	uint64_t overtaken;                         /* answers given while an older request still waited for its own */
	uint64_t held;                              /* cycles in which a request was held back */
	uint64_t absent;                            /* answers about a sector of which a half is not there */
	uint64_t foreign;                           /* writes of others: the front end's, intruders' */
	unsigned most;                              /* requests under way at once */
};

/* NULL: memory is short. */
struct memory_agent *memory_new(const struct memory_config *config);
void memory_free(struct memory_agent *m);

/* The memory's side of the port for this cycle: an answer that is due is judged, and takes effect, here. After all that
 * the front end stores in this cycle. */
void memory_drive(struct memory_agent *m, struct shim_in *in);
/* What the DUT asks in this cycle. NULL, or what is wrong with it. */
const char *memory_take(struct memory_agent *m, const struct shim_out *out);

/* The policy of the L2 that came with the request which is answered in this cycle; false: none did. */
bool memory_policy(const struct memory_agent *m, uint64_t *policy);

/* Somebody has stored `size` bytes, `at` bytes into the buffers' memory, to REF's image: the DUT's gets them too. */
void memory_store(struct memory_agent *m, uint64_t at, unsigned size);
/* The image of the sector at this address, halves that are not there as zeros; returns which halves there are. */
unsigned memory_sector(const struct memory_agent *m, uint64_t addr, uint8_t sector[MEMORY_SECTOR]);
/* The other way round: its halves that are there get these bytes, of a DUT that has written them itself. */
void memory_put(struct memory_agent *m, uint64_t addr, const uint8_t sector[MEMORY_SECTOR]);
/* Bytes of the image, any of which may not be there: those are 0. */
void memory_bytes(const struct memory_agent *m, uint64_t addr, unsigned size, uint8_t *to);
/* The address of the first byte that differs between the images; false: none does. */
bool memory_differs(const struct memory_agent *m, uint64_t *addr, uint8_t *dut, uint8_t *ref);
/* Requests that have no answer yet. */
unsigned memory_owes(const struct memory_agent *m);
const struct memory_stats *memory_statistics(const struct memory_agent *m);

#endif
