# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlcosim
wlcosim_SRC := $(addprefix verif/cosim/,main.c run_random.c run_checks.c run_bench.c run_launch.c lockstep.c compare.c \
	corrupt.c mon.c model.c random.c templates.c floors.c mismatch.c wave.c)
wlcosim_LIBS := $(LIBWARPLOCK) -ldl -lm

TESTS += mon_test
mon_test_SRC := verif/cosim/mon_test.c verif/cosim/mon.c
mon_test_LIBS := -lcmocka
