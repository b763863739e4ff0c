// SPDX-License-Identifier: Apache-2.0
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tool_each_line(const char *tool, const char *file, tool_line_fn line, void *self)
{
	bool from_stdin = !file || strcmp(file, "-") == 0;
	FILE *in = from_stdin ? stdin : fopen(file, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t n;
	if (from_stdin)
		file = "standard input";
	for (unsigned no = 1; in && (n = getline(&text, &room, in)) >= 0; no++) {
		if (n && text[n - 1] == '\n')
			text[n - 1] = 0;
		line(self, file, no, text);
	}
	bool ok = in && !ferror(in); /* a folder fails here */
	if (!ok)
		fprintf(stderr, "%s: cannot read %s: %s\n", tool, file, strerror(errno));
	free(text);
	if (in && !from_stdin)
		fclose(in);
	return ok;
}
