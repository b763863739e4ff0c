// SPDX-License-Identifier: Apache-2.0
/* modifier.c -- linked into test programs by verif/mutation/modifiers: instructions reach the models with a changed
 * member, as if the tables gave a modifier another meaning.
 *
 *   WL_MODIFIER="FSETP op 15 1 2"   in every FSETP: (op & 15) of 1 becomes 2
 *   WL_MODIFIERS_SEEN=FILE          each distinct instruction passing by is a line: name, then the members in the
 *                                   order of members.def
 * In tests of kernels kernel.o calls mutated_decode; in tests of units the table of a unit is wrapped. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warplock/unit.h"

static const struct member {
	const char *name;
	size_t at, size;
} members[] = {
#define MEMBER(name, m, is_signed, neutral) {#name, offsetof(struct wl_inst, m), sizeof(((struct wl_inst *)0)->m)},
#include "../../cmodel/isa/members.def"
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof members[0], SEEN = 1 << 16 };

static const char *const names[] = {
#define UOP(name, ...) #name,
#include "warplock/uops.def"
#undef UOP
};
static const uint8_t units[] = {
#define UOP(name, unit, ...) WL_UNIT_##unit,
#include "warplock/uops.def"
#undef UOP
};

static struct {
	bool read, on;
	unsigned uop;
	const struct member *member;
	unsigned long mask, from, to;
	FILE *seen;
} hook;

static unsigned long get(const struct wl_inst *in, const struct member *m)
{
	unsigned long v = 0; /* little endian, as the models are */
	memcpy(&v, (const char *)in + m->at, m->size);
	return v;
}

static void read_hook(void)
{
	const char *text = getenv("WL_MODIFIER"), *seen = getenv("WL_MODIFIERS_SEEN");
	char uop[32], member[16];
	hook.read = true;
	if (seen && !(hook.seen = fopen(seen, "w")))
		exit(2);
	if (!text)
		return;
	if (sscanf(text, "%31s %15s %lu %lu %lu", uop, member, &hook.mask, &hook.from, &hook.to) != 5)
		exit(2);
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(names[i], uop))
			hook.uop = i;
	for (unsigned i = 0; i < MEMBERS; i++)
		if (!strcmp(members[i].name, member))
			hook.member = &members[i];
	if (!hook.member || strcmp(names[hook.uop], uop))
		exit(2);
	hook.on = true;
}

static void tell(const struct wl_inst *in)
{
	static uint64_t seen[SEEN];
	uint64_t key = in->uop;
	for (unsigned i = 0; i < MEMBERS; i++)
		key = (key ^ get(in, &members[i])) * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t *slot = &seen[key >> 48];
	if (*slot == key)
		return;
	*slot = key;
	fputs(names[in->uop], hook.seen);
	for (unsigned i = 0; i < MEMBERS; i++)
		fprintf(hook.seen, " %lu", get(in, &members[i]));
	fputc('\n', hook.seen);
	fflush(hook.seen);
}

static void change(struct wl_inst *in)
{
	if (!hook.read)
		read_hook();
	if (hook.seen)
		tell(in);
	if (!hook.on || in->uop != hook.uop)
		return;
	unsigned long v = get(in, hook.member);
	if ((v & hook.mask) != hook.from)
		return;
	v = (v & ~hook.mask) | hook.to;
	memcpy((char *)in + hook.member->at, &v, hook.member->size);
}

__attribute__((weak)) enum wl_status wl_decode(enum wl_arch arch, struct wl_word word, struct wl_inst *out)
{
	(void)arch, (void)word, (void)out; /* the units' tests have no tables */
	return WL_ERR_UNKNOWN_WORD;
}

enum wl_status mutated_decode(enum wl_arch arch, struct wl_word word, struct wl_inst *out);
enum wl_status mutated_decode(enum wl_arch arch, struct wl_word word, struct wl_inst *out)
{
	enum wl_status s = wl_decode(arch, word, out);
	if (s == WL_OK)
		change(out);
	return s;
}

/* ---- units ---- */

const struct wl_unit_ops *__real_wl_unit_ops(enum wl_unit unit);
const struct wl_unit_ops *__wrap_wl_unit_ops(enum wl_unit unit);

static const struct wl_unit_ops *real(const struct wl_req *req)
{
	return __real_wl_unit_ops(req->inst.uop != WL_UOP_EXIT ? units[req->inst.uop]
	                          : req->posted                ? WL_UNIT_sync_core
	                                                       : WL_UNIT_convergence);
}

static struct wl_req changed(const struct wl_req *req)
{
	struct wl_req q = *req;
	change(&q.inst);
	return q;
}

static void plan(const struct wl_units *u, const struct wl_req *req, struct wl_plan *p, struct wl_record *rec)
{
	struct wl_req q = changed(req);
	real(req)->plan(u, &q, p, rec);
}

static uint32_t apply(struct wl_units *u, const struct wl_req *req, struct wl_plan *p, const struct wl_event *ev,
                      struct wl_record *rec)
{
	struct wl_req q = changed(req);
	return real(req)->apply(u, &q, p, ev, rec);
}

static void answer(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *p,
                   const struct wl_released *r, struct wl_record *rec)
{
	struct wl_req q = changed(req);
	real(req)->answer(u, &q, p, r, rec);
}

static void finish(const struct wl_units *u, const struct wl_req *req, const struct wl_plan *p, struct wl_record *rec)
{
	struct wl_req q = changed(req);
	real(req)->finish(u, &q, p, rec);
}

const struct wl_unit_ops *__wrap_wl_unit_ops(enum wl_unit unit)
{
	static struct wl_unit_ops wrapped[WL_UNIT_COUNT];
	const struct wl_unit_ops *ops = __real_wl_unit_ops(unit);
	if (!ops)
		return NULL;
	wrapped[unit] = *ops;
	wrapped[unit].plan = plan;
	wrapped[unit].apply = apply;
	wrapped[unit].answer = ops->answer ? answer : NULL;
	wrapped[unit].finish = finish;
	return &wrapped[unit];
}
