// SPDX-License-Identifier: Apache-2.0
/* wlcc.c -- the compiler program: files, options, messages. The work is done by the library (wlcc.h); sources that are
 * not PTX go through wlnvvm first, a program of its own that lies beside this one. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cmodel/tools/exit_code.h"
#include "../cmodel/tools/file.h"
#include "../cmodel/tools/progress.h"
#include "../cmodel/tools/option.h"
#include "../cmodel/tools/ptx_chip.h"
#include "message.h"
#include "warplock/object.h"
#include "wlcc.h"

enum { MAX_PASSED = 64 };

struct args {
	const char *in, *out, *program;
	enum wl_arch arch;
	unsigned chip;
	char suffix;           /* of sm_90a and the like */
	const char *arch_name; /* as given, NULL = not: the front end knows more of them than the code generator */
	int opt;
	unsigned max_registers, ptxas;
	bool masks_apart, print_overlaps, externs_do_not_sync;
	bool check_only, strict_version, model_words, compat, native_shared, relocatable, sass, verbose, debug, quiet;
	const char *dump_after, *intrinsic;
	bool emit_llvm;
	unsigned sync_mode, unroll;
	bool sync_off, no_barrier_paths, no_errbars, print_passes;
	unsigned warnings;
	bool warnings_are_errors;
	enum message_format messages;
	bool stop_at_ptx;               /* -emit=ptx, -emit=llvm, -S: the front end's output is what is wanted */
	const char *passed[MAX_PASSED]; /* options of the front end */
	unsigned npassed;
};

static void usage(FILE *to)
{
	fputs("usage: wlcc [options] in.{ptx,ll,bc,c}\n"
	      "  -arch=sm_N       chip to generate code for (" WL_DEFAULT_CHIP_RULE ";\n"
	      "                   PTX names its .target, other inputs name none). One of\n"
	      "                   " WL_CHIP_NAMES ",\n"
	      "                   from sm_90 on also with the suffix a or f. PTX with .target sm_90a needs "
	      "-arch=sm_90a.\n"
	      "  -O0 -O1 -O2      optimization (default: -O2)\n"
	      "  -o FILE          object to write (default: the input's name with .wlo)\n"
	      "  -c               write an object for NVIDIA's device linker (nvlink), as ptxas -c: sm_75, sm_80, "
	      "sm_90\n"
	      "                   (docs/objects.md)\n"
	      "  -maxrregcount N  most registers of a thread, for kernels without a limit of their own\n"
	      "  -S, -emit=sass   print .entry names and instructions instead\n"
	      "  -emit=ptx        lower builtins only: PTX to -o or standard output; of PTX, the tree\n"
	      "  -emit=llvm       the same, LLVM IR\n"
	      "  -D -I -U         for C inputs\n"
	      "  --builtins=cicc13|documented  builtins that LLVM IR may use\n"
	      "  --dump-after=PASS  also print the machine code after a pass (docs/lowering.md lists the passes)\n"
	      "  --print-passes   print what each pass on synchronisation did for each function (docs/sync-passes.md)\n"
	      "  --knob=358=N     barriers and fences that other barriers and fences make needless: 0 all stay "
	      "(default,\n"
	      "                   as ptxas), 1 fences go, 2 barriers too, 3 also in kernels with calls\n"
	      "  --knob=472=0     barriers go by the length of their runs alone, not by the paths to the run\n"
	      "  --knob=487=0     no pass takes barriers or fences out; --knob=DisableErrbarAfterMembar: no ERRBAR\n"
	      "  --knob=Unroll=N  loops get up to N copies of the body, 0 to 64 (default: 0, loops stay)\n"
	      "  --check-only     judge the input, generate nothing\n"
	      "  --quiet          no line about a long compilation (a terminal alone shows the line, after 3 seconds)\n"
	      "  --explain-ocg NAME  explain an intrinsic __nv_ptx_builtin_ocg_NAME, no input needed\n"
	      "                   (docs/sync-layer.md) for the chip of -arch\n"
	      "  --assume-extern-functions-do-not-sync true|false  taken as ptxas takes the option: the code stays\n"
	      "                   the same\n"
	      "  --no-membermask-overlap true|false  sm_75: lanes that meet name equal masks or masks without a "
	      "common\n"
	      "                   lane: no C8100 (docs/sync-layer.md)\n"
	      "  --print-potentially-overlapping-membermasks  sm_75: tell (C8100) where masks may overlap\n"
	      "  -mptxas-compat   ptxas's sequences, even without fences that the PTX asks for\n"
	      "  -mmodel-words    only words that the models execute, where there are some that do the same (sm_107)\n"
	      "  -mnative-shared  float and 64-bit atomics of shared memory as native instructions beyond silicon; the "
	      "code\n"
	      "                   runs on wlrun --native and wlcosim --native (docs/native.md)\n"
	      "  -Wdivergent-barrier  warn where some of the threads pass by that a barrier waits for, with the "
	      "conditions\n"
	      "                   back to %tid (docs/barrier-safety.md); -Wmbarrier: mbarrier objects used before\n"
	      "                   mbarrier.init, after mbarrier.inval, or with arrivals that cannot end a phase; "
	      "-Wall: "
	      "both\n"
	      "  -Werror          these warnings are errors\n"
	      "  --message-format=ptxas|human|json  form of messages about PTX (default: ptxas)\n"
	      "  -ptxas=13.0      toolkit that judges the PTX: 13.0 to 13.5 (default: the newest)\n"
	      "  --strict-version refuse a .version that the toolkit does not know, instead of reading the newest\n"
	      "  -g               keep PTX and lines in the object for other tools (always, where the PTX has .loc)\n"
	      "  -v               print the resources of each kernel; with -S also PTX lines and reasons\n"
	      "  --help           this text\n"
	      "Options may have one dash or two; a value follows = or is the next word.\n"
	      "Exit status: 0 done, 1 the input has errors, 2 wrong use\n",
	      to);
}

static int misuse(const char *fmt, const char *what)
{
	fputs("wlcc: ", stderr);
	fprintf(stderr, fmt, what);
	fputs("\ntry `wlcc --help`\n", stderr);
	return EXIT_MISUSE;
}

/* ---- files ---- */

static bool read_stream(FILE *f, struct wlcc_bytes *out)
{
	size_t cap = 0;
	*out = (struct wlcc_bytes){NULL, 0};
	for (;;) {
		size_t n;
		if (out->size + 65536 > cap) {
			unsigned char *more = realloc(out->data, cap = 2 * (out->size + 65536));
			if (!more)
				return false;
			out->data = more;
		}
		n = fread(out->data + out->size, 1, 65536, f);
		out->size += n;
		if (n == 0)
			return !ferror(f);
	}
}

static const char *extension(const char *name)
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
	return dot && (!slash || dot > slash) ? dot : "";
}

static char *object_name(const struct args *a)
{
	size_t stem = strlen(a->in) - strlen(extension(a->in));
	char *name = malloc(stem + 5);
	if (name) {
		memcpy(name, a->in, stem);
		memcpy(name + stem, ".wlo", 5);
	}
	return name;
}

/* ---- options ---- */

static bool is_pass(const char *name)
{
	for (unsigned k = 0; wlcc_pass_name(k); k++)
		if (strcmp(wlcc_pass_name(k), name) == 0)
			return true;
	return false;
}

/* Like ptxas, what is more than there are is ignored. */
static int parse_registers(const char *v, unsigned *out)
{
	char *end;
	const unsigned long n = strtoul(v, &end, 10);
	if (!*v || *end || *v < '0' || *v > '9')
		return misuse("option '-maxrregcount': '%s' is no number of registers", v);
	if (n > WL_NUM_REGS)
		fprintf(stderr,
		        "wlcc: warning: option '-maxrregcount': a thread has at most %d registers: '%s' is ignored\n",
		        WL_NUM_REGS, v);
	*out = n > WL_NUM_REGS ? 0 : n ? (unsigned)n : 1;
	return EXIT_GOOD;
}

/* An option that the front end gets as it stands. */
static int pass_on(struct args *a, const char *s)
{
	if (a->npassed == MAX_PASSED)
		return misuse("too many options at '%s'", s);
	a->passed[a->npassed++] = s;
	return EXIT_GOOD;
}

static int parse_truth(const char *option, const char *v, bool *out)
{
	char found[160];
	*out = strcmp(v, "true") == 0;
	if (*out || strcmp(v, "false") == 0)
		return EXIT_GOOD;
	snprintf(found, sizeof found, "option '--%s': expected true or false, found '%.60s'", option, v);
	return misuse("%s", found);
}

/* Accepted for command lines of ptxas, whose code is the same with and without. */
static int parse_extern_sync(struct args *a, const char *v)
{
	return parse_truth("assume-extern-functions-do-not-sync", v, &a->externs_do_not_sync);
}

static int parse_overlap(struct args *a, const char *v)
{
	return parse_truth("no-membermask-overlap", v, &a->masks_apart);
}

static int parse_emit(struct args *a, const char *v)
{
	if (strcmp(v, "sass") == 0) {
		a->sass = true;
		return EXIT_GOOD;
	}
	if (strcmp(v, "ptx") != 0 && strcmp(v, "llvm") != 0)
		return misuse("option '-emit=%s': expected ptx, llvm or sass", v);
	a->stop_at_ptx = true;
	a->emit_llvm = v[0] == 'l';
	return pass_on(a, a->emit_llvm ? "-emit=llvm" : "-emit=ptx");
}

static int parse_builtins(struct args *a, const char *v)
{
	if (strcmp(v, "cicc13") != 0 && strcmp(v, "documented") != 0)
		return misuse("option '--builtins': expected cicc13 or documented, found '%s'", v);
	return pass_on(a, v[0] == 'c' ? "--builtins=cicc13" : "--builtins=documented");
}

static int parse_dump(struct args *a, const char *v)
{
	const char *pass = v;
	if (wlcc_sync_pass(v, &pass) && !pass)
		return misuse("option '--dump-after': pass '%s' is not built", v);
	a->dump_after = v = pass;
	return is_pass(v) ? EXIT_GOOD : misuse("option '--dump-after': there is no pass '%s'", v);
}

/* "Unroll=N"; value: from the sign on, NULL: there is none. */
static int parse_unroll(struct args *a, const char *v, const char *value)
{
	enum { MOST = 64 };
	char *end = NULL;
	const unsigned long n = value && value[1] >= '0' && value[1] <= '9' ? strtoul(value + 1, &end, 10) : MOST + 1;
	if (n > MOST || *end)
		return misuse("option '--knob': expected Unroll=0 to Unroll=64, found '%s'", v);
	a->unroll = (unsigned)n;
	return EXIT_GOOD;
}

static int parse_knob(struct args *a, const char *v)
{
	const char *value = strchr(v, '=');
	const size_t n = value ? (size_t)(value - v) : strlen(v);
	const bool is_digit = value && value[1] >= '0' && value[1] <= '9' && !value[2];
	if (n == 3 && strncmp(v, "472", n) == 0 && is_digit && value[1] <= '1') {
		a->no_barrier_paths = value[1] == '0';
		return EXIT_GOOD;
	}
	if (n == 3 && strncmp(v, "358", n) == 0) {
		a->sync_mode = is_digit ? (unsigned)(value[1] - '0') : 4;
		return a->sync_mode <= 3 ? EXIT_GOOD
		                         : misuse("option '--knob': expected 358=0 to 358=3, found '%s'", v);
	}
	if (n == 3 && strncmp(v, "487", n) == 0 && is_digit && value[1] <= '1') {
		a->sync_off = value[1] == '0';
		return EXIT_GOOD;
	}
	if (strcmp(v, "DisableErrbarAfterMembar") == 0) {
		a->no_errbars = true;
		return EXIT_GOOD;
	}
	if (n == 6 && strncmp(v, "Unroll", n) == 0)
		return parse_unroll(a, v, value);
	return misuse("option '--knob': expected 358=N, 472=0, 472=1, 487=0, 487=1, Unroll=N or "
	              "DisableErrbarAfterMembar, found '%s'",
	              v);
}

static int parse_intrinsic(struct args *a, const char *v)
{
	a->intrinsic = v;
	return EXIT_GOOD;
}

static int parse_messages(struct args *a, const char *v)
{
	return message_format_named(v, &a->messages)
	               ? EXIT_GOOD
	               : misuse("unknown message format '%s', expected ptxas, human or json", v);
}

static int parse_arch(struct args *a, const char *v)
{
	a->arch_name = v;
	return EXIT_GOOD;
}

/* "13.1" to 131. */
static int parse_ptxas(struct args *a, const char *v)
{
	const bool number = v[0] >= '1' && v[0] <= '9' && v[1] >= '0' && v[1] <= '9' && v[2] == '.' && v[3] >= '0' &&
	                    v[3] <= '9' && !v[4];
	a->ptxas = number ? (unsigned)(v[0] - '0') * 100 + (unsigned)(v[1] - '0') * 10 + (unsigned)(v[3] - '0') : 0;
	return a->ptxas && wlcc_knows_toolkit(a->ptxas)
	               ? EXIT_GOOD
	               : misuse("option '-ptxas': expected 13.0, 13.1, 13.2, 13.3, 13.4 or 13.5, found '%s'", v);
}

static int parse_maxreg(struct args *a, const char *v)
{
	return parse_registers(v, &a->max_registers);
}

/* Options with a value. False: the word is none of them. */
static bool parse_valued(struct args *a, char **argv, int *i, int *status)
{
	static const struct {
		const char *name;
		int (*take)(struct args *a, const char *v);
	} valued[] = {
	        {"arch", parse_arch},
	        {"gpu-name", parse_arch},
	        {"emit", parse_emit},
	        {"builtins", parse_builtins},
	        {"dump-after", parse_dump},
	        {"explain-ocg", parse_intrinsic},
	        {"knob", parse_knob},
	        {"maxrregcount", parse_maxreg},
	        {"message-format", parse_messages},
	        {"ptxas", parse_ptxas},
	        {"assume-extern-functions-do-not-sync", parse_extern_sync},
	        {"no-membermask-overlap", parse_overlap},
	};
	const char *word = argv[*i], *v;
	for (unsigned k = 0; k < sizeof valued / sizeof *valued; k++)
		if (option_takes(argv, i, valued[k].name, &v)) {
			*status = v ? valued[k].take(a, v) : misuse("option '%s' needs a value", word);
			return true;
		}
	return false;
}

/* Options without one. */
static bool parse_flag(struct args *a, const char *s)
{
	const struct {
		const char *name;
		bool *set;
	} flags[] = {
	        {"check-only", &a->check_only},
	        {"strict-version", &a->strict_version},
	        {"mptxas-compat", &a->compat},
	        {"mmodel-words", &a->model_words},
	        {"mnative-shared", &a->native_shared},
	        {"c", &a->relocatable},
	        {"S", &a->sass},
	        {"v", &a->verbose},
	        {"verbose", &a->verbose},
	        {"g", &a->debug},
	        {"quiet", &a->quiet},
	        {"print-passes", &a->print_passes},
	        {"print-potentially-overlapping-membermasks", &a->print_overlaps},
	};
	for (unsigned k = 0; k < sizeof flags / sizeof *flags; k++)
		if (option_is(s, flags[k].name)) {
			*flags[k].set = true;
			return true;
		}
	return false;
}

/* -W... */
static int parse_warning(struct args *a, const char *name)
{
	if (strcmp(name, "error") == 0) {
		a->warnings_are_errors = true;
		return EXIT_GOOD;
	}
	for (unsigned k = 0; wlcc_warning_name(k); k++)
		if (strcmp(name, wlcc_warning_name(k)) == 0 || strcmp(name, "all") == 0) {
			a->warnings |= 1u << k;
			if (strcmp(name, "all") != 0)
				return EXIT_GOOD;
		}
	return strcmp(name, "all") == 0
	               ? EXIT_GOOD
	               : misuse("unknown warning '-W%s', expected divergent-barrier, mbarrier, all or error", name);
}

static int parse_one(struct args *a, char **argv, int *i)
{
	const char *s = argv[*i];
	int status = EXIT_GOOD;
	if (parse_valued(a, argv, i, &status) || parse_flag(a, s))
		return status;
	if (strcmp(s, "-O0") == 0 || strcmp(s, "-O1") == 0 || strcmp(s, "-O2") == 0) {
		a->opt = s[2] - '0';
	} else if (strcmp(s, "-o") == 0) {
		if (!argv[*i + 1])
			return misuse("option '%s' wants a file name", s);
		a->out = argv[++*i];
	} else if (strncmp(s, "-D", 2) == 0 || strncmp(s, "-I", 2) == 0 || strncmp(s, "-U", 2) == 0) {
		return pass_on(a, s);
	} else if (strncmp(s, "-W", 2) == 0) {
		return parse_warning(a, s + 2);
	} else if (s[0] == '-' && s[1]) {
		return misuse("unknown option '%s'", s);
	} else if (a->in) {
		return misuse("one input file at a time; second one is '%s'", s);
	} else {
		a->in = s;
	}
	return EXIT_GOOD;
}

/* Names of architectures for a message. */
static const char *judged_names(char *to, size_t n)
{
	size_t used = 0;
	to[0] = 0;
	for (unsigned i = 0; wlcc_judged(i) && used < n; i++)
		if (!i ||
		    strcmp(wlcc_judged(i), wlcc_judged(i - 1)) != 0) /* a chip has a row for each version of PTX */
			used += (size_t)snprintf(to + used, n - used, "%s%s", i ? ", " : "", wlcc_judged(i));
	return to;
}

/* The chip that -arch names. */
static int named_arch(struct args *a, bool ptx)
{
	char names[200];
	const char *v = a->arch_name;
	a->chip = strncmp(v, "sm_", 3) == 0 ? wl_chip_parse(v, &a->suffix) : 0;
	a->arch = wl_arch_of_chip(a->chip);
	if (a->arch || (a->stop_at_ptx && !ptx))
		return EXIT_GOOD;
	if (!a->check_only) {
		fprintf(stderr,
		        "wlcc: unknown architecture '%s', expected one of " WL_CHIP_NAMES "\ntry `wlcc --help`\n", v);
		return EXIT_MISUSE;
	}
	if (wlcc_judges(v, &a->chip, &a->suffix))
		return EXIT_GOOD;
	fprintf(stderr, "wlcc: unknown architecture '%s', expected one of %s\ntry `wlcc --help`\n", v,
	        judged_names(names, sizeof names));
	return EXIT_MISUSE;
}

/* Without -arch: that of the PTX, which judging alone takes from there, too. */
static void own_arch(struct args *a, const char *text)
{
	if (a->check_only)
		return;
	a->chip = text ? ptx_chip(text, &a->suffix) : 0;
	if (!a->chip)
		a->chip = WL_DEFAULT_CHIP;
	a->arch = wl_arch_of_chip(a->chip);
}

/* ---- the front end for other languages ---- */

static char *beside(const char *program, const char *name)
{
	const char *slash = strrchr(program, '/');
	size_t dir = slash ? (size_t)(slash - program) + 1 : 0, n = dir + strlen(name) + 1;
	char *path = malloc(n);
	if (path) {
		memcpy(path, program, dir);
		memcpy(path + dir, name, strlen(name) + 1);
	}
	return path;
}

static void exec_front_end(const struct args *a, const char *path, int out)
{
	const char *argv[MAX_PASSED + 8];
	char arch[32], opt[8];
	unsigned n = 0;
	snprintf(arch, sizeof arch, "-arch=%s", a->arch_name ? a->arch_name : WL_DEFAULT_CHIP_NAME);
	snprintf(opt, sizeof opt, "-O%d", a->opt);
	argv[n++] = path;
	argv[n++] = arch;
	argv[n++] = opt;
	for (unsigned i = 0; i < a->npassed; i++)
		argv[n++] = a->passed[i];
	if (a->stop_at_ptx && a->out) {
		argv[n++] = "-o";
		argv[n++] = a->out;
	}
	argv[n++] = a->in;
	argv[n] = NULL;
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		close(out);
	}
	if (strchr(path, '/'))
		execv(path, (char *const *)(uintptr_t)argv);
	else
		execvp(path, (char *const *)(uintptr_t)argv);
	fprintf(stderr, "wlcc: cannot run '%s' (%s): inputs other than PTX need it\n", path, strerror(errno));
	_exit(EXIT_BAD);
}

/* Runs wlnvvm; its PTX comes back in *out. */
static int run_front_end(const struct args *a, struct wlcc_bytes *out)
{
	char *path = beside(a->program, "wlnvvm");
	int ends[2], status = 0;
	const pid_t parent = getpid();
	pid_t child;
	FILE *from;
	bool good;

	if (!path || pipe(ends) != 0 || (child = fork()) < 0) {
		fprintf(stderr, "wlcc: %s\n", strerror(errno));
		free(path);
		return EXIT_BAD;
	}
	if (child == 0) {
		close(ends[0]);
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* nothing is left of a compiler that was ended */
		setenv("WL_QUIET", "1", 1);       /* the line of this program stands for both */
		if (getppid() != parent)
			_exit(EXIT_BAD);
		exec_front_end(a, path, ends[1]);
	}
	close(ends[1]);
	from = fdopen(ends[0], "rb");
	good = from && read_stream(from, out);
	if (from)
		fclose(from);
	waitpid(child, &status, 0);
	free(path);
	if (!good || !WIFEXITED(status))
		return EXIT_BAD;
	return WEXITSTATUS(status) == 0 ? EXIT_GOOD : WEXITSTATUS(status) == EXIT_MISUSE ? EXIT_MISUSE : EXIT_BAD;
}

/* ---- */

static int finish(const struct args *a, const struct wlcc_bytes *object)
{
	char why[1200], *name;
	int status = EXIT_GOOD;
	if (a->sass)
		return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_BAD;
	name = a->out ? strdup(a->out) : object_name(a);
	snprintf(why, sizeof why, "out of memory");
	if (!name || !file_write(name, object->data, object->size, why, sizeof why)) {
		fprintf(stderr, "wlcc: cannot write %s\n", why);
		status = EXIT_BAD;
	}
	free(name);
	return status;
}

/* -emit=ptx of PTX: checks it and prints the tree. */
static int print_ptx(const struct args *a, const struct wlcc_bytes *text, const struct wlcc_options *o)
{
	struct wlcc_bytes out = {NULL, 0};
	char why[1200];
	int status = EXIT_GOOD;
	if (!wlcc_print_ptx((const char *)text->data, text->size, o, &out))
		return EXIT_BAD;
	if (a->out && !file_write(a->out, out.data, out.size, why, sizeof why)) {
		fprintf(stderr, "wlcc: cannot write %s\n", why);
		status = EXIT_BAD;
	}
	if (!a->out && (fwrite(out.data, 1, out.size, stdout) != out.size || fflush(stdout) != 0))
		status = EXIT_BAD;
	free(out.data);
	return status;
}

/* --explain-ocg */
static int explain_intrinsic(struct args *a)
{
	a->check_only = true;
	if (a->in)
		return misuse("option '--explain-ocg' takes no input file: '%s'", a->in);
	if (a->arch_name && named_arch(a, true) != EXIT_GOOD)
		return EXIT_MISUSE;
	const bool accepted = wlcc_explain_ocg(a->intrinsic, a->arch_name ? a->chip : WL_DEFAULT_CHIP, stdout);
	return fflush(stdout) == 0 && accepted ? EXIT_GOOD : EXIT_BAD;
}

static struct wlcc_options options_of(const struct args *a, struct message_printer *messages)
{
	return (struct wlcc_options){.arch = a->arch,
	                             .chip = a->chip,
	                             .suffix = a->suffix,
	                             .opt = a->opt,
	                             .max_registers = a->max_registers,
	                             .file = a->in,
	                             .diag = message_print,
	                             .diag_self = messages,
	                             .strict_version = a->strict_version,
	                             .ptxas = a->ptxas,
	                             .ptxas_compat = a->compat,
	                             .silicon_words = !a->model_words,
	                             .masks_apart = a->masks_apart,
	                             .print_overlaps = a->print_overlaps,
	                             .native_shared = a->native_shared,
	                             .relocatable = a->relocatable,
	                             .debug = a->debug,
	                             .emit_sass = a->sass ? stdout : NULL,
	                             .explain = a->verbose,
	                             .usage = a->verbose ? stderr : NULL,
	                             .dump_after = a->dump_after,
	                             .dump_to = stdout,
	                             .sync_mode = a->sync_off ? 0 : a->sync_mode,
	                             .no_stage = a->sync_off,
	                             .no_barrier_paths = a->no_barrier_paths,
	                             .unroll = a->unroll,
	                             .no_errbars = a->no_errbars,
	                             .print_passes = a->print_passes ? stdout : NULL,
	                             .warnings = a->warnings,
	                             .warnings_are_errors = a->warnings_are_errors};
}

static int compile(struct args *a)
{
	struct message_printer messages = {.format = a->messages, .to = stderr};
	struct wlcc_options o;
	struct wlcc_bytes text = {NULL, 0}, object = {NULL, 0};
	bool ptx = strcmp(extension(a->in), ".ptx") == 0;
	char why[1200];
	int status = EXIT_GOOD;

	if (ptx && a->emit_llvm)
		return misuse("-emit=llvm needs an input that is not PTX: '%s'", a->in);
	if (ptx && !(text.data = file_read(a->in, &text.size, why, sizeof why))) {
		fprintf(stderr, "wlcc: cannot read %s\n", why);
		return EXIT_BAD;
	}
	if (!ptx && a->stop_at_ptx) { /* nothing is left to do for us */
		char *path = beside(a->program, "wlnvvm");

		if (path)
			exec_front_end(a, path, -1);
		fprintf(stderr, "wlcc: %s\n", strerror(errno));
		return EXIT_BAD;
	}
	if (!ptx)
		status = run_front_end(a, &text);
	if (status == EXIT_GOOD && !a->arch_name)
		own_arch(a, ptx ? (const char *)text.data : NULL); /* what a pipe gave has no end */
	if (a->print_overlaps && a->arch != WL_SM75 && status == EXIT_GOOD && !a->check_only)
		fprintf(stderr,
		        "wlcc: warning: option '--print-potentially-overlapping-membermasks' has an effect on sm_75 "
		        "alone, ignored for sm_%u\n",
		        a->chip);
	o = options_of(a, &messages);
	messages.text = (const char *)text.data;
	messages.size = text.size;
	if (status == EXIT_GOOD && ptx && a->stop_at_ptx) {
		status = print_ptx(a, &text, &o);
	} else if (status == EXIT_GOOD) {
		bool good = wlcc_compile_ptx((const char *)text.data, text.size, &o, a->check_only, &object);
		status = !good ? EXIT_BAD : a->check_only ? EXIT_GOOD : finish(a, &object);
	}
	message_printer_free(&messages);
	free(text.data);
	free(object.data);
	return status;
}

/* Whether the output can be written: told before anything is compiled. An exit status. */
static int output_fits(const struct args *a)
{
	char why[1200];
	const bool to_standard_output = a->check_only || ((a->sass || a->stop_at_ptx) && !a->out);
	char *name = a->out ? strdup(a->out) : object_name(a);
	snprintf(why, sizeof why, "out of memory");
	const bool input = !to_standard_output && name && file_same(name, a->in);
	const bool fits = to_standard_output || (!input && name && file_can_write(name, why, sizeof why));
	if (input)
		fprintf(stderr, "wlcc: the output %s is the input\n", name);
	else if (!fits)
		fprintf(stderr, "wlcc: cannot write %s\n", why);
	free(name);
	return fits ? EXIT_GOOD : input ? EXIT_MISUSE : EXIT_BAD;
}

int main(int argc, char **argv)
{
	struct args a = {.program = argv[0], .opt = 2};
	const char *ext;
	for (int i = 1; i < argc; i++) {
		int status;
		if (option_is(argv[i], "help") || strcmp(argv[i], "-h") == 0) {
			usage(stdout);
			return EXIT_GOOD;
		}
		if (option_is(argv[i], "version")) {
			puts("wlcc (Warplock) " WL_VERSION);
			return EXIT_GOOD;
		}
		status = parse_one(&a, argv, &i);
		if (status != EXIT_GOOD)
			return status;
	}
	if (a.intrinsic)
		return explain_intrinsic(&a);
	if (!a.in)
		return misuse("%s", "no input file");
	ext = extension(a.in);
	if (strcmp(ext, ".ptx") != 0 && strcmp(ext, ".ll") != 0 && strcmp(ext, ".bc") != 0 && strcmp(ext, ".c") != 0)
		return misuse("what is in '%s'? expected a name that ends in .ptx, .ll, .bc or .c", a.in);
	if (a.arch_name && named_arch(&a, strcmp(ext, ".ptx") == 0) != EXIT_GOOD)
		return EXIT_MISUSE;
	const int fits = output_fits(&a);
	if (fits != EXIT_GOOD)
		return fits;
	struct progress line;
	progress_start(&line, a.in, NULL, a.quiet);
	progress_watch(&line, NULL, NULL);
	const int status = compile(&a);
	progress_end(&line);
	return status;
}
