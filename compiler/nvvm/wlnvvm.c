/* SPDX-License-Identifier: Apache-2.0 */
/* wlnvvm -- LLVM IR, bitcode or C with CUDA's atomic and barrier builtins to PTX. Holds no LLVM: see driver.h. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cmodel/tools/file.h"
#include "../../cmodel/tools/output.h"
#include "../../cmodel/tools/progress.h"
#include "../../cmodel/tools/unfinished.h"
#include "driver.h"
#include "warplock/config.h"

extern char **environ;

static const char usage[] =
        "usage: wlnvvm [-arch=sm_N] [-O0|-O1|-O2] [-g] [--builtins=cicc13|documented] [-emit=ptx|llvm] [-o OUT]\n"
        "              [--dead-barriers=keep|remove] [--print-dead-barriers] IN.{ll,bc,c}\n"
        "       wlnvvm --print-header | --print-builtins\n"
        "Lowers C with CUDA's builtins, or LLVM IR, to PTX.\n"
        "  -arch=sm_N       chip of the PTX (" WL_DEFAULT_CHIP_RULE ";\n"
        "                   C names none, and the attributes of LLVM IR are not read): sm_50, sm_52, sm_53, sm_60,\n"
        "                   sm_61, sm_62, sm_70, sm_72, or one of\n"
        "                   " WL_CHIP_NAMES ",\n"
        "                   from sm_90 on also with the suffix a or f\n"
        "  -O0 -O1 -O2      optimization by LLVM\n"
        "  -g               lines of the source in the PTX\n"
        "  --builtins=cicc13|documented  builtins that the input may use: of CUDA 13's compiler, or documented ones\n"
        "  --dead-barriers=keep|remove  barriers of all threads of a block that order nothing: keep (default, as\n"
        "                   CUDA 13's compiler), or remove (docs/sync-layer.md)\n"
        "  --print-dead-barriers  print each barrier, and why the barrier is dead or stays\n"
        "  -emit=ptx|llvm   output: PTX (default), or LLVM IR with lowered builtins\n"
        "  -o OUT           output file\n"
        "  -D -I -U         for C inputs, compiled by clang-19\n"
        "  --print-header   print the header of C inputs\n"
        "  --print-builtins print every builtin\n"
        "Options may have one dash or two; a value follows = or is the next word.\n"
        "Environment: CLANG19 names a compiler of C inputs in the place of clang-19. WL_QUIET=1: a terminal shows no\n"
        "line about a long compilation.\n"
        "Exit status: 0 done, 1 the input has errors, 2 wrong use.\n";

/* The page for the current work of wlnvvm-ir: a file without a name, inherited. */
static struct nv_phase *phase_page(int *fd)
{
	*fd = memfd_create("wlnvvm-phase", 0);
	if (*fd < 0 || ftruncate(*fd, sizeof(struct nv_phase)))
		return NULL;
	void *p = mmap(NULL, sizeof(struct nv_phase), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* wlnvvm-ir lies in the folder of wlnvvm. */
static bool worker_path(char *out, size_t n)
{
	ssize_t len = readlink("/proc/self/exe", out, n - 16);
	if (len <= 0)
		return false;
	out[len] = '\0';
	char *slash = strrchr(out, '/');
	strcpy(slash ? slash + 1 : out, "wlnvvm-ir");
	return true;
}

static bool start_worker(int argc, char **argv, int module_fd, int phase_fd, pid_t *pid)
{
	char path[4096], module_arg[32], phase_arg[32];
	char **args = calloc((size_t)argc + 3, sizeof *args);
	if (!args || !worker_path(path, sizeof path)) {
		fprintf(stderr, "wlnvvm: cannot tell where wlnvvm-ir is\n");
		free(args);
		return false;
	}
	int n = 0;
	snprintf(module_arg, sizeof module_arg, "--module-fd=%d", module_fd);
	snprintf(phase_arg, sizeof phase_arg, "--phase-fd=%d", phase_fd);
	for (int i = 0; i < argc; i++)
		args[n++] = argv[i];
	args[n++] = phase_arg;
	if (module_fd >= 0)
		args[n++] = module_arg;
	int e = posix_spawn(pid, path, NULL, NULL, args, environ);
	free(args);
	if (e)
		fprintf(stderr, "wlnvvm: cannot run %s: %s (it is built where LLVM 19 is installed)\n", path,
		        strerror(e));
	return e == 0;
}

/* Child processes: a signal that ends this program also ends the children. */
static volatile sig_atomic_t running[2];

static void end_with_them(int number)
{
	for (unsigned i = 0; i < 2; i++)
		if (running[i])
			kill(running[i], SIGTERM);
	unfinished_drop();
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		if (signal(ends[i], end_with_them) == SIG_IGN)
			signal(ends[i], SIG_IGN);
}

static int wait_for(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static int compile(int argc, char **argv, const struct nv_options *o)
{
	int phase_fd, module_fd = -1;
	pid_t worker, clang = 0;
	struct nv_phase *phase = phase_page(&phase_fd);
	if (!phase) {
		perror("wlnvvm");
		return 1;
	}
	watch_signals();
	if (o->kind == NV_C && (module_fd = nv_start_clang(o, &clang)) < 0)
		return 1;
	running[0] = clang;
	bool started = start_worker(argc, argv, module_fd, phase_fd, &worker);
	running[1] = started ? worker : 0;
	if (module_fd >= 0)
		close(module_fd);
	int clang_status = clang ? wait_for(clang) : 0;
	running[0] = 0;
	int status = started ? wait_for(worker) : -1;
	running[1] = 0;
	if (!started)
		return 1;
	if (clang_status) {
		if (!WIFEXITED(clang_status))
			fprintf(stderr, "%s: error: clang was stopped by a signal\n", o->in);
		return 1; /* clang has reported the reason; the input of wlnvvm-ir is no module */
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	phase->text[sizeof phase->text - 1] = '\0';
	fprintf(stderr, "%s: error: stopped by signal %d (%s) while %s\n", o->in, WTERMSIG(status),
	        strsignal(WTERMSIG(status)), phase->text);
	return 1;
}

int main(int argc, char **argv)
{
	struct nv_options o;
	const char *what, *arg;
	char why[4200];
	output_guard("wlnvvm");
	if (!nv_parse_options(argc, argv, &o, &what, &arg)) {
		fprintf(stderr, "wlnvvm: %s%s\ntry `wlnvvm --help`\n", what, arg);
		return 2;
	}
	if (o.help)
		return fputs(usage, stdout) < 0;
	if (o.version)
		return puts("wlnvvm (Warplock) " WL_VERSION) < 0;
	if (o.print_header)
		return !nv_print_header(stdout, NULL);
	if (o.print_builtins)
		return !nv_print_builtins(stdout);
	if (o.out && o.in && file_same(o.out, o.in)) {
		fprintf(stderr, "wlnvvm: the output %s is the input\n", o.out);
		return 2;
	}
	if (o.out && !file_can_write(o.out, why, sizeof why)) {
		fprintf(stderr, "wlnvvm: cannot write %s\n", why);
		return 1;
	}
	struct progress line;
	progress_start(&line, o.in, NULL, false);
	progress_watch(&line, NULL, NULL);
	const int status = compile(argc, argv, &o);
	progress_end(&line);
	return status;
}
