// SPDX-License-Identifier: Apache-2.0
/* elf_writer.h -- private: shared declarations of the object writer.
 *
 *   elf_write.c      the file as a whole, the header          elf_symbols.c   the table of symbols
 *   elf_sections.c   sections, contents, relocations          elf_notes.c     notes, calls, line tables, compatibility
 *   elf_code.c       sections of a kernel                     elf_vars.c      sections of variables */
#ifndef WARPLOCK_ELF_WRITER_H
#define WARPLOCK_ELF_WRITER_H

#include <elf.h>

#include "elf_buffer.h"
#include "object.h"

/* Section of a kernel's shared memory, counted from the section of the code. */
enum { SHARED_SECTION = 3 };

struct writer {
	const struct object_input *in;
	struct buffer file, names, strings, symbols, info;
	const struct ptx_symbol **symbol; /* symbols with a name, from number first_symbol on */
	uint32_t nsymbols, first_symbol;
	unsigned symtab, init, zero, constants, shared; /* sections */
	Elf64_Shdr *sh;
	unsigned nsh, sh_cap;
};

/* ---- elf_sections.c ---- */
unsigned add_section(struct writer *w, const char *prefix, const char *name, uint32_t type, uint64_t flags);
void put_content(struct writer *w, unsigned section, size_t alignment, const void *data, size_t size);
void add_relocations(struct writer *w, const char *name, unsigned section, const struct buffer *b);
void put_relocation(struct buffer *b, uint64_t at, uint32_t symbol, uint32_t kind, int64_t addend);

/* ---- elf_code.c ---- */
/* A kernel has a constant bank, shared memory, attributes. Another function has only code. */
void add_code(struct writer *w, const struct kernel_code *k, uint32_t section_symbol);

/* ---- elf_vars.c ---- */
bool is_shared(const struct ptx_symbol *s);
/* The only kernel with the variable; NULL: the module, or a function open to many kernels. */
const struct kernel_code *owner_of(const struct writer *w, const struct ptx_var *v);
bool is_defined(const struct ptx_var *v);
/* Total size of the variables in an object for the linker. The linker places each variable. */
uint64_t shared_bytes(const struct writer *w, const struct kernel_code *owner);
unsigned section_of(const struct writer *w, const struct ptx_var *v);
/* The offset of each variable in the section, by index. The caller frees the list. */
uint64_t *add_vars(struct writer *w);

/* ---- elf_symbols.c ---- */
uint32_t symbol_number(const struct writer *w, const struct ptx_symbol *symbol);
/* Numbers every symbol defined or named. */
void number_symbols(struct writer *w);
/* Number of the first symbol that is not local. */
uint32_t add_symbols(struct writer *w, const unsigned *text, const uint64_t *at);

/* ---- elf_notes.c ---- */
void add_note(struct writer *w);
void add_tool(struct writer *w);
void add_calls(struct writer *w);
void add_debug(struct writer *w, const char *name, bool source);
void add_ptx_text(struct writer *w);
void add_compat(struct writer *w);

#endif
