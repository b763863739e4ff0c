// SPDX-License-Identifier: Apache-2.0
/* job.h -- what wlrun and wlcosim share: a kernel made ready from its files, its buffers afterwards, the verdict.
 *
 *   job_load     launch file, program (compiled when it is PTX), device memory, wl_gpu
 *   (the tool)   wl_gpu_run, or lockstep through wl_gpu_source
 *   job_judge    outcome and detail; buffers compared with the files that the launch names
 *   job_dump     buffers as files
 * On failure job->error holds one line that names file, place, found and expected. */
#ifndef WARPLOCK_JOB_H
#define WARPLOCK_JOB_H

#include "launch.h"
#include "waits.h"
#include "warplock/sm.h"

enum { JOB_ERROR = 1200, JOB_HEAP_MAX = 1 << 30, JOB_PRINTED_MAX = 1 << 20 };

struct job {
	struct launch_file launch;
	struct wl_program program;
	struct wl_gmem gmem;
	struct wl_launch start;
	uint8_t params[WL_PARAM_MOST];
	uint64_t addr[LAUNCH_MAX_ARGS]; /* of buffers: global address */
	struct wl_gpu *gpu;
	char *printed; /* what the kernel has printed, up to JOB_PRINTED_MAX bytes; NULL = nothing */
	size_t printed_bytes;
	char *ptx;               /* text that the program was compiled from, NULL = it was not */
	bool stands;             /* it has ended as deadlock or limit, and `waits` tells who waits for whom */
	struct waits_view waits; /* by job_judge */
	char error[JOB_ERROR];
	bool quiet; /* what the kernel prints is kept for the report alone; warnings are not repeated. job_load leaves
	               this */
	bool told;  /* job->error stands on standard error already */
};

/* The chip where the user names none: that of the cubin, the .target of the PTX (the oldest built one from that on),
 * the first one of a fat binary or of the launch file's `ptx`. Files that cannot be read: the first built one, and
 * job_load tells what is wrong with them. */
unsigned job_chip(const char *launch_path, const char *program_path, const char *entry);
unsigned job_chip_of(const char *name, const unsigned char *data, size_t size, const char *entry); /* 0: unknown */
/* Whether a file's bytes are to be compiled: by its name, or because they are no object. */
bool job_is_ptx(const char *path, const unsigned char *data, size_t size);

/* launch_path or program_path may be NULL, not both. PTX diagnostics go to standard error as they come; `told` says so
 * then. entry: the kernel, NULL = the one that the launch file names, or the only one. limit: warp instructions, 0 =
 * none. *job is overwritten; job_free it in any case. */
bool job_load(struct job *job, const struct wl_config *config, const char *launch_path, const char *program_path,
              const char *entry, uint64_t limit);
/* The program alone: no launch file, no memory, no GPU. */
bool job_open(struct job *job, const struct wl_config *config, const char *program_path, const char *entry);
/* The program in bytes that the caller has; `name` stands in messages. The caller has filled job->launch before
 * (launch_default at least), and may change all but the stack before job_start. */
bool job_open_bytes(struct job *job, const struct wl_config *config, const char *name, const unsigned char *data,
                    size_t size, const char *entry);
/* Device memory and the wl_gpu, for a program that is open and the launch in job->launch. */
bool job_start(struct job *job, const struct wl_config *config, uint64_t limit);
void job_free(struct job *job);

/* PTX to the bytes of an object for the configuration, *object from malloc. The compiler supplies it
 * (compiler/job_compile.c): the model's own sources know nothing of a compiler, its programs are linked with one. On
 * failure job->error or `told`, as above. */
bool job_compile(struct job *job, const struct wl_config *config, const char *path, const unsigned char *text,
                 size_t size, unsigned char **object, size_t *object_size);

/* The outcome as reports name it: "pass", "wrong", "deadlock", "fault", "limit" or "error", with one line of detail.
 * `note` (may be NULL) gets further lines: differing buffers, how many were not checked. */
struct job_verdict {
	const char *outcome;
	char detail[JOB_ERROR];
	bool as_expected; /* the launch file expects this outcome */
};
void job_judge(struct job *job, struct job_verdict *v, void (*note)(void *self, const char *text), void *self);
/* The verdict in one line: on standard output, or as a message of `tool` when it is an error. */
void job_print_verdict(const struct job *job, const struct job_verdict *v, const char *tool);

/* Every buffer as DIR/<name>.bin; DIR is made when it is not there. */
bool job_dump(struct job *job, const char *dir);

#endif
