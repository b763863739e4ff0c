// SPDX-License-Identifier: Apache-2.0
/* elf_write.c -- the object writer. The file is laid out by hand: libelf writes to a file descriptor only, and an
 * object in memory would cost a temporary file that is written and read back. What is laid out here is read with
 * libelf. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"
#include "debug_sections.h"
#include "object.h"

enum { RELOCATION_SYMBOL64 = 2 };

struct buffer {
	unsigned char *data;
	size_t size, cap;
};

struct writer {
	const struct object_input *in;
	struct buffer file, names, strings, symbols, info;
	Elf64_Shdr *sh;
	unsigned nsh, sh_cap;
};

static void append(struct buffer *b, const void *data, size_t n)
{
	if (!n)
		return;
	if (b->size + n > b->cap) {
		size_t cap = b->cap ? b->cap : 4096;
		while (cap < b->size + n)
			cap *= 2;
		b->data = realloc(b->data, cap);
		if (!b->data)
			abort(); /* as the arena: a compiler without memory has nothing to say */
		b->cap = cap;
	}
	if (data)
		memcpy(b->data + b->size, data, n);
	else
		memset(b->data + b->size, 0, n);
	b->size += n;
}

static void append_u32(struct buffer *b, uint32_t v)
{
	append(b, &v, 4);
}

static void append_u16(struct buffer *b, uint16_t v)
{
	append(b, &v, 2);
}

static void align(struct buffer *b, size_t to)
{
	if (b->size % to)
		append(b, NULL, to - b->size % to);
}

static uint32_t add_string(struct buffer *b, const char *prefix, const char *s)
{
	uint32_t at = (uint32_t)b->size;
	append(b, prefix, strlen(prefix));
	append(b, s, strlen(s) + 1);
	return at;
}

static unsigned add_section(struct writer *w, const char *prefix, const char *name, uint32_t type, uint64_t flags)
{
	if (w->nsh == w->sh_cap) {
		w->sh_cap = w->sh_cap ? 2 * w->sh_cap : 32;
		w->sh = realloc(w->sh, w->sh_cap * sizeof *w->sh);
		if (!w->sh)
			abort();
	}
	w->sh[w->nsh] = (Elf64_Shdr){
	        .sh_name = add_string(&w->names, prefix, name), .sh_type = type, .sh_flags = flags, .sh_addralign = 4};
	return w->nsh++;
}

static void put_content(struct writer *w, unsigned section, size_t alignment, const void *data, size_t size)
{
	align(&w->file, alignment);
	w->sh[section].sh_addralign = alignment;
	w->sh[section].sh_offset = w->file.size;
	w->sh[section].sh_size = size;
	append(&w->file, data, size);
}

static void add_symbol(struct writer *w, const char *name, unsigned char info, unsigned char other, unsigned section,
                       uint64_t size)
{
	Elf64_Sym s = {.st_name = name ? add_string(&w->strings, "", name) : 0,
	               .st_info = info,
	               .st_other = other,
	               .st_shndx = (Elf64_Half)section,
	               .st_size = size};

	append(&w->symbols, &s, sizeof s);
}

/* ---- .nv.info records ---- */

static void record(struct buffer *b, unsigned attribute, const void *payload, uint16_t size)
{
	unsigned char head[2] = {EIFMT_BLOCK, (unsigned char)attribute};
	append(b, head, 2);
	append_u16(b, size);
	append(b, payload, size);
}

static void record_half(struct buffer *b, unsigned attribute, uint16_t value)
{
	unsigned char head[2] = {EIFMT_HALF, (unsigned char)attribute};
	append(b, head, 2);
	append_u16(b, value);
}

static void record_byte(struct buffer *b, unsigned attribute, uint8_t value)
{
	unsigned char all[4] = {EIFMT_BYTE, (unsigned char)attribute, value, 0};
	append(b, all, 4);
}

static void record_pair(struct buffer *b, unsigned attribute, uint32_t x, uint32_t y)
{
	uint32_t v[2] = {x, y};
	record(b, attribute, v, sizeof v);
}

static uint32_t pointer_space(unsigned space)
{
	switch (space) {
	case PTX_SP_local:
		return 1;
	case PTX_SP_shared:
		return 2;
	case PTX_SP_const:
		return 3;
	case PTX_SP_global:
		return 4;
	default:
		return 5; /* generic */
	}
}

static void kernel_info(struct buffer *b, const struct kernel_code *k, uint32_t cbank_symbol)
{
	uint32_t api = 130, cbank[2] = {cbank_symbol, k->param_base | k->param_bytes << 16};
	const uint32_t *max = k->src->maxntid, *req = k->src->reqntid;
	record(b, EIATTR_CUDA_API_VERSION, &api, 4);
	record(b, EIATTR_PARAM_CBANK, cbank, sizeof cbank);
	record_half(b, EIATTR_CBANK_PARAM_SIZE, (uint16_t)k->param_bytes);
	for (uint32_t i = k->src->nparams; i-- > 0;) {
		const struct ptx_var *p = k->src->params[i];
		/* index; ordinal and offset; of a pointer its alignment, as a power of two, and in bits 11:8 its space;
		 * size above bit 18 (bits 17:12 as ptxas has them) */
		uint32_t v[3] = {0, i | (uint32_t)p->offset << 16, 0x1f000u | (uint32_t)p->size << 18};

		if (p->ptr)
			v[2] |= pointer_space(p->ptr_space) << 8;
		for (uint32_t to = p->ptr ? p->ptr_align : 0; to > 1; to /= 2)
			v[2]++;
		record(b, EIATTR_KPARAM_INFO, v, sizeof v);
	}
	record_half(b, EIATTR_MAXREG_COUNT, 0xff);
	if (k->barriers)
		record_byte(b, EIATTR_NUM_BARRIERS, (uint8_t)k->barriers);
	record(b, EIATTR_EXIT_INSTR_OFFSETS, k->exits, (uint16_t)(4 * k->nexits));
	if (max[0]) {
		uint32_t v[3] = {max[0], max[1] ? max[1] : 1, max[2] ? max[2] : 1};
		record(b, EIATTR_MAX_THREADS, v, sizeof v);
	}
	if (req[0]) {
		uint32_t v[3] = {req[0], req[1] ? req[1] : 1, req[2] ? req[2] : 1};
		record(b, EIATTR_REQNTID, v, sizeof v);
	}
}

static void add_lines(struct writer *w, const struct kernel_code *k)
{
	unsigned section = add_section(w, LINES_SECTION, k->src->name, SHT_PROGBITS, 0);
	struct buffer b = {0};
	append_u32(&b, 1);
	append_u32(&b, k->n);
	append(&b, k->lines, 4 * (size_t)k->n);
	append(&b, w->in->source, strlen(w->in->source) + 1);
	put_content(w, section, 4, b.data, b.size);
	free(b.data);
}

static void add_kernel(struct writer *w, const struct kernel_code *k, unsigned symtab, uint32_t symbol)
{
	const char *name = k->src->name;
	unsigned text = add_section(w, ".text.", name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR);
	unsigned info = add_section(w, ".nv.info.", name, SHT_CUDA_INFO, SHF_INFO_LINK);
	unsigned constant = add_section(w, ".nv.constant0.", name, SHT_PROGBITS, SHF_ALLOC | SHF_INFO_LINK);
	struct buffer b = {0};
	put_content(w, text, 128, k->words, 16 * (size_t)k->n);
	w->sh[text].sh_link = symtab;
	w->sh[text].sh_info = k->regs << 24 | symbol;
	/* The section symbol of the constant bank stands right behind that of the kernel's code. */
	kernel_info(&b, k, symbol - w->in->nkernels);
	put_content(w, info, 4, b.data, b.size);
	free(b.data);
	w->sh[info].sh_link = symtab;
	w->sh[info].sh_info = text;
	put_content(w, constant, 4, NULL, k->param_base + (k->param_bytes + 3) / 4 * 4);
	w->sh[constant].sh_info = text;
	if (k->shared) {
		unsigned shared =
		        add_section(w, ".nv.shared.", name, SHT_NOBITS, SHF_WRITE | SHF_ALLOC | SHF_INFO_LINK);

		w->sh[shared].sh_offset = w->file.size;
		w->sh[shared].sh_size = k->shared;
		w->sh[shared].sh_addralign = 16;
		w->sh[shared].sh_info = text;
	}
	add_lines(w, k);
	record_pair(&w->info, EIATTR_REGCOUNT, symbol, k->regs);
	record_pair(&w->info, EIATTR_FRAME_SIZE, symbol, k->frame);
	record_pair(&w->info, EIATTR_MIN_STACK_SIZE, symbol, k->frame);
}

/* Symbols: none; section symbol of each constant bank; the kernels. Local ones come first. */
static void add_symbols(struct writer *w, const unsigned *text, const unsigned *constant)
{
	const struct object_input *in = w->in;
	for (uint32_t i = 0; i < in->nkernels; i++)
		add_symbol(w, NULL, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, constant[i], 0);
	for (uint32_t i = 0; i < in->nkernels; i++)
		add_symbol(w, in->kernels[i].src->name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), STO_CUDA_ENTRY, text[i],
		           16 * (uint64_t)in->kernels[i].n);
}

static void put_header(struct writer *w, unsigned names)
{
	Elf64_Ehdr h = {.e_type = ET_EXEC,
	                .e_machine = EM_CUDA_MACHINE,
	                .e_version = EV_CURRENT,
	                .e_shoff = w->file.size,
	                .e_flags = 0x6000000u | (w->in->arch < WL_SM100 ? 4u : 2u) | (uint32_t)w->in->arch << 8,
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
	enum { CUDA_INFO = 1000, NOTE_VERSION = 2, API_VERSION = 130, NOTE_FLAG = 0x1000000 };
	static const char owner[12] = "NVIDIA Corp";
	unsigned section = add_section(w, ".note.nv.cuinfo", "", SHT_NOTE, NOTE_FLAG);
	uint32_t head[3] = {sizeof owner, 8, CUDA_INFO};
	uint16_t content[4] = {NOTE_VERSION, (uint16_t)w->in->arch, API_VERSION, 0};
	struct buffer b = {0};
	append(&b, head, sizeof head);
	append(&b, owner, sizeof owner);
	append(&b, content, sizeof content);
	put_content(w, section, 4, b.data, b.size);
	free(b.data);
}

/* A line table and the relocations that give it the addresses of the kernels. */
static void add_debug(struct writer *w, const char *name, bool source, unsigned symtab)
{
	struct debug_section d;
	struct buffer b = {0};
	unsigned section, relocations;
	if (debug_section(w->in, source, &d)) {
		section = add_section(w, name, "", SHT_PROGBITS, 0);
		put_content(w, section, 1, d.data, d.size);
		for (uint32_t i = 0; i < d.nrelocations; i++) {
			Elf64_Rel r = {.r_offset = d.relocations[i].at,
			               .r_info = ELF64_R_INFO((uint64_t)(1 + w->in->nkernels + d.relocations[i].kernel),
			                                      RELOCATION_SYMBOL64)};

			append(&b, &r, sizeof r);
		}
		relocations = add_section(w, ".rel", name, SHT_REL, SHF_INFO_LINK);
		put_content(w, relocations, 8, b.data, b.size);
		w->sh[relocations].sh_link = symtab;
		w->sh[relocations].sh_info = section;
		w->sh[relocations].sh_entsize = sizeof(Elf64_Rel);
		free(b.data);
	}
	free(d.data);
	free(d.relocations);
}

/* The PTX, line by line, each ended by a zero byte: what .nv_debug_line_sass counts. */
static void add_ptx_text(struct writer *w)
{
	unsigned section = add_section(w, ".nv_debug_ptx_txt", "", SHT_PROGBITS, 0);
	struct buffer b = {0};
	append(&b, w->in->text, w->in->text_size);
	for (size_t i = 0; i < b.size; i++)
		if (b.data[i] == '\n')
			b.data[i] = 0;
	append(&b, "", 1);
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
	content[28] = w->in->arch < WL_SM100 ? 0 : w->in->arch < WL_SM120 ? 9 : 0x50;
	put_content(w, add_section(w, ".nv.compat", "", COMPAT_SECTION, 0), 4, content, sizeof content);
}

void object_write(const struct object_input *in, struct wlcc_bytes *out)
{
	struct writer w = {.in = in};
	unsigned names, strings, symtab, info;
	unsigned *text = calloc(2 * (size_t)in->nkernels + 1, sizeof *text), *constant = text + in->nkernels;
	if (!text)
		abort();
	append(&w.file, NULL, sizeof(Elf64_Ehdr));
	append(&w.strings, NULL, 1);
	append(&w.symbols, NULL, sizeof(Elf64_Sym));
	add_section(&w, "", "", SHT_NULL, 0); /* section 0 is none; its name the empty one */
	w.sh[0] = (Elf64_Shdr){0};
	names = add_section(&w, ".shstrtab", "", SHT_STRTAB, 0);
	strings = add_section(&w, ".strtab", "", SHT_STRTAB, 0);
	symtab = add_section(&w, ".symtab", "", SHT_SYMTAB, 0);
	info = add_section(&w, ".nv.info", "", SHT_CUDA_INFO, 0);
	for (uint32_t i = 0; i < in->nkernels; i++) {
		text[i] = w.nsh;
		constant[i] = w.nsh + 2;
		add_kernel(&w, &in->kernels[i], symtab, 1 + in->nkernels + i);
	}
	add_note(&w);
	add_compat(&w);
	if (in->nfiles)
		add_debug(&w, ".debug_line", true, symtab);
	if (in->text) {
		add_debug(&w, ".nv_debug_line_sass", false, symtab);
		add_ptx_text(&w);
	}
	add_symbols(&w, text, constant);
	put_content(&w, info, 4, w.info.data, w.info.size);
	w.sh[info].sh_link = symtab;
	put_content(&w, symtab, 8, w.symbols.data, w.symbols.size);
	w.sh[symtab].sh_link = strings;
	w.sh[symtab].sh_info = 1 + in->nkernels;
	w.sh[symtab].sh_entsize = sizeof(Elf64_Sym);
	put_content(&w, strings, 1, w.strings.data, w.strings.size);
	put_content(&w, names, 1, w.names.data, w.names.size);
	align(&w.file, 8);
	put_header(&w, names);
	append(&w.file, w.sh, w.nsh * sizeof *w.sh);
	out->data = w.file.data;
	out->size = w.file.size;
	free(w.names.data);
	free(w.strings.data);
	free(w.symbols.data);
	free(w.info.data);
	free(w.sh);
	free(text);
}
