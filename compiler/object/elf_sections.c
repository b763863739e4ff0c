// SPDX-License-Identifier: Apache-2.0
/* elf_sections.c -- sections, their contents and their relocations. */
#include <stdlib.h>

#include "elf_writer.h"

unsigned add_section(struct writer *w, const char *prefix, const char *name, uint32_t type, uint64_t flags)
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

void put_content(struct writer *w, unsigned section, size_t alignment, const void *data, size_t size)
{
	buffer_align(&w->file, alignment);
	w->sh[section].sh_addralign = alignment;
	w->sh[section].sh_offset = w->file.size;
	w->sh[section].sh_size = size;
	buffer_append(&w->file, data, size);
}

void add_relocations(struct writer *w, const char *name, unsigned section, const struct buffer *b)
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

void put_relocation(struct buffer *b, uint64_t at, uint32_t symbol, uint32_t kind, int64_t addend)
{
	Elf64_Rela r = {.r_offset = at, .r_info = ELF64_R_INFO((uint64_t)symbol, kind), .r_addend = addend};
	buffer_append(b, &r, sizeof r);
}
