// SPDX-License-Identifier: Apache-2.0
/* objects.h -- mbarrier objects named in a kernel, and the events of the kernel on each object. */
#ifndef WLCC_SAFETY_OBJECTS_H
#define WLCC_SAFETY_OBJECTS_H

#include "analysis.h"

enum event_kind {
	EVENT_INIT,
	EVENT_INVAL,
	EVENT_USE, /* no arrival and no wait: expect_tx, a copy with completion there */
	EVENT_ARRIVE,
	EVENT_WAIT,
	EVENT_STORE,  /* ordinary write to the memory of an object */
	EVENT_UNKNOWN /* a call, or an address that goes elsewhere: may be any event */
};

struct event {
	uint8_t kind;
	uint32_t instr;
	struct fact at; /* FACT_SYM: the object here. FACT_IN: some object in the variable. Others: any object */
	int64_t count;  /* of an init and an arrival: 0 = unknown */
	bool remote;    /* perhaps in another CTA of the cluster */
};

struct object {
	const struct ptx_var *var;
	int64_t off;
	char name[120];
};

struct events {
	const struct analysis *a;
	uint32_t n, room;
	struct event *list; /* in the order of instructions */
	uint32_t nobjects;
	struct object *objects; /* named exactly by some event */
};

struct events find_events(const struct module_analysis *m, const struct analysis *a);
/* event_may: the event may concern the object; event_must: the event is certain to. */
bool event_may(const struct event *e, const struct object *o);
bool event_must(const struct event *e, const struct object *o);

/* arrivals.c: the count against the possible arrivals of an object. */
void check_arrivals(struct report *r, const struct events *e, const struct object *o);

#endif
