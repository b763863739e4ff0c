# SPDX-License-Identifier: Apache-2.0
# The SPA 5.0 dialect: needs cmodel/isa alone.
TESTS += spa50_test
spa50_test_SRC  := verif/spa50/spa50_test.c $(wildcard cmodel/isa/*.c)
spa50_test_LIBS := -lcmocka -lm
