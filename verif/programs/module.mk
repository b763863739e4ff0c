# SPDX-License-Identifier: Apache-2.0
TESTS += driver_fuzz_test
driver_fuzz_test_SRC  = verif/programs/driver_fuzz_test.c $(LIBCUDA_SRC)
driver_fuzz_test_LIBS := $(LIBWLCC) $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm -lpthread
