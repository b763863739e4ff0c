// SPDX-License-Identifier: Apache-2.0
/* inst_members.h -- members of struct wl_inst by number (private to cmodel/isa). */
#ifndef WARPLOCK_ISA_INST_MEMBERS_H
#define WARPLOCK_ISA_INST_MEMBERS_H

#include <string.h>

#include "isa_table.h"

struct isa_member_place {
	uint8_t offset, size, is_signed;
};
extern const struct isa_member_place isa_members[ISA_M_COUNT];

static inline int64_t isa_member_get(const struct wl_inst *in, unsigned m)
{
	const unsigned char *p = (const unsigned char *)in + isa_members[m].offset;
	switch (isa_members[m].size) {
	case 1:
		return *p;
	case 2: {
		uint16_t v;
		memcpy(&v, p, sizeof v);
		return v;
	}
	case 4: {
		uint32_t v;
		memcpy(&v, p, sizeof v);
		return isa_members[m].is_signed ? (int64_t)(int32_t)v : (int64_t)v;
	}
	default: {
		int64_t v;
		memcpy(&v, p, sizeof v);
		return v;
	}
	}
}

static inline void isa_member_set(struct wl_inst *in, unsigned m, int64_t value)
{
	unsigned char *p = (unsigned char *)in + isa_members[m].offset;
	switch (isa_members[m].size) {
	case 1:
		*p = (unsigned char)value;
		break;
	case 2: {
		uint16_t v = (uint16_t)value;
		memcpy(p, &v, sizeof v);
		break;
	}
	case 4: {
		uint32_t v = (uint32_t)value;
		memcpy(p, &v, sizeof v);
		break;
	}
	default:
		memcpy(p, &value, sizeof value);
	}
}

/* Members with bits set by several pieces, the pieces with separate bits. */
static inline bool isa_member_is_mask(unsigned m)
{
	return m == ISA_M_flags || m == ISA_M_neg || m == ISA_M_abs || m == ISA_M_inv || m == ISA_M_ps0 ||
	       m == ISA_M_ps1 || m == ISA_M_ps2;
}

#endif
