// SPDX-License-Identifier: Apache-2.0
#include "frame.h"

#include <string.h>

enum { FLAG = 0x7e, ESCAPE = 0x7d, FLIP = 0x20, HEAD = 4, CRC = 4 };

/* CRC-32 of IEEE 802.3, bit by bit: a frame is short. */
static uint32_t crc32(const uint8_t *p, size_t n)
{
	uint32_t crc = UINT32_MAX;
	while (n--) {
		crc ^= *p++;
		for (unsigned i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	return ~crc;
}

size_t frame_encode(const struct frame *f, uint8_t *wire)
{
	uint8_t body[FRAME_BODY] = {(uint8_t)f->n, (uint8_t)(f->n >> 8), f->seq, f->type};
	size_t at = 0;
	memcpy(body + HEAD, f->payload, f->n);
	const uint32_t crc = crc32(body, HEAD + f->n);
	for (unsigned i = 0; i < CRC; i++)
		body[HEAD + f->n + i] = (uint8_t)(crc >> 8 * i);
	wire[at++] = FLAG;
	for (size_t i = 0; i < HEAD + f->n + CRC; i++) {
		const bool special = body[i] == FLAG || body[i] == ESCAPE;
		if (special)
			wire[at++] = ESCAPE;
		wire[at++] = special ? body[i] ^ FLIP : body[i];
	}
	wire[at++] = FLAG;
	return at;
}

/* Judges the bytes between two flags. */
static bool judge(struct frame_reader *r, struct frame *out)
{
	const unsigned n = r->n;
	if (r->lost || r->escaped || n < HEAD + CRC || (r->body[0] | (unsigned)r->body[1] << 8) != n - HEAD - CRC)
		return false;
	uint32_t crc = 0;
	for (unsigned i = 0; i < CRC; i++)
		crc |= (uint32_t)r->body[n - CRC + i] << 8 * i;
	if (crc != crc32(r->body, n - CRC))
		return false;
	out->seq = r->body[2];
	out->type = r->body[3];
	out->n = n - HEAD - CRC;
	memcpy(out->payload, r->body + HEAD, out->n);
	return true;
}

bool frame_feed(struct frame_reader *r, uint8_t byte, struct frame *out)
{
	if (byte == FLAG) {
		const bool good = judge(r, out), any = r->n || r->lost;
		r->good += good;
		r->bad += any && !good;
		r->n = 0;
		r->escaped = r->lost = false;
		return good;
	}
	if (byte == ESCAPE) {
		r->lost |= r->escaped;
		r->escaped = true;
		return false;
	}
	if (r->n == FRAME_BODY) {
		r->lost = true;
		return false;
	}
	r->body[r->n++] = r->escaped ? byte ^ FLIP : byte;
	r->escaped = false;
	return false;
}
