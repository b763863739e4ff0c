// SPDX-License-Identifier: Apache-2.0
/* elf_write.c -- the object writer. The file is laid out by hand: libelf writes to a file descriptor only,
 * and an object in memory would cost a temporary file that is written and read back. What is laid out here is
 * read with libelf. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"
#include "debug_sections.h"
#include "elf_buffer.h"
#include "kernel_info.h"
#include "object.h"

enum {
	SHARED_SECTION = 3, /* of a kernel, counted from that of its code */
	RESERVED_SHARED =
	        1024 /* bytes at the bottom that are the system's, from sm_90 on: the linker leaves them out */
};

struct writer {
	const struct object_input *in;
	struct buffer file, names, strings, symbols, info;
	const struct ptx_symbol **symbol; /* those that have a name, from number first_symbol on */
	uint32_t nsymbols, first_symbol;
	unsigned symtab, init, zero, constants, shared; /* sections */
	Elf64_Shdr *sh;
	unsigned nsh, sh_cap;
};

static unsigned add_section(struct writer *w, const char *prefix, const char *name, uint32_t type, uint64_t flags)
{
	if (w->nsh == w->sh_cap) {
		w->sh_cap = w->sh_cap ? 2 * w->sh_cap : 32;
		w->sh = realloc(w->sh, w->sh_cap * sizeof *w->sh);
		if (!w->sh)
			abort();
	}
	w->sh[w->nsh] = (Elf64_Shdr){.sh_name = buffer_string(&w->names, prefix, name),
	                             .sh_type = type,
	                             .sh_flags = flags,
	                             .sh_addralign = 4};
	return w->nsh++;
}

static void put_content(struct writer *w, unsigned section, size_t alignment, const void *data, size_t size)
{
	buffer_align(&w->file, alignment);
	w->sh[section].sh_addralign = alignment;
	w->sh[section].sh_offset = w->file.size;
	w->sh[section].sh_size = size;
	buffer_append(&w->file, data, size);
}

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

/* ---- .nv.info ---- */

/* Functions that it may call count, too. */
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

static uint32_t symbol_number(const struct writer *w, const struct ptx_symbol *symbol)
{
	uint32_t i = 0;
	while (w->symbol[i] != symbol)
		i++;
	return w->first_symbol + i;
}

static void add_relocations(struct writer *w, const char *name, unsigned section, const struct buffer *b)
{
	unsigned at;
	if (!b->size)
		return;
	at = add_section(w, ".rela", name, SHT_RELA, SHF_INFO_LINK);
	put_content(w, at, 8, b->data, b->size);
	w->sh[at].sh_link = w->symtab;
	w->sh[at].sh_info = section;
	w->sh[at].sh_entsize = sizeof(Elf64_Rela);
}

static void put_relocation(struct buffer *b, uint64_t at, uint32_t symbol, uint32_t kind, int64_t addend)
{
	Elf64_Rela r = {.r_offset = at, .r_info = ELF64_R_INFO((uint64_t)symbol, kind), .r_addend = addend};
	buffer_append(b, &r, sizeof r);
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

static uint64_t align_up(uint64_t at, uint64_t to)
{
	return to > 1 ? (at + to - 1) / to * to : at;
}

static bool is_shared(const struct ptx_symbol *s)
{
	return s->kind == PTX_SYM_VAR && (s->var->space == PTX_SP_shared || s->var->space == PTX_SP_shared_cta);
}

/* The kernel that alone has the variable; NULL: the module, or a function that many kernels may call. */
static const struct kernel_code *owner_of(const struct writer *w, const struct ptx_var *v)
{
	for (uint32_t i = 0; i < w->in->nkernels; i++)
		for (uint32_t k = 0; w->in->kernels[i].src->is_entry && k < w->in->kernels[i].src->nvars; k++)
			if (w->in->kernels[i].src->vars[k] == v)
				return &w->in->kernels[i];
	return NULL;
}

static bool is_defined(const struct ptx_var *v)
{
	return v->linkage != PTX_LINK_EXTERN && !v->unsized;
}

/* Of an object for the linker, which places each variable: what they take together. */
static uint64_t shared_bytes(const struct writer *w, const struct kernel_code *owner)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < w->nsymbols; i++)
		if (is_shared(w->symbol[i]) && is_defined(w->symbol[i]->var) && owner_of(w, w->symbol[i]->var) == owner)
			bytes = align_up(bytes, w->symbol[i]->var->align) + w->symbol[i]->var->size;
	return bytes;
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

/* The symbol of a variable of shared memory; NO_SYMBOL: the kernel knows none. */
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

/* A kernel has a constant bank, shared memory, attributes; another function only its code. */
static void add_code(struct writer *w, const struct kernel_code *k, uint32_t section_symbol)
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
	if (k->src->is_entry && !(w->in->relocatable && k->calls)) /* else the linker says how deep calls go */
		buffer_record_pair(&w->info, EIATTR_MIN_STACK_SIZE, symbol, k->stack);
}

/* ---- variables ---- */

static bool has_content(const struct ptx_var *v)
{
	return v->init || v->nrelocs;
}

static unsigned section_of(const struct writer *w, const struct ptx_var *v)
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

/* The bytes of a section of variables, and what the linker adds. */
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

static uint64_t *add_vars(struct writer *w)
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

/* ---- symbols: none; a section symbol for each code; variables of shared memory; then what has a name, local ones
 * first ---- */

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

/* Gives every symbol that is defined or named its number. */
static void number_symbols(struct writer *w)
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

/* Local ones, as ptxas -g writes them. */
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

/* Number of the first symbol that is not local. */
static uint32_t add_symbols(struct writer *w, const unsigned *text, const uint64_t *at)
{
	const struct object_input *in = w->in;
	uint32_t local = w->first_symbol;
	for (uint32_t i = 0; i < in->nkernels; i++) {
		const unsigned section = text[i] + (in->kernels[i].src->is_entry ? 2 : 0);
		const char *name =
		        (const char *)w->names.data + w->sh[section].sh_name; /* nvlink drops those without */
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

static void put_header(struct writer *w, unsigned names)
{
	Elf64_Ehdr h = {.e_type = w->in->relocatable ? ET_REL : ET_EXEC,
	                .e_machine = EM_CUDA_MACHINE,
	                .e_version = EV_CURRENT,
	                .e_shoff = w->file.size,
	                .e_flags = 0x6000000u | (w->in->arch < WL_SM100 ? 4u : 2u) | w->in->chip << 8,
	                .e_ehsize = sizeof(Elf64_Ehdr),
	                .e_shentsize = sizeof(Elf64_Shdr),
	                .e_shnum = (Elf64_Half)w->nsh,
	                .e_shstrndx = (Elf64_Half)names};

	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	h.e_ident[EI_OSABI] = OSABI_CUDA;
	h.e_ident[EI_ABIVERSION] = ABI_VERSION_CUDA;
	memcpy(w->file.data, &h, sizeof h);
}

/* What the object was made for, in the form of an ELF note: NVIDIA's tools look for it before they read code. */
static void add_note(struct writer *w)
{
	enum { CUDA_INFO = 1000, NOTE_VERSION = 2, NOTE_FLAG = 0x1000000 };
	static const char owner[12] = "NVIDIA Corp";
	unsigned section = add_section(w, ".note.nv.cuinfo", "", SHT_NOTE, NOTE_FLAG);
	uint32_t head[3] = {sizeof owner, 8, CUDA_INFO};
	uint16_t content[4] = {NOTE_VERSION, (uint16_t)w->in->chip, CUDA_API, 0};
	struct buffer b = {0};
	buffer_append(&b, head, sizeof head);
	buffer_append(&b, owner, sizeof owner);
	buffer_append(&b, content, sizeof content);
	put_content(w, section, 4, b.data, b.size);
	free(b.data);
}

/* What made the object: the linker of device code takes none without. */
static void add_tool(struct writer *w)
{
	enum { TOOL_INFO = 2000, NOTE_VERSION = 2 };
	static const char owner[12] = "NVIDIA Corp";
	static const char text[] = "\0ptxas\0Cuda compilation tools, release 13.0, V13.0.88\0\0-c ";
	const unsigned section = add_section(w, ".note.nv.tkinfo", "", SHT_NOTE, 0x1000000);
	/* offsets of file name, tool, release, build and options in the text */
	const uint32_t head[] = {sizeof owner, 24 + sizeof text, TOOL_INFO},
	               content[] = {NOTE_VERSION, 0, 1, 7, 54, 55};
	struct buffer b = {0};
	buffer_append(&b, head, sizeof head);
	buffer_append(&b, owner, sizeof owner);
	buffer_append(&b, content, sizeof content);
	buffer_append(&b, text, sizeof text);
	buffer_align(&b, 4);
	put_content(w, section, 4, b.data, b.size);
	free(b.data);
}

/* Pairs of symbols, caller and callee, between marks: registers and stack of a kernel are summed up from them. */
static void add_calls(struct writer *w)
{
	const unsigned section = add_section(w, ".nv.callgraph", "", SHT_CUDA_CALLGRAPH, 0);
	struct buffer b = {0};
	for (uint32_t mark = 1; mark <= 4; mark++) {
		buffer_append_u32(&b, 0);
		buffer_append_u32(&b, 0u - mark);
		for (uint32_t i = 0; mark == 1 && i < w->in->nkernels; i++) {
			const struct kernel_code *k = &w->in->kernels[i];
			for (uint32_t n = 0; n < k->nplaces; n++) {
				if (!k->places[n].symbol || k->places[n].symbol->kind != PTX_SYM_FUNCTION)
					continue;
				buffer_append_u32(&b, symbol_number(w, k->src->sym));
				buffer_append_u32(&b, symbol_number(w, k->places[n].symbol));
			}
		}
	}
	put_content(w, section, 4, b.data, b.size);
	w->sh[section].sh_link = w->symtab;
	w->sh[section].sh_entsize = 8;
	free(b.data);
}

/* A line table and the relocations that give it the addresses of the kernels. */
static void add_debug(struct writer *w, const char *name, bool source)
{
	struct debug_section d;
	struct buffer b = {0};
	unsigned section, relocations;
	if (debug_section(w->in, source, &d)) {
		section = add_section(w, name, "", SHT_PROGBITS, 0);
		put_content(w, section, 1, d.data, d.size);
		if (d.names)
			put_content(w, add_section(w, ".debug_str", "", SHT_PROGBITS, 0), 1, d.names, d.names_size);
		for (uint32_t i = 0; i < d.nrelocations; i++) {
			Elf64_Rel r = {
			        .r_offset = d.relocations[i].at,
			        .r_info = ELF64_R_INFO(
			                (uint64_t)symbol_number(w, w->in->kernels[d.relocations[i].kernel].src->sym),
			                R_CUDA_64)};

			buffer_append(&b, &r, sizeof r);
		}
		relocations = add_section(w, ".rel", name, SHT_REL, SHF_INFO_LINK);
		put_content(w, relocations, 8, b.data, b.size);
		w->sh[relocations].sh_link = w->symtab;
		w->sh[relocations].sh_info = section;
		w->sh[relocations].sh_entsize = sizeof(Elf64_Rel);
		free(b.data);
	}
	free(d.data);
	free(d.names);
	free(d.relocations);
}

/* The PTX, line by line, each ended by a zero byte: what .nv_debug_line_sass counts. */
static void add_ptx_text(struct writer *w)
{
	unsigned section = add_section(w, ".nv_debug_ptx_txt", "", SHT_PROGBITS, 0);
	struct buffer b = {0};
	buffer_append(&b, w->in->text, w->in->text_size);
	for (size_t i = 0; i < b.size; i++)
		if (b.data[i] == '\n')
			b.data[i] = 0;
	buffer_append(&b, "", 1);
	put_content(w, section, 1, b.data, b.size);
	free(b.data);
}

/* Attributes of compatibility that NVIDIA's tools want of sm_90 on: as ptxas writes them for code that uses no feature
 * of one architecture alone; what the last word means is not public. */
static void add_compat(struct writer *w)
{
	enum { COMPAT_SECTION = 0x70000086 };
	unsigned char content[36] = {2, 9, 0, 0, 2, 2, 1, 0, 2, 5, 5, 0, 3, 7, 1, 1, 2, 3, 0, 0, 2, 6, 1, 0, 4, 11, 8};
	if (w->in->arch < WL_SM90)
		return;
	if (w->in->chip == w->in->arch)
		content[28] = w->in->arch < WL_SM100 ? 0 : w->in->arch < WL_SM120 ? 9 : 0x50;
	put_content(w, add_section(w, ".nv.compat", "", COMPAT_SECTION, 0), 4, content, sizeof content);
}

void object_write(const struct object_input *in, struct wlcc_bytes *out)
{
	struct writer w = {.in = in};
	unsigned names, strings, info, *text = calloc((size_t)in->nkernels + 1, sizeof *text);
	uint64_t *at;
	if (!text)
		abort();
	buffer_append(&w.file, NULL, sizeof(Elf64_Ehdr));
	buffer_append(&w.strings, NULL, 1);
	buffer_append(&w.symbols, NULL, sizeof(Elf64_Sym));
	add_section(&w, "", "", SHT_NULL, 0); /* section 0 is none; its name the empty one */
	w.sh[0] = (Elf64_Shdr){0};
	names = add_section(&w, ".shstrtab", "", SHT_STRTAB, 0);
	strings = add_section(&w, ".strtab", "", SHT_STRTAB, 0);
	w.symtab = add_section(&w, ".symtab", "", SHT_SYMTAB, 0);
	if (in->relocatable) { /* nvlink finds the note at this place alone */
		put_content(&w, add_section(&w, ".debug_frame", "", SHT_PROGBITS, 0), 1, NULL, 0);
		add_tool(&w);
	}
	if (in->relocatable)
		add_note(&w);
	info = add_section(&w, ".nv.info", "", SHT_CUDA_INFO, 0);
	number_symbols(&w);
	for (uint32_t i = 0; i < in->nkernels; i++) {
		text[i] = w.nsh;
		add_code(&w, &in->kernels[i], 1 + i);
	}
	at = add_vars(&w);
	if (!in->relocatable)
		add_note(&w);
	add_compat(&w);
	if (in->relocatable)
		add_calls(&w);
	if (in->nfiles)
		add_debug(&w, ".debug_line", true);
	if (in->text) {
		add_debug(&w, ".nv_debug_line_sass", false);
		add_ptx_text(&w);
	}
	w.sh[w.symtab].sh_info = add_symbols(&w, text, at);
	put_content(&w, info, 4, w.info.data, w.info.size);
	w.sh[info].sh_link = w.symtab;
	put_content(&w, w.symtab, 8, w.symbols.data, w.symbols.size);
	w.sh[w.symtab].sh_link = strings;
	w.sh[w.symtab].sh_entsize = sizeof(Elf64_Sym);
	put_content(&w, strings, 1, w.strings.data, w.strings.size);
	put_content(&w, names, 1, w.names.data, w.names.size);
	buffer_align(&w.file, 8);
	put_header(&w, names);
	buffer_append(&w.file, w.sh, w.nsh * sizeof *w.sh);
	out->data = w.file.data;
	out->size = w.file.size;
	free(w.names.data);
	free(w.strings.data);
	free(w.symbols.data);
	free(w.info.data);
	free(w.sh);
	free(w.symbol);
	free(text);
	free(at);
}
