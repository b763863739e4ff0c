# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlcosim
wlcosim_SRC := $(addprefix verif/cosim/,main.c run_random.c run_checks.c run_bench.c run_launch.c lockstep.c compare.c \
	corrupt.c mon.c model.c random.c templates.c floors.c mismatch.c order.c wave.c) $(WLTOOLS_SRC)
wlcosim_LIBS := $(WLTOOLS_LIBS) -ldl

# What runs for every pass: its loops over the lanes are to be vectorised.
ifneq ($(SAN),1)
CFLAGS_verif/cosim/mon.c     := -O3
CFLAGS_verif/cosim/compare.c := -O3
endif

TESTS += mon_test
mon_test_SRC := verif/cosim/mon_test.c verif/cosim/mon.c
mon_test_LIBS := -lcmocka

# The two default models; wlcosim builds others on demand.
.PHONY: models
models: $(RTL_GENERATED)
	$(Q)verif/cosim/build_model 32 32 1 >/dev/null
	$(Q)verif/cosim/build_model 4 8 1 >/dev/null
ALL += models
