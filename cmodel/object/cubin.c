// SPDX-License-Identifier: Apache-2.0
/* cubin.c -- opens an object file: the container through libelf, then sections by name, symbols, code, relocations. The
 * file is walked once, so the cost of a kernel does not grow with the number of kernels.
 * Source: docs/spec/objects.md, "Container". */
#include "cubin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OSABI_CUDA_V7 = 0x33, ABI_VERSION_CUDA_V7 = 7 };

enum wl_status object_fail(const struct reader *r, enum wl_status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (r->why && r->whyn)
		vsnprintf(r->why, r->whyn, fmt, ap);
	va_end(ap);
	return status;
}

static bool holds_bytes(uint32_t type)
{
	return type != SHT_NULL && type != SHT_NOBITS && type != SHT_CUDA_GLOBAL && type != SHT_CUDA_LOCAL &&
	       type != SHT_CUDA_SHARED;
}

/* False when the section's header or bytes lie outside the file. */
static bool get_section(const struct wl_object *o, size_t index, struct cubin_section *out)
{
	Elf_Scn *scn = elf_getscn(o->elf, index);
	Elf_Data *data;
	const char *name;

	*out = (struct cubin_section){.name = ""};
	if (!scn || !gelf_getshdr(scn, &out->head))
		return false;
	name = elf_strptr(o->elf, o->name_table, out->head.sh_name);
	if (name)
		out->name = name;
	if (!holds_bytes(out->head.sh_type))
		return true;
	if (out->head.sh_size == 0) {
		out->data = o->bytes; /* an empty section may claim any place */
		return true;
	}
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != out->head.sh_size)
		return false;
	out->data = data->d_buf;
	return true;
}

/* Names reach messages of a single line. */
static bool is_printable(const char *s)
{
	while ((unsigned char)*s > ' ' && *s != 0x7f)
		s++;
	return *s == 0;
}

/* The two containers of ptxas 11.8 to 13.5. Another container may hold the same data in other places. */
static enum wl_status check_container(const struct reader *r, const struct wl_object *o)
{
	const unsigned abi = o->bytes[EI_OSABI], version = o->bytes[EI_ABIVERSION];
	if ((abi == OSABI_CUDA && version == ABI_VERSION_CUDA) ||
	    (abi == OSABI_CUDA_V7 && version == ABI_VERSION_CUDA_V7))
		return WL_OK;
	return object_fail(
	        r, WL_ERR_UNSUPPORTED,
	        "container of another toolkit: found ABI %u version %u, expected ABI %u version %u (CUDA 13) or ABI "
	        "%u version %u (CUDA 11 and 12)",
	        abi, version, OSABI_CUDA, ABI_VERSION_CUDA, OSABI_CUDA_V7, ABI_VERSION_CUDA_V7);
}

static enum wl_status check_arch(const struct reader *r, struct wl_object *o, uint32_t flags)
{
	/* ptxas of CUDA 12 and before writes the older container for sm_75 to sm_90. In that container the architecture
	 * is the lowest byte (read in output of ptxas 11.8 to 13.4). */
	unsigned sm = o->bytes[EI_OSABI] == OSABI_CUDA_V7 ? flags & 0xff : flags >> 8 & 0xff;
	o->chip = sm;
	o->arch = wl_arch_of_chip(sm);
	if (!o->arch)
		return object_fail(r, WL_ERR_UNSUPPORTED,
		                   "object is for sm_%u: found %u, expected one of " WL_CHIP_NAMES, sm, sm);
	return WL_OK;
}

/* Runs before libelf sees the file: libelf would believe these bytes and swap the bytes of the file. */
static enum wl_status check_ident(const struct reader *r)
{
	const unsigned char *bytes = r->o->bytes;
	if (r->o->size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return object_fail(r, WL_ERR_OBJECT, "not an object file: no ELF header");
	if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
		return object_fail(r, WL_ERR_OBJECT, "not a 64-bit little-endian object file");
	return WL_OK;
}

static enum wl_status open_elf(const struct reader *r, struct wl_object *o)
{
	GElf_Ehdr h;
	size_t sections;
	enum wl_status status = check_ident(r);

	if (status != WL_OK)
		return status;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return object_fail(r, WL_ERR_UNSUPPORTED, "libelf is older than its header");
	/* libelf takes a pointer to memory open to change, but changes nothing of a file opened for reading */
	o->elf = elf_memory((char *)(uintptr_t)o->bytes, o->size);
	if (!o->elf)
		return object_fail(r, WL_ERR_OBJECT, "object file is cut or damaged: its section headers lie outside");
	if (elf_kind(o->elf) != ELF_K_ELF || !gelf_getehdr(o->elf, &h))
		return object_fail(r, WL_ERR_OBJECT, "not an object file: no ELF header");
	if (h.e_machine != EM_CUDA_MACHINE)
		return object_fail(r, WL_ERR_OBJECT, "object is for another machine: found ELF machine %u, expected %u",
		                   h.e_machine, EM_CUDA_MACHINE);
	if (h.e_shentsize != sizeof(Elf64_Shdr) || elf_getshdrnum(o->elf, &sections) != 0 || sections == 0)
		return object_fail(r, WL_ERR_OBJECT, "object file is cut or damaged: its section headers lie outside");
	if (elf_getshdrstrndx(o->elf, &o->name_table) != 0 || o->name_table >= sections)
		return object_fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	o->nsections = sections;
	o->relocatable = h.e_type == ET_REL;
	status = check_container(r, o);
	return status == WL_OK ? check_arch(r, o, h.e_flags) : status;
}

/* qsort has no extra argument for the names. So names are sorted beside their numbers. */
struct named {
	const char *name;
	uint32_t index;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

static enum wl_status sort_sections(const struct reader *r, struct wl_object *o)
{
	struct named *names = malloc(o->nsections * sizeof *names);
	if (!names)
		return object_fail(r, WL_ERR_NOMEM, "out of memory");
	for (uint32_t i = 0; i < o->nsections; i++)
		names[i] = (struct named){o->sections[i].name, i};
	qsort(names, o->nsections, sizeof *names, by_name);
	for (uint32_t i = 0; i < o->nsections; i++)
		o->by_name[i] = names[i].index;
	free(names);
	return WL_OK;
}

static bool is_table(const struct cubin_section *s, uint32_t type, uint32_t entry)
{
	return s->head.sh_type == type && s->head.sh_size % entry == 0;
}

/* Puts the section's number on the section's lists. */
static enum wl_status list_section(const struct reader *r, struct wl_object *o, uint32_t i)
{
	struct cubin_section *s = &o->sections[i];
	uint32_t type = s->head.sh_type;
	if (type == SHT_SYMTAB) {
		uint32_t strings = s->head.sh_link;
		if (!is_table(s, SHT_SYMTAB, sizeof(Elf64_Sym)) || strings >= o->nsections ||
		    o->sections[strings].head.sh_type != SHT_STRTAB || s->head.sh_size / sizeof(Elf64_Sym) > UINT32_MAX)
			return object_fail(r, WL_ERR_OBJECT, "object file is damaged: table of symbols, section %u", i);
		o->symtab = i;
		o->strtab = strings;
		o->nsymbols = (uint32_t)(s->head.sh_size / sizeof(Elf64_Sym));
	} else if (type == SHT_REL || type == SHT_RELA) {
		uint32_t target = s->head.sh_info;
		if (target >= o->nsections || target == i ||
		    !is_table(s, type, type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela)))
			return object_fail(r, WL_ERR_OBJECT, "object file is damaged: relocations in section %u", i);
		s->more = o->sections[target].relocations;
		o->sections[target].relocations = i;
	} else if (strncmp(s->name, TEXT_SECTION, strlen(TEXT_SECTION)) == 0 && s->name[strlen(TEXT_SECTION)]) {
		o->functions[o->nfunctions++] = i;
	}
	return WL_OK;
}

static enum wl_status read_sections(const struct reader *r, struct wl_object *o)
{
	enum wl_status status = WL_OK;
	o->sections = calloc(o->nsections, sizeof *o->sections);
	o->by_name = calloc(o->nsections, sizeof *o->by_name);
	o->functions = calloc(o->nsections, sizeof *o->functions);
	if (!o->sections || !o->by_name || !o->functions)
		return object_fail(r, WL_ERR_NOMEM, "out of memory");
	for (uint32_t i = 1; i < o->nsections; i++) {
		if (!get_section(o, i, &o->sections[i]))
			return object_fail(r, WL_ERR_OBJECT, "object file is cut or damaged: section %u lies outside",
			                   i);
		if (!is_printable(o->sections[i].name))
			return object_fail(r, WL_ERR_OBJECT, "object file is damaged: name of section %u", i);
	}
	o->sections[0].name = "";
	if (o->sections[o->name_table].head.sh_type != SHT_STRTAB)
		return object_fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	for (uint32_t i = 1; status == WL_OK && i < o->nsections; i++)
		status = list_section(r, o, i);
	return status == WL_OK ? sort_sections(r, o) : status;
}

uint32_t cubin_find(const struct wl_object *o, const char *prefix, const char *rest)
{
	size_t low = 0, high = o->nsections, n = strlen(prefix);
	while (low < high) { /* the first name not before the name sought */
		size_t middle = (low + high) / 2;
		const char *name = o->sections[o->by_name[middle]].name;
		int order = strncmp(name, prefix, n);

		if (!order)
			order = strcmp(name + n, rest);
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == o->nsections)
		return NO_SECTION;
	const char *name = o->sections[o->by_name[low]].name;
	return strncmp(name, prefix, n) == 0 && strcmp(name + n, rest) == 0 ? o->by_name[low] : NO_SECTION;
}

bool cubin_symbol(const struct wl_object *o, uint32_t index, Elf64_Sym *out, const char **name)
{
	const struct cubin_section *strings = &o->sections[o->strtab];
	*name = "";
	if (index >= o->nsymbols)
		return false;
	memcpy(out, o->sections[o->symtab].data + (size_t)index * sizeof *out, sizeof *out);
	if (out->st_name < strings->head.sh_size) {
		const char *s = (const char *)strings->data + out->st_name;
		if (memchr(s, 0, strings->head.sh_size - out->st_name) && is_printable(s))
			*name = s;
	}
	return true;
}

bool cubin_is_kernel(const struct wl_object *o, uint32_t section)
{
	const struct cubin_section *s = &o->sections[section];
	uint32_t symbol = s->head.sh_info & 0xffffff;
	const char *name;
	Elf64_Sym sym;

	/* The section names a symbol. If this symbol is no function, the section with the parameters tells. */
	if (cubin_symbol(o, symbol, &sym, &name) && sym.st_shndx == section && ELF64_ST_TYPE(sym.st_info) == STT_FUNC)
		return (sym.st_other & STO_CUDA_ENTRY) != 0;
	return cubin_find(o, ".nv.constant0.", s->name + strlen(TEXT_SECTION)) != NO_SECTION;
}

bool cubin_relocation(const struct wl_object *o, uint32_t section, uint64_t i, struct cubin_relocation *out)
{
	const struct cubin_section *s = &o->sections[section];
	bool has_addend = s->head.sh_type == SHT_RELA;
	size_t bytes = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	Elf64_Rela rel = {0};

	if (i >= s->head.sh_size / bytes)
		return false;
	memcpy(&rel, s->data + i * bytes, bytes); /* a Rela begins like a Rel */
	*out = (struct cubin_relocation){.offset = rel.r_offset,
	                                 .type = ELF64_R_TYPE(rel.r_info),
	                                 .symbol = ELF64_R_SYM(rel.r_info),
	                                 .addend = rel.r_addend,
	                                 .has_addend = has_addend};
	return true;
}

void wl_object_close(struct wl_object *o)
{
	if (!o)
		return;
	elf_end(o->elf);
	free(o->sections);
	free(o->by_name);
	free(o->functions);
	free(o->sizes);
	free(o);
}

enum wl_status wl_object_open(const unsigned char *elf, size_t size, struct wl_object **out, char *why, size_t whyn)
{
	struct wl_object *o = calloc(1, sizeof *o);
	struct reader r = {o, why, whyn};
	enum wl_status status;
	*out = NULL;
	if (!o)
		return object_fail(&r, WL_ERR_NOMEM, "out of memory");
	o->bytes = elf;
	o->size = size;
	status = open_elf(&r, o);
	if (status == WL_OK)
		status = read_sections(&r, o);
	if (status == WL_OK && o->nsymbols) {
		o->sizes = calloc(o->nsymbols, sizeof *o->sizes);
		status = o->sizes ? info_read_sizes(&r, o->sizes) : object_fail(&r, WL_ERR_NOMEM, "out of memory");
	}
	if (status == WL_OK)
		*out = o;
	else
		wl_object_close(o);
	return status;
}
