# SPDX-License-Identifier: Apache-2.0
COMPILER_TEST      := verif/compiler/run_ptx.c verif/compiler/sched_check.c
COMPILER_TEST_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -lcmocka $(LIBWARPLOCK_NEEDS) -lm

TESTS += wlcc_ops_test
wlcc_ops_test_SRC  := verif/compiler/ops_test.c verif/compiler/rows.c $(COMPILER_TEST)
wlcc_ops_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_cvt_test
wlcc_cvt_test_SRC  := verif/compiler/cvt_test.c $(COMPILER_TEST)
wlcc_cvt_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_float2_test
wlcc_float2_test_SRC  := verif/compiler/float2_test.c $(COMPILER_TEST)
wlcc_float2_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_sector_test
wlcc_sector_test_SRC  := verif/compiler/sector_test.c $(COMPILER_TEST)
wlcc_sector_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_space_test
wlcc_space_test_SRC  := verif/compiler/space_test.c $(COMPILER_TEST)
wlcc_space_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_steps_test
wlcc_steps_test_SRC  := verif/compiler/steps_test.c $(COMPILER_TEST)
wlcc_steps_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_scale_test
wlcc_scale_test_SRC  := verif/compiler/scale_test.c
wlcc_scale_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_flow_test
wlcc_flow_test_SRC  := verif/compiler/flow_test.c $(COMPILER_TEST)
wlcc_flow_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_order_test
wlcc_order_test_SRC  := verif/compiler/order_test.c
wlcc_order_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_order_mutants
wlcc_order_mutants_SRC  := verif/compiler/order_mutants.c cmodel/tools/file.c
wlcc_order_mutants_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ldw $(LIBWARPLOCK_NEEDS) -lm

TESTS += wlcc_float_test
wlcc_float_test_SRC  := verif/compiler/float_test.c $(COMPILER_TEST)
wlcc_float_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_random_test
wlcc_random_test_SRC  := verif/compiler/random_test.c verif/compiler/random_program.c verif/compiler/rows.c $(COMPILER_TEST)
wlcc_random_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_object_test
wlcc_object_test_SRC  := verif/compiler/object_test.c
wlcc_object_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_passes_test
wlcc_passes_test_SRC  := verif/compiler/passes_test.c
wlcc_passes_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_policy_test
wlcc_policy_test_SRC  := verif/compiler/policy_test.c $(COMPILER_TEST)
wlcc_policy_test_LIBS := $(COMPILER_TEST_LIBS) -lm
TESTS += wlcc_warp_test
wlcc_warp_test_SRC  := verif/compiler/warp_test.c $(COMPILER_TEST)
wlcc_warp_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_aggregate_test
wlcc_aggregate_test_SRC  := verif/compiler/aggregate_test.c $(COMPILER_TEST)
wlcc_aggregate_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_image_fuzz
wlcc_image_fuzz_SRC  := verif/compiler/image_fuzz.c
wlcc_image_fuzz_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -ldw $(LIBWARPLOCK_NEEDS) -lm

TESTS += bench_load
bench_load_SRC  := verif/compiler/bench_load.c
bench_load_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
