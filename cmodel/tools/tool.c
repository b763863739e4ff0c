// SPDX-License-Identifier: Apache-2.0
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum wl_arch tool_parse_arch(const char *text)
{
	static const struct {
		const char *name;
		enum wl_arch arch;
	} known[] = {{"75", WL_SM75},   {"80", WL_SM80},    {"90", WL_SM90},   {"90a", WL_SM90},
	             {"100", WL_SM100}, {"100a", WL_SM100}, {"120", WL_SM120}, {"120a", WL_SM120}};
	if (!strncmp(text, "sm_", 3))
		text += 3;
	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (!strcmp(text, known[i].name))
			return known[i].arch;
	return (enum wl_arch)0;
}

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
