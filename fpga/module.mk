# SPDX-License-Identifier: Apache-2.0
# Boards: bitstreams (make fpga BOARD=NAME), and the generated parts of their host link.

# Committed, as the other generated RTL is.
.PHONY: generate-link
generate-link:
	$(Q)fpga/link/gen_link.py rtl fpga/link
	$(Q)fpga/link/gen_commands.py rtl fpga/link
	$(Q)fpga/link/gen_commands.py doc docs/fpga-link.md
generate: generate-link

# C that takes apart what the link sends.
$(B)/gen/link_groups.inc: $(wildcard rtl/*/*.def) fpga/link/gen_link.py rtl/gen/trace.py cmodel/units/units.def
	@mkdir -p $(@D)
	$(if $(Q),@echo '  GEN   $@')
	$(Q)fpga/link/gen_link.py c $@
# The commands of the host link, for the host.
$(B)/gen/link_commands.inc: fpga/link/link.def fpga/link/gen_commands.py
	@mkdir -p $(@D)
	$(if $(Q),@echo '  GEN   $@')
	$(Q)fpga/link/gen_commands.py c $@
GENERATED += $(B)/gen/link_groups.inc $(B)/gen/link_commands.inc

BOARD ?=
# A board with a CPU: its firmware has words from our assembler.
ifneq ($(shell grep -ls '^LINK *= *soc' fpga/boards/$(BOARD)/board.mk),)
fpga: $(LIBWARPLOCK) $(GENERATED)
endif
.PHONY: fpga fpga-program fpga-check fpga-check-area fpga-table
fpga:
	$(Q)verif/common/progress fpga-$(BOARD) fpga/build $(BOARD)
fpga-program:
	$(Q)fpga/build program $(BOARD)

# Figures: compared with those of board.mk; and those of each unit, for docs/fpga-table.md.
fpga-check-area:
	$(Q)fpga/check area $(BOARD)
fpga-check: fpga-check-area
	$(Q)fpga/check timing $(BOARD)
fpga-table:
	$(Q)fpga/table run $(ONLY)
	$(Q)fpga/table place $(ONLY)
	$(Q)fpga/table doc

# The host of the LiteX system (fpga/litex).
TESTS += soc_host
soc_host_SRC  := $(wildcard fpga/litex/host/*.c) $(addprefix verif/cosim/link/,board_sim.c bus_sim.c frame.c link.c link_find.c link_pace.c)
soc_host_LIBS := -ldl
