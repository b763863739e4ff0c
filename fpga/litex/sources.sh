# SPDX-License-Identifier: Apache-2.0
# The firmware's sources without its CPU, for the parameters of a core; sourced, in the root of the project, with PARAMETERS set.
# shellcheck shell=bash
parameter() { sed -n "s/^$1=//p" <<<"${PARAMETERS// /$'\n'}" | tail -n 1; }
mask=$(parameter Units)
has() { grep -q "^UNIT($1," cmodel/units/units.def && [ $((mask >> $(grep '^UNIT(' cmodel/units/units.def | grep -n "^UNIT($1," | cut -d: -f1) - 1 & 1)) = 1 ]; }

programs=(fpga/litex/firmware/{sm,request,flight,waits,record,draw,window}.c verif/cosim/link/link_shots.c
	cmodel/units/{sync_core,atoms_pipe,atoms_pipe_exec,atoms_pipe_matrix,atoms_pipe_passes,smem_banks}.c cmodel/alu/atomic_alu.c)
! has barrier_file || programs+=(fpga/litex/firmware/arrivals.c cmodel/units/barrier_file.c verif/units/barrier_file/bench/barrier_script.c)
! has atom_unit || programs+=(fpga/litex/firmware/global.c cmodel/units/{atom_unit,cluster_windows,cluster_barrier}.c cmodel/mem/gmem.c)
! has mbarrier_engine || programs+=(fpga/litex/firmware/mbarriers.c cmodel/units/mbarrier_engine.c)
! has warp_collective || programs+=(cmodel/units/warp_collective.c)
includes=(-Icmodel/include -Ibuild/gen -Iverif/cosim -Icmodel/units)
# state of an SM of the board's size: the RAM of the system is block RAM
defines=(-DNDEBUG "-DWL_SM_WARPS=$(parameter Warps)" "-DWL_SM_CTAS=$(parameter CtaSlots)" "-DWL_SOC_UNITS=$mask" -DWL_SCRIPT_OPS=16 -DWL_GMEM_BUFFERS=2
	'-DWL_UNIT_LINKAGE=__attribute__((weak))')

make_entries() { # FOLDER: entries.inc
	gcc -std=c11 -Icmodel/include -Ibuild/gen -o "$1/entries" fpga/litex/entries.c build/libwarplock.a -lelf -lzstd -llz4 -lm
	"$1/entries" "$mask" >"$1/entries.inc"
}
