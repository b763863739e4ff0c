// SPDX-License-Identifier: Apache-2.0
#include "host_program.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_code.h"

bool host_program_is(const char *path)
{
	Elf64_Ehdr h = {0};
	Elf64_Phdr p;
	FILE *f = fopen(path, "rb");
	bool is = f && fread(&h, sizeof h, 1, f) == 1 && memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
	          h.e_machine != 190 && (h.e_type == ET_EXEC || h.e_type == ET_DYN) && access(path, X_OK) == 0;
	bool starts = is && h.e_type == ET_EXEC;
	for (unsigned i = 0; is && i < h.e_phnum && !starts; i++)
		starts = !fseek(f, (long)(h.e_phoff + i * sizeof p), SEEK_SET) && fread(&p, sizeof p, 1, f) == 1 &&
		         p.p_type == PT_INTERP;
	if (f)
		fclose(f);
	return starts;
}

/* The folder of our libraries: beside that of the tool, or below it where the build keeps the sanitized ones. */
static bool library_folder(char *out, size_t n)
{
	char self[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
	if (len < 0)
		return false;
	self[len] = 0;
	char *bin = dirname(self);
	char library[PATH_MAX + 32];
	snprintf(library, sizeof library, "%s/../lib", bin);
	char *real = realpath(library, NULL);
	if (!real)
		return false;
	snprintf(out, n, "%s", real);
	free(real);
	snprintf(library, sizeof library, "%.*s/libcuda.so.1", PATH_MAX - 1, out);
	return access(library, R_OK) == 0;
}

static void set_number(const char *name, uint64_t v)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRIu64, v);
	setenv(name, text, 1);
}

static void set_environment(const struct host_program *p, const char *folder, const char *report)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char both[2 * PATH_MAX + 2], arch[16];
	snprintf(both, sizeof both, "%s%s%.*s", folder, path && *path ? ":" : "", PATH_MAX, path ? path : "");
	setenv("LD_LIBRARY_PATH", both, 1);
	setenv("WARPLOCK_REPORT", report, 1);
	if (p->chip) {
		snprintf(arch, sizeof arch, "sm_%u", p->chip);
		setenv("WARPLOCK_ARCH", arch, 1);
	}
	if (p->seed_given)
		set_number("WARPLOCK_SEED", p->seed);
	if (p->limit_given)
		set_number("WARPLOCK_LIMIT", p->limit ? p->limit : UINT64_C(1) << 62);
	if (p->sms_given)
		set_number("WARPLOCK_SMS", p->sms);
	if (p->misuse)
		setenv("WARPLOCK_MISUSE", p->misuse, 1);
	if (p->record)
		setenv("WARPLOCK_RECORD", p->record, 1);
}

/* The report has a line a launch: kernel, grid, block, outcome, instructions, milliseconds. */
struct kernel {
	char name[256], outcome[32];
	uint64_t launches, instructions;
	double ms;
};

/* One row for each kernel and outcome, in the order of their first launches. Returns how many launches went wrong. */
static uint64_t print_report(const char *path)
{
	enum { MOST = 1000 };
	static struct kernel rows[MOST];
	unsigned n = 0;
	uint64_t bad = 0, left = 0;
	char line[1000];
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		struct kernel k = {.launches = 1};
		unsigned i = 0;
		if (sscanf(line, "%255s %*s %*s %31s %" SCNu64 " %lf", k.name, k.outcome, &k.instructions, &k.ms) != 4)
			continue;
		bad += strcmp(k.outcome, "pass") != 0;
		while (i < n && (strcmp(rows[i].name, k.name) || strcmp(rows[i].outcome, k.outcome)))
			i++;
		if (i == MOST) {
			left++;
			continue;
		}
		if (i == n)
			rows[n++] = k;
		else {
			rows[i].launches++;
			rows[i].instructions += k.instructions;
			rows[i].ms += k.ms;
		}
	}
	if (f)
		fclose(f);
	if (n)
		printf("launches  outcome   instructions  seconds  kernel\n");
	for (unsigned i = 0; i < n; i++)
		printf("%8" PRIu64 "  %-8s  %12" PRIu64 "  %7.3f  %s\n", rows[i].launches, rows[i].outcome,
		       rows[i].instructions, rows[i].ms / 1e3, rows[i].name);
	if (left)
		printf("%8" PRIu64 "  of further kernels\n", left);
	if (!n)
		printf("no launch\n");
	return bad;
}

static int status_of(const struct host_program *p, int status, uint64_t bad)
{
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "%s: %s ended by signal %d (%s)\n", p->tool, p->argv[0], WTERMSIG(status),
		        strsignal(WTERMSIG(status)));
		return EXIT_BAD;
	}
	if (WEXITSTATUS(status))
		fprintf(stderr, "%s: %s ended with status %d\n", p->tool, p->argv[0], WEXITSTATUS(status));
	return WEXITSTATUS(status) ? WEXITSTATUS(status) : bad ? EXIT_BAD : EXIT_GOOD;
}

int host_program_run(const struct host_program *p)
{
	char folder[PATH_MAX], report[] = "/tmp/warplock-launches-XXXXXX";
	int status = 0;
	if (!library_folder(folder, sizeof folder)) {
		fprintf(stderr, "%s: %s: no libcuda.so.1 in the folder lib beside that of %s\n", p->tool, p->argv[0],
		        p->tool);
		return EXIT_BAD;
	}
	const int fd = mkstemp(report);
	if (fd < 0) {
		fprintf(stderr, "%s: %s: %s\n", p->tool, report, strerror(errno));
		return EXIT_BAD;
	}
	close(fd);
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		set_environment(p, folder, report);
		execvp(p->argv[0], p->argv);
		fprintf(stderr, "%s: %s: %s\n", p->tool, p->argv[0], strerror(errno));
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	const uint64_t bad = p->quiet ? 0 : print_report(report);
	unlink(report);
	return child < 0 ? EXIT_BAD : status_of(p, status, bad);
}
