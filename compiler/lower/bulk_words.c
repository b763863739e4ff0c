// SPDX-License-Identifier: Apache-2.0
#include "bulk_words.h"

const char *bulk_strength(const struct ptx_instr *i)
{
	if (i->order == PTX_M_none || i->order == PTX_M_weak)
		return "";
	return i->scope == PTX_M_cta ? ".STRONG.SM" : i->scope == PTX_M_sys ? ".STRONG.SYS" : ".STRONG.GPU";
}

const char *bulk_validity(const struct ptx_instr *i)
{
	static const struct {
		enum ptx_mod word;
		const char *text;
	} rows[] = {
	        {PTX_M_mbarrier__report__validity__per_16bytes__80000000, ".VALIDCHK_80000000"},
	        {PTX_M_mbarrier__report__validity__per_16bytes__8000, ".VALIDCHK_XXXX8000"},
	        {PTX_M_mbarrier__report__validity__per_16bytes__80, ".VALIDCHK_XXXXXX80"},
	        {PTX_M_mbarrier__report__validity__per_16bytes__8, ".VALIDCHK_XXXXXXX8"},
	        {PTX_M_mbarrier__report__validity__per_element__ff, ".VALIDCHK_EVERY_FF"},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		if (ptx_has(i, rows[k].word))
			return rows[k].text;
	return "";
}

enum multicast bulk_multicast(const struct ptx_instr *i)
{
	if (ptx_has(i, PTX_M_multicast__cluster__32b))
		return TO_MASK32;
	return ptx_has(i, PTX_M_multicast__cluster) || ptx_has(i, PTX_M_multicast__cluster__16b) ? TO_MASK16 : TO_ONE;
}

const char *bulk_multicast_name(enum multicast m)
{
	return m == TO_ONE ? "" : m == TO_MASK16 ? ".MULTICAST" : ".MULTICAST32";
}
