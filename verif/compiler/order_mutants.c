// SPDX-License-Identifier: Apache-2.0
/* order_mutants.c -- does wlobjdump --check-orders notice weakened orders?
 *
 *   wlcc_order_mutants                 code of wlcc for every order, scope, operation and space, six architectures: no
 *                                      finding, and a finding for each weakened word
 *   wlcc_order_mutants --print sm_N    the PTX of this code
 *   wlcc_order_mutants OBJECT PTX      an object without findings, the same way; kernels of any code
 *
 * Mutants: a MEMBAR, ERRBAR, CGAERRBAR or CCTL.IVALL is missing; a MEMBAR reaches less far, or is no longer SC; a
 * strong access is weak, or reaches less far; a run of fences comes behind the next access, or in front of the last; an
 * access comes to the other side of a run. In the kernels made here each of these words is needed, except the words of
 * spare(). For other kernels the program prints the share found: neighbouring fences cover for each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cmodel/tools/file.h"
#include "../../compiler/orders/orders.h"
#include "../../compiler/ptx/ptx.h"
#include "warplock/object.h"
#include "wlcc.h"

enum { WORD_BYTES = 16, KINDS = 7, MOVED = 6 };
static const enum wl_arch archs[] = {WL_SM75, WL_SM80, WL_SM90, WL_SM100, WL_SM107, WL_SM120};

/* ---- the PTX ---- */

struct text {
	char *s;
	size_t n;
	FILE *to;
	unsigned kernels;
};

/* An access before, the instruction, an access behind: both orders have an access to order. */
static void put_kernel(struct text *t, const char *instruction)
{
	fprintf(t->to,
	        ".visible .entry k%u(.param .u64 a, .param .u64 b, .param .u32 c)\n{\n.reg .pred %%p;\n"
	        ".reg .b16 %%h<4>;\n.reg .b32 %%r<4>;\n.reg .f32 %%f<4>;\n.reg .b64 %%d<6>;\n.reg .f64 %%g<4>;\n"
	        "ld.param.u64 %%d1, [a];\nld.param.u64 %%d2, [b];\nld.param.u32 %%r2, [c];\n"
	        "mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%d3, %%r1, 16;\nadd.u64 %%d1, %%d1, %%d3;\n"
	        "add.u64 %%d2, %%d2, %%d3;\ncvt.u32.u64 %%r3, %%d1;\ncvt.rn.f32.u32 %%f2, %%r2;\n"
	        "cvt.rn.f64.u32 %%g2, %%r2;\ncvt.u16.u32 %%h2, %%r2;\ncvt.u16.u32 %%h3, %%r1;\ncvt.u64.u32 %%d4, "
	        "%%r2;\n"
	        "mov.u64 %%d5, %%d3;\nst.global.u32 [%%d2+4], %%r2;\n%s\nld.global.u32 %%r2, [%%d2+8];\n"
	        "st.global.u32 [%%d2+12], %%r2;\nret;\n}\n",
	        t->kernels++, instruction);
}

static void put_accesses(struct text *t, enum wl_arch arch)
{
	static const char *const spaces[][2] = {{".global", "%d1"}, {"", "%d1"}, {".shared", "%r3"}};
	static const char *const orders[] = {"volatile",    "relaxed.cta", "relaxed.gpu", "relaxed.sys", "acquire.cta",
	                                     "acquire.gpu", "acquire.sys", "release.cta", "release.gpu", "release.sys"};
	static const char *const types[] = {"u32", "u64", "u8"};
	static const char *const values[] = {"%r1", "%d5", "%r1"};
	char s[160];
	for (unsigned sp = 0; sp < 3; sp++)
		for (unsigned o = 0; o < sizeof orders / sizeof *orders; o++)
			for (unsigned y = 0; y < 3; y++) {
				bool load = strncmp(orders[o], "release", 7) != 0;
				bool store = strncmp(orders[o], "acquire", 7) != 0;
				if (y && o % 3 == 0)
					continue;
				snprintf(s, sizeof s, "ld.%s%s.%s %s, [%s];\nst.global.%s [%%d2+16], %s;", orders[o],
				         spaces[sp][0], types[y], values[y], spaces[sp][1], types[y], values[y]);
				if (load)
					put_kernel(t, s);
				snprintf(s, sizeof s, "st.%s%s.%s [%s], %s;", orders[o], spaces[sp][0], types[y],
				         spaces[sp][1], values[y]);
				if (store)
					put_kernel(t, s);
			}
	if (arch >= WL_SM80) /* sm_75 lacks this load */
		put_kernel(t, "ld.mmio.relaxed.sys.global.u32 %r1, [%d1];");
	put_kernel(t, "st.mmio.relaxed.sys.global.u32 [%d1], %r1;");
}

static void put_atomics(struct text *t)
{
	static const char *const spaces[][2] = {{".global", "%d1"}, {"", "%d1"}, {".shared", "%r3"}};
	static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel"};
	static const char *const scopes[] = {"cta", "gpu", "sys"};
	static const struct {
		const char *operation, *d, *rest;
	} ops[] = {{"add.u32", "%r1", "%r2"},      {"max.s32", "%r1", "%r2"}, {"exch.b64", "%d5", "%d4"},
	           {"cas.b32", "%r1", "%r2, %r1"}, {"add.u64", "%d5", "%d4"}, {"min.s64", "%d5", "%d4"},
	           {"add.f32", "%f1", "%f2"},      {"add.f64", "%g1", "%g2"}, {"cas.b16", "%h1", "%h2, %h3"},
	           {"cas.b64", "%d5", "%d4, %d3"}};
	char s[200];
	for (unsigned sp = 0; sp < 3; sp++)
		for (unsigned o = 0; o < 4; o++)
			for (unsigned c = 0; c < 3; c++)
				for (unsigned p = 0; p < sizeof ops / sizeof *ops; p++) {
					snprintf(s, sizeof s, "atom.%s.%s%s.%s %s, [%s], %s;", orders[o], scopes[c],
					         spaces[sp][0], ops[p].operation, ops[p].d, spaces[sp][1], ops[p].rest);
					put_kernel(t, s);
					if (o != 0 && o != 2)
						continue;
					if (p < 2 || p == 4) {
						snprintf(s, sizeof s, "red.%s.%s%s.%s [%s], %s;", orders[o], scopes[c],
						         spaces[sp][0], ops[p].operation, spaces[sp][1], ops[p].rest);
						put_kernel(t, s);
					}
				}
	put_kernel(t, "atom.global.add.u32 %r1, [%d1], %r2;");
}

static void put_fences(struct text *t, enum wl_arch arch)
{
	static const char *const orders[] = {"sc", "acq_rel", "release", "acquire"};
	static const char *const scopes[] = {"cta", "gpu", "sys"};
	char s[80];
	for (unsigned o = 0; o < 4; o++)
		for (unsigned c = 0; c < 3; c++) {
			snprintf(s, sizeof s, "fence.%s.%s;", orders[o], scopes[c]);
			put_kernel(t, s);
		}
	put_kernel(t, "st.global.u32 [%d2+20], %r1;\nmembar.cta;\nst.global.u32 [%d2+24], %r1;");
	put_kernel(t, "st.global.u32 [%d2+20], %r1;\nfence.acq_rel.gpu;\nst.global.u32 [%d2+24], %r1;");
	put_kernel(t, "membar.cta;");
	put_kernel(t, "membar.gl;");
	put_kernel(t, "membar.sys;");
	put_kernel(t, "setp.eq.u32 %p, %r2, 0;\n@%p fence.acq_rel.gpu;\n@!%p bra L;\nst.global.u32 [%d2], %r1;\nL:");
	if (arch >= WL_SM80) {
		put_kernel(t, "mbarrier.arrive.shared.b64 %d5, [%r3];");
		put_kernel(t, "L:\nmbarrier.test_wait.shared.b64 %p, [%r3], %d5;\n@!%p bra L;");
	}
	if (arch >= WL_SM90) {
		put_kernel(t, "barrier.cluster.arrive;\nbarrier.cluster.wait;");
		put_kernel(t, "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;");
		put_kernel(t, "mbarrier.arrive.release.cluster.shared::cta.b64 %d5, [%r3];");
		put_kernel(t, "L:\nmbarrier.try_wait.acquire.cluster.shared::cta.b64 %p, [%r3], %d5;\n@!%p bra L;");
	}
}

/* The least .version with the target, at least 9.0: 10 * major + minor. */
static unsigned version_for(enum wl_arch arch)
{
	unsigned version = 90;
#define PTX_TARGET(name, number, suffix, least, toolkit)                                                               \
	if ((number) == (int)arch && (least) > version && !(suffix))                                                   \
		version = (least);
#include "../../compiler/ptx/targets.def"
#undef PTX_TARGET
	return version;
}

/* The toolkit with the valid verdicts: 13.0 if the toolkit knows the chip. */
static unsigned toolkit_for(enum wl_arch arch)
{
	return version_for(arch) > 90 ? 135 : 130;
}

static struct text make_text(enum wl_arch arch)
{
	const unsigned version = version_for(arch);
	struct text t = {0};
	t.to = open_memstream(&t.s, &t.n);
	fprintf(t.to, ".version %u.%u\n.target sm_%d\n.address_size 64\n", version / 10, version % 10, (int)arch);
	put_accesses(&t, arch);
	put_atomics(&t);
	put_fences(&t, arch);
	fclose(t.to);
	return t;
}

/* ---- mutants ---- */

static const char *const kind_names[KINDS] = {"MEMBAR dropped",  "error barrier dropped", "CCTL.IVALL dropped",
                                              "MEMBAR weakened", "STRONG dropped",        "scope narrowed",
                                              "fences moved"};

static bool narrow(enum wl_arch arch, uint8_t *scope)
{
	switch (*scope) {
	case WL_SCOPE_SYS:
		*scope = WL_SCOPE_GPU;
		return true;
	case WL_SCOPE_GPU:
		*scope = arch < WL_SM80 ? WL_SCOPE_CTA : WL_SCOPE_SM;
		return true;
	default:
		return false;
	}
}

/* Makes mutant number `which` of the instruction. Returns its kind; -1: no more mutants. */
static int change(enum wl_arch arch, struct wl_inst *in, unsigned which)
{
	struct wl_sched sched = in->sched;
	int kind = in->uop == WL_UOP_MEMBAR ? 0 : in->uop == WL_UOP_ERRBAR ? 1 : in->uop == WL_UOP_CCTL_IVALL ? 2 : -1;
	if (kind >= 0 && which == 0) {
		*in = wl_inst_make(WL_UOP_NOP);
		in->sched = sched;
		return kind;
	}
	in->row = 0xffff;
	if (in->uop == WL_UOP_MEMBAR && which == 1 && in->scope != WL_SCOPE_CTA) {
		in->scope = in->scope == WL_SCOPE_SYS ? WL_SCOPE_GPU : WL_SCOPE_CTA;
		return 3;
	}
	if (in->uop == WL_UOP_MEMBAR && which <= 2 && in->op == WL_MEMBAR_SC) {
		in->op = WL_MEMBAR_ALL;
		return which == 2 || in->scope == WL_SCOPE_CTA ? 3 : -1;
	}
	if (kind >= 0 || (in->order != WL_MEM_STRONG && in->order != WL_MEM_MMIO))
		return -1;
	if (which == 0 && !wl_uop_has((enum wl_uop)in->uop, WL_TRAIT(ATOMIC))) {
		in->order = WL_MEM_WEAK;
		in->scope = WL_SCOPE_SYS;
		return 4;
	}
	return which <= 1 && in->order == WL_MEM_STRONG && narrow(arch, &in->scope) ? 5 : -1;
}

struct tally {
	unsigned made, found, kept[KINDS][2]; /* missed, found */
	bool told;
};

static void ignore(void *self, const struct orders_finding *f)
{
	(void)self;
	(void)f;
}

static void complain(void *self, const struct wlcc_message *m)
{
	(void)self;
	if (m->severity == WLCC_ERROR)
		printf("  %s:%u: %s\n", m->file, m->line, m->text);
}

struct unit {
	struct demands d;
	struct orders_code code;
	unsigned char *words;
	uint32_t *lines;
};

/* A word covered by another word through its kind, not its place: the arrival at an mbarrier of a cluster has MEMBAR
 * of the CTA and of the GPU. */
static bool spare(const struct unit *u, uint32_t pc)
{
	struct wl_word w, next;
	struct wl_inst a, b;
	if (pc + 1 >= u->code.n)
		return false;
	memcpy(&w, u->words + WORD_BYTES * (size_t)pc, sizeof w);
	memcpy(&next, u->words + WORD_BYTES * ((size_t)pc + 1), sizeof next);
	return wl_decode(u->code.arch, w, &a) == WL_OK && wl_decode(u->code.arch, next, &b) == WL_OK &&
	       a.uop == WL_UOP_MEMBAR && b.uop == WL_UOP_MEMBAR;
}

static void judge(struct unit *u, struct tally *t, int kind, uint32_t pc, const unsigned char *was)
{
	const bool found = orders_check(&u->d, &u->code, ignore, NULL) > 0;
	struct wl_word w;
	char text[200];
	t->kept[kind][found]++;
	t->made++;
	t->found += found;
	if (found)
		return;
	memcpy(&w, was, sizeof w);
	wl_print(u->code.arch, w, 0, text, sizeof text);
	printf("  sm_%d %s: %s of `%s` at 0x%x was not found\n", (int)u->code.arch, u->code.name, kind_names[kind],
	       text, WORD_BYTES * pc);
}

enum place { OTHER, FENCE, ACCESS, BRANCH };

static enum place place_of(const struct unit *u, uint32_t pc)
{
	struct wl_word w;
	struct wl_inst in;
	memcpy(&w, u->words + WORD_BYTES * (size_t)pc, sizeof w);
	if (wl_decode(u->code.arch, w, &in) != WL_OK)
		return BRANCH;
	const uint64_t traits = wl_inst_traits(&in);
	if (in.uop == WL_UOP_MEMBAR || in.uop == WL_UOP_ERRBAR || in.uop == WL_UOP_CCTL_IVALL)
		return FENCE;
	if (traits & (WL_TRAIT(JUMPS) | WL_TRAIT(LEAVES) | WL_TRAIT(INDIRECT) | WL_TRAIT(CALLS)))
		return BRANCH;
	if (traits & WL_TRAIT(LOCAL) || in.order == WL_MEM_CONSTANT || in.uop == WL_UOP_B2R)
		return OTHER;
	return traits & (WL_TRAIT(READS_MEMORY) | WL_TRAIT(WRITES_MEMORY)) ? ACCESS : OTHER;
}

/* Puts the words from `middle` up to `end` in front of the words from `start` up to `middle`. */
static void turn(struct unit *u, uint32_t start, uint32_t middle, uint32_t end)
{
	const uint32_t n = end - start, by = middle - start;
	unsigned char *words = malloc(WORD_BYTES * (size_t)n);
	uint32_t *lines = malloc(n * sizeof *lines);
	for (uint32_t i = 0; words && lines && i < n; i++) {
		const uint32_t from = start + (i + by) % n;
		memcpy(words + WORD_BYTES * (size_t)i, u->words + WORD_BYTES * (size_t)from, WORD_BYTES);
		lines[i] = u->lines[from];
	}
	if (words && lines) {
		memcpy(u->words + WORD_BYTES * (size_t)start, words, WORD_BYTES * (size_t)n);
		memcpy(u->lines + start, lines, n * sizeof *lines);
	}
	free(words);
	free(lines);
}

static bool atomic(const struct unit *u, uint32_t pc)
{
	struct wl_word w;
	struct wl_inst in;
	memcpy(&w, u->words + WORD_BYTES * (size_t)pc, sizeof w);
	return wl_decode(u->code.arch, w, &in) == WL_OK && wl_inst_traits(&in) & WL_TRAIT(ATOMIC);
}

/* The next access from `pc` on, or the last before `pc`; code.n: a branch or a fence comes first. */
static uint32_t neighbour(const struct unit *u, uint32_t pc, bool behind)
{
	while (behind ? pc < u->code.n : pc > 0) {
		const uint32_t at = behind ? pc++ : --pc;
		const enum place p = place_of(u, at);
		if (p != OTHER)
			return p == ACCESS ? at : u->code.n;
	}
	return u->code.n;
}

/* Does it matter on which side of the fences the access is? Words of the same instruction matter if they are its atomic: a
 * loop around a compare-and-swap takes a first look. */
static bool matters(const struct unit *u, uint32_t fence, uint32_t access)
{
	return access < u->code.n && (u->lines[fence] != u->lines[access] || atomic(u, access));
}

/* Moves words, judges, moves back. */
static void try_turn(struct unit *u, struct tally *t, uint32_t pc, uint32_t start, uint32_t middle, uint32_t end)
{
	unsigned char was[WORD_BYTES];
	memcpy(was, u->words + WORD_BYTES * (size_t)pc, sizeof was);
	turn(u, start, middle, end);
	judge(u, t, MOVED, pc, was);
	turn(u, start, start + end - middle, end);
}

/* A run of fences comes behind the next access, and in front of the last; the access before the last comes behind the
 * run; where the run is a fence of the PTX, the access behind the next comes in front. */
static void move_fences(struct unit *u, struct tally *t, uint32_t run)
{
	uint32_t end = run, next, last;
	bool membar = false;
	for (; end < u->code.n && place_of(u, end) == FENCE; end++) {
		struct wl_word w;
		struct wl_inst in;
		memcpy(&w, u->words + WORD_BYTES * (size_t)end, sizeof w);
		membar |= wl_decode(u->code.arch, w, &in) == WL_OK && in.uop == WL_UOP_MEMBAR;
	}
	next = neighbour(u, end, true);
	last = neighbour(u, run, false);
	if (matters(u, run, next))
		try_turn(u, t, run, run, end, next + 1);
	if (matters(u, run, last))
		try_turn(u, t, run, last, run, end);
	if (last < u->code.n && u->lines[last] != u->lines[run]) {
		const uint32_t farther = neighbour(u, last, false);
		if (membar && matters(u, run, farther))
			try_turn(u, t, run, farther, farther + 1, end);
	}
	if (next < u->code.n && u->lines[next] != u->lines[end - 1]) {
		const uint32_t farther = neighbour(u, next + 1, true);
		if (membar && matters(u, run, farther))
			try_turn(u, t, run, run, farther, farther + 1);
	}
}

static void mutate(struct unit *u, struct tally *t, bool all_matter)
{
	for (uint32_t pc = 0; pc < u->code.n; pc++)
		if (place_of(u, pc) == FENCE && (pc == 0 || place_of(u, pc - 1) != FENCE))
			move_fences(u, t, pc);
	for (uint32_t pc = 0; pc < u->code.n; pc++) {
		unsigned char *at = u->words + WORD_BYTES * (size_t)pc, before[WORD_BYTES];
		memcpy(before, at, sizeof before);
		for (unsigned which = 0; which < 3; which++) {
			struct wl_word w;
			struct wl_inst in;
			int kind;
			memcpy(&w, before, sizeof w);
			if (wl_decode(u->code.arch, w, &in) != WL_OK || (all_matter && spare(u, pc)))
				continue;
			kind = change(u->code.arch, &in, which);
			if (kind < 0 || wl_encode(u->code.arch, &in, &w, NULL) != WL_OK)
				continue;
			memcpy(at, &w, sizeof w);
			judge(u, t, kind, pc, before);
			memcpy(at, before, sizeof before);
		}
	}
}

/* Tries all code of an object. Returns the number of findings before any change. */
static int try_object(const unsigned char *elf, size_t size, const struct ptx_module *m, struct tally *t,
                      bool all_matter)
{
	char why[200];
	struct wl_object *o;
	struct wl_code code;
	struct unit u;
	int findings = 0;
	if (wl_object_open(elf, size, &o, why, sizeof why) != WL_OK || !demands_read(m, &u.d)) {
		printf("  %s\n", why);
		return 1;
	}
	for (uint32_t i = 0; wl_object_code(o, i, &code); i++) {
		uint32_t nways, *lines = wl_object_ptx_lines(o, &code);
		struct wl_way *ways = wl_object_ways(o, code.name, &nways);
		int n;
		u.words = malloc(WORD_BYTES * (size_t)code.nwords + 1);
		memcpy(u.words, code.bytes, WORD_BYTES * (size_t)code.nwords);
		u.lines = lines;
		u.code = (struct orders_code){wl_object_arch(o), code.name, u.words, code.nwords, lines, ways, nways};
		n = lines ? orders_check(&u.d, &u.code, ignore, NULL) : 1;
		if (n)
			printf("  %s: %d findings\n", code.name, n);
		else
			mutate(&u, t, all_matter);
		findings += n;
		free(u.words);
		free(lines);
		free(ways);
	}
	demands_free(&u.d);
	wl_object_close(o);
	return findings;
}

static void print_tally(const char *of, const struct tally *t)
{
	printf("%s: %u of %u mutants found:", of, t->found, t->made);
	for (unsigned k = 0; k < KINDS; k++)
		printf(" %s %u/%u%s", kind_names[k], t->kept[k][1], t->kept[k][0] + t->kept[k][1],
		       k + 1 < KINDS ? "," : "\n");
}

static bool try_arch(enum wl_arch arch, int opt)
{
	struct text t = make_text(arch);
	struct wlcc_options o = {
	        .arch = arch, .opt = opt, .file = "orders.ptx", .diag = complain, .ptxas = toolkit_for(arch)};
	struct ptx_options po = {.file = "orders.ptx", .diag = complain, .ptxas = toolkit_for(arch)};
	struct wlcc_bytes object;
	struct tally tally = {0};
	struct ptx_module *m = ptx_parse(t.s, t.n, &po);
	char of[40];
	int findings = 1;
	bool enough = true;
	if (m && wlcc_compile_ptx(t.s, t.n, &o, false, &object)) {
		findings = try_object(object.data, object.size, m, &tally, true);
		free(object.data);
	}
	for (unsigned k = 0; k < KINDS; k++)
		enough &= tally.kept[k][1] >= 20;
	snprintf(of, sizeof of, "sm_%d -O%d, %u kernels", (int)arch, opt, t.kernels);
	print_tally(of, &tally);
	ptx_module_free(m);
	free(t.s);
	return !findings && tally.found == tally.made && enough;
}

static int try_file(const char *object, const char *ptx)
{
	char why[200];
	size_t size, length;
	unsigned char *elf = file_read(object, &size, why, sizeof why);
	unsigned char *text = file_read(ptx, &length, why, sizeof why);
	struct ptx_options po = {.file = ptx, .diag = complain, .ptxas = 130};
	struct ptx_module *m = elf && text ? ptx_parse((const char *)text, length, &po) : NULL;
	struct tally tally = {0};
	if (!m) {
		printf("%s, %s: cannot be read\n", object, ptx);
		return 1;
	}
	try_object(elf, size, m, &tally, false);
	print_tally(object, &tally);
	ptx_module_free(m);
	free(elf);
	free(text);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned passed = 0, failed = 0;
	if (argc == 3 && !strcmp(argv[1], "--print")) {
		struct text t = make_text(wl_arch_parse(argv[2], NULL));
		fwrite(t.s, 1, t.n, stdout);
		free(t.s);
		return 0;
	}
	if (argc == 3)
		return try_file(argv[1], argv[2]);
	for (unsigned i = 0; i < sizeof archs / sizeof *archs; i++)
		for (int opt = 0; opt <= 2; opt += 2)
			*(try_arch(archs[i], opt) ? &passed : &failed) += 1;
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
