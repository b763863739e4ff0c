/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- the command line, of wlnvvm and of wlnvvm-ir. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static bool architecture(struct nv_options *o, const char *name)
{
	char *end = NULL;
	o->arch = name;
	o->sm = strncmp(name, "sm_", 3) ? 0 : (unsigned)strtoul(name + 3, &end, 10);
	return o->sm >= 50 && o->sm <= 121 && (!*end || ((*end == 'a' || *end == 'f') && !end[1]));
}

static enum nv_input kind_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	if (!dot)
		return NV_UNKNOWN;
	return !strcmp(dot, ".c") ? NV_C : !strcmp(dot, ".ll") ? NV_IR : !strcmp(dot, ".bc") ? NV_BITCODE : NV_UNKNOWN;
}

bool nv_parse_options(int argc, char **argv, struct nv_options *o, const char **what, const char **arg)
{
	*o = (struct nv_options){.arch = "sm_75", .sm = 75, .opt = 2, .module_fd = -1, .phase_fd = -1};
	for (int i = 1; i < argc; i++) {
		const char *a = *arg = argv[i];
		*what = NULL;
		if (!strncmp(a, "-arch=", 6)) {
			if (!architecture(o, a + 6))
				*what = "unknown architecture: ";
		} else if (!strcmp(a, "-O0") || !strcmp(a, "-O1") || !strcmp(a, "-O2")) {
			o->opt = a[2] - '0';
		} else if (!strcmp(a, "-g")) {
			o->lines = true;
		} else if (!strcmp(a, "--builtins=cicc13") || !strcmp(a, "--builtins=documented")) {
			o->documented = a[11] == 'd';
		} else if (!strcmp(a, "-emit=ptx") || !strcmp(a, "-emit=llvm")) {
			o->emit_llvm = a[6] == 'l';
		} else if (!strcmp(a, "-o") && i + 1 < argc) {
			o->out = argv[++i];
		} else if (!strncmp(a, "--module-fd=", 12)) {
			o->module_fd = atoi(a + 12);
		} else if (!strncmp(a, "--phase-fd=", 11)) {
			o->phase_fd = atoi(a + 11);
		} else if (!strcmp(a, "--print-header")) {
			o->print_header = true;
		} else if (!strcmp(a, "--print-builtins")) {
			o->print_builtins = true;
		} else if (!strcmp(a, "-h") || !strcmp(a, "--help")) {
			o->help = true;
		} else if (!strcmp(a, "--version")) {
			o->version = true;
		} else if (!strncmp(a, "-D", 2) || !strncmp(a, "-I", 2) || !strncmp(a, "-U", 2)) {
			if (o->n_passed == sizeof o->passed / sizeof *o->passed)
				*what = "too many options for clang: ";
			else
				o->passed[o->n_passed++] = a;
		} else if (a[0] == '-') {
			*what = "unknown option: ";
		} else if (o->in) {
			*what = "more than one input: ";
		} else {
			o->in = a;
		}
		if (*what)
			return false;
	}
	if (o->help || o->version || o->print_header || o->print_builtins)
		return true;
	*arg = o->in ? o->in : "";
	*what = !o->in ? "no input" : "the input's name ends in none of .ll, .bc, .c: ";
	if (!o->in || (o->kind = kind_of(o->in)) == NV_UNKNOWN)
		return false;
	*what = NULL;
	return true;
}
