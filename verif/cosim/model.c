// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cmodel/tools/unfinished.h"
#include "warplock/isa.h"

bool model_root(char *buf, size_t n)
{
	char path[PATH_MAX], script[PATH_MAX + 32];
	const char *env = getenv("WARPLOCK_ROOT");
	if (env) {
		snprintf(path, sizeof path, "%s", env);
	} else {
		ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
		if (len < 0)
			return false;
		path[len] = 0;
	}
	/* upwards from build/bin, or build/san/bin */
	for (;;) {
		snprintf(script, sizeof script, "%s/verif/cosim/build_model", path);
		if (access(script, X_OK) == 0)
			return (size_t)snprintf(buf, n, "%s", path) < n;
		char *slash = strrchr(path, '/');
		if (env || !slash || slash == path)
			return false;
		*slash = 0;
	}
}

/* ---- a child that builds: ends together with this program ---- */

static volatile sig_atomic_t child; /* leader of a separate process group; 0: no child */

static void end_with_child(int signal_number)
{
	if (child)
		kill(-child, SIGTERM);
	unfinished_drop();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof ends[0] };

static pid_t start(char *const argv[], int *out)
{
	int ends_of[2];
	if (pipe(ends_of))
		return -1;
	const pid_t parent = getpid(), pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* for a parent killed without a chance to handle the signal */
		if (getppid() != parent)
			_exit(1);
		dup2(ends_of[1], STDOUT_FILENO);
		close(ends_of[0]);
		close(ends_of[1]);
		execv(argv[0], argv);
		_exit(127);
	}
	close(ends_of[1]);
	*out = ends_of[0];
	if (pid > 0)
		setpgid(pid, pid);
	else
		close(ends_of[0]);
	return pid;
}

/* First line printed by a command; returns the exit status. */
static int first_line(char *const argv[], char *line, int n)
{
	void (*before[ENDS])(int);
	int out, status = -1;
	fflush(NULL);
	for (unsigned i = 0; i < ENDS; i++)
		before[i] = signal(ends[i], end_with_child);
	const pid_t pid = start(argv, &out);
	line[0] = 0;
	if (pid > 0) {
		child = pid;
		FILE *f = fdopen(out, "r");
		if (f && fgets(line, n, f))
			line[strcspn(line, "\n")] = 0;
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		child = 0;
		if (f)
			fclose(f);
	}
	for (unsigned i = 0; i < ENDS; i++)
		signal(ends[i], before[i]);
	return status;
}

/* The words of build_model for units, parameters and features. */
static void flag_words(uint32_t units, const struct wl_config *hw, unsigned flags, char words[80])
{
	int n = units == 1 ? 0 : snprintf(words, 80, " units=%u", units);
	n += hw->combine ? snprintf(words + n, 80 - (size_t)n, " combine=%u", hw->combine) : 0;
	n += hw->native ? snprintf(words + n, 80 - (size_t)n, " native") : 0;
	snprintf(words + n, 80 - (size_t)n, "%s%s%s%s%s%s", flags & MODEL_MATRIX ? " matrix" : "",
	         flags & MODEL_NETLIST ? " netlist" : "", flags & MODEL_PLANTED ? " planted" : "",
	         flags & MODEL_WAVE ? " wave" : "", flags & MODEL_XRAND ? " xrand" : "",
	         flags & MODEL_ASSERT ? " assert" : "");
}

bool model_make(const char *script, const char *words, const char *what, char *path, size_t pathn, char *why,
                size_t whyn)
{
	enum { MOST_WORDS = 16 };
	char root[PATH_MAX], command[PATH_MAX + 64], line[256], split[256], *argv[MOST_WORDS + 3];
	if (!model_root(root, sizeof root)) {
		snprintf(why, whyn, "cannot find the RTL: set WARPLOCK_ROOT to the source tree of Warplock");
		return false;
	}
	snprintf(command, sizeof command, "%s/%s", root, script);
	snprintf(split, sizeof split, "-n %s", words);
	unsigned n = 0;
	argv[n++] = command;
	for (char *word = strtok(split, " "); word && n < MOST_WORDS + 2; word = strtok(NULL, " "))
		argv[n++] = word;
	argv[n] = NULL;
	for (int building = 0; building < 2; building++) {
		if (building) {
			memmove(&argv[1], &argv[2], (n - 1) * sizeof argv[0]); /* without the -n */
			if (!getenv("WL_QUIET"))
				fprintf(stderr, "wlcosim: building the %s\n", what);
		}
		if (first_line(argv, line, sizeof line) == 0) {
			snprintf(path, pathn, "%s/%s", root, line);
			return true;
		}
	}
	snprintf(why, whyn, "the %s could not be built", what);
	return false;
}

uint32_t model_every_unit(void)
{
	return 0
#define UNIT(name, words, preds, in_c, in_front, in_rtl, holds) | (uint32_t)(in_rtl) << WL_UNIT_##name
#include "warplock/units.def"
#undef UNIT
	        ;
}

uint32_t model_units(uint32_t units, unsigned flags)
{
	const uint32_t pipe = 1u << WL_UNIT_atoms_pipe, convergence = 1u << WL_UNIT_convergence;
	const uint32_t exits = 1u << WL_UNIT_barrier_file | 1u << WL_UNIT_cluster_barrier;
	if (flags & MODEL_NETLIST || getenv("WARPLOCK_OWN_UNITS") || units == pipe)
		return units;
	return (units & convergence) || !(units & exits) ? model_every_unit() : model_every_unit() & ~convergence;
}

bool model_load(struct model *m, const struct wl_config *hw, uint32_t units, unsigned flags, char *why, size_t whyn)
{
	char flag[80], words[112], what[144];
	memset(m, 0, sizeof *m);
	flag_words(model_units(units, flags), hw, flags, flag);
	snprintf(words, sizeof words, "%u %u %u%s", hw->lanes, hw->banks, hw->ports, flag);
	snprintf(what, sizeof what, "RTL model (%u lanes, %u banks, %u ports%s%s)", hw->lanes, hw->banks, hw->ports,
	         *flag ? ";" : "", flag);
	if (!model_make("verif/cosim/build_model", words, what, m->path, sizeof m->path, why, whyn))
		return false;
	m->library = dlopen(m->path, RTLD_NOW | RTLD_LOCAL);
	if (!m->library) {
		snprintf(why, whyn, "cannot load %s: %s", m->path, dlerror());
		return false;
	}
	const struct shim_api *(*entry)(void);
	*(void **)&entry = dlsym(m->library, "wl_shim");
	m->api = entry ? entry() : NULL;
	if (m->api && m->api->abi == SHIM_ABI) {
		m->own = *m->api;
		m->own.units = units;
		m->api = &m->own;
		return true;
	}
	snprintf(why, whyn, "%s is not a model of this version", m->path);
	model_unload(m);
	return false;
}

void model_unload(struct model *m)
{
	if (m->library)
		dlclose(m->library);
	m->library = NULL;
	m->api = NULL;
}
