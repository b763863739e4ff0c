// SPDX-License-Identifier: Apache-2.0
/* compile_ptx.c -- the same over libwlcc: PTX on standard input to an object on standard output. */
#include <stdio.h>

#include <wlcc.h>

static void tell(void *self, const struct wlcc_message *m)
{
	(void)self;
	fprintf(stderr, "compile_ptx: line %u: %s\n", m->line, m->text);
}

int main(void)
{
	static char text[1 << 20];
	struct wlcc_options o = {.arch = WL_SM75, .opt = 2, .file = "stdin", .diag = tell};
	struct wlcc_bytes out;
	if (!wlcc_compile_ptx(text, fread(text, 1, sizeof text, stdin), &o, false, &out))
		return 1;
	return fwrite(out.data, 1, out.size, stdout) == out.size ? 0 : 1;
}
