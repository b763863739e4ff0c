// SPDX-License-Identifier: Apache-2.0
/* shim.h -- the C face of one verilated sync_core: one call a cycle, plain structs in and out.
 *
 * A model is a shared object that exports wl_shim(). A call of `cycle` first lets the clock edge pass that ends the
 * previous cycle, then applies the inputs of the new one and settles: what `out` shows are the values of the new cycle
 * before its clock edge, and pointers in it are good until the next call. Memory read between two calls therefore holds
 * what the passes of all earlier cycles wrote, and nothing of the cycle that was just shown. */
#ifndef WARPLOCK_SHIM_H
#define WARPLOCK_SHIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SHIM_ABI = 2, SHIM_PORTS = 4, SHIM_LANES = 32 };

/* One request port. The payload is read only when `fresh`: it must hold until the handshake anyway. */
struct shim_beat {
	uint8_t valid, fresh;
	uint32_t tag, mask, slot, ur;
	const uint32_t *word;    /* 4 words */
	const uint64_t *ra;      /* of the lanes of this beat */
	const uint32_t *rb, *rc; /* 4 words a lane */
};

struct shim_in {
	uint8_t rst;
	uint8_t bug;       /* planted bug; ignored by models built without them */
	uint8_t arch;      /* architecture of the words: 75, 80, 90, 100, 120 */
	uint8_t rsp_ready; /* a bit for each port */
	struct shim_beat req[SHIM_PORTS];
	struct {
		uint8_t valid, slot, open;
		uint32_t base, size;
	} cfg;
	struct {
		uint8_t valid, write;
		uint16_t addr;
		uint32_t data;
	} host;
};

struct shim_rsp { /* filled for ports with rsp_valid */
	uint32_t tag, mask, pred;
	uint8_t last, passes;
	uint8_t any_fault;
	uint8_t fault[SHIM_LANES]; /* of the lanes of this beat, filled when any_fault */
	const uint32_t *data;      /* 4 words a lane */
};

struct shim_out {
	uint8_t req_taken;            /* handshakes of this cycle, a bit for each port */
	uint8_t rsp_valid, rsp_taken; /* likewise */
	uint8_t trace_accept, trace_retire;
	uint8_t idle;
	uint8_t host_taken, host_rvalid;
	uint32_t host_data;
	struct shim_rsp rsp[SHIM_PORTS];
	uint8_t fault_valid, commit_valid;
	uint32_t fault_tag, fault_lanes[3];
	uint32_t commit_tag, commit_lanes, commit_we, commit_fwd;
	uint32_t row[SHIM_LANES];                /* of the banks in commit_we */
	const uint32_t *commit_old, *commit_new; /* a word for each bank */
};

struct shim_api {
	uint32_t abi, lanes, banks, ports, smem_bytes, planted, traced;
	void *(*create)(void);
	void (*destroy)(void *model);
	void (*cycle)(void *model, const struct shim_in *in, struct shim_out *out);
	void (*read_mem)(void *model, uint32_t *words); /* the whole shared memory, by word address */
	/* traced models only: every cycle between open and close goes to the FST file. Returns 0 when it cannot. */
	int (*wave_open)(void *model, const char *path);
	void (*wave_close)(void *model);
};

__attribute__((visibility("default"))) const struct shim_api *wl_shim(void);

#ifdef __cplusplus
}
#endif
#endif
