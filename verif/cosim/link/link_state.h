// SPDX-License-Identifier: Apache-2.0
/* link_state.h -- private: a board as DUT, of link_dut.c (cycles), link_shots.c (snapshots), link_board.c (opening). */
#ifndef WARPLOCK_COSIM_LINK_STATE_H
#define WARPLOCK_COSIM_LINK_STATE_H

#include "../board_memory.h"
#include "board_sim.h"
#include "link.h"
#include "link_dut.h"
#include "warplock/isa.h"

enum {
	BEAT_COST = 64, /* most snapshots of a request with operands */
	HEAD_COST = 4,  /* and of a request without */
	MAX_OPEN = 128,
	HOST_WORDS = 256, /* written at a time */
	POLL_CLOCKS = 200,
	POLL_FULL = 1536, /* an answer of so many bytes may have left snapshots behind */
	MOST_LANDS = 4,   /* pieces of copies on the way */
	MOST_ASKED = 8,   /* requests of the board for memory without an answer: a snapshot each */
};

struct open_request {
	uint32_t tag;
	bool header;
};

struct dut {
	struct link link;
	struct board_sim sim;
	struct shim_api api;
	struct board_memory memory;
	/* the request being handed over by the harness */
	unsigned beat;
	uint8_t payload[FRAME_PAYLOAD];
	unsigned n;
	/* requests with an end not yet seen by the harness; cost: snapshots still possible from these requests */
	struct open_request open[MAX_OPEN];
	unsigned nopen, cost;
	/* snapshots received and not yet shown */
	uint8_t shots[FRAME_PAYLOAD];
	unsigned at, nshots;
	uint64_t clock;                 /* the board's cycle of the last snapshot shown */
	uint32_t words[SHIM_LANES * 4]; /* of the response shown */
	uint32_t row[SHIM_LANES];       /* read by a piece of a copy */
	uint32_t sector[8];             /* of a write to memory */
	unsigned lands;                 /* pieces of copies with LAND not yet shown */
	bool settles, fetched; /* of the memory's last answer: effects are still to be shown; all effects are here */
	/* words written by the host, gathered */
	uint8_t host[FRAME_PAYLOAD];
	unsigned host_n;
	uint32_t host_next; /* the address in sequence */
	bool reading;       /* a read is answered in the next cycle */
	uint32_t read_data;
	bool in_reset;
	bool sent;  /* a request has gone out since the board's last word of being idle */
	bool asked; /* the state of a barrier is shown in the next cycle */
	struct shim_bar bar;
	char gone[400]; /* reason why the board is no use any more */
};

/* Received bytes, taken from the front. */
struct bytes {
	const uint8_t *p, *end;
	bool ended; /* read past the end */
};
uint64_t link_take(struct bytes *b, unsigned n); /* low byte first; 0 past the end */

/* Shows the next received snapshot, unless the harness cannot take the snapshot in this cycle. */
void link_show(struct dut *d, const struct shim_in *in, struct shim_out *out);
/* The functions of shim.h and of the memory on the board. */
void link_dut_functions(struct dut *d);
/* The open board: shim_api has no place for a pointer. */
extern struct dut *link_open_dut;

#endif
