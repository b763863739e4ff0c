// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "core.h"
#include "flight.h"

/* Non-zero words of a lane's operand, as halves from `to` on; the bits of the words in the map. */
static uint16_t *put_words(uint16_t *to, const uint32_t *w, unsigned n, unsigned first, uint16_t *map)
{
	for (unsigned i = 0; i < n; i++) {
		if (!w[i])
			continue;
		*map |= (uint16_t)(1u << (first + i));
		*to++ = (uint16_t)w[i];
		*to++ = (uint16_t)(w[i] >> 16);
	}
	return to;
}

void request_send(const struct wl_req *q)
{
	_Static_assert(LINK_REQUEST_BYTES % 2 == 0, "operands are packed by halves");
	uint16_t *to = (uint16_t *)(void *)(sm_out + LINK_REQUEST_BYTES);
	const uint32_t lanes = q->header ? 1 : q->mask;
	link_pack_request(sm_out, &(struct link_request){.tag = core_tag(&q->tag),
	                                                 .slot = q->tag.slot,
	                                                 .arch = WL_SM90,
	                                                 .header = q->header,
	                                                 .mask = q->mask,
	                                                 .pred = q->pred,
	                                                 .ur = q->ur});
	memcpy(sm_out + LINK_REQUEST_WORD, &q->word.lo, 8);
	memcpy(sm_out + LINK_REQUEST_WORD + 8, &q->word.hi, 8);
	for (unsigned l = 0; l < WL_WARP_LANES; l++) {
		uint16_t *const map = to;
		const uint32_t ra[2] = {(uint32_t)q->ra[l], (uint32_t)(q->ra[l] >> 32)};
		if (!(lanes >> l & 1))
			continue;
		*map = 0;
		to = put_words(map + 1, ra, 2, 0, map);
		to = put_words(to, q->rb[l].w, 4, 2, map);
		to = put_words(to, q->rc[l].w, 4, 6, map);
	}
	core_command(LINK_REQUEST, sm_out, (unsigned)((uint8_t *)to - sm_out), sm_in);
}
