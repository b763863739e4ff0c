// SPDX-License-Identifier: Apache-2.0
/* link.c -- a kernel with called functions, the module's variables and the module's constant banks. Each part gets a
 * place, then every relocation gets a value. Source: docs/spec/objects.md, "Relocations".
 *
 *   code       the kernel at 0, then functions in the order of relocations, then one word for each function missing
 *              in the object
 *   variables  .nv.global.init and .nv.global, one behind the other from the base of variables
 *   shared     places of the object: symbols already hold offsets */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "demangle.h"

enum { MAX_CODE = 1 << 28, MAX_DATA = 1 << 28, MAX_BANK = 65536, CODE_ALIGN = 128 };

enum space { SPACE_NONE, SPACE_CODE, SPACE_DATA, SPACE_BANK, SPACE_SHARED };

/* Place of a section. SPACE_NONE: the kernel does not use the section. */
struct placed {
	uint8_t space, bank;
	uint64_t at; /* address, or offset within the bank or shared memory */
};

struct link {
	const struct reader *r;
	const struct wl_object *o;
	const char *kernel;
	struct wl_program *out;
	struct placed *placed; /* [nsections] */
	uint32_t *work;        /* sections with relocations that count, in the order of discovery */
	uint32_t nwork;
	uint64_t code_bytes;
	struct wl_bases bases;
	uint32_t *external; /* symbols of functions missing in the object */
	uint32_t nexternal;
};

static const struct cubin_section *section(const struct link *l, uint32_t index)
{
	return &l->o->sections[index];
}

static enum wl_status place(struct link *l, uint32_t index, enum space space, unsigned bank, uint64_t at)
{
	l->placed[index] = (struct placed){(uint8_t)space, (uint8_t)bank, at};
	l->work[l->nwork++] = index;
	return WL_OK;
}

/* ---- parts used by the kernel ---- */

static enum wl_status place_code(struct link *l, uint32_t index)
{
	const struct cubin_section *s = section(l, index);
	uint64_t at = (l->code_bytes + CODE_ALIGN - 1) / CODE_ALIGN * CODE_ALIGN;
	if (l->placed[index].space)
		return WL_OK;
	if (s->head.sh_type != SHT_PROGBITS || s->head.sh_size == 0 || s->head.sh_size % WORD_BYTES ||
	    s->head.sh_size > MAX_CODE || at > MAX_CODE)
		return object_fail(l->r, WL_ERR_OBJECT, "object file is damaged: code of '%s' has %llu bytes",
		                   s->name + strlen(TEXT_SECTION), (unsigned long long)s->head.sh_size);
	l->code_bytes = at + s->head.sh_size;
	return place(l, index, SPACE_CODE, 0, at);
}

static enum wl_status place_data(struct link *l, const char *name)
{
	uint32_t index = cubin_find(l->o, name, "");
	const struct cubin_section *s = section(l, index);
	uint64_t align = s->head.sh_addralign, at;
	if (index == NO_SECTION || s->head.sh_size == 0)
		return WL_OK;
	if (!align || align & (align - 1) || align > 4096)
		align = 256;
	at = (l->out->data_bytes + align - 1) / align * align;
	if (s->head.sh_size > MAX_DATA || at > MAX_DATA)
		return object_fail(l->r, WL_ERR_OBJECT,
		                   "object file is damaged: section %s has %llu bytes, expected at most %d", name,
		                   (unsigned long long)s->head.sh_size, MAX_DATA);
	l->out->data_bytes = at + s->head.sh_size;
	return place(l, index, SPACE_DATA, 0, l->bases.data + at);
}

/* A bank of the kernel's own, or the module's. */
static enum wl_status place_bank(struct link *l, unsigned bank)
{
	char own[32], all[32];
	uint32_t index;
	snprintf(own, sizeof own, ".nv.constant%u.", bank);
	snprintf(all, sizeof all, ".nv.constant%u", bank);
	index = cubin_find(l->o, own, l->kernel);
	if (index == NO_SECTION)
		index = cubin_find(l->o, all, "");
	if (index == NO_SECTION)
		return WL_OK;
	if (!section(l, index)->data || section(l, index)->head.sh_size > MAX_BANK)
		return object_fail(l->r, WL_ERR_OBJECT, "object file is damaged: constant bank %u of '%s'", bank,
		                   l->kernel);
	return place(l, index, SPACE_BANK, bank, 0);
}

static enum wl_status place_shared(struct link *l)
{
	uint32_t index = cubin_find(l->o, ".nv.shared.", l->kernel);
	uint64_t size = section(l, index)->head.sh_size;
	if (index == NO_SECTION)
		return WL_OK;
	if (size > 1 << 20)
		return object_fail(l->r, WL_ERR_OBJECT, "object file is damaged: shared memory of '%s' has %llu bytes",
		                   l->kernel, (unsigned long long)size);
	/* before linking a symbol of shared memory holds the variable's alignment, not the place */
	if (section(l, index)->head.sh_type == SHT_CUDA_SHARED)
		return object_fail(l->r, WL_ERR_UNSUPPORTED,
		                   "object is not linked: the variables of '%s' in shared memory have no places yet: "
		                   "link it first (nvlink)",
		                   l->kernel);
	l->out->shared_bytes = (uint32_t)size;
	l->placed[index] = (struct placed){.space = SPACE_SHARED};
	return WL_OK;
}

static bool is_weak_offset(const Elf64_Sym *sym, const char *name)
{
	/* of tables made only by the driver: without the tables the offsets are 0 */
	return ELF64_ST_BIND(sym->st_info) == STB_WEAK || strncmp(name, ".nv.", 4) == 0;
}

static bool is_runtime(const char *name)
{
	static const char *const names[] = {
#define DRIVER_FUNCTION(name) name,
#include "driver_functions.def"
#undef DRIVER_FUNCTION
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "__cuda", 6) == 0 || strncmp(name, "cuda", 4) == 0;
}

/* Index of the function's word behind the code. */
static uint32_t external_of(struct link *l, uint32_t symbol)
{
	uint32_t i = 0;
	while (i < l->nexternal && l->external[i] != symbol)
		i++;
	if (i == l->nexternal)
		l->external[l->nexternal++] = symbol;
	return i;
}

/* Places the code named by a relocation. */
static enum wl_status follow(struct link *l, const struct cubin_relocation *rel)
{
	const char *name;
	Elf64_Sym sym;

	if (!cubin_symbol(l->o, rel->symbol, &sym, &name))
		return object_fail(l->r, WL_ERR_OBJECT,
		                   "object file is damaged: relocation for symbol %u (there are %u)", rel->symbol,
		                   l->o->nsymbols);
	if (sym.st_shndx == SHN_UNDEF) {
		if (ELF64_ST_TYPE(sym.st_info) != STT_FUNC)
			return WL_OK;
		if (l->o->relocatable && !is_runtime(name))
			return object_fail(
			        l->r, WL_ERR_UNSUPPORTED,
			        "kernel '%s' uses '%s', which another object holds: link them first (nvlink)",
			        l->kernel, name);
		external_of(l, rel->symbol);
		return WL_OK;
	}
	if (sym.st_shndx >= l->o->nsections)
		return WL_OK;
	if (strncmp(section(l, sym.st_shndx)->name, TEXT_SECTION, strlen(TEXT_SECTION)) == 0)
		return place_code(l, sym.st_shndx);
	return WL_OK;
}

static enum wl_status follow_all(struct link *l, uint32_t index)
{
	enum wl_status status = WL_OK;
	struct cubin_relocation rel;
	for (uint32_t s = section(l, index)->relocations; s && status == WL_OK; s = section(l, s)->more)
		for (uint64_t i = 0; status == WL_OK && cubin_relocation(l->o, s, i, &rel); i++)
			status = follow(l, &rel);
	return status;
}

/* Variables keep addresses of functions from kernel to kernel. So each function has a single place for all kernels of
 * the object, behind the room of the largest kernel. Functions missing in the object have such places, too. */
static enum wl_status place_functions(struct link *l)
{
	enum wl_status status = WL_OK;
	const char *name;
	Elf64_Sym sym;
	for (uint32_t i = 0; i < l->o->nfunctions; i++) {
		const uint64_t bytes = section(l, l->o->functions[i])->head.sh_size;
		if (cubin_is_kernel(l->o, l->o->functions[i]) && bytes <= MAX_CODE && bytes > l->code_bytes)
			l->code_bytes = bytes;
	}
	for (uint32_t i = 0; i < l->o->nfunctions && status == WL_OK; i++)
		if (!cubin_is_kernel(l->o, l->o->functions[i]))
			status = place_code(l, l->o->functions[i]);
	for (uint32_t i = 0; cubin_symbol(l->o, i, &sym, &name); i++)
		if (sym.st_shndx == SHN_UNDEF && ELF64_ST_TYPE(sym.st_info) == STT_FUNC)
			external_of(l, i);
	return status;
}

static enum wl_status place_all(struct link *l, uint32_t text)
{
	enum wl_status status = text ? place_code(l, text) : WL_OK;
	if (status == WL_OK && l->bases.functions)
		status = place_functions(l);
	if (status == WL_OK)
		status = place_data(l, ".nv.global.init");
	if (status == WL_OK)
		status = place_data(l, ".nv.global");
	if (status == WL_OK)
		status = place_shared(l);
	for (unsigned bank = 1; status == WL_OK && bank < 8; bank++)
		if (text || bank == 3 || l->bases.functions) /* the other banks are of code */
			status = place_bank(l, bank);
	for (uint32_t i = 0; status == WL_OK && i < l->nwork; i++)
		status = follow_all(l, l->work[i]);
	return status;
}

/* ---- bytes of the parts ---- */

static unsigned char *place_of(const struct link *l, uint32_t index)
{
	const struct placed *p = &l->placed[index];
	switch (p->space) {
	case SPACE_CODE:
		return (unsigned char *)l->out->words + p->at;
	case SPACE_DATA:
		return l->out->data + (p->at - l->bases.data);
	case SPACE_BANK:
		return l->out->cbank[p->bank];
	default:
		return NULL;
	}
}

static enum wl_status copy_all(struct link *l)
{
	struct wl_program *out = l->out;
	uint64_t words = l->code_bytes / WORD_BYTES + l->nexternal;
	out->ninst = (uint32_t)words;
	out->words = calloc(words, sizeof *out->words);
	out->insts = calloc(words, sizeof *out->insts);
	out->data = calloc(1, out->data_bytes ? out->data_bytes : 1);
	if (!out->words || !out->insts || !out->data)
		return object_fail(l->r, WL_ERR_NOMEM, "out of memory");
	for (uint32_t i = 0; i < l->nwork; i++) {
		const struct cubin_section *s = section(l, l->work[i]);
		const struct placed *p = &l->placed[l->work[i]];
		if (p->space == SPACE_BANK) {
			out->cbank[p->bank] = malloc(s->head.sh_size ? s->head.sh_size : 1);
			out->cbank_bytes[p->bank] = (uint32_t)s->head.sh_size;
			if (!out->cbank[p->bank])
				return object_fail(l->r, WL_ERR_NOMEM, "out of memory");
		}
		if (s->data)
			memcpy(place_of(l, l->work[i]), s->data, s->head.sh_size);
	}
	return WL_OK;
}

/* ---- relocations ---- */

static enum wl_status unresolved(const struct link *l, const char *name)
{
	return object_fail(l->r, WL_ERR_UNSUPPORTED, "kernel '%s' uses '%s', which %s", l->kernel, name,
	                   l->o->relocatable ? "the linker of device code places: link it first (nvlink)"
	                                     : "the object does not hold");
}

static enum wl_status value_of(struct link *l, const struct cubin_relocation *rel, const struct reloc_kind *k,
                               uint64_t *value)
{
	const struct placed *p;
	const char *name;
	Elf64_Sym sym;

	cubin_symbol(l->o, rel->symbol, &sym, &name); /* follow() has checked the symbol */
	if (sym.st_shndx == SHN_UNDEF && ELF64_ST_TYPE(sym.st_info) == STT_FUNC) {
		*value = l->code_bytes + WORD_BYTES * (uint64_t)external_of(l, rel->symbol);
		return WL_OK;
	}
	if (sym.st_shndx == SHN_ABS || (sym.st_shndx == SHN_UNDEF && is_weak_offset(&sym, name))) {
		*value = sym.st_value;
		return WL_OK;
	}
	if (sym.st_shndx >= l->o->nsections || sym.st_shndx == SHN_UNDEF)
		return unresolved(l, name);
	p = &l->placed[sym.st_shndx];
	if (p->space == SPACE_NONE)
		return unresolved(l, *name ? name : section(l, sym.st_shndx)->name);
	*value = p->at + sym.st_value;
	if (k->what == RELOC_GENERIC && p->space == SPACE_SHARED)
		*value += WL_SHARED_WINDOW;
	if (k->what == RELOC_GENERIC && p->space == SPACE_BANK) {
		if (p->bank != 3)
			return object_fail(l->r, WL_ERR_UNSUPPORTED,
			                   "kernel '%s' takes the generic address of '%s' in constant bank %u, only "
			                   "bank 3 has one",
			                   l->kernel, name, p->bank);
		*value += l->bases.constants;
	}
	if (k->what == RELOC_CONSTANT) {
		if (p->space != SPACE_BANK)
			return object_fail(l->r, WL_ERR_OBJECT,
			                   "object file is damaged: %s relocation for '%s', which is no constant",
			                   k->name, name);
		*value += (uint64_t)p->bank << 16;
	}
	return WL_OK;
}

static enum wl_status relocate(struct link *l, uint32_t index, const struct cubin_relocation *rel)
{
	const struct cubin_section *s = section(l, index);
	const struct reloc_kind *k = reloc_kind(rel->type);
	unsigned char *place;
	uint64_t value = 0, there = 0;
	enum wl_status status;
	if (!k || !k->bytes)
		return object_fail(l->r, WL_ERR_UNSUPPORTED, "relocation %s (%u) at 0x%llx of section %s is not built",
		                   k ? k->name : "of an unknown kind", rel->type, (unsigned long long)rel->offset,
		                   s->name);
	if (rel->offset > s->head.sh_size || s->head.sh_size - rel->offset < k->bytes ||
	    (k->bytes == WORD_BYTES && rel->offset % WORD_BYTES) || !s->data)
		return object_fail(
		        l->r, WL_ERR_OBJECT,
		        "object file is damaged: relocation %s at 0x%llx of section %s, which has %llu bytes", k->name,
		        (unsigned long long)rel->offset, s->name, (unsigned long long)s->head.sh_size);
	place = place_of(l, index) + rel->offset;
	status = value_of(l, rel, k, &value);
	if (status != WL_OK)
		return status;
	if (!rel->has_addend && (k->bytes == 4 || k->bytes == 8))
		memcpy(&there, place, k->bytes);
	value += (uint64_t)rel->addend + there;
	if (!reloc_put(k, value, place))
		return object_fail(l->r, WL_ERR_OBJECT,
		                   "relocation %s at 0x%llx of section %s: value 0x%llx does not fit", k->name,
		                   (unsigned long long)rel->offset, s->name, (unsigned long long)value);
	return WL_OK;
}

static enum wl_status relocate_all(struct link *l)
{
	enum wl_status status = WL_OK;
	struct cubin_relocation rel;
	for (uint32_t w = 0; w < l->nwork; w++)
		for (uint32_t s = section(l, l->work[w])->relocations; s; s = section(l, s)->more)
			for (uint64_t i = 0; cubin_relocation(l->o, s, i, &rel); i++) {
				status = relocate(l, l->work[w], &rel);
				if (status != WL_OK)
					return status;
			}
	return status;
}

/* ---- names of places in the code ---- */

static bool add_function(struct wl_program *out, const char *name, uint64_t first, uint64_t count, bool external)
{
	struct wl_function *f = &out->functions[out->nfunctions];
	if (first >= out->ninst)
		return true;
	if (count > out->ninst - first)
		count = out->ninst - first;
	*f = (struct wl_function){strdup(name), (uint32_t)first, (uint32_t)count, external};
	out->nfunctions += f->name != NULL;
	return f->name != NULL;
}

/* First functions with a section, then functions within a section, then functions missing in the object. */
static enum wl_status name_functions(struct link *l)
{
	struct wl_program *out = l->out;
	bool good = true;
	const char *name;
	Elf64_Sym sym;

	out->functions = calloc((size_t)l->nwork + l->o->nsymbols + l->nexternal, sizeof *out->functions);
	if (!out->functions)
		return object_fail(l->r, WL_ERR_NOMEM, "out of memory");
	for (uint32_t i = 0; good && i < l->nwork; i++) {
		const struct cubin_section *s = section(l, l->work[i]);
		if (l->placed[l->work[i]].space == SPACE_CODE)
			good = add_function(out, s->name + strlen(TEXT_SECTION), l->placed[l->work[i]].at / WORD_BYTES,
			                    s->head.sh_size / WORD_BYTES, false);
	}
	for (uint32_t i = 0; good && cubin_symbol(l->o, i, &sym, &name); i++)
		if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value && sym.st_shndx < l->o->nsections && *name &&
		    l->placed[sym.st_shndx].space == SPACE_CODE &&
		    sym.st_value < section(l, sym.st_shndx)->head.sh_size)
			good = add_function(out, name, (l->placed[sym.st_shndx].at + sym.st_value) / WORD_BYTES,
			                    sym.st_size / WORD_BYTES, false);
	for (uint32_t i = 0; good && i < l->nexternal; i++) {
		cubin_symbol(l->o, l->external[i], &sym, &name);
		good = add_function(out, name, l->code_bytes / WORD_BYTES + i, 1, true);
	}
	return good ? WL_OK : object_fail(l->r, WL_ERR_NOMEM, "out of memory");
}

static char *shown_name(const char *name)
{
	char text[400];
	demangle_variable(name, text, sizeof text);
	return strdup(text);
}

/* Names of variables of shared memory, as left by wlcc and ptxas -g. */
static enum wl_status name_shared(struct link *l)
{
	const uint32_t section = cubin_find(l->o, ".nv.shared.", l->kernel);
	struct wl_program *out = l->out;
	const char *name;
	Elf64_Sym sym;
	if (section == NO_SECTION)
		return WL_OK;
	out->shared = calloc((size_t)l->o->nsymbols + 1, sizeof *out->shared);
	for (uint32_t i = 0; out->shared && cubin_symbol(l->o, i, &sym, &name); i++) {
		struct wl_shared_var *v = &out->shared[out->nshared];
		if (ELF64_ST_TYPE(sym.st_info) != STT_OBJECT || sym.st_shndx != section || !*name ||
		    sym.st_size > 1 << 20)
			continue;
		*v = (struct wl_shared_var){strdup(name), shown_name(name), (uint32_t)sym.st_value,
		                            (uint32_t)sym.st_size};
		if (!v->name || !v->shown) {
			free(v->name), free(v->shown);
			break;
		}
		out->nshared++;
	}
	return out->shared ? WL_OK : object_fail(l->r, WL_ERR_NOMEM, "out of memory");
}

static enum wl_status name_globals(struct link *l)
{
	struct wl_program *out = l->out;
	const char *name;
	Elf64_Sym sym;
	out->globals = calloc((size_t)l->o->nsymbols + 1, sizeof *out->globals);
	for (uint32_t i = 0; out->globals && cubin_symbol(l->o, i, &sym, &name); i++) {
		if (ELF64_ST_TYPE(sym.st_info) != STT_OBJECT || sym.st_shndx >= l->o->nsections || !*name)
			continue;
		const struct placed *p = &l->placed[sym.st_shndx];
		const bool constant = p->space == SPACE_BANK && p->bank == 3;
		if (p->space != SPACE_DATA && !constant)
			continue;
		struct wl_global_var *v = &out->globals[out->nglobals];
		*v = (struct wl_global_var){strdup(name), shown_name(name),
		                            (constant ? l->bases.constants : p->at) + sym.st_value, sym.st_size,
		                            (sym.st_other & STO_CUDA_MANAGED) == STO_CUDA_MANAGED};
		if (!v->name || !v->shown) {
			free(v->name), free(v->shown);
			break;
		}
		out->nglobals++;
	}
	return out->globals ? WL_OK : object_fail(l->r, WL_ERR_NOMEM, "out of memory");
}

/* Unaligned barriers of every placed function. */
static enum wl_status note_loose(struct link *l)
{
	enum wl_status status = WL_OK;
	for (uint32_t i = 0; status == WL_OK && i < l->nwork; i++)
		if (l->placed[l->work[i]].space == SPACE_CODE)
			status = info_read_loose(l->r, section(l, l->work[i])->name + strlen(TEXT_SECTION),
			                         (uint32_t)(l->placed[l->work[i]].at / WORD_BYTES), l->out);
	return status;
}

bool wl_object_keeps_functions(const struct wl_object *o)
{
	struct cubin_relocation rel;
	for (uint32_t i = 1; i < o->nsections; i++) {
		const bool code = strncmp(o->sections[i].name, TEXT_SECTION, strlen(TEXT_SECTION)) == 0;
		if (!(o->sections[i].head.sh_flags & SHF_ALLOC))
			continue;
		for (uint32_t s = o->sections[i].relocations; s; s = o->sections[s].more)
			for (uint64_t k = 0; cubin_relocation(o, s, k, &rel); k++) {
				const struct reloc_kind *kind = reloc_kind(rel.type);
				const char *name;
				Elf64_Sym sym;
				if (cubin_symbol(o, rel.symbol, &sym, &name) &&
				    ELF64_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF &&
				    (!code || (kind && strncmp(kind->name, "R_CUDA_FUNC_DESC", 16) == 0)))
					return true;
			}
	}
	return false;
}

enum wl_status link_kernel(const struct reader *r, uint32_t text, const struct wl_bases *bases, struct wl_program *out)
{
	static const struct wl_bases usual = {WL_MODULE_BASE, WL_CONST_BASE, false};
	struct link l = {.r = r, .o = r->o, .kernel = "", .out = out, .bases = bases ? *bases : usual};
	enum wl_status status = WL_OK;
	if (text)
		l.kernel = r->o->sections[text].name + strlen(TEXT_SECTION);
	out->constants_at = l.bases.constants;
	l.placed = calloc(l.o->nsections, sizeof *l.placed);
	l.work = calloc(l.o->nsections, sizeof *l.work);
	l.external = calloc(l.o->nsymbols + 1, sizeof *l.external);
	if (!l.placed || !l.work || !l.external)
		status = object_fail(r, WL_ERR_NOMEM, "out of memory");
	if (status == WL_OK)
		status = place_all(&l, text);
	if (status == WL_OK)
		status = copy_all(&l);
	if (status == WL_OK)
		status = relocate_all(&l);
	if (status == WL_OK)
		status = name_functions(&l);
	if (status == WL_OK)
		status = name_shared(&l);
	if (status == WL_OK)
		status = note_loose(&l);
	if (status == WL_OK)
		status = name_globals(&l);
	free(l.placed);
	free(l.work);
	free(l.external);
	return status;
}
