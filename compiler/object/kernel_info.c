// SPDX-License-Identifier: Apache-2.0
/* kernel_info.c -- the records of .nv.info.NAME, in the order of ptxas 13.0. Values without a public explanation are
 * the values of ptxas for code without the feature. */
#include "kernel_info.h"

#include <stdlib.h>

#include "../../cmodel/object/cubin_format.h"

static uint32_t pointer_space(unsigned space)
{
	switch (space) {
	case PTX_SP_local:
		return 1;
	case PTX_SP_shared:
		return 2;
	case PTX_SP_const:
		return 3;
	case PTX_SP_global:
		return 4;
	default:
		return 5; /* generic */
	}
}

/* index; ordinal and offset; for a pointer the alignment, as a power of two, and in bits 11:8 the space; size above
 * bit 18 (bits 17:12 as in ptxas). With many bytes of parameters, size alone. */
static void param_info(struct buffer *b, const struct ptx_var *p, uint32_t i, bool large)
{
	uint32_t v[3] = {0, i | (uint32_t)p->offset << 16, 0x1f000u | (uint32_t)p->size << 18};
	if (large) {
		v[2] = (uint32_t)p->size;
		buffer_record(b, EIATTR_KPARAM_INFO_V2, v, sizeof v);
		return;
	}
	if (p->ptr)
		v[2] |= pointer_space(p->ptr_space) << 8;
	for (uint32_t to = p->ptr ? p->ptr_align : 0; to > 1; to /= 2)
		v[2]++;
	buffer_record(b, EIATTR_KPARAM_INFO, v, sizeof v);
}

/* Offsets of the marks of a kind, in `to`. */
static uint32_t offsets_of(const struct kernel_code *k, enum mark_kind kind, uint32_t *to)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++)
		if (k->marks[i].kind == kind)
			to[n++] = k->marks[i].at;
	return n;
}

static void put_list(struct buffer *b, unsigned attribute, const uint32_t *list, uint32_t n)
{
	enum { MOST = 0xffff / 4 };
	if (n)
		buffer_record(b, attribute, list, (uint16_t)(4 * (n < MOST ? n : MOST)));
}

static bool is_listed(const struct code_mark *m)
{
	return m->kind == MARK_COOP || (m->kind == MARK_BARRIER && m->listed);
}

/* Before sm_90 a mask in a register goes to a function, and the record does not name the register. */
static void coop_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, uint32_t *words)
{
	enum { IN_REGISTER = 5 << 24 };
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++)
		if (is_listed(&k->marks[i]))
			words[n++] = arch < WL_SM90 || !k->marks[i].in_register
			                     ? 0xffffffffu
			                     : (uint32_t)IN_REGISTER | k->marks[i].reg;
	put_list(b, EIATTR_COOP_GROUP_MASK_REGIDS, words, n);
	n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++)
		if (is_listed(&k->marks[i]))
			words[n++] = k->marks[i].at;
	put_list(b, EIATTR_COOP_GROUP_INSTR_OFFSETS, words, n);
}

/* Pairs: an offset, and the register of the address. */
static void atom16_info(struct buffer *b, const struct kernel_code *k, uint32_t *words)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++)
		if (k->marks[i].kind == MARK_ATOM16) {
			words[n++] = k->marks[i].at;
			words[n++] = k->marks[i].reg;
		}
	put_list(b, EIATTR_ATOM16_EMUL_INSTR_REG_MAP, words, n);
}

/* ---- mbarriers ---- */

static bool same_object(const struct code_mark *a, const struct code_mark *b)
{
	return a->var && a->var == b->var && a->offset == b->offset;
}

/* Objects named by an init. An object of unknown address counts as another object. */
static uint32_t count_objects(const struct kernel_code *k)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++) {
		bool seen = k->marks[i].kind != MARK_MBARRIER || k->marks[i].op != MARK_MB_INIT;
		for (uint32_t j = 0; j < i && !seen; j++)
			seen = k->marks[j].kind == MARK_MBARRIER && k->marks[j].op == MARK_MB_INIT &&
			       same_object(&k->marks[i], &k->marks[j]);
		n += !seen;
	}
	return n;
}

/* Four words: the instruction; register of the address, or none; offset; then symbol (bits 31:16), form of the
 * address, and operation. */
static void mbarrier_words(const struct code_mark *m, enum wl_arch arch, uint32_t symbol, uint32_t v[4])
{
	enum { ANY = 0x100, BY_REGISTER = 0x20, GENERIC = 0x40, GENERIC_LATER = 0xc0, UNNAMED = 0x3f, UNKNOWN = 0xff };
	const bool named = arch >= WL_SM90 && symbol != NO_SYMBOL;
	uint32_t how = ANY | m->op;
	v[0] = m->at;
	v[1] = m->var ? NO_MARK_REG : m->reg;
	v[2] = !m->var ? 0 : named ? m->offset : m->place + m->offset;
	if (!m->var && arch < WL_SM90)
		how |= !m->generic ? BY_REGISTER : m->op == MARK_MB_INIT ? GENERIC : GENERIC_LATER;
	v[3] = how | (named ? symbol : arch < WL_SM90 ? UNNAMED : UNKNOWN) << 16;
}

/* Registers with operands of mbarrier operations: a state, or the count of arrivals without completion. */
static void register_map(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, uint32_t *words)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < k->nmarks; i++) {
		const struct code_mark *m = &k->marks[i];
		const bool count = m->op == MARK_MB_ARRIVE_NO_COMPLETE || m->op == MARK_MB_DROP_NO_COMPLETE;
		if (m->kind != MARK_MBARRIER || !(arch < WL_SM90 ? m->op == MARK_MB_TEST_WAIT : count))
			continue;
		words[n++] = m->at;
		words[n++] = (count ? 1u : 2u) | (uint32_t)m->reg << 8 | (uint32_t)m->reg2 << 16;
		words[n++] = 0xffffffff;
	}
	put_list(b, EIATTR_INSTR_REG_MAP, words, n);
}

static void mbarrier_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, const uint32_t *symbols,
                          uint32_t *words)
{
	uint32_t n = 0;
	register_map(b, arch, k, words);
	for (uint32_t i = 0; i < k->nmarks; i++)
		if (k->marks[i].kind == MARK_MBARRIER) {
			mbarrier_words(&k->marks[i], arch, symbols[i], words + n);
			n += 4;
		}
	put_list(b, EIATTR_MBARRIER_INSTR_OFFSETS, words, n);
	if (n)
		buffer_record_half(b, EIATTR_NUM_MBARRIERS, (uint16_t)count_objects(k));
}

/* ---- */

static void triple(struct buffer *b, unsigned attribute, const uint32_t of[3])
{
	uint32_t v[3] = {of[0], of[1] ? of[1] : 1, of[2] ? of[2] : 1};
	if (of[0])
		buffer_record(b, attribute, v, sizeof v);
}

static void bank_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, uint32_t symbol)
{
	uint32_t cbank[2] = {symbol, k->param_base | k->param_bytes << 16};
	if (arch >= WL_SM90)
		buffer_record_half(b, EIATTR_CBANK_PARAM_SIZE, (uint16_t)k->param_bytes);
	buffer_record(b, EIATTR_PARAM_CBANK, cbank, sizeof cbank);
	if (arch < WL_SM90)
		buffer_record_half(b, EIATTR_CBANK_PARAM_SIZE, (uint16_t)k->param_bytes);
}

static void word_info(struct buffer *b, unsigned attribute, uint32_t value)
{
	buffer_record(b, attribute, &value, 4);
}

/* Records on the target and the requirements of the kernel. */
static void head_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k,
                      const struct info_symbols *symbols, bool shared)
{
	if (arch == WL_SM75)
		word_info(b, EIATTR_SW_WAR, 1);
	word_info(b, EIATTR_CUDA_API_VERSION, CUDA_API);
	if (arch == WL_SM80)
		buffer_record_none(b, EIATTR_SW2861232_WAR);
	if (arch < WL_SM90)
		bank_info(b, arch, k, symbols->bank);
	for (uint32_t i = k->src->nparams; i-- > 0;)
		param_info(b, k->src->params[i], i, k->param_bytes > WL_PARAM_SMALL);
	triple(b, EIATTR_CTA_PER_CLUSTER, k->src->reqnctapercluster);
	if (k->src->maxclusterrank)
		word_info(b, EIATTR_MAX_CLUSTER_RANK, k->src->maxclusterrank);
	if (shared)
		buffer_record_none(b, EIATTR_RESERVED_SMEM_USED);
	if (arch >= WL_SM90)
		buffer_record_half(b, EIATTR_SPARSE_MMA_MASK, 0);
	buffer_record_half(b, EIATTR_MAXREG_COUNT, (uint16_t)k->max_regs);
	if (k->barriers)
		buffer_record_byte(b, EIATTR_NUM_BARRIERS, (uint8_t)k->barriers);
	put_list(b, EIATTR_EXTERNS, symbols->externs, symbols->nexterns);
	buffer_record_half(b, EIATTR_MERCURY_ISA_VERSION, arch < WL_SM90 ? 0 : 0x101);
}

void kernel_info(struct buffer *b, enum wl_arch arch, const struct kernel_code *k, const struct info_symbols *symbols,
                 bool shared)
{
	uint32_t *words = calloc(4 * (size_t)k->nmarks + 1, sizeof *words);
	if (!words)
		abort();
	head_info(b, arch, k, symbols, shared);
	coop_info(b, arch, k, words);
	put_list(b, EIATTR_INT_WARP_WIDE_INSTR_OFFSETS, words, offsets_of(k, MARK_WARP_WIDE, words));
	if (arch >= WL_SM100)
		buffer_record_byte(b, EIATTR_VRC_CTA_INIT_COUNT, 0);
	atom16_info(b, k, words);
	mbarrier_info(b, arch, k, symbols->variable, words);
	put_list(b, EIATTR_EXIT_INSTR_OFFSETS, k->exits, k->nexits);
	if (k->returns_apart)
		word_info(b, EIATTR_CRS_STACK_SIZE, 0);
	triple(b, EIATTR_MAX_THREADS, k->src->maxntid);
	triple(b, EIATTR_REQNTID, k->src->reqntid);
	if (arch >= WL_SM90) {
		bank_info(b, arch, k, symbols->bank);
		word_info(b, EIATTR_SW_WAR, arch < WL_SM120 ? 8 : 0);
	}
	free(words);
}
