// SPDX-License-Identifier: Apache-2.0
/* ptx_accepts.c -- ptx_accepts [--print] FILE...: exit 0 if every file passes the PTX front end; prints the messages,
 * or with --print the trees as text. */
#include <stdlib.h>
#include <string.h>

#include "../../compiler/ptx/ptx.h"

static void print(void *self, const struct wlcc_message *m)
{
	(void)self;
	printf("%s, line %u; %s: %s\n", m->file, m->line, m->severity == WLCC_ERROR ? "error   " : "warning ", m->text);
}

int main(int argc, char **argv)
{
	int status = argc > 1 ? 0 : 2;
	bool tree = argc > 1 && strcmp(argv[1], "--print") == 0;
	for (int i = 1 + tree; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		if (f == NULL)
			return perror(argv[i]), 2;
		size_t size = 0, cap = 1 << 16, n;
		char *text = malloc(cap);
		while ((n = fread(text + size, 1, cap - size, f)) > 0)
			if ((size += n) == cap)
				text = realloc(text, cap *= 2);
		fclose(f);
		struct ptx_options o = {.file = argv[i], .diag = print};
		struct ptx_module *m = ptx_parse(text, size, &o);
		if (m == NULL || (tree && !ptx_print(m, stdout)))
			status = 1;
		ptx_module_free(m);
		free(text);
	}
	return status;
}
