// SPDX-License-Identifier: Apache-2.0
/* object.c -- the table of live handles. A handle is an address, given back by the program; only an address in the
 * table is looked at, so a wrong handle is an error, not a crash. */
#include <stdlib.h>

#include "driver.h"

enum { BUCKETS = 4096 };
static struct object *table[BUCKETS];

static unsigned bucket(const void *handle)
{
	const uint64_t v = (uintptr_t)handle >> 4;
	return (unsigned)((v ^ v >> 12 ^ v >> 24) % BUCKETS);
}

void *object_new(enum kind kind, size_t size)
{
	struct object *o = calloc(1, size);
	if (!o)
		return NULL;
	o->kind = kind;
	o->next = table[bucket(o)];
	table[bucket(o)] = o;
	return o;
}

void *object_get(const void *handle, enum kind kind)
{
	for (struct object *o = table[bucket(handle)]; o; o = o->next)
		if (o == handle)
			return o->kind == kind ? o : NULL;
	return NULL;
}

void object_free(void *object)
{
	for (struct object **o = &table[bucket(object)]; *o; o = &(*o)->next)
		if (*o == object) {
			*o = (*o)->next;
			free(object);
			return;
		}
}

void objects_each(enum kind kind, void (*visit)(void *object, void *self), void *self)
{
	static unsigned rounds;
	const unsigned round = ++rounds;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct object *o = table[i]; o;)
			if (o->kind == kind && o->round != round) {
				o->round = round;
				visit(o, self);
				o = table[i]; /* the visit may have freed any neighbour */
			} else {
				o = o->next;
			}
}
