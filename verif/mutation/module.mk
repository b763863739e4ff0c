# SPDX-License-Identifier: Apache-2.0
# Mutation campaigns of RTL units; verif/units/UNIT/mutation/netlist.list names them.
.PHONY: mutants
mutants: tests
	$(Q)verif/mutation/mutants $(UNIT) all

# What each test program is linked from, for verif/mutation/try_tests: NAME OBJECTS LIBRARIES.
.PHONY: $(B)/mutation/links
$(B)/mutation/links:
	@mkdir -p $(@D)
	@:$(file >$@,)$(foreach t,$(TESTS),$(file >>$@,$(t) $(call obj,$($(t)_SRC)) $($(t)_LIBS)))
