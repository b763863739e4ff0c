// SPDX-License-Identifier: Apache-2.0
/* trace.h -- --trace f.json[.gz]: Chrome trace events, written while the kernel runs. */
#ifndef WARPLOCK_TRACE_H
#define WARPLOCK_TRACE_H

#include "job.h"
#include "trace_file.h"
#include "warplock/observe.h"

struct trace;
struct trace *trace_begin(const struct job *job, const char *path, char *err, size_t errn);
void trace_event(struct trace *t, const struct wl_seen *e);
/* Closes the open slices and frees the trace. False: something could not be written. */
bool trace_end(struct trace *t, bool interrupted, char *err, size_t errn);

#endif
