# SPDX-License-Identifier: Apache-2.0
# The loops over the lanes of a warp are to be vectorised; -O2 alone does that for few of them.
ifneq ($(SAN),1)
CFLAGS_cmodel/units/atom_unit_exec.c := -O3
CFLAGS_cmodel/units/atoms_pipe_exec.c := -O3
CFLAGS_cmodel/units/atoms_pipe_passes.c := -O3
CFLAGS_cmodel/units/atoms_pipe.c := -O3
CFLAGS_cmodel/units/smem_banks.c := -O3
CFLAGS_cmodel/units/warp_collective.c := -O3
endif
