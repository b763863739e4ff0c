# SPDX-License-Identifier: Apache-2.0
# Benches of the RTL units; verif/unit/build_rtl makes the models that they load.
TESTS += fp_add_test atom_unit_test slot_test atomic_alu_test smem_banks_test atoms_pipe_test barrier_file_test warp_collective_test convergence_test cluster_barrier_test mbar_alu_test mbarrier_engine_test
atomic_alu_test_SRC   := verif/unit/atomic_alu_test.c verif/unit/rtl_model.c
atomic_alu_test_LIBS  := -ldl
smem_banks_test_SRC   := verif/unit/smem_banks_test.c verif/unit/rtl_model.c
smem_banks_test_LIBS  := -ldl
atoms_pipe_test_SRC   := $(addprefix verif/unit/,atoms_pipe_test.c atoms_ref.c core_bench.c rtl_model.c)
atoms_pipe_test_LIBS  := -ldl
barrier_file_test_SRC  := verif/common/barrier_script.c $(addprefix verif/unit/,barrier_file_test.c barrier_bench.c barrier_ref.c rtl_model.c)
barrier_file_test_LIBS := -ldl
warp_collective_test_SRC  := $(addprefix verif/unit/,warp_collective_test.c collective_ref.c rtl_model.c)
warp_collective_test_LIBS := -ldl
convergence_test_SRC  := $(addprefix verif/unit/,convergence_test.c converge_ref.c rtl_model.c)
convergence_test_LIBS := -ldl
cluster_barrier_test_SRC  := $(addprefix verif/unit/,cluster_barrier_test.c cbar_ref.c rtl_model.c)
cluster_barrier_test_LIBS := -ldl
slot_test_SRC         := $(addprefix verif/unit/,slot_test.c atoms_ref.c core_bench.c rtl_model.c)
slot_test_LIBS        := -ldl
fp_add_test_SRC       := verif/unit/fp_add_test.c verif/unit/rtl_model.c
fp_add_test_LIBS      := -ldl -lm
atom_unit_test_SRC    := $(addprefix verif/unit/,atom_unit_test.c atom_bench.c atom_share.c atom_ref.c rtl_model.c)
atom_unit_test_LIBS   := -ldl -lm
GENERATED += $(B)/gen/rtl_units.h
mbar_alu_test_LIBS    := -ldl
mbar_alu_test_SRC     := $(addprefix verif/unit/,mbar_alu_test.c mbar_ref.c rtl_model.c)
mbarrier_engine_test_SRC  := $(addprefix verif/unit/,mbarrier_engine_test.c mbar_ref.c rtl_model.c)
mbarrier_engine_test_LIBS := -ldl
