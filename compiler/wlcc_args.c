// SPDX-License-Identifier: Apache-2.0
#include "wlcc_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmodel/tools/exit_code.h"
#include "../cmodel/tools/option.h"
#include "../cmodel/tools/ptx_chip.h"
#include "wlcc.h"

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
	      "  -S, -emit=sass   print .entry names and instructions instead, or write the text to -o FILE\n"
	      "  -emit=ptx        lower builtins only: PTX to -o or standard output; of PTX, the tree\n"
	      "  -emit=llvm       the same, LLVM IR\n"
	      "  -D -I -U         for C inputs\n"
	      "  --builtins=cicc13|documented  builtins that LLVM IR may use\n"
	      "  --dead-barriers=keep|remove  for C and LLVM IR: barriers of a block that order nothing stay (default) "
	      "or\n"
	      "                   go; --print-dead-barriers: print each barrier, and why it is dead or stays\n"
	      "                   (docs/sync-layer.md)\n"
	      "  --dump-after=PASS  also print the machine code after a pass (docs/lowering.md lists the passes)\n"
	      "  --print-passes   print what each pass on synchronisation did for each function (docs/sync-passes.md)\n"
	      "  --knob=358=N     barriers and fences that other barriers and fences make needless: 0 all stay "
	      "(default,\n"
	      "                   as ptxas), 1 fences go, 2 barriers too, 3 also in kernels with calls\n"
	      "  --knob=472=0     barriers go by the length of their runs alone, not by the paths to the run\n"
	      "  --knob=487=0     no pass takes barriers or fences out; --knob=DisableErrbarAfterMembar: no ERRBAR\n"
	      "  --knob=InternalFunctions=0  sm_75, sm_80: collectives stand where the PTX has them, with lanes apart, "
	      "too\n"
	      "                   (docs/sync-layer.md)\n"
	      "  --knob=Unroll=N  loops get up to N copies of the body, 0 to 64 (default: 0, loops stay)\n"
	      "  --check-only     judge the input, generate nothing\n"
	      "  --quiet          no line about a long compilation (a terminal alone shows the line, after 3 seconds)\n"
	      "  --explain-ocg NAME  explain an intrinsic __nv_ptx_builtin_ocg_NAME, no input needed\n"
	      "                   (docs/sync-layer.md) for the chip of -arch; also internal functions __cuda_... and\n"
	      "                   symbols %mbarrier_OBJECT_OPERATION\n"
	      "  --assume-extern-functions-do-not-sync true|false  taken as ptxas takes the option: the code stays\n"
	      "                   the same\n"
	      "  --no-membermask-overlap true|false  sm_75: lanes that meet name equal masks or masks without a "
	      "common\n"
	      "                   lane: no C8100 (docs/sync-layer.md)\n"
	      "  --print-potentially-overlapping-membermasks  sm_75: tell (C8100) where masks may overlap\n"
	      "  -mptxas-compat   ptxas's sequences, even without fences that the PTX asks for\n"
	      "  -mmodel-words    SYNCS of each lane in place of words that count lanes (sm_107)\n"
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

int misuse(const char *fmt, const char *what)
{
	fputs("wlcc: ", stderr);
	fprintf(stderr, fmt, what);
	fputs("\ntry `wlcc --help`\n", stderr);
	return EXIT_MISUSE;
}
const char *extension(const char *name)
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
	return dot && (!slash || dot > slash) ? dot : "";
}

static bool is_pass(const char *name)
{
	for (unsigned k = 0; wlcc_pass_name(k); k++)
		if (strcmp(wlcc_pass_name(k), name) == 0)
			return true;
	return false;
}

/* Like ptxas, ignores a number above the number of registers. */
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

/* Hands an option to the front end unchanged. */
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

/* Accepted for command lines of ptxas. The code of ptxas is the same with and without the option. */
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
	a->not_for_ptx = "--builtins";
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

/* "Unroll=N"; value: the text from the sign on; NULL: no sign. */
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
	if (n == 17 && strncmp(v, "InternalFunctions", n) == 0 && is_digit && value[1] <= '1') {
		a->no_internals = value[1] == '0';
		return EXIT_GOOD;
	}
	return misuse("option '--knob': expected 358=N, 472=0, 472=1, 487=0, 487=1, InternalFunctions=0, "
	              "InternalFunctions=1, Unroll=N or DisableErrbarAfterMembar, found '%s'",
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

static int parse_dead_barriers(struct args *a, const char *v)
{
	a->not_for_ptx = "--dead-barriers";
	if (strcmp(v, "keep") != 0 && strcmp(v, "remove") != 0)
		return misuse("option '--dead-barriers': expected keep or remove, found '%s'", v);
	return pass_on(a, v[0] == 'k' ? "--dead-barriers=keep" : "--dead-barriers=remove");
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

/* Options with a value. False: the word is none of the options. */
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
	        {"dead-barriers", parse_dead_barriers},
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

/* Options without a value. */
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
		a->not_for_ptx = s;
		return pass_on(a, s);
	} else if (option_is(s, "print-dead-barriers")) {
		a->not_for_ptx = s;
		return pass_on(a, "--print-dead-barriers");
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

/* With check_only, the checker takes the chip from the PTX itself. */
void args_own_arch(struct args *a, const char *text)
{
	if (a->check_only)
		return;
	a->chip = text ? ptx_chip(text, &a->suffix) : 0;
	if (!a->chip)
		a->chip = WL_DEFAULT_CHIP;
	a->arch = wl_arch_of_chip(a->chip);
}

static int check_words(struct args *a)
{
	if (a->intrinsic) {
		a->check_only = true;
		if (a->in)
			return misuse("option '--explain-ocg' takes no input file: '%s'", a->in);
		return a->arch_name ? named_arch(a, true) : EXIT_GOOD;
	}
	if (!a->in)
		return misuse("%s", "no input file");
	const char *ext = extension(a->in);
	if (strcmp(ext, ".ptx") != 0 && strcmp(ext, ".ll") != 0 && strcmp(ext, ".bc") != 0 && strcmp(ext, ".c") != 0)
		return misuse("what is in '%s'? expected a name that ends in .ptx, .ll, .bc or .c", a->in);
	if (a->not_for_ptx && strcmp(ext, ".ptx") == 0)
		return misuse("option '%s' needs an input in C or LLVM IR, found PTX", a->not_for_ptx);
	if (a->check_only && (a->out || a->sass || a->stop_at_ptx))
		return misuse("option '%s': --check-only judges the input and writes nothing", a->out    ? "-o"
		                                                                               : a->sass ? "-S"
		                                                                                         : "-emit");
	return a->arch_name ? named_arch(a, strcmp(ext, ".ptx") == 0) : EXIT_GOOD;
}

int args_read(struct args *a, int argc, char **argv, bool *done)
{
	for (int i = 1; i < argc; i++) {
		if (option_is(argv[i], "help") || strcmp(argv[i], "-h") == 0) {
			usage(stdout);
			*done = true;
			return EXIT_GOOD;
		}
		if (option_is(argv[i], "version")) {
			puts("wlcc (Warplock) " WL_VERSION);
			*done = true;
			return EXIT_GOOD;
		}
		const int status = parse_one(a, argv, &i);
		if (status != EXIT_GOOD)
			return status;
	}
	return check_words(a);
}
