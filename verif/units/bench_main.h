/* SPDX-License-Identifier: Apache-2.0
 * bench_main.h -- the main() of every bench with a model: words of the command, planted bug, closing line, exit status.
 *
 * A form is the usage line of a bench, and the parser reads the command by this line:
 *
 *   MODEL.so          the model
 *   SEED              a number; 1 without the word
 *   BUG               a planted bug of the model; 0, none, without the word
 *   CYCLES, ...       any other word in capitals: a number from 1; `usual` of the form without the word
 *   more, --lean      this word; f16|bf16: either word
 *   [ ]               may be missing
 *
 * Numbers are decimal, or hexadecimal after 0x. A wrong command ends with status 2 before the model is opened.
 * Exit status: 0 all passed, or the planted bug was found; 1 something failed, or nothing was checked; 2 misuse. */
#ifndef BENCH_MAIN_H
#define BENCH_MAIN_H

#include "rtl_model.h"

struct bench_args {
	struct model model; /* open, with the bug planted; bench_main closes the model */
	const char *path;   /* of the model */
	uint64_t seed;
	unsigned count, further[2]; /* the numbers other than SEED and BUG, in order */
	unsigned bug;
	char **words; /* behind the model, ended by NULL */
};

struct bench_end {
	unsigned long passed, failed;
};

struct bench_form {
	const char *words; /* the usage line behind the name of the program */
	unsigned usual;    /* the first number other than SEED and BUG */
	unsigned least;    /* least value of this number; 0 stands for 1 */
	const char *zero;  /* text on the meaning of 0, if the number may be 0 */
	struct bench_end (*run)(const struct bench_args *a);
	/* Another usage of the bench, for a command with the word `key` of the other form. */
	const struct bench_form *other;
	const char *key;
};

/* Called by main(), returns the exit status. */
int bench_main(int argc, char **argv, const struct bench_form *form);

/* Whether the command has a word like `more`. */
bool bench_has(const struct bench_args *a, const char *word);

/* The end of a bench that counts as a single check. */
static inline struct bench_end bench_good(bool good)
{
	return (struct bench_end){good, !good};
}

/* For a model or words that do not fit the bench: prints the reason, and exits with status 2. */
_Noreturn void bench_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
