// SPDX-License-Identifier: Apache-2.0
/* sync_decode_test -- rtl/gen/sync_decode.sv against wl_decode, field by field, and against NVIDIA's texts.
 *
 *   sync_decode_test COUNT [SEED [ARCH]...]
 *
 * For each architecture: COUNT random words, mostly with the unit's opcodes; every legal word of every row, up to the
 * contents of registers, offset and spare bits, and all single-bit flips; the words on standard input (arch TAB word
 * TAB text ...). The RTL's outputs for words on standard input are also compared with the text, written by neither
 * decoder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/rng.h"
#include "isa_table.h"
#include "rtl_units.h"
#include "sync_decode_shim.h"
#include "sync_text.h"
#include "warplock/isa.h"

enum {
	LINE = 1024,
	FEW = 20,       /* words of each kind that each architecture must have seen at least */
	MAX_FREE = 16,  /* bits that distinguish the words of a row */
	PER_CHOICE = 8, /* registers absent and present */
};

static const enum wl_arch archs[] = {WL_ARCH_LIST};
enum { ARCHS = sizeof archs / sizeof archs[0] };

static struct rng rng;

static uint64_t next_random(void)
{
	return rng_next(&rng);
}

/* Kinds of requests, and the first architecture with words of the kind. */
#define KIND(name, since)                                                                                              \
	{                                                                                                              \
		WL_UOP_##name, RTL_atoms_pipe_##name, #name, since                                                     \
	}
static const struct {
	enum wl_uop uop;
	uint32_t kind;
	const char *name;
	enum wl_arch since;
} kinds[] = {
        KIND(LDS, WL_SM75),        KIND(STS, WL_SM75),           KIND(LDSM, WL_SM75),
        KIND(STSM, WL_SM90),       KIND(ATOMS, WL_SM75),         KIND(ATOMS_CAS, WL_SM75),
        KIND(ATOMS_CAST, WL_SM75), KIND(ATOMS_CAST_P, WL_SM100), KIND(ATOMSN, WL_SM75),
};
#undef KIND
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- expected outputs ---- */

static uint32_t log2_of(unsigned size)
{
	uint32_t n = 0;
	while (1u << n < size)
		n++;
	return n;
}

/* Effects of the fields: an offset without a register is an address. A request that changes memory and names no
 * destination is posted. Rc travels beside Rb, except for 128 bits. Source: docs/spec/shared-memory.md, "Addresses";
 * docs/spec/lockstep.md, "Posted requests". */
static void follow(struct sync_decoded *d)
{
	if (!d->known)
		return;
	const bool loads = d->kind == RTL_atoms_pipe_LDS || d->kind == RTL_atoms_pipe_LDSM;
	const bool compares = d->kind == RTL_atoms_pipe_ATOMS_CAS || d->kind == RTL_atoms_pipe_ATOMS_CAST ||
	                      d->kind == RTL_atoms_pipe_ATOMS_CAST_P;
	d->negative = (d->ra_used || d->ur_used) && d->offset >> 23;
	d->posted = !loads && !d->rd_used && !d->pd_used;
	d->packed = compares && d->size < 4;
}

static struct sync_decoded expected(enum wl_arch arch, struct wl_word w)
{
	struct sync_decoded d = {0};
	struct wl_inst in;
	if (wl_decode(arch, w, &in) != WL_OK)
		return d;
	d.ends = d.header = in.uop == WL_UOP_EXIT;
	for (unsigned i = 0; i < KINDS; i++)
		if (kinds[i].uop == (enum wl_uop)in.uop) {
			d.known = 1;
			d.kind = kinds[i].kind;
		}
	if (!d.known)
		return d;
	d.spin = (in.flags & WL_F_SPIN) != 0;
	d.op = in.flags & WL_F_ONE ? SYNC_OP_POPC_INC : in.op;
	d.is_signed = (in.flags & WL_F_SIGNED) != 0;
	d.size = log2_of(in.size);
	d.scale = in.xn;
	d.ra_used = in.ra != WL_RZ;
	d.ur_used = in.ur != 255;
	d.rd_used = in.rd != WL_RZ;
	d.type = in.type;
	d.matrices = in.lut;
	d.pd_used = in.pd[0] != WL_PT; /* of illegal words too */
	d.rb_used = in.rb != WL_RZ;
	d.rc_used = in.rc != WL_RZ;
	d.offset = (uint32_t)in.off & 0xffffff;
	follow(&d);
	d.illegal = (in.flags & WL_F_ILLEGAL) != 0;
	return d;
}

/* ---- one word ---- */

struct tally {
	unsigned long words, known, illegal, popc, legal, flips, texts, by_kind[KINDS]; /* at the kind's number */
};
static struct tally now;
static unsigned long wrong;

static void complain(enum wl_arch arch, struct wl_word w, const char *by, const struct sync_decoded *want,
                     const struct sync_decoded *got)
{
	static const char *const names[] = {"known",  "kind",     "spin",    "op",      "signed",  "size",
	                                    "scale",  "ra_used",  "rb_used", "rc_used", "ur_used", "rd_used",
	                                    "offset", "negative", "packed",  "posted",  "waits",   "illegal",
	                                    "ends",   "header",   "pd_used", "type",    "matrices"};
	const uint32_t *a = (const uint32_t *)want, *b = (const uint32_t *)got;
	char hex[33], text[LINE];
	if (wrong++ >= 5)
		return;
	wl_word_format(w, hex);
	if (wl_print(arch, w, 0, text, sizeof text) < 0)
		snprintf(text, sizeof text, "?");
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (a[i] != b[i])
			printf("sm_%d %s (%s): %s_o is %u, expected %u by %s\n", (int)arch, hex, text, names[i], b[i],
			       a[i], by);
}

static bool agree(const struct sync_decoded *want, const struct sync_decoded *got)
{
	if (!want->known)
		return !got->known && got->ends == want->ends && (!want->ends || got->header);
	return memcmp(want, got, sizeof *want) == 0;
}

static struct sync_decoded check(enum wl_arch arch, struct wl_word w)
{
	struct sync_decoded want = expected(arch, w), got;
	sync_decode_eval((uint8_t)arch, w.lo, w.hi, &got);
	now.words++;
	if (want.known) {
		now.known++;
		now.illegal += want.illegal;
		now.popc += want.op == SYNC_OP_POPC_INC;
		now.by_kind[want.kind]++;
	}
	if (!agree(&want, &got))
		complain(arch, w, "the C decoder", &want, &got);
	return want;
}

/* ---- random words ---- */

/* Opcodes of the unit on any architecture, EXIT's opcode, and all neighbours by one bit. */
static uint32_t opcodes[2048];
static unsigned nopcodes;

static bool in_unit(const struct isa_row *row)
{
	return row->modelled && wl_uop_unit((enum wl_uop)row->uop) == WL_UNIT_atoms_pipe;
}

static bool is_drawn(const struct isa_row *row)
{
	return in_unit(row) || row->uop == WL_UOP_EXIT;
}

static void find_opcodes(void)
{
	for (uint32_t op = 0; op < 8192; op++) {
		bool here = false;
		for (unsigned a = 0; a < ARCHS; a++)
			for (unsigned i = 0; i < isa.first[a][op].n; i++)
				here = here || is_drawn(&isa.rows[isa.matches[isa.first[a][op].at + i].row]);
		if (!here)
			continue;
		for (unsigned n = 0; n < 26; n++) /* each as often as all neighbours together */
			opcodes[nopcodes++] = n < 13 ? op : op ^ 1u << (n - 13);
	}
}

/* Registers and offsets at the edges now and then. */
static struct wl_word some_edges(struct wl_word w)
{
	static const uint8_t fields[][2] = {{16, 8}, {24, 8}, {32, 6}, {32, 8}, {64, 6}, {64, 8}, {40, 24}};
	const uint64_t die = next_random();
	for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if ((die >> 2 * i & 3) == 0)
			w = isa_set_bits(w, fields[i][0], fields[i][1], UINT64_MAX);
	return w;
}

static struct wl_word random_word(void)
{
	struct wl_word w = {next_random(), next_random()};
	if (next_random() % 8 == 0)
		return w;
	const uint32_t op = opcodes[next_random() % nopcodes];
	w = isa_set_bits(isa_set_bits(w, 0, 12, op), 91, 1, op >> 12);
	return some_edges(w);
}

/* ---- legal words ---- */

/* Bits read by the row's conditions and pieces. Two kinds stay out: register bits, drawn at random, and bits with one
 * value in all words of the row. */
static unsigned free_bits(const struct isa_row *row, const struct isa_match *m, uint8_t bit[MAX_FREE])
{
	uint64_t set[2] = {0, 0};
	unsigned n = 0;
	for (unsigned i = 0; i < m->nnots; i++)
		for (unsigned b = 0; b < isa.nots[m->nots + i].len; b++)
			set[(isa.nots[m->nots + i].lo + b) / 64] |= UINT64_C(1) << (isa.nots[m->nots + i].lo + b) % 64;
	for (unsigned i = 0; i < row->nbinds; i++) {
		const struct isa_bind *b = &isa.binds[row->binds + i];
		if (b->kind == ISA_BIND_PIECE)
			set[0] |= isa.pieces[b->index].bits[0], set[1] |= isa.pieces[b->index].bits[1];
	}
	for (unsigned i = 0; i < 2u; i++) {
		const unsigned at = i ? row->illegal : row->only, terms = i ? row->nillegal : row->nonly;
		for (unsigned k = 0; k < terms; k++)
			for (unsigned b = isa.terms[at + k].lo; b < isa.terms[at + k].lo + isa.terms[at + k].len; b++)
				set[b / 64] |= UINT64_C(1) << b % 64;
	}
	for (unsigned b = 72; b < 105; b++) /* below lie opcode, guard, registers and offset; above the scheduling */
		if ((set[b / 64] & ~m->mask[b / 64]) >> b % 64 & 1) {
			if (n == MAX_FREE) {
				printf("a row looks at more than %d bits\n", MAX_FREE);
				exit(1);
			}
			bit[n++] = (uint8_t)b;
		}
	return n;
}

static void check_flips(enum wl_arch arch, struct wl_word w)
{
	for (unsigned b = 0; b < 128; b++)
		check(arch, (struct wl_word){w.lo ^ (b < 64 ? UINT64_C(1) << b : 0),
		                             w.hi ^ (b >= 64 ? UINT64_C(1) << (b - 64) : 0)});
	now.flips += 128;
}

/* Every choice of the row's bits for a legal word. False without any. */
static bool check_row(enum wl_arch arch, uint32_t op, const struct isa_match *m)
{
	uint8_t bit[MAX_FREE];
	const unsigned n = free_bits(&isa.rows[m->row], m, bit);
	unsigned long legal = 0;
	for (uint32_t choice = 0; choice < (uint32_t)PER_CHOICE << n; choice++) {
		struct wl_word w = {next_random(), next_random()};
		struct wl_inst in;
		for (unsigned i = 0; i < n; i++)
			w = isa_set_bits(w, bit[i], 1, choice >> i & 1);
		for (unsigned i = 0; i < 3; i++)
			if (choice >> (n + i) & 1)
				w = isa_set_bits(w,
				                 i == 0                               ? 16
				                 : i == 1                             ? 24
				                 : isa_bits(w, 91, 1) && op != 0x1984 ? 64
				                                                      : 32,
				                 8, UINT64_MAX);
		w = (struct wl_word){(w.lo & ~m->mask[0]) | m->value[0], (w.hi & ~m->mask[1]) | m->value[1]};
		w = isa_set_bits(isa_set_bits(w, 0, 12, op), 91, 1, op >> 12);
		if (wl_decode(arch, w, &in) != WL_OK || in.row != m->row ||
		    wl_uop_unit((enum wl_uop)in.uop) != WL_UNIT_atoms_pipe)
			continue;
		legal++;
		check(arch, w);
		check_flips(arch, w);
	}
	now.legal += legal;
	return legal != 0;
}

static bool check_rows(unsigned a)
{
	bool ok = true;
	for (uint32_t op = 0; op < 8192; op++)
		for (unsigned i = 0; i < isa.first[a][op].n; i++) {
			const struct isa_match *m = &isa.matches[isa.first[a][op].at + i];
			if (!in_unit(&isa.rows[m->row]) || check_row(archs[a], op, m))
				continue;
			printf("sm_%d: no legal word of the row of opcode %04x was found\n", (int)archs[a], op);
			ok = false;
		}
	return ok;
}

/* ---- recorded words ---- */

struct recorded {
	uint16_t arch;
	struct wl_word word;
	char *text;
};
static struct recorded *record;
static size_t nrecords;

static void read_records(void)
{
	char line[LINE], hex[33];
	size_t room = 0;
	while (fgets(line, sizeof line, stdin)) {
		struct recorded r;
		char text[LINE];
		if (line[0] == '#' || sscanf(line, "%hu\t%32[0-9a-f]\t%1023[^\t\n]", &r.arch, hex, text) != 3 ||
		    !wl_word_parse(hex, &r.word))
			continue;
		if (nrecords == room)
			record = realloc(record, (room = room ? 2 * room : 4096) * sizeof *record);
		r.text = strdup(text);
		if (!record || !r.text)
			abort();
		record[nrecords++] = r;
	}
}

static void check_records(enum wl_arch arch)
{
	for (size_t i = 0; i < nrecords; i++) {
		struct sync_decoded want, got;
		struct wl_inst in;
		if (record[i].arch != arch)
			continue;
		check(arch, record[i].word);
		if (wl_decode(arch, record[i].word, &in) == WL_OK && in.uop == WL_UOP_UNMODELLED)
			continue; /* a meaning that is not built */
		want = sync_text_read(record[i].text);
		follow(&want);
		sync_decode_eval((uint8_t)arch, record[i].word.lo, record[i].word.hi, &got);
		if (!got.ra_used)
			got.scale = 0;
		now.texts += want.known;
		if (!agree(&want, &got))
			complain(arch, record[i].word, "NVIDIA's text", &want, &got);
	}
}

/* ---- all of it ---- */

static bool run(unsigned a, unsigned long count)
{
	const enum wl_arch arch = archs[a];
	now = (struct tally){0};
	check_records(arch);
	bool ok = check_rows(a);
	for (unsigned long i = 0; i < count; i++)
		check(arch, random_word());
	bool thin =
	        now.known < count / 8 || now.illegal < FEW || now.texts < FEW || (arch >= WL_SM80 && now.popc < FEW);
	printf("sm_%d: %lu words, %lu known (", (int)arch, now.words, now.known);
	for (unsigned i = 0; i < KINDS; i++) {
		printf("%s %lu, ", kinds[i].name, now.by_kind[kinds[i].kind]);
		thin = thin || (arch >= kinds[i].since && now.by_kind[kinds[i].kind] < FEW);
	}
	printf("POPC.INC %lu), %lu illegal; %lu legal words flipped in %lu bits; %lu texts\n", now.popc, now.illegal,
	       now.legal, now.flips, now.texts);
	if (thin)
		printf("sm_%d: too few words of some kind\n", (int)arch);
	return ok && !thin;
}

/* An architecture without rows knows no word. */
static bool no_rows(void)
{
	unsigned long known = 0;
	for (unsigned long i = 0; i < 100000; i++) {
		const struct wl_word w = random_word();
		struct sync_decoded got;
		sync_decode_eval((uint8_t)(i % 2 ? 0 : 74), w.lo, w.hi, &got);
		known += got.known;
	}
	if (known)
		printf("%lu words are known on architectures that have no rows\n", known);
	return !known;
}

int main(int argc, char **argv)
{
	const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	unsigned passed = 0, failed = 0;
	rng = rng_seed(seed, 0);
	printf("seed %llu\n", (unsigned long long)seed);
	find_opcodes();
	read_records();
	for (unsigned a = 0; a < ARCHS; a++) {
		bool asked = argc <= 3;
		for (int i = 3; i < argc; i++)
			asked = asked || atoi(argv[i]) == (int)archs[a];
		if (!asked)
			continue;
		const unsigned long before = wrong;
		if (run(a, count) && wrong == before)
			passed++;
		else
			failed++;
	}
	for (size_t i = 0; i < nrecords; i++)
		free(record[i].text);
	free(record);
	if (no_rows())
		passed++;
	else
		failed++;
	printf("%lu differ\n%u passed, %u failed\n", wrong, passed, failed);
	return failed != 0;
}
