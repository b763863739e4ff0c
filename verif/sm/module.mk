# SPDX-License-Identifier: Apache-2.0
SM_TEST_KERNEL := verif/sm/kernel.c

TESTS += bench_cmodel
bench_cmodel_SRC  := verif/sm/bench_cmodel.c $(SM_TEST_KERNEL)
bench_cmodel_LIBS := $(LIBWARPLOCK) -lm

TESTS += uop_test
uop_test_SRC  := verif/sm/uop_test.c verif/sm/uop_case.c $(SM_TEST_KERNEL)
uop_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += front_test
front_test_SRC  := verif/sm/front_test.c $(SM_TEST_KERNEL)
front_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += converge_test
converge_test_SRC  := verif/sm/converge_test.c $(SM_TEST_KERNEL)
converge_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += special_test
special_test_SRC  := verif/sm/special_test.c $(SM_TEST_KERNEL)
special_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += spin_test
spin_test_SRC  := verif/sm/spin_test.c $(SM_TEST_KERNEL)
spin_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += source_test
source_test_SRC  := verif/sm/source_test.c $(SM_TEST_KERNEL)
source_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += fuzz_test
fuzz_test_SRC  := verif/sm/fuzz_test.c $(SM_TEST_KERNEL)
fuzz_test_LIBS := $(LIBWARPLOCK) -lm

TESTS += bench_cubin
bench_cubin_SRC  := verif/sm/bench_cubin.c
bench_cubin_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWLCC_NEEDS) -lm

TESTS += uop_int_test
uop_int_test_SRC  := verif/sm/uop_int_test.c verif/sm/uop_case.c $(SM_TEST_KERNEL)
uop_int_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_wide_test
uop_wide_test_SRC  := verif/sm/uop_wide_test.c verif/sm/uop_case.c $(SM_TEST_KERNEL)
uop_wide_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_uniform_test
uop_uniform_test_SRC  := verif/sm/uop_uniform_test.c verif/sm/uop_case.c $(SM_TEST_KERNEL)
uop_uniform_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_control_test
uop_control_test_SRC  := verif/sm/uop_control_test.c $(SM_TEST_KERNEL)
uop_control_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_copy_test
uop_copy_test_SRC  := verif/sm/uop_copy_test.c $(SM_TEST_KERNEL)
uop_copy_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

FLOAT_TEST := verif/sm/probe.c $(SM_TEST_KERNEL)
TESTS += uop_float_test
uop_float_test_SRC  := verif/sm/uop_float_test.c $(FLOAT_TEST)
uop_float_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_half_test
uop_half_test_SRC  := verif/sm/uop_half_test.c $(FLOAT_TEST)
uop_half_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_convert_test
uop_convert_test_SRC  := verif/sm/uop_convert_test.c $(FLOAT_TEST)
uop_convert_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += uop_mufu_test
uop_mufu_test_SRC  := verif/sm/uop_mufu_test.c $(FLOAT_TEST)
uop_mufu_test_LIBS := $(LIBWARPLOCK) -lcmocka -lm

TESTS += float_cubin_test
float_cubin_test_SRC  := verif/sm/float_cubin_test.c $(FLOAT_TEST)
float_cubin_test_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWLCC_NEEDS) -lcmocka -lm
