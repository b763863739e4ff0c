// SPDX-License-Identifier: Apache-2.0
#include "abi.h"

static uint32_t round_up(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}

/* Words and alignment of the variable. */
static uint32_t words_of(const struct ptx_var *v, uint32_t *align)
{
	uint32_t bytes = v->size ? (uint32_t)v->size : ptx_types[v->type].bytes;
	if (!bytes)
		bytes = 4; /* a predicate */
	*align = v->align > 4 ? v->align / 4 : 1;
	if (v->reg != PTX_NONE || (!v->is_array && !v->has_align))
		*align = bytes > 4 ? round_up(bytes, 4) / 4 : 1;
	if (*align > 4)
		*align = 4;
	return round_up(bytes, 4) / 4;
}

static bool is_free(uint32_t taken, uint32_t at, uint32_t words)
{
	uint32_t mask = words >= 32 ? UINT32_MAX : (1u << words) - 1;
	return at + words <= ABI_END_REG && !(taken & mask << at);
}

static bool find_registers(uint32_t *taken, struct abi_place *p, uint32_t align)
{
	for (uint32_t r = round_up(ABI_FIRST_REG, align); r < ABI_END_REG; r += align)
		if (is_free(*taken, r, p->words)) {
			p->in_regs = true;
			p->at = r;
			*taken |= ((1u << p->words) - 1) << r;
			return true;
		}
	return false;
}

void abi_call(struct arena *arena, const struct ptx_function *proto, struct abi_call *out)
{
	uint32_t taken = 0, align;
	*out = (struct abi_call){.params = arena_zalloc(arena, (proto->nparams + 1) * sizeof *out->params),
	                         .rets = arena_zalloc(arena, (proto->nrets + 1) * sizeof *out->rets)};
	for (uint32_t i = 0; i < proto->nrets; i++) {
		out->rets[i].words = words_of(proto->rets[i], &align);
		if (!find_registers(&taken, &out->rets[i], align))
			out->by_address = true;
	}
	taken = 0;
	if (out->by_address) {
		uint32_t at = 0;
		for (uint32_t i = 0; i < proto->nrets; i++) {
			words_of(proto->rets[i], &align);
			at = round_up(at, 4 * align);
			out->rets[i].in_regs = false;
			out->rets[i].at = at;
			at += 4 * out->rets[i].words;
		}
		taken = 1u << ABI_FIRST_REG;
	}
	for (uint32_t i = 0; i < proto->nparams; i++) {
		struct abi_place *p = &out->params[i];
		p->words = words_of(proto->params[i], &align);
		if (find_registers(&taken, p, align))
			continue;
		p->at = round_up(out->stack_bytes, 4 * align);
		out->stack_bytes = p->at + 4 * p->words;
	}
}
