/* SPDX-License-Identifier: Apache-2.0
 * atom_unit_tests.h -- the parts of the bench of atom_unit; each gives a verdict. */
#ifndef ATOM_TESTS_H
#define ATOM_TESTS_H

#include "atom_unit_requests.h"

/* Prints whether errors came since the last verdict; atom_unit_test.c counts. */
void atom_verdict(struct atom_bench *b, const char *what);

/* atom_unit_cases.c */
void atom_test_address_forms(struct atom_bench *b);
void atom_test_matrix(struct atom_bench *b, bool whole);
void atom_test_edges(struct atom_bench *b);
void atom_test_ends(struct atom_bench *b);
void atom_test_windows(struct atom_bench *b);
/* atom_unit_traffic.c */
void atom_test_stalls(struct atom_bench *b, unsigned count);
void atom_test_reset(struct atom_bench *b);
void atom_test_deaf_port(struct atom_bench *b);
/* atom_unit_cycles.c */
void atom_test_cycles(struct atom_bench *b);
enum { ATOM_LOAD_CYCLES = 10 };
/* From the last beat to the last beat of the response. */
unsigned atom_cycles_of(struct atom_bench *b, struct live *l);
/* atom_unit_turns.c */
void atom_test_turns(struct atom_bench *b);
/* atom_unit_speed.c */
void atom_test_speed(struct atom_bench *b);
void atom_test_far(struct atom_bench *b);
void atom_figures(struct atom_bench *b);

#endif
