// SPDX-License-Identifier: Apache-2.0
/* image.c -- the part of a file for an architecture: a cubin, or an image of fat binaries. A file consists of fat
 * binaries, or an object or executable of the host carries fat binaries.
 *
 * A fat binary is a header and entries, each a header and an image. Layout found with `fatbinary` 13.0 and a hex dump;
 * little-endian:
 *
 *   container  u32 magic   u16 version    u16 header bytes   u64 bytes behind the header
 *   entry      u16 kind    u16 version    u32 header bytes   u64 image bytes (padded)   u32 compressed bytes
 *              u32 at 28: architecture    u64 at 40: flags    u64 at 56: bytes of the image, unpacked
 *
 * A host file has fat binaries one after the other in .nv_fatbin, with zeros up to the next multiple of 8. */
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin_format.h"
#include "unpack.h"
#include "warplock/object.h"

enum { CONTAINER_HEADER = 16, CONTAINER_VERSION = 1, ENTRY_HEADER = 64, KIND_PTX = 1, KIND_CUBIN = 2 };
enum { ARCHIVE_MAGIC_BYTES = 8 };
static const char ArchiveMagic[] = "!<arch>\n";
static const uint32_t ContainerMagic = 0xba55ed50;
static const uint64_t FlagLz4 = 0x2000, FlagZstd = 0x8000;

struct entry {
	unsigned kind;
	uint32_t arch, compressed_bytes;
	uint64_t flags, unpacked_bytes;
	const unsigned char *data;
	size_t size;
	unsigned char *owned; /* unpacked data, or NULL */
};

struct search {
	unsigned chip;
	bool relatives; /* cubins of chips with the same words will do */
	const char *entry;
	unsigned images;
	bool found;        /* a cubin, in *out */
	uint32_t of;       /* chip of that cubin; cubins of other chips are not asked any more */
	bool kernels;      /* some cubin for arch has kernels, perhaps not `entry` */
	uint32_t ptx_arch; /* of the best PTX so far, in *out; 0 = none */
	char list[160];    /* images found, for the message */
	struct wl_image *out;
	char *why;
	size_t whyn;
};

static enum wl_status fail(struct search *s, enum wl_status status, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
static enum wl_status fail(struct search *s, enum wl_status status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (s->why && s->whyn)
		vsnprintf(s->why, s->whyn, fmt, ap);
	va_end(ap);
	return status;
}

static uint64_t number(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;
	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

/* ---- a single entry ---- */

static void add_to_list(struct search *s, const struct entry *e)
{
	size_t n = strlen(s->list);
	if (e->kind == KIND_PTX || e->kind == KIND_CUBIN)
		snprintf(s->list + n, sizeof s->list - n, "%s%s sm_%u", n ? ", " : "",
		         e->kind == KIND_PTX ? "PTX" : "cubin", e->arch);
	else
		snprintf(s->list + n, sizeof s->list - n, "%skind %u sm_%u", n ? ", " : "", e->kind, e->arch);
}

struct names {
	const char *entry;
	unsigned count;
	bool has;
};

static void take_name(void *self, const char *kernel)
{
	struct names *n = self;
	n->count++;
	if (!n->entry || strcmp(n->entry, kernel) == 0)
		n->has = true;
}

/* From here on *s->out owns the image. The image before is freed. */
static void keep(struct search *s, enum wl_image_kind kind, struct entry *e, size_t size)
{
	free(s->out->owned);
	*s->out = (struct wl_image){kind, e->data, size, e->owned};
	e->owned = NULL;
}

static enum wl_status take_cubin(struct search *s, struct entry *e)
{
	struct names n = {.entry = s->entry};
	char why[200];
	if (wl_object_kernels(e->data, e->size, take_name, &n, why, sizeof why) != WL_OK)
		return fail(s, WL_ERR_OBJECT, "fat binary's cubin for sm_%u: %s", e->arch, why);
	s->kernels |= n.count != 0;
	if (!n.has)
		return WL_OK;
	if (s->found)
		return fail(s, s->entry ? WL_ERR_NO_ENTRY : WL_ERR_AMBIGUOUS,
		            s->entry ? "fat binary holds kernel '%s' more than once"
		                     : "fat binary holds several cubins with kernels: name one",
		            s->entry);
	s->found = true;
	s->of = e->arch;
	keep(s, WL_IMAGE_CUBIN, e, e->size);
	return WL_OK;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Does the text name the kernel behind an .entry? In the end the compiler decides. */
static bool names_kernel(const char *text, size_t size, const char *kernel)
{
	static const char word[] = ".entry";
	const char *end = text + size;
	size_t n = strlen(kernel);
	for (const char *p = text; (p = memchr(p, '.', (size_t)(end - p))) != NULL; p++) {
		const char *q = p + sizeof word - 1;
		if ((size_t)(end - p) < sizeof word || memcmp(p, word, sizeof word - 1) != 0)
			continue;
		while (q < end && is_blank(*q))
			q++;
		if ((size_t)(end - q) > n && memcmp(q, kernel, n) == 0 && (is_blank(q[n]) || q[n] == '('))
			return true;
	}
	return false;
}

/* The newest PTX that the architecture can run is the best. */
static void take_ptx(struct search *s, struct entry *e)
{
	const char *text = (const char *)e->data;
	size_t size = strnlen(text, e->size);
	if (s->found || e->arch <= s->ptx_arch || (s->entry && !names_kernel(text, size, s->entry)))
		return;
	s->ptx_arch = e->arch;
	keep(s, WL_IMAGE_PTX, e, size);
}

/* Replaces the data of a compressed image. */
static enum wl_status unpack_entry(struct search *s, struct entry *e)
{
	enum packing packing = e->flags & FlagZstd ? PACKED_ZSTD : e->flags & FlagLz4 ? PACKED_LZ4 : PACKED_NOT;
	char why[160];
	enum wl_status status;
	if (packing == PACKED_NOT && !e->compressed_bytes)
		return WL_OK;
	if (packing == PACKED_NOT)
		return fail(s, WL_ERR_UNSUPPORTED,
		            "fat binary's %s for sm_%u is compressed (flags 0x%llx), expected Zstandard or LZ4",
		            e->kind == KIND_PTX ? "PTX" : "cubin", e->arch, (unsigned long long)e->flags);
	if (e->compressed_bytes > e->size)
		return fail(s, WL_ERR_OBJECT, "fat binary is cut or damaged: image %u lies outside", s->images - 1);
	status = image_unpack(packing, e->data, e->compressed_bytes, e->unpacked_bytes, &e->owned, why, sizeof why);
	if (status != WL_OK)
		return fail(s, status, "fat binary's %s for sm_%u: %s", e->kind == KIND_PTX ? "PTX" : "cubin", e->arch,
		            why);
	e->data = e->owned;
	e->size = (size_t)e->unpacked_bytes;
	return WL_OK;
}

static bool cubin_fits(const struct search *s, uint32_t chip)
{
	if (s->found && chip != s->of)
		return false;
	return chip == s->chip ||
	       (s->relatives && wl_arch_of_chip(chip) && wl_arch_of_chip(chip) == wl_arch_of_chip(s->chip));
}

static enum wl_status take_entry(struct search *s, struct entry *e)
{
	bool fits = (e->kind == KIND_CUBIN && cubin_fits(s, e->arch)) || (e->kind == KIND_PTX && e->arch <= s->chip);
	enum wl_status status;

	s->images++;
	add_to_list(s, e);
	if (!fits)
		return WL_OK;
	status = unpack_entry(s, e);
	if (status == WL_OK && e->kind == KIND_CUBIN)
		status = take_cubin(s, e);
	else if (status == WL_OK)
		take_ptx(s, e);
	free(e->owned);
	return status;
}

/* ---- containers ---- */

static enum wl_status read_container(struct search *s, const unsigned char *p, size_t size)
{
	while (size) {
		uint64_t head, bytes;
		struct entry e;
		if (size < ENTRY_HEADER)
			return fail(s, WL_ERR_OBJECT, "fat binary is cut or damaged: %zu bytes behind the last image",
			            size);
		head = number(p + 4, 4);
		bytes = number(p + 8, 8);
		if (head < ENTRY_HEADER || head > size || bytes > size - head)
			return fail(s, WL_ERR_OBJECT, "fat binary is cut or damaged: image %u lies outside", s->images);
		e = (struct entry){.kind = (unsigned)number(p, 2),
		                   .arch = (uint32_t)number(p + 28, 4),
		                   .compressed_bytes = (uint32_t)number(p + 16, 4),
		                   .flags = number(p + 40, 8),
		                   .unpacked_bytes = number(p + 56, 8),
		                   .data = p + head,
		                   .size = (size_t)bytes};

		enum wl_status status = take_entry(s, &e);
		if (status != WL_OK)
			return status;
		p += head + bytes;
		size -= head + bytes;
	}
	return WL_OK;
}

static enum wl_status read_containers(struct search *s, const unsigned char *p, size_t size)
{
	while (size) {
		uint64_t head, bytes;
		enum wl_status status;
		if (*p == 0) { /* up to the next container */
			p++, size--;
			continue;
		}
		if (size < CONTAINER_HEADER || number(p, 4) != ContainerMagic)
			return fail(s, WL_ERR_OBJECT, "fat binary is cut or damaged: no header");
		if (number(p + 4, 2) != CONTAINER_VERSION)
			return fail(s, WL_ERR_UNSUPPORTED, "fat binary has version %u, expected %u",
			            (unsigned)number(p + 4, 2), CONTAINER_VERSION);
		head = number(p + 6, 2);
		bytes = number(p + 8, 8);
		if (head < CONTAINER_HEADER || head > size || bytes > size - head)
			return fail(s, WL_ERR_OBJECT, "fat binary is cut or damaged: its images lie outside");
		status = read_container(s, p + head, (size_t)bytes);
		if (status != WL_OK)
			return status;
		p += head + bytes;
		size -= head + bytes;
	}
	return WL_OK;
}

static enum wl_status search(struct search *s, const unsigned char *data, size_t size)
{
	enum wl_status status = read_containers(s, data, size);
	if (status != WL_OK || s->found)
		return status;
	if (s->kernels)
		return fail(s, WL_ERR_NO_ENTRY, "fat binary holds no kernel '%s' for sm_%u", s->entry ? s->entry : "",
		            s->chip);
	if (s->ptx_arch)
		return WL_OK;
	return fail(s, WL_ERR_NO_ENTRY, "fat binary holds no %s%s%s for sm_%u: found %s",
	            s->entry ? "kernel '" : "kernel", s->entry ? s->entry : "", s->entry ? "'" : "", s->chip,
	            s->images ? s->list : "no image");
}

/* ---- files of the host ---- */

/* Looks for the section with fat binaries in an ELF file other than a cubin: linked device code, or else code for the
 * device linker (nvcc -rdc=true). A file unreadable for libelf has no such section: the file is judged as a cubin, with
 * the message for cubins. */
static bool host_section(const unsigned char *file, size_t size, const unsigned char **data, size_t *n)
{
	bool linked = false, found = false;
	size_t names;
	GElf_Ehdr h;
	Elf *elf;

	if (size < sizeof(Elf64_Ehdr) || memcmp(file, ELFMAG, SELFMAG) != 0 || file[EI_CLASS] != ELFCLASS64 ||
	    file[EI_DATA] != ELFDATA2LSB || elf_version(EV_CURRENT) == EV_NONE)
		return false;
	elf = elf_memory((char *)(uintptr_t)file, size); /* nobody writes to this memory */
	if (gelf_getehdr(elf, &h) && h.e_machine != EM_CUDA_MACHINE && h.e_shentsize == sizeof(Elf64_Shdr) &&
	    elf_getshdrstrndx(elf, &names) == 0)
		for (Elf_Scn *scn = NULL; !linked && (scn = elf_nextscn(elf, scn));) {
			GElf_Shdr s;
			const char *name = gelf_getshdr(scn, &s) ? elf_strptr(elf, names, s.sh_name) : NULL;

			if (!name || s.sh_type == SHT_NOBITS || !s.sh_size || !elf_rawdata(scn, NULL))
				continue;
			linked = strcmp(name, ".nv_fatbin") == 0;
			if (linked || strcmp(name, "__nv_relfatbin") == 0) {
				*data = file + s.sh_offset;
				*n = s.sh_size;
				found = true;
			}
		}
	elf_end(elf);
	return found;
}

bool wl_image_is_fatbin(const unsigned char *file, size_t size)
{
	return size >= 4 && number(file, 4) == ContainerMagic;
}

void wl_image_free(struct wl_image *image)
{
	free(image->owned);
	*image = (struct wl_image){.kind = WL_IMAGE_CUBIN};
}

enum wl_status wl_image_find(const unsigned char *file, size_t size, unsigned chip, const char *entry,
                             struct wl_image *out, char *why, size_t whyn)
{
	struct search s = {.chip = chip, .entry = entry, .out = out, .why = why, .whyn = whyn};
	const unsigned char *data = file;
	size_t n = size;
	enum wl_status status;
	*out = (struct wl_image){.kind = WL_IMAGE_CUBIN, .data = file, .size = size};
	if (size >= ARCHIVE_MAGIC_BYTES && memcmp(file, ArchiveMagic, ARCHIVE_MAGIC_BYTES) == 0)
		return fail(&s, WL_ERR_UNSUPPORTED,
		            "found an archive of objects, expected an object, cubin or fat binary (ar x takes members "
		            "out)");
	if (!wl_image_is_fatbin(file, size) && !host_section(file, size, &data, &n))
		return WL_OK;
	status = search(&s, data, n);
	if (status == WL_ERR_NO_ENTRY || (status == WL_OK && !s.found)) {
		struct wl_image ptx = *out;
		*out = (struct wl_image){.kind = WL_IMAGE_CUBIN};
		struct search again = {
		        .chip = chip, .relatives = true, .entry = entry, .out = out, .why = why, .whyn = whyn};
		status = search(&again, data, n);
		wl_image_free(&ptx);
	}
	if (status != WL_OK)
		wl_image_free(out);
	return status;
}
