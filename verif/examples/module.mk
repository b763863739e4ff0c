# SPDX-License-Identifier: Apache-2.0
TESTS += unit_ref_test
unit_ref_test_SRC  := verif/examples/unit_ref_test.c
unit_ref_test_LIBS := $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lcmocka -lm
