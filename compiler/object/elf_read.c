// SPDX-License-Identifier: Apache-2.0
/* elf_read.c -- the object loader. Nothing in the file is believed: every offset, size and index is tested before it
 * is used, and what does not fit gives one line that says so. */
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

enum { MaxSections = 65535, MaxCode = 1 << 28, WordBytes = 16 };

struct reader {
	const unsigned char *elf;
	size_t size;
	unsigned nsh, names;
	uint64_t shoff;
	enum wl_arch arch;
	char *why;
	size_t whyn;
};

static enum wl_status fail(struct reader *r, enum wl_status status, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
static enum wl_status fail(struct reader *r, enum wl_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (r->why && r->whyn)
		vsnprintf(r->why, r->whyn, fmt, ap);
	va_end(ap);
	return status;
}

static Elf64_Shdr section(const struct reader *r, unsigned i)
{
	Elf64_Shdr s;

	memcpy(&s, r->elf + r->shoff + (uint64_t)i * sizeof s, sizeof s);
	return s;
}

static bool in_file(const struct reader *r, uint64_t offset, uint64_t size)
{
	return offset <= r->size && size <= r->size - offset;
}

/* A name of a string table; "" where the index is wrong. */
static const char *string_at(const struct reader *r, const Elf64_Shdr *table, uint64_t at)
{
	const unsigned char *s = r->elf + table->sh_offset;

	if (at >= table->sh_size || !memchr(s + at, 0, table->sh_size - at))
		return "";
	return (const char *)s + at;
}

static const char *section_name(const struct reader *r, const Elf64_Shdr *s)
{
	Elf64_Shdr names = section(r, r->names);

	return string_at(r, &names, s->sh_name);
}

static const char *after_prefix(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

static enum wl_status check_arch(struct reader *r, uint32_t flags)
{
	unsigned sm = flags >> 8 & 0xff;

	r->arch = (enum wl_arch)sm;
	if (sm != WL_SM75)
		return fail(r, WL_ERR_UNSUPPORTED,
		            "object is for sm_%u: found %u, expected 75 (others are not built yet)", sm, sm);
	return WL_OK;
}

static enum wl_status open_elf(struct reader *r)
{
	Elf64_Ehdr h;

	if (r->size < sizeof h || memcmp(r->elf, ELFMAG, SELFMAG) != 0)
		return fail(r, WL_ERR_OBJECT, "not an object file: no ELF header");
	memcpy(&h, r->elf, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB)
		return fail(r, WL_ERR_OBJECT, "not a 64-bit little-endian object file");
	if (h.e_machine != EM_CUDA_MACHINE)
		return fail(r, WL_ERR_OBJECT, "object is for another machine: found ELF machine %u, expected %u",
		            h.e_machine, EM_CUDA_MACHINE);
	if (h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shnum == 0 ||
	    !in_file(r, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr)))
		return fail(r, WL_ERR_OBJECT, "object file is cut or damaged: its section headers lie outside");
	r->nsh = h.e_shnum;
	r->shoff = h.e_shoff;
	r->names = h.e_shstrndx;
	if (r->names >= r->nsh)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	for (unsigned i = 0; i < r->nsh; i++) {
		Elf64_Shdr s = section(r, i);

		if (s.sh_type != SHT_NULL && s.sh_type != SHT_NOBITS && !in_file(r, s.sh_offset, s.sh_size))
			return fail(r, WL_ERR_OBJECT, "object file is cut or damaged: section %u lies outside", i);
	}
	if (section(r, r->names).sh_type != SHT_STRTAB)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	return check_arch(r, h.e_flags);
}

static bool find_section(const struct reader *r, const char *prefix, const char *kernel, Elf64_Shdr *out)
{
	for (unsigned i = 1; i < r->nsh; i++) {
		const char *rest;

		*out = section(r, i);
		rest = after_prefix(section_name(r, out), prefix);
		if (rest && strcmp(rest, kernel) == 0)
			return true;
	}
	return false;
}

/* ---- .nv.info records ---- */

struct record {
	unsigned format, attribute;
	uint32_t value; /* of the short formats */
	const unsigned char *payload;
	uint32_t size;
};

static bool next_record(const struct reader *r, const Elf64_Shdr *s, uint64_t *at, struct record *out, bool *damaged)
{
	const unsigned char *p = r->elf + s->sh_offset + *at;
	uint64_t left = s->sh_size - *at;

	if (left < 4) {
		*damaged = left != 0;
		return false;
	}
	*out = (struct record){.format = p[0], .attribute = p[1], .value = (uint32_t)p[2] | (uint32_t)p[3] << 8};
	if (out->format < EIFMT_NONE || out->format > EIFMT_BLOCK) {
		*damaged = true;
		return false;
	}
	*at += 4;
	if (out->format == EIFMT_BLOCK) {
		out->size = out->value;
		out->payload = p + 4;
		if (out->size > left - 4) {
			*damaged = true;
			return false;
		}
		*at += out->size;
	}
	return true;
}

static uint32_t word_of(const struct record *rec, unsigned i)
{
	uint32_t v = 0;

	if (rec->size >= 4 * (i + 1))
		memcpy(&v, rec->payload + 4 * (size_t)i, 4);
	return v;
}

static enum wl_status take_param(struct reader *r, const struct record *rec, struct wl_program *out)
{
	uint32_t ordinal = word_of(rec, 1) & 0xffff, offset = word_of(rec, 1) >> 16, size = word_of(rec, 2) >> 18;

	if (rec->size != 12 || ordinal >= sizeof out->params / sizeof *out->params)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: a parameter record of %u bytes, number %u",
		            rec->size, ordinal);
	out->params[ordinal].offset = offset;
	out->params[ordinal].size = size;
	if (ordinal + 1 > out->nparams)
		out->nparams = ordinal + 1;
	return WL_OK;
}

static uint32_t product3(const struct record *rec)
{
	uint64_t n = (uint64_t)word_of(rec, 0) * word_of(rec, 1) % UINT32_MAX * word_of(rec, 2);

	return n > 1024 ? 1024 : (uint32_t)n;
}

static enum wl_status read_kernel_info(struct reader *r, const char *kernel, struct wl_program *out)
{
	Elf64_Shdr s;
	uint64_t at = 0;
	struct record rec;
	bool damaged = false;

	out->param_base = WL_CB0_PARAM_SM75;
	if (!find_section(r, ".nv.info.", kernel, &s))
		return fail(r, WL_ERR_OBJECT, "kernel '%s' has no .nv.info section", kernel);
	if (s.sh_type == SHT_NOBITS)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: empty .nv.info section of '%s'", kernel);
	while (next_record(r, &s, &at, &rec, &damaged)) {
		if (rec.attribute == EIATTR_PARAM_CBANK && rec.size == 8) {
			out->param_base = word_of(&rec, 1) & 0xffff;
			out->param_bytes = word_of(&rec, 1) >> 16;
		} else if (rec.attribute == EIATTR_KPARAM_INFO) {
			enum wl_status status = take_param(r, &rec, out);

			if (status != WL_OK)
				return status;
		} else if ((rec.attribute == EIATTR_MAX_THREADS || rec.attribute == EIATTR_REQNTID) && rec.size == 12) {
			out->max_threads = product3(&rec);
		}
	}
	if (damaged)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info of '%s'", kernel);
	if (out->param_base + (uint64_t)out->param_bytes > WL_CB0_SIZE)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: parameters of '%s' end beyond constant bank 0",
		            kernel);
	for (uint32_t i = 0; i < out->nparams; i++)
		if ((uint64_t)out->params[i].offset + out->params[i].size > out->param_bytes)
			return fail(r, WL_ERR_OBJECT, "object file is damaged: parameter %u of '%s' lies outside", i,
			            kernel);
	return WL_OK;
}

/* The frame of the kernel with that symbol stands in the records of the whole file. */
static enum wl_status read_frame(struct reader *r, uint32_t symbol, struct wl_program *out)
{
	Elf64_Shdr s;
	uint64_t at = 0;
	struct record rec;
	bool damaged = false;

	if (!find_section(r, ".nv.info", "", &s) || s.sh_type == SHT_NOBITS)
		return WL_OK;
	while (next_record(r, &s, &at, &rec, &damaged))
		if (rec.attribute == EIATTR_MIN_STACK_SIZE && word_of(&rec, 0) == symbol && rec.size == 8)
			out->local_bytes = word_of(&rec, 1);
	if (damaged)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info");
	if (out->local_bytes > 1u << 19)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: a frame of %u bytes", out->local_bytes);
	return WL_OK;
}

/* ---- code ---- */

static enum wl_status read_code(struct reader *r, const Elf64_Shdr *s, const char *kernel, struct wl_program *out)
{
	if (s->sh_type != SHT_PROGBITS || s->sh_size == 0 || s->sh_size % WordBytes || s->sh_size > MaxCode)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: code of '%s' has %llu bytes", kernel,
		            (unsigned long long)s->sh_size);
	out->ninst = (uint32_t)(s->sh_size / WordBytes);
	out->words = malloc(out->ninst * sizeof *out->words);
	out->insts = calloc(out->ninst, sizeof *out->insts);
	if (!out->words || !out->insts)
		return fail(r, WL_ERR_NOMEM, "out of memory");
	memcpy(out->words, r->elf + s->sh_offset, s->sh_size);
	for (uint32_t i = 0; i < out->ninst; i++)
		if (wl_decode(out->arch, out->words[i], &out->insts[i]) != WL_OK)
			out->insts[i] = wl_inst_make(WL_UOP_UNMODELLED);
	return WL_OK;
}

static enum wl_status read_lines(struct reader *r, const char *kernel, struct wl_program *out)
{
	Elf64_Shdr s;
	uint32_t version, count;
	const unsigned char *p;

	if (!find_section(r, LINES_SECTION, kernel, &s))
		return WL_OK;
	p = r->elf + s.sh_offset;
	if (s.sh_type != SHT_PROGBITS || s.sh_size < 8)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad line table of '%s'", kernel);
	memcpy(&version, p, 4);
	memcpy(&count, p + 4, 4);
	if (version != 1 || count != out->ninst || s.sh_size < 8 + 4 * (uint64_t)count + 1 || p[s.sh_size - 1] != 0)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad line table of '%s'", kernel);
	out->lines = malloc(4 * (size_t)count);
	out->source = strdup((const char *)p + 8 + 4 * (size_t)count);
	if (!out->lines || !out->source)
		return fail(r, WL_ERR_NOMEM, "out of memory");
	memcpy(out->lines, p + 8, 4 * (size_t)count);
	return WL_OK;
}

static enum wl_status read_banks(struct reader *r, const char *kernel, struct wl_program *out)
{
	Elf64_Shdr s;

	for (unsigned bank = 1; bank < 8; bank++) {
		char prefix[32];

		snprintf(prefix, sizeof prefix, ".nv.constant%u.", bank);
		if (!find_section(r, prefix, kernel, &s))
			continue;
		if (s.sh_type != SHT_PROGBITS || s.sh_size > 65536)
			return fail(r, WL_ERR_OBJECT, "object file is damaged: constant bank %u of '%s'", bank, kernel);
		out->cbank[bank] = malloc(s.sh_size ? s.sh_size : 1);
		if (!out->cbank[bank])
			return fail(r, WL_ERR_NOMEM, "out of memory");
		memcpy(out->cbank[bank], r->elf + s.sh_offset, s.sh_size);
		out->cbank_bytes[bank] = (uint32_t)s.sh_size;
	}
	if (find_section(r, ".nv.shared.", kernel, &s)) {
		if (s.sh_size > 1 << 20)
			return fail(r, WL_ERR_OBJECT, "object file is damaged: shared memory of '%s' has %llu bytes",
			            kernel, (unsigned long long)s.sh_size);
		out->shared_bytes = (uint32_t)s.sh_size;
	}
	return WL_OK;
}

static enum wl_status load_kernel(struct reader *r, const Elf64_Shdr *text, const char *kernel, struct wl_program *out)
{
	enum wl_status status;

	snprintf(out->name, sizeof out->name, "%s", kernel);
	out->arch = r->arch;
	out->regs = text->sh_info >> 24;
	status = read_code(r, text, kernel, out);
	if (status == WL_OK)
		status = read_kernel_info(r, kernel, out);
	if (status == WL_OK)
		status = read_frame(r, text->sh_info & 0xffffff, out);
	if (status == WL_OK)
		status = read_banks(r, kernel, out);
	if (status == WL_OK)
		status = read_lines(r, kernel, out);
	return status;
}

enum wl_status wl_object_load(const unsigned char *elf, size_t size, const char *entry, struct wl_program *out,
                              char *why, size_t whyn)
{
	struct reader r = {.elf = elf, .size = size, .why = why, .whyn = whyn};
	enum wl_status status = open_elf(&r);
	Elf64_Shdr text = {0};
	const char *found = NULL;
	unsigned kernels = 0;

	memset(out, 0, sizeof *out);
	if (status != WL_OK)
		return status;
	for (unsigned i = 1; i < r.nsh; i++) {
		Elf64_Shdr s = section(&r, i);
		const char *name = after_prefix(section_name(&r, &s), ".text.");

		if (!name || !*name)
			continue;
		kernels++;
		if (!entry || strcmp(name, entry) == 0) {
			found = name;
			text = s;
		}
	}
	if (!kernels)
		return fail(&r, WL_ERR_NO_ENTRY, "object holds no kernel");
	if (!found)
		return fail(&r, WL_ERR_NO_ENTRY, "object holds no kernel '%s'", entry);
	if (!entry && kernels > 1)
		return fail(&r, WL_ERR_NO_ENTRY, "object holds %u kernels: name one", kernels);
	status = load_kernel(&r, &text, found, out);
	if (status != WL_OK)
		wl_program_free(out);
	return status;
}

enum wl_status wl_object_kernels(const unsigned char *elf, size_t size, void (*name)(void *self, const char *kernel),
                                 void *self, char *why, size_t whyn)
{
	struct reader r = {.elf = elf, .size = size, .why = why, .whyn = whyn};
	enum wl_status status = open_elf(&r);

	if (status != WL_OK)
		return status;
	for (unsigned i = 1; i < r.nsh; i++) {
		Elf64_Shdr s = section(&r, i);
		const char *kernel = after_prefix(section_name(&r, &s), ".text.");

		if (kernel && *kernel)
			name(self, kernel);
	}
	return WL_OK;
}
