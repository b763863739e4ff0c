// SPDX-License-Identifier: Apache-2.0
#include "once.h"

#include <string.h>

const char *once_before(struct once *o, int option, const char *value)
{
	value = value ? value : "";
	for (unsigned i = 0; i < o->n; i++)
		if (o->option[i] == option)
			return strcmp(o->value[i], value) ? o->value[i] : NULL;
	if (o->n < ONCE_MOST) {
		o->option[o->n] = option;
		o->value[o->n++] = value;
	}
	return NULL;
}
