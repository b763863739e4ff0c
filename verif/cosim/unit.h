// SPDX-License-Identifier: Apache-2.0
/* unit.h -- the harness's knowledge of a unit: how to compare, judge, draw, corrupt, count and show the unit's values.
 * A folder verif/units/<unit>/cosim/ defines `cosim_<unit>`. The build collects the folders, so a new unit is a new
 * folder and no line elsewhere. The core of the harness knows no unit. */
#ifndef WARPLOCK_COSIM_UNIT_H
#define WARPLOCK_COSIM_UNIT_H

#include "lockstep.h"
#include "random.h"

struct flight;
struct mon_unit;

/* A field of the DUT's output for this unit. A self-test flips a bit of the field. */
struct cosim_field {
	const char *name;
	/* Flips the bit where this cycle has an occasion; false: not yet. */
	bool (*flip)(struct lockstep *ls, struct shim_out *out);
};

extern const struct cosim_field corrupt_fields[]; /* fields of the core; name NULL at the end */

/* A bug planted in the RTL, and the check that must find the bug alone. */
struct cosim_planted {
	unsigned number; /* input bug_i */
	const char *name;
	enum check check;
	const char *rules; /* CHECK_MON: the letter of the rule */
	const char *mix;
	const char *what;
	enum wl_arch since; /* the first architecture with a visible effect; 0: all */
};

/* A signal for the list of waves. Widths as products of the parameters: P ports, L lanes, B banks, R releases
 * in a cycle. */
struct cosim_signal {
	const char *group, *name;
	unsigned fixed; /* bits ... */
	char times[3];  /* ... times the parameters named here */
};

struct cosim_unit {
	enum wl_unit unit;
	size_t state_bytes;         /* of the folder's state during a run, 0 at the start: unit_state of flight.h */
	bool phases;                /* RELEASE carries the ending phase */
	bool several_slots;         /* ... and names a single slot for warps of several slots */
	bool misused;               /* SOURCE looks for misuses when REF applies the unit's requests */
	const struct mon_unit *mon; /* NULL: no request of the unit reaches the DUT by itself */
	/* --timing: a beat of a request of this unit was taken. NULL: the unit's cycles are not modelled. */
	void (*beat)(struct lockstep *ls, const struct flight *f, unsigned beat);
	/* ... a cycle is over; ls->out has the cycle's events. NULL: no interest. */
	void (*cycle)(struct lockstep *ls);
	/* The unit's status port, once a cycle when the model has the unit. `ask`: the question, before the clock.
	 * `answer`: the answer, before the events of the cycle, so REF's state is the DUT's. `all` true, once the run
	 * is over: look at everything, as fast as possible; false: done. NULL: no port. */
	bool (*ask)(struct lockstep *ls, bool all);
	void (*answer)(struct lockstep *ls);
	struct shim_bar (*view)(const struct lockstep *ls, unsigned slot, unsigned id); /* the last answer */
	/* Lanes of a warp free to go on, by the DUT's last word; false: no word about the warp. NULL: the unit does not
	 * know. */
	bool (*ready)(const struct lockstep *ls, unsigned warp, uint32_t *lanes);
	/* REF for lockstep, if not wl_unit_ops. */
	const struct wl_unit_ops *ref;
	/* Whether the results handed back by the DUT are REF's, for a unit with records filled in on request. NULL: the
	 * record has the results. */
	bool (*same_results)(const struct flight *f);
	/* The values of a COMMIT, after `lanes` have taken effect in REF. NULL: a COMMIT shows only lanes. */
	void (*compare_commit)(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes);
	/* Copies the values of an event, with all data behind pointers, into LATE_VALUES words: the event's checks may
	 * come late. NULL: checks come in the event's cycle. */
	void (*keep)(const struct lockstep *ls, const void *values, void *copy);
	/* A piece of a copy has written `words` of a row of the banks. NULL: no interest. */
	void (*landed)(struct lockstep *ls, uint32_t row, uint32_t words);
	/* Counts a request, retired without mismatch, in an array of COSIM_COUNTERS. */
	void (*count)(const struct flight *f, uint64_t *counter);
	/* The DUT's memory effects so far, for the report of a mismatch. `e` is the event at fault, NULL = none. */
	void (*show)(const struct lockstep *ls, const struct flight *f, const struct shim_event *e,
	             struct complaint *c);
	/* Lines of figures for a random run; a part of the line of figures for a kernel. */
	void (*print_random)(const struct lockstep_stats *s);
	void (*print_launch)(const struct lockstep_stats *s);
	const struct cosim_mix *const *mixes; /* NULL at the end */
	const struct cosim_field *fields;     /* name NULL at the end */
	const char *corrupt_mix;              /* a mix with values in all fields */
	const struct cosim_planted *planted;  /* number 0 at the end */
	enum wl_arch planted_arch;            /* the lowest architecture with the unit's instructions; 0: any */
	unsigned planted_ports;               /* of the model for planted bugs; 0: from the command line */
	const struct cosim_signal *signals;   /* group NULL at the end */
};

/* The units with a folder when the program was built; NULL at the end. */
extern const struct cosim_unit *const cosim_units[];
/* NULL: the harness does not know the unit. */
const struct cosim_unit *cosim_unit(enum wl_unit unit);

/* Units of a model for the mix: the mix's own units, and atoms_pipe. */
uint32_t cosim_mix_units(const struct cosim_mix *mix);
/* Of all units; NULL: no mix of this name. */
const struct cosim_mix *cosim_mix(const char *name);
const struct cosim_field *cosim_field(const char *name);

#endif
