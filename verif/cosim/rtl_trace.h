// SPDX-License-Identifier: Apache-2.0
/* rtl_trace.h -- --trace of wlcosim: Chrome trace events with cycles of the RTL. */
#ifndef WARPLOCK_COSIM_RTL_TRACE_H
#define WARPLOCK_COSIM_RTL_TRACE_H

#include "../../cmodel/tools/job.h"
#include "lives.h"

struct rtl_trace; /* opaque */
struct rtl_trace *rtl_trace_begin(const struct job *job, const char *path, unsigned sms, char *err, size_t errn);
struct life_sink rtl_trace_sink(struct rtl_trace *t);
void rtl_trace_cta(struct rtl_trace *t, bool starts, unsigned sm, unsigned slot, uint32_t cta, uint64_t cycle);
/* An instruction run in C, without time. */
void rtl_trace_front(struct rtl_trace *t, unsigned sm, unsigned warp);
/* Closes open slices, and frees the trace. False: something could not be written. */
bool rtl_trace_end(struct rtl_trace *t, uint64_t cycle, bool interrupted, char *err, size_t errn);

#endif
