// SPDX-License-Identifier: Apache-2.0
/* run_checks.c -- checks of the checks. Each planted bug must be found by the bug's own check, with all other checks
 * silent. (All checks together then complain, too: of the same stream, at the latest at the same place.) No bit of a
 * compared field may change without a complaint. */
#include <stdio.h>
#include <string.h>

#include "options.h"

enum {
	CORRUPT_INSTRUCTIONS = 20000,
	GOOD_PART = 5, /* so many times fewer show the build to be good with no bug chosen */
};

struct tally {
	unsigned passed, failed;
};

static void judge(struct tally *t, bool good, const char *name, const char *how, const struct complaint *c)
{
	if (good)
		t->passed++;
	else
		t->failed++;
	printf("%s  %-18s %-12s %s%s%s\n", good ? "ok  " : "FAIL", name, how,
	       c->any ? check_name(c->kind) : "no complaint", c->any ? ": " : "", c->any ? c->text : "");
}

/* A run with the bug; the complaint must come from `check`, and from the rule if the bug names a rule. */
static void try_bug(struct tally *t, const struct model *model, const struct options *base,
                    const struct cosim_planted *p)
{
	struct options o = *base;
	struct random_result r;
	o.bug = p->number;
	o.mix = cosim_mix(p->mix);
	if (o.hw.arch < p->since)
		o.hw.arch = p->since;
	o.timing = p->check == CHECK_TIMING;
	o.checks = 1u << p->check;
	o.mon_rules = *p->rules ? p->rules : NULL;
	if (!random_once(&o, model, &r)) {
		t->failed++;
		return;
	}
	const bool good = !r.ok && r.complaint.kind == p->check && (!*p->rules || r.complaint.rule == *p->rules);
	judge(t, good, p->name, "", &r.complaint);
}

static bool load(struct model *m, const struct options *o, uint32_t units, bool with_bugs)
{
	char why[600];
	if (model_load(m, &o->hw, units, (with_bugs ? MODEL_PLANTED : 0u) | (o->matrix ? MODEL_MATRIX : 0u), why,
	               sizeof why))
		return true;
	fprintf(stderr, "wlcosim: %s\n", why);
	return false;
}

/* Also fails if nothing was tried. */
static int close_tally(const struct tally *t, struct runs *runs)
{
	progress_end(&runs->line);
	printf("%u passed, %u failed\n", t->passed, t->failed);
	return t->failed || !t->passed ? EXIT_BAD : EXIT_GOOD;
}

/* Whether the model of `o` fits the mix. */
static bool is_for(const struct cosim_mix *mix, const struct options *o)
{
	return mix->combine == o->hw.combine && (unsigned)mix->native == o->hw.native && mix->matrix == o->matrix;
}

/* The build with the bugs, and no bug chosen, is good. */
static void try_without(struct tally *t, const struct model *model, const struct options *base,
                        const struct cosim_unit *u)
{
	struct options o = *base;
	struct random_result r;
	o.count = base->count / GOOD_PART ? base->count / GOOD_PART : 1;
	for (const struct cosim_mix *const *mix = u->mixes; mix && *mix; mix++) {
		o.mix = *mix;
		if ((*mix)->benchmark || !is_for(*mix, base))
			continue;
		if (random_once(&o, model, &r))
			judge(t, r.ok, "none", o.mix->name, &r.complaint);
		else
			t->failed++;
	}
}

/* Whether a bug is tried: the chosen bug, or every bug visible on the model. */
static bool is_tried(const struct options *o, const struct cosim_planted *p, unsigned only)
{
	if (only ? only != p->number : p->check == CHECK_TIMING && o->hw.ports != 1)
		return false;
	return is_for(cosim_mix(p->mix), o);
}

/* Runs of try_without and try_unit. */
static unsigned runs_of(const struct options *o, const struct cosim_unit *u, unsigned only)
{
	unsigned n = 0;
	for (const struct cosim_mix *const *mix = u->mixes; mix && *mix; mix++)
		n += !(*mix)->benchmark && is_for(*mix, o);
	for (const struct cosim_planted *p = u->planted; p && p->number; p++)
		n += is_tried(o, p, only);
	return n;
}

static void try_unit(struct tally *t, const struct model *model, const struct options *o, const struct cosim_unit *u,
                     unsigned only)
{
	for (const struct cosim_planted *p = u->planted; p && p->number; p++) {
		if (!is_tried(o, p, only))
			continue;
		printf("bug %u: %s\n", p->number, p->what);
		try_bug(t, model, o, p);
	}
}

/* Whether the unit has the planted bug; 0: any. */
static bool has_bug(const struct cosim_unit *u, unsigned bug)
{
	for (const struct cosim_planted *p = u->planted; p && p->number; p++)
		if (!bug || bug == p->number)
			return true;
	return false;
}

/* Cycles are modelled behind a single port. Where other bugs are tried on several ports, a bug of timing is tried only
 * on request. */
static bool is_of_timing(const struct cosim_unit *u, unsigned bug)
{
	for (const struct cosim_planted *p = u->planted; p && p->number; p++)
		if (p->number == bug)
			return p->check == CHECK_TIMING;
	return false;
}

/* Whether the unit has mixes for a model with these parameters: bugs of combining mixes are tried only with
 * --combine. */
static bool has_mix(const struct cosim_unit *u, unsigned combine, unsigned native, bool matrix)
{
	for (const struct cosim_mix *const *mix = u->mixes; mix && *mix; mix++)
		if ((*mix)->combine == combine && (*mix)->native == native && (*mix)->matrix == matrix)
			return true;
	return false;
}

/* --planted --units A,B: only A, B and atoms_pipe; without --units all. */
static bool is_asked(const struct options *o, const struct cosim_unit *u)
{
	return !o->units_given || (u->unit < 32 && o->units >> u->unit & 1);
}

/* The mix to show a bug, for the model's COMBINE and Native. NULL: the unit does not have the bug. */
static const struct cosim_mix *shown_by(const struct cosim_unit *u, unsigned bug)
{
	for (const struct cosim_planted *p = u->planted; p && p->number; p++)
		if (p->number == bug)
			return cosim_mix(p->mix);
	return NULL;
}

/* Units for the mixes of the unit's folder. */
static uint32_t units_of(const struct cosim_unit *u)
{
	uint32_t units = 1u << WL_UNIT_atoms_pipe | 1u << u->unit;
	for (const struct cosim_mix *const *mix = u->mixes; mix && *mix; mix++)
		units |= cosim_mix_units(*mix);
	return units;
}

/* The model for the unit's bugs. False: no bug of the unit is tried. */
static bool model_of(struct options *o, const struct options *given, const struct cosim_unit *u)
{
	const struct cosim_mix *mix = given->bug ? shown_by(u, given->bug) : NULL;
	o->hw.combine = mix ? mix->combine : given->hw.combine;
	o->hw.native = mix ? mix->native : given->hw.native;
	o->matrix = mix ? mix->matrix : given->matrix;
	o->hw.ports = u->planted_ports && !is_of_timing(u, given->bug) ? u->planted_ports : given->hw.ports;
	return is_asked(given, u) && has_bug(u, given->bug) && has_mix(u, o->hw.combine, o->hw.native, o->matrix);
}

int run_planted(const struct options *asked)
{
	struct options given = *asked, o;
	struct model m;
	struct tally t = {0, 0};
	struct runs runs = {.total = 0};
	if (!given.hw_given)
		given.hw.lanes = 4, given.hw.banks = 8;
	if (!given.count)
		given.count = 30000;
	given.runs = &runs;
	o = given;
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		runs.total += model_of(&o, &given, *u) ? runs_of(&o, *u, given.bug) : 0;
	if (!runs.total)
		return cosim_misuse("--planted: these options leave no planted bug to try; "
		                    "verif/units/*/cosim/planted.def lists the bugs",
		                    NULL);
	progress_start(&runs.line, "planted bugs", "runs", given.quiet);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++) {
		if (!model_of(&o, &given, *u))
			continue;
		if (!load(&m, &o, units_of(*u), true)) {
			progress_end(&runs.line);
			return EXIT_BAD;
		}
		o.hw.arch = given.hw.arch < (*u)->planted_arch ? (*u)->planted_arch : given.hw.arch;
		o.bug = 0;
		try_without(&t, &m, &o, *u);
		try_unit(&t, &m, &o, *u, given.bug);
		model_unload(&m);
	}
	return close_tally(&t, &runs);
}

/* Number of fields: of the core, flipped once, or of a unit. */
static unsigned fields_of(const struct cosim_field *f)
{
	unsigned n = 0;
	while (f && f[n].name)
		n++;
	return n;
}

/* A run with a bit of `field` flipped; NULL: without a flip, and the run must be silent. */
static void try_field(struct tally *t, const struct model *m, const struct options *base,
                      const struct cosim_field *field)
{
	struct options o = *base;
	struct random_result r;
	o.corrupt = field;
	if (random_once(&o, m, &r))
		judge(t, r.ok == !field, field ? field->name : "none", "", &r.complaint);
	else
		t->failed++;
}

int run_corrupt(const struct options *given)
{
	struct options o = *given;
	struct model m;
	struct tally t = {0, 0};
	if (!o.hw_given)
		o.hw.lanes = 4, o.hw.banks = 8;
	o.count = CORRUPT_INSTRUCTIONS;
	bool core = false;
	struct runs runs = {.total = fields_of(corrupt_fields)};
	for (const struct cosim_unit *const *u = cosim_units; *u; u++)
		runs.total += (*u)->fields ? 1 + fields_of((*u)->fields) : 0;
	o.runs = &runs;
	progress_start(&runs.line, "self-test", "runs", o.quiet);
	for (const struct cosim_unit *const *u = cosim_units; *u; u++) {
		if (!(*u)->fields)
			continue;
		if (!load(&m, &o, 1u << WL_UNIT_atoms_pipe | 1u << (*u)->unit, false)) {
			progress_end(&runs.line);
			return EXIT_BAD;
		}
		o.hw.arch = given->hw.arch < (*u)->planted_arch ? (*u)->planted_arch : given->hw.arch;
		o.mix = cosim_mix((*u)->corrupt_mix);
		try_field(&t, &m, &o, NULL);
		for (const struct cosim_field *f = core ? NULL : corrupt_fields; f && f->name; f++)
			try_field(&t, &m, &o, f);
		for (const struct cosim_field *f = (*u)->fields; f->name; f++)
			try_field(&t, &m, &o, f);
		core = true;
		model_unload(&m);
	}
	return close_tally(&t, &runs);
}
