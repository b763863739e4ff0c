# SPDX-License-Identifier: Apache-2.0
# The ULX3S with as many lanes as it can be given with three units.
TEXT       = ULX3S, LFE5U-85F: 16 lanes, 8 warps, atoms_pipe, barrier_file and warp_collective
WIRING     = ulx3s-85f
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=16 Banks=4 SmemBytes=8192 Units=21 Arch=80 Warps=8 CtaSlots=8 Stimulus=0 EventBits=8 ClocksPerBit=40
PNR        = --placer static --router router2
CLOCK_MHZ  = 40
TARGET_MHZ = 42
BAUD       = 1000000
PROGRAM    = --board ulx3s
# seed 1: 20,082 of 83,640 TRELLIS_COMB, routed in 48 rounds
LUTS       = 18262
FLIPFLOPS  = 16292
RAMS       = 66
FMAX_MHZ   = 49.37
