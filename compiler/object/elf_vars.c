// SPDX-License-Identifier: Apache-2.0
/* elf_vars.c -- the sections of variables, and the place of each variable. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"
#include "elf_writer.h"

static uint64_t align_up(uint64_t at, uint64_t to)
{
	return to > 1 ? (at + to - 1) / to * to : at;
}

bool is_shared(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VAR && (s->var->space == PTX_SP_shared || s->var->space == PTX_SP_shared_cta);
}

const struct kernel_code *owner_of(const struct writer *w, const struct ptx_var *v)
{
	for (uint32_t i = 0; i < w->in->nkernels; i++)
		for (uint32_t k = 0; w->in->kernels[i].src->is_entry && k < w->in->kernels[i].src->nvars; k++)
			if (w->in->kernels[i].src->vars[k] == v)
				return &w->in->kernels[i];
	return NULL;
}

bool is_defined(const struct ptx_var *v)
{
	return v->linkage != PTX_LINK_EXTERN && !v->unsized;
}

uint64_t shared_bytes(const struct writer *w, const struct kernel_code *owner)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < w->nsymbols; i++)
		if (is_shared(w->symbol[i]) && is_defined(w->symbol[i]->var) && owner_of(w, w->symbol[i]->var) == owner)
			bytes = align_up(bytes, w->symbol[i]->var->align) + w->symbol[i]->var->size;
	return bytes;
}

static bool has_content(const struct ptx_var *v)
{
	return v->init || v->nrelocs;
}

unsigned section_of(const struct writer *w, const struct ptx_var *v)
{
	return v->space == PTX_SP_const ? w->constants : has_content(v) ? w->init : w->zero;
}

/* Offset of each variable in its section, by index. */
static uint64_t *place_vars(const struct object_input *in, uint64_t *init, uint64_t *zero)
{
	uint64_t *at = calloc((size_t)in->nvars + 1, sizeof *at);
	if (!at)
		abort();
	*init = *zero = 0;
	for (uint32_t i = 0; i < in->nvars; i++) {
		const struct ptx_var *v = in->vars[i];
		uint64_t *next = has_content(v) ? init : zero;
		if (v->space == PTX_SP_const) {
			at[i] = (uint64_t)((uintptr_t)v->user - 1);
			continue;
		}
		at[i] = align_up(*next, v->align);
		*next = at[i] + v->size;
	}
	return at;
}

static uint32_t reloc_kind_of(const struct ptx_reloc *r)
{
	if (r->sym->kind == PTX_SYM_FUNCTION)
		return r->mask_byte != PTX_NONE ? R_CUDA_FUNC_DESC_8_0 + r->mask_byte
		       : r->bytes == 8          ? R_CUDA_FUNC_DESC_64
		                                : R_CUDA_FUNC_DESC_32;
	if (r->mask_byte != PTX_NONE)
		return (r->generic ? R_CUDA_G8_0 : R_CUDA_8_0) + r->mask_byte;
	if (r->bytes == 8)
		return r->generic ? R_CUDA_G64 : R_CUDA_64;
	return r->generic ? R_CUDA_G32 : R_CUDA_32;
}

/* The bytes of a section of variables, and the relocations for the linker. */
static void fill_section(struct writer *w, unsigned section, const char *name, const uint64_t *at, uint64_t size)
{
	struct buffer b = {0}, rel = {0};
	uint64_t most = 1;
	buffer_append(&b, NULL, size);
	for (uint32_t i = 0; i < w->in->nvars; i++) {
		const struct ptx_var *v = w->in->vars[i];
		if (section_of(w, v) != section)
			continue;
		if (v->align > most)
			most = v->align;
		if (v->init)
			memcpy(b.data + at[i], v->init, v->init_size);
		for (uint32_t k = 0; k < v->nrelocs; k++) {
			const struct ptx_reloc *r = &v->relocs[k];
			memset(b.data + at[i] + r->offset, 0, r->mask_byte != PTX_NONE ? 1 : r->bytes);
			put_relocation(&rel, at[i] + r->offset, symbol_number(w, r->sym), reloc_kind_of(r), r->addend);
		}
	}
	put_content(w, section, most, b.data, b.size);
	add_relocations(w, name, section, &rel);
	free(b.data);
	free(rel.data);
}

uint64_t *add_vars(struct writer *w)
{
	uint64_t init, zero, *at = place_vars(w->in, &init, &zero);
	if (w->in->constant_bytes)
		w->constants = add_section(w, ".nv.constant3", "",
		                           w->in->relocatable ? SHT_CUDA_CONSTANT3 : SHT_PROGBITS, SHF_ALLOC);
	if (init)
		w->init = add_section(w, ".nv.global.init", "",
		                      w->in->relocatable ? SHT_CUDA_GLOBAL_INIT : SHT_PROGBITS, SHF_ALLOC | SHF_WRITE);
	if (zero) {
		w->zero = add_section(w, ".nv.global", "", w->in->relocatable ? SHT_CUDA_GLOBAL : SHT_NOBITS,
		                      SHF_ALLOC | SHF_WRITE);
		w->sh[w->zero].sh_size = zero;
		w->sh[w->zero].sh_addralign = 256;
	}
	if (w->constants)
		fill_section(w, w->constants, ".nv.constant3", at, w->in->constant_bytes);
	if (init)
		fill_section(w, w->init, ".nv.global.init", at, init);
	if (zero)
		w->sh[w->zero].sh_offset = w->file.size;
	if (w->in->relocatable && shared_bytes(w, NULL)) {
		w->shared = add_section(w, ".nv_debug.shared", "", SHT_CUDA_SHARED, SHF_ALLOC | SHF_WRITE);
		w->sh[w->shared].sh_size = shared_bytes(w, NULL);
		w->sh[w->shared].sh_addralign = 8;
		w->sh[w->shared].sh_offset = w->file.size;
	}
	return at;
}
