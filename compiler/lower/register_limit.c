// SPDX-License-Identifier: Apache-2.0
/* register_limit.c -- the limits of an SM: "CUDA C++ Programming Guide", technical specifications by compute
 * capability. The limits by a kernel's directives were asked of ptxas 13.0. */
#include "register_limit.h"

#include <stdarg.h>
#include <stdio.h>

#include "warplock/isa.h"

enum {
	REGISTERS = 65536, /* of an SM, on every chip */
	QUARTERS = 4,      /* of an SM, each with a fourth of the registers; warps are dealt out to the quarters */
	WARP = 32,
	GRAIN = 8, /* unit of the registers given to a thread */
	LEAST = 16 /* fewest registers to generate code for */
};

static const struct sm {
	unsigned chip, threads, ctas;
} sms[] = {
        {75, 1024, 16},  {80, 2048, 32},  {86, 1536, 16},  {87, 1536, 16},  {88, 1536, 16},
        {89, 1536, 24},  {90, 2048, 32},  {100, 2048, 32}, {103, 2048, 32}, {107, 2048, 32},
        {110, 1536, 24}, {120, 1536, 24}, {121, 1536, 24},
};

static const struct sm *sm_of(const struct wlcc_options *o)
{
	const unsigned chip = o->chip ? o->chip : (unsigned)o->arch;
	for (size_t i = 0; i < sizeof sms / sizeof *sms; i++)
		if (sms[i].chip == chip)
			return &sms[i];
	return &sms[0];
}

static void warn(const struct wlcc_options *o, uint32_t line, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
static void warn(const struct wlcc_options *o, uint32_t line, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (o->diag)
		o->diag(o->diag_self,
		        &(struct wlcc_message){.severity = WLCC_WARNING, .file = o->file, .line = line, .text = text});
}

/* 0: the kernel names none. */
static uint64_t threads_of(const struct ptx_function *k)
{
	const uint32_t *n = k->reqntid[0] ? k->reqntid : k->maxntid;
	const uint64_t row = (uint64_t)n[0] * n[1];
	return row > UINT32_MAX ? UINT32_MAX : row * n[2];
}

/* Registers of each thread when so many warps share an SM. */
static unsigned share(uint64_t warps)
{
	const uint64_t dealt = (warps + QUARTERS - 1) / QUARTERS * QUARTERS, each = REGISTERS / (dealt * WARP);
	return each > WL_NUM_REGS ? WL_NUM_REGS : (unsigned)(each / GRAIN * GRAIN);
}

/* CTAs wanted by the kernel on an SM at a time; 0: not named, or impossible. */
static unsigned wanted_ctas(const struct ptx_function *k, const struct wlcc_options *o, bool tell)
{
	const struct sm *sm = sm_of(o);
	const uint64_t threads = threads_of(k), n = k->minnctapersm;
	if (!n)
		return 0;
	if (threads && n <= sm->ctas && threads * n <= sm->threads)
		return (unsigned)n;
	if (tell && !threads)
		warn(o, k->end_line, ".minnctapersm is ignored when neither .maxntid nor .reqntid is specified.");
	else if (tell)
		warn(o, 0,
		     n > sm->ctas
		             ? "Value of minnctapersm for entry %.200s is out of range. minnctapersm will be ignored"
		             : "Value of threads per SM for entry %.200s is out of range. .minnctapersm will be "
		               "ignored",
		     k->name);
	return 0;
}

static unsigned at_least(unsigned regs, const struct wlcc_options *o, const struct ptx_function *k, bool tell)
{
	if (regs >= LEAST)
		return regs;
	if (tell)
		warn(o, 0, "For entry %.200s adjusting per thread register count of %u to lower bound of %u", k->name,
		     regs, (unsigned)LEAST);
	return LEAST;
}

static unsigned limit(const struct ptx_function *k, const struct wlcc_options *o, bool tell)
{
	const uint64_t threads = threads_of(k), warps = (threads + WARP - 1) / WARP;
	const unsigned ctas = wanted_ctas(k, o, tell);
	unsigned most = WL_NUM_REGS;
	if (k->maxnreg && k->maxnreg <= WL_NUM_REGS)
		return at_least(k->maxnreg, o, k, tell);
	if (k->maxnreg && tell)
		warn(o, 0, "Too many maxnreg specified for entry %.200s, will be ignored", k->name);
	if (threads)
		most = share(warps * (ctas ? ctas : 1));
	else if (o->max_registers && o->max_registers < most)
		most = o->max_registers;
	return at_least(most, o, k, tell);
}

unsigned register_limit(const struct ptx_function *kernel, const struct wlcc_options *o)
{
	return limit(kernel, o, true);
}

unsigned register_limit_quiet(const struct ptx_function *kernel, const struct wlcc_options *o)
{
	return limit(kernel, o, false);
}

unsigned register_limit_of_functions(const struct ptx_module *ptx, const struct wlcc_options *o)
{
	unsigned least = o->max_registers >= LEAST && o->max_registers < WL_NUM_REGS ? o->max_registers : WL_NUM_REGS;
	for (uint32_t i = 0; i < ptx->nfunctions; i++)
		if (ptx->functions[i]->is_entry && ptx->functions[i]->has_body) {
			const unsigned of_kernel = limit(ptx->functions[i], o, false);
			least = of_kernel < least ? of_kernel : least;
		}
	return least;
}
