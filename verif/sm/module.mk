# SPDX-License-Identifier: Apache-2.0
SM_TEST_KERNEL := verif/sm/kernel.c

TESTS += bench_cmodel
bench_cmodel_SRC  := verif/sm/bench_cmodel.c $(SM_TEST_KERNEL)
bench_cmodel_LIBS := $(LIBWARPLOCK) -lm
