# SPDX-License-Identifier: Apache-2.0
PROGRAMS += wlcosim
wlcosim_SRC := $(filter-out %_test.c,$(wildcard verif/cosim/*.c verif/cosim/link/*.c verif/units/*/cosim/*.c)) verif/units/barrier_file/bench/barrier_script.c $(WLTOOLS_SRC)
wlcosim_LIBS := $(WLTOOLS_LIBS) -ldl

# The units that the harness knows: those with a file verif/units/UNIT/cosim/unit.c.
COSIM_UNITS := $(patsubst verif/units/%/cosim/unit.c,%,$(sort $(wildcard verif/units/*/cosim/unit.c)))
GENERATED += $(B)/gen/cosim_units.inc $(B)/gen/rtl_units.h
$(B)/gen/cosim_units.inc: FORCE
	@mkdir -p $(@D)
	@printf 'COSIM_UNIT(%s)\n' $(COSIM_UNITS) | cmp -s - $@ || printf 'COSIM_UNIT(%s)\n' $(COSIM_UNITS) >$@
.PHONY: FORCE
FORCE:

# What runs for every pass: its loops over the lanes are to be vectorised.
ifneq ($(SAN),1)
CFLAGS_verif/units/atoms_pipe/cosim/mon.c    := -O3
CFLAGS_verif/units/atoms_pipe/cosim/values.c := -O3
CFLAGS_verif/cosim/mon.c                     := -O3
CFLAGS_verif/cosim/compare.c                 := -O3
CFLAGS_verif/cosim/result.c                  := -O3
endif
CFLAGS_verif/units/atoms_pipe/cosim/mon.c    += -Icmodel/units
CFLAGS_verif/units/atoms_pipe/cosim/values.c += -Icmodel/units
CFLAGS_verif/cosim/result.c                  += -Icmodel/units

TESTS += link_test link_line_test
# The monitor, but for the parts of the units. Cases, by rule.
MON_SRC := verif/cosim/mon.c verif/cosim/mon_read.c
MON_TESTS := mon_test mon_order_test mon_read_test mon_wait_test mon_bound_test mon_barrier_test
define mon_test
TESTS += $(1)
$(1)_SRC  := verif/cosim/$(1).c $(MON_SRC) $(wildcard verif/units/*/cosim/mon.c)
$(1)_LIBS := $$(LIBWARPLOCK) -lcmocka
endef
$(foreach t,$(MON_TESTS),$(eval $(call mon_test,$(t))))
# The monitor as a library: libwlmonitor, which `make install` stages beside libwarplock.
MONITOR_SRC := verif/cosim/monitor.c $(MON_SRC) $(wildcard verif/units/*/cosim/mon.c)
LIBWLMONITOR := $(B)/libwlmonitor.a
$(LIBWLMONITOR): $(call obj,$(MONITOR_SRC))
	$(if $(Q),@echo '  AR    $@')
	$(Q)rm -f $@ && ar rcs $@ $^
TESTS += monitor_test
monitor_test_SRC := verif/cosim/monitor_test.c
monitor_test_LIBS := $(LIBWLMONITOR) $(LIBWARPLOCK) -lcmocka -lm
TESTS += memory_test
memory_test_SRC := verif/cosim/memory_test.c verif/cosim/memory_agent.c
memory_test_LIBS := $(LIBWARPLOCK) -lcmocka

# The models of runs without options: kernels, and random streams of atoms_pipe; wlcosim builds others on demand.
.PHONY: models
models: $(RTL_GENERATED)
	$(Q)verif/cosim/build_model 32 32 1 units=all >/dev/null
	$(Q)verif/cosim/build_model 32 32 1 >/dev/null
	$(Q)verif/cosim/build_model 4 8 1 >/dev/null
ALL += models

link_test_SRC  := verif/cosim/link_test.c verif/cosim/link/frame.c
link_test_LIBS := -lcmocka
link_line_test_SRC  := verif/cosim/link_line_test.c $(addprefix verif/cosim/link/,frame.c link.c link_pace.c link_find.c)
link_line_test_LIBS := -lcmocka -lpthread
