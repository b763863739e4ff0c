// SPDX-License-Identifier: Apache-2.0
/* shim.h -- the C face of a verilated sync_core: one call a cycle, plain structs in and out.
 *
 * A model is a shared object with the function wl_shim(). A call of `cycle` first passes the clock edge at the end of
 * the previous cycle, then applies the inputs of the new cycle and settles. So `out` shows the values of the new cycle
 * before the new clock edge; pointers in `out` are good until the next call. Memory read between two calls therefore
 * holds the writes by passes of all earlier cycles, and no write of the cycle just shown. */
#ifndef WARPLOCK_SHIM_H
#define WARPLOCK_SHIM_H

#include <stdint.h>

#include "shim_trace.h" /* struct trace_<unit>_<event> */
#include "warplock/event_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHIM_ABI = 15, SHIM_PORTS = 4, SHIM_LANES = 32, SHIM_WARPS = 48, SHIM_EVENTS = 64, SHIM_SYNC_CORE = 14 };

/* A request port. The payload is read only when `fresh`: the payload must hold until the handshake anyway. */
struct shim_beat {
	uint8_t valid, fresh;
	uint8_t header; /* header-only: one beat, operands in lane 0. The RTL decides by the word */
	uint32_t tag, mask, slot;
	uint32_t pred; /* of all lanes of the request, on every beat */
	uint64_t ur;
	const uint32_t *word;    /* 4 words */
	const uint64_t *ra;      /* of the lanes of this beat */
	const uint32_t *rb, *rc; /* 4 words a lane */
};

struct shim_in {
	uint8_t rst;
	uint16_t bug;                         /* planted bug; ignored by models without planted bugs */
	uint8_t arch;                         /* architecture of the words: 75, 80, 90, 100, 107, 120 */
	uint32_t shared_window, local_window; /* high words of generic addresses */
	uint8_t rsp_ready;                    /* a bit for each port */
	struct shim_beat req[SHIM_PORTS];
	struct {
		uint8_t valid, slot, open, warps; /* warps launched */
		uint8_t first, lanes;             /* the first warp; lanes of the last warp */
		uint8_t cluster, rank;            /* number of the CTA's cluster on this SM, and rank in the cluster */
		uint32_t base, size;
	} cfg;
	struct {
		uint8_t valid, write;
		uint16_t addr;
		uint32_t data;
	} host;
	struct { /* global memory: readiness for a request, and the answer to a request */
		uint8_t req_ready, rsp_valid, rsp_id, rsp_ok, rsp_halves;
		const uint32_t *rsp_data; /* 8 words, read when rsp_valid */
	} mem;
	struct {
		uint8_t valid, slot, id; /* asks for the state of a named barrier */
	} bar;
	struct { /* a piece of an asynchronous copy; the rest is read when `fresh`, and holds until the handshake */
		uint8_t valid, fresh, kind, op; /* enum wl_land; of REDUCE: 64 bits << 5 | signed << 4 | operation */
		uint16_t addr;                  /* of the row, or of the mbarrier */
		uint32_t words;                 /* of the row */
		const uint32_t *data;           /* the row */
	} land;
};

struct shim_rsp { /* filled for ports with rsp_valid */
	uint32_t tag, mask;
	uint32_t pred; /* of the lanes of this beat, as mask */
	uint8_t last, passes;
	uint8_t any_fault;
	uint8_t fault[SHIM_LANES]; /* of the lanes of this beat, filled when any_fault */
	const uint32_t *data;      /* 4 words a lane */
};

/* An event in a unit in this cycle. The members in use depend on the kind; all others are 0. RETIRE is not among the
 * events: RETIRE is the last beat of a response, or the RELEASE of waiting requests. */
struct shim_event {
	uint8_t kind; /* enum wl_event_kind */
	uint8_t unit; /* bit of the unit in the mask Units of the RTL: atoms_pipe is 0; sync_core itself 14 */
	uint8_t port;
	uint8_t code;         /* FAULT: enum wl_fault, one event for each code and beat; LAND: kind */
	uint32_t tag, lanes;  /* of the request: warp << 16 | n; lanes of the warp */
	uint8_t slot;         /* RELEASE, LAND: CTA slot */
	uint16_t id, phase;   /* RELEASE */
	uint64_t warps;       /* RELEASE */
	uint32_t value;       /* RELEASE */
	uint32_t addr, bytes; /* LAND */
	const void *values;   /* for the comparator only: values of the unit's kind of event, NULL: no values */
};

/* The wait of a warp. */
struct shim_wait {
	uint8_t waiting, unit, slot;
	uint16_t id;
	uint32_t tag;
};

/* A named barrier, as told by the status port. No open phase: all 0. */
struct shim_bar {
	uint8_t mode, counted;     /* 0 sync and arrive, 1 POPC, 2 AND, 3 OR; an arrival gave a count */
	uint8_t expected, arrived; /* warps */
	uint16_t votes;            /* POPC: threads with a yes; AND: warps with a no; OR: warps with a yes */
	uint64_t here, waiting;    /* arrived warps; arrived warps that wait */
};

struct shim_out {
	const char *gone;             /* reason why the DUT is no use any more, or NULL */
	uint64_t clock;               /* a self-running DUT: the DUT's cycle, of the state shown last */
	uint8_t settles;              /* likewise: effects of the memory's last answer are still to be shown */
	uint8_t req_taken;            /* handshakes of this cycle, a bit for each port */
	uint8_t rsp_valid, rsp_taken; /* likewise */
	uint8_t trace_accept, trace_retire;
	uint8_t idle;
	uint8_t host_taken, host_rvalid;
	uint8_t bar_taken, bar_valid; /* the answer comes in the cycle after */
	uint8_t land_taken, land_rvalid, land_fault;
	const uint32_t *land_data; /* of a READ: the row, in the cycle of LAND */
	uint32_t host_data;
	struct { /* the DUT's request to global memory; the rest counts when valid */
		uint8_t valid, id, write, cond, rsp_ready;
		uint64_t addr; /* of the sector */
		uint32_t mask;
		const uint32_t *data; /* 8 words */
		uint8_t has_policy;
		uint64_t policy;
	} mem;
	struct shim_bar bar;
	struct shim_rsp rsp[SHIM_PORTS];
	unsigned nevents;
	struct shim_event event[SHIM_EVENTS]; /* by unit, then by kind, in the order of enum wl_event_kind */
};

struct shim_api {
	uint32_t abi, lanes, banks, ports, smem_bytes, planted, traced;
	uint32_t ahead;    /* 1: the DUT runs by itself. `cycle` shows kept snapshots, without values of events and
	                      without quiet cycles; the DUT's memory is REF's only with nothing in flight */
	uint32_t units;    /* mask: bit of each unit in the model, as in shim_event */
	uint32_t releases; /* lanes of the release ports */
	uint32_t lean;     /* 1: units have lean forms, where lean forms exist */
	uint32_t atom_ids, atom_slots;  /* sectors, requests of atom_unit under way, at most; 0: not known */
	void *(*create)(uint32_t seed); /* seed of registers and RAM before reset, in models with such a seed */
	void (*destroy)(void *model);
	void (*cycle)(void *model, const struct shim_in *in, struct shim_out *out);
	/* Words of shared memory, in the order of their addresses. `at` and `size` are bytes, multiples of a
	 * row of banks. */
	void (*read_mem)(void *model, uint32_t at, uint32_t size, uint32_t *words);
	/* Puts words into shared memory at once, with the effect of the host port; for a window not yet in use. `at`
	 * and `size` are bytes, multiples of 4. NULL: not available. */
	void (*poke_mem)(void *model, uint32_t at, uint32_t size, const uint8_t *bytes);
	void (*read_waits)(void *model, struct shim_wait wait[SHIM_WARPS]);
	/* traced models only: every cycle between open and close goes to the FST file. Returns 0 on failure. */
	int (*wave_open)(void *model, const char *path);
	void (*wave_close)(void *model);
};

__attribute__((visibility("default"))) const struct shim_api *wl_shim(void);

#ifdef __cplusplus
}
#endif
#endif
