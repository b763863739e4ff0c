// SPDX-License-Identifier: Apache-2.0
/* job.h -- shared by wlrun and wlcosim: preparation of a kernel from files, the buffers afterwards, the verdict.
 *
 *   job_load     launch file, program (PTX is compiled), device memory, wl_gpu
 *   (the tool)   wl_gpu_run, or lockstep through wl_gpu_source
 *   job_judge    outcome and detail; buffers compared with the launch's files
 *   job_dump     buffers as files
 * On failure job->error holds a line with file, place, found and expected. */
#ifndef WARPLOCK_JOB_H
#define WARPLOCK_JOB_H

#include "launch.h"
#include "waits.h"
#include "warplock/sm.h"

enum { JOB_ERROR = 1200 + 2 * WL_WHERE, JOB_HEAP_MAX = 1 << 30, JOB_PRINTED_MAX = 1 << 20 };

struct job {
	struct launch_file launch;
	struct wl_program program;
	struct wl_gmem gmem;
	struct wl_launch start;
	uint8_t params[WL_PARAM_MOST];
	uint64_t addr[LAUNCH_MAX_ARGS]; /* of buffers: global address */
	struct wl_gpu *gpu;
	char *printed; /* prints of the kernel, up to JOB_PRINTED_MAX bytes; NULL = nothing */
	size_t printed_bytes;
	char *ptx;               /* PTX text of the program, NULL = not compiled from PTX */
	bool stands;             /* the run has ended as deadlock or limit, and `waits` has the waits */
	struct waits_view waits; /* by job_judge */
	char error[JOB_ERROR];
	bool quiet; /* prints of the kernel are kept for the report alone; warnings are not repeated. job_load leaves
	               this */
	bool told;  /* job->error stands on standard error already */
};

/* The chip for a user naming no chip: the chip of the cubin, the .target of the PTX (the oldest built chip from the
 * target on), the first chip of a fat binary or of the launch file's `ptx`. Unreadable files: the first built chip, and
 * job_load reports the error. */
unsigned job_chip(const char *launch_path, const char *program_path, const char *entry);
unsigned job_chip_of(const char *name, const unsigned char *data, size_t size, const char *entry); /* 0: unknown */
/* Whether a file's bytes are to be compiled: by the name, or because the bytes are no object. */
bool job_is_ptx(const char *path, const unsigned char *data, size_t size);

/* launch_path or program_path may be NULL, not both. PTX diagnostics go to standard error at once; `told` says so then.
 * entry: the kernel, NULL = the launch file's kernel, or the only kernel. limit: warp instructions, 0 = none. *job is
 * overwritten; call job_free in any case. */
bool job_load(struct job *job, const struct wl_config *config, const char *launch_path, const char *program_path,
              const char *entry, uint64_t limit);
/* The program alone: no launch file, no memory, no GPU. */
bool job_open(struct job *job, const struct wl_config *config, const char *program_path, const char *entry);
/* The program in bytes of the caller; `name` stands in messages. The caller has filled job->launch before
 * (launch_default at least), and may change all but the stack before job_start. */
bool job_open_bytes(struct job *job, const struct wl_config *config, const char *name, const unsigned char *data,
                    size_t size, const char *entry);
/* Device memory and the wl_gpu, for an open program and the launch in job->launch. */
bool job_start(struct job *job, const struct wl_config *config, uint64_t limit);
void job_free(struct job *job);

/* PTX to the bytes of an object for the configuration, *object from malloc. The compiler supplies job_compile
 * (compiler/job_compile.c): the model's own sources know nothing of a compiler, and the model's programs are linked
 * with a compiler. On failure job->error or `told`, as above. */
bool job_compile(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                 size_t size, unsigned char **object, size_t *object_size);

/* The outcome as in reports: "pass", "wrong", "deadlock", "fault", "limit" or "error", with a line of detail. `note`
 * (may be NULL) gets further lines: differing buffers, the number of unchecked buffers. */
struct job_verdict {
	const char *outcome;
	char detail[JOB_ERROR];
	bool as_expected; /* the launch file expects this outcome */
};
void job_judge(struct job *job, struct job_verdict *v, void (*note)(void *self, const char *text), void *self);
/* The verdict in a line: on standard output, or, for an error, as a message of `tool`. */
void job_print_verdict(const struct job *job, const struct job_verdict *v, const char *tool);

/* Every buffer as DIR/<name>.bin; a missing DIR is made. */
bool job_dump(struct job *job, const char *dir);

#endif
