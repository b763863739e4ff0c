// SPDX-License-Identifier: Apache-2.0
/* frame.h -- frames of the host link as bytes on the wire, both ways (docs/fpga-link.md). */
#ifndef WARPLOCK_COSIM_FRAME_H
#define WARPLOCK_COSIM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_PAYLOAD = 2032, FRAME_BODY = FRAME_PAYLOAD + 8, FRAME_WIRE = 2 * FRAME_BODY + 2 };

struct frame {
	uint8_t seq, type;
	unsigned n;
	uint8_t payload[FRAME_PAYLOAD];
};

/* Writes the frame with flags, escapes and CRC; `wire` holds FRAME_WIRE bytes. Returns the number of bytes. */
size_t frame_encode(const struct frame *f, uint8_t *wire);

/* Finds frames in a stream of bytes. Start with zeros. */
struct frame_reader {
	unsigned n;         /* bytes of the body so far */
	bool escaped, lost; /* lost: drop all until the next flag */
	uint64_t good, bad; /* frames */
	uint8_t body[FRAME_BODY];
};

/* A further byte; true at the end of a good frame, and the frame is in *out. */
bool frame_feed(struct frame_reader *r, uint8_t byte, struct frame *out);

#endif
