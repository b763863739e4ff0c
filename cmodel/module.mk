# SPDX-License-Identifier: Apache-2.0
WARPLOCK_SRC += $(wildcard cmodel/isa/*.c cmodel/alu/*.c cmodel/mem/*.c cmodel/units/*.c cmodel/sm/*.c cmodel/object/*.c cmodel/timing/*.c cmodel/check/*.c)

# Two pointers that GCC 12 puts into one vector register are taken out of it again one by one, for each lane.
CFLAGS_cmodel/check/race_access.c := -fno-tree-slp-vectorize
CFLAGS_cmodel/check/race_quick.c := -fno-tree-slp-vectorize
CFLAGS_cmodel/check/race_touch.c := -fno-tree-slp-vectorize

# Loops over the lanes have four turns of vectors: GCC leaves loops out of so few turns only when it is told to.
LANE_LOOPS := $(wildcard cmodel/sm/exec_*.c) $(addprefix cmodel/units/,atoms_pipe_exec.c atoms_pipe_passes.c warp_collective.c)
$(if $(findstring clang,$(CC)),,$(foreach f,$(LANE_LOOPS),$(eval CFLAGS_$(f) := -fpeel-loops)))

# Lists of names that public headers are made of, each in one file and in the folder of the headers: what is installed is
# a copy of these.
PUBLIC_LISTS := $(addprefix $(B)/gen/warplock/,uops.def traits.def timing.def sync_class.def race_reasons.def check_reasons.def units.def misuse.def)
$(B)/gen/warplock/%.def: cmodel/isa/%.def
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/gen/warplock/race_reasons.def: cmodel/check/race_reasons.def
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/gen/warplock/check_reasons.def: cmodel/check/check_reasons.def
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/gen/warplock/misuse.def: cmodel/sm/misuse.def
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/gen/warplock/units.def: cmodel/units/units.def $(wildcard cmodel/units/faults/*.def)
	@mkdir -p $(@D)
	$(Q)awk '/^#include "faults\// {file = "cmodel/units/" $$2; gsub(/"/, "", file); \
		while ((getline line < file) > 0) print line; next} {print}' $< >$@
GENERATED += $(PUBLIC_LISTS)
