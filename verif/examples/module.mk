# SPDX-License-Identifier: Apache-2.0
TESTS += unit_ref_test
unit_ref_test_SRC  := $(wildcard verif/examples/unit_ref_*test.c)
unit_ref_test_LIBS := $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lcmocka -lm
TESTS += unit_log
unit_log_SRC  := verif/examples/unit_log/unit_log.c
unit_log_LIBS := $(LIBWARPLOCK) $(LIBWARPLOCK_NEEDS) -lm
# An example over the installed headers: warplock/monitor.h comes from verif/cosim.
TESTS += log_check
log_check_SRC  := verif/examples/monitor/log_check.c
log_check_LIBS := $(LIBWLMONITOR) $(LIBWARPLOCK) -lm
CFLAGS_verif/examples/monitor/log_check.c := -I$(B)/gen/monitor
$(B)/gen/monitor/warplock/monitor.h: verif/cosim/monitor.h
	@mkdir -p $(@D)
	$(Q)cp $< $@
GENERATED += $(B)/gen/monitor/warplock/monitor.h
