// SPDX-License-Identifier: Apache-2.0
/* header.c -- the three directives at the start of every module, in this order. */
#include <stdio.h>
#include <string.h>

#include "header.h"
#include "parse.h"

enum { OLDEST_ARCH = 75, OTHER_VERSION = 9999 };

static const struct {
	uint8_t toolkit, version;
} toolkits[] = {
#define PTX_TOOLKIT(n, version) {n, version},
#include "targets.def"
#undef PTX_TOOLKIT
};
enum { NTOOLKITS = sizeof toolkits / sizeof *toolkits };

static const uint8_t versions[] = {
#define PTX_VERSION(n) n,
#include "targets.def"
#undef PTX_VERSION
};

static const struct {
	const char *name;
	uint8_t number;
	char suffix;
	uint8_t version, toolkit;
} targets[] = {
#define PTX_TARGET(name, number, suffix, version, toolkit) {name, number, suffix, version, toolkit},
#include "targets.def"
#undef PTX_TARGET
};

unsigned ptx_toolkit(const struct ptx_options *o)
{
	return o->ptxas ? o->ptxas : toolkits[NTOOLKITS - 1].toolkit;
}

bool ptx_toolkit_known(unsigned toolkit)
{
	for (unsigned i = 0; i < NTOOLKITS; i++)
		if (toolkits[i].toolkit == toolkit)
			return true;
	return false;
}

/* The newest .version known to a toolkit. */
static unsigned newest_version(unsigned toolkit)
{
	unsigned version = toolkits[0].version;
	for (unsigned i = 0; i < NTOOLKITS && toolkits[i].toolkit <= toolkit; i++)
		version = toolkits[i].version;
	return version;
}

/* The row of a target name valid for the toolkit, or -1. ptxas takes compute_90 as sm_90, and any letter behind
 * sm_107. */
static int find_target(const char *name, size_t len, unsigned toolkit)
{
	int found = -1;
	char sm[16];
	if (len > 8 && len < 12 && memcmp(name, "compute_", 8) == 0) {
		snprintf(sm, sizeof sm, "sm_%.*s", (int)(len - 8), name + 8);
		name = sm;
		len -= 5;
	} else if (len == 7 && memcmp(name, "sm_107", 6) == 0 && name[6] != 'a' && name[6] != 'f' &&
	           ((name[6] | 32) >= 'a' && (name[6] | 32) <= 'z')) {
		len = 6;
	}
	for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
		if (targets[i].toolkit <= toolkit && strlen(targets[i].name) == len &&
		    memcmp(targets[i].name, name, len) == 0)
			found = (int)i;
	return found;
}

/* The version as written, 10 * major + minor. OTHER_VERSION for a minor number of two digits: no version has two. 0
 * for text other than two numbers. */
static unsigned version_number(const struct ptx_token *t)
{
	unsigned major = 0;
	size_t i = 0;
	if (t->kind != TOK_FLOAT || t->is_exact)
		return 0;
	for (; i < t->len && t->text[i] >= '0' && t->text[i] <= '9' && major < 1000; i++)
		major = major * 10 + (unsigned)(t->text[i] - '0');
	if (i + 2 > t->len || i + 3 < t->len || t->text[i] != '.')
		return 0;
	for (size_t k = i + 1; k < t->len; k++)
		if (t->text[k] < '0' || t->text[k] > '9')
			return 0;
	return i + 3 == t->len ? OTHER_VERSION : major * 10 + (unsigned)(t->text[i + 1] - '0');
}

static bool version_directive(struct ptx_parser *p)
{
	if (p->have_version)
		return ptx_syntax_error(p);
	ptx_next(p);
	struct ptx_pos at = ptx_here(p);
	unsigned v = version_number(&p->tok);
	if (v == 0) {
		ptx_error(p, at,
		          "Missing .version directive at start of file '%s': two numbers such as 9.0 are expected",
		          p->m->file);
		return false;
	}
	const char *text = p->tok.text;
	const int len = (int)(p->tok.len > 20 ? 20 : p->tok.len);
	const unsigned newest = newest_version(ptx_toolkit(p->o));
	bool known = v <= newest && memchr(versions, (int)v, sizeof versions) != NULL;
	if (!known && (v < newest || p->o->strict_version)) {
		ptx_error(p, at, "Unsupported .version %.*s; current version is '%u.%u'", len, text, newest / 10,
		          newest % 10);
		return false;
	}
	if (!known)
		ptx_warn(p, at, ".version %.*s is newer than %u.%u and is read as %u.%u", len, text, newest / 10,
		         newest % 10, newest / 10, newest % 10);
	p->m->version_written = v;
	p->m->version = known ? v : newest;
	p->have_version = true;
	ptx_next(p);
	return true;
}

/* sm_101 is the older name of sm_110. */
static unsigned chip_of(unsigned number)
{
	return number == 101 ? 110 : number;
}

/* Chips of a family differ in the last digit. */
static unsigned family_of(unsigned number)
{
	return chip_of(number) / 10;
}

/* Code of a target with 'a' runs on this chip alone, code of a target with 'f' on the chips of the family. */
static void hold_arch(struct ptx_parser *p, const char *target, unsigned number, char suffix)
{
	const unsigned arch = p->o->arch;
	unsigned known;
	char name[16], letter;
	snprintf(name, sizeof name, "sm_%u%.1s", arch, &p->o->suffix);
	if (!arch)
		return;
	if (!ptx_arch_named(name, &known, &letter)) /* a machine names each chip with a letter, some chips have none */
		snprintf(name, sizeof name, "sm_%u", arch);
	if (number > arch)
		ptx_error(p, ptx_here(p),
		          "SM version specified by .target is higher than default SM version assumed: '%s', '%s'",
		          target, name);
	else if (suffix == 'a' && chip_of(number) != arch)
		ptx_error(p, ptx_here(p), "Program with .target '%s' cannot be compiled to future architecture '%s'",
		          target, name);
	else if (suffix == 'a' && p->o->suffix != 'a')
		ptx_error(p, ptx_here(p), "PTX with .target '%s' cannot be compiled for architecture '%s'", target,
		          name);
	else if (suffix == 'f' && family_of(number) != family_of(arch))
		ptx_error(p, ptx_here(p),
		          "Program with .target '%s' cannot be compiled to different SM-family architecture '%s'",
		          target, name);
}

static bool target_word(struct ptx_parser *p, bool *have_arch)
{
	static const char *const others[] = {"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32"};
	const struct ptx_token *t = &p->tok;
	if (t->kind != TOK_IDENT)
		return ptx_syntax_error(p);
	const int i = find_target(t->text, t->len, ptx_toolkit(p->o));
	if (i >= 0) {
		char name[16];
		snprintf(name, sizeof name, "%.*s", (int)t->len, t->text);
		p->m->target = targets[i].number;
		p->m->target_suffix = targets[i].suffix;
		*have_arch = true;
		hold_arch(p, name, targets[i].number, targets[i].suffix);
		if (p->m->version < targets[i].version)
			ptx_error_about(p, ptx_here(p), &(struct ptx_about){.version = targets[i].version},
			                "PTX .version %u.%u does not support .target %s", p->m->version / 10,
			                p->m->version % 10, name);
		return true;
	}
	for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
		if (strlen(others[k]) == t->len && memcmp(others[k], t->text, t->len) == 0) {
			p->m->debug |= k == 0;
			return true;
		}
	ptx_error(p, ptx_here(p), "Unsupported .target '%.*s'", (int)(t->len > 100 ? 100 : t->len), t->text);
	return false;
}

static bool target_directive(struct ptx_parser *p)
{
	struct ptx_pos at = ptx_here(p);
	bool have_arch = p->have_target;
	if (!p->have_version)
		return ptx_header_complete(p);
	ptx_next(p);
	const char *from = p->tok.text, *to;
	do {
		if (!target_word(p, &have_arch))
			return false;
		to = p->tok.text + p->tok.len;
		ptx_next(p);
	} while (ptx_accept(p, ','));
	if (!have_arch) {
		ptx_error(p, at, "Target architecture not defined at start of file '%s'", p->m->file);
		return false;
	}
	p->have_target = true;
	p->m->target_text = arena_strndup(p->arena, from, (size_t)(to - from));
	return true;
}

static bool address_size_directive(struct ptx_parser *p)
{
	struct ptx_const c;
	if (!p->have_version || !p->have_target)
		return ptx_header_complete(p);
	if (p->have_address_size)
		return ptx_syntax_error(p);
	struct ptx_pos at = ptx_here(p);
	ptx_next(p);
	if (!ptx_const_int(p, &c))
		return false;
	ptx_gate(p, at, 23, 0, "Feature '.address_size directive'");
	if (c.u != 32 && c.u != 64)
		ptx_error(p, at, "Illegal value for .address_size directive (must be 32 or 64)");
	else if (c.u == 32)
		ptx_error(p, at, "32-Bit compilation is no longer supported");
	p->have_address_size = true;
	return true;
}

/* Is this a target with code generation in the assembler of CUDA 13.0? */
static bool is_arch(unsigned i)
{
	return targets[i].number >= OLDEST_ARCH && chip_of(targets[i].number) == targets[i].number;
}

bool ptx_arch_named(const char *name, unsigned *arch, char *suffix)
{
	for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++)
		if (is_arch(i) && strcmp(targets[i].name, name) == 0) {
			*arch = targets[i].number;
			*suffix = targets[i].suffix;
			return true;
		}
	return false;
}

const char *ptx_arch_name(unsigned i)
{
	for (unsigned k = 0; k < sizeof targets / sizeof *targets; k++)
		if (is_arch(k) && !targets[k].suffix && i-- == 0)
			return targets[k].name;
	return NULL;
}

bool ptx_header_directive(struct ptx_parser *p)
{
	if (ptx_is_dot(p, "version"))
		return version_directive(p);
	return ptx_is_dot(p, "target") ? target_directive(p) : address_size_directive(p);
}

bool ptx_header_complete(struct ptx_parser *p)
{
	const char *missing = !p->have_version ? "version" : !p->have_target ? "target" : NULL;
	if (missing == NULL)
		return true;
	if (p->m->nerrors == 0)
		ptx_error(p, ptx_here(p), "Missing .%s directive at start of file '%s'", missing, p->m->file);
	p->syntax_errors = MAX_SYNTAX_ERRORS; /* the rest cannot be checked */
	return false;
}
