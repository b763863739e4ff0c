// SPDX-License-Identifier: Apache-2.0
/* ptx.c -- PTX through the compiler, and the buffers for messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "wlcc.h"

/* ---- messages: into the buffers of the options ---- */

enum { O_INFO = 3, O_INFO_BYTES, O_ERROR, O_ERROR_BYTES };
static struct log nowhere, of_call, *logs = &nowhere;

void log_open(struct log *log, unsigned n, const int *options, void **values)
{
	memset(log, 0, sizeof *log);
	for (unsigned i = 0; options && values && i < n; i++) {
		if (options[i] == O_INFO || options[i] == O_ERROR)
			log->buffer[options[i] == O_ERROR] = values[i];
		if (options[i] == O_INFO_BYTES || options[i] == O_ERROR_BYTES) {
			const unsigned which = options[i] == O_ERROR_BYTES;
			log->bytes[which] = (uint32_t)(uintptr_t)values[i];
			log->told[which] = &values[i];
		}
	}
	for (unsigned i = 0; i < 2; i++)
		if (log->buffer[i] && log->bytes[i])
			log->buffer[i][0] = 0;
}

void log_use(struct log *log)
{
	logs = log;
}

void log_begin(unsigned n, const int *options, void **values)
{
	log_open(&of_call, n, options, values);
	log_use(&of_call);
}

void log_end(void)
{
	for (unsigned i = 0; i < 2; i++)
		if (logs->told[i] && logs->buffer[i])
			*logs->told[i] = (void *)(uintptr_t)logs->used[i];
	logs = &nowhere;
}

static void log_line(bool error, const char *text)
{
	const unsigned i = error;
	const size_t n = strlen(text);
	if (!logs->buffer[i]) {
		if (error)
			say("%s", text);
		return;
	}
	if (logs->used[i] + n + 2 > logs->bytes[i])
		return;
	memcpy(logs->buffer[i] + logs->used[i], text, n);
	logs->buffer[i][logs->used[i] + n] = '\n';
	logs->buffer[i][logs->used[i] += n + 1] = 0;
}

struct judgement {
	bool newer;   /* the version is newer than the compiler knows */
	bool *needed; /* NULL: a missing function is an error like others */
	bool other;   /* an error besides missing functions */
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void diagnose(void *self, const struct wlcc_message *m)
{
	char text[1000];
	struct judgement *j = self;
	j->newer |= begins(m->text, "Unsupported .version");
	if (j->needed && begins(m->text, "Unresolved extern")) {
		*j->needed = true;
		return;
	}
	j->other |= m->severity == WLCC_ERROR;
	snprintf(text, sizeof text, "ptxas %s, line %u; %s : %s", m->file, m->line,
	         m->severity == WLCC_ERROR ? "error  " : "warning", m->text);
	log_line(m->severity == WLCC_ERROR, text);
}

CUresult ptx_compile(const char *text, size_t size, const char *file, bool *needed, unsigned char **out,
                     size_t *out_size)
{
	struct judgement judgement = {.needed = needed};
	const struct wlcc_options options = {.arch = Device.arch,
	                                     .chip = Device.chip,
	                                     .suffix = 'a', /* a machine is the chip itself */
	                                     .opt = 1,
	                                     .file = file ? file : "application ptx input",
	                                     .strict_version = true,
	                                     .silicon_words = true,
	                                     .diag = diagnose,
	                                     .diag_self = &judgement};
	struct wlcc_bytes object = {0};
	if (!wlcc_compile_ptx(text, size, &options, false, &object))
		return judgement.newer                         ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
		       : needed && *needed && !judgement.other ? CUDA_SUCCESS
		                                               : CUDA_ERROR_INVALID_PTX;
	*out = object.data;
	*out_size = object.size;
	return CUDA_SUCCESS;
}

unsigned char *file_bytes(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	long n = -1;
	unsigned char *bytes = NULL;
	if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET))
		bytes = malloc((size_t)n + 1);
	if (bytes && fread(bytes, 1, (size_t)n, f) != (size_t)n) {
		free(bytes);
		bytes = NULL;
	}
	if (bytes)
		bytes[n] = 0;
	if (size)
		*size = bytes ? (size_t)n : 0;
	if (f)
		fclose(f);
	return bytes;
}
