/* SPDX-License-Identifier: Apache-2.0 */
/* wlnvvm -- LLVM IR, bitcode or C with CUDA's atomic and barrier builtins to PTX. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

static const char usage[] =
        "usage: wlnvvm [-arch=sm_75] [-O0|-O1|-O2] [-g] [--builtins=cicc13|documented] [-emit=ptx|llvm] [-o OUT] "
        "IN.{ll,bc,c}\n"
        "       wlnvvm --print-header | --print-builtins\n"
        "C input is compiled by clang-19 (CLANG19 names another); further -D, -I and -U are passed to it.\n";

static int misuse(const char *what, const char *arg)
{
	fprintf(stderr, "wlnvvm: %s%s\n%s", what, arg, usage);
	return 2;
}

/* Runs the job in a child: LLVM aborts on some damaged modules, and its end must not be ours. */
static int run_guarded(const struct nv_options *o)
{
	const char **phase = mmap(NULL, sizeof *phase, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (phase == MAP_FAILED) {
		perror("wlnvvm");
		return 1;
	}
	*phase = "starting";
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		perror("wlnvvm: fork");
		return 1;
	}
	if (pid == 0) {
		int rc = nv_compile(o, phase);
		fflush(NULL);
		_exit(rc); /* no destructors: the memory goes with the process */
	}
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "%s: error: stopped by signal %d (%s) while %s\n", o->in, WTERMSIG(status),
	        strsignal(WTERMSIG(status)), *phase);
	return 1;
}

int main(int argc, char **argv)
{
	struct nv_options o = {.arch = "sm_75", .sm = 75, .opt = 2};
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];
		if (!strncmp(a, "-arch=", 6)) {
			char *end;
			o.arch = a + 6;
			o.sm = strncmp(o.arch, "sm_", 3) ? 0 : (unsigned)strtoul(o.arch + 3, &end, 10);
			if (o.sm < 50 || o.sm > 121 || strcspn(end, "af") > 1 || strlen(end) > 1)
				return misuse("unknown architecture ", o.arch);
		} else if (!strcmp(a, "-O0") || !strcmp(a, "-O1") || !strcmp(a, "-O2")) {
			o.opt = a[2] - '0';
		} else if (!strcmp(a, "-g")) {
			o.lines = true;
		} else if (!strcmp(a, "--builtins=cicc13") || !strcmp(a, "--builtins=documented")) {
			o.documented = a[11] == 'd';
		} else if (!strcmp(a, "-emit=ptx") || !strcmp(a, "-emit=llvm")) {
			o.emit_llvm = a[6] == 'l';
		} else if (!strcmp(a, "-o") && i + 1 < argc) {
			o.out = argv[++i];
		} else if (!strcmp(a, "--print-header")) {
			return nv_print_header(stdout) ? 0 : 1;
		} else if (!strcmp(a, "--print-builtins")) {
			return nv_print_builtins(stdout) ? 0 : 1;
		} else if (!strcmp(a, "-h") || !strcmp(a, "--help")) {
			fputs(usage, stdout);
			return 0;
		} else if (!strncmp(a, "-D", 2) || !strncmp(a, "-I", 2) || !strncmp(a, "-U", 2)) {
			if (o.n_passed == sizeof o.passed / sizeof *o.passed)
				return misuse("too many options for clang: ", a);
			o.passed[o.n_passed++] = a;
		} else if (a[0] == '-') {
			return misuse("unknown option ", a);
		} else if (o.in) {
			return misuse("more than one input: ", a);
		} else {
			o.in = a;
		}
	}
	if (!o.in)
		return misuse("no input", "");
	const char *dot = strrchr(o.in, '.');
	o.kind = !dot                  ? NV_UNKNOWN
	         : !strcmp(dot, ".c")  ? NV_C
	         : !strcmp(dot, ".ll") ? NV_IR
	         : !strcmp(dot, ".bc") ? NV_BITCODE
	                               : NV_UNKNOWN;
	if (o.kind == NV_UNKNOWN)
		return misuse("the input's name ends in none of .ll, .bc, .c: ", o.in);
	return run_guarded(&o);
}
