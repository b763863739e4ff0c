// SPDX-License-Identifier: Apache-2.0
/* wlcc.c -- the compiler program: files and messages; wlcc_args.c reads the options. The library (wlcc.h) compiles.
 * Sources in languages other than PTX go through wlnvvm first, a separate program in the same folder. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cmodel/tools/exit_code.h"
#include "../cmodel/tools/file.h"
#include "../cmodel/tools/output.h"
#include "../cmodel/tools/progress.h"
#include "message.h"
#include "warplock/object.h"
#include "wlcc.h"
#include "wlcc_args.h"

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

/* Runs wlnvvm. *out gets the PTX. */
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
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* the front end ends together with the compiler */
		setenv("WL_QUIET", "1", 1);       /* this program's progress line stands for both */
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
	if (a->sass && !a->out)
		return EXIT_GOOD;
	name = a->out ? strdup(a->out) : object_name(a);
	snprintf(why, sizeof why, "out of memory");
	if (!name || !file_write(name, object->data, object->size, why, sizeof why)) {
		fprintf(stderr, "wlcc: cannot write %s\n", why);
		status = EXIT_BAD;
	}
	free(name);
	return status;
}

/* -emit=ptx of PTX: checks the text and prints the tree. */
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
static int explain_intrinsic(const struct args *a)
{
	const bool accepted = wlcc_explain_ocg(a->intrinsic, a->arch_name ? a->chip : WL_DEFAULT_CHIP, stdout);
	return accepted ? EXIT_GOOD : EXIT_BAD;
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
	                             .no_internals = a->no_internals,
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
	if (!ptx && a->stop_at_ptx) { /* the front end does the whole job */
		char *path = beside(a->program, "wlnvvm");

		if (path)
			exec_front_end(a, path, -1);
		fprintf(stderr, "wlcc: %s\n", strerror(errno));
		return EXIT_BAD;
	}
	if (!ptx)
		status = run_front_end(a, &text);
	if (status == EXIT_GOOD && !a->arch_name)
		args_own_arch(a, ptx ? (const char *)text.data : NULL); /* text from a pipe has no terminating zero */
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
		struct wlcc_bytes listing = {NULL, 0};
		FILE *to = a->sass && a->out ? open_memstream((char **)&listing.data, &listing.size) : NULL;
		if (to)
			o.emit_sass = to;
		bool good = wlcc_compile_ptx((const char *)text.data, text.size, &o, a->check_only, &object);
		if (to) {
			good = fclose(to) == 0 && good;
			free(object.data);
			object = listing;
		}
		status = !good ? EXIT_BAD : a->check_only ? EXIT_GOOD : finish(a, &object);
	}
	message_printer_free(&messages);
	free(text.data);
	free(object.data);
	return status;
}

/* Can the output be written? Tested before compilation. Returns an exit status. */
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

/* malloc keeps memory from the system. A small kernel takes a few hundred KB, in growing blocks. */
static void keep_memory(void)
{
#ifdef __GLIBC__
	enum { AT_ONCE = 256 << 10, ALL = 32 << 20 };
	mallopt(M_TOP_PAD, AT_ONCE);
	mallopt(M_MMAP_THRESHOLD, ALL);
	mallopt(M_TRIM_THRESHOLD, ALL);
#endif
}

int main(int argc, char **argv)
{
	struct args a = {.program = argv[0], .opt = 2};
	bool done = false;
	keep_memory();
	output_guard("wlcc");
	int status = args_read(&a, argc, argv, &done);
	if (status != EXIT_GOOD || done)
		return status;
	if (a.intrinsic)
		return explain_intrinsic(&a);
	status = output_fits(&a);
	if (status != EXIT_GOOD)
		return status;
	struct progress line;
	progress_start(&line, a.in, NULL, a.quiet);
	progress_watch(&line, NULL, NULL);
	status = compile(&a);
	progress_end(&line);
	return status;
}
