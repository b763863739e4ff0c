// SPDX-License-Identifier: Apache-2.0
/* wlpy.h -- the functions below the Python module `warplock`. cffi reads the declarations between BEGIN and END.
 *
 * A job is one launch of one kernel: open, buffers and arguments, start, run, report. Functions with an int result
 * return 0 on failure; wlpy_why then holds a line. Texts belong to the job and live until the next call for the job. */
#ifndef WARPLOCK_WLPY_H
#define WARPLOCK_WLPY_H

#include <stdint.h>

/* BEGIN */
struct wlpy_options {
	const char *arch;     /* "sm_90"; NULL: the program's own */
	const char *schedule; /* a policy of wlrun --schedule-policy; NULL: steady */
	const char *misuse;   /* as of wlrun --misuse; NULL: silicon */
	const char *checks;   /* as of wlrun --check; NULL: none */
	uint64_t seed, limit; /* limit: warp instructions, 0 = none */
	uint32_t sms, native, stack;
};
/* An event of the C model (warplock/observe.h). pc and addresses are in bytes. */
struct wlpy_event {
	uint64_t time, warps, serial;
	uint32_t kind, sm, cta, warp, lanes, live, pc, reads, writes, atomic, size, shared, stored, id, count, waits,
	        phases, passes, bytes, copy;
	uint64_t addr[32];
};
struct wlpy_job;
struct wlpy_job *wlpy_open_program(const char *name, const uint8_t *data, uint64_t size, const char *entry,
                                   const struct wlpy_options *o);
struct wlpy_job *wlpy_open_launch(const char *launch, const char *program, const char *entry,
                                  const struct wlpy_options *o);
void wlpy_close(struct wlpy_job *w);
const char *wlpy_why(const struct wlpy_job *w);
const char *wlpy_messages(const struct wlpy_job *w);
const char *wlpy_info(struct wlpy_job *w);
int wlpy_shape(struct wlpy_job *w, const uint32_t *grid, const uint32_t *block, const uint32_t *cluster,
               uint32_t dynamic_shared, int cooperative, uint64_t heap);
int wlpy_argument(struct wlpy_job *w, uint32_t at, int32_t buffer, uint32_t bytes, uint64_t value);
int wlpy_next_argument(struct wlpy_job *w, uint32_t size);
int wlpy_buffer(struct wlpy_job *w, const char *name, const uint8_t *data, uint64_t bytes);
int wlpy_start(struct wlpy_job *w);
int wlpy_record(struct wlpy_job *w, uint64_t kinds);
int wlpy_run(struct wlpy_job *w, uint64_t instructions, uint64_t events);
int wlpy_over(const struct wlpy_job *w);
uint64_t wlpy_executed(const struct wlpy_job *w);
const char *wlpy_report(struct wlpy_job *w);
uint32_t wlpy_buffers(const struct wlpy_job *w);
const char *wlpy_buffer_name(const struct wlpy_job *w, uint32_t i);
uint64_t wlpy_buffer_bytes(const struct wlpy_job *w, uint32_t i);
uint64_t wlpy_buffer_address(const struct wlpy_job *w, uint32_t i);
int wlpy_buffer_copy(const struct wlpy_job *w, uint32_t i, uint8_t *to);
int wlpy_buffer_write(struct wlpy_job *w, uint32_t i, const uint8_t *from);
uint64_t wlpy_events(const struct wlpy_job *w);
const struct wlpy_event *wlpy_event(const struct wlpy_job *w, uint64_t i);
void wlpy_forget_events(struct wlpy_job *w);
const char *wlpy_instruction(struct wlpy_job *w, uint32_t pc);
const char *wlpy_source(struct wlpy_job *w, uint32_t pc, uint32_t *line);
const char *wlpy_event_name(uint32_t kind);
uint64_t wlpy_size_of_event(void);
const char *wlpy_version(void);
/* END */

#endif
