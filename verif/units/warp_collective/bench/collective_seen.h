/* SPDX-License-Identifier: Apache-2.0
 * collective_seen.h -- coverage of a run of warp_collective's bench, and the thresholds. */
#ifndef COLLECTIVE_SEEN_H
#define COLLECTIVE_SEEN_H

#include <stdbool.h>

#include "collective_ref.h"

struct collective_seen {
	unsigned long seen[REF_KINDS][8], forms[4], partial, lonely, inactive_source, out_of_range, all_equal,
	        not_equal, unelected, high_differs, dropped, all_nan, some_nan[2], both_zeros;
};

void collective_count(struct collective_seen *s, const struct ref_req *r, const struct ref_rsp *rsp);
/* False: a counter is too low; the function prints the counter. `refused`: cycles with a request without room. */
bool collective_met(const struct collective_seen *s, unsigned long refused);

#endif
