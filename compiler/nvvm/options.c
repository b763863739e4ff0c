/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- the command line, of wlnvvm and of wlnvvm-ir. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/option.h"
#include "driver.h"
#include "warplock/archs.h"

/* LLVM also writes PTX for chips before the first chip of wlcc. */
#define NV_OLDER(CHIP) CHIP(50) CHIP(52) CHIP(53) CHIP(60) CHIP(61) CHIP(62) CHIP(70) CHIP(72)
#define NV_NAME(n)     "sm_" #n ", "
#define NV_CHIP_NAMES  NV_OLDER(NV_NAME) WL_CHIP_NAMES

static bool architecture(struct nv_options *o, const char *name)
{
#define NV_VALUE(n) n,
	static const unsigned char older[] = {NV_OLDER(NV_VALUE)};
	char text[16];
	o->arch = name;
	o->sm = strncmp(name, "sm_", 3) ? 0 : wl_chip_parse(name, NULL);
	for (size_t i = 0; i < sizeof older && !o->sm; i++) {
		snprintf(text, sizeof text, "sm_%u", older[i]);
		o->sm = strcmp(name, text) ? 0 : older[i];
	}
	return o->sm != 0;
}

static enum nv_input kind_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	if (!dot)
		return NV_UNKNOWN;
	return !strcmp(dot, ".c") ? NV_C : !strcmp(dot, ".ll") ? NV_IR : !strcmp(dot, ".bc") ? NV_BITCODE : NV_UNKNOWN;
}

static const char unknown[] = "unknown option: ", lacks[] = "option needs a value: ";

static bool one_of(const char *value, const char *first, const char *second, bool *is_second)
{
	*is_second = !strcmp(value, second);
	return *is_second || !strcmp(value, first);
}

/* An option with a value: NULL, or the error in the value; `unknown`: another option. */
static const char *valued(char **argv, int *i, struct nv_options *o, const char **arg)
{
	const char *value;
	if (option_takes(argv, i, "arch", &value)) {
		*arg = value ? value : *arg;
		return !value                   ? lacks
		       : architecture(o, value) ? NULL
		                                : "-arch: expected one of " NV_CHIP_NAMES ", found ";
	}
	if (option_takes(argv, i, "builtins", &value)) {
		*arg = value ? value : *arg;
		return !value ? lacks
		       : one_of(value, "cicc13", "documented", &o->documented)
		               ? NULL
		               : "-builtins: expected cicc13 or documented, found ";
	}
	if (option_takes(argv, i, "emit", &value)) {
		*arg = value ? value : *arg;
		return !value                                        ? lacks
		       : one_of(value, "ptx", "llvm", &o->emit_llvm) ? NULL
		                                                     : "-emit: expected ptx or llvm, found ";
	}
	if (option_takes(argv, i, "dead-barriers", &value)) {
		*arg = value ? value : *arg;
		return !value ? lacks
		       : one_of(value, "keep", "remove", &o->remove_barriers)
		               ? NULL
		               : "-dead-barriers: expected keep or remove, found ";
	}
	if (option_takes(argv, i, "module-fd", &value) && value) {
		o->module_fd = atoi(value);
		return NULL;
	}
	if (option_takes(argv, i, "phase-fd", &value) && value) {
		o->phase_fd = atoi(value);
		return NULL;
	}
	if (!option_takes(argv, i, "o", &o->out))
		return unknown;
	return o->out ? NULL : lacks;
}

/* An option without a value, or the input. */
static const char *plain(struct nv_options *o, const char *a)
{
	static const struct {
		const char *name;
		size_t at;
	} flags[] = {{"g", offsetof(struct nv_options, lines)},
	             {"print-header", offsetof(struct nv_options, print_header)},
	             {"print-dead-barriers", offsetof(struct nv_options, print_barriers)},
	             {"print-builtins", offsetof(struct nv_options, print_builtins)},
	             {"h", offsetof(struct nv_options, help)},
	             {"help", offsetof(struct nv_options, help)},
	             {"version", offsetof(struct nv_options, version)}};
	for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
		if (option_is(a, flags[k].name)) {
			*(bool *)((char *)o + flags[k].at) = true;
			return NULL;
		}
	if (option_is(a, "O0") || option_is(a, "O1") || option_is(a, "O2")) {
		o->opt = a[strlen(a) - 1] - '0';
	} else if (!strncmp(a, "-D", 2) || !strncmp(a, "-I", 2) || !strncmp(a, "-U", 2)) {
		if (o->n_passed == sizeof o->passed / sizeof *o->passed)
			return "too many options for clang: ";
		o->passed[o->n_passed++] = a;
	} else if (a[0] == '-') {
		return unknown;
	} else if (o->in) {
		return "more than one input: ";
	} else {
		o->in = a;
	}
	return NULL;
}

bool nv_parse_options(int argc, char **argv, struct nv_options *o, const char **what, const char **arg)
{
	*o = (struct nv_options){
	        .arch = WL_DEFAULT_CHIP_NAME, .sm = WL_DEFAULT_CHIP, .opt = 2, .module_fd = -1, .phase_fd = -1};
	for (int i = 1; i < argc; i++) {
		*arg = argv[i];
		if ((*what = valued(argv, &i, o, arg)) == unknown)
			*what = plain(o, argv[i]);
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
