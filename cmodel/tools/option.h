// SPDX-License-Identifier: Apache-2.0
/* option.h -- one option of a command line, for tools that read theirs themselves. Options of several letters begin
 * with one dash or two; a value stands behind '=' or is the next word. */
#ifndef WARPLOCK_OPTION_H
#define WARPLOCK_OPTION_H

#include <stdbool.h>

/* -name or --name */
bool option_is(const char *word, const char *name);
/* The same with a value: argv[*i] is it. *value is NULL where the value is missing; *i moves to a value that is a word
 * of its own. argv ends with NULL. */
bool option_takes(char **argv, int *i, const char *name, const char **value);

#endif
