// SPDX-License-Identifier: Apache-2.0
/* link_state.h -- private: a board as DUT, of link_dut.c (cycles), link_shots.c (snapshots) and link_board.c (opening). */
#ifndef WARPLOCK_COSIM_LINK_STATE_H
#define WARPLOCK_COSIM_LINK_STATE_H

#include "../board_memory.h"
#include "board_sim.h"
#include "link.h"
#include "link_dut.h"
#include "warplock/isa.h"

enum {
	BEAT_COST = 64, /* snapshots that a request with operands makes at most */
	HEAD_COST = 4,  /* and one without */
	MAX_OPEN = 128,
	HOST_WORDS = 256, /* written at a time */
	POLL_CLOCKS = 200,
	POLL_FULL = 1536, /* an answer of so many bytes may have left snapshots behind */
	MOST_LANDS = 4,   /* pieces of copies on their way */
	MOST_ASKED = 8,   /* requests of the board for memory that have no answer: a snapshot each */
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
	/* the request that the harness is handing over */
	unsigned beat;
	uint8_t payload[FRAME_PAYLOAD];
	unsigned n;
	/* requests whose end the harness has not seen, and the snapshots that they may still make */
	struct open_request open[MAX_OPEN];
	unsigned nopen, cost;
	/* snapshots that came and have not been shown */
	uint8_t shots[FRAME_PAYLOAD];
	unsigned at, nshots;
	uint64_t clock;                 /* the board's cycle of the last one that was shown */
	uint32_t words[SHIM_LANES * 4]; /* what a response shows */
	uint32_t row[SHIM_LANES];       /* what a piece of a copy has read */
	uint32_t sector[8];             /* what a request writes to memory */
	unsigned lands;                 /* pieces of copies whose LAND has not been shown */
	bool settles, fetched; /* of the memory's last answer: not all is shown that came of it; all of it is here */
	/* words that the host writes, gathered */
	uint8_t host[FRAME_PAYLOAD];
	unsigned host_n;
	uint32_t host_next; /* address that goes on */
	bool reading;       /* a read is answered in the next cycle */
	uint32_t read_data;
	bool in_reset;
	bool sent;  /* a request has gone out since the board last said that it is idle */
	bool asked; /* the state of a barrier is shown in the next cycle */
	struct shim_bar bar;
	char gone[400]; /* why the board is no use any more */
};

/* Bytes that came, taken from the front. */
struct bytes {
	const uint8_t *p, *end;
	bool ended; /* read past the end */
};
uint64_t link_take(struct bytes *b, unsigned n); /* low byte first; 0 past the end */

/* Snapshots that came: shows the next one, unless the harness cannot take it in this cycle. */
void link_show(struct dut *d, const struct shim_in *in, struct shim_out *out);
/* The functions of shim.h and of the memory on the board. */
void link_dut_functions(struct dut *d);
/* The board that is open: shim_api has no place for it. */
extern struct dut *link_open_dut;

#endif
