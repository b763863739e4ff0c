// SPDX-License-Identifier: Apache-2.0
/* elf_read.c -- the object loader: a kernel of an opened object becomes an executable program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"

/* The lines of a single function, of `count` words from `first` on. */
static enum wl_status read_lines_of(const struct reader *r, const struct wl_function *f, struct wl_program *out)
{
	uint32_t section = cubin_find(r->o, LINES_SECTION, f->name), version = 0, count = 0;
	const struct cubin_section *s = &r->o->sections[section];
	const unsigned char *p = s->data;
	if (section == NO_SECTION || f->external)
		return WL_OK;
	if (s->head.sh_type == SHT_PROGBITS && s->head.sh_size >= 8) {
		memcpy(&version, p, 4);
		memcpy(&count, p + 4, 4);
	}
	if (version != 1 || count != f->count || s->head.sh_size < 8 + 4 * (uint64_t)count + 1 ||
	    p[s->head.sh_size - 1] != 0)
		return object_fail(r, WL_ERR_OBJECT, "object file is damaged: bad line table of '%s'", f->name);
	if (!out->lines)
		out->lines = calloc(out->ninst, 4);
	if (!out->source)
		out->source = strdup((const char *)p + 8 + 4 * (size_t)count);
	if (!out->lines || !out->source)
		return object_fail(r, WL_ERR_NOMEM, "out of memory");
	memcpy(out->lines + f->first, p + 8, 4 * (size_t)count);
	return WL_OK;
}

static enum wl_status read_lines(const struct reader *r, struct wl_program *out)
{
	enum wl_status status = WL_OK;
	for (uint32_t i = 0; i < out->nfunctions && status == WL_OK; i++)
		status = read_lines_of(r, &out->functions[i], out);
	return status;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void own_sizes(const struct wl_object *o, const struct cubin_section *text, struct wl_program *out)
{
	uint32_t symbol = text->head.sh_info & 0xffffff;
	out->regs = text->head.sh_info >> 24;
	if (symbol < o->nsymbols) {
		out->regs = larger(out->regs, o->sizes[symbol].regs);
		out->local_bytes = larger(o->sizes[symbol].stack, o->sizes[symbol].frame);
	}
}

/* Frames named by the records for functions inside the kernel's own section. ptxas makes such functions of `static` and
 * __noinline__ functions. */
static uint32_t inner_frames(const struct wl_object *o, const struct cubin_section *text)
{
	const uint32_t kernel = text->head.sh_info & 0xffffff;
	uint32_t frames = 0;
	Elf64_Sym sym;
	const char *name;
	for (uint32_t i = 0; i < o->nsymbols && frames < FRAMES_MOST; i++)
		if (i != kernel && o->sizes[i].frame && cubin_symbol(o, i, &sym, &name) &&
		    &o->sections[sym.st_shndx < o->nsections ? sym.st_shndx : 0] == text)
			frames += o->sizes[i].frame;
	return frames;
}

static bool calls_within(const struct wl_program *p)
{
	for (uint32_t i = 0; i < p->ninst; i++)
		if (wl_uop_has((enum wl_uop)p->insts[i].uop, WL_TRAIT(CALLS)))
			return true;
	return false;
}

/* Registers and stack: records of the kernel's symbol and of the functions callable from the kernel. */
static void read_sizes(const struct wl_object *o, const struct cubin_section *text, struct wl_program *out)
{
	const uint32_t kernel = text->head.sh_info & 0xffffff;
	const bool unbounded = kernel < o->nsymbols && o->sizes[kernel].unbounded;
	uint32_t frames = 0;
	own_sizes(o, text, out);
	for (uint32_t i = 1; i < out->nfunctions; i++) {
		const struct wl_function *f = &out->functions[i];
		uint32_t section = f->external ? NO_SECTION : cubin_find(o, TEXT_SECTION, f->name);
		if (section == NO_SECTION)
			continue;
		uint32_t symbol = o->sections[section].head.sh_info & 0xffffff;
		out->regs = larger(out->regs, symbol < o->nsymbols ? o->sizes[symbol].regs : 0);
		if (symbol < o->nsymbols && frames < FRAMES_MOST)
			frames += o->sizes[symbol].frame;
	}
	/* The stack lies below the kernel's frame. If the object cannot tell the depth, each function counts once, too.
	 * Functions inside the kernel's section always count: ptxas 12.9 and 13 do not mark an unknown depth there. */
	if (calls_within(out) || unbounded)
		out->local_bytes += STACK_LIMIT + inner_frames(o, text) + (unbounded ? frames : 0);
}

/* Code of alloca computes the stack pointer, R1, from other registers than itself. */
static bool moves_stack(const struct wl_inst *in)
{
	const struct wl_uop_traits *t = wl_uop_traits((enum wl_uop)in->uop);
	const uint8_t reg[3] = {in->ra, in->rb, in->rc};
	bool moved = false;
	for (unsigned i = 0; i < 3; i++)
		if (t->by_kind >> i & 1)
			moved |= (in->src[i] == WL_SRC_REG && reg[i] != STACK_POINTER && reg[i] != WL_RZ) ||
			         in->src[i] == WL_SRC_UREG;
	return t->width[WL_REG_RD] && in->rd == STACK_POINTER && moved;
}

/* A word with another meaning than on the other chips of the architecture: sm_100 ignores bit 80 of MUFU, on sm_103 the
 * bit is .BF16x2. Source: nvdisasm 13.0, --binary SM103. */
static bool is_of_chip_alone(const struct wl_object *o, struct wl_word w, const struct wl_inst *in)
{
	return o->chip == 103 && in->uop == WL_UOP_MUFU && (w.hi >> 16 & 1);
}

static enum wl_status load_kernel(const struct reader *r, uint32_t section, const struct wl_bases *bases,
                                  struct wl_program *out)
{
	const struct cubin_section *text = &r->o->sections[section];
	const char *kernel = text->name + strlen(TEXT_SECTION);
	enum wl_status status;
	snprintf(out->name, sizeof out->name, "%s", kernel);
	out->arch = r->o->arch;
	status = link_kernel(r, section, bases, out);
	if (status == WL_OK)
		status = info_read_kernel(r, kernel, out);
	if (status == WL_OK)
		status = read_lines(r, out);
	if (status != WL_OK)
		return status;
	for (uint32_t i = 0; i < out->ninst; i++)
		if (wl_decode(out->arch, out->words[i], &out->insts[i]) != WL_OK ||
		    is_of_chip_alone(r->o, out->words[i], &out->insts[i]))
			out->insts[i] = wl_inst_make(WL_UOP_UNMODELLED);
	read_sizes(r->o, text, out);
	for (uint32_t i = 0; i < out->ninst; i++)
		if (moves_stack(&out->insts[i]))
			out->local_bytes = larger(out->local_bytes, STACK_LIMIT);
	return WL_OK;
}

/* ": name one of a, b" of an object with several kernels. */
static const char *kernel_names(const struct wl_object *o, char *to, size_t size)
{
	size_t at = (size_t)snprintf(to, size, ": name one of");
	for (uint32_t i = 0, n = 0; i < o->nfunctions; i++) {
		if (!cubin_is_kernel(o, o->functions[i]))
			continue;
		const char *name = o->sections[o->functions[i]].name + strlen(TEXT_SECTION);
		if (at + strlen(name) + sizeof ", ..." + 2 > size) {
			snprintf(to + at, size - at, "%s ...", n ? "," : "");
			break;
		}
		at += (size_t)sprintf(to + at, "%s %s", n++ ? "," : "", name);
	}
	return to;
}

/* The code section of `entry`, or of the only kernel when `entry` is NULL. */
static enum wl_status find_kernel(const struct reader *r, const char *entry, uint32_t *text)
{
	const struct wl_object *o = r->o;
	unsigned kernels = 0;
	char names[160];
	uint32_t named = entry ? cubin_find(o, TEXT_SECTION, entry) : NO_SECTION;
	for (uint32_t i = 0; i < o->nfunctions; i++)
		if (cubin_is_kernel(o, o->functions[i])) {
			*text = o->functions[i];
			kernels++;
		}
	if (!kernels)
		return object_fail(r, WL_ERR_NO_ENTRY, "object holds no kernel");
	if (entry && (named == NO_SECTION || !cubin_is_kernel(o, named)))
		return object_fail(r, WL_ERR_NO_ENTRY, "object holds no kernel '%s'%s", entry,
		                   named == NO_SECTION ? "" : " (it is a function that kernels call)");
	if (!entry && kernels > 1)
		return object_fail(r, WL_ERR_AMBIGUOUS, "object holds %u kernels%s", kernels,
		                   kernel_names(o, names, sizeof names));
	if (entry)
		*text = named;
	return WL_OK;
}

enum wl_status wl_object_program_at(const struct wl_object *o, const char *entry, const struct wl_bases *bases,
                                    struct wl_program *out, char *why, size_t whyn)
{
	struct reader r = {o, why, whyn};
	uint32_t text = NO_SECTION;
	enum wl_status status;
	memset(out, 0, sizeof *out);
	status = find_kernel(&r, entry, &text);
	if (status == WL_OK)
		status = load_kernel(&r, text, bases, out);
	if (status != WL_OK)
		wl_program_free(out);
	return status;
}

enum wl_status wl_object_program(const struct wl_object *o, const char *entry, struct wl_program *out, char *why,
                                 size_t whyn)
{
	return wl_object_program_at(o, entry, NULL, out, why, whyn);
}

enum wl_status wl_object_variables(const struct wl_object *o, const struct wl_bases *bases, struct wl_program *out,
                                   char *why, size_t whyn)
{
	struct reader r = {o, why, whyn};
	memset(out, 0, sizeof *out);
	out->arch = o->arch;
	const enum wl_status status = link_kernel(&r, NO_SECTION, bases, out);
	if (status != WL_OK)
		wl_program_free(out);
	return status;
}

enum wl_status wl_object_load(const unsigned char *elf, size_t size, const char *entry, struct wl_program *out,
                              char *why, size_t whyn)
{
	struct wl_object *o;
	enum wl_status status = wl_object_open(elf, size, &o, why, whyn);
	memset(out, 0, sizeof *out);
	if (status == WL_OK)
		status = wl_object_program(o, entry, out, why, whyn);
	wl_object_close(o);
	return status;
}

enum wl_status wl_object_kernels(const unsigned char *elf, size_t size, void (*name)(void *self, const char *kernel),
                                 void *self, char *why, size_t whyn)
{
	struct wl_object *o;
	enum wl_status status = wl_object_open(elf, size, &o, why, whyn);
	for (uint32_t i = 0; status == WL_OK && i < o->nfunctions; i++)
		if (cubin_is_kernel(o, o->functions[i]))
			name(self, o->sections[o->functions[i]].name + strlen(TEXT_SECTION));
	wl_object_close(o);
	return status;
}

/* ---- contents of an object, unchanged ---- */

enum wl_arch wl_object_arch(const struct wl_object *o)
{
	return o->arch;
}

unsigned wl_object_chip(const struct wl_object *o)
{
	return o->chip;
}

bool wl_object_code(const struct wl_object *o, uint32_t i, struct wl_code *out)
{
	const struct cubin_section *s;
	if (i >= o->nfunctions)
		return false;
	s = &o->sections[o->functions[i]];
	*out = (struct wl_code){.name = s->name + strlen(TEXT_SECTION),
	                        .kernel = cubin_is_kernel(o, o->functions[i]),
	                        .bytes = s->data,
	                        .nwords = s->data ? (uint32_t)(s->head.sh_size / WORD_BYTES) : 0,
	                        .section = o->functions[i]};
	return true;
}

enum wl_status wl_object_resources(const struct wl_object *o, const struct wl_code *code, struct wl_program *out,
                                   char *why, size_t whyn)
{
	struct reader r = {o, why, whyn};
	uint32_t shared = cubin_find(o, ".nv.shared.", code->name);
	memset(out, 0, sizeof *out);
	snprintf(out->name, sizeof out->name, "%s", code->name);
	out->arch = o->arch;
	out->ninst = code->nwords;
	out->shared_bytes = shared == NO_SECTION ? 0 : (uint32_t)o->sections[shared].head.sh_size;
	own_sizes(o, &o->sections[code->section], out);
	const enum wl_status status = code->kernel ? info_read_kernel(&r, code->name, out) : WL_OK;
	free(out->params);
	out->params = NULL;
	return status;
}

void wl_object_sections(const struct wl_object *o,
                        void (*section)(void *self, uint32_t section, const char *name, uint64_t bytes), void *self)
{
	for (uint32_t i = 1; i < o->nsections; i++) {
		const struct cubin_section *s = &o->sections[i];
		if (s->head.sh_flags & SHF_ALLOC && !(s->head.sh_flags & SHF_EXECINSTR))
			section(self, i, s->name, s->head.sh_size);
	}
}

void wl_object_labels(const struct wl_object *o,
                      void (*label)(void *self, uint32_t section, uint64_t offset, const char *name), void *self)
{
	const char *name;
	Elf64_Sym sym;

	for (uint32_t i = 0; cubin_symbol(o, i, &sym, &name); i++)
		if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value && *name)
			label(self, sym.st_shndx, sym.st_value, name);
}

/* In the order of the file. */
void wl_object_relocations(const struct wl_object *o, uint32_t section,
                           void (*relocation)(void *self, uint64_t offset, const char *text), void *self)
{
	struct cubin_relocation rel;
	for (uint32_t s = o->sections[section].relocations; s; s = o->sections[s].more)
		for (uint64_t i = 0; cubin_relocation(o, s, i, &rel); i++) {
			const struct reloc_kind *k = reloc_kind(rel.type);
			char text[400], kind[40], number[40];
			const char *name;
			Elf64_Sym sym;

			snprintf(kind, sizeof kind, "relocation %u", rel.type);
			if (!cubin_symbol(o, rel.symbol, &sym, &name) || !*name) {
				snprintf(number, sizeof number, "symbol %u", rel.symbol);
				name = number;
			}
			int n = snprintf(text, sizeof text, "%s %.300s", k ? k->name : kind, name);
			if (rel.addend && n > 0 && (size_t)n < sizeof text)
				snprintf(text + n, sizeof text - (size_t)n, " + 0x%llx",
				         (unsigned long long)rel.addend);
			relocation(self, rel.offset, text);
		}
}
