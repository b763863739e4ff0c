/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- load, check, optimise, lower, expand, write. */
#include "../../cmodel/tools/file.h"
#include "driver.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit.h"
#include "flow.h"
#include "lower.h"

/* After the lowering: inlines helpers, promotes copies made by the lowering, finds the space of pointers. */
#define CLEAN_UP "always-inline,function(sroa,early-cse,instcombine,simplifycfg,infer-address-spaces,dce),globaldce"

static void on_fatal(const char *why)
{
	fprintf(stderr, "error: LLVM: %.1000s\n", why);
	fflush(stderr);
	_exit(1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *self)
{
	struct nv_module *m = self;
	char *text = LLVMGetDiagInfoDescription(info);
	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
		nv_error(m, NULL, "%.1000s", text);
	LLVMDisposeMessage(text);
}

/* IR text or bitcode: LLVM decides by the first bytes, and takes an empty file for text. */
static bool parse(struct nv_module *m, const char *data, size_t size, bool bitcode)
{
	char *why = NULL;
	bool magic = size >= 4 && (!memcmp(data, "BC\xc0\xde", 4) || !memcmp(data, "\xde\xc0\x17\x0b", 4));
	if (bitcode && !magic) {
		nv_error(m, NULL, "not readable as LLVM IR: no bitcode");
		return false;
	}
	LLVMMemoryBufferRef buf = LLVMCreateMemoryBufferWithMemoryRangeCopy(data, size, m->file);
	if (LLVMParseIRInContext(m->llvm, buf, &m->mod, &why)) {
		nv_error(m, NULL, "not readable as LLVM IR: %.1000s", why ? why : "damaged");
		LLVMDisposeMessage(why);
		return false;
	}
	if (LLVMVerifyModule(m->mod, LLVMReturnStatusAction, &why)) {
		nv_error(m, NULL, "not valid LLVM IR: %.1000s", why);
		LLVMDisposeMessage(why);
		return false;
	}
	LLVMDisposeMessage(why);
	return true;
}

static void now(struct nv_phase *phase, const char *text)
{
	snprintf(phase->text, sizeof phase->text, "%s", text);
}

/* The module: from clang's pipe, or from the file. */
static char *read_input(const struct nv_options *o, size_t *size)
{
	char *text = NULL, block[65536];
	FILE *in = o->module_fd >= 0 ? fdopen(o->module_fd, "rb") : fopen(o->in, "rb"), *out;
	size_t n;
	if (!in || !(out = open_memstream(&text, size))) {
		perror(o->in);
		if (in)
			fclose(in);
		return NULL;
	}
	while ((n = fread(block, 1, sizeof block, in)) > 0)
		fwrite(block, 1, n, out);
	bool bad = ferror(in);
	fclose(in);
	fclose(out);
	if (bad)
		perror(o->in);
	if (bad || (*size == 0 && o->module_fd >= 0)) { /* clang gave no output and has already reported the reason */
		free(text);
		return NULL;
	}
	return text;
}

static bool write_out(const struct nv_options *o, const char *text)
{
	char why[4200];
	const bool ok = o->out ? file_write(o->out, text, strlen(text), why, sizeof why)
	                       : fputs(text, stdout) >= 0 && !fflush(stdout);
	if (!ok && o->out)
		fprintf(stderr, "wlnvvm: cannot write %s\n", why);
	else if (!ok)
		perror("standard output");
	return ok;
}

static bool lower(struct nv_module *m, const struct nv_options *o, LLVMTargetMachineRef tm, struct nv_phase *phase)
{
	LLVMSetIsNewDbgInfoFormat(m->mod, 0); /* calls declare variables, and a walk finds calls */
	now(phase, "checking builtins");
	nv_find_kernels(m);
	nv_check_module(m);
	if (m->errors)
		return false;
	nv_mark_builtins(m);
	if (!o->lines && !o->print_barriers)
		LLVMStripModuleDebugInfo(m->mod);
	now(phase, "optimising (LLVM)");
	if (!nv_run_passes(m, tm, o->opt == 2 ? "default<O2>" : o->opt == 1 ? "default<O1>" : "default<O0>"))
		return false;
	now(phase, "lowering builtins");
	nv_lower_module(m);
	if (m->errors)
		return false;
	now(phase, "looking for dead barriers");
	if (o->remove_barriers || o->print_barriers)
		nv_dead_barriers(m, o->remove_barriers, o->print_barriers);
	if (!o->lines && o->print_barriers)
		LLVMStripModuleDebugInfo(m->mod);
	now(phase, "expanding atomics");
	nv_expand_module(m);
	if (m->errors)
		return false;
	now(phase, "cleaning up (LLVM)");
	if (!nv_run_passes(m, tm, o->opt ? CLEAN_UP : "always-inline,globaldce"))
		return false;
	char *why = NULL;
	if (LLVMVerifyModule(m->mod, LLVMReturnStatusAction, &why))
		nv_error(m, NULL, "internal error: the lowered module is not valid: %.1000s", why);
	LLVMDisposeMessage(why);
	return !m->errors;
}

int nv_compile(const struct nv_options *o, struct nv_phase *phase)
{
	struct nv_module m = {.file = o->in, .sm = o->sm, .documented = o->documented};
	size_t size = 0;
	now(phase, "reading");
	char *data = read_input(o, &size), *why = NULL, *text = NULL;
	if (!data)
		return 1;
	LLVMInstallFatalErrorHandler(on_fatal);
	m.llvm = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(m.llvm, on_diagnostic, &m);
	m.b = LLVMCreateBuilderInContext(m.llvm);
	now(phase, "reading (LLVM)");
	LLVMTargetMachineRef tm = nv_target(o->sm, &why);
	if (!tm) {
		fprintf(stderr, "wlnvvm: %s\n", why ? why : "LLVM has no NVPTX target");
		return 1;
	}
	if (!parse(&m, data, size, o->kind == NV_BITCODE))
		return 1;
	nv_set_target(&m, tm);
	if (!lower(&m, o, tm, phase))
		return 1;
	now(phase, "writing PTX (LLVM)");
	text = o->emit_llvm ? LLVMPrintModuleToString(m.mod) : nv_write_ptx(&m, tm, o->arch);
	return text && !m.errors && write_out(o, text) ? 0 : 1;
}
