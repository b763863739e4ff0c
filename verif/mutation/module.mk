# SPDX-License-Identifier: Apache-2.0
# Mutation campaigns of RTL units; verif/mutation/units.list names them.
.PHONY: mutants
mutants: tests
	$(Q)verif/mutation/mutants $(UNIT) all
