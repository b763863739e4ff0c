# SPDX-License-Identifier: Apache-2.0
# Lint and synthesis of the RTL. Models for simulation are built by verif/cosim and verif/units.
RTL_SOURCES := $(wildcard rtl/*/*.sv rtl/*/*.vh)

# Committed, like what wlgen.py makes; verif/units/generated checks that it was done.
.PHONY: generate-trace
generate-trace:
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) rtl/gen/trace.py rtl rtl
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) rtl/gen/mbar_v1.py rtl/gen/mbar_v1.vh
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) rtl/gen/trace.py doc docs/ports.md
	$(Q)PYTHONDONTWRITEBYTECODE=1 rtl/gen/bundles.py
	$(Q)rtl/gen/ports.py doc docs/units/*.md docs/bus.md
	$(Q)rtl/gen/manifests.py write
generate: generate-trace

export VERILATOR YOSYS IVERILOG

# What values of trace events look like in C; the trace ports of each unit in the list of waves.
$(B)/gen/shim_trace.h: $(wildcard rtl/*/*.def) rtl/gen/trace.py cmodel/isa/gen/rtl_units.py cmodel/units/units.def
	@mkdir -p $(@D)
	$(if $(Q),@echo '  GEN   $@')
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) rtl/gen/trace.py waves $(@D)
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) rtl/gen/trace.py shim $@
GENERATED += $(B)/gen/shim_trace.h

.PHONY: lint-rtl
lint-rtl:
	$(Q)rtl/lint
LINT += lint-rtl

# Area of every unit at 4 lanes and 4 KiB: build/synth/<unit>.<family>.stat, then one table.
SYNTH_UNITS := sync_decode atomic_alu smem_banks atoms_pipe warp_collective sync_core
SYNTH_STATS := $(foreach u,$(SYNTH_UNITS),$(foreach f,ice40 ecp5,$(B)/synth/$(u).$(f).stat))
$(B)/synth/%.stat: $(RTL_SOURCES) rtl/synth
	$(if $(Q),@echo '  SYNTH $*')
	$(Q)verif/common/progress synth-$* rtl/synth stat $(subst ., ,$*) $@
.PHONY: synth-table
synth-table: $(SYNTH_STATS)
	$(Q)rtl/synth table $(SYNTH_STATS) | tee $(B)/synth/report.txt
SYNTH += synth-table

# The synthesised netlist of the core with its memories kept, for the unit bench: sync_core-LANES-BANKS.v
.SECONDARY:
$(B)/synth/sync_core-%.v: $(RTL_SOURCES) rtl/synth
	$(if $(Q),@echo '  SYNTH $@')
	$(Q)rtl/synth netlist $(subst -, ,$*) $@
SYNTH += $(B)/synth/sync_core-4-8.v
