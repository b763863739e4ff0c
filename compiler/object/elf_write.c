// SPDX-License-Identifier: Apache-2.0
/* elf_write.c -- the object writer. The layout is done by hand: libelf writes only to a file descriptor, and an
 * object in memory would cost a temporary file, written and read back. libelf reads the result. */
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/object/cubin_format.h"
#include "elf_writer.h"

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
	add_section(&w, "", "", SHT_NULL, 0); /* section 0 is no section, with the empty name */
	w.sh[0] = (Elf64_Shdr){0};
	names = add_section(&w, ".shstrtab", "", SHT_STRTAB, 0);
	strings = add_section(&w, ".strtab", "", SHT_STRTAB, 0);
	w.symtab = add_section(&w, ".symtab", "", SHT_SYMTAB, 0);
	if (in->relocatable) { /* nvlink finds the note only at this place */
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
