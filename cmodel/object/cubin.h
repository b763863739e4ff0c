// SPDX-License-Identifier: Apache-2.0
/* cubin.h -- private to cmodel/object: an opened object file, with the file's sections, symbols, functions and records,
 * checked once. libelf takes the container apart but does not know the content of sections. No content is trusted:
 * every offset, size and index is tested before use. */
#ifndef WARPLOCK_CUBIN_H
#define WARPLOCK_CUBIN_H

#include <gelf.h>
#include <libelf.h>

#include "cubin_format.h"
#include "warplock/object.h"

#define TEXT_SECTION ".text." /* + function */
enum {
	WORD_BYTES = 16,
	NO_SECTION = 0,
	/* Stack of a thread on a GPU without a limit by the user. Two groups of kernels get this stack below their
	 * frame: kernels with calls (for recursion an object tells only the frame), and kernels moving the stack
	 * pointer by a register (alloca). */
	STACK_LIMIT = 1024,
	STACK_POINTER = 1,    /* R1 */
	FRAMES_MOST = 0x8000, /* of functions callable from a kernel, together: larger sums are not added up */
};

struct cubin_section {
	GElf_Shdr head;
	const char *name;          /* "" where the file's name for the section is wrong */
	const unsigned char *data; /* head.sh_size bytes; NULL where the file holds no bytes */
	uint32_t relocations;      /* section of relocations for this section, 0 = none; its `more` leads to the next */
	uint32_t more;
};

/* Content of .nv.info about the function of a symbol. */
struct cubin_sizes {
	uint32_t regs, frame, stack;
	bool unbounded; /* the assembler could not tell the stack: recursion, calls by pointer, code for debuggers */
};

struct wl_object {
	const unsigned char *bytes;
	size_t size;
	Elf *elf;
	enum wl_arch arch;
	unsigned chip;     /* the number in the file: 86, where arch is WL_SM80 */
	bool relocatable;  /* waits for the linker of device code */
	size_t name_table; /* section of the section names */
	size_t nsections;
	struct cubin_section *sections;
	uint32_t *by_name; /* section numbers in the order of names */
	uint32_t nsymbols;
	uint32_t symtab, strtab;   /* sections, 0 = none */
	struct cubin_sizes *sizes; /* [nsymbols] */
	uint32_t nfunctions;
	uint32_t *functions; /* sections of code, in the order of the file */
};

/* Destination of messages, and the object under discussion. */
struct reader {
	const struct wl_object *o;
	char *why;
	size_t whyn;
};
enum wl_status object_fail(const struct reader *r, enum wl_status status, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* ---- cubin.c ---- */

/* The first section of the name prefix + rest, 0 = none. */
uint32_t cubin_find(const struct wl_object *o, const char *prefix, const char *rest);
/* False: no such symbol. *name is never NULL; "" where the file's name is wrong. */
bool cubin_symbol(const struct wl_object *o, uint32_t index, Elf64_Sym *out, const char **name);
/* Does this code belong to a kernel? Other code is functions called by kernels. */
bool cubin_is_kernel(const struct wl_object *o, uint32_t section);

struct cubin_relocation {
	uint64_t offset;
	uint32_t type, symbol;
	int64_t addend;
	bool has_addend; /* else the addend stands in the place itself */
};
/* Relocation `i` of a section of relocations. False behind the last relocation. */
bool cubin_relocation(const struct wl_object *o, uint32_t section, uint64_t i, struct cubin_relocation *out);

/* ---- info.c: .nv.info records ---- */

struct cubin_record {
	unsigned format, attribute;
	uint32_t value; /* of the short formats */
	const unsigned char *payload;
	uint32_t size;
};
/* The record at *at; moves *at behind the record. False at the end. *damaged: the bytes at *at are no record. */
bool cubin_record(const struct cubin_section *s, uint64_t *at, struct cubin_record *out, bool *damaged);
uint32_t cubin_record_word(const struct cubin_record *rec, unsigned i); /* 0 where the record has no word i */
enum wl_status info_read_sizes(const struct reader *r, struct cubin_sizes *sizes);
/* The unaligned barriers of a function with code from instruction `first` on. */
enum wl_status info_read_loose(const struct reader *r, const char *function, uint32_t first, struct wl_program *out);
enum wl_status info_read_kernel(const struct reader *r, const char *kernel, struct wl_program *out);

/* ---- link.c: code and data of a kernel, with addresses filled in ---- */

/* Words, functions, data and constant banks of out. text NO_SECTION: data and constants alone. bases NULL: the usual
 * bases. */
enum wl_status link_kernel(const struct reader *r, uint32_t text, const struct wl_bases *bases, struct wl_program *out);

/* ---- reloc.c: kinds of relocations ---- */

struct reloc_kind {
	const char *name;
	uint8_t bytes;              /* of the place: 4, 8 or 16; 1: a single byte; 0 = not built */
	uint8_t from;               /* bits of the value: from this bit on */
	uint8_t lo, len, lo2, len2; /* go to these bits of the place, higher bits to lo2, len2 */
	uint8_t what;               /* enum reloc_what */
};
enum reloc_what { RELOC_ADDRESS, RELOC_GENERIC, RELOC_CONSTANT };
const struct reloc_kind *reloc_kind(uint32_t type); /* NULL = no such type */
/* Puts the value into the place. False when the value does not fit. */
bool reloc_put(const struct reloc_kind *k, uint64_t value, unsigned char *place);

#endif
