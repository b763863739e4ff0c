# SPDX-License-Identifier: Apache-2.0
# ULX3S with LFE5U-85F-6BG381C.
TEXT       = ULX3S, LFE5U-85F: 4 lanes, 8 warps, atoms_pipe and barrier_file
FAMILY     = ecp5
DEVICE     = 85k
PACKAGE    = CABGA381
SPEED      = 6
PARAMETERS = Lanes=4 Banks=4 SmemBytes=4096 Units=5 Arch=75 Warps=8 Stimulus=0 EventBits=9 ClocksPerBit=60
PNR        = --placer static --router router2
CLOCK_MHZ  = 30
TARGET_MHZ = 40
BAUD       = 500000
PROGRAM    = --board ulx3s
# seed 1: 16,199 of 83,640 TRELLIS_COMB, routed in 50 rounds
LUTS       = 14339
FLIPFLOPS  = 11027
RAMS       = 50
FMAX_MHZ   = 39.61
