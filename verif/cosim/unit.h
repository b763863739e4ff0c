// SPDX-License-Identifier: Apache-2.0
/* unit.h -- what the harness must know of one unit: how its values are compared, judged, drawn, corrupted, counted and
 * shown. A folder verif/units/<unit>/cosim/ defines `cosim_<unit>`; the build collects the folders, so that a new unit
 * is a new folder and no line elsewhere. The core of the harness knows none of them. */
#ifndef WARPLOCK_COSIM_UNIT_H
#define WARPLOCK_COSIM_UNIT_H

#include "lockstep.h"
#include "random.h"

struct flight;
struct mon_unit;

/* A field of what the DUT shows for this unit, one bit of which a self-test flips. */
struct cosim_field {
	const char *name;
	/* Flips it where this cycle has an occasion; false: not yet. */
	bool (*flip)(struct lockstep *ls, struct shim_out *out);
};

extern const struct cosim_field corrupt_fields[]; /* those of the core; name NULL at the end */

/* A bug that is planted in the RTL, and who must find it alone. */
struct cosim_planted {
	unsigned number; /* input bug_i */
	const char *name;
	enum check check;
	const char *rules; /* CHECK_MON: the letter of the rule */
	const char *mix;
	const char *what;
	enum wl_arch since; /* the first architecture on which it can be seen; 0: all */
};

/* A signal for the list of waves. Widths as products of the parameters: P ports, L lanes, B banks, R releases
 * in a cycle. */
struct cosim_signal {
	const char *group, *name;
	unsigned fixed; /* bits ... */
	char times[3];  /* ... times these parameters */
};

struct cosim_unit {
	enum wl_unit unit;
	size_t state_bytes;         /* of what the folder keeps during a run, 0 at the start: unit_state of flight.h */
	bool phases;                /* its RELEASE carries the phase that ends */
	bool several_slots;         /* ... and names one slot for warps of several */
	bool misused;               /* SOURCE looks for misuses in the unit's requests when REF applies them */
	const struct mon_unit *mon; /* NULL: its requests never reach the DUT by themselves */
	/* --timing: a beat of a request of this unit was taken. NULL: its cycles are not modelled. */
	void (*beat)(struct lockstep *ls, const struct flight *f, unsigned beat);
	/* ... a cycle is over; its events stand in ls->out. NULL: does not care. */
	void (*cycle)(struct lockstep *ls);
	/* The unit's status port, once a cycle when the model has the unit: what is asked, before the clock; what is
	 * answered, before the events of the cycle, so that REF stands where the DUT stood. Once the run is over, `all`
	 * true: look at everything, as fast as it goes; false when that is done. NULL: there is no port. */
	bool (*ask)(struct lockstep *ls, bool all);
	void (*answer)(struct lockstep *ls);
	struct shim_bar (*view)(const struct lockstep *ls, unsigned slot, unsigned id); /* what it answered last */
	/* Lanes of a warp that can go on, as the DUT said last; false: it has said nothing of the warp. NULL: no unit
	 * that knows. */
	bool (*ready)(const struct lockstep *ls, unsigned warp, uint32_t *lanes);
	/* REF for lockstep, where that is not wl_unit_ops. */
	const struct wl_unit_ops *ref;
	/* Whether the results that the DUT has handed back are REF's, of a unit whose record is filled in when asked.
	 * NULL: they stand in the record. */
	bool (*same_results)(const struct flight *f);
	/* The values of a COMMIT, after `lanes` have taken effect in REF. NULL: it shows nothing but its lanes. */
	void (*compare_commit)(struct lockstep *ls, struct flight *f, const struct shim_event *e, uint32_t lanes);
	/* Copies the values of an event, with what they point to, into LATE_VALUES words: its checks may come late.
	 * NULL: they come in its cycle. */
	void (*keep)(const struct lockstep *ls, const void *values, void *copy);
	/* A piece of a copy has written these words of a row of the banks. NULL: does not matter to it. */
	void (*landed)(struct lockstep *ls, uint32_t row, uint32_t words);
	/* A request has retired and agreed: its counters, an array of COSIM_COUNTERS. */
	void (*count)(const struct flight *f, uint64_t *counter);
	/* The DUT's memory effects so far, for the report of a mismatch. `e` is the event at fault, NULL = none. */
	void (*show)(const struct lockstep *ls, const struct flight *f, const struct shim_event *e,
	             struct complaint *c);
	/* Lines of figures for a random run; a part of the line of figures for a kernel. */
	void (*print_random)(const struct lockstep_stats *s);
	void (*print_launch)(const struct lockstep_stats *s);
	const struct cosim_mix *const *mixes; /* NULL at the end */
	const struct cosim_field *fields;     /* name NULL at the end */
	const char *corrupt_mix;              /* the mix in which all of them have values */
	const struct cosim_planted *planted;  /* number 0 at the end */
	enum wl_arch planted_arch;            /* the lowest that has its instructions; 0: any */
	unsigned planted_ports;               /* of the model that they are tried on; 0: as the command line says */
	const struct cosim_signal *signals;   /* group NULL at the end */
};

/* The units whose folders were there when the program was built; NULL at the end. */
extern const struct cosim_unit *const cosim_units[];
/* NULL: the harness does not know the unit. */
const struct cosim_unit *cosim_unit(enum wl_unit unit);

/* Units that a model needs for the mix: the mix's own beside atoms_pipe. */
uint32_t cosim_mix_units(const struct cosim_mix *mix);
/* Of all units; NULL: there is no such mix. */
const struct cosim_mix *cosim_mix(const char *name);
const struct cosim_field *cosim_field(const char *name);

#endif
