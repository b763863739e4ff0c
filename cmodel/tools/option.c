// SPDX-License-Identifier: Apache-2.0
#include "option.h"

#include <stddef.h>
#include <string.h>

/* The text behind the dashes; NULL: the word is no option. */
static const char *behind_dashes(const char *word)
{
	if (word[0] != '-' || !word[1])
		return NULL;
	return word + (word[1] == '-' ? 2 : 1);
}

bool option_is(const char *word, const char *name)
{
	const char *w = behind_dashes(word);
	return w && strcmp(w, name) == 0;
}

bool option_takes(char **argv, int *i, const char *name, const char **value)
{
	const char *w = behind_dashes(argv[*i]);
	size_t n = strlen(name);
	if (!w || strncmp(w, name, n) != 0 || (w[n] && w[n] != '='))
		return false;
	*value = w[n] ? w + n + 1 : argv[*i + 1];
	if (!w[n] && *value)
		++*i;
	return true;
}
