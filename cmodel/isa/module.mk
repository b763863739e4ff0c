# SPDX-License-Identifier: Apache-2.0
PYTHON    ?= python3
ISA_TABLES := $(wildcard cmodel/isa/enc_*.def) $(addprefix cmodel/isa/,uops.def members.def traits.def timing.def sync_class.def spare_bits.tsv)
ISA_GEN    := $(wildcard cmodel/isa/gen/*.py) cmodel/include/warplock/archs.h

# The tables as C arrays; wrong tables stop the build here.
$(B)/gen/isa_rows.h: $(ISA_TABLES) $(ISA_GEN)
	@mkdir -p $(@D)
	$(if $(Q),@echo '  GEN   $@')
	$(Q)PYTHONDONTWRITEBYTECODE=1 $(PYTHON) cmodel/isa/gen/wlgen.py c $@
GENERATED += $(B)/gen/isa_rows.h

# Generated and committed: run `make generate` after changing a table or config.h; verif/isa checks that it was done.
ISA_COMMITTED := sv:rtl/gen/sync_decode.sv config:rtl/gen/wl_config.vh units:rtl/gen/wl_units.vh doc:docs/reference/isa.md
.PHONY: generate
generate:
	$(Q)$(foreach g,$(ISA_COMMITTED),PYTHONDONTWRITEBYTECODE=1 $(PYTHON) cmodel/isa/gen/wlgen.py $(subst :, ,$(g)) &&) true
