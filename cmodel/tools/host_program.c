// SPDX-License-Identifier: Apache-2.0
#include "host_program.h"

#include <elf.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_code.h"
#include "file.h"

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

/* The folder of our libraries, from the folder of the tool. */
static bool library_folder(char *out, size_t n)
{
	char self[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
	if (len < 0)
		return false;
	self[len] = 0;
	static const char *const folders[] = {"lib", "lib/warplock"}; /* of the build; installed */
	const char *bin = dirname(self);
	for (unsigned i = 0; i < 2; i++) {
		char library[PATH_MAX + 64];
		snprintf(library, sizeof library, "%s/../%s/libcuda.so.1", bin, folders[i]);
		char *real = realpath(library, NULL);
		if (!real)
			continue;
		snprintf(out, n, "%s", dirname(real));
		free(real);
		return true;
	}
	return false;
}

/* A pattern of mkstemp and mkdtemp in the folder TMPDIR. */
static void temporary(const char *what, char *out, size_t n)
{
	const char *folder = getenv("TMPDIR");
	snprintf(out, n, "%s/warplock-%s-XXXXXX", folder && *folder ? folder : "/tmp", what);
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
	if (p->devices)
		set_number("WARPLOCK_DEVICES", p->devices);
	if (p->misuse)
		setenv("WARPLOCK_MISUSE", p->misuse, 1);
	if (p->record)
		setenv("WARPLOCK_RECORD", p->record, 1);
	if (p->kernel)
		setenv("WARPLOCK_RECORD_KERNEL", p->kernel, 1);
	if (p->first)
		set_number("WARPLOCK_RECORD_FIRST", p->first);
	if (p->quiet)
		setenv("WL_QUIET", "1", 1);
}

/* ---- a child: ends with this program ---- */

static volatile sig_atomic_t child, ended_by; /* 0: none */

/* A terminal sends SIGINT to the child, too. */
static void hand_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	ended_by = number;
	if (child && (number != SIGINT || info->si_code <= 0))
		kill(child, number);
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

/* Runs `start` in a child, and waits for the child; `start` execs. Returns the child's status; -1: no child. */
static int run_child(void (*start)(const void *self), const void *self)
{
	struct sigaction before[ENDS], handler = {.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO};
	int status = -1;
	fflush(stdout);
	for (unsigned i = 0; i < ENDS; i++)
		sigaction(ends[i], &handler, &before[i]);
	const pid_t parent = getpid(), pid = fork();
	if (pid == 0) {
		for (unsigned i = 0; i < ENDS; i++)
			sigaction(ends[i], &before[i], NULL);
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* for a parent killed without its handler */
		if (getppid() != parent)
			_exit(1);
		start(self);
		_exit(127);
	}
	child = pid > 0 ? pid : 0;
	if (child && ended_by)
		kill(child, ended_by);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	for (unsigned i = 0; i < ENDS; i++)
		sigaction(ends[i], &before[i], NULL);
	return status;
}

/* Ends by the signal received meanwhile; the caller has removed the caller's files. */
static void end_as_asked(void)
{
	if (ended_by)
		raise(ended_by);
}

/* The report has a line a launch: kernel, grid, block, outcome, instructions, milliseconds. */
struct kernel {
	char name[256], outcome[32];
	uint64_t launches, instructions;
	double ms;
};

/* A row for each kernel and outcome, in the order of the first launches. Returns the number of failed launches. */
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

/* ---- launches once more, each by the tool itself ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the launch files of a folder, in their order. */
static unsigned find_launches(const char *folder, char ***out)
{
	DIR *d = opendir(folder);
	const struct dirent *e;
	unsigned n = 0;
	*out = NULL;
	while (d && (e = readdir(d))) {
		const size_t len = strlen(e->d_name);
		char **more = len > 5 && strcmp(e->d_name + len - 5, ".json") == 0
		                      ? realloc(*out, (n + 1) * sizeof *more)
		                      : NULL;
		if (!more)
			continue;
		*out = more;
		more[n] = strdup(e->d_name);
		n += more[n] != NULL;
	}
	if (d)
		closedir(d);
	if (n)
		qsort(*out, n, sizeof **out, by_name);
	return n;
}

/* The SMs of a recorded launch, from the launch file's note. False: none. */
static bool find_sms(const char *path, char *out, size_t n)
{
	char line[400];
	FILE *f = fopen(path, "r");
	unsigned sms = 0;
	while (f && !sms && fgets(line, sizeof line, f)) {
		const char *at = strstr(line, "; --sms ");
		if (!at || sscanf(at, "; --sms %u", &sms) != 1)
			sms = 0;
	}
	if (f)
		fclose(f);
	snprintf(out, n, "%u", sms);
	return sms;
}

static void start_self(const void *argv)
{
	execv("/proc/self/exe", (char *const *)argv);
}

static int run_again(const struct host_program *p, const char *folder, const char *name)
{
	char launch[2 * PATH_MAX], sms[16];
	char **argv = calloc(p->noptions + 7, sizeof *argv);
	if (!argv)
		return EXIT_BAD;
	snprintf(launch, sizeof launch, "%s/%s", folder, name);
	argv[0] = (char *)(uintptr_t)p->tool;
	for (unsigned i = 0; i < p->noptions; i++)
		argv[1 + i] = p->options[i];
	argv[1 + p->noptions] = "--launch";
	argv[2 + p->noptions] = launch;
	if (!p->sms_given && find_sms(launch, sms, sizeof sms)) {
		argv[3 + p->noptions] = "--sms";
		argv[4 + p->noptions] = sms;
	}
	printf("%s: launch %.*s\n", p->tool, (int)strcspn(name, "."), name);
	const int status = run_child(start_self, argv);
	free(argv);
	return status == -1 || !WIFEXITED(status) ? EXIT_BAD : WEXITSTATUS(status);
}

static void remove_folder(const char *folder)
{
	char path[2 * PATH_MAX];
	DIR *d = opendir(folder);
	const struct dirent *e;
	while (d && (e = readdir(d))) {
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

static int run_recorded(const struct host_program *p, const char *folder)
{
	char **names;
	const unsigned n = find_launches(folder, &names);
	unsigned good = 0;
	for (unsigned i = 0; i < n; i++) {
		good += !ended_by && run_again(p, folder, names[i]) == EXIT_GOOD;
		free(names[i]);
	}
	free(names);
	printf("%s: %u launches as recorded, %u not\n", p->tool, good, n - good);
	return good == n && n ? EXIT_GOOD : EXIT_BAD;
}

static int run_once(const struct host_program *p);

int host_program_run(const struct host_program *p)
{
	char folder[PATH_MAX];
	temporary("record", folder, sizeof folder);
	struct host_program recorded = *p;
	char why[PATH_MAX + 200];
	if (p->record && !file_can_fill(p->record, why, sizeof why)) {
		fprintf(stderr, "%s: %s\n", p->tool, why);
		return EXIT_BAD;
	}
	if (!p->options) {
		const int status = run_once(p);
		end_as_asked();
		return status;
	}
	if (!p->record && !mkdtemp(folder)) {
		fprintf(stderr, "%s: %s: %s\n", p->tool, folder, strerror(errno));
		return EXIT_BAD;
	}
	recorded.record = p->record ? p->record : folder;
	const int status = run_once(&recorded);
	const int again = ended_by ? EXIT_BAD : run_recorded(p, recorded.record);
	if (!p->record)
		remove_folder(folder);
	end_as_asked();
	return status ? status : again;
}

struct start {
	const struct host_program *p;
	const char *folder, *report;
};

static void start_program(const void *self)
{
	const struct start *s = self;
	set_environment(s->p, s->folder, s->report);
	execvp(s->p->argv[0], s->p->argv);
	fprintf(stderr, "%s: %s: %s\n", s->p->tool, s->p->argv[0], strerror(errno));
}

static int run_once(const struct host_program *p)
{
	char folder[PATH_MAX], report[PATH_MAX];
	temporary("launches", report, sizeof report);
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
	const struct start of = {p, folder, report};
	const int status = run_child(start_program, &of);
	const uint64_t bad = p->quiet ? 0 : print_report(report);
	unlink(report);
	return status == -1 ? EXIT_BAD : status_of(p, status, bad);
}
