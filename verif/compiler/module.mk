# SPDX-License-Identifier: Apache-2.0
COMPILER_TEST      := verif/compiler/run_ptx.c verif/compiler/sched_check.c
COMPILER_TEST_LIBS := $(LIBWLCC) $(LIBWARPLOCK) -lcmocka $(LIBWARPLOCK_NEEDS) -lm

# $(1) = tests that run what they compile: wlcc_NAME_test of NAME_test.c
define compiler_tests
TESTS += $(1:%=wlcc_%_test)
$(foreach t,$(1),$(eval wlcc_$(t)_test_SRC := verif/compiler/$(t)_test.c $(COMPILER_TEST)) $(eval wlcc_$(t)_test_LIBS := $(COMPILER_TEST_LIBS)))
endef
$(eval $(call compiler_tests,cvt divide float2 sector space video half steps flow float warp aggregate))

TESTS += wlcc_ops_test
wlcc_ops_test_SRC  := verif/compiler/ops_test.c verif/compiler/rows.c $(COMPILER_TEST)
wlcc_ops_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_scale_test
wlcc_scale_test_SRC  := verif/compiler/scale_test.c
wlcc_scale_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_order_test
wlcc_order_test_SRC  := verif/compiler/order_test.c
wlcc_order_test_LIBS := $(COMPILER_TEST_LIBS)

TESTS += wlcc_order_mutants
wlcc_order_mutants_SRC  := verif/compiler/order_mutants.c cmodel/tools/file.c cmodel/tools/unfinished.c
wlcc_order_mutants_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm

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
TESTS += wlcc_image_fuzz
wlcc_image_fuzz_SRC  := verif/compiler/image_fuzz.c
wlcc_image_fuzz_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm

TESTS += bench_load
bench_load_SRC  := verif/compiler/bench_load.c
bench_load_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm

# The page of what PTX becomes is made by compiling it; a check tells when it is old.
.PHONY: docs/reference/lowering.md
docs/reference/lowering.md: $(B)/bin/wlcc
	$(Q)verif/compiler/lowering_page >$@.new && mv $@.new $@
