// SPDX-License-Identifier: Apache-2.0
#include "bench_main.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUG = (1 << 12) - 1 /* width of bug_i */ };

static const char *program;
static const struct bench_form *usage; /* of the program, the first form */

_Noreturn static void refuse(bool with_usage, const char *format, va_list values)
{
	fprintf(stderr, "%s: ", program);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	for (const struct bench_form *f = usage; f && with_usage; f = f->other) {
		fprintf(stderr, "%s %s %s%s%s\n", f == usage ? "usage:" : "      ", program, f->words,
		        f->zero ? "      " : "", f->zero ? f->zero : "");
	}
	exit(2);
}

void bench_refuse(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	refuse(false, format, values);
}

__attribute__((format(printf, 1, 2))) _Noreturn static void misuse(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	refuse(true, format, values);
}

static uint64_t number(const char *name, const char *text, uint64_t least, uint64_t most)
{
	char *end;
	errno = 0;
	const unsigned long long value = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value < least || value > most) {
		misuse("%s is '%s', expected a number from %llu to %llu", name, text, (unsigned long long)least,
		       (unsigned long long)most);
	}
	return value;
}

/* Whether `text` is in the list of words, as in "f16|bf16". */
static bool one_of(const char *words, const char *text)
{
	size_t n;
	for (const char *p = words; *p; p += n + (p[n] == '|')) {
		n = strcspn(p, "|");
		if (strlen(text) == n && strncmp(p, text, n) == 0) {
			return true;
		}
	}
	return false;
}

/* A word in capitals. `numbers`: earlier numbers other than SEED and BUG. */
static void take(struct bench_args *a, const struct bench_form *form, const char *name, char *text, unsigned *numbers)
{
	if (strcmp(name, "MODEL.so") == 0) {
		a->path = text;
		if (!*text) {
			misuse("%s is not given", name);
		}
	} else if (strcmp(name, "SEED") == 0) {
		a->seed = number(name, text, 0, UINT64_MAX);
	} else if (strcmp(name, "BUG") == 0) {
		a->bug = (unsigned)number(name, text, 0, MOST_BUG);
	} else if ((*numbers)++ == 0) {
		const unsigned least = form->zero ? 0 : form->least ? form->least : 1;
		a->count = (unsigned)number(name, text, least, UINT32_MAX);
	} else {
		a->further[*numbers - 2] = (unsigned)number(name, text, 1, UINT32_MAX);
	}
}

static void parse(struct bench_args *a, const struct bench_form *form, int argc, char **argv)
{
	const char *missed = NULL; /* a word like `more`, missing in the command */
	char name[32], missed_name[32];
	unsigned numbers = 0;
	int at = 1;
	bool over = false; /* the first word of the brackets is missing */
	for (const char *p = form->words; *p; p += strspn(p, " ]")) {
		const bool optional = *p == '[';
		p += optional;
		const size_t n = strcspn(p, " ]");
		snprintf(name, sizeof name, "%.*s", (int)n, p);
		p += n;
		char *text = at < argc ? argv[at] : NULL;
		if (islower((unsigned char)*name) || *name == '-') {
			if (text && one_of(name, text)) {
				at++;
			} else if (optional || over) {
				missed = strcpy(missed_name, name);
			} else {
				misuse("found '%s', expected %s", text ? text : "", name);
			}
		} else if (text) {
			take(a, form, name, text, &numbers);
			at++;
		} else if (!(optional || over)) {
			misuse("%s is not given", name);
		} else {
			over = true;
		}
	}
	if (at < argc) {
		misuse("found '%s', expected %s", argv[at], missed ? missed : "no further word");
	}
}

bool bench_has(const struct bench_args *a, const char *word)
{
	for (char **w = a->words; *w; w++) {
		if (strcmp(*w, word) == 0) {
			return true;
		}
	}
	return false;
}

int bench_main(int argc, char **argv, const struct bench_form *form)
{
	const char *slash = strrchr(argv[0], '/');
	program = slash ? slash + 1 : argv[0];
	usage = form;
	struct bench_args a = {.seed = 1, .further = {1, 1}, .words = argv + (argc > 1 ? 2 : argc)};
	if (form->other && bench_has(&a, form->other->key)) {
		form = form->other;
	}
	a.count = form->usual;
	parse(&a, form, argc, argv);
	model_open(&a.model, a.path);
	if (a.bug || model_has_pin(&a.model, "bug_i")) {
		model_plant(&a.model, a.bug);
	}
	const struct bench_end end = form->run(&a);
	model_close(&a.model);
	if (a.bug) {
		printf("planted bug %u: %s\n", a.bug, end.failed ? "found" : "NOT found");
		return end.failed == 0;
	}
	printf("%lu passed, %lu failed\n", end.passed, end.failed);
	return end.failed != 0 || end.passed == 0;
}
