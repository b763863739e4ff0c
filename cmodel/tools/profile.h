// SPDX-License-Identifier: Apache-2.0
/* profile.h -- --profile of wlrun and wlcosim: the cost of each instruction, counted from the events of
 * warplock/observe.h, or from the cycles of each request in the RTL. */
#ifndef WARPLOCK_PROFILE_H
#define WARPLOCK_PROFILE_H

#include "job.h"
#include "warplock/observe.h"

struct profile_row {
	uint64_t issues, idle, lanes; /* warp instructions; without an active lane; executing lanes */
	uint64_t passes, degree[WL_WARP_LANES + 1];
	uint64_t sectors;       /* of 32 bytes of global memory */
	uint64_t retries;       /* lanes with a failed compare-and-swap */
	uint64_t waits, waited; /* stops of warps at the instruction, and their length */
	/* of the RTL: cycles from the offer of a request to the end; in front of the port; behind others in the unit */
	uint64_t cycles, port, behind;
};

/* A column of tables: profile_columns.def. */
struct profile_column {
	const char *name, *title;
	bool shown, rtl;
	size_t at; /* in struct profile_row */
};
extern const struct profile_column profile_columns[]; /* name NULL at the end */
static inline uint64_t profile_value(const struct profile_row *r, const struct profile_column *c)
{
	return *(const uint64_t *)((const char *)r + c->at);
}

struct profile;
/* NULL: no memory. `rtl`: time of the RTL. */
struct profile *profile_create(const struct job *job, bool rtl);
void profile_event(struct profile *p, const struct wl_seen *e);
/* The row for counts of others; NULL: no instruction at pc. */
struct profile_row *profile_at(struct profile *p, uint32_t pc);
/* Sectors of 32 bytes touched by lanes, each counted once. */
unsigned profile_sectors(const uint64_t addr[WL_WARP_LANES], uint32_t lanes, unsigned size);
bool profile_compares(const struct wl_inst *in);
bool profile_is_rtl(const struct profile *p);
const char *profile_unit(const struct profile *p); /* of time */
const struct profile_row *profile_row(const struct profile *p, uint32_t pc);
void profile_free(struct profile *p);

/* Whether the name has a known ending; else `err` lists the endings. */
bool profile_name_fits(const char *path, char *err, size_t errn);
/* path NULL: the table, on standard output. */
bool profile_write(const struct profile *p, const struct job *job, const char *path, bool interrupted, char *err,
                   size_t errn);

/* Instructions in order of cost, [ninst]; free(). NULL: no memory. */
uint32_t *profile_order(const struct profile *p, const struct job *job);
void profile_html(const struct profile *p, const struct job *job, bool interrupted, FILE *f);

#endif
