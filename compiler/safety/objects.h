// SPDX-License-Identifier: Apache-2.0
/* objects.h -- mbarrier objects that a kernel names, and what its instructions do with them. */
#ifndef WLCC_SAFETY_OBJECTS_H
#define WLCC_SAFETY_OBJECTS_H

#include "analysis.h"

enum event_kind {
	EVENT_INIT,
	EVENT_INVAL,
	EVENT_USE, /* no arrival and no wait: expect_tx, a copy that completes there */
	EVENT_ARRIVE,
	EVENT_WAIT,
	EVENT_STORE,  /* ordinary write to the memory of an object */
	EVENT_UNKNOWN /* a call, or an address that goes elsewhere: may be any of them */
};

struct event {
	uint8_t kind;
	uint32_t instr;
	struct fact at; /* FACT_SYM: the object there. FACT_IN: some object in the variable. Others: any object */
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
	struct object *objects; /* that some event names exactly */
};

struct events find_events(const struct module_analysis *m, const struct analysis *a);
/* May the event concern the object; is certain to. */
bool event_may(const struct event *e, const struct object *o);
bool event_must(const struct event *e, const struct object *o);

/* arrivals.c: counts against the arrivals that can reach an object. */
void check_arrivals(struct report *r, const struct events *e, const struct object *o);

#endif
