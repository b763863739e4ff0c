// SPDX-License-Identifier: Apache-2.0
/* isolation_test.c -- forked processes, and processes that end during a kernel.
 *
 *   isolation_test
 *
 * A child of fork gets CUDA_ERROR_NOT_INITIALIZED from each call, and the parent goes on. A process that exits, aborts
 * or is killed in the middle of an endless kernel ends at once, with the process's own status. No
 * process and no file in TMPDIR remain. Prints 'N passed, N failed'. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver_api.h"

enum { NOT_INITIALIZED = 3, PATIENCE = 20, WORDS = 64, OWN_STATUS = 7 };

static const char kernels[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                              ".visible .entry add(.param .u64 to)\n{\n.reg .b64 %d;\n.reg .b32 %r;\n"
                              "ld.param.u64 %d, [to];\natom.global.add.u32 %r, [%d], 1;\nret;\n}\n"
                              ".visible .entry endless(.param .u64 to)\n{\n.reg .b64 %d;\n.reg .b32 %r;\n"
                              "ld.param.u64 %d, [to];\nL: atom.global.add.u32 %r, [%d], 1;\nbra L;\n}\n";

struct state {
	void *context, *add, *endless;
	CUdeviceptr to;
};

static unsigned passed, failed;

static void check(int good, const char *what)
{
	passed += good != 0;
	failed += !good;
	if (!good)
		printf("FAIL  %s\n", what);
}

static void start(struct state *s)
{
	void *module;
	if (cuInit(0) || cuCtxCreate_v2(&s->context, 0, 0) || cuModuleLoadData(&module, kernels) ||
	    cuModuleGetFunction(&s->add, module, "add") || cuModuleGetFunction(&s->endless, module, "endless") ||
	    cuMemAlloc_v2(&s->to, 4) || cuMemsetD32Async(s->to, 0, 1, NULL) || cuCtxSynchronize()) {
		printf("no device\n");
		_exit(1);
	}
}

static CUresult launch(struct state *s, void *function)
{
	void *params[] = {&s->to};
	return cuLaunchKernel(function, 1, 1, 1, WORDS, 1, 1, 0, NULL, params, NULL);
}

/* The status of the child from waitpid; -1: the child ran longer than PATIENCE seconds, and was killed. */
static int end_of(pid_t child)
{
	const struct timespec step = {0, 10000000};
	int status;
	for (unsigned i = 0; i < 100 * PATIENCE; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return status;
		nanosleep(&step, NULL);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return -1;
}

/* ---- fork ---- */

static int as_child(struct state *s)
{
	CUdeviceptr other;
	unsigned sum;
	return cuMemAlloc_v2(&other, 4) == NOT_INITIALIZED && launch(s, s->add) == NOT_INITIALIZED &&
	       cuMemcpyDtoH_v2(&sum, s->to, 4) == NOT_INITIALIZED && cuCtxSynchronize() == NOT_INITIALIZED;
}

static int forks(void)
{
	struct state s;
	unsigned sum = 0;
	start(&s);
	const int before = !launch(&s, s.add);
	const pid_t child = fork();
	if (!child)
		exit(as_child(&s) ? OWN_STATUS : 1);
	const int status = end_of(child);
	const int after = !launch(&s, s.add) && !cuMemcpyDtoH_v2(&sum, s.to, 4) && sum == 2 * WORDS;
	return before && after && WIFEXITED(status) && WEXITSTATUS(status) == OWN_STATUS;
}

/* ---- ends in the middle of a kernel ---- */

static atomic_int launching, returned;

static void *run_endless(void *self)
{
	struct state *s = self;
	cuCtxSetCurrent(s->context);
	launching = 1;
	launch(s, s->endless);
	cuCtxSynchronize();
	returned = 1;
	return NULL;
}

static const struct ending {
	const char *name;
	int signal; /* ends the process, or 0: OWN_STATUS */
} endings[] = {{"exit", 0},          {"_exit", 0},         {"abort", SIGABRT},
               {"SIGTERM", SIGTERM}, {"SIGKILL", SIGKILL}, {"SIGINT", SIGINT}};

static void die(unsigned how)
{
	static struct state s;
	const struct timespec a_while = {0, 200000000};
	pthread_t thread;
	start(&s);
	pthread_create(&thread, NULL, run_endless, &s);
	nanosleep(&a_while, NULL);
	if (!launching || returned)
		_exit(1); /* no kernel runs */
	switch (how) {
	case 0: /* as at the end of main */
		exit(OWN_STATUS);
	case 1:
		_exit(OWN_STATUS);
	case 2:
		abort();
	default:
		raise(endings[how].signal);
	}
}

static unsigned entries(const char *folder)
{
	unsigned n = 0;
	DIR *d = opendir(folder);
	for (const struct dirent *e; d && (e = readdir(d));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return n;
}

static void ends(const char *folder)
{
	for (unsigned how = 0; how < sizeof endings / sizeof *endings; how++) {
		char text[80];
		const pid_t child = fork();
		if (!child) {
			die(how);
			_exit(1);
		}
		const int status = end_of(child), signal = endings[how].signal;
		snprintf(text, sizeof text, "%s during a kernel: status %d", endings[how].name, status);
		check(status >= 0 && (signal ? WIFSIGNALED(status) && WTERMSIG(status) == signal
		                             : WIFEXITED(status) && WEXITSTATUS(status) == OWN_STATUS),
		      text);
		snprintf(text, sizeof text, "%s during a kernel: files are left", endings[how].name);
		check(!entries(folder), text);
	}
}

int main(void)
{
	char folder[] = "/tmp/isolation-XXXXXX";
	if (!mkdtemp(folder) || setenv("TMPDIR", folder, 1))
		return 1;
	ends(folder);
	const pid_t child = fork();
	if (!child)
		exit(forks() ? 0 : 1);
	const int status = end_of(child);
	check(status >= 0 && WIFEXITED(status) && !WEXITSTATUS(status),
	      "fork: the child may not call, the parent goes on");
	rmdir(folder);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
