// SPDX-License-Identifier: Apache-2.0
/* info.c -- the records of .nv.info: the needs of a kernel, and all records in words. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"

enum { MAX_FRAME = 1 << 19 };
#define UNKNOWN_STACK UINT32_MAX /* ptxas cannot tell: recursion, function pointers, debug code */

bool cubin_record(const struct cubin_section *s, uint64_t *at, struct cubin_record *out, bool *damaged)
{
	uint64_t left = s->head.sh_size - *at;
	const unsigned char *p;
	if (left < 4 || !s->data) {
		*damaged = left != 0;
		return false;
	}
	p = s->data + *at;
	*out = (struct cubin_record){.format = p[0], .attribute = p[1], .value = (uint32_t)p[2] | (uint32_t)p[3] << 8};
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

uint32_t cubin_record_word(const struct cubin_record *rec, unsigned i)
{
	uint32_t v = 0;
	if (rec->size >= 4 * (i + 1))
		memcpy(&v, rec->payload + 4 * (size_t)i, 4);
	return v;
}

/* The rest of the word is flags: space and alignment of a pointer. */
static uint32_t cubin_record_param_bytes(const struct cubin_record *rec)
{
	const uint32_t word = cubin_record_word(rec, 2);
	return rec->attribute == EIATTR_KPARAM_INFO_V2 ? word & 0xffffff : word >> 18;
}

/* ---- needs of a run ---- */

enum wl_status info_read_sizes(const struct reader *r, struct cubin_sizes *sizes)
{
	uint32_t section = cubin_find(r->o, ".nv.info", "");
	struct cubin_record rec;
	bool damaged = false;
	uint64_t at = 0;
	if (section == NO_SECTION)
		return WL_OK;
	while (cubin_record(&r->o->sections[section], &at, &rec, &damaged)) {
		uint32_t symbol = cubin_record_word(&rec, 0), value = cubin_record_word(&rec, 1);
		bool known = rec.attribute == EIATTR_REGCOUNT || rec.attribute == EIATTR_FRAME_SIZE ||
		             rec.attribute == EIATTR_MIN_STACK_SIZE;

		if (!known)
			continue;
		if (rec.size != 8 || symbol >= r->o->nsymbols)
			return object_fail(r, WL_ERR_OBJECT,
			                   "object file is damaged: record in .nv.info of symbol %u (there are %u)",
			                   symbol, r->o->nsymbols);
		if (rec.attribute != EIATTR_REGCOUNT && value == UNKNOWN_STACK) {
			sizes[symbol].unbounded = true;
			value = 0;
		} else if (rec.attribute != EIATTR_REGCOUNT && value > MAX_FRAME)
			return object_fail(r, WL_ERR_OBJECT, "object file is damaged: a frame of %u bytes", value);
		if (rec.attribute == EIATTR_REGCOUNT && value > WL_RZ)
			return object_fail(r, WL_ERR_OBJECT,
			                   "object file is damaged: %u registers of a thread (at most %u)", value,
			                   WL_RZ);
		if (rec.attribute == EIATTR_REGCOUNT)
			sizes[symbol].regs = value;
		else if (rec.attribute == EIATTR_FRAME_SIZE)
			sizes[symbol].frame = value;
		else
			sizes[symbol].stack = value;
	}
	return damaged ? object_fail(r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info") : WL_OK;
}

/* Records of parameters come in any order. */
static enum wl_status take_param(const struct reader *r, const struct cubin_record *rec, struct wl_program *out)
{
	const bool large = rec->attribute == EIATTR_KPARAM_INFO_V2;
	const uint32_t ordinal = cubin_record_word(rec, 1) & 0xffff, offset = cubin_record_word(rec, 1) >> 16,
	               size = cubin_record_param_bytes(rec);

	if (rec->size != 12 || ordinal >= WL_PARAM_MOST)
		return object_fail(r, WL_ERR_OBJECT,
		                   "object file is damaged: a parameter record%s of %u bytes, number %u",
		                   large ? " (V2)" : "", rec->size, ordinal);
	if (ordinal >= out->nparams) {
		struct wl_param *more = realloc(out->params, (ordinal + 1) * sizeof *more);
		if (!more)
			return object_fail(r, WL_ERR_NOMEM, "out of memory");
		memset(more + out->nparams, 0, (ordinal + 1 - out->nparams) * sizeof *more);
		out->params = more;
		out->nparams = ordinal + 1;
	}
	out->params[ordinal].offset = offset;
	out->params[ordinal].size = size;
	return WL_OK;
}

static void take_triple(const struct cubin_record *rec, uint32_t to[3])
{
	for (unsigned i = 0; i < 3; i++)
		to[i] = cubin_record_word(rec, i);
}

static uint32_t product3(const uint32_t v[3])
{
	uint64_t n = (uint64_t)v[0] * v[1] % UINT32_MAX * v[2];
	return n > 1024 ? 1024 : (uint32_t)n;
}

enum { LanguageOfTiles = 7 }; /* written by tileiras; ptxas writes 3 */

static enum wl_status take_record(const struct reader *r, const struct cubin_record *rec, struct wl_program *out)
{
	uint32_t v[3];
	if (rec->attribute == EIATTR_PARAM_CBANK && rec->size == 8) {
		out->param_base = cubin_record_word(rec, 1) & 0xffff;
		out->param_bytes = cubin_record_word(rec, 1) >> 16;
	} else if (rec->attribute == EIATTR_KPARAM_INFO || rec->attribute == EIATTR_KPARAM_INFO_V2) {
		return take_param(r, rec, out);
	} else if (rec->attribute == EIATTR_MAX_THREADS && rec->size == 12) {
		take_triple(rec, v);
		out->max_threads = product3(v);
	} else if (rec->attribute == EIATTR_REQNTID && rec->size == 12) {
		take_triple(rec, out->required_block);
	} else if (rec->attribute == EIATTR_LANGUAGE && rec->size == 4) {
		out->of_tiles = cubin_record_word(rec, 0) == LanguageOfTiles;
	} else if (rec->attribute == EIATTR_CTA_PER_CLUSTER && rec->size == 12) {
		take_triple(rec, out->required_cluster);
	} else if (rec->attribute == EIATTR_MAX_CLUSTER_RANK && rec->size == 4) {
		out->max_cluster = cubin_record_word(rec, 0);
	} else if (rec->attribute == EIATTR_RESERVED_SMEM_USED) {
		out->system_shared = true;
	}
	return WL_OK;
}

enum wl_status info_read_kernel(const struct reader *r, const char *kernel, struct wl_program *out)
{
	uint32_t section = cubin_find(r->o, ".nv.info.", kernel);
	struct cubin_record rec;
	bool damaged = false;
	uint64_t at = 0;
	out->param_base = wl_cb0_layout(out->arch)->param;
	if (section == NO_SECTION)
		return object_fail(r, WL_ERR_OBJECT, "kernel '%s' has no .nv.info section", kernel);
	if (!r->o->sections[section].data)
		return object_fail(r, WL_ERR_OBJECT, "object file is damaged: empty .nv.info section of '%s'", kernel);
	while (cubin_record(&r->o->sections[section], &at, &rec, &damaged)) {
		enum wl_status status = take_record(r, &rec, out);
		if (status != WL_OK)
			return status;
	}
	if (damaged)
		return object_fail(r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info of '%s'", kernel);
	if (out->param_bytes > WL_PARAM_MOST || out->param_base + out->param_bytes > WL_CB0_MOST)
		return object_fail(r, WL_ERR_OBJECT,
		                   "object file is damaged: parameters of '%s' take %u bytes at 0x%x, at most %u",
		                   kernel, out->param_bytes, out->param_base, WL_PARAM_MOST);
	for (uint32_t i = 0; i < out->nparams; i++)
		if ((uint64_t)out->params[i].offset + out->params[i].size > out->param_bytes)
			return object_fail(r, WL_ERR_OBJECT,
			                   "object file is damaged: parameter %u of '%s' lies outside", i, kernel);
	return WL_OK;
}

static enum wl_status take_loose(const struct reader *r, const unsigned char *offsets, uint64_t size, uint32_t first,
                                 struct wl_program *out)
{
	uint32_t *more = realloc(out->loose, (out->nloose + size / 4 + 1) * sizeof *more);
	if (!more)
		return object_fail(r, WL_ERR_NOMEM, "out of memory");
	out->loose = more;
	for (uint64_t i = 0; i < size / 4; i++) {
		uint32_t at;
		memcpy(&at, offsets + 4 * i, 4);
		out->loose[out->nloose++] = first + at / WORD_BYTES;
	}
	return WL_OK;
}

/* An object has the list only if the list is not empty. A tool that writes the list of exits writes this list, too.
 * Objects of wlcc have a list of their own with every barrier of the unaligned form. */
enum wl_status info_read_loose(const struct reader *r, const char *function, uint32_t first, struct wl_program *out)
{
	const uint32_t section = cubin_find(r->o, ".nv.info.", function);
	const uint32_t own = cubin_find(r->o, LOOSE_SECTION, function);
	enum wl_status status = WL_OK;
	struct cubin_record rec;
	bool damaged = false;
	uint64_t at = 0;
	while (section != NO_SECTION && status == WL_OK &&
	       cubin_record(&r->o->sections[section], &at, &rec, &damaged)) {
		out->tells_loose |= rec.attribute == EIATTR_EXIT_INSTR_OFFSETS;
		if (rec.attribute == EIATTR_COOP_GROUP_INSTR_OFFSETS && own == NO_SECTION)
			status = take_loose(r, rec.payload, rec.size, first, out);
	}
	if (own != NO_SECTION && status == WL_OK && r->o->sections[own].data)
		status = take_loose(r, r->o->sections[own].data, r->o->sections[own].head.sh_size, first, out);
	return status;
}

/* ---- in words ---- */

enum shape {
	SHAPE_WORDS,
	SHAPE_COUNTS,
	SHAPE_TRIPLE,
	SHAPE_OF_SYMBOL,
	SHAPE_SYMBOLS,
	SHAPE_CBANK,
	SHAPE_PARAM,
	SHAPE_MBARRIERS
};
static const struct attribute {
	const char *name;
	enum shape shape;
} attributes[] = {
#define EIATTR(number, name, shape) [number] = {#name, SHAPE_##shape},
#include "eiattr.def"
#undef EIATTR
};

struct line {
	char text[400];
	size_t len;
};

static __attribute__((format(printf, 2, 3))) void add(struct line *l, const char *format, ...)
{
	va_list ap;
	if (l->len >= sizeof l->text)
		return;
	va_start(ap, format);
	int n = vsnprintf(l->text + l->len, sizeof l->text - l->len, format, ap);
	va_end(ap);
	l->len += n > 0 ? (size_t)n : 0;
}

static const char *symbol_name(const struct wl_object *o, uint32_t index, char buf[24])
{
	const char *name;
	Elf64_Sym s;

	if (cubin_symbol(o, index, &s, &name) && *name)
		return name;
	snprintf(buf, 24, "symbol %u", index);
	return buf;
}

/* Rows of words can be long (offsets of every EXIT). Such rows are cut, and the line says so. */
static void add_words(struct line *l, const struct cubin_record *rec, bool decimal)
{
	uint32_t n = rec->size / 4, most = n <= 16 ? n : 16;
	for (uint32_t i = 0; i < most; i++)
		add(l, decimal ? " %u" : " 0x%x", cubin_record_word(rec, i));
	if (most < n)
		add(l, " and %u more", n - most);
	for (uint32_t i = 4 * n; i < rec->size; i++)
		add(l, " %02x", rec->payload[i]);
}

/* Four words each: offset, register of the address or 0xff, offset of the object, and symbol << 16 | operation. */
static void add_mbarriers(struct line *l, const struct wl_object *o, const struct cubin_record *rec)
{
	static const char *const names[] = {"init",
	                                    "arrive",
	                                    "arrive.noComplete",
	                                    "arrive_drop",
	                                    "arrive_drop.noComplete",
	                                    "test_wait",
	                                    "test_wait.parity",
	                                    "cp.async arrive",
	                                    "inval",
	                                    "try_wait",
	                                    "try_wait.parity",
	                                    "expect_tx",
	                                    "complete_tx"};
	enum { MOST = 8, NAMES = sizeof names / sizeof *names, NO_REGISTER = 0xff };
	const uint32_t n = rec->size / 16;
	for (uint32_t i = 0; i < n && i < MOST; i++) {
		const uint32_t reg = cubin_record_word(rec, 4 * i + 1), off = cubin_record_word(rec, 4 * i + 2),
		               how = cubin_record_word(rec, 4 * i + 3), op = how & 31, symbol = how >> 16;
		char buf[24];
		add(l, "%s 0x%x %s", i ? "," : "", cubin_record_word(rec, 4 * i),
		    op < NAMES ? names[op] : "unknown operation");
		if (reg != NO_REGISTER)
			add(l, " [R%u]", reg & 0xff);
		else if (symbol < o->nsymbols)
			add(l, " [%s+%u]", symbol_name(o, symbol, buf), off);
		else
			add(l, " [0x%x]", off);
	}
	if (n > MOST)
		add(l, " and %u more", n - MOST);
}

static void add_block(struct line *l, const struct wl_object *o, const struct cubin_record *rec, enum shape shape)
{
	char buf[24];
	uint32_t w0 = cubin_record_word(rec, 0), w1 = cubin_record_word(rec, 1);
	if (shape == SHAPE_TRIPLE && rec->size == 12) {
		add(l, " %u, %u, %u", w0, w1, cubin_record_word(rec, 2));
	} else if (shape == SHAPE_OF_SYMBOL && rec->size == 8) {
		add(l, " %s %u", symbol_name(o, w0, buf), w1);
	} else if (shape == SHAPE_CBANK && rec->size == 8) {
		add(l, " %s offset 0x%x, %u bytes", symbol_name(o, w0, buf), w1 & 0xffff, w1 >> 16);
	} else if (shape == SHAPE_PARAM && rec->size == 12) {
		add(l, " parameter %u: offset %u, %u bytes", w1 & 0xffff, w1 >> 16, cubin_record_param_bytes(rec));
	} else if (shape == SHAPE_SYMBOLS) {
		for (uint32_t i = 0; i < rec->size / 4; i++)
			add(l, " %s", symbol_name(o, cubin_record_word(rec, i), buf));
	} else if (shape == SHAPE_MBARRIERS && rec->size % 16 == 0) {
		add_mbarriers(l, o, rec);
	} else if (shape == SHAPE_COUNTS) {
		add_words(l, rec, true);
	} else {
		add_words(l, rec, false);
	}
}

enum wl_status wl_object_attributes(const struct wl_object *o, const char *function,
                                    void (*line)(void *self, const char *text), void *self, char *why, size_t whyn)
{
	struct reader r = {o, why, whyn};
	uint32_t section = function ? cubin_find(o, ".nv.info.", function) : cubin_find(o, ".nv.info", "");
	struct cubin_record rec;
	bool damaged = false;
	uint64_t at = 0;
	if (section == NO_SECTION)
		return WL_OK;
	while (cubin_record(&o->sections[section], &at, &rec, &damaged)) {
		bool known = rec.attribute < sizeof attributes / sizeof *attributes && attributes[rec.attribute].name;
		struct line l = {.len = 0};
		if (known)
			add(&l, "%s", attributes[rec.attribute].name);
		else
			add(&l, "attribute 0x%02x", rec.attribute);
		if (rec.format == EIFMT_BLOCK)
			add_block(&l, o, &rec, known ? attributes[rec.attribute].shape : SHAPE_WORDS);
		else if (rec.format != EIFMT_NONE)
			add(&l, " %u", rec.format == EIFMT_BYTE ? rec.value & 0xff : rec.value);
		line(self, l.text);
	}
	return damaged ? object_fail(&r, WL_ERR_OBJECT, "object file is damaged: bad record in .nv.info%s%s",
	                             function ? "." : "", function ? function : "")
	               : WL_OK;
}
