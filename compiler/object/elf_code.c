// SPDX-License-Identifier: Apache-2.0
/* elf_code.c -- the sections of a kernel or a function: code, constant bank, shared memory, attributes, lines. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"
#include "elf_writer.h"
#include "kernel_info.h"

enum {
	RESERVED_SHARED =
	        1024 /* bytes at the bottom, owned by the system, from sm_90 on: the linker leaves the bytes out */
};

/* Functions open to calls of the kernel count, too. */
static bool system_shared(const struct object_input *in, const struct kernel_code *k)
{
	bool any = k->system_shared;
	for (uint32_t i = 0; k->calls && i < in->nkernels; i++)
		any |= !in->kernels[i].src->is_entry && in->kernels[i].system_shared;
	return any;
}

static void add_lines(struct writer *w, const struct kernel_code *k)
{
	unsigned section = add_section(w, LINES_SECTION, k->src->name, SHT_PROGBITS, 0);
	struct buffer b = {0};
	buffer_append_u32(&b, 1);
	buffer_append_u32(&b, k->n);
	buffer_append(&b, k->lines, 4 * (size_t)k->n);
	buffer_append(&b, w->in->source, strlen(w->in->source) + 1);
	put_content(w, section, 4, b.data, b.size);
	free(b.data);
}

static void add_loose(struct writer *w, const struct kernel_code *k)
{
	struct buffer b = {0};
	bool any = false;
	for (uint32_t i = 0; i < k->nmarks; i++) {
		any |= k->marks[i].kind == MARK_BARRIER;
		if (k->marks[i].kind == MARK_BARRIER && k->marks[i].loose)
			buffer_append_u32(&b, k->marks[i].at);
	}
	if (any)
		put_content(w, add_section(w, LOOSE_SECTION, k->src->name, SHT_PROGBITS, 0), 4, b.data, b.size);
	free(b.data);
}

static uint32_t reloc_kind_of_place(enum wl_arch arch, const struct code_place *p)
{
	if (p->kind == PLACE_CALL)
		return arch < WL_SM90 ? R_CUDA_ABS47_34 : R_CUDA_ABS55_16_34;
	if (p->kind == PLACE_CONSTANT || p->kind == PLACE_SHARED)
		return p->kind == PLACE_SHARED ? R_CUDA_ABS32_32 : R_CUDA_ABS16_32;
	return p->kind == PLACE_HIGH ? R_CUDA_ABS32_HI_32 : R_CUDA_ABS32_LO_32;
}

static void add_places(struct writer *w, const struct kernel_code *k, unsigned text)
{
	struct buffer b = {0};
	char *name = malloc(strlen(k->src->name) + 7);
	if (!name)
		abort();
	for (uint32_t i = 0; i < k->nplaces; i++) {
		const struct code_place *p = &k->places[i];
		put_relocation(&b, p->at, symbol_number(w, p->symbol ? p->symbol : k->src->sym),
		               reloc_kind_of_place(w->in->arch, p),
		               p->addend + (p->kind == PLACE_SHARED && w->in->arch >= WL_SM90 ? RESERVED_SHARED : 0));
	}
	strcpy(name, ".text.");
	strcat(name, k->src->name);
	add_relocations(w, name, text, &b);
	free(name);
	free(b.data);
}

static void add_bank(struct writer *w, const struct kernel_code *k, unsigned text)
{
	unsigned constant =
	        add_section(w, ".nv.constant0.", k->src->name, w->in->relocatable ? SHT_CUDA_CONSTANT0 : SHT_PROGBITS,
	                    SHF_ALLOC | SHF_INFO_LINK);
	put_content(w, constant, 4, NULL, k->param_base + (k->param_bytes + 3) / 4 * 4);
	w->sh[constant].sh_info = text;
	if (w->in->relocatable ? shared_bytes(w, k) : k->shared) {
		unsigned shared =
		        add_section(w, ".nv.shared.", k->src->name, w->in->relocatable ? SHT_CUDA_SHARED : SHT_NOBITS,
		                    SHF_WRITE | SHF_ALLOC | SHF_INFO_LINK);

		w->sh[shared].sh_offset = w->file.size;
		w->sh[shared].sh_size = w->in->relocatable ? shared_bytes(w, k) : k->shared;
		w->sh[shared].sh_addralign = 16;
		w->sh[shared].sh_info = text;
	}
}

/* The symbol of a variable of shared memory; NO_SYMBOL: not a variable of the kernel. */
static uint32_t shared_symbol(const struct writer *w, const struct kernel_code *k, const struct ptx_var *v)
{
	uint32_t at = 1 + w->in->nkernels;
	for (uint32_t i = 0; &w->in->kernels[i] != k; i++)
		at += w->in->kernels[i].nshared_vars;
	for (uint32_t i = 0; i < k->nshared_vars; i++)
		if (k->shared_vars[i].var == v)
			return at + i;
	for (uint32_t i = 0; i < w->nsymbols; i++)
		if (w->symbol[i] == v->sym)
			return w->first_symbol + i;
	return NO_SYMBOL;
}

static void add_kernel_info(struct writer *w, struct buffer *b, const struct kernel_code *k, uint32_t section_symbol)
{
	struct info_symbols symbols = {.bank = section_symbol,
	                               .variable = calloc((size_t)k->nmarks + 1, 4),
	                               .externs = calloc((size_t)k->nplaces + 1, 4)};
	if (!symbols.variable || !symbols.externs)
		abort();
	for (uint32_t i = 0; i < k->nmarks; i++)
		symbols.variable[i] = k->marks[i].var ? shared_symbol(w, k, k->marks[i].var) : NO_SYMBOL;
	for (uint32_t i = 0; i < k->nplaces; i++) {
		const struct ptx_symbol *to = k->places[i].symbol;
		uint32_t number, n = 0;
		if (!to || to->kind != PTX_SYM_FUNCTION || to->function->has_body)
			continue;
		number = symbol_number(w, to);
		while (n < symbols.nexterns && symbols.externs[n] != number)
			n++;
		if (n == symbols.nexterns)
			symbols.externs[symbols.nexterns++] = number;
	}
	kernel_info(b, w->in->arch, k, &symbols, system_shared(w->in, k));
	free(symbols.variable);
	free(symbols.externs);
}

void add_code(struct writer *w, const struct kernel_code *k, uint32_t section_symbol)
{
	const char *name = k->src->name;
	unsigned text = add_section(w, ".text.", name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
	unsigned info = add_section(w, ".nv.info.", name, SHT_CUDA_INFO, SHF_INFO_LINK);
	uint32_t symbol = symbol_number(w, k->src->sym);
	struct buffer b = {0};
	put_content(w, text, 128, k->words, 16 * (size_t)k->n);
	w->sh[text].sh_link = w->symtab;
	w->sh[text].sh_info = k->regs << 24 | symbol;
	if (k->src->is_entry)
		add_kernel_info(w, &b, k, section_symbol);
	else
		buffer_record(&b, EIATTR_CUDA_API_VERSION, &(uint32_t){CUDA_API}, 4);
	put_content(w, info, 4, b.data, b.size);
	free(b.data);
	w->sh[info].sh_link = w->symtab;
	w->sh[info].sh_info = text;
	if (k->src->is_entry)
		add_bank(w, k, text);
	add_places(w, k, text);
	add_lines(w, k);
	add_loose(w, k);
	buffer_record_pair(&w->info, EIATTR_REGCOUNT, symbol, k->regs);
	buffer_record_pair(&w->info, EIATTR_FRAME_SIZE, symbol, k->frame);
	if (k->src->is_entry && !(w->in->relocatable && k->calls)) /* else the linker computes the depth of calls */
		buffer_record_pair(&w->info, EIATTR_MIN_STACK_SIZE, symbol, k->stack);
}
