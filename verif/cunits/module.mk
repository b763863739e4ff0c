# SPDX-License-Identifier: Apache-2.0
# Tests of the C units alone. They link the units' own sources, so that a unit is tested although the rest does not
# build; verif/mutation builds them from changed copies of those sources.
CUNITS_SRC    := $(wildcard cmodel/alu/*.c cmodel/units/*.c cmodel/mem/*.c)
CUNITS_ORACLE := verif/units/atoms_pipe/bench/cunits_oracle.c verif/units/atoms_pipe/bench/cunits_stim.c verif/units/atoms_pipe/bench/cunits_values.c
CUNITS_TESTS  := cunits_alu_test cunits_memory_test cunits_directed_test cunits_atoms_test cunits_exhaustive_test \
	cunits_barrier_file_test cunits_cluster_barrier_test cunits_warp_collective_test cunits_convergence_test cunits_fence_unit_test \
	cunits_atom_unit_test cunits_atom_matrix_test cunits_mbarrier_engine_test \
	cunits_mbarrier_random_test cunits_native_test cunits_inline_test cunits_marks_test cunits_cluster_orders_test cunits_mbarrier_ring_test
# cunits_bench is no test, but lies with them: it is for whoever changes the fast path
TESTS += $(CUNITS_TESTS) cunits_bench
$(foreach t,$(CUNITS_TESTS) cunits_bench,$(eval $(t)_SRC := verif/cunits/$(t).c $(CUNITS_ORACLE) $(CUNITS_SRC)) \
	$(eval $(t)_LIBS := -lcmocka))
# against references of the RTL's benches
TESTS += cunits_converge_all_test cunits_barrier_orders_test cunits_collective_cases_test
cunits_converge_all_test_SRC := verif/units/convergence/bench/cunits_converge_all_test.c $(addprefix verif/unit/,converge_walk.c converge_ref.c) $(CUNITS_SRC)
cunits_barrier_orders_test_SRC := verif/units/barrier_file/bench/cunits_barrier_orders_test.c $(addprefix verif/unit/,barrier_orders.c barrier_ref.c) $(CUNITS_SRC)
cunits_collective_cases_test_SRC := verif/units/warp_collective/bench/cunits_collective_cases_test.c $(addprefix verif/unit/,collective_cases.c collective_ref.c) $(CUNITS_SRC)
cunits_cluster_orders_test_SRC += verif/units/cluster_barrier/bench/cluster_orders.c
