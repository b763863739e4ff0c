// SPDX-License-Identifier: Apache-2.0
/* unit.c -- atoms_pipe in the harness. */
#include <stdio.h>

#include "atoms_pipe.h"

static const struct cosim_planted planted[] = {
#define PLANTED(number, name, check, rules, mix, what) {number, #name, CHECK_##check, rules, #mix, what, 0},
#define PLANTED_SINCE(arch, number, name, check, rules, mix, what)                                                     \
	{number, #name, CHECK_##check, rules, #mix, what, arch},
#include "planted.def"
#undef PLANTED
#undef PLANTED_SINCE
        {0},
};

static const struct cosim_signal signals[] = {
#define SIGNAL(group, name, fixed, times) {group, name, fixed, times},
#include "wave.def"
#undef SIGNAL
        {0},
};

static void print_random(const struct lockstep_stats *s)
{
	const uint64_t *n = s->counter[WL_UNIT_atoms_pipe];
	printf("lanes       %llu swapped, %llu not, %llu lost in SPIN; %llu words forwarded\n",
	       (unsigned long long)n[ATOMS_SWAPPED], (unsigned long long)n[ATOMS_NOT_SWAPPED],
	       (unsigned long long)n[ATOMS_SPIN_LOSERS], (unsigned long long)n[ATOMS_FORWARDS]);
	if (n[ATOMS_WORDS_1] + n[ATOMS_WORDS_4])
		printf("combined    words of passes by lanes on them: 1:%llu 2-4:%llu 5-16:%llu 17-32:%llu\n",
		       (unsigned long long)n[ATOMS_WORDS_1], (unsigned long long)n[ATOMS_WORDS_4],
		       (unsigned long long)n[ATOMS_WORDS_16], (unsigned long long)n[ATOMS_WORDS_32]);
}

static void print_launch(const struct lockstep_stats *s)
{
	printf(", %llu words forwarded", (unsigned long long)s->counter[WL_UNIT_atoms_pipe][ATOMS_FORWARDS]);
}

const struct cosim_unit cosim_atoms_pipe = {.unit = WL_UNIT_atoms_pipe,
                                            .mon = &mon_atoms_pipe,
                                            .beat = atoms_pipe_beat,
                                            .ref = &wl_atoms_narrow_ops,
                                            .same_results = atoms_pipe_same_results,
                                            .compare_commit = atoms_pipe_compare,
                                            .keep = atoms_pipe_keep,
                                            .landed = atoms_pipe_landed,
                                            .count = atoms_pipe_count,
                                            .show = atoms_pipe_show,
                                            .print_random = print_random,
                                            .print_launch = print_launch,
                                            .mixes = atoms_pipe_mixes,
                                            .fields = atoms_pipe_fields,
                                            .corrupt_mix = "faults",
                                            .planted = planted,
                                            .signals = signals,
                                            .state_bytes = sizeof(struct atoms_pipe_state)};
