# SPDX-License-Identifier: Apache-2.0
# The benches of the units. A file verif/units/UNIT/bench/NAME_test.c is a test program; every other C file of the folder
# goes into the archive of the unit, from which the linker takes what a test needs.
#   NAME_test          drives the RTL: verif/units/build_rtl makes the model that it loads
#   cunits_NAME_test   tests the C units alone. It links the units' own sources, so that a unit is tested although the rest
#                      does not build; verif/mutation builds it from changed copies of those sources
BENCH_TESTS  := $(wildcard verif/units/*/bench/*_test.c)
BENCH_ROOMS  := $(patsubst verif/units/%/bench,%,$(wildcard verif/units/*/bench))
BENCH_COMMON := $(wildcard verif/units/*.c)
CUNITS_SRC   := $(wildcard cmodel/alu/*.c cmodel/units/*.c cmodel/mem/*.c)

# $(1) = unit, $(2) = what is no test
define bench_archive
$(B)/bench/$(1).a: $(call obj,$(2))
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
endef
helpers_of = $(filter-out %_test.c %/cunits_bench.c,$(wildcard verif/units/$(1)/bench/*.c))
$(foreach r,$(BENCH_ROOMS),$(eval $(call bench_archive,$(r),$(call helpers_of,$(r)))))
$(eval $(call bench_archive,common,$(BENCH_COMMON)))

room_of  = $(word 3,$(subst /, ,$(1)))
archives = $(foreach r,$(room_of) $(if $(findstring /cunits_,$(1)),atoms_pipe) $(BENCH_OF_$(basename $(notdir $(1)))) common,$(B)/bench/$(r).a)
# What a test takes from the folders of other units. Each test of the C units has the oracle of atoms_pipe.
BENCH_OF_slot_test := atoms_pipe
BENCH_OF_atoms_pipe_test := sync_core
BENCH_OF_fp_minmax_test := atom_unit

define bench_test
TESTS += $(basename $(notdir $(1)))
$(basename $(notdir $(1)))_SRC  := $(1) $(if $(findstring /cunits_,$(1)),$(CUNITS_SRC))
$(basename $(notdir $(1)))_LIBS := -Wl,--start-group $(archives) -Wl,--end-group $(if $(findstring /cunits_,$(1)),-lcmocka) -ldl -lm
endef
# cunits_bench is no test, but lies with them: it is for whoever changes the fast path
$(foreach t,$(BENCH_TESTS) verif/units/atoms_pipe/bench/cunits_bench.c,$(eval $(call bench_test,$(t))))
GENERATED += $(B)/gen/rtl_units.h

# The ports of each block. A header is written anew only when its ports have changed.
$(B)/gen/pins/made: $(RTL_SOURCES) $(wildcard fpga/link/*.sv fpga/link/*.vh fpga/stimulus/*.sv fpga/stimulus/*.vh) rtl/gen/ports.py rtl/gen/sources.py
	@mkdir -p $(@D)
	$(if $(Q),@echo '  GEN   $(@D)')
	$(Q)rtl/gen/ports.py pins $(@D) && touch $@
$(B)/gen/pins/%.h: $(B)/gen/pins/made ;
$(call obj,$(wildcard verif/units/*/bench/*.c)): | $(B)/gen/pins/made
