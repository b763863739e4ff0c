// SPDX-License-Identifier: Apache-2.0
/* run_checks.c -- the checks are checked: each planted bug must be found by the check it was planted for, alone, and by
 * all checks together; each compared field must not change a bit without a complaint. */
#include <stdio.h>
#include <string.h>

#include "options.h"

enum { CORRUPT_INSTRUCTIONS = 20000 };

struct planted {
	unsigned number;
	const char *name;
	enum check check;
	const char *rules;
	enum mix mix;
	const char *what;
};

static const struct planted planted[] = {
#define PLANTED(number, name, check, rules, mix, what) {number, #name, CHECK_##check, rules, MIX_##mix, what},
#include "planted.def"
#undef PLANTED
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

/* One run with the bug; the complaint must come from `check`, and from the rule when there is one. */
static void try_bug(struct tally *t, const struct model *model, const struct options *base, const struct planted *p,
                    bool alone)
{
	struct options o = *base;
	struct random_result r;
	o.bug = p->number;
	o.mix = p->mix;
	if (alone) {
		o.checks = 1u << p->check;
		o.mon_rules = *p->rules ? p->rules : NULL;
	}
	if (!random_once(&o, model, &r)) {
		t->failed++;
		return;
	}
	bool good = !r.ok;
	if (alone)
		good = good && r.complaint.kind == p->check && (!*p->rules || r.complaint.rule == *p->rules);
	judge(t, good, p->name, alone ? "alone" : "all checks", &r.complaint);
}

static bool load(struct model *m, const struct options *o, bool with_bugs)
{
	char why[600];
	if (model_load(m, o->hw.lanes, o->hw.banks, o->hw.ports, with_bugs, false, why, sizeof why))
		return true;
	fprintf(stderr, "wlcosim: %s\n", why);
	return false;
}

static int close_tally(const struct tally *t)
{
	printf("%u passed, %u failed\n", t->passed, t->failed);
	return t->failed ? EXIT_BAD : EXIT_GOOD;
}

int run_planted(const struct options *given)
{
	struct options o = *given;
	struct model m;
	struct tally t = {0, 0};
	struct random_result r;
	if (!o.hw_given)
		o.hw.lanes = 4, o.hw.banks = 8;
	if (!o.count)
		o.count = 30000;
	if (!load(&m, &o, true))
		return EXIT_BAD;
	/* the build with the bugs in it and none chosen is a good one */
	o.bug = 0;
	for (unsigned mix = 0; mix < MIX_DEGREE; mix++) {
		o.mix = (enum mix)mix;
		if (random_once(&o, &m, &r))
			judge(&t, r.ok, "none", mix_name(o.mix), &r.complaint);
		else
			t.failed++;
	}
	for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
		if (given->bug && given->bug != planted[i].number)
			continue;
		printf("bug %u: %s\n", planted[i].number, planted[i].what);
		try_bug(&t, &m, &o, &planted[i], true);
		try_bug(&t, &m, &o, &planted[i], false);
	}
	model_unload(&m);
	return close_tally(&t);
}

int run_corrupt(const struct options *given)
{
	struct options o = *given;
	struct model m;
	struct tally t = {0, 0};
	struct random_result r;
	if (!o.hw_given)
		o.hw.lanes = 4, o.hw.banks = 8;
	o.count = CORRUPT_INSTRUCTIONS;
	o.mix = MIX_FAULTS;
	if (!load(&m, &o, false))
		return EXIT_BAD;
	for (unsigned c = CORRUPT_NONE; c < CORRUPT_COUNT; c++) {
		o.corrupt = (enum corrupt)c;
		if (!random_once(&o, &m, &r))
			t.failed++;
		else
			judge(&t, r.ok == (c == CORRUPT_NONE), corrupt_name(o.corrupt), "", &r.complaint);
	}
	model_unload(&m);
	return close_tally(&t);
}
