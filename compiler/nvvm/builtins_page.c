/* SPDX-License-Identifier: Apache-2.0 */
/* builtins_page.c -- docs/reference/builtins.md, written from the tables. */
#include <string.h>

#include "asmtext.h"
#include "driver.h"

static const struct {
	const char *name;
	unsigned bit;
	const char *measured, *documented;
} differences[] = {
#define NV_DIFF(name, bit, measured, documented) {#name, bit, measured, documented},
#include "differences.def"
#undef NV_DIFF
};

static const struct {
	const char *name;
	int number;
	const char *measured, *documented;
} diagnostics[] = {
#define NV_DIAG(name, number, measured, documented) {#name, number, measured, documented},
#include "diagnostics.def"
#undef NV_DIAG
};

static const char intro[] =
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
        "<!-- Written by `wlnvvm --print-builtins` from compiler/nvvm/*.def; do not edit. -->\n"
        "# Builtins of the C and LLVM IR front end\n\n"
        "`wlnvvm` replaces each call of a builtin below by what NVIDIA's cicc of CUDA 13.0 emits for it, and LLVM's "
        "own atomics by the\n"
        "same operations. `--builtins=cicc13` (the default) follows what was measured, `--builtins=documented` the "
        "published description of\n"
        "the compiler where the two differ. The description lists ID ranges; inside a range the rows are in the order "
        "of scope, then type.\n\n"
        "Overloaded names carry their type behind a dot in LLVM IR (`@__nv_atomic_fetch_add.int`); C gets them as "
        "macros over `_Generic`\n"
        "from a header that is read before every C input (`wlnvvm --print-header`). A suffixed name\n"
        "(`__nv_atomic_fetch_{op}_{width}{_u|_s|_f}`; width alone for bitwise operations, loads, stores, exchange, "
        "CAS) skips the front end's\n"
        "checks. Values: order relaxed 0, consume 1, acquire 2, release 3, acq_rel 4, seq_cst 5; scope thread 0, block "
        "1, cluster 2,\n"
        "device 3, system 4 (system where it is left out).\n";

static void cell(FILE *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '|')
			fputc('\\', out);
		fputc(*s, out);
	}
}

static void print_differences(FILE *out)
{
	fputs("\n## Where measurement and description differ\n\n| flag | measured, followed by default | description "
	      "|\n|---|---|---|\n",
	      out);
	for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
		fprintf(out, "| %s | %s | %s |\n", differences[i].name, differences[i].measured,
		        differences[i].documented);
}

static void print_flags(FILE *out, unsigned diffs)
{
	const char *gap = "";
	for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
		if (diffs & 1u << differences[i].bit) {
			fprintf(out, "%s%s", gap, differences[i].name);
			gap = " ";
		}
}

static void number(FILE *out, const char *format, int v)
{
	if (v)
		fprintf(out, format, v);
	fputs(" | ", out);
}

static void print_atomics(FILE *out)
{
	static const char *const scopes[] = {"", "block", "cluster", "device", "system"};
	size_t n;
	const struct nv_row *r = nv_rows(&n);
	fputs("\n## Atomics\n\nOpcode: NVPTX MachineInstr number. Key: the front end's kind key (generic name, or the "
	      "renamed one). Both only "
	      "where the\ndescription lists one.\n\n| ID | name | operation | type | scope | opcode | key | from | "
	      "differences |\n"
	      "|---|---|---|---|---|---|---|---|---|\n",
	      out);
	for (size_t i = 0; i < n; i++) {
		if (r[i].family >= NV_F_SYNC)
			continue;
		fputs("| ", out);
		number(out, "%d", r[i].id);
		fprintf(out, "`%s` | %s | %s | %s | ", r[i].name, nv_op_name(r[i].op),
		        strcmp(r[i].type, "*") ? r[i].type : "by tag", scopes[r[i].scope]);
		number(out, "%d", r[i].machine);
		number(out, "0x%X", r[i].kind_key);
		number(out, "sm_%d", r[i].min_sm);
		print_flags(out, r[i].diffs);
		fputs(" |\n", out);
	}
}

static void print_sync(FILE *out)
{
	size_t n;
	const struct nv_row *r = nv_rows(&n);
	fputs("\n## Barriers, fences, clusters, warp functions\n\nSignature: result, then arguments; v nothing, i 32 "
	      "bits, l 64 bits, f float, "
	      "p address, * the tagged type. In the text `@N` is an\noperand (the result first), `$N` one that is "
	      "always a register.\n\n"
	      "The first 17 of the named intrinsics (`__cuda_reduxsync_*`) have IDs of their own, 0x01 to 0x11; the "
	      "other numbers are builtin "
	      "IDs.\nIn the description IDs 11 to 13 (cluster barriers) and 15 to 17 (reductions) share intrinsic 3767 "
	      "and are told apart by a "
	      "flag\n(popc 0, and 1, or 16); here each row is its own, so that no flag can send one to the other.\n\n"
	      "| ID | name | signature | text | documented text | from | differences "
	      "|\n|---|---|---|---|---|---|---|\n",
	      out);
	for (size_t i = 0; i < n; i++) {
		if (r[i].family < NV_F_SYNC)
			continue;
		fputs("| ", out);
		number(out, "%d", r[i].id);
		fprintf(out, "`%s` | %s | ", r[i].name, r[i].sig);
		cell(out, r[i].text);
		fputs(" | ", out);
		cell(out, r[i].documented ? r[i].documented : "");
		fputs(" | ", out);
		number(out, "sm_%d", r[i].min_sm);
		print_flags(out, r[i].diffs);
		fputs(" |\n", out);
	}
}

static void print_emission(FILE *out)
{
	fputs("\n## Emission table of the legacy family\n\nThe operand word holds the scope in bits 7:4 (0 device, 1 "
	      "`.cta`, 2 `.sys`) and the "
	      "operation in bits 23:16; flag 0x400 selects the\nform with a cache hint (call attribute "
	      "`wlcc-l2-policy`, sm_80 and up). Slots 0x02 "
	      "and 0x04 are not occupied. The assembler takes the hint on every operation but cas.\n\n| code | 32 "
	      "bits, device | with cache hint, system |\n|---|---|---|\n",
	      out);
	for (unsigned code = 0; code < 0x10; code++) {
		char plain[64], hint[64];
		if (nv_emit_atom(code << 16, 0, 32, "", "", plain, sizeof plain) &&
		    nv_emit_atom(code << 16 | 0x20, NV_EMIT_L2, 32, "", "", hint, sizeof hint))
			fprintf(out, "| 0x%02X | `%s` | `%s` |\n", code, plain, hint);
	}
	fputs("\n## Memory barriers\n\n| scope value | lowering | | operand value | PTX writer "
	      "|\n|---|---|---|---|---|\n",
	      out);
	for (unsigned i = 0; i < 5; i++) {
		const char *w = nv_membar_of_operand(i);
		fprintf(out, "| %u | `%s` | | %u | %s%s%s |\n", i, nv_membar_of_scope((int)i), i, w ? "`" : "",
		        w ? w : "Bad membar op", w ? "`" : "");
	}
}

static void print_expansion(FILE *out)
{
	fputs("\n## LLVM's own atomics\n\n"
	      "| operation | 8, 16 bits | 32 bits | 64 bits | 128 bits (sm_90) |\n|---|---|---|---|---|\n"
	      "| load, store | native | native | native | native (from sm_70) |\n"
	      "| cmpxchg | loop in the word; 16 bits native from sm_70 | native | native | native |\n"
	      "| xchg | loop in the word | native | native | native |\n"
	      "| add, and, or, xor, min, max | loop in the word | native | native | loop |\n"
	      "| sub | loop in the word | negate, add | negate, add | loop |\n"
	      "| fadd, fsub | loop in the word | native | native (from sm_60) | |\n"
	      "| uinc_wrap, udec_wrap | loop in the word | native | loop | loop |\n"
	      "| nand, fmin, fmax | loop in the word | loop | loop | loop (nand) |\n\n"
	      "A loop is relaxed; fences stand around it by ordering: monotonic none; acquire behind; release before; "
	      "acq_rel and seq_cst both\n"
	      "(seq_cst: `fence.sc` before). A native operation carries its order; seq_cst is a leading `fence.sc` and "
	      "the operation as acquire\n"
	      "(store: relaxed). Sync scopes: none is system; device, agent, gpu; cluster; block, workgroup, cta, "
	      "warp, wavefront are block;\n"
	      "singlethread needs no instruction for a fence.\n",
	      out);
}

static void print_diagnostics(FILE *out)
{
	fputs("\n## Diagnostics\n\nThe measured compiler's hard errors carry no number; `--builtins=documented` prints "
	      "the one of the "
	      "description. Rows without a text\nare listed by the description without a reading that the measured "
	      "compiler bears out.\n\n"
	      "| number | text | meaning and condition |\n|---|---|---|\n",
	      out);
	for (size_t i = 0; i < sizeof diagnostics / sizeof *diagnostics; i++)
		fprintf(out, "| %d | %s | %s |\n", diagnostics[i].number, diagnostics[i].measured,
		        diagnostics[i].documented);
	fputs("\nWarnings: #20302-D (loads, stores) and #20306-D (the rest) where cluster scope falls back to device "
	      "scope below sm_90; #1647-D\n"
	      "extra arguments ignored. Internal errors, where the front end was skipped: ",
	      out);
	for (enum nv_text_status s = NV_TEXT_ORDER; s <= NV_TEXT_OP; s++)
		fprintf(out, "\"%s\"%s", nv_text_message(s), s < NV_TEXT_OP ? ", " : ".\n");
}

bool nv_print_builtins(FILE *out)
{
	fputs(intro, out);
	print_differences(out);
	print_atomics(out);
	print_sync(out);
	print_emission(out);
	print_expansion(out);
	print_diagnostics(out);
	return !ferror(out);
}
