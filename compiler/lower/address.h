// SPDX-License-Identifier: Apache-2.0
/* address.h -- address operands of memory instructions. */
#ifndef WLCC_LOWER_ADDRESS_H
#define WLCC_LOWER_ADDRESS_H

#include "select.h"

struct address {
	ref base; /* REF_NONE: off is the address; global: a pair */
	int64_t off;
	const struct param_words *param; /* not NULL: byte `off` of a parameter in registers */
};

/* An operand [..] of the state space, with an offset fit for the instruction's field. False: an error was reported. */
bool select_address(struct select *s, const struct ptx_operand *o, unsigned space, struct address *a);
/* An address of shared memory in one register. An offset without a register gets the rank of the running CTA. */
ref select_shared_register(struct select *s, const struct address *a);
/* An address of the cluster's shared memory, as a generic address. */
bool select_cluster_address(struct select *s, const struct ptx_operand *o, struct address *a);
static inline bool select_names_variable(const struct ptx_operand *o)
{
	return o->kind == PTX_O_ADDR && o->base_kind == PTX_BASE_SYMBOL;
}
/* Space of a generic access to a named variable: shared or local memory; none: the address is generic. */
unsigned select_space_of_name(const struct ptx_operand *o);
void select_put_address(struct minst *in, const struct address *a);
/* Flags of a load from shared memory: NVIDIA's code for sm_75 has .U, for every size. */
uint32_t select_lds_flags(const struct select *s);

#endif
