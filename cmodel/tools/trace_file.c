// SPDX-License-Identifier: Apache-2.0
#include "trace_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool ends_with(const char *s, const char *end)
{
	const size_t n = strlen(s), k = strlen(end);
	return n > k && strcmp(s + n - k, end) == 0;
}

bool trace_name_fits(const char *path, char *err, size_t errn)
{
	if (ends_with(path, ".json") || ends_with(path, ".json.gz") || strncmp(path, "/dev/", 5) == 0)
		return true;
	snprintf(err, errn, "--trace: expected a name that ends with .json or .json.gz, found '%s'", path);
	return false;
}

void trace_put(struct trace_file *t, const char *format, ...)
{
	char line[800];
	va_list ap;
	va_start(ap, format);
	const int n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	if (t->bad || n < 0 || (size_t)n >= sizeof line)
		return;
	if (t->any)
		t->bad |= gzputs(t->file, ",\n") < 0;
	t->any = true;
	t->bad |= gzwrite(t->file, line, (unsigned)n) != n;
}

bool trace_open(struct trace_file *t, const char *path, unsigned sms, char *err, size_t errn)
{
	*t = (struct trace_file){.path = path};
	errno = 0;
	t->file = gzopen(path, ends_with(path, ".gz") ? "wb6" : "wbT");
	if (!t->file) {
		snprintf(err, errn, "cannot write %s: %s", path, strerror(errno ? errno : ENOMEM));
		return false;
	}
	t->bad = gzputs(t->file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n") < 0;
	for (unsigned sm = 0; sm < sms; sm++)
		trace_put(t,
		          "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"tid\":0,\"args\":{\"name\":\"SM %u\"}}",
		          sm, sm);
	return true;
}

void trace_track(struct trace_file *t, uint32_t sm, uint32_t track, const char *name)
{
	trace_put(t, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", sm,
	          track, name);
}

void trace_slice(struct trace_file *t, uint32_t sm, uint32_t track, const char *name, const char *kind, uint64_t begin,
                 uint64_t end, uint32_t pc, const char *more)
{
	trace_put(t,
	          "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,"
	          "\"args\":{\"pc\":\"0x%x\"%s}}",
	          name, kind, sm, track, (unsigned long long)begin, (unsigned long long)(end - begin), pc, more);
}

void trace_arrow(struct trace_file *t, const struct trace_point *from, uint32_t sm, uint32_t track, uint64_t time,
                 const char *kind)
{
	const unsigned long long id = ++t->flows;
	trace_put(t, "{\"ph\":\"s\",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%llu,\"pid\":%u,\"tid\":%u,\"ts\":%llu}",
	          kind, id, from->sm, from->track, (unsigned long long)from->time);
	trace_put(t,
	          "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"%s\",\"cat\":\"flow\",\"id\":%llu,\"pid\":%u,\"tid\":%u,"
	          "\"ts\":%llu}",
	          kind, id, sm, track, (unsigned long long)time);
}

void trace_count(struct trace_file *t, uint32_t sm, uint64_t time, const char *name, const char *of, uint64_t value)
{
	trace_put(t, "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%u,\"tid\":0,\"ts\":%llu,\"args\":{\"%s\":%llu}}", name, sm,
	          (unsigned long long)time, of, (unsigned long long)value);
}

bool trace_close(struct trace_file *t, const char *unit, bool interrupted, char *err, size_t errn)
{
	char last[200];
	snprintf(last, sizeof last, "\n],\"otherData\":{\"unit\":\"%s\",\"interrupted\":%s}}\n", unit,
	         interrupted ? "true" : "false");
	t->bad |= gzputs(t->file, last) < 0;
	errno = 0;
	const int closed = gzclose(t->file);
	t->file = NULL;
	if (closed == Z_OK && !t->bad)
		return true;
	snprintf(err, errn, "cannot write %s: %s", t->path, errno ? strerror(errno) : "write error");
	return false;
}
