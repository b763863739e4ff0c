// SPDX-License-Identifier: Apache-2.0
/* unit.c -- the units found by the build in verif/units. */
#include "unit.h"

#include <string.h>

#define COSIM_UNIT(name) extern const struct cosim_unit cosim_##name;
#include "cosim_units.inc"
#undef COSIM_UNIT

const struct cosim_unit *const cosim_units[] = {
#define COSIM_UNIT(name) &cosim_##name,
#include "cosim_units.inc"
#undef COSIM_UNIT
        NULL};

const struct cosim_unit *cosim_unit(enum wl_unit unit)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		if ((*u)->unit == unit)
			return *u;
	return NULL;
}

uint32_t cosim_mix_units(const struct cosim_mix *mix)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		for (const struct cosim_mix *const *m = (*u)->mixes; m && *m; m++)
			if (*m == mix)
				return 1u << WL_UNIT_atoms_pipe | (mix->units ? mix->units : 1u << (*u)->unit);
	return 1u << WL_UNIT_atoms_pipe;
}

const struct cosim_mix *cosim_mix(const char *name)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		for (const struct cosim_mix *const *m = (*u)->mixes; m && *m; m++)
			if (strcmp((*m)->name, name) == 0)
				return *m;
	return NULL;
}

const struct cosim_field *cosim_field(const char *name)
{
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		for (const struct cosim_field *f = (*u)->fields; f && f->name; f++)
			if (strcmp(f->name, name) == 0)
				return f;
	return NULL;
}
