// SPDX-License-Identifier: Apache-2.0
/* elf_notes.c -- data for tools beside the code: notes, calls, line tables, attributes of compatibility. */
#include <stdlib.h>

#include "../../cmodel/object/cubin_format.h"
#include "debug_sections.h"
#include "elf_writer.h"
#include "kernel_info.h"

/* The target of the object, as an ELF note. NVIDIA's tools look for this note before the code. */
void add_note(struct writer *w)
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

/* The maker of the object: the linker of device code refuses an object without. */
void add_tool(struct writer *w)
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

/* Pairs of symbols, caller and callee, between marks. From the pairs, the linker sums registers and stack. */
void add_calls(struct writer *w)
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

/* A line table, with relocations for the addresses of the kernels. */
void add_debug(struct writer *w, const char *name, bool source)
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

/* The PTX, with a zero byte after each line. .nv_debug_line_sass counts these lines. */
void add_ptx_text(struct writer *w)
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

/* Attributes of compatibility for NVIDIA's tools, from sm_90 on. The values are from ptxas, for code without a
 * feature limited to one architecture. The meaning of the last word is not public. */
void add_compat(struct writer *w)
{
	enum { COMPAT_SECTION = 0x70000086 };
	unsigned char content[36] = {2, 9, 0, 0, 2, 2, 1, 0, 2, 5, 5, 0, 3, 7, 1, 1, 2, 3, 0, 0, 2, 6, 1, 0, 4, 11, 8};
	if (w->in->arch < WL_SM90)
		return;
	if (w->in->chip == w->in->arch)
		content[28] = w->in->arch < WL_SM100 ? 0 : w->in->arch < WL_SM120 ? 9 : 0x50;
	put_content(w, add_section(w, ".nv.compat", "", COMPAT_SECTION, 0), 4, content, sizeof content);
}
