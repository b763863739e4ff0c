// SPDX-License-Identifier: Apache-2.0
/* lack.c -- the mixes steer towards events missing in a run, so that a floor is a promise and not luck.
 *
 * Records of retired requests tell the number of each rare event so far. While the number is less than three times the
 * floor, from time to time a warp begins a script. The script makes an object anew, in a state one operation away from
 * the event. Another warp may come between both steps. Then the event is still missing, and the next script follows. */
#include "mbarrier_engine.h"

enum { MOST = (1 << 20) - 1, MARGIN = 3, START = 4 /* events beyond the floor, from the first instruction on */ };

static const unsigned floor_of[MBARS_RARES] = {
#define ROW(constant, least) MBARS_FLOOR_##constant,
        MBARS_RARE(ROW)
#undef ROW
};

bool mbars_lacks(const struct mbars_draw *d, enum mbars_rare rare)
{
	return d->seen[rare] * 10000 < MARGIN * floor_of[rare] * d->drawn + START * UINT64_C(10000);
}

bool mbars_lacks_copies(const struct mbars_draw *d)
{
	return mbars_lacks(d, MBARS_RARE_COPY_FLIPS) || mbars_lacks(d, MBARS_RARE_COPY_RELEASES);
}

void mbars_note(struct mbars_draw *d, const struct wl_record *rec)
{
	for (uint32_t m = rec->faulted; m; m &= m - 1) {
		const unsigned fault = rec->fault[__builtin_ctz(m)];
		d->seen[MBARS_RARE_DRAINED] += fault == WL_FAULT_MBAR_DRAINED;
		d->seen[MBARS_RARE_DROP_RANGE] += fault == WL_FAULT_MBAR_DROP_RANGE;
		d->seen[MBARS_RARE_NOCOMPLETE] += fault == WL_FAULT_MBAR_NOCOMPLETE;
	}
	for (uint32_t m = rec->size == 8 ? rec->stored : 0; m; m &= m - 1) {
		const struct wl_lane *l = &rec->now[__builtin_ctz(m)];
		const uint64_t tx = ((uint64_t)l->w[1] << 32 | l->w[0]) >> 21 & 0x1fffff; /* negated */
		d->seen[MBARS_RARE_MOST_BYTES] += tx == 0x200000 - MOST;
		d->seen[MBARS_RARE_LEAST_BYTES] += tx == MOST;
	}
}

static void begin(struct random_stream *stream, struct mbars_draw *d, struct mbars_script *s)
{
	const unsigned rare = rng_below(stream->rng, MBARS_RARE_LEAST_BYTES + 1);
	if (mbars_lacks(d, (enum mbars_rare)rare))
		*s = (struct mbars_script){2, (uint8_t)rare, (uint8_t)rng_below(stream->rng, MBARS_OBJECTS)};
}

/* The state needed by the event, and the operation: forms of ARRIVE are A1TR, A1T0, A0T1, A0TR, A0TX, ART0. */
bool mbars_script(struct random_stream *stream, unsigned slot, struct mbars_step *step)
{
	static const struct mbars_step make[] =
	        {
	                [MBARS_RARE_DRAINED] = {.exch = true, .expected = 0, .pending = 0},
	                [MBARS_RARE_DROP_RANGE] = {.exch = true, .expected = 1, .pending = 9},
	                [MBARS_RARE_NOCOMPLETE] = {.exch = true, .expected = 1, .pending = 1},
	                [MBARS_RARE_MOST_BYTES] = {.exch = true, .expected = 2, .pending = 2},
	                [MBARS_RARE_LEAST_BYTES] = {.exch = true, .expected = 2, .pending = 2},
	        },
	                               then[] = {
	                                       [MBARS_RARE_DRAINED] = {.op = 1},
	                                       [MBARS_RARE_DROP_RANGE] = {.op = 5,
	                                                                  .flags = WL_F_OPTOUT,
	                                                                  .value = 2,
	                                                                  .one_lane = true},
	                                       [MBARS_RARE_NOCOMPLETE] = {.op = 1, .type = 1, .one_lane = true},
	                                       [MBARS_RARE_MOST_BYTES] = {.op = 3, .value = MOST, .one_lane = true},
	                                       [MBARS_RARE_LEAST_BYTES] = {.op = 4, .value = MOST, .one_lane = true},
	                               };
	struct mbars_draw *d = stream->own;
	struct mbars_script *s = &d->script[slot];
	if (!s->steps && rng_one_in(stream->rng, 16))
		begin(stream, d, s);
	if (!s->steps)
		return false;
	*step = s->steps-- == 2 ? make[s->rare] : then[s->rare];
	step->object = s->object;
	return true;
}
