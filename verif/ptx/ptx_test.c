// SPDX-License-Identifier: Apache-2.0
/* ptx_test.c -- the PTX front end: contents of trees, refusals and their messages, and robustness against any text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../common/rng.h"
#include "../../compiler/ptx/forms.h"
#include "../../compiler/ptx/ptx.h"
#include "../../compiler/ptx/words.h"

#define GOOD "verif/ptx/good/"

/* All messages of a run, a line each: `LINE: text`. */
struct log {
	char text[1 << 16];
	size_t n;
	unsigned errors, warnings;
};

static void collect(void *self, const struct wlcc_message *m)
{
	struct log *l = self;
	*(m->severity == WLCC_ERROR ? &l->errors : &l->warnings) += 1;
	if (l->n + strlen(m->text) + 16 < sizeof l->text)
		l->n += (size_t)sprintf(l->text + l->n, "%u: %s\n", m->line, m->text);
}

static struct ptx_module *parse(const char *text, size_t size, struct log *l)
{
	struct ptx_options o = {.file = "t.ptx", .diag = collect, .diag_self = l, .strict_version = true};
	memset(l, 0, sizeof *l);
	struct ptx_module *m = ptx_parse(text, size, &o);
	assert_int_equal(m != NULL, l->errors == 0);
	return m;
}

static char *read_file(const char *name, size_t *size)
{
	FILE *f = fopen(name, "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	char *text = malloc(*size + 1);
	assert_int_equal(fread(text, 1, *size, f), *size);
	text[*size] = 0;
	fclose(f);
	return text;
}

/* A kernel around `body`; the body starts on line 11. */
static size_t in_kernel(char *to, size_t n, const char *body)
{
	return (size_t)snprintf(to, n,
	                        ".version 9.0\n.target sm_90\n.address_size 64\n.global .align 16 .b8 gmem[64];\n"
	                        ".visible .entry k(.param .u64 p0)\n{\n.reg .pred %%p<9>; .reg .b16 %%rs<9>; .reg .b32 "
	                        "%%r<9>; .reg .b64 %%rd<9>;\n.reg .f32 %%f<9>; .reg .f64 %%fd<9>; .reg .b64 %%a;\n"
	                        ".shared .align 16 .b8 smem[64];\n\n%s\nret;\n}\n",
	                        body);
}

/* ---- the tree --------------------------------------------------------------------------------------------- */

static void tree_of_a_kernel(void **state)
{
	static struct log l;
	size_t size;
	char *text = read_file(GOOD "hist.ptx", &size);
	struct ptx_module *m = parse(text, size, &l);
	(void)state;
	free(text); /* the tree owns its data */
	assert_string_equal(l.text, "");
	assert_int_equal(m->version, 78);
	assert_int_equal(m->target, 75);
	assert_int_equal(m->nfunctions, 1);
	const struct ptx_function *f = m->functions[0];
	assert_string_equal(f->name, "hist");
	assert_true(f->is_entry);
	assert_int_equal(f->linkage, PTX_LINK_VISIBLE);
	assert_int_equal(f->maxntid[0], 256);
	assert_int_equal(f->nparams, 3);
	assert_int_equal(f->params[1]->offset, 8);
	assert_int_equal(f->params[1]->ptr_align, 4);
	assert_int_equal(f->params[2]->offset, 16);
	assert_int_equal(f->param_size, 20);
	assert_int_equal(f->nvars, 1);
	assert_int_equal(f->vars[0]->size, 1024);
	assert_int_equal(f->vars[0]->space, PTX_SP_shared);
	assert_int_equal(f->ninstrs, 31);
	assert_int_equal(f->nlabels, 3);
	assert_int_equal(f->nscopes, 2);

	const struct ptx_instr *ld = &f->instrs[1];
	assert_int_equal(ld->op, PTX_OP_ld);
	assert_int_equal(ld->pos.line, 20);
	assert_int_equal(ld->space[0], PTX_SP_param);
	assert_int_equal(ld->type[0], PTX_T_u64);
	assert_int_equal(ld->ops[1].kind, PTX_O_ADDR);
	assert_int_equal(ld->ops[1].base_kind, PTX_BASE_SYMBOL);
	assert_ptr_equal(ld->ops[1].sym->var, f->params[1]);

	const struct ptx_instr *tid = &f->instrs[3];
	assert_int_equal(tid->ops[1].kind, PTX_O_SREG);
	assert_int_equal(tid->ops[1].sreg, PTX_SR_tid);
	assert_int_equal(tid->ops[1].comp, 0);

	const struct ptx_instr *bra = &f->instrs[11];
	assert_int_equal(bra->op, PTX_OP_bra);
	assert_int_equal(f->regs[bra->guard].type, PTX_T_pred);
	assert_false(bra->guard_negated);
	assert_string_equal(f->labels[bra->ops[0].label].name, "$L__BB0_2");
	assert_int_equal(f->labels[bra->ops[0].label].instr, 23);

	const struct ptx_instr *atom = &f->instrs[18];
	assert_int_equal(atom->op, PTX_OP_atom);
	assert_int_equal(atom->operation, PTX_M_add);
	assert_int_equal(atom->space[0], PTX_SP_shared);
	assert_int_equal(atom->ops[2].kind, PTX_O_INT);
	assert_int_equal(atom->ops[2].imm, 1);

	/* %p1 of the inner braces is another register than the outer %p1 */
	const struct ptx_instr *inner = &f->instrs[28];
	assert_int_equal(inner->op, PTX_OP_bra);
	assert_true(inner->guard_negated);
	assert_int_not_equal(inner->guard, bra->guard);
	assert_int_equal(f->scopes[1].first, 27);
	assert_int_equal(f->scopes[1].end, 30);
	ptx_module_free(m);
}

static const struct ptx_var *var_named(const struct ptx_module *m, const char *name)
{
	for (unsigned i = 0; i < m->nvars; i++)
		if (strcmp(m->vars[i]->name, name) == 0)
			return m->vars[i];
	fail_msg("no variable %s", name);
	return NULL;
}

static void tree_of_a_module(void **state)
{
	static struct log l;
	size_t size;
	char *text = read_file(GOOD "module.ptx", &size);
	struct ptx_module *m = parse(text, size, &l);
	(void)state;
	free(text);
	assert_string_equal(l.text, "");
	assert_true(m->debug);
	assert_int_equal(m->nfiles, 2);
	assert_string_equal(m->files[1].name, "b.cu");
	const struct ptx_var *table = var_named(m, "table");
	static const uint8_t rows[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0};
	assert_int_equal(table->size, 24);
	assert_int_equal(table->init_size, 24);
	assert_memory_equal(table->init, rows, 24);
	static const uint8_t floats[] = {0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0};
	const struct ptx_var *parts = var_named(m, "parts");
	assert_int_equal(parts->size, 12);
	assert_memory_equal(parts->init, floats, 12);
	assert_memory_equal(var_named(m, "text")->init, "hi!\n", 4);
	const struct ptx_var *pointers = var_named(m, "pointers");
	assert_int_equal(pointers->nrelocs, 3);
	assert_int_equal(pointers->relocs[1].offset, 8);
	assert_int_equal(pointers->relocs[1].addend, 4);
	assert_true(pointers->relocs[1].generic);
	assert_ptr_equal(pointers->relocs[2].sym->var, table);
	assert_int_equal(var_named(m, "bytes")->relocs[2].mask_byte, 2);
	assert_true(var_named(m, "shared_with_host")->managed);
	assert_true(var_named(m, "dyn")->unsized);
	const struct ptx_function *kernel = NULL, *stop = NULL;
	for (unsigned i = 0; i < m->nfunctions; i++) {
		kernel = strcmp(m->functions[i]->name, "kernel") == 0 ? m->functions[i] : kernel;
		stop = strcmp(m->functions[i]->name, "stop") == 0 ? m->functions[i] : stop;
	}
	assert_true(stop->noreturn);
	assert_int_equal(kernel->reqnctapercluster[0], 2);
	assert_int_equal(kernel->ntables, 2);
	assert_int_equal(kernel->tables[1]->count, 2);
	assert_int_equal(kernel->nlocs, 2);
	assert_string_equal(kernel->locs[1].rest, ", function_name $L__info0, inlined_at 1 12 3");
	unsigned calls = 0;
	for (unsigned i = 0; i < kernel->ninstrs; i++)
		if (kernel->instrs[i].op == PTX_OP_call) {
			calls++;
			assert_int_equal(kernel->instrs[i].ops[0].count, 1);
			assert_int_equal(kernel->instrs[i].ops[2].count, 1);
		}
	assert_int_equal(calls, 2);
	ptx_module_free(m);
}

static void constants(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {{"0x10", 16},
	             {"010", 8},
	             {"0b101", 5},
	             {"-5", -5},
	             {"~0", -1},
	             {"!3", 0},
	             {"1+2*3", 7},
	             {"(1+2)*3", 9},
	             {"1<<4", 16},
	             {"-16>>2", -4},
	             {"7/-2", -3},
	             {"7%4", 3},
	             {"6&3|8", 10},
	             {"5^1", 4},
	             {"2<3", 1},
	             {"2>=3", 0},
	             {"1?10:20", 10},
	             {"0?10:0?1:2", 2},
	             {"(.u64)-1>>60", 15},
	             {"WARP_SZ*2", 64},
	             {"0xFFFFFFFFFFFFFFFF", -1},
	             {"10-3-2", 5},
	             {"1==1&&2!=2", 0},
	             {"3||0", 1},
	             {"18446744073709551615U", -1}};
	static struct log l;
	char text[1024], body[128];
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(body, sizeof body, "add.s64 %%rd0, %%rd1, %s;", cases[i].text);
		struct ptx_module *m = parse(text, in_kernel(text, sizeof text, body), &l);
		assert_string_equal(l.text, "");
		assert_int_equal(m->functions[0]->instrs[0].ops[2].imm, cases[i].value);
		ptx_module_free(m);
	}
}

/* A printed tree reads as the same tree, with the same print. */
static void round_trip(void **state)
{
	static const char *const names[] = {GOOD "hist.ptx", GOOD "module.ptx"};
	static struct log l;
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		size_t size, n1, n2;
		char *text = read_file(names[i], &size), *once, *twice;
		struct ptx_module *m = parse(text, size, &l);
		FILE *f = open_memstream(&once, &n1);
		assert_true(ptx_print(m, f));
		fclose(f);
		struct ptx_module *again = parse(once, n1, &l);
		assert_string_equal(l.text, "");
		assert_int_equal(again->nfunctions, m->nfunctions);
		assert_int_equal(again->nvars, m->nvars);
		for (unsigned k = 0; k < m->nvars; k++) {
			assert_int_equal(again->vars[k]->init_size, m->vars[k]->init_size);
			if (m->vars[k]->init_size)
				assert_memory_equal(again->vars[k]->init, m->vars[k]->init, m->vars[k]->init_size);
		}
		for (unsigned k = 0; k < m->nfunctions; k++) {
			assert_int_equal(again->functions[k]->ninstrs, m->functions[k]->ninstrs);
			for (unsigned n = 0; n < m->functions[k]->ninstrs; n++)
				assert_int_equal(again->functions[k]->instrs[n].op, m->functions[k]->instrs[n].op);
		}
		f = open_memstream(&twice, &n2);
		assert_true(ptx_print(again, f));
		fclose(f);
		assert_string_equal(once, twice);
		ptx_module_free(m);
		ptx_module_free(again);
		free(text);
		free(once);
		free(twice);
	}
}

/* Every row of the form tables exists, every modelled name has a form, and no two words of a kind are spelled alike. */
static void tables(void **state)
{
	unsigned nforms = 0, nrules = 0;
	(void)state;
	for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
		const struct ptx_op_forms *f = ptx_forms_of(op);
		assert_int_equal(f->nforms > 0, (op != PTX_OP_none && ptx_op_modelled(op)) || op == PTX_OP_foreign);
		nforms += f->nforms;
		nrules += f->nrules;
		for (unsigned k = 0; k < f->nforms; k++)
			assert_int_equal(ptx_form_rows[f->form[k].row].op, op);
		if (op)
			assert_int_equal(op, ptx_words_find(PTX_WORD_OP, ptx_op_name(op), strlen(ptx_op_name(op))));
	}
	assert_int_equal(nforms, ptx_form_count);
	assert_int_equal(nrules, ptx_rule_count);
	for (unsigned m = 1; m < PTX_MOD_COUNT; m++)
		assert_int_equal(m, ptx_words_find(PTX_WORD_QUALIFIER, ptx_mod_name(m), strlen(ptx_mod_name(m))));
}

/* ---- refusals --------------------------------------------------------------------------------------------- */

/* The texts equal the messages of the assembler of CUDA 13.0 for the same input, except where the comment says ours. */
static const struct {
	const char *body, *messages;
} refused[] = {
        {"foo.u32 %r1;", "11: Not a name of any known instruction: 'foo'\n"},
        {"add.foo.u32 %r0, %r1, %r2;", "11: Unknown modifier '.foo'\n"},
        {"add.u32 %r0, %r1;", "11: Arguments mismatch for instruction 'add'\n"},
        {"add.u32 %r0, %r1, %rd1;", "11: Arguments mismatch for instruction 'add'\n"},
        {"add.u32 %r0, %tid.x, 1;", "11: Special register argument not allowed for instruction 'add'\n"},
        {"add.f32 %f0, %f1, 1;", "11: Arguments mismatch for instruction 'add'\n"},
        {"add.b32 %r0, %r1, %r2;", "11: Unexpected instruction types specified for 'add'\n"},
        {"add %r0, %r1, %r2;", "11: Unexpected instruction types specified for 'add'\n"},
        {"add.sync.u32 %r0, %r1, %r2;", "11: Illegal modifier '.sync' for instruction 'add'\n"},
        {"add.shared.u32 %r0, %r1, %r2;", "11: No state space qualifier expected for instruction 'add'\n"},
        {"add.v2.u32 %r0, %r1, %r2;", "11: Vector qualifier is not allowed for instruction 'add'\n"},
        {"add.eq.u32 %r0, %r1, %r2;", "11: Comparison qualifier is not allowed for instruction 'add'\n"},
        {"add.u32 _, %r1, %r2;", "11: Result discard mode is not allowed for instruction 'add'\n"},
        {"add.u32 1, %r1, %r2;", "11: Result register required for instruction 'add'\n"},
        {"add.u32 %r0, -%r1, %r2;", "11: Operand negation not allowed for instruction 'add'\n"},
        {"add.u32 %r0, [%r1], %r2;", "11: Argument 1 of instruction 'add': must be register\n"},
        {"add.u32 %r0|%p1, %r2, 1;", "11: Predicate output not allowed for instruction 'add'\n"},
        {"mul.wide.u32 %r0, %r1, %r2;", "11: Arguments mismatch for instruction 'mul.wide'\n"},
        {"setp.eq.u32 %r0, %r1, 2;", "11: Arguments mismatch for instruction 'setp'\n"},
        {"selp.b32 %r0, %r1, %r2, %r3;", "11: Arguments mismatch for instruction 'selp'\n"},
        {"cvt.u32.u64 %r0, %r1;", "11: Arguments mismatch for instruction 'cvt'\n"},
        {"ld.global.u32 %rs0, [%a];", "11: Arguments mismatch for instruction 'ld'\n"},
        {"ld.u32 %r0, %r1;", "11: Arguments mismatch for instruction 'ld'\n"},
        {"ld.global.u32 %r0, [%a-4];", "11: Parsing error near '-': syntax error\n"},
        {"@%r0 bra L; L:", "11: Predicate expression expected\n"},
        {"bra %r1;", "11: Label expected for argument 0 of instruction 'bra'\n"},
        {"bra NOWHERE;", "11: Unknown symbol 'NOWHERE'\n"},
        {"A: A: bra A;", "11: Duplicate definition of label 'A'\n"},
        {".reg .b32 %q; .reg .b32 %q;", "11: Duplicate definition of variable '%q'\n"},
        {".reg .b32 %q<9>; .reg .b64 %q1;", "11: Duplicate definition of variable '%q1'\n"},
        {".reg .b32 %q1; .reg .b64 %q<9>;", "11: Duplicate definition of variable '%q1'\n"},
        {".reg .b32 %q<9>; .reg .b32 %q<4>;", "11: Duplicate definition of variable '%q<'\n"},
        {".reg .b32 q<9>; .shared .b32 q3;", "11: Duplicate definition of variable 'q3'\n"},
        {"mov.u32 %r0, %tid;", "11: Argument vector size mismatch for instruction 'mov'\n"},
        {"mov.b32 %r0, %tid;", "11: Arguments mismatch for instruction 'mov'\n"},
        {"mov.u32 %r0, %clock64;", "11: Arguments mismatch for instruction 'mov'\n"},
        {"mov.u16 %rs0, %laneid;", "11: Arguments mismatch for instruction 'mov'\n"},
        {"mov.u32 %r0, %laneid.x;", "11: Unknown field '.x'\n"},
        {".shared .u32 x = 5;", "11: No initial value is allowed for 'x' in this state space\n"},
        {"exit.uni;", "11: Illegal modifier '.uni' for instruction 'exit'\n"},
        {"mov.u32 %r0, nothing;", "11: Arguments mismatch for instruction 'mov'\n11: Unknown symbol 'nothing'\n"},
        {"mov.u32 %r0, %r200;", "11: Arguments mismatch for instruction 'mov'\n11: Unknown symbol '%r200'\n"},
        {"wmma.load.a.sync %r0;",
         "11: Instruction 'wmma.load.a.sync' is not modelled: only the scalar and synchronisation instructions are\n"},
        {"add.u32 %r0, %r1, 1/0;", "11: division by zero in a constant expression\n"},
        {"add.u32 %r0, %r1, 0x1FFFFFFFFFFFFFFFF;",
         "11: Parsing error near '0x1FFFFFFFFFFFFFFFF': syntax error: integer constant does not fit in 64 bits\n"},
        /* ours: parsing goes on after the `;` */
        {"add.u32 %r0, , 1;\nfoo;\nadd.u32 %r0, %r1, 2;\nbar.sync;",
         "11: Parsing error near ',': syntax error\n12: Not a name of any known instruction: 'foo'\n"
         "14: Arguments mismatch for instruction 'bar'\n"},
};

/* Near a refused line, and no error. */
static const char *const accepted[] = {
        ".reg .b32 %q<9>; .reg .b32 %q9; .reg .b32 %q1<3>; { .reg .b32 %q1; }",
        ".reg .b32 %q1<3>; mov.u32 %q10, 1; .reg .b32 %q<20>;",
        "mov.u16 %rs0, %tid.x; mov.b32 %r0, %laneid;",
        "mov.v4.u32 {%r0, %r1, %r2, _}, %ctaid;",
};

static void messages(void **state)
{
	static struct log l;
	char text[2048];
	(void)state;
	for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct ptx_module *m = parse(text, in_kernel(text, sizeof text, refused[i].body), &l);
		assert_null(m);
		assert_string_equal(l.text, refused[i].messages);
	}
	for (unsigned i = 0; i < sizeof accepted / sizeof *accepted; i++) {
		struct ptx_module *m = parse(text, in_kernel(text, sizeof text, accepted[i]), &l);
		assert_string_equal(l.text, "");
		assert_non_null(m);
		ptx_module_free(m);
	}
}

static const struct {
	const char *text, *messages;
} bad_modules[] = {
        {"", "1: Missing .version directive at start of file 't.ptx'\n"},
        {"hello", "1: Missing .version directive at start of file 't.ptx'\n"},
        {".version 9.0\n", "2: Missing .target directive at start of file 't.ptx'\n"},
        {".version 9.8\n.target sm_75\n", "1: Unsupported .version 9.8; current version is '9.5'\n"},
        {".version 9.0\n.target sm_77\n", "2: Unsupported .target 'sm_77'\n"},
        {".version 5.0\n.target sm_75\n", "2: PTX .version 5.0 does not support .target sm_75\n"},
        {".version 9.0\n.target debug\n", "2: Target architecture not defined at start of file 't.ptx'\n"},
        {".version 9.0\n.target sm_75\n.address_size 48\n",
         "3: Illegal value for .address_size directive (must be 32 or 64)\n"},
        {".version 9.0\n.target sm_75\n.global .f32 x = 1;", "3: Initial value type mismatch\n"},
        {".version 9.0\n.target sm_75\n.global .u8 x[2] = {1, 2, 3};", "3: Too many initial values for 'x'\n"},
        {".version 9.0\n.target sm_75\n.func f() .maxnreg 3 { ret; }",
         "3: Parsing error near '.maxnreg': syntax error\n"},
        {".version 9.0\n.target sm_75\n.entry k(.reg .b32 x) { ret; }",
         "3: Entry parameter 'x' must have .param state space\n"},
        {".version 9.0\n.target sm_75\n.func f() .abi_preserve 3 { ret; }",
         "3: Feature '.abi_preserve' requires .target sm_80 or higher\n"},
        {".version 9.0\n.target sm_75\n.entry k() .noreturn { ret; }",
         "3: Parsing error near '.noreturn': syntax error\n"},
        {".version 9.0\n.target sm_75\n.func (.reg .b32 r) f() .noreturn;",
         "3: Invalid directive '.noreturn' for function 'f'\n"},
        {".version 9.0\n.target sm_75\n.entry k()\n.maxnctapersm 2 { ret; }",
         "4: Deprecated feature: '.maxnctapersm directive' not supported as of PTX version 2.1\n"},
        {".version 9.0\n.target sm_75\n.foo 3;", "3: Parsing error near '.foo': syntax error\n"},
        {".version 9.0\n.target sm_75\n.entry k() { ret;",
         "3: Parsing error near '': syntax error: the text ends too early\n"},
        {".version 9.0\n.target sm_75\n/* no end", "3: Parsing error near '': syntax error: comment without an end\n"},
        {".version 9.0\n.target sm_75\n.entry k() { ret; }\n.entry k() { ret; }\n.global .b8 y = z;",
         "4: Duplicate definition of function 'k'\n5: Unknown symbol 'z'\n"},
};

static void module_messages(void **state)
{
	static struct log l;
	(void)state;
	for (unsigned i = 0; i < sizeof bad_modules / sizeof *bad_modules; i++) {
		assert_null(parse(bad_modules[i].text, strlen(bad_modules[i].text), &l));
		assert_string_equal(l.text, bad_modules[i].messages);
	}
}

static void newer_version(void **state)
{
	static const char text[] = ".version 9.8\n.target sm_75\n.entry k() { ret; }\n";
	static struct log l;
	struct ptx_options o = {.file = "t.ptx", .diag = collect, .diag_self = &l};
	(void)state;
	memset(&l, 0, sizeof l);
	struct ptx_module *m = ptx_parse(text, sizeof text - 1, &o);
	assert_non_null(m);
	assert_int_equal(m->version, 95);
	assert_string_equal(l.text, "1: .version 9.8 is newer than 9.5 and is read as 9.5\n");
	ptx_module_free(m);
}

/* ---- texts without a meaning ------------------------------------------------------------------------------ */

static const char *const fixtures[] = {GOOD "hist.ptx", GOOD "module.ptx"};

/* Each text is copied to a block of exact size: a sanitizer sees a read behind the end. */
static void try_bytes(const char *text, size_t size)
{
	static struct log l;
	char *exact = malloc(size ? size : 1);
	memcpy(exact, text, size);
	ptx_module_free(parse(exact, size, &l));
	free(exact);
}

static void cut_everywhere(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
		size_t size;
		char *text = read_file(fixtures[i], &size);
		for (size_t n = 0; n < size; n++)
			try_bytes(text, n);
		free(text);
	}
}

static void flipped_bytes(void **state)
{
	static const char pieces[] = ";{}[]()<>.,:%@!_|-+*/\"0x9\n\r\0 ~";
	struct rng rng = rng_seed(20260101, 0);
	(void)state;
	for (unsigned i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
		size_t size;
		char *text = read_file(fixtures[i], &size);
		for (unsigned round = 0; round < 4000; round++) {
			char *copy = malloc(size);
			memcpy(copy, text, size);
			for (unsigned k = 0; k <= round % 4; k++) {
				size_t at = rng_u32(&rng) % size;
				copy[at] = round & 1 ? pieces[rng_below(&rng, sizeof pieces - 1)]
				                     : (char)(copy[at] ^ 1 << rng_below(&rng, 8));
			}
			try_bytes(copy, size);
			free(copy);
		}
		free(text);
	}
}

/* `head`, `n` times `piece`, `tail`: each text must give an error and return soon. */
static void many(const char *head, const char *piece, unsigned n, const char *tail)
{
	static struct log l;
	size_t len = strlen(piece), at = strlen(head);
	char *text = malloc(at + n * len + strlen(tail) + 1);
	memcpy(text, head, at);
	for (unsigned i = 0; i < n; i++, at += len)
		memcpy(text + at, piece, len);
	memcpy(text + at, tail, strlen(tail));
	assert_null(parse(text, at + strlen(tail), &l));
	free(text);
}

static void hostile(void **state)
{
	static const char head[] = ".version 9.0\n.target sm_75\n",
	                  kernel[] = ".version 9.0\n.target sm_75\n.entry k() {";
	(void)state;
	many(kernel, "{", 100000, "");
	many(kernel, "{{}", 100000, "");
	many(kernel, "mov.u32 %r, (", 1, "");
	many(".version 9.0\n.target sm_75\n.global .u32 x = ", "(", 100000, "1;");
	many(".version 9.0\n.target sm_75\n.global .u32 x = ", "-", 100000, "y;");
	many(".version 9.0\n.target sm_75\n.global .u32 x = ", "1?", 100000, "y;");
	many(".version 9.0\n.target sm_75\n.global .u32 x[] = ", "{", 100000, "y;");
	many(kernel, "mov.b32 {", 50000, "");
	many(kernel, "x", 10 << 20, ";}");
	many(kernel, "add.u32 ", 1 << 20, ";}");
	many(kernel, "add.", 1 << 20, ";}");
	many(kernel, "\"", 1 << 20, ";}");
	try_bytes(".version 9.0\n\0", 14);
	many(head, "\xff\xfe", 1000, "");
	many(head, ".reg .b32 %r<99999999999999999999>;", 10, "");
	many(kernel, ".reg .b32 %r<4000000000>;", 1, "}");
	many(head, ".global .b8 x[1000000][1000000][1000000];", 1, "");
	many(head, ".global .b8 x[2][1000000000000] = {{1}, {2}};", 1, "");
}

/* CR LF is white space and a line end. */
static void carriage_returns(void **state)
{
	static const char text[] = ".version 9.0\r\n.target sm_75\r\n.entry k()\r\n{\r\nfoo;\r\nret;\r\n}\r\n";
	static struct log l;
	(void)state;
	assert_null(parse(text, sizeof text - 1, &l));
	assert_string_equal(l.text, "5: Not a name of any known instruction: 'foo'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(tree_of_a_kernel), cmocka_unit_test(tree_of_a_module),
	        cmocka_unit_test(constants),        cmocka_unit_test(round_trip),
	        cmocka_unit_test(tables),           cmocka_unit_test(messages),
	        cmocka_unit_test(module_messages),  cmocka_unit_test(newer_version),
	        cmocka_unit_test(cut_everywhere),   cmocka_unit_test(flipped_bytes),
	        cmocka_unit_test(hostile),          cmocka_unit_test(carriage_returns),
	};
	return cmocka_run_group_tests_name("ptx", tests, NULL, NULL);
}
