// SPDX-License-Identifier: Apache-2.0
/* target.h -- differences between the target architectures: target.def, and the layout of constant bank 0. */
#ifndef WLCC_LOWER_TARGET_H
#define WLCC_LOWER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "warplock/isa.h"

struct target {
	enum wl_arch arch;
	bool bank_operands, cast_predicate, literal_masks;
	uint32_t shared_base;
	unsigned offset_bits;
	uint16_t descriptor; /* WL_NO_DESC: none */
	bool clear_barriers, fences_beside;
	uint16_t clustered;
};

/* NULL: no code is generated for the architecture. */
const struct target *lower_target(enum wl_arch arch);

const struct wl_cb0_specials *target_specials(const struct target *t);

#endif
