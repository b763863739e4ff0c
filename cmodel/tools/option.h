// SPDX-License-Identifier: Apache-2.0
/* option.h -- an option of a command line, for tools with their own reading of options. Options of several letters
 * begin with one dash or two; a value stands behind '=' or is the next word. */
#ifndef WARPLOCK_OPTION_H
#define WARPLOCK_OPTION_H

#include <stdbool.h>

/* -name or --name */
bool option_is(const char *word, const char *name);
/* The same for an option with a value, at argv[*i]. *value is NULL where the value is missing; *i moves on to a value
 * in a separate word. argv ends with NULL. */
bool option_takes(char **argv, int *i, const char *name, const char **value);

#endif
