// SPDX-License-Identifier: Apache-2.0
/* elf_symbols.c -- the table of symbols. */
#include <stdlib.h>

#include "../../cmodel/object/cubin_format.h"
#include "elf_writer.h"

/* ---- symbols: none; a section symbol for each code; variables of shared memory; then named symbols, local first
 * ---- */

static void add_symbol(struct writer *w, const char *name, unsigned char info, unsigned char other, unsigned section,
                       uint64_t size)
{
	Elf64_Sym s = {.st_name = name ? buffer_string(&w->strings, "", name) : 0,
	               .st_info = info,
	               .st_other = other,
	               .st_shndx = (Elf64_Half)section,
	               .st_size = size};

	buffer_append(&w->symbols, &s, sizeof s);
}

uint32_t symbol_number(const struct writer *w, const struct ptx_symbol *symbol)
{
	uint32_t i = 0;
	while (w->symbol[i] != symbol)
		i++;
	return w->first_symbol + i;
}

static unsigned char binding(unsigned linkage)
{
	return linkage == PTX_LINK_LOCAL ? STB_LOCAL : linkage == PTX_LINK_WEAK ? STB_WEAK : STB_GLOBAL;
}

static unsigned char binding_of(const struct ptx_symbol *s)
{
	if (s->kind == PTX_SYM_FUNCTION)
		return s->function->is_entry || !s->function->has_body ? STB_GLOBAL : binding(s->function->linkage);
	return s->var->linkage == PTX_LINK_EXTERN ? STB_GLOBAL : binding(s->var->linkage);
}

static void want_symbol(struct writer *w, const struct ptx_symbol *s, bool local)
{
	if ((binding_of(s) == STB_LOCAL) != local)
		return;
	for (uint32_t i = 0; i < w->nsymbols; i++)
		if (w->symbol[i] == s)
			return;
	w->symbol[w->nsymbols++] = s;
}

void number_symbols(struct writer *w)
{
	const struct object_input *in = w->in;
	size_t n = (size_t)in->nkernels + in->nvars + in->nshared;
	for (uint32_t i = 0; i < in->nkernels; i++)
		n += in->kernels[i].nplaces;
	for (uint32_t i = 0; i < in->nvars; i++)
		n += in->vars[i]->nrelocs;
	w->symbol = calloc(n + 1, sizeof *w->symbol);
	if (!w->symbol)
		abort();
	w->first_symbol = 1 + in->nkernels;
	for (uint32_t i = 0; i < in->nkernels; i++)
		w->first_symbol += in->kernels[i].nshared_vars;
	for (unsigned local = 2; local-- > 0;) {
		for (uint32_t i = 0; i < in->nkernels; i++)
			want_symbol(w, in->kernels[i].src->sym, local);
		for (uint32_t i = 0; i < in->nvars; i++)
			want_symbol(w, in->vars[i]->sym, local);
		for (uint32_t i = 0; i < in->nshared; i++)
			want_symbol(w, in->shared[i]->sym, local);
		for (uint32_t i = 0; i < in->nkernels; i++)
			for (uint32_t k = 0; k < in->kernels[i].nplaces; k++)
				if (in->kernels[i].places[k].symbol)
					want_symbol(w, in->kernels[i].places[k].symbol, local);
		for (uint32_t i = 0; i < in->nvars; i++)
			for (uint32_t k = 0; k < in->vars[i]->nrelocs; k++)
				want_symbol(w, in->vars[i]->relocs[k].sym, local);
	}
}

static void add_named(struct writer *w, const struct ptx_symbol *s, const unsigned *text, const uint64_t *at)
{
	const struct object_input *in = w->in;
	const bool variable = in->relocatable && s->kind == PTX_SYM_VAR;
	unsigned char type = s->kind == PTX_SYM_FUNCTION ? STT_FUNC : variable ? STT_CUDA_OBJECT : STT_OBJECT;
	Elf64_Sym *sym;
	add_symbol(w, s->name, ELF64_ST_INFO(binding_of(s), type),
	           !variable                       ? 0
	           : is_shared(s)                  ? STO_CUDA_SHARED
	           : s->var->space == PTX_SP_const ? STO_CUDA_CONSTANT
	                                           : STO_CUDA_GLOBAL,
	           SHN_UNDEF, variable ? s->var->size : 0);
	sym = (Elf64_Sym *)(w->symbols.data + w->symbols.size) - 1;
	for (uint32_t i = 0; i < in->nkernels && s->kind == PTX_SYM_FUNCTION; i++)
		if (in->kernels[i].src->sym == s) {
			sym->st_shndx = (Elf64_Half)text[i];
			sym->st_size = 16 * (uint64_t)in->kernels[i].n;
			sym->st_other = in->kernels[i].src->is_entry ? STO_CUDA_ENTRY : 0;
		}
	if (variable && is_shared(s) && is_defined(s->var)) { /* the linker finds a place of this alignment */
		const struct kernel_code *owner = owner_of(w, s->var);
		sym->st_shndx = (Elf64_Half)(owner ? text[owner - in->kernels] + SHARED_SECTION : w->shared);
		sym->st_value = s->var->align;
	}
	for (uint32_t i = 0; i < in->nvars && s->kind == PTX_SYM_VAR; i++)
		if (in->vars[i]->sym == s) {
			sym->st_shndx = (Elf64_Half)section_of(w, in->vars[i]);
			sym->st_value = at[i];
			sym->st_size = in->vars[i]->size;
		}
}

/* Local symbols, as written by ptxas -g. */
static void add_shared_vars(struct writer *w, const struct kernel_code *k, unsigned section)
{
	for (uint32_t i = 0; i < k->nshared_vars; i++) {
		Elf64_Sym *sym;
		add_symbol(w, k->shared_vars[i].var->name, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, section,
		           k->shared_vars[i].var->size);
		sym = (Elf64_Sym *)(w->symbols.data + w->symbols.size) - 1;
		sym->st_value = k->shared_vars[i].at;
	}
}

uint32_t add_symbols(struct writer *w, const unsigned *text, const uint64_t *at)
{
	const struct object_input *in = w->in;
	uint32_t local = w->first_symbol;
	for (uint32_t i = 0; i < in->nkernels; i++) {
		const unsigned section = text[i] + (in->kernels[i].src->is_entry ? 2 : 0);
		const char *name =
		        (const char *)w->names.data + w->sh[section].sh_name; /* nvlink drops unnamed sections */
		add_symbol(w, in->relocatable ? name : NULL, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, section, 0);
	}
	for (uint32_t i = 0; i < in->nkernels; i++)
		add_shared_vars(w, &in->kernels[i], text[i] + SHARED_SECTION);
	for (uint32_t i = 0; i < w->nsymbols; i++) {
		add_named(w, w->symbol[i], text, at);
		local += binding_of(w->symbol[i]) == STB_LOCAL;
	}
	return local;
}
