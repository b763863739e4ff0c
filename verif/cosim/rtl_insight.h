// SPDX-License-Identifier: Apache-2.0
/* rtl_insight.h -- --trace, --profile and --konata of wlcosim: observers of the running RTL. */
#ifndef WARPLOCK_COSIM_RTL_INSIGHT_H
#define WARPLOCK_COSIM_RTL_INSIGHT_H

#include <signal.h>

#include "../../cmodel/tools/job.h"
#include "../../cmodel/tools/profile.h"
#include "konata.h"
#include "rtl_trace.h"

struct insight_options {
	const char *trace, *profile, *konata; /* paths; NULL: none */
	bool profiles;                        /* with profile NULL: a table */
};
static inline bool insight_wanted(const struct insight_options *o)
{
	return o->trace || o->profiles || o->konata;
}

struct rtl_insight {
	const struct insight_options *o;
	struct job *job; /* NULL: a random stream */
	unsigned sms;
	struct lives *lives;
	struct konata *konata;
	struct rtl_trace *trace;
	struct profile *profile;
	struct life_sink konata_sink, trace_sink, profile_sink;
	struct lockstep_tap tap;
	struct wl_observer observer;
};

/* Endings of names, and whether the files can be written. */
bool rtl_insight_fits(const struct insight_options *o, char *err, size_t errn);
/* Before the run. `next`: a further tap. The tap of the run is s->tap. Until the end an interrupt (SIGINT) sets
 * rtl_insight_interrupted. `job` NULL: a random stream, of `arch`. */
bool rtl_insight_start(struct rtl_insight *s, const struct insight_options *o, struct job *job, enum wl_arch arch,
                       unsigned sms, const struct lockstep_tap *next, char *err, size_t errn);
bool rtl_insight_end(struct rtl_insight *s, uint64_t cycle, char *err, size_t errn);
/* A CTA starts or ends on an SM in the RTL. */
void rtl_insight_cta(struct rtl_insight *s, bool starts, unsigned sm, unsigned slot, uint32_t cta, uint64_t cycle);
extern volatile sig_atomic_t rtl_insight_interrupted;

#endif
