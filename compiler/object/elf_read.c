// SPDX-License-Identifier: Apache-2.0
/* elf_read.c -- the object loader. libelf takes the container apart and checks where sections and names lie; what
 * stands inside the sections it does not know. Nothing of that is believed: every offset, size and index is tested
 * before it is used, and what does not fit gives one line that says so. */
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

enum { MaxCode = 1 << 28, WordBytes = 16 };
#define TEXT_SECTION ".text." /* + kernel */

struct reader {
	const unsigned char *bytes;
	size_t size;
	Elf *elf;
	size_t names; /* section of the section names */
	enum wl_arch arch;
	char *why;
	size_t whyn;
};

struct section {
	GElf_Shdr head;
	const char *name;          /* "" where the file names it wrongly */
	const unsigned char *data; /* head.sh_size bytes; NULL where the file holds none */
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

/* False when its header or its bytes lie outside the file. */
static bool get_section(const struct reader *r, Elf_Scn *scn, struct section *out)
{
	Elf_Data *data;
	const char *name;

	*out = (struct section){.name = ""};
	if (!gelf_getshdr(scn, &out->head))
		return false;
	name = elf_strptr(r->elf, r->names, out->head.sh_name);
	if (name)
		out->name = name;
	if (out->head.sh_type == SHT_NULL || out->head.sh_type == SHT_NOBITS)
		return true;
	if (out->head.sh_size == 0) {
		out->data = r->bytes; /* an empty one may say it lies anywhere */
		return true;
	}
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size != out->head.sh_size)
		return false;
	out->data = data->d_buf;
	return true;
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
	if (sm != WL_SM75 && sm != WL_SM90)
		return fail(r, WL_ERR_UNSUPPORTED,
		            "object is for sm_%u: found %u, expected 75 or 90 (others are not built yet)", sm, sm);
	return WL_OK;
}

/* Before libelf sees the file: it would take these for what they say and swap bytes. */
static enum wl_status check_ident(struct reader *r)
{
	if (r->size < sizeof(Elf64_Ehdr) || memcmp(r->bytes, ELFMAG, SELFMAG) != 0)
		return fail(r, WL_ERR_OBJECT, "not an object file: no ELF header");
	if (r->bytes[EI_CLASS] != ELFCLASS64 || r->bytes[EI_DATA] != ELFDATA2LSB)
		return fail(r, WL_ERR_OBJECT, "not a 64-bit little-endian object file");
	return WL_OK;
}

/* Names reach messages of one line. */
static bool is_printable(const char *s)
{
	while ((unsigned char)*s > ' ' && *s != 0x7f)
		s++;
	return *s == 0;
}

static enum wl_status check_sections(struct reader *r)
{
	struct section s;
	Elf_Scn *names;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn));) {
		if (!get_section(r, scn, &s))
			return fail(r, WL_ERR_OBJECT, "object file is cut or damaged: section %zu lies outside",
			            elf_ndxscn(scn));
		if (!is_printable(s.name))
			return fail(r, WL_ERR_OBJECT, "object file is damaged: name of section %zu", elf_ndxscn(scn));
	}
	names = elf_getscn(r->elf, r->names);
	if (!names || !get_section(r, names, &s) || s.head.sh_type != SHT_STRTAB)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	return WL_OK;
}

/* r->elf is open when this has returned WL_OK, and may be when it has not. */
static enum wl_status open_elf(struct reader *r)
{
	GElf_Ehdr h;
	size_t sections;
	enum wl_status status = check_ident(r);

	if (status != WL_OK)
		return status;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return fail(r, WL_ERR_UNSUPPORTED, "libelf is older than its header");
	/* libelf takes a pointer to what it may change, and changes nothing of a file that is only read. */
	r->elf = elf_memory((char *)(uintptr_t)r->bytes, r->size);
	if (!r->elf)
		return fail(r, WL_ERR_OBJECT, "object file is cut or damaged: its section headers lie outside");
	if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &h))
		return fail(r, WL_ERR_OBJECT, "not an object file: no ELF header");
	if (h.e_machine != EM_CUDA_MACHINE)
		return fail(r, WL_ERR_OBJECT, "object is for another machine: found ELF machine %u, expected %u",
		            h.e_machine, EM_CUDA_MACHINE);
	if (h.e_shentsize != sizeof(Elf64_Shdr) || elf_getshdrnum(r->elf, &sections) != 0 || sections == 0)
		return fail(r, WL_ERR_OBJECT, "object file is cut or damaged: its section headers lie outside");
	if (elf_getshdrstrndx(r->elf, &r->names) != 0 || r->names >= sections)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: no table of section names");
	status = check_sections(r);
	return status == WL_OK ? check_arch(r, h.e_flags) : status;
}

static bool find_section(const struct reader *r, const char *prefix, const char *kernel, struct section *out)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn));) {
		const char *rest = get_section(r, scn, out) ? after_prefix(out->name, prefix) : NULL;

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

static bool next_record(const struct section *s, uint64_t *at, struct record *out, bool *damaged)
{
	uint64_t left = s->head.sh_size - *at;
	const unsigned char *p;

	if (left < 4) {
		*damaged = left != 0;
		return false;
	}
	p = s->data + *at;
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
	struct section s;
	uint64_t at = 0;
	struct record rec;
	bool damaged = false;

	out->param_base = out->arch >= WL_SM90 ? WL_CB0_PARAM_SM90 : WL_CB0_PARAM_SM75;
	if (!find_section(r, ".nv.info.", kernel, &s))
		return fail(r, WL_ERR_OBJECT, "kernel '%s' has no .nv.info section", kernel);
	if (!s.data)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: empty .nv.info section of '%s'", kernel);
	while (next_record(&s, &at, &rec, &damaged)) {
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
	struct section s;
	uint64_t at = 0;
	struct record rec;
	bool damaged = false;

	if (!find_section(r, ".nv.info", "", &s) || !s.data)
		return WL_OK;
	while (next_record(&s, &at, &rec, &damaged))
		if (rec.attribute == EIATTR_MIN_STACK_SIZE && word_of(&rec, 0) == symbol && rec.size == 8)
			out->local_bytes = word_of(&rec, 1);
	if (damaged)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info");
	if (out->local_bytes > 1u << 19)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: a frame of %u bytes", out->local_bytes);
	return WL_OK;
}

/* ---- code ---- */

static enum wl_status read_code(struct reader *r, const struct section *s, const char *kernel, struct wl_program *out)
{
	if (s->head.sh_type != SHT_PROGBITS || s->head.sh_size == 0 || s->head.sh_size % WordBytes ||
	    s->head.sh_size > MaxCode)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: code of '%s' has %llu bytes", kernel,
		            (unsigned long long)s->head.sh_size);
	out->ninst = (uint32_t)(s->head.sh_size / WordBytes);
	out->words = malloc(out->ninst * sizeof *out->words);
	out->insts = calloc(out->ninst, sizeof *out->insts);
	if (!out->words || !out->insts)
		return fail(r, WL_ERR_NOMEM, "out of memory");
	memcpy(out->words, s->data, s->head.sh_size);
	for (uint32_t i = 0; i < out->ninst; i++)
		if (wl_decode(out->arch, out->words[i], &out->insts[i]) != WL_OK)
			out->insts[i] = wl_inst_make(WL_UOP_UNMODELLED);
	return WL_OK;
}

static enum wl_status read_lines(struct reader *r, const char *kernel, struct wl_program *out)
{
	struct section s;
	uint32_t version, count;
	const unsigned char *p;

	if (!find_section(r, LINES_SECTION, kernel, &s))
		return WL_OK;
	p = s.data;
	if (s.head.sh_type != SHT_PROGBITS || s.head.sh_size < 8)
		return fail(r, WL_ERR_OBJECT, "object file is damaged: bad line table of '%s'", kernel);
	memcpy(&version, p, 4);
	memcpy(&count, p + 4, 4);
	if (version != 1 || count != out->ninst || s.head.sh_size < 8 + 4 * (uint64_t)count + 1 ||
	    p[s.head.sh_size - 1] != 0)
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
	struct section s;

	for (unsigned bank = 1; bank < 8; bank++) {
		char prefix[32];

		snprintf(prefix, sizeof prefix, ".nv.constant%u.", bank);
		if (!find_section(r, prefix, kernel, &s))
			continue;
		if (s.head.sh_type != SHT_PROGBITS || s.head.sh_size > 65536)
			return fail(r, WL_ERR_OBJECT, "object file is damaged: constant bank %u of '%s'", bank, kernel);
		out->cbank[bank] = malloc(s.head.sh_size ? s.head.sh_size : 1);
		if (!out->cbank[bank])
			return fail(r, WL_ERR_NOMEM, "out of memory");
		memcpy(out->cbank[bank], s.data, s.head.sh_size);
		out->cbank_bytes[bank] = (uint32_t)s.head.sh_size;
	}
	if (find_section(r, ".nv.shared.", kernel, &s)) {
		if (s.head.sh_size > 1 << 20)
			return fail(r, WL_ERR_OBJECT, "object file is damaged: shared memory of '%s' has %llu bytes",
			            kernel, (unsigned long long)s.head.sh_size);
		out->shared_bytes = (uint32_t)s.head.sh_size;
	}
	return WL_OK;
}

static enum wl_status load_kernel(struct reader *r, const struct section *text, struct wl_program *out)
{
	const char *kernel = after_prefix(text->name, TEXT_SECTION);
	enum wl_status status;

	snprintf(out->name, sizeof out->name, "%s", kernel);
	out->arch = r->arch;
	out->regs = text->head.sh_info >> 24;
	status = read_code(r, text, kernel, out);
	if (status == WL_OK)
		status = read_kernel_info(r, kernel, out);
	if (status == WL_OK)
		status = read_frame(r, text->head.sh_info & 0xffffff, out);
	if (status == WL_OK)
		status = read_banks(r, kernel, out);
	if (status == WL_OK)
		status = read_lines(r, kernel, out);
	return status;
}

/* The code section of `entry`, or of the only kernel when that is NULL. */
static enum wl_status find_kernel(struct reader *r, const char *entry, struct section *text)
{
	unsigned kernels = 0;
	bool found = false;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn));) {
		struct section s;
		const char *name = get_section(r, scn, &s) ? after_prefix(s.name, TEXT_SECTION) : NULL;

		if (!name || !*name)
			continue;
		kernels++;
		if (!entry || strcmp(name, entry) == 0) {
			found = true;
			*text = s;
		}
	}
	if (!kernels)
		return fail(r, WL_ERR_NO_ENTRY, "object holds no kernel");
	if (!found)
		return fail(r, WL_ERR_NO_ENTRY, "object holds no kernel '%s'", entry);
	if (!entry && kernels > 1)
		return fail(r, WL_ERR_NO_ENTRY, "object holds %u kernels: name one", kernels);
	return WL_OK;
}

enum wl_status wl_object_load(const unsigned char *elf, size_t size, const char *entry, struct wl_program *out,
                              char *why, size_t whyn)
{
	struct reader r = {.bytes = elf, .size = size, .why = why, .whyn = whyn};
	struct section text = {.name = ""};
	enum wl_status status = open_elf(&r);

	memset(out, 0, sizeof *out);
	if (status == WL_OK)
		status = find_kernel(&r, entry, &text);
	if (status == WL_OK)
		status = load_kernel(&r, &text, out);
	if (status != WL_OK)
		wl_program_free(out);
	elf_end(r.elf);
	return status;
}

enum wl_status wl_object_kernels(const unsigned char *elf, size_t size, void (*name)(void *self, const char *kernel),
                                 void *self, char *why, size_t whyn)
{
	struct reader r = {.bytes = elf, .size = size, .why = why, .whyn = whyn};
	enum wl_status status = open_elf(&r);

	for (Elf_Scn *scn = NULL; status == WL_OK && (scn = elf_nextscn(r.elf, scn));) {
		struct section s;
		const char *kernel = get_section(&r, scn, &s) ? after_prefix(s.name, TEXT_SECTION) : NULL;

		if (kernel && *kernel)
			name(self, kernel);
	}
	elf_end(r.elf);
	return status;
}
