// SPDX-License-Identifier: Apache-2.0
/* trace_file.h -- Chrome trace events, written event by event: the file of --trace of wlrun and wlcosim. */
#ifndef WARPLOCK_TRACE_FILE_H
#define WARPLOCK_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct trace_file {
	gzFile file; /* NULL: closed */
	const char *path;
	bool bad, any;
	uint64_t flows;
};

/* The start of an arrow. */
struct trace_point {
	bool set;
	uint32_t sm, track;
	uint64_t at, time;
};

bool trace_name_fits(const char *path, char *err, size_t errn);
/* A process for each of the SMs. */
bool trace_open(struct trace_file *t, const char *path, unsigned sms, char *err, size_t errn);
__attribute__((format(printf, 2, 3))) void trace_put(struct trace_file *t, const char *format, ...);
void trace_track(struct trace_file *t, uint32_t sm, uint32_t track, const char *name);
/* `more`: further members of args, each behind a comma; "" = none. */
void trace_slice(struct trace_file *t, uint32_t sm, uint32_t track, const char *name, const char *kind, uint64_t begin,
                 uint64_t end, uint32_t pc, const char *more);
void trace_arrow(struct trace_file *t, const struct trace_point *from, uint32_t sm, uint32_t track, uint64_t time,
                 const char *kind);
void trace_count(struct trace_file *t, uint32_t sm, uint64_t time, const char *name, const char *of, uint64_t value);
/* `unit` of time. False: something could not be written. */
bool trace_close(struct trace_file *t, const char *unit, bool interrupted, char *err, size_t errn);

#endif
