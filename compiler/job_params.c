// SPDX-License-Identifier: Apache-2.0
/* job_params.c -- parameters of a kernel, read from PTX, for wlrun --launch-template. */
#include <string.h>

#include "../cmodel/tools/template.h"
#include "ptx/ptx.h"

static void silent(void *self, const struct wlcc_message *m)
{
	(void)self;
	(void)m;
}

static const struct ptx_function *find_entry(const struct ptx_module *m, const char *entry)
{
	for (uint32_t i = 0; i < m->nitems; i++) {
		const struct ptx_function *f = m->items[i].kind == PTX_ITEM_FUNCTION ? m->items[i].function : NULL;
		if (f && f->is_entry && f->has_body && (!entry || strcmp(f->name, entry) == 0))
			return f;
	}
	return NULL;
}

/* nvcc names parameters KERNEL_param_0. The short name has no kernel's name in front. */
static const char *short_name(const char *name, const char *kernel)
{
	size_t n = strlen(kernel);
	return strncmp(name, kernel, n) == 0 && name[n] == '_' && name[n + 1] ? name + n + 1 : name;
}

unsigned job_ptx_params(const char *text, size_t size, const char *entry, struct template_param *out, unsigned n)
{
	const struct ptx_options o = {.file = "", .diag = silent};
	struct ptx_module *m = ptx_parse(text, size, &o);
	const struct ptx_function *f = m ? find_entry(m, entry) : NULL;
	const unsigned count = f && f->nparams <= n ? f->nparams : 0;
	for (unsigned i = 0; i < count; i++) {
		const struct ptx_var *v = f->params[i];
		snprintf(out[i].name, sizeof out[i].name, "%s", short_name(v->name, f->name));
		snprintf(out[i].type, sizeof out[i].type, "%s", ptx_types[v->type].name);
		out[i].pointer = v->ptr;
	}
	ptx_module_free(m);
	return count;
}
