// SPDX-License-Identifier: Apache-2.0
/* profile.h -- --profile of wlrun: what each instruction costs, counted from the events of warplock/observe.h. */
#ifndef WARPLOCK_PROFILE_H
#define WARPLOCK_PROFILE_H

#include "job.h"
#include "warplock/observe.h"

struct profile_row {
	uint64_t issues, idle, lanes; /* warp instructions; those without an active lane; lanes that executed */
	uint64_t passes, degree[WL_WARP_LANES + 1];
	uint64_t sectors;       /* of 32 bytes of global memory */
	uint64_t retries;       /* lanes whose compare-and-swap failed */
	uint64_t waits, waited; /* times that a warp stopped here, and how long */
};

struct profile;
/* `path` NULL: a table on standard output. NULL: no memory. */
struct profile *profile_create(const struct job *job);
void profile_event(struct profile *p, const struct wl_seen *e);
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
